// SPDX-License-Identifier: Apache-2.0
// tests/base/test_threads.c - a pool runs every task once, whichever threads are awake

#include "base/memory.h"
#include "base/threads.h"
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TASKS = 100, JOBS = 2000 };

typedef struct Tally {
    atomic_int runs[TASKS];
} Tally;

static void count_run(int32_t index, void *user) {
    Tally *tally = user;
    atomic_fetch_add(&tally->runs[index], 1);
}

TEST(every_task_runs_once_for_any_number_of_threads_and_tasks) {
    LitheContext *context = lithe_context_create(NULL);
    for (int32_t threads = 1; threads <= 5; threads++) {
        LithePool *pool = lithe_pool_create(context, threads);
        FATAL(pool);
        for (int32_t job = 0; job < JOBS; job++) {
            Tally tally = {0};
            int32_t tasks = job % (TASKS + 1), wrong = 0;
            lithe_pool_run(pool, tasks, LITHE_COST_LARGE, count_run, &tally);
            for (int32_t i = 0; i < TASKS; i++)
                wrong += atomic_load(&tally.runs[i]) != (i < tasks);
            CHECK(wrong == 0);
        }
        lithe_pool_destroy(pool);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(threads_that_fell_asleep_wake_for_the_next_job_or_miss_it_without_harm) {
    LitheContext *context = lithe_context_create(NULL);
    LithePool *pool = lithe_pool_create(context, 3);
    FATAL(pool);
    for (int32_t job = 0; job < 20; job++) {
        Tally tally = {0};
        int32_t wrong = 0;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        lithe_pool_run(pool, TASKS, LITHE_COST_LARGE, count_run, &tally);
        for (int32_t i = 0; i < TASKS; i++)
            wrong += atomic_load(&tally.runs[i]) != 1;
        CHECK(wrong == 0);
    }
    lithe_pool_destroy(pool);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// waits until two threads are in the job
typedef struct Masks {
    atomic_int inside;
    bool blocked[2][3];
} Masks;

static void read_mask(int32_t index, void *user) {
    static const int ends[3] = {SIGTERM, SIGINT, SIGHUP};
    Masks *masks = user;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    for (int k = 0; k < 3; k++)
        masks->blocked[index][k] = sigismember(&mask, ends[k]) == 1;
    atomic_fetch_add(&masks->inside, 1);
    while (atomic_load(&masks->inside) < 2)
        sched_yield();
}

TEST(threads_of_a_pool_leave_signals_to_end_to_the_program) {
    LitheContext *context = lithe_context_create(NULL);
    LithePool *pool = lithe_pool_create(context, 2);
    FATAL(pool);
    Masks masks = {0};
    lithe_pool_run(pool, 2, LITHE_COST_LARGE, read_mask, &masks);
    for (int k = 0; k < 3; k++)
        CHECK(masks.blocked[0][k] + masks.blocked[1][k] == 1);
    lithe_pool_destroy(pool);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(the_child_of_a_fork_runs_its_jobs_alone_and_ends_its_pool) {
    LitheContext *context = lithe_context_create(NULL);
    LithePool *pool = lithe_pool_create(context, 3);
    FATAL(pool);
    Tally tally = {0};
    lithe_pool_run(pool, TASKS, LITHE_COST_LARGE, count_run, &tally);
    for (int32_t round = 0; round < 10; round++) {
        // threads that poll, and threads that sleep
        nanosleep(&(struct timespec){.tv_nsec = round % 2 * 2000000}, NULL);
        pid_t child = fork();
        FATAL(child >= 0);
        if (child == 0) {
            alarm(300); // a child that waits for ever is a failure
            Tally own = {0};
            int32_t wrong = 0;
            lithe_pool_run(pool, TASKS, LITHE_COST_LARGE, count_run, &own);
            for (int32_t i = 0; i < TASKS; i++)
                wrong += atomic_load(&own.runs[i]) != 1;
            lithe_pool_destroy(pool);
            _exit(wrong == 0 && lithe_context_bytes(context) == 0 ? 0 : 1);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    lithe_pool_run(pool, TASKS, LITHE_COST_LARGE, count_run, &tally);
    for (int32_t i = 0; i < TASKS; i++)
        CHECK(atomic_load(&tally.runs[i]) == 2);
    lithe_pool_destroy(pool);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(a_pool_ends_while_its_threads_wake_for_its_last_job) {
    LitheContext *context = lithe_context_create(NULL);
    Tally tally = {0};
    for (int32_t turn = 0; turn < 500; turn++) {
        LithePool *pool = lithe_pool_create(context, 3);
        FATAL(pool);
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
        lithe_pool_run(pool, 2, LITHE_COST_LARGE, count_run, &tally);
        lithe_pool_destroy(pool);
    }
    CHECK(atomic_load(&tally.runs[0]) == 500 && atomic_load(&tally.runs[1]) == 500);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(the_caller_runs_short_jobs_and_shares_long_ones) {
    LitheContext *context = lithe_context_create(NULL);
    lithe_set_fork_cost(LITHE_FORK_COST);
    LithePool *pool = lithe_pool_create(context, 3);
    lithe_set_fork_cost(0);
    FATAL(pool);
    Tally tally = {0};
    lithe_pool_run(pool, TASKS, 0.9 * LITHE_FORK_COST, count_run, &tally);
    CHECK(lithe_pool_forks(pool) == 0);
    lithe_pool_run(pool, 1, LITHE_COST_LARGE, count_run, &tally);
    CHECK(lithe_pool_forks(pool) == 0); // one task is no job
    lithe_pool_run(pool, TASKS, LITHE_FORK_COST, count_run, &tally);
    CHECK(lithe_pool_forks(pool) == 1);
    CHECK(lithe_pool_forks(NULL) == 0);
    int32_t runs = 0;
    for (int32_t i = 0; i < TASKS; i++)
        runs += atomic_load(&tally.runs[i]);
    CHECK(runs == 2 * TASKS + 1);
    lithe_pool_destroy(pool);
    lithe_context_destroy(context);
}

enum { ASSERT_FAILED = 77 };

static void leave(const char *condition, const char *file, int line) {
    (void)condition, (void)file, (void)line;
    _exit(ASSERT_FAILED);
}

static void post_another(int32_t index, void *user) {
    Tally tally = {0};
    (void)index;
    lithe_pool_run(user, TASKS, LITHE_COST_LARGE, count_run, &tally);
}

// exit code of a process in which `tasks` tasks post jobs of their own
static int post_nested(int32_t tasks) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        LitheContext *context = lithe_context_create(NULL);
        LithePool *pool = lithe_pool_create(context, 3);
        lithe_set_assert_handler(leave);
        lithe_pool_run(pool, tasks, LITHE_COST_LARGE, post_another, pool);
        lithe_pool_destroy(pool);
        lithe_context_destroy(context);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(a_task_that_posts_a_job_on_its_own_pool_fails_an_assertion) {
    CHECK(post_nested(4) == ASSERT_FAILED);
    CHECK(post_nested(1) == 0); // one task is no job: the caller runs it
}

static void add_parts(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const double *x = user;
    (void)range;
    for (int32_t i = first; i < after; i++)
        for (int k = 0; k < LITHE_RANGE_SUMS; k++)
            sums[k] += x[i] * (k + 1);
}

TEST(sums_of_a_shared_loop_have_the_same_bits_for_every_number_of_threads) {
    enum { COUNT = 1001, GRAIN = 7 };
    static double x[COUNT], partial[LITHE_RANGE_SUMS * (COUNT / GRAIN + 1)];
    double one[LITHE_RANGE_SUMS], sums[LITHE_RANGE_SUMS];
    LitheContext *context = lithe_context_create(NULL);
    TestRandom random = {3};
    for (int32_t i = 0; i < COUNT; i++)
        x[i] = test_random(&random, -1, 1);
    lithe_pool_ranges(NULL, COUNT, GRAIN, LITHE_COST_LARGE, add_parts, x, partial, one);
    for (int32_t threads = 1; threads <= 4; threads++) {
        LithePool *pool = lithe_pool_create(context, threads);
        FATAL(pool);
        for (int32_t again = 0; again < 100; again++) {
            lithe_pool_ranges(pool, COUNT, GRAIN, LITHE_COST_LARGE, add_parts, x, partial, sums);
            for (int k = 0; k < LITHE_RANGE_SUMS; k++)
                CHECK(sums[k] == one[k]);
        }
        lithe_pool_destroy(pool);
    }
    lithe_context_destroy(context);
}
