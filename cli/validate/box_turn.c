// SPDX-License-Identifier: Apache-2.0
// cli/validate/box_turn.c - two fingers turn a box by 90 degrees: plan and playback

#include "cli/cli.h"
#include "cli/plan_hand.h"
#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "scene/scene.h"

#define DEGREES (180 / M_PI)

static bool add_plan(LitheTrial *trial, const LitheHandResult *r) {
    return lithe_trial_add(trial, at_most(r->end != LITHE_INTERIOR_CONVERGED, 0),
                           "plan: not converged (1) [1]") &&
           lithe_trial_add(trial, at_most(1e3 * r->place, 5), "plan: box from its target [mm]") &&
           lithe_trial_add(trial, at_most(DEGREES * r->angle, 2),
                           "plan: box from its target [deg]") &&
           lithe_trial_add(trial, at_most(r->products, 1.02e-6), "plan: products of complements") &&
           lithe_trial_add(trial, at_most(r->equations, 1e-8), "plan: residual of equations") &&
           lithe_trial_add(trial, reported(r->state.cost), "plan: cost") &&
           lithe_trial_add(trial, reported(r->kinematic.iteration + r->state.iteration),
                           "plan: iterations") &&
           lithe_trial_add(trial, reported(r->seconds), "plan: wall time [s]");
}

static LitheStatus play(LitheTrial *trial, const LitheCliHand *plan) {
    static const char *const models[] = {"convex", "lcp"};
    for (int i = 0; i < 2; i++) {
        LitheCliHandPlayback p;
        LitheStatus status = lithe_cli_hand_play(plan, models[i], NULL, &p, &trial->error);
        if (status != LITHE_OK)
            return status;
        if (!lithe_trial_add(trial, at_most(1e3 * p.place, 5),
                             "simulated by %s: box from its target [mm]", models[i]) ||
            !lithe_trial_add(trial, at_most(DEGREES * p.angle, 2),
                             "simulated by %s: box from its target [deg]", models[i]))
            return LITHE_NO_MEMORY;
    }
    return LITHE_OK;
}

bool lithe_case_box_turn(LitheTrial *trial) {
    char folder[4096], path[4200];
    LitheError *error = &trial->error;
    LitheScene *scene = NULL;
    if (!lithe_cli_scene_folder(folder, sizeof folder))
        return lithe_fail(error, LITHE_FILE_ERROR, "the included scenes were not found") ==
               LITHE_OK;
    snprintf(path, sizeof path, "%s/plan-hand.yaml", folder);
    LitheCliHand plan = {.context = trial->context, .path = path};
    LitheStatus status = lithe_scene_load(plan.context, path, NULL, 0, &scene, error);
    plan.scene = scene;
    if (status == LITHE_OK)
        status = lithe_hand_of_scene(scene, &plan.hand, &plan.place, error);
    int64_t n = (int64_t)plan.hand.stages * LITHE_HAND_VARIABLES;
    if (status == LITHE_OK && (plan.x = lithe_alloc_array(plan.context, n, sizeof(double))) == NULL)
        status = lithe_fail_memory(error, "a plan");
    if (status == LITHE_OK)
        status = lithe_hand_solve(plan.context, &plan.hand, plan.x, &plan.result, error);
    if (status == LITHE_OK && !add_plan(trial, &plan.result))
        status = LITHE_NO_MEMORY;
    if (status == LITHE_OK)
        status = play(trial, &plan);
    lithe_free(plan.context, plan.x);
    lithe_scene_destroy(scene);
    return status == LITHE_OK;
}
