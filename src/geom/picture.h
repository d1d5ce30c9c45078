// SPDX-License-Identifier: Apache-2.0
// geom/picture.h - projection of a curve along one direction: its crossings

#ifndef LITHE_GEOM_PICTURE_H
#define LITHE_GEOM_PICTURE_H

#include "lithe/base.h"
#include "math/vec3.h"

/// A point of the curve; depth grows towards the eye.
typedef struct LitheSeen {
    double x, y, depth;
} LitheSeen;

/// One of the two passages of a crossing.
typedef struct LithePassage {
    double at;    // segment index plus parameter along it
    double other; // the same of the other passage
    int32_t crossing;
    bool over;
    bool right; // the crossing turns like a right-handed screw: sign +1
} LithePassage;

/// Work for one curve, in units of about a nanosecond: a coil of 900 edges with 87 000 crossings
/// takes a quarter of it.
#define LITHE_PICTURE_WORK 400000000

/// Initialise with {.context = context, .work = LITHE_PICTURE_WORK}; always release it.
typedef struct LithePicture {
    LitheContext *context;
    int64_t work; // that may still be done; 0 or less: given up
    bool closed;
    int32_t point_count;    // of the curve
    LitheSeen *seen;        // [seen_count] open: far end, points, far end; closed: last, points
    int32_t seen_count;     // of segments plus one
    LithePassage *passages; // [passage_count] along the curve: cyclic, each crossing twice
    int32_t passage_count, passage_capacity;
} LithePicture;

/// Projects a polyline of at least 2 points along a direction in which every crossing is clear.
/// An open one is closed far away: both ends are extended straight, away from the centre of the
/// curve's box, and joined far outside.
/// LITHE_BAD_INPUT: the curve meets itself, or a point is not finite. LITHE_NOT_SUPPORTED: the work
/// was used up.
LitheStatus lithe_picture_take(LithePicture *picture, const Vec3 *points, int32_t count,
                               bool closed, LitheError *error);
void lithe_picture_release(LithePicture *picture);

#endif
