// SPDX-License-Identifier: Apache-2.0
// geom/linking.h - Gauss' integral of polylines: linking number and writhe

#ifndef LITHE_GEOM_LINKING_H
#define LITHE_GEOM_LINKING_H

#include "geom/picture.h"
#include "math/vec3.h"

#include <stdint.h>

/// Linking number of two closed polylines (the last point is joined to the first; at least 3
/// points each): how often one passes through the other, with sign; 1 for two links of a chain that
/// wind around each other like a right-handed screw. False, and nothing written, where they meet:
/// then it is undefined.
bool lithe_linking_number(const Vec3 *a, int32_t a_count, const Vec3 *b, int32_t b_count,
                          int64_t *number);

/// Writhe of a polyline: the signed number of crossings in a projection, averaged over all
/// directions. 0 for a planar curve; a mirror image has the opposite sign. Any count is allowed.
double lithe_writhe(const Vec3 *points, int32_t count, bool closed);

/// The same of a curve whose crossings are known, to rounding, in a time proportional to its nodes
/// and crossings. NAN where two neighbouring edges lie on each other, in space or in the
/// projection, so that it is undefined.
double lithe_writhe_seen(const LithePicture *picture);

#endif
