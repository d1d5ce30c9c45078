// SPDX-License-Identifier: Apache-2.0
// tests/body/test_chain.c - a rope as capsules: equilibria, gaps, energy, cost

#include "body/chain.h"
#include "test.h"

#include <time.h>

enum { MOST = 600 };

// a chain with its memory
typedef struct Rope {
    LitheChain chain;
    double q[7 * MOST], v[6 * MOST], impulse[3 * (MOST + 1)];
    double *work;
    LitheChainStep step;
} Rope;

// 1 m of rope, 5 mm thick; laid along `points`, or along x when NULL
static void rope_begin(Rope *rope, int32_t count, double young, const Vec3 *points, double h) {
    LitheRopeDef def = {count, 1, 5e-3, 1000, young, 0.3};
    LitheError error;
    if (lithe_chain_of_rope(&def, &rope->chain, &error) != LITHE_OK)
        abort();
    Vec3 line[MOST + 1];
    for (int32_t i = 0; i <= count; i++)
        line[i] = v3((double)i / count, 0, 0);
    lithe_chain_place(&rope->chain, points ? points : line, rope->q);
    memset(rope->v, 0, sizeof rope->v);
    memset(rope->impulse, 0, sizeof rope->impulse);
    rope->work = malloc(lithe_chain_work_size(&rope->chain) * sizeof(double));
    rope->step = lithe_chain_step_default(h);
}

static void rope_end(Rope *rope) {
    free(rope->work);
}

static bool run(Rope *rope, int32_t steps) {
    for (int32_t i = 0; i < steps; i++) {
        LitheChainOutcome outcome = lithe_chain_step(&rope->chain, &rope->step, rope->q, rope->v,
                                                     rope->impulse, rope->work);
        if (!outcome.made || !outcome.converged)
            return false;
    }
    return true;
}

static Vec3 axis_of(const Rope *rope, int32_t i) {
    const double *q = rope->q + 7 * i;
    return q4_rotate((Quat){q[3], q[4], q[5], q[6]}, v3(0, 0, 1));
}

// pins both ends on a level, `span` apart, in a V
static void hang(Rope *rope, int32_t count, double young, double span, double h) {
    Vec3 points[MOST + 1];
    double depth = sqrt(0.25 - 0.25 * span * span);
    for (int32_t i = 0; i <= count; i++) {
        double s = (double)i / count;
        points[i] = v3(span * (s - 0.5), 0, -2 * depth * (s < 0.5 ? s : 1 - s));
    }
    rope_begin(rope, count, young, points, h);
    rope->chain.start_pinned = rope->chain.end_pinned = true;
    rope->chain.start_at = points[0];
    rope->chain.end_at = points[count];
    rope->step.gravity = v3(0, 0, -9.81);
}

TEST(a_hanging_chain_settles_to_the_catenary_of_its_links) {
    // slopes of rigid links under equal weights grow by the same step from link to link
    enum { COUNT = 40 };
    Rope rope;
    hang(&rope, COUNT, 1, 0.6, 0.01); // 1 Pa: no bending to speak of
    rope.chain.drag = 5;
    CHECK(run(&rope, 1000));
    CHECK(lithe_chain_kinetic_energy(&rope.chain, rope.q, rope.v) < 1e-9);
    double first =
        axis_of(&rope, 1).z / axis_of(&rope, 1).x - axis_of(&rope, 0).z / axis_of(&rope, 0).x;
    for (int32_t i = 0; i + 1 < COUNT; i++) {
        Vec3 a = axis_of(&rope, i), b = axis_of(&rope, i + 1);
        CHECK_NEAR((b.z / b.x - a.z / a.x) / first, 1, 1e-4);
    }
    // the horizontal pull at the joints is weight over that step
    double pull = rope.chain.mass * 9.81 / first;
    CHECK_NEAR(fabs(rope.impulse[0]) / rope.step.h / pull, 1, 1e-4);
    // sag of the smooth catenary: sinh(w)/w = length/span
    double w = 1;
    for (int i = 0; i < 50; i++)
        w -= (sinh(w) / w - 1 / 0.6) / (cosh(w) / w - sinh(w) / (w * w));
    double sag = 0.6 / (2 * w) * (cosh(w) - 1);
    CHECK_NEAR(-lithe_chain_joint(&rope.chain, rope.q, COUNT / 2).z, sag, 1e-3);
    rope_end(&rope);
}

TEST(joint_gaps_stay_below_a_millionth_of_a_capsule) {
    Rope rope;
    hang(&rope, 60, 1e6, 0.7, 2e-3);
    for (int i = 0; i < 500; i++) {
        FATAL(run(&rope, 1));
        CHECK(lithe_chain_gap(&rope.chain, rope.q) < 1e-6 * rope.chain.length);
    }
    rope_end(&rope);
}

TEST(energy_of_a_swinging_chain_decays) {
    Rope rope;
    rope_begin(&rope, 40, 1e6, NULL, 2e-3);
    rope.chain.start_pinned = true;
    rope.step.gravity = v3(0, 0, -9.81);
    double scale = rope.chain.mass * 40 * 9.81 * 0.5;
    double before = lithe_chain_potential_energy(&rope.chain, rope.step.gravity, rope.q);
    for (int i = 0; i < 1000; i++) {
        FATAL(run(&rope, 1));
        double now = lithe_chain_potential_energy(&rope.chain, rope.step.gravity, rope.q) +
                     lithe_chain_kinetic_energy(&rope.chain, rope.q, rope.v);
        CHECK(now <= before + 1e-6 * scale);
        before = now;
    }
    CHECK(before < -0.2 * scale);
    rope_end(&rope);
}

TEST(a_couple_bends_and_twists_the_chain_as_it_does_the_rope) {
    // angle between the ends: M L/EI, T L/GJ, less the half capsules at the ends
    enum { COUNT = 20 };
    for (int twist = 0; twist < 2; twist++) {
        Rope rope;
        rope_begin(&rope, COUNT, 1e6, NULL, 0.05);
        const double pi = acos(-1), EI = 1e6 * pi / 4 * pow(5e-3, 4), GJ = EI / 1.3;
        double moment = 0.3 * (twist ? GJ : EI), effort[6 * COUNT] = {0};
        effort[twist ? 3 : 4] = -moment;
        effort[6 * (COUNT - 1) + (twist ? 3 : 4)] = moment;
        rope.step.effort = effort;
        rope.chain.drag = 3.5; // critical for the slowest mode, 1.8 rad/s
        CHECK(run(&rope, 600));
        const double *a = rope.q, *b = rope.q + 7 * (COUNT - 1);
        Quat turn = q4_mul((Quat){b[3], b[4], b[5], b[6]}, q4_conj((Quat){a[3], a[4], a[5], a[6]}));
        double angle = v3_norm(q4_log(turn));
        CHECK_NEAR(angle, 0.3 * (COUNT - 1.) / COUNT, 1e-6);
        rope_end(&rope);
    }
}

TEST(a_clamped_chain_sags_as_a_beam_the_better_the_finer_it_is) {
    // a held first capsule: the free length starts at its upper end; tip deflection q L^4/8EI
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        int32_t count = fine ? 41 : 21;
        Rope rope;
        rope_begin(&rope, count, 1e9, NULL, 0.05);
        static unsigned char held[MOST] = {1};
        rope.chain.held = held;
        rope.chain.drag = 10;
        rope.step.gravity = v3(0, 0, -0.1);
        CHECK(run(&rope, 300));
        // springs sit at the ends of capsules: half of the first belongs to the clamp
        double l = rope.chain.length, length = (count - 1) * l + 0.5 * l;
        const double pi = acos(-1), EI = 1e9 * pi / 4 * pow(5e-3, 4);
        double weight = rope.chain.mass / l * 0.1;
        double wanted = weight * pow(length, 4) / (8 * EI);
        double sag = -lithe_chain_joint(&rope.chain, rope.q, count).z;
        error[fine] = fabs(sag / wanted - 1);
        CHECK(lithe_chain_gap(&rope.chain, rope.q) < 1e-6 * l);
        CHECK_NEAR(axis_of(&rope, 0).x, 1, 1e-15);
        rope_end(&rope);
    }
    CHECK(error[0] < 0.02);
    CHECK(error[1] < 0.5 * error[0]);
}

// a free chain that turns and flies as one body, for half a second: what it loses
static void lost(double h, double *momentum, double *angular) {
    enum { COUNT = 15 };
    Rope rope;
    rope_begin(&rope, COUNT, 1e7, NULL, h);
    Vec3 spin = v3(0.5, 2, 3), p[2], L[2];
    for (int32_t i = 0; i < COUNT; i++) {
        v3_store(v3_add(v3(1, 0, -1), v3_cross(spin, v3_load(rope.q + 7 * i))), rope.v + 6 * i);
        v3_store(spin, rope.v + 6 * i + 3);
    }
    double across = rope.chain.inertia_across, along = rope.chain.inertia_along;
    for (int after = 0; after < 2; after++) {
        if (after)
            CHECK(run(&rope, (int32_t)lround(0.5 / h)));
        p[after] = L[after] = v3(0, 0, 0);
        for (int32_t i = 0; i < COUNT; i++) {
            Vec3 mu = v3_scale(rope.chain.mass, v3_load(rope.v + 6 * i));
            Vec3 w = v3_load(rope.v + 6 * i + 3), axis = axis_of(&rope, i);
            Vec3 own = v3_axpy((along - across) * v3_dot(axis, w), axis, v3_scale(across, w));
            p[after] = v3_add(p[after], mu);
            L[after] = v3_add(L[after], v3_add(own, v3_cross(v3_load(rope.q + 7 * i), mu)));
        }
    }
    *momentum = v3_distance(p[0], p[1]) / v3_norm(p[0]);
    *angular = v3_distance(L[0], L[1]) / v3_norm(L[0]);
    rope_end(&rope);
}

TEST(a_free_chain_keeps_momentum_and_loses_angular_momentum_at_first_order) {
    double momentum, coarse, fine;
    lost(2e-3, &momentum, &coarse);
    CHECK(momentum < 1e-9);
    lost(1e-3, &momentum, &fine);
    CHECK(momentum < 1e-9);
    CHECK(fine < 2e-3);
    CHECK_NEAR(log2(coarse / fine), 1, 0.2);
}

// processor time per step and capsule of a chain that starts to hang, 0.2 s of its time
static double time_of(Rope *rope, int32_t count) {
    hang(rope, count, 1e6, 0.7, 1e-3);
    clock_t start = clock();
    CHECK(run(rope, 200));
    double ticks = (double)(clock() - start);
    rope_end(rope);
    return ticks / CLOCKS_PER_SEC / 200 / count;
}

TEST(time_per_step_and_capsule_does_not_grow_with_the_number_of_capsules) {
    static Rope rope;
    // the best of some: others may use the machine
    double small = INFINITY, large = INFINITY;
    for (int i = 0; i < 5; i++) {
        small = fmin(small, time_of(&rope, 30));
        large = fmin(large, time_of(&rope, 300));
    }
    CHECK(large < 1.3 * small);
}

TEST(impossible_ropes_are_refused) {
    LitheRopeDef def = {10, 1, -5e-3, 1000, 1e6, 0.3};
    LitheChain chain = {.count = -7};
    LitheError error;
    CHECK(lithe_chain_of_rope(&def, &chain, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "radius is -0.005");
    def.radius = 5e-3;
    def.poisson = 0.7;
    CHECK(lithe_chain_of_rope(&def, &chain, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "poisson is 0.7");
    CHECK(chain.count == -7);
}
