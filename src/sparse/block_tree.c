// SPDX-License-Identifier: Apache-2.0
// sparse/block_tree.c - graph, order by degree and elimination tree of a block matrix
//
// Numbers in brackets: docs/theory/block-solver.md.

#include "sparse/block_tree.h"

#include <camd.h>
#include <string.h>

// Shifts the begins of lists after they were filled: each entry became the begin of the next.
static void shift(int32_t count, int32_t *start) {
    memmove(start + 1, start, sizeof *start * (size_t)count);
    start[0] = 0;
}

void lithe_block_list_neighbours(const LitheBlockMatrix *m, int32_t *start, int32_t *list) {
    int32_t n = m->count;
    memset(start, 0, sizeof *start * (size_t)(n + 1));
    for (int32_t j = 0; j < n; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++) {
            start[j + 1]++;
            start[m->row[e] + 1]++;
        }
    for (int32_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    for (int32_t j = 0; j < n; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++) {
            list[start[j]++] = m->row[e];
            list[start[m->row[e]]++] = j;
        }
    shift(n, start);
}

// numbers of the list of neighbours: a fifth to spare, as the authors of AMD recommend
static int64_t list_size(int64_t count, int64_t edges) {
    return edges + edges / 5 + count + 1;
}

int64_t lithe_graph_size(int64_t count, int64_t edges) {
    return 10 * count + 3 + list_size(count, edges);
}

LitheGraph lithe_graph_open(int32_t count, int64_t edges, int32_t *memory) {
    return (LitheGraph){count, edges, memory, memory + 10 * (int64_t)count + 3};
}

void lithe_graph_order(const LitheGraph *g, const int32_t *rank, bool all_alike, int32_t *order) {
    int64_t n = g->count;
    int32_t *length = g->first + n + 1, *degree = length + n, *super = degree + n;
    int32_t *next = super + n, *last = next + n, *head = last + n, *elements = head + n + 1;
    int32_t *flag = elements + n, *bucket = flag + n + 1;
    for (int32_t j = 0; j < n; j++)
        length[j] = g->first[j + 1] - g->first[j];
    double control[CAMD_CONTROL], info[CAMD_INFO];
    camd_defaults(control);
    if (all_alike)
        control[CAMD_DENSE] = -1;
    if (n > 0)
        camd_2((int)n, g->first, g->list, length, (int)list_size(n, g->edges), (int)g->edges, super,
               next, last, head, elements, degree, flag, control, info, rank, bucket);
    memcpy(order, last, sizeof *last * (size_t)n);
}

bool lithe_block_order_by_degree(LitheContext *context, const LitheBlockMatrix *m,
                                 const int32_t *rank, int32_t *order, int32_t **scratch,
                                 int32_t *scratch_capacity) {
    int64_t n = m->count, edges = 2 * ((int64_t)m->start[n] - n);
    if (!LITHE_RENEW(context, *scratch, *scratch_capacity, lithe_graph_size(n, edges)))
        return false;
    LitheGraph g = lithe_graph_open(m->count, edges, *scratch);
    lithe_block_list_neighbours(m, g.first, g.list);
    lithe_graph_order(&g, rank, false, order);
    return true;
}

void lithe_block_list_earlier(const LitheBlockMatrix *m, const int32_t *place, int32_t *start,
                              int32_t *before) {
    int32_t n = m->count;
    memset(start, 0, sizeof *start * (size_t)(n + 1));
    for (int32_t j = 0; j < n; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++)
            start[lithe_block_ends(m, place, j, e).high + 1]++;
    for (int32_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    for (int32_t j = 0; j < n; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++) {
            LitheBlockEnds ends = lithe_block_ends(m, place, j, e);
            before[start[ends.high]++] = ends.low;
        }
    shift(n, start);
}

// The parent of k is the first row below the diagonal in column k of L [4]. `ancestor` shortens
// paths that have been followed before.
void lithe_block_find_parents(int32_t count, const int32_t *start, const int32_t *before,
                              int32_t *parent, int32_t *ancestor) {
    for (int32_t i = 0; i < count; i++) {
        parent[i] = ancestor[i] = -1;
        for (int32_t p = start[i]; p < start[i + 1]; p++)
            for (int32_t k = before[p], up; k != -1 && k < i; k = up) {
                up = ancestor[k];
                ancestor[k] = i;
                if (up == -1)
                    parent[k] = i;
            }
    }
}

void lithe_block_postorder(int32_t count, const int32_t *parent, int32_t *place, int32_t *size,
                           int32_t *room) {
    int32_t end = count;
    for (int32_t j = 0; j < count; j++)
        size[j] = 1;
    for (int32_t j = 0; j < count; j++)
        if (parent[j] >= 0)
            size[parent[j]] += size[j];
    // parents come first in this direction: they assign places from the end of their range
    for (int32_t j = count - 1; j >= 0; j--) {
        int32_t *from = parent[j] >= 0 ? &room[parent[j]] : &end;
        room[j] = place[j] = *from - 1;
        *from -= size[j];
    }
}
