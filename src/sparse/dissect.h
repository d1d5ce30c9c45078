// SPDX-License-Identifier: Apache-2.0
// sparse/dissect.h - elimination order of a mesh by nested dissection

#ifndef LITHE_SPARSE_DISSECT_H
#define LITHE_SPARSE_DISSECT_H

#include "sparse/block_matrix.h"

/// An order of elimination for a large mesh: order[k] is the k-th block [count]. It depends on the
/// pattern alone. METIS finds it; without METIS, or when METIS fails or returns anything but a
/// permutation, separators are levels of distance and the rest is ordered by minimum degree: then
/// the factor is larger. A graph of middle size gets minimum degree alone where that costs less.
/// False when out of memory.
bool lithe_block_dissect(LitheContext *context, const LitheBlockMatrix *m, int32_t *order);

/// What finds the separators: "METIS 5.1.0" or "levels of distance".
const char *lithe_block_dissect_name(void);

/// Finds an order of the graph of `count` blocks; the neighbours of i are list[start[i]] to
/// list[start[i + 1] - 1]. False when it fails.
typedef bool LitheDissectFn(int32_t count, const int32_t *start, const int32_t *list,
                            int32_t *order);

/// The separators alone, with a function in the place of METIS; NULL: without METIS.
bool lithe_block_dissect_with(LitheDissectFn *fn, LitheContext *context, const LitheBlockMatrix *m,
                              int32_t *order);

#endif
