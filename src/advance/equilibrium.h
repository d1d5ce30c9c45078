// SPDX-License-Identifier: Apache-2.0
// advance/equilibrium.h - the nearest equilibrium of the whole model

#ifndef LITHE_ADVANCE_EQUILIBRIUM_H
#define LITHE_ADVANCE_EQUILIBRIUM_H

#include "body/unit.h"

/// One load step: from `state`, an equilibrium or not, to the equilibrium under the loads and
/// targets of its time. Slips of contacts are measured from `state`. After a failure `state` is the
/// last one of the search; work->start keeps the first one. Uses work->before.
LitheStatus lithe_equilibrium_find(const LitheModel *model, LitheState *state, LitheWork *work,
                                   LitheReport *report, LitheError *error);

#endif
