// SPDX-License-Identifier: Apache-2.0
// law/solid_corotated.c - linear elasticity in the frame that turns with F
//
//     (H4)  W = mu |F - R|^2 + lambda/2 (R:F - 3)^2,  R = U V', F = U diag(s) V'
//     (H5)  P = 2 mu (F - R) + c R,  c = lambda (s1 + s2 + s3 - 3)
//     (H6)  dP = 2 mu dF + lambda (R:dF) R + (c - 2 mu) dR
//           dR = sum over the pairs i < j of 2/(si + sj) (Q:dF) Q
//           Q = U (ei ej' - ej ei') V'/sqrt 2
// The Q are eigenvectors of dP/dF with the eigenvalue 2 mu + 2 (c - 2 mu)/(si + sj); all other
// eigenvalues are at least 2 mu (lambda >= 0), so that the projection only raises these three.
// Where si + sj = 0 (an inverted F with two equal stretches) R is not unique and dR infinite: sums
// below LITHE_COROTATED_LEAST count as that, so that the Hessian is large, but finite.

#include "law/solid.h"

#include "math/svd3.h"

double lithe_solid_corotated_with(const LitheSolidMaterial *m, const Mat3 *F, double pressure,
                                  Mat3 *P, double *hessian, bool project) {
    LitheSvd3 d = lithe_svd3(F);
    const double s[3] = {d.s.x, d.s.y, d.s.z};
    double trace = s[0] - 1 + (s[1] - 1) + (s[2] - 1);
    double square = (s[0] - 1) * (s[0] - 1) + (s[1] - 1) * (s[1] - 1) + (s[2] - 1) * (s[2] - 1);
    double energy = m->mu * square + 0.5 * m->lambda * trace * trace; // (H4)
    if (!isfinite(energy))
        return INFINITY;
    if (!P && !hessian)
        return energy;
    Mat3 R = m3_mul(d.U, m3_transpose(d.V));
    double c = m->lambda * trace + pressure;
    if (P)
        *P = m3_axpy(c, R, m3_scale(2 * m->mu, m3_sub(*F, R))); // (H5)
    if (!hessian)
        return energy;
    double r[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            r[3 * j + i] = R.m[i][j];
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
            hessian[9 * a + b] = (a == b ? 2 * m->mu : 0) + m->lambda * r[a] * r[b]; // (H6)
    for (int i = 0; i < 2; i++)
        for (int j = i + 1; j < 3; j++) {
            double change = 2 * (c - 2 * m->mu) / fmax(s[i] + s[j], LITHE_COROTATED_LEAST);
            if (project)
                change = fmax(change, -2 * m->mu);
            double q[9]; // Q sqrt 2
            for (int b = 0; b < 3; b++)
                for (int a = 0; a < 3; a++)
                    q[3 * b + a] = d.U.m[a][i] * d.V.m[b][j] - d.U.m[a][j] * d.V.m[b][i];
            for (int a = 0; a < 9; a++)
                for (int b = 0; b < 9; b++)
                    hessian[9 * a + b] += 0.5 * change * q[a] * q[b];
        }
    return energy;
}

static double evaluate(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *R, Mat3 *P,
                       double *hessian, bool project) {
    (void)R;
    return lithe_solid_corotated_with(m, F, 0, P, hessian, project);
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

const LitheSolidLaw lithe_solid_corotated = {
    .name = "corotated",
    .has_lame = true,
    .invertible = true,
    .evaluate = evaluate,
    .volume = volume,
    .moduli = moduli,
};
