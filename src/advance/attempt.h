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

/// For the smallest piece, whose solve found no end: from work->before again with couplings that
/// are regularised 10, 100 .. times as strongly, until the solve converges and nothing crosses
/// (`report`->softened is then 1). False when it never does: state and report are worthless then.
/// `status` other than LITHE_OK: why it had to stop, with the error.
bool lithe_attempt_softened(const LitheModel *model, LitheState *state, double h, LitheWork *work,
                            LitheReport *report, LitheStatus *status, LitheError *error);

/// LITHE_CANNOT_GO_ON with `why`, where and when, and what may help.
LitheStatus lithe_cannot_step(const LitheModel *model, double time, double h, const char *why,
                              LitheError *error);

#endif
