// SPDX-License-Identifier: Apache-2.0
// collide/patch_polygon.h - a patch that is being found: its polygons become points
//
// docs/theory/patches.md.

#ifndef LITHE_COLLIDE_PATCH_POLYGON_H
#define LITHE_COLLIDE_PATCH_POLYGON_H

#include "collide/narrow.h"

/// Points of a patch that slides and turns whose friction has factors: more are as good as the
/// area.
enum { LITHE_PATCH_FACTORS = 1024 };

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
    bool found;             // which round shapes have elements of their own, (PF37), is known
    bool round[2];          // of a and b
    int32_t elements[2];    // in the scratch, those of a first
    LitheSlidePlane plane;  // of a patch that slides and turns
    bool rubs;              // friction of polygons is added to `rub`
    LitheRub rub;           // friction of the patch over mu, (PF36) [N, N m]; area 0: not known
} LithePatchFinder;

/// (PF8) Adds the three points of a polygon, or more of one that is long against `limit`, (PF35);
/// none where a tie excludes it, and between neighbours on a rod.
void lithe_patch_add_polygon(LithePatchFinder *p, const LithePolygon *polygon);

/// (PF35) Sets the limits of a patch whose polygons, three points each, have been found; false:
/// none is long.
bool lithe_patch_find_limits(LithePatchFinder *p);

/// (PF36) Whether the patch is flat, and slides and turns: then sets `plane`.
bool lithe_patch_slides(LithePatchFinder *p);

/// (PF36) Adds the friction of a triangle in the frame of polygons, with the pressures at its
/// corners.
void lithe_patch_add_friction(LithePatchFinder *p, const Vec3 corner[3], const double pressure[3]);

/// (PF36) Factors [count] of the points that are left, such that together they have this friction.
/// False: all are 1.
bool lithe_patch_factors(const LithePatchFinder *p, double factor[LITHE_PATCH_FACTORS]);

#endif
