// SPDX-License-Identifier: Apache-2.0
// solve/persistent.h - couplings in the stages of TR-BDF2: which of them persist from step to step
//
// A force that persists (a closed contact, a constraint) is integrated like the forces of units,
// with the second order of the scheme. The force of an impact is not a smooth function of time: its
// impulse is that of backward Euler in each stage. With lambda0, lambda1, lambda2 the forces at the
// start of a step and at the ends of its stages, the impulse of a step is h times
//     (T10)  w lambda0 + w lambda1 + d lambda2          a coupling that persists
//     (T11)  2 d lambda1 + (1 - 2 d) lambda2            a coupling that does not persist
//     (T12)  w lambda0 + d lambda1 + w lambda2          it ceased to persist in the first stage
// docs/theory/time.md.

#ifndef LITHE_SOLVE_PERSISTENT_H
#define LITHE_SOLVE_PERSISTENT_H

#include "assemble/assemble.h"

/// At the start of a step in stages, after it is known which constraints act. `switched`: some
/// began or ended with it; then the forces at the end of the last step are not those at the start
/// of this one, and all couplings are new (T11), as in the first step of a run and after one by
/// backward Euler.
void lithe_persistent_begin(const LitheModel *model, LitheState *state, bool switched,
                            LitheWork *work);

/// The multiple of the stage for which the force of a contact acts.
double lithe_contact_weight(const LitheModel *model, const LitheState *state,
                            const LitheStepPlan *plan, const LitheWork *work,
                            const LitheContact *contact);

/// Sets the weights of the couplings of constraints and own DoFs. Call after their laws.
void lithe_weigh_terms(const LitheAssembly *all, LitheSystem *system);

/// Memory for lithe_persistent_end, once the couplings are known. False when out of memory.
bool lithe_persistent_reserve(const LitheStepPlan *plan, LitheWork *work);

/// After the solve of a stage, or of a step of backward Euler: which couplings persist, energy that
/// couplings took, and the impulses or forces that the next stage starts from.
void lithe_persistent_end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                          LitheWork *work);

/// Impulses on all DoFs [v_count] of the normal forces of contacts, of constraints and of limits,
/// in the last solve.
void lithe_coupling_impulses(const LitheModel *model, const LitheWork *work, double *sum);

/// Energy stored in the springs of contacts at the end of the last solve [J]: by their forces,
/// without dissipation.
double lithe_contacts_stored(const LitheWork *work);

#endif
