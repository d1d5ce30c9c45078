// SPDX-License-Identifier: Apache-2.0
// math/svd3.c - singular values of 3x3 matrices by one-sided Jacobi rotations (Hestenes)
//
// Columns b of F V are rotated in pairs until they are perpendicular; their lengths are then the
// singular values. F'F is never formed, so that small singular values keep their digits.

#include "math/svd3.h"

#include <float.h>

enum { SWEEPS = 30 }; // about 5 are needed; the limit ends the loop for matrices with NaN

// Makes columns i and j of b perpendicular; the same rotation for v. False: they were already.
static bool rotate(Vec3 *b, Vec3 *v, int i, int j) {
    double a = v3_dot(b[i], b[i]), c = v3_dot(b[j], b[j]), d = v3_dot(b[i], b[j]);
    if (!(fabs(d) > 0.5 * DBL_EPSILON * sqrt(a * c)) || fabs(d) < DBL_MIN)
        return false;
    double zeta = (c - a) / (2 * d);
    double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    double cs = 1 / sqrt(1 + t * t), sn = cs * t;
    Vec3 bi = b[i], vi = v[i];
    b[i] = v3_axpy(-sn, b[j], v3_scale(cs, bi));
    b[j] = v3_axpy(sn, bi, v3_scale(cs, b[j]));
    v[i] = v3_axpy(-sn, v[j], v3_scale(cs, vi));
    v[j] = v3_axpy(sn, vi, v3_scale(cs, v[j]));
    return true;
}

// exchanges two columns; one changes its sign, so that the determinant of V stays +1
static void exchange(Vec3 *b, Vec3 *v, int i, int j) {
    Vec3 bi = b[i], vi = v[i];
    b[i] = b[j];
    v[i] = v[j];
    b[j] = v3_neg(bi);
    v[j] = v3_neg(vi);
}

LitheSvd3 lithe_svd3(const Mat3 *F) {
    Vec3 b[3], v[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int j = 0; j < 3; j++)
        b[j] = m3_column(*F, j);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool turned = rotate(b, v, 0, 1);
        turned = rotate(b, v, 0, 2) || turned;
        turned = rotate(b, v, 1, 2) || turned;
        if (!turned)
            break;
    }

    // descending order
    if (v3_dot(b[0], b[0]) < v3_dot(b[1], b[1]))
        exchange(b, v, 0, 1);
    if (v3_dot(b[1], b[1]) < v3_dot(b[2], b[2]))
        exchange(b, v, 1, 2);
    if (v3_dot(b[0], b[0]) < v3_dot(b[1], b[1]))
        exchange(b, v, 0, 1);

    // u from the two larger columns; lost ones (F of rank 1 or 0) are any perpendicular ones
    double s0 = v3_norm(b[0]);
    Vec3 u0 = s0 > 0 ? v3_scale(1 / s0, b[0]) : v3(1, 0, 0);
    Vec3 w = v3_axpy(-v3_dot(u0, b[1]), u0, b[1]);
    double s1 = v3_norm(w);
    Vec3 u1 = s1 > DBL_EPSILON * s0 && s1 > 0 ? v3_scale(1 / s1, w) : v3_any_normal(u0);
    Vec3 u2 = v3_cross(u0, u1);
    return (LitheSvd3){.U = m3_columns(u0, u1, u2),
                       .V = m3_columns(v[0], v[1], v[2]),
                       .s = {s0, s1, v3_dot(u2, b[2])}};
}

Mat3 lithe_polar_rotation(const Mat3 *F) {
    LitheSvd3 d = lithe_svd3(F);
    return m3_mul(d.U, m3_transpose(d.V));
}
