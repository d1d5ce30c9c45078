// SPDX-License-Identifier: Apache-2.0
// math/vec3.h - vectors of three doubles, by value

#ifndef LITHE_MATH_VEC3_H
#define LITHE_MATH_VEC3_H

#include "lithe/vec.h"

#include <math.h>
#include <stdbool.h>

typedef LitheVec3 Vec3;

static inline Vec3 v3(double x, double y, double z) {
    return (Vec3){x, y, z};
}

static inline Vec3 v3_load(const double *a) {
    return (Vec3){a[0], a[1], a[2]};
}

static inline void v3_store(Vec3 a, double *out) {
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

static inline Vec3 v3_add(Vec3 a, Vec3 b) {
    return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec3 v3_sub(Vec3 a, Vec3 b) {
    return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec3 v3_neg(Vec3 a) {
    return (Vec3){-a.x, -a.y, -a.z};
}

static inline Vec3 v3_scale(double s, Vec3 a) {
    return (Vec3){s * a.x, s * a.y, s * a.z};
}

/// a + s b
static inline Vec3 v3_axpy(double s, Vec3 b, Vec3 a) {
    return (Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/// (1 - s) a + s b
static inline Vec3 v3_mix(Vec3 a, Vec3 b, double s) {
    return (Vec3){(1 - s) * a.x + s * b.x, (1 - s) * a.y + s * b.y, (1 - s) * a.z + s * b.z};
}

static inline double v3_dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec3 v3_cross(Vec3 a, Vec3 b) {
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double v3_norm(Vec3 a) {
    return sqrt(v3_dot(a, a));
}

/// a/|a|; the zero vector stays zero.
static inline Vec3 v3_unit(Vec3 a) {
    double n = v3_norm(a);
    return n > 0 ? v3_scale(1 / n, a) : a;
}

static inline double v3_distance(Vec3 a, Vec3 b) {
    return v3_norm(v3_sub(a, b));
}

static inline bool v3_finite(Vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/// A unit vector perpendicular to the unit vector t: the coordinate axis with the smallest
/// component along t, without that component.
static inline Vec3 v3_any_normal(Vec3 t) {
    double x = fabs(t.x), y = fabs(t.y), z = fabs(t.z);
    Vec3 axis = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
    return v3_unit(v3_axpy(-v3_dot(axis, t), t, axis));
}

/// Signed angle from a to b about the axis t, in (-pi, pi]; a and b perpendicular to t.
static inline double v3_angle_about(Vec3 a, Vec3 b, Vec3 t) {
    return atan2(v3_dot(v3_cross(a, b), t), v3_dot(a, b));
}

#endif
