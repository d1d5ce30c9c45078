// SPDX-License-Identifier: Apache-2.0
// sparse/dense.c - dense L D L' by rows

#include "sparse/dense.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// relative size below which the sign of a pivot is determined by rounding errors (about 45 eps)
#define ZERO_PIVOT 1e-14

static int32_t factor(int32_t n, bool positive, double *a) {
    for (int32_t i = 0; i < n; i++) {
        double *row = a + (ptrdiff_t)n * i;
        double diagonal = row[i];
        // row i of L D, then of L
        for (int32_t j = 0; j < i; j++) {
            const double *other = a + (ptrdiff_t)n * j;
            for (int32_t k = 0; k < j; k++)
                row[j] -= row[k] * other[k];
        }
        for (int32_t j = 0; j < i; j++) {
            double u = row[j];
            row[j] = u / a[(ptrdiff_t)n * j + j];
            row[i] -= u * row[j];
        }
        double size = positive ? row[i] : fabs(row[i]);
        if (!(size > ZERO_PIVOT * fabs(diagonal) && size <= DBL_MAX))
            return i;
    }
    return -1;
}

int32_t lithe_dense_factor(int32_t n, double *a) {
    return factor(n, false, a);
}

int32_t lithe_dense_factor_positive(int32_t n, double *a) {
    return factor(n, true, a);
}

void lithe_dense_solve(int32_t n, const double *factor_of_a, double *x) {
    // x = L\x
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            x[i] -= factor_of_a[(ptrdiff_t)n * i + j] * x[j];
    // x = D\x
    for (int32_t i = 0; i < n; i++)
        x[i] /= factor_of_a[(ptrdiff_t)n * i + i];
    // x = L'\x
    for (int32_t i = n - 1; i >= 0; i--)
        for (int32_t j = i + 1; j < n; j++)
            x[i] -= factor_of_a[(ptrdiff_t)n * j + i] * x[j];
}

int32_t lithe_dense_negative_count(int32_t n, const double *factor_of_a) {
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        count += factor_of_a[(ptrdiff_t)n * i + i] < 0;
    return count;
}

void lithe_dense_multiply(int32_t n, const double *a, const double *x, double *y) {
    for (int32_t i = 0; i < n; i++) {
        y[i] = 0;
        for (int32_t j = 0; j < n; j++)
            y[i] += (j <= i ? a[(ptrdiff_t)n * i + j] : a[(ptrdiff_t)n * j + i]) * x[j];
    }
}
