// SPDX-License-Identifier: Apache-2.0
// geom/distance_raw.h - all points where two shapes touch, before some of them become contacts

#ifndef LITHE_GEOM_DISTANCE_RAW_H
#define LITHE_GEOM_DISTANCE_RAW_H

#include "geom/distance.h"

enum { LITHE_RAW_MAX = 64 };

/// Contacts before the choice, in the world.
typedef struct LitheRaw {
    LitheContactPoint point[LITHE_RAW_MAX];
    int count;
    double margin;
    LithePatch *patch; // where faces meet; NULL: not recorded
    LitheLine *line;   // the same for lines
} LitheRaw;

/// Empty; points are not initialised, they would fill eight kilobytes.
static inline void raw_start(LitheRaw *raw, double margin, LithePatch *patch) {
    raw->count = 0;
    raw->margin = margin;
    raw->patch = patch;
    raw->line = NULL;
}

/// Joins two ids.
static inline uint32_t raw_mix(uint32_t a, uint32_t b) {
    uint32_t h = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u + (a << 6) + (a >> 2));
    return h ^ (h >> 15);
}

/// Points of two pieces on their common edge, or of a corner found twice, are equal except for
/// rounding: closer than this.
static inline double raw_same_place(Vec3 x, double gap, double margin) {
    return 1e-9 * (v3_norm(x) + fabs(gap) + margin);
}

/// Adds a point, if its gap is within the margin.
void lithe_raw_add(LitheRaw *raw, LitheContactPoint c);

/// Records a piece of a line, whatever the gaps of its ends.
void lithe_raw_note_piece(LitheRaw *raw, const LitheContactPoint *first,
                          const LitheContactPoint *last);

/// Records a corner of the patch, whatever its gap.
void lithe_raw_note_corner(LitheRaw *raw, LitheContactPoint c);

/// Up to `wanted` points that span the largest area. Returns their number.
int lithe_raw_choose(const LitheRaw *raw, int wanted, LitheContactPoint *out);

/// The same of each direction, the deepest direction first; `wanted` together.
int lithe_raw_choose_by_normal(const LitheRaw *raw, int wanted, LitheContactPoint *out);

/// Contacts of a patch whose faces are nearly parallel: the choice of corners does not depend on
/// the margin, so that no weight jumps when a corner leaves the margin. Returns 0 if the faces are
/// not nearly parallel.
int lithe_raw_choose_patch(const LithePatch *patch, double margin, bool inner,
                           LitheContactPoint *out);

/// Contacts of lines, while there is room for four; their ends do not depend on the margin either.
/// What is left in `raw` are the other points.
int lithe_raw_choose_lines(LitheRaw *raw, int room, LitheContactPoint *out);

#endif
