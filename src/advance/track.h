// SPDX-License-Identifier: Apache-2.0
// advance/track.h - follows a plan in a simulation: a linear-quadratic regulator that varies with
// time
//
// Steps are linearised along the plan (lithe_linearise); gains minimise the weighted squares of
// deviations and of corrections (theory/planning.md).

#ifndef LITHE_ADVANCE_TRACK_H
#define LITHE_ADVANCE_TRACK_H

#include "lithe/control.h"

typedef struct LitheTracker LitheTracker;

/// Deviations and corrections that cost as much as each other.
typedef struct LitheTrackScales {
    const double *states; // [2 velocities of the state]: displacements, then velocities
    double target;        // of actuators
    double most;          // corrections are clipped here
    double final;         // factor of the costs at the end
} LitheTrackScales;

/// For `steps` steps of a model; `scales` is copied.
LitheStatus lithe_tracker_create(const LitheModel *model, int32_t steps,
                                 const LitheTrackScales *scales, LitheTracker **tracker,
                                 LitheError *error);
void lithe_tracker_destroy(LitheTracker *tracker);

/// Step k of the plan: from `state`, with its targets of actuators. `free`: gains are dropped,
/// since contacts open or close in the next step.
LitheStatus lithe_tracker_add(LitheTracker *tracker, int32_t k, const LitheState *state,
                              LitheWork *work, bool free, LitheError *error);

/// After all steps: finds the gains.
LitheStatus lithe_tracker_solve(LitheTracker *tracker, LitheError *error);

/// Adds the correction of step k, from the deviation of `state`, to `targets` [actuators]. Returns
/// the largest one before it was clipped.
double lithe_tracker_correct(const LitheTracker *tracker, int32_t k, const LitheState *state,
                             double *targets);

/// Columns in which contacts changed at a state of the plan itself, summed over the steps.
int32_t lithe_tracker_changed(const LitheTracker *tracker);

#endif
