// SPDX-License-Identifier: Apache-2.0
// body/profile.c - a number that changes in time: value, rate, corners

#include "body/profile.h"

#include <math.h>

// longest step over the period of an oscillation
#define LONGEST_PART (1.0 / 16)

// table part: value, and slope in *rate
static double table_at(const LitheProfileDef *def, double time, double *rate) {
    *rate = 0;
    if (def->count == 0)
        return def->value;
    if (time < def->times[0])
        return def->values[0];
    if (time >= def->times[def->count - 1])
        return def->values[def->count - 1];

    // the interval [times[low], times[low + 1]) that holds the time
    int32_t low = 0, high = def->count - 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (time < def->times[middle])
            high = middle;
        else
            low = middle;
    }
    double span = def->times[low + 1] - def->times[low];
    double rise = def->values[low + 1] - def->values[low];
    double s = (time - def->times[low]) / span;
    if (def->kind == LITHE_PROFILE_HOLD)
        return def->values[low];
    if (def->kind == LITHE_PROFILE_SMOOTH) {
        *rate = rise * 6 * s * (1 - s) / span;
        return def->values[low] + rise * s * s * (3 - 2 * s);
    }
    *rate = rise / span;
    return def->values[low] + rise * s;
}

double lithe_profile_at(const LitheProfile *profile, double time) {
    const LitheProfileDef *def = &profile->def;
    double rate, value = table_at(def, time, &rate) + def->rate * time;
    if (def->amplitude != 0)
        value += def->amplitude * sin(2 * M_PI * def->frequency * time + def->phase);
    return value;
}

double lithe_profile_rate(const LitheProfile *profile, double time) {
    const LitheProfileDef *def = &profile->def;
    double rate;
    table_at(def, time, &rate);
    rate += def->rate;
    double omega = 2 * M_PI * def->frequency;
    if (def->amplitude != 0)
        rate += def->amplitude * omega * cos(omega * time + def->phase);
    return rate;
}

bool lithe_times_within(const double *times, int32_t count, bool jumps, const LitheSpan *span) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (times[middle] <= span->from + span->same)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && times[low] < span->to + (jumps ? span->same : -span->same);
}

bool lithe_profile_within(const LitheProfile *profile, const LitheSpan *span) {
    const LitheProfileDef *def = &profile->def;
    double periods = fabs(def->frequency) * (span->to - span->from);
    if (span->corners && def->kind == LITHE_PROFILE_SMOOTH)
        return false;
    return (def->amplitude != 0 && !span->corners && periods > LONGEST_PART) ||
           lithe_times_within(def->times, def->count, def->kind == LITHE_PROFILE_HOLD, span);
}
