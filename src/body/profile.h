// SPDX-License-Identifier: Apache-2.0
// body/profile.h - a number that changes in time: value, rate, corners

#ifndef LITHE_BODY_PROFILE_H
#define LITHE_BODY_PROFILE_H

#include "data/model.h"

double lithe_profile_at(const LitheProfile *profile, double time);
double lithe_profile_rate(const LitheProfile *profile, double time);

/// A span of time; times that differ by at most `same` are equal.
typedef struct LitheSpan {
    double from, to; // s
    double same;     // s
    bool corners;    // of tables that are not smooth alone: nor do oscillations count
} LitheSpan;

/// Whether one of the times (ascending) lies within the span. With `jumps` the end of the span
/// counts, too: a value that jumps there acts in the whole step.
bool lithe_times_within(const double *times, int32_t count, bool jumps, const LitheSpan *span);

/// Whether the table of a profile has a corner or a jump within the span, or the span is too long a
/// part of the period of its oscillation.
bool lithe_profile_within(const LitheProfile *profile, const LitheSpan *span);

#endif
