// SPDX-License-Identifier: Apache-2.0
// cli/validate/ball_replan.c - a soft arm turns a ball in a simulation: efforts of the plan, which
// is refined; with a regulator; replanned in every step

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/plan.h"

#include <math.h>
#include <stdio.h>

#define DEGREES (180 / M_PI)

static const char *const models[] = {"convex", "lcp"};

// the plan of an included scene; lithe_free x and destroy the scene in any case
static LitheStatus plan_about(LitheTrial *trial, char axis, const char *const *sets, int32_t count,
                              LitheCliPlan *plan, char *path, size_t size) {
    char folder[4096];
    LitheError *error = &trial->error;
    *plan =
        (LitheCliPlan){.context = trial->context, .path = path, .sets = sets, .set_count = count};
    if (!lithe_cli_scene_folder(folder, sizeof folder))
        return lithe_fail(error, LITHE_FILE_ERROR, "the included scenes were not found");
    snprintf(path, size, "%s/plan-%c.yaml", folder, axis);
    LitheStatus status = lithe_scene_load(plan->context, path, sets, count, &plan->scene, error);
    if (status == LITHE_OK)
        status = lithe_turn_of_scene(plan->scene, &plan->turn, &plan->place, error);
    if (status != LITHE_OK)
        return status;
    int64_t n = plan->turn.stages * (int64_t)lithe_ball_task_variables(&plan->turn.model);
    plan->x = lithe_alloc_array(plan->context, n, sizeof(double));
    if (plan->x == NULL)
        return lithe_fail_memory(error, "a plan");
    return lithe_turn_solve(plan->context, &plan->turn, plan->x, &plan->result, error);
}

static void plan_end(LitheCliPlan *plan) {
    lithe_free(plan->context, plan->x);
    lithe_scene_destroy(plan->scene);
}

// --- replanned -----------------------------------------------------------------------------------

// a plan of a scene, played with replans; undisturbed and knocked
static LitheStatus play_all(LitheTrial *trial, LitheCliPlan *plan, char axis) {
    LitheError *error = &trial->error;
    for (int i = 0; i < 4; i++) {
        bool knocked = i % 2 == 1;
        const LitheCliPlay how = {models[i / 2], 20, knocked ? 20 / DEGREES : 0, false};
        LitheCliPlayback play;
        LitheStatus status = lithe_cli_plan_play(plan, &how, NULL, &play, error);
        if (status != LITHE_OK)
            return status;
        if (!lithe_trial_add(trial, at_most(DEGREES * play.target, 5),
                             "about %c, %s%s: angle from the target at the end [deg]", axis,
                             how.model, knocked ? ", knocked by 20 degrees" : "") ||
            !lithe_trial_add(trial, reported(play.failed), "about %c, %s%s: failed [1]", axis,
                             how.model, knocked ? ", knocked" : "") ||
            !lithe_trial_add(trial, reported(1e3 * play.busy_median),
                             "about %c, %s%s: half of the replans within, processor time [ms]",
                             axis, how.model, knocked ? ", knocked" : "") ||
            !lithe_trial_add(trial, reported(1e3 * play.busy_slow),
                             "about %c, %s%s: 95 %% of the replans within, processor time [ms]",
                             axis, how.model, knocked ? ", knocked" : ""))
            return LITHE_NO_MEMORY;
    }
    return LITHE_OK;
}

bool lithe_case_ball_replan(LitheTrial *trial) {
    static const char *const sets[] = {"plan.directions=4"};
    for (char axis = 'x'; axis <= 'z'; axis++) {
        char path[4200];
        LitheCliPlan plan;
        LitheStatus status = plan_about(trial, axis, sets, 1, &plan, path, sizeof path);
        if (status == LITHE_OK)
            status = play_all(trial, &plan, axis);
        plan_end(&plan);
        if (status != LITHE_OK)
            return false;
    }
    return true;
}

// --- by the efforts of the plan ------------------------------------------------------------------

static LitheStatus play_one(LitheTrial *trial, const LitheCliPlan *plan, int model, bool track,
                            LitheCliPlayback *play) {
    const LitheCliPlay how = {models[model], 0, 0, track};
    return lithe_cli_plan_play(plan, &how, NULL, play, &trial->error);
}

// With a regulator: x must end within 2 degrees; y and z, where contact comes and goes, need not.
static bool play_tracked(LitheTrial *trial, const LitheCliPlan *plan, char axis) {
    for (int m = 0; m < 2; m++) {
        LitheCliPlayback play;
        if (play_one(trial, plan, m, true, &play) != LITHE_OK)
            return false;
        double left = DEGREES * play.target;
        if (!lithe_trial_add(trial, axis == 'x' ? at_most(left, 2) : reported(left),
                             "about %c, %s, regulator: angle from the target at the end [deg]",
                             axis, models[m]))
            return false;
    }
    return true;
}

// The steps of one plan are halved twice: the gap between plan and simulation falls each time, at
// the end and at most. A plan must move as its equations say; whether it is the best one does not
// matter here, and refined plans often end near products of 1e-5.
static bool play_refined(LitheTrial *trial, LitheCliPlan *plan) {
    double last[2] = {INFINITY, INFINITY}, most[2] = {INFINITY, INFINITY};
    for (int level = 0; level < 3; level++) {
        if (level > 0 && lithe_cli_plan_refine(plan, &trial->error) != LITHE_OK)
            return false;
        double step = 1e3 * plan->turn.model.step;
        const LitheTurnResult *r = &plan->result;
        if (!lithe_trial_add(trial, at_most(r->equations, 1e-8),
                             "about x, steps of %g ms: residual of equations", step) ||
            !lithe_trial_add(trial, reported(r->products),
                             "about x, steps of %g ms: products of complements", step) ||
            !lithe_trial_add(trial, reported(!lithe_turn_converged(r)),
                             "about x, steps of %g ms: not converged (1) [1]", step))
            return false;
        for (int m = 0; m < 2; m++) {
            LitheCliPlayback play;
            if (play_one(trial, plan, m, false, &play) != LITHE_OK)
                return false;
            double off = DEGREES * play.angle, far = DEGREES * play.angle_most;
            if (!lithe_trial_add(trial, level > 0 ? at_most(off, last[m]) : reported(off),
                                 "about x, %s, steps of %g ms: angle from the plan at the end "
                                 "[deg]",
                                 models[m], step) ||
                !lithe_trial_add(trial, level > 0 ? at_most(far, most[m]) : reported(far),
                                 "about x, %s, steps of %g ms: max angle from the plan [deg]",
                                 models[m], step))
                return false;
            last[m] = off;
            most[m] = far;
        }
    }
    return true;
}

// A plan that neither hurries nor presses hard: where an arm presses hard on the ball the motion is
// unstable, and any difference grows.
static bool refine_gentle(LitheTrial *trial) {
    static const char *const sets[] = {"plan.directions=4",       "plan.duration=2 s",
                                       "plan.steps=50",           "plan.cost.error=2",
                                       "plan.bounds.force=1.5 N", "plan.rounding=1 mm"};
    char path[4200];
    LitheCliPlan plan;
    bool good = plan_about(trial, 'x', sets, (int32_t)(sizeof sets / sizeof *sets), &plan, path,
                           sizeof path) == LITHE_OK &&
                play_refined(trial, &plan);
    plan_end(&plan);
    return good;
}

bool lithe_case_ball_playback(LitheTrial *trial) {
    static const char *const sets[] = {"plan.directions=4"};
    if (!refine_gentle(trial))
        return false;
    for (char axis = 'x'; axis <= 'z'; axis++) {
        char path[4200];
        LitheCliPlan plan;
        bool good =
            plan_about(trial, axis, sets, axis != 'x', &plan, path, sizeof path) == LITHE_OK &&
            play_tracked(trial, &plan, axis);
        plan_end(&plan);
        if (!good)
            return false;
    }
    return true;
}
