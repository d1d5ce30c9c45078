// SPDX-License-Identifier: Apache-2.0
// sparse/rod_factor_portable.c - the rod factor on pairs of 16-byte vectors, for every processor
//
// The vectors have 16 bytes, as the registers of NEON and SSE2: compilers make slow code of longer
// ones.

#include "sparse/rod_factor.h"

#define ROD_TARGET
#define ROD_FN __attribute__((always_inline)) static inline

typedef double Pair __attribute__((vector_size(16)));
typedef double AnyPair __attribute__((vector_size(16), aligned(8), may_alias)); // in memory
typedef struct Quad {
    Pair a, b; // lanes 0 1 and 2 3
} Quad;

ROD_FN Quad quad_zero(void) {
    return (Quad){{0, 0}, {0, 0}};
}

ROD_FN Quad quad_load(const double *a) {
    return (Quad){*(const AnyPair *)a, *(const AnyPair *)(a + 2)};
}

// lane 3 is set to zero
ROD_FN Quad quad_load3(const double *a) {
    return (Quad){*(const AnyPair *)a, {a[2], 0}};
}

ROD_FN void quad_store(Quad a, double *out) {
    *(AnyPair *)out = a.a;
    *(AnyPair *)(out + 2) = a.b;
}

ROD_FN Quad quad_set(double s) {
    return (Quad){{s, s}, {s, s}};
}

ROD_FN Quad quad_add(Quad a, Quad b) {
    return (Quad){a.a + b.a, a.b + b.b};
}

ROD_FN Quad quad_scale(Quad a, Quad b) {
    return (Quad){a.a * b.a, a.b * b.b};
}

ROD_FN double quad_lane(Quad a, int k) {
    return k < 2 ? a.a[k] : a.b[k - 2];
}

ROD_FN Quad quad_less(Quad a, Quad b, Quad s, int k) {
    Pair lane = {quad_lane(s, k), quad_lane(s, k)};
    return (Quad){a.a - b.a * lane, a.b - b.b * lane};
}

// A'x + B'y of two 4x4 blocks, column-major
ROD_FN Quad quad_transpose_apply(const double *a, Quad x, const double *b, Quad y) {
    double s[4];
    for (int k = 0; k < 4; k++) {
        Quad ak = quad_load(a + 4 * k), bk = quad_load(b + 4 * k);
        Pair sum = (ak.a * x.a + ak.b * x.b) + (bk.a * y.a + bk.b * y.b);
        s[k] = sum[0] + sum[1];
    }
    return quad_load(s);
}

#include "sparse/rod_factor_kernel.h"

const LitheRodKernel lithe_rod_kernel_portable = {"portable", kernel_factor, kernel_solve};
