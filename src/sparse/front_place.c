// SPDX-License-Identifier: Apache-2.0
// sparse/front_place.c - the memory of L and C of all fronts
//
// L of a front stays; its C lives from its own elimination to that of its parent. The memory of
// the top is shared by lifetime: what the tasks need, C and L D, and C of the first fronts of the
// top, is where L of the last ones will be. A solid of 27^3 vertices takes 1.29 times the memory
// of L as stored this way, and 2.0 times otherwise.

#include "sparse/fronts.h"

enum {
    MOST_PIECES = 512,  // more are placed one after the other
    ALIGNED = 8,        // numbers
    SEARCHED = 1 << 22, // numbers: below this the first packing is enough
    TRIALS = 4000,
};

// Numbers that are in use in the steps from .. to of the top, 0 being the time of the tasks.
typedef struct Piece {
    int64_t size, at;
    int32_t from, to;
    int64_t *place; // gets `at`
} Piece;

typedef struct Pieces {
    int32_t count;
    bool all; // false: too many
    Piece piece[MOST_PIECES];
} Pieces;

static int64_t rounded(int64_t size) {
    return (size + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static int64_t panel_size(const LitheFronts *t, int32_t s) {
    return rounded((int64_t)lithe_front_rows(t, s) * t->w[s]);
}

static int64_t update_size(const LitheFronts *t, int32_t s) {
    return rounded(lithe_front_values(lithe_front_ld(t, s)));
}

// whether the C of a front outlives its region
static bool is_kept(const LitheFronts *t, const int32_t *region, int32_t s) {
    return t->parent[s] >= 0 && region[t->parent[s]] != region[s];
}

// L D of the largest step of a front of task k
static int64_t work_size(const LitheFronts *t, int32_t k) {
    int64_t most = 0;
    for (int32_t s = t->task_first[k]; s <= t->task_last[k]; s++) {
        int64_t need = lithe_front_scaled(t, s);
        most = need > most ? need : most;
    }
    return rounded(most);
}

// Places C of the fronts list[0 .. count-1], all those of a region but what outlives it, in memory
// from 0 on. Those of even and of odd depth form a stack each: when a front is computed, its
// children are the last ones of the other stack, and are removed from it. Returns the end.
static int64_t stack_updates(LitheFronts *t, const int32_t *list, int32_t count,
                             const int32_t *depth, const int32_t *region) {
    int64_t end[2] = {0, 0}, most[2] = {0, 0};
    for (int32_t k = 0; k < count; k++) {
        int32_t s = list[k], side = depth[s] & 1;
        t->update_at[s] = end[side];
        if (!is_kept(t, region, s))
            end[side] += update_size(t, s);
        most[side] = end[side] > most[side] ? end[side] : most[side];
        for (int32_t c = t->child[s]; c >= 0; c = t->sibling[c])
            if (region[c] == region[s] && t->update_at[c] < end[1 - side])
                end[1 - side] = t->update_at[c];
    }
    for (int32_t k = 0; k < count; k++)
        if (!is_kept(t, region, list[k]) && depth[list[k]] & 1)
            t->update_at[list[k]] += most[0];
    return most[0] + most[1];
}

// --- pieces by lifetime --------------------------------------------------------------------------

static void add_piece(Pieces *p, int64_t size, int32_t from, int32_t to, int64_t *place) {
    if (p->count < MOST_PIECES && p->all)
        p->piece[p->count++] = (Piece){size, 0, from, to, place};
    else
        p->all = false;
}

static bool is_before(const Piece *a, const Piece *b) {
    return a->size != b->size ? a->size > b->size : a->place < b->place;
}

static void sort_by_size(Pieces *p) {
    for (int32_t i = 1; i < p->count; i++) {
        Piece own = p->piece[i];
        int32_t k = i;
        for (; k > 0 && is_before(&own, &p->piece[k - 1]); k--)
            p->piece[k] = p->piece[k - 1];
        p->piece[k] = own;
    }
}

// In their sequence, each at the lowest place that is free during its life. Returns the end.
static int64_t pack(Pieces *p, int64_t base) {
    int32_t placed[MOST_PIECES]; // by place
    int64_t end = base;
    for (int32_t i = 0; i < p->count; i++) {
        Piece *own = &p->piece[i];
        int64_t at = base;
        for (int32_t k = 0; k < i; k++) {
            const Piece *other = &p->piece[placed[k]];
            if (other->from > own->to || other->to < own->from || other->at + other->size <= at)
                continue;
            if (other->at >= at + own->size)
                break;
            at = other->at + other->size;
        }
        own->at = at;
        end = at + own->size > end ? at + own->size : end;
        int32_t k = i;
        for (; k > 0 && p->piece[placed[k - 1]].at > at; k--)
            placed[k] = placed[k - 1];
        placed[k] = i;
    }
    return end;
}

static void exchange(Pieces *p, int32_t i, int32_t k) {
    Piece keep = p->piece[i];
    p->piece[i] = p->piece[k];
    p->piece[k] = keep;
}

// The most that is in use at once: no packing takes less.
static int64_t least_end(const Pieces *p, int64_t base, int32_t steps) {
    int64_t most = 0;
    for (int32_t k = 0; k <= steps; k++) {
        int64_t sum = 0;
        for (int32_t i = 0; i < p->count; i++)
            if (p->piece[i].from <= k && p->piece[i].to >= k)
                sum += p->piece[i].size;
        most = sum > most ? sum : most;
    }
    return base + most;
}

// Begins with the largest first. Where much memory is at stake, exchanges two of the sequence as
// long as that takes no more; the trials are the same in every run.
static int64_t place_pieces(Pieces *p, int64_t base, int32_t steps) {
    sort_by_size(p);
    int64_t end = pack(p, base), least = least_end(p, base, steps);
    uint32_t random = 1;
    for (int32_t trial = 0; trial < TRIALS && end > least && end > SEARCHED && p->count > 1;
         trial++) {
        random = random * 1664525u + 1013904223u;
        int32_t i = (int32_t)((random >> 16) % (uint32_t)p->count);
        random = random * 1664525u + 1013904223u;
        int32_t k = (int32_t)((random >> 16) % (uint32_t)p->count);
        exchange(p, i, k);
        int64_t now = pack(p, base);
        if (now > end)
            exchange(p, i, k);
        else
            end = now;
    }
    end = pack(p, base);
    for (int32_t i = 0; i < p->count; i++)
        *p->piece[i].place = p->piece[i].at;
    return end;
}

// the same without shared memory
static int64_t line_up(LitheFronts *t, const int32_t *region, int64_t *stack_at,
                       const int64_t *stack, const int32_t *depth, int64_t end) {
    for (int32_t k = 0; k < t->task_count; k++) {
        stack_at[k] = end;
        end += stack[k];
    }
    int64_t top = stack_updates(t, t->top, t->top_count, depth, region);
    for (int32_t k = 0; k < t->top_count; k++)
        t->update_at[t->top[k]] += end;
    end += top;
    for (int32_t s = 0; s < t->count; s++) {
        bool kept = is_kept(t, region, s);
        if (kept)
            t->update_at[s] = end;
        end += kept ? update_size(t, s) : 0;
    }
    for (int32_t k = 0; k < t->top_count; k++) {
        t->panel_at[t->top[k]] = end;
        end += panel_size(t, t->top[k]);
    }
    return end;
}

// --- all of it -----------------------------------------------------------------------------------

// `step` [count] of the fronts of the top
static void list_pieces(LitheFronts *t, const int32_t *region, const int32_t *step,
                        int64_t *stack_at, const int64_t *stack, Pieces *p) {
    p->count = 0;
    p->all = t->task_count > 0;
    for (int32_t k = 0; k < t->task_count; k++)
        add_piece(p, stack[k], 0, 0, &stack_at[k]);
    for (int32_t s = 0; s < t->count && p->all; s++)
        if (is_kept(t, region, s))
            add_piece(p, update_size(t, s), 0, step[t->parent[s]], &t->update_at[s]);
    for (int32_t k = 0; k < t->top_count && p->all; k++) {
        int32_t s = t->top[k], parent = t->parent[s];
        // what is frozen stays when the rest is computed again
        add_piece(p, panel_size(t, s), t->hot[s] || !t->late ? step[s] : 0, INT32_MAX,
                  &t->panel_at[s]);
        if (parent >= 0)
            add_piece(p, update_size(t, s), step[s], step[parent], &t->update_at[s]);
        else
            t->update_at[s] = 0; // without a C
    }
}

// L of the tasks, and what frozen children add to hot fronts: in use all the time
static int64_t place_lasting(LitheFronts *t, const int32_t *region) {
    int64_t end = 0;
    for (int32_t s = 0; s < t->count; s++) {
        bool frozen = false;
        for (int32_t c = t->child[s]; t->hot[s] && c >= 0; c = t->sibling[c])
            frozen = frozen || !t->hot[c];
        t->base_at[s] = frozen ? end : -1;
        end += frozen ? rounded((int64_t)lithe_front_rows(t, s) * t->w[s] +
                                lithe_front_values(lithe_front_ld(t, s)))
                      : 0;
        if (region[s] < t->task_count) {
            t->panel_at[s] = end;
            end += panel_size(t, s);
        }
    }
    return end;
}

void lithe_fronts_place(LitheFronts *t, int32_t *depth, int32_t *region, int32_t *list) {
    int64_t stack[LITHE_FRONT_TASKS], stack_at[LITHE_FRONT_TASKS];
    Pieces pieces;
    t->late = false;
    for (int32_t s = t->count - 1; s >= 0; s--) {
        depth[s] = t->parent[s] < 0 ? 0 : depth[t->parent[s]] + 1;
        region[s] = t->task_count;
        list[s] = s;
        t->late = t->late || t->hot[s];
    }
    for (int32_t k = 0; k < t->task_count; k++)
        for (int32_t s = t->task_first[k]; s <= t->task_last[k]; s++)
            region[s] = k;
    for (int32_t k = 0; k < t->task_count; k++) {
        stack[k] = stack_updates(t, list + t->task_first[k], t->task_last[k] - t->task_first[k] + 1,
                                 depth, region);
        t->work_at[k] = stack[k]; // behind its C
        stack[k] += work_size(t, k);
    }
    for (int32_t k = 0; k < t->top_count; k++)
        list[t->top[k]] = k + 1; // from here on the step of a front of the top
    int64_t end = place_lasting(t, region);
    list_pieces(t, region, list, stack_at, stack, &pieces);
    t->value_count = pieces.all ? place_pieces(&pieces, end, t->top_count)
                                : line_up(t, region, stack_at, stack, depth, end);
    for (int32_t k = 0; k < t->task_count; k++) {
        t->work_at[k] += stack_at[k];
        for (int32_t s = t->task_first[k]; s <= t->task_last[k]; s++)
            if (!is_kept(t, region, s))
                t->update_at[s] += stack_at[k];
    }
}
