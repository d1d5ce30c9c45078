// SPDX-License-Identifier: Apache-2.0
// sparse/fronts.h - supernodes and their fronts: the block factor of meshes, private to sparse/
//
// Columns of L with equal patterns form a supernode. Its front is a dense lower triangle: the rows
// of its columns (the pivots), then all rows below in which they have entries. What the pivots
// subtract from the rows below, the matrix C, goes to the front of the parent. Numbers in brackets:
// docs/theory/mesh-solver.md.
//
// L of a front is stored in strips of four rows: entry (i, k) at 4 w (i / 4) + 4 k + i % 4. A
// strip is contiguous, so the products (4) read it as it is, without packing. Rows are padded to a
// multiple of four by zeros. Rows and columns of C begin at `from`, the last multiple of four that
// is not above w: up to three rows and columns of pivots are never read. Four columns of C have the
// same rows, from the first of the four on: the lower triangle with little more.

#ifndef LITHE_SPARSE_FRONTS_H
#define LITHE_SPARSE_FRONTS_H

#include "sparse/block_factor.h"

enum {
    LITHE_FRONT_ROWS = 12,  // rows of a tile
    LITHE_FRONT_STEP = 192, // pivots that are eliminated before the rest is updated
    LITHE_FRONT_TASKS = 64, // max subtrees that are computed in parallel
};

/// A front while it is computed.
typedef struct LitheFront {
    int32_t w;              // pivots
    int32_t rows;           // all rows, padded
    int32_t from;           // first row of C
    int32_t step;           // columns of `scaled`: w or LITHE_FRONT_STEP
    double *L;              // [rows / 4][w][4]; A and the contributions of children before
    double *C;              // [rows - from][rows - from]; NULL: no row is below the pivots
    double *scaled;         // [rows / 4][step][4] L D of one step
    double *pivot;          // [w] D
    double *reciprocal;     // [w] 1/D
    const double *diagonal; // [w] of A
} LitheFront;

/// What a child adds to the front of its parent.
typedef struct LitheFrontChild {
    int32_t count; // rows
    int32_t skip;  // rows and columns of C above its first row below the pivots
    int32_t ld;    // of C
    const double *C;
    const int32_t *row;   // [count] row in the front of the parent; ascending
    const int32_t *strip; // [count] the same as offset from the start of a column of L
    int32_t w, from;      // of the parent
    int32_t parent_ld;    // of its C
    double *L, *parent_C; // of the parent
} LitheFrontChild;

/// One implementation of the numeric part of a front. A step eliminates the pivots k .. after - 1;
/// k and the first row of `below` are multiples of LITHE_FRONT_ROWS.
typedef struct LitheFrontKernel {
    /// L and D of the rows that hold pivots [2], and those up to the end of their last tile.
    /// Returns a refused pivot, or -1.
    int32_t (*diagonal)(const LitheFront *t, LithePivotRule rule, int32_t k, int32_t after);
    /// L of the rows row .. end - 1 [3].
    void (*below)(const LitheFront *t, int32_t k, int32_t after, int32_t row, int32_t end);
    /// Subtracts the step from the columns column .. end - 1 of later pivots, or of C [4]; `column`
    /// is a multiple of four.
    void (*update_pivots)(const LitheFront *t, int32_t k, int32_t after, int32_t column,
                          int32_t end);
    void (*update)(const LitheFront *t, int32_t k, int32_t after, int32_t column, int32_t end);
    /// Adds the columns column .. end - 1 of a child [5].
    void (*add)(const LitheFrontChild *c, int32_t column, int32_t end);
    /// v = L\v [9], and v = L'\(D\v) [10] on the pivots; v [rows]. `sums` [4 w].
    void (*down)(const LitheFront *t, double *v);
    void (*up)(const LitheFront *t, double *v, double *sums);
} LitheFrontKernel;

/// All fronts of a factor, numbered such that children come before their parents and every subtree
/// is contiguous.
typedef struct LitheFronts {
    LitheContext *context;
    int32_t count;

    // per front
    int32_t *first;     // [count + 1] first block column
    int32_t *parent;    // [count] -1: a root
    int32_t *child;     // [count] first child, in descending order; -1: none
    int32_t *sibling;   // [count] next child of the same parent; -1: none
    int32_t *w;         // [count] pivots
    int32_t *height;    // [count] rows without padding
    int32_t *hot;       // [count] whether it holds a late block, or is an ancestor of one that does
    int32_t *zero;      // [count] whether the right-hand side of it and its descendants is zero
    int32_t *row_at;    // [count + 1] first of its block rows below the pivots
    int64_t *panel_at;  // [count] L
    int64_t *update_at; // [count] C
    int64_t *base_at;   // [count] what the frozen children add to L and to C; -1: none
    int64_t *vector_at; // [count + 1] right-hand side of the front

    // per block, in the order of elimination
    int32_t *front_of;  // [blocks]
    int32_t *pivot_at;  // [blocks + 1] first pivot
    int32_t *requested; // [blocks] the order that was requested

    // rows below the pivots
    int32_t *row;  // [row_at[count]] block row, ascending
    int32_t *into; // [row_at[count]] its first row in the front of the parent

    // columns in parallel
    int32_t task_count;
    int32_t task_first[LITHE_FRONT_TASKS], task_last[LITHE_FRONT_TASKS];
    int64_t scaled_at[LITHE_FRONT_TASKS + 2]; // of solves, and of the top
    int64_t work_at[LITHE_FRONT_TASKS];       // in `values`: L D of the fronts of a task
    int32_t top_count;
    int32_t *top;   // [top_count] fronts that are in no task
    int32_t widest; // max rows of a front, padded
    bool moved;     // the late blocks are eliminated last

    // values
    double *values;                        // [value_count] L, C and bases of all fronts
    double *pivot, *reciprocal, *diagonal; // [scalar rows]
    double *vector;                        // [vector_at[count]]
    double *scaled;                        // scratch memory of solves, and of the top
    int32_t *index;                        // [task_count + 1][2 widest]
    int64_t value_count;
    bool late; // there are late blocks

    // the memory of all arrays
    int32_t *front_memory, *row_memory, *index_memory, *scratch;
    int64_t *long_memory;
    double *value_memory;
    int32_t front_capacity, row_capacity, index_capacity, scratch_capacity, long_capacity;
    int32_t value_capacity;
} LitheFronts;

/// NULL when out of memory.
LitheFronts *lithe_fronts_create(LitheContext *context);

/// Accepts NULL.
void lithe_fronts_destroy(LitheFronts *t);

static inline int32_t lithe_front_rows(const LitheFronts *t, int32_t s) {
    return (t->height[s] + 3) & ~3;
}

/// Numbers of L D of a step.
static inline int64_t lithe_front_scaled(const LitheFronts *t, int32_t s) {
    int32_t step = t->w[s] < LITHE_FRONT_STEP ? t->w[s] : LITHE_FRONT_STEP;
    return (int64_t)lithe_front_rows(t, s) * step;
}

static inline int32_t lithe_front_from(const LitheFronts *t, int32_t s) {
    return t->w[s] & ~3;
}

/// Rows and columns of C; 0 when no row is below the pivots.
static inline int32_t lithe_front_ld(const LitheFronts *t, int32_t s) {
    return t->height[s] > t->w[s] ? lithe_front_rows(t, s) - lithe_front_from(t, s) : 0;
}

/// Numbers of a C with `ld` rows and columns.
static inline int64_t lithe_front_values(int64_t ld) {
    return ld * ld / 2 + 2 * ld;
}

/// Numbers in C before column `j`, less those rows that column j does not have: entry (i, j) is i
/// numbers behind.
static inline int64_t lithe_front_column(int64_t ld, int64_t j) {
    int64_t first = j & ~(int64_t)3;
    return first * ld - first * (first - 4) / 2 + (j - first) * (ld - first) - first;
}

/// Rows, tasks and memory of the fronts for the order in f->scratch [count], which is followed by a
/// flag for each late block [count]. False when out of memory.
bool lithe_fronts_analyse(LitheBlockFactor *f, const LitheBlockMatrix *m);

/// Places of L, C and bases of all fronts in `values`, for the tasks chosen. `depth`, `region` and
/// `list` [count] are scratch.
void lithe_fronts_place(LitheFronts *t, int32_t *depth, int32_t *region, int32_t *list);

/// Chooses fronts for the requested order and late blocks (f->rank), renumbers the blocks and sets
/// `first`, `parent` and `hot`. False when out of memory.
bool lithe_fronts_find(LitheBlockFactor *f, const LitheBlockMatrix *m);

/// Factors all fronts, or with `all` false the hot ones; then solves, unless `ask` is NULL or a
/// pivot is refused. The bits are those of separate calls.
bool lithe_fronts_factor(const LitheFrontKernel *kernel, LitheBlockFactor *f,
                         const LitheBlockMatrix *m, LithePivotRule rule, bool all,
                         const LitheBlockAsk *ask, LitheBlockPivots *pivots);

/// Whether all blocks of a list, in the caller's numbering, are in hot fronts.
bool lithe_fronts_are_hot(const LitheBlockFactor *f, const int32_t *list, int32_t count);

/// x = scale A\b
void lithe_fronts_solve(const LitheFrontKernel *kernel, LitheBlockFactor *f,
                        const LitheBlockAsk *ask);

#endif
