// SPDX-License-Identifier: Apache-2.0
// run/schedule.h - at which steps a run ends and takes frames, counted in whole steps

#ifndef LITHE_RUN_SCHEDULE_H
#define LITHE_RUN_SCHEDULE_H

#include <stdint.h>

/// The first step whose time reaches `end`: at least 1.
int64_t lithe_schedule_end(double end, double step);

/// The first step after `now` at which a frame is due: frame k at the first step whose time
/// reaches k `every`. If `every` is 0 or shorter than a step, a frame is due at every step.
int64_t lithe_schedule_next(double every, double step, int64_t now);

#endif
