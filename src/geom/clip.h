// SPDX-License-Identifier: Apache-2.0
// geom/clip.h - polygons of a contact patch: where the pressures of two tetrahedra are equal, and
// where a rigid surface cuts a tetrahedron
//
// Formulas (PF1) to (PF8): docs/theory/patches.md. Nothing here allocates.

#ifndef LITHE_GEOM_CLIP_H
#define LITHE_GEOM_CLIP_H

#include "math/vec3.h"

#include <stdint.h>

/// Corners of a polygon of two tetrahedra: four of the cut, and one more per face of the other.
enum { LITHE_POLYGON_MAX = 8 };

/// A tetrahedron with a linear pressure.
typedef struct LitheFieldTet {
    Vec3 x[4];          // corners [m]
    Vec3 face[4];       // gradients of the barycentric coordinates [1/m]
    Vec3 slope;         // gradient of the pressure [Pa/m]
    double pressure;    // at x[0] [Pa]
    double corner[4];   // pressures at the corners [Pa]
    double lanes[3][4]; // corners again, by their coordinates [m]
    double least;       // area below which a polygon is dropped [m^2]
} LitheFieldTet;

/// A plane polygon of a patch. The pressure is linear on it.
typedef struct LithePolygon {
    // corners by their coordinates; the first one again in place of those from `count` on [m]
    double x[3][LITHE_POLYGON_MAX];
    int32_t count;
    Vec3 normal;      // unit
    Vec3 centre;      // centroid [m]
    double area;      // > 0 [m^2]
    double pressure;  // at the centroid, >= 0 [Pa]
    Vec3 slope;       // gradient of the pressure; only its part in the plane counts [Pa/m]
    double stiffness; // pressure per approach, >= 0 [Pa/m] (PF6)
    double share;     // of the approach that the first side takes, 0 to 1: of two tetrahedra (PF6)
} LithePolygon;

static inline Vec3 polygon_corner(const LithePolygon *p, int k) {
    return v3(p->x[0][k], p->x[1][k], p->x[2][k]);
}

/// Fills `tet` from corners [4] and pressures [4]; either orientation. False: it has no volume.
bool lithe_field_tet(const Vec3 *x, const double *pressure, LitheFieldTet *tet);

/// Pressure of the linear function of a tetrahedron at x.
static inline double field_tet_pressure(const LitheFieldTet *tet, Vec3 x) {
    return tet->pressure + v3_dot(tet->slope, v3_sub(x, tet->x[0]));
}

/// Polygon on which the pressures of a and b are equal; its normal points from a to b. False: none.
bool lithe_clip_tets(const LitheFieldTet *a, const LitheFieldTet *b, LithePolygon *out);

/// Part of the triangle t [3] of a rigid surface in the tetrahedron; the normal is `normal`, which
/// points out of the rigid body (unit). False: none.
bool lithe_clip_triangle(const LitheFieldTet *tet, const Vec3 *t, Vec3 normal, LithePolygon *out);

/// Cut of the plane normal . x = offset, the surface of a rigid half-space with the outer normal
/// `normal`. False: none.
bool lithe_clip_plane(const LitheFieldTet *tet, Vec3 normal, double offset, LithePolygon *out);

/// Three points, each of a third of the area, that have the area, centroid and second moments of
/// the polygon (PF8).
void lithe_polygon_points(const LithePolygon *polygon, Vec3 points[3]);

#endif
