// SPDX-License-Identifier: Apache-2.0
// law/solid_mooney_rivlin_isochoric.c - Mooney-Rivlin solid of the textbooks
//
//     (H13) W = c1 (J^(-2/3) I1 - 3) + c2 (J^(-4/3) I2 - 3) + bulk/2 (J - 1)^2,  domain J > 0
// Volume and shape are separate: at rest mu = 2 (c1 + c2), and `bulk` is the bulk modulus.
// J^(-2/3) I1 - 3 = J^(-2/3) (I1 - 3 J^(2/3)) is computed from `first` and the remainder of the
// power, both of second order in the strain.

#include "law/solid_invariant.h"

static double slopes(const LitheSolidMaterial *m, const LitheInvariants *v,
                     LitheInvariantSlopes *w) {
    if (!(v->J > 0) || !isfinite(v->I2))
        return INFINITY;
    double a = 1 / cbrt(v->J * v->J), b = a * a; // J^(-2/3), J^(-4/3)
    double shape1 = a * (v->first - 3 * lithe_power_remainder(2.0 / 3, v->growth));
    double shape2 = b * (v->second - 3 * lithe_power_remainder(4.0 / 3, v->growth));
    double energy =
        m->c1 * shape1 + m->c2 * shape2 + 0.5 * m->bulk * v->growth * v->growth; // (H13)
    double x = m->c1 * a / v->J, y = m->c2 * b / v->J; // c1 J^(-5/3), c2 J^(-7/3)
    *w = (LitheInvariantSlopes){
        .d = {m->c1 * a, m->c2 * b,
              -2.0 / 3 * x * v->I1 - 4.0 / 3 * y * v->I2 + m->bulk * v->growth},
        .dd = {0, 0, -2.0 / 3 * x, 0, -4.0 / 3 * y,
               (10.0 / 9 * x * v->I1 + 28.0 / 9 * y * v->I2) / v->J + m->bulk},
    };
    return energy;
}

static double evaluate(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *R, Mat3 *P,
                       double *hessian, bool project) {
    (void)R;
    return lithe_solid_evaluate_invariants(&lithe_solid_mooney_rivlin_isochoric, m, F, 0, P,
                                           hessian, project);
}

// (H20)
static double volume(const LitheSolidMaterial *m, double theta, double *dU, double *ddU) {
    *dU = m->bulk * (theta - 1);
    *ddU = m->bulk;
    return 0.5 * m->bulk * (theta - 1) * (theta - 1);
}

static void moduli(const LitheSolidMaterial *m, double *mu, double *lambda) {
    *mu = 2 * (m->c1 + m->c2);
    *lambda = m->bulk - 2.0 / 3 * *mu;
}

const LitheSolidLaw lithe_solid_mooney_rivlin_isochoric = {
    .name = "mooney-rivlin-isochoric",
    .evaluate = evaluate,
    .slopes = slopes,
    .volume = volume,
    .moduli = moduli,
};
