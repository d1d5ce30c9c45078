// SPDX-License-Identifier: Apache-2.0
// scene/plan.h - inside of a motion to be planned

#ifndef LITHE_SCENE_PLAN_H
#define LITHE_SCENE_PLAN_H

#include "scene/check.h"

/// Max numbers of epsilon.
#define LITHE_PLAN_LEVELS 10

/// Checks the plan of the scene, if it has one.
void lithe_check_plan(LitheCheck *check);

/// Whether a scene has this plan.
static inline bool lithe_plan_def_is_given(const LithePlanDef *p) {
    return p->disk.number > 0 || p->ball.number > 0 || p->hand.box.number > 0;
}

#endif
