// SPDX-License-Identifier: Apache-2.0
// base/threads_none.c - instead of threads.c where there are no threads: the caller does all tasks

#include "base/memory.h"
#include "base/threads.h"

struct LithePool {
    LitheContext *context;
};

LithePool *lithe_pool_create(LitheContext *context, int32_t threads) {
    (void)threads;
    LithePool *pool = lithe_alloc(context, sizeof *pool);
    if (pool)
        pool->context = context;
    return pool;
}

void lithe_pool_destroy(LithePool *pool) {
    if (pool)
        lithe_free(pool->context, pool);
}

int32_t lithe_pool_size(const LithePool *pool) {
    (void)pool;
    return 1;
}

int64_t lithe_pool_forks(const LithePool *pool) {
    (void)pool;
    return 0;
}

void lithe_set_fork_cost(double cost) {
    (void)cost;
}

void lithe_pool_run(LithePool *pool, int32_t count, double cost, LitheTaskFn *task, void *user) {
    (void)pool;
    (void)cost;
    for (int32_t i = 0; i < count; i++)
        task(i, user);
}

uintptr_t lithe_thread_self(void) {
    return 0;
}
