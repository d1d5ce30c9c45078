// SPDX-License-Identifier: Apache-2.0
// sparse/block_kernel.h - the numeric part of the block factor, written once on quads
//
// The including file defines BLOCK_TARGET and BLOCK_FN (attributes of every function), Quad and its
// operations quad_load, quad_store, quad_set, quad_zero, quad_scale (a b), quad_less (a - b c),
// quad_more (a + b c) and quad_sums (the sums of the lanes of four quads). Numbers in brackets:
// docs/theory/block-solver.md.
//
// Functions marked BLOCK_FN are inlined with constant sizes for the common blocks; those marked
// BLOCK_ANY exist once, for all other sizes: copies of everything would take minutes to compile.

#ifndef LITHE_SPARSE_BLOCK_KERNEL_H
#define LITHE_SPARSE_BLOCK_KERNEL_H

#include "sparse/block_parts.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define BLOCK_ANY BLOCK_TARGET __attribute__((noinline)) static

// the lanes of a quad behind lane k
static const int64_t lanes_behind[4][4] = {{0, -1, -1, -1}, {0, 0, -1, -1}, {0, 0, 0, -1}};

// how many columns ahead values are prefetched, and the max doubles prefetched of one column
enum { AHEAD = 8, FETCHED = 128 };

// Large systems do not fit into the caches: prefetches the values of a later column, at most the
// first part of a long one.
BLOCK_FN void fetch(const double *value, int64_t at, int64_t end) {
    end = end - at > FETCHED ? at + FETCHED : end;
    for (; at < end; at += 8)
        __builtin_prefetch(value + at);
}

// --- products ------------------------------------------------------------------------------------

// T -= L V' on four rows and up to four columns; L and T have columns `ld_l` and `ld_t` apart,
// entry (c, k) of V is v[ld_v k + c]
BLOCK_FN void tile_4(int width, int inner, const double *l, int ld_l, const double *v, int ld_v,
                     double *t, int ld_t) {
    Quad zero = quad_zero();
    Quad t0 = quad_load(t), t1 = width > 1 ? quad_load(t + ld_t) : zero;
    Quad t2 = width > 2 ? quad_load(t + 2 * ld_t) : zero;
    Quad t3 = width > 3 ? quad_load(t + 3 * ld_t) : zero;
    for (int k = 0; k < inner; k++, l += ld_l, v += ld_v) {
        Quad a = quad_load(l);
        t0 = quad_less(t0, a, quad_set(v[0]));
        if (width > 1)
            t1 = quad_less(t1, a, quad_set(v[1]));
        if (width > 2)
            t2 = quad_less(t2, a, quad_set(v[2]));
        if (width > 3)
            t3 = quad_less(t3, a, quad_set(v[3]));
    }
    quad_store(t0, t);
    if (width > 1)
        quad_store(t1, t + ld_t);
    if (width > 2)
        quad_store(t2, t + 2 * ld_t);
    if (width > 3)
        quad_store(t3, t + 3 * ld_t);
}

// the same on eight rows: two quads share each entry of V
BLOCK_FN void tile_8(int width, int inner, const double *l, const double *m, int ld_l,
                     const double *v, int ld_v, double *t, double *u, int ld_t) {
    Quad zero = quad_zero();
    Quad t0 = quad_load(t), u0 = quad_load(u);
    Quad t1 = width > 1 ? quad_load(t + ld_t) : zero, u1 = width > 1 ? quad_load(u + ld_t) : zero;
    Quad t2 = width > 2 ? quad_load(t + 2 * ld_t) : zero;
    Quad u2 = width > 2 ? quad_load(u + 2 * ld_t) : zero;
    Quad t3 = width > 3 ? quad_load(t + 3 * ld_t) : zero;
    Quad u3 = width > 3 ? quad_load(u + 3 * ld_t) : zero;
    for (int k = 0; k < inner; k++, l += ld_l, m += ld_l, v += ld_v) {
        Quad a = quad_load(l), b = quad_load(m), s = quad_set(v[0]);
        t0 = quad_less(t0, a, s);
        u0 = quad_less(u0, b, s);
        if (width > 1) {
            s = quad_set(v[1]);
            t1 = quad_less(t1, a, s);
            u1 = quad_less(u1, b, s);
        }
        if (width > 2) {
            s = quad_set(v[2]);
            t2 = quad_less(t2, a, s);
            u2 = quad_less(u2, b, s);
        }
        if (width > 3) {
            s = quad_set(v[3]);
            t3 = quad_less(t3, a, s);
            u3 = quad_less(u3, b, s);
        }
    }
    quad_store(t0, t);
    quad_store(u0, u);
    if (width > 1)
        quad_store(t1, t + ld_t), quad_store(u1, u + ld_t);
    if (width > 2)
        quad_store(t2, t + 2 * ld_t), quad_store(u2, u + 2 * ld_t);
    if (width > 3)
        quad_store(t3, t + 3 * ld_t), quad_store(u3, u + 3 * ld_t);
}

// up to four columns of T -= L V' on `rows` rows; columns of L and T are `ld` apart
BLOCK_FN void strip(int width, int rows, int inner, const double *l, int ld, const double *v,
                    int ld_v, double *t) {
    int r = 0;
    for (; r + 8 <= rows; r += 8)
        tile_8(width, inner, l + r, l + r + 4, ld, v, ld_v, t + r, t + r + 4, ld);
    if (r < rows)
        tile_4(width, inner, l + r, ld, v, ld_v, t + r, ld);
}

// the same for any width, four columns at a time
BLOCK_ANY void any_strip(int width, int rows, int inner, const double *l, int ld, const double *v,
                         int ld_v, double *t) {
    if (width >= 4)
        strip(4, rows, inner, l, ld, v, ld_v, t);
    else if (width == 3)
        strip(3, rows, inner, l, ld, v, ld_v, t);
    else if (width == 2)
        strip(2, rows, inner, l, ld, v, ld_v, t);
    else
        strip(1, rows, inner, l, ld, v, ld_v, t);
}

// T -= L V': T is rows x columns, L rows x inner, V columns x inner; rows are padded
BLOCK_FN void subtract_product(int rows, int columns, int inner, const double *l, const double *v,
                               int ld_v, double *t) {
    for (int c = 0; c < columns; c += 4)
        any_strip(columns - c, rows, inner, l, rows, v + c, ld_v, t + (ptrdiff_t)rows * c);
}

// the same for square blocks of n rows, a constant, at most 6
BLOCK_FN void subtract_square(int n, const double *l, const double *v, double *t) {
    int rows = (n + 3) & ~3;
    strip(n < 4 ? n : 4, rows, n, l, rows, v, rows, t);
    if (n > 4)
        strip(n - 4, rows, n, l, rows, v + 4, rows, t + rows * 4);
}

// --- one column ----------------------------------------------------------------------------------

// The block `a` of the matrix into the panel, whose columns are `ld` apart; zeros into the padding.
BLOCK_FN void copy_block(bool turned, int rows, int columns, const double *a, int ld, double *w) {
    for (int c = 0; c < columns; c++, w += ld) {
        for (int r = 0; r < rows; r++)
            w[r] = turned ? a[columns * r + c] : a[rows * c + r];
        for (int r = rows; r < ld; r++)
            w[r] = 0;
    }
}

// the same with six rows and columns
BLOCK_FN void copy_6(bool turned, const double *a, double *w) {
    if (turned)
        copy_block(true, 6, 6, a, 8, w);
    for (int c = 0; c < 6 && !turned; c++, a += 6, w += 8) {
        quad_store(quad_load(a), w);
        w[4] = a[4], w[5] = a[5], w[6] = 0, w[7] = 0;
    }
}

// W_ij = A_ij into the panel of column j
BLOCK_FN void gather(const LitheBlockFactor *f, const LitheBlockMatrix *m, int n, int32_t j) {
    double *panel = f->value + f->value_at[f->start[j]];
    double *after = f->value + f->value_at[f->start[j + 1]];
    const double *own = lithe_block_column(m, f->order[j]);
    // each block of the matrix has one of the panel; the others fill in
    if (f->from_start[j + 1] - f->from_start[j] < f->start[j + 1] - f->start[j])
        for (Quad zero = quad_zero(); panel < after; panel += 4)
            quad_store(zero, panel);
    for (int32_t p = f->from_start[j]; p < f->from_start[j + 1]; p++) {
        bool turned = f->into[p] < 0;
        int32_t e = turned ? ~f->into[p] : f->into[p];
        const double *a = turned ? lithe_block_column(m, f->order[f->row[e]]) : own;
        a += m->value_at[f->from[p]];
        int32_t rows = f->size[f->row[e]];
        double *w = f->value + f->value_at[e];
        if (n == 4 && rows == 4 && !turned)
            for (int k = 0; k < 16; k += 4)
                quad_store(quad_load(a + k), w + k);
        else if (n == 4 && rows == 4)
            copy_block(true, 4, 4, a, 4, w);
        else if (n == 6 && rows == 6)
            copy_6(turned, a, w);
        else if (turned)
            copy_block(true, rows, n, a, block_padded(rows), w);
        else
            copy_block(false, rows, n, a, block_padded(rows), w);
    }
}

// V = L_jk D_k [3]
BLOCK_FN void scale_block(int rows, int inner, const double *l, const double *d, double *v) {
    for (int k = 0; k < inner; k++) {
        Quad s = quad_set(d[k]);
        for (int r = 0; r < rows; r += 4)
            quad_store(quad_scale(quad_load(l + rows * k + r), s), v + rows * k + r);
    }
}

// W_ij -= L_ik V' for every i >= j in column k [3]; entry e is (j, k)
BLOCK_ANY void subtract_column(const LitheBlockFactor *f, int columns, int32_t k, int32_t e) {
    int inner = f->size[k], ld_v = (columns + 3) & ~3;
    int32_t after = f->start[k + 1];
    scale_block(ld_v, inner, f->value + f->value_at[e], f->pivot + f->at[k], f->scaled);
    for (; e < after; e++) {
        int32_t i = f->row[e];
        subtract_product(f->at[i + 1] - f->at[i], columns, inner, f->value + f->value_at[e],
                         f->scaled, ld_v, f->value + f->where[i]);
    }
}

// the same when j and k have n rows, a constant, and most others too
BLOCK_FN void subtract_column_of(int n, const LitheBlockFactor *f, int32_t k, int32_t e,
                                 double *v) {
    int ld_v = (n + 3) & ~3;
    int32_t after = f->start[k + 1];
    scale_block(ld_v, n, f->value + f->value_at[e], f->pivot + f->at[k], v);
    for (; e < after; e++) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        if (rows == ld_v)
            subtract_square(n, f->value + f->value_at[e], v, f->value + f->where[i]);
        else
            subtract_product(rows, n, n, f->value + f->value_at[e], v, ld_v,
                             f->value + f->where[i]);
    }
}

// the same for blocks of four, of which two at a time share V
BLOCK_FN void subtract_column_4(const LitheBlockFactor *f, int32_t k, int32_t e, double *v) {
    const double *l = f->value + f->value_at[e];
    int32_t after = f->start[k + 1];
    scale_block(4, 4, l, f->pivot + f->at[k], v);
    // V must be read from memory, entry by entry: there are not enough registers
    __asm__ volatile("" : "+r"(v) : : "memory");
    while (e < after) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        double *t = f->value + f->where[i];
        if (rows == 4 && e + 1 < after) {
            int32_t h = f->row[e + 1];
            if (f->at[h + 1] - f->at[h] == 4) {
                tile_8(4, 4, l, l + 16, 4, v, 4, t, f->value + f->where[h], 4);
                l += 32;
                e += 2;
                continue;
            }
        }
        if (rows == 4)
            tile_4(4, 4, l, 4, v, 4, t, 4);
        else
            subtract_product(rows, 4, 4, l, v, 4, t);
        l += 4 * (ptrdiff_t)rows;
        e++;
    }
}

// T -= L V' and U -= M V' for blocks of four. The barrier keeps the loads of V where they are:
// there are not enough registers for all of it.
BLOCK_FN void two_blocks(const double *l, const double *m, const double *v, Quad t[4], Quad u[4]) {
    for (int k = 0; k < 16; k += 4) {
        Quad a = quad_load(l + k), b = quad_load(m + k);
        for (int c = 0; c < 4; c++) {
            Quad s = quad_set(v[k + c]);
            t[c] = quad_less(t[c], a, s);
            u[c] = quad_less(u[c], b, s);
        }
        __asm__ volatile("" : : : "memory");
    }
}

BLOCK_FN void load_block(const double *a, Quad t[4]) {
    for (int c = 0; c < 4; c++)
        t[c] = quad_load(a + 4 * c);
}

BLOCK_FN void store_block(const Quad t[4], double *a) {
    for (int c = 0; c < 4; c++)
        quad_store(t[c], a + 4 * c);
}

// As subtract_column where all blocks are of four: two at a time share V. With `twin` entry `next`
// is (j, k + 1), and both columns have the same rows: W is read and written once for both.
BLOCK_FN void subtract_fours(const LitheBlockFactor *f, bool twin, int32_t k, int32_t e,
                             int32_t next, double *v) {
    double *value = f->value;
    const double *l = value + f->value_at[e], *m = twin ? value + f->value_at[next] : NULL;
    const int32_t *row = f->row + e, *end = f->row + f->start[k + 1], *where = f->where;
    scale_block(4, 4, l, f->pivot + f->at[k], v);
    if (twin)
        scale_block(4, 4, m, f->pivot + f->at[k + 1], v + 16);
    for (; row + 1 < end; row += 2, l += 32) {
        double *first = value + where[row[0]], *second = value + where[row[1]];
        Quad t[4], u[4];
        load_block(first, t);
        load_block(second, u);
        two_blocks(l, l + 16, v, t, u);
        if (twin) {
            two_blocks(m, m + 16, v + 16, t, u);
            m += 32;
        }
        store_block(t, first);
        store_block(u, second);
    }
    if (row < end) {
        tile_4(4, 4, l, 4, v, 4, value + where[*row], 4);
        if (twin)
            tile_4(4, 4, m, 4, v + 16, 4, value + where[*row], 4);
    }
}

// the Schur complement of all earlier columns for column j
BLOCK_FN void subtract_earlier_of(const LitheBlockFactor *f, int columns, int32_t j) {
    for (int32_t e = f->start[j]; e < f->start[j + 1]; e++)
        f->where[f->row[e]] = f->value_at[e];
    for (int32_t p = f->row_start[j]; p < f->row_start[j + 1]; p++) {
        int32_t k = f->row_column[p], e = f->row_entry[p], inner = f->size[k];
        double small[6 * 8] __attribute__((aligned(32)));
        if (columns == 4 && f->fours[k] == LITHE_FOURS_TWIN && k + 1 < j) {
            subtract_fours(f, true, k, e, f->row_entry[++p], small);
        } else if (columns == 4 && f->fours[k])
            subtract_fours(f, false, k, e, 0, small);
        else if (columns == 4 && inner == 4)
            subtract_column_4(f, k, e, small);
        else if (columns == 6 && inner == 6)
            subtract_column_of(6, f, k, e, small);
        else if (columns == 3 && inner == 3)
            subtract_column_of(3, f, k, e, small);
        else
            subtract_column(f, columns, k, e);
    }
}

BLOCK_ANY void subtract_earlier_4(const LitheBlockFactor *f, int32_t j) {
    subtract_earlier_of(f, 4, j);
}

BLOCK_ANY void subtract_earlier(const LitheBlockFactor *f, int columns, int32_t j) {
    subtract_earlier_of(f, columns, j);
}

// whether pivot d may be divided by; a NaN fails every comparison [7]
BLOCK_FN bool pivot_passes(bool any, double d, double diagonal) {
    double size = any ? fabs(d) : d;
    return size > LITHE_BLOCK_PIVOT_THRESHOLD * fabs(diagonal) && size <= DBL_MAX;
}

// L11 D L11' = W_jj in place, four columns at a time [6]. `diagonal` is the block in the matrix, of
// which only the diagonal is read; `u` [4 padded rows] gets four columns of L11 D. Returns the
// row of a pivot refused, or -1.
BLOCK_FN int factor_diagonal_of(bool any, int n, const double *diagonal, double *w, double *d,
                                double *reciprocal, double *u) {
    int ld = (n + 3) & ~3;
    for (int g = 0; g < n; g += 4) {
        int end = n - g < 4 ? n : g + 4;
        for (int c = g; c < end; c++) {
            double *column = w + ld * c;
            d[c] = column[c];
            if (__builtin_expect(!pivot_passes(any, d[c], diagonal[(n + 1) * c]), 0))
                return c;
            double r = reciprocal[c] = 1 / d[c];
            for (int b = c + 1; b < end; b++) {
                Quad s = quad_set(column[b] * r);
                for (int q = g; q < ld; q += 4)
                    quad_store(quad_less(quad_load(w + ld * b + q), quad_load(column + q), s),
                               w + ld * b + q);
            }
            for (int q = g; q < ld; q += 4) {
                Quad whole = quad_load(column + q);
                quad_store(whole, u + ld * (c - g) + q);
                quad_store(quad_scale(whole, quad_set(r)), column + q);
            }
        }
        // update the later columns
        if (n == 6 && g == 0)
            strip(2, 4, 4, w + 4, 8, u + 4, 8, w + 8 * 4 + 4);
        for (int b = g + 4; n != 6 && b < n; b += 4)
            any_strip(n - b, ld - b, 4, w + ld * g + b, ld, u + b, ld, w + ld * b + b);
    }
    for (int c = n; c < ld; c++)
        d[c] = reciprocal[c] = 0;
    return -1;
}

BLOCK_ANY int factor_diagonal(bool any, int n, const double *diagonal, double *w, double *d,
                              double *reciprocal, double *u) {
    return factor_diagonal_of(any, n, diagonal, w, d, reciprocal, u);
}

BLOCK_ANY int factor_diagonal_6(bool any, const double *diagonal, double *w, double *d,
                                double *reciprocal) {
    double u[4 * 8] __attribute__((aligned(32)));
    return factor_diagonal_of(any, 6, diagonal, w, d, reciprocal, u);
}

// The same for four rows, two pivots at a time: 1/d1 = w00/det needs no earlier reciprocal, which
// halves the chain of divisions (docs/theory/rod-solver.md, section 2).
BLOCK_FN int factor_diagonal_4(bool any, const double *diagonal, double *w, double *d, double *r) {
    double w00 = w[0], w10 = w[1], w20 = w[2], w30 = w[3], w11 = w[5], w21 = w[6], w31 = w[7];
    double w22 = w[10], w32 = w[11], w33 = w[15];
    double det01 = w00 * w11 - w10 * w10;
    double r0 = 1 / w00, r1 = w00 / det01;
    double l10 = w10 * r0, l20 = w20 * r0, l30 = w30 * r0;
    double u21 = w21 - l20 * w10, u31 = w31 - l30 * w10;
    double l21 = u21 * r1, l31 = u31 * r1;
    double u22 = w22 - l20 * w20 - l21 * u21;
    double u32 = w32 - l30 * w20 - l31 * u21;
    double u33 = w33 - l30 * w30 - l31 * u31;
    double det23 = u22 * u33 - u32 * u32;
    double r2 = 1 / u22, r3 = u22 / det23;
    d[0] = w00, d[1] = det01 * r0, d[2] = u22, d[3] = det23 * r2;
    r[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;
    w[1] = l10, w[2] = l20, w[3] = l30, w[6] = l21, w[7] = l31, w[11] = u32 * r2;
    for (int c = 0; c < 4; c++)
        if (__builtin_expect(!pivot_passes(any, d[c], diagonal[5 * c]), 0))
            return c;
    return -1;
}

// four rows and up to four columns below the diagonal, in place: U = W L11'^-1 [8]. Columns of U
// are `ld` apart, those of L11 `ld_n`.
BLOCK_FN void eliminate_tile(int width, const double *l11, int ld_n, int ld, double *w) {
    Quad u0 = quad_load(w), u1, u2, u3;
    if (width > 1) {
        u1 = quad_less(quad_load(w + ld), u0, quad_set(l11[1]));
        quad_store(u1, w + ld);
    }
    if (width > 2) {
        u2 = quad_less(quad_load(w + 2 * ld), u0, quad_set(l11[2]));
        u2 = quad_less(u2, u1, quad_set(l11[ld_n + 2]));
        quad_store(u2, w + 2 * ld);
    }
    if (width > 3) {
        u3 = quad_less(quad_load(w + 3 * ld), u0, quad_set(l11[3]));
        u3 = quad_less(u3, u1, quad_set(l11[ld_n + 3]));
        u3 = quad_less(u3, u2, quad_set(l11[2 * ld_n + 3]));
        quad_store(u3, w + 3 * ld);
    }
}

// L = U D^-1 [8]
BLOCK_FN void divide_columns(int n, const double *reciprocal, int rows, double *w) {
    for (int c = 0; c < n; c++)
        for (int r = 0; r < rows; r += 4)
            quad_store(quad_scale(quad_load(w + rows * c + r), quad_set(reciprocal[c])),
                       w + rows * c + r);
}

// one block below the diagonal
BLOCK_ANY void eliminate_block(int n, const double *l11, const double *reciprocal, int rows,
                               double *w) {
    int ld_n = (n + 3) & ~3;
    for (int g = 0; g < n; g += 4) {
        double *t = w + (ptrdiff_t)rows * g;
        const double *corner = l11 + ld_n * g + g;
        if (g > 0)
            any_strip(n - g, rows, g, w, rows, l11 + g, ld_n, t);
        for (int r = 0; r < rows; r += 4)
            if (n - g >= 4)
                eliminate_tile(4, corner, ld_n, rows, t + r);
            else if (n - g == 3)
                eliminate_tile(3, corner, ld_n, rows, t + r);
            else if (n - g == 2)
                eliminate_tile(2, corner, ld_n, rows, t + r);
    }
    divide_columns(n, reciprocal, rows, w);
}

// the same for six rows and columns, padded to eight rows
BLOCK_FN void eliminate_6(const double *l11, const double *reciprocal, double *w) {
    for (int r = 0; r < 8; r += 4)
        eliminate_tile(4, l11, 8, 8, w + r);
    strip(2, 8, 4, w, 8, l11 + 4, 8, w + 8 * 4);
    for (int r = 0; r < 8; r += 4)
        eliminate_tile(2, l11 + 8 * 4 + 4, 8, 8, w + 8 * 4 + r);
    divide_columns(6, reciprocal, 8, w);
}

// the blocks of column j below the diagonal
BLOCK_FN void eliminate_column(const LitheBlockFactor *f, int n, int32_t j) {
    const double *l11 = f->value + f->value_at[f->start[j]];
    const double *reciprocal = f->reciprocal + f->at[j];
    for (int32_t e = f->start[j] + 1; e < f->start[j + 1]; e++) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        double *w = f->value + f->value_at[e];
        if (n == 4 && rows == 4) {
            eliminate_tile(4, l11, 4, 4, w);
            divide_columns(4, reciprocal, 4, w);
        } else if (n == 6 && rows == 8) {
            eliminate_6(l11, reciprocal, w);
        } else {
            eliminate_block(n, l11, reciprocal, rows, w);
        }
    }
}

// column j from the matrix and the columns before it. Returns the row of a refused pivot, or -1.
BLOCK_FN int one_column(const LitheBlockFactor *f, const LitheBlockMatrix *m, bool any, int n,
                        int32_t j) {
    gather(f, m, n, j);
    if (n == 4)
        subtract_earlier_4(f, j);
    else
        subtract_earlier(f, n, j);
    int32_t column = f->order[j];
    const double *diagonal = lithe_block_column(m, column) + m->value_at[m->start[column]];
    double *w = f->value + f->value_at[f->start[j]];
    double *d = f->pivot + f->at[j], *reciprocal = f->reciprocal + f->at[j];
    int bad = n == 4   ? factor_diagonal_4(any, diagonal, w, d, reciprocal)
              : n == 6 ? factor_diagonal_6(any, diagonal, w, d, reciprocal)
                       : factor_diagonal(any, n, diagonal, w, d, reciprocal, f->scaled);
    if (bad == -1)
        eliminate_column(f, n, j);
    return bad;
}

#endif
