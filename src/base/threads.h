// SPDX-License-Identifier: Apache-2.0
// base/threads.h - a small pool: run independent tasks side by side, same bits for every size

#ifndef LITHE_BASE_THREADS_H
#define LITHE_BASE_THREADS_H

#include "lithe/base.h"

typedef struct LithePool LithePool;

/// Task `index` of a job. Tasks of one job must not write what another one reads.
typedef void LitheTaskFn(int32_t index, void *user);

/// `threads` counts the caller: 1 makes no thread. NULL when out of memory or threads.
LithePool *lithe_pool_create(LitheContext *context, int32_t threads);

/// Accepts NULL.
void lithe_pool_destroy(LithePool *pool);

int32_t lithe_pool_size(const LithePool *pool);

/// Runs tasks 0 .. count-1 and returns when all are done. `pool` may be NULL: then in order, here.
void lithe_pool_run(LithePool *pool, int32_t count, LitheTaskFn *task, void *user);

#endif
