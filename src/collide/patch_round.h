// SPDX-License-Identifier: Apache-2.0
// collide/patch_round.h - the field of a round shape where it touches something convex
//
// docs/theory/patches.md, "Round shapes".

#ifndef LITHE_COLLIDE_PATCH_ROUND_H
#define LITHE_COLLIDE_PATCH_ROUND_H

#include "collide/patch_polygon.h"

/// A side of a pair of shapes.
typedef struct LitheRoundSide {
    const LitheModelGeom *geom;
    const LithePose *pose;
} LitheRoundSide;

/// What touches a round shape, in the frame of the shape: it lies in u . x >= level.
typedef struct LitheRoundPlane {
    Vec3 u;        // unit
    double level;  // [m]
    double radius; // of a round one; INFINITY: flat [m]
} LitheRoundPlane;

/// Whether the elements of `shape` against `other` are made where they touch, (PF37): the sectors
/// of its field are wide against the patch. Sets `plane`.
bool lithe_round_applies(const LitheRoundSide *shape, const LitheRoundSide *other,
                         LitheRoundPlane *plane);

/// (PF38) The elements that reach beyond the plane, in the frame `to`, appended to the scratch at
/// `first`. Returns their number.
int32_t lithe_round_elements(LitheNarrow *n, const LitheModelGeom *geom,
                             const LitheRoundPlane *plane, const LithePose *to, int32_t first);

#endif
