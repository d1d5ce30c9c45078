// SPDX-License-Identifier: Apache-2.0
// solve/equilibrium.h - the nearest stable equilibrium

#ifndef LITHE_SOLVE_EQUILIBRIUM_H
#define LITHE_SOLVE_EQUILIBRIUM_H

#include "body/unit.h"

/// lithe_equilibrium without its backup: after a failure the state is that of the end of the
/// search.
LitheStatus lithe_equilibrium_find(const LitheModel *model, LitheState *state, LitheWork *work,
                                   LitheReport *report, LitheError *error);

#endif
