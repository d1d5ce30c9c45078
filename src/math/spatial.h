// SPDX-License-Identifier: Apache-2.0
// math/spatial.h - poses, spatial vectors and spatial inertias, by value
//
// A spatial vector joins an angular and a linear part and is taken about one reference point:
//     motion   (angular velocity, velocity of the body's point at the reference)
//     force    (moment about the reference, force)
// All are in the axes and about the point that the caller chose; nothing here moves that point.

#ifndef LITHE_MATH_SPATIAL_H
#define LITHE_MATH_SPATIAL_H

#include "math/quat.h"

/// Pose of a frame in another one: x_outer = at + R(rotation) x_inner.
typedef struct Pose {
    Quat rotation;
    Vec3 at;
} Pose;

static inline Pose pose_identity(void) {
    return (Pose){q4_identity(), v3(0, 0, 0)};
}

/// First b, then a.
static inline Pose pose_mul(Pose a, Pose b) {
    return (Pose){q4_mul(a.rotation, b.rotation), v3_add(a.at, q4_rotate(a.rotation, b.at))};
}

static inline Pose pose_inverse(Pose a) {
    Quat back = q4_conj(a.rotation);
    return (Pose){back, v3_neg(q4_rotate(back, a.at))};
}

/// a times the inverse of b; most frames of joints lie at the origin of their link.
static inline Pose pose_mul_inverse(Pose a, Pose b) {
    if (b.at.x == 0 && b.at.y == 0 && b.at.z == 0)
        return (Pose){q4_mul(a.rotation, q4_conj(b.rotation)), a.at};
    return pose_mul(a, pose_inverse(b));
}

static inline Vec3 pose_point(Pose a, Vec3 x) {
    return v3_add(a.at, q4_rotate(a.rotation, x));
}

typedef struct Spatial {
    Vec3 ang, lin;
} Spatial;

static inline Spatial sp_zero(void) {
    return (Spatial){{0, 0, 0}, {0, 0, 0}};
}

static inline Spatial sp_add(Spatial a, Spatial b) {
    return (Spatial){v3_add(a.ang, b.ang), v3_add(a.lin, b.lin)};
}

static inline Spatial sp_sub(Spatial a, Spatial b) {
    return (Spatial){v3_sub(a.ang, b.ang), v3_sub(a.lin, b.lin)};
}

/// a + s b
static inline Spatial sp_axpy(double s, Spatial b, Spatial a) {
    return (Spatial){v3_axpy(s, b.ang, a.ang), v3_axpy(s, b.lin, a.lin)};
}

/// Power of a force along a motion.
static inline double sp_dot(Spatial a, Spatial b) {
    return v3_dot(a.ang, b.ang) + v3_dot(a.lin, b.lin);
}

/// Rate of the motion b that is fixed to a body moving with a.
static inline Spatial sp_cross(Spatial a, Spatial b) {
    return (Spatial){v3_cross(a.ang, b.ang),
                     v3_add(v3_cross(a.ang, b.lin), v3_cross(a.lin, b.ang))};
}

/// Rate of the force f that is fixed to a body moving with a.
static inline Spatial sp_cross_force(Spatial a, Spatial f) {
    return (Spatial){v3_add(v3_cross(a.ang, f.ang), v3_cross(a.lin, f.lin)),
                     v3_cross(a.ang, f.lin)};
}

static inline void sp_store(Spatial a, double *out) {
    v3_store(a.ang, out);
    v3_store(a.lin, out + 3);
}

static inline Spatial sp_load(const double *a) {
    return (Spatial){v3_load(a), v3_load(a + 3)};
}

/// Inertia about the reference point.
typedef struct SpatialInertia {
    double mass;   // kg
    Vec3 moment;   // mass times position of the centre from the reference [kg m]
    Mat3 rotation; // inertia about the reference, not the centre [kg m^2]
} SpatialInertia;

/// Inertia of a body whose centre is at c from the reference, with the inertia `about_centre`.
static inline SpatialInertia spi_of(double mass, Vec3 c, Mat3 about_centre) {
    double cc = v3_dot(c, c);
    Mat3 shift = m3_sub(m3_diag(cc, cc, cc), m3_outer(c, c));
    return (SpatialInertia){mass, v3_scale(mass, c), m3_axpy(mass, shift, about_centre)};
}

static inline SpatialInertia spi_add(SpatialInertia a, SpatialInertia b) {
    return (SpatialInertia){a.mass + b.mass, v3_add(a.moment, b.moment),
                            m3_add(a.rotation, b.rotation)};
}

/// Momentum of the motion v.
static inline Spatial spi_apply(SpatialInertia i, Spatial v) {
    return (Spatial){v3_add(m3_apply(i.rotation, v.ang), v3_cross(i.moment, v.lin)),
                     v3_sub(v3_scale(i.mass, v.lin), v3_cross(i.moment, v.ang))};
}

/// The inertia as a symmetric 6x6 matrix that acts on (ang, lin).
static inline void spi_matrix(SpatialInertia i, double out[36]) {
    Mat3 h = m3_cross(i.moment);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[6 * r + c] = i.rotation.m[r][c];
            out[6 * r + 3 + c] = h.m[r][c];
            out[6 * (3 + r) + c] = -h.m[r][c];
            out[6 * (3 + r) + 3 + c] = r == c ? i.mass : 0;
        }
    }
}

// --- the exponential map of SO(3), differentiated ------------------------------------------------

/// J(r) with exp(r + e) = exp(J(r) e) exp(r) + O(e^2). The transpose of J(r) is J(-r), for the
/// factor on the right: exp(r + e) = exp(r) exp(J(-r) e) + O(e^2).
static inline Mat3 so3_slope(Vec3 r) {
    double a2 = v3_dot(r, r), a = sqrt(a2);
    // (1 - cos a)/a^2 and (a - sin a)/a^3, by series where they would cancel
    double s = sin(0.5 * a);
    double b = a < 1e-4 ? 0.5 - a2 / 24 : 2 * s * s / a2;
    double c = a < 1e-2 ? (1 - a2 / 20 * (1 - a2 / 42)) / 6 : (a - sin(a)) / (a * a2);
    Mat3 x = m3_cross(r);
    return m3_axpy(c, m3_mul(x, x), m3_axpy(b, x, m3_identity()));
}

/// Inverse of so3_slope, |r| < 2 pi.
static inline Mat3 so3_slope_inverse(Vec3 r) {
    double a2 = v3_dot(r, r), a = sqrt(a2);
    double c = a < 1e-2 ? (1 + a2 / 60 * (1 + a2 / 42)) / 12
                        : (1 - 0.5 * a * cos(0.5 * a) / sin(0.5 * a)) / a2;
    Mat3 x = m3_cross(r);
    return m3_axpy(c, m3_mul(x, x), m3_axpy(-0.5, x, m3_identity()));
}

#endif
