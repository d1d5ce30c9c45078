// SPDX-License-Identifier: Apache-2.0
// geom/mesh.h - convex hulls, and triangle meshes with a tree of boxes

#ifndef LITHE_GEOM_MESH_H
#define LITHE_GEOM_MESH_H

#include "lithe/base.h"
#include "math/vec3.h"

/// A convex polyhedron with merged faces. One block of memory.
typedef struct LitheHull {
    int32_t point_count, face_count;
    Vec3 *points;         // [point_count] its corners
    int32_t *face_start;  // [face_count + 1] into face_points
    int32_t *face_points; // counter-clockwise from outside
    Vec3 *face_normal;    // [face_count] unit, outward
    double *face_offset;  // [face_count] normal . x <= offset inside
} LitheHull;

/// Hull of `points` [count]. Points nearer to it than 1e-12 of its size count as inside; faces
/// that agree to 1e-9 are merged. Refused: fewer than four points, points in one plane.
LitheStatus lithe_hull_create(LitheContext *context, const Vec3 *points, int32_t count,
                              LitheHull **out, LitheError *error);
void lithe_hull_destroy(LitheContext *context, LitheHull *hull);

typedef struct LitheBox {
    Vec3 low, high;
} LitheBox;

/// Node of a tree of boxes: a leaf holds `count` > 0 triangles order[first ..]; an inner node has
/// its children at `first` and `first + 1`.
typedef struct LitheBoxNode {
    LitheBox box;
    int32_t first, count;
} LitheBoxNode;

/// Triangles, counter-clockwise from outside.
typedef struct LitheMesh {
    int32_t point_count, triangle_count, node_count;
    Vec3 *points;          // [point_count]
    int32_t *triangles;    // [triangle_count][3]
    Vec3 *normals;         // [triangle_count] unit
    int32_t *neighbours;   // [triangle_count][3] across edge k (corner k to k + 1); -1: border
    Vec3 *point_normals;   // [point_count] sum of normals weighted by angle
    int32_t *point_owner;  // [point_count] the first triangle that has it as a corner; -1: none
    LitheBoxNode *nodes;   // [node_count] root first
    int32_t *order;        // [triangle_count] triangles in the order of the leaves
    bool closed;           // no border: it bounds a solid
    bool below;            // heightfield: solid below
    int32_t rows, columns; // heightfield
} LitheMesh;

/// Checks and copies; see lithe_geom_compile. `triangles` [triangle_count][3].
LitheStatus lithe_mesh_create(LitheContext *context, const Vec3 *points, int32_t point_count,
                              const int32_t *triangles, int32_t triangle_count, LitheMesh **out,
                              LitheError *error);

/// `heights` [rows][columns] over a centred rectangle of size_x by size_y, two triangles per cell.
LitheStatus lithe_mesh_create_heightfield(LitheContext *context, const double *heights,
                                          int32_t rows, int32_t columns, double size_x,
                                          double size_y, LitheMesh **out, LitheError *error);
void lithe_mesh_destroy(LitheContext *context, LitheMesh *mesh);

/// Builds nodes [2*triangle_count - 1] and order; returns the number of nodes. `centres`
/// [triangle_count] is workspace.
int32_t lithe_mesh_tree_build(const Vec3 *points, const int32_t *triangles, int32_t triangle_count,
                              LitheBoxNode *nodes, int32_t *order, Vec3 *centres);

/// Halves a set of things along the widest extent of their centres, which must be finite: the
/// numbers in order [count > 0] are exchanged so that those of the `half` lowest centres come
/// first. by_number: of equal centres the one with the lower number is the lower one.
void lithe_halve(const Vec3 *centres, int32_t *order, int32_t count, int32_t half, bool by_number);

/// Max depth of a tree: twice what halving gives with 2^31 triangles.
enum { LITHE_TREE_STACK = 64 };

static inline Vec3 mesh_corner(const LitheMesh *mesh, int32_t triangle, int k) {
    return mesh->points[mesh->triangles[3 * triangle + k]];
}

static inline Vec3 v3_min(Vec3 a, Vec3 b) {
    return (Vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline Vec3 v3_max(Vec3 a, Vec3 b) {
    return (Vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

/// Squared distance of two boxes; 0 where they overlap.
static inline double box_distance2(const LitheBox *a, const LitheBox *b) {
    Vec3 zero = {0, 0, 0};
    Vec3 gap = v3_max(zero, v3_max(v3_sub(a->low, b->high), v3_sub(b->low, a->high)));
    return v3_dot(gap, gap);
}

/// Nearest point of a mesh.
typedef struct LitheMeshPoint {
    double distance; // >= 0 [m]
    Vec3 point;
    int32_t triangle;
    int32_t feature; // 0-2: corner; 3-5: edge from that corner; 6: inside
    bool inside;     // the solid; never for open meshes other than heightfields
} LitheMeshPoint;

/// Nearest point of the mesh to x among those nearer than `within` (INFINITY: any). False when none
/// is. Ties go to the lowest triangle.
bool lithe_mesh_nearest(const LitheMesh *mesh, Vec3 x, double within, LitheMeshPoint *out);

/// Distance from x along the unit `direction` at which a ray first leaves the mesh; *triangle (may
/// be NULL) gets the triangle there. If the ray does not leave within `longest`: `longest`, and -1
/// in *triangle. Triangles nearer than 1e-9 of `longest` are ignored: x may lie on the surface.
double lithe_mesh_exit(const LitheMesh *mesh, Vec3 x, Vec3 direction, double longest,
                       int32_t *triangle);

/// Point of triangle p q r nearest to x; `feature` as in LitheMeshPoint (may be NULL).
Vec3 lithe_triangle_nearest(Vec3 p, Vec3 q, Vec3 r, Vec3 x, int32_t *feature);

#endif
