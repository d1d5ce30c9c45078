// SPDX-License-Identifier: Apache-2.0
// run/schedule.c - times of frames as multiples of a step, such that rounding never adds a step

#include "run/schedule.h"

#include <math.h>

// A step counts as reaching a time that is later by this fraction of a step: far above the rounding
// error of k every / step, far below any intended difference.
#define REACHED 1e-6
// max steps
#define STEPS_MAX 9e15

static int64_t first_reaching(double steps) {
    return steps < STEPS_MAX ? (int64_t)ceil(steps - REACHED) : (int64_t)STEPS_MAX;
}

int64_t lithe_schedule_end(double end, double step) {
    int64_t steps = first_reaching(end / step);
    return steps > 1 ? steps : 1;
}

int64_t lithe_schedule_next(double every, double step, int64_t now) {
    double ratio = every / step;
    if (!(ratio > 1))
        return now + 1;
    // start one frame early, so that rounding of the division cannot skip one
    double k = floor((double)now / ratio);
    while (first_reaching(k * ratio) <= now)
        k++;
    return first_reaching(k * ratio);
}
