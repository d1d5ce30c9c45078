// SPDX-License-Identifier: Apache-2.0
// sparse/dissect.c - nested dissection: by METIS, or by levels of distance
//
// A separator splits the graph into parts without a connection; it is eliminated after them. The
// parts are split in the same way. docs/theory/mesh-solver.md, section 1.

#include "sparse/dissect.h"

#include "sparse/block_tree.h"
#include "sparse/front_order.h"

#include <math.h>
#include <string.h>

enum {
    SMALL = 200,   // blocks of a graph for which minimum degree is as good
    MIDDLE = 8000, // blocks of a graph for which it may be as good
    LEAF = 100,    // blocks of a part that is not split
};
// a separator leaves at least this part of the blocks on both sides
#define BALANCE 0.3

// --- METIS ---------------------------------------------------------------------------------------

#if defined(LITHE_METIS)

#include "base/threads.h"

#include <metis.h>
#include <stdlib.h>

typedef struct MetisCall {
    idx_t count, *at, *to, *found, *place;
    int outcome;
} MetisCall;

static void call_metis(void *user) {
    MetisCall *c = user;
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NUMBERING] = 0;
    c->outcome = METIS_NodeND(&c->count, c->at, c->to, NULL, options, c->found, c->place);
}

static bool by_metis(int32_t count, const int32_t *start, const int32_t *list, int32_t *order) {
    // idx_t may have 64 bits
    size_t n = (size_t)count, edges = (size_t)start[count];
    idx_t *memory = malloc(sizeof *memory * (3 * n + 1 + edges));
    if (!memory)
        return false;
    idx_t *at = memory, *to = at + n + 1, *place = to + edges, *found = place + n;
    for (size_t i = 0; i <= n; i++)
        at[i] = start[i];
    for (size_t i = 0; i < edges; i++)
        to[i] = list[i];
    MetisCall call = {.count = count, .at = at, .to = to, .found = found, .place = place};
    lithe_call_alone(call_metis, &call);
    bool done = call.outcome == METIS_OK;
    for (size_t i = 0; done && i < n; i++)
        order[i] = found[i] >= 0 && found[i] < count ? (int32_t)found[i] : -1;
    free(memory);
    return done;
}

#define TEXT(number) WORD(number)
#define WORD(number) #number

const char *lithe_block_dissect_name(void) {
    return "METIS " TEXT(METIS_VER_MAJOR) "." TEXT(METIS_VER_MINOR) "." TEXT(METIS_VER_SUBMINOR);
}

#else

static LitheDissectFn *const by_metis = NULL;

const char *lithe_block_dissect_name(void) {
    return "levels of distance";
}

#endif

static bool is_permutation(int32_t count, const int32_t *order, int32_t *seen) {
    memset(seen, 0, sizeof *seen * (size_t)count);
    for (int32_t k = 0; k < count; k++) {
        if (order[k] < 0 || order[k] >= count || seen[order[k]])
            return false;
        seen[order[k]] = 1;
    }
    return true;
}

// --- levels of distance --------------------------------------------------------------------------

// The graph while it is split. A part is a range of `list`.
typedef struct Graph {
    const int32_t *start, *to;
    int32_t *list;                  // [count] blocks, part by part
    int32_t *part;                  // [count] number of the part of a block; separators have -1
    int32_t *level;                 // [count] distance from the start of a search
    int32_t *queue;                 // [count]
    int32_t *rank;                  // [count] of a separator: 1 + the number of splits before it
    int32_t *first, *after, *depth; // [count] of each part that waits
    int32_t waiting, parts;
} Graph;

// appends the blocks of a part that are connected with `root`, by their distance from it, to the
// `count` blocks in g->queue; returns the new number
static int32_t search(const Graph *g, int32_t part, int32_t root, int32_t count) {
    int32_t k = count;
    g->queue[count++] = root;
    g->level[root] = 0;
    for (; k < count; k++) {
        int32_t i = g->queue[k];
        for (int32_t p = g->start[i]; p < g->start[i + 1]; p++) {
            int32_t j = g->to[p];
            if (g->part[j] != part || g->level[j] >= 0)
                continue;
            g->level[j] = g->level[i] + 1;
            g->queue[count++] = j;
        }
    }
    return count;
}

static void forget(const Graph *g, int32_t first, int32_t after) {
    for (int32_t k = first; k < after; k++)
        g->level[g->list[k]] = -1;
}

// the smallest level that leaves enough on both sides of `count` blocks in g->queue; -1: none
static int32_t choose_level(const Graph *g, int32_t count) {
    int32_t best = -1, size = count;
    for (int32_t k = 0, end; k < count; k = end) {
        for (end = k; end < count && g->level[g->queue[end]] == g->level[g->queue[k]];)
            end++;
        if (k >= BALANCE * count && count - end >= BALANCE * count && end - k < size) {
            best = g->level[g->queue[k]];
            size = end - k;
        }
    }
    return best;
}

// whether block i has a neighbour in the next level of its part
static bool leads_on(const Graph *g, int32_t i) {
    for (int32_t p = g->start[i]; p < g->start[i + 1]; p++)
        if (g->part[g->to[p]] == g->part[i] && g->level[g->to[p]] > g->level[i])
            return true;
    return false;
}

static void put_off(Graph *g, int32_t first, int32_t after, int32_t depth) {
    for (int32_t k = first; k < after; k++)
        g->part[g->list[k]] = g->parts;
    g->parts++;
    if (after - first <= LEAF)
        return;
    g->first[g->waiting] = first;
    g->after[g->waiting] = after;
    g->depth[g->waiting++] = depth;
}

// Splits the `count` blocks in g->queue, which are list[first ..]: near side, far side, separator.
static void split(Graph *g, int32_t first, int32_t count, int32_t depth) {
    int32_t middle = choose_level(g, count), next = first, side[3];
    if (middle < 0)
        return;
    for (int32_t round = 0; round < 3; round++) {
        for (int32_t k = 0; k < count; k++) {
            int32_t i = g->queue[k], level = g->level[i];
            bool cut = level == middle && leads_on(g, i);
            if (round == (cut ? 2 : level > middle))
                g->list[next++] = i;
        }
        side[round] = next;
    }
    for (int32_t k = side[1]; k < side[2]; k++)
        g->rank[g->list[k]] = 1 + depth;
    forget(g, first, first + count);
    for (int32_t k = side[1]; k < side[2]; k++)
        g->part[g->list[k]] = -1;
    put_off(g, first, side[0], depth + 1);
    put_off(g, side[0], side[1], depth + 1);
}

static void split_next(Graph *g) {
    int32_t p = --g->waiting, first = g->first[p], after = g->after[p], depth = g->depth[p];
    int32_t part = g->part[g->list[first]], count = 0, pieces = 0;
    forget(g, first, after);
    for (int32_t k = first; k < after; k++)
        if (g->level[g->list[k]] < 0) {
            count = search(g, part, g->list[k], count);
            pieces++;
        }
    if (pieces == 1) {
        // the block farthest from any start is an end; search once more from there
        int32_t far = g->queue[count - 1];
        forget(g, first, after);
        search(g, part, far, 0);
        split(g, first, count, depth);
        return;
    }
    // each piece is a part; its first block has level 0
    memcpy(g->list + first, g->queue, sizeof *g->list * (size_t)count);
    for (int32_t k = 0, end; k < count; k = end) {
        for (end = k + 1; end < count && g->level[g->queue[end]] > 0;)
            end++;
        put_off(g, first + k, first + end, depth);
    }
}

// ranks for an order by degree: 0 for the parts, then separators, the last split first
static void rank_by_levels(int32_t count, Graph *g) {
    memset(g->rank, 0, sizeof *g->rank * (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        g->list[i] = i;
        g->level[i] = -1;
    }
    put_off(g, 0, count, 0);
    while (g->waiting > 0)
        split_next(g);
    int32_t most = 0;
    for (int32_t i = 0; i < count; i++)
        most = g->rank[i] > most ? g->rank[i] : most;
    for (int32_t i = 0; i < count; i++)
        g->rank[i] = g->rank[i] > 0 ? most + 1 - g->rank[i] : 0;
}

// --- entry ---------------------------------------------------------------------------------------

bool lithe_block_dissect_with(LitheDissectFn *fn, LitheContext *context, const LitheBlockMatrix *m,
                              int32_t *order) {
    int64_t n = m->count, edges = n > 0 ? 2 * ((int64_t)m->start[n] - n) : 0;
    int32_t *scratch = NULL, capacity = 0, *memory = NULL;
    bool small = n < SMALL, done = false;
    if (!small) {
        memory = lithe_alloc_array(context, 9 * n + 1 + edges, sizeof *memory);
        if (!memory)
            return false;
        int32_t *start = memory, *list = start + n + 1, *work = list + edges;
        lithe_block_list_neighbours(m, start, list);
        done = fn && fn(m->count, start, list, order) && is_permutation(m->count, order, work);
        Graph g = {start,
                   list,
                   work,
                   work + n,
                   work + 2 * n,
                   work + 3 * n,
                   work + 4 * n,
                   work + 5 * n,
                   work + 6 * n,
                   work + 7 * n,
                   0,
                   0};
        if (!done)
            rank_by_levels(m->count, &g);
        if (!done)
            done = lithe_block_order_by_degree(context, m, g.rank, order, &scratch, &capacity);
    } else {
        done = lithe_block_order_by_degree(context, m, NULL, order, &scratch, &capacity);
    }
    lithe_free(context, scratch);
    lithe_free(context, memory);
    return done;
}

// Replaces the order by that of minimum degree if it costs less.
static bool compare_with_degree(LitheContext *context, const LitheBlockMatrix *m, int32_t *order) {
    int64_t n = m->count;
    int32_t *scratch = NULL, capacity = 0;
    int32_t *memory = lithe_alloc_array(context, n + lithe_order_size(m), sizeof *memory);
    bool done =
        memory && lithe_block_order_by_degree(context, m, NULL, memory, &scratch, &capacity);
    if (done) {
        LitheOrderTree tree = lithe_order_open(m, memory + n);
        double cost = lithe_order_weigh(m, order, NULL, 0, INFINITY, &tree);
        if (lithe_order_weigh(m, memory, NULL, 0, cost, &tree) < cost)
            memcpy(order, memory, sizeof *order * (size_t)n);
    }
    lithe_free(context, scratch);
    lithe_free(context, memory);
    return done;
}

bool lithe_block_dissect(LitheContext *context, const LitheBlockMatrix *m, int32_t *order) {
    return lithe_block_dissect_with(by_metis, context, m, order) &&
           (m->count < SMALL || m->count >= MIDDLE || compare_with_degree(context, m, order));
}
