// SPDX-License-Identifier: Apache-2.0
// sparse/block_matrix.h - symmetric sparse matrix of blocks of any sizes: pattern, product, error
//
// Blocks are numbered by the caller: a node of a rod (4 rows), a free body (6), a tree (its
// joints), a particle (3). docs/theory/block-solver.md has the equations; sparse/block_factor.h
// solves.

#ifndef LITHE_SPARSE_BLOCK_MATRIX_H
#define LITHE_SPARSE_BLOCK_MATRIX_H

#include "base/memory.h"

#include <stdint.h>

/// Lower triangle by block columns. Callers may read all members except the last four, and may
/// write only to `value`, `base` and `own`.
typedef struct LitheBlockMatrix {
    int32_t count;     // block rows
    int32_t *size;     // [count] rows of a block, at least 1
    int32_t *at;       // [count + 1] first scalar row of a block; at[count] is their number
    int32_t *start;    // [count + 1] first entry of a block column
    int32_t *row;      // [start[count]] block row >= column; ascending, so the diagonal is first
    int64_t *value_at; // [start[count] + 1] first value of an entry
    double *value; // [value_at[start[count]]] a block is column-major, size[row] x size[column];
                   // of a diagonal block only the lower triangle is read
    const double *base; // values of the columns without own ones, at the same places; NULL: all
                        // columns have own ones. Read by factors without fronts alone.
    const uint8_t *own; // [count] with `base`: whether a column has own values
    int32_t rank_count; // terms u u' of rank one that are added to the blocks
    int32_t rank_room;  // max number of them
    double *rank;       // [rank_count][at[count]] u
    LitheContext *context;
    int32_t *scratch;
    int32_t capacity[7]; // allocated items of the arrays above, in their order
    int32_t rank_capacity;
} LitheBlockMatrix;

/// Two blocks that share an entry, in any order.
typedef struct LitheBlockPair {
    int32_t a, b;
} LitheBlockPair;

/// A growing list of pairs: the pattern of a future matrix.
typedef struct LithePairList {
    LitheContext *context;
    LitheBlockPair *data;
    int32_t count, capacity;
} LithePairList;

/// False when out of memory.
bool lithe_pair_list_add(LithePairList *list, int32_t a, int32_t b);

/// An empty matrix; NULL when out of memory.
LitheBlockMatrix *lithe_block_matrix_create(LitheContext *context);

/// Accepts NULL.
void lithe_block_matrix_destroy(LitheBlockMatrix *m);

/// Builds the matrix with the pattern of all diagonal blocks and the blocks of the pairs, which may
/// repeat and may name a diagonal block; the values are undefined. Takes time proportional to count
/// + pair_count. Memory only grows. False when out of memory: the matrix is then empty.
bool lithe_block_matrix_build(LitheBlockMatrix *m, int32_t count, const int32_t *sizes,
                              const LitheBlockPair *pairs, int64_t pair_count);

/// Entry of block (row, column), row >= column; -1 when the pattern does not have it.
int32_t lithe_block_find(const LitheBlockMatrix *m, int32_t row, int32_t column);

/// Values of an entry: size[row] x size[column], column-major.
static inline double *lithe_block_values(const LitheBlockMatrix *m, int32_t entry) {
    return m->value + m->value_at[entry];
}

/// Where the values of the entries of a column are: in `value` or in `base`.
static inline const double *lithe_block_column(const LitheBlockMatrix *m, int32_t column) {
    return m->base && !m->own[column] ? m->base : m->value;
}

/// Gives all columns own values: those of the others are copied from `base`.
void lithe_block_own_all(LitheBlockMatrix *m);

/// Frees what a matrix that keeps its pattern does not need, and the values, if they are not kept.
void lithe_block_trim(LitheBlockMatrix *m, bool keep_values);

/// Sets every value to zero.
void lithe_block_clear(LitheBlockMatrix *m);

/// Room for `count` terms of rank one, after lithe_block_matrix_build; there are none at first.
/// False when out of memory.
bool lithe_block_reserve_ranks(LitheBlockMatrix *m, int32_t count);

/// Adds a term u u', for which there must be room, and returns u [at[count]], zeros.
double *lithe_block_add_rank(LitheBlockMatrix *m);

/// y = A x with the pattern and the terms of `m` and given values; both [at[count]], not
/// overlapping.
void lithe_block_multiply(const LitheBlockMatrix *m, const double *value, const double *x,
                          double *y);

/// y = A x for the blocks first .. after - 1, without the entries that couple them with others. A
/// term of rank one is that of these blocks alone.
void lithe_block_multiply_part(const LitheBlockMatrix *m, int32_t first, int32_t after,
                               const double *value, const double *x, double *y);

/// As lithe_block_multiply_part for the rows of the blocks marked [count]; the other rows of y
/// become those of -rest. For a matrix without terms of rank one.
void lithe_block_multiply_rows(const LitheBlockMatrix *m, int32_t first, int32_t after,
                               const uint8_t *marked, const double *value, const double *x,
                               const double *rest, double *y);

enum { LITHE_BLOCK_TERM_NODES = 32 }; // max blocks that a term touches

/// A term J' G J of a few rows that touches a few blocks.
typedef struct LitheBlockTerm {
    int32_t rows, count;
    const int32_t *node;  // [count] blocks, all different
    const int32_t *entry; // [count b + a] of (node[a], node[b]); -1: upper triangle
    const double *J;      // all blocks [rows][size of the block]
    const int32_t *J_at;  // [count] where they begin
    const double *G;      // [rows][rows] symmetric
} LitheBlockTerm;

/// Finds the entries of a term, [count^2].
void lithe_block_find_term(const LitheBlockMatrix *m, int32_t count, const int32_t *node,
                           int32_t *entry);

/// Adds the column of node[b] of J' G J to A; `work` [rows][size of that block].
void lithe_block_add_term(LitheBlockMatrix *m, const LitheBlockTerm *term, int32_t b, double *work);

/// |b - A x| / (|A| |x| + |b|) in the maximum norm, 0 when all is zero. `work` [2 at[count]].
double lithe_block_backward_error(const LitheBlockMatrix *m, const double *x, const double *b,
                                  double *work);

#endif
