// SPDX-License-Identifier: Apache-2.0
// geom/crossing.h - whether two objects passed through each other while they moved
//
// Times run from 0 (start of the motion) to 1. The tests are conservative: a distance below the
// rounding of the coordinates counts as a crossing, so that none is missed.

#ifndef LITHE_GEOM_CROSSING_H
#define LITHE_GEOM_CROSSING_H

#include "geom/distance.h"

/// A point that moves from x0 to x1 at constant velocity.
typedef struct LitheMovingPoint {
    Vec3 x0, x1;
} LitheMovingPoint;

/// Two segments a and b whose ends move. True: they met, first at *time.
bool lithe_crossing_segments(const LitheMovingPoint a[2], const LitheMovingPoint b[2],
                             double *time);

/// Pairs of segments of an open polyline, except neighbours, that met while its points moved from
/// `before` to `after` [count]. 0 certifies that the motion kept the knot.
int32_t lithe_crossing_curve(const Vec3 *before, const Vec3 *after, int32_t count);

/// A point and a triangle whose corners move.
bool lithe_crossing_point_triangle(const LitheMovingPoint *p, const LitheMovingPoint triangle[3],
                                   double *time);

/// A segment and a triangle: its ends against the face, and itself against the three edges.
bool lithe_crossing_segment_triangle(const LitheMovingPoint a[2],
                                     const LitheMovingPoint triangle[3], double *time);

/// Two shapes that move from their first to their second pose, each at constant velocity and
/// angular velocity (the shorter rotation). True: they came nearer than `gap` (> 0), first at or
/// just after *time.
bool lithe_crossing_shapes(const LitheGeom *a, const LithePose pa[2], const LitheGeom *b,
                           const LithePose pb[2], double gap, double *time);

/// A round segment with moving ends against a shape that moves and rotates.
bool lithe_crossing_segment_shape(const LitheMovingPoint a[2], double radius, const LitheGeom *b,
                                  const LithePose pb[2], double gap, double *time);

#endif
