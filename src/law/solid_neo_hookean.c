// SPDX-License-Identifier: Apache-2.0
// law/solid_neo_hookean.c - neo-Hookean solid, logarithmic form
//
//     (H11) W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2,  domain J > 0
// The form of the textbooks (Bonet and Wood, 2008). Its energy becomes infinite as an element is
// crushed, so that the line search of a step keeps every element from turning inside out. At rest
// it is linear elasticity with mu and lambda. With I1 - 3 = first + 2 (J - 1) the two terms of
// first order cancel exactly.

#include "law/solid_invariant.h"

static double evaluate(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *R, Mat3 *P,
                       double *hessian, bool project) {
    (void)R;
    LitheInvariants v = lithe_solid_invariants(F);
    if (!(v.J > 0) || isinf(v.I1))
        return INFINITY;
    double log_J = log1p(v.growth);
    double energy = 0.5 * m->mu * v.first + m->mu * lithe_log_remainder(v.growth) +
                    0.5 * m->lambda * log_J * log_J; // (H11)
    double c = m->lambda * log_J - m->mu;
    LitheInvariantSlopes w = {.d = {0.5 * m->mu, 0, c / v.J},
                              .dd = {0, 0, 0, 0, 0, (m->lambda - c) / (v.J * v.J)}};
    lithe_solid_from_invariants(F, &v, &w, P, hessian, project);
    return energy;
}

static void moduli(const LitheSolidMaterial *m, double *mu, double *lambda) {
    *mu = m->mu;
    *lambda = m->lambda;
}

const LitheSolidLaw lithe_solid_neo_hookean = {
    .name = "neo-hookean",
    .has_lame = true,
    .evaluate = evaluate,
    .moduli = moduli,
};
