// SPDX-License-Identifier: Apache-2.0
// sparse/block_parts.h - common declarations of the block factor, private to sparse/
//
// Everything here is in the order of elimination: block j is the caller's block order[j]. A block
// of L is stored column-major with its rows padded to a multiple of four by zeros, so that kernels
// work on columns of four ("quads") throughout; the strict lower triangle of a diagonal block is L,
// the rest of it unused. Vectors are padded in the same way.

#ifndef LITHE_SPARSE_BLOCK_PARTS_H
#define LITHE_SPARSE_BLOCK_PARTS_H

#include "sparse/block_factor.h"
#include "sparse/fronts.h"

enum {
    LITHE_BLOCK_TASKS = 32, // max groups of columns that are computed in parallel
};

/// Columns of blocks of four, as in rods.
typedef enum LitheBlockFours {
    LITHE_FOURS_NOT,  // a block of the column has other sizes
    LITHE_FOURS_ALL,  // all have four columns and, with padding, four rows
    LITHE_FOURS_TWIN, // and the rows below the next column's diagonal are those of this column
} LitheBlockFours;

struct LitheBlockFactor {
    LitheContext *context;
    bool analysed;     // the pattern below is valid
    bool factored;     // and so are the values
    bool given;        // the order came from the caller
    bool by_fronts;    // the values are in `fronts`; of the arrays below those of the pattern, of
                       // order and tree, and of sources are used
    bool chose_fronts; // because L has many blocks, not on request

    // the analysed pattern, in the caller's numbering
    int32_t count;        // blocks
    int32_t scalar_count; // scalar rows
    int32_t *input_size;  // [count]
    int32_t *input_start; // [count + 1]
    int32_t *input_row;   // [input_start[count]]

    // order and tree
    int32_t *order;  // [count] the j-th block eliminated
    int32_t *rank;   // [count] blocks of higher rank are eliminated later; unused when `given`
    int32_t *place;  // [count] inverse of `order`
    int32_t *parent; // [count] in the elimination tree; -1 for a root
    int32_t *size;   // [count] rows of a block
    int32_t *at;     // [count + 1] first padded row
    int32_t *scalar; // [count] first scalar row in the caller's numbering

    // L by columns: entries with the diagonal first, then rows ascending
    int32_t *start;    // [count + 1] first entry of a column
    int32_t *row;      // [start[count]]
    int32_t *value_at; // [start[count] + 1]

    // L by rows, without the diagonal: columns ascending
    int32_t *row_start;  // [count + 1]
    int32_t *row_column; // [start[count] - count]
    int32_t *row_entry;  // [start[count] - count] entry in its column
    int32_t *fours;      // [count] LitheBlockFours

    // where the matrix is scattered to, by columns of L
    int32_t *from_start; // [count + 1]
    int32_t *from;       // [input_start[count]] entry of the matrix
    int32_t *into;       // [input_start[count]] entry of L; ~entry when transposed

    LitheFronts *fronts; // made by the first analysis that uses them

    // columns in parallel (sparse/block_tasks.c)
    int32_t task_count;
    int32_t task_start[LITHE_BLOCK_TASKS + 2]; // first column of each task, then of the top, which
                                               // is all columns that are in no task
    LithePool *pool;                           // NULL: one thread
    LitheMeter *meter;                         // NULL: factorisations are never given up

    // values
    double *value;      // [value_at[start[count]]] L
    double *pivot;      // [at[count]] D
    double *reciprocal; // [at[count]] 1/D; zero in the padding
    double *x;          // [at[count]] a right-hand side
    double *aside;  // [task_count][padded rows of the top] contributions of each task to the top
    double *scaled; // [task_count + 1][largest padded block] a block of L times D, or four columns
                    // of it

    // scratch of the numeric part
    int32_t *where;     // [slot_count][count] place of a block row in the present panel
    int32_t slot_count; // tasks that can be computed at a time
    int32_t *redo;      // [count] whether a column is to be computed
    int32_t largest;    // rows of the largest block

    // terms of rank one of the matrix (sparse/block_rank.c)
    double *terms;
    int32_t term_count; // 0: there are none, or B has to be solved alone
    int32_t term_capacity;

    // the memory of all arrays
    int32_t *pattern_memory, *factor_memory, *where_memory, *scratch;
    double *value_memory;
    int32_t pattern_capacity, factor_capacity, where_capacity, scratch_capacity, value_capacity;
};

/// Tasks that the threads of the pool compute at a time.
static inline int32_t lithe_block_slots(const LitheBlockFactor *f) {
    int32_t threads = lithe_pool_size(f->pool);
    return threads < f->task_count ? threads : f->task_count > 0 ? f->task_count : 1;
}

// rows with padding
static inline int32_t block_padded(int32_t size) {
    return (size + 3) & ~3;
}

/// Memory for the pattern of `m`, its order and its tree. False when there is none.
bool lithe_block_allocate_pattern(LitheBlockFactor *f, const LitheBlockMatrix *m);

/// Stores the pattern of `m`, for lithe_block_factor_fits.
void lithe_block_store_pattern(LitheBlockFactor *f, const LitheBlockMatrix *m);

/// Sets everything that follows from f->order alone: place, size, rows.
void lithe_block_number(LitheBlockFactor *f, const LitheBlockMatrix *m);

/// Sets the rank of a few blocks, the separators, to top + 1, such that the other blocks split into
/// parts of about equal size. Changes no rank when too many separators would be needed. `work`
/// [3 count + 1 + twice the entries].
void lithe_block_cut(const LitheBlockMatrix *m, int32_t top, int32_t *rank, int32_t *work);

/// Groups the columns of L into tasks and puts them into `list` [count], task by task, children
/// before parents and subtrees together. `work` [3 count], aligned as an int64_t is.
void lithe_block_group(LitheBlockFactor *f, int32_t *list, int32_t *work);

/// One implementation of the numeric part. `columns` computes the columns of task `task` with
/// redo[j] set, in order, in the scratch memory `slot`, and returns the padded row of the first
/// refused pivot, or -1; with `solves` it does what `down` does, too. Solving
/// works on f->x: `down` every task, `join` their contributions to the top, `down` the top, then
/// `up` the top and every task ([9] and [10] of docs/theory/block-solver.md). `multiply`,
/// `multiply_rows` and `term` are lithe_block_multiply, lithe_block_multiply_rows and
/// lithe_block_add_term.
typedef struct LitheBlockKernel {
    const char *name;
    int32_t (*columns)(const LitheBlockFactor *f, const LitheBlockMatrix *m, LithePivotRule rule,
                       bool solves, int32_t task, int32_t slot);
    void (*down)(const LitheBlockFactor *f, int32_t task);
    void (*join)(const LitheBlockFactor *f);
    void (*up)(const LitheBlockFactor *f, int32_t task);
    void (*multiply)(const LitheBlockMatrix *m, int32_t first, int32_t after, const double *value,
                     const double *x, double *y);
    void (*multiply_rows)(const LitheBlockMatrix *m, int32_t first, int32_t after,
                          const uint8_t *marked, const double *value, const double *x,
                          const double *rest, double *y);
    void (*term)(LitheBlockMatrix *m, const LitheBlockTerm *term, int32_t b, double *work);
    const LitheFrontKernel *front;
} LitheBlockKernel;

extern const LitheBlockKernel lithe_block_kernel_portable;
#if defined(__x86_64__)
extern const LitheBlockKernel lithe_block_kernel_avx2;
#endif

/// Kernels this processor can run, the one in use first; NULL past the end.
const LitheBlockKernel *lithe_block_kernel(int32_t index);

/// The same as lithe_block_factor_numeric and lithe_block_solve with a kernel of choice.
bool lithe_block_factor_with(const LitheBlockKernel *kernel, LitheBlockFactor *f,
                             const LitheBlockMatrix *m, LithePivotRule rule,
                             LitheBlockPivots *pivots);
void lithe_block_solve_with(const LitheBlockKernel *kernel, LitheBlockFactor *f, double *x);

/// Adds the terms of rank one to y = B x for the blocks first .. after - 1.
void lithe_block_multiply_ranks(const LitheBlockMatrix *m, int32_t first, int32_t after,
                                const double *x, double *y);

/// Memory for the terms that `m` has room for; false when there is none.
bool lithe_block_reserve_terms(LitheBlockFactor *f, const LitheBlockMatrix *m);

/// (R1): `solve` is x = B\x. False when C is singular; `negative` eigenvalues of C.
bool lithe_block_begin_terms(LitheBlockFactor *f, const LitheBlockMatrix *m,
                             void (*solve)(void *user, double *x), void *user, int32_t *negative);

/// (R2): x, B\b before, becomes A\b.
void lithe_block_apply_terms(const LitheBlockFactor *f, double *x);

/// Entries of the matrix (f->from) by the block column of L that they go to; f->into gets the block
/// row, complemented where L contains the transpose.
void lithe_block_sort_sources(LitheBlockFactor *f, const LitheBlockMatrix *m);

#endif
