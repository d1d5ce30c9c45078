// SPDX-License-Identifier: Apache-2.0
// plan/stage_block.h - one symmetric block: factor P' L D L' P and its parts, on vectors of
// STAGE_WIDTH numbers
//
// Includers define STAGE_WIDTH and STAGE_TARGET. Sums run in the same order for all widths: only
// updates y -= l x are vectors.

#ifndef LITHE_PLAN_STAGE_BLOCK_H
#define LITHE_PLAN_STAGE_BLOCK_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define STAGE_FN STAGE_TARGET static inline

typedef double Lanes __attribute__((vector_size(8 * STAGE_WIDTH)));
typedef double AnyLanes __attribute__((vector_size(8 * STAGE_WIDTH), aligned(8), may_alias));

// y -= l x
STAGE_FN void subtract(int32_t n, double l, const double *x, double *y) {
    int32_t k = 0;
    for (; k + STAGE_WIDTH <= n; k += STAGE_WIDTH)
        *(AnyLanes *)(y + k) -= l * *(const AnyLanes *)(x + k);
    for (; k < n; k++)
        y[k] -= l * x[k];
}

// y -= l x + m z
STAGE_FN void subtract_two(int32_t n, double l, const double *x, double m, const double *z,
                           double *y) {
    int32_t k = 0;
    for (; k + STAGE_WIDTH <= n; k += STAGE_WIDTH)
        *(AnyLanes *)(y + k) -= l * *(const AnyLanes *)(x + k) + m * *(const AnyLanes *)(z + k);
    for (; k < n; k++)
        y[k] -= l * x[k] + m * z[k];
}

// y -= f_0 x_0, then y -= f_1 x_1, ...: the bits of `count` updates, in groups that load and store
// y once
STAGE_FN void subtract_all(int32_t n, int32_t count, const double *f, const double *const *x,
                           double *y) {
    int32_t c = 0;
    for (; c + 4 <= count; c += 4) {
        const double *x0 = x[c], *x1 = x[c + 1], *x2 = x[c + 2], *x3 = x[c + 3];
        double f0 = f[c], f1 = f[c + 1], f2 = f[c + 2], f3 = f[c + 3];
        int32_t k = 0;
        for (; k + STAGE_WIDTH <= n; k += STAGE_WIDTH) {
            Lanes sum = *(AnyLanes *)(y + k);
            sum -= f0 * *(const AnyLanes *)(x0 + k);
            sum -= f1 * *(const AnyLanes *)(x1 + k);
            sum -= f2 * *(const AnyLanes *)(x2 + k);
            sum -= f3 * *(const AnyLanes *)(x3 + k);
            *(AnyLanes *)(y + k) = sum;
        }
        for (; k < n; k++)
            y[k] = (((y[k] - f0 * x0[k]) - f1 * x1[k]) - f2 * x2[k]) - f3 * x3[k];
    }
    for (; c < count; c++)
        subtract(n, f[c], x[c], y);
}

// updates that wait for their group
enum { STAGE_GROUP = 64 };
typedef struct Updates {
    double factor[STAGE_GROUP];
    const double *x[STAGE_GROUP];
    int32_t count;
} Updates;

STAGE_FN void add_update(Updates *updates, int32_t n, double f, const double *x, double *y) {
    if (updates->count == STAGE_GROUP) {
        subtract_all(n, updates->count, updates->factor, updates->x, y);
        updates->count = 0;
    }
    updates->factor[updates->count] = f;
    updates->x[updates->count++] = x;
}

STAGE_FN void end_updates(Updates *updates, int32_t n, double *y) {
    subtract_all(n, updates->count, updates->factor, updates->x, y);
    updates->count = 0;
}

// --- one block ---------------------------------------------------------------------------------

STAGE_FN void swap(double *a, double *b) {
    double keep = *a;
    *a = *b;
    *b = keep;
}

// rows and columns r > k change places, the rows of L before column k with them
STAGE_FN void exchange(int32_t n, double *a, int32_t *order, int32_t k, int32_t r) {
    if (r == k)
        return;
    for (int32_t j = 0; j < k; j++)
        swap(&a[n * k + j], &a[n * r + j]);
    swap(&a[n * k + k], &a[n * r + r]);
    for (int32_t j = k + 1; j < r; j++)
        swap(&a[n * j + k], &a[n * r + j]);
    for (int32_t i = r + 1; i < n; i++)
        swap(&a[n * i + k], &a[n * i + r]);
    int32_t keep = order[k];
    order[k] = order[r];
    order[r] = keep;
}

// fmax is a call
STAGE_FN double larger(double a, double b) {
    return b > a ? b : a;
}

// largest entry of column k below row `from`, by the lower triangle; its row
STAGE_FN double largest_below(int32_t n, const double *a, int32_t k, int32_t from, int32_t *row) {
    double most = 0;
    *row = from;
    for (int32_t i = from; i < n; i++) {
        double size = fabs(a[n * i + k]);
        if (size > most) {
            most = size;
            *row = i;
        }
    }
    return most;
}

// largest entry of row and column r beside the diagonal, from column k on
STAGE_FN double largest_across(int32_t n, const double *a, int32_t r, int32_t k) {
    double most = 0;
    for (int32_t j = k; j < r; j++)
        most = larger(most, fabs(a[n * r + j]));
    for (int32_t i = r + 1; i < n; i++)
        most = larger(most, fabs(a[n * i + r]));
    return most;
}

// the number of rows of the pivot at k, brought to place
STAGE_FN int choose_pivot(int32_t n, double *a, int32_t *order, int32_t k) {
    const double alpha = 0.6403882032022076; // (1 + sqrt(17))/8: least growth
    if (k + 1 == n)
        return 1;
    int32_t r;
    double beside = largest_below(n, a, k, k + 1, &r), own = fabs(a[n * k + k]);
    if (own >= alpha * beside)
        return 1;
    double across = largest_across(n, a, r, k);
    if (own * across >= alpha * beside * beside)
        return 1;
    if (fabs(a[n * r + r]) >= alpha * across) {
        exchange(n, a, order, k, r);
        return 1;
    }
    exchange(n, a, order, k + 1, r);
    return 2;
}

// S = P' L D L' P in place; the number of negative pivots, or -1. `column` [2*n] is scratch.
STAGE_FN int32_t factor_block(int32_t n, double *a, int32_t *order, int8_t *pivot, double *column) {
    int32_t negative = 0;
    double scale = 0;
    for (int32_t i = 0; i < n; i++) {
        order[i] = i;
        // a maximum for each row: gcc 12 for aarch64 cannot compile one across both loops
        double most = 0;
        for (int32_t j = 0; j <= i; j++)
            most = larger(most, fabs(a[n * i + j]));
        scale = larger(scale, most);
    }
    if (!(scale < INFINITY))
        return -1;
    double tiny = 1e-18 * scale;
    double *u = column, *w = column + n;
    for (int32_t k = 0, rows; k < n; k += rows) {
        rows = choose_pivot(n, a, order, k);
        pivot[k] = (int8_t)rows;
        if (rows == 1) {
            double d = a[n * k + k];
            if (!(fabs(d) > tiny))
                return -1;
            negative += d < 0;
            for (int32_t i = k + 1; i < n; i++)
                u[i] = a[n * i + k];
            for (int32_t i = k + 1; i < n; i++) {
                double l = u[i] / d, *row = a + (int64_t)n * i;
                row[k] = l;
                if (l != 0)
                    subtract(i - k, l, u + k + 1, row + k + 1);
            }
            continue;
        }
        pivot[k + 1] = 0;
        double d11 = a[n * k + k], d21 = a[n * (k + 1) + k], d22 = a[n * (k + 1) + k + 1];
        // scaled by d21, which is the largest of the three: no overflow
        double p = d11 / d21, q = d22 / d21, det = p * q - 1;
        if (!(fabs(d21) > tiny) || !(fabs(det) > 0))
            return -1;
        negative += det < 0 ? 1 : d11 < 0 ? 2 : 0;
        double over = 1 / (d21 * det);
        for (int32_t i = k + 2; i < n; i++) {
            u[i] = a[n * i + k];
            w[i] = a[n * i + k + 1];
        }
        for (int32_t i = k + 2; i < n; i++) {
            double l1 = (q * u[i] - w[i]) * over, l2 = (p * w[i] - u[i]) * over;
            double *row = a + (int64_t)n * i;
            row[k] = l1;
            row[k + 1] = l2;
            if (l1 != 0 || l2 != 0)
                subtract_two(i - k - 1, l1, u + k + 2, l2, w + k + 2, row + k + 2);
        }
    }
    return negative;
}

// X = L^-1 X for X [n*count], rows in the order of the pivots
STAGE_FN void forward_rows(int32_t n, const double *a, const int8_t *pivot, int32_t count,
                           double *x) {
    Updates updates;
    updates.count = 0;
    for (int32_t i = 1; i < n; i++) {
        double *to = x + (int64_t)i * count;
        int32_t end = pivot[i] == 0 ? i - 1 : i; // the entry beside the diagonal belongs to D
        for (int32_t k = 0; k < end; k++) {
            double l = a[n * i + k];
            if (l != 0)
                add_update(&updates, count, l, x + (int64_t)k * count, to);
        }
        end_updates(&updates, count, to);
    }
}

// X = D^-1 X
STAGE_FN void divide_rows(int32_t n, const double *a, const int8_t *pivot, int32_t count,
                          double *x) {
    for (int32_t k = 0; k < n; k++) {
        double *first = x + (int64_t)k * count, *second = first + count;
        if (pivot[k] == 1) {
            double d = a[n * k + k];
            for (int32_t c = 0; c < count; c++)
                first[c] /= d;
        } else if (pivot[k] == 2) {
            double d21 = a[n * (k + 1) + k], p = a[n * k + k] / d21,
                   q = a[n * (k + 1) + k + 1] / d21;
            double over = 1 / (d21 * (p * q - 1));
            for (int32_t c = 0; c < count; c++) {
                double u = first[c], w = second[c];
                first[c] = (q * u - w) * over;
                second[c] = (p * w - u) * over;
            }
        }
    }
}

// x = L^-1 x for one vector, by columns of L': rows of `a` are the vectors
STAGE_FN void solve_rows(int32_t n, const double *a, const int8_t *pivot, double *x) {
    for (int32_t i = 1; i < n; i++) {
        int32_t end = pivot[i] == 0 ? i - 1 : i;
        const double *row = a + (int64_t)n * i;
        double sum[4] = {0}; // of every fourth entry
        int32_t k = 0;
        for (; k + 4 <= end; k += 4)
            for (int c = 0; c < 4; c++)
                sum[c] += row[k + c] * x[k + c];
        for (; k < end; k++)
            sum[0] += row[k] * x[k];
        x[i] -= (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    divide_rows(n, a, pivot, 1, x);
    for (int32_t i = n - 1; i > 0; i--) {
        int32_t end = pivot[i] == 0 ? i - 1 : i;
        subtract(end, x[i], a + (int64_t)n * i, x);
    }
}

#endif
