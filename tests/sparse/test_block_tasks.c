// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_block_tasks.c - large block matrices by several threads: cuts, tasks, same bits

#include "base/threads.h"
#include "sparse/block_parts.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 6000, SIZE = 4, ROWS = BLOCKS * SIZE };

// rods of 20 nodes, each connected to the next at a few nodes, like links of a chain
static bool make_chain(LitheBlockMatrix *m) {
    static int32_t sizes[BLOCKS];
    static LitheBlockPair pairs[4 * BLOCKS];
    int32_t count = 0;
    for (int32_t i = 0; i < BLOCKS; i++) {
        sizes[i] = SIZE;
        for (int32_t k = 1; k <= 2; k++)
            if (i % 20 + k < 20)
                pairs[count++] = (LitheBlockPair){i, i + k};
        if (i % 20 < 3 && i + 30 < BLOCKS)
            pairs[count++] = (LitheBlockPair){i, i + 30};
    }
    if (!lithe_block_matrix_build(m, BLOCKS, sizes, pairs, count))
        return false;
    TestRandom random = {7};
    for (int32_t j = 0; j < BLOCKS; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            for (int32_t k = 0; k < SIZE * SIZE; k++) {
                bool diagonal = m->row[e] == j && k % (SIZE + 1) == 0;
                lithe_block_values(m, e)[k] = diagonal ? 30 : test_random(&random, -1, 1);
            }
    return true;
}

// whether factoring and solving in one call gives the bits of x
static bool solves_on_the_way(LitheBlockFactor *f, const LitheBlockMatrix *m,
                              const int32_t *touched, int32_t touched_count, const double *x) {
    static double b[ROWS], found[ROWS];
    LitheBlockPivots pivots;
    for (int32_t i = 0; i < ROWS; i++)
        b[i] = -sin(i);
    LitheBlockAsk ask = {-1, b, found};
    return lithe_block_factor_solve(f, m, touched, touched_count, LITHE_PIVOT_POSITIVE, &pivots,
                                    &ask) &&
           memcmp(found, x, sizeof found) == 0;
}

// solves with a number of threads; the touched blocks change and are factored again before that
static bool solve_with(LitheContext *context, LitheBlockMatrix *m, int32_t threads, double *x) {
    LithePool *pool = lithe_pool_create(context, threads);
    LitheBlockFactor *f = lithe_block_factor_create(context);
    int32_t touched[BLOCKS / 20];
    for (int32_t i = 0; i < BLOCKS / 20; i++)
        touched[i] = 20 * i;
    LitheBlockPivots pivots;
    bool ok = pool && f && lithe_block_analyse_late(f, m, touched, BLOCKS / 20);
    if (ok)
        lithe_block_factor_pool(f, pool);
    ok = ok && lithe_block_factor_numeric(f, m, LITHE_PIVOT_POSITIVE, &pivots);
    CHECK(ok && f->task_count > 1);
    // many columns are in tasks, and no task has most of them
    int32_t max = 0;
    for (int32_t t = 0; ok && t < f->task_count; t++)
        max = f->task_start[t + 1] - f->task_start[t] > max
                  ? f->task_start[t + 1] - f->task_start[t]
                  : max;
    CHECK(ok && f->task_start[f->task_count] > 0.9 * BLOCKS);
    CHECK(ok && max < BLOCKS / 4);
    for (int32_t i = 0; i < BLOCKS / 20; i++)
        lithe_block_values(m, m->start[touched[i]])[0] += 5;
    ok = ok && lithe_block_refactor(f, m, touched, BLOCKS / 20, LITHE_PIVOT_POSITIVE, &pivots);
    CHECK(ok && pivots.column_count < BLOCKS / 4);
    for (int32_t i = 0; i < ROWS; i++)
        x[i] = sin(i);
    if (ok)
        lithe_block_solve(f, x);
    CHECK(ok && solves_on_the_way(f, m, NULL, 0, x));
    CHECK(ok && solves_on_the_way(f, m, touched, BLOCKS / 20, x));
    for (int32_t i = 0; i < BLOCKS / 20; i++)
        lithe_block_values(m, m->start[touched[i]])[0] -= 5;
    lithe_block_factor_destroy(f);
    lithe_pool_destroy(pool);
    return ok;
}

TEST(large_matrices_are_solved_with_the_same_bits_by_1_2_and_3_threads) {
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    FATAL(m && make_chain(m));
    double *x = malloc(5 * ROWS * sizeof *x), *one = x + ROWS, *right = one + ROWS,
           *work = right + ROWS;
    FATAL(x && solve_with(context, m, 1, one));
    for (int32_t threads = 2; threads <= 3; threads++) {
        CHECK(solve_with(context, m, threads, x));
        CHECK(memcmp(x, one, ROWS * sizeof *x) == 0);
    }
    for (int32_t i = 0; i < BLOCKS; i += 20)
        lithe_block_values(m, m->start[i])[0] += 5;
    for (int32_t i = 0; i < ROWS; i++)
        right[i] = sin(i);
    CHECK_NEAR(lithe_block_backward_error(m, one, right, work), 0, 1e-14);
    free(x);
    lithe_block_matrix_destroy(m);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
