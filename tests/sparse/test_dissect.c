// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_dissect.c - orders of meshes: with METIS, without it, and when it misbehaves

#include "sparse/block_factor.h"
#include "sparse/block_tree.h"
#include "sparse/dissect.h"
#include "sparse/front_order.h"
#include "test.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 12, BLOCKS = SIDE * SIDE * SIDE, ROWS = 3 * BLOCKS };

static int32_t sizes[BLOCKS], order[BLOCKS];
static LitheBlockPair pairs[7 * BLOCKS];
static double b[ROWS], x[ROWS], y[ROWS], work[2 * ROWS];

// Kuhn's tetrahedra on a grid of SIDE^3 vertices; with `apart` two halves without a connection
static bool make_mesh(LitheBlockMatrix *m, bool apart) {
    int32_t count = 0;
    for (int32_t i = 0; i < BLOCKS; i++) {
        sizes[i] = 3;
        for (int32_t way = 1; way < 8; way++) {
            int32_t u = i % SIDE + way % 2, v = i / SIDE % SIDE + way / 2 % 2;
            int32_t w = i / SIDE / SIDE + way / 4;
            bool through = apart && i % SIDE < SIDE / 2 && u >= SIDE / 2;
            if (u < SIDE && v < SIDE && w < SIDE && !through)
                pairs[count++] = (LitheBlockPair){i, (w * SIDE + v) * SIDE + u};
        }
    }
    if (!lithe_block_matrix_build(m, BLOCKS, sizes, pairs, count))
        return false;
    TestRandom random = {1};
    for (int32_t j = 0; j < BLOCKS; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            for (int32_t k = 0; k < 9; k++)
                lithe_block_values(m, e)[k] =
                    m->row[e] == j && k % 4 == 0 ? 40 : test_random(&random, -1, 1);
    for (int32_t k = 0; k < ROWS; k++)
        b[k] = test_random(&random, -1, 1);
    return true;
}

static bool is_permutation_of(int32_t count) {
    static bool seen[BLOCKS];
    memset(seen, 0, sizeof seen);
    for (int32_t k = 0; k < count; k++) {
        if (order[k] < 0 || order[k] >= count || seen[order[k]])
            return false;
        seen[order[k]] = true;
    }
    return true;
}

static bool is_permutation(void) {
    return is_permutation_of(BLOCKS);
}

// numbers in L; x is the solution
static int64_t solve(LitheContext *context, const LitheBlockMatrix *m) {
    LitheBlockFactor *f = lithe_block_factor_create(context);
    LitheBlockPivots pivots;
    int64_t values = -1;
    if (f && lithe_block_analyse_fronts(f, m, order, NULL, 0) &&
        lithe_block_factor_numeric(f, m, LITHE_PIVOT_POSITIVE, &pivots)) {
        memcpy(x, b, sizeof x);
        lithe_block_solve(f, x);
        values = lithe_block_factor_values(f);
    }
    lithe_block_factor_destroy(f);
    return values;
}

static bool fails(int32_t count, const int32_t *start, const int32_t *list, int32_t *found) {
    (void)start, (void)list;
    for (int32_t i = 0; i < count; i++)
        found[i] = -7;
    return false;
}

static bool repeats(int32_t count, const int32_t *start, const int32_t *list, int32_t *found) {
    (void)start, (void)list;
    for (int32_t i = 0; i < count; i++)
        found[i] = i / 2;
    return true;
}

static bool exceeds(int32_t count, const int32_t *start, const int32_t *list, int32_t *found) {
    (void)start, (void)list;
    for (int32_t i = 0; i < count; i++)
        found[i] = i + 1;
    return true;
}

static bool reverses(int32_t count, const int32_t *start, const int32_t *list, int32_t *found) {
    (void)start, (void)list;
    for (int32_t i = 0; i < count; i++)
        found[i] = count - 1 - i;
    return true;
}

LONG_TEST(without_metis_or_with_a_bad_order_from_it_the_answers_are_the_same) {
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    for (int apart = 0; apart < 2; apart++) {
        FATAL(m && make_mesh(m, apart));
        FATAL(lithe_block_dissect(context, m, order));
        CHECK(is_permutation());
        int64_t best = solve(context, m), own = -1;
        memcpy(y, x, sizeof y);
        LitheDissectFn *bad[4] = {NULL, fails, repeats, exceeds};
        for (int k = 0; k < 4; k++) {
            FATAL(lithe_block_dissect_with(bad[k], context, m, order));
            CHECK(is_permutation());
            int64_t values = solve(context, m);
            // one order of its own, whatever METIS did
            CHECK(own < 0 || values == own);
            own = values;
            CHECK_NEAR(lithe_block_backward_error(m, x, b, work), 0, 1e-14);
            for (int32_t i = 0; i < ROWS; i++)
                CHECK_NEAR(x[i], y[i], 1e-12);
        }
        CHECK(best > 0 && (double)own < 2 * (double)best);
    }
    lithe_block_matrix_destroy(m);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(a_permutation_is_taken_as_it_is) {
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    FATAL(m && make_mesh(m, false));
    FATAL(lithe_block_dissect_with(reverses, context, m, order));
    for (int32_t k = 0; k < BLOCKS; k++)
        CHECK(order[k] == BLOCKS - 1 - k);
    lithe_block_matrix_destroy(m);
    lithe_context_destroy(context);
}

LONG_TEST(separators_make_a_smaller_factor_than_the_given_numbering) {
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    FATAL(m && make_mesh(m, false));
    FATAL(lithe_block_dissect_with(reverses, context, m, order));
    int64_t plain = solve(context, m);
    FATAL(lithe_block_dissect_with(NULL, context, m, order));
    int64_t levels = solve(context, m);
    FATAL(lithe_block_dissect(context, m, order));
    int64_t found = solve(context, m);
    CHECK((double)levels < 0.75 * (double)plain);
    CHECK((double)found < 0.75 * (double)plain);
    lithe_block_matrix_destroy(m);
    lithe_context_destroy(context);
}

LONG_TEST(equal_patterns_have_equal_orders) {
    static int32_t before[BLOCKS];
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    FATAL(m && make_mesh(m, false));
    for (int own = 0; own < 2; own++)
        for (int round = 0; round < 3; round++) {
            FATAL(own ? lithe_block_dissect_with(NULL, context, m, order)
                      : lithe_block_dissect(context, m, order));
            CHECK(round == 0 || memcmp(before, order, sizeof order) == 0);
            memcpy(before, order, sizeof order);
        }
    lithe_block_matrix_destroy(m);
    lithe_context_destroy(context);
}

// a column of `tall` layers of 4 x 4 vertices: long meshes fill little in an order by degree
static bool make_column(LitheBlockMatrix *m, int32_t tall) {
    int32_t count = 0;
    for (int32_t i = 0; i < 16 * tall; i++) {
        sizes[i] = 3;
        for (int32_t way = 1; way < 8; way++) {
            int32_t u = i % 4 + way % 2, v = i / 4 % 4 + way / 2 % 2, w = i / 16 + way / 4;
            if (u < 4 && v < 4 && w < tall)
                pairs[count++] = (LitheBlockPair){i, (w * 4 + v) * 4 + u};
        }
    }
    return lithe_block_matrix_build(m, 16 * tall, sizes, pairs, count);
}

TEST(the_cheaper_of_separators_and_degrees_is_taken) {
    static int32_t degrees[BLOCKS];
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    int32_t *scratch = NULL, capacity = 0, of_degrees = 0, of_separators = 0;
    for (int kind = 0; kind < 8; kind++) {
        FATAL(m && (kind ? make_column(m, 13 * kind) : make_mesh(m, false)));
        int32_t *memory = lithe_alloc_array(context, lithe_order_size(m), sizeof *memory);
        FATAL(memory);
        LitheOrderTree tree = lithe_order_open(m, memory);
        FATAL(lithe_block_dissect(context, m, order));
        double cost = lithe_order_weigh(m, order, NULL, 0, INFINITY, &tree);
        FATAL(is_permutation_of(m->count));
        FATAL(lithe_block_order_by_degree(context, m, NULL, degrees, &scratch, &capacity));
        double by_degrees = lithe_order_weigh(m, degrees, NULL, 0, INFINITY, &tree);
        CHECK(cost <= by_degrees);
        of_degrees += cost == by_degrees;
        of_separators += cost < by_degrees;
        lithe_free(context, memory);
    }
    CHECK(of_degrees > 0);
    CHECK(of_separators > 0 || strncmp(lithe_block_dissect_name(), "METIS", 5) != 0);
    lithe_free(context, scratch);
    lithe_block_matrix_destroy(m);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(many_pieces_without_connections_are_ordered) {
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    int32_t count = 0;
    for (int32_t i = 0; i < BLOCKS; i++)
        sizes[i] = 1;
    for (int32_t i = 0; i + 1 < BLOCKS; i++)
        if (i % 5 != 4 || i > BLOCKS / 2)
            pairs[count++] = (LitheBlockPair){i, i + 1};
    FATAL(m && lithe_block_matrix_build(m, BLOCKS, sizes, pairs, count));
    FATAL(lithe_block_dissect_with(NULL, context, m, order));
    CHECK(is_permutation());
    FATAL(lithe_block_dissect(context, m, order));
    CHECK(is_permutation());
    lithe_block_matrix_destroy(m);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(lack_of_memory_is_reported_at_every_allocation_and_nothing_leaks) {
    bool done = false;
    int64_t n = 1;
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    FATAL(m && make_mesh(m, false));
    size_t bytes = lithe_context_bytes(context);
    for (; !done && n < 10; n++) {
        lithe_context_fail_at(context, n);
        done = lithe_block_dissect_with(NULL, context, m, order);
        CHECK(lithe_context_bytes(context) == bytes);
    }
    lithe_context_fail_at(context, 0);
    CHECK(done && n > 2);
    lithe_block_matrix_destroy(m);
    lithe_context_destroy(context);
}

// --- the process around METIS --------------------------------------------------------------------

static volatile sig_atomic_t signals;

static void count_signal(int number, siginfo_t *info, void *user) {
    (void)number, (void)user;
    signals += info != NULL;
}

static struct sigaction listen_to(int number, struct sigaction *before) {
    struct sigaction own = {.sa_sigaction = count_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&own.sa_mask);
    sigaddset(&own.sa_mask, SIGUSR1);
    sigaction(number, &own, before);
    return own;
}

static bool is_as(const struct sigaction *own, int number) {
    struct sigaction now;
    sigaction(number, NULL, &now);
    int flags = SA_SIGINFO | SA_RESTART | SA_NODEFER | (int)SA_RESETHAND;
    return now.sa_sigaction == own->sa_sigaction &&
           (now.sa_flags & flags) == (own->sa_flags & flags) &&
           sigismember(&now.sa_mask, SIGUSR1) == 1;
}

TEST(handlers_of_signals_and_random_numbers_of_the_program_stay) {
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    FATAL(m && make_mesh(m, false));
    struct sigaction term, abrt, own = listen_to(SIGTERM, &term);
    listen_to(SIGABRT, &abrt);
    srand(5);
    int first = rand(), second = rand();
    srand(5);
    CHECK(rand() == first);
    FATAL(lithe_block_dissect(context, m, order));
    CHECK(rand() == second);
    CHECK(is_as(&own, SIGTERM) && is_as(&own, SIGABRT));
    sigaction(SIGTERM, &term, NULL);
    sigaction(SIGABRT, &abrt, NULL);
    lithe_block_matrix_destroy(m);
    lithe_context_destroy(context);
}

// Sends one SIGTERM to the process in each round, itself not able to get it.
typedef struct Sender {
    _Atomic int32_t round, sent;
} Sender;

static void *send_in_each_round(void *user) {
    Sender *s = user;
    for (int32_t seen = 0; seen >= 0;) {
        int32_t round = s->round;
        if (round == seen)
            continue;
        seen = round;
        // some time after the begin of the round
        nanosleep(&(struct timespec){.tv_nsec = 500000 * (round % 8)}, NULL);
        if (round > 0 && kill(getpid(), SIGTERM) == 0)
            s->sent = round;
    }
    return NULL;
}

LONG_TEST(a_signal_to_end_reaches_its_handler_and_the_order_is_the_same) {
    static int32_t quiet[BLOCKS];
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    FATAL(m && make_mesh(m, false));
    FATAL(lithe_block_dissect(context, m, quiet));
    struct sigaction before, own = listen_to(SIGTERM, &before);
    sigset_t term, mask;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &term, &mask);
    Sender sender = {0};
    pthread_t thread;
    FATAL(pthread_create(&thread, NULL, send_in_each_round, &sender) == 0);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    signals = 0;
    for (int32_t round = 1; round <= 24; round++) {
        sender.round = round;
        FATAL(lithe_block_dissect(context, m, order));
        CHECK(memcmp(quiet, order, sizeof order) == 0);
        while (sender.sent < round)
            sched_yield();
        sched_yield(); // at its end, at the latest, a signal that was sent is handled
        CHECK(signals == round);
        CHECK(is_as(&own, SIGTERM));
    }
    sender.round = -1;
    pthread_join(thread, NULL);
    sigaction(SIGTERM, &before, NULL);
    lithe_block_matrix_destroy(m);
    lithe_context_destroy(context);
}
