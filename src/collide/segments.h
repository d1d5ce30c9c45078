// SPDX-License-Identifier: Apache-2.0
// collide/segments.h - closest points of many pairs of edges, on vectors

#ifndef LITHE_COLLIDE_SEGMENTS_H
#define LITHE_COLLIDE_SEGMENTS_H

#include "collide/narrow.h"

// squared sine of the angle below which two segments touch along a line, not at a point: 10 degrees
#define LITHE_PARALLEL 0.03
// sine of the slope up to which an edge counts as parallel to the surface: rounding of a normal
#define LITHE_LEVEL 1e-9

/// The closest points of a pair.
typedef struct LitheSegmentPoint {
    int32_t pair; // its number
    double s, t;  // parameters of the points
} LitheSegmentPoint;

/// The pairs within reach whose closest points are local minima, as far as the neighbouring edges
/// tell, in their order, and pairs that are decided otherwise (bars, parallel edges); with `single`
/// all within reach. `pairs` [a multiple of 4] has edges a < b, of which the first `count` matter.
/// Returns the number of `points`. All implementations give the same bits.
typedef int LitheSegmentsFn(const LitheContacts *c, double margin, bool single, int count,
                            LithePartPair *pairs, LitheSegmentPoint *points);

LitheSegmentsFn lithe_segments_portable;
#if defined(__x86_64__)
LitheSegmentsFn lithe_segments_avx2;
#endif

#endif
