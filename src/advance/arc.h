// SPDX-License-Identifier: Apache-2.0
// advance/arc.h - steps along a path of equilibria by its arc length

#ifndef LITHE_ADVANCE_ARC_H
#define LITHE_ADVANCE_ARC_H

#include "body/unit.h"

/// One step of a model with time.follow arc-length, from the path in `state`; the first one starts
/// at the equilibrium under the loads of t = 0. A failed step leaves the state unchanged. The
/// caller advances the clock. Allocates.
LitheStatus lithe_path_step(const LitheModel *model, LitheState *state, LitheWork *work,
                            LitheReport *report, LitheError *error);

#endif
