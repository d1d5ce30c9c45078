// SPDX-License-Identifier: Apache-2.0
// law/term.c - the cost terms of the convex contact solve: value, impulse, Hessian
//
//     (V1)  n(v) = h (f0 - h k v)_+ (1 - d v)_+,  vbar = min(f0/(h k), 1/d)
//     (V2)  N(v) = h [(a d + b h k) x^2/2 + h k d x^3/3],  x = (vbar - v)_+,  a = f0 - h k vbar,
//           b = 1 - d vbar
//     (V3)  -n'(v) = h [h k (1 - d v) + d (f0 - h k v)] for v < vbar, else 0
//     (V4)  |v|_e = s - e = v.v/(s + e),  s = sqrt(v.v + e^2),  u = v/s
//     (V5)  Hessian of |v|_e = (I - u u')/s
//     (V6)  lagged: l = N(v_n) + mu n0 |v_t|_e
//     (V7)  similar: l = N(z), z = v_n - mu |v_t|_e, impulse n(z) w, w = (-mu u, 1),
//           Hessian -n'(z) w w' + (mu n(z)/s)(I - u u') on tt
//     (V8)  sap: y = R^-1 (vhat - v), impulse = projection of y on the cone in the norm of R,
//           l = impulse' R impulse/2
//     (V9)  sap, sliding: gamma_n = (y_n + muh |y_t|)/(1 + mut^2), gamma_t = mu gamma_n th,
//           Hessian u u'/((1 + mut^2) R_n) + (mu gamma_n/(R_t |y_t|))(I - th th') on tt, u = (mu
//           th, 1), th = y_t/|y_t|, muh = mu R_t/R_n, mut^2 = mu muh
//     (V13) torsion, rolling: torsion n0 |w_n|_e + roll n0 |w_t|_e
//     (V14) hold: l = sum of (v - vhat)^2/(2R)
//     (V15) limit: l = (vhat - v)_+^2/(2R)
//     (V16) drive: l = y^2 R/2 for |y| <= max, R (max |y| - max^2/2) beyond, y = (vhat - v)/R
//     (V17) dry: l = max |v|_e
//     (V36) pull: l = -max v
//     (V34) active: n(v) becomes n(u) + n'(u) (v - u), for f0 > 0 with u = v limited to
//           |u| <= f0/(2 (h k + d f0)), else with u = vbar; not active: n becomes 0
//     (V40) a drive at its bound, first round: d2l/dv2 = max/|vhat - v| in place of 0

#include "law/term.h"

#include "law/term_plain.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// --- pieces --------------------------------------------------------------------------------------

// (V4)
typedef struct Smooth {
    double value, s;
    double u[LITHE_TERM_ROWS];
} Smooth;

static Smooth smooth_norm(const double *v, int32_t count, double eps) {
    Smooth out;
    double square = 0;
    for (int32_t i = 0; i < count; i++)
        square += v[i] * v[i];
    out.s = sqrt(square + eps * eps);
    out.value = square / (out.s + eps);
    for (int32_t i = 0; i < count; i++)
        out.u[i] = v[i] / out.s;
    return out;
}

// hessian += factor (I - u u') on rows first.., (V5); without cancellation: the diagonal is
// 1 - u_i^2 = (eps/s)^2 + the squares of the others
static void add_across(const Smooth *m, double eps, double factor, int32_t first, int32_t count,
                       int32_t rows, double *hessian) {
    double flat = (eps / m->s) * (eps / m->s);
    for (int32_t i = 0; i < count; i++) {
        double others = flat;
        for (int32_t j = 0; j < count; j++) {
            if (j == i)
                continue;
            others += m->u[j] * m->u[j];
            hessian[(first + i) * rows + first + j] -= factor * (m->u[i] * m->u[j]);
        }
        hessian[(first + i) * rows + first + i] += factor * others;
    }
}

// the term bound |v|_eps of the rows from `first` on, whose impulse and Hessian must be zero before
static double friction(const LitheTerm *t, int32_t first, int32_t count, double bound, double eps,
                       const double *v, double *impulse, double *hessian) {
    Smooth m = smooth_norm(v + first, count, eps);
    for (int32_t i = 0; impulse && i < count; i++)
        impulse[first + i] = -bound * m.u[i];
    if (hessian)
        add_across(&m, eps, bound / m.s, first, count, t->rows, hessian);
    return bound * m.value;
}

// --- contacts ------------------------------------------------------------------------------------

// (V6)
static double lagged_cost(const LitheTerm *t, const double *v, double *impulse, double *hessian) {
    LitheLine n = lithe_normal_law(t, v[2]);
    if (impulse)
        impulse[2] = n.impulse;
    if (hessian)
        hessian[2 * t->rows + 2] = n.hessian;
    return n.cost + friction(t, 0, 2, t->mu * t->n0, t->eps, v, impulse, hessian);
}

// hessian += factor w w' on the first three rows
static void add_square(const double w[3], double factor, int32_t rows, double *hessian) {
    for (int32_t i = 0; i < 3; i++)
        for (int32_t j = 0; j < 3; j++)
            hessian[i * rows + j] += factor * (w[i] * w[j]);
}

// (V7)
static double similar_cost(const LitheTerm *t, const double *v, double *impulse, double *hessian) {
    Smooth m = smooth_norm(v, 2, t->eps);
    LitheLine n = lithe_normal_law(t, v[2] - t->mu * m.value);
    double w[3] = {-t->mu * m.u[0], -t->mu * m.u[1], 1};
    for (int32_t i = 0; impulse && i < 3; i++)
        impulse[i] = n.impulse * w[i];
    if (hessian) {
        add_square(w, n.hessian, t->rows, hessian);
        add_across(&m, t->eps, t->mu * n.impulse / m.s, 0, 2, t->rows, hessian);
    }
    return n.cost;
}

// (V8), (V9)
static double sap_cost(const LitheTerm *t, const double *v, double *impulse, double *hessian) {
    double mu = t->mu, ratio = t->G_n / t->G_t; // ratio = R_t/R_n
    double y_n = t->G_n * (t->vhat_n - v[2]), speed = hypot(v[0], v[1]), y_t = t->G_t * speed;
    double th[2] = {speed > 0 ? -v[0] / speed : 0, speed > 0 ? -v[1] / speed : 0};
    double g_n, g_t;
    int32_t rows = t->rows;

    if (y_n <= -mu * ratio * y_t) // separated
        return 0;
    if (mu > 0 && y_t <= mu * y_n) { // stick: inside the cone
        g_n = y_n;
        g_t = y_t;
        if (hessian) {
            hessian[0] = hessian[rows + 1] = t->G_t;
            hessian[2 * rows + 2] = t->G_n;
        }
    } else { // slide: on the surface of the cone; y_t > 0 unless mu = 0
        double shrink = 1 / (1 + mu * (mu * ratio));
        g_n = (y_n + mu * (ratio * y_t)) * shrink;
        g_t = mu * g_n;
        double u[3] = {mu * th[0], mu * th[1], 1};
        if (hessian) {
            double across = g_t > 0 ? g_t / speed : 0, side[3] = {-th[1], th[0], 0};
            add_square(u, t->G_n * shrink, rows, hessian);
            add_square(side, across, rows, hessian);
        }
    }
    if (impulse) {
        impulse[0] = g_t * th[0];
        impulse[1] = g_t * th[1];
        impulse[2] = g_n;
    }
    return 0.5 * (g_t * (g_t / t->G_t) + g_n * (g_n / t->G_n));
}

static double contact_cost(const LitheTerm *t, const double *v, double *impulse, double *hessian) {
    double cost = t->kind == LITHE_TERM_LAGGED ? lagged_cost(t, v, impulse, hessian)
                  : t->kind == LITHE_TERM_SAP  ? sap_cost(t, v, impulse, hessian)
                                               : similar_cost(t, v, impulse, hessian);
    if (t->rows == 4 || t->rows == 6) // (V13)
        cost += friction(t, 3, 1, t->torsion * t->n0, t->eps_torsion, v, impulse, hessian);
    if (t->rows >= 5)
        cost += friction(t, t->rows - 2, 2, t->roll * t->n0, t->eps_roll, v, impulse, hessian);
    return cost;
}

// --- constraints, limits, drives, dry friction ---------------------------------------------------

// (V14)-(V16) and (V36), one row
static LitheLine pull(const LitheTerm *t, int32_t row, double v) {
    if (t->kind == LITHE_TERM_PULL)
        return (LitheLine){-t->max * v, t->max, 0};
    double G = t->G[row], miss = t->vhat[row] - v, y = G * miss;
    if (t->kind == LITHE_TERM_LIMIT && !(miss > 0))
        return (LitheLine){0, 0, 0};
    if (t->kind == LITHE_TERM_DRIVE && fabs(y) > t->max)
        return (LitheLine){t->max * (fabs(miss) - 0.5 * t->max / G), copysign(t->max, y), 0};
    return (LitheLine){0.5 * miss * y, y, G};
}

double lithe_term_cost(const LitheTerm *term, const double *v, double *impulse, double *hessian) {
    int32_t rows = term->rows;
    if (lithe_term_is_plain(term) && impulse && hessian)
        return lithe_term_plain(term, v, impulse, hessian);
    for (int32_t i = 0; impulse && i < rows; i++)
        impulse[i] = 0;
    for (int32_t i = 0; hessian && i < rows * rows; i++)
        hessian[i] = 0;
    if (term->kind <= LITHE_TERM_SIMILAR)
        return contact_cost(term, v, impulse, hessian);
    if (term->kind == LITHE_TERM_DRY) // (V17)
        return friction(term, 0, rows, term->max, term->eps, v, impulse, hessian);
    double cost = 0;
    for (int32_t i = 0; i < rows; i++) {
        LitheLine one = pull(term, i, v[i]);
        cost += one.cost;
        if (impulse)
            impulse[i] = one.impulse;
        if (hessian)
            hessian[i * rows + i] = one.hessian;
    }
    return cost;
}

bool lithe_term_has_active_set(const LitheTerm *term) {
    return term->kind == LITHE_TERM_LAGGED && isfinite(term->vbar);
}

bool lithe_term_if_active(const LitheTerm *term, const double *v, bool is_active, double *impulse,
                          double *hessian) {
    double at[LITHE_TERM_ROWS];
    for (int32_t i = 0; i < term->rows; i++)
        at[i] = v[i];
    if (!is_active) {
        at[2] = fmax(v[2], term->vbar);
    } else if (term->f0 > 0) {
        double max = 0.5 * term->f0 / (term->h * term->k + term->d * term->f0);
        at[2] = fmax(-max, fmin(v[2], max));
    } else {
        at[2] = nextafter(term->vbar, -INFINITY);
    }
    lithe_term_cost(term, at, impulse, hessian);
    impulse[2] -= hessian[2 * term->rows + 2] * (v[2] - at[2]);
    return is_active ? impulse[2] > 0 : v[2] < term->vbar;
}

bool lithe_term_hold_back(const LitheTerm *term, const double *v, double *hessian) {
    if (term->kind != LITHE_TERM_DRIVE)
        return false;
    double miss = fabs(term->vhat[0] - v[0]);
    if (!(term->G[0] * miss > term->max))
        return false;
    hessian[0] = term->max / miss;
    return true;
}
