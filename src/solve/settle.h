// SPDX-License-Identifier: Apache-2.0
// solve/settle.h - from pass to pass: the normal impulses that bound friction, until they settle

#ifndef LITHE_SOLVE_SETTLE_H
#define LITHE_SOLVE_SETTLE_H

#include "data/system.h"

/// Forgets earlier passes; room for the couplings of the system. False when out of memory.
bool lithe_settle_begin(LitheSystem *system);

/// Sets new bounds from the present impulses where these are further off than `most` (V27); says
/// whether it did. No pass is counted.
bool lithe_settle_early(LitheSystem *system, double max);

/// Sets new bounds from the impulses of a solution. Returns how far these were from the bounds they
/// were found with, relative to them (V27); 0 where nothing depends on bounds.
double lithe_settle(LitheSystem *system);

#endif
