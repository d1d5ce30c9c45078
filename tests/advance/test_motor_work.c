// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_motor_work.c - the work of an exact motor at one joint of an arm whose other
// joint is free

#include "test.h"

#include "advance/world.h"

// `target` is that of the motor in the shoulder
static World arm_of(double step, const char *gravity, const char *scheme, const char *target) {
    return world_of(
        "lithe: 1\n"
        "gravity: [0, %s, 0]\n"
        "time: {step: %g s, end: 1 s, scheme: %s}\n"
        "bodies:\n"
        "  arm: {mass: 1 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], centre: [0.3, 0, 0]}\n"
        "  fore: {mass: 0.5 kg, inertia: [5e-3, 5e-3, 5e-3, 0, 0, 0], centre: [0.2, 0, 0]}\n"
        "joints:\n"
        "  shoulder: {kind: revolute, child: arm}\n"
        "  elbow: {kind: revolute, parent: arm, child: fore, parent-at: [0.6, 0, 0]}\n"
        "actuators:\n"
        "  turn: {joint: shoulder, kind: prescribed, target: {%s}}\n",
        gravity, step, scheme, target);
}

static double account(const World *w) {
    LitheEnergy e = lithe_energy(w->model, w->state);
    return e.kinetic + e.elastic + e.gravity + e.dissipated - e.work;
}

// from rest to 2 rad/s at once, and back to rest after 10 ms: what was put in comes out again
TEST(a_jump_of_the_velocity_takes_the_kinetic_energy_that_it_gives) {
    const char *const schemes[] = {"tr-bdf2", "backward-euler"};
    for (int k = 0; k < 2; k++) {
        World w = arm_of(1e-3, "0", schemes[k], "table: [[0 s, 0], [10 ms, 0.02], [20 ms, 0.02]]");
        FATAL(w.ok && world_step(&w, 5));
        LitheEnergy e = lithe_energy(w.model, w.state);
        CHECK_NEAR(e.kinetic, 0.272, 1e-3);
        CHECK_NEAR(e.work, e.kinetic, 1e-3 * e.kinetic);
        world_step(&w, 10);
        e = lithe_energy(w.model, w.state);
        CHECK_NEAR(e.kinetic, 0, 1e-5);
        CHECK_NEAR(e.work, 0, 1e-3);
        world_end(&w);
    }
}

// gravity accelerates the free joint: the motor feels that from the first moment of a step on
TEST(the_account_of_a_smooth_motor_closes_at_second_order) {
    double missing[2];
    for (int k = 0; k < 2; k++) {
        double step = k == 0 ? 4e-3 : 2e-3;
        World w = arm_of(step, "-9.81", "tr-bdf2",
                         "table: [[0 s, 0], [0.5 s, 1], [1 s, -1]], kind: smooth");
        FATAL(w.ok);
        double start = account(&w);
        world_step(&w, k == 0 ? 250 : 500);
        missing[k] = account(&w) - start;
        CHECK(lithe_energy(w.model, w.state).work > 1);
        world_end(&w);
    }
    CHECK(fabs(missing[0]) < 5e-3);
    CHECK_NEAR(log2(missing[0] / missing[1]), 2, 0.2);
}
