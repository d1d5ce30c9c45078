// SPDX-License-Identifier: Apache-2.0
// advance/strength.h - largest strains and stresses of rods, and warnings above their limits

#ifndef LITHE_ADVANCE_STRENGTH_H
#define LITHE_ADVANCE_STRENGTH_H

#include "data/monitor.h"
#include "data/state.h"

/// Raises the peaks of the monitor to those of `state`; logs a warning the first time that a strain
/// exceeds the limit of its rod, and the first time that a stress does.
void lithe_strength_check(const LitheModel *model, const LitheState *state, LitheMonitor *monitor);

#endif
