// SPDX-License-Identifier: Apache-2.0
// geom/curve_spline.c - cubic spline through points by chord length, natural or periodic
//
// On piece i of width h (its chord), at x in [0, 1], with second derivatives m:
//   r = (1 - x) p0 + x p1 + h^2/6 [((1 - x)^3 - (1 - x)) m0 + (x^3 - x) m1]                    (1)
// Equal first derivatives at the points give, with g the width of the piece before,
//   g m- + 2 (g + h) m + h m+ = 6 [(p+ - p)/h - (p - p-)/g]                                     (2)
// natural: m = 0 at both ends; periodic: the indices are cyclic.

#include "geom/curve_parts.h"

#include "base/memory.h"
#include "base/status.h"

typedef struct Row {
    double under, diagonal, over;
} Row;

/// Solves a tridiagonal system with right side `x` in place. The rows are diagonally dominant: no
/// pivoting.
static void solve_rows(const Row *rows, int32_t n, double *factor, Vec3 *x) {
    double pivot = rows[0].diagonal;
    x[0] = v3_scale(1 / pivot, x[0]);
    for (int32_t i = 1; i < n; i++) {
        factor[i] = rows[i - 1].over / pivot;
        pivot = rows[i].diagonal - rows[i].under * factor[i];
        x[i] = v3_scale(1 / pivot, v3_axpy(-rows[i].under, x[i - 1], x[i]));
    }
    for (int32_t i = n - 2; i >= 0; i--)
        x[i] = v3_axpy(-factor[i + 1], x[i + 1], x[i]);
}

static Vec3 slope_jump(const Vec3 *p, Vec3 before, double g, double h) {
    Vec3 ahead = v3_scale(6 / h, v3_sub(p[1], p[0]));
    return v3_sub(ahead, v3_scale(6 / g, v3_sub(p[0], before)));
}

static void solve_natural(LitheSpline *spline, Row *rows, double *factor) {
    int32_t n = spline->count - 1; // inner points
    if (n < 1)
        return;
    for (int32_t i = 0; i < n; i++) {
        double g = spline->widths[i], h = spline->widths[i + 1];
        rows[i] = (Row){g, 2 * (g + h), h};
        const Vec3 *p = spline->points + i + 1;
        spline->second[i + 1] = slope_jump(p, p[-1], g, h);
    }
    solve_rows(rows, n, factor, spline->second + 1);
}

/// The corners of the periodic matrix are a rank-one change of a tridiagonal one
/// (Sherman-Morrison).
static void solve_periodic(LitheSpline *spline, Row *rows, double *factor, Vec3 *corner) {
    int32_t n = spline->count;
    const double *widths = spline->widths;
    for (int32_t i = 0; i < n; i++) {
        int32_t last = i > 0 ? i - 1 : n - 1;
        double g = widths[last], h = widths[i];
        rows[i] = (Row){g, 2 * (g + h), h};
        spline->second[i] = slope_jump(spline->points + i, spline->points[last], g, h);
        corner[i] = v3(0, 0, 0);
    }
    double w = widths[n - 1], d = -rows[0].diagonal;
    rows[0].diagonal -= d;
    rows[n - 1].diagonal -= w * w / d;
    corner[0] = v3(d, d, d);
    corner[n - 1] = v3(w, w, w);
    solve_rows(rows, n, factor, spline->second);
    solve_rows(rows, n, factor, corner);
    double k = 1 / (1 + corner[0].x + w / d * corner[n - 1].x);
    Vec3 *m = spline->second;
    Vec3 common = v3_scale(k, v3_axpy(w / d, m[n - 1], m[0]));
    for (int32_t i = 0; i < n; i++)
        m[i] = v3_axpy(-corner[i].x, common, m[i]);
    m[n] = m[0];
}

/// First derivative by the parameter (chord length) on piece i at x.
static Vec3 derivative(const LitheSpline *spline, int32_t i, double x) {
    double h = spline->widths[i], y = 1 - x;
    Vec3 r = v3_scale(1 / h, v3_sub(spline->points[i + 1], spline->points[i]));
    r = v3_axpy(h / 6 * (1 - 3 * y * y), spline->second[i], r);
    return v3_axpy(h / 6 * (3 * x * x - 1), spline->second[i + 1], r);
}

/// Arc length of piece i from 0 to x: five-point Gauss on four parts.
static double piece_length(const LitheSpline *spline, int32_t i, double x) {
    static const double node[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                   0.9061798459386640};
    static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                     0.4786286704993665, 0.2369268850561891};
    double sum = 0;
    for (int part = 0; part < 4; part++)
        for (int k = 0; k < 5; k++)
            sum += weight[k] * v3_norm(derivative(spline, i, x * (part + 0.5 + 0.5 * node[k]) / 4));
    return sum * x / 8 * spline->widths[i];
}

LitheStatus lithe_spline_create(LitheContext *context, const Vec3 *points, int32_t point_count,
                                bool closed, LitheSpline *spline, LitheError *error) {
    int32_t n = closed ? point_count : point_count - 1;
    LitheSpline made = {.count = n};
    made.points = lithe_alloc_array(context, (int64_t)n + 1, sizeof *made.points);
    made.second = lithe_alloc_array(context, (int64_t)n + 1, sizeof *made.second);
    made.widths = lithe_alloc_array(context, n, sizeof *made.widths);
    made.arc = lithe_alloc_array(context, (int64_t)n + 1, sizeof *made.arc);
    Row *rows = lithe_alloc_array(context, n, sizeof *rows);
    double *factor = lithe_alloc_array(context, n, sizeof *factor);
    Vec3 *corner = lithe_alloc_array(context, n, sizeof *corner);
    bool enough = made.points && made.second && made.widths && made.arc && rows && factor && corner;
    if (enough) {
        for (int32_t i = 0; i <= n; i++)
            made.points[i] = points[i < point_count ? i : 0];
        for (int32_t i = 0; i < n; i++)
            made.widths[i] = v3_distance(made.points[i], made.points[i + 1]);
        if (closed)
            solve_periodic(&made, rows, factor, corner);
        else
            solve_natural(&made, rows, factor);
        for (int32_t i = 0; i < n; i++)
            made.arc[i + 1] = made.arc[i] + piece_length(&made, i, 1);
        *spline = made;
    } else {
        lithe_spline_destroy(context, &made);
    }
    lithe_free(context, rows);
    lithe_free(context, factor);
    lithe_free(context, corner);
    return enough ? LITHE_OK : lithe_fail_memory(error, "a spline");
}

void lithe_spline_destroy(LitheContext *context, LitheSpline *spline) {
    lithe_free(context, spline->points);
    lithe_free(context, spline->second);
    lithe_free(context, spline->widths);
    lithe_free(context, spline->arc);
    *spline = (LitheSpline){0};
}

Vec3 lithe_spline_at(const LitheSpline *spline, double s, Vec3 *tangent) {
    // the piece
    int32_t low = 0, high = spline->count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (spline->arc[middle] <= s)
            low = middle;
        else
            high = middle;
    }
    // position on it: Newton, safeguarded by a shrinking bracket
    double wanted = s - spline->arc[low], whole = spline->arc[low + 1] - spline->arc[low];
    double x = wanted / whole, left = 0, right = 1;
    for (int i = 0; i < 60 && wanted > 0 && wanted < whole; i++) {
        double miss = piece_length(spline, low, x) - wanted;
        if (fabs(miss) <= 1e-15 * spline->arc[spline->count])
            break;
        if (miss > 0)
            right = x;
        else
            left = x;
        double speed = v3_norm(derivative(spline, low, x)) * spline->widths[low];
        double next = x - miss / speed;
        x = next > left && next < right ? next : 0.5 * (left + right);
    }
    x = fmin(1, fmax(0, x));

    double h = spline->widths[low], y = 1 - x;
    Vec3 p = v3_mix(spline->points[low], spline->points[low + 1], x);
    p = v3_axpy(h * h / 6 * (y * y * y - y), spline->second[low], p);
    p = v3_axpy(h * h / 6 * (x * x * x - x), spline->second[low + 1], p);
    *tangent = v3_unit(derivative(spline, low, x));
    return p;
}
