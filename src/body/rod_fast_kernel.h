// SPDX-License-Identifier: Apache-2.0
// body/rod_fast_kernel.h - the fast rod kernel, written once for any number of lanes
//
// The including file defines LANES (2 or 4), the vector type Lanes, FAST_FN and FAST_TARGET
// (attributes) and FAST_NAME (the name of the function). Equation numbers are those of law/rod_*.h,
// which have each formula in plain form.
//
// A block of BLOCK nodes starting at b needs edges b-2 .. b+BLOCK, joints b-1 .. b+BLOCK and the
// edge sums b-1 .. b+BLOCK-1. In the local arrays entry k belongs to edge, joint or node b - LEAD +
// k.

#ifndef LITHE_BODY_ROD_FAST_KERNEL_H
#define LITHE_BODY_ROD_FAST_KERNEL_H

#include "body/rod_fast_kernels.h"
#include "math/lanes.h"

#include <float.h>
#include <string.h>

enum {
    BLOCK = 30, // the 32 joints of a block are a whole number of vectors; all arrays take 24 KiB
    LEAD = 2,
    CAPACITY = BLOCK + 8,
};

FAST_FN double smallest(Lanes a) {
    double m = a[0];
    for (int l = 1; l < LANES; l++)
        m = a[l] < m ? a[l] : m;
    return m;
}

FAST_FN Lanes min(Lanes a, Lanes b) {
    return choose(a < b, a, b);
}

FAST_FN L3 load3(const double *a, int64_t stride) {
    return (L3){load(a), load(a + stride), load(a + 2 * stride)};
}

FAST_FN void store3(L3 v, double *a, int64_t stride) {
    store(v.x, a);
    store(v.y, a + stride);
    store(v.z, a + 2 * stride);
}

// --- angles --------------------------------------------------------------------------------------

// Sine and cosine: Taylor to x^15 and x^16, error below 1e-16 up to pi/4; larger angles by libm.
FAST_FN void sine_cosine(Lanes x, Lanes *s, Lanes *c) {
    if (smallest(lanes(0.785) - size(x)) < 0) {
        for (int l = 0; l < LANES; l++) {
            (*s)[l] = sin(x[l]);
            (*c)[l] = cos(x[l]);
        }
        return;
    }
    Lanes y = x * x;
    Lanes p = lanes(-1 / 1307674368000.0);
    p = p * y + lanes(1 / 6227020800.0);
    p = p * y - lanes(1 / 39916800.0);
    p = p * y + lanes(1 / 362880.0);
    p = p * y - lanes(1 / 5040.0);
    p = p * y + lanes(1 / 120.0);
    p = p * y - lanes(1 / 6.0);
    *s = x + x * y * p;
    p = lanes(1 / 20922789888000.0);
    p = p * y - lanes(1 / 87178291200.0);
    p = p * y + lanes(1 / 479001600.0);
    p = p * y - lanes(1 / 3628800.0);
    p = p * y + lanes(1 / 40320.0);
    p = p * y - lanes(1 / 720.0);
    p = p * y + lanes(1 / 24.0);
    *c = lanes(1) - lanes(0.5) * y + y * y * p;
}

// The angle with this cosine and sine: arcsine series to x^15 for small ones (the usual case),
// relative error 1e-16 below 0.1; larger ones by libm.
FAST_FN Lanes angle_of(Lanes c, Lanes s) {
    if (smallest(lanes(0.1) - size(s)) < 0 || smallest(c) < 0) {
        Lanes a = {0};
        for (int l = 0; l < LANES; l++)
            a[l] = atan2(s[l], c[l]);
        return a;
    }
    Lanes y = s * s;
    Lanes p = lanes(143 / 10240.0);
    p = p * y + lanes(231 / 13312.0);
    p = p * y + lanes(63 / 2816.0);
    p = p * y + lanes(35 / 1152.0);
    p = p * y + lanes(5 / 112.0);
    p = p * y + lanes(3 / 40.0);
    p = p * y + lanes(1 / 6.0);
    return s + s * y * p;
}

// --- the block -----------------------------------------------------------------------------------

typedef struct Block {
    // edges: tangent, 1/length, material directors, (F2), tt0 = (t0 + t)/(1 + t0.t)
    double t[3][CAPACITY], inverse[CAPACITY], m1[3][CAPACITY], m2[3][CAPACITY], zeta[3][CAPACITY],
        tt0[3][CAPACITY];
    double r[3][CAPACITY];                     // transported director of the anchor
    double turn[CAPACITY];                     // twist since the start
    double tension[CAPACITY], along[CAPACITY]; // (S2), scaled (S3)
    // joints: derivatives in e, gamma_e, f, gamma_f as in LitheJoint, those of second order scaled
    double ge[3][CAPACITY], gf[3][CAPACITY], gge[CAPACITY], ggf[CAPACITY];
    double ee[6][CAPACITY], ff[6][CAPACITY], ef[9][CAPACITY]; // xx xy xz yy yz zz; row by row
    double ege[3][CAPACITY], egf[3][CAPACITY], fge[3][CAPACITY], fgf[3][CAPACITY];
    double gege[CAPACITY], gegf[CAPACITY], gfgf[CAPACITY];
    // sums of an edge
    double F[3][CAPACITY], g[CAPACITY], M[6][CAPACITY]; // force, twisting moment, matrix
    // energies of edges and joints
    double stretch[CAPACITY], joint[CAPACITY];
} Block;

// accumulated along the rod
typedef struct Watch {
    Lanes margin; // smallest distance from the border of the domain; negative: outside
} Watch;

// edges and stretching
FAST_FN void edges(const double *fast, int64_t stride, const double *q, int k, double scale,
                   Block *b, Watch *watch) {
    Lanes a[4], n[4];
    gather(q + 4 * k, 4, a);
    gather(q + 4 * (k + 1), 4, n);
    L3 e = {n[0] - a[0], n[1] - a[1], n[2] - a[2]};
    const double *f = fast + k;
    L3 t0 = load3(f + LITHE_FAST_T0X * stride, stride);
    L3 anchor = load3(f + LITHE_FAST_AX * stride, stride);
    Lanes length = root(dot(e, e)), inverse = lanes(1) / length;
    L3 t = mul(inverse, e);
    Lanes c0 = lanes(1) + dot(t0, t), ic0 = lanes(1) / c0;
    watch->margin = min(watch->margin, c0 - lanes(LITHE_TURN_LIMIT));
    L3 tt0 = mul(ic0, add(t0, t));
    L3 zeta = mul(-inverse * ic0, cross(t0, t)); // (F2)
    L3 r = axpy(-dot(t, anchor), tt0, anchor);   // (F1)
    L3 r2 = cross(t, r);
    Lanes turn = a[3] - load(f + LITHE_FAST_GAMMA0 * stride), s, c;
    sine_cosine(turn, &s, &c);
    store3(t, b->t[0] + k, CAPACITY);
    store(inverse, b->inverse + k);
    store3(axpy(s, r2, mul(c, r)), b->m1[0] + k, CAPACITY);
    store3(axpy(-s, r, mul(c, r2)), b->m2[0] + k, CAPACITY);
    store3(zeta, b->zeta[0] + k, CAPACITY);
    store3(tt0, b->tt0[0] + k, CAPACITY);
    store3(r, b->r[0] + k, CAPACITY);
    store(turn, b->turn + k);

    Lanes rest = load(f + LITHE_FAST_REST * stride), EAl = load(f + LITHE_FAST_EAL * stride);
    Lanes tension = EAl * (length - rest); // (S2)
    store(tension, b->tension + k);
    store(lanes(0.5) * tension * (length - rest), b->stretch + k); // (S1)
    store(lanes(scale) * EAl, b->along + k);
}

// a symmetric matrix as xx xy xz yy yz zz
typedef struct Sym {
    Lanes v[6];
} Sym;

// m += a b^T + b a^T
FAST_FN void add_sym(Sym *m, L3 a, L3 b) {
    m->v[0] += lanes(2) * a.x * b.x;
    m->v[1] += a.x * b.y + a.y * b.x;
    m->v[2] += a.x * b.z + a.z * b.x;
    m->v[3] += lanes(2) * a.y * b.y;
    m->v[4] += a.y * b.z + a.z * b.y;
    m->v[5] += lanes(2) * a.z * b.z;
}

// m += a b^T where that is symmetric
FAST_FN void add_square(Sym *m, L3 a, L3 b) {
    m->v[0] += a.x * b.x;
    m->v[1] += a.x * b.y;
    m->v[2] += a.x * b.z;
    m->v[3] += a.y * b.y;
    m->v[4] += a.y * b.z;
    m->v[5] += a.z * b.z;
}

FAST_FN void add_outer(Lanes m[9], L3 a, L3 b) {
    m[0] += a.x * b.x;
    m[1] += a.x * b.y;
    m[2] += a.x * b.z;
    m[3] += a.y * b.x;
    m[4] += a.y * b.y;
    m[5] += a.y * b.z;
    m[6] += a.z * b.x;
    m[7] += a.z * b.y;
    m[8] += a.z * b.z;
}

// gradient of one of k1, k2, tau, with T applied
typedef struct Slope {
    L3 e, f;
    Lanes ge, gf;
} Slope;

// twist of the joint: the change of the angle between the anchored directors, plus the change of
// gamma
FAST_FN Lanes twist(const double *fk, int64_t stride, int k, L3 tf, L3 tt, Block *b, Watch *watch) {
    int p = k - 1;
    L3 re = load3(b->r[0] + p, CAPACITY), rf = load3(b->r[0] + k, CAPACITY);
    L3 moved = axpy(-dot(tf, re), tt, re);
    Lanes cosine = dot(moved, rf), sine = dot(cross(moved, rf), tf);
    Lanes C0 = load(fk + LITHE_FAST_COS * stride), S0 = load(fk + LITHE_FAST_SIN * stride);
    Lanes change = angle_of(cosine * C0 + sine * S0, sine * C0 - cosine * S0);
    watch->margin = min(watch->margin, lanes(0.9 * M_PI) - size(change));
    return load(fk + LITHE_FAST_TAU0 * stride) + load(b->turn + k) - load(b->turn + p) + change;
}

// bending and twisting: (J1)-(J4), see law/rod_joint.c
FAST_FN void joints(LitheHessianPart part, const LitheRod *rod, const double *fast, int64_t stride,
                    int k, double scale, Block *b, Watch *watch) {
    const double *fk = fast + k;
    int p = k - 1; // the edge before the joint
    L3 te = load3(b->t[0] + p, CAPACITY), tf = load3(b->t[0] + k, CAPACITY);
    Lanes ie = load(b->inverse + p), jf = load(b->inverse + k);
    L3 m1e = load3(b->m1[0] + p, CAPACITY), m2e = load3(b->m2[0] + p, CAPACITY);
    L3 m1f = load3(b->m1[0] + k, CAPACITY), m2f = load3(b->m2[0] + k, CAPACITY);
    L3 ze = load3(b->zeta[0] + p, CAPACITY), zf = load3(b->zeta[0] + k, CAPACITY);
    Lanes chi = lanes(1) + dot(te, tf), ichi = lanes(1) / chi;
    watch->margin = min(watch->margin, chi - lanes(LITHE_FOLD_LIMIT));
    L3 tt = mul(ichi, add(te, tf));
    L3 kb = mul(lanes(2) * ichi, cross(te, tf)); // (B1)
    L3 m1 = add(m1e, m1f), m2 = add(m2e, m2f);
    Lanes half = lanes(0.5);
    Lanes k1 = half * dot(m2, kb), k2 = -half * dot(m1, kb); // (B2)

    // the damping matrix needs neither forces nor energy
    bool forces = part != LITHE_HESSIAN_GAUSS_NEWTON;
    Lanes tau = forces ? twist(fk, stride, k, tf, tt, b, watch) : lanes(0);

    // (J1), weights of (J2)
    Lanes il = load(fk + LITHE_FAST_IL * stride);
    Lanes B1 = lanes(rod->EI1) * il, B2 = lanes(rod->EI2) * il, B3 = lanes(rod->GJ) * il;
    Lanes x1 = k1 - load(fk + LITHE_FAST_K1 * stride), x2 = k2 - load(fk + LITHE_FAST_K2 * stride);
    Lanes x3 = tau - load(fk + LITHE_FAST_T * stride);
    Lanes w1 = B1 * x1, w2 = B2 * x2, w3 = B3 * x3;
    if (forces)
        store(half * (w1 * x1 + w2 * x2 + w3 * x3), b->joint + k);

    // (B3), (T1), with T
    L3 a1 = mul(ichi, cross(tf, m2)), b1 = mul(ichi, cross(te, m2));
    L3 a2 = mul(-ichi, cross(tf, m1)), b2 = mul(-ichi, cross(te, m1));
    Slope g1 = {mul(ie, axpy(-k1, tt, a1)), mul(-jf, axpy(k1, tt, b1)), -half * dot(m1e, kb),
                -half * dot(m1f, kb)};
    Slope g2 = {mul(ie, axpy(-k2, tt, a2)), mul(-jf, axpy(k2, tt, b2)), -half * dot(m2e, kb),
                -half * dot(m2f, kb)};
    L3 e3 = sub(mul(half * ie, kb), ze), f3 = axpy(half * jf, kb, zf);
    g1.e = axpy(g1.ge, ze, g1.e);
    g1.f = axpy(g1.gf, zf, g1.f);
    g2.e = axpy(g2.ge, ze, g2.e);
    g2.f = axpy(g2.gf, zf, g2.f);
    if (forces) {
        store3(axpy(w1, g1.e, axpy(w2, g2.e, mul(w3, e3))), b->ge[0] + k, CAPACITY);
        store3(axpy(w1, g1.f, axpy(w2, g2.f, mul(w3, f3))), b->gf[0] + k, CAPACITY);
        store(w1 * g1.ge + w2 * g2.ge - w3, b->gge + k);
        store(w1 * g1.gf + w2 * g2.gf + w3, b->ggf + k);
    }
    if (part == LITHE_HESSIAN_NONE)
        return;

    // second sum of (J3), scaled
    Lanes s = lanes(scale), zero = lanes(0);
    L3 ege = {zero, zero, zero}, egf = ege, fge = ege, fgf = ege;
    Lanes gege = zero, gfgf = zero, ef[9] = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
    Sym ee = {{zero, zero, zero, zero, zero, zero}}, ff = ee;
    if (part == LITHE_HESSIAN_FULL) {
        w1 *= s, w2 *= s, w3 *= s;
        Lanes K = w1 * k1 + w2 * k2, Kc = K * ichi;
        L3 MM = mul(ichi, axpy(w1, m2, mul(-w2, m1)));
        L3 a = axpy(w1, a1, mul(w2, a2)), bb = axpy(w1, b1, mul(w2, b2));
        L3 Ue = axpy(w1, m2e, mul(-w2, m1e)), Uf = axpy(w1, m2f, mul(-w2, m1f));
        L3 We = axpy(w1, m1e, mul(w2, m2e)), Wf = axpy(w1, m1f, mul(w2, m2f));
        Lanes he = half * dot(We, kb), hf = half * dot(Wf, kb);
        ege = mul(ie, axpy(-ichi, cross(tf, We), mul(he, tt))); // (B7)
        egf = mul(ie, axpy(-ichi, cross(tf, Wf), mul(hf, tt)));
        fge = mul(jf, axpy(ichi, cross(te, We), mul(he, tt)));
        fgf = mul(jf, axpy(ichi, cross(te, Wf), mul(hf, tt)));
        gege = -half * dot(Ue, kb), gfgf = -half * dot(Uf, kb); // (B8)

        // (B4) + (T2) with T
        Lanes iie = ie * ie, jjf = jf * jf, iejf = ie * jf, quarter = lanes(0.25);
        Lanes d = -Kc * iie;
        ee.v[0] = ee.v[3] = ee.v[5] = d;
        add_square(&ee, mul(-d, te), te);
        add_sym(&ee, mul(iie, tt), sub(mul(K, tt), a));
        add_sym(&ee, mul(quarter * iie, kb), axpy(-w3, add(te, tt), Ue));
        add_sym(&ee, ze, axpy(half * gege, ze, ege));
        // (B5) + (T2) with T
        d = -Kc * jjf;
        ff.v[0] = ff.v[3] = ff.v[5] = d;
        add_square(&ff, mul(-d, tf), tf);
        add_sym(&ff, mul(jjf, tt), axpy(K, tt, bb));
        add_sym(&ff, mul(quarter * jjf, kb), axpy(-w3, add(tf, tt), Uf));
        add_sym(&ff, zf, axpy(half * gfgf, zf, fgf));
        // (B6) + (T3) with T
        L3 skew = mul(iejf, axpy(w3 * ichi, te, mul(lanes(-1), MM)));
        d = -Kc * iejf;
        ef[0] = ef[4] = ef[8] = d;
        ef[1] = -skew.z, ef[2] = skew.y, ef[3] = skew.z;
        ef[5] = -skew.x, ef[6] = -skew.y, ef[7] = skew.x;
        add_outer(ef, mul(d, te), tf);
        add_outer(ef, mul(iejf, sub(axpy(lanes(2) * K, tt, mul(-half * w3, kb)), a)), tt);
        add_outer(ef, mul(iejf, tt), bb);
        add_outer(ef, ze, fge);
        add_outer(ef, egf, zf);
        ege = axpy(gege, ze, ege);
        fgf = axpy(gfgf, zf, fgf);
    }

    // first sum of (J3)
    Lanes gegf = zero;
    const Slope *g[2] = {&g1, &g2};
    Lanes B[2] = {s * B1, s * B2};
    for (int n = 0; n < 2; n++) {
        L3 Be = mul(B[n], g[n]->e), Bf = mul(B[n], g[n]->f);
        add_square(&ee, Be, g[n]->e);
        add_square(&ff, Bf, g[n]->f);
        add_outer(ef, Be, g[n]->f);
        ege = axpy(g[n]->ge, Be, ege);
        egf = axpy(g[n]->gf, Be, egf);
        fge = axpy(g[n]->ge, Bf, fge);
        fgf = axpy(g[n]->gf, Bf, fgf);
        gege += B[n] * g[n]->ge * g[n]->ge;
        gegf += B[n] * g[n]->ge * g[n]->gf;
        gfgf += B[n] * g[n]->gf * g[n]->gf;
    }
    Lanes sB3 = s * B3;
    L3 Be = mul(sB3, e3), Bf = mul(sB3, f3);
    add_square(&ee, Be, e3);
    add_square(&ff, Bf, f3);
    add_outer(ef, Be, f3);
    store3(sub(ege, Be), b->ege[0] + k, CAPACITY);
    store3(add(egf, Be), b->egf[0] + k, CAPACITY);
    store3(sub(fge, Bf), b->fge[0] + k, CAPACITY);
    store3(add(fgf, Bf), b->fgf[0] + k, CAPACITY);
    store(gege + sB3, b->gege + k);
    store(gegf - sB3, b->gegf + k);
    store(gfgf + sB3, b->gfgf + k);
    for (int n = 0; n < 6; n++) {
        store(ee.v[n], b->ee[n] + k);
        store(ff.v[n], b->ff[n] + k);
    }
    for (int n = 0; n < 9; n++)
        store(ef[n], b->ef[n] + k);
}

// clears the joint after the last one, which the sums of the last edges read
FAST_FN void clear_joint(int k, Block *b) {
    for (int c = 0; c < 3; c++)
        b->ge[c][k] = 0;
    for (int c = 0; c < 6; c++)
        b->ee[c][k] = 0;
    b->gge[k] = 0;
}

// sums over the two joints of an edge: force, twisting moment and matrix, with the term S of (F3)
FAST_FN void edge_sums(LitheHessianPart part, int k, double scale, Block *b) {
    L3 t = load3(b->t[0] + k, CAPACITY), zeta = load3(b->zeta[0] + k, CAPACITY);
    Lanes tension = load(b->tension + k), along = load(b->along + k);
    Lanes inverse = load(b->inverse + k);
    Lanes g = lanes(0);
    if (part != LITHE_HESSIAN_GAUSS_NEWTON) {
        L3 F = add(load3(b->gf[0] + k, CAPACITY), load3(b->ge[0] + k + 1, CAPACITY));
        store3(axpy(tension, t, F), b->F[0] + k, CAPACITY);
        g = load(b->ggf + k) + load(b->gge + k + 1);
        store(g, b->g + k);
    }
    if (part == LITHE_HESSIAN_NONE)
        return;
    bool full = part == LITHE_HESSIAN_FULL;
    Lanes across = full ? lanes(scale) * tension * inverse : lanes(0); // (S3)
    Sym M = {{across, lanes(0), lanes(0), across, lanes(0), across}};
    add_square(&M, mul(along - across, t), t);
    if (full) {
        L3 lean = add(t, load3(b->tt0[0] + k, CAPACITY));
        add_sym(&M, mul(lanes(-0.5 * scale) * g * inverse, zeta), lean);
    }
    for (int n = 0; n < 6; n++)
        store(M.v[n] + load(b->ff[n] + k) + load(b->ee[n] + k + 1), b->M[n] + k);
}

// gradient and panel of each node
FAST_FN void nodes(LitheHessianPart part, int k, double weight, const double *mass, const Block *b,
                   double *gradient, double *diagonal, double *panel) {
    int p = k - 1, n = k + 1;
    if (part != LITHE_HESSIAN_GAUSS_NEWTON) {
        L3 G = sub(load3(b->F[0] + p, CAPACITY), load3(b->F[0] + k, CAPACITY));
        scatter(G.x, G.y, G.z, load(b->g + k), gradient, 4);
    }
    if (part == LITHE_HESSIAN_NONE)
        return;

    Lanes m[4], C[9], D[9], Mp[6], M[6], w = lanes(weight), zero = lanes(0);
    gather(mass, 4, m);
    for (int c = 0; c < 9; c++) {
        C[c] = load(b->ef[c] + k);
        D[c] = load(b->ef[c] + n);
    }
    for (int c = 0; c < 6; c++) {
        Mp[c] = load(b->M[c] + p);
        M[c] = load(b->M[c] + k);
    }
    // (x_i, x_i) and (gamma_i, x_i)
    L3 low = sub(sub(load3(b->egf[0] + k, CAPACITY), load3(b->fgf[0] + k, CAPACITY)),
                 load3(b->ege[0] + n, CAPACITY));
    Lanes xx = Mp[0] + M[0] - lanes(2) * C[0] + w * m[0];
    Lanes xy = Mp[1] + M[1] - C[1] - C[3];
    Lanes xz = Mp[2] + M[2] - C[2] - C[6];
    Lanes yy = Mp[3] + M[3] - lanes(2) * C[4] + w * m[1];
    Lanes yz = Mp[4] + M[4] - C[5] - C[7];
    Lanes zz = Mp[5] + M[5] - lanes(2) * C[8] + w * m[2];
    Lanes gg = load(b->gege + n) + load(b->gfgf + k) + w * m[3];
    scatter(xx, yy, zz, gg, diagonal, 4);
    scatter(xx, xy, xz, low.x, panel, 48);
    scatter(xy, yy, yz, low.y, panel + 12, 48);
    scatter(xz, yz, zz, low.z, panel + 24, 48);
    scatter(low.x, low.y, low.z, gg, panel + 36, 48);

    // (i+1, i)
    L3 row = load3(b->egf[0] + n, CAPACITY);
    L3 column = sub(add(load3(b->ege[0] + n, CAPACITY), load3(b->fgf[0] + k, CAPACITY)),
                    load3(b->fge[0] + n, CAPACITY));
    scatter(C[0] + D[0] - M[0], C[1] + D[1] - M[1], C[2] + D[2] - M[2], -row.x, panel + 4, 48);
    scatter(C[3] + D[3] - M[1], C[4] + D[4] - M[3], C[5] + D[5] - M[4], -row.y, panel + 16, 48);
    scatter(C[6] + D[6] - M[2], C[7] + D[7] - M[4], C[8] + D[8] - M[5], -row.z, panel + 28, 48);
    scatter(column.x, column.y, column.z, load(b->gegf + n), panel + 40, 48);

    // (i+2, i)
    L3 far = load3(b->fge[0] + n, CAPACITY);
    scatter(-D[0], -D[1], -D[2], zero, panel + 8, 48);
    scatter(-D[3], -D[4], -D[5], zero, panel + 20, 48);
    scatter(-D[6], -D[7], -D[8], zero, panel + 32, 48);
    scatter(far.x, far.y, far.z, zero, panel + 44, 48);
}

// All nodes of the rod. `part` is a compile-time constant.
FAST_FN double all_nodes(LitheHessianPart part, const LitheRod *rod, LitheRodWork *work,
                         double scale, double weight) {
    Block block;
    Watch watch = {lanes(1)};
    int64_t stride = lithe_fast_stride(rod->node_count);
    double energy = 0;
    for (int32_t b = 0; b < rod->node_count; b += BLOCK) {
        int32_t count = rod->node_count - b < BLOCK ? rod->node_count - b : BLOCK;
        const double *fast = work->fast + LITHE_FAST_FRONT + b - LEAD;
        const double *q = work->q + 4 * ((int64_t)b - LEAD);

        // Each loop runs as far as the next loop reads, so that no lane is undefined. The loop of
        // the edge sums reads one joint after the last, for a sum that no node uses.
        for (int k = 0; k < count + 2 + LANES; k += LANES)
            edges(fast, stride, q, k, scale, &block, &watch);
        for (int k = 1; k < count + 3; k += LANES)
            joints(part, rod, fast, stride, k, scale, &block, &watch);
        clear_joint((count + 1) / LANES * LANES + LANES + 1, &block);
        for (int k = 1; k < count + 2; k += LANES)
            edge_sums(part, k, scale, &block);
        for (int k = 0; k < count; k += LANES)
            nodes(part, LEAD + k, weight, rod->mass + 4 * ((int64_t)b + k), &block,
                  work->gradient + 4 * ((int64_t)b + k), work->diagonal + 4 * ((int64_t)b + k),
                  work->matrix.panel + LITHE_ROD_PANEL * ((int64_t)b + k));
        for (int k = LEAD; part != LITHE_HESSIAN_GAUSS_NEWTON && k < LEAD + count; k++)
            energy += block.stretch[k] + block.joint[k];
    }
    return smallest(watch.margin) > 0 ? energy : NAN;
}

FAST_TARGET double FAST_NAME(LitheHessianPart part, const LitheRod *rod, LitheRodWork *work,
                             double scale, double weight) {
    if (part == LITHE_HESSIAN_NONE)
        return all_nodes(LITHE_HESSIAN_NONE, rod, work, 0, 0);
    return part == LITHE_HESSIAN_FULL
               ? all_nodes(LITHE_HESSIAN_FULL, rod, work, scale, weight)
               : all_nodes(LITHE_HESSIAN_GAUSS_NEWTON, rod, work, scale, weight);
}

#endif
