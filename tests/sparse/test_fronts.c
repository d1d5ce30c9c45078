// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_fronts.c - factor, refactor and solve by fronts

#include "block_case.h"
#include "sparse/dense.h"
#include "sparse/dissect.h"

static int32_t order[BLOCKS], late[BLOCKS];

static void shuffle(TestRandom *random, int32_t n) {
    for (int32_t i = 0; i < n; i++)
        order[i] = i;
    for (int32_t i = n - 1; i > 0; i--) {
        int32_t k = below(random, i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

static int32_t some_blocks(TestRandom *random, int32_t n, double share) {
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        if (test_random(random, 0, 1) < share)
            late[count++] = i;
    return count;
}

// A mesh of cells x cells vertices, all pairs of a cell coupled; dissected. `mixed`: 0 blocks of
// three, 1 also of one, 2 mostly of four.
static bool make_grid(TestRandom *random, System *s, int32_t cells, int mixed) {
    static const int32_t kinds[3][3] = {{3, 3, 3}, {1, 3, 3}, {4, 4, 4}}, others[3] = {3, 6, 8};
    int32_t n = cells * cells;
    pair_count = 0;
    for (int32_t i = 0; i < n; i++) {
        sizes[i] = mixed == 2 && i % 7 == 0 ? others[i % 3] : kinds[mixed][i % 3];
        int32_t x0 = i % cells, y0 = i / cells;
        if (x0 + 1 < cells)
            add_pair(i, i + 1);
        if (y0 + 1 < cells)
            add_pair(i, i + cells);
        if (x0 + 1 < cells && y0 + 1 < cells)
            add_pair(i, i + cells + 1);
    }
    if (!lithe_block_matrix_build(s->m, n, sizes, pairs, pair_count))
        return false;
    fill(random, s->m, -1, 1);
    s->rows = s->m->at[n];
    for (int32_t k = 0; k < s->rows; k++)
        b[k] = test_random(random, -1, 1);
    return lithe_block_dissect(s->context, s->m, order);
}

// changes the values of all entries between late blocks
static void change(TestRandom *random, LitheBlockMatrix *m, int32_t late_count) {
    for (int32_t k = 0; k < late_count; k++) {
        double *d = lithe_block_values(m, m->start[late[k]]);
        for (int32_t c = 0; c < m->size[late[k]]; c++)
            d[(m->size[late[k]] + 1) * c] *= test_random(random, 1, 3);
        for (int32_t l = 0; l < late_count; l++) {
            int32_t e = late[l] > late[k] ? lithe_block_find(m, late[l], late[k]) : -1;
            if (e >= 0)
                lithe_block_values(m, e)[0] *= 0.5;
        }
    }
}

// a mesh of side^3 vertices; `late` gets those of one face
static int32_t make_cube(TestRandom *random, System *s, int32_t side) {
    int32_t n = side * side * side, count = 0;
    pair_count = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t x0 = i % side, y0 = i / side % side, z0 = i / (side * side);
        sizes[i] = 6;
        for (int32_t k = 1; k < 8; k++)
            if (x0 + (k & 1) < side && y0 + (k >> 1 & 1) < side && z0 + (k >> 2) < side)
                add_pair(i, i + (k & 1) + side * (k >> 1 & 1) + side * side * (k >> 2));
        if (z0 == 0)
            late[count++] = i;
    }
    CHECK(lithe_block_matrix_build(s->m, n, sizes, pairs, pair_count));
    fill(random, s->m, -1, 1);
    s->rows = s->m->at[n];
    for (int32_t k = 0; k < s->rows; k++)
        b[k] = test_random(random, -1, 1);
    return count;
}

// --- against the dense reference -----------------------------------------------------------------

LONG_TEST(every_kernel_solves_as_the_dense_reference_does_in_every_order) {
    TestRandom random = {1};
    System s = open_system();
    for (int round = 0; round < 60; round++) {
        int32_t n = 2 + below(&random, 60);
        FATAL(make_system(&random, &s, round % KINDS, n < 12 ? 12 : n, round % 3 ? 0 : 3, -1, 1));
        if (s.rows > DENSE)
            continue;
        shuffle(&random, s.m->count);
        int32_t count = some_blocks(&random, s.m->count, round % 4 * 0.2);
        FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, count));
        to_dense(s.m, dense);
        memcpy(dense_factor, dense, sizeof dense);
        FATAL(lithe_dense_factor_positive(s.rows, dense_factor) == -1);
        memcpy(y, b, sizeof y);
        lithe_dense_solve(s.rows, dense_factor, y);
        for (int32_t k = 0; lithe_block_kernel(k); k++) {
            LitheBlockPivots pivots;
            FATAL(lithe_block_factor_with(lithe_block_kernel(k), s.f, s.m, LITHE_PIVOT_POSITIVE,
                                          &pivots));
            CHECK(pivots.first_bad == -1 && pivots.smallest > 0 && pivots.negative_count == 0);
            memcpy(x, b, sizeof x);
            lithe_block_solve_with(lithe_block_kernel(k), s.f, x);
            CHECK_NEAR(largest_difference(s.rows, x, y), 0, 1e-9);
            CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
        }
    }
    close_system(&s);
}

TEST(meshes_with_blocks_of_3_of_1_and_mixed_are_solved_to_1e_14) {
    TestRandom random = {2};
    System s = open_system();
    LitheBlockPivots pivots;
    for (int32_t cells = 1; cells <= 20; cells++)
        for (int mixed = 0; mixed < 2; mixed++) {
            FATAL(make_grid(&random, &s, cells, mixed));
            FATAL(lithe_block_analyse_fronts(s.f, s.m, order, NULL, 0));
            FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
            CHECK(pivots.column_count == s.m->count);
            solve(&s);
            CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
        }
    close_system(&s);
}

TEST(a_front_may_be_wider_than_a_step) {
    // two cliques that share neighbours: one is a front of its own with rows below
    TestRandom random = {3};
    System s = open_system();
    LitheBlockPivots pivots;
    for (int32_t n = 66; n <= 75; n += 3) {
        pair_count = 0;
        set_sizes(&random, 2 * n + 8, 3);
        for (int32_t side = 0; side < 2; side++)
            for (int32_t i = 0; i < n + 8; i++)
                for (int32_t j = 0; j < i; j++)
                    if (pair_count < PAIRS)
                        add_pair(i < n ? side * n + i : n + i, j < n ? side * n + j : n + j);
        int32_t count = 2 * n + 8;
        for (int32_t i = 0; i < count; i++)
            order[i] = i;
        FATAL(lithe_block_matrix_build(s.m, count, sizes, pairs, pair_count));
        fill(&random, s.m, -1, 1);
        s.rows = s.m->at[count];
        for (int32_t k = 0; k < s.rows; k++)
            b[k] = test_random(&random, -1, 1);
        for (int32_t i = 0; i < 8; i++)
            late[i] = 2 * n + i;
        FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, 8));
        CHECK(s.f->fronts->w[0] > LITHE_FRONT_STEP || s.f->fronts->w[1] > LITHE_FRONT_STEP);
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        solve(&s);
        CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    }
    close_system(&s);
}

TEST(fronts_without_a_right_hand_side_are_not_read) {
    TestRandom random = {41};
    System s = open_system();
    LitheBlockPivots pivots;
    int32_t count = make_cube(&random, &s, 6), skipped = 0;
    FATAL(lithe_block_dissect(s.context, s.m, order));
    FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, count));
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    const LitheFronts *t = s.f->fronts;
    // b on some late blocks only
    double kept[6 * 6];
    for (int32_t k = 0; k < 6; k++)
        memcpy(kept + 6 * k, b + s.m->at[late[k]], 6 * sizeof *b);
    memset(b, 0, sizeof *b * (size_t)s.rows);
    for (int32_t k = 0; k < 6; k++)
        memcpy(b + s.m->at[late[k]], kept + 6 * k, 6 * sizeof *b);
    solve(&s);
    CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    for (int32_t f = 0; f < t->count; f++) {
        CHECK(t->hot[f] || t->zero[f]);
        skipped += t->zero[f];
    }
    CHECK(skipped > t->count / 2 && skipped < t->count);
    // the flags are those of the last right-hand side
    for (int32_t k = 0; k < s.rows; k++)
        b[k] = test_random(&random, -1, 1);
    solve(&s);
    CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    close_system(&s);
}

TEST(a_product_of_some_rows_has_the_rows_of_the_whole_product) {
    TestRandom random = {42};
    System s = open_system();
    uint8_t marked[400];
    for (int mixed = 0; mixed < 3; mixed++) {
        FATAL(make_grid(&random, &s, 20, mixed));
        for (int32_t i = 0; i < s.rows; i++)
            work[i] = test_random(&random, -1, 1);
        for (int32_t j = 0; j < s.m->count; j++)
            marked[j] = below(&random, 5) == 0;
        lithe_block_multiply(s.m, s.m->value, b, x);
        for (int32_t k = 0; lithe_block_kernel(k); k++) {
            for (int32_t i = 0; i < s.rows; i++)
                y[i] = NAN;
            lithe_block_kernel(k)->multiply_rows(s.m, 0, s.m->count, marked, s.m->value, b, work,
                                                 y);
            for (int32_t j = 0; j < s.m->count; j++)
                for (int32_t i = s.m->at[j]; i < s.m->at[j + 1]; i++) {
                    CHECK_NEAR(y[i], marked[j] ? x[i] : -work[i], 1e-12);
                    CHECK(marked[j] || y[i] == -work[i]);
                }
        }
    }
    close_system(&s);
}

// --- order and late blocks -----------------------------------------------------------------------

TEST(late_blocks_come_last_and_the_others_keep_their_sequence) {
    TestRandom random = {4};
    System s = open_system();
    FATAL(make_grid(&random, &s, 20, false));
    int32_t count = 0;
    for (int32_t i = 190; i < 200; i++)
        late[count++] = i;
    FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, count));
    CHECK(s.f->fronts->moved);
    const int32_t *found = lithe_block_order(s.f);
    bool seen[400] = {0};
    for (int32_t k = 0; k < 400; k++)
        seen[found[k]] = true;
    for (int32_t k = 0; k < 400; k++)
        CHECK(seen[k] && (found[k] >= 190 && found[k] < 200) == (k >= 390));
    // the descendants of a block in the tree are eliminated before it, as in the order
    LitheBlockFactor *f = lithe_block_factor_create(s.context);
    int32_t moved[400], next = 0;
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < 400; k++)
            if ((order[k] >= 190 && order[k] < 200) == pass)
                moved[next++] = order[k];
    FATAL(lithe_block_analyse_fronts(f, s.m, moved, NULL, 0));
    CHECK(lithe_block_factor_values(f) <= 1.1 * (double)lithe_block_factor_values(s.f));
    CHECK(lithe_block_factor_values(s.f) <= 1.1 * (double)lithe_block_factor_values(f));
    lithe_block_factor_destroy(f);
    close_system(&s);
}

TEST(blocks_stay_where_they_are_when_moving_them_does_not_pay) {
    TestRandom random = {5};
    System s = open_system();
    LitheBlockPivots pivots;
    FATAL(make_grid(&random, &s, 20, false));
    // every second block
    int32_t count = 0;
    for (int32_t i = 0; i < 400; i += 2)
        late[count++] = i;
    FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, count));
    CHECK(!s.f->fronts->moved);
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    FATAL(lithe_block_refactor(s.f, s.m, late, count, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    close_system(&s);
}

LONG_TEST(every_way_of_refactoring_gives_the_bits_of_a_full_factorisation) {
    TestRandom random = {6};
    System s = open_system();
    LitheBlockFactor *fresh = lithe_block_factor_create(s.context);
    LitheBlockPivots pivots, full;
    int32_t moved = 0, kept = 0, less = 0;
    for (int round = 0; round < 80; round++) {
        if (round % 2 == 0) {
            FATAL(make_grid(&random, &s, 12, round % 4 == 0));
        } else {
            FATAL(make_system(&random, &s, round % KINDS, 80, round % 3 ? 0 : 3, -1, 1));
            shuffle(&random, s.m->count);
        }
        static const double shares[5] = {0, 0.02, 0.1, 0.5, 1};
        int32_t count = some_blocks(&random, s.m->count, shares[round % 5]);
        FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, count));
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        moved += s.f->fronts->moved;
        kept += !s.f->fronts->moved;
        for (int again = 0; again < 3; again++) {
            change(&random, s.m, count);
            // some of the late blocks, all of them, or one that is not late
            int32_t other = below(&random, s.m->count);
            bool outside = again == 2;
            if (outside)
                lithe_block_values(s.m, s.m->start[other])[0] += 1;
            FATAL(outside
                      ? lithe_block_refactor(s.f, s.m, &other, 1, LITHE_PIVOT_POSITIVE, &pivots)
                      : lithe_block_refactor(s.f, s.m, late, count, LITHE_PIVOT_POSITIVE, &pivots));
            less += pivots.column_count < s.m->count;
            FATAL(lithe_block_analyse_fronts(fresh, s.m, order, late, count));
            FATAL(lithe_block_factor_numeric(fresh, s.m, LITHE_PIVOT_POSITIVE, &full));
            solve(&s);
            memcpy(y, b, sizeof *y * (size_t)s.rows);
            LitheBlockAsk ask = {1, y, y};
            FATAL(lithe_block_factor_solve(fresh, s.m, NULL, 0, LITHE_PIVOT_POSITIVE, &full, &ask));
            CHECK(memcmp(x, y, sizeof *x * (size_t)s.rows) == 0);
            CHECK(pivots.smallest == full.smallest);
        }
    }
    CHECK(moved > 5 && kept > 5 && less > 20);
    lithe_block_factor_destroy(fresh);
    close_system(&s);
}

TEST(an_equal_request_keeps_the_factor) {
    TestRandom random = {7};
    System s = open_system();
    LitheBlockPivots pivots;
    FATAL(make_grid(&random, &s, 10, true));
    int32_t twice[4] = {5, 7, 7, 5}, once[2] = {7, 5};
    FATAL(lithe_block_analyse_fronts(s.f, s.m, order, twice, 4));
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    FATAL(lithe_block_analyse_fronts(s.f, s.m, order, once, 2));
    CHECK(s.f->factored);
    FATAL(lithe_block_analyse_fronts(s.f, s.m, order, once, 1));
    CHECK(!s.f->factored);
    // the order that a factor returns may be given to it, and the two forms may take turns
    FATAL(lithe_block_analyse_fronts(s.f, s.m, lithe_block_order(s.f), NULL, 0));
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    memcpy(y, x, sizeof y);
    FATAL(lithe_block_analyse(s.f, s.m, NULL));
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    CHECK_NEAR(largest_difference(s.rows, x, y), 0, 1e-9);
    FATAL(lithe_block_analyse_fronts(s.f, s.m, order, NULL, 0));
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    CHECK_NEAR(largest_difference(s.rows, x, y), 0, 1e-9);
    close_system(&s);
}

// --- pivots --------------------------------------------------------------------------------------

TEST(a_refused_pivot_is_named_in_the_callers_numbering) {
    TestRandom random = {8};
    System s = open_system();
    LitheBlockPivots pivots;
    for (int round = 0; round < 30; round++) {
        FATAL(make_grid(&random, &s, 14, true));
        FATAL(lithe_block_analyse_fronts(s.f, s.m, order, NULL, 0));
        int32_t i = below(&random, s.m->count), k = below(&random, s.m->size[i]);
        lithe_block_values(s.m, s.m->start[i])[(s.m->size[i] + 1) * k] = -1e6;
        CHECK(!lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(pivots.first_bad == s.m->at[i] + k && pivots.smallest < -9e5);
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_ANY, &pivots));
        CHECK(pivots.negative_count == 1 && pivots.smallest < -9e5);
    }
    close_system(&s);
}

TEST(a_nan_or_an_infinity_anywhere_ends_as_a_bad_pivot) {
    TestRandom random = {9};
    System s = open_system();
    LitheBlockPivots pivots;
    for (int round = 0; round < 60; round++) {
        FATAL(make_grid(&random, &s, 9, round % 2));
        FATAL(lithe_block_analyse_fronts(s.f, s.m, order, NULL, 0));
        int32_t e = below(&random, s.m->start[81]), j = 0;
        while (s.m->start[j + 1] <= e)
            j++;
        int32_t c = below(&random, s.m->size[j]), rows = s.m->size[s.m->row[e]];
        int32_t r = s.m->row[e] == j ? c + below(&random, rows - c) : below(&random, rows);
        lithe_block_values(s.m, e)[rows * c + r] = round % 3 ? NAN : INFINITY;
        CHECK(!lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(pivots.first_bad != -1);
        CHECK(!lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_ANY, &pivots));
        CHECK(pivots.first_bad != -1);
    }
    close_system(&s);
}

TEST(negative_pivots_count_the_negative_eigenvalues) {
    TestRandom random = {10};
    System s = open_system();
    LitheBlockPivots pivots;
    for (int kind = 0; kind < KINDS; kind++) {
        FATAL(make_system(&random, &s, kind, 40, kind % 2 ? 3 : 0, -1, 1));
        for (int32_t j = 0; j < 40; j += 3)
            for (int32_t k = 0; k < s.m->size[j]; k++)
                lithe_block_values(s.m, s.m->start[j])[(s.m->size[j] + 1) * k] -= 8;
        to_dense(s.m, dense_factor);
        FATAL(lithe_dense_factor(s.rows, dense_factor) == -1);
        int32_t wanted = lithe_dense_negative_count(s.rows, dense_factor);
        shuffle(&random, 40);
        FATAL(lithe_block_analyse_fronts(s.f, s.m, order, NULL, 0));
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_ANY, &pivots));
        CHECK(pivots.negative_count == wanted && wanted > 0);
    }
    close_system(&s);
}

// --- memory --------------------------------------------------------------------------------------

TEST(factoring_refactoring_and_solving_allocate_nothing) {
    TestRandom random = {11};
    System s = open_system();
    LitheBlockPivots pivots;
    FATAL(make_grid(&random, &s, 20, false));
    for (int32_t i = 0; i < 20; i++)
        late[i] = 20 * i;
    FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, 20));
    int64_t before = lithe_context_alloc_count(s.context);
    for (int round = 0; round < 3; round++) {
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        change(&random, s.m, 20);
        FATAL(lithe_block_refactor(s.f, s.m, late, 20, LITHE_PIVOT_POSITIVE, &pivots));
        CHECK(pivots.column_count < 400);
        solve(&s);
        // fewer late blocks
        FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, 10 - round));
        FATAL(lithe_block_analyse_fronts(s.f, s.m, order, late, 20));
    }
    CHECK(lithe_context_alloc_count(s.context) == before);
    close_system(&s);
}

TEST(lack_of_memory_is_reported_at_every_allocation_and_nothing_leaks) {
    int64_t n = 1;
    bool done = false;
    for (; !done && n < 100; n++) {
        TestRandom random = {12};
        LitheContext *context = lithe_context_create(NULL);
        lithe_context_fail_at(context, n);
        System s = {.context = context};
        s.m = lithe_block_matrix_create(context);
        s.f = lithe_block_factor_create(context);
        if (s.m && s.f) {
            LitheBlockPivots pivots;
            bool small = make_grid(&random, &s, 4, true) &&
                         lithe_block_analyse_fronts(s.f, s.m, order, NULL, 0);
            bool large = small && make_grid(&random, &s, 15, true);
            int32_t one = 3;
            done = large && lithe_block_analyse_fronts(s.f, s.m, order, &one, 1);
            CHECK(done || !large || !s.f->analysed);
            // with enough memory it succeeds
            lithe_context_fail_at(context, 0);
            CHECK(make_grid(&random, &s, 8, false));
            CHECK(lithe_block_analyse_fronts(s.f, s.m, order, &one, 1));
            CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
            solve(&s);
            CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
        }
        close_system(&s);
    }
    CHECK(done && n > 15);
}

TEST(an_empty_matrix_and_one_scalar_have_fronts) {
    System s = open_system();
    LitheBlockPivots pivots;
    int32_t one = 1, first = 0;
    FATAL(lithe_block_matrix_build(s.m, 0, &one, pairs, 0));
    CHECK(lithe_block_dissect(s.context, s.m, order));
    CHECK(lithe_block_analyse_fronts(s.f, s.m, order, NULL, 0));
    CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    lithe_block_solve(s.f, x);
    FATAL(lithe_block_matrix_build(s.m, 1, &one, pairs, 0));
    s.m->value[0] = 4;
    CHECK(lithe_block_dissect(s.context, s.m, order) && order[0] == 0);
    CHECK(lithe_block_analyse_fronts(s.f, s.m, order, &first, 1));
    CHECK(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    x[0] = 3;
    lithe_block_solve(s.f, x);
    CHECK(x[0] == 0.75);
    CHECK(lithe_block_factor_values(s.f) == 1 && lithe_block_factor_blocks(s.f) == 1);
    close_system(&s);
}

// --- chosen by the pattern -----------------------------------------------------------------------

TEST(a_matrix_that_fills_gets_fronts_and_a_chain_does_not) {
    TestRandom random = {14};
    System s = open_system();
    LitheBlockPivots pivots;
    int32_t count = make_cube(&random, &s, 7);
    for (int any = 0; any < 2; any++) {
        FATAL(any ? lithe_block_analyse(s.f, s.m, NULL)
                  : lithe_block_analyse_late(s.f, s.m, late, count));
        CHECK(s.f->by_fronts);
        FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
        solve(&s);
        CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    }
    FATAL(make_system(&random, &s, CHAIN, 300, 4, -1, 1));
    FATAL(lithe_block_analyse_late(s.f, s.m, NULL, 0));
    CHECK(!s.f->by_fronts);
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    CHECK_NEAR(lithe_block_backward_error(s.m, x, b, work), 0, 1e-14);
    close_system(&s);
}

TEST(fronts_that_the_pattern_chose_refactor_late_blocks_alone_and_are_kept) {
    TestRandom random = {15};
    System s = open_system();
    LitheBlockPivots pivots;
    int32_t count = make_cube(&random, &s, 7);
    FATAL(lithe_block_analyse_late(s.f, s.m, late, count));
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    change(&random, s.m, count);
    // the same request again: the factor is kept, so the others need not be computed
    FATAL(lithe_block_analyse_late(s.f, s.m, late, count));
    FATAL(s.f->factored);
    FATAL(lithe_block_refactor(s.f, s.m, late, count, LITHE_PIVOT_POSITIVE, &pivots));
    CHECK(pivots.column_count < s.m->count / 2);
    solve(&s);
    memcpy(y, x, sizeof y);
    FATAL(lithe_block_factor_numeric(s.f, s.m, LITHE_PIVOT_POSITIVE, &pivots));
    solve(&s);
    CHECK(memcmp(x, y, sizeof y) == 0);
    // other late blocks: another analysis
    FATAL(lithe_block_analyse_late(s.f, s.m, late, count - 1));
    CHECK(s.f->by_fronts && !s.f->factored);
    close_system(&s);
}
