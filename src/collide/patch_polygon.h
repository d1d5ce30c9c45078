// SPDX-License-Identifier: Apache-2.0
// collide/patch_polygon.h - a patch that is being found: its polygons become points
//
// docs/theory/patches.md.

#ifndef LITHE_COLLIDE_PATCH_POLYGON_H
#define LITHE_COLLIDE_PATCH_POLYGON_H

#include "collide/narrow.h"

typedef struct LithePatchFinder {
    LitheNarrow *n;
    LithePartPair pair;
    const LithePose *frame; // of the polygons; NULL: the world
    double sign;            // 1: normals of polygons point from a to b
    double dissipation[2];  // of the sides that polygons have as first and as second
    double depth;           // relative depth times the half thickness, of both sides [m/Pa]
    double limit;           // longest edge of a part of a polygon, (PF35) [m]
    double least;           // force of a polygon that is divided [N]
    int32_t count;          // points
} LithePatchFinder;

/// (PF8) Adds the three points of a polygon, or more of one that is long against `limit`, (PF35);
/// none where a tie excludes it, and between neighbours on a rod.
void lithe_patch_add_polygon(LithePatchFinder *p, const LithePolygon *polygon);

/// (PF35) Sets the limits of a patch whose polygons, three points each, have been found; false:
/// none is long.
bool lithe_patch_find_limits(LithePatchFinder *p);

#endif
