// SPDX-License-Identifier: Apache-2.0
// sparse/block_kernel.h - the numeric part of the block factor, written once on quads
//
// The including file defines BLOCK_TARGET and BLOCK_FN (attributes of every function), Quad and its
// operations quad_load, quad_store, quad_set, quad_zero, quad_scale (a b), quad_less (a - b c),
// quad_more (a + b c) and quad_sums (the sums of the lanes of four quads). Numbers in brackets:
// docs/theory/block-solver.md.
//
// Sizes come as arguments that are constants for the common blocks, and all is inlined: the
// compiler makes one copy of the loops for each.

#ifndef LITHE_SPARSE_BLOCK_KERNEL_H
#define LITHE_SPARSE_BLOCK_KERNEL_H

#include "sparse/block_parts.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

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

// up to four columns of T -= L V', all `rows` rows
BLOCK_FN void strip(int width, int rows, int inner, const double *l, const double *v, int ld_v,
                    double *t) {
    int r = 0;
    for (; r + 8 <= rows; r += 8)
        tile_8(width, inner, l + r, l + r + 4, rows, v, ld_v, t + r, t + r + 4, rows);
    if (r < rows)
        tile_4(width, inner, l + r, rows, v, ld_v, t + r, rows);
}

// T -= L V': T is rows x columns, L rows x inner, V columns x inner; rows are padded
BLOCK_FN void subtract_product(int rows, int columns, int inner, const double *l, const double *v,
                               int ld_v, double *t) {
    int c = 0;
    for (; c + 4 <= columns; c += 4)
        strip(4, rows, inner, l, v + c, ld_v, t + (ptrdiff_t)rows * c);
    v += c;
    t += (ptrdiff_t)rows * c;
    if (columns - c == 3)
        strip(3, rows, inner, l, v, ld_v, t);
    else if (columns - c == 2)
        strip(2, rows, inner, l, v, ld_v, t);
    else if (columns - c == 1)
        strip(1, rows, inner, l, v, ld_v, t);
}

// --- one column ----------------------------------------------------------------------------------

// W_ij = A_ij into the panel of column j
static void gather(const LitheBlockFactor *f, const LitheBlockMatrix *m, int32_t j) {
    int32_t first = f->value_at[f->start[j]], after = f->value_at[f->start[j + 1]];
    memset(f->value + first, 0, sizeof *f->value * (size_t)(after - first));
    for (int32_t p = f->from_start[j]; p < f->from_start[j + 1]; p++) {
        const double *a = lithe_block_values(m, f->from[p]);
        bool turned = f->into[p] < 0;
        int32_t e = turned ? ~f->into[p] : f->into[p];
        int32_t rows = f->size[f->row[e]], columns = f->size[j], ld = block_padded(rows);
        double *w = f->value + f->value_at[e];
        if (turned)
            for (int32_t c = 0; c < columns; c++)
                for (int32_t r = 0; r < rows; r++)
                    w[ld * c + r] = a[columns * r + c];
        else
            for (int32_t c = 0; c < columns; c++)
                for (int32_t r = 0; r < rows; r++)
                    w[ld * c + r] = a[rows * c + r];
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

// W_ij -= L_ik V' for every i >= j in column k [3]; `columns` and `inner` are the sizes of j and k
BLOCK_FN void subtract_column(const LitheBlockFactor *f, int columns, int inner, int32_t k,
                              int32_t e, double *v) {
    const double *value = f->value;
    int32_t after = f->start[k + 1];
    int ld_v = (columns + 3) & ~3;
    scale_block(ld_v, inner, value + f->value_at[e], f->pivot + f->at[k], v);
    for (; e < after; e++) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        const double *l = value + f->value_at[e];
        double *t = f->value + f->where[i];
        if (rows == 4)
            subtract_product(4, columns, inner, l, v, ld_v, t);
        else if (rows == 8)
            subtract_product(8, columns, inner, l, v, ld_v, t);
        else
            subtract_product(rows, columns, inner, l, v, ld_v, t);
    }
}

// what all earlier columns leave for column j
BLOCK_FN void subtract_earlier(LitheBlockFactor *f, int32_t j) {
    for (int32_t e = f->start[j]; e < f->start[j + 1]; e++)
        f->where[f->row[e]] = f->value_at[e];
    int32_t columns = f->size[j];
    for (int32_t p = f->row_start[j]; p < f->row_start[j + 1]; p++) {
        int32_t k = f->row_column[p], e = f->row_entry[p], inner = f->size[k];
        double small[6 * 8] __attribute__((aligned(32)));
        if (columns == 4 && inner == 4)
            subtract_column(f, 4, 4, k, e, small);
        else if (columns == 6 && inner == 6)
            subtract_column(f, 6, 6, k, e, small);
        else if (columns == 3 && inner == 3)
            subtract_column(f, 3, 3, k, e, small);
        else
            subtract_column(f, columns, inner, k, e, f->scaled);
    }
}

// whether pivot d may be divided by; a NaN fails every comparison [7]
BLOCK_FN bool pivot_passes(bool any, double d, double diagonal) {
    double size = any ? fabs(d) : d;
    return size > LITHE_BLOCK_PIVOT_THRESHOLD * fabs(diagonal) && size <= DBL_MAX;
}

// L11 D L11' = W_jj in place, column by column [6]. `diagonal` is the block in the matrix, of which
// only the diagonal is looked at. Returns the row of a pivot refused, or -1.
BLOCK_FN int factor_diagonal(bool any, int n, const double *diagonal, double *w, double *d,
                             double *reciprocal) {
    int ld = (n + 3) & ~3;
    for (int c = 0; c < n; c++) {
        double *column = w + ld * c;
        d[c] = column[c];
        if (__builtin_expect(!pivot_passes(any, d[c], diagonal[(n + 1) * c]), 0))
            return c;
        double r = reciprocal[c] = 1 / d[c];
        for (int b = c + 1; b < n; b++) {
            Quad s = quad_set(column[b] * r);
            for (int q = b & ~3; q < ld; q += 4)
                quad_store(quad_less(quad_load(w + ld * b + q), quad_load(column + q), s),
                           w + ld * b + q);
        }
        for (int q = (c + 1) & ~3; q < ld; q += 4)
            quad_store(quad_scale(quad_load(column + q), quad_set(r)), column + q);
    }
    for (int c = n; c < ld; c++)
        d[c] = reciprocal[c] = 0;
    return -1;
}

// four rows below the diagonal, in place: U = W L11'^-1, then L = U D^-1 [8]. The rows stand `ld`
// apart, those of L11 `ld_n`.
BLOCK_FN void eliminate_rows(int n, const double *l11, const double *reciprocal, int ld,
                             double *w) {
    int ld_n = (n + 3) & ~3;
    for (int c = 1; c < n; c++) {
        Quad u = quad_load(w + ld * c);
        for (int p = 0; p < c; p++)
            u = quad_less(u, quad_load(w + ld * p), quad_set(l11[ld_n * p + c]));
        quad_store(u, w + ld * c);
    }
    for (int c = 0; c < n; c++)
        quad_store(quad_scale(quad_load(w + ld * c), quad_set(reciprocal[c])), w + ld * c);
}

// the blocks of column j below the diagonal
BLOCK_FN void eliminate_column(const LitheBlockFactor *f, int n, int32_t j) {
    const double *l11 = f->value + f->value_at[f->start[j]];
    const double *reciprocal = f->reciprocal + f->at[j];
    for (int32_t e = f->start[j] + 1; e < f->start[j + 1]; e++) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        double *w = f->value + f->value_at[e];
        for (int32_t r = 0; r < rows; r += 4)
            eliminate_rows(n, l11, reciprocal, rows, w + r);
    }
}

// factors the diagonal block and, when its pivots pass, what is below it
BLOCK_FN int finish_column(LitheBlockFactor *f, bool any, int n, int32_t j,
                           const double *diagonal) {
    double *w = f->value + f->value_at[f->start[j]];
    int bad = factor_diagonal(any, n, diagonal, w, f->pivot + f->at[j], f->reciprocal + f->at[j]);
    if (bad == -1)
        eliminate_column(f, n, j);
    return bad;
}

BLOCK_TARGET static int32_t kernel_columns(LitheBlockFactor *f, const LitheBlockMatrix *m,
                                           LithePivotRule rule) {
    bool any = rule == LITHE_PIVOT_ANY;
    for (int32_t j = 0; j < f->count; j++) {
        if (!f->redo[j])
            continue;
        gather(f, m, j);
        subtract_earlier(f, j);
        const double *diagonal = lithe_block_values(m, m->start[f->order[j]]);
        int n = f->size[j];
        int bad = n == 4   ? finish_column(f, any, 4, j, diagonal)
                  : n == 6 ? finish_column(f, any, 6, j, diagonal)
                  : n == 3 ? finish_column(f, any, 3, j, diagonal)
                           : finish_column(f, any, n, j, diagonal);
        if (bad != -1)
            return f->at[j] + bad;
    }
    return -1;
}

// --- solve ---------------------------------------------------------------------------------------

// x_j = L11\x_j, then x_i -= L_ij x_j below [9]
BLOCK_FN void column_down(const LitheBlockFactor *f, int n, int32_t j) {
    int ld = (n + 3) & ~3;
    int32_t e = f->start[j], after = f->start[j + 1];
    const double *l = f->value + f->value_at[e];
    double *y = f->x + f->at[j];
    for (int c = 0; c < n; c++)
        for (int r = c + 1; r < n; r++)
            y[r] -= l[ld * c + r] * y[c];
    for (e++; e < after; e++) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        double *x = f->x + f->at[i];
        l = f->value + f->value_at[e];
        for (int32_t r = 0; r < rows; r += 4) {
            Quad sum = quad_load(x + r);
            for (int c = 0; c < n; c++)
                sum = quad_less(sum, quad_load(l + (ptrdiff_t)rows * c + r), quad_set(y[c]));
            quad_store(sum, x + r);
        }
    }
}

// sums[c] = column c to c + 3 of all L_ij' x_i below the diagonal of column j; columns past the
// last are not touched
BLOCK_FN Quad dot_columns(const LitheBlockFactor *f, int width, int c, int32_t j) {
    Quad s0 = quad_zero(), s1 = s0, s2 = s0, s3 = s0;
    for (int32_t e = f->start[j] + 1; e < f->start[j + 1]; e++) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        const double *x = f->x + f->at[i];
        const double *l = f->value + f->value_at[e] + (ptrdiff_t)rows * c;
        for (int32_t r = 0; r < rows; r += 4, l += 4) {
            Quad y = quad_load(x + r);
            s0 = quad_more(s0, quad_load(l), y);
            if (width > 1)
                s1 = quad_more(s1, quad_load(l + rows), y);
            if (width > 2)
                s2 = quad_more(s2, quad_load(l + 2 * rows), y);
            if (width > 3)
                s3 = quad_more(s3, quad_load(l + 3 * rows), y);
        }
    }
    return quad_sums(s0, s1, s2, s3);
}

// x_j = L11'\(D\x_j - the sum of L_ij' x_i below) [10]
BLOCK_FN void column_up(const LitheBlockFactor *f, int n, int32_t j) {
    int ld = (n + 3) & ~3;
    const double *l = f->value + f->value_at[f->start[j]];
    const double *reciprocal = f->reciprocal + f->at[j];
    double *x = f->x + f->at[j];
    for (int c = 0; c < n; c += 4) {
        // the padding has reciprocals of zero and sums of zero
        Quad z = quad_scale(quad_load(x + c), quad_load(reciprocal + c));
        Quad sums = n - c >= 4   ? dot_columns(f, 4, c, j)
                    : n - c == 3 ? dot_columns(f, 3, c, j)
                    : n - c == 2 ? dot_columns(f, 2, c, j)
                                 : dot_columns(f, 1, c, j);
        quad_store(quad_less(z, sums, quad_set(1)), x + c);
    }
    for (int c = n - 1; c >= 0; c--)
        for (int r = 0; r < c; r++)
            x[r] -= l[ld * r + c] * x[c];
}

BLOCK_TARGET static void kernel_solve(LitheBlockFactor *f) {
    for (int32_t j = 0; j < f->count; j++) {
        int n = f->size[j];
        if (n == 4)
            column_down(f, 4, j);
        else if (n == 6)
            column_down(f, 6, j);
        else if (n == 3)
            column_down(f, 3, j);
        else
            column_down(f, n, j);
    }
    for (int32_t j = f->count - 1; j >= 0; j--) {
        int n = f->size[j];
        if (n == 4)
            column_up(f, 4, j);
        else if (n == 6)
            column_up(f, 6, j);
        else if (n == 3)
            column_up(f, 3, j);
        else
            column_up(f, n, j);
    }
}

#endif
