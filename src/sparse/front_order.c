// SPDX-License-Identifier: Apache-2.0
// sparse/front_order.c - what an order of elimination costs, and an order of late blocks
//
// Everything here is a function of the pattern, the order and the late blocks. Numbers in brackets:
// docs/theory/mesh-solver.md.

#include "sparse/front_order.h"

#include "sparse/block_tree.h"

#include <string.h>

// --- cost ----------------------------------------------------------------------------------------

// times that an incomplete cost is compared with its limit
enum { LOOKS = 16 };

int64_t lithe_order_size(const LitheBlockMatrix *m) {
    return 6 * (int64_t)m->count + 1 + m->start[m->count];
}

LitheOrderTree lithe_order_open(const LitheBlockMatrix *m, int32_t *memory) {
    int64_t n = m->count;
    return (LitheOrderTree){.place = memory,
                            .parent = memory + n,
                            .height = memory + 2 * n,
                            .hot = memory + 3 * n,
                            .mark = memory + 4 * n,
                            .start = memory + 5 * n,
                            .before = memory + 6 * n + 1};
}

static double cost_of(const LitheBlockMatrix *m, const int32_t *order, double again,
                      const LitheOrderTree *t) {
    double all = 0, hot = 0;
    for (int32_t j = 0; j < m->count; j++) {
        double cost = (double)m->size[order[j]] * t->height[j] * t->height[j];
        all += cost;
        hot += t->hot[j] ? cost : 0;
    }
    return all + again * hot;
}

double lithe_order_weigh(const LitheBlockMatrix *m, const int32_t *order, const int32_t *late,
                         double again, double limit, const LitheOrderTree *t) {
    int32_t n = m->count;
    for (int32_t j = 0; j < n; j++) {
        t->place[order[j]] = j;
        t->height[j] = m->size[order[j]];
        t->hot[j] = late && late[order[j]];
    }
    lithe_block_list_earlier(m, t->place, t->start, t->before);
    lithe_block_find_parents(n, t->start, t->before, t->parent, t->mark);
    for (int32_t j = 0; j < n; j++) {
        t->mark[j] = -1;
        if (t->parent[j] >= 0)
            t->hot[t->parent[j]] |= t->hot[j];
    }
    // Rows of L are paths up the tree. The last rows are the longest: with them first, a cost that
    // exceeds its limit does so soon.
    int32_t step = n / LOOKS + 1;
    for (int32_t i = n - 1; i >= 0; i--) {
        int32_t size = m->size[order[i]];
        t->mark[i] = i;
        for (int32_t p = t->start[i]; p < t->start[i + 1]; p++)
            for (int32_t k = t->before[p]; t->mark[k] != i; k = t->parent[k]) {
                t->mark[k] = i;
                t->height[k] += size;
            }
        if (i % step == 0 && i > 0) {
            double cost = cost_of(m, order, again, t);
            if (cost > limit)
                return cost;
        }
    }
    return cost_of(m, order, again, t);
}

// --- late blocks ---------------------------------------------------------------------------------

// The graph that is left when all other blocks are eliminated: late blocks that touch the same
// connected part of the others are neighbours. Each part stands for these pairs as a node that is
// eliminated first; so the graph is not larger than the matrix.
typedef struct Late {
    const LitheBlockMatrix *m;
    const int32_t *late;
    int32_t count;  // late blocks
    int32_t parts;  // numbered so far
    int32_t *up;    // [blocks] of the others: towards the first block of the part
    int32_t *node;  // [blocks] node of a late block, or of a part at its first block; -1: none yet
    int32_t *start; // [count + 1] first of the nodes that touch a late block
    int32_t *next;  // [count]
    int32_t *touch; // [start[count]]
    int32_t *mark;  // [blocks]
} Late;

static int32_t first_of(const Late *l, int32_t i) {
    while (l->up[i] != i)
        i = l->up[i] = l->up[l->up[i]];
    return i;
}

// entries with a late block at an end, counted at each such end
static int64_t count_touches(const LitheBlockMatrix *m, const int32_t *late) {
    int64_t touches = 0;
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++)
            touches += late[j] + late[m->row[e]];
    return touches;
}

// nodes of the graph: all late blocks, and at most as many parts as there are others or touches
static int64_t count_nodes(const LitheBlockMatrix *m, const int32_t *late, int64_t touches) {
    int64_t count = 0;
    for (int32_t i = 0; i < m->count; i++)
        count += late[i];
    int64_t others = m->count - count;
    return count + (others < touches ? others : touches);
}

int64_t lithe_order_late_size(const LitheBlockMatrix *m, const int32_t *late) {
    int64_t touches = count_touches(m, late), nodes = count_nodes(m, late, touches);
    return 5 * (int64_t)m->count + 1 + touches + 2 * nodes + lithe_graph_size(nodes, 2 * touches);
}

// up, and node of the late blocks
static void find_parts(Late *l) {
    const LitheBlockMatrix *m = l->m;
    l->count = l->parts = 0;
    for (int32_t i = 0; i < m->count; i++) {
        l->up[i] = i;
        l->node[i] = l->late[i] ? l->count++ : -1;
        l->mark[i] = -1;
    }
    for (int32_t j = 0; j < m->count; j++) {
        if (l->late[j])
            continue;
        int32_t own = first_of(l, j);
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++) {
            if (l->late[m->row[e]])
                continue;
            int32_t other = first_of(l, m->row[e]);
            if (other > own) {
                l->up[other] = own;
            } else {
                l->up[own] = other;
                own = other;
            }
        }
    }
}

static int32_t node_of(Late *l, int32_t i) {
    if (l->late[i])
        return l->node[i];
    int32_t first = first_of(l, i);
    if (l->node[first] < 0)
        l->node[first] = l->count + l->parts++;
    return l->node[first];
}

// the nodes that touch each late block; some repeatedly
static void find_touches(Late *l) {
    const LitheBlockMatrix *m = l->m;
    memset(l->start, 0, sizeof *l->start * (size_t)(l->count + 1));
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++)
            for (int end = 0; end < 2; end++) {
                int32_t i = end ? m->row[e] : j;
                if (l->late[i])
                    l->start[l->node[i] + 1]++;
            }
    for (int32_t i = 0; i < l->count; i++) {
        l->next[i] = l->start[i];
        l->start[i + 1] += l->start[i];
    }
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++)
            for (int end = 0; end < 2; end++) {
                int32_t i = end ? m->row[e] : j, other = end ? j : m->row[e];
                if (l->late[i])
                    l->touch[l->next[l->node[i]]++] = node_of(l, other);
            }
}

// each node once per late block; returns their number
static int32_t drop_repeated(Late *l) {
    int32_t kept = 0;
    for (int32_t i = 0, p = 0; i < l->count; i++) {
        int32_t end = l->start[i + 1];
        l->start[i] = kept;
        for (; p < end; p++)
            if (l->mark[l->touch[p]] != i) {
                l->mark[l->touch[p]] = i;
                l->touch[kept++] = l->touch[p];
            }
    }
    l->start[l->count] = kept;
    return kept;
}

// pairs of late blocks are in `touch` from both sides, those with a part from one side
static void fill_graph(const Late *l, LitheGraph *g) {
    int32_t n = l->count, *first = g->first;
    memset(first, 0, sizeof *first * (size_t)(g->count + 1));
    for (int32_t i = 0; i < n; i++)
        for (int32_t p = l->start[i]; p < l->start[i + 1]; p++) {
            first[i + 1]++;
            first[l->touch[p] + 1] += l->touch[p] >= n;
        }
    for (int32_t i = 0; i < g->count; i++)
        first[i + 1] += first[i];
    g->edges = first[g->count];
    for (int32_t i = 0; i < n; i++)
        for (int32_t p = l->start[i]; p < l->start[i + 1]; p++) {
            g->list[first[i]++] = l->touch[p];
            if (l->touch[p] >= n)
                g->list[first[l->touch[p]]++] = i;
        }
    // filling advanced each begin to that of the next
    memmove(first + 1, first, sizeof *first * (size_t)g->count);
    first[0] = 0;
}

void lithe_order_late(const LitheBlockMatrix *m, const int32_t *late, int32_t *memory,
                      int32_t *order) {
    int64_t n = m->count;
    Late l = {.m = m,
              .late = late,
              .up = memory,
              .node = memory + n,
              .mark = memory + 2 * n,
              .next = memory + 3 * n,
              .start = memory + 4 * n};
    l.touch = l.start + n + 1;
    find_parts(&l);
    find_touches(&l);
    int64_t all = l.start[l.count];
    int32_t kept = drop_repeated(&l), nodes = l.count + l.parts;
    int32_t *found = l.touch + all, *rank = found + nodes;
    for (int32_t i = 0; i < nodes; i++)
        rank[i] = i < l.count;
    LitheGraph g = lithe_graph_open(nodes, 2 * (int64_t)kept, rank + nodes);
    fill_graph(&l, &g);
    lithe_graph_order(&g, l.parts > 0 ? rank : NULL, true, found);
    // `next` and `mark` are free: blocks of the nodes
    for (int32_t i = 0; i < n; i++)
        if (late[i])
            l.next[l.node[i]] = i;
    int32_t at = 0;
    for (int32_t k = 0; k < nodes; k++)
        if (found[k] < l.count)
            order[at++] = l.next[found[k]];
}
