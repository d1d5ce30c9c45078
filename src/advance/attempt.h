// SPDX-License-Identifier: Apache-2.0
// advance/attempt.h - one substep: attempts and their judges, until one is accepted

#ifndef LITHE_ADVANCE_ATTEMPT_H
#define LITHE_ADVANCE_ATTEMPT_H

#include "advance/certify.h"
#include "advance/ladder.h"
#include "base/status.h"
#include "data/state.h"
#include "data/work.h"

/// The step that substeps belong to.
typedef struct LitheTrial {
    const LitheModel *model;
    LitheWork *work;
    LitheReport *report;  // of the step so far
    LitheError error;     // also of attempts that were repeated, which are no errors of the step
    LitheStatus status;   // of a substep that failed
    LitheStepLimit limit; // what was wrong with a substep that is to be halved
    int32_t halts;        // substeps in a row without motion (T25)
    bool in_substeps;     // work->start has the start of the step; else work->before has it
} LitheTrial;

/// Result of a substep.
typedef enum LitheVerdict {
    LITHE_ACCEPTED, // the state is that of its end
    LITHE_REJECTED, // repeat it in halves
    LITHE_STOPPED,  // it failed: trial->status and trial->error say why
} LitheVerdict;

/// Tries one substep of length `h` of a step that was halved `halvings` times, from work->before,
/// which becomes a copy of `state`.
LitheVerdict lithe_try_substep(LitheTrial *trial, LitheState *state, double h, bool smallest,
                               int32_t halvings, LitheReport *substep);

/// Why a step fails after many substeps without motion.
LitheStatus lithe_fail_halted(LitheTrial *trial, double h);

#endif
