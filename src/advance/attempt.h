// SPDX-License-Identifier: Apache-2.0
// advance/attempt.h - one attempt at a step of any length

#ifndef LITHE_ADVANCE_ATTEMPT_H
#define LITHE_ADVANCE_ATTEMPT_H

#include "advance/certify.h"
#include "data/state.h"
#include "data/work.h"

/// Moves `state` on by `h`; its clock stays. After a failure the state is worthless: the caller has
/// the one before.
LitheStatus lithe_attempt(const LitheModel *model, LitheState *state, double h, LitheWork *work,
                          LitheReport *report, LitheError *error);

/// For the smallest piece, where contacts are too soft to keep things apart at their speed: from
/// work->before again, with contacts that stop what approaches and push nothing apart. As
/// lithe_attempt, then lithe_certify into `crossing`.
LitheStatus lithe_attempt_held(const LitheModel *model, LitheState *state, double h,
                               LitheWork *work, LitheReport *report, LitheCrossing *crossing,
                               LitheError *error);

/// LITHE_CANNOT_GO_ON with `why`, where and when, and what may help.
LitheStatus lithe_cannot_step(const LitheModel *model, double time, double h, const char *why,
                              LitheError *error);

#endif
