// SPDX-License-Identifier: Apache-2.0
// solve/middle.h - contacts of the midpoint rule: seen and balanced in the middle of the step
//
// Under the midpoint rule, forces between units keep the angular momentum if their moments cancel
// at the middle of the step, q0 (+) h w/2. So contacts are searched at the predicted middle, their
// rows are evaluated there with one point for both sides, and the solve is repeated if the middle
// that it found is elsewhere (docs/theory/contact.md, section 7).

#ifndef LITHE_SOLVE_MIDDLE_H
#define LITHE_SOLVE_MIDDLE_H

#include "assemble/assemble.h"

/// Sets work->seen and work->middle to the middle that constant velocities predict. False when out
/// of memory.
bool lithe_middle_predict(const LitheModel *model, const LitheState *state,
                          const LitheStepPlan *plan, LitheWork *work);

/// Whether contacts may be searched at the predicted middle: none of work->contacts, found at the
/// start of the step, closes so fast that things would have changed sides there.
bool lithe_middle_is_near(const LitheModel *model, const LitheState *state, const LitheWork *work);

/// After a solve: moves work->middle to the middle that it found, and updates the lagged terms of
/// units there. False: contacts that act are where they were assumed.
bool lithe_middle_move(const LitheAssembly *all, LitheSystem *system);

#endif
