// SPDX-License-Identifier: Apache-2.0
// tests/sparse/test_front_kernel.c - every kernel of a front against plain loops

#include "sparse/block_parts.h"
#include "sparse/dense.h"
#include "test.h"

enum { MAX = 480, STEP = LITHE_FRONT_STEP, PADDED = MAX + 4 };

static double a[MAX * MAX], exact[MAX * MAX]; // [row][column]
static double L[PADDED * MAX], C[PADDED * PADDED], scaled[PADDED * STEP];
static double pivot[MAX], reciprocal[MAX], diagonal[MAX];

static const int32_t widths[] = {1,  2,  3,   4,   5,   8,   11,  12,  13,  15, 24,
                                 27, 48, 100, 192, 193, 198, 204, 207, 385, 390};
static const int32_t belows[] = {0, 1, 2, 3, 4, 7, 9, 12, 13, 25, 60};

enum {
    WIDTHS = (int)(sizeof widths / sizeof *widths),
    BELOWS = (int)(sizeof belows / sizeof *belows),
};

static double *entry(double *strips, int32_t w, int32_t i, int32_t k) {
    return strips + 4 * ((ptrdiff_t)w * (i / 4) + k) + i % 4;
}

// a random positive definite matrix, its first w columns in a front; the rest of the memory is NaN
static LitheFront make_front(TestRandom *random, int32_t w, int32_t n) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++)
            a[n * i + j] = i == j ? n + 1 : test_random(random, -1, 1);
    LitheFront t = {.w = w, .rows = (n + 3) & ~3, .from = w & ~3, .L = L, .C = n > w ? C : NULL};
    t.step = w < STEP ? w : STEP;
    t.scaled = scaled;
    t.pivot = pivot, t.reciprocal = reciprocal, t.diagonal = diagonal;
    memset(L, 0, sizeof *L * (size_t)t.rows * (size_t)w);
    for (int32_t j = 0; j < w; j++) {
        diagonal[j] = a[n * j + j];
        for (int32_t i = j; i < n; i++)
            *entry(L, w, i, j) = a[n * i + j];
    }
    for (size_t k = 0; k < sizeof C / sizeof *C; k++)
        C[k] = NAN;
    for (size_t k = 0; k < sizeof scaled / sizeof *scaled; k++)
        scaled[k] = NAN;
    return t;
}

// D and L of the first w columns, and what they subtract from the rest, in place [row][column]
static void eliminate_plainly(int32_t w, int32_t n, double *m) {
    for (int32_t k = 0; k < w; k++)
        for (int32_t i = k + 1; i < n; i++) {
            double l = m[n * i + k] / m[n * k + k];
            for (int32_t j = k + 1; j <= i; j++)
                m[n * i + j] -= l * m[n * j + k];
        }
    for (int32_t k = 0; k < w; k++)
        for (int32_t i = k + 1; i < n; i++)
            m[n * i + k] /= m[n * k + k];
}

// all steps, with the rows and columns of each in pieces of different sizes
static int32_t eliminate(const LitheFrontKernel *kernel, const LitheFront *t, LithePivotRule rule) {
    for (int32_t k = 0; k < t->w; k += STEP) {
        int32_t after = t->w - k < STEP ? t->w : k + STEP, row = k;
        int32_t bad = kernel->diagonal(t, rule, k, after);
        if (bad >= 0)
            return bad;
        while (row < after)
            row += LITHE_FRONT_ROWS;
        if (row < t->rows)
            kernel->below(t, k, after, row, row + LITHE_FRONT_ROWS);
        kernel->below(t, k, after, row + LITHE_FRONT_ROWS, t->rows);
        if (after < t->w)
            kernel->update_pivots(t, k, after, after, t->w);
        for (int32_t c = t->from; t->C && c < t->rows; c += 32)
            kernel->update(t, k, after, c, c + 32 < t->rows ? c + 32 : t->rows);
    }
    return -1;
}

static double error_of_front(const LitheFront *t, int32_t n) {
    double error = 0;
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = j; i < n; i++) {
            double found = i == j && j < t->w ? t->pivot[j] : 0;
            if (j < t->w && i > j)
                found = *entry(t->L, t->w, i, j);
            if (j >= t->w) {
                int64_t ld = t->rows - t->from;
                found = t->C[lithe_front_column(ld, j - t->from) + i - t->from] + a[n * i + j];
            }
            if (!(fabs(found - exact[n * i + j]) <= error))
                error = fabs(found - exact[n * i + j]);
        }
    return error;
}

LONG_TEST(every_kernel_eliminates_as_plain_loops_do) {
    TestRandom random = {1};
    for (int32_t index = 0; lithe_block_kernel(index); index++)
        for (int32_t v = 0; v < WIDTHS; v++)
            for (int32_t u = 0; u < BELOWS; u++) {
                int32_t w = widths[v], n = w + belows[u];
                if (w > 100 && u % 3 != v % 3)
                    continue;
                LitheFront t = make_front(&random, w, n);
                memcpy(exact, a, sizeof a);
                eliminate_plainly(w, n, exact);
                const LitheFrontKernel *kernel = lithe_block_kernel(index)->front;
                CHECK(eliminate(kernel, &t, LITHE_PIVOT_POSITIVE) == -1);
                CHECK_NEAR(error_of_front(&t, n), 0, 1e-11);
                for (int32_t k = 0; k < w; k++)
                    CHECK(reciprocal[k] == 1 / pivot[k]);
            }
}

TEST(a_refused_pivot_is_found_wherever_it_is) {
    TestRandom random = {2};
    for (int32_t index = 0; lithe_block_kernel(index); index++)
        for (int32_t v = 0; v < WIDTHS; v++) {
            int32_t w = widths[v], n = w + 5, bad = (7 * v + 3) % w;
            LitheFront t = make_front(&random, w, n);
            *entry(L, w, bad, bad) = -1000;
            CHECK(eliminate(lithe_block_kernel(index)->front, &t, LITHE_PIVOT_POSITIVE) == bad);
            CHECK(pivot[bad] < -999);
        }
}

LONG_TEST(every_kernel_substitutes_as_plain_loops_do) {
    TestRandom random = {3};
    static double v[PADDED], sums[4 * MAX], wanted[MAX];
    for (int32_t index = 0; lithe_block_kernel(index); index++)
        for (int32_t k = 0; k < WIDTHS; k++)
            for (int32_t u = 0; u < BELOWS; u++) {
                int32_t w = widths[k], n = w + belows[u];
                LitheFront t = make_front(&random, w, n);
                const LitheFrontKernel *kernel = lithe_block_kernel(index)->front;
                if (w > 100 && u % 3 != k % 3)
                    continue;
                FATAL(eliminate(kernel, &t, LITHE_PIVOT_POSITIVE) == -1);
                memset(v, 0, sizeof v);
                for (int32_t i = 0; i < n; i++)
                    v[i] = wanted[i] = test_random(&random, -1, 1);
                for (int32_t j = 0; j < w; j++)
                    for (int32_t i = j + 1; i < n; i++)
                        wanted[i] -= *entry(L, w, i, j) * wanted[j];
                kernel->down(&t, v);
                for (int32_t i = 0; i < n; i++)
                    CHECK_NEAR(v[i], wanted[i], 1e-12);
                for (int32_t j = w - 1; j >= 0; j--) {
                    wanted[j] /= pivot[j];
                    for (int32_t i = j + 1; i < n; i++)
                        wanted[j] -= *entry(L, w, i, j) * wanted[i];
                }
                kernel->up(&t, v, sums);
                for (int32_t i = 0; i < n; i++)
                    CHECK_NEAR(v[i], wanted[i], 1e-12);
            }
}

TEST(every_kernel_adds_a_child_as_plain_loops_do) {
    TestRandom random = {4};
    static int32_t row[MAX], strip[MAX];
    static double own[PADDED * PADDED];
    for (int32_t index = 0; lithe_block_kernel(index); index++)
        for (int32_t round = 0; round < 60; round++) {
            // a parent of n rows and a child with some of them
            int32_t w = 1 + round, n = w + 3 * (round % 7), count = 0, skip = round % 4;
            LitheFront t = make_front(&random, w, n);
            memset(L, 0, sizeof L);
            memset(C, 0, sizeof C);
            for (int32_t i = 0; i < n; i++)
                if (test_random(&random, 0, 1) < 0.7) {
                    row[count] = i;
                    strip[count++] = 4 * w * (i / 4) + i % 4;
                }
            int32_t ld = (count + skip + 3) & ~3;
            for (int64_t k = 0; k < lithe_front_values(ld); k++)
                own[k] = test_random(&random, -1, 1);
            LitheFrontChild child = {.count = count, .skip = skip, .ld = ld, .C = own, .row = row};
            child.strip = strip;
            child.w = w, child.from = t.from, child.parent_ld = t.rows - t.from;
            child.L = L, child.parent_C = C;
            lithe_block_kernel(index)->front->add(&child, 0, count / 2);
            lithe_block_kernel(index)->front->add(&child, count / 2, count);
            memset(exact, 0, sizeof exact);
            for (int32_t j = 0; j < count; j++)
                for (int32_t i = j; i < count; i++)
                    exact[n * row[i] + row[j]] += own[lithe_front_column(ld, j + skip) + i + skip];
            for (int32_t j = 0; j < n; j++)
                for (int32_t i = j; i < n; i++)
                    CHECK(exact[n * i + j] ==
                          (j < w
                               ? *entry(L, w, i, j)
                               : C[lithe_front_column(child.parent_ld, j - t.from) + i - t.from]));
        }
}

TEST(columns_of_a_triangle_do_not_overlap) {
    static int32_t seen[PADDED * PADDED];
    for (int32_t ld = 4; ld <= 40; ld += 4) {
        memset(seen, 0, sizeof seen);
        for (int32_t j = 0; j < ld; j++)
            for (int32_t i = j & ~3; i < ld; i++) {
                int64_t at = lithe_front_column(ld, j) + i;
                FATAL(at >= 0 && at < lithe_front_values(ld));
                CHECK(seen[at]++ == 0);
            }
    }
}
