// SPDX-License-Identifier: Apache-2.0
// cli/validate/ball_turn.c - a soft arm turns a ball by 90 degrees: plans about three axes

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/turn.h"

// h = 0.1 s, or 40 ms with --long, as published
static int32_t stages_of(const LitheTrial *trial) {
    return trial->refine > 1 ? 100 : 40;
}

static bool plan_about(LitheTrial *trial, int32_t axis) {
    LitheTurn turn = lithe_turn_about(axis, stages_of(trial));
    int64_t count = (int64_t)turn.stages * lithe_ball_task_variables(&turn.model);
    double *x = lithe_alloc_array(trial->context, count, sizeof *x);
    LitheTurnResult result;
    if (x == NULL)
        return lithe_fail_memory(&trial->error, "a plan") == LITHE_OK;
    bool done = lithe_turn_solve(trial->context, &turn, x, &result, &trial->error) == LITHE_OK;
    lithe_free(trial->context, x);
    if (!done)
        return false;
    char name = (char)('x' + axis);
    double seconds = 0;
    int32_t iterations = 0;
    for (int i = 0; i < result.level_count; i++) {
        seconds += result.levels[i].seconds;
        iterations += result.levels[i].state.iteration;
    }
    const LitheTurnLevel *last = &result.levels[result.level_count - 1];
    // products end at epsilon up to the tolerance of the constraints
    return lithe_trial_add(trial, at_most(last->end != LITHE_INTERIOR_CONVERGED, 0),
                           "about %c: not converged (1) [1]", name) &&
           lithe_trial_add(trial, at_most(result.error, 1e-4), "about %c: 1 - (q.q*)^2 [1]",
                           name) &&
           lithe_trial_add(trial, at_most(result.products, 1.02e-6),
                           "about %c: products of complements", name) &&
           lithe_trial_add(trial, at_most(result.equations, 1e-8),
                           "about %c: residual of equations", name) &&
           lithe_trial_add(trial, reported(last->state.cost), "about %c: cost", name) &&
           lithe_trial_add(trial, reported(result.touching), "about %c: stages that touch", name) &&
           lithe_trial_add(trial, reported(iterations), "about %c: iterations", name) &&
           lithe_trial_add(trial, reported(seconds), "about %c: wall time [s]", name);
}

bool lithe_case_ball_turn(LitheTrial *trial) {
    for (int32_t axis = 0; axis < 3; axis++)
        if (!plan_about(trial, axis))
            return false;
    return true;
}
