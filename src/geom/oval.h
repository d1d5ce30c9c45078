// SPDX-License-Identifier: Apache-2.0
// geom/oval.h - an elliptic segment of a rod: a cylinder with an elliptic section and flat ends

#ifndef LITHE_GEOM_OVAL_H
#define LITHE_GEOM_OVAL_H

#include "geom/shape.h"

/// Continues LitheGeomKind after LITHE_GEOM_SEGMENT: an elliptic cylinder about z with the half
/// axes and half of the length in `half`.
enum { LITHE_GEOM_OVAL = 80 };

/// A segment from p to q, `width` along `director` and `height` along the third direction are the
/// axes of its section. `pose` receives its pose.
LitheGeom lithe_geom_oval(Vec3 p, Vec3 q, Vec3 director, double width, double height,
                          LithePose *pose);

/// (24) The point of an elliptic cylinder about z that lies farthest along d.
static inline Vec3 support_oval(Vec3 half, Vec3 d) {
    double x = half.x * d.x, y = half.y * d.y, size = sqrt(x * x + y * y);
    double scale = size > 0 ? 1 / size : 0;
    return v3(half.x * x * scale, half.y * y * scale, copysign(half.z, d.z));
}

#endif
