// SPDX-License-Identifier: Apache-2.0
// solve/replay.h - a convex problem as a file, to be solved again

#ifndef LITHE_SOLVE_REPLAY_H
#define LITHE_SOLVE_REPLAY_H

#include "data/system.h"
#include "solve/convex.h"

/// Writes the convex problem ((V22) in data/system.h), the settings and the velocity `start`
/// [dof_count] that the solver starts from, as text; reading restores every number exactly.
LitheStatus lithe_replay_write(const LitheSystem *system, const LitheConvexSetting *setting,
                               const double *start, const char *path, LitheError *error);

/// Reads a problem into a zeroed system, ready for lithe_convex_solve; `start` is read into
/// system->w. What only a model knows stays empty: the list of units (rods, trees, sets of
/// particles) that take part, Jacobians of held DoFs, `linear` and `angular` of the couplings. End
/// with lithe_system_release, also after a failure.
LitheStatus lithe_replay_read(LitheContext *context, const char *path, LitheSystem *system,
                              LitheConvexSetting *setting, LitheError *error);

#endif
