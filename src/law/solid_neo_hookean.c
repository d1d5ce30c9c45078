// SPDX-License-Identifier: Apache-2.0
// law/solid_neo_hookean.c - neo-Hookean solid, logarithmic form
//
//     (H11) W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2,  domain J > 0
// The form of the textbooks (Bonet and Wood, 2008). Its energy becomes infinite as an element is
// crushed, so that the line search of a step keeps every element from turning inside out. At rest
// it is linear elasticity with mu and lambda. With I1 - 3 = first + 2 (J - 1) the two terms of
// first order cancel exactly.

#include "law/solid_invariant.h"

static double slopes(const LitheSolidMaterial *m, const LitheInvariants *v,
                     LitheInvariantSlopes *w) {
    if (!(v->J > 0) || !isfinite(v->I1))
        return INFINITY;
    double log_J = log1p(v->growth);
    double energy = 0.5 * m->mu * v->first + m->mu * lithe_log_remainder(v->growth) +
                    0.5 * m->lambda * log_J * log_J; // (H11)
    double c = m->lambda * log_J - m->mu;
    *w = (LitheInvariantSlopes){.d = {0.5 * m->mu, 0, c / v->J},
                                .dd = {0, 0, 0, 0, 0, (m->lambda - c) / (v->J * v->J)}};
    return energy;
}

static double evaluate(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *R, Mat3 *P,
                       double *hessian, bool project) {
    (void)R;
    return lithe_solid_evaluate_invariants(&lithe_solid_neo_hookean, m, F, 0, P, hessian, project);
}

// (H20)
static double volume(const LitheSolidMaterial *m, double theta, double *dU, double *ddU) {
    if (!(theta > 0 && theta < INFINITY))
        return INFINITY;
    double log_J = log(theta);
    *dU = m->lambda * log_J / theta;
    *ddU = m->lambda * (1 - log_J) / (theta * theta);
    return 0.5 * m->lambda * log_J * log_J;
}

static void moduli(const LitheSolidMaterial *m, double *mu, double *lambda) {
    *mu = m->mu;
    *lambda = m->lambda;
}

const LitheSolidLaw lithe_solid_neo_hookean = {
    .name = "neo-hookean",
    .has_lame = true,
    .evaluate = evaluate,
    .slopes = slopes,
    .volume = volume,
    .flat = true,
    .moduli = moduli,
};
