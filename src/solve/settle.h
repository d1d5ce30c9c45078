// SPDX-License-Identifier: Apache-2.0
// solve/settle.h - fixed-point iteration of the normal impulses that bound friction, from pass to
// pass

#ifndef LITHE_SOLVE_SETTLE_H
#define LITHE_SOLVE_SETTLE_H

#include "data/system.h"

/// Discards earlier passes; allocates for the couplings of the system. False when out of memory.
bool lithe_settle_begin(LitheSystem *system);

/// The relative difference of the present impulses from the bounds of friction (V27); 0 where
/// nothing depends on bounds.
double lithe_settle_measure(LitheSystem *system);

/// The same within a pass. If it is above `max`, sets new bounds from these impulses, which does
/// not count as a pass.
double lithe_settle_early(LitheSystem *system, double max);

/// Sets new bounds from these impulses, for another pass. Call after lithe_settle_measure.
void lithe_settle(LitheSystem *system);

#endif
