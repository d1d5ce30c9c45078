// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_front_tasks.c - meshes by several threads: separators as tasks, same bits

#include "base/threads.h"
#include "sparse/block_parts.h"
#include "sparse/dissect.h"
#include "test.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { SIDE = 9 }; // sanitizers are slow
#else
enum { SIDE = 13 };
#endif
enum { BLOCKS = SIDE * SIDE * SIDE, ROWS = 3 * BLOCKS };
enum { LARGE = 20, MOST = LARGE * LARGE * LARGE };

static int32_t sizes[MOST], order[MOST], face[LARGE * LARGE];
static LitheBlockPair pairs[7 * MOST];
static double work[2 * ROWS], b[ROWS];

// the pattern of Kuhn's tetrahedra on a grid of side^3 vertices, and its order
static bool make_pattern(LitheContext *context, LitheBlockMatrix *m, int32_t side) {
    int32_t count = 0;
    for (int32_t i = 0; i < side * side * side; i++) {
        sizes[i] = 3;
        for (int32_t way = 1; way < 8; way++) {
            int32_t u = i % side + way % 2, v = i / side % side + way / 2 % 2;
            int32_t w = i / side / side + way / 4;
            if (u < side && v < side && w < side)
                pairs[count++] = (LitheBlockPair){i, (w * side + v) * side + u};
        }
    }
    for (int32_t i = 0; i < side * side; i++)
        face[i] = i;
    return lithe_block_matrix_build(m, side * side * side, sizes, pairs, count) &&
           lithe_block_dissect(context, m, order);
}

static bool make_mesh(LitheContext *context, LitheBlockMatrix *m) {
    if (!make_pattern(context, m, SIDE))
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

// factors, changes the late blocks, refactors and solves with a number of threads
static bool solve_with(LitheContext *context, LitheBlockMatrix *m, int32_t threads,
                       int32_t late_count, bool once, double *x) {
    LithePool *pool = lithe_pool_create(context, threads);
    LitheBlockFactor *f = lithe_block_factor_create(context);
    LitheBlockPivots pivots;
    bool ok = pool && f && lithe_block_analyse_fronts(f, m, order, face, late_count);
    if (ok)
        lithe_block_factor_pool(f, pool);
    CHECK(ok && f->fronts->task_count > 3 && f->fronts->top_count > 1);
    ok = ok && (once || lithe_block_factor_numeric(f, m, LITHE_PIVOT_POSITIVE, &pivots));
    for (int32_t i = 0; i < late_count; i++)
        lithe_block_values(m, m->start[face[i]])[0] += 5;
    ok = ok && lithe_block_refactor(f, m, face, late_count, LITHE_PIVOT_POSITIVE, &pivots);
    CHECK(ok && (once || pivots.column_count < BLOCKS / 2));
    memcpy(x, b, sizeof b);
    if (ok)
        lithe_block_solve(f, x);
    CHECK(ok && lithe_block_backward_error(m, x, b, work) < 1e-14);
    for (int32_t i = 0; i < late_count; i++)
        lithe_block_values(m, m->start[face[i]])[0] -= 5;
    lithe_block_factor_destroy(f);
    lithe_pool_destroy(pool);
    return ok;
}

LONG_TEST(meshes_are_solved_with_the_same_bits_by_1_2_and_3_threads) {
    static double one[ROWS], x[ROWS];
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    FATAL(m && make_mesh(context, m));
    static const int32_t counts[3] = {0, 20, SIDE * SIDE};
    for (int k = 0; k < 3; k++) {
        FATAL(solve_with(context, m, 1, counts[k], false, one));
        for (int32_t threads = 1; threads <= 3; threads++)
            for (int once = 0; once < 2; once++) {
                CHECK(solve_with(context, m, threads, counts[k], once, x));
                CHECK(memcmp(x, one, sizeof x) == 0);
            }
    }
    lithe_block_matrix_destroy(m);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

LONG_TEST(a_refused_pivot_is_the_same_for_every_number_of_threads) {
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    LitheBlockFactor *f = lithe_block_factor_create(context);
    LitheBlockPivots one, pivots;
    FATAL(m && f && make_mesh(context, m));
    FATAL(lithe_block_analyse_fronts(f, m, order, NULL, 0));
    // several, in different tasks and in the top
    for (int32_t i = 5; i < BLOCKS; i += 97)
        lithe_block_values(m, m->start[i])[4] = -1e3;
    CHECK(!lithe_block_factor_numeric(f, m, LITHE_PIVOT_POSITIVE, &one));
    CHECK(one.first_bad % 3 == 1 && one.first_bad / 3 % 97 == 5);
    LithePool *pool = lithe_pool_create(context, 2);
    lithe_block_factor_pool(f, pool);
    for (int round = 0; round < 5; round++) {
        CHECK(!lithe_block_factor_numeric(f, m, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(pivots.first_bad == one.first_bad && pivots.smallest == one.smallest);
    }
    lithe_block_factor_destroy(f);
    lithe_pool_destroy(pool);
    lithe_block_matrix_destroy(m);
    lithe_context_destroy(context);
}

TEST(meshes_without_a_connection_are_tasks_side_by_side) {
    enum { CUBES = 37, EDGE = 6, CUBE = EDGE * EDGE * EDGE, ALL = CUBES * CUBE };
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    LitheBlockFactor *f = lithe_block_factor_create(context);
    static double right[3 * MOST], x[2][3 * MOST], room[6 * MOST];
    FATAL(m && f && make_pattern(context, m, EDGE));
    // copies of one cube, with the order of one after that of the other
    int32_t count = 0;
    for (int32_t j = 0; j < CUBE; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++)
            pairs[count++] = (LitheBlockPair){m->row[e], j};
    for (int32_t k = CUBES - 1; k >= 0; k--)
        for (int32_t i = 0; i < CUBE || i < count; i++) {
            if (i < count)
                pairs[count * k + i] =
                    (LitheBlockPair){pairs[i].a + CUBE * k, pairs[i].b + CUBE * k};
            if (i < CUBE) {
                sizes[CUBE * k + i] = 3;
                order[CUBE * k + i] = order[i] + CUBE * k;
            }
        }
    FATAL(lithe_block_matrix_build(m, ALL, sizes, pairs, CUBES * count));
    TestRandom random = {2};
    for (int32_t j = 0; j < ALL; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            for (int32_t k = 0; k < 9; k++)
                lithe_block_values(m, e)[k] =
                    m->row[e] == j && k % 4 == 0 ? 40 : test_random(&random, -1, 1);
    for (int32_t k = 0; k < 3 * ALL; k++)
        right[k] = test_random(&random, -1, 1);
    LithePool *pool = lithe_pool_create(context, 2);
    LitheBlockPivots pivots;
    FATAL(pool && lithe_block_analyse_fronts(f, m, order, face, 1));
    CHECK(f->fronts->task_count >= 10 && f->fronts->top_count == 0);
    for (int k = 0; k < 2; k++) {
        lithe_block_factor_pool(f, k == 0 ? NULL : pool);
        FATAL(lithe_block_factor_numeric(f, m, LITHE_PIVOT_POSITIVE, &pivots));
        memcpy(x[k], right, sizeof right);
        lithe_block_solve(f, x[k]);
    }
    CHECK(memcmp(x[0], x[1], sizeof *x[0] * 3 * ALL) == 0);
    CHECK_NEAR(lithe_block_backward_error(m, x[0], right, room), 0, 1e-14);
    lithe_block_factor_destroy(f);
    lithe_pool_destroy(pool);
    lithe_block_matrix_destroy(m);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// multiplications of all fronts, and of the hot ones
static double work_of(const LitheFronts *t, double *hot) {
    double all = *hot = 0;
    for (int32_t s = 0; s < t->count; s++)
        for (int32_t j = 0; j < t->w[s]; j++) {
            double rows = t->height[s] - j;
            all += rows * rows;
            *hot += t->hot[s] ? rows * rows : 0;
        }
    return all;
}

LONG_TEST(touched_vertices_of_a_cube_cost_little_in_a_refactorisation) {
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    LitheBlockFactor *f = lithe_block_factor_create(context);
    FATAL(m && f && make_pattern(context, m, LARGE));
    int32_t patch[36];
    for (int32_t i = 0; i < 36; i++)
        patch[i] = (7 + i / 6) * LARGE + 7 + i % 6;
    double hot, none;
    FATAL(lithe_block_analyse_fronts(f, m, order, NULL, 0));
    none = work_of(f->fronts, &hot);
    CHECK(hot == 0);
    FATAL(lithe_block_analyse_fronts(f, m, order, face, LARGE * LARGE));
    CHECK(f->fronts->moved);
    CHECK(work_of(f->fronts, &hot) < 1.9 * none);
    CHECK(hot > 0 && hot < 0.08 * none);
    FATAL(lithe_block_analyse_fronts(f, m, order, patch, 36));
    CHECK(f->fronts->moved);
    CHECK(work_of(f->fronts, &hot) < 1.1 * none);
    CHECK(hot > 0 && hot < 0.001 * none);
    lithe_block_factor_destroy(f);
    lithe_block_matrix_destroy(m);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
