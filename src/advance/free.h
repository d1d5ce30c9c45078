// SPDX-License-Identifier: Apache-2.0
// advance/free.h - the free motion of units: each alone, without contacts and constraints

#ifndef LITHE_ADVANCE_FREE_H
#define LITHE_ADVANCE_FREE_H

#include "data/state.h"
#include "data/work.h"

/// One step of any length, for tasks of the pool.
typedef struct LitheStepJob {
    const LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheStepPlan plan;
} LitheStepJob;

/// Moves all units, or only begins their step: units that something touches wait for the coupled
/// solve where it does not need their free motion. `finite` of a unit's work says whether it
/// succeeded.
void lithe_free_motion(LitheStepJob *job);

/// After the coupled solve: the free motion of units that waited and that no coupling acts on.
void lithe_free_motion_late(LitheStepJob *job);

#endif
