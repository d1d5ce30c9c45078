// SPDX-License-Identifier: Apache-2.0
// cli/validate/ball_turn.c - a soft arm turns a ball by 90 degrees: plans about three axes

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/plan.h"

// h = 0.1 s, or 40 ms with --long, as published
static int32_t stages_of(const LitheTrial *trial) {
    return trial->refine > 1 ? 100 : 40;
}

static bool solve(LitheTrial *trial, const LitheTurn *turn, LitheTurnResult *result) {
    int64_t count = (int64_t)turn->stages * lithe_ball_task_variables(&turn->model);
    double *x = lithe_alloc_array(trial->context, count, sizeof *x);
    if (x == NULL)
        return lithe_fail_memory(&trial->error, "a plan") == LITHE_OK;
    bool done = lithe_turn_solve(trial->context, turn, x, result, &trial->error) == LITHE_OK;
    lithe_free(trial->context, x);
    return done;
}

// seconds and iterations of all levels
static double sum_up(const LitheTurnResult *result, int32_t *iterations) {
    double seconds = 0;
    *iterations = 0;
    for (int i = 0; i < result->level_count; i++) {
        seconds += result->levels[i].seconds;
        *iterations += result->levels[i].state.iteration;
    }
    return seconds;
}

// with the final orientation as a cost, then as a constraint
static bool plan_about(LitheTrial *trial, int32_t axis) {
    LitheTurn turn = lithe_turn_about(axis, stages_of(trial));
    turn.model.exact = true;
    LitheTurnResult result;
    if (!solve(trial, &turn, &result))
        return false;
    char name = (char)('x' + axis);
    int32_t iterations;
    double seconds = sum_up(&result, &iterations);
    const LitheTurnLevel *exact = &result.levels[result.level_count - 1], *cost = exact - 1;
    for (int i = 0; i < result.level_count; i++)
        if (!lithe_trial_add(trial, reported(result.levels[i].error),
                             "about %c: 1 - (q.q*)^2 after level %d [1]", name, i + 1))
            return false;
    // products end at epsilon up to the tolerance of the constraints
    return lithe_trial_add(trial, at_most(!lithe_turn_converged(&result), 0),
                           "about %c: not converged (1) [1]", name) &&
           lithe_trial_add(trial, at_most(cost->error, 1e-4),
                           "about %c: 1 - (q.q*)^2, end as a cost [1]", name) &&
           lithe_trial_add(trial, at_most(exact->error, 1e-8),
                           "about %c: 1 - (q.q*)^2, exact end [1]", name) &&
           lithe_trial_add(trial, at_most(result.products, 1.02e-6),
                           "about %c: products of complements", name) &&
           lithe_trial_add(trial, at_most(result.equations, 1e-8),
                           "about %c: residual of equations", name) &&
           lithe_trial_add(trial, reported(cost->state.cost), "about %c: cost", name) &&
           lithe_trial_add(trial, reported(exact->state.cost), "about %c: cost, exact end", name) &&
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

// With and without the kinematic level, with and without levels that tighten: the problem has many
// optima, so costs are reported, not compared.
bool lithe_case_ball_turn_starts(LitheTrial *trial) {
    static const char *const words[2][2] = {{"cold, one level", "cold, three levels"},
                                            {"warm, one level", "warm, three levels"}};
    for (int warm = 1; warm >= 0; warm--)
        for (int homotopy = 1; homotopy >= 0; homotopy--) {
            LitheTurn turn = lithe_turn_about(0, stages_of(trial));
            turn.kinematic = warm ? 1e-2 : 0;
            if (!homotopy) {
                turn.levels = 1;
                turn.epsilon[0] = 1e-6;
            }
            LitheTurnResult result;
            int32_t iterations;
            if (!solve(trial, &turn, &result))
                return false;
            double seconds = sum_up(&result, &iterations);
            const LitheTurnLevel *last = &result.levels[result.level_count - 1];
            const char *word = words[warm][homotopy];
            LitheFinding open = at_most(!lithe_turn_converged(&result), 0);
            if (!(warm && homotopy))
                open.kind = LITHE_ERROR_REPORTED;
            if (!(lithe_trial_add(trial, open, "%s: not converged (1) [1]", word) &&
                  lithe_trial_add(trial, reported(last->state.cost), "%s: cost", word) &&
                  lithe_trial_add(trial, reported(result.error), "%s: 1 - (q.q*)^2 [1]", word) &&
                  lithe_trial_add(trial, reported(iterations), "%s: iterations", word) &&
                  lithe_trial_add(trial, reported(seconds), "%s: wall time [s]", word)))
                return false;
        }
    return true;
}

// The efforts of a plan in a simulation without feedback: the gap falls with the step.
bool lithe_case_plan_playback(LitheTrial *trial) {
    static const char *const models[] = {"convex", "lcp"};
    static const char *const steps[] = {"plan.steps=25", "plan.steps=50", "plan.steps=100"};
    double gaps[2][3];
    char folder[4096], path[4200];
    if (!lithe_cli_scene_folder(folder, sizeof folder))
        return lithe_fail(&trial->error, LITHE_FILE_ERROR, "the included scenes were not found") ==
               LITHE_OK;
    snprintf(path, sizeof path, "%s/plan-x.yaml", folder);
    for (int k = 0; k < 3; k++) {
        const char *sets[] = {steps[k], "plan.duration=1 s", "plan.directions=4",
                              "plan.target={axis: [1, 0, 0], angle: 30 deg}"};
        LitheCliPlan plan = {.context = trial->context, .path = path, .sets = sets, .set_count = 4};
        LitheCliPlayback play;
        LitheError *error = &trial->error;
        LitheStatus status = lithe_scene_load(plan.context, path, sets, 4, &plan.scene, error);
        if (status == LITHE_OK)
            status = lithe_turn_of_scene(plan.scene, &plan.turn, &plan.place, error);
        int64_t n = plan.turn.stages * (int64_t)lithe_ball_task_variables(&plan.turn.model);
        if (status == LITHE_OK &&
            (plan.x = lithe_alloc_array(plan.context, n, sizeof(double))) == NULL)
            status = lithe_fail_memory(error, "a plan");
        if (status == LITHE_OK)
            status = lithe_turn_solve(plan.context, &plan.turn, plan.x, &plan.result, error);
        for (int m = 0; m < 2 && status == LITHE_OK; m++) {
            const LitheCliPlay how = {.model = models[m]};
            status = lithe_cli_plan_play(&plan, &how, NULL, &play, error);
            gaps[m][k] = play.angle_most * 180 / 3.14159265358979323846;
            if (status == LITHE_OK &&
                !(lithe_trial_add(trial, reported(gaps[m][k]),
                                  "%s, step %g ms: largest angle of the ball from the plan [deg]",
                                  models[m], 1e3 * plan.turn.model.step) &&
                  lithe_trial_add(trial, reported(1e3 * play.arm_most),
                                  "%s, step %g ms: largest difference of an elongation [mm]",
                                  models[m], 1e3 * plan.turn.model.step)))
                status = LITHE_NO_MEMORY;
        }
        if (status == LITHE_OK &&
            !lithe_trial_add(trial, at_most(!lithe_turn_converged(&plan.result), 0),
                             "step %g ms: not converged (1) [1]", 1e3 * plan.turn.model.step))
            status = LITHE_NO_MEMORY;
        lithe_free(plan.context, plan.x);
        lithe_scene_destroy(plan.scene);
        if (status != LITHE_OK)
            return false;
    }
    for (int m = 0; m < 2; m++)
        for (int k = 1; k < 3; k++)
            if (!lithe_trial_add(trial, at_most(gaps[m][k] / gaps[m][k - 1], 1),
                                 "%s: gap over that with twice the step (%d) [1]", models[m], k))
                return false;
    return true;
}
