// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds_solids.h - random worlds with soft solids: made from a seed, and their
// checker

#ifndef LITHE_CLI_WORLDS_SOLIDS_H
#define LITHE_CLI_WORLDS_SOLIDS_H

#include "data/model.h"
#include "data/state.h"
#include "lithe/lithe.h"
#include "math/vec3.h"

/// The scene file of the world of a seed, as text that the caller frees; NULL when out of memory.
char *lithe_solid_world_make(uint64_t seed);

/// A point of another thing, as a solid sees it.
typedef struct SolidVisit {
    bool inside;
    Vec3 entered; // where it came in, in the rest shape of the solid
    double depth; // deepest so far, in the rest shape [m]
} SolidVisit;

typedef struct SolidShape {
    int32_t unit;
    const LitheTetMesh *mesh;
    int32_t *face; // [3 * faces] triangles of its surface
    int32_t faces;
    int32_t *node; // [nodes] nodes of its surface
    int32_t nodes;
    double extent;     // smallest one, at rest [m]
    SolidVisit *visit; // [points of the world]
} SolidShape;

/// Finds what passes through solids and plates, by positions alone.
typedef struct SolidCheck {
    const LitheModel *model;
    SolidShape *solids;
    int32_t solid_count;
    int32_t point_count; // nodes of surfaces, then of rods, then particles
    int32_t *owner;      // [points] number of the solid; -1: another thing
    int64_t *at;         // [points] place of the point in q
    int8_t *side;        // [points * bodies] of a plate: -1 below, 1 above, 0 beside
    int64_t passages;    // points that went through something
    double deepest;      // largest depth over half the extent of the solid
    char first[200];     // the first passage
} SolidCheck;

/// False when out of memory.
bool lithe_solid_check_begin(SolidCheck *check, const LitheModel *model);
void lithe_solid_check_end(SolidCheck *check);

/// After each substep.
void lithe_solid_check_step(const LitheState *before, const LitheState *after, void *check);

#endif
