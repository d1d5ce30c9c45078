// SPDX-License-Identifier: Apache-2.0
// sparse/block_factor.h - A = L D L' of a block matrix: analyse once, factor often, or in part
//
// Three steps: lithe_block_analyse (pattern only), lithe_block_factor_numeric or
// lithe_block_refactor (values), lithe_block_solve. The order of elimination and of every sum is a
// function of the pattern, so equal input gives equal bits. docs/theory/block-solver.md.

#ifndef LITHE_SPARSE_BLOCK_FACTOR_H
#define LITHE_SPARSE_BLOCK_FACTOR_H

#include "base/meter.h"
#include "base/threads.h"
#include "sparse/block_matrix.h"
#include "sparse/rod_matrix.h"

/// A pivot counts as zero when it is at most this times the diagonal entry of its row, as in a rod.
#define LITHE_BLOCK_PIVOT_THRESHOLD LITHE_ROD_PIVOT_THRESHOLD

/// Outcome of a factorisation. When first_bad is not -1 the factor must not be used to solve, and
/// `smallest` is the refused pivot. A NaN or an infinity in the values that are read always leads
/// to a bad pivot.
typedef struct LitheBlockPivots {
    int32_t negative_count; // number of negative eigenvalues when first_bad is -1
    int32_t first_bad;    // scalar row, in the caller's numbering, whose pivot is refused; -1: none
    double smallest;      // the smallest pivot, negative ones included [unit of the matrix]
    int32_t column_count; // block columns computed in this call
} LitheBlockPivots;

typedef struct LitheBlockFactor LitheBlockFactor;

/// NULL when out of memory.
LitheBlockFactor *lithe_block_factor_create(LitheContext *context);

/// Accepts NULL.
void lithe_block_factor_destroy(LitheBlockFactor *f);

/// Frees the memory of pattern and values, and leaves an empty factor with its pool.
void lithe_block_factor_forget(LitheBlockFactor *f);

/// Sets the pool that later calls use to factor and solve large matrices; NULL: one thread. Results
/// have the same bits with every pool.
void lithe_block_factor_pool(LitheBlockFactor *f, LithePool *pool);

/// Sets the meter that factorisations of large matrices ask whether they go on; NULL: they do. One
/// that is given up refuses a pivot.
void lithe_block_factor_meter(LitheBlockFactor *f, LitheMeter *meter);

/// Elimination order, elimination tree and pattern of L. `order` [count] gives the k-th block to
/// eliminate; NULL: approximate minimum degree on the graph of blocks. Does nothing when sizes,
/// pattern and order are those of the last call. Memory only grows: after a warm-up with the
/// largest pattern nothing is allocated. False when out of memory: analyse again before anything
/// else.
bool lithe_block_analyse(LitheBlockFactor *f, const LitheBlockMatrix *m, const int32_t *order);

/// As lithe_block_analyse, with the blocks of the list `late` (may repeat) after all others, and
/// minimum degree within both groups. If the list contains the blocks that lithe_block_refactor
/// will get, lithe_block_refactor computes only their columns: the columns of all other blocks are
/// factored once. In a large matrix a few more blocks come even later, as separators: without them
/// the other blocks split into independent parts. All columns are then numbered part by part: L has
/// the same blocks, and those of a part are contiguous. A matrix that fills (many bodies that touch
/// on all sides, a solid) is analysed as by lithe_block_analyse_fronts, with its own order: this is
/// decided by the pattern alone, and so it is by lithe_block_analyse without an order.
bool lithe_block_analyse_late(LitheBlockFactor *f, const LitheBlockMatrix *m, const int32_t *late,
                              int32_t late_count);

/// As lithe_block_analyse with an order for meshes (lithe_block_dissect): columns of L with similar
/// patterns are computed together, as dense fronts. The blocks of the list `late` (may repeat) are
/// those that lithe_block_refactor will get: it computes only their fronts and the ancestors of
/// these, and nothing of what other fronts subtract from them. Late blocks come after all others,
/// which keep their order, if that saves work in total; this is decided by the pattern alone. Mixed
/// sizes are fine. docs/theory/mesh-solver.md.
bool lithe_block_analyse_fronts(LitheBlockFactor *f, const LitheBlockMatrix *m,
                                const int32_t *order, const int32_t *late, int32_t late_count);

/// Whether the factor was analysed for exactly the sizes and the pattern of `m`.
bool lithe_block_factor_fits(const LitheBlockFactor *f, const LitheBlockMatrix *m);

/// A = L D L' of the matrix analysed. True when no pivot was refused.
bool lithe_block_factor_numeric(LitheBlockFactor *f, const LitheBlockMatrix *m, LithePivotRule rule,
                                LitheBlockPivots *pivots);

/// As lithe_block_factor_numeric, after a change of values: an entry (a, b) may have changed since
/// the last factorisation only when both a and b are in `touched`, a list of blocks in the caller's
/// numbering (repeats are fine). Computes the columns of these blocks and of their ancestors in the
/// elimination tree; the result has the bits of a full factorisation. After a refused pivot, or an
/// analysis, all columns are computed; also by a factor of fronts when a block is not in a front of
/// late blocks or above one.
bool lithe_block_refactor(LitheBlockFactor *f, const LitheBlockMatrix *m, const int32_t *touched,
                          int32_t touched_count, LithePivotRule rule, LitheBlockPivots *pivots);

/// A right-hand side and its solution: x = scale A\b, in the caller's numbering; x may be b.
typedef struct LitheBlockAsk {
    double scale;
    const double *b;
    double *x;
} LitheBlockAsk;

/// Refactors, or factors all columns with `touched` NULL, and solves if no pivot is refused. The
/// bits are those of separate calls to factor and to solve. This call is faster, because it uses
/// each part of L while that part is in the cache.
bool lithe_block_factor_solve(LitheBlockFactor *f, const LitheBlockMatrix *m,
                              const int32_t *touched, int32_t touched_count, LithePivotRule rule,
                              LitheBlockPivots *pivots, const LitheBlockAsk *ask);

/// Whether it has the values of a matrix; a pattern that changed has none yet.
bool lithe_block_has_values(const LitheBlockFactor *f);

/// x = A\x, in the caller's numbering.
void lithe_block_solve(LitheBlockFactor *f, double *x);

/// The k-th block eliminated is order[k]; [count], valid until the next analysis.
const int32_t *lithe_block_order(const LitheBlockFactor *f);

/// Blocks of L with its diagonal, and its values without padding.
int64_t lithe_block_factor_blocks(const LitheBlockFactor *f);
int64_t lithe_block_factor_values(const LitheBlockFactor *f);

#endif
