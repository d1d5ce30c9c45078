// SPDX-License-Identifier: Apache-2.0
// geom/panel.h - a face of a box, and the part of a triangle that is over it

#ifndef LITHE_GEOM_PANEL_H
#define LITHE_GEOM_PANEL_H

#include "geom/shape.h"

/// The most corners that the part of a triangle over a panel can have.
enum { LITHE_COVER_MAX = 7 };

/// A face of a box.
typedef struct LithePanel {
    Vec3 at;         // its middle [m]
    Vec3 u, v;       // unit vectors along its sides
    Vec3 normal;     // unit, outwards
    double half[2];  // half its size along u and v [m]
    uint32_t number; // 0 to 5
} LithePanel;

/// A corner of the part of a triangle over a panel.
typedef struct LitheCoverCorner {
    int at;           // LITHE_AT_CORNER + k, LITHE_AT_EDGE + k or LITHE_AT_INSIDE of the triangle
    uint32_t feature; // not a corner of the triangle: which side or corner of the box it is on, > 0
    double x[2];      // along u and v, from the middle of the panel [m]
    double area;      // share in the area, across the normal of the panel [m^2]
} LitheCoverCorner;

/// The face of a box whose outer normal is nearest to `direction` (any length).
LithePanel lithe_panel_of(const LitheGeom *box, const LithePose *pose, Vec3 direction);

/// Corners of the part of a triangle that is over (or under) the panel, seen along its normal, and
/// their shares in its area: (SC27), (SC2). *whole gets the area of the triangle seen so [m^2].
/// Returns the number of corners; 0: no area is.
int lithe_panel_cover(const LithePanel *panel, const Vec3 t[3],
                      LitheCoverCorner out[LITHE_COVER_MAX], double *whole);

/// Point of the panel at a corner.
static inline Vec3 lithe_panel_point(const LithePanel *panel, const double x[2]) {
    return v3_axpy(x[0], panel->u, v3_axpy(x[1], panel->v, panel->at));
}

#endif
