// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds_solids_make.c - the scene file of a random world with soft solids
//
// Solids of 4 to 10 cm are dropped on each other, pressed between plates, twisted, or tied round by
// a loop that shrinks.

#include "cli/validate/world_maker.h"
#include "cli/validate/worlds_solids.h"

#include <stdlib.h>

static const char *const laws[] = {"corotated-lagged", "corotated", "neo-hookean", "mooney-rivlin",
                                   "mooney-rivlin-isochoric"};

// a mesh about the origin that fits a ball of this radius; its lowest point is below by the result
static double put_mesh(Maker *m, double radius) {
    double a = radius * between(m, 0.6, 0.8), b = radius * between(m, 0.5, 0.75);
    switch (pick(m, 5)) {
    case 0:
        put(m, "{sphere: {radius: %.6g, resolution: %.6g}}", radius, radius * between(m, 0.5, 0.8));
        return radius;
    case 1:
        put(m, "{cylinder: {radius: %.6g, length: %.6g, resolution: %.6g}}", a, 2 * b,
            0.6 * radius);
        return radius;
    case 2:
        put(m, "{tube: {radius: %.6g, inner: %.6g, length: %.6g, resolution: %.6g}}", a,
            a * between(m, 0.3, 0.6), 2 * b, 0.5 * radius);
        return radius;
    default:
        put(m, "{box: {size: [%.6g, %.6g, %.6g], divisions: [%d, %d, %d]}}", a, b,
            2 * radius * between(m, 0.3, 0.5), 2 + pick(m, 3), 1 + pick(m, 3), 1 + pick(m, 3));
        return radius;
    }
}

static void put_solid(Maker *m, int number, double radius, Vec3 at, bool turned) {
    put(m, "  s%d: {material: m%d, law: %s, quadratic: false, mesh: ", number,
        pick(m, m->materials), laws[pick(m, 5)]);
    put_mesh(m, radius);
    put_vector(m, ", at: ", at);
    if (turned)
        put_vector(m, ", rotate: ", v3_scale(between(m, 0, 3), direction(m)));
    if (chance(m, 0.5))
        put_vector(m, ", velocity: ", v3_scale(between(m, 0, 2), direction(m)));
    put(m, "}\n");
}

static void put_head(Maker *m, uint64_t seed) {
    double h = scale_between(m, 2e-3, 1e-2);
    m->materials = 2;
    put(m, "# random world %llu with solids: lithe run THIS-FILE\nlithe: 1\n",
        (unsigned long long)seed);
    put(m, "title: Random world %llu with solids\n", (unsigned long long)seed);
    put(m, "time: {step: %.6g, end: %.6g, scheme: %s}\n", h, 60 * h,
        chance(m, 0.7) ? "backward-euler" : "tr-bdf2");
    put(m, "record: {every: %.6g}\nmaterials:\n", 6 * h);
    for (int i = 0; i < 2; i++)
        put(m,
            "  m%d: {young: %.6g, poisson: %.4g, density: %.5g, friction: %.4g, damping: "
            "{stiffness: %.4g}}\n",
            i, scale_between(m, 1e4, 1e6), between(m, 0.1, 0.47), scale_between(m, 200, 1500),
            chance(m, 0.2) ? 0 : between(m, 0, 1),
            chance(m, 0.3) ? 0 : scale_between(m, 1e-3, 2e-2));
    put(m,
        "  hard: {young: 1e9, poisson: 0.3, density: 2000, friction: 0.5}\n"
        "  cord: {young: %.6g, poisson: 0.3, density: 1000, friction: 0.5, damping: {mass: 5}}\n",
        scale_between(m, 1e6, 3e7));
}

static const char *const floor_text =
    "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n";

// two to four solids fall on each other
static void make_dropped(Maker *m) {
    int count = 2 + pick(m, 3);
    double z = 0;
    put(m, "solids:\n");
    for (int i = 0; i < count; i++) {
        double r = between(m, 0.02, 0.05);
        Vec3 at = v3(0.3 * r * between(m, -1, 1), 0.3 * r * between(m, -1, 1), z + 1.05 * r);
        put_solid(m, i, r, at, true);
        z += 2.15 * r;
    }
    put(m, "%s", floor_text);
}

// a plate comes down on one or two solids, beside a few grains
static void make_pressed(Maker *m) {
    double r = between(m, 0.025, 0.05), top = 2.2 * r * (1 + 1.05);
    put(m, "solids:\n");
    put_solid(m, 0, r, v3(0, 0, 1.05 * r), chance(m, 0.5));
    put_solid(m, 1, r, v3(0.2 * r, 0.1 * r, 3.2 * r), chance(m, 0.5));
    put(m, "%s", floor_text);
    put(m,
        "  plate: {material: hard, shape: {box: {size: [0.3, 0.3, 0.02]}}, at: [0, 0, %.6g]}\n"
        "joints: {down: {kind: prismatic, child: plate, axis: [0, 0, -1]}}\n"
        "actuators: {down: {joint: down, kind: prescribed, target: {value: 0, rate: %.5g}}}\n",
        top + 0.01 + 0.01 * r, top * between(m, 0.2, 0.5) / between(m, 0.2, 0.5));
    if (chance(m, 0.4))
        put(m,
            "particles: {p0: {material: hard, radius: 4e-3, positions: [[%.5g, 0, 0.005], [0, "
            "%.5g, 0.005], [%.5g, 0, 0.03]]}}\n",
            2.2 * r, 2.2 * r, -2.2 * r);
}

// a column is twisted, and something falls on it
static void make_twisted(Maker *m) {
    double a = between(m, 0.02, 0.04), length = a * between(m, 3, 5);
    put(m,
        "solids:\n  s0: {material: m0, law: %s, self-contact: %s, mesh: {box: {size: [%.6g, %.6g, "
        "%.6g], divisions: [%d, %d, %d]}}, rotate: [0, %.5g, 0]}\n",
        laws[pick(m, 5)], chance(m, 0.5) ? "true" : "false", a, a, length, 2 + pick(m, 2),
        2 + pick(m, 2), 6 + pick(m, 4), chance(m, 0.5) ? 1.5707963 : 0.0);
    put_solid(m, 1, 0.6 * a, v3(0.1 * a, 0.1 * a, 0.5 * length + 2 * a), true);
    put(m,
        "holds: {foot: {on: s0.z-min}}\ndrives: {head: {on: s0.z-max, kind: clamp, axis: [0, 0, "
        "1], turn: {value: 0, rate: %.5g}}}\n",
        between(m, 3, 20));
}

// a loop shrinks round a solid
static void make_tied(Maker *m) {
    double r = between(m, 0.03, 0.05), cord = r * between(m, 0.04, 0.1);
    put(m, "solids:\n");
    put_solid(m, 0, r, v3(0, 0, 1.05 * r), chance(m, 0.3));
    put(m,
        "rods: {loop: {material: cord, section: {circle: {radius: %.6g}}, nodes: %d, natural: "
        "{from: shape}, shape: {ring: {radius: %.6g, at: [0, 0, %.6g]}}}}\n"
        "natural-drives: {draw: {rod: loop, stretch: %.4g, profile: {table: [[0 s, 0], [0.25 s, "
        "1]]}}}\n",
        cord, 24 + pick(m, 24), 1.02 * r + 1.1 * cord, 1.05 * r, -between(m, 0.2, 0.5));
    put(m, "%s", floor_text);
}

char *lithe_solid_world_make(uint64_t seed) {
    static void (*const makers[])(Maker *) = {make_dropped, make_pressed, make_twisted, make_tied};
    Maker *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->random = seed * 0x2545f4914f6cdd1du + 7;
    m->capacity = 1 << 14;
    m->text = calloc(m->capacity, 1);
    char *text = m->text;
    if (text) {
        put_head(m, seed);
        makers[seed % 4](m);
    }
    if (m->failed) {
        free(text);
        text = NULL;
    }
    free(m);
    return text;
}
