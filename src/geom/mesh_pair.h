// SPDX-License-Identifier: Apache-2.0
// geom/mesh_pair.h - two triangle meshes: pairs of triangles, distance, contact points
//
// A mesh is a set of arrays (points, triangles, neighbours, a tree of boxes). It does not matter
// where the points come from: those of a rigid mesh lie in its own frame, and a LitheMeshPair says
// where the second frame is; a surface that deforms gives its points in the world and the identity.

#ifndef LITHE_GEOM_MESH_PAIR_H
#define LITHE_GEOM_MESH_PAIR_H

#include "geom/distance.h"

/// Two meshes, the second at x -> r x + at in the frame of the first.
typedef struct LitheMeshPair {
    const LitheMesh *a, *b;
    Mat3 r;
    Vec3 at;
} LitheMeshPair;

LitheMeshPair lithe_mesh_pair(const LitheMesh *a, const LithePose *pa, const LitheMesh *b,
                              const LithePose *pb);

/// The same pair seen from b.
LitheMeshPair lithe_mesh_pair_swap(const LitheMeshPair *pair);

static inline Vec3 mesh_pair_point(const LitheMeshPair *pair, Vec3 x) {
    return v3_add(pair->at, m3_apply(pair->r, x));
}

static inline Vec3 mesh_pair_back(const LitheMeshPair *pair, Vec3 x) {
    return m3_apply_transposed(&pair->r, v3_sub(x, pair->at));
}

/// Corners of a triangle of a, or of b in the frame of a.
static inline void mesh_pair_corners(const LitheMeshPair *pair, bool of_b, int32_t triangle,
                                     Vec3 out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = of_b ? mesh_pair_point(pair, mesh_corner(pair->b, triangle, k))
                      : mesh_corner(pair->a, triangle, k);
}

// --- triangles -----------------------------------------------------------------------------------

/// Distance of two triangles with its points; 0 where they intersect.
double lithe_triangle_distance(const Vec3 p[3], const Vec3 q[3], Vec3 *on_p, Vec3 *on_q);

/// Whether the segment from x to y passes through the inside of a triangle, and where.
bool lithe_triangle_pierced(Vec3 x, Vec3 y, const Vec3 q[3], Vec3 *at);

/// Whether boxes or planes (unit normals n and m) show that two triangles are farther apart than
/// `within` >= 0. False: they may be nearer.
bool lithe_triangles_far(const Vec3 p[3], Vec3 n, const Vec3 q[3], Vec3 m, double within);

/// Calls `visit` for pairs of triangles (of a, of b) whose boxes come nearer than *within, in a
/// fixed order, near boxes first; visit may lower *within, below 0 to end.
typedef void LitheTrianglesFn(int32_t a, int32_t b, void *user);
void lithe_mesh_visit_pairs(const LitheMeshPair *pair, const double *within,
                            LitheTrianglesFn *visit, void *user);

// --- meshes --------------------------------------------------------------------------------------

/// Distance of the surfaces, >= 0, where it is below `within`: true, with the nearest points in the
/// frame of a. Where one mesh lies inside the other one, this is the distance to the surface of the
/// outer one.
bool lithe_mesh_distance(const LitheMeshPair *pair, double within, LitheCoreDistance *out);

/// Contact points, with a gap below `margin`, of two closed meshes or a closed mesh and a
/// heightfield, in the frame of a. Returns their number, at most LITHE_CONTACTS_MAX.
int lithe_mesh_contacts(const LitheMeshPair *pair, double margin,
                        LitheContactPoint out[LITHE_CONTACTS_MAX]);

#endif
