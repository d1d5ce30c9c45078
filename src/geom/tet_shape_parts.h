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

/// Node m of ring k of a disc: ring 0 is the centre, ring k has 6 k nodes.
int32_t lithe_tet_ring_node(int32_t k, int32_t m);

/// Number of triangles between ring k - 1 and ring k.
int32_t lithe_tet_ring_triangles(int32_t k);

/// Ring and position of the corners of triangle t of ring k.
void lithe_tet_ring_triangle(int32_t k, int32_t t, int32_t at[3][2]);

/// Adds the prism over a triangle of a disc between two layers, whose nodes are those of the disc
/// plus `low` and `high`. Each layer has to be the mirror image of the next one.
void lithe_tet_add_disc_prism(LitheTetMaker *maker, const int32_t at[3][2], int32_t low,
                              int32_t high);

LitheStatus lithe_tet_make_ball(LitheTetMaker *maker, const LitheTetShape *shape);
LitheStatus lithe_tet_make_hollow_ball(LitheTetMaker *maker, const LitheTetShape *shape);
LitheStatus lithe_tet_make_arch(LitheTetMaker *maker, const LitheTetShape *shape);

/// Bellows (tet_shape_bellows.c): sizes that are positive are checked for making sense together;
/// the nearest point of its inner or outer surface.
LitheStatus lithe_tet_check_bellows(const LitheTetShape *shape, LitheError *error);
LitheStatus lithe_tet_make_bellows(LitheTetMaker *maker, const LitheTetShape *shape);
double lithe_tet_bellows_volume(const LitheTetShape *shape);
Vec3 lithe_tet_bellows_project(const LitheTetShape *shape, bool inner, Vec3 x);

/// Fingers (tet_shape_finger.c): sizes that are positive are checked for making sense together.
LitheStatus lithe_tet_check_finger(const LitheTetShape *shape, LitheError *error);
LitheStatus lithe_tet_make_finger(LitheTetMaker *maker, const LitheTetShape *shape);
double lithe_tet_finger_volume(const LitheTetShape *shape);

#endif
