// SPDX-License-Identifier: Apache-2.0
// sparse/front_tree.c - from an order of blocks to fronts: where late blocks go, supernodes, and
// which of them are merged
//
// Everything here is a function of the pattern, the order and the late blocks. Numbers in brackets:
// docs/theory/mesh-solver.md.

#include "sparse/block_parts.h"

#include "sparse/block_tree.h"
#include "sparse/front_order.h"
#include "sparse/fronts.h"

#include <math.h>
#include <string.h>

// Number of times that hot fronts are expected to be factored again per factorisation of all [7]: a
// step solves for its contacts in a few Newton iterations. A larger number moves more late blocks.
#define REFACTORS 4.0

// Scratch memory; all per block or per supernode [count], except where noted.
typedef struct Tree {
    LitheOrderTree of;    // of f->order; its `mark` then says of a supernode whether it is hot
    int32_t *list, *work; // [count], [3 count]
    // supernodes
    int32_t node_count;
    int32_t *node_of; // per block
    int32_t *width;   // scalar columns
    int32_t *below;   // scalar rows below them
    int32_t *above;   // parent
    int32_t *child, *sibling;
    int32_t *into;  // what a supernode was merged into; itself: it was not
    int64_t *zeros; // in L, caused by merging
    int32_t *spare; // memory for the order of late blocks
} Tree;

static bool allocate(LitheBlockFactor *f, const LitheBlockMatrix *m, bool late, Tree *t) {
    int64_t n = m->count, spare = late ? lithe_order_late_size(m, f->rank) : 0;
    LitheFronts *own = f->fronts;
    if (!LITHE_RESERVE(own->context, own->scratch, own->scratch_capacity,
                       17 * n + 1 + m->start[n] + spare))
        return false;
    int32_t *memory = own->scratch;
    t->zeros = (int64_t *)(void *)memory; // first: blocks of memory are aligned
    memory += 2 * n;
    int32_t **arrays[] = {&t->of.height, &t->of.hot,  &t->of.mark, &t->list,
                          &t->node_of,   &t->width,   &t->below,   &t->above,
                          &t->child,     &t->sibling, &t->into};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++, memory += n)
        *arrays[k] = memory;
    t->work = memory;
    t->of.start = t->work + 3 * n;
    t->of.before = t->of.start + n + 1;
    t->of.place = f->place;
    t->of.parent = f->parent;
    t->spare = t->of.before + m->start[n];
    return true;
}

// --- order ---------------------------------------------------------------------------------------

// the requested order; with `moved` the late blocks follow behind all others, in their own order
static void set_order(const LitheBlockFactor *f, bool moved, const int32_t *late, int32_t *order) {
    int32_t n = f->count, next = 0;
    const int32_t *requested = f->fronts->requested;
    for (int32_t k = 0; k < n; k++)
        if (!moved || !f->rank[requested[k]])
            order[next++] = requested[k];
    for (int32_t k = 0; next < n; k++)
        order[next++] = late[k];
}

// Tree of f->order. Returns its cost [7].
static double weigh(LitheBlockFactor *f, const LitheBlockMatrix *m, const Tree *t) {
    lithe_block_number(f, m);
    return lithe_order_weigh(m, f->order, f->rank, REFACTORS, INFINITY, &t->of);
}

// The cheaper of two orders: as requested, or with the late blocks last.
static void choose_order(LitheBlockFactor *f, const LitheBlockMatrix *m, bool late, Tree *t) {
    // the order that was cheaper the last time is weighed first: mostly it is again, its tree
    // stays, and the other one is soon seen to cost more
    bool last = late && f->fronts->moved;
    int32_t *moved = t->list;
    if (late)
        lithe_order_late(m, f->rank, t->spare, moved);
    set_order(f, last, moved, f->order);
    double cost = weigh(f, m, t);
    f->fronts->moved = last;
    if (!late)
        return;
    // the arrays of supernodes are free until there are some; so are the lists of neighbours
    LitheOrderTree rival = {.place = t->node_of,
                            .start = t->of.start,
                            .before = t->of.before,
                            .parent = t->width,
                            .height = t->below,
                            .hot = t->above,
                            .mark = t->child};
    set_order(f, !last, moved, t->sibling);
    double other = lithe_order_weigh(m, t->sibling, f->rank, REFACTORS, cost, &rival);
    f->fronts->moved = last ? cost < other : other < cost;
    if (f->fronts->moved != last) {
        set_order(f, !last, moved, f->order);
        weigh(f, m, t);
    }
}

// order[place[j]] = order[j], and the same for what belongs to the blocks
static void sort_subtrees(LitheBlockFactor *f, const LitheBlockMatrix *m, const Tree *t) {
    int32_t n = f->count, *place = t->list, *old = t->work;
    lithe_block_postorder(n, f->parent, place, t->work, t->work + n);
    int32_t *arrays[] = {f->order, t->of.height, t->of.hot, f->parent};
    for (int32_t j = 0; j < n; j++)
        f->parent[j] = f->parent[j] >= 0 ? place[f->parent[j]] : -1;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        memcpy(old, arrays[k], sizeof *old * (size_t)n);
        for (int32_t j = 0; j < n; j++)
            arrays[k][place[j]] = old[j];
    }
    lithe_block_number(f, m);
}

// --- supernodes ----------------------------------------------------------------------------------

// consecutive columns with the same rows below; none is part hot
static void find_supernodes(const LitheBlockFactor *f, Tree *t) {
    t->node_count = 0;
    for (int32_t j = 0; j < f->count; j++) {
        bool same = j > 0 && f->parent[j - 1] == j && t->of.hot[j - 1] == t->of.hot[j] &&
                    t->of.height[j - 1] == t->of.height[j] + f->size[j - 1];
        int32_t s = same ? t->node_count - 1 : t->node_count++;
        if (!same) {
            t->width[s] = 0;
            t->zeros[s] = 0;
            t->into[s] = s;
            t->child[s] = -1;
        }
        t->node_of[j] = s;
        t->width[s] += f->size[j];
        t->below[s] = t->of.height[j] - f->size[j];
        t->above[s] = f->parent[j]; // a block for now
        t->of.mark[s] = t->of.hot[j];
    }
    for (int32_t s = 0; s < t->node_count; s++) {
        if (t->above[s] < 0)
            continue;
        int32_t p = t->above[s] = t->node_of[t->above[s]];
        t->sibling[s] = t->child[p];
        t->child[p] = s;
    }
}

// Whether a supernode may consist of `width` columns with `below` rows below them when `zeros` of
// its numbers are zero [6]: narrow ones are slow, so that many zeros pay there.
static bool pays(int64_t width, int64_t below, int64_t zeros) {
    double share = (double)zeros / (double)(width * (width + 1) / 2 + width * below);
    return width <= 16    ? share < 0.8
           : width <= 48  ? share < 0.3
           : width <= 144 ? share < 0.1
                          : share < 0.03;
}

// merges supernodes into their parents, from the leaves up [6]
static void merge(Tree *t) {
    for (int32_t p = 0; p < t->node_count; p++) {
        for (int32_t c = t->child[p]; c >= 0; c = t->sibling[c]) {
            int64_t wide = t->width[c], width = wide + t->width[p];
            int64_t zeros =
                t->zeros[c] + t->zeros[p] + wide * (t->width[p] + t->below[p] - t->below[c]);
            if (t->of.mark[c] != t->of.mark[p] || !pays(width, t->below[p], zeros))
                continue;
            t->into[c] = p;
            t->width[p] = (int32_t)width;
            t->zeros[p] = zeros;
        }
    }
    // parents have higher numbers
    for (int32_t s = t->node_count - 1; s >= 0; s--)
        t->into[s] = t->into[s] == s ? s : t->into[t->into[s]];
}

// Numbers what is left after merging, children before parents, and the blocks accordingly.
static void number_fronts(LitheBlockFactor *f, const LitheBlockMatrix *m, const Tree *t) {
    LitheFronts *own = f->fronts;
    int32_t *number = t->list, *place = t->child, *parent = t->sibling, count = 0;
    for (int32_t s = 0; s < t->node_count; s++)
        if (t->into[s] == s)
            number[s] = count++;
    for (int32_t s = 0; s < t->node_count; s++)
        if (t->into[s] == s)
            parent[number[s]] = t->above[s] < 0 ? -1 : number[t->into[t->above[s]]];
    lithe_block_postorder(count, parent, place, t->work, t->work + f->count);
    own->count = count;
    memset(own->first, 0, sizeof *own->first * (size_t)(count + 1));
    for (int32_t s = 0; s < t->node_count; s++)
        if (t->into[s] == s) {
            int32_t at = place[number[s]], up = parent[number[s]];
            own->parent[at] = up < 0 ? -1 : place[up];
            own->hot[at] = t->of.mark[s];
        }
    // blocks by front
    int32_t *old = t->work, *next = t->work + f->count;
    for (int32_t j = 0; j < f->count; j++)
        own->first[place[number[t->into[t->node_of[j]]]] + 1]++;
    for (int32_t s = 0; s < count; s++) {
        next[s] = own->first[s];
        own->first[s + 1] += own->first[s];
    }
    memcpy(old, f->order, sizeof *old * (size_t)f->count);
    for (int32_t j = 0; j < f->count; j++) {
        int32_t s = place[number[t->into[t->node_of[j]]]];
        own->front_of[next[s]] = s;
        f->order[next[s]++] = old[j];
    }
    lithe_block_number(f, m);
}

bool lithe_fronts_find(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    Tree t = {0};
    int32_t count = 0;
    for (int32_t i = 0; i < m->count; i++)
        count += f->rank[i];
    bool late = count > 0 && count < m->count;
    if (!allocate(f, m, late, &t))
        return false;
    choose_order(f, m, late, &t);
    sort_subtrees(f, m, &t);
    find_supernodes(f, &t);
    merge(&t);
    number_fronts(f, m, &t);
    return true;
}
