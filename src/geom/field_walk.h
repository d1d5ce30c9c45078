// SPDX-License-Identifier: Apache-2.0
// geom/field_walk.h - elements of a pressure field near one of another, four side by side
//
// A tree of boxes with four children per node. Its leaves are blocks of four elements, which are
// compared with the other element at once: few pairs have a polygon.

#ifndef LITHE_GEOM_FIELD_WALK_H
#define LITHE_GEOM_FIELD_WALK_H

#include "geom/field.h"

enum {
    LITHE_FIELD_HITS = 64, // elements that are found at a time
    LITHE_FIELD_STACK = LITHE_TREE_STACK + LITHE_FIELD_LANES,
};

/// Where a search goes on.
typedef struct LitheFieldWalk {
    LitheBox box;             // of the other element
    const LitheFieldTet *tet; // the other element; NULL: its box alone decides
    int32_t stack[LITHE_FIELD_STACK], depth;
} LitheFieldWalk;

/// Puts the tree with four children beside the one with two, in the order of its leaves. False: no
/// memory.
bool lithe_field_widen(LithePressureField *field);

/// Starts a search for the elements of the field that the box meets.
static inline void field_walk_start(const LithePressureField *field, const LitheBox *box,
                                    const LitheFieldTet *tet, LitheFieldWalk *w) {
    w->box = *box;
    w->tet = tet;
    w->stack[0] = field->root;
    w->depth = field->node_count > 0;
}

/// The next elements whose boxes meet that of the search, in the order of the leaves; 0: no more.
/// Of compliant fields, and with a tetrahedron, without those that lithe_clip_tets drops at once:
/// the plane of equal pressure misses one of both, or one lies beside a face of the other. By the
/// same operations: no other polygons, and all processors agree.
typedef int32_t LitheFieldWalkFn(const LithePressureField *field, LitheFieldWalk *walk,
                                 int32_t hits[LITHE_FIELD_HITS]);

LitheFieldWalkFn lithe_field_walk; // for the processor in use
LitheFieldWalkFn lithe_field_walk_portable;
#if defined(__x86_64__)
LitheFieldWalkFn lithe_field_walk_avx2;
#endif

#endif
