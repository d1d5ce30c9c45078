// SPDX-License-Identifier: Apache-2.0
// law/solid_mooney_rivlin.c - Mooney-Rivlin solid without isochoric invariants
//
//     (H12) W = c1 (I1 - 3) + c2 (I2 - 3) - (2 c1 + 4 c2)(J - 1) + bulk/2 (J - 1)^2
// The third term makes the rest shape stress-free: at F = I, g1 = 2 I, g2 = 4 I, g3 = I. The energy
// is a polynomial, finite for every F (Kim and Eberle, Dynamic deformables, 2020). At rest
// mu = 2 (c1 + c2) and lambda = bulk - 2 c1: `bulk` is not quite the bulk modulus, which is
// bulk - 2/3 c1 + 4/3 c2.

#include "law/solid_invariant.h"

static double slopes(const LitheSolidMaterial *m, const LitheInvariants *v,
                     LitheInvariantSlopes *w) {
    double energy =
        m->c1 * v->first + m->c2 * v->second + 0.5 * m->bulk * v->growth * v->growth; // (H12)
    if (!isfinite(energy))
        return INFINITY;
    *w = (LitheInvariantSlopes){
        .d = {m->c1, m->c2, m->bulk * v->growth - 2 * m->c1 - 4 * m->c2},
        .dd = {0, 0, 0, 0, 0, m->bulk},
    };
    return energy;
}

static double evaluate(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *R, Mat3 *P,
                       double *hessian, bool project) {
    (void)R;
    return lithe_solid_evaluate_invariants(&lithe_solid_mooney_rivlin, m, F, 0, P, hessian,
                                           project);
}

// (H20)
static double volume(const LitheSolidMaterial *m, double theta, double *dU, double *ddU) {
    *dU = m->bulk * (theta - 1);
    *ddU = m->bulk;
    return 0.5 * m->bulk * (theta - 1) * (theta - 1);
}

static void moduli(const LitheSolidMaterial *m, double *mu, double *lambda) {
    *mu = 2 * (m->c1 + m->c2);
    *lambda = m->bulk - 2 * m->c1;
}

const LitheSolidLaw lithe_solid_mooney_rivlin = {
    .name = "mooney-rivlin",
    .invertible = true,
    .upright = true,
    .evaluate = evaluate,
    .slopes = slopes,
    .volume = volume,
    .moduli = moduli,
};
