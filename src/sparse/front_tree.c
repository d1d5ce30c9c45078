// SPDX-License-Identifier: Apache-2.0
// sparse/front_tree.c - from an order of blocks to fronts: where late blocks go, supernodes, and
// which of them are merged
//
// Everything here is a function of the pattern, the order and the late blocks. Numbers in brackets:
// docs/theory/mesh-solver.md.

#include "sparse/block_parts.h"

#include "sparse/block_tree.h"
#include "sparse/fronts.h"

#include <string.h>

// Number of times that hot fronts are expected to be factored again per factorisation of all [7]: a
// step solves for its contacts in a few Newton iterations. A larger number moves more late blocks.
#define REFACTORS 4.0

// Scratch memory; all per block or per supernode [count], except where noted.
typedef struct Tree {
    int32_t *start;       // [count + 1] with `before`: earlier neighbours of each block
    int32_t *before;      // [entries]
    int32_t *height;      // scalar rows of a column of L
    int32_t *hot;         // whether a block is late, or is an ancestor of a late one
    int32_t *mark;        // of a supernode: whether it is hot
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
} Tree;

static bool allocate(LitheBlockFactor *f, const LitheBlockMatrix *m, Tree *t) {
    int64_t n = m->count;
    LitheFronts *own = f->fronts;
    if (!LITHE_RESERVE(own->context, own->scratch, own->scratch_capacity, 17 * n + 1 + m->start[n]))
        return false;
    int32_t *memory = own->scratch;
    t->zeros = (int64_t *)(void *)memory; // first: blocks of memory are aligned
    memory += 2 * n;
    int32_t **arrays[] = {&t->height, &t->hot,   &t->mark,  &t->list,    &t->node_of, &t->width,
                          &t->below,  &t->above, &t->child, &t->sibling, &t->into};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++, memory += n)
        *arrays[k] = memory;
    t->work = memory;
    t->start = t->work + 3 * n;
    t->before = t->start + n + 1;
    return true;
}

// --- order ---------------------------------------------------------------------------------------

// scalar rows of each column of L, by walking the rows of L up the tree
static void find_heights(const LitheBlockFactor *f, const Tree *t) {
    for (int32_t i = 0; i < f->count; i++) {
        t->mark[i] = -1;
        t->height[i] = f->size[i];
    }
    for (int32_t i = 0; i < f->count; i++) {
        t->mark[i] = i;
        for (int32_t p = t->start[i]; p < t->start[i + 1]; p++)
            for (int32_t k = t->before[p]; t->mark[k] != i; k = f->parent[k]) {
                t->mark[k] = i;
                t->height[k] += f->size[i];
            }
    }
}

// Tree and heights for f->order. Returns the cost of factoring everything once and the hot blocks
// REFACTORS times [7].
static double weigh(LitheBlockFactor *f, const LitheBlockMatrix *m, const Tree *t) {
    lithe_block_number(f, m);
    lithe_block_list_earlier(m, f->place, t->start, t->before);
    lithe_block_find_parents(f->count, t->start, t->before, f->parent, t->mark);
    find_heights(f, t);
    double all = 0, hot = 0;
    for (int32_t j = 0; j < f->count; j++)
        t->hot[j] = f->rank[f->order[j]];
    for (int32_t j = 0; j < f->count; j++) {
        double cost = (double)f->size[j] * t->height[j] * t->height[j];
        all += cost;
        hot += t->hot[j] ? cost : 0;
        if (f->parent[j] >= 0)
            t->hot[f->parent[j]] |= t->hot[j];
    }
    return all + REFACTORS * hot;
}

// the requested order, with the late blocks behind all others if `moved`
static void set_order(LitheBlockFactor *f, bool moved) {
    int32_t n = f->count, next = 0;
    const int32_t *requested = f->fronts->requested;
    for (int32_t late = 0; late < (moved ? 2 : 1); late++)
        for (int32_t k = 0; k < n; k++)
            if (!moved || f->rank[requested[k]] == late)
                f->order[next++] = requested[k];
}

static void choose_order(LitheBlockFactor *f, const LitheBlockMatrix *m, const Tree *t) {
    int32_t late = 0;
    for (int32_t i = 0; i < f->count; i++)
        late += f->rank[i];
    // the order that was cheaper the last time is tried last: mostly it is again, and its tree
    // stays
    bool last = f->fronts->moved;
    f->fronts->moved = false;
    if (late == 0 || late == f->count) {
        set_order(f, false);
        weigh(f, m, t);
        return;
    }
    double cost[2]; // as requested, moved
    set_order(f, !last);
    cost[!last] = weigh(f, m, t);
    set_order(f, last);
    cost[last] = weigh(f, m, t);
    f->fronts->moved = cost[1] < cost[0];
    if (f->fronts->moved != last) {
        set_order(f, !last);
        weigh(f, m, t);
    }
}

// order[place[j]] = order[j], and the same for what belongs to the blocks
static void sort_subtrees(LitheBlockFactor *f, const LitheBlockMatrix *m, const Tree *t) {
    int32_t n = f->count, *place = t->list, *old = t->work;
    lithe_block_postorder(n, f->parent, place, t->work, t->work + n);
    int32_t *arrays[] = {f->order, t->height, t->hot, f->parent};
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
        bool same = j > 0 && f->parent[j - 1] == j && t->hot[j - 1] == t->hot[j] &&
                    t->height[j - 1] == t->height[j] + f->size[j - 1];
        int32_t s = same ? t->node_count - 1 : t->node_count++;
        if (!same) {
            t->width[s] = 0;
            t->zeros[s] = 0;
            t->into[s] = s;
            t->child[s] = -1;
        }
        t->node_of[j] = s;
        t->width[s] += f->size[j];
        t->below[s] = t->height[j] - f->size[j];
        t->above[s] = f->parent[j]; // a block for now
        t->mark[s] = t->hot[j];
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
    return width <= 24    ? share < 0.8
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
            if (t->mark[c] != t->mark[p] || !pays(width, t->below[p], zeros))
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
            own->hot[at] = t->mark[s];
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
    if (!allocate(f, m, &t))
        return false;
    choose_order(f, m, &t);
    sort_subtrees(f, m, &t);
    find_supernodes(f, &t);
    merge(&t);
    number_fronts(f, m, &t);
    return true;
}
