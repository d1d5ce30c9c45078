// SPDX-License-Identifier: Apache-2.0
// solve/contact_model.h - the table of contact models: how the units of a step are coupled
//
// A contact model is one row of the table in solve/contact_model.c. What it supports is listed in
// lithe_contact_model_info (lithe/constraint.h), which scenes are checked against. The row has the
// calls of a step, in this order: begin (contacts at the start of the step), solve (the motion of
// all units), end (forces, sums and the report), then contacts for readers.

#ifndef LITHE_SOLVE_CONTACT_MODEL_H
#define LITHE_SOLVE_CONTACT_MODEL_H

#include "base/status.h"
#include "data/state.h"
#include "data/work.h"

typedef struct LitheContactSolver {
    /// Units have no free motion: after ops->begin of each unit, `solve` computes the motion of all
    /// units together.
    bool together;

    /// A solve that did not converge may be repeated with stronger regularisation, and contacts
    /// may be held (LitheAttempt).
    bool regularises;

    /// create allocates work->contact_scratch, destroy frees it (also after a failed create). NULL:
    /// the model has no scratch memory.
    bool (*create)(LitheWork *work);
    void (*destroy)(LitheWork *work);

    /// At the start of the step: contacts, into work->contacts, and which constraints act.
    LitheStatus (*begin)(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                         LitheWork *work, LitheError *error);

    /// After the free motion: the motion with all couplings, in the work of the units.
    LitheStatus (*solve)(const LitheModel *model, const LitheState *state,
                         const LitheStepPlan *plan, LitheWork *work, LitheError *error);

    /// After the units have moved: forces of constraints and drives, their work, and the report.
    void (*end)(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                LitheWork *work, LitheReport *report);

    /// Contacts of the last step, including those without force, and one of them (data/work.c).
    /// Called only when outcome.passes > 0.
    int32_t (*contact_count)(const LitheWork *work);
    LitheContactForce (*contact_force)(const LitheWork *work, int32_t index);
} LitheContactSolver;

const LitheContactSolver *lithe_contact_solver(const LitheModel *model);

/// Gap up to which contacts are found, in addition to the displacement in a step of length h [m].
double lithe_contact_margin(const LitheModel *model, double h);

/// Factor of the distance of its search (LitheCollideOptions.glide): with the laws `sap` and
/// `similar`, things that slide keep a gap of h mu times their speed.
double lithe_contact_glide(const LitheModel *model);

#endif
