// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds_mixed_make.c - the scene file of a random world of all kinds, schemes and
// contact models
//
// In a quarter of the worlds things are placed anywhere, so that most of these overlap at the
// start.

#include "cli/validate/world_maker.h"
#include "cli/validate/worlds_mixed.h"

#include <stdlib.h>
#include <string.h>

enum { SOLIDS = 4 };

// what the sections refer to each other by
typedef struct Mix {
    Maker *m;
    bool rigid, rods_only; // the models lcp; imc and spt
    bool fields;           // materials may have pressure fields
    bool arc;              // statics by arc length
    bool explicit;         // its step must resolve damping
    const char *law;       // of friction
    int solids;
    bool faces[SOLIDS], hollow[SOLIDS], cut[SOLIDS]; // groups: of a box; of a shell; z-min, z-max
    int arms;                                        // sections of the arm
    double bend;                                     // force of a chamber that bends it [N]
    bool driven;                                     // work is done on the world
} Mix;

static const char *const schemes[] = {"tr-bdf2",  "tr-bdf2",          "backward-euler",
                                      "midpoint", "symplectic-euler", "auto"};
static const char *const rigid_schemes[] = {"auto", "linearly-implicit", "semi-implicit-euler",
                                            "rk23"};
static const char *const friction_laws[] = {"lagged", "lagged", "sap", "similar"};
static const char *const elastic_laws[] = {"corotated-lagged", "corotated", "neo-hookean",
                                           "mooney-rivlin", "mooney-rivlin-isochoric"};

// --- time, gravity, contact ----------------------------------------------------------------------

static void put_time(Mix *x, double h, int steps) {
    Maker *m = x->m;
    const char *scheme = x->rigid       ? rigid_schemes[pick(m, 4)]
                         : x->rods_only ? "backward-euler"
                         : m->held      ? "static"
                                        : schemes[pick(m, 6)];
    bool euler = strcmp(scheme, "backward-euler") == 0 || strcmp(scheme, "auto") == 0;
    x->law = friction_laws[euler || pick(m, 2) ? pick(m, 4) : 3];
    if (!euler && strcmp(x->law, "sap") == 0)
        x->law = "lagged";
    x->fields = euler || strcmp(scheme, "tr-bdf2") == 0;
    bool explicit = strcmp(scheme, "symplectic-euler") == 0;
    x->arc = m->held && chance(m, 0.3);
    x->explicit = m->undamped = explicit;
    if (explicit)
        h *= 0.002;
    if (!explicit && !m->held && !x->rigid && chance(m, 0.2))
        put(m, "time: {step: {adaptive: {min: %.6g, max: %.6g}}, end: %.6g, scheme: %s}\n",
            h / 1024, 4 * h, h * steps, scheme);
    else
        put(m, "time: {step: %.6g, end: %.6g, scheme: %s%s}\n", h, h * steps, scheme,
            x->arc ? ", follow: arc-length" : "");
}

static void put_contact(Mix *x) {
    Maker *m = x->m;
    static const char *const patches[] = {"auto", "auto", "off"};
    if (x->rigid)
        put(m, "contact: {model: lcp, lcp: {solver: %s}}\n",
            (const char *[]){"newton", "lemke", "gauss-seidel"}[pick(m, 3)]);
    else if (x->rods_only)
        put(m, "contact: {model: %s}\n", chance(m, 0.5) ? "imc" : "spt");
    else
        put(m, "contact: {friction-law: %s, patches: %s, merge-patches: %s, faces: %s}\n", x->law,
            patches[pick(m, 3)], chance(m, 0.7) ? "true" : "false",
            chance(m, 0.8) ? "whole" : "corners");
}

static void put_head(Mix *x, uint64_t seed) {
    Maker *m = x->m;
    int model = pick(m, 20);
    x->rigid = model < 2;
    x->rods_only = model == 2 || model == 3;
    m->held = model == 4 || model == 5;
    m->mixed = true;
    m->round = x->rods_only;
    m->simple = x->rigid;
    m->overlaps = chance(m, 0.25);
    m->L = scale_between(m, 0.05, 1);
    m->V = sqrt(9.81 * m->L);
    m->ground = !x->rods_only && chance(m, 0.6);
    m->rough = m->ground && chance(m, 0.25);
    m->up = v3(0, 0, 1);
    put(m, "# random world %llu of all kinds: lithe run THIS-FILE\nlithe: 1\n",
        (unsigned long long)seed);
    put(m, "title: Random world %llu of all kinds\n", (unsigned long long)seed);
    double h = 0.002 * m->L / m->V * scale_between(m, 0.5, 4);
    int steps = m->held ? 4 + pick(m, 6) : 25 + pick(m, 35);
    put_time(x, h, steps);
    put(m, "gravity: %s\n", m->ground || chance(m, 0.5) ? "9.81" : "none");
    put(m, "record: {every: %.6g, topology: %s}\n", 10 * h, chance(m, 0.2) ? "always" : "auto");
    put_contact(x);
    lithe_world_materials(m);
    for (int i = 0; i < 2; i++)
        put(m,
            "  soft%d: {young: %.6g, poisson: %.4g, density: %.5g, friction: %.4g, damping: "
            "{stiffness: %.4g}%s}\n",
            i, scale_between(m, 1e5, 1e7) * m->L, between(m, 0.1, 0.49),
            scale_between(m, 200, 1500), between(m, 0, 1),
            x->explicit      ? 0
            : chance(m, 0.3) ? 0
                             : scale_between(m, 1e-4, 1e-2),
            x->fields && chance(m, 0.4) ? ", contact: {patches: {modulus: 1e5}}" : "");
}

// --- solids --------------------------------------------------------------------------------------

// a mesh that fits a ball of this radius
static void put_mesh(Mix *x, int number, double r) {
    Maker *m = x->m;
    double a = r * between(m, 0.6, 0.8), b = r * between(m, 0.5, 0.75), fine = between(m, 0.5, 0.8);
    int kind = pick(m, 7);
    x->faces[number] = kind > 4;
    x->hollow[number] = kind == 3;
    x->cut[number] = kind == 1 || kind == 2 || kind > 4;
    put(m, "mesh: ");
    if (kind == 0)
        put(m, "{sphere: {radius: %.6g, resolution: %.6g}}", r, r * fine);
    else if (kind == 1)
        put(m, "{cylinder: {radius: %.6g, length: %.6g, resolution: %.6g}}", a, 2 * b, r * fine);
    else if (kind == 2)
        put(m, "{tube: {radius: %.6g, inner: %.6g, length: %.6g, resolution: %.6g}}", a,
            a * between(m, 0.3, 0.6), 2 * b, r * fine);
    else if (kind == 3)
        put(m, "{hollow-sphere: {radius: %.6g, inner: %.6g, resolution: %.6g}}", r,
            r * between(m, 0.5, 0.8), r * fine);
    else if (kind == 4)
        put(m, "{half-sphere: {radius: %.6g, resolution: %.6g}}", r, r * fine);
    else if (kind == 5)
        put(m, "{box: {size: [%.6g, %.6g, %.6g], resolution: %.6g}}", a, b,
            2 * r * between(m, 0.3, 0.5), 0.5 * r);
    else
        put(m, "{box: {size: [%.6g, %.6g, %.6g], divisions: [%d, %d, %d]}}", a, b,
            2 * r * between(m, 0.3, 0.5), 1 + pick(m, 3), 1 + pick(m, 3), 1 + pick(m, 3));
}

static void put_solids(Mix *x, int count) {
    Maker *m = x->m;
    for (int i = 0; i < count; i++) {
        double r = m->L * between(m, 0.08, 0.2);
        Vec3 at;
        m->own_count = 0;
        cover(m, v3(0, 0, 0), 1.05 * r);
        if (!settle(m, &at))
            continue;
        int number = x->solids++;
        put(m, "%s  s%d: {material: soft%d, law: %s, quadratic: %s, ", number ? "" : "solids:\n",
            number, pick(m, 2), elastic_laws[pick(m, 5)], chance(m, 0.6) ? "auto" : "false");
        put_mesh(x, number, r);
        put_vector(m, ", at: ", at);
        if (chance(m, 0.5))
            put_vector(m, ", rotate: ", v3_scale(between(m, 0, 3), direction(m)));
        if (!m->held && chance(m, 0.5))
            put_vector(m, ", velocity: ", velocity(m, at));
        put(m, "%s%s}\n", chance(m, 0.2) ? ", self-contact: true" : "",
            chance(m, 0.2) ? ", mass: consistent" : "");
        char name[80];
        snprintf(name, sizeof name, "\"s%d[%d]\"", number, pick(m, 8));
        add_place(m, m->things++, false, at, name);
    }
}

// --- chains and arms -----------------------------------------------------------------------------

static void put_chain(Mix *x) {
    Maker *m = x->m;
    int capsules = 4 + pick(m, 8);
    double length = m->L * between(m, 0.3, 0.8), r = length / capsules * between(m, 0.1, 0.4);
    Vec3 way = v3_scale(0.5 * length, direction(m)), at;
    m->own_count = 0;
    for (int i = 0; i <= 12; i++)
        cover(m, v3_scale(i / 6.0 - 1, way), fmax(length / 20, 1.5 * r));
    if (!settle(m, &at))
        return;
    static const char *const ends[] = {"free", "pinned", "fixed"};
    put(m, "chains:\n  c: {material: m0, radius: %.6g, capsules: %d, start: %s", r, capsules,
        ends[m->held ? 2 : pick(m, 3)]);
    put_vector(m, ", shape: {line: {from: ", v3_sub(at, way));
    put_vector(m, ", to: ", v3_add(at, way));
    put(m, "}}");
    if (chance(m, 0.4))
        put(m, ", damping: %.4g", 1e-3 * m->L);
    put(m, "}\n");
}

static void put_arm(Mix *x) {
    Maker *m = x->m;
    int sections = 1 + pick(m, 2), disks = 3 + pick(m, 3);
    double l = m->L * between(m, 0.15, 0.3), r = 0.2 * l,
           mass = between(m, 0.5, 2) * 1000 * r * r * l;
    // the arm stands along z
    m->own_count = 0;
    for (int i = 0; i <= 4 * sections; i++)
        cover(m, v3(0, 0, 0.25 * l * i), 1.4 * r);
    Vec3 at;
    if (!settle(m, &at))
        return;
    put(m, "arms:\n  a: {lengths: [%.6g%s", l, sections > 1 ? ", " : "");
    put(m, sections > 1 ? "%.6g], masses: [%.6g, %.6g], radii: [%.6g, %.6g]" : "]", l, mass, mass,
        r, r);
    if (sections == 1)
        put(m, ", masses: [%.6g], radii: [%.6g]", mass, r);
    double k = 40 * mass * 9.81 / l;
    put(m,
        ", stiffness: %.6g, damping: %.6g, disks: %d, disk-radius: %.6g, disk-length: %.6g, "
        "material: m0, self-contact: %s",
        k, chance(m, 0.3) ? 0 : 0.05 * k * sqrt(l / 9.81), disks, 1.2 * r, 0.1 * l,
        chance(m, 0.3) ? "true" : "false");
    put_vector(m, ", at: ", at);
    put(m, "}\n");
    x->arms = sections;
    x->bend = 0.2 * k * l;
}

// --- what acts -----------------------------------------------------------------------------------

static void put_holds(Mix *x) {
    Maker *m = x->m;
    bool begun = false;
    for (int i = 0; i < x->solids; i++) {
        if (!m->held && !chance(m, 0.25))
            continue;
        put(m, "%s  hold-s%d: {on: ", begun ? "" : "holds:\n", i);
        begun = true;
        if (x->cut[i])
            put(m, "s%d.z-min}\n", i);
        else
            put(m, "s%d%s}\n", i, x->hollow[i] ? ".inner" : "");
    }
    for (int i = 0; i < m->rod_count; i++)
        if (!m->clamp[i] && (m->held || chance(m, 0.2))) {
            put(m, "%s  hold-r%d: {on: r%d.start, hold: %s}\n", begun ? "" : "holds:\n", m->rod[i],
                m->rod[i],
                m->held          ? "clamp"
                : chance(m, 0.5) ? "position"
                : m->ring[i]     ? "[x, z]"
                                 : "clamp");
            begun = true;
            m->clamp[i] = true;
        }
}

static void put_drives(Mix *x) {
    Maker *m = x->m;
    if (x->arc)
        return; // one load leads along the path
    bool begun = false;
    for (int i = 0; i < m->rod_count; i++) {
        if (m->ring[i] || m->clamp[i] || !chance(m, 0.25))
            continue;
        x->driven = true;
        put(m, "%s  drive-r%d: {on: r%d.end, ", begun ? "" : "drives:\n", m->rod[i], m->rod[i]);
        begun = true;
        if (chance(m, 0.3)) {
            put(m, "kind: clamp, turn-speed: %.4g}\n", m->V / m->L * between(m, -5, 5));
            continue;
        }
        put_vector(m, "direction: ", direction(m));
        put(m, ", speed: %.4g%s}\n", m->V * between(m, 0.05, 0.5),
            chance(m, 0.3) ? ", stiffness: 100, damping: 1" : "");
    }
    for (int i = 0; i < x->solids; i++)
        if (x->cut[i] && chance(m, 0.2)) {
            x->driven = true;
            put(m,
                "%s  drive-s%d: {on: s%d.z-max, kind: clamp, axis: [0, 0, 1], turn-speed: %.4g}\n",
                begun ? "" : "drives:\n", i, i, m->V / m->L * between(m, -5, 5));
            begun = true;
        }
}

static void put_natural_drives(Mix *x) {
    Maker *m = x->m;
    if (m->rod_count == 0 || x->arc || !chance(m, 0.25))
        return;
    x->driven = true;
    put(m,
        "natural-drives: {n: {rod: r%d, curvature: [%.4g, 0], twist: %.4g, stretch: %.4g, profile: "
        "{table: [[0, 0], [%.4g, 1]], kind: smooth}}}\n",
        m->rod[pick(m, m->rod_count)], between(m, -4, 4) / m->L, between(m, -6, 6) / m->L,
        between(m, -0.1, 0.1), 0.3 * m->L / m->V);
}

static void put_forces(Mix *x, int bodies) {
    Maker *m = x->m;
    if (!(x->arc || chance(m, 0.4)) || (m->rod_count == 0 && bodies == 0 && x->solids == 0))
        return;
    x->driven = true;
    double weight = 500 * pow(0.15 * m->L, 3) * 9.81;
    put(m, "forces: {f: {on: ");
    if (m->rod_count > 0 && (m->held || chance(m, 0.3)))
        put(m, "r%d.middle", m->rod[0]);
    else if (x->solids > 0)
        put(m, "\"s0[1]\"");
    else if (bodies > 0)
        put(m, "b0");
    else
        put(m, "r%d.middle", m->rod[0]);
    put_vector(m, ", force: ", v3_scale(weight * scale_between(m, 0.1, 10), direction(m)));
    if (m->held)
        put(m, ", profile: {rate: %.4g}}}\n", 30 * m->V / m->L);
    else
        put(m, ", profile: {amplitude: 1, frequency: %.4g}}}\n", m->V / m->L * between(m, 0.2, 3));
}

static void put_pressures(Mix *x) {
    Maker *m = x->m;
    double p = scale_between(m, 1e2, 3e4) * m->L;
    for (int i = 0; i < x->solids; i++)
        if (x->hollow[i] && chance(m, 0.7)) {
            x->driven = true;
            bool gas = chance(m, 0.5);
            double outside = gas ? 101325 : 0;
            put(m, "cavities: {air: {on: s%d.inner, %s: {table: [[0, %.6g], [%.4g, %.6g]]}}}\n", i,
                gas ? "gas" : "pressure", outside, 0.2 * m->L / m->V, outside + p);
            break;
        }
    for (int i = 0; i < x->solids; i++)
        if (x->cut[i] && chance(m, 0.3)) {
            x->driven = true;
            put(m,
                "pressures: {push: {on: s%d.z-max, pressure: {table: [[0, 0], [%.4g, %.6g]]}}}\n",
                i, 0.2 * m->L / m->V, chance(m, 0.5) ? p : -p);
            break;
        }
    if (x->solids > 0 && chance(m, 0.2)) {
        x->driven = true;
        put(m, "swells: {grow: {on: s0, factor: {table: [[0, 1], [%.4g, %.4g]]}}}\n",
            0.3 * m->L / m->V, between(m, 0.85, 1.15));
    }
}

static void put_actuators(Mix *x) {
    Maker *m = x->m;
    if (x->arc)
        return;
    bool begun = false;
    for (int i = 0; i < m->joint_count; i++) {
        if (!m->one[i] || !chance(m, 0.3))
            continue;
        x->driven = true;
        double inertia = 500 * pow(0.1 * m->L, m->slides[i] ? 3 : 5), rate = m->V / m->L;
        put(m, "%s  act%d: {joint: j%d, ", begun ? "" : "actuators:\n", i, i);
        begun = true;
        double goal = m->slides[i] ? 0.1 * m->L : 1;
        if (chance(m, 0.3))
            put(m, "kind: prescribed, target: {value: 0, rate: %.4g}}\n", goal * rate);
        else if (chance(m, 0.5))
            put(m, "kind: position, target: %.4g, stiffness: %.4g, damping: %.4g}\n", goal,
                100 * inertia * rate * rate, 10 * inertia * rate);
        else
            put(m, "kind: force, target: {amplitude: %.4g, frequency: %.4g}}\n",
                inertia * rate * rate * goal, rate);
    }
    if (x->arms > 0 && chance(m, 0.6)) {
        x->driven = true;
        put(m,
            "%s  bend: {joint: a/section-1, chamber: 2, kind: force, target: {table: [[0, 0], "
            "[%.4g, "
            "%.4g]]}}\n",
            begun ? "" : "actuators:\n", 0.1 * m->L / m->V, x->bend);
    }
}

// a tendon through three places
static void put_tendon(Mix *x, bool begun) {
    Maker *m = x->m;
    const Place *p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = &m->places[pick(m, m->place_count)];
        for (int k = 0; k < i; k++)
            if (p[k]->thing == p[i]->thing)
                return;
    }
    put(m, "%s  t: {kind: tendon, a: %s, via: [%s], b: %s, ", begun ? "" : "constraints:\n",
        p[0]->name, p[1]->name, p[2]->name);
    if (chance(m, 0.5)) {
        x->driven = true;
        put(m, "tension: %.4g}\n", 10 * m->L * m->L * m->L);
    } else {
        put(m, "stiffness: %.4g}\n", 1e4 * m->L * m->L);
    }
}

// --- the world -----------------------------------------------------------------------------------

static void make_all(Mix *x, uint64_t seed) {
    Maker *m = x->m;
    put_head(x, seed);
    if (!x->rigid)
        lithe_world_rods(m, x->rods_only ? 1 + pick(m, 4)
                            : m->held    ? x->arc + pick(m, 3)
                                         : pick(m, 4));
    if (!x->rigid && !x->rods_only && !m->held)
        lithe_world_particles(m, pick(m, 3));
    if (!x->rigid && !x->rods_only)
        put_solids(x, pick(m, m->held ? 2 : 3));
    int before = m->place_count;
    if (!x->rods_only)
        lithe_world_bodies(m, m->held ? 0 : pick(m, 4), pick(m, m->held ? 2 : 3));
    int bodies = m->place_count - before;
    if (!x->rods_only && !m->held && chance(m, 0.2))
        put_chain(x);
    if (!x->rods_only && chance(m, 0.2))
        put_arm(x);
    put_holds(x);
    put_drives(x);
    put_natural_drives(x);
    put_forces(x, bodies);
    put_pressures(x);
    put_actuators(x);
    if (!x->rods_only) {
        bool begun = lithe_world_ties(m, pick(m, 4));
        if (m->place_count > 2 && !x->rigid && chance(m, 0.3))
            put_tendon(x, begun);
    }
}

char *lithe_mixed_world_make(uint64_t seed, bool *driven, double *size) {
    Maker *m = calloc(1, sizeof *m);
    Mix x = {.m = m};
    if (!m)
        return NULL;
    m->random = seed * 0x2545f4914f6cdd1du + 13;
    m->capacity = 1 << 17;
    m->text = calloc(m->capacity, 1);
    char *text = m->text;
    if (text)
        make_all(&x, seed);
    if (m->failed) {
        free(text);
        text = NULL;
    }
    *driven = x.driven;
    *size = m->L;
    free(m);
    return text;
}
