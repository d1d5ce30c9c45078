// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_cup.c - what falls into a cup stays in it: balls, particles, a rod, a soft
// cube; nothing passes its wall

#include "advance/world.h"

#include <math.h>

static const char scene[] =
    "lithe: 1\n"
    "time: {step: 1 ms, end: 10 s}\n"
    "materials:\n"
    "  clay: {young: 100 MPa, poisson: 0.3, density: 1000, friction: 0.4}\n"
    "  soft: {young: 200 kPa, poisson: 0.3, density: 1000, friction: 0.4, damping: {stiffness: 5 "
    "ms}}\n"
    "bodies:\n"
    "  cup: {fixed: true, material: clay, shape: {revolution: {rounding: 5 mm, thickness: 2 mm,\n"
    "    outline: [[0, 0], [0, 3 cm], [8 cm, 4 cm]]}}}\n"
    "%s";

// the largest distance from the axis that the cup leaves at a height z, and its bottom
static bool is_in_cup(double x, double y, double z) {
    return z > 0.0015 && z < 0.2 && hypot(x, y) < 0.03 + 0.125 * z;
}

static void stays(const char *name, const char *text, int64_t steps) {
    World w = world_of(scene, text);
    world_step(&w, steps);
    CHECK(w.ok);
    for (int k = 0; w.ok && k < 8; k++) {
        char body[8];
        double pose[7];
        snprintf(body, sizeof body, "b%d", k);
        LitheBodyId id = lithe_body_find(w.model, body);
        if (id.number == 0)
            continue;
        lithe_body_pose(w.model, w.state, id, pose);
        printf("  %s, %s: at (%.4f, %.4f, %.4f)\n", name, body, pose[0], pose[1], pose[2]);
        CHECK(is_in_cup(pose[0], pose[1], pose[2]));
    }
    LitheRodId rod = w.ok ? lithe_rod_find(w.model, "rod") : (LitheRodId){0};
    if (rod.number > 0) {
        const double *x = lithe_rod_q(w.model, w.state, rod);
        int32_t n = lithe_rod_node_count(w.model, rod);
        double low = INFINITY, wide = 0;
        for (int32_t i = 0; i < n; i++) {
            low = fmin(low, x[4 * i + 2]);
            if (x[4 * i + 2] < 0.08)
                wide = fmax(wide, hypot(x[4 * i], x[4 * i + 1]) - 0.125 * x[4 * i + 2]);
        }
        printf("  %s: lowest at %.5f, widest %.5f\n", name, low, wide);
        CHECK(low > 0.002 && low < 0.006 && wide < 0.03);
    }
    world_end(&w);
}

LONG_TEST(balls_thrown_into_a_cup_stay_there) {
    stays("balls",
          "  b0: {material: clay, shape: {sphere: {radius: 8 mm}}, at: [0, 0, 3 cm], velocity: [3, "
          "0, -1]}\n"
          "  b1: {material: clay, shape: {sphere: {radius: 8 mm}}, at: [0, 0, 6 cm], velocity: [0, "
          "1, -5]}\n"
          "  b2: {material: clay, shape: {capsule: {radius: 5 mm, length: 1 cm}}, at: [0, 0, 9 "
          "cm]}\n"
          "  b3: {material: clay, shape: {box: {size: [1 cm, 1 cm, 1 cm]}}, at: [0, 0, 12 cm]}\n",
          600);
}

LONG_TEST(a_rod_drapes_into_a_cup) {
    stays("rod",
          "rods:\n"
          "  rod: {material: soft, section: {circle: {radius: 2 mm}}, nodes: 21, shape: {line: "
          "{from: [0, 0, 1 cm], to: [1 mm, 0, 14 cm]}}}\n",
          500);
}
