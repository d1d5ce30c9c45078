// SPDX-License-Identifier: Apache-2.0
// sparse/front_kernel.h - the numeric part of a front, written once on quads
//
// Included after sparse/block_kernel.h, on the same quads. Every product is a sum over pivots of
// tiles with at most twelve rows and four columns: twelve sums, three quads of L and one number of
// L D fit into sixteen registers. A tile never crosses a strip, so that L needs no packing. Numbers
// in brackets: docs/theory/mesh-solver.md.

#ifndef LITHE_SPARSE_FRONT_KERNEL_H
#define LITHE_SPARSE_FRONT_KERNEL_H

#include "sparse/fronts.h"

enum { STRIPS = LITHE_FRONT_ROWS / 4 };

// --- tiles ---------------------------------------------------------------------------------------

typedef struct Tile {
    Quad at[STRIPS][4]; // [strip][column]
} Tile;

// Tile = sum over k of a_k b_k': `strips` strips of L that are `next` apart, and one of L D
BLOCK_FN Tile tile_product(int strips, int inner, const double *a, ptrdiff_t next,
                           const double *b) {
    Tile t;
    for (int q = 0; q < strips; q++)
        for (int c = 0; c < 4; c++)
            t.at[q][c] = quad_zero();
    const double *a1 = strips > 1 ? a + next : a, *a2 = strips > 2 ? a + 2 * next : a;
    for (int k = 0; k < inner; k++, a += 4, a1 += 4, a2 += 4, b += 4) {
        Quad l0 = quad_load(a), l1 = strips > 1 ? quad_load(a1) : l0;
        Quad l2 = strips > 2 ? quad_load(a2) : l0;
        for (int c = 0; c < 4; c++) {
            Quad s = quad_set(b[c]);
            t.at[0][c] = quad_more(t.at[0][c], l0, s);
            if (strips > 1)
                t.at[1][c] = quad_more(t.at[1][c], l1, s);
            if (strips > 2)
                t.at[2][c] = quad_more(t.at[2][c], l2, s);
        }
    }
    return t;
}

// strips of L, and of L D, that begin at a row
BLOCK_FN double *strip_of(const LitheFront *t, int32_t row) {
    return t->L + (ptrdiff_t)t->w * row;
}

BLOCK_FN double *scaled_of(const LitheFront *t, int32_t row) {
    return t->scaled + (ptrdiff_t)t->step * row;
}

// Columns c .. c + n - 1 of one tile of rows, from the columns k .. c - 1 [3]
BLOCK_FN void eliminate_strips(const LitheFront *t, int strips, int n, int32_t k, int32_t c,
                               int32_t row) {
    ptrdiff_t next = 4 * (ptrdiff_t)t->w, scaled_next = 4 * (ptrdiff_t)t->step;
    double *l = strip_of(t, row), *u = scaled_of(t, row) + 4 * (ptrdiff_t)(c - k);
    Tile tile = tile_product(strips, c - k, l + 4 * (ptrdiff_t)k, next, scaled_of(t, c));
    const double *corner = strip_of(t, c) + 4 * (ptrdiff_t)c; // (i, j) at 4 j + i
    l += 4 * (ptrdiff_t)c;
    for (int q = 0; q < strips; q++, l += next, u += scaled_next) {
        Quad x[4];
        for (int j = 0; j < n; j++) {
            x[j] = quad_less(quad_load(l + 4 * j), tile.at[q][j], quad_set(1));
            for (int i = 0; i < j; i++)
                x[j] = quad_less(x[j], x[i], quad_set(corner[4 * i + j]));
            quad_store(x[j], u + 4 * j);
            quad_store(quad_scale(x[j], quad_set(t->reciprocal[c + j])), l + 4 * j);
        }
    }
}

BLOCK_FN void eliminate_tile_row(const LitheFront *t, int strips, int32_t k, int32_t after,
                                 int32_t row) {
    int32_t c = k;
    for (; c + 4 <= after; c += 4)
        eliminate_strips(t, strips, 4, k, c, row);
    if (after - c == 3)
        eliminate_strips(t, strips, 3, k, c, row);
    else if (after - c == 2)
        eliminate_strips(t, strips, 2, k, c, row);
    else if (after - c == 1)
        eliminate_strips(t, strips, 1, k, c, row);
}

// as many strips as the front has below a row, at most those of a tile
BLOCK_FN int strips_at(const LitheFront *t, int32_t row) {
    int32_t left = (t->rows - row) / 4;
    return left < STRIPS ? (int)left : STRIPS;
}

BLOCK_ANY void eliminate_rows(const LitheFront *t, int32_t k, int32_t after, int32_t row) {
    int strips = strips_at(t, row);
    if (strips == 3)
        eliminate_tile_row(t, 3, k, after, row);
    else if (strips == 2)
        eliminate_tile_row(t, 2, k, after, row);
    else
        eliminate_tile_row(t, 1, k, after, row);
}

BLOCK_TARGET static void front_below(const LitheFront *t, int32_t k, int32_t after, int32_t row,
                                     int32_t end) {
    for (; row < end; row += LITHE_FRONT_ROWS)
        eliminate_rows(t, k, after, row);
}

// --- pivots --------------------------------------------------------------------------------------

// w [12][12], column-major: what is left of `n` columns of a tile of rows, from the columns k on
BLOCK_ANY void load_pivots(const LitheFront *t, int strips, int n, int32_t k, int32_t row,
                           double *w) {
    ptrdiff_t next = 4 * (ptrdiff_t)t->w;
    for (int c = 0; c < n; c += 4) {
        const double *l = strip_of(t, row) + 4 * (ptrdiff_t)k, *b = scaled_of(t, row + c);
        Tile tile = strips == 3   ? tile_product(3, row - k, l, next, b)
                    : strips == 2 ? tile_product(2, row - k, l, next, b)
                                  : tile_product(1, row - k, l, next, b);
        const double *own = strip_of(t, row) + 4 * (ptrdiff_t)(row + c);
        for (int q = 0; q < strips; q++)
            for (int j = 0; j < 4 && c + j < n; j++)
                quad_store(quad_less(quad_load(own + next * q + 4 * j), tile.at[q][j], quad_set(1)),
                           w + LITHE_FRONT_ROWS * (c + j) + 4 * q);
    }
}

// L and L D of the `n` columns in `w` [2]: zero on the diagonal and above. Returns a refused pivot.
BLOCK_FN int factor_strips(const LitheFront *t, bool any, int strips, int n, int32_t k, int32_t row,
                           double *w) {
    for (int j = 0; j < n; j++) {
        double *column = w + LITHE_FRONT_ROWS * j, d = column[j];
        t->pivot[row + j] = d;
        if (__builtin_expect(!pivot_passes(any, d, t->diagonal[row + j]), 0))
            return j;
        double r = t->reciprocal[row + j] = 1 / d;
        Quad own[STRIPS];
        for (int q = 0; q < strips; q++)
            own[q] = quad_load(column + 4 * q);
        for (int c = j + 1; c < n; c++) {
            Quad s = quad_set(column[c] * r);
            double *later = w + LITHE_FRONT_ROWS * c;
            for (int q = 0; q < strips; q++)
                if (q >= j / 4)
                    quad_store(quad_less(quad_load(later + 4 * q), own[q], s), later + 4 * q);
        }
        double *l = strip_of(t, row) + 4 * (ptrdiff_t)(row + j);
        double *u = scaled_of(t, row) + 4 * (ptrdiff_t)(row + j - k);
        Quad behind = quad_load((const double *)(const void *)lanes_behind[j % 4]);
        for (int q = 0; q < strips; q++, l += 4 * (ptrdiff_t)t->w, u += 4 * (ptrdiff_t)t->step) {
            Quad whole = q < j / 4 ? quad_zero() : q == j / 4 ? quad_and(own[q], behind) : own[q];
            quad_store(whole, u);
            quad_store(quad_scale(whole, quad_set(r)), l);
        }
    }
    return -1;
}

BLOCK_ANY int factor_pivots(const LitheFront *t, bool any, int strips, int n, int32_t k,
                            int32_t row, double *w) {
    return strips == 3   ? factor_strips(t, any, 3, n, k, row, w)
           : strips == 2 ? factor_strips(t, any, 2, n, k, row, w)
                         : factor_strips(t, any, 1, n, k, row, w);
}

BLOCK_TARGET static int32_t front_diagonal(const LitheFront *t, LithePivotRule rule, int32_t k,
                                           int32_t after) {
    double w[LITHE_FRONT_ROWS * LITHE_FRONT_ROWS];
    for (int32_t row = k; row < after; row += LITHE_FRONT_ROWS) {
        int n = after - row < LITHE_FRONT_ROWS ? (int)(after - row) : LITHE_FRONT_ROWS;
        int strips = strips_at(t, row);
        eliminate_rows(t, k, row, row);
        load_pivots(t, strips, n, k, row, w);
        int bad = factor_pivots(t, rule == LITHE_PIVOT_ANY, strips, n, k, row, w);
        if (bad >= 0)
            return row + bad;
    }
    return -1;
}

// --- update --------------------------------------------------------------------------------------

// tile of C at (row, column): C = -L (L D)', or C -= L (L D)' unless it is the first step
BLOCK_FN void update_tile(const LitheFront *t, int strips, int32_t k, int32_t after, int32_t row,
                          int32_t column) {
    int64_t ld = t->rows - t->from, first = column - t->from;
    double *out = t->C + lithe_front_column(ld, first) + (row - t->from);
    // by the time the sums are done the old values have arrived
    for (int c = 0; c < 4; c++) {
        __builtin_prefetch(out + (ld - first) * c, 1);
        __builtin_prefetch(out + (ld - first) * c + 4 * strips - 1, 1);
    }
    Tile tile = tile_product(strips, after - k, strip_of(t, row) + 4 * (ptrdiff_t)k,
                             4 * (ptrdiff_t)t->w, scaled_of(t, column));
    for (int c = 0; c < 4; c++, out += ld - first)
        for (int q = 0; q < strips; q++) {
            if (row + 4 * q < column) // above the diagonal
                continue;
            Quad old = k > 0 ? quad_load(out + 4 * q) : quad_zero();
            quad_store(quad_less(old, tile.at[q][c], quad_set(1)), out + 4 * q);
        }
}

// the same for up to four later pivots
BLOCK_FN void update_pivots(const LitheFront *t, int strips, int32_t k, int32_t after, int32_t row,
                            int32_t column) {
    int n = t->w - column < 4 ? (int)(t->w - column) : 4;
    double *out = strip_of(t, row) + 4 * (ptrdiff_t)column;
    for (int q = 0; q < strips; q++) {
        __builtin_prefetch(out + 4 * (ptrdiff_t)t->w * q, 1);
        __builtin_prefetch(out + 4 * (ptrdiff_t)t->w * q + 8, 1);
    }
    Tile tile = tile_product(strips, after - k, strip_of(t, row) + 4 * (ptrdiff_t)k,
                             4 * (ptrdiff_t)t->w, scaled_of(t, column));
    for (int q = 0; q < strips; q++, out += 4 * (ptrdiff_t)t->w)
        for (int c = 0; c < 4 && c < n; c++)
            quad_store(quad_less(quad_load(out + 4 * c), tile.at[q][c], quad_set(1)), out + 4 * c);
}

// rows from `column` on, columns `column` to end - 1 of the later pivots, or of C
BLOCK_FN void update_block(const LitheFront *t, bool pivots, int32_t k, int32_t after,
                           int32_t column, int32_t end) {
    for (int32_t row = column; row < t->rows; row += LITHE_FRONT_ROWS) {
        int strips = strips_at(t, row);
        for (int32_t c = column; c < end && c < row + LITHE_FRONT_ROWS; c += 4)
            if (pivots && strips == 3)
                update_pivots(t, 3, k, after, row, c);
            else if (pivots && strips == 2)
                update_pivots(t, 2, k, after, row, c);
            else if (pivots)
                update_pivots(t, 1, k, after, row, c);
            else if (strips == 3)
                update_tile(t, 3, k, after, row, c);
            else if (strips == 2)
                update_tile(t, 2, k, after, row, c);
            else
                update_tile(t, 1, k, after, row, c);
    }
}

BLOCK_TARGET static void front_update_pivots(const LitheFront *t, int32_t k, int32_t after,
                                             int32_t column, int32_t end) {
    update_block(t, true, k, after, column, end);
}

BLOCK_TARGET static void front_update(const LitheFront *t, int32_t k, int32_t after, int32_t column,
                                      int32_t end) {
    update_block(t, false, k, after, column, end);
}

// --- children ------------------------------------------------------------------------------------

BLOCK_TARGET static void front_add(const LitheFrontChild *c, int32_t column, int32_t end) {
    for (int32_t j = column; j < end; j++) {
        const double *from = c->C + lithe_front_column(c->ld, j + c->skip) + c->skip;
        if (c->row[j] < c->w) {
            double *to = c->L + 4 * (ptrdiff_t)c->row[j];
            for (int32_t i = j; i < c->count; i++)
                to[c->strip[i]] += from[i];
        } else {
            double *to =
                c->parent_C + lithe_front_column(c->parent_ld, c->row[j] - c->from) - c->from;
            for (int32_t i = j; i < c->count; i++)
                to[c->row[i]] += from[i];
        }
    }
}

// --- solve ---------------------------------------------------------------------------------------

// rows of `strips` strips of v less those products that the first `count` pivots contribute [9]:
// the sums of a strip are the same in any number of strips
BLOCK_FN void subtract_strips(const LitheFront *t, int strips, int32_t row, int32_t count,
                              double *v) {
    const double *l = strip_of(t, row);
    ptrdiff_t next = 4 * (ptrdiff_t)t->w;
    Quad s[2][4];
    for (int q = 0; q < strips; q++) {
        s[q][0] = quad_load(v + row + 4 * q);
        s[q][1] = s[q][2] = s[q][3] = quad_zero();
    }
    int32_t k = 0;
    for (; k + 4 <= count; k += 4, l += 16) {
        Quad x0 = quad_set(v[k]), x1 = quad_set(v[k + 1]);
        Quad x2 = quad_set(v[k + 2]), x3 = quad_set(v[k + 3]);
        for (int q = 0; q < strips; q++) {
            s[q][0] = quad_less(s[q][0], quad_load(l + next * q), x0);
            s[q][1] = quad_more(s[q][1], quad_load(l + next * q + 4), x1);
            s[q][2] = quad_more(s[q][2], quad_load(l + next * q + 8), x2);
            s[q][3] = quad_more(s[q][3], quad_load(l + next * q + 12), x3);
        }
    }
    for (; k < count; k++, l += 4)
        for (int q = 0; q < strips; q++)
            s[q][0] = quad_less(s[q][0], quad_load(l + next * q), quad_set(v[k]));
    for (int q = 0; q < strips; q++) {
        s[q][2] = quad_more(s[q][2], s[q][3], quad_set(1));
        s[q][0] = quad_less(s[q][0], s[q][1], quad_set(1));
        quad_store(quad_less(s[q][0], s[q][2], quad_set(1)), v + row + 4 * q);
    }
}

// v = L\v strip by strip; the part of L on and above the diagonal is zero [9]
BLOCK_TARGET static void front_down(const LitheFront *t, double *v) {
    int32_t row = 0;
    for (; row < t->w; row += 4) {
        subtract_strips(t, 1, row, row, v);
        const double *l = strip_of(t, row);
        for (int32_t k = row; k < t->w && k < row + 4; k++)
            quad_store(quad_less(quad_load(v + row), quad_load(l + 4 * k), quad_set(v[k])),
                       v + row);
    }
    // below the pivots, two strips share the numbers of v
    for (; row + 8 <= t->rows; row += 8)
        subtract_strips(t, 2, row, t->w, v);
    if (row < t->rows)
        subtract_strips(t, 1, row, t->w, v);
}

// sums[4 k ..] += column k < count of L' v, over `strips` strips, the last one first [10]
BLOCK_FN void collect_strips(const LitheFront *t, int strips, int32_t row, int32_t count,
                             const double *v, double *sums) {
    const double *l = strip_of(t, row);
    ptrdiff_t next = 4 * (ptrdiff_t)t->w;
    Quad x[4];
    for (int q = 0; q < strips; q++)
        x[q] = quad_load(v + row + 4 * q);
    for (int32_t k = 0; k < count; k++, l += 4, sums += 4) {
        Quad s = quad_load(sums);
        for (int q = strips - 1; q >= 0; q--)
            s = quad_more(s, quad_load(l + next * q), x[q]);
        quad_store(s, sums);
    }
}

// pivots of v = L'\(D\v); sums[4 k ..] collects column k of L' v [10]
BLOCK_TARGET static void front_up(const LitheFront *t, double *v, double *sums) {
    memset(sums, 0, sizeof *sums * 4 * (size_t)t->w);
    for (int32_t k = 0; k < t->w; k++)
        v[k] *= t->reciprocal[k];
    int32_t row = t->rows;
    // below the pivots v is known: four strips are added to the sums at a time
    for (; row - 16 >= t->w; row -= 16)
        collect_strips(t, 4, row - 16, t->w, v, sums);
    for (; row - 4 >= t->w; row -= 4)
        collect_strips(t, 1, row - 4, t->w, v, sums);
    for (row -= 4; row >= 0; row -= 4) {
        const double *l = strip_of(t, row);
        int32_t own = t->w - row < 4 ? t->w - row : 4;
        for (int32_t k = own - 1; k >= 0; k--) {
            const double *s = sums + 4 * (ptrdiff_t)(row + k);
            double sum = (s[0] + s[1]) + (s[2] + s[3]);
            for (int32_t i = k + 1; i < 4; i++)
                sum += l[4 * (ptrdiff_t)(row + k) + i] * v[row + i];
            v[row + k] -= sum;
        }
        collect_strips(t, 1, row, row, v, sums);
    }
}

static const LitheFrontKernel front_kernel = {front_diagonal, front_below, front_update_pivots,
                                              front_update,   front_add,   front_down,
                                              front_up};

#endif
