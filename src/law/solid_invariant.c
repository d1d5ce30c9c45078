// SPDX-License-Identifier: Apache-2.0
// law/solid_invariant.c - isotropic laws as functions of I1, I2 and J; formulas in the header

#include "law/solid_invariant.h"

#include "math/eigen.h"
#include "math/svd3.h"

Mat3 lithe_solid_cofactor(const Mat3 *F) {
    Vec3 a = m3_column(*F, 0), b = m3_column(*F, 1), c = m3_column(*F, 2);
    return m3_columns(v3_cross(b, c), v3_cross(c, a), v3_cross(a, b));
}

LitheInvariants lithe_solid_invariants(const Mat3 *F) {
    LitheInvariants v;
    Vec3 a = m3_column(*F, 0), b = m3_column(*F, 1), c = m3_column(*F, 2);

    // invariants of D = C - I: C = I + D has I1 = 3 + t, I2 = 3 + 2 t + d2, J^2 = 1 + t + d2 + d3
    double xx = v3_dot(a, a) - 1, yy = v3_dot(b, b) - 1, zz = v3_dot(c, c) - 1;
    double yz = v3_dot(b, c), xz = v3_dot(a, c), xy = v3_dot(a, b);
    double t = xx + yy + zz;
    double d2 = (xx * yy - xy * xy) + (xx * zz - xz * xz) + (yy * zz - yz * yz);
    double d3 = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    v.I1 = 3 + t;
    v.I2 = 3 + 2 * t + d2;
    v.J = v3_dot(v3_cross(a, b), c);

    // small strain: t - 2 (J - 1) = (J - 1)^2 - d2 - d3; at large strain d3 has larger errors
    double size = fabs(xx) + fabs(yy) + fabs(zz);
    if (size < 0.5 && v.J > 0) {
        v.growth = (t + d2 + d3) / (1 + v.J);
        v.first = v.growth * v.growth - d2 - d3;
    } else {
        v.growth = v.J - 1;
        v.first = t - 2 * v.growth;
    }
    v.second = 2 * v.first + d2;
    return v;
}

double lithe_log_remainder(double u) {
    if (fabs(u) > 0.05)
        return u - log1p(u);
    // u^2/2 - u^3/3 + ...: the 15th power is below 1e-17 of the first term
    double sum = 0;
    for (int k = 15; k >= 2; k--)
        sum = 1.0 / k - u * sum;
    return u * u * sum;
}

double lithe_power_remainder(double p, double u) {
    if (fabs(u) > 0.05)
        return pow(1 + u, p) - 1 - p * u;
    double sum = 0, term = 0.5 * p * (p - 1) * u * u;
    for (int k = 3; k < 17; k++) {
        sum += term;
        term *= (p - k + 1) / k * u;
    }
    return sum;
}

// (H9)
static void exact(const Mat3 *F, const LitheInvariants *v, const LitheInvariantSlopes *w,
                  const double g[3][9], double *hessian) {
    const double W1 = w->d[0], W2 = w->d[1], WJ = w->d[2], *dd = w->dd;
    Mat3 C = m3_mul(m3_transpose(*F), *F), B = m3_mul(*F, m3_transpose(*F));

    // sum Wab ga gb' and the parts of H1 and H2 with [ik] or [jl]
    for (int a = 0; a < 9; a++) {
        double x = dd[0] * g[0][a] + dd[1] * g[1][a] + dd[2] * g[2][a] + W2 * g[0][a];
        double y = dd[1] * g[0][a] + dd[3] * g[1][a] + dd[4] * g[2][a];
        double z = dd[2] * g[0][a] + dd[4] * g[1][a] + dd[5] * g[2][a];
        for (int b = 0; b < 9; b++)
            hessian[9 * a + b] = x * g[0][b] + y * g[1][b] + z * g[2][b];
    }
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            double *row = hessian + 9 * (3 * j + i);
            row[3 * j + i] += 2 * W1 + 2 * W2 * v->I1;
            for (int n = 0; n < 3; n++) {
                row[3 * n + i] -= 2 * W2 * C.m[j][n];
                row[3 * j + n] -= 2 * W2 * B.m[i][n];
            }
            for (int l = 0; l < 3; l++)
                for (int k = 0; k < 3; k++)
                    row[3 * l + k] -= 2 * W2 * F->m[i][l] * F->m[k][j];
        }

    // WJ H3: the block (j, l) is the cross-product matrix of the third column
    static const int third[3][3] = {{-1, 2, 1}, {2, -1, 0}, {1, 0, -1}};
    static const double sign[3][3] = {{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}};
    for (int j = 0; j < 3; j++)
        for (int l = 0; l < 3; l++) {
            if (j == l)
                continue;
            Mat3 X = m3_cross(m3_column(*F, third[j][l]));
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++)
                    hessian[9 * (3 * j + i) + 3 * l + k] += WJ * sign[j][l] * X.m[i][k];
        }
}

// H += amount q q', q the entries of U M V'
static void raise_mode(const LitheSvd3 *d, Mat3 M, double amount, double *hessian) {
    Mat3 Q = m3_mul(m3_mul(d->U, M), m3_transpose(d->V));
    double q[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            q[3 * j + i] = Q.m[i][j];
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
            hessian[9 * a + b] += amount * q[a] * q[b];
}

// (H10): the exact Hessian plus -eigenvalue q q' of every negative one
static void project_modes(const Mat3 *F, const LitheInvariants *v, const LitheInvariantSlopes *w,
                          double *hessian) {
    LitheSvd3 d = lithe_svd3(F);
    const double s[3] = {d.s.x, d.s.y, d.s.z}, W1 = w->d[0], W2 = w->d[1], WJ = w->d[2];
    double A[9], g[3][3]; // d2W/ds ds; derivatives of I1, I2, J with respect to s
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        g[0][i] = 2 * s[i];
        g[1][i] = 2 * s[i] * (s[j] * s[j] + s[k] * s[k]);
        g[2][i] = s[j] * s[k];
        double twist = 2 * W1 + 2 * W2 * (v->I1 - s[j] * s[j] + s[j] * s[k] - s[k] * s[k]);
        double flip = 2 * W1 + 2 * W2 * (v->I1 - s[j] * s[j] - s[j] * s[k] - s[k] * s[k]);
        twist += WJ * s[i];
        flip -= WJ * s[i];
        Mat3 M = m3_zero();
        M.m[j][k] = M_SQRT1_2;
        if (twist < 0) {
            M.m[k][j] = -M_SQRT1_2;
            raise_mode(&d, M, -twist, hessian);
        }
        if (flip < 0) {
            M.m[k][j] = M_SQRT1_2;
            raise_mode(&d, M, -flip, hessian);
        }
    }
    static const int pair[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? 2 * W1 + 2 * W2 * (v->I1 - s[i] * s[i])
                                : 4 * W2 * s[i] * s[j] + WJ * s[3 - i - j];
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    sum += w->dd[pair[a][b]] * g[a][i] * g[b][j];
            A[3 * i + j] = sum;
        }
    double values[3], work[LITHE_EIGEN_WORK(3)];
    if (!lithe_eigen_symmetric(3, A, values, work))
        return;
    for (int k = 0; k < 3 && values[k] < 0; k++)
        raise_mode(&d, m3_diag(A[3 * k], A[3 * k + 1], A[3 * k + 2]), -values[k], hessian);
}

void lithe_solid_from_invariants(const Mat3 *F, const LitheInvariants *v,
                                 const LitheInvariantSlopes *w, Mat3 *P, double *hessian,
                                 bool project) {
    if (!P && !hessian)
        return;
    Mat3 FC = m3_mul(*F, m3_mul(m3_transpose(*F), *F)), cof = lithe_solid_cofactor(F);
    Mat3 g1 = m3_scale(2, *F);
    Mat3 g2 = m3_scale(2, m3_sub(m3_scale(v->I1, *F), FC));
    if (P)
        *P = m3_axpy(w->d[2], cof, m3_axpy(w->d[1], g2, m3_scale(w->d[0], g1))); // (H8)
    if (!hessian)
        return;
    double g[3][9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            g[0][3 * j + i] = g1.m[i][j];
            g[1][3 * j + i] = g2.m[i][j];
            g[2][3 * j + i] = cof.m[i][j];
        }
    exact(F, v, w, g, hessian);
    if (project)
        project_modes(F, v, w, hessian);
}

double lithe_solid_evaluate_invariants(const LitheSolidLaw *law, const LitheSolidMaterial *m,
                                       const Mat3 *F, double pressure, Mat3 *P, double *hessian,
                                       bool project) {
    LitheInvariants v = lithe_solid_invariants(F);
    LitheInvariantSlopes w;
    double energy = law->slopes(m, &v, &w);
    if (!(energy < INFINITY)) // also an overflow of a nearly flat element
        return INFINITY;
    w.d[2] += pressure;
    lithe_solid_from_invariants(F, &v, &w, P, hessian, project);
    return energy;
}
