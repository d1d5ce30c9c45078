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

/// A job of at least this estimated cost pays for waking the threads [ns]. The handshake takes less
/// than a microsecond while all threads are awake and run, but on a busy machine a thread that has
/// joined may be suspended: worlds with shorter jobs were slower on two threads than on one.
#define LITHE_FORK_COST 4e5

/// Cost of a job that is known to be large.
#define LITHE_COST_LARGE 1e12

/// Runs tasks 0 .. count-1 and returns when all are done. `cost` estimates the time of all tasks
/// together on one thread [ns], from the sizes of the problem alone: a job below LITHE_FORK_COST is
/// run by the caller, in order, and so is every job with a NULL `pool`, and every job in the child
/// of a fork, which has no threads of its parent. A task must not run a job on the same pool. Work
/// that is too large for one task runs outside of the job, with the pool inside (lithe_units_run).
void lithe_pool_run(LithePool *pool, int32_t count, double cost, LitheTaskFn *task, void *user);

/// Number of jobs that were shared with other threads so far; 0 for a NULL pool.
int64_t lithe_pool_forks(const LithePool *pool);

/// For tests: pools created from now on share jobs of at least this cost; 0: all of two tasks or
/// more. LITHE_FORK_COST at the start.
void lithe_set_fork_cost(double cost);

/// A number that no other running thread has.
uintptr_t lithe_thread_self(void);

/// Calls a function of a library that keeps global variables, draws from rand() and leaves errors
/// by jumps from handlers of SIGTERM and SIGABRT, which it installs for the whole process: one call
/// at a time. It would take a SIGTERM from outside for an error and jump, maybe out of malloc, so
/// SIGTERM waits until it is done; other threads of the program can still get it. Handlers and
/// rand() are as before afterwards. Only where there are threads.
void lithe_call_alone(void (*call)(void *user), void *user);

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
/// sums of each range afterwards. `cost` of all items as for lithe_pool_run.
void lithe_pool_ranges(LithePool *pool, int32_t count, int32_t grain, double cost, LitheRangeFn *fn,
                       void *user, double *partial, double sums[LITHE_RANGE_SUMS]);

#endif
