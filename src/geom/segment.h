// SPDX-License-Identifier: Apache-2.0
// geom/segment.h - closest points of two segments

#ifndef LITHE_GEOM_SEGMENT_H
#define LITHE_GEOM_SEGMENT_H

#include "math/vec3.h"

/// The points a0 + s (a1 - a0) and b0 + t (b1 - b0) that are nearest to each other.
typedef struct LitheSegmentPair {
    double distance; // [m]
    double s, t;     // in [0, 1]
} LitheSegmentPair;

/// Any finite input: segments may be parallel, shrunk to points, touching or crossing. Where many
/// pairs are equally near (parallel segments), an end point of one of the segments is returned.
LitheSegmentPair lithe_segment_closest(Vec3 a0, Vec3 a1, Vec3 b0, Vec3 b1);

#endif
