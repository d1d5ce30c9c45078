// SPDX-License-Identifier: Apache-2.0
// sparse/block_tree.h - elimination order and tree of a block matrix, private to sparse/

#ifndef LITHE_SPARSE_BLOCK_TREE_H
#define LITHE_SPARSE_BLOCK_TREE_H

#include "sparse/block_matrix.h"

/// The two ends of an entry of the matrix in the order of elimination.
typedef struct LitheBlockEnds {
    int32_t low, high;
    bool transposed; // the row is eliminated before the column, so L contains the transpose
} LitheBlockEnds;

static inline LitheBlockEnds lithe_block_ends(const LitheBlockMatrix *m, const int32_t *place,
                                              int32_t column, int32_t entry) {
    int32_t r = place[m->row[entry]], c = place[column];
    // which of them is smaller cannot be predicted: no branch
    return (LitheBlockEnds){r < c ? r : c, r < c ? c : r, r < c};
}

/// before[start[i]..start[i+1]-1]: the neighbours of i in the matrix that are eliminated before it.
/// start [count + 1], before [entries - count].
void lithe_block_list_earlier(const LitheBlockMatrix *m, const int32_t *place, int32_t *start,
                              int32_t *before);

/// The parent of each block in the elimination tree, -1 for a root. `ancestor` [count].
void lithe_block_find_parents(int32_t count, const int32_t *start, const int32_t *before,
                              int32_t *parent, int32_t *ancestor);

/// An order in which every subtree is contiguous, children before their parents: place[j] is where
/// j goes. Parents have higher numbers than their children. `size` and `room` [count].
void lithe_block_postorder(int32_t count, const int32_t *parent, int32_t *place, int32_t *size,
                           int32_t *room);

/// Neighbours of each block, from both triangles; start [count + 1], list [2 (entries - count)].
void lithe_block_list_neighbours(const LitheBlockMatrix *m, int32_t *start, int32_t *list);

/// A graph in the memory of a caller. After lithe_graph_open the caller fills `first` and `list`:
/// the neighbours of each node, from both sides and without repetition.
typedef struct LitheGraph {
    int32_t count;
    int64_t edges;  // counted from both sides
    int32_t *first; // [count + 1]
    int32_t *list;  // [edges]
} LitheGraph;

/// Numbers of memory that a graph takes.
int64_t lithe_graph_size(int64_t count, int64_t edges);

LitheGraph lithe_graph_open(int32_t count, int64_t edges, int32_t *memory);

/// Approximate minimum degree; nodes of higher rank follow after the others, unless `rank` is
/// NULL. Nodes with very many neighbours come last, unless `all_alike`. Overwrites the graph.
void lithe_graph_order(const LitheGraph *g, const int32_t *rank, bool all_alike, int32_t *order);

/// Approximate minimum degree; blocks of higher rank follow after the others, unless `rank` is
/// NULL. `*scratch` is memory of `context` that grows as needed. False when out of memory.
bool lithe_block_order_by_degree(LitheContext *context, const LitheBlockMatrix *m,
                                 const int32_t *rank, int32_t *order, int32_t **scratch,
                                 int32_t *capacity);

#endif
