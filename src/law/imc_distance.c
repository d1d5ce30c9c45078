// SPDX-License-Identifier: Apache-2.0
// law/imc_distance.c - a smooth distance of two segments, with exact gradient and Hessian
//
// t and u are functions of the five dot products (I1) alone: jets contain their first and second
// derivatives with respect to these. The squared distance W = |t a - u b - r|^2 then has
//     (I7)  gradient in y = a, b, r:  2 kappa_y d + sum_z c_z dz/dy,  kappa = (t, -u, -1),
//           c_z = 2 d.a t_z - 2 d.b u_z
//     (I8)  Hessian = 2 kappa (x) kappa (x) I + V' K V + sum_z c_z d2z/dy2
// with the rows of V: dz/dy, and the mixed derivatives of W in y and t, y and u.

#include "law/imc_distance.h"

#include <string.h>

// the dot products, in the order of (I1)
enum { D1, D2, R, S1, S2, DOTS };
// nine columns, padded to an even number for vectors of two
enum { WIDE = 10 };

// a function of the dot products: value, gradient, lower triangle of the Hessian
typedef struct Jet {
    double v, g[DOTS], h[DOTS][DOTS];
} Jet;

// --- jets ----------------------------------------------------------------------------------------

// H and its first three derivatives at x; returns H
static double clamp_at(double x, double k, double d[3]) {
    // 1 - p from its own formula, to avoid cancellation
    double p = lithe_logistic(k * x), no_p = lithe_logistic(-k * x);
    double q = lithe_logistic(k * (x - 1)), no_q = lithe_logistic(k * (1 - x));
    double dp = k * p * no_p, dq = k * q * no_q;
    d[0] = p - q;
    d[1] = dp - dq;
    d[2] = k * (dp * (no_p - p) - dq * (no_q - q));
    return (lithe_softplus(k * x) - lithe_softplus(k * (x - 1))) / k;
}

// f(x) for a function f with this `value` and the derivatives d[0], d[1] at x.v
static inline Jet compose(bool second, const Jet *x, double value, const double d[2]) {
    Jet out;
    out.v = value;
    for (int i = 0; i < DOTS; i++)
        out.g[i] = d[0] * x->g[i];
    for (int i = 0; second && i < DOTS; i++)
        for (int j = 0; j <= i; j++)
            out.h[i][j] = d[1] * x->g[i] * x->g[j] + d[0] * x->h[i][j];
    return out;
}

// (x R + sign S)/D, S and D being dot products
static inline Jet project(bool second, const Jet *x, const double z[DOTS], double sign, int s,
                          int d) {
    Jet out;
    double inverse = 1 / z[d], n[DOTS];
    out.v = (x->v * z[R] + sign * z[s]) * inverse;
    for (int i = 0; i < DOTS; i++)
        n[i] = x->g[i] * z[R] + (i == R ? x->v : 0) + (i == s ? sign : 0);
    for (int i = 0; i < DOTS; i++)
        out.g[i] = (n[i] - (i == d ? out.v : 0)) * inverse;
    for (int i = 0; second && i < DOTS; i++)
        for (int j = 0; j <= i; j++) {
            double nn = x->h[i][j] * z[R] + (i == R ? x->g[j] : 0) + (j == R ? x->g[i] : 0);
            out.h[i][j] = (nn - (j == d ? out.g[i] : 0) - (i == d ? out.g[j] : 0)) * inverse;
        }
    return out;
}

// (I3) t1
static Jet common_normal(bool second, const double z[DOTS], double eps) {
    double N = z[S1] * z[D2] - z[S2] * z[R] + 0.5 * eps * z[D1] * z[D2];
    double L = (1 + eps) * z[D1] * z[D2] - z[R] * z[R], inverse = 1 / L;
    double n[DOTS] = {0.5 * eps * z[D2], z[S1] + 0.5 * eps * z[D1], -z[S2], z[D2], -z[R]};
    double l[DOTS] = {(1 + eps) * z[D2], (1 + eps) * z[D1], -2 * z[R], 0, 0};
    Jet out;
    out.v = N * inverse;
    for (int i = 0; i < DOTS; i++)
        out.g[i] = (n[i] - out.v * l[i]) * inverse;
    if (!second)
        return out;
    double nn[DOTS][DOTS] = {{0}}, ll[DOTS][DOTS] = {{0}};
    nn[D2][D1] = 0.5 * eps;
    nn[S1][D2] = 1;
    nn[S2][R] = -1;
    ll[D2][D1] = 1 + eps;
    ll[R][R] = -2;
    for (int i = 0; i < DOTS; i++)
        for (int j = 0; j <= i; j++)
            out.h[i][j] =
                (nn[i][j] - out.g[i] * l[j] - out.g[j] * l[i] - out.v * ll[i][j]) * inverse;
    return out;
}

// (I3) to (I5)
static inline void places(bool second, const double z[DOTS], const LitheSmoothSetting *setting,
                          Jet *t, Jet *u) {
    double d[3], value;
    Jet t1 = common_normal(second, z, setting->eps);
    value = clamp_at(t1.v, setting->k, d);
    Jet t2 = compose(second, &t1, value, d);
    Jet u1 = project(second, &t2, z, -1, S2, D2);
    value = clamp_at(u1.v, setting->k, d);
    *u = compose(second, &u1, value, d);
    Jet B = compose(second, &u1, d[0], d + 1);
    Jet t3 = project(second, u, z, 1, S1, D1);
    value = clamp_at(t3.v, setting->k, d);
    Jet end = compose(second, &t3, value, d);
    double blend = t2.v - end.v;
    *t = end;
    t->v += B.v * blend;
    for (int i = 0; i < DOTS; i++)
        t->g[i] += B.g[i] * blend + B.v * (t2.g[i] - end.g[i]);
    for (int i = 0; second && i < DOTS; i++)
        for (int j = 0; j <= i; j++)
            t->h[i][j] += B.h[i][j] * blend + B.g[i] * (t2.g[j] - end.g[j]) +
                          B.g[j] * (t2.g[i] - end.g[i]) + B.v * (t2.h[i][j] - end.h[i][j]);
}

// --- from a, b, r to the four ends ---------------------------------------------------------------

static void spread_gradient(const Vec3 g[3], double scale, double out[12]) {
    Vec3 x[4] = {v3_neg(v3_add(g[0], g[2])), g[0], v3_sub(g[2], g[1]), g[1]};
    for (int p = 0; p < 4; p++)
        v3_store(v3_scale(scale, x[p]), out + 3 * p);
}

// rows of a, b, r -> rows of the ends: x0 = -(a + r), x1 = a, x2 = r - b, x3 = b
static inline void spread_rows(const double *restrict from, int columns, int stride,
                               double *restrict to) {
    for (int c = 0; c < 3; c++) {
        const double *a = from + stride * c, *b = a + 3 * stride, *r = b + 3 * stride;
        for (int j = 0; j < columns; j++) {
            to[columns * c + j] = -(a[j] + r[j]);
            to[columns * (3 + c) + j] = a[j];
            to[columns * (6 + c) + j] = r[j] - b[j];
            to[columns * (9 + c) + j] = b[j];
        }
    }
}

// out = scale E' M E - over g g', E being the matrix from the ends to a, b, r: with over =
// 1/distance it turns the Hessian M of the squared distance into that of the distance
static void spread_hessian(double M[9][WIDE], double scale, const double gradient[12], double over,
                           double *restrict out) {
    double half[12][9], turned[9][12], g[12];
    memcpy(g, gradient, sizeof g);
    spread_rows(&M[0][0], 9, WIDE, &half[0][0]);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 9; j++)
            turned[j][i] = scale * half[i][j];
    spread_rows(&turned[0][0], 12, 12, out);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            out[12 * i + j] -= over * g[i] * g[j];
}

// (I8) of W
static void squared_hessian(const Jet *t, const Jet *u, const Vec3 y[3], Vec3 d,
                            const double c[DOTS], const double z[DOTS], double M[9][WIDE]) {
    Vec3 a = y[0], b = y[1], r = y[2];
    double Wt = 2 * v3_dot(d, a), Wu = -2 * v3_dot(d, b), kappa[3] = {t->v, -u->v, -1};
    double V[7][WIDE] = {{0}}, K[7][7] = {{0}}, KV[7][WIDE];
    v3_store(v3_scale(2, a), V[D1]);
    v3_store(v3_scale(2, b), V[D2] + 3);
    v3_store(b, V[R]);
    v3_store(a, V[R] + 3);
    v3_store(r, V[S1]);
    v3_store(a, V[S1] + 6);
    v3_store(r, V[S2] + 3);
    v3_store(b, V[S2] + 6);
    for (int p = 0; p < 3; p++) {
        v3_store(v3_scale(2, v3_axpy(kappa[p], a, p == 0 ? d : v3(0, 0, 0))), V[5] + 3 * p);
        v3_store(v3_scale(-2, v3_axpy(kappa[p], b, p == 1 ? d : v3(0, 0, 0))), V[6] + 3 * p);
    }
    for (int i = 0; i < DOTS; i++) {
        K[i][5] = K[5][i] = t->g[i];
        K[i][6] = K[6][i] = u->g[i];
        for (int j = 0; j <= i; j++)
            K[i][j] = K[j][i] = Wt * t->h[i][j] + Wu * u->h[i][j] + 2 * z[D1] * t->g[i] * t->g[j] +
                                2 * z[D2] * u->g[i] * u->g[j] -
                                2 * z[R] * (t->g[i] * u->g[j] + u->g[i] * t->g[j]);
    }
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < WIDE; j++)
            KV[i][j] = K[i][0] * V[0][j];
        for (int m = 1; m < 7; m++)
            for (int j = 0; j < WIDE; j++)
                KV[i][j] += K[i][m] * V[m][j];
    }
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < WIDE; j++)
            M[i][j] = V[0][i] * KV[0][j];
        for (int m = 1; m < 7; m++)
            for (int j = 0; j < WIDE; j++)
                M[i][j] += V[m][i] * KV[m][j];
        for (int q = 0; q < 3; q++)
            M[i][3 * q + i % 3] += 2 * kappa[i / 3] * kappa[q];
    }
    for (int e = 0; e < 3; e++) {
        M[e][e] += 2 * c[D1];
        M[3 + e][3 + e] += 2 * c[D2];
        M[3 + e][e] += c[R];
        M[e][3 + e] += c[R];
        M[6 + e][e] += c[S1];
        M[e][6 + e] += c[S1];
        M[6 + e][3 + e] += c[S2];
        M[3 + e][6 + e] += c[S2];
    }
}

bool lithe_imc_distance(const double x[12], const LitheSmoothSetting *setting, bool want_hessian,
                        LitheSmoothDistance *out) {
    Vec3 x0 = v3_load(x), x2 = v3_load(x + 6);
    Vec3 y[3] = {v3_sub(v3_load(x + 3), x0), v3_sub(v3_load(x + 9), x2), v3_sub(x2, x0)};
    Vec3 a = y[0], b = y[1], r = y[2];
    double z[DOTS] = {v3_dot(a, a), v3_dot(b, b), v3_dot(a, b), v3_dot(a, r), v3_dot(b, r)}; // (I1)
    double square = z[D1] * z[D2];
    if (!(square > 0) || !((1 + setting->eps) * square - z[R] * z[R] > 1e-15 * square))
        return false;
    Jet t, u;
    if (want_hessian)
        places(true, z, setting, &t, &u);
    else
        places(false, z, setting, &t, &u);
    Vec3 d = v3_axpy(t.v, a, v3_axpy(-u.v, b, v3_neg(r))); // (I6)
    double distance = v3_norm(d);
    if (!(distance > 0))
        return false;
    double c[DOTS], Wt = 2 * v3_dot(d, a), Wu = -2 * v3_dot(d, b);
    for (int i = 0; i < DOTS; i++)
        c[i] = Wt * t.g[i] + Wu * u.g[i];
    // (I7)
    Vec3 g[3] = {v3_axpy(2 * c[D1], a, v3_axpy(c[R], b, v3_axpy(c[S1], r, v3_scale(2 * t.v, d)))),
                 v3_axpy(2 * c[D2], b, v3_axpy(c[R], a, v3_axpy(c[S2], r, v3_scale(-2 * u.v, d)))),
                 v3_axpy(c[S1], a, v3_axpy(c[S2], b, v3_scale(-2, d)))};
    out->distance = distance;
    out->t = t.v;
    out->u = u.v;
    out->d = d;
    spread_gradient(g, 0.5 / distance, out->gradient);
    if (!want_hessian)
        return true;
    double M[9][WIDE];
    squared_hessian(&t, &u, y, d, c, z, M);
    spread_hessian(M, 0.5 / distance, out->gradient, 1 / distance, out->hessian);
    return true;
}
