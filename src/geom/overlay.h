// SPDX-License-Identifier: Apache-2.0
// geom/overlay.h - two triangles seen along a direction: the polygon that they share

#ifndef LITHE_GEOM_OVERLAY_H
#define LITHE_GEOM_OVERLAY_H

#include "math/vec3.h"

/// The most corners that the polygon can have.
enum { LITHE_OVERLAY_MAX = 6 };

/// A place on a triangle: corner k, the inside of the edge from corner k to the next, the inside.
enum { LITHE_AT_CORNER = 0, LITHE_AT_EDGE = 3, LITHE_AT_INSIDE = 6 };

typedef struct LitheOverlayCorner {
    int on_a, on_b; // LITHE_AT_CORNER + k, LITHE_AT_EDGE + k or LITHE_AT_INSIDE
    double area;    // share in the area of the polygon, across the direction [m^2]
    Vec3 at;        // where it is, in the plane through corner 0 of a across the direction [m]
} LitheOverlayCorner;

/// Whether the triangles a and b surely share nothing when they are seen along a vector of any
/// length; false: they may. For most pairs that are near each other it costs a few comparisons.
bool lithe_overlay_apart(const Vec3 a[3], const Vec3 b[3], Vec3 along);

/// Corners of the polygon that the triangles a and b share when they are seen along the unit vector
/// `along`, and their shares in its area: (SC1), (SC2). Integrals of linear functions over the
/// polygon are the sums over its corners. *width gets its area over its longest diagonal or side
/// [m]. Returns the number of corners; 0: they share no area.
int lithe_overlay(const Vec3 a[3], const Vec3 b[3], Vec3 along,
                  LitheOverlayCorner out[LITHE_OVERLAY_MAX], double *width);

#endif
