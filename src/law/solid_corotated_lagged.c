// SPDX-License-Identifier: Apache-2.0
// law/solid_corotated_lagged.c - linear elasticity in a given rotated frame R
//
//     (H1)  W = mu e:e + lambda/2 (tr e)^2,  e = (R'F + F'R)/2 - I
//     (H2)  P = R (2 mu e + lambda tr(e) I)
//     (H3)  dP = mu dF + mu R dF' R + lambda (R:dF) R
// With R fixed during a step W is quadratic and convex: the Hessian is constant and positive
// semidefinite, since it is W without the constant -I. `project` has nothing to do.

#include "law/solid.h"

static double evaluate(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *R, Mat3 *P,
                       double *hessian, bool project) {
    (void)project;
    Mat3 e = m3_sub(m3_sym(m3_mul(m3_transpose(*R), *F)), m3_identity());
    double trace = e.m[0][0] + e.m[1][1] + e.m[2][2], square = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            square += e.m[i][j] * e.m[i][j];
    double energy = m->mu * square + 0.5 * m->lambda * trace * trace; // (H1)
    if (!isfinite(energy))
        return INFINITY;
    if (P) {
        Mat3 stress = m3_scale(2 * m->mu, e);
        for (int i = 0; i < 3; i++)
            stress.m[i][i] += m->lambda * trace;
        *P = m3_mul(*R, stress); // (H2)
    }
    if (hessian) // (H3)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                for (int l = 0; l < 3; l++)
                    for (int k = 0; k < 3; k++)
                        hessian[9 * (3 * j + i) + 3 * l + k] =
                            m->mu * ((i == k && j == l) + R->m[i][l] * R->m[k][j]) +
                            m->lambda * R->m[i][j] * R->m[k][l];
    return energy;
}

// (H20)
static double volume(const LitheSolidMaterial *m, double theta, double *dU, double *ddU) {
    *dU = m->lambda * (theta - 1);
    *ddU = m->lambda;
    return 0.5 * m->lambda * (theta - 1) * (theta - 1);
}

static void moduli(const LitheSolidMaterial *m, double *mu, double *lambda) {
    *mu = m->mu;
    *lambda = m->lambda;
}

const LitheSolidLaw lithe_solid_corotated_lagged = {
    .name = "corotated-lagged",
    .lagged = true,
    .has_lame = true,
    .invertible = true,
    .evaluate = evaluate,
    .volume = volume,
    .moduli = moduli,
};
