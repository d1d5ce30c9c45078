// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_track.c - a regulator that follows a plan

#include "advance/track.h"

#include "world.h"

// a rod that balances on its hinge
#define UPRIGHT \
    "lithe: 1\n" \
    "time: {step: 20 ms, end: 1 s, scheme: backward-euler}\n" \
    "bodies:\n" \
    "  bob: {mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0], at: [0, 0, 0.5]}\n" \
    "joints:\n" \
    "  low: {kind: revolute, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}\n" \
    "actuators:\n" \
    "  motor: {joint: low, kind: force, target: 0}\n"

enum { STEPS = 60 };

// angle after a second and a bit from a start that leans; `clip`: of corrections [N m]
static double lean_after(double start, double clip, int32_t free_from) {
    World w = world_of(UPRIGHT);
    LitheTracker *tracker = NULL;
    LitheError error = {0};
    const double states[] = {0.01, 0.1};
    const LitheTrackScales scales = {states, 1, clip, 10};
    double angle = NAN;
    if (!w.ok ||
        !CHECK(lithe_tracker_create(w.model, STEPS, &scales, &tracker, &error) == LITHE_OK)) {
        world_end(&w);
        return angle;
    }
    for (int32_t k = 0; k < STEPS; k++)
        CHECK(lithe_tracker_add(tracker, k, w.state, w.work, k >= free_from, &error) == LITHE_OK);
    CHECK(lithe_tracker_solve(tracker, &error) == LITHE_OK);
    CHECK(lithe_tracker_changed(tracker) == 0);
    double *q = (double *)lithe_joint_position(w.model, w.state, lithe_joint_find(w.model, "low"));
    *q = start;
    for (int32_t k = 0; k < STEPS; k++) {
        double target = 0, most = lithe_tracker_correct(tracker, k, w.state, &target);
        CHECK(fabs(target) <= clip && fabs(target) <= most + 1e-12);
        CHECK(lithe_state_set_actuator(w.model, w.state, (LitheActuatorId){1},
                                       (LitheCommand){target, 0}, &error) == LITHE_OK);
        world_step(&w, 1);
    }
    angle = *q;
    lithe_tracker_destroy(tracker);
    world_end(&w);
    return angle;
}

TEST(a_regulator_keeps_a_rod_upright) {
    double kept = lean_after(0.1, 10, STEPS), fallen = lean_after(0.1, 10, 0);
    printf("  from 0.1 rad: %.2e rad with gains, %.2g without\n", kept, fallen);
    CHECK(fabs(kept) < 1e-3);
    CHECK(fabs(fallen) > 1);
}

TEST(corrections_are_clipped) {
    // 9.81 N m sin 0.1/2 = 0.49 N m hold it, less does not
    CHECK(fabs(lean_after(0.1, 0.4, STEPS)) > 0.5);
    CHECK(fabs(lean_after(0.1, 1, STEPS)) < 1e-2);
}
