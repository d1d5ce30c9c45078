// SPDX-License-Identifier: Apache-2.0
// math/vecn.h - vectors of n numbers

#ifndef LITHE_MATH_VECN_H
#define LITHE_MATH_VECN_H

#include <stdint.h>

/// a.b, summed from the first product to the last one.
static inline double vn_dot(int64_t n, const double *a, const double *b) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/// a.b in four partial sums, whose additions do not wait for each other.
static inline double vn_dot_4(int64_t n, const double *a, const double *b) {
    double sum[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif
