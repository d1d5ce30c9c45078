// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_block_factor.c - pattern, order, factor, refactor and solve of block matrices

#include "block_case.h"
#include "sparse/dense.h"

// --- the matrix ----------------------------------------------------------------------------------

TEST(the_pattern_holds_the_diagonal_and_each_pair_once_in_order) {
    TestRandom random = {1};
    System s = open_system();
    for (int round = 0; round < 20; round++) {
        static bool wanted[60][60];
        memset(wanted, 0, sizeof wanted);
        int32_t n = 1 + below(&random, 60);
        set_sizes(&random, n, 0);
        pair_count = 0;
        for (int32_t k = 0; k < 5 * n; k++) {
            int32_t i = below(&random, n), j = below(&random, n);
            add_pair(i, j);
            wanted[i > j ? i : j][i > j ? j : i] = true;
        }
        FATAL(lithe_block_matrix_build(s.m, n, sizes, pairs, pair_count));
        lithe_block_clear(s.m);
        int32_t entries = 0;
        for (int32_t j = 0; j < n; j++) {
            wanted[j][j] = true;
            CHECK(s.m->row[s.m->start[j]] == j);
            for (int32_t i = j; i < n; i++) {
                int32_t e = lithe_block_find(s.m, i, j);
                CHECK(wanted[i][j] ? e == entries && s.m->row[e] == i : e == -1);
                entries += wanted[i][j];
            }
            CHECK(s.m->start[j + 1] == entries);
            CHECK(s.m->at[j + 1] - s.m->at[j] == sizes[j]);
        }
    }
    close_system(&s);
}

TEST(product_equals_the_dense_one) {
    TestRandom random = {2};
    System s = open_system();
    for (int kind = 0; kind < KINDS; kind++) {
        FATAL(make_system(&random, &s, kind, 40, 0, -1, 1));
        to_dense(s.m, dense);
        lithe_block_multiply(s.m, s.m->value, b, x);
        lithe_dense_multiply(s.rows, dense, b, y);
        CHECK_NEAR(largest_difference(s.rows, x, y), 0, 1e-11);
    }
    close_system(&s);
}

TEST(backward_error_is_that_of_a_known_two_by_two) {
    System s = open_system();
    int32_t two[2] = {1, 1};
    LitheBlockPair pair = {0, 1};
    FATAL(lithe_block_matrix_build(s.m, 2, two, &pair, 1));
    lithe_block_clear(s.m);
    // [2 -1; -1 3], rows sum up to 4; x = (1, 1), A x = (1, 2)
    s.m->value[0] = 2, s.m->value[1] = -1, s.m->value[2] = 3;
    double ones[2] = {1, 1}, exact[2] = {1, 2}, off[2] = {1, 2.5};
    CHECK(lithe_block_backward_error(s.m, ones, exact, work) == 0);
    CHECK_NEAR(lithe_block_backward_error(s.m, ones, off, work), 0.5 / (4 + 2.5), 1e-15);
    close_system(&s);
}

// --- order and pattern of the factor -------------------------------------------------------------

TEST(a_star_is_ordered_without_fill) {
    System s = open_system();
    TestRandom random = {3};
    set_sizes(&random, 200, 4);
    pair_count = 0;
    for (int32_t i = 1; i < 200; i++)
        add_pair(0, i);
    FATAL(lithe_block_matrix_build(s.m, 200, sizes, pairs, pair_count));
    lithe_block_clear(s.m);
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    CHECK(lithe_block_factor_blocks(s.f) == 399);
    CHECK(lithe_block_factor_values(s.f) == 200 * 10 + 199 * 16);
    // the hub first: everything fills
    int32_t order[200];
    for (int32_t i = 0; i < 200; i++)
        order[i] = i;
    FATAL(lithe_block_analyse(s.f, s.m, order));
    CHECK(lithe_block_factor_blocks(s.f) == 200 * 201 / 2);
    CHECK(memcmp(lithe_block_order(s.f), order, sizeof order) == 0);
    close_system(&s);
}

TEST(the_pattern_of_the_factor_is_that_of_elimination_on_a_dense_table) {
    TestRandom random = {4};
    System s = open_system();
    for (int round = 0; round < 10; round++) {
        static bool full[60][60];
        memset(full, 0, sizeof full);
        FATAL(make_system(&random, &s, round % KINDS, 60, 1, 0, 0));
        FATAL(lithe_block_analyse(s.f, s.m, NULL));
        for (int32_t j = 0; j < 60; j++)
            for (int32_t e = s.m->start[j]; e < s.m->start[j + 1]; e++) {
                int32_t p = s.f->place[s.m->row[e]], q = s.f->place[j];
                full[p > q ? p : q][p > q ? q : p] = true;
            }
        for (int32_t k = 0; k < 60; k++)
            for (int32_t i = k + 1; i < 60; i++)
                for (int32_t j = k + 1; j <= i; j++)
                    full[i][j] |= full[i][k] && full[j][k];
        int64_t count = 0;
        for (int32_t j = 0; j < 60; j++) {
            int32_t e = s.f->start[j];
            for (int32_t i = j; i < 60; i++)
                if (full[i][j]) {
                    count++;
                    CHECK(e < s.f->start[j + 1] && s.f->row[e++] == i);
                }
        }
        CHECK(lithe_block_factor_blocks(s.f) == count);
    }
    close_system(&s);
}

TEST(late_blocks_come_after_all_others_and_are_all_that_refactoring_computes) {
    TestRandom random = {17};
    System s = open_system();
    for (int round = 0; round < 20; round++) {
        int32_t n = 300, late[60], late_count = 1 + below(&random, 60), distinct = 0;
        bool is_late[300] = {false};
        FATAL(make_system(&random, &s, round % KINDS, n, 2, -1, 1));
        for (int32_t k = 0; k < late_count; k++) {
            late[k] = below(&random, n);
            distinct += !is_late[late[k]];
            is_late[late[k]] = true;
        }
        FATAL(lithe_block_analyse_late(s.f, s.m, late, late_count));
        for (int32_t j = 0; j < n; j++)
            CHECK(is_late[lithe_block_order(s.f)[j]] == (j >= n - distinct));
        LitheBlockPivots pivots;
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        // the same request keeps the values, another one does not
        FATAL(lithe_block_analyse_late(s.f, s.m, late, late_count));
        FATAL(lithe_block_refactor(s.f, s.m, late, late_count, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(pivots.column_count == distinct);
        solve(&s);
        CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
        FATAL(lithe_block_analyse(s.f, s.m, NULL));
        FATAL(lithe_block_refactor(s.f, s.m, late, late_count, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(pivots.column_count == n);
    }
    close_system(&s);
}

TEST(all_blocks_may_be_late) {
    TestRandom random = {18};
    System s = open_system();
    FATAL(make_system(&random, &s, RING, 50, 4, -1, 1));
    int32_t late[50];
    for (int32_t i = 0; i < 50; i++)
        late[i] = i;
    FATAL(lithe_block_analyse_late(s.f, s.m, late, 50));
    LitheBlockPivots pivots;
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    close_system(&s);
}

TEST(an_order_from_an_earlier_pattern_can_be_kept) {
    TestRandom random = {5};
    System s = open_system();
    FATAL(make_system(&random, &s, RING, 100, 4, -1, 1));
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    int32_t before[100];
    memcpy(before, lithe_block_order(s.f), sizeof before);
    FATAL(make_system(&random, &s, CHAIN_OF_RINGS, 100, 4, -1, 1));
    FATAL(lithe_block_analyse(s.f, s.m, lithe_block_order(s.f)));
    CHECK(memcmp(lithe_block_order(s.f), before, sizeof before) == 0);
    LitheBlockPivots pivots;
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    close_system(&s);
}

// --- factor and solve ----------------------------------------------------------------------------

LONG_TEST(every_kernel_solves_as_the_dense_reference_does_to_1e_11) {
    TestRandom random = {6};
    System s = open_system();
    static const int32_t size[] = {0, 1, 3, 4, 6, 12, 0};
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 7; i++) {
            FATAL(make_system(&random, &s, kind, 5 + 10 * i, size[i], -0.5, 0.5));
            FATAL(s.rows <= DENSE);
            to_dense(s.m, dense);
            FATAL(lithe_dense_factor_positive(s.rows, dense) == -1);
            memcpy(y, b, sizeof *y * (size_t)s.rows);
            lithe_dense_solve(s.rows, dense, y);
            FATAL(lithe_block_analyse(s.f, s.m, NULL));
            for (int k = 0; lithe_block_kernel(k); k++) {
                LitheBlockPivots pivots;
                FATAL(lithe_block_factor_with(lithe_block_kernel(k), s.f, s.m, LITHE_PIVOT_POSITIVE,
                                              &pivots));
                CHECK(pivots.first_bad == -1 && pivots.negative_count == 0);
                CHECK(pivots.smallest > 0 && pivots.column_count == s.m->count);
                memcpy(x, b, sizeof *x * (size_t)s.rows);
                lithe_block_solve_with(lithe_block_kernel(k), s.f, x);
                CHECK_NEAR(largest_difference(s.rows, x, y), 0, 1e-11);
            }
        }
    close_system(&s);
}

TEST(the_backward_error_stays_below_1e_12_up_to_condition_1e_10) {
    TestRandom random = {7};
    System s = open_system();
    for (int kind = 0; kind < KINDS; kind++)
        for (int size = 0; size <= 6; size += 2) {
            FATAL(make_system(&random, &s, kind, BLOCKS, size, -5, 5));
            FATAL(lithe_block_analyse(s.f, s.m, NULL));
            LitheBlockPivots pivots;
            FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
            solve(&s);
            CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-12);
        }
    close_system(&s);
}

TEST(one_scalar_is_divided) {
    System s = open_system();
    int32_t one = 1;
    FATAL(lithe_block_matrix_build(s.m, 1, &one, NULL, 0));
    lithe_block_clear(s.m);
    s.m->value[0] = 4;
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    LitheBlockPivots pivots;
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    CHECK(pivots.smallest == 4);
    double v = 3;
    lithe_block_solve(s.f, &v);
    CHECK(v == 0.75);
    close_system(&s);
}

TEST(a_matrix_without_blocks_has_a_factor) {
    System s = open_system();
    FATAL(lithe_block_matrix_build(s.m, 0, NULL, NULL, 0));
    lithe_block_clear(s.m);
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    LitheBlockPivots pivots;
    CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    CHECK(pivots.column_count == 0);
    lithe_block_solve(s.f, NULL);
    close_system(&s);
}

// --- refactor ------------------------------------------------------------------------------------

// adds to entries whose blocks are both in the list
static void change(TestRandom *random, LitheBlockMatrix *m, const int32_t *list, int32_t count) {
    for (int32_t p = 0; p < count; p++)
        for (int32_t q = 0; q < count; q++) {
            int32_t e = list[q] <= list[p] ? lithe_block_find(m, list[p], list[q]) : -1;
            if (e >= 0)
                add_outer(random, m, list[p], list[q], e, test_random(random, 0, 2));
        }
}

TEST(refactoring_gives_the_bits_of_a_full_factorisation) {
    TestRandom random = {8};
    System s = open_system();
    LitheBlockFactor *full = lithe_block_factor_create(s.context);
    for (int kind = 0; kind < KINDS; kind++)
        for (int size = 0; size <= 6; size += 3) {
            FATAL(make_system(&random, &s, kind, 200, size, -2, 2));
            FATAL(lithe_block_analyse(s.f, s.m, NULL) && lithe_block_analyse(full, s.m, NULL));
            LitheBlockPivots pivots;
            int32_t saved = 0;
            FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
            for (int round = 0; round < 10; round++) {
                int32_t list[20], count = 1 + below(&random, 20);
                for (int32_t k = 0; k < count; k++)
                    list[k] = round % 2 ? below(&random, 200) : (7 * round + k) % 200;
                change(&random, s.m, list, count);
                LitheBlockPivots wanted;
                FATAL(lithe_block_refactor(s.f, s.m, list, count, LITHE_PIVOT_POSITIVE, &pivots));
                FATAL(lithe_block_factor_numeric(full, s.m, LITHE_PIVOT_POSITIVE, &wanted));
                saved += wanted.column_count - pivots.column_count;
                CHECK(pivots.smallest == wanted.smallest);
                solve(&s);
                memcpy(y, b, sizeof *y * (size_t)s.rows);
                lithe_block_solve(full, y);
                CHECK(memcmp(x, y, sizeof *x * (size_t)s.rows) == 0);
                size_t bytes = sizeof(double) * (size_t)s.f->value_at[s.f->start[200]];
                CHECK(memcmp(s.f->value, full->value, bytes) == 0);
            }
            CHECK(saved > 0);
        }
    lithe_block_factor_destroy(full);
    close_system(&s);
}

// values of columns without own ones are read from `base`, also in blocks that the order turns
TEST(columns_in_two_places_give_the_bits_of_columns_in_one) {
    static uint8_t own[400];
    TestRandom random = {21};
    System s = open_system();
    for (int kind = 0; kind < KINDS; kind++) {
        FATAL(make_system(&random, &s, kind, 120, kind % 2 ? 4 : 0, -1, 1));
        LitheBlockMatrix *m = s.m;
        LitheBlockPivots pivots;
        FATAL(m->count <= 400 && lithe_block_analyse(s.f, m, NULL));
        FATAL(lithe_block_factor_numeric(s.f, m, LITHE_PIVOT_POSITIVE, &pivots));
        memcpy(y, b, sizeof *y * (size_t)s.rows);
        lithe_block_solve(s.f, y);

        int64_t count = m->value_at[m->start[m->count]];
        double *base = lithe_alloc_array(s.context, count, sizeof *base);
        double *whole = lithe_alloc_array(s.context, count, sizeof *whole);
        FATAL(base && whole);
        memcpy(whole, m->value, sizeof *whole * (size_t)count);
        memcpy(base, m->value, sizeof *base * (size_t)count);
        for (int32_t j = 0; j < m->count; j++) {
            own[j] = below(&random, 3) == 0;
            double *unused = own[j] ? base : m->value;
            for (int64_t k = m->value_at[m->start[j]]; k < m->value_at[m->start[j + 1]]; k++)
                unused[k] = NAN;
        }
        m->base = base;
        m->own = own;
        FATAL(lithe_block_factor_numeric(s.f, m, LITHE_PIVOT_POSITIVE, &pivots));
        memcpy(x, b, sizeof *x * (size_t)s.rows);
        lithe_block_solve(s.f, x);
        CHECK(memcmp(x, y, sizeof *x * (size_t)s.rows) == 0);

        lithe_block_own_all(m);
        CHECK(m->base == NULL && memcmp(m->value, whole, sizeof *whole * (size_t)count) == 0);
        lithe_free(s.context, base);
        lithe_free(s.context, whole);
    }
    close_system(&s);
}

TEST(refactoring_computes_the_ancestors_alone) {
    TestRandom random = {9};
    System s = open_system();
    FATAL(make_system(&random, &s, CHAIN, 100, 4, -1, 1));
    int32_t order[100];
    for (int32_t i = 0; i < 100; i++)
        order[i] = i;
    LitheBlockPivots pivots;
    FATAL(lithe_block_analyse(s.f, s.m, order));
    int32_t touched[3] = {90, 93, 90};
    // before the first factorisation everything is computed
    FATAL(lithe_block_refactor(s.f, s.m, touched, 3, LITHE_PIVOT_POSITIVE, &pivots));
    CHECK(pivots.column_count == 100);
    FATAL(lithe_block_refactor(s.f, s.m, touched, 3, LITHE_PIVOT_POSITIVE, &pivots));
    CHECK(pivots.column_count == 10);
    // an analysis of the same pattern keeps the values
    FATAL(lithe_block_analyse(s.f, s.m, order));
    FATAL(lithe_block_refactor(s.f, s.m, touched, 0, LITHE_PIVOT_POSITIVE, &pivots));
    CHECK(pivots.column_count == 0 && pivots.first_bad == -1);
    // one of another pattern does not
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    FATAL(lithe_block_refactor(s.f, s.m, touched, 0, LITHE_PIVOT_POSITIVE, &pivots));
    CHECK(pivots.column_count == 100);
    close_system(&s);
}

// --- pivots --------------------------------------------------------------------------------------

TEST(a_refused_pivot_is_named_in_the_callers_numbering) {
    TestRandom random = {10};
    System s = open_system();
    static const double wrong[] = {0, -1, 1e-15, NAN, INFINITY, -INFINITY};
    for (int round = 0; round < 24; round++) {
        FATAL(make_system(&random, &s, SCATTERED, 50, 0, -1, 1));
        FATAL(lithe_block_analyse(s.f, s.m, NULL));
        // an isolated row, so that it is its own pivot
        int32_t i = below(&random, 50), k = below(&random, s.m->size[i]), n = s.m->size[i];
        for (int32_t j = 0; j <= i; j++) {
            int32_t e = lithe_block_find(s.m, i, j);
            for (int32_t c = 0; e >= 0 && c < s.m->size[j]; c++)
                lithe_block_values(s.m, e)[n * c + k] = 0;
        }
        for (int32_t e = s.m->start[i]; e < s.m->start[i + 1]; e++)
            memset(lithe_block_values(s.m, e) + (int64_t)s.m->size[s.m->row[e]] * k, 0,
                   sizeof(double) * (size_t)s.m->size[s.m->row[e]]);
        double *d = lithe_block_values(s.m, s.m->start[i]) + (n + 1) * k;
        LitheBlockPivots pivots;
        *d = 1;
        CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        *d = wrong[round % 6];
        if (*d == 1e-15)
            continue; // small, but the only entry: not refused
        for (int any = 0; any < 2; any++) {
            bool good = lithe_block_refactor(s.f, s.m, &i, 1,
                                             any ? LITHE_PIVOT_ANY : LITHE_PIVOT_POSITIVE, &pivots);
            CHECK(good == (any && *d == -1));
            CHECK(pivots.first_bad == (good ? -1 : s.m->at[i] + k));
            CHECK(!good || (pivots.negative_count == 1 && pivots.smallest == -1));
        }
        // and after it a good value is accepted again
        *d = 1;
        CHECK(lithe_block_refactor(s.f, s.m, &i, 1, LITHE_PIVOT_POSITIVE, &pivots));
        solve(&s);
        CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    }
    close_system(&s);
}

TEST(a_singular_matrix_is_refused) {
    // springs between neighbours without supports: only the last pivot vanishes
    System s = open_system();
    TestRandom random = {11};
    set_sizes(&random, 50, 1);
    pair_count = 0;
    for (int32_t i = 1; i < 50; i++)
        add_pair(i, i - 1);
    FATAL(lithe_block_matrix_build(s.m, 50, sizes, pairs, pair_count));
    lithe_block_clear(s.m);
    for (int32_t i = 1; i < 50; i++) {
        s.m->value[lithe_block_find(s.m, i, i)] += 3;
        s.m->value[lithe_block_find(s.m, i - 1, i - 1)] += 3;
        s.m->value[lithe_block_find(s.m, i, i - 1)] = -3;
    }
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    LitheBlockPivots pivots;
    CHECK(!lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    CHECK(pivots.first_bad == lithe_block_order(s.f)[49]);
    CHECK(!lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_ANY, &pivots));
    close_system(&s);
}

TEST(a_nan_or_an_infinity_anywhere_ends_as_a_bad_pivot) {
    TestRandom random = {12};
    System s = open_system();
    for (int round = 0; round < 60; round++) {
        FATAL(make_system(&random, &s, round % KINDS, 30, round % 3 ? 0 : 4, -1, 1));
        FATAL(lithe_block_analyse(s.f, s.m, NULL));
        int32_t e = below(&random, s.m->start[30]), j = 0;
        while (s.m->start[j + 1] <= e)
            j++;
        int32_t c = below(&random, s.m->size[j]), rows = s.m->size[s.m->row[e]];
        int32_t r = s.m->row[e] == j ? c + below(&random, rows - c) : below(&random, rows);
        lithe_block_values(s.m, e)[rows * c + r] = round % 2 ? NAN : INFINITY;
        LitheBlockPivots pivots;
        CHECK(!lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(pivots.first_bad != -1);
        CHECK(!lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_ANY, &pivots));
        CHECK(pivots.first_bad != -1);
    }
    close_system(&s);
}

TEST(negative_pivots_count_the_negative_eigenvalues) {
    TestRandom random = {13};
    System s = open_system();
    for (int kind = 0; kind < KINDS; kind++) {
        FATAL(make_system(&random, &s, kind, 40, kind % 2 ? 4 : 0, -1, 1));
        for (int32_t j = 0; j < 40; j += 3)
            for (int32_t k = 0; k < s.m->size[j]; k++)
                lithe_block_values(s.m, s.m->start[j])[(s.m->size[j] + 1) * k] -= 8;
        to_dense(s.m, dense_factor);
        FATAL(lithe_dense_factor(s.rows, dense_factor) == -1);
        int32_t wanted = lithe_dense_negative_count(s.rows, dense_factor);
        FATAL(lithe_block_analyse(s.f, s.m, NULL));
        LitheBlockPivots pivots;
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_ANY, &pivots));
        CHECK(pivots.negative_count == wanted && wanted > 0);
    }
    close_system(&s);
}

// --- memory and bits -----------------------------------------------------------------------------

TEST(after_a_warm_up_nothing_is_allocated) {
    TestRandom random = {14};
    System s = open_system();
    LitheBlockPivots pivots;
    for (int size = 12; size > 0; size -= 3) {
        int32_t n = 300 + size;
        FATAL(make_system(&random, &s, CHAIN_OF_RINGS, n, size, -1, 1));
        FATAL(lithe_block_analyse(s.f, s.m, NULL));
        int64_t before = lithe_context_alloc_count(s.context);
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        int32_t touched[2] = {1, 70};
        FATAL(lithe_block_refactor(s.f, s.m, touched, 2, LITHE_PIVOT_POSITIVE, &pivots));
        solve(&s);
        // smaller and equal patterns
        FATAL(make_system(&random, &s, CHAIN, n - 10, size, -1, 1));
        FATAL(lithe_block_analyse(s.f, s.m, NULL));
        FATAL(lithe_block_analyse(s.f, s.m, lithe_block_order(s.f)));
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(lithe_context_alloc_count(s.context) == before);
    }
    close_system(&s);
}

TEST(lack_of_memory_is_reported_at_every_allocation_and_nothing_leaks) {
    int64_t n = 1;
    bool done = false;
    for (; !done && n < 100; n++) {
        TestRandom random = {15};
        LitheContext *context = lithe_context_create(NULL);
        lithe_context_fail_at(context, n);
        System s = {.context = context};
        s.m = lithe_block_matrix_create(context);
        s.f = lithe_block_factor_create(context);
        if (s.m && s.f) {
            bool built = make_system(&random, &s, CHAIN_OF_RINGS, 60, 4, -1, 1);
            bool small = built && lithe_block_analyse(s.f, s.m, NULL);
            built = small && make_system(&random, &s, RING, 200, 6, -1, 1);
            done = built && lithe_block_analyse(s.f, s.m, NULL);
            CHECK(done || !s.f->analysed || s.m->count == 0);
            // with enough memory it succeeds
            lithe_context_fail_at(context, 0);
            LitheBlockPivots pivots;
            CHECK(make_system(&random, &s, RING, 50, 4, -1, 1));
            CHECK(lithe_block_analyse(s.f, s.m, NULL));
            CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
            solve(&s);
            CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
        }
        close_system(&s);
    }
    CHECK(done && n > 10);
}

TEST(the_bits_do_not_depend_on_what_was_factored_before) {
    TestRandom random = {16};
    System s = open_system();
    LitheBlockPivots pivots;
    FATAL(make_system(&random, &s, SCATTERED, 90, 0, -1, 1));
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    FATAL(make_system(&random, &s, CHAIN_OF_RINGS, 200, 0, -3, 3));
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    LitheBlockFactor *fresh = lithe_block_factor_create(s.context);
    FATAL(lithe_block_analyse(fresh, s.m, NULL));
    FATAL(lithe_block_factor_numeric(fresh, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    memcpy(y, b, sizeof *y * (size_t)s.rows);
    lithe_block_solve(fresh, y);
    CHECK(memcmp(x, y, sizeof *x * (size_t)s.rows) == 0);
    lithe_block_factor_destroy(fresh);
    close_system(&s);
}
