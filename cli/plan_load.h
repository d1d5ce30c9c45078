// SPDX-License-Identifier: Apache-2.0
// cli/plan_load.h - the scene of a plan, for a playback

#ifndef LITHE_CLI_PLAN_LOAD_H
#define LITHE_CLI_PLAN_LOAD_H

#include "lithe/contact.h"
#include "lithe/model.h"
#include "lithe/rigid.h"

typedef struct LitheCliPlanSource {
    LitheContext *context;
    const char *path; // of the scene
    const char *const *sets;
    int32_t set_count;
    const char *model; // of contact: "lcp", "convex"
    double step;       // of the plan
    int32_t stages;
} LitheCliPlanSource;

typedef struct LitheCliPlanWorld {
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
} LitheCliPlanWorld;

/// The scene with the step and the duration of the plan, and another contact model.
LitheStatus lithe_cli_plan_load(const LitheCliPlanSource *from, LitheCliPlanWorld *to,
                                LitheError *error);
void lithe_cli_plan_unload(LitheCliPlanWorld *world);

/// The side of a contact of a plan: the first shape of the body that touches.
LitheContactSide lithe_cli_plan_side(const LitheScene *scene, LitheBodyId body);

#endif
