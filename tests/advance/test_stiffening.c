// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_stiffening.c - contacts of rods that stiffen near the centreline give back no
// more energy than they took: (Z5)

#include "world.h"

#define FALL \
    "lithe: 1\n" \
    "gravity: none\n" \
    "time: {step: %g s, end: 100 s, scheme: %s}\n" \
    "materials: {m: {young: 100 MPa, poisson: 0.4, density: 1100, friction: 0,\n" \
    "                contact: {stiffness: %g, dissipation: 0}}}\n" \
    "bodies: {floor: {fixed: true, material: m, shape: {half-space: {}}}}\n" \
    "rods:\n" \
    "  a: {material: m, section: {circle: {radius: 1 cm}}, nodes: 21, velocity: [0, 0, -%g],\n" \
    "      shape: {line: {from: [0, 0, 0.05], to: [0.5, 0, 0.05]}}}\n"

typedef struct Fall {
    double start, most, end; // energy of the rod [J]
    int32_t stiffened;       // steps with contacts that stiffened
} Fall;

static Fall fall(double h, const char *scheme, double k, double speed) {
    World w = world_of(FALL, h, scheme, k, speed);
    Fall out = {.start = stored(&w)};
    int64_t steps = (int64_t)(0.2 / speed / h);
    for (int64_t i = 0; w.ok && i < steps; i++) {
        world_step(&w, 1);
        out.most = fmax(out.most, stored(&w));
        out.stiffened += w.report.stiffened > 0;
    }
    out.end = stored(&w);
    CHECK(w.ok);
    world_end(&w);
    return out;
}

LONG_TEST(a_rod_that_bounces_off_a_floor_gains_no_energy) {
    static const char *const schemes[] = {"midpoint", "backward-euler"};
    static const double stiffnesses[] = {5e3, 2e4, 5e4}, speeds[] = {5, 15},
                        steps[] = {1e-3, 5e-4, 1e-4};
    double worst = 0;
    int32_t stiffened = 0;
    for (int i = 0; i < 36; i++) {
        double h = steps[i % 3], k = stiffnesses[i / 3 % 3], v = speeds[i / 9 % 2];
        Fall f = fall(h, schemes[i / 18], k, v);
        printf("  %s, %g ms, %g N/m, %g m/s: %.4g J of %.4g J, max %.4g, %d steps stiffened\n",
               schemes[i / 18], 1e3 * h, k, v, f.end, f.start, f.most, f.stiffened);
        worst = fmax(worst, f.most / f.start - 1);
        stiffened += f.stiffened > 0;
    }
    printf("  energy grew by %.2g at most, %d cases stiffened\n", worst, stiffened);
    CHECK(stiffened > 10);
    CHECK(worst < 1e-3);
}
