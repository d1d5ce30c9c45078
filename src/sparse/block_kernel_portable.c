// SPDX-License-Identifier: Apache-2.0
// sparse/block_kernel_portable.c - the block factor on pairs of 16-byte vectors, for every
// processor

#include "sparse/block_parts.h"

#define BLOCK_TARGET
#define BLOCK_FN __attribute__((always_inline)) static inline

typedef double Pair __attribute__((vector_size(16)));
typedef int64_t BitPair __attribute__((vector_size(16)));
typedef double AnyPair __attribute__((vector_size(16), aligned(8), may_alias)); // in memory
typedef struct Quad {
    Pair a, b; // lanes 0 1 and 2 3
} Quad;

BLOCK_FN Quad quad_zero(void) {
    return (Quad){{0, 0}, {0, 0}};
}

BLOCK_FN Quad quad_load(const double *a) {
    return (Quad){*(const AnyPair *)a, *(const AnyPair *)(a + 2)};
}

BLOCK_FN void quad_store(Quad a, double *out) {
    *(AnyPair *)out = a.a;
    *(AnyPair *)(out + 2) = a.b;
}

// three numbers; the last lane is zero, and is not stored
BLOCK_FN Quad quad_load_3(const double *a) {
    return (Quad){*(const AnyPair *)a, {a[2], 0}};
}

BLOCK_FN void quad_store_3(Quad a, double *out) {
    *(AnyPair *)out = a.a;
    out[2] = a.b[0];
}

BLOCK_FN Quad quad_set(double s) {
    return (Quad){{s, s}, {s, s}};
}

BLOCK_FN Quad quad_scale(Quad a, Quad b) {
    return (Quad){a.a * b.a, a.b * b.b};
}

BLOCK_FN Quad quad_less(Quad a, Quad b, Quad c) {
    return (Quad){a.a - b.a * c.a, a.b - b.b * c.b};
}

BLOCK_FN Quad quad_more(Quad a, Quad b, Quad c) {
    return (Quad){a.a + b.a * c.a, a.b + b.b * c.b};
}

BLOCK_FN Quad quad_and(Quad a, Quad b) {
    return (Quad){(Pair)((BitPair)a.a & (BitPair)b.a), (Pair)((BitPair)a.b & (BitPair)b.b)};
}

BLOCK_FN Quad quad_sums(Quad a, Quad b, Quad c, Quad d) {
    Pair s = a.a + a.b, t = b.a + b.b, u = c.a + c.b, v = d.a + d.b;
    return (Quad){{s[0] + s[1], t[0] + t[1]}, {u[0] + u[1], v[0] + v[1]}};
}

#include "sparse/block_kernel.h"
#include "sparse/block_kernel_matrix.h"
#include "sparse/block_kernel_solve.h"
#include "sparse/front_kernel.h"

const LitheBlockKernel lithe_block_kernel_portable = {.name = "portable",
                                                      .columns = kernel_columns,
                                                      .down = kernel_down,
                                                      .join = kernel_join,
                                                      .up = kernel_up,
                                                      .multiply = kernel_multiply,
                                                      .multiply_rows = kernel_multiply_rows,
                                                      .term = kernel_term,
                                                      .front = &front_kernel};
