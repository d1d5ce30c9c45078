// SPDX-License-Identifier: Apache-2.0
// tests/body/test_solid_volume.c - the mean volume of nearly incompressible solids

#include "test.h"

#include "advance/world.h"
#include "body/solid.h"

static const char *const laws[] = {"corotated-lagged", "corotated", "neo-hookean", "mooney-rivlin",
                                   "mooney-rivlin-isochoric"};
enum { LAWS = sizeof laws / sizeof *laws };

// Deflection of a cantilever of 4:1 under a small load on its end; NAN: the step failed. That of a
// slender beam depends on Young's modulus alone, not on Poisson's ratio.
static double deflection(const char *law, double poisson, const char *volume, bool quadratic) {
    World w = world_of("lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, end: 1 s}\n"
                       "materials: {m: {young: 1 MPa, poisson: %.9g, density: 1000 kg/m^3}}\n"
                       "solids: {it: {material: m, law: %s, volume: %s, quadratic: %s, mesh: {box: "
                       "{size: [0.4, 0.1, 0.1], divisions: [%s]}}}}\n"
                       "holds: {wall: {on: it.x-min}}\n"
                       "forces: {pull: {on: it.x-max, force: [0, 0, -1 mN]}}\n",
                       poisson, law, volume, quadratic ? "true" : "false",
                       quadratic ? "8, 2, 2" : "16, 4, 4");
    double sum = NAN;
    if (w.ok && world_step(&w, 1) && w.unconverged == 0) {
        const LitheSolid *solid = &w.model->solids[0];
        int32_t count = 0;
        sum = 0;
        for (int32_t i = 0; i < solid->mesh.node_count; i++)
            if (solid->mesh.nodes[i].x > 0.1999) {
                sum += w.state->q[3 * i + 2] - solid->mesh.nodes[i].z;
                count++;
            }
        sum /= (double)count * count; // per newton of the whole load, up to a factor
    }
    world_end(&w);
    return sum;
}

LONG_TEST(with_a_mean_volume_incompressible_beams_bend_as_others_do) {
    for (int k = 0; k < LAWS; k++) {
        double soft = deflection(laws[k], 0.3, "plain", false);
        double mean = deflection(laws[k], 0.4998, "auto", false);
        double plain = deflection(laws[k], 0.4998, "plain", false);
        CHECK_NEAR(mean / soft, 1, 0.05);
        CHECK(plain / soft < 0.85); // it locks
    }
    double soft = deflection("neo-hookean", 0.3, "plain", true);
    double mean = deflection("neo-hookean", 0.4998, "mean", true);
    double plain = deflection("neo-hookean", 0.4998, "plain", true);
    CHECK_NEAR(mean / soft, 1, 0.02);
    CHECK(plain / soft < 0.95);
}
