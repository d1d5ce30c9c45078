// SPDX-License-Identifier: Apache-2.0
// geom/region.h - regions of space: test of points, and filling with balls

#ifndef LITHE_GEOM_REGION_H
#define LITHE_GEOM_REGION_H

#include "lithe/scene.h"
#include "math/vec3.h"

/// Whether a point lies in the region. Points on its surface do, to 1e-9 of its size: rounding must
/// not exclude what was built there.
bool lithe_region_has(const LitheRegionDef *region, Vec3 point);

/// What is wrong with the numbers of a region, as "radius is -1 m, must be > 0"; false: nothing is.
bool lithe_region_wrong(const LitheRegionDef *region, char *text, size_t size);

/// Where a region is, as "the box from (0, 0, 0) m to (1, 1, 1) m".
void lithe_region_text(const LitheRegionDef *region, char *text, size_t size);

/// Balls of one radius on a hexagonal close-packed lattice, layer by layer along z.
typedef struct LitheFill {
    LitheRegionDef region; // a box or a cylinder; all of each ball lies within
    double radius;         // [m]
    double spacing;        // of neighbours [m], >= 2 radius
    double jitter;         // 0 to 1: fraction of the gap between neighbours that each may use
    uint64_t seed;         // of the jitter
    int32_t max;           // balls; the lowest are kept
} LitheFill;

/// Centres of the balls, in `centres` [the number returned] unless that is NULL; -1 when too many
/// sites of the lattice would have to be tested.
int32_t lithe_fill(const LitheFill *fill, Vec3 *centres);

#endif
