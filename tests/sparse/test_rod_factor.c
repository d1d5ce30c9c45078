// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_rod_factor.c - every rod kernel against dense references

#include "lithe/base.h"
#include "math/eigen.h"
#include "sparse/dense.h"
#include "sparse/rod_factor.h"
#include "test.h"

enum { SMALL = 60, LARGE = 3000, KERNELS = 3, PANEL = LITHE_ROD_PANEL };

// room for the largest rod of any test
static double panel[LARGE * PANEL], other_panel[LARGE * PANEL];
static double factor[LARGE * 80], other_factor[LARGE * 80];
static double dense[16 * SMALL * SMALL], dense_factor[16 * SMALL * SMALL];
static double x[4 * LARGE], y[4 * LARGE], b[4 * LARGE];

static int min(bool closed) {
    return closed ? LITHE_ROD_MIN_CLOSED : LITHE_ROD_MIN_OPEN;
}

// entry (row, column) of two unknowns, stored once: in the panel of the earlier node
static double *entry(const LitheRodMatrix *a, int row, int column) {
    int n = a->node_count, i = row / 4, j = column / 4;
    int ahead = a->closed ? (i - j + n) % n : i - j;
    if (ahead < 0 || ahead > 2 || (ahead == 0 && row < column))
        return entry(a, column, row);
    return &a->panel[PANEL * j + 12 * (column % 4) + 4 * ahead + row % 4];
}

// A += weight g g' for each node's stencil of 11 unknowns: two whole nodes and the position of the
// third, as for bending and twisting (8 unknowns when there are only two nodes)
static void add_stencils(TestRandom *random, double low, double high, LitheRodMatrix *a) {
    int n = a->node_count, size = n > 2 ? 11 : 8;
    for (int i = 0; i < (a->closed ? n : n > 2 ? n - 2 : 1); i++)
        for (int round = 0; round < 10; round++) {
            double weight = pow(10, test_random(random, low, high)), g[11];
            for (int k = 0; k < size; k++)
                g[k] = test_random(random, -1, 1);
            for (int r = 0; r < size; r++)
                for (int c = 0; c <= r; c++)
                    *entry(a, (4 * i + r) % (4 * n), (4 * i + c) % (4 * n)) += weight * g[r] * g[c];
        }
}

static void add_diagonal(double value, LitheRodMatrix *a) {
    for (int k = 0; k < 4 * a->node_count; k++)
        *entry(a, k, k) += value;
}

// positive definite; condition number about 10^(high - low) and more
static LitheRodMatrix positive(TestRandom *random, int n, bool closed, double low, double high) {
    LitheRodMatrix a = {n, closed, panel};
    memset(panel, 0, sizeof(double) * PANEL * (size_t)n);
    add_stencils(random, low, high, &a);
    add_diagonal(pow(10, low), &a);
    return a;
}

static void to_dense(const LitheRodMatrix *a, double *out) {
    int size = 4 * a->node_count;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++) {
            int n = a->node_count, apart = abs(r / 4 - c / 4);
            if (a->closed && n - apart < apart)
                apart = n - apart;
            out[size * r + c] = apart <= 2 ? *entry(a, r, c) : 0;
        }
}

static void random_right_side(TestRandom *random, int n) {
    for (int k = 0; k < 4 * n; k++)
        b[k] = test_random(random, -1, 1);
}

static double largest(int count, const double *v) {
    double size = 0;
    for (int k = 0; k < count; k++)
        size = fmax(size, fabs(v[k]));
    return size;
}

static double largest_difference(int count, const double *v, const double *w) {
    double size = 0;
    for (int k = 0; k < count; k++)
        size = fmax(size, fabs(v[k] - w[k]));
    return size;
}

// |A x - b| / (|A| |x| + |b|), largest entries
static double backward_error(const LitheRodMatrix *a) {
    int count = 4 * a->node_count;
    lithe_rod_multiply(a, x, y);
    return largest_difference(count, y, b) /
           (largest(PANEL * a->node_count, a->panel) * largest(count, x) + largest(count, b));
}

// --- the matrix ----------------------------------------------------------------------------------
TEST(product_equals_the_dense_one) {
    TestRandom random = {1};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n <= 20; n++) {
            LitheRodMatrix a = positive(&random, n, closed, -1, 1);
            to_dense(&a, dense);
            random_right_side(&random, n);
            lithe_rod_multiply(&a, b, x);
            lithe_dense_multiply(4 * n, dense, b, y);
            CHECK_NEAR(largest_difference(4 * n, x, y), 0, 1e-12);
        }
}

TEST(product_has_the_bits_of_the_plain_one) {
    TestRandom random = {17};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n <= 20; n++) {
            LitheRodMatrix a = positive(&random, n, closed, -1, 1);
            random_right_side(&random, n);
            lithe_rod_multiply(&a, b, x);
            lithe_rod_multiply_plain(&a, b, y);
            CHECK(memcmp(x, y, sizeof(double) * 4 * (size_t)n) == 0);
        }
}

TEST(sum_of_two_matrices_has_the_bits_of_the_plain_one) {
    TestRandom random = {19};
    static double more[LITHE_ROD_PANEL * 20], twice[LITHE_ROD_PANEL * 20];
    for (int n = min(false); n <= 20; n++) {
        LitheRodMatrix a = positive(&random, n, false, -1, 1);
        LitheRodMatrix c = {n, false, twice};
        size_t bytes = sizeof(double) * LITHE_ROD_PANEL * (size_t)n;
        memcpy(twice, a.panel, bytes);
        for (int k = 0; k < LITHE_ROD_PANEL * n; k++)
            more[k] = test_random(&random, -1, 1);
        lithe_rod_add(&a, 1.0 / 3, more);
        lithe_rod_add_plain(&c, 1.0 / 3, more);
        CHECK(memcmp(a.panel, twice, bytes) == 0);
        CHECK(a.panel[0] != 0 && more[0] != 0);
    }
}

TEST(the_fastest_kernel_is_first_and_the_plain_one_last) {
    CHECK(strcmp(lithe_rod_kernel(0)->name, lithe_rod_kernel_name()) == 0);
    int count = 0;
    while (lithe_rod_kernel(count))
        count++;
    CHECK(count >= 2 && count <= KERNELS);
    CHECK(strcmp(lithe_rod_kernel(count - 1)->name, "plain") == 0);
}

// --- positive definite ---------------------------------------------------------------------------
TEST(every_kernel_solves_as_the_dense_reference_does_to_1e_12) {
    TestRandom random = {2};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n <= SMALL; n += n < 12 ? 1 : 7) {
            LitheRodMatrix a = positive(&random, n, closed, -0.5, 0.5);
            random_right_side(&random, n);
            to_dense(&a, dense_factor);
            FATAL(lithe_dense_factor_positive(4 * n, dense_factor) == -1);
            memcpy(y, b, sizeof(double) * 4 * (size_t)n);
            lithe_dense_solve(4 * n, dense_factor, y);
            for (int k = 0; lithe_rod_kernel(k); k++) {
                LitheRodPivots pivots;
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
                FATAL(pivots.first_bad == -1 && pivots.negative_count == 0);
                memcpy(x, b, sizeof(double) * 4 * (size_t)n);
                lithe_rod_kernel(k)->solve(n, closed, factor, x);
                CHECK_NEAR(largest_difference(4 * n, x, y), 0, 1e-12 * largest(4 * n, y));
            }
        }
}

TEST(smallest_pivot_equals_the_dense_one) {
    TestRandom random = {3};
    for (int closed = 0; closed < 2; closed++) {
        LitheRodMatrix a = positive(&random, 17, closed, -1, 1);
        to_dense(&a, dense_factor);
        FATAL(lithe_dense_factor_positive(4 * 17, dense_factor) == -1);
        double smallest = INFINITY;
        for (int k = 0; k < 4 * 17; k++)
            smallest = fmin(smallest, dense_factor[4 * 17 * k + k]);
        for (int k = 0; lithe_rod_kernel(k); k++) {
            LitheRodPivots pivots;
            lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
            CHECK_NEAR(pivots.smallest, smallest, 1e-12);
        }
    }
}

TEST(backward_error_stays_at_rounding_for_stiffness_over_ten_decades) {
    TestRandom random = {4};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n <= LARGE; n = n * 3 + 1) {
            LitheRodMatrix a = positive(&random, n, closed, -5, 5);
            random_right_side(&random, n);
            for (int k = 0; lithe_rod_kernel(k); k++) {
                LitheRodPivots pivots;
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
                FATAL(pivots.first_bad == -1);
                memcpy(x, b, sizeof(double) * 4 * (size_t)n);
                lithe_rod_kernel(k)->solve(n, closed, factor, x);
                CHECK_NEAR(backward_error(&a), 0, 4e-15);
            }
        }
}

TEST(all_kernels_leave_the_same_factor_to_rounding) {
    TestRandom random = {5};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n <= LARGE; n = n * 4 + 1) {
            LitheRodMatrix a = positive(&random, n, closed, 0, 0);
            add_diagonal(10, &a);
            LitheRodPivots pivots, others;
            int count = (int)lithe_rod_factor_size(n, closed);
            memset(factor, 0, sizeof factor);
            lithe_rod_kernel(0)->factor(&a, LITHE_PIVOT_ANY, factor, &pivots);
            FATAL(pivots.first_bad == -1);
            for (int k = 1; lithe_rod_kernel(k); k++) {
                memset(other_factor, 0, sizeof other_factor);
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_ANY, other_factor, &others);
                CHECK_NEAR(others.smallest, pivots.smallest, 1e-13);
                CHECK(others.negative_count == pivots.negative_count);
                // not compared: two unused doubles per node, and border rows of the border's nodes
                int stride = count / n;
                double off = 0;
                for (int at = 0; at < count; at++)
                    if (at % stride < 38 || (at % stride >= 40 && at / stride < n - 2))
                        off = fmax(off, fabs(factor[at] - other_factor[at]));
                CHECK_NEAR(off, 0, 1e-14);
            }
        }
}

TEST(the_same_call_gives_the_same_bits) {
    TestRandom random = {6};
    for (int closed = 0; closed < 2; closed++) {
        LitheRodMatrix a = positive(&random, 301, closed, -3, 3);
        random_right_side(&random, 301);
        LitheRodPivots pivots;
        for (int round = 0; round < 3; round++) {
            double *result = round ? y : x;
            // memory with different contents each time
            memset(factor, round, sizeof factor);
            lithe_rod_factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
            memcpy(result, b, sizeof(double) * 4 * 301);
            lithe_rod_solve(301, closed, factor, result);
            CHECK(round == 0 || memcmp(x, y, sizeof(double) * 4 * 301) == 0);
        }
    }
}

TEST(a_border_that_fades_away_along_a_closed_rod_costs_no_accuracy) {
    TestRandom random = {7};
    LitheRodMatrix a = positive(&random, LARGE, true, 0, 0);
    add_diagonal(200, &a);
    for (int scale = -1; scale <= 1; scale++) {
        for (int k = 0; k < PANEL * LARGE; k++)
            other_panel[k] = panel[k] * pow(10, 100 * scale);
        LitheRodMatrix scaled = {LARGE, true, other_panel};
        random_right_side(&random, LARGE);
        LitheRodPivots pivots;
        lithe_rod_factor(&scaled, LITHE_PIVOT_POSITIVE, factor, &pivots);
        FATAL(pivots.first_bad == -1);
        memcpy(x, b, sizeof x);
        lithe_rod_solve(LARGE, true, factor, x);
        CHECK_NEAR(backward_error(&scaled), 0, 1e-15);
    }
}

// --- inertia -------------------------------------------------------------------------------------
TEST(negative_count_equals_that_of_the_eigenvalues) {
    TestRandom random = {8};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n <= 16; n++)
            for (int round = 0; round < 4; round++) {
                LitheRodMatrix a = positive(&random, n, closed, -1, 1);
                double values[64], work[64];
                to_dense(&a, dense);
                FATAL(lithe_eigen_symmetric(4 * n, dense, values, work));
                // move the origin between two eigenvalues
                int negative = (int)test_random(&random, 0, 4 * n);
                double shift = negative ? 0.5 * (values[negative - 1] + values[negative]) : 0;
                add_diagonal(-shift, &a);
                for (int k = 0; lithe_rod_kernel(k); k++) {
                    LitheRodPivots pivots;
                    lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_ANY, factor, &pivots);
                    CHECK(pivots.first_bad == -1);
                    CHECK(pivots.negative_count == negative);
                    CHECK((pivots.smallest < 0) == (negative > 0));
                    lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
                    CHECK((pivots.first_bad == -1) == (negative == 0));
                }
            }
}

TEST(an_indefinite_matrix_is_solved_and_counted_as_the_dense_reference_does) {
    TestRandom random = {9};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n <= SMALL; n += n < 12 ? 1 : 11) {
            // random signs: +10 or -10 on the diagonal
            LitheRodMatrix a = {n, closed, panel};
            for (int k = 0; k < PANEL * n; k++)
                panel[k] = test_random(&random, -1, 1);
            for (int k = 0; k < 4 * n; k++)
                *entry(&a, k, k) += test_random_bits(&random) & 1 ? 10 : -10;
            for (int i = 0; i < n; i++)
                for (int c = 0; c < 4; c++)
                    panel[PANEL * i + 12 * c + 11] = 0;
            random_right_side(&random, n);
            to_dense(&a, dense_factor);
            FATAL(lithe_dense_factor(4 * n, dense_factor) == -1);
            memcpy(y, b, sizeof(double) * 4 * (size_t)n);
            lithe_dense_solve(4 * n, dense_factor, y);
            int negative = lithe_dense_negative_count(4 * n, dense_factor);
            for (int k = 0; lithe_rod_kernel(k); k++) {
                LitheRodPivots pivots;
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_ANY, factor, &pivots);
                CHECK(pivots.first_bad == -1 && pivots.negative_count == negative);
                memcpy(x, b, sizeof(double) * 4 * (size_t)n);
                lithe_rod_kernel(k)->solve(n, closed, factor, x);
                CHECK_NEAR(largest_difference(4 * n, x, y), 0, 1e-12 * largest(4 * n, y));
            }
        }
}

// --- refusals ------------------------------------------------------------------------------------
TEST(a_pivot_that_is_not_positive_is_reported_at_its_own_unknown) {
    TestRandom random = {10};
    for (int closed = 0; closed < 2; closed++) {
        enum { N = 7 };
        LitheRodMatrix a = positive(&random, N, closed, -1, 1);
        to_dense(&a, dense_factor);
        FATAL(lithe_dense_factor_positive(4 * N, dense_factor) == -1);
        for (int bad = 0; bad < 4 * N; bad++) {
            double pivot = dense_factor[4 * N * bad + bad], *diagonal = entry(&a, bad, bad);
            double before = *diagonal;
            for (int k = 0; lithe_rod_kernel(k); k++) {
                LitheRodPivots pivots;
                // a negative pivot stops one rule and is counted by the other
                *diagonal = before - 1.5 * pivot;
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
                CHECK(pivots.first_bad == bad);
                CHECK_NEAR(pivots.smallest, -0.5 * pivot, 1e-11 * before);
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_ANY, factor, &pivots);
                CHECK(pivots.first_bad == -1 && pivots.negative_count == 1);
                // a zero one stops both
                *diagonal = before - pivot;
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
                CHECK(pivots.first_bad == bad);
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_ANY, factor, &pivots);
                CHECK(pivots.first_bad == bad);
            }
            *diagonal = before;
        }
    }
}

// whether the solver reads row `row` of column `column` in the panel of node i
static bool is_read(const LitheRodMatrix *a, int i, int row, int column) {
    int after = a->closed ? 2 : a->node_count - 1 - i; // nodes that follow
    return row < 4 ? row >= column : row < 8 ? after >= 1 : row < 11 && after >= 2;
}

TEST(a_bad_number_anywhere_is_a_bad_pivot_and_never_passes) {
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    TestRandom random = {11};
    for (int closed = 0; closed < 2; closed++) {
        enum { N = 6 };
        LitheRodMatrix a = positive(&random, N, closed, -1, 1);
        for (int at = 0; at < PANEL * N; at++) {
            if (!is_read(&a, at / PANEL, at % PANEL % 12, at % PANEL / 12))
                continue;
            double before = panel[at];
            for (int which = 0; which < 3; which++)
                for (int k = 0; lithe_rod_kernel(k); k++) {
                    LitheRodPivots pivots;
                    panel[at] = bad[which];
                    lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
                    CHECK(pivots.first_bad >= 0);
                    lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_ANY, factor, &pivots);
                    CHECK(pivots.first_bad >= 0);
                }
            panel[at] = before;
        }
    }
}

TEST(what_the_layout_calls_unread_is_not_read) {
    TestRandom random = {12};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n < 9; n++) {
            LitheRodMatrix a = positive(&random, n, closed, -1, 1);
            LitheRodMatrix spoilt = {n, closed, other_panel};
            for (int at = 0; at < PANEL * n; at++)
                other_panel[at] =
                    is_read(&a, at / PANEL, at % PANEL % 12, at % PANEL / 12) ? panel[at] : NAN;
            random_right_side(&random, n);
            lithe_rod_multiply(&a, b, x);
            lithe_rod_multiply(&spoilt, b, y);
            CHECK(memcmp(x, y, sizeof(double) * 4 * (size_t)n) == 0);
            for (int k = 0; lithe_rod_kernel(k); k++)
                for (int rule = LITHE_PIVOT_POSITIVE; rule <= LITHE_PIVOT_ANY; rule++) {
                    LitheRodPivots pivots;
                    memcpy(x, b, sizeof(double) * 4 * (size_t)n);
                    memcpy(y, b, sizeof(double) * 4 * (size_t)n);
                    lithe_rod_kernel(k)->factor(&a, rule, factor, &pivots);
                    lithe_rod_kernel(k)->solve(n, closed, factor, x);
                    lithe_rod_kernel(k)->factor(&spoilt, rule, factor, &pivots);
                    lithe_rod_kernel(k)->solve(n, closed, factor, y);
                    CHECK(pivots.first_bad == -1);
                    CHECK(memcmp(x, y, sizeof(double) * 4 * (size_t)n) == 0);
                }
        }
}

TEST(nothing_is_written_past_the_factor_or_the_unknowns) {
    TestRandom random = {13};
    for (int closed = 0; closed < 2; closed++)
        for (int n = min(closed); n < 9; n++) {
            LitheRodMatrix a = positive(&random, n, closed, -1, 1);
            int64_t size = lithe_rod_factor_size(n, closed);
            for (int k = 0; lithe_rod_kernel(k); k++) {
                LitheRodPivots pivots;
                factor[size] = 12345;
                x[4 * n] = 54321;
                lithe_rod_kernel(k)->factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
                lithe_rod_kernel(k)->solve(n, closed, factor, x);
                CHECK(factor[size] == 12345);
                CHECK(x[4 * n] == 54321);
            }
        }
}

static int asserted;
static void count_assert(const char *condition, const char *file, int line) {
    (void)condition, (void)file, (void)line;
    asserted++;
}

TEST(rods_that_are_too_short_are_our_own_bug) {
    TestRandom random = {14};
    LitheRodPivots pivots;
    LitheRodMatrix a = positive(&random, 5, true, -1, 1);
    lithe_set_assert_handler(count_assert);
    asserted = 0;
    lithe_rod_factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
    CHECK(asserted == 0);
    a.node_count = 4;
    lithe_rod_factor(&a, LITHE_PIVOT_POSITIVE, factor, &pivots);
    CHECK(asserted == 1);
    lithe_set_assert_handler(NULL);
}
