// SPDX-License-Identifier: Apache-2.0
// geom/curve_knot.h - an overhand knot of given length for a rod of given radius

#ifndef LITHE_GEOM_CURVE_KNOT_H
#define LITHE_GEOM_CURVE_KNOT_H

#include "geom/curve_parts.h"

/// Spline along the knot whose strands are far enough apart for `radius` [m]; destroy it
/// afterwards. If there is none, fails and reports the largest radius that fits.
LitheStatus lithe_knot_spline(LitheContext *context, int32_t unknotting, double length,
                              double radius, LitheSpline *spline, LitheError *error);

/// Scales sampled nodes so that their polyline has length `whole` [m] exactly, then checks that the
/// knot is unchanged and that no strands come within two radii.
LitheStatus lithe_knot_finish(LitheContext *context, int32_t unknotting, double length,
                              double radius, double whole, Vec3 *nodes, int32_t count,
                              LitheError *error);

#endif
