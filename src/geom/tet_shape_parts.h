// SPDX-License-Identifier: Apache-2.0
// geom/tet_shape_parts.h - common parts of the generators of tetrahedral meshes

#ifndef LITHE_GEOM_TET_SHAPE_PARTS_H
#define LITHE_GEOM_TET_SHAPE_PARTS_H

#include "geom/tet_shape.h"

/// A mesh being made: elements are appended with positive volume.
typedef struct LitheTetMaker {
    LitheContext *context;
    LitheError *error;
    LitheTetMesh mesh;
    int32_t element_count; // so far
    bool *member;          // [node_count] workspace of sets
} LitheTetMaker;

/// Number of divisions of a length: at least `least`, nearest to length / edge.
int32_t lithe_tet_divisions(double length, double edge, int32_t least);

/// Allocates mesh and workspace; the counts are given as numbers that cannot overflow.
LitheStatus lithe_tet_maker_begin(LitheTetMaker *maker, const char *what, double nodes,
                                  double elements);

/// Adds a tetrahedron; its last two corners are exchanged if its volume is negative.
void lithe_tet_maker_add(LitheTetMaker *maker, int32_t a, int32_t b, int32_t c, int32_t d);

/// Adds five tetrahedra of a cell with corners in the order x first, then y, then z; neighbours
/// have the other parity.
void lithe_tet_maker_add_cell(LitheTetMaker *maker, const int32_t corner[8], int parity);

/// Set of the nodes for which `inside` is true.
LitheStatus lithe_tet_maker_set(LitheTetMaker *maker, const char *name,
                                bool (*inside)(const LitheTetShape *shape, Vec3 x),
                                const LitheTetShape *shape);

LitheStatus lithe_tet_make_ball(LitheTetMaker *maker, const LitheTetShape *shape);
LitheStatus lithe_tet_make_hollow_ball(LitheTetMaker *maker, const LitheTetShape *shape);
LitheStatus lithe_tet_make_arch(LitheTetMaker *maker, const LitheTetShape *shape);

#endif
