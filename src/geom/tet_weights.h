// SPDX-License-Identifier: Apache-2.0
// geom/tet_weights.h - barycentric coordinates in a tetrahedron

#ifndef LITHE_GEOM_TET_WEIGHTS_H
#define LITHE_GEOM_TET_WEIGHTS_H

#include "math/vec3.h"

/// Coordinates of a point for the corners x, also outside of it; returns the smallest.
static inline double lithe_tet_weights(const Vec3 x[4], Vec3 at, double w[4]) {
    Vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), c = v3_sub(x[3], x[0]);
    Vec3 p = v3_sub(at, x[0]);
    double det = v3_dot(v3_cross(a, b), c);
    w[1] = v3_dot(v3_cross(p, b), c) / det;
    w[2] = v3_dot(v3_cross(a, p), c) / det;
    w[3] = v3_dot(v3_cross(a, b), p) / det;
    w[0] = 1 - w[1] - w[2] - w[3];
    return fmin(fmin(w[0], w[1]), fmin(w[2], w[3]));
}

#endif
