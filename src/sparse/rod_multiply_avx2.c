// SPDX-License-Identifier: Apache-2.0
// sparse/rod_multiply_avx2.c - products and sums of rod matrices on 32-byte vectors, for x86_64
// with AVX2
//
// Each entry of y gets the same terms in the same order as in lithe_rod_multiply_plain, and no
// product is fused with its sum: the bits are the same.

#include "sparse/rod_factor.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stddef.h>
#include <string.h>

// without FMA: a compiler may fuse products and sums where it can
#define MULTIPLY_TARGET __attribute__((target("avx2")))
#define MULTIPLY_FN MULTIPLY_TARGET __attribute__((always_inline)) static inline

typedef __m256d Quad;

// columns of a 4x4 block of a panel, and its rows
typedef struct Block {
    Quad column[4], row[4];
} Block;

MULTIPLY_FN Block load_block(const double *b) {
    Block out;
    Quad *c = out.column;
    for (int k = 0; k < 4; k++)
        c[k] = _mm256_loadu_pd(b + 12 * k);
    Quad a = _mm256_unpacklo_pd(c[0], c[1]), d = _mm256_unpackhi_pd(c[0], c[1]);
    Quad e = _mm256_unpacklo_pd(c[2], c[3]), f = _mm256_unpackhi_pd(c[2], c[3]);
    out.row[0] = _mm256_permute2f128_pd(a, e, 0x20);
    out.row[1] = _mm256_permute2f128_pd(d, f, 0x20);
    out.row[2] = _mm256_permute2f128_pd(a, e, 0x31);
    out.row[3] = _mm256_permute2f128_pd(d, f, 0x31);
    return out;
}

// y + v[0] x[0] + v[1] x[1] .., from left to right
MULTIPLY_FN Quad add_products(int count, Quad y, const Quad *v, const double *x) {
    for (int k = 0; k < count; k++)
        y = _mm256_add_pd(y, _mm256_mul_pd(v[k], _mm256_broadcast_sd(x + k)));
    return y;
}

// y_row += B x_column; returns y_column + B' x_row. B has three or four rows.
MULTIPLY_FN Quad multiply_block(int rows, const double *b, const double *x_column,
                                const double *x_row, double *y_row, Quad y_column) {
    Block block = load_block(b);
    Quad before = _mm256_loadu_pd(y_row);
    Quad sum = add_products(4, before, block.column, x_column);
    _mm256_storeu_pd(y_row, rows == 3 ? _mm256_blend_pd(sum, before, 8) : sum);
    return add_products(rows, y_column, block.row, x_row);
}

// y + D x: the lower triangle represents the whole diagonal block
MULTIPLY_FN Quad multiply_diagonal(const double *b, const double *x, Quad y) {
    Block block = load_block(b);
    Quad whole[4] = {block.column[0], _mm256_blend_pd(block.column[1], block.row[1], 1),
                     _mm256_blend_pd(block.column[2], block.row[2], 3), block.row[3]};
    return add_products(4, y, whole, x);
}

MULTIPLY_TARGET void lithe_rod_multiply_avx2(const LitheRodMatrix *a, const double *x, double *y) {
    int32_t n = a->node_count;
    memset(y, 0, sizeof *y * 4 * (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        const double *p = a->panel + (ptrdiff_t)LITHE_ROD_PANEL * i;
        const double *xi = x + 4 * (ptrdiff_t)i;
        double *yi = y + 4 * (ptrdiff_t)i;
        Quad sum = multiply_diagonal(p, xi, _mm256_loadu_pd(yi));
        if (a->closed || i + 1 < n) {
            ptrdiff_t next = 4 * (ptrdiff_t)(i + 1 < n ? i + 1 : i + 1 - n);
            sum = multiply_block(4, p + 4, xi, x + next, y + next, sum);
        }
        if (a->closed || i + 2 < n) {
            ptrdiff_t after = 4 * (ptrdiff_t)(i + 2 < n ? i + 2 : i + 2 - n);
            sum = multiply_block(3, p + 8, xi, x + after, y + after, sum);
        }
        _mm256_storeu_pd(yi, sum);
    }
}

MULTIPLY_TARGET void lithe_rod_add_avx2(LitheRodMatrix *a, double scale, const double *panel) {
    Quad factor = _mm256_set1_pd(scale);
    double *to = a->panel;
    for (const double *end = panel + (ptrdiff_t)LITHE_ROD_PANEL * a->node_count; panel < end;
         panel += 8, to += 8) {
        Quad x = _mm256_mul_pd(factor, _mm256_loadu_pd(panel));
        Quad y = _mm256_mul_pd(factor, _mm256_loadu_pd(panel + 4));
        _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), x));
        _mm256_storeu_pd(to + 4, _mm256_add_pd(_mm256_loadu_pd(to + 4), y));
    }
}

#else

typedef int rod_multiply_avx2_is_empty; // ISO C does not allow an empty file

#endif
