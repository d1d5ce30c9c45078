// SPDX-License-Identifier: Apache-2.0
// body/rod_fast.h - energy, gradient and Hessian of a rod on vectors of several nodes at once
//
// The same results as lithe_rod_elastic (its reference in the tests) up to rounding, several times
// faster: the rod is processed in blocks that fit into the first-level cache, and within a block
// each lane of a vector is one edge or one joint.

#ifndef LITHE_BODY_ROD_FAST_H
#define LITHE_BODY_ROD_FAST_H

#include "body/rod.h"

enum {
    LITHE_FAST_FRONT = 2, // ghost nodes before the first, in arrays the kernel reads
    LITHE_FAST_BACK = 8,  // and after the last: of vectors of at most four
};

/// Constants of a step, one array each with ghost entries on both sides.
typedef enum LitheFastArray {
    LITHE_FAST_T0X, // tangent at the start of the step
    LITHE_FAST_T0Y,
    LITHE_FAST_T0Z,
    LITHE_FAST_AX, // material director m1 at the start
    LITHE_FAST_AY,
    LITHE_FAST_AZ,
    LITHE_FAST_GAMMA0, // twist angle at the start [rad]
    LITHE_FAST_COS,    // cosine and sine of the angle between the m1 of both edges at the start
    LITHE_FAST_SIN,
    LITHE_FAST_TAU0, // twist of the joint at the start [rad]
    LITHE_FAST_IL,   // 1/Voronoi length; 0 where there is no joint [1/m]
    LITHE_FAST_K1,   // natural state of the joint
    LITHE_FAST_K2,
    LITHE_FAST_T,
    LITHE_FAST_REST, // rest length of the edge [m]
    LITHE_FAST_EAL,  // EA/rest length; 0 where there is no edge [N/m]
    LITHE_FAST_ARRAYS,
} LitheFastArray;

/// Ghost nodes after the last that the kernel writes to, in panel and gradient.
enum { LITHE_FAST_SPILL = 4 };

/// Length of each array.
static inline int64_t lithe_fast_stride(int32_t node_count) {
    return LITHE_FAST_FRONT + (int64_t)node_count + LITHE_FAST_BACK;
}

/// Fills the arrays of the step; call after lithe_rod_anchor and lithe_rod_natural.
void lithe_rod_fast_begin(const LitheRod *rod, LitheRodWork *work);

/// As lithe_rod_elastic with LITHE_HESSIAN_FULL and no projection, but the matrix is overwritten
/// with scale K + weight M. Returns NAN when a joint or an edge is outside the domain: call
/// lithe_rod_elastic to find which one. work->edges is not filled.
double lithe_rod_fast(const LitheRod *rod, LitheRodWork *work, double scale, double weight);

/// As lithe_rod_fast with LITHE_HESSIAN_GAUSS_NEWTON and without mass: the matrix and its diagonal
/// alone, at the start of a step. Returns 0, or NAN outside the domain.
double lithe_rod_fast_gauss_newton(const LitheRod *rod, LitheRodWork *work, double scale);

/// As lithe_rod_fast without matrix and diagonal; takes less than half the time.
double lithe_rod_fast_gradient(const LitheRod *rod, LitheRodWork *work);

/// The kernels, for tests: index 0 is the one in use; NULL past the last.
typedef double LitheRodFastFn(LitheHessianPart part, const LitheRod *rod, LitheRodWork *work,
                              double scale, double weight);
LitheRodFastFn *lithe_rod_fast_kernel(int32_t index);
double lithe_rod_fast_with(LitheRodFastFn *kernel, LitheHessianPart part, const LitheRod *rod,
                           LitheRodWork *work, double scale, double weight);

#endif
