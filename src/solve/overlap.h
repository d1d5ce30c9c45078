// SPDX-License-Identifier: Apache-2.0
// solve/overlap.h - the energy stored in the overlaps of a state

#ifndef LITHE_SOLVE_OVERLAP_H
#define LITHE_SOLVE_OVERLAP_H

#include "data/state.h"
#include "data/work.h"

/// Energy stored in the springs of all contacts that overlap in `state` [J], stiffened as (Z5)
/// says. The contacts are searched again, in work->sweep. False, with 0, when out of memory.
bool lithe_overlap_energy(const LitheModel *model, const LitheState *state, LitheWork *work,
                          double *energy);

#endif
