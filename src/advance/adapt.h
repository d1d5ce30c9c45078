// SPDX-License-Identifier: Apache-2.0
// advance/adapt.h - how long the next step is: errors, events, effort

#ifndef LITHE_ADVANCE_ADAPT_H
#define LITHE_ADVANCE_ADAPT_H

#include "data/state.h"
#include "data/work.h"

/// Errors of a step over what is allowed.
typedef struct LitheStepErrors {
    double motion;  // of the integrator
    double contact; // of the gaps of contacts that press
} LitheStepErrors;

/// Most halvings of a step.
enum { LITHE_ADAPT_LEVELS = 40 };

/// An adaptive step is the largest one halved so many times at most.
int32_t lithe_adapt_levels(const LitheModel *model);

/// Length of a step of that level [s], and in smallest steps.
double lithe_adapt_length(const LitheModel *model, int32_t level);
int64_t lithe_adapt_ticks(const LitheModel *model, int32_t level);

/// The level to begin with: that of the state, or more where a longer step would jump over an
/// event that is known; `limit` says which.
int32_t lithe_adapt_begin(const LitheModel *model, const LitheState *state, LitheStepLimit *limit);

/// After an attempt of length `h` from `before` to `after`, with its work.
LitheStepErrors lithe_adapt_measure(const LitheModel *model, const LitheState *before,
                                    const LitheState *after, double h, const LitheWork *work);

/// Whether errors are such that the attempt is to be made again in halves, and because of which.
bool lithe_adapt_refuses(const LitheStepErrors *errors, LitheStepLimit *limit);

/// After a step: time, and the level of the next one.
void lithe_adapt_end(const LitheModel *model, const LitheState *before, int32_t level,
                     const LitheStepErrors *errors, const LitheReport *report, LitheState *state);

#endif
