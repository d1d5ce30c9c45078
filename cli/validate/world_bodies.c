// SPDX-License-Identifier: Apache-2.0
// cli/validate/world_bodies.c - bodies of all shapes and joints of a random world

#include "cli/validate/world_maker.h"

// --- bodies --------------------------------------------------------------------------------------

static const char box_triangles[] =
    "[[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5], "
    "[2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]";

// corners of a box whose upper face is smaller: a frustum
static void frustum(double a, double b, double c, double top, Vec3 out[8]) {
    static const int sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        out[i] = v3(a * sign[i][0], b * sign[i][1], -c);
        out[i + 4] = v3(top * a * sign[i][0], top * b * sign[i][1], c);
    }
}

static void write_hull(Maker *m, double size) {
    int count = 6 + pick(m, 6);
    // a point in every octant, so that the hull is not flat
    put(m, "{convex: {points: [");
    for (int i = 0; i < count; i++) {
        Vec3 a = direction(m);
        if (i < 6) {
            const double e = i % 2 ? 1 : -1;
            a = i / 2 == 0 ? v3(e, 0, 0) : i / 2 == 1 ? v3(0, e, 0) : v3(0, 0, e);
        }
        put_vector(m, i ? ", " : "", v3_scale(size * between(m, 0.6, 1), a));
    }
    put(m, "]}}");
}

// writes a shape that fits into a ball, whose radius is returned
static double write_shape(Maker *m) {
    double size = m->L * between(m, 0.03, 0.12), a = between(m, 0.3, 1), b = between(m, 0.3, 1);
    Vec3 points[8];
    switch (pick(m, m->mixed ? 13 : 9)) {
    case 0:
        put(m, "{sphere: {radius: %.6g}}", size);
        return size;
    case 1:
        put(m, "{capsule: {radius: %.6g, length: %.6g}}", size * 0.5 * a, size);
        return size * (0.5 * a + 0.5);
    case 2:
        put(m, "{cylinder: {radius: %.6g, length: %.6g}}", size * a, size * 2 * b);
        return size * hypot(a, b);
    case 3:
        put(m, "{box: {size: [%.6g, %.6g, %.6g]}}", 2 * size, 2 * size * a, 2 * size * b);
        return size * hypot(hypot(1, a), b);
    case 4:
        put(m, "{ellipsoid: {size: [%.6g, %.6g, %.6g]}}", 2 * size, 2 * size * a, 2 * size * b);
        return size;
    case 5:
        write_hull(m, size);
        return size;
    case 6:
        frustum(size, a * size, b * size, between(m, 0.3, 1), points);
        put(m, "{mesh: {points: ");
        write_points(m, points, 8, v3(0, 0, 0));
        put(m, ", triangles: %s}}", box_triangles);
        return size * hypot(hypot(1, a), b);
    case 7:
        put(m, "{revolution: {outline: [[%.6g, 0], [%.6g, %.6g], [%.6g, %.6g], [%.6g, 0]]}}", -size,
            -0.4 * size, a * size, 0.4 * size, b * size, size);
        return size * hypot(1, 1);
    case 9:
        put(m, "{tube: {radius: %.6g, hole: %.6g, length: %.6g}}", size * a, 0.7 * size * a,
            2 * size * b);
        return size * hypot(a, b);
    case 10:
        put(m, "{torus: {radius: %.6g, section: %.6g}}", 0.7 * size, 0.3 * size * a);
        return size;
    case 11:
        put(m, "{plate: {size: [%.6g, %.6g, %.6g], hole: %.6g}}", 2 * size, 2 * size * a, size * b,
            0.6 * size * a);
        return size * hypot(hypot(1, a), 0.5 * b);
    case 12:
        put(m, "{elliptic-cylinder: {size: [%.6g, %.6g, %.6g]}}", 2 * size, 2 * size * a,
            2 * size * b);
        return size * hypot(1, b);
    default:
        put(m, "{sphere: {radius: %.6g}}", 0.7 * size);
        return 0.7 * size;
    }
}

// A body at a random place, or near `from`. The shape is written first and taken back when there is
// no room for it.
static bool make_body(Maker *m, int number, const Ball *from, Ball *out) {
    size_t before = m->length;
    put(m, "  b%d:\n    material: m%d\n    shape: ", number, pick(m, m->materials));
    double radius = write_shape(m);
    Vec3 at = v3(0, 0, 0);
    m->own_count = 0;
    cover(m, at, radius);
    bool found = false;
    for (int attempt = 0; from && !found && attempt < 50; attempt++) {
        double apart = (from->radius + radius) * between(m, 1.05, 1.3);
        at = v3_axpy(apart, direction(m), from->at);
        found = is_clear(m, at);
    }
    if (found)
        keep(m, at);
    if (!found && (from || !settle(m, &at))) {
        m->length = before;
        m->text[before] = 0;
        return false;
    }
    put_vector(m, "\n    at: ", at);
    if (!from)
        put_vector(m, "\n    rotate: ", v3_scale(between(m, 0, 3), direction(m)));
    put(m, "\n");
    *out = (Ball){at, radius};
    char name[48];
    int thing = m->things++;
    snprintf(name, sizeof name, "b%d", number);
    add_place(m, thing, true, at, name);
    return true;
}

static void push_body(Maker *m, Ball body) {
    put_vector(m, "    velocity: ", velocity(m, body.at));
    if (chance(m, 0.6))
        put_vector(m, "\n    spin: ", v3_scale(m->V / m->L * between(m, 0, 15), direction(m)));
    put(m, "\n");
}

typedef struct Joint {
    int child, parent; // numbers of bodies; parent -1: the world
    Vec3 at;
    double radius; // of the child
} Joint;

static void write_joint(Maker *m, int number, const Joint *joint) {
    static const char *const kinds[] = {"revolute", "ball",  "prismatic", "revolute",
                                        "planar",   "screw", "weld",      "ball"};
    int kind = pick(m, 8);
    kind = m->held && kind == 4 ? 6 : kind; // nothing pulls back on a plane
    put(m, "  j%d: {kind: %s, child: b%d", number, kinds[kind], joint->child);
    if (joint->parent >= 0)
        put(m, ", parent: b%d", joint->parent);
    put_vector(m, ", at: ", joint->at);
    put_vector(m, ", axis: ", direction(m));
    if (kind == 5)
        put(m, ", pitch: %.4g", 0.2 * joint->radius);
    bool sprung = kind != 4 && kind != 6;
    if (number < WORLD_JOINTS) {
        m->one[number] = kind == 0 || kind == 2 || kind == 3 || kind == 5;
        m->slides[number] = kind == 2;
        m->joint_count = number + 1;
    }
    bool one = kind == 0 || kind == 2 || kind == 3 || kind == 5, slides = kind == 2;
    if (one && chance(m, 0.4))
        put(m, ", velocity: %.4g",
            slides ? m->V * between(m, -0.3, 0.3) : m->V / m->L * between(m, -6, 6));
    if (one && chance(m, 0.3))
        put(m, ", limits: [%.4g, %.4g]", slides ? -0.1 * m->L : -between(m, 0.2, 1.5),
            slides ? 0.1 * m->L : between(m, 0.2, 1.5));
    double inertia = 1000 * pow(joint->radius, 3) * (slides ? 1 : joint->radius * joint->radius);
    double rate = m->V / m->L * between(m, 1, 20);
    if (sprung && (m->held || chance(m, 0.3)))
        put(m, ", stiffness: %.4g", inertia * rate * rate * (m->held ? 100 : 1));
    if (kind != 6 && chance(m, 0.3))
        put(m, ", damping: %.4g", inertia * rate * between(m, 0, 1));
    if (one && chance(m, 0.2))
        put(m, ", friction: %.4g", inertia * rate * m->V / m->L);
    put(m, "}\n");
}

void lithe_world_bodies(Maker *m, int loose, int trees) {
    Joint joints[WORLD_JOINTS];
    int joint_count = 0, number = 0;
    size_t before = m->length;
    put(m, "bodies:\n");
    size_t empty = m->length;
    if (m->ground && m->rough) {
        put(m,
            "  ground: {fixed: true, material: m0, shape: {heightfield: {size: [%.6g, %.6g], "
            "heights: [",
            6 * m->L, 6 * m->L);
        for (int k = 0; k < 16; k++)
            put(m, "%s%.6g%s",
                k % 4 ? ", "
                : k   ? ", ["
                      : "[",
                between(m, -0.2, 0) * m->L, k % 4 == 3 ? "]" : "");
        put(m, "]}}}\n");
    } else if (m->ground) {
        put(m, "  ground: {fixed: true, material: m0, shape: {half-space: {}}");
        put_vector(m, ", rotate: ", q4_log(q4_between(v3(0, 0, 1), m->up)));
        put(m, "}\n");
    }
    for (int i = 0; i < loose; i++) {
        Ball body;
        if (!make_body(m, number, NULL, &body))
            continue;
        if (chance(m, 0.8))
            push_body(m, body);
        number++;
    }
    for (int i = 0; i < trees; i++) {
        Ball chain[TREE_BODIES];
        int length = 1 + pick(m, TREE_BODIES - 1), first = number;
        int first_thing = m->things;
        bool hung = chance(m, 0.5) || m->held;
        for (int k = 0; k < length + 1 && joint_count < WORLD_JOINTS; k++) {
            int parent = k > 0 && chance(m, 0.3) ? pick(m, k) : k - 1;
            if (!make_body(m, number, k ? &chain[parent] : NULL, &chain[k]))
                break;
            if (k == 0 && !hung && chance(m, 0.6))
                push_body(m, chain[0]);
            Vec3 at = k ? v3_mix(chain[parent].at, chain[k].at, 0.5)
                        : v3_axpy(chain[0].radius, direction(m), chain[0].at);
            if (k || hung)
                joints[joint_count++] =
                    (Joint){number, k ? first + parent : -1, at, chain[k].radius};
            if (k && m->joined_count < WORLD_JOINTS) {
                m->joined[m->joined_count][0] = first_thing + parent;
                m->joined[m->joined_count++][1] = first_thing + k;
            }
            number++;
        }
    }
    if (m->length == empty)
        m->length = before;
    m->text[m->length] = 0;
    if (joint_count > 0)
        put(m, "joints:\n");
    for (int i = 0; i < joint_count; i++)
        write_joint(m, i, &joints[i]);
}
