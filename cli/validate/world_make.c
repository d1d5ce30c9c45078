// SPDX-License-Identifier: Apache-2.0
// cli/validate/world_make.c - the scene file of a random world, from its seed
//
// Lengths are fractions of the size L of the world, speeds of V = sqrt(9.81 L), times of L/V.
// Things are placed so that their covering balls do not overlap. In every tenth world two things
// overlap at the start by 5 to 50 % of the smaller half thickness.

#include "cli/validate/world_maker.h"

#include <stdlib.h>
#include <string.h>

// --- materials -----------------------------------------------------------------------------------

void lithe_world_materials(Maker *m) {
    m->materials = 1 + pick(m, 3);
    put(m, "materials:\n");
    for (int i = 0; i < m->materials; i++) {
        double friction = chance(m, 0.25) ? 0 : chance(m, 0.2) ? 1 : between(m, 0, 1);
        // soft rods bend under their weight: moduli grow with the size of the world
        m->young[i] = scale_between(m, 1e6, 1e10) * fmax(m->L, 0.1);
        m->density[i] = scale_between(m, 200, 8000);
        put(m, "  m%d: {young: %.6g, poisson: %.3g, density: %.6g, friction: %.4g", i, m->young[i],
            between(m, 0.2, 0.5), m->density[i], friction);
        if (!m->undamped && chance(m, 0.2))
            put(m, ", damping: {stiffness: %.3g}", scale_between(m, 1e-6, 1e-3));
        if (!m->simple && chance(m, 0.15))
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

// Energy that bends a straight rod of this material to the curve, over its kinetic energy at the
// speed V.
static double tension_of(const Maker *m, const Curve *c, double radius, int material) {
    double bent = 0;
    for (int i = 1; i + 1 < c->count; i++) {
        Vec3 e = v3_sub(c->at[i], c->at[i - 1]), f = v3_sub(c->at[i + 1], c->at[i]);
        bent = fmax(bent, v3_norm(v3_cross(v3_unit(e), v3_unit(f))) / v3_norm(e));
    }
    double strain = radius * bent;
    return m->young[material] * strain * strain / (4 * m->density[material] * m->V * m->V);
}

static void write_rod(Maker *m, int number, const Curve *c, double radius, Vec3 shift) {
    int material = pick(m, m->materials);
    put(m, "  r%d:\n    material: m%d\n    section: ", number, material);
    if (m->round || chance(m, 0.8))
        put(m, "{circle: {radius: %.6g}}\n", radius);
    else if (m->mixed && chance(m, 0.5))
        put(m, "{ellipse: {width: %.6g, height: %.6g}}\n", 1.6 * radius, radius);
    else
        put(m, "{rectangle: {width: %.6g, height: %.6g}}\n", 1.6 * radius, radius);
    put(m, "    shape: {polyline: {points: ");
    write_points(m, c->at, c->count, shift);
    put(m, "%s}}\n", c->closed ? ", closed: true" : "");
    // a rod that is released may spring open, but must not explode
    if (c->closed || chance(m, 0.7) || tension_of(m, c, radius, material) > 2)
        put(m, "    natural: {from: shape}\n");
    else if (c->straight && chance(m, 0.5))
        put(m, "    twist: %.4g\n", between(m, -6, 6));
    bool clamped = !c->closed && (m->held || chance(m, m->ground ? 0.25 : 0.1));
    if (clamped)
        put(m, "    clamped: %s\n", chance(m, 0.8) ? "start" : "both");
    if (m->rod_count < RODS) {
        m->ring[m->rod_count] = c->closed;
        m->clamp[m->rod_count] = clamped;
        m->rod[m->rod_count++] = number;
    }
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

void lithe_world_rods(Maker *m, int count) {
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

// --- particles -----------------------------------------------------------------------------------

void lithe_world_particles(Maker *m, int sets) {
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

// jointed things get no tie: its force might have no lever arm about the joint
static bool are_joined(const Maker *m, int a, int b) {
    for (int i = 0; i < m->joined_count; i++)
        if ((m->joined[i][0] == a && m->joined[i][1] == b) ||
            (m->joined[i][0] == b && m->joined[i][1] == a))
            return true;
    return false;
}

// two near places on different things
static bool choose_places(Maker *m, Place *a, Place *b) {
    double best = INFINITY;
    for (int attempt = 0; attempt < 12; attempt++) {
        const Place *p = &m->places[pick(m, m->place_count)];
        const Place *q = &m->places[pick(m, m->place_count)];
        double apart = v3_distance(p->at, q->at);
        if (p->thing == q->thing || apart >= best || apart < 1e-3 * m->L ||
            are_joined(m, p->thing, q->thing))
            continue;
        best = apart;
        *a = *p;
        *b = *q;
    }
    // some are tied to the world
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

bool lithe_world_ties(Maker *m, int count) {
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
    return begun;
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
    double step = 0.002 * m->L / m->V * scale_between(m, 0.5, 2);
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
    lithe_world_materials(m);
    int overlap = plan->seed % 10 == 9 ? pick(m, 3) : -1;
    // a section of a scene file is written once: an overlapping pair replaces the other things of
    // it
    int rods = pick(m, 4), sets = pick(m, 3), loose = pick(m, 6), trees = pick(m, 3);
    if (overlap == 2) {
        put(m, "rods:\n");
        make_overlap(m, 2);
    } else {
        lithe_world_rods(m, rods);
    }
    if (overlap == 1) {
        put(m, "particles:\n");
        make_overlap(m, 1);
    } else {
        lithe_world_particles(m, sets);
    }
    if (overlap == 0) {
        put(m, "bodies:\n");
        make_overlap(m, 0);
    } else {
        lithe_world_bodies(m, loose, trees);
    }
    lithe_world_ties(m, pick(m, 4));
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
