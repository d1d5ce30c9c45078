// SPDX-License-Identifier: Apache-2.0
// advance/free.h - the free motion of units: each by itself, as if nothing touched it

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

/// Moves all units, or only begins their step: those that something touches wait for the coupled
/// solve where their free motion would be of no use to it. `finite` of a unit's work says whether
/// it could.
void lithe_free_motion(LitheStepJob *job);

/// After the coupled solve: the free motion of units that waited and that nothing coupled.
void lithe_free_motion_late(LitheStepJob *job);

#endif
