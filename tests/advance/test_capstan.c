// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_capstan.c - a rope that slips round a post, by the default scheme: the ratio
// of its tensions is that of docs/theory/capstan.md, whatever the stiffness of contacts and the
// step

#include "world.h"

#define MU 0.35
#define POST 0.03
#define ROPE 2e-4
enum { EDGES = 80, FREE = 12 }; // per turn; straight at either end

// (K4): exponent per angle of a rope whose friction acts at its surface, and (K2) with it
static double ratio_of(int32_t turns) {
    double e = ROPE / (POST + ROPE), a = MU, D = 2 * M_PI / EDGES;
    for (int k = 0; k < 50; k++)
        a = MU * (1 - e) / (1 + a * MU * e);
    double end = a * tan(0.5 * D);
    return exp((turns * EDGES - 1) * asinh(a * sin(D))) * (1 + end) / (1 - end);
}

#define TEXT \
    "lithe: 1\n" \
    "parameters: {R: 30 mm, r: 0.2 mm, wrap: (R + r)/cos(pi/80), edge: wrap*pi/40}\n" \
    "time: {step: %g s, end: 10 s}\n" \
    "gravity: none\n" \
    "materials: {m: {young: 100 kPa, density: 1000, friction: 0.35, contact: {stiffness: %g " \
    "N/m}}}\n" \
    "rods:\n" \
    "  rope:\n" \
    "    material: m\n" \
    "    section: {stiffness: {EA: 314 N, EI: 7.85e-7 N m^2, GJ: 7.85e-7 N m^2, " \
    "mass-per-length: 3.14e-3 kg/m, radius: r}}\n" \
    "    shape: {path: {pieces: [{straight: 12*edge}, {turn: %d turn, radius: wrap, climb: 4*r}, " \
    "{straight: 12*edge}], at: [-12*edge, -wrap, -2*r]}}\n" \
    "    natural: {from: shape}\n" \
    "    self-contact: false\n" \
    "    nodes: %d\n" \
    "bodies: {post: {fixed: true, material: m, shape: {cylinder: {radius: R, length: 40 mm}}}}\n" \
    "holds: {held: {on: rope.start}}\n" \
    "forces: {pull: {on: rope.end, force: [1 N, 0, 0], profile: {rate: %g 1/s}}}\n"

// mean of the ratio over the second half of a run, and its largest error
static void check_ratio(double step, double k, int32_t turns, double rate, double time) {
    int32_t edges = turns * EDGES + 2 * FREE, steps = (int32_t)lround(time / step), count = 0;
    World w = world_of(TEXT, step, k, (int)turns, (int)edges + 1, rate);
    double tension[1024], sum = 0, wanted = ratio_of(turns);
    for (int32_t i = 0; w.ok && i < steps; i++) {
        world_step(&w, 1);
        lithe_rod_tension(w.model, w.state, lithe_rod_find(w.model, "rope"), tension);
        if (2 * i < steps)
            continue;
        sum += tension[edges - 1] / tension[0];
        count++;
    }
    double ratio = count > 0 ? sum / count : 0;
    printf("  %g s, %g N/m, %d turns: ratio %.4g, %+.2f %%\n", step, k, (int)turns, ratio,
           100 * (ratio / wanted - 1));
    CHECK(fabs(ratio / wanted - 1) < 0.02);
    world_end(&w);
}

TEST(a_rope_slips_round_a_post_at_the_right_ratio_with_stiff_contacts) {
    check_ratio(1e-3, 1e5, 1, 3, 0.15);
    check_ratio(1e-3, 1e6, 1, 3, 0.15);
}

LONG_TEST(a_rope_slips_round_a_post_at_the_right_ratio_with_all_stiffnesses_and_steps) {
    static const double stiffnesses[] = {1e4, 1e5, 1e6, 1e7};
    for (int k = 0; k < 4; k++) {
        check_ratio(2e-3, stiffnesses[k], 1, 3, 0.3);
        check_ratio(0.5e-3, stiffnesses[k], 1, 3, 0.1);
        check_ratio(0.1e-3, stiffnesses[k], 1, 3, 0.06);
        check_ratio(2e-3, stiffnesses[k], 3, 30, 0.3);
    }
    check_ratio(0.2e-3, 1e6, 3, 30, 0.1);
}
