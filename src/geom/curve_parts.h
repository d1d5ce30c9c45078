// SPDX-License-Identifier: Apache-2.0
// geom/curve_parts.h - the curves that need more than a formula: spline, catenary, path, points in
// a file

#ifndef LITHE_GEOM_CURVE_PARTS_H
#define LITHE_GEOM_CURVE_PARTS_H

#include "lithe/base.h"
#include "lithe/shape.h"
#include "math/vec3.h"

/// Cubic spline through points, natural or periodic, with its arc length.
typedef struct LitheSpline {
    int32_t count;  // of pieces
    Vec3 *points;   // [count + 1] [m]
    Vec3 *second;   // [count + 1] second derivative by the parameter
    double *widths; // [count] parameter length of a piece: its chord [m]
    double *arc;    // [count + 1] arc length up to each point [m]
} LitheSpline;

/// Consecutive points must differ; at least 2, closed 3. Copies the points.
LitheStatus lithe_spline_create(LitheContext *context, const Vec3 *points, int32_t point_count,
                                bool closed, LitheSpline *spline, LitheError *error);
void lithe_spline_destroy(LitheContext *context, LitheSpline *spline);

/// Point and unit tangent at arc length s in [0, arc[count]].
Vec3 lithe_spline_at(const LitheSpline *spline, double s, Vec3 *tangent);

/// A chain at rest under gravity along -z.
typedef struct LitheCatenary {
    Vec3 from;
    Vec3 across; // horizontal unit vector towards the other end
    double a;    // horizontal tension over weight per length [m]
    double u0;   // x/a of the start, counted from the lowest point
} LitheCatenary;

LitheStatus lithe_catenary_solve(Vec3 from, Vec3 to, double length, LitheCatenary *catenary,
                                 LitheError *error);

/// Point and unit tangent at arc length s from the start.
Vec3 lithe_catenary_at(const LitheCatenary *catenary, double s, Vec3 *tangent);

/// One piece of a path, with its position in space.
typedef struct LithePathLeg {
    Vec3 start;       // [m]
    double heading;   // at the start, from x towards y [rad]
    double curvature; // of the projection to the xy plane, > 0 to the left [1/m]
    double plan;      // length of that projection [m]
    double climb;     // [m]
    double slope[2];  // of the height, at both ends
    double arc;       // arc length of the path up to the start of this piece [m]
    double length;    // of this piece [m]
} LithePathLeg;

typedef struct LithePath {
    int32_t count;
    LithePathLeg *legs; // [count]
    double length;      // [m]
} LithePath;

/// A closed path must end where it begins, in the same direction.
LitheStatus lithe_path_create(LitheContext *context, const LithePathPiece *pieces, int32_t count,
                              bool closed, LithePath *path, LitheError *error);
void lithe_path_destroy(LitheContext *context, LithePath *path);

/// Point and unit tangent at arc length s in [0, length].
Vec3 lithe_path_at(const LithePath *path, double s, Vec3 *tangent);

/// Points of a text file: three numbers per line. Blank lines and what follows # are skipped. The
/// caller frees `*points`.
LitheStatus lithe_curve_read(LitheContext *context, const char *path, Vec3 **points, int32_t *count,
                             LitheError *error);

#endif
