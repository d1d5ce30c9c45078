// SPDX-License-Identifier: Apache-2.0
// geom/field_walk.c - the tree of a pressure field with four children per node

#include "geom/field_walk.h"

#include "base/memory.h"

enum { LANES = LITHE_FIELD_LANES };

// --- building ------------------------------------------------------------------------------------

static void put(Vec3 x, double to[3][LANES], int lane) {
    to[0][lane] = x.x;
    to[1][lane] = x.y;
    to[2][lane] = x.z;
}

static void put_box(const LitheBox *box, LitheFieldBoxes *to, int lane) {
    put(box->low, to->low, lane);
    put(box->high, to->high, lane);
}

// a box that meets none
static const LitheBox none = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void put_tet(const LitheFieldTet *tet, LitheFieldBlock *to, int lane) {
    for (int k = 0; k < 4; k++) {
        put(tet->x[k], to->corner[k], lane);
        to->pressure[k][lane] = tet->corner[k];
        if (k > 0)
            put(tet->face[k], to->face[k - 1], lane);
    }
    put(tet->slope, to->slope, lane);
}

// The leaves below a node, from left to right, at most `most`: their number, or more than `most`.
static int leaves_below(const LithePressureField *f, int32_t node, int32_t *leaves, int most) {
    const LitheBoxNode *n = &f->nodes[node];
    if (n->count > 0) {
        leaves[0] = node;
        return 1;
    }
    int count = leaves_below(f, n->first, leaves, most - 1);
    return count >= most ? most + 1
                         : count + leaves_below(f, n->first + 1, leaves + count, most - count);
}

_Static_assert(LITHE_FIELD_LEAF == 1, "a lane of a block has the one element of a leaf");

static int32_t make_block(LithePressureField *f, const int32_t *leaves, int count) {
    LitheFieldBlock *b = &f->blocks[f->block_count];
    *b = (LitheFieldBlock){0};
    for (int lane = 0; lane < LANES; lane++) {
        const LitheBoxNode *leaf = lane < count ? &f->nodes[leaves[lane]] : NULL;
        put_box(leaf ? &leaf->box : &none, &b->boxes, lane);
        b->element[lane] = leaf ? f->order[leaf->first] : -1;
        if (leaf && f->modulus > 0)
            put_tet(&f->ready[b->element[lane]], b, lane);
    }
    return ~f->block_count++;
}

// The number of the wide node, or ~ that of the block, in place of a node with two children.
static int32_t widen(LithePressureField *f, int32_t node) {
    int32_t below[LANES];
    int count = leaves_below(f, node, below, LANES);
    if (count <= LANES)
        return make_block(f, below, count);
    // children, and theirs: a child that is a block stays one
    int32_t at = f->wide_count++;
    const LitheBoxNode *n = &f->nodes[node];
    count = 0;
    for (int32_t child = n->first; child < n->first + 2; child++) {
        int32_t inner[LANES];
        if (leaves_below(f, child, inner, LANES) <= LANES) {
            below[count++] = child;
        } else {
            below[count++] = f->nodes[child].first;
            below[count++] = f->nodes[child].first + 1;
        }
    }
    for (int lane = 0; lane < LANES; lane++) {
        put_box(lane < count ? &f->nodes[below[lane]].box : &none, &f->wide[at].boxes, lane);
        f->wide[at].child[lane] = lane < count ? widen(f, below[lane]) : 0;
    }
    return at;
}

bool lithe_field_widen(LithePressureField *f) {
    int64_t leaves = ((int64_t)f->node_count + 1) / 2;
    if (leaves == 0)
        return true;
    // a block that is not the only one has two leaves or more, a node two children or more
    f->blocks = lithe_alloc_array(f->context, leaves / 2 + 1, sizeof *f->blocks);
    f->wide = lithe_alloc_array(f->context, leaves / 2 + 1, sizeof *f->wide);
    if (!f->blocks || !f->wide)
        return false;
    f->root = widen(f, 0);
    return true;
}

// --- searching -----------------------------------------------------------------------------------

int32_t lithe_field_walk(const LithePressureField *f, LitheFieldWalk *walk,
                         int32_t hits[LITHE_FIELD_HITS]) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return lithe_field_walk_avx2(f, walk, hits);
#endif
    return lithe_field_walk_portable(f, walk, hits);
}
