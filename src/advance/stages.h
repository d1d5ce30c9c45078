// SPDX-License-Identifier: Apache-2.0
// advance/stages.h - a step of TR-BDF2: two implicit stages

#ifndef LITHE_ADVANCE_STAGES_H
#define LITHE_ADVANCE_STAGES_H

#include "advance/free.h"

/// One solve of all units by the plan of a job (advance/step.c).
typedef LitheStatus LitheSolveFn(LitheStepJob *job, LitheReport *report, LitheError *error);

/// LITHE_CANNOT_GO_ON where a unit cannot begin its step (advance/step.c).
LitheStatus lithe_cannot_begin(const LitheStepJob *job, LitheError *error);

/// As lithe_step_once; work->before holds the state at the start.
LitheStatus lithe_step_stages(const LitheModel *model, LitheState *state,
                              const LitheAttempt *attempt, LitheWork *work, LitheSolveFn *solve,
                              LitheReport *report, LitheError *error);

#endif
