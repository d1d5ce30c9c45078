// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_patch_rings.c - thin rings that spin on their face by merged patches

#include "advance/world.h"

#include <math.h>

#define G 9.81
#define MU 0.3

static const char scene[] =
    "lithe: 1\n"
    "time: {step: %g ms, end: 10 s, scheme: %s}\n"
    "contact: {merge-patches: %s}\n"
    "materials:\n"
    "  hard: {young: 1 GPa, density: 1000, friction: 0.3}\n"
    "  soft: {young: 1 MPa, density: 1000, friction: 0.3,\n"
    "    contact: {patches: {modulus: %g}}}\n"
    "bodies:\n"
    "  floor: {fixed: true, material: hard, %s}\n"
    "  top: {material: soft, shape: {tube: {radius: 0.1, hole: %g, length: %g}},\n"
    "    at: [0, 0, %.17g], spin: [0, 0, 20]}\n";

// spin that is lost from 50 to 150 ms, over the integral of friction
static double lost(double step, const char *scheme, const char *merged, double modulus,
                   const char *floor, double hole, double length) {
    World w = world_of(scene, step, scheme, merged, modulus, floor, hole, length, 0.5 * length);
    double v[2][6] = {{0}}, R = 0.1, r = hole;
    for (int k = 0; k < 2 && w.ok; k++) {
        world_step(&w, (int64_t)((k == 0 ? 50 : 100) / step + 0.5));
        lithe_body_velocity(w.model, w.state, lithe_body_find(w.model, "top"), v[k]);
    }
    world_end(&w);
    double mean = 2 / 3.0 * (R * R * R - r * r * r) / (R * R - r * r) / (0.5 * (R * R + r * r));
    return (v[0][5] - v[1][5]) / 0.1 / (MU * G * mean);
}

// steps of 1 ms do not resolve how the load wobbles around a stiff ring
LONG_TEST(rings_spin_down_as_the_integral_says) {
    static const char *const floors[] = {"shape: {half-space: {}}",
                                         "shape: {box: {size: [2, 2, 0.5]}}, at: [0, 0, -0.25]"};
    static const double holes[] = {0.04, 0.06, 0.08, 0.09};
    for (int k = 0; k < 8; k++)
        for (double modulus = 1e7; modulus < 2e8; modulus *= 10) {
            double got = lost(1, "tr-bdf2", "true", modulus, floors[k / 4], holes[k % 4], 0.02);
            if (!CHECK_NEAR(got, 1, 0.022) || getenv("LITHE_TABLE"))
                printf("  %g Pa, hole %g, %s: %.4f\n", modulus, holes[k % 4],
                       k / 4 ? "slab" : "plane", got);
        }
    CHECK_NEAR(lost(1, "backward-euler", "true", 1e8, floors[0], 0.09, 0.02), 1, 0.02);
    CHECK_NEAR(lost(1, "tr-bdf2", "false", 1e8, floors[0], 0.09, 0.02), 1, 0.02);
}
