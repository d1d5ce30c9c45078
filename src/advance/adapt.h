// SPDX-License-Identifier: Apache-2.0
// advance/adapt.h - step-size control by errors, events and effort

#ifndef LITHE_ADVANCE_ADAPT_H
#define LITHE_ADVANCE_ADAPT_H

#include "data/state.h"
#include "data/work.h"

/// Errors of a step relative to the allowed ones.
typedef struct LitheStepErrors {
    double motion;  // of the integrator
    double contact; // of the gaps of active contacts
} LitheStepErrors;

/// Max halvings of a step.
enum { LITHE_ADAPT_LEVELS = 40 };

/// Max halvings of the largest step of this model.
int32_t lithe_adapt_levels(const LitheModel *model);

/// Length of the largest step after `level` halvings, in seconds and as a number of smallest steps.
double lithe_adapt_length(const LitheModel *model, int32_t level);
int64_t lithe_adapt_ticks(const LitheModel *model, int32_t level);

/// The level to begin with: that of the state, or a higher one where a longer step would skip a
/// known event; `limit` gets the reason.
int32_t lithe_adapt_begin(const LitheModel *model, const LitheState *state, LitheStepLimit *limit);

/// Errors of an attempted step of length `h` from `before` to `after`; `work` is that of the
/// attempt.
LitheStepErrors lithe_adapt_measure(const LitheModel *model, const LitheState *before,
                                    const LitheState *after, double h, const LitheWork *work);

/// Whether the errors require that the attempt is repeated in halves; `limit` gets which error
/// does.
bool lithe_adapt_refuses(const LitheStepErrors *errors, LitheStepLimit *limit);

/// After a step: updates the time and the level of the next step.
void lithe_adapt_end(const LitheModel *model, const LitheState *before, int32_t level,
                     const LitheStepErrors *errors, const LitheReport *report, LitheState *state);

#endif
