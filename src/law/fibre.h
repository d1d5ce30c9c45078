// SPDX-License-Identifier: Apache-2.0
// law/fibre.h - a fibre in a solid: energy of its stretch
//
// A fibre has the direction a at rest, |a| = 1. With y = F a, its stretch s = |y|, n = y/s, and its
// stiffness k, Young's modulus times the volume of fibre at rest:
//     (S80)  E = k/2 (s - 1)^2
//     (S81)  dE/dy = k (s - 1) n
//     (S82)  d2E/dy2 = k [n n' + (1 - 1/s) (I - n n')]
// Fibres that go slack have E = 0 where s < 1. docs/theory/solids.md.

#ifndef LITHE_LAW_FIBRE_H
#define LITHE_LAW_FIBRE_H

#include "math/mat3.h"

/// Least stretch in (S81) and (S82), where 1/s is computed.
#define LITHE_FIBRE_LEAST 1e-6

/// Which part of (S82) is computed.
typedef enum LitheFibrePart {
    LITHE_FIBRE_WHOLE,
    LITHE_FIBRE_PROJECTED, // without the negative part of a fibre that is compressed
    LITHE_FIBRE_STRAIN,    // the first term: 0 for rotations, positive semidefinite
} LitheFibrePart;

/// Energy (S80) in the unit of k. `slope` (S81) and `hessian` (S82) may be NULL.
double lithe_fibre_energy(double k, bool slack, Vec3 y, LitheFibrePart part, Vec3 *slope,
                          Mat3 *hessian);

#endif
