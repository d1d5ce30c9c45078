// SPDX-License-Identifier: Apache-2.0
// sparse/rod_factor_plain.c - the rod factor as plain loops: the reference of the fast kernels
//
// Numbers in brackets: docs/theory/rod-solver.md. The rows of a column block are the corner (4),
// the next node (4), the one after (4) and, for a closed rod, the border (8).

#include "sparse/rod_factor.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ROWS = 20, NEXT = 4, AFTER = 8, BORDER = 12 };

// Schur complement for the next nodes, entry (row, column) at [column][row]
typedef struct Window {
    double now[4][ROWS], next[4][ROWS], after[4][ROWS];
    double end[8][8]; // the border's own block, [column][row]
} Window;

static const double *panel_of(const LitheRodMatrix *a, int32_t i) {
    return a->panel + (ptrdiff_t)LITHE_ROD_PANEL * i;
}

// the column block of chain node i as rows of the window [1], [12]
static void load_node(const LitheRodMatrix *a, int32_t i, int32_t chain, double w[4][ROWS]) {
    int32_t n = a->node_count;
    const double *p = panel_of(a, i);
    memset(w, 0, sizeof(double[4][ROWS]));
    for (int k = 0; k < 4; k++) {
        // rows of nodes past the chain are border rows
        for (int j = k; j < 4; j++)
            w[k][j] = p[12 * k + j];
        if (i + 1 < n)
            for (int j = 0; j < 4; j++)
                w[k][i + 1 < chain ? NEXT + j : BORDER + j] = p[12 * k + 4 + j];
        if (i + 2 < n)
            for (int j = 0; j < 3; j++)
                w[k][i + 2 < chain ? AFTER + j : BORDER + 4 * (i + 2 - chain) + j] =
                    p[12 * k + 8 + j];
        // blocks across the seam come transposed from the border's panels
        if (chain < n && i == 0)
            for (int j = 0; j < 4; j++) {
                w[k][BORDER + j] += k < 3 ? panel_of(a, n - 2)[12 * j + 8 + k] : 0;
                w[k][BORDER + 4 + j] += panel_of(a, n - 1)[12 * j + 4 + k];
            }
        if (chain < n && i == 1 && k < 3)
            for (int j = 0; j < 4; j++)
                w[k][BORDER + 4 + j] += panel_of(a, n - 1)[12 * j + 8 + k];
    }
}

static bool refused(LithePivotRule rule, double d, double diagonal) {
    double size = rule == LITHE_PIVOT_ANY ? fabs(d) : d;
    return !(size > LITHE_ROD_PIVOT_THRESHOLD * fabs(diagonal) && size <= DBL_MAX); // [11]
}

// w = L D of one node's columns in place; l = L, reciprocal pivots on its diagonal [5]-[9]
static bool factor_columns(const LitheRodMatrix *a, int32_t i, LithePivotRule rule,
                           double w[4][ROWS], double l[4][ROWS], LitheRodPivots *pivots) {
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < k; c++)
            for (int r = k; r < ROWS; r++)
                w[k][r] -= w[c][r] * l[c][k];
        double d = w[k][k];
        pivots->negative_count += d < 0;
        if (!(d >= pivots->smallest))
            pivots->smallest = d;
        if (refused(rule, d, panel_of(a, i)[13 * k])) {
            pivots->first_bad = 4 * i + k;
            return false;
        }
        for (int r = 0; r < ROWS; r++)
            l[k][r] = r < k ? 0 : r == k ? 1 / d : w[k][r] / d;
    }
    return true;
}

// subtracts L D L' from all later blocks [10], [13]
static void update(Window *w, double u[4][ROWS], double l[4][ROWS]) {
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 4; k++) {
            for (int r = 0; r < 8; r++)
                w->next[c][r] -= l[k][NEXT + r] * u[k][NEXT + c];
            for (int r = 0; r < 4; r++)
                w->after[c][r] -= l[k][AFTER + r] * u[k][AFTER + c];
            for (int r = BORDER; r < ROWS; r++) {
                w->next[c][r] -= l[k][r] * u[k][NEXT + c];
                w->after[c][r] -= l[k][r] * u[k][AFTER + c];
            }
        }
    for (int c = 0; c < 8; c++)
        for (int k = 0; k < 4; k++)
            for (int r = 0; r < 8; r++)
                w->end[c][r] -= l[k][BORDER + r] * u[k][BORDER + c];
}

static void store_node(double l[4][ROWS], bool border, double *factor) {
    for (int k = 0, at = 4; k < 4; k++) {
        memcpy(factor + ROD_L21 + 4 * k, &l[k][NEXT], 4 * sizeof(double));
        memcpy(factor + ROD_L31 + 3 * k, &l[k][AFTER], 3 * sizeof(double));
        factor[ROD_CORNER + k] = l[k][k];
        for (int r = k + 1; r < 4; r++)
            factor[ROD_CORNER + at++] = l[k][r];
        for (int b = 0; border && b < 2; b++)
            memcpy(factor + ROD_BORDER + 16 * b + 4 * k, &l[k][BORDER + 4 * b], 4 * sizeof(double));
    }
}

static void plain_factor(const LitheRodMatrix *a, LithePivotRule rule, double *factor,
                         LitheRodPivots *pivots) {
    int32_t n = a->node_count, chain = a->closed ? n - 2 : n;
    Window w = {0};
    *pivots = (LitheRodPivots){.first_bad = -1, .smallest = DBL_MAX};
    for (int32_t i = 0; i < n; i++) {
        double own[4][ROWS], l[4][ROWS];
        load_node(a, i, i < chain ? chain : n, own);
        for (int k = 0; k < 4; k++)
            for (int r = 0; r < ROWS; r++)
                own[k][r] += w.now[k][r];
        // the border is a chain of two nodes: its fill is stored as in a chain
        if (i >= chain)
            for (int k = 0; k < 4; k++)
                for (int r = 0; r < 4 * (n - i); r++)
                    own[k][r] += w.end[4 * (i - chain) + k][4 * (i - chain) + r];
        if (!factor_columns(a, i, rule, own, l, pivots))
            return;
        update(&w, own, l);
        store_node(l, i < chain && a->closed, factor + (ptrdiff_t)rod_stride(a->closed) * i);
        memcpy(w.now, w.next, sizeof w.now);
        memcpy(w.next, w.after, sizeof w.next);
        memset(w.after, 0, sizeof w.after);
    }
}

// entry (row, column) of the corner's strict lower triangle
static double corner(const double *factor, int row, int column) {
    static const int start[3] = {4, 7, 9};
    return factor[ROD_CORNER + start[column] + row - column - 1];
}

// x = L\x, column by column [14]
static void plain_down(int32_t n, int32_t chain, const double *factor, double *x) {
    for (int32_t i = 0; i < n; i++) {
        const double *f = factor + (ptrdiff_t)rod_stride(chain < n) * i;
        double *y = x + 4 * (ptrdiff_t)i;
        for (int k = 0; k < 4; k++) {
            for (int r = k + 1; r < 4; r++)
                y[r] -= corner(f, r, k) * y[k];
            for (int r = 0; i + 1 < n && r < 4; r++)
                y[4 + r] -= f[ROD_L21 + 4 * k + r] * y[k];
            for (int r = 0; i + 2 < n && r < 3; r++)
                y[8 + r] -= f[ROD_L31 + 3 * k + r] * y[k];
            for (int r = 0; i < chain && chain < n && r < 8; r++)
                x[4 * (ptrdiff_t)chain + r] -= f[ROD_BORDER + 16 * (r / 4) + 4 * k + r % 4] * y[k];
        }
    }
}

// x = L'\(D\x), row by row from the end [15]
static void plain_up(int32_t n, int32_t chain, const double *factor, double *x) {
    for (int32_t i = n - 1; i >= 0; i--) {
        const double *f = factor + (ptrdiff_t)rod_stride(chain < n) * i;
        double *y = x + 4 * (ptrdiff_t)i;
        for (int k = 3; k >= 0; k--) {
            double z = y[k] * f[ROD_CORNER + k];
            for (int r = 0; i < chain && chain < n && r < 8; r++)
                z -= f[ROD_BORDER + 16 * (r / 4) + 4 * k + r % 4] * x[4 * (ptrdiff_t)chain + r];
            for (int r = 0; i + 2 < n && r < 3; r++)
                z -= f[ROD_L31 + 3 * k + r] * y[8 + r];
            for (int r = 0; i + 1 < n && r < 4; r++)
                z -= f[ROD_L21 + 4 * k + r] * y[4 + r];
            for (int r = k + 1; r < 4; r++)
                z -= corner(f, r, k) * y[r];
            y[k] = z;
        }
    }
}

static void plain_solve(int32_t node_count, bool closed, const double *factor, double *x) {
    int32_t chain = closed ? node_count - 2 : node_count;
    plain_down(node_count, chain, factor, x);
    plain_up(node_count, chain, factor, x);
}

const LitheRodKernel lithe_rod_kernel_plain = {"plain", plain_factor, plain_solve};
