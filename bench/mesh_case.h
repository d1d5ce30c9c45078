// SPDX-License-Identifier: Apache-2.0
// bench/mesh_case.h - matrices of meshes: tetrahedra on a cubic grid, a shell on a square one

#ifndef LITHE_BENCH_MESH_CASE_H
#define LITHE_BENCH_MESH_CASE_H

#include "sparse/block_factor.h"

typedef struct LitheMeshCase {
    LitheContext *context;
    LitheBlockMatrix *m;
    int32_t *order; // [m->count] by nested dissection
    int32_t *face;  // [face_count] vertices of one face of the cube, or one edge of the shell
    int32_t *patch; // [patch_count] 6 x 6 vertices in the middle of the face, or of the shell
    int32_t face_count, patch_count;
    double *b, *x, *work; // [rows], [rows], [2 rows]
    double order_seconds; // of processor time
} LitheMeshCase;

/// Grid of `n` vertices a side, blocks of 3 x 3, random values, positive definite. Solid: Kuhn's
/// tetrahedra, 14 neighbours a vertex. Shell: triangles with hinges, 12 neighbours. False when out
/// of memory.
bool lithe_mesh_case_open(LitheMeshCase *c, LitheContext *context, int32_t n, bool shell);

void lithe_mesh_case_close(LitheMeshCase *c);

#endif
