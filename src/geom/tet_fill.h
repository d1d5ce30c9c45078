// SPDX-License-Identifier: Apache-2.0
// geom/tet_fill.h - tetrahedra inside of a closed triangle surface, from a body-centred lattice
//
// The method is the one of numbered facts in docs/theory/meshing.md: the lattice fills the body;
// vertices near the surface move onto it; lattice tetrahedra that the surface cuts are trimmed.

#ifndef LITHE_GEOM_TET_FILL_H
#define LITHE_GEOM_TET_FILL_H

#include "geom/tet_mesh.h"

/// What will be made, known before it is made, and what was made.
typedef struct LitheTetFillReport {
    double volume, area;    // of the surface [m^2], [m^3]
    Vec3 low, high;         // corners of its box [m]
    double nodes, elements; // predicted numbers
    double bytes;           // predicted peak memory
    int32_t sharp_count;    // edges of the surface that turn by more than 40 degrees: rounded
    bool turned;            // the surface was inside out, and was turned round
    double offset;          // by which the surface was moved outward to keep the volume [m]
    double made_volume;     // of the tetrahedra [m^3]; 0 before they are made
} LitheTetFillReport;

/// Distance to a surface [m]: positive inside, negative outside; never larger than the true
/// distance.
typedef double LitheTetDepthFn(const void *user, Vec3 x);

/// Checks a surface and predicts sizes. Refused, with number and place: holes, edges with more than
/// two triangles, triangles that cross each other, a resolution that is not positive or above the
/// size of the body, more lattice sites than LITHE_TET_MAX. `triangles` [triangle_count][3].
LitheStatus lithe_tet_fill_plan(LitheContext *context, const Vec3 *points, int32_t point_count,
                                const int32_t *triangles, int32_t triangle_count, double resolution,
                                LitheTetFillReport *report, LitheError *error);

/// Fills a closed surface with tetrahedra whose longest edges are about `resolution`. Checks as
/// lithe_tet_fill_plan; logs the predicted sizes of a large mesh before it starts. Parts thinner
/// than the resolution may be missing: compare the volumes.
LitheStatus lithe_tet_fill(LitheContext *context, const Vec3 *points, int32_t point_count,
                           const int32_t *triangles, int32_t triangle_count, double resolution,
                           LitheTetMesh *out, LitheTetFillReport *report, LitheError *error);

/// Fills the region of positive depth inside of a box.
LitheStatus lithe_tet_fill_depth(LitheContext *context, LitheTetDepthFn *depth, const void *user,
                                 Vec3 low, Vec3 high, double resolution, LitheTetMesh *out,
                                 LitheError *error);

#endif
