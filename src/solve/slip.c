// SPDX-License-Identifier: Apache-2.0
// solve/slip.c - directions of friction as separate unknowns: fewer Newton iterations
//
//     (V28)  d+ = [v + dv - d (u.dv)]/s, scaled to unit length if longer
//            d+ = (v + dv)/s where a contact sticks under sap;  d+ = 0 where v.(v + dv) < 0
//     (V29)  in G, (b/s)(I - u u') becomes (b/s)(I - (d u' + u d')/2)
//     (V36)  first Newton step: impulse(v) = impulse(v') - G(v') (v - v'), d = u(v'), v' the
//     sliding
//            velocity of the last step

#include "solve/slip.h"

#include "solve/lanes.h"
#include "solve/loops.h"

#include <math.h>

// a contact that was slower than this fraction of its speed now is expected to be as slow again
#define SLOWED 0.5

enum { MAX_SLIPS = 3 }; // sliding, torsion, rolling

// rows with a common friction bound
typedef struct Slip {
    int32_t first, count;
    double bound; // b
    double s;     // u = v/s
    bool slides;  // false: sap inside the cone, where u is linear in v
} Slip;

// rows first .. of a coupling with friction up to `bound`, regularised with the stick speed eps
static Slip regularised(const LitheCoupling *c, int32_t first, int32_t count, double bound,
                        double eps) {
    double square = eps * eps;
    for (int32_t i = first; i < first + count; i++)
        square += c->v[i] * c->v[i];
    return (Slip){first, count, bound, sqrt(square), true};
}

// sliding of a contact; false when there is none
static bool sliding(const LitheCoupling *c, Slip *slip) {
    const LitheTerm *t = &c->term;
    double n = t->kind == LITHE_TERM_LAGGED ? t->n0 : c->impulse[2], bound = t->mu * n;
    if (!(bound > 0))
        return false;
    *slip = regularised(c, 0, 2, bound, t->eps);
    if (t->kind == LITHE_TERM_SAP) {
        double speed = hypot(c->v[0], c->v[1]), corner = bound / t->G_t;
        slip->slides = speed > corner;
        slip->s = fmax(speed, corner);
    }
    return true;
}

static int32_t slips_of(const LitheCoupling *c, Slip slips[MAX_SLIPS]) {
    const LitheTerm *t = &c->term;
    int32_t count = 0;
    if (t->kind == LITHE_TERM_DRY)
        slips[count++] = regularised(c, 0, t->rows, t->max, t->eps);
    if (t->kind > LITHE_TERM_SIMILAR)
        return count;
    count += sliding(c, slips);
    if (t->rows == 4 || t->rows == 6)
        slips[count++] = regularised(c, 3, 1, t->torsion * t->n0, t->eps_torsion);
    if (t->rows >= 5)
        slips[count++] = regularised(c, t->rows - 2, 2, t->roll * t->n0, t->eps_roll);
    return count;
}

void lithe_slip_begin(LitheSystem *system, bool warm) {
    int32_t end = system->coupling_count;
    system->has_slips = true;
    if (system->in_lanes)
        lithe_lanes_begin_slips(system, warm);
    for (int32_t i = lithe_lanes_skip(system, 0, end); i < end;
         i = lithe_lanes_skip(system, i + 1, end)) {
        const LitheCoupling *c = &system->couplings[i];
        double *d = system->slip + LITHE_COUPLED_ROWS * (ptrdiff_t)i;
        Slip slips[MAX_SLIPS];
        int32_t count = warm ? slips_of(c, slips) : 0;
        for (int32_t j = 0; j < LITHE_COUPLED_ROWS; j++)
            d[j] = 0;
        for (int32_t k = 0; k < count; k++)
            for (int32_t j = slips[k].first; j < slips[k].first + slips[k].count; j++)
                d[j] = c->v[j] / slips[k].s;
    }
}

void lithe_slip_recall(LitheCoupling *c) {
    double now = hypot(c->v[0], c->v[1]), then = hypot(c->slid[0], c->slid[1]);
    c->leads = c->recalled && then < SLOWED * now;
    for (int k = 0; k < 2 && c->leads; k++) {
        c->lead[k] = c->v[k] - c->slid[k];
        c->v[k] = c->slid[k];
    }
}

void lithe_slip_lead(LitheSystem *system, int32_t coupling) {
    LitheCoupling *c = &system->couplings[coupling];
    double *d = system->slip + LITHE_COUPLED_ROWS * (ptrdiff_t)coupling;
    double bound = c->term.mu * c->term.n0;
    const double *G = lithe_hessian_of(system, c);
    for (int k = 0; k < 2; k++, G += c->term.rows) {
        d[k] = bound > 0 ? -c->impulse[k] / bound : 0;
        c->impulse[k] -= G[0] * c->lead[0] + G[1] * c->lead[1];
    }
}

// (V28) of one slip
static void update(const Slip *slip, const double *v, const double *dv, double *d) {
    int32_t end = slip->first + slip->count;
    double along = 0, size = 0, turn = 0;
    for (int32_t j = slip->first; slip->slides && j < end; j++) {
        along += v[j] / slip->s * dv[j];
        turn += v[j] * (v[j] + dv[j]);
    }
    for (int32_t j = slip->first; j < end; j++) {
        d[j] = (v[j] + dv[j] - d[j] * along) / slip->s;
        size += d[j] * d[j];
    }
    // A velocity that reverses passes near zero within the step. With d = 0 friction acts as a
    // damper, and one iteration stops all such contacts; with the exact Hessian the line search
    // would end at the first of them.
    for (int32_t j = slip->first; (size > 1 || turn < 0) && j < end; j++)
        d[j] = turn < 0 ? 0 : d[j] / sqrt(size);
}

// whether all that slips is a contact with three rows under lagged friction: most do
static bool is_plain(const LitheTerm *t) {
    return t->kind == LITHE_TERM_LAGGED && t->rows == 3;
}

// s of a plain contact, as in regularised()
static double plain_s(const LitheCoupling *c) {
    double square = c->term.eps * c->term.eps;
    square += c->v[0] * c->v[0];
    square += c->v[1] * c->v[1];
    return sqrt(square);
}

// lithe_slip_update of a plain contact: written out, in the same order
static void update_plain(const LitheCoupling *c, const double *dv, double *d) {
    if (!(c->term.mu * c->term.n0 > 0))
        return;
    const double *v = c->v;
    double s = plain_s(c), along = v[0] / s * dv[0] + v[1] / s * dv[1];
    double next[2] = {v[0] + dv[0], v[1] + dv[1]};
    double turn = v[0] * next[0] + v[1] * next[1];
    d[0] = (next[0] - d[0] * along) / s;
    d[1] = (next[1] - d[1] * along) / s;
    double size = d[0] * d[0] + d[1] * d[1];
    if (turn < 0)
        d[0] = d[1] = 0;
    else if (size > 1) {
        double norm = sqrt(size);
        d[0] /= norm;
        d[1] /= norm;
    }
}

// lithe_slip_hessian of a plain contact: the same
static void plain_hessian(const LitheCoupling *c, const double *d, double *G) {
    double bound = c->term.mu * c->term.n0;
    if (!(bound > 0))
        return;
    double s = plain_s(c), factor = bound / s, u = c->v[0] / s, w = c->v[1] / s;
    double across = factor * (u * w - 0.5 * (d[0] * w + u * d[1]));
    G[0] += factor * (u * u - 0.5 * (d[0] * u + u * d[0]));
    G[1] += across;
    G[3] += factor * (w * u - 0.5 * (d[1] * u + w * d[0]));
    G[4] += factor * (w * w - 0.5 * (d[1] * w + w * d[1]));
}

void lithe_slip_update(LitheSystem *system, int32_t coupling) {
    const LitheCoupling *c = &system->couplings[coupling];
    ptrdiff_t at = LITHE_COUPLED_ROWS * (ptrdiff_t)coupling;
    Slip slips[MAX_SLIPS];
    if (is_plain(&c->term)) {
        update_plain(c, system->dv + at, system->slip + at);
        return;
    }
    int32_t count = slips_of(c, slips);
    for (int32_t k = 0; k < count; k++)
        update(&slips[k], c->v, system->dv + at, system->slip + at);
}

void lithe_slip_hessian(const LitheSystem *system, int32_t coupling, double *G) {
    const LitheCoupling *c = &system->couplings[coupling];
    const double *d = system->slip + LITHE_COUPLED_ROWS * (ptrdiff_t)coupling;
    if (is_plain(&c->term)) {
        plain_hessian(c, d, G);
        return;
    }
    Slip slips[MAX_SLIPS];
    int32_t count = slips_of(c, slips), rows = c->term.rows;
    for (int32_t k = 0; k < count; k++) {
        const Slip *slip = &slips[k];
        double factor = slip->bound / slip->s, u[LITHE_COUPLED_ROWS];
        const double *v = c->v + slip->first, *own = d + slip->first;
        double *block = G + (rows + 1) * slip->first;
        for (int32_t i = 0; i < slip->count; i++)
            u[i] = v[i] / slip->s;
        for (int32_t i = 0; slip->slides && i < slip->count; i++)
            for (int32_t j = 0; j < slip->count; j++) // (V29)
                block[rows * i + j] +=
                    factor * (u[i] * u[j] - 0.5 * (own[i] * u[j] + u[i] * own[j]));
    }
}
