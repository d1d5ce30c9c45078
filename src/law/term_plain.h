// SPDX-License-Identifier: Apache-2.0
// law/term_plain.h - the law of most contacts, three rows with lagged friction, for inner loops
//
// Numbers in brackets: law/term.c.

#ifndef LITHE_LAW_TERM_PLAIN_H
#define LITHE_LAW_TERM_PLAIN_H

#include "law/term.h"

#include <math.h>

// cost, impulse and Hessian of a function of one velocity
typedef struct LitheLine {
    double cost, impulse, hessian;
} LitheLine;

// max(x, 0); 0 for NaN, as fmax
static inline double lithe_positive(double x) {
    return x > 0 ? x : 0;
}

// (V1)-(V3)
static inline LitheLine lithe_normal_law(const LitheTerm *t, double v) {
    if (!(v < t->vbar))
        return (LitheLine){0, 0, 0};
    double hk = t->h * t->k;
    double push = lithe_positive(t->f0 - hk * v), part = lithe_positive(1 - t->d * v);
    LitheLine out = {.impulse = t->h * push * part, .hessian = t->h * (hk * part + t->d * push)};
    if (isinf(t->vbar)) { // neither stiffness nor dissipation: a constant force
        out.cost = -t->h * t->f0 * v;
        return out;
    }
    // one factor of (V1) vanishes at vbar, so a or b is exactly zero
    bool stiff = t->f0 * t->d <= hk;
    double a = stiff ? 0 : t->f0 - hk * t->vbar, b = stiff ? 1 - t->d * t->vbar : 0;
    double x = t->vbar - v;
    out.cost = t->h * (x * (x * ((a * t->d + b * hk) / 2 + hk * t->d * x / 3)));
    return out;
}

static inline bool lithe_term_is_plain(const LitheTerm *t) {
    return t->kind == LITHE_TERM_LAGGED && t->rows == 3;
}

/// lithe_term_cost with impulse and Hessian of a plain contact: written out, in the same order.
static inline double lithe_term_plain(const LitheTerm *t, const double *v, double *impulse,
                                      double *hessian) {
    LitheLine n = lithe_normal_law(t, v[2]);
    double bound = t->mu * t->n0, eps = t->eps;
    double square = v[0] * v[0] + v[1] * v[1], s = sqrt(square + eps * eps); // (V4)
    double u[2] = {v[0] / s, v[1] / s};
    double factor = bound / s, flat = (eps / s) * (eps / s); // (V5)
    double across = 0 - factor * (u[0] * u[1]);
    impulse[0] = -bound * u[0];
    impulse[1] = -bound * u[1];
    impulse[2] = n.impulse;
    hessian[0] = factor * (flat + u[1] * u[1]);
    hessian[4] = factor * (flat + u[0] * u[0]);
    hessian[1] = hessian[3] = across;
    hessian[2] = hessian[5] = hessian[6] = hessian[7] = 0;
    hessian[8] = n.hessian;
    return n.cost + bound * (square / (s + eps));
}

/// lithe_term_if_active of a plain contact: written out, in the same order.
static inline bool lithe_term_plain_if_active(const LitheTerm *t, const double *v, bool is_active,
                                              double *impulse, double *hessian) {
    double at[3] = {v[0], v[1], v[2]};
    if (!is_active) {
        at[2] = v[2] > t->vbar ? v[2] : t->vbar;
    } else if (t->f0 > 0) {
        double max = 0.5 * t->f0 / (t->h * t->k + t->d * t->f0);
        double low = v[2] < max ? v[2] : max;
        at[2] = low > -max ? low : -max;
    } else {
        at[2] = nextafter(t->vbar, -INFINITY);
    }
    lithe_term_plain(t, at, impulse, hessian);
    impulse[2] -= hessian[8] * (v[2] - at[2]);
    return is_active ? impulse[2] > 0 : v[2] < t->vbar;
}

#endif
