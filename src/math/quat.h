// SPDX-License-Identifier: Apache-2.0
// math/quat.h - unit quaternions and the exponential map of SO(3)

#ifndef LITHE_MATH_QUAT_H
#define LITHE_MATH_QUAT_H

#include "math/mat3.h"

typedef LitheQuat Quat;

static inline Quat q4_identity(void) {
    return (Quat){1, 0, 0, 0};
}

static inline Quat q4_conj(Quat a) {
    return (Quat){a.w, -a.x, -a.y, -a.z};
}

static inline Quat q4_mul(Quat a, Quat b) {
    return (Quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline double q4_norm(Quat a) {
    return sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
}

static inline Quat q4_unit(Quat a) {
    double s = 1 / q4_norm(a);
    return (Quat){s * a.w, s * a.x, s * a.y, s * a.z};
}

/// R(a) b
static inline Vec3 q4_rotate(Quat a, Vec3 b) {
    Vec3 u = v3(a.x, a.y, a.z);
    Vec3 uxb2 = v3_scale(2, v3_cross(u, b));
    return v3_add(v3_axpy(a.w, uxb2, b), v3_cross(u, uxb2));
}

/// Rotation by |r| about r. Smooth at r = 0 (series below 1e-4 rad, error 1e-18).
static inline Quat q4_exp(Vec3 r) {
    double a2 = v3_dot(r, r);
    double a = sqrt(a2);
    double s = a < 1e-4 ? 0.5 - a2 / 48 : sin(0.5 * a) / a; // sin(a/2)/a
    return (Quat){cos(0.5 * a), s * r.x, s * r.y, s * r.z};
}

/// Upper bound of the angle of a unit quaternion [rad], in [0, pi]: with x = sin(angle/2),
///     angle = 2 asin(x) <= 2 x + (pi - 2) x^3
/// because (asin(x) - x)/x^3 grows up to x = 1. Near 0 it is exact.
static inline double q4_turn_bound(Quat a) {
    double x2 = a.x * a.x + a.y * a.y + a.z * a.z, x = sqrt(x2 < 1 ? x2 : 1);
    return x * (2 + 1.1415926535897932 * x * x);
}

/// Rotation vector of a unit quaternion, length in [0, pi].
static inline Vec3 q4_log(Quat a) {
    if (a.w < 0)
        a = (Quat){-a.w, -a.x, -a.y, -a.z};
    Vec3 u = v3(a.x, a.y, a.z);
    double s = v3_norm(u); // sin(angle/2)
    double k = s < 1e-4 ? 2 / a.w * (1 - s * s / (3 * a.w * a.w)) : 2 * atan2(s, a.w) / s;
    return v3_scale(k, u);
}

/// Rotation by `angle` about the unit vector `axis`.
static inline Quat q4_axis_angle(Vec3 axis, double angle) {
    return q4_exp(v3_scale(angle, axis));
}

/// Shortest rotation that takes the unit vector a to the unit vector b (b = -a: about any normal).
static inline Quat q4_between(Vec3 a, Vec3 b) {
    double c = 1 + v3_dot(a, b);
    if (c < 1e-12) {
        Vec3 n = v3_any_normal(a);
        return (Quat){0, n.x, n.y, n.z};
    }
    Vec3 n = v3_cross(a, b);
    return q4_unit((Quat){c, n.x, n.y, n.z});
}

// q4_rotate of the three axes, without products with zero; 0 + x is not -0
static inline Mat3 q4_matrix(Quat a) {
    double x = 2 * a.x, y = 2 * a.y, z = 2 * a.z;
    double wx = 0 + a.w * x, wy = 0 + a.w * y, wz = 0 + a.w * z;
    double xx = a.x * x, yy = a.y * y, zz = a.z * z, xy = a.x * y, xz = a.x * z, yz = a.y * z;
    return m3_columns(v3(1 - (yy + zz), wz + xy, (0 - wy) + xz),
                      v3((0 - wz) + xy, 1 - (zz + xx), wx + yz),
                      v3(wy + xz, (0 - wx) + yz, 1 - (xx + yy)));
}

/// Quaternion of a rotation matrix (largest component first, so that it is stable everywhere).
static inline Quat q4_of_matrix(Mat3 r) {
    double t = r.m[0][0] + r.m[1][1] + r.m[2][2];
    Quat q;
    if (t > 0) {
        q = (Quat){1 + t, r.m[2][1] - r.m[1][2], r.m[0][2] - r.m[2][0], r.m[1][0] - r.m[0][1]};
    } else if (r.m[0][0] >= r.m[1][1] && r.m[0][0] >= r.m[2][2]) {
        q = (Quat){r.m[2][1] - r.m[1][2], 1 + 2 * r.m[0][0] - t, r.m[0][1] + r.m[1][0],
                   r.m[0][2] + r.m[2][0]};
    } else if (r.m[1][1] >= r.m[2][2]) {
        q = (Quat){r.m[0][2] - r.m[2][0], r.m[0][1] + r.m[1][0], 1 + 2 * r.m[1][1] - t,
                   r.m[1][2] + r.m[2][1]};
    } else {
        q = (Quat){r.m[1][0] - r.m[0][1], r.m[0][2] + r.m[2][0], r.m[1][2] + r.m[2][1],
                   1 + 2 * r.m[2][2] - t};
    }
    return q4_unit(q);
}

#endif
