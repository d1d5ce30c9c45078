// SPDX-License-Identifier: Apache-2.0
// advance/certify_parts.h - how parts move in a step, and whether two of them crossed

#ifndef LITHE_ADVANCE_CERTIFY_PARTS_H
#define LITHE_ADVANCE_CERTIFY_PARTS_H

#include "advance/certify.h"

/// A centreline has passed through a surface when it comes nearer than this fraction of the radius;
/// two centrelines coincide when they are nearer than that at the start. No step may end so near.
#define LITHE_NEAR 1e-3

/// A step that is certified.
typedef struct LitheMotion {
    const LitheModel *model;
    const LitheState *before, *after;
    LitheWork *work;
    double wall; // smallest depth of an inner shape that points of surfaces must not meet [m]
} LitheMotion;

/// What the certificate reads of a kind of parts.
typedef struct LithePartMotion {
    /// max displacement of any point [m]
    double (*displacement)(const LitheMotion *m, int32_t part);
    /// from the surface to the curve or point that others must not cross
    double (*radius)(const LitheMotion *m, int32_t part);
    /// the same against parts of the same kind
    double (*own_radius)(const LitheMotion *m, int32_t part);
    /// the part before (by = -1) or after (by = 1) it; returns -1: none
    int32_t (*beside)(const LitheMotion *m, int32_t part, int32_t by);
    bool along; ///< the contact search ignores neighbours along the same thing (Z3)
    /// the first part after it along the same thing that the search leaves out and that it passed
    /// through nevertheless; -1: none. NULL: the kind has none
    int32_t (*passed_close)(const LitheMotion *m, int32_t part);
    /// whether the search foresaw a displacement that is not small; NULL: it may not have
    bool (*within)(const LitheMotion *m, int32_t part, double room);
} LithePartMotion;

extern const LithePartMotion lithe_part_motions[LITHE_PART_KINDS];

/// Whether two parts crossed.
typedef bool LitheCrossingTest(const LitheMotion *m, int32_t a, int32_t b);

/// Pairs of kinds of parts, the lower kind first; NULL: not certified. For a particle and another
/// particle or an edge a crossing is not defined: passing through cannot be distinguished from
/// passing around.
extern LitheCrossingTest *const lithe_crossing_tests[LITHE_PART_KINDS][LITHE_PART_KINDS];

/// Max displacement of a shape [m]. `begin` and `end` are the poses of its body; *turn the angle by
/// which the body turned, found with its first shape.
double lithe_geom_displacement(const LitheMotion *m, int32_t geom, Pose begin, Pose end, bool first,
                               double *turn);

#endif
