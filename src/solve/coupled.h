// SPDX-License-Identifier: Apache-2.0
// solve/coupled.h - units that touch or are constrained: convex solves until the true balance holds

#ifndef LITHE_SOLVE_COUPLED_H
#define LITHE_SOLVE_COUPLED_H

#include "assemble/assemble.h"

/// Copies the impulses of the couplings into the work of the units that take part.
void lithe_coupled_hand_back(const LitheAssembly *all, LitheSystem *system);

/// From the free motion of all units to the motion with contacts, constraints and joint terms: w, r
/// and impulse in the work of the units that take part. Outcome in the system and the work. False
/// when a unit left its domain (its `finite` is then false).
bool lithe_coupled_solve(const LitheAssembly *all, LitheSystem *system);

/// After a step: forces of the constraints, from the impulses of their couplings, into the state;
/// constraints break, which the report counts.
void lithe_coupled_note_constraints(const LitheModel *model, LitheState *state,
                                    const LitheStepPlan *plan, const LitheSystem *system,
                                    LitheReport *report);

/// Contacts of a solved system, for readers (solve/contact_model.h).
int32_t lithe_coupled_contact_count(const LitheWork *work);
LitheContactForce lithe_coupled_contact(const LitheWork *work, int32_t index);

#endif
