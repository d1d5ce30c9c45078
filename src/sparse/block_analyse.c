// SPDX-License-Identifier: Apache-2.0
// sparse/block_analyse.c - the symbolic part: order, elimination tree, pattern of L
//
// Numbers in brackets: docs/theory/block-solver.md.

#include "sparse/block_parts.h"

#include "base/assert.h"
#include "sparse/block_tree.h"
#include "sparse/dissect.h"

#include <string.h>

// A matrix with more multiplications per row is factored by fronts. Below it the order by nested
// dissection takes longer than fronts save: with 300 grains in contact (5000 per row) a step with
// one factorisation takes as long either way, with 1240 grains (66000 per row) half as long.
#define FILLED 1e4

// --- memory --------------------------------------------------------------------------------------

// returns the next `count` items of a block of memory and moves the pointer past them
static int32_t *take(int32_t **memory, int64_t count) {
    int32_t *items = *memory;
    *memory += count;
    return items;
}

bool lithe_block_allocate_pattern(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    int64_t n = m->count, entries = m->start[n];
    if (!LITHE_RENEW(f->context, f->pattern_memory, f->pattern_capacity, 14 * n + 5 + 3 * entries))
        return false;
    int32_t *memory = f->pattern_memory;
    f->input_size = take(&memory, n);
    f->input_start = take(&memory, n + 1);
    f->order = take(&memory, n);
    f->rank = take(&memory, n);
    f->place = take(&memory, n);
    f->parent = take(&memory, n);
    f->size = take(&memory, n);
    f->at = take(&memory, n + 1);
    f->scalar = take(&memory, n);
    f->start = take(&memory, n + 1);
    f->row_start = take(&memory, n + 1);
    f->from_start = take(&memory, n + 1);
    f->redo = take(&memory, n);
    f->fours = take(&memory, n);
    f->input_row = take(&memory, entries);
    f->from = take(&memory, entries);
    f->into = take(&memory, entries);
    return true;
}

static bool allocate_factor(LitheBlockFactor *f) {
    int64_t entries = f->start[f->count], below = entries - f->count;
    if (!LITHE_RENEW(f->context, f->factor_memory, f->factor_capacity, 2 * entries + 1 + 2 * below))
        return false;
    int32_t *memory = f->factor_memory;
    f->row = take(&memory, entries);
    f->value_at = take(&memory, entries + 1);
    f->row_column = take(&memory, below);
    f->row_entry = take(&memory, below);
    return true;
}

// sets where the blocks of L are stored, and allocates their values
static bool allocate_values(LitheBlockFactor *f) {
    int64_t at = 0;
    for (int32_t j = 0; j < f->count; j++)
        for (int32_t e = f->start[j]; e < f->start[j + 1]; e++) {
            f->value_at[e] = (int32_t)at;
            at += (int64_t)block_padded(f->size[f->row[e]]) * f->size[j];
            if (at > INT32_MAX)
                return false;
        }
    f->value_at[f->start[f->count]] = (int32_t)at;
    f->slot_count = lithe_block_slots(f);
    int64_t top = f->at[f->count] - f->at[f->task_start[f->task_count]];
    int64_t rows = f->at[f->count], block = (int64_t)block_padded(f->largest) *
                                            block_padded(f->largest) * (f->task_count + 1);
    if (!LITHE_RENEW(f->context, f->value_memory, f->value_capacity,
                     at + 3 * rows + top * f->task_count + block) ||
        !LITHE_RENEW(f->context, f->where_memory, f->where_capacity,
                     f->slot_count * (int64_t)f->count + 1))
        return false;
    f->where = f->where_memory;
    f->value = f->value_memory;
    f->pivot = f->value + at;
    f->reciprocal = f->pivot + rows;
    f->x = f->reciprocal + rows;
    f->aside = f->x + rows;
    f->scaled = f->aside + top * f->task_count;
    return true;
}

// --- order ---------------------------------------------------------------------------------------

void lithe_block_number(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    f->count = m->count;
    f->scalar_count = m->at[m->count];
    f->at[0] = 0;
    f->largest = 0;
    for (int32_t i = 0; i < f->count; i++)
        f->place[i] = -1;
    for (int32_t j = 0; j < f->count; j++) {
        int32_t i = f->order[j];
        LITHE_ASSERT(i >= 0 && i < f->count && f->place[i] == -1);
        f->place[i] = j;
        f->size[j] = m->size[i];
        f->scalar[j] = m->at[i];
        f->at[j + 1] = f->at[j] + block_padded(m->size[i]);
        f->largest = f->size[j] > f->largest ? f->size[j] : f->largest;
    }
}

// --- elimination tree and pattern of L -----------------------------------------------------------

// Row i of L: all blocks on the paths up the tree from the earlier neighbours of i to i [5]. With
// `next` NULL counts them into f->start[column + 1], otherwise adds i to their columns.
static void walk_rows(LitheBlockFactor *f, const int32_t *start, const int32_t *before,
                      int32_t *mark, int32_t *next) {
    for (int32_t i = 0; i < f->count; i++)
        mark[i] = -1;
    for (int32_t i = 0; i < f->count; i++) {
        mark[i] = i;
        for (int32_t p = start[i]; p < start[i + 1]; p++)
            for (int32_t k = before[p]; mark[k] != i; k = f->parent[k]) {
                mark[k] = i;
                if (next)
                    f->row[next[k]++] = i;
                else
                    f->start[k + 1]++;
            }
    }
}

// f->start: the first entry of each column of L. False: too many entries for an int32_t.
static bool count_entries(LitheBlockFactor *f, const int32_t *start, const int32_t *before,
                          int32_t *mark) {
    int32_t n = f->count;
    f->start[0] = 0;
    for (int32_t j = 0; j < n; j++)
        f->start[j + 1] = 1;
    walk_rows(f, start, before, mark, NULL);
    int64_t total = 0;
    for (int32_t j = 0; j < n; j++) {
        total += f->start[j + 1];
        if (total > INT32_MAX)
            return false;
        f->start[j + 1] = (int32_t)total;
    }
    return true;
}

// Reorders the columns as in `list`, which has children before their parents. L has the same
// blocks, but those of a task are contiguous. `work` [count]
static void renumber(LitheBlockFactor *f, const LitheBlockMatrix *m, const int32_t *list,
                     int32_t *work) {
    memcpy(work, f->order, sizeof *work * (size_t)f->count);
    for (int32_t k = 0; k < f->count; k++)
        f->order[k] = work[list[k]];
    lithe_block_number(f, m);
}

// Whether L fills to a degree that makes fronts faster. The multiplications are estimated with the
// mean size of the blocks.
static bool is_filled(const LitheBlockFactor *f) {
    double size = (double)f->scalar_count / (f->count > 0 ? f->count : 1), work = 0;
    for (int32_t j = 0; j < f->count; j++) {
        double height = size * (f->start[j + 1] - f->start[j]);
        work += size * height * height;
    }
    return work > FILLED * f->scalar_count;
}

static bool find_pattern(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    int64_t n = f->count, entries = m->start[n];
    if (!LITHE_RENEW(f->context, f->scratch, f->scratch_capacity, 6 * n + 1 + entries))
        return false;
    int32_t *memory = f->scratch, *work = take(&memory, 3 * n);
    int32_t *start = take(&memory, n + 1), *mark = take(&memory, n), *next = take(&memory, n);
    int32_t *before = take(&memory, entries);
    lithe_block_list_earlier(m, f->place, start, before);
    lithe_block_find_parents(f->count, start, before, f->parent, mark);
    if (!count_entries(f, start, before, mark))
        return false;
    f->by_fronts = !f->given && is_filled(f);
    if (f->by_fronts)
        return true;
    lithe_block_group(f, next, work);
    if (f->task_count > 0) {
        renumber(f, m, next, work);
        lithe_block_list_earlier(m, f->place, start, before);
        lithe_block_find_parents(f->count, start, before, f->parent, mark);
        if (!count_entries(f, start, before, mark))
            return false;
    }
    if (!allocate_factor(f))
        return false;
    for (int32_t j = 0; j < n; j++) {
        f->row[f->start[j]] = j;
        next[j] = f->start[j] + 1;
    }
    walk_rows(f, start, before, mark, next);
    return true;
}

// --- lists for the numeric part ------------------------------------------------------------------

static LitheBlockFours fours_of(const LitheBlockFactor *f, int32_t k) {
    for (int32_t e = f->start[k]; e < f->start[k + 1]; e++)
        if (block_padded(f->size[f->row[e]]) != 4)
            return LITHE_FOURS_NOT;
    if (f->size[k] != 4)
        return LITHE_FOURS_NOT;
    // the rows of a column, except its parent, are among those of the parent
    bool twin = f->parent[k] == k + 1 && f->size[k + 1] == 4 &&
                f->start[k + 1] - f->start[k] == f->start[k + 2] - f->start[k + 1] + 1;
    return twin ? LITHE_FOURS_TWIN : LITHE_FOURS_ALL;
}

static void list_rows(LitheBlockFactor *f) {
    int32_t n = f->count, *next = f->where;
    memset(f->row_start, 0, sizeof *f->row_start * (size_t)(n + 1));
    for (int32_t j = 0; j < n; j++)
        for (int32_t e = f->start[j] + 1; e < f->start[j + 1]; e++)
            f->row_start[f->row[e] + 1]++;
    for (int32_t i = 0; i < n; i++) {
        next[i] = f->row_start[i];
        f->row_start[i + 1] += f->row_start[i];
    }
    for (int32_t j = 0; j < n; j++)
        for (int32_t e = f->start[j] + 1; e < f->start[j + 1]; e++) {
            int32_t p = next[f->row[e]]++;
            f->row_column[p] = j;
            f->row_entry[p] = e;
        }
    for (int32_t k = 0; k < n; k++)
        f->fours[k] = fours_of(f, k);
}

void lithe_block_sort_sources(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    int32_t n = f->count, *next = f->redo;
    memset(f->from_start, 0, sizeof *f->from_start * (size_t)(n + 1));
    for (int32_t j = 0; j < n; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            f->from_start[lithe_block_ends(m, f->place, j, e).low + 1]++;
    for (int32_t j = 0; j < n; j++) {
        next[j] = f->from_start[j];
        f->from_start[j + 1] += f->from_start[j];
    }
    for (int32_t j = 0; j < n; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++) {
            LitheBlockEnds ends = lithe_block_ends(m, f->place, j, e);
            int32_t p = next[ends.low]++;
            f->from[p] = e;
            f->into[p] = ends.transposed ? ~ends.high : ends.high;
        }
}

// as lithe_block_sort_sources; f->into gets the entry of L instead of its row
static void list_sources(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    int32_t n = f->count;
    lithe_block_sort_sources(f, m);
    for (int32_t j = 0; j < n; j++) {
        for (int32_t e = f->start[j]; e < f->start[j + 1]; e++)
            f->where[f->row[e]] = e;
        for (int32_t p = f->from_start[j]; p < f->from_start[j + 1]; p++)
            f->into[p] = f->into[p] < 0 ? ~f->where[~f->into[p]] : f->where[f->into[p]];
    }
}

// --- entry ---------------------------------------------------------------------------------------

bool lithe_block_factor_fits(const LitheBlockFactor *f, const LitheBlockMatrix *m) {
    if (!f->analysed || f->count != m->count)
        return false;
    size_t n = (size_t)m->count;
    return memcmp(f->input_size, m->size, sizeof(int32_t) * n) == 0 &&
           memcmp(f->input_start, m->start, sizeof(int32_t) * (n + 1)) == 0 &&
           memcmp(f->input_row, m->row, sizeof(int32_t) * (size_t)m->start[n]) == 0;
}

void lithe_block_store_pattern(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    size_t n = (size_t)m->count;
    memcpy(f->input_size, m->size, sizeof(int32_t) * n);
    memcpy(f->input_start, m->start, sizeof(int32_t) * (n + 1));
    memcpy(f->input_row, m->row, sizeof(int32_t) * (size_t)m->start[n]);
}

// Copies the requested order to scratch memory: the caller's order, or a flag for each late block.
// The order may be the one that this factor returned, which is about to be overwritten.
static bool store_request(LitheBlockFactor *f, int32_t count, const int32_t *order,
                          const int32_t *late, int32_t late_count) {
    if (!LITHE_RENEW(f->context, f->scratch, f->scratch_capacity, (int64_t)count + 1)) {
        f->analysed = f->factored = false;
        return false;
    }
    memset(f->scratch, 0, sizeof *f->scratch * (size_t)count);
    for (int32_t k = 0; k < late_count; k++) {
        LITHE_ASSERT(late[k] >= 0 && late[k] < count);
        f->scratch[late[k]] = 1;
    }
    if (order)
        memcpy(f->scratch, order, sizeof *order * (size_t)count);
    return true;
}

// whether the pattern, and the request in scratch memory, are those of the last analysis
static bool same_as_last(const LitheBlockFactor *f, const LitheBlockMatrix *m, bool given) {
    return lithe_block_factor_fits(f, m) && (!f->by_fronts || f->chose_fronts) &&
           given == f->given &&
           memcmp(given ? f->order : f->rank, f->scratch, sizeof *f->scratch * (size_t)m->count) ==
               0;
}

// orders by rank and degree; a large matrix is cut into parts. f->rank stays as requested.
static bool order_ranks(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    int64_t n = m->count, max = 0;
    if (!LITHE_RENEW(f->context, f->scratch, f->scratch_capacity,
                     8 * n + 1 + 2 * (int64_t)m->start[n]))
        return false;
    int32_t *request = f->scratch, top = 0;
    memcpy(request, f->rank, sizeof *request * (size_t)n);
    for (int32_t i = 0; i < n; i++)
        top = request[i] > top ? request[i] : top;
    lithe_block_cut(m, top, f->rank, request + n);
    for (int32_t i = 0; i < n; i++)
        max += f->rank[i] != f->rank[0];
    // the scratch memory is used again, so the request is stored in f->place for now
    memcpy(f->place, request, sizeof *request * (size_t)n);
    bool done = lithe_block_order_by_degree(f->context, m, max > 0 ? f->rank : NULL, f->order,
                                            &f->scratch, &f->scratch_capacity);
    memcpy(f->rank, f->place, sizeof *request * (size_t)n);
    return done;
}

// ints of scratch that any part of the symbolic analysis takes
static int64_t scratch_size(const LitheBlockMatrix *m) {
    return 14 * (int64_t)m->count + 4 + 3 * (int64_t)m->start[m->count];
}

// Order, tree and pattern. The values of L, which are not valid any more, lend their memory to the
// scratch if they can.
static bool find_in_scratch(LitheBlockFactor *f, const LitheBlockMatrix *m, bool given) {
    int32_t *own = f->scratch, own_capacity = f->scratch_capacity;
    int64_t size = scratch_size(m);
    bool lent = 2 * (int64_t)f->value_capacity >= size && size <= INT32_MAX;
    if (lent) {
        f->scratch = (int32_t *)(void *)f->value_memory;
        f->scratch_capacity = (int32_t)size;
    }
    bool done = given || order_ranks(f, m);
    if (done) {
        lithe_block_store_pattern(f, m);
        lithe_block_number(f, m);
        done = find_pattern(f, m);
    }
    if (lent) {
        f->scratch = own;
        f->scratch_capacity = own_capacity;
    }
    return done;
}

// ints above which scratch is shrunk
enum { LARGE_SCRATCH = 1 << 16 };

// From now on the values lend their memory: of a large scratch only the request is left.
static bool shrink_scratch(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    bool lends = 2 * (int64_t)f->value_capacity >= scratch_size(m);
    if (!lends || f->scratch_capacity < LARGE_SCRATCH || f->scratch_capacity < 2 * (m->count + 1))
        return true;
    lithe_free(f->context, f->scratch);
    f->scratch = NULL;
    f->scratch_capacity = 0;
    return LITHE_RENEW(f->context, f->scratch, f->scratch_capacity, (int64_t)m->count + 1);
}

// Fronts in an order by nested dissection, for a matrix that fills.
static bool dissect(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    int64_t n = m->count;
    if (!LITHE_RENEW(f->context, f->scratch, f->scratch_capacity, 2 * n + 1))
        return false;
    memcpy(f->scratch + n, f->rank, sizeof *f->rank * (size_t)n);
    f->chose_fronts = true;
    return lithe_block_dissect(f->context, m, f->scratch) && lithe_fronts_analyse(f, m);
}

static bool analyse(LitheBlockFactor *f, const LitheBlockMatrix *m, bool given) {
    if (same_as_last(f, m, given))
        return true;
    f->analysed = f->factored = false;
    if (!lithe_block_allocate_pattern(f, m))
        return false;
    f->given = given;
    f->by_fronts = f->chose_fronts = false;
    memcpy(given ? f->order : f->rank, f->scratch, sizeof *f->scratch * (size_t)m->count);
    bool found = find_in_scratch(f, m, given);
    if (found && f->by_fronts)
        return dissect(f, m);
    if (!found || !allocate_values(f))
        return false;
    list_rows(f);
    list_sources(f, m);
    if (!shrink_scratch(f, m))
        return false;
    f->analysed = true;
    return true;
}

bool lithe_block_analyse(LitheBlockFactor *f, const LitheBlockMatrix *m, const int32_t *order) {
    LITHE_ASSERT(m->start);
    return lithe_block_reserve_terms(f, m) && store_request(f, m->count, order, NULL, 0) &&
           analyse(f, m, order != NULL);
}

bool lithe_block_analyse_late(LitheBlockFactor *f, const LitheBlockMatrix *m, const int32_t *late,
                              int32_t late_count) {
    LITHE_ASSERT(m->start);
    return lithe_block_reserve_terms(f, m) && store_request(f, m->count, NULL, late, late_count) &&
           analyse(f, m, false);
}
