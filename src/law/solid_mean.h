// SPDX-License-Identifier: Apache-2.0
// law/solid_mean.h - linear tetrahedra whose volumetric energy is that of the mean over a patch
//
// Linear tetrahedra of a nearly incompressible solid lock: there are about five elements per node,
// and each would have to keep its volume. Here groups of elements keep it together. With the law
// W = W' + U(theta), theta the relative volume of an element (J, or R:F - 2 of the corotated laws):
//     (H20) E = sum over elements of V W'(F) + sum over patches of V_P U(m)
//     (H21) m = sum over the elements of the patch of V theta / V_P,   V_P the sum of their V
//     (H22) dE/dx_a = sum V (dW'/dF + p dtheta/dF) g_a,   p = U'(m)
//     (H23) d2E/dx2 = that of the elements at constant p, plus U''(m)/V_P v v',   v = sum V
//     dtheta/dx
// Patches (geom/tet_patch.h) share no elements, so that v v' couples the nodes of one patch only.

#ifndef LITHE_LAW_SOLID_MEAN_H
#define LITHE_LAW_SOLID_MEAN_H

#include "geom/tet_patch.h"
#include "law/solid_fast.h"

/// Disjoint groups of elements; every element is in one.
typedef struct LitheTetPatches {
    int32_t count;
    const int32_t *element_start; // [count + 1] first of `elements`
    const int32_t *elements;      // [elements of the mesh]
    const double *volumes;        // [count] at rest [m^3]
    const int32_t *node_start;    // [count + 1] first of `nodes`
    const int32_t *nodes;         // nodes of each patch, ascending
    const int32_t *places;        // [elements of the mesh][4] place of a node in those of the patch
    const int64_t *entry_start;   // [count + 1] first of `entries`
    const int32_t *entries;       // entries of the matrix of all pairs a >= b of nodes of a patch
} LitheTetPatches;

/// As lithe_tets_evaluate, by (H20) to (H23). `pressures` [elements] receives U'(m) of the
/// patch of each; it may be NULL when neither gradient nor values are computed.
double lithe_tets_evaluate_mean(const LitheTets *tets, const LitheTetPatches *patches,
                                const double *x, LitheTetTerms *terms, double *pressures);

#endif
