// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_guard_error.c - the energy guard of TR-BDF2 leaves what other parts of a step
// read: the first stage for the error of adaptive steps, the start for steps by backward Euler

#include "world.h"

#include "advance/adapt.h"
#include "advance/step.h"
#include "data/state.h"
#include "data/work.h"

#include <string.h>

// a can that falls on its rim and rolls along it: the number of its contacts changes
static const char can[] =
    "lithe: 1\n"
    "time: {step: {adaptive: {min: 1 us, max: 0.3 ms, tolerance: 1 m}}, end: 1000 s,\n"
    "  scheme: tr-bdf2}\n"
    "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1500, friction: 0.3,\n"
    "  contact: {stiffness: 3.4e4, dissipation: 0}}}\n"
    "bodies:\n"
    "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
    "  can: {material: m, shape: {cylinder: {radius: 22 mm, length: 37 mm}},\n"
    "    at: [0, 0, 0.04], rotate: [%g, %g, %g], velocity: [%g, %g, -2],\n"
    "    spin: [%g, %g, %g]}\n";

// The error (AD6) of a step whose impulses were taken back (T22) is that of its two stages and of
// the velocities at its end: the stages are made again without a guard, which gives the first one.
TEST(the_error_of_a_corrected_step_is_that_of_its_stages) {
    int32_t corrected = 0;
    TestRandom r = {3};
    for (int i = 0; i < 12; i++) {
        double x[9];
        for (int k = 0; k < 9; k++)
            x[k] = test_random(&r, -1, 1);
        World w = world_of(can, 2 * x[0], 2 * x[1], x[2], 2 * x[3], 2 * x[4], 40 * x[6], 40 * x[7],
                           40 * x[8]);
        LitheState *before = lithe_state_copy(w.state);
        LitheState *stages = lithe_state_copy(w.state);
        LitheWork *again = lithe_work_create(w.model, 1);
        for (int k = 0; k < 300 && w.ok; k++) {
            memcpy(before->data, w.state->data, (size_t)w.state->size * sizeof(double));
            memcpy(stages->data, w.state->data, (size_t)w.state->size * sizeof(double));
            world_step(&w, 1);
            const LitheReport *made = &w.report;
            if (made->calmed == 0 || made->euler > 0 || made->halted > 0)
                continue;
            LitheReport report;
            LitheError error;
            LitheAttempt attempt = lithe_plain_attempt(made->step);
            memcpy(again->before->data, before->data, (size_t)before->size * sizeof(double));
            CHECK(lithe_step_once(w.model, stages, &attempt, again, &report, &error) == LITHE_OK);
            LitheStepErrors errors =
                lithe_adapt_measure(w.model, before, w.state, made->step, again);
            CHECK_NEAR(made->error, errors.motion, 1e-9 * errors.motion);
            corrected++;
        }
        lithe_work_destroy(again);
        lithe_state_destroy(stages);
        lithe_state_destroy(before);
        world_end(&w);
    }
    printf("  %d corrected steps\n", (int)corrected);
    CHECK(corrected > 0);
}

// An edge that is folded back onto the one before has no finite energy: the stages cannot begin.
// Backward Euler, which is tried next, must not be judged by the start of an older step.
TEST(a_step_that_cannot_begin_is_not_judged_by_the_start_of_an_older_one) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1 s}\n"
                       "materials: {soft: {young: 5 MPa, density: 1000}}\n"
                       "rods:\n"
                       "  rope: {material: soft, section: {circle: {radius: 4 mm}}, nodes: 11,\n"
                       "    shape: {line: {from: [0, 0, 0], to: [0.3, 0, 0]}}}\n");
    world_step(&w, 10);
    double older = w.work->stage.sum;
    CHECK(isfinite(older));
    double *q = w.state->q + 4 * 6;
    memcpy(q, q - 8, 3 * sizeof *q);
    LitheReport report;
    LitheError error;
    CHECK(lithe_step(w.model, w.state, w.work, &report, &error) == LITHE_CANNOT_GO_ON);
    CHECK(!isfinite(w.work->stage.sum));
    CHECK(w.work->stage.guard[LITHE_GUARD_LOWEST] == INFINITY);
    world_end(&w);
}
