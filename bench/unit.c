// SPDX-License-Identifier: Apache-2.0
// bench/unit.c - plain scalar band Cholesky and solve, timed; compiled with -O3 in every preset
//
// The speed of this code is the unit of every figure. Do not tune it.
//
// Where the linker puts code and data changes the time of short loops by a fifth, so their places
// within a cache line and a page are fixed (tests/cli/test_bench.sh).

#include "bench/unit.h"

#include "base/clock.h"

#include <float.h>
#include <math.h>

enum { UNKNOWNS = 4000, BAND = 10, REPEATS = 50, UNKNOWNS_PER_NODE = 4 };

// Scalar on purpose: vector loads of data that scalar stores just wrote stall on some processors
// (60 % more time on one x86_64), which would make the unit depend on the compiler.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize")
#endif

// The loops begin at the same place of a cache line in every program: the kernels are functions of
// their own, which begin a line.
#define KERNEL __attribute__((noinline, aligned(64))) static void

// the lower triangle by columns: entry (i, j) is at [j][i - j]
typedef double BandColumn[BAND + 1];

static inline int shorter(int a, int b) {
    return a < b ? a : b;
}

// diagonally dominant, hence positive definite
static void fill(BandColumn *a, double *x) {
    for (int j = 0; j < UNKNOWNS; j++) {
        a[j][0] = 30;
        for (int d = 1; d <= BAND; d++)
            a[j][d] = -1.0 / d;
        x[j] = 1 + j % 7;
    }
}

// right-looking: scale column j by its reciprocal pivot, then subtract it from those to its right
KERNEL unit_factor(BandColumn *a) {
    for (int j = 0; j < UNKNOWNS; j++) {
        int length = shorter(BAND, UNKNOWNS - 1 - j);
        double reciprocal = 1 / sqrt(a[j][0]);
        a[j][0] = reciprocal;
        for (int d = 1; d <= length; d++)
            a[j][d] *= reciprocal;
        for (int k = 1; k <= length; k++) {
            double scale = a[j][k];
            for (int d = k; d <= length; d++)
                a[j + k][d - k] -= a[j][d] * scale;
        }
    }
}

KERNEL unit_solve(BandColumn *a, double *x) {
    // x = L\x
    for (int j = 0; j < UNKNOWNS; j++) {
        double known = x[j] *= a[j][0];
        for (int d = 1; d <= shorter(BAND, UNKNOWNS - 1 - j); d++)
            x[j + d] -= a[j][d] * known;
    }
    // x = L'\x
    for (int j = UNKNOWNS - 1; j >= 0; j--) {
        double sum = x[j];
        for (int d = 1; d <= shorter(BAND, UNKNOWNS - 1 - j); d++)
            sum -= a[j][d] * x[j + d];
        x[j] = sum * a[j][0];
    }
}

double lithe_bench_unit_ns(void) {
    // one object that begins a page: the distance of the two arrays is fixed as well
    static _Alignas(4096) struct {
        BandColumn a[UNKNOWNS];
        double x[UNKNOWNS];
    } unit_system;
    BandColumn *a = unit_system.a;
    double *x = unit_system.x;
    double best = DBL_MAX;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        fill(a, x);
        double start = lithe_clock();
        unit_factor(a);
        unit_solve(a, x);
        double seconds = lithe_clock() - start;
        // the result is used, so that the compiler cannot remove the work
        if (x[0] > 0 && seconds < best)
            best = seconds;
    }
    return best * 1e9 / (UNKNOWNS / UNKNOWNS_PER_NODE);
}
