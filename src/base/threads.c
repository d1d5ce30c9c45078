// SPDX-License-Identifier: Apache-2.0
// base/threads.c - a pool of sleeping threads that share one counter of tasks

#include "base/threads.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

// The tasks that a thread takes first. They are contiguous and similar in every job, so that data
// which the thread wrote in an earlier job are in its cache. Each block has its own cache line.
typedef struct Block {
    atomic_int next;
    int32_t after;
    char rest[56];
} Block;

struct LithePool {
    LitheContext *context;
    int32_t size; // threads including the caller
    pthread_t *threads;
    Block *blocks;   // [size]
    int32_t started; // threads that were started, without the caller
    pthread_mutex_t lock;
    pthread_cond_t wake; // a new job, or quit
    pthread_cond_t done; // the last helper left the job
    // the job; written under the lock
    atomic_ullong job;
    bool open; // helpers may still join
    bool quit;
    atomic_int joined;  // helpers in the job
    atomic_int arrived; // helpers that know which block is theirs
    atomic_bool busy;   // from posting a job to its end
    LitheTaskFn *task;
    void *user;
};

// how long a thread polls for the next job before it sleeps [s]: within a step the next job comes
// in microseconds, and waking takes tens of them
#define PATIENCE 2e-4
// polls between two reads of the clock
enum { ROUNDS = 32 };

// tells the processor that this is a spin-wait loop
static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// runs the thread's own block first, then tasks that others left
static void work_off(LithePool *pool, int32_t self) {
    for (int32_t k = 0; k < pool->size; k++) {
        Block *block = &pool->blocks[self + k < pool->size ? self + k : self + k - pool->size];
        while (atomic_load(&block->next) < block->after) {
            int32_t index = atomic_fetch_add(&block->next, 1);
            if (index < block->after)
                pool->task(index, pool->user);
        }
    }
}

// polls a short time for a job other than `seen`
static void wait_for_job(const LithePool *pool, unsigned long long seen) {
    double start = lithe_clock();
    for (int round = 1; atomic_load(&pool->job) == seen; round++) {
        relax();
        if (round % ROUNDS == 0 && lithe_clock() - start > PATIENCE)
            return;
    }
}

static void *thread_main(void *argument) {
    LithePool *pool = argument;
    unsigned long long seen = 0;
    int32_t self = 1 + atomic_fetch_add(&pool->arrived, 1);
    for (;;) {
        wait_for_job(pool, seen);
        pthread_mutex_lock(&pool->lock);
        while (atomic_load(&pool->job) == seen && !pool->quit)
            pthread_cond_wait(&pool->wake, &pool->lock);
        bool quit = pool->quit, join = pool->open;
        seen = atomic_load(&pool->job);
        if (join)
            atomic_fetch_add(&pool->joined, 1);
        pthread_mutex_unlock(&pool->lock);
        if (quit)
            return NULL;
        if (!join)
            continue;
        work_off(pool, self);
        // the last helper that leaves
        if (atomic_fetch_sub(&pool->joined, 1) > 1)
            continue;
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
}

LithePool *lithe_pool_create(LitheContext *context, int32_t threads) {
    LithePool *pool = lithe_alloc(context, sizeof *pool);
    if (!pool)
        return NULL;
    pool->context = context;
    pool->size = threads < 1 ? 1 : threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->threads = lithe_alloc_array(context, pool->size, sizeof *pool->threads);
    pool->blocks = lithe_alloc_array(context, pool->size, sizeof *pool->blocks);
    if (!pool->threads || !pool->blocks)
        goto failed;
    for (; pool->started < pool->size - 1; pool->started++)
        if (pthread_create(&pool->threads[pool->started], NULL, thread_main, pool) != 0)
            goto failed;
    return pool;
failed:
    lithe_pool_destroy(pool);
    return NULL;
}

void lithe_pool_destroy(LithePool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    atomic_fetch_add(&pool->job, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int32_t i = 0; i < pool->started; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    lithe_free(pool->context, pool->blocks);
    lithe_free(pool->context, pool->threads);
    lithe_free(pool->context, pool);
}

int32_t lithe_pool_size(const LithePool *pool) {
    return pool ? pool->size : 1;
}

void lithe_pool_run(LithePool *pool, int32_t count, LitheTaskFn *task, void *user) {
    if (!pool || pool->size == 1 || count < 2) {
        for (int32_t i = 0; i < count; i++)
            task(i, user);
        return;
    }

    // the pool holds one job: a task that posts another one would overwrite its own
    LITHE_ASSERT(!atomic_exchange(&pool->busy, true));

    // post the job: every thread begins with its own block
    pthread_mutex_lock(&pool->lock);
    pool->task = task;
    pool->user = user;
    for (int32_t k = 0; k < pool->size; k++) {
        atomic_store(&pool->blocks[k].next, (int32_t)((int64_t)count * k / pool->size));
        pool->blocks[k].after = (int32_t)((int64_t)count * (k + 1) / pool->size);
    }
    pool->open = true;
    atomic_fetch_add(&pool->job, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);

    // help, then wait for the helpers that joined; a helper that comes later finds the job closed
    work_off(pool, 0);
    pthread_mutex_lock(&pool->lock);
    pool->open = false;
    pthread_mutex_unlock(&pool->lock);
    double start = lithe_clock();
    for (int round = 1; atomic_load(&pool->joined) > 0; round++) {
        relax();
        if (round % ROUNDS == 0 && lithe_clock() - start > PATIENCE)
            break;
    }
    if (atomic_load(&pool->joined) > 0) {
        pthread_mutex_lock(&pool->lock);
        while (atomic_load(&pool->joined) > 0)
            pthread_cond_wait(&pool->done, &pool->lock);
        pthread_mutex_unlock(&pool->lock);
    }
    atomic_store(&pool->busy, false);
}

// --- loops ---------------------------------------------------------------------------------------

// ranges below which waking others takes longer than doing the work
enum { FEW_RANGES = 6 };

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

void lithe_pool_ranges(LithePool *pool, int32_t count, int32_t grain, LitheRangeFn *fn, void *user,
                       double *partial, double sums[LITHE_RANGE_SUMS]) {
    int32_t ranges = lithe_range_count(count, grain);
    Loop loop = {count, grain, fn, user, partial};
    lithe_pool_run(ranges < FEW_RANGES ? NULL : pool, ranges, run_range, &loop);
    for (int k = 0; k < LITHE_RANGE_SUMS; k++) {
        sums[k] = 0;
        for (int32_t i = 0; i < ranges; i++)
            sums[k] += partial[LITHE_RANGE_SUMS * (ptrdiff_t)i + k];
    }
}
