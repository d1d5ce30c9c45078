// SPDX-License-Identifier: Apache-2.0
// plan/receding.h - plans over a receding horizon: replan from the state of now, act by the first
// step

#ifndef LITHE_PLAN_RECEDING_H
#define LITHE_PLAN_RECEDING_H

#include "plan/turn.h"

typedef struct LitheReceding LitheReceding;

/// What a replan did.
typedef struct LitheReplan {
    LitheInteriorEnd end;
    int32_t iterations;
    double seconds;
    bool usable; // converged, or the limit of iterations leaves a violation of at most 1e-3
} LitheReplan;

/// A horizon of `turn->stages` steps from the start of the turn. Products are bounded by 1e-4, not
/// by the epsilon of the turn: a replan has milliseconds, and only its first step acts.
LitheStatus lithe_receding_create(LitheContext *context, const LitheTurn *turn,
                                  LitheReceding **receding, LitheError *error);
void lithe_receding_destroy(LitheReceding *receding);

/// Plans from a state: `now` holds lengths, speeds, quaternion and angular velocity at their places
/// of a stage (LITHE_AT_LENGTHS to LITHE_AT_SPIN + 2). Returns the stages of the horizon; the first
/// one has the efforts of the next step. The next call begins with them, shifted by a step.
const double *lithe_receding_plan(LitheReceding *receding, const double *now, LitheReplan *replan);

#endif
