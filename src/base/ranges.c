// SPDX-License-Identifier: Apache-2.0
// base/ranges.c - loops over ranges of items, whose sums have the same bits for every pool

#include "base/threads.h"

#include <stddef.h>
#include <string.h>

// fewer ranges are too uneven to share
enum { FEW_RANGES = 4 };

typedef struct Loop {
    int32_t count, grain;
    LitheRangeFn *fn;
    void *user;
    double *partial;
} Loop;

static void run_range(int32_t range, void *user) {
    const Loop *loop = user;
    int32_t first = range * loop->grain, left = loop->count - first;
    // sum locally: the stored sums of other threads may be in the same cache line
    double sums[LITHE_RANGE_SUMS] = {0};
    loop->fn(range, first, first + (left < loop->grain ? left : loop->grain), sums, loop->user);
    memcpy(loop->partial + LITHE_RANGE_SUMS * (ptrdiff_t)range, sums, sizeof sums);
}

void lithe_pool_ranges(LithePool *pool, int32_t count, int32_t grain, double cost, LitheRangeFn *fn,
                       void *user, double *partial, double sums[LITHE_RANGE_SUMS]) {
    int32_t ranges = lithe_range_count(count, grain);
    Loop loop = {count, grain, fn, user, partial};
    if (ranges == 1) {
        run_range(0, &loop);
        for (int k = 0; k < LITHE_RANGE_SUMS; k++)
            sums[k] = 0 + partial[k];
        return;
    }
    lithe_pool_run(ranges < FEW_RANGES ? NULL : pool, ranges, cost, run_range, &loop);
    for (int k = 0; k < LITHE_RANGE_SUMS; k++) {
        sums[k] = 0;
        for (int32_t i = 0; i < ranges; i++)
            sums[k] += partial[LITHE_RANGE_SUMS * (ptrdiff_t)i + k];
    }
}
