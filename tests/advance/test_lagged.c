// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_lagged.c - order in time of the law whose rotations are lagged

#include "world.h"

#define TIME 0.16 // s

// position of the free corner of a bar that is held at one end and falls, after TIME
static LitheVec3 corner(const char *law, const char *scheme, double h) {
    World w = world_of("lithe: 1\n"
                       "time: {step: %.17g, end: 1 s, scheme: %s, tolerance: 1e-10}\n"
                       "materials: {m: {young: 300 kPa, poisson: 0.3, density: 1000}}\n"
                       "solids: {bar: {material: m, law: %s,\n"
                       "  mesh: {box: {size: [0.4, 0.05, 0.05], divisions: [4, 1, 1]}}}}\n"
                       "holds: {wall: {on: bar.x-min}}\n",
                       h, scheme, law);
    LitheVec3 x = {0, 0, 0};
    if (world_step(&w, (int64_t)round(TIME / h))) {
        const double *q = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        x = (LitheVec3){q[12], q[13], q[14]}; // node 4: the last one along x
    }
    world_end(&w);
    return x;
}

static double distance(LitheVec3 a, LitheVec3 b) {
    return vector_length((LitheVec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

// Rotations of the predicted end of a stage are off by O(h^2), those of the middle of a step are
// solved for, those of the start of a step are off by O(h).
LONG_TEST(the_lagged_law_keeps_the_order_of_the_scheme) {
    static const struct {
        const char *scheme;
        double order;
    } cases[] = {{"backward-euler", 0.85}, {"midpoint", 1.8}, {"tr-bdf2", 1.8}};
    LitheVec3 exact = corner("corotated", "tr-bdf2", 1e-3 / 32);
    for (int k = 0; k < 3; k++) {
        double e[3];
        for (int i = 0; i < 3; i++)
            e[i] = distance(corner("corotated-lagged", cases[k].scheme, 1e-3 / (1 << i)), exact);
        double order = log2(e[1] / e[2]);
        printf("  %s: errors %.3g, %.3g, %.3g mm, order %.2f\n", cases[k].scheme, 1e3 * e[0],
               1e3 * e[1], 1e3 * e[2], order);
        CHECK(order > cases[k].order);
        CHECK(e[0] > e[1] && e[1] > e[2]);
    }
}
