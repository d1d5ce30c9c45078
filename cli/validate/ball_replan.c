// SPDX-License-Identifier: Apache-2.0
// cli/validate/ball_replan.c - a soft arm turns a ball in a simulation, replanned in every step

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/plan.h"

#include <stdio.h>

// a plan of a scene, played with replans; undisturbed and knocked
static LitheStatus play_all(LitheTrial *trial, LitheCliPlan *plan, char axis) {
    static const char *const models[] = {"convex", "lcp"};
    const double degrees = 180 / 3.14159265358979323846;
    LitheError *error = &trial->error;
    for (int i = 0; i < 4; i++) {
        bool knocked = i % 2 == 1;
        const LitheCliPlay how = {models[i / 2], 20, knocked ? 20 / degrees : 0};
        LitheCliPlayback play;
        LitheStatus status = lithe_cli_plan_play(plan, &how, NULL, &play, error);
        if (status != LITHE_OK)
            return status;
        if (!lithe_trial_add(trial, at_most(degrees * play.target, 5),
                             "about %c, %s%s: angle from the target at the end [deg]", axis,
                             how.model, knocked ? ", knocked by 20 degrees" : "") ||
            !lithe_trial_add(trial, reported(play.failed), "about %c, %s%s: failed [1]",
                             axis, how.model, knocked ? ", knocked" : "") ||
            !lithe_trial_add(trial, reported(1e3 * play.slow),
                             "about %c, %s%s: 95 %% of the replans within [ms]", axis, how.model,
                             knocked ? ", knocked" : ""))
            return LITHE_NO_MEMORY;
    }
    return LITHE_OK;
}

bool lithe_case_ball_replan(LitheTrial *trial) {
    char folder[4096], path[4200];
    LitheError *error = &trial->error;
    if (!lithe_cli_scene_folder(folder, sizeof folder))
        return lithe_fail(error, LITHE_FILE_ERROR, "the included scenes were not found") ==
               LITHE_OK;
    for (char axis = 'x'; axis <= 'z'; axis++) {
        snprintf(path, sizeof path, "%s/plan-%c.yaml", folder, axis);
        const char *sets[] = {"plan.directions=4"};
        LitheCliPlan plan = {.context = trial->context, .path = path, .sets = sets, .set_count = 1};
        LitheStatus status = lithe_scene_load(plan.context, path, sets, 1, &plan.scene, error);
        if (status == LITHE_OK)
            status = lithe_turn_of_scene(plan.scene, &plan.turn, &plan.place, error);
        int64_t n = plan.turn.stages * (int64_t)lithe_ball_task_variables(&plan.turn.model);
        if (status == LITHE_OK &&
            (plan.x = lithe_alloc_array(plan.context, n, sizeof(double))) == NULL)
            status = lithe_fail_memory(error, "a plan");
        if (status == LITHE_OK)
            status = lithe_turn_solve(plan.context, &plan.turn, plan.x, &plan.result, error);
        if (status == LITHE_OK)
            status = play_all(trial, &plan, axis);
        lithe_free(plan.context, plan.x);
        lithe_scene_destroy(plan.scene);
        if (status != LITHE_OK)
            return false;
    }
    return true;
}
