// SPDX-License-Identifier: Apache-2.0
// collide/patch_near.h - elements of a shape near the elements of an edge, four side by side

#ifndef LITHE_COLLIDE_PATCH_NEAR_H
#define LITHE_COLLIDE_PATCH_NEAR_H

#include "data/contacts.h"
#include "geom/field.h"

/// Box of an element.
LitheBox lithe_patch_box(const LithePatchElement *element);

/// The leaves of a field that a box meets, from the top of a stack on; NULL: no more.
const LitheBoxNode *lithe_field_leaf(const LithePressureField *field, const LitheBox *box,
                                     int32_t *stack, int32_t *depth);

/// Elements of a field whose boxes meet `box`, in the order of the leaves, into the scratch.
/// Returns the number of blocks; -1: no memory.
int32_t lithe_near_find(LitheContext *context, const LithePressureField *field, const LitheBox *box,
                        LitheFound *out);

/// Sets which elements meet a box. Returns whether any does.
bool lithe_near_meet(LithePatchNear *near, int32_t blocks, const LitheBox *box);

/// Of these, keeps the triangles that lithe_clip_triangle does not drop at once: their plane cuts
/// the tetrahedron, and they do not lie beside one of its faces. By the same operations: no other
/// bits, and all processors agree.
void lithe_near_cut(LithePatchNear *near, int32_t blocks, const LitheFieldTet *tet);

/// Without branches between the comparisons, which no processor could predict.
static inline bool lithe_boxes_meet(const LitheBox *a, const LitheBox *b) {
    return (a->low.x <= b->high.x) & (b->low.x <= a->high.x) & (a->low.y <= b->high.y) &
           (b->low.y <= a->high.y) & (a->low.z <= b->high.z) & (b->low.z <= a->high.z);
}

#endif
