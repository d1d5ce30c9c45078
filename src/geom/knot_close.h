// SPDX-License-Identifier: Apache-2.0
// geom/knot_close.h - a closed curve through strands of rods

#ifndef LITHE_GEOM_KNOT_CLOSE_H
#define LITHE_GEOM_KNOT_CLOSE_H

#include "lithe/knot.h"
#include "math/vec3.h"

/// Points of a rod from node `from` to node `to`, in either direction, and how its end is joined to
/// the next strand. On a closed rod equal nodes mean the whole rod.
typedef struct LitheKnotStrand {
    const Vec3 *points; // [count] of the whole rod
    int32_t count;
    bool closed;
    double radius;
    int32_t from, to;
    LitheKnotJoin join;
} LitheKnotStrand;

/// Points that a join adds at most, and those of the curve at most.
enum { LITHE_KNOT_JOIN_POINTS = 4 };
int64_t lithe_knot_close_room(const LitheKnotStrand *strands, int32_t count);

/// Fills `out` and returns the number of points; the last one is joined to the first. `up` is a
/// unit vector. `ends` [count]: index of the last point of each strand.
int32_t lithe_knot_close(const LitheKnotStrand *strands, int32_t count, Vec3 up, Vec3 *out,
                         int32_t *ends);

/// Least distance between the surfaces of the strands and the joining lines of a curve of
/// `point_count` points; where a line leaves a strand it is not compared with the edges nearby.
double lithe_knot_close_gap(const LitheKnotStrand *strands, int32_t count, const Vec3 *points,
                            int32_t point_count, const int32_t *ends);

#endif
