// SPDX-License-Identifier: Apache-2.0
// cli/validate/ball_turn.c - a soft arm turns a ball by 90 degrees: plans about three axes

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "cli/cli.h"
#include "plan/scene_turn.h"

#include <stdio.h>

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

// The included scene: h = 40 ms and ten directions of friction, as published. A problem that
// differs from it by rounding alone may end in another optimum.
static bool load_turn(LitheTrial *trial, char axis, LitheScene **scene, LitheTurn *turn) {
    static const char *const sets[] = {"plan.end=exact"};
    char folder[4096], path[4200];
    LitheTurnPlace place;
    if (!lithe_cli_scene_folder(folder, sizeof folder))
        return lithe_fail(&trial->error, LITHE_FILE_ERROR, "the included scenes were not found") ==
               LITHE_OK;
    snprintf(path, sizeof path, "%s/plan-%c.yaml", folder, axis);
    return lithe_scene_load(trial->context, path, sets, 1, scene, &trial->error) == LITHE_OK &&
           lithe_turn_of_scene(*scene, turn, &place, &trial->error) == LITHE_OK;
}

// with the final orientation as a cost, then as a constraint
static bool plan_about(LitheTrial *trial, char name) {
    LitheTurn turn;
    LitheTurnResult result;
    LitheScene *scene = NULL;
    bool solved = load_turn(trial, name, &scene, &turn) && solve(trial, &turn, &result);
    lithe_scene_destroy(scene);
    if (!solved)
        return false;
    int32_t iterations;
    double seconds = sum_up(&result, &iterations);
    const LitheTurnLevel *exact = &result.levels[result.level_count - 1], *cost = exact;
    while (cost->exact)
        cost--;
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
    for (char axis = 'x'; axis <= 'z'; axis++)
        if (!plan_about(trial, axis))
            return false;
    return true;
}

// With and without the kinematic level, with a relaxation that falls and without: the problem has
// many optima, so costs are reported, not compared.
bool lithe_case_ball_turn_starts(LitheTrial *trial) {
    static const char *const words[2][2] = {{"cold, epsilon 1e-6", "cold, epsilon falls"},
                                            {"warm, epsilon 1e-6", "warm, epsilon falls"}};
    for (int warm = 1; warm >= 0; warm--)
        for (int homotopy = 1; homotopy >= 0; homotopy--) {
            LitheTurn turn = lithe_turn_about(0, 40);
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
