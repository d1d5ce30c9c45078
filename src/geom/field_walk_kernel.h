// SPDX-License-Identifier: Apache-2.0
// geom/field_walk_kernel.h - elements of a field near one of another, written once for all
// processors
//
// The including file defines FOUR_AVX2 (geom/four.h) and WALK_NAME, the name of the function.

#ifndef LITHE_GEOM_FIELD_WALK_KERNEL_H
#define LITHE_GEOM_FIELD_WALK_KERNEL_H

#include "geom/field_walk.h"
#include "geom/four.h"

_Static_assert(LITHE_FIELD_LANES == 4, "blocks have the lanes of a vector");

FOUR_FN int32_t meet(const LitheFieldBoxes *b, const LitheBox *box) {
    Bits m = (Bits)(FOUR(b->low[0]) <= box->high.x) & (Bits)(FOUR(b->high[0]) >= box->low.x);
    m &= (Bits)(FOUR(b->low[1]) <= box->high.y) & (Bits)(FOUR(b->high[1]) >= box->low.y);
    m &= (Bits)(FOUR(b->low[2]) <= box->high.z) & (Bits)(FOUR(b->high[2]) >= box->low.z);
    return four_bits(m);
}

// (PF4) whether p_A - p_B has both signs at the corners of the tetrahedra of the block, A
FOUR_FN int32_t differ_in_block(const LitheFieldBlock *b, const LitheFieldTet *tet) {
    const Four zero = {0};
    Bits some = {0}, all = {-1, -1, -1, -1};
    for (int k = 0; k < 4; k++) {
        Four x = FOUR(b->corner[k][0]) - tet->lanes[0][0];
        Four y = FOUR(b->corner[k][1]) - tet->lanes[1][0];
        Four z = FOUR(b->corner[k][2]) - tet->lanes[2][0];
        Four s = FOUR(b->pressure[k]) -
                 (tet->pressure + tet->slope.x * x + tet->slope.y * y + tet->slope.z * z);
        some |= (Bits)(s >= zero);
        all &= (Bits)(s >= zero);
    }
    return four_bits(some & ~all);
}

// The same at the corners of the other tetrahedron, and whether one of these lies inside of each
// face of those of the block (PF1)
FOUR_FN int32_t reach_block(const LitheFieldBlock *b, const LitheFieldTet *tet) {
    const Four zero = {0};
    Bits some = {0}, all = {-1, -1, -1, -1}, in[4] = {{0}};
    for (int i = 0; i < 4; i++) {
        Four x = tet->lanes[0][i] - FOUR(b->corner[0][0]);
        Four y = tet->lanes[1][i] - FOUR(b->corner[0][1]);
        Four z = tet->lanes[2][i] - FOUR(b->corner[0][2]), l[4];
        Four s = tet->corner[i] - (FOUR(b->pressure[0]) + FOUR(b->slope[0]) * x +
                                   FOUR(b->slope[1]) * y + FOUR(b->slope[2]) * z);
        some |= (Bits)(s >= zero);
        all &= (Bits)(s >= zero);
        for (int k = 1; k < 4; k++) {
            const double(*g)[LITHE_FIELD_LANES] = b->face[k - 1];
            l[k] = FOUR(g[0]) * x + FOUR(g[1]) * y + FOUR(g[2]) * z;
            in[k] |= (Bits)(l[k] >= zero);
        }
        l[0] = 1 - (l[1] + l[2] + l[3]);
        in[0] |= (Bits)(l[0] >= zero);
    }
    return four_bits(some & ~all & in[0] & in[1] & in[2] & in[3]);
}

FOUR_TARGET int32_t WALK_NAME(const LithePressureField *f, LitheFieldWalk *w,
                              int32_t hits[LITHE_FIELD_HITS]) {
    const LitheBox box = w->box;
    const LitheFieldTet *tet = f->modulus > 0 ? w->tet : NULL;
    int32_t count = 0, depth = w->depth, *stack = w->stack;
    while (depth > 0 && count <= LITHE_FIELD_HITS - LITHE_FIELD_LANES) {
        int32_t at = stack[--depth];
        if (at >= 0) {
            const LitheFieldNode *node = &f->wide[at];
            int32_t m = meet(&node->boxes, &box);
            for (int lane = LITHE_FIELD_LANES - 1; lane >= 0; lane--) {
                stack[depth] = node->child[lane];
                depth += m >> lane & 1;
            }
            continue;
        }
        const LitheFieldBlock *block = &f->blocks[~at];
        int32_t m = meet(&block->boxes, &box);
        if (m != 0 && tet)
            m &= differ_in_block(block, tet) & reach_block(block, tet);
        for (int lane = 0; lane < LITHE_FIELD_LANES; lane++) {
            hits[count] = block->element[lane];
            count += m >> lane & 1;
        }
    }
    w->depth = depth;
    return count;
}

#endif
