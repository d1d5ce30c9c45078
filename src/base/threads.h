// SPDX-License-Identifier: Apache-2.0
// base/threads.h - a small pool: runs independent tasks in parallel, same bits for every size

#ifndef LITHE_BASE_THREADS_H
#define LITHE_BASE_THREADS_H

#include "lithe/base.h"

typedef struct LithePool LithePool;

/// Task `index` of a job. Tasks of one job must not write what another one reads.
typedef void LitheTaskFn(int32_t index, void *user);

/// `threads` counts the caller: 1 starts no thread. NULL when out of memory or threads.
LithePool *lithe_pool_create(LitheContext *context, int32_t threads);

/// Accepts NULL.
void lithe_pool_destroy(LithePool *pool);

int32_t lithe_pool_size(const LithePool *pool);

/// Runs tasks 0 .. count-1 and returns when all are done. With a NULL `pool` the caller runs them
/// in order. A task must not run a job on the same pool. Work that is too large for one task runs
/// outside of the job, with the pool inside (lithe_units_run).
void lithe_pool_run(LithePool *pool, int32_t count, LitheTaskFn *task, void *user);

enum { LITHE_RANGE_SUMS = 4 };

/// Items first .. after - 1, which are range `range` of a loop; adds to sums [LITHE_RANGE_SUMS],
/// which begin as 0.
typedef void LitheRangeFn(int32_t range, int32_t first, int32_t after, double *sums, void *user);

/// Ranges of `grain` items.
static inline int32_t lithe_range_count(int32_t count, int32_t grain) {
    return (count + grain - 1) / grain;
}

/// Runs a loop over `count` items in ranges of `grain`. `sums` gets the sums of all ranges, added
/// in their order: the same bits for every pool. `partial` [ranges][LITHE_RANGE_SUMS] holds the
/// sums of each range afterwards. The caller runs short loops alone.
void lithe_pool_ranges(LithePool *pool, int32_t count, int32_t grain, LitheRangeFn *fn, void *user,
                       double *partial, double sums[LITHE_RANGE_SUMS]);

#endif
