// SPDX-License-Identifier: Apache-2.0
// sparse/front_order.h - orders of elimination for fronts: what they cost, and late blocks behind
// all others; private to sparse/

#ifndef LITHE_SPARSE_FRONT_ORDER_H
#define LITHE_SPARSE_FRONT_ORDER_H

#include "sparse/block_matrix.h"

/// The elimination tree of an order; all per place in the order [count], except where noted.
typedef struct LitheOrderTree {
    int32_t *place;  // per block
    int32_t *start;  // [count + 1] with `before`: earlier neighbours
    int32_t *before; // [entries - count]
    int32_t *parent; // -1: a root
    int32_t *height; // scalar rows of a column of L
    int32_t *hot;    // whether a block is late, or is above a late one in the tree
    int32_t *mark;   // scratch
} LitheOrderTree;

/// Numbers of memory that a tree takes.
int64_t lithe_order_size(const LitheBlockMatrix *m);

LitheOrderTree lithe_order_open(const LitheBlockMatrix *m, int32_t *memory);

/// Tree and heights of an order, and the cost of factoring everything once and the hot columns
/// `again` times (docs/theory/mesh-solver.md (7)). `late` [count] flags, or NULL: none. As soon as
/// the cost is above `limit`, returns a number above it; heights and cost are not complete then.
double lithe_order_weigh(const LitheBlockMatrix *m, const int32_t *order, const int32_t *late,
                         double again, double limit, const LitheOrderTree *t);

/// Numbers of scratch memory for lithe_order_late.
int64_t lithe_order_late_size(const LitheBlockMatrix *m, const int32_t *late);

/// The late blocks by minimum degree of the graph that is left when all others are eliminated.
/// `order` [number of late blocks].
void lithe_order_late(const LitheBlockMatrix *m, const int32_t *late, int32_t *memory,
                      int32_t *order);

#endif
