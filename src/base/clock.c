// SPDX-License-Identifier: Apache-2.0
// base/clock.c - monotonic time

#include "base/clock.h"

#include <time.h>

double lithe_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
