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

// Newton's iteration X = (X + X^-T)/2 replaces each singular value s by (s + 1/s)/2: a moderately
// deformed F needs four or five steps, a tenth of the time of its singular values. False when F is
// inverted, close to singular or very long.
static bool polar_by_newton(const Mat3 *F, Mat3 *R) {
    Mat3 X = *F;
    for (int step = 0; step < LITHE_POLAR_STEPS; step++) {
        Vec3 a = m3_column(X, 0), b = m3_column(X, 1), c = m3_column(X, 2);
        Vec3 bc = v3_cross(b, c), ca = v3_cross(c, a), ab = v3_cross(a, b);
        double det = v3_dot(a, bc), size = v3_dot(a, a) + v3_dot(b, b) + v3_dot(c, c);
        if (!(det > LITHE_POLAR_FLAT * size * sqrt(size)))
            return false;
        double half = 0.5 / det; // the columns of X^-T are the cross products over det
        Vec3 p = v3_axpy(half, bc, v3_scale(0.5, a)), q = v3_axpy(half, ca, v3_scale(0.5, b)),
             r = v3_axpy(half, ab, v3_scale(0.5, c));
        Vec3 da = v3_sub(p, a), db = v3_sub(q, b), dc = v3_sub(r, c);
        X = m3_columns(p, q, r);
        // the error after a step is about the square of the step
        if (v3_dot(da, da) + v3_dot(db, db) + v3_dot(dc, dc) < LITHE_POLAR_END * LITHE_POLAR_END) {
            *R = X;
            return true;
        }
    }
    return false;
}

Mat3 lithe_polar_rotation(const Mat3 *F) {
    Mat3 R;
    if (polar_by_newton(F, &R))
        return R;
    LitheSvd3 d = lithe_svd3(F);
    return m3_mul(d.U, m3_transpose(d.V));
}
