// SPDX-License-Identifier: Apache-2.0
// cli/validate/world_make.c - the scene file of a random world, from its seed
//
// Lengths are fractions of the size L of the world, speeds of V = sqrt(9.81 L), times of L/V.
// Things are placed so that their covering balls do not overlap. In every tenth world two things
// overlap at the start by 5 to 50 % of the smaller half thickness.

#include "cli/validate/worlds.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BALLS = 1024, PLACES = 128, THINGS = 32, ROD_NODES = 32, TREE_BODIES = 5 };

typedef struct Ball {
    Vec3 at;
    double radius;
} Ball;

// a place that a tie can hold
typedef struct Place {
    char name[48];
    int thing; // -1: the world
    bool frame;
    Vec3 at;
} Place;

typedef struct Maker {
    uint64_t random;
    char *text;
    size_t length, capacity;
    bool failed;
    double L, V;
    bool ground;
    Vec3 up; // normal of the ground
    int materials;
    Ball balls[BALLS]; // of everything placed so far
    int ball_count;
    Ball own[BALLS]; // of the thing that is being placed
    int own_count;
    Place places[PLACES];
    int place_count;
    int things;
} Maker;

// --- numbers and text ----------------------------------------------------------------------------

// splitmix64
static uint64_t bits(Maker *m) {
    uint64_t z = m->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double between(Maker *m, double low, double high) {
    return low + (high - low) * (double)(bits(m) >> 11) * 0x1p-53;
}

// uniform in the logarithm
static double scale_between(Maker *m, double low, double high) {
    return low * pow(high / low, between(m, 0, 1));
}

static bool chance(Maker *m, double p) {
    return between(m, 0, 1) < p;
}

static int pick(Maker *m, int count) {
    return (int)(bits(m) % (uint64_t)count);
}

static Vec3 direction(Maker *m) {
    for (;;) {
        Vec3 a = v3(between(m, -1, 1), between(m, -1, 1), between(m, -1, 1));
        double norm = v3_norm(a);
        if (norm > 0.1 && norm < 1)
            return v3_scale(1 / norm, a);
    }
}

LITHE_PRINTF(2, 3)
static void put(Maker *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(m->text + m->length, m->capacity - m->length, format, arguments);
    va_end(arguments);
    if (more < 0 || m->length + (size_t)more >= m->capacity)
        m->failed = true;
    else
        m->length += (size_t)more;
}

static void put_vector(Maker *m, const char *key, Vec3 a) {
    put(m, "%s[%.9g, %.9g, %.9g]", key, a.x, a.y, a.z);
}

// --- places --------------------------------------------------------------------------------------

static bool is_clear(const Maker *m, Vec3 shift) {
    for (int i = 0; i < m->own_count; i++) {
        Vec3 at = v3_add(m->own[i].at, shift);
        if (m->ground && v3_dot(m->up, at) < 1.02 * m->own[i].radius)
            return false;
        for (int k = 0; k < m->ball_count; k++)
            if (v3_distance(at, m->balls[k].at) < 1.02 * (m->own[i].radius + m->balls[k].radius))
                return false;
    }
    return true;
}

static void cover(Maker *m, Vec3 at, double radius) {
    if (m->own_count < BALLS)
        m->own[m->own_count++] = (Ball){at, radius};
}

static void keep(Maker *m, Vec3 shift) {
    for (int i = 0; i < m->own_count && m->ball_count < BALLS; i++)
        m->balls[m->ball_count++] = (Ball){v3_add(m->own[i].at, shift), m->own[i].radius};
}

// moves the thing to a random place where it overlaps nothing; false: there is none
static bool settle(Maker *m, Vec3 *shift) {
    for (int attempt = 0; attempt < 200; attempt++) {
        double spread = m->L * (0.25 + 0.005 * attempt);
        *shift = v3(between(m, -spread, spread), between(m, -spread, spread),
                    m->ground ? between(m, 0, 2 * spread) : between(m, -spread, spread));
        if (is_clear(m, *shift)) {
            keep(m, *shift);
            return true;
        }
    }
    return false;
}

static void add_place(Maker *m, int thing, bool frame, Vec3 at, const char *name) {
    if (m->place_count == PLACES)
        return;
    Place *place = &m->places[m->place_count++];
    *place = (Place){.thing = thing, .frame = frame, .at = at};
    snprintf(place->name, sizeof place->name, "%s", name);
}

// half of the velocities point to the middle, so that things meet
static Vec3 velocity(Maker *m, Vec3 at) {
    Vec3 middle = v3(0, 0, m->ground ? 0.3 * m->L : 0), to = v3_sub(middle, at);
    bool inward = chance(m, 0.6) && v3_norm(to) > 0.01 * m->L;
    return v3_scale(m->V * between(m, 0.1, 1.5), inward ? v3_unit(to) : direction(m));
}

// --- materials -----------------------------------------------------------------------------------

static void make_materials(Maker *m) {
    m->materials = 1 + pick(m, 3);
    put(m, "materials:\n");
    for (int i = 0; i < m->materials; i++) {
        double friction = chance(m, 0.25) ? 0 : chance(m, 0.2) ? 1 : between(m, 0, 1);
        // soft rods bend under their weight: moduli grow with the size of the world
        put(m, "  m%d: {young: %.6g, poisson: %.3g, density: %.6g, friction: %.4g", i,
            scale_between(m, 1e6, 1e10) * fmax(m->L, 0.1), between(m, 0.2, 0.5),
            scale_between(m, 200, 8000), friction);
        if (chance(m, 0.2))
            put(m, ", damping: {stiffness: %.3g}", scale_between(m, 1e-6, 1e-3));
        if (chance(m, 0.15))
            put(m, ", rolling-friction: %.4g", 0.003 * m->L);
        if (chance(m, 0.3))
            put(m, ", contact: {dissipation: %.3g}",
                chance(m, 0.3) ? 0 : scale_between(m, 0.01, 3));
        put(m, "}\n");
    }
}

// --- rods ----------------------------------------------------------------------------------------

typedef struct Curve {
    Vec3 at[ROD_NODES];
    int count;
    bool closed, straight;
    double edge;
} Curve;

// a line, an arc, a helix, a wave or a ring of about this length
static Curve make_curve(Maker *m, double length, double radius) {
    Curve c = {.count = 6 + pick(m, ROD_NODES - 7)};
    int kind = pick(m, 6);
    c.closed = kind == 5;
    c.straight = kind < 2;
    if (c.closed && c.count < 10)
        c.count = 10;
    double angle = between(m, 0.5, 4), turns = between(m, 1, 2.5);
    double wave = between(m, 0.02, 0.1) * length;
    for (int i = 0; i < c.count; i++) {
        double s = (double)i / (c.closed ? c.count : c.count - 1), a = angle * s;
        double r = length / angle, ring = length / (2 * M_PI);
        double coil = 0.4 * length / (2 * M_PI * turns), p = 2 * M_PI * turns * s;
        double pitch = fmax(5 * radius, 0.5 * length / turns);
        c.at[i] = kind < 2    ? v3(length * s, 0, 0)
                  : kind == 2 ? v3(r * sin(a), 0, r * (1 - cos(a)))
                  : kind == 3 ? v3(coil * cos(p), coil * sin(p), pitch * turns * s)
                  : kind == 4 ? v3(length * s, wave * sin(5 * s), wave * cos(7 * s))
                              : v3(ring * cos(2 * M_PI * s), ring * sin(2 * M_PI * s), 0);
    }
    // about its middle, in a random direction
    Quat q = q4_exp(v3_scale(between(m, 0, M_PI), direction(m)));
    Vec3 middle = v3(0, 0, 0);
    for (int i = 0; i < c.count; i++)
        middle = v3_axpy(1.0 / c.count, c.at[i], middle);
    for (int i = 0; i < c.count; i++)
        c.at[i] = q4_rotate(q, v3_sub(c.at[i], middle));
    c.edge = v3_distance(c.at[0], c.at[1]);
    return c;
}

static void cover_curve(Maker *m, const Curve *c, double radius) {
    m->own_count = 0;
    for (int i = 0; i < c->count - !c->closed; i++) {
        Vec3 a = c->at[i], b = c->at[(i + 1) % c->count];
        int parts = (int)fmin(16, fmax(1, ceil(v3_distance(a, b) / (2 * radius))));
        double reach = hypot(radius, 0.5 * v3_distance(a, b) / parts);
        for (int k = 0; k < parts; k++)
            cover(m, v3_mix(a, b, (k + 0.5) / parts), reach);
    }
}

static void write_points(Maker *m, const Vec3 *at, int count, Vec3 shift) {
    put(m, "[");
    for (int i = 0; i < count; i++)
        put_vector(m, i ? ", " : "", v3_add(at[i], shift));
    put(m, "]");
}

static void write_rod(Maker *m, int number, const Curve *c, double radius, Vec3 shift) {
    put(m, "  r%d:\n    material: m%d\n    section: ", number, pick(m, m->materials));
    if (chance(m, 0.8))
        put(m, "{circle: {radius: %.6g}}\n", radius);
    else
        put(m, "{rectangle: {width: %.6g, height: %.6g}}\n", 1.6 * radius, radius);
    put(m, "    shape: {polyline: {points: ");
    write_points(m, c->at, c->count, shift);
    put(m, "%s}}\n", c->closed ? ", closed: true" : "");
    if (chance(m, 0.7))
        put(m, "    natural: {from: shape}\n");
    else if (c->straight && chance(m, 0.5))
        put(m, "    twist: %.4g\n", between(m, -6, 6));
    bool clamped = !c->closed && chance(m, m->ground ? 0.25 : 0.1);
    if (clamped)
        put(m, "    clamped: %s\n", chance(m, 0.8) ? "start" : "both");
    if (!clamped && chance(m, 0.6)) {
        put_vector(m, "    velocity: ", velocity(m, v3_add(c->at[c->count / 2], shift)));
        put(m, "\n");
        if (chance(m, 0.4)) {
            put_vector(m, "    spin: ", v3_scale(m->V / m->L * between(m, 0, 10), direction(m)));
            put(m, "\n");
        }
    }
    int thing = m->things++;
    for (int k = 0; k < 3 && !(c->closed && k); k++) {
        char name[48];
        int node = k == 0 ? 0 : k == 1 ? c->count - 1 : c->count / 2;
        snprintf(name, sizeof name, "\"r%d[%d]\"", number, node);
        add_place(m, thing, true, v3_add(c->at[node], shift), name);
    }
}

static void make_rods(Maker *m, int count) {
    bool begun = false;
    for (int i = 0; i < count; i++) {
        double length = m->L * between(m, 0.3, 1.2);
        double radius = length * scale_between(m, 0.004, 0.03);
        Curve c = make_curve(m, length, radius);
        radius = fmin(radius, 0.45 * c.edge);
        Vec3 shift;
        cover_curve(m, &c, radius);
        if (!settle(m, &shift))
            continue;
        if (!begun)
            put(m, "rods:\n");
        begun = true;
        write_rod(m, i, &c, radius, shift);
    }
}

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
    // all octants, so that the hull is not flat
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
    switch (pick(m, 9)) {
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
        put_vector(
            m, "\n    spin: ", v3_scale(m->V / (3 * body.radius) * between(m, 0, 3), direction(m)));
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
    put(m, "  j%d: {kind: %s, child: b%d", number, kinds[kind], joint->child);
    if (joint->parent >= 0)
        put(m, ", parent: b%d", joint->parent);
    put_vector(m, ", at: ", joint->at);
    put_vector(m, ", axis: ", direction(m));
    if (kind == 5)
        put(m, ", pitch: %.4g", 0.2 * joint->radius);
    bool sprung = kind != 4 && kind != 6;
    bool one = kind == 0 || kind == 2 || kind == 3 || kind == 5, slides = kind == 2;
    if (one && chance(m, 0.4))
        put(m, ", velocity: %.4g",
            slides ? m->V * between(m, -0.3, 0.3) : m->V / m->L * between(m, -6, 6));
    if (one && chance(m, 0.3))
        put(m, ", limits: [%.4g, %.4g]", slides ? -0.1 * m->L : -between(m, 0.2, 1.5),
            slides ? 0.1 * m->L : between(m, 0.2, 1.5));
    double inertia = 1000 * pow(joint->radius, 3) * (slides ? 1 : joint->radius * joint->radius);
    double rate = m->V / m->L * between(m, 1, 20);
    if (sprung && chance(m, 0.3))
        put(m, ", stiffness: %.4g", inertia * rate * rate);
    if (kind != 6 && chance(m, 0.3))
        put(m, ", damping: %.4g", inertia * rate * between(m, 0, 1));
    if (one && chance(m, 0.2))
        put(m, ", friction: %.4g", inertia * rate * m->V / m->L);
    put(m, "}\n");
}

// free bodies, and trees of bodies
static void make_bodies(Maker *m, int loose, int trees) {
    Joint joints[WORLD_JOINTS];
    int joint_count = 0, number = 0;
    size_t before = m->length;
    put(m, "bodies:\n");
    size_t empty = m->length;
    if (m->ground) {
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
        bool hung = chance(m, 0.5);
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

// --- particles -----------------------------------------------------------------------------------

static void make_particles(Maker *m, int sets) {
    bool begun = false;
    for (int i = 0; i < sets; i++) {
        double radius = m->L * between(m, 0.01, 0.05);
        int count = 1 + pick(m, 12), placed = 0;
        Vec3 at[12], base;
        m->own_count = 0;
        cover(m, v3(0, 0, 0), radius);
        if (!settle(m, &base))
            continue;
        at[placed++] = base;
        for (int k = 1; k < count; k++) {
            Vec3 near = v3_axpy(radius * between(m, 2.1, 6), direction(m), at[pick(m, placed)]);
            if (!is_clear(m, near))
                continue;
            keep(m, near);
            at[placed++] = near;
        }
        if (!begun)
            put(m, "particles:\n");
        begun = true;
        put(m, "  p%d:\n    material: m%d\n    radius: %.6g\n    positions: ", i,
            pick(m, m->materials), radius);
        write_points(m, at, placed, v3(0, 0, 0));
        put(m, "\n");
        if (chance(m, 0.7)) {
            put_vector(m, "    velocity: ", velocity(m, base));
            put(m, "\n");
        }
        char name[48];
        snprintf(name, sizeof name, "\"p%d[0]\"", i);
        add_place(m, m->things++, false, base, name);
    }
}

// --- ties ----------------------------------------------------------------------------------------

// two near places on different things
static bool choose_places(Maker *m, Place *a, Place *b) {
    double best = INFINITY;
    for (int attempt = 0; attempt < 12; attempt++) {
        const Place *p = &m->places[pick(m, m->place_count)];
        const Place *q = &m->places[pick(m, m->place_count)];
        double apart = v3_distance(p->at, q->at);
        if (p->thing == q->thing || apart >= best || apart < 1e-3 * m->L)
            continue;
        best = apart;
        *a = *p;
        *b = *q;
    }
    // some hang on the world
    if (best < INFINITY && chance(m, 0.2)) {
        *b = (Place){.thing = -1, .frame = true};
        b->at = v3_axpy(0.1 * m->L, direction(m), a->at);
    }
    return best < INFINITY;
}

static void write_side(Maker *m, const char *key, const Place *place) {
    if (place->thing >= 0)
        put(m, ", %s: %s", key, place->name);
    else
        put(m, ", %s: {on: world, at: [%.9g, %.9g, %.9g]}", key, place->at.x, place->at.y,
            place->at.z);
}

static void make_ties(Maker *m, int count) {
    static const char *const kinds[] = {"attach", "attach",       "weld", "distance",
                                        "rope",   "hinge-spring", "strut"};
    bool begun = false;
    for (int i = 0; i < count && m->place_count > 1; i++) {
        Place a, b;
        if (!choose_places(m, &a, &b))
            continue;
        int kind = pick(m, 7);
        bool frames = kind == 2 || kind == 5;
        if (frames && !(a.frame && b.frame))
            kind = 0;
        if (!begun)
            put(m, "constraints:\n");
        begun = true;
        put(m, "  c%d: {kind: %s", i, kinds[kind]);
        write_side(m, "a", &a);
        write_side(m, "b", &b);
        double apart = v3_distance(a.at, b.at);
        double mass = 500 * pow(0.05 * m->L, 3), rate = m->V / m->L * scale_between(m, 3, 300);
        if (kind == 4 || kind == 6)
            put(m, ", length: %.9g", apart * (kind == 4 ? between(m, 1, 1.3) : between(m, 0.7, 1)));
        if (kind == 5)
            put(m, ", bend-stiffness: %.4g, twist-stiffness: %.4g",
                mass * rate * rate * apart * apart, mass * rate * rate * apart * apart);
        else if (chance(m, 0.3))
            put(m, ", stiffness: %.4g, damping: %.4g", mass * rate * rate,
                chance(m, 0.5) ? 0 : mass * rate);
        put(m, "}\n");
    }
}

// --- overlaps at the start -----------------------------------------------------------------------

// Two things that overlap by 5 to 50 % of the smaller half thickness, far from the rest:
// spheres, particles, or crossed rods.
static void make_overlap(Maker *m, int kind) {
    double r = m->L * between(m, 0.02, 0.06), s = r * between(m, 0.5, 1);
    double apart = r + s - s * between(m, 0.05, 0.5);
    Vec3 a = v3(0, 0, 2.5 * m->L), b = v3_axpy(apart, direction(m), a);
    if (kind == 0) {
        put(m, "  o0: {material: m0, shape: {sphere: {radius: %.9g}}", r);
        put_vector(m, ", at: ", a);
        put(m, "}\n  o1: {material: m0, shape: {sphere: {radius: %.9g}}", s);
        put_vector(m, ", at: ", b);
        put(m, "}\n");
        return;
    }
    if (kind == 1) {
        put(m, "  o0: {material: m0, radius: %.9g", r);
        put_vector(m, ", at: ", a);
        put(m, "}\n  o1: {material: m0, radius: %.9g", s);
        put_vector(m, ", at: ", b);
        put(m, "}\n");
        return;
    }
    Vec3 n = v3_unit(v3_sub(b, a)), u = v3_any_normal(n), w = v3_cross(n, u);
    double thin = 0.3;
    b = v3_axpy(thin * apart, n, a);
    for (int k = 0; k < 2; k++) {
        Vec3 middle = k ? b : a, along = k ? w : u;
        put(m,
            "  o%d: {material: m0, section: {circle: {radius: %.9g}}, nodes: 13, shape: {line: {",
            k, thin * (k ? s : r));
        put_vector(m, "from: ", v3_axpy(-0.31 * m->L, along, middle));
        put_vector(m, ", to: ", v3_axpy(0.3 * m->L, along, middle));
        put(m, "}}}\n");
    }
}

// --- the world -----------------------------------------------------------------------------------

const char *lithe_world_scheme(LitheScheme scheme) {
    return scheme == LITHE_SCHEME_TR_BDF2      ? "tr-bdf2"
           : scheme == LITHE_SCHEME_MIDPOINT   ? "midpoint"
           : scheme == LITHE_SCHEME_SYMPLECTIC ? "symplectic-euler"
                                               : "backward-euler";
}

static void make_head(Maker *m, const WorldPlan *plan) {
    m->L = scale_between(m, 0.05, 2);
    m->V = sqrt(9.81 * m->L);
    double step = 0.003 * m->L / m->V * scale_between(m, 0.5, 2);
    // explicit steps must resolve the waves in stiff rods
    if (plan->scheme == LITHE_SCHEME_SYMPLECTIC)
        step *= 0.05;
    int steps = 100 + pick(m, 150);
    if (plan->times > 1)
        steps = 40;
    double h = step * plan->times;
    bool gravity = chance(m, 0.7);
    m->ground = gravity ? chance(m, 0.8) : chance(m, 0.1);
    m->up = chance(m, 0.3) ? v3_unit(v3_axpy(0.3, direction(m), v3(0, 0, 1))) : v3(0, 0, 1);
    put(m, "# random world %llu: lithe run world-%llu.yaml\n", (unsigned long long)plan->seed,
        (unsigned long long)plan->seed);
    put(m, "lithe: 1\ntitle: Random world %llu\n", (unsigned long long)plan->seed);
    put(m, "time: {step: %.9g, end: %.9g, scheme: %s}\n", h, h * steps,
        lithe_world_scheme(plan->scheme));
    put(m, "gravity: %s\n", gravity ? "9.81" : "none");
    put(m, "record: {every: %.9g}\n", h * steps / 10);
}

static void make_all(Maker *m, const WorldPlan *plan) {
    make_head(m, plan);
    make_materials(m);
    int overlap = plan->seed % 10 == 9 ? pick(m, 3) : -1;
    // the sections of a scene file are each written once: overlaps belong to one of them
    int rods = pick(m, 4), sets = pick(m, 3), loose = pick(m, 6), trees = pick(m, 3);
    if (overlap == 2) {
        put(m, "rods:\n");
        make_overlap(m, 2);
    } else {
        make_rods(m, rods);
    }
    if (overlap == 1) {
        put(m, "particles:\n");
        make_overlap(m, 1);
    } else {
        make_particles(m, sets);
    }
    if (overlap == 0) {
        put(m, "bodies:\n");
        make_overlap(m, 0);
    } else {
        make_bodies(m, loose, trees);
    }
    make_ties(m, pick(m, 4));
}

char *lithe_world_make(const WorldPlan *plan) {
    Maker *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->random = plan->seed * 0x2545f4914f6cdd1du + 1;
    m->capacity = 1 << 17;
    m->text = calloc(m->capacity, 1);
    char *text = m->text;
    if (text)
        make_all(m, plan);
    if (m->failed) {
        free(text);
        text = NULL;
    }
    free(m);
    return text;
}
