// SPDX-License-Identifier: Apache-2.0
// base/threads.c - a pool of threads that poll for the next job a short time, then sleep

#include "base/threads.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

// The tasks that a thread takes first. They are contiguous and similar in every job, so that data
// which the thread wrote in an earlier job are in its cache. Each block has its own cache line.
typedef struct Block {
    atomic_int next;
    int32_t after;
    char rest[56];
} Block;

// One word describes the job: the helpers in it, whether more may join, and its number. A helper
// joins by one compare-and-swap, and nobody takes a lock while all threads are awake.
enum {
    INSIDE = 0xffff, // mask of the helpers in the job
    OPEN = 0x10000,  // helpers may still join
    NUMBER = 17,     // first bit of the number of the job
};

struct LithePool {
    LitheContext *context;
    pid_t owner;  // the process whose threads these are
    int32_t size; // threads including the caller
    pthread_t *threads;
    Block *blocks;    // [size]
    int32_t started;  // threads that were started, without the caller
    double fork_from; // cost from which jobs are shared [ns]
    atomic_llong forks;
    atomic_int arrived; // helpers that know which block is theirs
    atomic_bool busy;   // from posting a job to its end
    atomic_bool quit;
    pthread_mutex_t lock; // of those who sleep
    pthread_cond_t wake;  // a new job, or quit
    pthread_cond_t done;  // the last helper left the job
    atomic_int asleep;    // helpers that wait for `wake`
    atomic_bool waiting;  // the caller waits for `done`
    char line[64];        // polled, so on a cache line of its own
    atomic_ullong job;
    char rest[56];
    // the job; written before it is posted
    LitheTaskFn *task;
    void *user;
};

static _Atomic double fork_cost = LITHE_FORK_COST;

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

// polls a short time for a job other than `seen`, then sleeps until there is one
static void wait_for_job(LithePool *pool, unsigned long long seen) {
    double start = lithe_clock();
    for (int round = 1; atomic_load(&pool->job) >> NUMBER == seen; round++) {
        relax();
        if (round % ROUNDS > 0 || lithe_clock() - start <= PATIENCE)
            continue;
        // the caller posts first and looks for sleepers afterwards: one of both sees the other
        pthread_mutex_lock(&pool->lock);
        atomic_fetch_add(&pool->asleep, 1);
        while (atomic_load(&pool->job) >> NUMBER == seen)
            pthread_cond_wait(&pool->wake, &pool->lock);
        atomic_fetch_sub(&pool->asleep, 1);
        pthread_mutex_unlock(&pool->lock);
    }
}

// joins the present job if it is still open; returns its number in *seen
static bool join(LithePool *pool, unsigned long long *seen) {
    unsigned long long job = atomic_load(&pool->job);
    while (job & OPEN)
        if (atomic_compare_exchange_weak(&pool->job, &job, job + 1))
            break;
    *seen = job >> NUMBER;
    return job & OPEN;
}

static void *thread_main(void *argument) {
    LithePool *pool = argument;
    unsigned long long seen = 0;
    int32_t self = 1 + atomic_fetch_add(&pool->arrived, 1);
    // `quit` is read after the number of a job: it was set before the last job was posted, whose
    // number `join` may return as well
    while (!atomic_load(&pool->quit)) {
        wait_for_job(pool, seen);
        if (!join(pool, &seen))
            continue;
        work_off(pool, self);
        // the last helper that leaves wakes the caller if that has fallen asleep
        unsigned long long before = atomic_fetch_sub(&pool->job, 1);
        if ((before & INSIDE) > 1 || !atomic_load(&pool->waiting))
            continue;
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
    return NULL;
}

// posts the next job, or wakes everybody to see `quit`
static void post(LithePool *pool, unsigned long long open) {
    unsigned long long number = (atomic_load(&pool->job) >> NUMBER) + 1;
    atomic_store(&pool->job, number << NUMBER | open);
    if (atomic_load(&pool->asleep) == 0)
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

// Starts a thread that leaves signals to end to the threads of the program: its handlers run there.
static bool start_thread(pthread_t *thread, LithePool *pool) {
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    bool started = pthread_create(thread, NULL, thread_main, pool) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

LithePool *lithe_pool_create(LitheContext *context, int32_t threads) {
    LithePool *pool = lithe_alloc(context, sizeof *pool);
    if (!pool)
        return NULL;
    pool->context = context;
    pool->owner = getpid();
    pool->size = threads < 1 ? 1 : threads;
    pool->fork_from = atomic_load(&fork_cost);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->threads = lithe_alloc_array(context, pool->size, sizeof *pool->threads);
    pool->blocks = lithe_alloc_array(context, pool->size, sizeof *pool->blocks);
    if (!pool->threads || !pool->blocks)
        goto failed;
    for (; pool->started < pool->size - 1; pool->started++)
        if (!start_thread(&pool->threads[pool->started], pool))
            goto failed;
    return pool;
failed:
    lithe_pool_destroy(pool);
    return NULL;
}

// Whether the threads are those of this process: after a fork the child has none of them, and those
// who slept still seem to hold lock and conditions.
static bool is_here(const LithePool *pool) {
    return pool->owner == getpid();
}

// ends the threads
static void end_threads(LithePool *pool) {
    atomic_store(&pool->quit, true);
    post(pool, 0);
    for (int32_t i = 0; i < pool->started; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
}

void lithe_pool_destroy(LithePool *pool) {
    if (!pool)
        return;
    if (is_here(pool))
        end_threads(pool);
    lithe_free(pool->context, pool->blocks);
    lithe_free(pool->context, pool->threads);
    lithe_free(pool->context, pool);
}

int32_t lithe_pool_size(const LithePool *pool) {
    return pool ? pool->size : 1;
}

int64_t lithe_pool_forks(const LithePool *pool) {
    return pool ? atomic_load(&pool->forks) : 0;
}

void lithe_set_fork_cost(double cost) {
    atomic_store(&fork_cost, cost);
}

// waits until the helpers that joined have left: polls, then sleeps
static void wait_for_helpers(LithePool *pool) {
    double start = lithe_clock();
    for (int round = 1; atomic_load(&pool->job) & INSIDE; round++) {
        relax();
        if (round % ROUNDS > 0 || lithe_clock() - start <= PATIENCE)
            continue;
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->waiting, true);
        while (atomic_load(&pool->job) & INSIDE)
            pthread_cond_wait(&pool->done, &pool->lock);
        atomic_store(&pool->waiting, false);
        pthread_mutex_unlock(&pool->lock);
    }
}

void lithe_pool_run(LithePool *pool, int32_t count, double cost, LitheTaskFn *task, void *user) {
    if (!pool || pool->size == 1 || count < 2 || cost < pool->fork_from || !is_here(pool)) {
        for (int32_t i = 0; i < count; i++)
            task(i, user);
        return;
    }

    // the pool holds one job: a task that posts another one would overwrite its own
    LITHE_ASSERT(!atomic_exchange(&pool->busy, true));

    // post the job: every thread begins with its own block
    atomic_fetch_add(&pool->forks, 1);
    pool->task = task;
    pool->user = user;
    for (int32_t k = 0; k < pool->size; k++) {
        atomic_store(&pool->blocks[k].next, (int32_t)((int64_t)count * k / pool->size));
        pool->blocks[k].after = (int32_t)((int64_t)count * (k + 1) / pool->size);
    }
    post(pool, OPEN);

    // help, then wait for the helpers that joined; a helper that comes later finds the job closed
    work_off(pool, 0);
    atomic_fetch_and(&pool->job, ~(unsigned long long)OPEN);
    wait_for_helpers(pool);
    atomic_store(&pool->busy, false);
}

uintptr_t lithe_thread_self(void) {
    return (uintptr_t)pthread_self();
}

// --- calls of others -----------------------------------------------------------------------------

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

// bytes; as many as rand() has by default: the same numbers
enum { RANDOM_STATE = 128 };

void lithe_call_alone(void (*call)(void *user), void *user) {
    struct sigaction term, abrt;
    sigset_t waits, mask;
    char state[RANDOM_STATE];
    sigemptyset(&waits);
    sigaddset(&waits, SIGTERM);
    pthread_mutex_lock(&turn);
    pthread_sigmask(SIG_BLOCK, &waits, &mask);
    sigaction(SIGTERM, NULL, &term);
    sigaction(SIGABRT, NULL, &abrt);
    char *before = initstate(1, state, sizeof state);
    call(user);
    setstate(before);
    sigaction(SIGTERM, &term, NULL);
    sigaction(SIGABRT, &abrt, NULL);
    pthread_mutex_unlock(&turn);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}
