// SPDX-License-Identifier: Apache-2.0
// law/term_make.c - filling the cost terms of a step from stiffness, gaps and scales
//
//     (V10) sap: R_n = max(beta^2 w/(4 pi^2), 1/(h k (h + tau_d))), R_t = sigma w,
//           vhat_n = -phi0/(h + tau_d)
//     (V11) n0 = h (f0)_+ (1 - d v_n)_+ at the start of the step
//     (V12) eps = max(v_s, mu sigma w n0)
//     (V18) a spring: R = max(beta^2 w/(4 pi^2), 1/(h (h K + D))),
//           vhat = (D speed - K g)/(h K + D);  near-rigid: D = K tau, K -> infinity

#include "law/term.h"

#include "base/assert.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// A contact whose sides cannot move gets the inverse mass of 1e12 kg, to avoid divisions by zero.
static const double MIN_SCALE = 1e-12; // [1/kg]

// Lower bound of eps: below it, rounding errors of velocities of 1 m/s would be as large as eps.
static const double MIN_EPS = 1e-15; // [m/s] or [rad/s]

// sap represents a constant normal force (a patch without stiffness) as a spring so soft that its
// force changes by a millionth when the contact exerts its whole impulse.
static const double SAP_SOFTEST = 1e-6;

LitheContactSetting lithe_contact_setting_default(void) {
    return (LitheContactSetting){.v_s = 1e-8, .w_s = 1e-6, .sigma = 1e-6, .beta = 0.01};
}

LitheCompliance lithe_compliance_rigid(double w) {
    return (LitheCompliance){.stiffness = INFINITY, .tau = -1, .beta = 0.05, .w = w};
}

// fmax(x, y) for a y that is a number; inline, where the compiler calls fmax
static inline double larger(double x, double y) {
    return x > y ? x : y;
}

// largest 1/R that beta allows
static double stiffest(double beta, double w) {
    double R = beta * beta * larger(w, MIN_SCALE) / (4 * M_PI * M_PI);
    return R > 0 ? 1 / R : INFINITY;
}

// --- contacts ------------------------------------------------------------------------------------

// (V12)
static void set_eps(LitheTerm *t) {
    double slide = t->mu * (t->yield * t->n0);
    double torsion = t->torsion * (t->yield_angular * t->n0),
           roll = t->roll * (t->yield_angular * t->n0);
    t->eps = larger(larger(slide, t->v_s), MIN_EPS);
    t->eps_torsion = larger(larger(torsion, t->w_s), MIN_EPS);
    t->eps_roll = larger(larger(roll, t->w_s), MIN_EPS);
}

// Zero of (V1). f0 d <= h k means f0/(h k) <= 1/d, also for d = 0 and f0 < 0.
static double force_end(double hk, double f0, double d) {
    if (f0 * d <= hk && hk > 0)
        return f0 / hk;
    if (f0 <= 0)
        return -INFINITY;
    return d > 0 ? 1 / d : INFINITY;
}

// Sets k and f0 of a spring with an impulse of h(h + tau) k per velocity. Where beta limits k, f0
// is reduced by the same factor, so that the force still vanishes at the same gap.
static void set_spring(LitheTerm *t, const LitheContactSetting *setting,
                       const LitheContactStart *start, double tau) {
    double max = stiffest(setting->beta, start->w) / (t->h * (t->h + tau));
    t->k = start->k < max ? start->k : max;
    LITHE_ASSERT(isfinite(t->k)); // a rigid contact needs beta > 0
    t->f0 = start->patch ? start->f0 : -t->k * start->phi0;
    if (start->patch && start->k > max)
        t->f0 *= t->k / start->k;
}

// (V10)
static void set_sap(LitheTerm *t, const LitheContactSetting *setting,
                    const LitheContactStart *start) {
    double tau = setting->tau_d, w = fmax(start->w, MIN_SCALE);
    t->G_n = fmax(t->h * t->k * (t->h + tau), SAP_SOFTEST / w);
    t->G_t = 1 / fmax(setting->sigma * w, MIN_SCALE * MIN_EPS);
    t->vhat_n = t->h * t->f0 / t->G_n;
    t->n0 = t->h * fmax(t->f0 - t->k * tau * start->v_n, 0);
}

void lithe_term_contact(LitheTerm *term, LitheTermKind law, const LitheContactSetting *setting,
                        double h, const LitheContactStart *start) {
    LITHE_ASSERT(law <= LITHE_TERM_SIMILAR && h > 0);
    LITHE_ASSERT(start->k >= 0 && start->d >= 0 && start->mu >= 0 && start->w >= 0);
    *term = (LitheTerm){.kind = law, .h = h, .d = start->d, .mu = start->mu};
    term->torsion = start->torsion;
    term->roll = start->roll;
    term->rows = 3 + (start->torsion > 0 ? 1 : 0) + (start->roll > 0 ? 2 : 0);
    term->v_s = setting->v_s;
    term->w_s = setting->w_s;
    term->yield = setting->sigma * start->w;
    term->yield_angular = setting->sigma * start->w_angular;

    set_spring(term, setting, start, law == LITHE_TERM_SAP ? setting->tau_d : 0);
    term->vbar = force_end(h * term->k, term->f0, term->d);
    term->n0 = h * larger(term->f0, 0) * larger(1 - term->d * start->v_n, 0); // (V11)
    if (law == LITHE_TERM_SAP)
        set_sap(term, setting, start);
    set_eps(term);
}

double lithe_term_lag(LitheTerm *term, double normal_impulse) {
    if (!lithe_term_reads_bound(term))
        return 0;
    double before = term->n0, after = larger(normal_impulse, 0);
    term->n0 = after;
    set_eps(term);
    return before == after ? 0 : fabs(after - before) / larger(after, before);
}

// --- constraints, limits, drives, dry friction ---------------------------------------------------

// (V18)
static void set_compliance(LitheTerm *t, int32_t row, double h, double g, double speed,
                           const LitheCompliance *compliance) {
    double K = compliance->stiffness, D = compliance->damping, sum = h * K + D;
    LITHE_ASSERT(h > 0 && K >= 0 && D >= 0);
    double tau = compliance->tau < 0 ? h : compliance->tau;
    if (isinf(K))
        t->vhat[row] = (tau * speed - g) / (h + tau);
    else if (isinf(D))
        t->vhat[row] = speed;
    else
        t->vhat[row] = sum > 0 ? (D * speed - K * g) / sum : 0;
    t->G[row] = fmin(h * sum, stiffest(compliance->beta, compliance->w));
    LITHE_ASSERT(isfinite(t->G[row])); // a near-rigid constraint needs beta > 0
}

void lithe_term_hold(LitheTerm *term, int32_t rows, double h, const double *g, const double *speed,
                     const LitheCompliance *compliance) {
    LITHE_ASSERT(rows >= 1 && rows <= LITHE_TERM_ROWS);
    *term = (LitheTerm){.kind = LITHE_TERM_HOLD, .rows = rows, .h = h};
    for (int32_t i = 0; i < rows; i++)
        set_compliance(term, i, h, g[i], speed ? speed[i] : 0, compliance);
}

void lithe_term_limit(LitheTerm *term, double h, double gap, const LitheCompliance *compliance) {
    lithe_term_limit_moving(term, h, gap, 0, compliance);
}

void lithe_term_limit_moving(LitheTerm *term, double h, double gap, double speed,
                             const LitheCompliance *compliance) {
    *term = (LitheTerm){.kind = LITHE_TERM_LIMIT, .rows = 1, .h = h};
    set_compliance(term, 0, h, gap, speed, compliance);
    // an open gap may close within the step: relaxation would brake the motion before the limit
    if (gap > 0)
        term->vhat[0] = -gap / h;
}

// (V36)
void lithe_term_pull(LitheTerm *term, double h, double force) {
    LITHE_ASSERT(h > 0 && force >= 0);
    *term = (LitheTerm){.kind = LITHE_TERM_PULL, .rows = 1, .h = h, .max = h * force};
}

// (V35) vhat = least, R = beta^2 w/(4 pi^2)
void lithe_term_at_least(LitheTerm *term, double h, double least,
                         const LitheCompliance *compliance) {
    *term = (LitheTerm){.kind = LITHE_TERM_LIMIT, .rows = 1, .h = h};
    LitheCompliance fast = *compliance;
    fast.stiffness = 0;
    fast.damping = INFINITY;
    set_compliance(term, 0, h, 0, least, &fast);
}

void lithe_term_drive(LitheTerm *term, double h, double g, double speed, double force,
                      const LitheCompliance *compliance) {
    LITHE_ASSERT(force >= 0);
    *term = (LitheTerm){.kind = LITHE_TERM_DRIVE, .rows = 1, .h = h, .max = h * force};
    set_compliance(term, 0, h, g, speed, compliance);
}

void lithe_term_dry(LitheTerm *term, int32_t rows, double h, double force, double slow,
                    double yield) {
    LITHE_ASSERT(rows >= 1 && rows <= LITHE_TERM_ROWS && h > 0 && force >= 0);
    *term = (LitheTerm){.kind = LITHE_TERM_DRY, .rows = rows, .h = h, .max = h * force};
    term->eps = fmax(fmax(slow, yield * term->max), MIN_EPS);
}
