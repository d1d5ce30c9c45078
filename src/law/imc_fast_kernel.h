// SPDX-License-Identifier: Apache-2.0
// law/imc_fast_kernel.h - many pairs of edges at once, written once for any number of lanes
//
// The including file defines LANES (2 or 4), the vector type Lanes, FAST_FN and FAST_TARGET
// (attributes), FAST_KERNEL (the table it makes) and FAST_TEXT (its name). Symbols are those of
// law/imc_distance.h, which has each formula in plain form.
//
// Here W = |d|^2/2, wt = d.a, wu = -d.b. The chain
//     t1(z) -> t2 = H(t1) -> u1(t2, z) -> u = H(u1), B = H'(u1) -> t3(u, z) -> v = H(t3)
//     t = v + B (t2 - v)
// is evaluated forwards for values, and backwards for the derivative of W with respect to each
// link:
//     (I21)  Av = wt (1 - B),   A3 = Av H'(t3),   Au = wu + A3 R/D1,
//            Aw = Au B + wt (t2 - v) H''(u1),   A2 = wt B + Aw R/D2,   A1 = A2 H'(t1)
// Each link adds its own second derivative times the derivative of W. With {p, q} = p q' + q p',
//     (I22)  K = A1 d2t1 + A2 H''(t1) t1_z t1_z' + Aw d2u1 + A3 d2t3 + Av H''(t3) t3_z t3_z'
//            + [Au H''(u1) + wt (t2 - v) H'''(u1)] u1_z u1_z' + wt H''(u1) {u1_z, t2_z - v_z}
//     (I23)  L d2t1 = d2N - t1 d2L - {L_z, t1_z},   D2 d2u1 = {R_z, t2_z} - {D2_z, u1_z},
//            D1 d2t3 = {R_z, u_z} - {D1_z, t3_z}
// where t1 = N/L. (I23) leaves out the second derivatives of t2 in u1 and of u in t3: A2 and Au
// contain them. With respect to y = a, b, r, "d at a" being d in the rows of a alone,
//     (I24)  d2W = kappa (x) kappa (x) I + {m, t_y} + {n, u_y} + z_y' K z_y + sum_z c_z d2z,
//            m = kappa (x) a + d at a + (D1 t_y - R u_y)/2,
//            n = -kappa (x) b - d at b + (D2 u_y - R t_y)/2
// and the Hessian of the energy, g being the gradient of the distance,
//     (I25)  (E'' + F/|d|) g g' - F/|d| d2W

#ifndef LITHE_LAW_IMC_FAST_KERNEL_H
#define LITHE_LAW_IMC_FAST_KERNEL_H

#include "law/imc_fast.h"
#include "math/lanes.h"

// the dot products, in the order of (I1)
enum { D1, D2, R, S1, S2, DOTS };
// blocks of the Hessian in a, b, r
enum { AA, BA, BB, RA, RB, RR, BLOCKS };

// --- exp and log ---------------------------------------------------------------------------------

// exp(y) for y <= 0, to rounding; exp(-700) below -700
FAST_FN Lanes exp_below(Lanes y) {
    // 2^n e^f, f within half of log 2; the sum with `whole` has n in its last bits
    static const double whole = 0x1.8p52, log2_high = 0x1.62e42feep-1,
                        log2_low = 0x1.a39ef35793c76p-33;
    y = choose(y > lanes(-700), y, lanes(-700));
    Lanes sum = y * 0x1.71547652b82fep0 + whole, n = sum - whole;
    Lanes f = (y - n * log2_high) - n * log2_low, e = lanes(1.0 / 479001600);
    static const double over[] = {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                  1.0 / 5040,     1.0 / 720,     1.0 / 120,    1.0 / 24,
                                  1.0 / 6,        1.0 / 2,       1.0,          1.0};
    for (int i = 0; i < 12; i++)
        e = e * f + over[i];
    return (Lanes)((Mask)e + ((Mask)sum << 52));
}

// log((1 + s)/(1 - s)) for |s| <= 1/3: its series, to rounding
FAST_FN Lanes log_ratio(Lanes s) {
    Lanes w = s * s, sum = lanes(1.0 / 33);
    for (int k = 31; k > 0; k -= 2)
        sum = sum * w + 1.0 / k;
    return 2 * s * sum;
}

// (I2) at x, and its first three derivatives
typedef struct Clamp {
    Lanes v, d1, d2, d3;
} Clamp;

FAST_FN Clamp clamp_at(Lanes x, double k) {
    Lanes y = k * x, z = y - k, zero = {0};
    Lanes a = exp_below(-size(y)), b = exp_below(-size(z));
    // 1/(1 + a) and 1/(1 + b)
    Lanes both = 1 / ((1 + a) * (1 + b)), ia = both * (1 + b), ib = both * (1 + a);
    Mask low = y < zero, lower = z < zero;
    Lanes p = choose(low, a * ia, ia), q = choose(lower, b * ib, ib);
    Lanes dp = a * ia * ia, dq = b * ib * ib;
    Clamp out;
    out.v = (choose(low, zero, y) - choose(lower, zero, z) + log_ratio((a - b) / (2 + a + b))) *
            (1 / k);
    out.d1 = p - q;
    out.d2 = k * (dp - dq);
    out.d3 = k * k * (dp * (1 - 2 * p) - dq * (1 - 2 * q));
    return out;
}

// --- distance ------------------------------------------------------------------------------------

typedef struct Chain {
    L3 a, b, r, d;
    Lanes z[DOTS], inverse[2], over; // z: dot products; inverse: 1/D1, 1/D2; over: 1/L
    Lanes t1, u1, t3, t, u;
    Clamp c1, cu, c3;                     // at t1, u1, t3
    Lanes wt, wu, Av, A3, Au, Aw, A2, A1; // (I21)
    Lanes c[DOTS];                        // gradient of wt t + wu u in the dot products
    Lanes distance;
    L3 g[3]; // gradient of the distance in a, b, r
} Chain;

// gradients of t1 and of L in the dot products
FAST_FN void slope_of_t1(const Chain *s, double eps, Lanes l[3], Lanes g[DOTS]) {
    const Lanes *z = s->z;
    l[D1] = (1 + eps) * z[D2], l[D2] = (1 + eps) * z[D1], l[R] = -2 * z[R];
    g[D1] = (0.5 * eps * z[D2] - s->t1 * l[D1]) * s->over;
    g[D2] = (z[S1] + 0.5 * eps * z[D1] - s->t1 * l[D2]) * s->over;
    g[R] = (-z[S2] - s->t1 * l[R]) * s->over;
    g[S1] = z[D2] * s->over;
    g[S2] = -z[R] * s->over;
}

// (I3) to (I6); returns the lanes in which the distance is defined
FAST_FN Mask follow(Chain *s, const LitheSmoothSetting *setting) {
    L3 a = s->a, b = s->b, r = s->r;
    double eps = setting->eps, k = setting->k;
    Lanes *z = s->z;
    z[D1] = dot(a, a), z[D2] = dot(b, b), z[R] = dot(a, b), z[S1] = dot(a, r), z[S2] = dot(b, r);
    Lanes square = z[D1] * z[D2], L = (1 + eps) * square - z[R] * z[R];
    Lanes three = 1 / (square * L);
    s->over = square * three;
    s->inverse[0] = z[D2] * L * three;
    s->inverse[1] = z[D1] * L * three;
    s->t1 = (z[S1] * z[D2] - z[S2] * z[R] + 0.5 * eps * square) * s->over; // (I3)
    s->c1 = clamp_at(s->t1, k);
    s->u1 = (s->c1.v * z[R] - z[S2]) * s->inverse[1]; // (I4)
    s->cu = clamp_at(s->u1, k);
    s->u = s->cu.v;
    s->t3 = (s->u * z[R] + z[S1]) * s->inverse[0]; // (I5)
    s->c3 = clamp_at(s->t3, k);
    s->t = s->c3.v + s->cu.d1 * (s->c1.v - s->c3.v);
    s->d = sub(sub(mul(s->t, a), mul(s->u, b)), r); // (I6)
    s->distance = root(dot(s->d, s->d));
    return (square > 0) & (L > 1e-15 * square) & (s->distance > 0);
}

// (I21) and (I7)
FAST_FN void go_back(Chain *s, double eps) {
    const Lanes *z = s->z;
    Lanes l[3], g[DOTS], blend = s->c1.v - s->c3.v;
    s->wt = dot(s->d, s->a), s->wu = -dot(s->d, s->b);
    s->Av = s->wt * (1 - s->cu.d1);
    s->A3 = s->Av * s->c3.d1;
    s->Au = s->wu + s->A3 * z[R] * s->inverse[0];
    s->Aw = s->Au * s->cu.d1 + s->wt * blend * s->cu.d2;
    s->A2 = s->wt * s->cu.d1 + s->Aw * z[R] * s->inverse[1];
    s->A1 = s->A2 * s->c1.d1;
    slope_of_t1(s, eps, l, g);
    Lanes by_u1 = s->Aw * s->inverse[1], by_t3 = s->A3 * s->inverse[0];
    s->c[D1] = s->A1 * g[D1] - by_t3 * s->t3;
    s->c[D2] = s->A1 * g[D2] - by_u1 * s->u1;
    s->c[R] = s->A1 * g[R] + by_u1 * s->c1.v + by_t3 * s->u;
    s->c[S1] = s->A1 * g[S1] + by_t3;
    s->c[S2] = s->A1 * g[S2] - by_u1;
    Lanes inverse = 1 / s->distance;
    const Lanes *c = s->c;
    L3 ga = axpy(2 * c[D1], s->a, axpy(c[R], s->b, axpy(c[S1], s->r, mul(s->t, s->d))));
    L3 gb = axpy(2 * c[D2], s->b, axpy(c[R], s->a, axpy(c[S2], s->r, mul(-s->u, s->d))));
    L3 gr = sub(axpy(c[S1], s->a, mul(c[S2], s->b)), s->d);
    s->g[0] = mul(inverse, ga), s->g[1] = mul(inverse, gb), s->g[2] = mul(inverse, gr);
}

// (I9)
typedef struct Push {
    Lanes energy, force, slope; // slope: E''
} Push;

FAST_FN Push push_at(Lanes distance, Lanes touch, double max, double c) {
    Lanes h = 0.5 * touch, ih = 1 / h, y = c * (2 - distance * ih), zero = {0};
    Lanes e = exp_below(-size(y)), inverse = 1 / (1 + e);
    Mask low = y < zero;
    Push out;
    out.energy = max / c * h * (choose(low, zero, y) + log_ratio(e / (2 + e)));
    out.force = max * choose(low, e * inverse, inverse);
    out.slope = max * c * ih * e * inverse * inverse;
    return out;
}

// the edges of pairs first .. first + LANES - 1
FAST_FN void edges(const double *x, Chain *s) {
    Lanes v[12];
    for (int k = 0; k < 3; k++)
        gather(x + 4 * k, 12, v + 4 * k);
    L3 p[4];
    for (int k = 0; k < 4; k++)
        p[k] = (L3){v[3 * k], v[3 * k + 1], v[3 * k + 2]};
    s->a = sub(p[1], p[0]), s->b = sub(p[3], p[2]), s->r = sub(p[2], p[0]);
}

// energies and gradients of LANES pairs; true when the distance of each of them is defined
FAST_FN bool push_group(const double *x, const double *touch, const LitheImcMany *many,
                        LitheImcPush *out) {
    Chain s;
    edges(x, &s);
    Mask good = follow(&s, &many->setting->smooth);
    go_back(&s, many->setting->smooth.eps);
    Push push = push_at(s.distance, load(touch), many->max, many->setting->sharpness);
    L3 a = mul(-push.force, s.g[0]), b = mul(-push.force, s.g[1]), r = mul(-push.force, s.g[2]);
    L3 g0 = mul(lanes(-1), add(a, r)), g2 = sub(r, b);
    int64_t stride = sizeof *out / sizeof(double);
    double *to = &out->distance;
    scatter(s.distance, s.t, s.u, s.d.x, to, stride);
    scatter(s.d.y, s.d.z, push.energy, push.force, to + 4, stride);
    scatter(g0.x, g0.y, g0.z, a.x, to + 8, stride);
    scatter(a.y, a.z, g2.x, g2.y, to + 12, stride);
    scatter(g2.z, b.x, b.y, b.z, to + 16, stride);
    bool all = true;
    for (int l = 0; l < LANES; l++)
        all &= good[l] != 0;
    return all;
}

// --- Hessian -------------------------------------------------------------------------------------

// m += x y', rows x
FAST_FN void outer(L3 x, L3 y, Lanes m[9]) {
    m[0] += x.x * y.x, m[1] += x.x * y.y, m[2] += x.x * y.z;
    m[3] += x.y * y.x, m[4] += x.y * y.y, m[5] += x.y * y.z;
    m[6] += x.z * y.x, m[7] += x.z * y.y, m[8] += x.z * y.z;
}

// lower half of m += x y'
FAST_FN void half_outer(L3 x, L3 y, Lanes m[9]) {
    m[0] += x.x * y.x;
    m[3] += x.y * y.x, m[4] += x.y * y.y;
    m[6] += x.z * y.x, m[7] += x.z * y.y, m[8] += x.z * y.z;
}

// gradient in a, b, r of a function with the gradient g in the dot products
FAST_FN void in_edges(const Chain *s, const Lanes g[DOTS], L3 y[3]) {
    y[0] = axpy(2 * g[D1], s->a, axpy(g[R], s->b, mul(g[S1], s->r)));
    y[1] = axpy(2 * g[D2], s->b, axpy(g[R], s->a, mul(g[S2], s->r)));
    y[2] = axpy(g[S1], s->a, mul(g[S2], s->b));
}

// (I22), (I23): lower half of K, and the gradients of t and u
FAST_FN void curve(const Chain *s, double eps, Lanes gt[DOTS], Lanes gu[DOTS],
                   Lanes K[DOTS][DOTS]) {
    const Lanes *z = s->z;
    Lanes l[3], g1[DOTS], g2[DOTS], gw[DOTS], g3[DOTS], gv[DOTS], away[DOTS];
    Lanes blend = s->c1.v - s->c3.v, to_u1 = z[R] * s->inverse[1], to_t3 = z[R] * s->inverse[0];
    slope_of_t1(s, eps, l, g1);
    for (int i = 0; i < DOTS; i++) {
        g2[i] = s->c1.d1 * g1[i];
        gw[i] = to_u1 * g2[i];
    }
    gw[R] += s->c1.v * s->inverse[1];
    gw[S2] -= s->inverse[1];
    gw[D2] -= s->u1 * s->inverse[1];
    for (int i = 0; i < DOTS; i++) {
        gu[i] = s->cu.d1 * gw[i];
        g3[i] = to_t3 * gu[i];
    }
    g3[R] += s->u * s->inverse[0];
    g3[S1] += s->inverse[0];
    g3[D1] -= s->t3 * s->inverse[0];
    for (int i = 0; i < DOTS; i++) {
        gv[i] = s->c3.d1 * g3[i];
        away[i] = g2[i] - gv[i];
        gt[i] = gv[i] + s->cu.d2 * blend * gw[i] + s->cu.d1 * away[i];
    }
    Lanes k1 = s->A2 * s->c1.d2, kw = s->Au * s->cu.d2 + s->wt * blend * s->cu.d3;
    Lanes k3 = s->Av * s->c3.d2, kt = s->wt * s->cu.d2;
    for (int i = 0; i < DOTS; i++) {
        Lanes p1 = k1 * g1[i], pw = kw * gw[i] + kt * away[i], p3 = k3 * g3[i], pt = kt * gw[i];
        for (int j = 0; j <= i; j++)
            K[i][j] = p1 * g1[j] + pw * gw[j] + p3 * g3[j] + pt * away[j];
    }
    // (I23)
    Lanes by_t1 = s->A1 * s->over, by_u1 = s->Aw * s->inverse[1], by_t3 = s->A3 * s->inverse[0];
    Lanes row[3]; // column j of the terms {L_z, .}, {R_z, .}, {D_z, .}: rows of D1, D2, R
    for (int j = 0; j < DOTS; j++) {
        row[D1] = -by_t1 * l[D1] * g1[j] - by_t3 * g3[j];
        row[D2] = -by_t1 * l[D2] * g1[j] - by_u1 * gw[j];
        row[R] = by_u1 * g2[j] + by_t3 * gu[j] - by_t1 * l[R] * g1[j];
        for (int i = 0; i < 3; i++) {
            if (j <= i)
                K[i][j] += row[i];
            if (j >= i)
                K[j][i] += row[i];
        }
    }
    K[D2][D1] += by_t1 * (0.5 * eps - s->t1 * (1 + eps));
    K[S1][D2] += by_t1;
    K[S2][R] -= by_t1;
    K[R][R] += 2 * by_t1 * s->t1;
}

// terms of (I24)
typedef struct Curved {
    L3 t[3], u[3], m[3], n[3]; // t_y, u_y, m and n, in y = a, b, r
    L3 Y[DOTS][3];             // K z_y
    L3 a2, b2;                 // 2 a, 2 b
    Lanes kappa[3];
    Lanes less, more; // F/|d| and E'' + F/|d|, both times scale
} Curved;

FAST_FN void bring_together(const Chain *s, const Push *push, double scale, double eps, Curved *q) {
    Lanes gt[DOTS], gu[DOTS], K[DOTS][DOTS];
    const Lanes *z = s->z;
    curve(s, eps, gt, gu, K);
    in_edges(s, gt, q->t);
    in_edges(s, gu, q->u);
    q->kappa[0] = s->t, q->kappa[1] = -s->u, q->kappa[2] = lanes(-1);
    for (int p = 0; p < 3; p++) {
        q->m[p] = axpy(q->kappa[p], s->a, axpy(0.5 * z[D1], q->t[p], mul(-0.5 * z[R], q->u[p])));
        q->n[p] = axpy(-q->kappa[p], s->b, axpy(0.5 * z[D2], q->u[p], mul(-0.5 * z[R], q->t[p])));
    }
    q->m[0] = add(q->m[0], s->d);
    q->n[1] = sub(q->n[1], s->d);
    for (int i = 0; i < DOTS; i++) {
        Lanes row[DOTS];
        for (int j = 0; j < DOTS; j++)
            row[j] = j <= i ? K[i][j] : K[j][i];
        in_edges(s, row, q->Y[i]);
    }
    q->a2 = add(s->a, s->a), q->b2 = add(s->b, s->b);
    q->less = scale * push->force / s->distance;
    q->more = scale * push->slope + q->less;
}

// Block of rows p and columns p of (I25). c is its multiple of the identity; the products x Y' are
// its terms z_y' K z_y. A block is summed in one function, so that it stays in registers.
FAST_FN void diagonal(const Chain *s, const Curved *q, int p, Lanes c, const L3 x[], const L3 *Y[],
                      int terms, Lanes out[9]) {
    Lanes m[9] = {c, {0}, {0}, {0}, c, {0}, {0}, {0}, c};
    half_outer(q->m[p], q->t[p], m), half_outer(q->t[p], q->m[p], m);
    half_outer(q->n[p], q->u[p], m), half_outer(q->u[p], q->n[p], m);
    for (int k = 0; k < terms; k++)
        half_outer(x[k], Y[k][p], m);
    for (int i = 0; i < 9; i++)
        m[i] *= -q->less;
    half_outer(mul(q->more, s->g[p]), s->g[p], m);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            out[3 * i + j] = out[3 * j + i] = m[3 * i + j];
}

// block of rows p and columns r < p of (I25); c, x and Y as in `diagonal`
FAST_FN void beside(const Chain *s, const Curved *q, int p, int r, Lanes c, const L3 x[],
                    const L3 *Y[], int terms, Lanes out[9]) {
    Lanes m[9] = {c, {0}, {0}, {0}, c, {0}, {0}, {0}, c};
    outer(q->m[p], q->t[r], m), outer(q->t[p], q->m[r], m);
    outer(q->n[p], q->u[r], m), outer(q->u[p], q->n[r], m);
    for (int k = 0; k < terms; k++)
        outer(x[k], Y[k][r], m);
    for (int i = 0; i < 9; i++)
        m[i] *= -q->less;
    outer(mul(q->more, s->g[p]), s->g[r], m);
    for (int i = 0; i < 9; i++)
        out[i] = m[i];
}

// (I25) times scale, in a, b, r
FAST_FN void bend(const Chain *s, const Push *push, double scale, double eps, Lanes M[BLOCKS][9]) {
    Curved q;
    bring_together(s, push, scale, eps, &q);
    const Lanes *k = q.kappa, *c = s->c;
    // rows of a, of b, of r in z_y'
    L3 xa[] = {q.a2, s->b, s->r}, xb[] = {q.b2, s->a, s->r}, xr[] = {s->a, s->b};
    const L3 *Ya[] = {q.Y[D1], q.Y[R], q.Y[S1]}, *Yb[] = {q.Y[D2], q.Y[R], q.Y[S2]};
    const L3 *Yr[] = {q.Y[S1], q.Y[S2]};
    diagonal(s, &q, 0, k[0] * k[0] + 2 * c[D1], xa, Ya, 3, M[AA]);
    beside(s, &q, 1, 0, k[1] * k[0] + c[R], xb, Yb, 3, M[BA]);
    diagonal(s, &q, 1, k[1] * k[1] + 2 * c[D2], xb, Yb, 3, M[BB]);
    beside(s, &q, 2, 0, c[S1] - k[0], xr, Yr, 2, M[RA]);
    beside(s, &q, 2, 1, c[S2] - k[1], xr, Yr, 2, M[RB]);
    diagonal(s, &q, 2, lanes(1), xr, Yr, 2, M[RR]);
}

// one block of nodes, column by column, except the last column
FAST_FN void put(const Lanes m[9], int block, double *out) {
    for (int c = 0; c < 3; c++)
        scatter(m[c], m[3 + c], m[6 + c], (Lanes){0}, out + 16 * block + 4 * c, LITHE_IMC_HESSIAN);
}

// from a, b, r to the ends: x0 = -(a + r), x1 = a, x2 = r - b, x3 = b
FAST_FN void put_ends(Lanes M[BLOCKS][9], double *out) {
    Lanes n00[9], n10[9], n20[9], n21[9], n22[9], n30[9], n32[9];
    for (int i = 0; i < 9; i++) {
        int turned = 3 * (i % 3) + i / 3;
        Lanes aa = M[AA][i], ba = M[BA][i], bb = M[BB][i], ra = M[RA][i], rb = M[RB][i];
        Lanes rr = M[RR][i], ar = M[RA][turned], br = M[RB][turned];
        n10[i] = -(aa + ar);
        n00[i] = ra + rr - n10[i];
        n21[i] = ra - ba;
        n20[i] = br - rr - n21[i];
        n32[i] = br - bb;
        n22[i] = rr - rb - n32[i];
        n30[i] = -(ba + br);
    }
    put(n00, 0, out);
    put(n10, 1, out), put(M[AA], 2, out);
    put(n20, 3, out), put(n21, 4, out), put(n22, 5, out);
    put(n30, 6, out), put(M[BA], 7, out), put(n32, 8, out), put(M[BB], 9, out);
}

// `fresh`: the last columns are not initialised
FAST_FN void add_products(const double *v, bool fresh, double *out) {
    for (int i = 0, k = 0; i < 4; i++)
        for (int j = 0; j <= i; j++, k++)
            for (int c = 0; c < 4; c++)
                for (int half = 0; half < 4; half += LANES) {
                    double *to = out + 16 * k + 4 * c + half;
                    Lanes sum = fresh && c == 3 ? (Lanes){0} : load(to);
                    for (int m = 0; m < LITHE_IMC_OUTER; m++)
                        sum += v[16 * m + 4 * j + c] * load(v + 16 * m + 4 * i + half);
                    store(sum, to);
                }
}

FAST_TARGET static void add_outer(const double *v, double *out) {
    add_products(v, false, out);
}

FAST_TARGET static void finish(const double *v, double *restrict out) {
    if (v)
        add_products(v, true, out);
    for (int k = 0; !v && k < LITHE_IMC_BLOCKS; k++)
        memset(out + 16 * k + 12, 0, 4 * sizeof *out);
}

FAST_FN void bend_group(const double *x, const double *touch, const LitheImcMany *many,
                        double scale, double *out) {
    Chain s;
    Lanes M[BLOCKS][9];
    edges(x, &s);
    follow(&s, &many->setting->smooth);
    go_back(&s, many->setting->smooth.eps);
    Push push = push_at(s.distance, load(touch), many->max, many->setting->sharpness);
    bend(&s, &push, scale, many->setting->smooth.eps, M);
    put_ends(M, out);
}

// --- all pairs -----------------------------------------------------------------------------------

// the last pairs, fewer than LANES: the last one fills the unused lanes
typedef struct Rest {
    double x[12 * LANES], touch[LANES]; // ends of the edges and l of each pair
} Rest;

FAST_FN void fill_rest(const LitheImcMany *many, int32_t first, Rest *rest) {
    for (int32_t l = 0; l < LANES; l++) {
        int64_t i = first + l < many->count ? first + l : many->count - 1;
        memcpy(rest->x + 12 * l, many->x + 12 * i, 12 * sizeof(double));
        rest->touch[l] = many->touch[i];
    }
}

FAST_TARGET static bool push_all(const LitheImcMany *many, LitheImcPush *out) {
    for (int32_t i = 0; i < many->count; i += LANES) {
        int32_t left = many->count - i;
        LitheImcPush spare[LANES];
        Rest rest;
        const double *x = many->x + 12 * (int64_t)i, *touch = many->touch + i;
        if (left < LANES) {
            fill_rest(many, i, &rest);
            x = rest.x, touch = rest.touch;
        }
        if (!push_group(x, touch, many, left < LANES ? spare : out + i))
            return false;
        if (left < LANES)
            memcpy(out + i, spare, (size_t)left * sizeof *out);
    }
    return true;
}

FAST_TARGET static void bend_all(const LitheImcMany *many, double scale, const double *v,
                                 double *out) {
    for (int32_t i = 0; i < many->count; i += LANES) {
        int32_t left = many->count - i;
        double spare[LANES * LITHE_IMC_HESSIAN], *to = out + LITHE_IMC_HESSIAN * (int64_t)i;
        Rest rest;
        const double *x = many->x + 12 * (int64_t)i, *touch = many->touch + i;
        if (left < LANES) {
            fill_rest(many, i, &rest);
            x = rest.x, touch = rest.touch;
        }
        bend_group(x, touch, many, scale, left < LANES ? spare : to);
        if (left < LANES)
            memcpy(to, spare, (size_t)left * LITHE_IMC_HESSIAN * sizeof(double));
        for (int32_t l = 0; l < LANES && l < left; l++)
            finish(v ? v + 16 * LITHE_IMC_OUTER * (int64_t)(i + l) : NULL,
                   to + LITHE_IMC_HESSIAN * l);
    }
}

// --- rows ----------------------------------------------------------------------------------------

FAST_TARGET static void rates_all(int32_t count, const LitheImcRows *rows, const double *w,
                                  double *out) {
    for (int32_t i = 0; i < count; i++, rows++)
        for (int m = 0; m < LITHE_IMC_OUTER; m++) {
            Lanes sum = {0};
            for (int k = 0; k < 4; k++)
                for (int half = 0; half < 4; half += LANES)
                    sum += load(rows->row[m] + 4 * k + half) *
                           load(w + 4 * (int64_t)rows->node[k] + half);
            double all = sum[0] + sum[1];
            for (int l = 2; l < LANES; l += 2)
                all += sum[l] + sum[l + 1];
            *out++ = all;
        }
}

FAST_TARGET static void spread_all(int32_t count, const LitheImcRows *rows, const double *f,
                                   const LitheImcPush *now, double scale, double *out) {
    for (int32_t i = 0; i < count; i++, rows++, f += LITHE_IMC_OUTER)
        for (int k = 0; k < 4; k++) {
            const double *g = now[i].gradient + 3 * k;
            double own[4] = {g[0], g[1], g[2], 0};
            for (int half = 0; half < 4; half += LANES) {
                double *to = out + 4 * (int64_t)rows->node[k] + half;
                Lanes sum = load(own + half);
                for (int m = 0; m < LITHE_IMC_OUTER; m++)
                    sum += f[m] * load(rows->row[m] + 4 * k + half);
                store(load(to) + scale * sum, to);
            }
        }
}

const LitheImcKernel FAST_KERNEL = {FAST_TEXT, push_all,  bend_all,
                                    add_outer, rates_all, spread_all};

#endif
