// SPDX-License-Identifier: Apache-2.0
// sparse/rod_factor.h - layout of the rod factor, common to its kernels, private to sparse/
//
// Factor of node i, ROD_NODE doubles: L21 4x4 and L31 3x4 column-major, then the corner: the four
// reciprocal pivots and the strict lower triangle of L11 by columns. In a closed rod the 8x4 border
// rows follow as two 4x4 blocks (unused in the last two nodes, which are the border).

#ifndef LITHE_SPARSE_ROD_FACTOR_H
#define LITHE_SPARSE_ROD_FACTOR_H

#include "sparse/rod_matrix.h"

enum {
    ROD_NODE = 40,   // doubles of a node of an open rod, the last two unused
    ROD_CLOSED = 72, // of a closed one
    ROD_L21 = 0,
    ROD_L31 = 16,
    ROD_CORNER = 28, // 1/d0 1/d1 1/d2 1/d3 l10 l20 l30 l21 l31 l32
    ROD_BORDER = 40,
};

static inline int32_t rod_stride(bool closed) {
    return closed ? ROD_CLOSED : ROD_NODE;
}

extern const LitheRodKernel lithe_rod_kernel_plain;
extern const LitheRodKernel lithe_rod_kernel_portable;
#if defined(__x86_64__)
extern const LitheRodKernel lithe_rod_kernel_avx2;
#endif

/// lithe_rod_add, entry by entry and on vectors: the same bits.
void lithe_rod_add_plain(LitheRodMatrix *a, double scale, const double *panel);
#if defined(__x86_64__)
void lithe_rod_add_avx2(LitheRodMatrix *a, double scale, const double *panel);
#endif

/// lithe_rod_multiply, entry by entry and on vectors: the same bits.
void lithe_rod_multiply_plain(const LitheRodMatrix *a, const double *x, double *y);
#if defined(__x86_64__)
void lithe_rod_multiply_avx2(const LitheRodMatrix *a, const double *x, double *y);
#endif

#endif
