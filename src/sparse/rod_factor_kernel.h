// SPDX-License-Identifier: Apache-2.0
// sparse/rod_factor_kernel.h - the fast rod factor, written once on columns of four ("quads")
//
// The including file defines ROD_FN (attributes of every function), Quad and its operations
// quad_zero, quad_load, quad_load3, quad_store, quad_set, quad_add, quad_scale, quad_less (a - b s
// with lane k of a quad as s), quad_lane and quad_transpose_apply (A'x + B'y). Numbers in brackets:
// docs/theory/rod-solver.md.
//
// The front of node i is its part of the matrix after the elimination of all earlier nodes (the
// Schur complement). Each step factors the diagonal block (the corner) in scalars, because that is
// one long dependency chain, and everything else in quads.

#ifndef LITHE_SPARSE_ROD_FACTOR_KERNEL_H
#define LITHE_SPARSE_ROD_FACTOR_KERNEL_H

#include "sparse/rod_factor.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct Front {
    Quad w0[4]; // block (i, i), lower triangle
    Quad w1[4]; // block (i+1, i)
    Quad s[4];  // contributions of earlier nodes to block (i+1, i+1), to which the matrix is added
                // later
} Front;

typedef struct Border {
    Quad w[2][4]; // border rows of node i
    Quad s[2][4]; // border rows of node i+1, so far
    Front end;    // front of the first border node
    double dead;  // border rows of a node are dropped when all their entries are below this
} Border;

// Border rows decay along the chain. Once all are this small relative to the border's diagonal they
// count as zero: otherwise they would become denormal numbers, which are slow on many processors.
#define ROD_FADED 1e-140
enum { ROD_FADE_CHECK = 16 }; // nodes between two checks

typedef struct Corner {
    double r0, r1, r2, r3;               // reciprocal pivots
    double l10, l20, l30, l21, l31, l32; // L11
    double d0, d1, d2, d3;               // pivots
} Corner;

// L11 D L11' = W0, two pivots at a time: 1/d1 = w00/det needs no earlier reciprocal [5]-[8]
ROD_FN Corner factor_corner(const Quad w[4]) {
    Corner c;
    double w00 = quad_lane(w[0], 0), w10 = quad_lane(w[0], 1);
    double w20 = quad_lane(w[0], 2), w30 = quad_lane(w[0], 3);
    double w11 = quad_lane(w[1], 1), w21 = quad_lane(w[1], 2), w31 = quad_lane(w[1], 3);
    double w22 = quad_lane(w[2], 2), w32 = quad_lane(w[2], 3), w33 = quad_lane(w[3], 3);
    double det01 = w00 * w11 - w10 * w10;
    c.r0 = 1 / w00;
    c.r1 = w00 / det01;
    c.d0 = w00;
    c.d1 = det01 * c.r0;
    c.l10 = w10 * c.r0;
    c.l20 = w20 * c.r0;
    c.l30 = w30 * c.r0;
    double u21 = w21 - c.l20 * w10;
    double u31 = w31 - c.l30 * w10;
    c.l21 = u21 * c.r1;
    c.l31 = u31 * c.r1;
    double u22 = w22 - c.l20 * w20 - c.l21 * u21;
    double u32 = w32 - c.l30 * w20 - c.l31 * u21;
    double u33 = w33 - c.l30 * w30 - c.l31 * u31;
    double det23 = u22 * u33 - u32 * u32;
    c.r2 = 1 / u22;
    c.r3 = u22 / det23;
    c.d2 = u22;
    c.d3 = det23 * c.r2;
    c.l32 = u32 * c.r2;
    return c;
}

ROD_FN void store_corner(Corner c, double *out) {
    out[0] = c.r0;
    out[1] = c.r1;
    out[2] = c.r2;
    out[3] = c.r3;
    out[4] = c.l10;
    out[5] = c.l20;
    out[6] = c.l30;
    out[7] = c.l21;
    out[8] = c.l31;
    out[9] = c.l32;
}

// four rows below the corner: U = W L11'^-1, L = U D^-1 [9]
ROD_FN void eliminate_rows(Corner c, const Quad w[4], Quad u[4], Quad l[4]) {
    Quad l10 = quad_set(c.l10), l20 = quad_set(c.l20), l30 = quad_set(c.l30);
    Quad l21 = quad_set(c.l21), l31 = quad_set(c.l31), l32 = quad_set(c.l32);
    u[0] = w[0];
    u[1] = quad_less(w[1], u[0], l10, 0);
    u[2] = quad_less(quad_less(w[2], u[0], l20, 0), u[1], l21, 0);
    u[3] = quad_less(quad_less(quad_less(w[3], u[0], l30, 0), u[1], l31, 0), u[2], l32, 0);
    l[0] = quad_scale(u[0], quad_set(c.r0));
    l[1] = quad_scale(u[1], quad_set(c.r1));
    l[2] = quad_scale(u[2], quad_set(c.r2));
    l[3] = quad_scale(u[3], quad_set(c.r3));
}

// out = in - L U', the first `columns` columns
ROD_FN void subtract_product(int columns, const Quad in[4], const Quad l[4], const Quad u[4],
                             Quad out[4]) {
#define COLUMN(j) \
    out[j] = quad_less( \
        quad_less(quad_less(quad_less(in[j], l[0], u[0], j), l[1], u[1], j), l[2], u[2], j), l[3], \
        u[3], j)
    COLUMN(0);
    COLUMN(1);
    COLUMN(2);
    if (columns > 3)
        COLUMN(3);
#undef COLUMN
}

// out = in - U L' for both blocks of border rows at once, L read back from the factor: its columns
// are `stride` apart. Registers are scarce here, and a broadcast from memory is free.
ROD_FN void subtract_border(int columns, int stride, const double *l, const Quad u[2][4],
                            const Quad in0[4], const Quad in1[4], Quad out0[4], Quad out1[4]) {
    for (int j = 0; j < columns; j++) {
        Quad sum0 = in0[j], sum1 = in1[j];
        for (int k = 0; k < 4; k++) {
            Quad s = quad_set(l[stride * k + j]);
            sum0 = quad_less(sum0, u[0][k], s, 0);
            sum1 = quad_less(sum1, u[1][k], s, 0);
        }
        out0[j] = sum0;
        out1[j] = sum1;
    }
}

// border rows of node i, whose own factor is in `factor` [13]
ROD_FN void eliminate_border(Corner c, double *factor, Border *border) {
    Quad u[2][4], l[4];
    for (int b = 0; b < 2; b++) {
        eliminate_rows(c, border->w[b], u[b], l);
        for (int k = 0; k < 4; k++)
            quad_store(l[k], factor + ROD_BORDER + 16 * b + 4 * k);
    }
    // keeps the compiler from holding L in registers
    __asm__ volatile("" : "+r"(factor) : : "memory");
    Quad zero[4] = {quad_zero(), quad_zero(), quad_zero(), quad_zero()};
    subtract_border(4, 4, factor + ROD_L21, u, border->s[0], border->s[1], border->w[0],
                    border->w[1]);
    subtract_border(3, 3, factor + ROD_L31, u, zero, zero, border->s[0], border->s[1]);
    border->s[0][3] = border->s[1][3] = zero[3];
    subtract_border(4, 4, factor + ROD_BORDER, u, border->end.w0, border->end.w1, border->end.w0,
                    border->end.w1);
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++)
            border->end.s[j] = quad_less(border->end.s[j], u[1][k],
                                         quad_set(factor[ROD_BORDER + 16 + 4 * k + j]), 0);
}

// eliminates node i. `panel` gives block (i+2, i), `next` the blocks of column i+1
ROD_FN void eliminate_node(Corner c, const double *panel, const double *next, Front *front,
                           Border *border, double *factor) {
    Quad u1[4], l1[4], u2[4], l2[4], w2[4];
    for (int k = 0; k < 4; k++)
        w2[k] = quad_load3(panel + 12 * k + 8);
    eliminate_rows(c, front->w1, u1, l1);
    eliminate_rows(c, w2, u2, l2);

    // the Schur complement for the next two nodes [10]; the twist of node i+2 is not affected
    Quad a0[4], a1[4];
    for (int k = 0; k < 4; k++) {
        a0[k] = quad_add(quad_load(next + 12 * k), front->s[k]);
        a1[k] = quad_load(next + 12 * k + 4);
    }
    Quad zero[4] = {quad_zero(), quad_zero(), quad_zero(), quad_zero()};
    subtract_product(4, a0, l1, u1, front->w0);
    subtract_product(4, a1, l2, u1, front->w1);
    subtract_product(3, zero, l2, u2, front->s);
    front->s[3] = zero[3];

    // the three-row columns overlap, and the corner overwrites the spare lane of the last one
    for (int k = 0; k < 4; k++)
        quad_store(l1[k], factor + ROD_L21 + 4 * k);
    for (int k = 0; k < 4; k++)
        quad_store(l2[k], factor + ROD_L31 + 3 * k);
    store_corner(c, factor + ROD_CORNER);
    if (border)
        eliminate_border(c, factor, border);
}

// false: one of the four pivots is refused [11]. A NaN fails every comparison.
ROD_FN bool pivots_pass(bool any, Corner c, const double *diagonal, double *d) {
    const double t = LITHE_ROD_PIVOT_THRESHOLD;
    d[0] = c.d0, d[1] = c.d1, d[2] = c.d2, d[3] = c.d3;
    bool pass = true;
    for (int k = 0; k < 4; k++) {
        double size = any ? fabs(d[k]) : d[k];
        pass &= size > t * fabs(diagonal[13 * k]) && size <= DBL_MAX;
    }
    return pass;
}

static void report_bad(bool any, int32_t node, const double *d, const double *diagonal,
                       LitheRodPivots *pivots) {
    for (int k = 0; k < 4; k++) {
        double size = any ? fabs(d[k]) : d[k];
        pivots->negative_count += d[k] < 0;
        if (!(d[k] >= pivots->smallest))
            pivots->smallest = d[k];
        if (!(size > LITHE_ROD_PIVOT_THRESHOLD * fabs(diagonal[13 * k]) && size <= DBL_MAX)) {
            pivots->first_bad = 4 * node + k;
            return;
        }
    }
}

static const double zero_panel[LITHE_ROD_PANEL];

// one step of the elimination; false when it has to stop. `diagonal` is the node's own panel
ROD_FN bool one_node(bool any, int32_t i, const double *diagonal, const double *panel,
                     const double *next, Front *front, Border *border, double *factor,
                     LitheRodPivots *pivots) {
    double d[4];
    Corner c = factor_corner(front->w0);
    if (__builtin_expect(!pivots_pass(any, c, diagonal, d), 0)) {
        report_bad(any, i, d, diagonal, pivots);
        return false;
    }
    double low01 = d[0] < d[1] ? d[0] : d[1], low23 = d[2] < d[3] ? d[2] : d[3];
    double low = low01 < low23 ? low01 : low23;
    pivots->smallest = low < pivots->smallest ? low : pivots->smallest;
    if (any)
        pivots->negative_count += (d[0] < 0) + (d[1] < 0) + (d[2] < 0) + (d[3] < 0);
    eliminate_node(c, panel, next, front, border, factor);
    return true;
}

// copies panel rows 0-3 and leaves the rest zero
static void diagonal_only(const double *panel, double out[LITHE_ROD_PANEL]) {
    memset(out, 0, sizeof(double) * LITHE_ROD_PANEL);
    for (int k = 0; k < 4; k++)
        memcpy(out + 12 * k, panel + 12 * k, 4 * sizeof(double));
}

// the last two nodes have no successors
ROD_TARGET __attribute__((noinline)) static void
last_two(bool any, const LitheRodMatrix *a, Front *front, double *factor, LitheRodPivots *pivots) {
    int32_t n = a->node_count, stride = rod_stride(a->closed);
    const double *p = a->panel + (ptrdiff_t)LITHE_ROD_PANEL * (n - 2), *q = p + LITHE_ROD_PANEL;
    double last[LITHE_ROD_PANEL];
    diagonal_only(q, last);
    factor += (ptrdiff_t)stride * (n - 2);
    if (one_node(any, n - 2, p, zero_panel, last, front, NULL, factor, pivots))
        one_node(any, n - 1, q, zero_panel, zero_panel, front, NULL, factor + stride, pivots);
}

ROD_FN void front_begin(const double *panel, Front *front) {
    for (int k = 0; k < 4; k++) {
        front->w0[k] = quad_load(panel + 12 * k);
        front->w1[k] = quad_load(panel + 12 * k + 4);
        front->s[k] = quad_zero();
    }
}

ROD_FN void factor_open(bool any, const LitheRodMatrix *a, double *factor, LitheRodPivots *pivots) {
    // local copies without an escaping address can stay in registers
    LitheRodPivots met = *pivots;
    Front front;
    front_begin(a->panel, &front);
    const double *panel = a->panel;
    double *node = factor;
    int32_t before_last = a->node_count - 2, i = 0;
    for (; i < before_last; i++, panel += LITHE_ROD_PANEL, node += ROD_NODE)
        if (!one_node(any, i, panel, panel, panel + LITHE_ROD_PANEL, &front, NULL, node, &met))
            break;
    Front end = front;
    *pivots = met;
    if (i == before_last)
        last_two(any, a, &end, factor, pivots);
}

// adds the 4x4 block at b (panel rows, or its transpose) to border rows
ROD_FN void add_block(int rows, bool transpose, const double *b, Quad w[4]) {
    double t[16] = {0};
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < rows; j++)
            t[transpose ? 4 * j + k : 4 * k + j] = b[12 * k + j];
    for (int k = 0; k < 4; k++)
        w[k] = quad_add(w[k], quad_load(t + 4 * k));
}

// The border is nodes n-2 and n-1; the other nodes form a chain. Both ends of the chain couple to
// the border [12].
ROD_FN void border_begin(const LitheRodMatrix *a, Border *border) {
    const double *p = a->panel + (ptrdiff_t)LITHE_ROD_PANEL * (a->node_count - 2);
    const double *q = p + LITHE_ROD_PANEL;
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 4; k++)
            border->w[b][k] = border->s[b][k] = quad_zero();
    add_block(3, true, p + 8, border->w[0]); // (n-2, 0)
    add_block(4, true, q + 4, border->w[1]); // (n-1, 0)
    add_block(3, true, q + 8, border->s[1]); // (n-1, 1)
    front_begin(p, &border->end);
    border->dead = ROD_FADED * fmax(fabs(p[0]), fabs(q[0]));
}

ROD_FN void drop_faded(Border *border) {
    double size = 0, w[4], s[4];
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 4; k++) {
            quad_store(border->w[b][k], w);
            quad_store(border->s[b][k], s);
            for (int j = 0; j < 4; j++)
                size += fabs(w[j]) + fabs(s[j]);
        }
    // false for a NaN, which must be kept
    if (size < border->dead)
        for (int b = 0; b < 2; b++)
            for (int k = 0; k < 4; k++)
                border->w[b][k] = border->s[b][k] = quad_zero();
}

ROD_FN void factor_closed(bool any, const LitheRodMatrix *a, double *factor,
                          LitheRodPivots *pivots) {
    int32_t m = a->node_count - 2;
    Front front;
    Border border;
    front_begin(a->panel, &front);
    border_begin(a, &border);
    const double *panel = a->panel, *next = panel + LITHE_ROD_PANEL;
    double *node = factor;
    for (int32_t i = 0; i < m - 2; i++, node += ROD_CLOSED) {
        if (i % ROD_FADE_CHECK == ROD_FADE_CHECK - 1)
            drop_faded(&border);
        if (!one_node(any, i, panel, panel, next, &front, &border, node, pivots))
            return;
        panel = next;
        next += LITHE_ROD_PANEL;
    }

    // the last two nodes of the chain: the nodes after them are border rows
    double alone[LITHE_ROD_PANEL];
    diagonal_only(next, alone);
    add_block(3, false, panel + 8, border.w[0]);
    if (!one_node(any, m - 2, panel, zero_panel, alone, &front, &border, node, pivots))
        return;
    add_block(4, false, next + 4, border.w[0]);
    add_block(3, false, next + 8, border.w[1]);
    node += ROD_CLOSED;
    if (one_node(any, m - 1, next, zero_panel, zero_panel, &front, &border, node, pivots))
        last_two(any, a, &border.end, factor, pivots);
}

// x_i = L11\r of one node. r and t are the partial values of nodes i and i+1, and on return of
// nodes i+1 and i+2; `ahead` is the right-hand side of node i+2 [14]
ROD_FN void node_down(const double *factor, const double *ahead, double r[4], double t[4],
                      double *x) {
    const double *c = factor + ROD_CORNER, *f = factor + ROD_L21, *g = factor + ROD_L31;
    double y0 = r[0];
    double y1 = r[1] - c[4] * y0;
    double y2 = r[2] - c[5] * y0 - c[7] * y1;
    double y3 = r[3] - c[6] * y0 - c[8] * y1 - c[9] * y2;
    for (int j = 0; j < 4; j++)
        r[j] = t[j] - f[j] * y0 - f[4 + j] * y1 - f[8 + j] * y2 - f[12 + j] * y3;
    for (int j = 0; j < 3; j++)
        t[j] = ahead[j] - g[j] * y0 - g[3 + j] * y1 - g[6 + j] * y2 - g[9 + j] * y3;
    t[3] = ahead[3];
    x[0] = y0;
    x[1] = y1;
    x[2] = y2;
    x[3] = y3;
}

// end -= B y, B one 4x4 block of border rows
ROD_FN Quad border_down(const double *b, Quad y, Quad end) {
    end = quad_less(end, quad_load(b), y, 0);
    end = quad_less(end, quad_load(b + 4), y, 1);
    end = quad_less(end, quad_load(b + 8), y, 2);
    return quad_less(end, quad_load(b + 12), y, 3);
}

// forward substitution x = L\x, from the first node to the last
ROD_FN void solve_down(bool closed, int32_t n, const double *factor, double *x) {
    static const double nothing[4];
    double r[4], t[4]; // partial values of the present and of the next node
    for (int j = 0; j < 4; j++) {
        r[j] = x[j];
        t[j] = x[4 + j];
    }
    int32_t i = 0;
    if (closed) {
        // the nodes of the chain; their contributions to the border are collected in end0 and end1
        double *last = x + 4 * (ptrdiff_t)(n - 2);
        Quad end0 = quad_load(last), end1 = quad_load(last + 4);
        for (; i < n - 2; i++, factor += ROD_CLOSED, x += 4) {
            node_down(factor, i + 4 < n ? x + 8 : nothing, r, t, x);
            Quad y = quad_load(x);
            end0 = border_down(factor + ROD_BORDER, y, end0);
            end1 = border_down(factor + ROD_BORDER + 16, y, end1);
        }
        quad_store(end0, r);
        quad_store(end1, t);
    }
    for (; i < n; i++, factor += rod_stride(closed), x += 4)
        node_down(factor, i + 2 < n ? x + 8 : nothing, r, t, x);
}

// x_i of one node from z = D\y. p and q are the results of nodes i+1 and i+2, and on return of
// nodes i and i+1 [15]
ROD_FN void node_up(const double *factor, double z[4], double p[4], double q[4], double *x) {
    const double *c = factor + ROD_CORNER, *f = factor + ROD_L21, *g = factor + ROD_L31;
    // p[0] is computed last, so it is used last
    for (int k = 0; k < 4; k++) {
        z[k] = z[k] - g[3 * k] * q[0] - g[3 * k + 1] * q[1] - g[3 * k + 2] * q[2];
        z[k] = z[k] - f[4 * k + 3] * p[3] - f[4 * k + 2] * p[2] - f[4 * k + 1] * p[1] -
               f[4 * k] * p[0];
    }
    for (int j = 0; j < 4; j++)
        q[j] = p[j];
    p[3] = z[3];
    p[2] = z[2] - c[9] * p[3];
    p[1] = z[1] - c[8] * p[3] - c[7] * p[2];
    p[0] = z[0] - c[6] * p[3] - c[5] * p[2] - c[4] * p[1];
    for (int j = 0; j < 4; j++)
        x[j] = p[j];
}

// backward substitution x = L'\(D\x), from the last node to the first
ROD_FN void solve_up(bool closed, int32_t n, const double *factor, double *x) {
    int32_t chain = closed ? n - 2 : n;
    double p[4] = {0}, q[4] = {0}; // results of the next two nodes
    factor += (ptrdiff_t)rod_stride(closed) * (n - 1);
    x += 4 * (ptrdiff_t)(n - 1);
    int32_t i = n - 1;
    for (; i >= (closed ? chain : 0); i--, factor -= rod_stride(closed), x -= 4) {
        const double *c = factor + ROD_CORNER;
        double z[4] = {c[0] * x[0], c[1] * x[1], c[2] * x[2], c[3] * x[3]};
        node_up(factor, z, p, q, x);
    }
    if (!closed)
        return;
    // the last nodes of the chain depend on the border through the border rows only
    Quad end0 = quad_load(x + 4), end1 = quad_load(x + 8);
    for (int j = 0; j < 4; j++)
        p[j] = q[j] = 0;
    for (; i >= 0; i--, factor -= rod_stride(closed), x -= 4) {
        const double *border = factor + ROD_BORDER;
        const double *c = factor + ROD_CORNER;
        double s[4];
        quad_store(quad_transpose_apply(border, end0, border + 16, end1), s);
        double z[4] = {c[0] * x[0] - s[0], c[1] * x[1] - s[1], c[2] * x[2] - s[2],
                       c[3] * x[3] - s[3]};
        node_up(factor, z, p, q, x);
    }
}

// one copy of the code for each kind of rod and rule
ROD_TARGET static void kernel_factor(const LitheRodMatrix *a, LithePivotRule rule, double *factor,
                                     LitheRodPivots *pivots) {
    *pivots = (LitheRodPivots){.first_bad = -1, .smallest = DBL_MAX};
    if (a->closed && rule == LITHE_PIVOT_ANY)
        factor_closed(true, a, factor, pivots);
    else if (a->closed)
        factor_closed(false, a, factor, pivots);
    else if (rule == LITHE_PIVOT_ANY)
        factor_open(true, a, factor, pivots);
    else
        factor_open(false, a, factor, pivots);
}

ROD_TARGET static void kernel_solve(int32_t node_count, bool closed, const double *factor,
                                    double *x) {
    if (closed) {
        solve_down(true, node_count, factor, x);
        solve_up(true, node_count, factor, x);
    } else {
        solve_down(false, node_count, factor, x);
        solve_up(false, node_count, factor, x);
    }
}

#endif
