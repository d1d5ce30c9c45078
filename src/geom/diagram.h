// SPDX-License-Identifier: Apache-2.0
// geom/diagram.h - knot diagram: the projection of a curve along one direction, with its crossings

#ifndef LITHE_GEOM_DIAGRAM_H
#define LITHE_GEOM_DIAGRAM_H

#include "lithe/base.h"
#include "math/vec3.h"

/// A point of the curve in the plane of projection; depth grows towards the viewer.
typedef struct LitheProjectedPoint {
    double x, y, depth;
} LitheProjectedPoint;

/// One of the two passages of a crossing.
typedef struct LithePassage {
    double at;    // segment index plus parameter along it
    double other; // `at` of the other passage
    int32_t crossing;
    bool over;
    bool right; // the crossing turns like a right-handed screw: sign +1
} LithePassage;

/// Work for one curve, in units of about a nanosecond: a coil of 900 edges with 87 000 crossings
/// takes a quarter of it.
#define LITHE_DIAGRAM_WORK 400000000

/// Initialise with {.context = context, .work = LITHE_DIAGRAM_WORK}; always release it.
typedef struct LitheDiagram {
    LitheContext *context;
    int64_t work; // work that may still be done; 0 or less: given up
    bool closed;
    int32_t point_count; // of the curve
    // [projected_count] open: far end, points, far end; closed: last point, points
    LitheProjectedPoint *projected;
    int32_t projected_count; // number of segments plus one
    LithePassage *passages;  // [passage_count] along the curve: cyclic, each crossing twice
    int32_t passage_count, passage_capacity;
} LitheDiagram;

/// Projects a polyline of at least 2 points along a direction in which every crossing is clear.
/// An open one is closed far away: both ends are extended straight, away from the centre of the
/// curve's box, and joined far outside. LITHE_BAD_INPUT: the curve intersects itself, or a point is
/// not finite. LITHE_NOT_SUPPORTED: the work was used up.
LitheStatus lithe_diagram_project(LitheDiagram *diagram, const Vec3 *points, int32_t count,
                                  bool closed, LitheError *error);
void lithe_diagram_release(LitheDiagram *diagram);

#endif
