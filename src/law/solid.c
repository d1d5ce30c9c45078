// SPDX-License-Identifier: Apache-2.0
// law/solid.c - the table of solid laws; constants from Young's modulus and Poisson's ratio

#include "law/solid.h"

#include "law/solid_invariant.h"
#include "math/svd3.h"

#include <math.h>
#include <string.h>

const LitheSolidLaw *const lithe_solid_laws[LITHE_SOLID_LAWS] = {
    &lithe_solid_corotated_lagged,
    &lithe_solid_corotated,
    &lithe_solid_neo_hookean,
    &lithe_solid_mooney_rivlin,
    &lithe_solid_mooney_rivlin_isochoric,
};

int32_t lithe_solid_law_find(const char *name) {
    for (int32_t i = 0; i < LITHE_SOLID_LAWS; i++)
        if (strcmp(name, lithe_solid_laws[i]->name) == 0)
            return i;
    return -1;
}

LitheSolidMaterial lithe_solid_material(const LitheSolidLaw *law, double young, double poisson) {
    double mu = young / (2 * (1 + poisson));
    double lambda = 2 * mu * poisson / (1 - 2 * poisson);
    if (law->has_lame)
        return (LitheSolidMaterial){.mu = mu, .lambda = lambda};

    // lambda of a Mooney-Rivlin law is `bulk` plus a multiple of c1 and c2
    LitheSolidMaterial m = {.c1 = 0.25 * mu, .c2 = 0.25 * mu};
    double unused, offset;
    law->moduli(&m, &unused, &offset);
    m.bulk = lambda - offset;
    return m;
}

void lithe_solid_young(const LitheSolidLaw *law, const LitheSolidMaterial *m, double *young,
                       double *poisson) {
    double mu, lambda;
    law->moduli(m, &mu, &lambda);
    *poisson = 0.5 * lambda / (lambda + mu);
    *young = 2 * mu * (1 + *poisson);
}

double lithe_solid_theta(const LitheSolidLaw *law, const Mat3 *F, const Mat3 *R, Mat3 *slope) {
    if (law->slopes) {
        *slope = lithe_solid_cofactor(F);
        return m3_det(*F);
    }
    *slope = law->lagged ? *R : lithe_polar_rotation(F);
    double theta = -2;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            theta += slope->m[i][j] * F->m[i][j];
    return theta;
}

double lithe_solid_evaluate_shape(const LitheSolidLaw *law, const LitheSolidMaterial *m,
                                  const Mat3 *F, const Mat3 *R, double pressure, Mat3 *P,
                                  double *hessian, bool project) {
    LitheSolidMaterial shape = lithe_solid_shape(m);
    if (law->slopes)
        return lithe_solid_evaluate_invariants(law, &shape, F, pressure, P, hessian, project);
    if (!law->lagged)
        return lithe_solid_corotated_with(&shape, F, pressure, P, hessian, project);
    double energy = law->evaluate(&shape, F, R, P, hessian, project);
    if (P && energy < INFINITY)
        *P = m3_axpy(pressure, *R, *P); // R:F is linear: no Hessian
    return energy;
}

void lithe_solid_remove_turns(const Mat3 *F, double *hessian) {
    double M[3][9], W[3][9], T[3][9], S[3][3] = {{0}}; // W = G^-1 M', T = M'H, S = M'H M
    Mat3 G = m3_zero();
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            v3_store(v3_cross(v3(k == 0, k == 1, k == 2), m3_column(*F, j)), M[k] + 3 * j);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            for (int p = 0; p < 9; p++)
                G.m[k][l] += M[k][p] * M[l][p];
    if (!(m3_det(G) > 0))
        return;
    for (int p = 0; p < 9; p++) {
        Vec3 w = m3_solve(G, v3(M[0][p], M[1][p], M[2][p]));
        for (int k = 0; k < 3; k++) {
            W[k][p] = k == 0 ? w.x : k == 1 ? w.y : w.z;
            T[k][p] = 0;
            for (int q = 0; q < 9; q++)
                T[k][p] += M[k][q] * hessian[9 * q + p];
        }
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            for (int p = 0; p < 9; p++)
                S[k][l] += T[k][p] * M[l][p];
    for (int p = 0; p < 9; p++)
        for (int q = 0; q < 9; q++)
            for (int k = 0; k < 3; k++) {
                double rest = T[k][q];
                for (int l = 0; l < 3; l++)
                    rest -= S[k][l] * W[l][q];
                hessian[9 * p + q] -= W[k][p] * rest + T[k][p] * W[k][q];
            }
}

Mat3 lithe_solid_chord_stress(const LitheSolidMaterial *m, const Mat3 *F, const Mat3 *rate,
                              const Mat3 *R, double h, double *power) {
    Mat3 back = m3_transpose(*R), S = m3_sym(m3_mul(back, *F)), L = m3_mul(back, *rate);
    double trace = S.m[0][0] + S.m[1][1] + S.m[2][2];
    Mat3 G = m3_sub(m3_diag(trace, trace, trace), S);
    *power = 0;
    if (!(m3_det(G) > LITHE_LEAST_TURN))
        return m3_zero();
    // L = W S + a symmetric matrix, W = [w]x
    Vec3 w = m3_solve(G, v3(L.m[2][1] - L.m[1][2], L.m[0][2] - L.m[2][0], L.m[1][0] - L.m[0][1]));
    Mat3 W = m3_cross(w);
    double part = h / (1 + sqrt(fmax(0, 1 - h * h * v3_dot(w, w))));
    Mat3 strain = m3_scale(part, m3_sym(m3_mul(W, m3_mul(W, S))));
    double sum = strain.m[0][0] + strain.m[1][1] + strain.m[2][2];
    Mat3 stress = m3_axpy(2 * m->mu, strain, m3_scale(m->lambda * sum, m3_identity()));
    for (int k = 0; k < 9; k++)
        *power += stress.m[k / 3][k % 3] * strain.m[k / 3][k % 3];
    return m3_mul(*R, stress);
}
