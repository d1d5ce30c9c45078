// SPDX-License-Identifier: Apache-2.0
// base/clock.h - wall time for reports and progress; results never depend on it

#ifndef LITHE_BASE_CLOCK_H
#define LITHE_BASE_CLOCK_H

/// Seconds of a clock that never goes back.
double lithe_clock(void);

#endif
