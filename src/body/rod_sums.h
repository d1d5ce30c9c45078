// SPDX-License-Identifier: Apache-2.0
// body/rod_sums.h - sums over the DoFs of a rod, one SIMD vector per node

#ifndef LITHE_BODY_ROD_SUMS_H
#define LITHE_BODY_ROD_SUMS_H

#include "body/rod.h"

/// Sums of squares over the free DoFs, each divided by the diagonal of A. For `noise` the square is
/// 1 for each position and 0 for each twist.
typedef struct LitheRodSquares {
    double residual, momentum, load, elastic, noise;
} LitheRodSquares;

typedef struct LitheRodSums {
    // r = c M (w - v0) + h (alpha M w - f + gradient); returns the potential of all terms except
    // the last. A held DoF has the velocity w at the end of the step with every scheme: c is 1
    // there, for the reaction.
    double (*inertia)(const LitheRod *rod, const LitheRodWork *work, const double *w, double *r);
    LitheRodSquares (*squares)(const LitheRod *rod, const LitheRodWork *work, const double *r);
} LitheRodSums;

extern const LitheRodSums lithe_rod_sums_portable;
#if defined(__x86_64__)
extern const LitheRodSums lithe_rod_sums_avx2;
#endif

/// The kernels in use.
static inline const LitheRodSums *lithe_rod_sums(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &lithe_rod_sums_avx2;
#endif
    return &lithe_rod_sums_portable;
}

#endif
