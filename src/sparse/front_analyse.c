// SPDX-License-Identifier: Apache-2.0
// sparse/front_analyse.c - the symbolic part of a factor by fronts: rows, maps, tasks, memory
//
// Numbers in brackets: docs/theory/mesh-solver.md.

#include "sparse/block_parts.h"

#include "base/assert.h"
#include "sparse/block_tree.h"

#include <string.h>

// a factor with fewer multiplications is computed by one thread: waking another takes longer
#define SMALL 1e7
// a subtree with a larger part of all multiplications is split into its children's
#define SHARE (1.0 / 24)

LitheFronts *lithe_fronts_create(LitheContext *context) {
    LitheFronts *t = lithe_alloc(context, sizeof *t);
    if (t)
        t->context = context;
    return t;
}

void lithe_fronts_destroy(LitheFronts *t) {
    if (!t)
        return;
    lithe_free(t->context, t->front_memory);
    lithe_free(t->context, t->row_memory);
    lithe_free(t->context, t->index_memory);
    lithe_free(t->context, t->scratch);
    lithe_free(t->context, t->long_memory);
    lithe_free(t->context, t->value_memory);
    lithe_free(t->context, t);
}

// --- memory --------------------------------------------------------------------------------------

// arrays per front and per block: there are at most as many fronts as blocks
static bool allocate_fronts(LitheFronts *t, int64_t n) {
    if (!LITHE_RESERVE(t->context, t->front_memory, t->front_capacity, 13 * (n + 1)) ||
        !LITHE_RESERVE(t->context, t->long_memory, t->long_capacity, 4 * (n + 1)))
        return false;
    int32_t **arrays[] = {&t->first,     &t->parent, &t->child,  &t->sibling,  &t->w,
                          &t->height,    &t->hot,    &t->row_at, &t->front_of, &t->pivot_at,
                          &t->requested, &t->top,    &t->zero};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *arrays[k] = t->front_memory + (n + 1) * (int64_t)k;
    int64_t **longs[] = {&t->panel_at, &t->update_at, &t->base_at, &t->vector_at};
    for (size_t k = 0; k < sizeof longs / sizeof *longs; k++)
        *longs[k] = t->long_memory + (n + 1) * (int64_t)k;
    return true;
}

// where the scratch memory of solves of each task, and that of the top, begins
static void place_scratch(LitheFronts *t) {
    int64_t most[LITHE_FRONT_TASKS + 1] = {0};
    for (int32_t k = 0; k <= t->task_count; k++) {
        bool top = k == t->task_count;
        int32_t first = top ? 0 : t->task_first[k], end = top ? t->top_count : t->task_last[k] + 1;
        for (int32_t i = first; i < end; i++) {
            int32_t s = top ? t->top[i] : i, w = t->w[s];
            // four numbers a pivot are used by solves
            int64_t need = top ? lithe_front_scaled(t, s) : 0;
            need = need > 4 * (int64_t)w ? need : 4 * (int64_t)w;
            most[k] = need > most[k] ? need : most[k];
        }
    }
    t->scaled_at[0] = 0;
    for (int32_t k = 0; k <= t->task_count; k++)
        t->scaled_at[k + 1] = t->scaled_at[k] + most[k];
}

// Values for the sizes found. Nothing of the old ones is kept; an eighth of spare memory if there
// are late blocks, because contacts that slide change the sizes a little.
static bool allocate_values(LitheBlockFactor *f) {
    LitheFronts *t = f->fronts;
    place_scratch(t);
    int64_t rows = f->scalar_count, vector = t->vector_at[t->count];
    int64_t scaled = t->scaled_at[t->task_count + 1];
    int64_t index = 2 * (int64_t)t->widest * (t->task_count + 1);
    int64_t needed = t->value_count + 3 * rows + vector + scaled + 1;
    if (needed > t->value_capacity) {
        lithe_free(t->context, t->value_memory);
        t->value_memory = NULL;
        t->value_capacity = 0;
        int64_t spare = t->late ? needed / 8 : 0;
        int64_t more = needed + spare > INT32_MAX ? needed : needed + spare;
        if (!LITHE_RESERVE(t->context, t->value_memory, t->value_capacity, more))
            return false;
    }
    if (!LITHE_RESERVE(t->context, t->index_memory, t->index_capacity, index + 1))
        return false;
    t->values = t->value_memory;
    t->scaled = t->values + t->value_count;
    t->pivot = t->scaled + scaled;
    t->reciprocal = t->pivot + rows;
    t->diagonal = t->reciprocal + rows;
    t->vector = t->diagonal + rows;
    t->index = t->index_memory;
    return true;
}

// --- rows of the fronts --------------------------------------------------------------------------

// The fronts with an entry in block row i: those on the paths from its earlier neighbours up to its
// own front. Rows come in order, so those of a front do, too. With `next` NULL counts them.
static void walk_rows(const LitheFronts *t, int32_t n, const int32_t *start, const int32_t *before,
                      int32_t *mark, int32_t *next) {
    for (int32_t s = 0; s < t->count; s++)
        mark[s] = -1;
    for (int32_t i = 0; i < n; i++) {
        mark[t->front_of[i]] = i;
        for (int32_t p = start[i]; p < start[i + 1]; p++)
            for (int32_t s = t->front_of[before[p]]; mark[s] != i; s = t->parent[s]) {
                mark[s] = i;
                if (next)
                    t->row[next[s]++] = i;
                else
                    t->row_at[s + 1]++;
            }
    }
}

static void measure(LitheBlockFactor *f) {
    LitheFronts *t = f->fronts;
    t->vector_at[0] = 0;
    t->pivot_at[0] = t->widest = 0;
    for (int32_t j = 0; j < f->count; j++)
        t->pivot_at[j + 1] = t->pivot_at[j] + f->size[j];
    for (int32_t s = 0; s < t->count; s++) {
        t->w[s] = t->height[s] = t->pivot_at[t->first[s + 1]] - t->pivot_at[t->first[s]];
        for (int32_t r = t->row_at[s]; r < t->row_at[s + 1]; r++)
            t->height[s] += f->size[t->row[r]];
        int32_t rows = lithe_front_rows(t, s);
        t->vector_at[s + 1] = t->vector_at[s] + rows;
        t->widest = rows > t->widest ? rows : t->widest;
    }
}

static bool find_rows(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    LitheFronts *t = f->fronts;
    int64_t n = f->count;
    if (!LITHE_RESERVE(t->context, t->scratch, t->scratch_capacity, 3 * n + 1 + m->start[n]))
        return false;
    int32_t *start = t->scratch, *mark = start + n + 1, *next = mark + n, *before = next + n;
    lithe_block_list_earlier(m, f->place, start, before);
    memset(t->row_at, 0, sizeof *t->row_at * (size_t)(t->count + 1));
    walk_rows(t, f->count, start, before, mark, NULL);
    for (int32_t s = 0; s < t->count; s++) {
        next[s] = t->row_at[s];
        t->row_at[s + 1] += t->row_at[s];
    }
    int64_t rows = t->row_at[t->count];
    if (!LITHE_RESERVE(t->context, t->row_memory, t->row_capacity, 2 * rows + 1))
        return false;
    t->row = t->row_memory;
    t->into = t->row + rows;
    walk_rows(t, f->count, start, before, mark, next);
    measure(f);
    return true;
}

// --- where numbers go ----------------------------------------------------------------------------

// where[i]: first row of block i in front s
static void place_rows(const LitheBlockFactor *f, int32_t s, int32_t *where) {
    const LitheFronts *t = f->fronts;
    int32_t at = 0;
    for (int32_t j = t->first[s]; j < t->first[s + 1]; at += f->size[j++])
        where[j] = at;
    for (int32_t r = t->row_at[s]; r < t->row_at[s + 1]; at += f->size[t->row[r++]])
        where[t->row[r]] = at;
}

// children of each front, and the rows of their fronts and of the matrix in it
static void find_places(LitheBlockFactor *f) {
    LitheFronts *t = f->fronts;
    int32_t *where = t->scratch;
    for (int32_t s = 0; s < t->count; s++)
        t->child[s] = -1;
    for (int32_t s = 0; s < t->count; s++)
        if (t->parent[s] >= 0) {
            t->sibling[s] = t->child[t->parent[s]];
            t->child[t->parent[s]] = s;
        }
    for (int32_t s = 0; s < t->count; s++) {
        place_rows(f, s, where);
        for (int32_t c = t->child[s]; c >= 0; c = t->sibling[c])
            for (int32_t r = t->row_at[c]; r < t->row_at[c + 1]; r++)
                t->into[r] = where[t->row[r]];
        for (int32_t p = f->from_start[t->first[s]]; p < f->from_start[t->first[s + 1]]; p++)
            f->into[p] = f->into[p] < 0 ? ~where[~f->into[p]] : where[f->into[p]];
    }
}

// --- tasks ---------------------------------------------------------------------------------------

// Fronts with at most a share of all multiplications in their subtree are in tasks, all others in
// the top. A task is a run of whole subtrees with at least 1/LITHE_FRONT_TASKS of the work, if
// there are as many before the next front of the top. `work` [count].
static void choose_tasks(LitheFronts *t, double *work) {
    double total = 0, sum = 0;
    t->task_count = t->top_count = 0;
    for (int32_t s = 0; s < t->count; s++)
        work[s] = 0;
    for (int32_t s = 0; s < t->count; s++) {
        double own = (double)t->w[s] * t->height[s] * t->height[s];
        total += own;
        work[s] += own;
        if (t->parent[s] >= 0)
            work[t->parent[s]] += work[s];
    }
    double most = total > SMALL ? SHARE * total : -1;
    for (int32_t s = 0, first = 0; s < t->count; s++) {
        int32_t up = t->parent[s];
        if (work[s] > most) {
            t->top[t->top_count++] = s;
            first = s + 1;
            continue;
        }
        if (up >= 0 && work[up] <= most)
            continue;
        // the end of a subtree
        sum += work[s];
        bool enough = sum >= total / LITHE_FRONT_TASKS;
        if (!enough && s + 1 < t->count && t->child[s + 1] < 0 && work[s + 1] <= most)
            continue;
        sum = 0;
        if (t->task_count < LITHE_FRONT_TASKS) {
            t->task_first[t->task_count] = first;
            t->task_last[t->task_count++] = s;
        } else {
            for (int32_t k = first; k <= s; k++)
                t->top[t->top_count++] = k;
        }
        first = s + 1;
    }
}

// --- entry ---------------------------------------------------------------------------------------

// Stores the request in f->scratch: the order, then a flag for each late block. The order may be
// the one that this factor returned, which is about to be overwritten.
static bool store_request(LitheBlockFactor *f, int32_t count, const int32_t *order,
                          const int32_t *late, int32_t late_count) {
    if (!LITHE_RESERVE(f->context, f->scratch, f->scratch_capacity, 2 * (int64_t)count + 1))
        return false;
    memcpy(f->scratch, order, sizeof *order * (size_t)count);
    int32_t *flag = f->scratch + count;
    memset(flag, 0, sizeof *flag * (size_t)count);
    for (int32_t k = 0; k < late_count; k++) {
        LITHE_ASSERT(late[k] >= 0 && late[k] < count);
        flag[late[k]] = 1;
    }
    return true;
}

static bool same_as_last(const LitheBlockFactor *f, const LitheBlockMatrix *m) {
    size_t bytes = sizeof(int32_t) * (size_t)m->count;
    return f->by_fronts && lithe_block_factor_fits(f, m) &&
           memcmp(f->fronts->requested, f->scratch, bytes) == 0 &&
           memcmp(f->rank, f->scratch + m->count, bytes) == 0;
}

bool lithe_fronts_analyse(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    int32_t n = m->count;
    f->analysed = f->factored = false;
    if (!f->fronts)
        f->fronts = lithe_fronts_create(f->context);
    LitheFronts *t = f->fronts;
    if (!t || !lithe_block_allocate_pattern(f, m) || !allocate_fronts(t, n))
        return false;
    f->by_fronts = true;
    f->count = n;
    memcpy(t->requested, f->scratch, sizeof *t->requested * (size_t)n);
    memcpy(f->rank, f->scratch + n, sizeof *f->rank * (size_t)n);
    lithe_block_store_pattern(f, m);
    if (!lithe_fronts_find(f, m) || !find_rows(f, m))
        return false;
    lithe_block_sort_sources(f, m);
    find_places(f);
    choose_tasks(t, (double *)(void *)t->scratch);
    lithe_fronts_place(t, t->scratch, t->scratch + n, t->scratch + 2 * (int64_t)n);
    if (!allocate_values(f))
        return false;
    f->analysed = true;
    return true;
}

bool lithe_block_analyse_fronts(LitheBlockFactor *f, const LitheBlockMatrix *m,
                                const int32_t *order, const int32_t *late, int32_t late_count) {
    LITHE_ASSERT(m->start);
    if (!lithe_block_reserve_terms(f, m) || !store_request(f, m->count, order, late, late_count)) {
        f->analysed = f->factored = false;
        return false;
    }
    if (same_as_last(f, m))
        return true;
    f->chose_fronts = false;
    return lithe_fronts_analyse(f, m);
}
