// SPDX-License-Identifier: Apache-2.0
// advance/step.h - one step of any length

#ifndef LITHE_ADVANCE_STEP_H
#define LITHE_ADVANCE_STEP_H

#include "data/state.h"
#include "data/work.h"

/// Advances `state` by attempt->h, except its clock. After a failure the state is undefined: the
/// caller must keep a copy of the previous one.
LitheStatus lithe_step_once(const LitheModel *model, LitheState *state, const LitheAttempt *attempt,
                            LitheWork *work, LitheReport *report, LitheError *error);

/// LITHE_CANNOT_GO_ON with the cause `why`, the time and length of the step, and what may help.
LitheStatus lithe_cannot_step(const LitheModel *model, double time, double h, const char *why,
                              LitheError *error);

/// What a step that was given up returns: LITHE_INTERRUPTED, so that it is not repeated in parts.
LitheStatus lithe_given_up(const LitheState *state, LitheError *error);

#endif
