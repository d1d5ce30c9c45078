// SPDX-License-Identifier: Apache-2.0
// math/svd3.h - singular values and polar decomposition of 3x3 matrices, for deformation gradients

#ifndef LITHE_MATH_SVD3_H
#define LITHE_MATH_SVD3_H

#include "math/mat3.h"

// Newton's iteration for the polar decomposition, here and in lanes (law/solid_fast_svd.h): max
// steps, the size of the last one, and det(F)/|F|^3, 0.19 of a rotation, below which rounding in
// X^-T is more than that of Jacobi
enum { LITHE_POLAR_STEPS = 12 };
#define LITHE_POLAR_END 1e-8
#define LITHE_POLAR_FLAT 1e-3

/// F = U diag(s) V' with rotations U and V (det = +1) and s.x >= s.y >= |s.z|; s.z has the sign of
/// det F. By one-sided Jacobi rotations; any finite F, also singular or inverted.
typedef struct LitheSvd3 {
    Mat3 U, V;
    Vec3 s;
} LitheSvd3;

LitheSvd3 lithe_svd3(const Mat3 *F);

/// The rotation R = U V' nearest to F. Where det F < 0 it is a rotation still: the axis of the
/// smallest stretch is the one that counts as inverted.
Mat3 lithe_polar_rotation(const Mat3 *F);

#endif
