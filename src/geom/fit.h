// SPDX-License-Identifier: Apache-2.0
// geom/fit.h - polynomials that are fitted to values at points around a corner of a mesh
//
// The coefficients of a fit are linear in the values: c_i = sum over points of w_i s. Eight values
// are fitted at once.

#ifndef LITHE_GEOM_FIT_H
#define LITHE_GEOM_FIT_H

#include "math/vec3.h"

#include <stdint.h>

enum {
    LITHE_FIT_TERMS = 10, // monomials up to degree 2
    LITHE_FIT_WIDTH = 8,  // values
};

/// The cells around a corner and what their values weigh.
typedef struct LitheFitPatch {
    const int32_t *cells; // [count]
    const double *w;      // [count][points][rows]
    int32_t count;
    int32_t points; // of a cell
    int32_t rows;   // coefficients: 1, of cells with one point, or LITHE_FIT_TERMS
} LitheFitPatch;

/// Coefficients c [rows][8] of the values s [cells][points][8].
typedef void LitheFitFn(const LitheFitPatch *patch, const double *s,
                        double c[LITHE_FIT_TERMS][LITHE_FIT_WIDTH]);
/// out [8] += half of sum p_i c_i: the other half is that of another fit.
typedef void LitheFitHalfFn(const double p[LITHE_FIT_TERMS],
                            double c[LITHE_FIT_TERMS][LITHE_FIT_WIDTH], double *out);

typedef struct LitheFitKernel {
    LitheFitFn *fit;
    LitheFitHalfFn *add_half;
} LitheFitKernel;

extern const LitheFitKernel lithe_fit_portable;
#if defined(__x86_64__)
extern const LitheFitKernel lithe_fit_avx2;
#endif

/// The kernels in use; all give the same bits.
static inline const LitheFitKernel *lithe_fit_kernel(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return &lithe_fit_avx2;
#endif
    return &lithe_fit_portable;
}

/// Monomials up to degree 1 (4 terms) or 2 (10 terms).
static inline void lithe_fit_monomials(Vec3 d, int32_t terms, double *p) {
    p[0] = 1;
    p[1] = d.x;
    p[2] = d.y;
    p[3] = d.z;
    if (terms == 4)
        return;
    p[4] = d.x * d.x;
    p[5] = d.y * d.y;
    p[6] = d.z * d.z;
    p[7] = d.y * d.z;
    p[8] = d.z * d.x;
    p[9] = d.x * d.y;
}

#endif
