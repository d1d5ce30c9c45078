// SPDX-License-Identifier: Apache-2.0
// advance/runaway.h - a step that takes more work than it may: what ran away

#ifndef LITHE_ADVANCE_RUNAWAY_H
#define LITHE_ADVANCE_RUNAWAY_H

#include "data/work.h"

/// Fails with the thing whose velocities grew most in a step that took more than time.max-work, and
/// the cavity whose volume changed most. `start` is the state at the start of the step.
LitheStatus lithe_runaway_fail(const LitheModel *model, const LitheState *start,
                               const LitheWork *work, const LitheReport *report, LitheError *error);

#endif
