// SPDX-License-Identifier: Apache-2.0
// advance/load_step.h - one step of a load path, and whether its equilibrium is stable

#ifndef LITHE_ADVANCE_LOAD_STEP_H
#define LITHE_ADVANCE_LOAD_STEP_H

#include "body/unit.h"
#include "data/monitor.h"

/// One static step, to the equilibrium under the loads of `time`; after a failure `state` is as it
/// was.
LitheStatus lithe_load_step(const LitheModel *model, LitheState *state, double time,
                            LitheWork *work, LitheReport *report, LitheError *error);

/// The largest slip of a contact in the last search, into the report.
void lithe_note_slips(const LitheModel *model, const LitheWork *work, LitheReport *report);

/// (Q19): the work of what changes the elastic energy without motion, from one equilibrium to the
/// next one, into the sums of `state`. False when out of memory.
bool lithe_book_changes(const LitheModel *model, LitheState *before, LitheState *state);

/// `start: equilibrium` of a run: the equilibrium under the loads of the state. Warns of velocities
/// that are lost.
LitheStatus lithe_start_equilibrium(const LitheModel *model, LitheState *state, LitheWork *work,
                                    LitheReport *report, LitheError *error);

#endif
