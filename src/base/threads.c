// SPDX-License-Identifier: Apache-2.0
// base/threads.c - a pool of sleeping threads that share one counter of tasks

#include "base/threads.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct LithePool {
    LitheContext *context;
    int32_t size; // threads including the caller
    pthread_t *threads;
    int32_t started; // threads really running, without the caller
    pthread_mutex_t lock;
    pthread_cond_t wake; // a new job, or quit
    pthread_cond_t done; // the last helper left the job
    // the job; written under the lock
    atomic_ullong job;
    bool quit;
    atomic_int busy; // helpers still in the job
    LitheTaskFn *task;
    void *user;
    int32_t count;
    atomic_int next;
};

// looks before one goes to sleep: the next job of a loop comes within microseconds, waking takes
// longer
enum { LOOKS = 2000 };

static void work_off(LithePool *pool) {
    for (;;) {
        int32_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->count)
            return;
        pool->task(index, pool->user);
    }
}

static void *thread_main(void *argument) {
    LithePool *pool = argument;
    unsigned long long seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        pthread_mutex_unlock(&pool->lock);
        for (int look = 0; look < LOOKS && atomic_load(&pool->job) == seen; look++)
            continue;
        pthread_mutex_lock(&pool->lock);
        while (atomic_load(&pool->job) == seen && !pool->quit)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->quit)
            break;
        seen = atomic_load(&pool->job);
        pthread_mutex_unlock(&pool->lock);
        work_off(pool);
        pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->busy, 1) == 1)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
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
    if (!pool->threads)
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
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int32_t i = 0; i < pool->started; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
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

    // post the job
    pthread_mutex_lock(&pool->lock);
    pool->task = task;
    pool->user = user;
    pool->count = count;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->busy, pool->started);
    atomic_fetch_add(&pool->job, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);

    // help, then wait for the helpers
    work_off(pool);
    for (int look = 0; look < LOOKS && atomic_load(&pool->busy) > 0; look++)
        continue;
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->busy) > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

// --- loops ---------------------------------------------------------------------------------------

// ranges below which waking others takes longer than doing the work
enum { FEW_RANGES = 6 };

typedef struct Share {
    int32_t count, grain;
    LitheShareFn *fn;
    void *user;
    double *partial;
} Share;

static void run_range(int32_t range, void *user) {
    const Share *share = user;
    int32_t first = range * share->grain, left = share->count - first;
    double *sums = share->partial + LITHE_SHARE_SUMS * (ptrdiff_t)range;
    for (int k = 0; k < LITHE_SHARE_SUMS; k++)
        sums[k] = 0;
    share->fn(range, first, first + (left < share->grain ? left : share->grain), sums, share->user);
}

void lithe_pool_share(LithePool *pool, int32_t count, int32_t grain, LitheShareFn *fn, void *user,
                      double *partial, double sums[LITHE_SHARE_SUMS]) {
    int32_t ranges = lithe_share_ranges(count, grain);
    Share share = {count, grain, fn, user, partial};
    lithe_pool_run(ranges < FEW_RANGES ? NULL : pool, ranges, run_range, &share);
    for (int k = 0; k < LITHE_SHARE_SUMS; k++) {
        sums[k] = 0;
        for (int32_t i = 0; i < ranges; i++)
            sums[k] += partial[LITHE_SHARE_SUMS * (ptrdiff_t)i + k];
    }
}
