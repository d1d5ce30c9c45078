// SPDX-License-Identifier: Apache-2.0
// geom/ray.h - first hit of a ray with a shape

#ifndef LITHE_GEOM_RAY_H
#define LITHE_GEOM_RAY_H

#include "geom/distance.h"

typedef struct LitheRayHit {
    double distance; // along the ray from its origin [m]
    Vec3 point;      // [m]
    Vec3 normal;     // unit, outward
    int32_t piece;   // triangle of a mesh or heightfield; else 0
} LitheRayHit;

/// First place where the ray from `origin` along the unit `direction` enters the shape's surface
/// from outside, within `longest` [m]. A ray that starts inside a solid does not hit its surface
/// from inside; a mesh that is not closed is hit from both sides (normal towards the origin).
/// False: none.
bool lithe_geom_ray(const LitheGeom *geom, const LithePose *pose, Vec3 origin, Vec3 direction,
                    double longest, LitheRayHit *out);

#endif
