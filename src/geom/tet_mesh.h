// SPDX-License-Identifier: Apache-2.0
// geom/tet_mesh.h - tetrahedral meshes: nodes, elements, named sets of nodes, their surface

#ifndef LITHE_GEOM_TET_MESH_H
#define LITHE_GEOM_TET_MESH_H

#include "lithe/base.h"
#include "math/vec3.h"

/// Max number of nodes and of elements: all indices, also those of 10 nodes per element, fit into
/// 32 bits.
#define LITHE_TET_MAX 20000000

/// A named group of nodes.
typedef struct LitheTetSet {
    char *name;
    int32_t *nodes; // [count] ascending
    int32_t count;
} LitheTetSet;

/// Tetrahedra of positive volume: seen from corner 3, the corners 0, 1, 2 run clockwise; in other
/// words (x1 - x0) x (x2 - x0) . (x3 - x0) > 0. Quadratic elements have their six midpoints after
/// the corners, in the order of VTK: of the edges 01 12 02 03 13 23.
typedef struct LitheTetMesh {
    int32_t node_count, element_count;
    int32_t nodes_per_element; // 4 or 10
    Vec3 *nodes;               // [node_count] [m]
    int32_t *elements;         // [element_count][nodes_per_element]
    LitheTetSet *sets;         // [set_count]
    int32_t set_count;
    int64_t *labels; // [node_count] numbers of the nodes in their file; NULL: their indices
} LitheTetMesh;

/// Frees what `mesh` refers to and zeroes it. Accepts a zeroed mesh.
void lithe_tet_mesh_destroy(LitheContext *context, LitheTetMesh *mesh);

/// Allocates zeroed nodes and elements; no sets. Refused: counts outside 1 to LITHE_TET_MAX.
LitheStatus lithe_tet_mesh_allocate(LitheContext *context, int32_t node_count,
                                    int32_t element_count, int32_t nodes_per_element,
                                    LitheTetMesh *out, LitheError *error);

/// Appends the set of the nodes whose `member` [node_count] is true; it may be empty.
LitheStatus lithe_tet_mesh_add_set(LitheContext *context, LitheTetMesh *mesh, const char *name,
                                   const bool *member, LitheError *error);

/// Number of a node for messages: that of its file, or its index.
static inline int64_t lithe_tet_mesh_label(const LitheTetMesh *mesh, int32_t node) {
    return mesh->labels ? mesh->labels[node] : node;
}

/// NULL: no set of that name.
const LitheTetSet *lithe_tet_mesh_find_set(const LitheTetMesh *mesh, const char *name);

/// A box of `size` [m] about the origin, with divisions[0] x [1] x [2] cells of five tetrahedra
/// each. Neighbouring cells are mirror images, so that no direction of diagonals is preferred; with
/// even divisions the mesh is symmetric about its middle planes. Nodes are numbered along x first,
/// then y, then z. Sets: the faces x-min, x-max, y-min, y-max, z-min, z-max.
LitheStatus lithe_tet_mesh_box(LitheContext *context, Vec3 size, const int32_t divisions[3],
                               LitheTetMesh *out, LitheError *error);

/// The same mesh with straight quadratic elements: the corners keep their numbers, midpoints
/// follow. A midpoint joins a set if a face of the surface with this edge lies in it as a whole;
/// inside of the body, if the set has nodes inside and an element with this edge lies in it.
LitheStatus lithe_tet_mesh_to_quadratic(LitheContext *context, const LitheTetMesh *mesh,
                                        LitheTetMesh *out, LitheError *error);

/// Signed volume of an element [m^3]; of a quadratic one with its curved faces.
double lithe_tet_mesh_element_volume(const LitheTetMesh *mesh, int32_t element);

/// Determinant of the map from barycentric coordinates to a quadratic element `x` [10], at `l`: its
/// mean over the element is 6 volumes.
double lithe_tet_quadratic_det(const Vec3 *x, const double l[4]);

/// Sum of the signed volumes of all elements [m^3].
double lithe_tet_mesh_volume(const LitheTetMesh *mesh);

/// The faces that belong to one element only, in the order of elements.
typedef struct LitheTetSurface {
    int32_t triangle_count;
    int32_t nodes_per_triangle; // 3, or 6: then the midpoints of 01 12 20 follow the corners
    int32_t *triangles; // [triangle_count][nodes_per_triangle] counter-clockwise from outside
    int32_t *elements;  // [triangle_count] the element behind it
} LitheTetSurface;

/// Boundary triangles. Refused, with number and place: a face that three or more elements share,
/// or two elements on the same side of their common face.
LitheStatus lithe_tet_mesh_surface(LitheContext *context, const LitheTetMesh *mesh,
                                   LitheTetSurface *out, LitheError *error);

/// Frees and zeroes. Accepts a zeroed surface.
void lithe_tet_surface_destroy(LitheContext *context, LitheTetSurface *surface);

/// Local nodes of face f of an element, counter-clockwise from outside: three corners, then the
/// midpoints of its edges 01 12 20. Face f is opposite to corner f.
extern const int8_t lithe_tet_faces[4][6];

/// Local corners of edge e in the order of the midpoints: 01 12 02 03 13 23.
extern const int8_t lithe_tet_edges[6][2];

#endif
