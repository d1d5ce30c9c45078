// SPDX-License-Identifier: Apache-2.0
// geom/linking.h - Gauss' integral of polylines: linking number and writhe

#ifndef LITHE_GEOM_LINKING_H
#define LITHE_GEOM_LINKING_H

#include "geom/diagram.h"
#include "math/vec3.h"

#include <stdint.h>

/// Linking number of two closed polylines (the last point is joined to the first; at least 3
/// points each): the signed number of times that one winds around the other; +1 for two links of a
/// chain that wind like a right-handed screw. Returns false and leaves *number unchanged when the
/// polylines intersect: the number is undefined then.
bool lithe_linking_number(const Vec3 *a, int32_t a_count, const Vec3 *b, int32_t b_count,
                          int64_t *number);

/// Writhe of a polyline: the signed number of crossings in a projection, averaged over all
/// directions. 0 for a planar curve; a mirror image has the opposite sign. Any count is allowed.
double lithe_writhe(const Vec3 *points, int32_t count, bool closed);

/// Writhe computed from one diagram: equal to lithe_writhe up to rounding, in a time proportional
/// to the number of nodes and crossings. NAN when it is undefined: two neighbouring edges coincide,
/// in space or in the projection.
double lithe_writhe_of_diagram(const LitheDiagram *diagram);

#endif
