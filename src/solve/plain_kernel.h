// SPDX-License-Identifier: Apache-2.0
// solve/plain_kernel.h - the law of plain contacts (law/term_plain.h), four of them at once
//
// The including file defines PLAIN_TARGET, without fused operations: each lane has the bits of
// lithe_term_plain. Sums are added contact by contact, in their order.

#ifndef LITHE_SOLVE_PLAIN_KERNEL_H
#define LITHE_SOLVE_PLAIN_KERNEL_H

#include "solve/loop_kernels.h"

#include <math.h>

typedef double PlainFour __attribute__((vector_size(32)));
typedef long long PlainBits __attribute__((vector_size(32)));
typedef double PlainLoose __attribute__((vector_size(32), aligned(8), may_alias));

#define PLAIN_FN PLAIN_TARGET __attribute__((always_inline)) static inline
// the same number of four couplings, or number i of four arrays
#define PLAIN_OF(c, member) ((PlainFour){c[0].member, c[1].member, c[2].member, c[3].member})
#define PLAIN_CHOOSE(mask, a, b) \
    ((PlainFour)(((PlainBits)(mask) & (PlainBits)(a)) | (~(PlainBits)(mask) & (PlainBits)(b))))

// cost, impulse and Hessian at a velocity; the Hessian has the entries 00, 01, 11 and 22
typedef struct PlainLaw {
    PlainFour cost, impulse[3], xx, xy, yy, zz;
} PlainLaw;

PLAIN_FN void plain_law(const LitheCoupling *c, const PlainFour *v, PlainLaw *out) {
    const PlainFour zero = {0}, one = {1, 1, 1, 1}, two = {2, 2, 2, 2}, three = {3, 3, 3, 3};
    const PlainFour endless = {INFINITY, INFINITY, INFINITY, INFINITY};
    PlainFour h = PLAIN_OF(c, term.h), k = PLAIN_OF(c, term.k), f0 = PLAIN_OF(c, term.f0);
    PlainFour d = PLAIN_OF(c, term.d), vbar = PLAIN_OF(c, term.vbar), eps = PLAIN_OF(c, term.eps);
    PlainFour bound = PLAIN_OF(c, term.mu) * PLAIN_OF(c, term.n0);
    PlainFour hk = h * k, n = v[2];
    // the normal law
    PlainFour push = f0 - hk * n, part = one - d * n, x = vbar - n;
    push = PLAIN_CHOOSE(push > zero, push, zero);
    part = PLAIN_CHOOSE(part > zero, part, zero);
    PlainBits stiff = (PlainBits)(f0 * d <= hk), acts = (PlainBits)(n < vbar);
    PlainFour a = PLAIN_CHOOSE(stiff, zero, f0 - hk * vbar);
    PlainFour b = PLAIN_CHOOSE(stiff, one - d * vbar, zero);
    PlainFour cost = h * (x * (x * ((a * d + b * hk) / two + hk * d * x / three)));
    cost = PLAIN_CHOOSE(vbar == endless, -h * f0 * n, cost);
    cost = PLAIN_CHOOSE(acts, cost, zero);
    out->impulse[2] = PLAIN_CHOOSE(acts, h * push * part, zero);
    out->zz = PLAIN_CHOOSE(acts, h * (hk * part + d * push), zero);
    // friction
    PlainFour square = v[0] * v[0] + v[1] * v[1], s = square + eps * eps;
    for (int i = 0; i < 4; i++)
        s[i] = sqrt(s[i]);
    PlainFour u0 = v[0] / s, u1 = v[1] / s, factor = bound / s, flat = (eps / s) * (eps / s);
    out->impulse[0] = -bound * u0;
    out->impulse[1] = -bound * u1;
    out->xx = factor * (flat + u1 * u1);
    out->yy = factor * (flat + u0 * u0);
    out->xy = zero - factor * (u0 * u1);
    out->cost = cost + bound * (square / (s + eps));
}

// impulses into the couplings, Hessians into G [4][9]
PLAIN_FN void plain_store(const PlainLaw *law, LitheCoupling *c, double *restrict G) {
    for (int i = 0; i < 4; i++, G += 9) {
        for (int row = 0; row < 3; row++)
            c[i].impulse[row] = law->impulse[row][i];
        *(PlainLoose *)G = (PlainLoose){law->xx[i], law->xy[i], 0, law->xy[i]};
        *(PlainLoose *)(G + 4) = (PlainLoose){law->yy[i], 0, 0, 0};
        G[8] = law->zz[i];
    }
}

PLAIN_TARGET static void kernel_respond_four(LitheCoupling *c, double *G, double *sums) {
    PlainFour v[3] = {PLAIN_OF(c, v[0]), PLAIN_OF(c, v[1]), PLAIN_OF(c, v[2])};
    PlainLaw law;
    plain_law(c, v, &law);
    plain_store(&law, c, G);
    for (int i = 0; i < 4; i++)
        sums[0] += law.cost[i];
}

PLAIN_TARGET static void kernel_try_four(LitheCoupling *c, double length, const double *dv,
                                         double *G, double *sums) {
    const PlainFour along = {length, length, length, length};
    PlainFour d[3], v[3], slope[3];
    PlainLaw law;
    for (int k = 0; k < 3; k++)
        d[k] = (PlainFour){dv[k], dv[LITHE_COUPLED_ROWS + k], dv[2 * LITHE_COUPLED_ROWS + k],
                           dv[3 * LITHE_COUPLED_ROWS + k]};
    v[0] = PLAIN_OF(c, v[0]) + along * d[0];
    v[1] = PLAIN_OF(c, v[1]) + along * d[1];
    v[2] = PLAIN_OF(c, v[2]) + along * d[2];
    plain_law(c, v, &law);
    plain_store(&law, c, G);
    for (int k = 0; k < 3; k++)
        slope[k] = law.impulse[k] * d[k];
    PlainFour bend[3] = {d[0] * (law.xx * d[0] + law.xy * d[1]),
                         d[1] * (law.xy * d[0] + law.yy * d[1]), d[2] * (law.zz * d[2])};
    double a = sums[0], b = sums[1], e = sums[2];
    for (int i = 0; i < 4; i++) {
        a += law.cost[i];
        b = b - slope[0][i] - slope[1][i] - slope[2][i];
        e += bend[0][i];
        e += bend[1][i];
        e += bend[2][i];
    }
    sums[0] = a, sums[1] = b, sums[2] = e;
}

// lithe_term_plain_if_active of four plain contacts with a finite vbar; `acts` and `next` are masks
PLAIN_FN void plain_if_active(const LitheCoupling *c, const PlainFour *v, const PlainBits *acts,
                              PlainLaw *law, PlainBits *next) {
    const PlainFour zero = {0}, half = {0.5, 0.5, 0.5, 0.5};
    PlainFour f0 = PLAIN_OF(c, term.f0), vbar = PLAIN_OF(c, term.vbar), n = v[2];
    PlainFour hk = PLAIN_OF(c, term.h) * PLAIN_OF(c, term.k);
    PlainFour max = half * f0 / (hk + PLAIN_OF(c, term.d) * f0);
    PlainFour low = PLAIN_CHOOSE(n < max, n, max), open = PLAIN_CHOOSE(n > vbar, n, vbar);
    PlainFour at = PLAIN_CHOOSE(*acts, PLAIN_CHOOSE(low > -max, low, -max), open);
    PlainBits closing = *acts & ~(PlainBits)(f0 > zero);
    for (int i = 0; i < 4; i++)
        if (closing[i])
            at[i] = nextafter(vbar[i], -INFINITY);
    PlainFour there[3] = {v[0], v[1], at};
    plain_law(c, there, law);
    law->impulse[2] -= law->zz * (n - at);
    *next = (*acts & (PlainBits)(law->impulse[2] > zero)) | (~*acts & (PlainBits)(n < vbar));
}

// the active set of four such contacts, and their impulses and Hessians with it; returns how many
// have changed
PLAIN_TARGET static int32_t kernel_active_four(LitheCoupling *c, double *G) {
    PlainFour v[3] = {PLAIN_OF(c, v[0]), PLAIN_OF(c, v[1]), PLAIN_OF(c, v[2])};
    PlainBits before = {-(long long)c[0].is_active, -(long long)c[1].is_active,
                        -(long long)c[2].is_active, -(long long)c[3].is_active};
    PlainBits next, ignored;
    PlainLaw law;
    int32_t changed = 0;
    plain_if_active(c, v, &before, &law, &next);
    for (int i = 0; i < 4; i++)
        changed += next[i] != before[i];
    if (changed > 0)
        plain_if_active(c, v, &next, &law, &ignored);
    plain_store(&law, c, G);
    for (int i = 0; i < 4 && changed > 0; i++)
        c[i].is_active = next[i] != 0;
    return changed;
}

// the sliding velocity over which friction changes, s of (V28)
PLAIN_FN void plain_s(const LitheCoupling *c, const PlainFour *v0, const PlainFour *v1,
                      PlainFour *s) {
    PlainFour eps = PLAIN_OF(c, term.eps), square = eps * eps + *v0 * *v0 + *v1 * *v1;
    for (int i = 0; i < 4; i++)
        (*s)[i] = sqrt(square[i]);
}

// (V28) of four plain contacts
PLAIN_TARGET static void kernel_slip_four(const LitheCoupling *c, const double *dv, double *d) {
    const PlainFour zero = {0}, one = {1, 1, 1, 1};
    enum { N = LITHE_COUPLED_ROWS };
    PlainFour v0 = PLAIN_OF(c, v[0]), v1 = PLAIN_OF(c, v[1]), s;
    plain_s(c, &v0, &v1, &s);
    PlainFour bound = PLAIN_OF(c, term.mu) * PLAIN_OF(c, term.n0);
    PlainFour x = {dv[0], dv[N], dv[2 * N], dv[3 * N]};
    PlainFour y = {dv[1], dv[N + 1], dv[2 * N + 1], dv[3 * N + 1]};
    PlainFour d0 = {d[0], d[N], d[2 * N], d[3 * N]};
    PlainFour d1 = {d[1], d[N + 1], d[2 * N + 1], d[3 * N + 1]};
    PlainFour along = v0 / s * x + v1 / s * y, next0 = v0 + x, next1 = v1 + y;
    PlainFour turn = v0 * next0 + v1 * next1;
    PlainFour e0 = (next0 - d0 * along) / s, e1 = (next1 - d1 * along) / s;
    PlainFour size = e0 * e0 + e1 * e1, norm = size;
    for (int i = 0; i < 4; i++)
        norm[i] = sqrt(norm[i]);
    norm = PLAIN_CHOOSE(size > one, norm, one);
    e0 = PLAIN_CHOOSE(turn < zero, zero, e0 / norm);
    e1 = PLAIN_CHOOSE(turn < zero, zero, e1 / norm);
    e0 = PLAIN_CHOOSE(bound > zero, e0, d0);
    e1 = PLAIN_CHOOSE(bound > zero, e1, d1);
    for (int i = 0; i < 4; i++) {
        d[N * i] = e0[i];
        d[N * i + 1] = e1[i];
    }
}

// (V29) of four plain contacts, added to G [4][9]
PLAIN_TARGET static void kernel_bend_four(const LitheCoupling *c, const double *d, double *G) {
    const PlainFour zero = {0}, half = {0.5, 0.5, 0.5, 0.5};
    enum { N = LITHE_COUPLED_ROWS };
    PlainFour v0 = PLAIN_OF(c, v[0]), v1 = PLAIN_OF(c, v[1]), s;
    plain_s(c, &v0, &v1, &s);
    PlainFour bound = PLAIN_OF(c, term.mu) * PLAIN_OF(c, term.n0);
    PlainFour d0 = {d[0], d[N], d[2 * N], d[3 * N]};
    PlainFour d1 = {d[1], d[N + 1], d[2 * N + 1], d[3 * N + 1]};
    PlainFour factor = bound / s, u = v0 / s, w = v1 / s;
    PlainFour xx = factor * (u * u - half * (d0 * u + u * d0));
    PlainFour xy = factor * (u * w - half * (d0 * w + u * d1));
    PlainFour yx = factor * (w * u - half * (d1 * u + w * d0));
    PlainFour yy = factor * (w * w - half * (d1 * w + w * d1));
    PlainBits slides = (PlainBits)(bound > zero);
    for (int i = 0; i < 4; i++, G += 9) {
        if (!slides[i])
            continue;
        G[0] += xx[i];
        G[1] += xy[i];
        G[3] += yx[i];
        G[4] += yy[i];
    }
}

#endif
