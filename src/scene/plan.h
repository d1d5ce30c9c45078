// SPDX-License-Identifier: Apache-2.0
// scene/plan.h - inside of a motion to be planned

#ifndef LITHE_SCENE_PLAN_H
#define LITHE_SCENE_PLAN_H

#include "scene/check.h"
#include "scene/write.h"

/// Max numbers of epsilon.
#define LITHE_PLAN_LEVELS 10

/// Checks the plan of the scene, if it has one.
void lithe_check_plan(LitheCheck *check);

/// Writes the plan of the scene, if it has one.
void lithe_write_plan(LitheWriter *w);

#endif
