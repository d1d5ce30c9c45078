// SPDX-License-Identifier: Apache-2.0
// advance/touch.h - the part of a step that couples bodies: contacts, constraints, joint terms

#ifndef LITHE_ADVANCE_TOUCH_H
#define LITHE_ADVANCE_TOUCH_H

#include "base/status.h"
#include "data/state.h"
#include "data/work.h"

/// Room for it in a work, and its end (accepts what open left behind when out of memory).
bool lithe_touch_open(LitheWork *work);
void lithe_touch_close(LitheWork *work);

/// At the start of the step: which constraints act, and what touches what.
LitheStatus lithe_touch_begin(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                              LitheWork *work, LitheError *error);

/// After the free motion: the motion with all couplings, in the work of the bodies.
LitheStatus lithe_touch_solve(const LitheModel *model, const LitheState *state,
                              const LitheStepPlan *plan, LitheWork *work, LitheError *error);

/// After the bodies have moved: forces of constraints and drives, their work, and the report.
void lithe_touch_end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                     LitheWork *work, LitheReport *report);

#endif
