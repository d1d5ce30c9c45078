// SPDX-License-Identifier: Apache-2.0
// collide/patch_near.c - elements of a shape near the elements of an edge, four side by side
//
// The elements of an edge are small and lie close together. Those of the shape near all of them are
// found once, and each is compared with four of them at a time: few pairs have a polygon.

#include "collide/patch_near.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LANES = LITHE_NEAR_LANES };

typedef double Four __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t Bits __attribute__((vector_size(LANES * sizeof(double))));
// with the alignment of a double in memory
typedef double Loose __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));

#define FOUR(at) (*(const Loose *)(at))
#define NEAR_FN __attribute__((always_inline)) static inline

// --- the list ------------------------------------------------------------------------------------

LitheBox lithe_patch_box(const LithePatchElement *e) {
    LitheBox box = {e->x[0], e->x[0]};
    for (int32_t k = 1; k < e->corners; k++) {
        box.low = v3_min(box.low, e->x[k]);
        box.high = v3_max(box.high, e->x[k]);
    }
    return box;
}

const LitheBoxNode *lithe_field_leaf(const LithePressureField *f, const LitheBox *box,
                                     int32_t *stack, int32_t *depth) {
    while (*depth > 0) {
        const LitheBoxNode *node = &f->nodes[stack[--*depth]];
        if (node->count > 0)
            return node;
        for (int32_t child = node->first + 1; child >= node->first; child--) {
            stack[*depth] = child;
            *depth += lithe_boxes_meet(&f->nodes[child].box, box);
        }
    }
    return NULL;
}

static LitheBox box_in_field(const LithePressureField *f, int32_t index) {
    const int32_t *at =
        f->modulus == 0 ? f->triangles + 3 * (int64_t)index : f->tets + 4 * (int64_t)index;
    LitheBox box = {f->points[at[0]], f->points[at[0]]};
    for (int k = 1; k < (f->modulus == 0 ? 3 : 4); k++) {
        box.low = v3_min(box.low, f->points[at[k]]);
        box.high = v3_max(box.high, f->points[at[k]]);
    }
    return box;
}

static void put(Vec3 x, double to[3][LANES], int32_t lane) {
    to[0][lane] = x.x;
    to[1][lane] = x.y;
    to[2][lane] = x.z;
}

static void put_element(const LithePressureField *f, int32_t element, const LitheBox *box,
                        LithePatchNear *block, int32_t lane) {
    block->element[lane] = element;
    put(box->low, block->low, lane);
    put(box->high, block->high, lane);
    if (f->modulus > 0)
        return;
    for (int k = 0; k < 3; k++)
        put(f->points[f->triangles[3 * (int64_t)element + k]], block->corner[k], lane);
    put(f->normals[element], block->normal, lane);
}

// boxes that meet none
static void put_none(LithePatchNear *block, int32_t lane) {
    memset(block->corner, 0, lane == 0 ? sizeof block->corner : 0);
    memset(block->normal, 0, lane == 0 ? sizeof block->normal : 0);
    for (; lane < LANES; lane++) {
        block->element[lane] = -1;
        put(v3(INFINITY, INFINITY, INFINITY), block->low, lane);
        put(v3(-INFINITY, -INFINITY, -INFINITY), block->high, lane);
    }
}

int32_t lithe_near_find(LitheContext *context, const LithePressureField *f, const LitheBox *box,
                        LitheFound *out) {
    int32_t stack[LITHE_TREE_STACK + 1], depth = 0, count = 0; // one more: stored before its test
    const LitheBoxNode *node;
    if (f->node_count > 0 && lithe_boxes_meet(&f->nodes[0].box, box))
        stack[depth++] = 0;
    while ((node = lithe_field_leaf(f, box, stack, &depth)) != NULL) {
        if (!LITHE_RESERVE(context, out->near, out->near_capacity,
                           ((int64_t)count + node->count) / LANES + 1)) {
            out->failed = true;
            return -1;
        }
        for (int32_t i = node->first; i < node->first + node->count; i++) {
            LitheBox own = box_in_field(f, f->order[i]);
            if (!lithe_boxes_meet(&own, box))
                continue;
            LithePatchNear *block = &out->near[count / LANES];
            if (count % LANES == 0)
                put_none(block, 0);
            put_element(f, f->order[i], &own, block, count % LANES);
            count++;
        }
    }
    return (count + LANES - 1) / LANES;
}

// --- comparisons ---------------------------------------------------------------------------------

NEAR_FN int32_t numbers_of(const Bits *m) {
    return (int32_t)(((*m)[0] & 1) | ((*m)[1] & 2) | ((*m)[2] & 4) | ((*m)[3] & 8));
}

NEAR_FN bool meet(LithePatchNear *near, int32_t blocks, const LitheBox *box) {
    int32_t any = 0;
    for (int32_t i = 0; i < blocks; i++) {
        LithePatchNear *b = &near[i];
        Bits m = (Bits)(FOUR(b->low[0]) <= box->high.x) & (Bits)(FOUR(b->high[0]) >= box->low.x);
        m &= (Bits)(FOUR(b->low[1]) <= box->high.y) & (Bits)(FOUR(b->high[1]) >= box->low.y);
        m &= (Bits)(FOUR(b->low[2]) <= box->high.z) & (Bits)(FOUR(b->high[2]) >= box->low.z);
        b->met = numbers_of(&m);
        any |= b->met;
    }
    return any != 0;
}

// whether corners of the tetrahedron lie on both sides of the planes
NEAR_FN void cut_by_planes(const LithePatchNear *b, const LitheFieldTet *tet, Bits *out) {
    const Four zero = {0};
    Bits some = {0}, all = {-1, -1, -1, -1};
    for (int k = 0; k < 4; k++) {
        Four s = FOUR(b->normal[0]) * (tet->lanes[0][k] - FOUR(b->corner[0][0])) +
                 FOUR(b->normal[1]) * (tet->lanes[1][k] - FOUR(b->corner[0][1])) +
                 FOUR(b->normal[2]) * (tet->lanes[2][k] - FOUR(b->corner[0][2]));
        some |= (Bits)(s >= zero);
        all &= (Bits)(s >= zero);
    }
    *out = some & ~all;
}

// whether a corner of the triangles lies inside of each face of the tetrahedron (PF1)
NEAR_FN void reach_inside(const LithePatchNear *b, const LitheFieldTet *tet, Bits *out) {
    const Four zero = {0};
    Bits in[4] = {{0}};
    for (int i = 0; i < 3; i++) {
        Four x = FOUR(b->corner[i][0]) - tet->lanes[0][0];
        Four y = FOUR(b->corner[i][1]) - tet->lanes[1][0];
        Four z = FOUR(b->corner[i][2]) - tet->lanes[2][0], l[4];
        for (int k = 1; k < 4; k++) {
            l[k] = tet->face[k].x * x + tet->face[k].y * y + tet->face[k].z * z;
            in[k] |= (Bits)(l[k] >= zero);
        }
        l[0] = 1 - (l[1] + l[2] + l[3]);
        in[0] |= (Bits)(l[0] >= zero);
    }
    *out = in[0] & in[1] & in[2] & in[3];
}

NEAR_FN void cut(LithePatchNear *near, int32_t blocks, const LitheFieldTet *tet) {
    for (int32_t i = 0; i < blocks; i++) {
        Bits m;
        if (near[i].met == 0)
            continue;
        cut_by_planes(&near[i], tet, &m);
        near[i].met &= numbers_of(&m);
        if (near[i].met == 0)
            continue;
        reach_inside(&near[i], tet, &m);
        near[i].met &= numbers_of(&m);
    }
}

// --- for the processor in use --------------------------------------------------------------------
// No target has FMA: all give the same bits.

#if defined(__x86_64__)
__attribute__((target("avx2"))) static bool meet_avx2(LithePatchNear *near, int32_t blocks,
                                                      const LitheBox *box) {
    return meet(near, blocks, box);
}

__attribute__((target("avx2"))) static void cut_avx2(LithePatchNear *near, int32_t blocks,
                                                     const LitheFieldTet *tet) {
    cut(near, blocks, tet);
}
#endif

bool lithe_near_meet(LithePatchNear *near, int32_t blocks, const LitheBox *box) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return meet_avx2(near, blocks, box);
#endif
    return meet(near, blocks, box);
}

void lithe_near_cut(LithePatchNear *near, int32_t blocks, const LitheFieldTet *tet) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        cut_avx2(near, blocks, tet);
        return;
    }
#endif
    cut(near, blocks, tet);
}
