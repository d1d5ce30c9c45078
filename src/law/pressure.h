// SPDX-License-Identifier: Apache-2.0
// law/pressure.h - uniform pressure on a face of a surface: enclosed volume and its derivatives
//
// A face has three nodes, or six: corners, then the midpoints of the edges 01, 12, 20. With shape
// functions N_a of u, v in the unit triangle, x = sum N_a x_a, e1 = dx/du, e2 = dx/dv:
//     (S50)  V = 1/3 integral x . (e1 x e2) du dv
//     (S51)  A_a = integral N_a (e1 x e2) du dv
//     (S52)  k_ab = 1/2 integral (N_a dN_b/dv - N_b dN_a/dv) e1 - (N_a dN_b/du - N_b dN_a/du) e2
// A_a is the area vector that belongs to node a: the pressure p has the force -p A_a on it. The
// matrix [k_ab]x is the symmetric part of dA_a/dx_b. Summed over a closed surface, or over one
// whose rim is held, V is a potential: dV/dx_a = A_a, d2V/dx_a dx_b = [k_ab]x.
// docs/theory/solids.md.

#ifndef LITHE_LAW_PRESSURE_H
#define LITHE_LAW_PRESSURE_H

#include "math/vec3.h"

#include <stdint.h>

enum { LITHE_FACE_NODES = 6 }; // of a face, at most

/// What a face contributes.
typedef struct LitheFaceTerms {
    double volume;                                 // (S50), of the cone from the origin [m^3]
    Vec3 area[LITHE_FACE_NODES];                   // (S51) [m^2]
    Vec3 skew[LITHE_FACE_NODES][LITHE_FACE_NODES]; // (S52) [m], with `hessian`
} LitheFaceTerms;

/// A face with `count` nodes, 3 or 6, at x [count], counter-clockwise from the side that its area
/// vectors point to. Exact for both.
void lithe_face_terms(int32_t count, const Vec3 *x, bool hessian, LitheFaceTerms *out);

#endif
