// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_block_rank.c - terms of rank one beside the blocks of a matrix

#include "block_case.h"
#include "sparse/dense.h"

// a system with `count` terms of rank one, each on a part of the rows and of a given size
static bool make_sum(TestRandom *random, System *s, Kind kind, int32_t blocks, int32_t count,
                     double size) {
    if (!make_system(random, s, kind, blocks, 3, -1, 1) || !lithe_block_reserve_ranks(s->m, count))
        return false;
    for (int32_t k = 0; k < count; k++) {
        double *u = lithe_block_add_rank(s->m);
        for (int32_t i = 0; i < s->rows; i++)
            u[i] = test_random(random, 0, 1) < 0.3 ? 0 : size * test_random(random, -1, 1);
    }
    return true;
}

// the lower triangle of the sum, row-major
static void expand(const LitheBlockMatrix *m, int32_t n) {
    to_dense(m, dense);
    for (int32_t k = 0; k < m->rank_count; k++)
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j <= i; j++)
                dense[n * i + j] += m->rank[k * n + i] * m->rank[k * n + j];
}

TEST(sums_with_terms_of_rank_one_are_solved_as_dense_matrices_are) {
    TestRandom random = {11};
    static const double terms[] = {1e-3, 1, 30};
    for (int trial = 0; trial < 30; trial++) {
        System s = open_system();
        int32_t count = trial % 4, blocks = 20 + 5 * trial;
        CHECK(make_sum(&random, &s, (Kind)(trial % KINDS), blocks, count, terms[trial % 3]));
        LitheBlockPivots pivots;
        CHECK(lithe_block_analyse(s.f, s.m, NULL));
        CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(pivots.negative_count == 0);
        solve(&s);
        CHECK(lithe_block_backward_error(s.m, x, b, work) < 1e-11);
        expand(s.m, s.rows);
        lithe_dense_multiply(s.rows, dense, x, y);
        CHECK(largest_difference(s.rows, y, b) < 1e-9);
        memcpy(dense_factor, dense, sizeof dense);
        CHECK(lithe_dense_factor(s.rows, dense_factor) == -1);
        memcpy(y, b, sizeof y);
        lithe_dense_solve(s.rows, dense_factor, y);
        CHECK(largest_difference(s.rows, x, y) < 1e-9);
        // in one call
        CHECK(lithe_block_factor_solve(s.f, s.m, NULL, 0, LITHE_PIVOT_POSITIVE, &pivots,
                                       &(LitheBlockAsk){-1, b, y}));
        for (int32_t i = 0; i < s.rows; i++)
            CHECK(y[i] == -x[i]);
        close_system(&s);
    }
}

// (R3): blocks with a negative eigenvalue that a term makes positive, or does not
TEST(negative_eigenvalues_are_those_of_the_sum) {
    TestRandom random = {5};
    for (int trial = 0; trial < 40; trial++) {
        System s = open_system();
        CHECK(make_sum(&random, &s, CHAIN, 12, 1 + trial % 2, 1));
        for (int32_t k = 0; k < 1 + trial % 4; k++)
            lithe_block_values(s.m, s.m->start[(5 * k + trial) % 12])[0] -=
                pow(10, test_random(&random, 0, 2));
        LitheBlockPivots pivots;
        expand(s.m, s.rows);
        CHECK(lithe_dense_factor(s.rows, dense) == -1);
        int32_t negative = lithe_dense_negative_count(s.rows, dense);
        CHECK(lithe_block_analyse(s.f, s.m, NULL));
        CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_ANY, &pivots));
        CHECK(pivots.negative_count == negative);
        CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots) ==
              (negative == 0));
        CHECK((pivots.first_bad >= 0) == (negative > 0));
        close_system(&s);
    }
}

// one block of -1 with u u' = 4: the sum is positive definite
TEST(a_term_alone_can_make_a_sum_positive_definite) {
    System s = open_system();
    int32_t size = 1;
    CHECK(lithe_block_matrix_build(s.m, 1, &size, pairs, 0) && lithe_block_reserve_ranks(s.m, 1));
    s.m->value[0] = -1;
    lithe_block_add_rank(s.m)[0] = 2;
    LitheBlockPivots pivots;
    CHECK(lithe_block_analyse(s.f, s.m, NULL));
    CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    x[0] = 6;
    lithe_block_solve(s.f, x);
    CHECK_NEAR(x[0], 2, 1e-15);
    close_system(&s);
}
