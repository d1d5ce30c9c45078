// SPDX-License-Identifier: Apache-2.0
// data/part.h - parts: what can touch, in one numbering by kind
//
// Edges of rods come first, in their order, then shapes of bodies, then particles, then triangles
// of soft surfaces, then tetrahedra of solids with pressure fields. A new kind is a row of the enum
// and of lithe_part_count.

#ifndef LITHE_DATA_PART_H
#define LITHE_DATA_PART_H

#include "data/model.h"

typedef enum LithePartKind {
    LITHE_PART_SEGMENT, // an edge of a rod: round, or a bar
    LITHE_PART_SHAPE,   // of a body
    LITHE_PART_BALL,    // a particle
    LITHE_PART_FACE,    // a triangle of a soft surface
    LITHE_PART_TET,     // a tetrahedron of a solid with a pressure field
    LITHE_PART_KINDS,
} LithePartKind;

/// Number of parts of a kind.
static inline int32_t lithe_part_count(const LitheModel *model, int kind) {
    switch (kind) {
    case LITHE_PART_SEGMENT:
        return (int32_t)model->edge_count;
    case LITHE_PART_SHAPE:
        return model->geom_count;
    case LITHE_PART_BALL:
        return (int32_t)model->ball_count;
    case LITHE_PART_FACE:
        return model->face_count;
    case LITHE_PART_TET:
        return model->tet_count;
    default:
        return 0;
    }
}

/// The first part of a kind; of LITHE_PART_KINDS: the number of all parts.
static inline int32_t lithe_part_at(const LitheModel *model, int kind) {
    int32_t at = 0;
    for (int k = 0; k < kind; k++)
        at += lithe_part_count(model, k);
    return at;
}

static inline LithePartKind lithe_part_kind(const LitheModel *model, int32_t part) {
    int kind = 0;
    for (int32_t end = lithe_part_count(model, 0); part >= end && kind + 1 < LITHE_PART_KINDS;)
        end += lithe_part_count(model, ++kind);
    return (LithePartKind)kind;
}

/// Whether contacts are searched for: the model has two parts, or a rod, which may touch itself.
static inline bool lithe_can_touch(const LitheModel *model) {
    return model->contact.enabled &&
           (model->edge_count > 0 || lithe_part_at(model, LITHE_PART_KINDS) > 1);
}

#endif
