// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_soft_drag.c - the pull of a rope round a soft block, against statics

#include "test.h"

#include "advance/world.h"

#include <math.h>
#include <string.h>

#define FRICTION 0.5
#define WEIGHT 2.0    // of the block [N]
#define STIFF 56.5487 // of the rope, E A [N]

// A rope lies round a block of 10 cm and draws it over the floor at 5 cm/s.
static World drag(void) {
    return world_of(
        "lithe: 1\ngravity: [0, 0, -10 m/s^2]\n"
        "time: {step: 5 ms, end: 10 s, scheme: backward-euler}\n"
        "materials:\n"
        "  foam: {young: 60 kPa, poisson: 0.3, density: 200, friction: 0.5, damping: {stiffness: "
        "10 ms}}\n"
        "  rope: {young: 2 MPa, poisson: 0.3, density: 20, friction: 0.5, damping: {mass: 5 1/s}}\n"
        "  floor: {young: 1 GPa, poisson: 0.3, density: 1000, friction: 0.5}\n"
        "solids: {block: {material: foam, law: neo-hookean, mesh: {box: {size: [0.1, 0.1, 0.1], "
        "divisions: [5, 5, 4]}}, at: [0, 0, 5 cm]}}\n"
        "rods: {rope: {material: rope, section: {circle: {radius: 3 mm}}, nodes: 61, natural: "
        "{from: shape}, shape: {polyline: {points: [[0.25, -6 cm, 3 cm], [7 cm, -5.8 cm, 3 cm], "
        "[0, -5.7 cm, 3 cm], [-5.2 cm, -5.7 cm, 3 cm], [-5.7 cm, -5.2 cm, 3 cm], [-5.7 cm, 5.2 "
        "cm, 3 cm], [-5.2 cm, 5.7 cm, 3 cm], [0, 5.7 cm, 3 cm], [7 cm, 5.8 cm, 3 cm], [0.25, 6 "
        "cm, 3 cm]]}}}}\n"
        "bodies: {floor: {fixed: true, material: floor, shape: {half-space: {}}}}\n"
        "drives:\n"
        "  left: {kind: position, on: rope.start, direction: [1, 0, 0], motion: {table: [[0 s, 0], "
        "[10 s, 50 cm]]}}\n"
        "  right: {kind: position, on: rope.end, direction: [1, 0, 0], motion: {table: [[0 s, 0], "
        "[10 s, 50 cm]]}}\n");
}

// pull of the edge from node i to j, along x [N]; l its length at the start
static double pull_of(const double *x, int i, int j, double l) {
    double d[3], now = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = x[4 * j + k] - x[4 * i + k];
        now += d[k] * d[k];
    }
    now = sqrt(now);
    return STIFF * (now / l - 1) * d[0] / now;
}

static double length_of(const double *x, int i, int j) {
    return sqrt(pow(x[4 * j] - x[4 * i], 2) + pow(x[4 * j + 1] - x[4 * i + 1], 2) +
                pow(x[4 * j + 2] - x[4 * i + 2], 2));
}

// Both legs pull with half of the friction of the block on the floor, m g mu, whatever the rope
// presses into the block: forces along x on block and rope, which move steadily, vanish.
LONG_TEST(a_rope_round_a_soft_block_pulls_with_the_friction_of_its_weight) {
    World w = drag();
    LitheRodId rope = w.ok ? lithe_rod_find(w.model, "rope") : (LitheRodId){0};
    const double *x = w.ok ? lithe_rod_q(w.model, w.state, rope) : NULL;
    double l[2] = {w.ok ? length_of(x, 1, 0) : 1, w.ok ? length_of(x, 59, 60) : 1};
    double pull[2] = {0, 0}, pressed = 0, given = 0;
    enum { SETTLE = 300, MEAN = 100 };
    bool ok = w.ok && world_step(&w, SETTLE);
    for (int i = 0; ok && i < MEAN; i++) {
        ok = world_step(&w, 1);
        x = lithe_rod_q(w.model, w.state, rope);
        pull[0] += pull_of(x, 1, 0, l[0]) / MEAN;
        pull[1] += pull_of(x, 59, 60, l[1]) / MEAN;
        for (int32_t k = 0; k < lithe_work_contact_count(w.work); k++) {
            LitheContactForce c = lithe_work_contact(w.work, k);
            bool floor = c.contact.a.thing.kind == LITHE_THING_BODY;
            *(floor ? &pressed : &given) += fabs(floor ? c.force.z : c.force.x) / MEAN;
        }
    }
    double wanted = FRICTION * WEIGHT;
    printf("  pulls %.4f and %.4f N, friction of the weight %.4f N; the floor carries %.4f N of "
           "%.4f\n",
           pull[0], pull[1], wanted, pressed, WEIGHT);
    CHECK(ok && given > 0 && w.unconverged == 0);
    CHECK(fabs(pressed / WEIGHT - 1) < 0.02);
    CHECK(fabs((pull[0] + pull[1]) / (FRICTION * pressed) - 1) < 2e-3);
    CHECK(fabs(pull[0] - pull[1]) < 5e-3 * wanted);
    world_end(&w);
}
