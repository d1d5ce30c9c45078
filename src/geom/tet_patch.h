// SPDX-License-Identifier: Apache-2.0
// geom/tet_patch.h - disjoint groups of a few neighbouring tetrahedra

#ifndef LITHE_GEOM_TET_PATCH_H
#define LITHE_GEOM_TET_PATCH_H

#include "geom/tet_mesh.h"

/// Elements of a patch: with five there are as many patches as nodes, and three degrees of freedom
/// per patch, which is the ratio of the continuum. Fewer lock, more are too soft.
enum { LITHE_PATCH_ELEMENTS = 5 };

/// Max elements of a patch, and its max nodes: each element brings at most one to those of a face.
enum { LITHE_PATCH_MOST = 3 * LITHE_PATCH_ELEMENTS, LITHE_PATCH_NODES = LITHE_PATCH_MOST + 3 };

/// Puts every element into a patch of about LITHE_PATCH_ELEMENTS that are joined by faces, compact
/// ones first: in a box the five elements of each cell. `patch_of` [element_count] receives the
/// patches, numbered by their first element; returns their number, or -1 when out of memory. A pure
/// function of the mesh.
int32_t lithe_tet_patches(LitheContext *context, const LitheTetMesh *mesh, int32_t *patch_of);

#endif
