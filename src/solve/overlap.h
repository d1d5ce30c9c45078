// SPDX-License-Identifier: Apache-2.0
// solve/overlap.h - the energy stored in the overlaps of a state

#ifndef LITHE_SOLVE_OVERLAP_H
#define LITHE_SOLVE_OVERLAP_H

#include "data/state.h"
#include "data/work.h"

/// The overlap at which the centrelines of rods meet each other or a surface: the sum of the half
/// thicknesses of both sides (`room` of law/stiffening.h); of a point of a surface, at which it
/// meets the inner shape. INFINITY: the contact does not stiffen.
double lithe_contact_room(const LitheModel *model, const LitheContactParts *parts);

/// Whether the last search found parts near each other that touch by patches but did not yet: the
/// solve does not know what they store at the end of the step.
bool lithe_patches_unseen(const LitheModel *model, const LitheWork *work);

/// Energy stored in the springs of all contacts that overlap in `state` [J], stiffened as (Z5)
/// says. The contacts are searched again, in work->sweep; where work->outcome.strayed is known,
/// which is for the end of the step, among the pairs of work->contacts. False, with 0, when out of
/// memory.
bool lithe_overlap_energy(const LitheModel *model, const LitheState *state, LitheWork *work,
                          double *energy);

#endif
