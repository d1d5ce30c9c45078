// SPDX-License-Identifier: Apache-2.0
// advance/press.h - the part of a step that couples rods, under contact models with potentials
//
// The same three parts as advance/touch.h, which calls them.

#ifndef LITHE_ADVANCE_PRESS_H
#define LITHE_ADVANCE_PRESS_H

#include "base/status.h"
#include "data/state.h"
#include "data/work.h"

/// Whether contact goes through potentials: rods then have no free motion of their own.
static inline bool lithe_presses(const LitheModel *model) {
    return model->contact.model != LITHE_CONTACT_CONVEX;
}

/// Room for it in a work, where the model needs it.
bool lithe_press_open(LitheWork *work);
void lithe_press_close(LitheWork *work);

/// Pairs of edges, and the largest force of a pair.
LitheStatus lithe_press_begin(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                              LitheWork *work, LitheError *error);

/// After ops->begin of all rods: their motion, in their work.
LitheStatus lithe_press_solve(const LitheModel *model, const LitheState *state,
                              const LitheStepPlan *plan, LitheWork *work, LitheError *error);

/// Accounts and the report.
void lithe_press_end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                     LitheWork *work, LitheReport *report);

#endif
