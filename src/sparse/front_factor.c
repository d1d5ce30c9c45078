// SPDX-License-Identifier: Apache-2.0
// sparse/front_factor.c - factor, refactor and solve by fronts
//
// Fronts are computed children first, each by itself: assemble the pivots (matrix and children),
// eliminate them, form C, add the children to C. Tasks (subtrees) run in parallel, then the fronts
// of the top one by one, with threads inside. No sum depends on the number of threads. Numbers in
// brackets: docs/theory/mesh-solver.md.

#include "sparse/block_parts.h"

#include "base/assert.h"

#include <float.h>
#include <string.h>

enum {
    ROWS_PER_TASK = 96,    // of a large front; a multiple of LITHE_FRONT_ROWS
    COLUMNS_PER_TASK = 48, // a multiple of four
};
// a front with fewer multiplications is computed by one thread
#define LARGE 2e6
// time of a multiplication with addition, and of adding a number of a child [ns]
#define FLOP_COST 0.1
#define ADD_COST 0.5

// One call.
typedef struct Run {
    const LitheFrontKernel *kernel;
    LitheBlockFactor *f;
    const LitheBlockMatrix *m;
    LithePivotRule rule;
    bool all;                           // compute the frozen fronts, too
    int32_t bad[LITHE_FRONT_TASKS + 1]; // refused pivot of each task and of the top, or -1
    const LitheBlockAsk *ask;           // NULL: factor only
} Run;

// A front of the top, whose parts are computed in parallel.
typedef struct Piece {
    const LitheFrontKernel *kernel;
    const LitheFront *front;
    const LitheFrontChild *child;
    int32_t k, after, first, end;
} Piece;

// --- one front -----------------------------------------------------------------------------------

static LitheFront open_front(const Run *run, int32_t s, int32_t task) {
    const LitheFronts *t = run->f->fronts;
    int32_t at = t->pivot_at[t->first[s]];
    return (LitheFront){
        .w = t->w[s],
        .rows = lithe_front_rows(t, s),
        .from = lithe_front_from(t, s),
        .step = t->w[s] < LITHE_FRONT_STEP ? t->w[s] : LITHE_FRONT_STEP,
        .L = t->values + t->panel_at[s],
        .C = lithe_front_ld(t, s) > 0 ? t->values + t->update_at[s] : NULL,
        .scaled =
            task < t->task_count ? t->values + t->work_at[task] : t->scaled + t->scaled_at[task],
        .pivot = t->pivot + at,
        .reciprocal = t->reciprocal + at,
        .diagonal = t->diagonal + at,
    };
}

// Adds a block of the matrix to L at (row, column) of the front: `below` rows of `n` columns, entry
// (r, c) at v[along r + across c]; of a block on the diagonal, the lower triangle.
static inline void add_block(const LitheFront *front, int32_t row, int32_t column, int32_t below,
                             int32_t n, const double *v, int32_t along, int32_t across) {
    for (int32_t r = 0; r < below; r++) {
        int32_t i = row + r, end = row == column && r + 1 < n ? r + 1 : n;
        double *L = front->L + 4 * ((int64_t)front->w * (i / 4) + column) + i % 4;
        for (int32_t c = 0; c < end; c++)
            L[4 * c] += v[along * r + across * c];
    }
}

// adds the blocks of the matrix to L
static void add_matrix(const Run *run, int32_t s, const LitheFront *front) {
    const LitheBlockFactor *f = run->f;
    const LitheFronts *t = f->fronts;
    for (int32_t j = t->first[s], column = 0; j < t->first[s + 1]; column += f->size[j++])
        for (int32_t p = f->from_start[j]; p < f->from_start[j + 1]; p++) {
            int32_t e = f->from[p], flip = f->into[p] < 0, row = flip ? ~f->into[p] : f->into[p];
            const double *v = lithe_block_values(run->m, e);
            int32_t rows = f->input_size[f->input_row[e]], n = f->size[j];
            int32_t count = (int32_t)(run->m->value_at[e + 1] - run->m->value_at[e]);
            // two vertices: all sizes are constants
            if (n == 3 && count == 9 && row != column)
                add_block(front, row, column, 3, 3, v, flip ? 3 : 1, flip ? 1 : 3);
            else if (flip)
                add_block(front, row, column, count / n, n, v, n, 1);
            else
                add_block(front, row, column, rows, n, v, 1, rows);
            for (int32_t c = 0; row == column && c < n; c++)
                t->diagonal[t->pivot_at[j] + c] = v[rows * c + c];
        }
}

// rows of child `c` in the front of its parent; `index` [2 widest]
static LitheFrontChild open_child(const Run *run, int32_t c, const LitheFront *parent,
                                  int32_t *index) {
    const LitheBlockFactor *f = run->f;
    const LitheFronts *t = f->fronts;
    int32_t *row = index, *strip = index + t->widest, count = 0;
    for (int32_t r = t->row_at[c]; r < t->row_at[c + 1]; r++)
        for (int32_t k = 0; k < f->size[t->row[r]]; k++, count++) {
            row[count] = t->into[r] + k;
            strip[count] = 4 * parent->w * (row[count] / 4) + row[count] % 4;
        }
    return (LitheFrontChild){
        .count = count,
        .skip = t->w[c] - lithe_front_from(t, c),
        .ld = lithe_front_ld(t, c),
        .C = t->values + t->update_at[c],
        .row = row,
        .strip = strip,
        .w = parent->w,
        .from = parent->from,
        .parent_ld = parent->rows - parent->from,
        .L = parent->L,
        .parent_C = parent->C,
    };
}

static void piece_add(int32_t index, void *user) {
    const Piece *p = user;
    int32_t first = p->first + COLUMNS_PER_TASK * index, end = first + COLUMNS_PER_TASK;
    p->kernel->add(p->child, first, end < p->end ? end : p->end);
}

// Adds the children of front s that are hot, or frozen, to L, or to C.
static void add_children(const Run *run, LithePool *pool, int32_t s, const LitheFront *front,
                         int32_t hot, bool into_C, int32_t *index) {
    const LitheFronts *t = run->f->fronts;
    for (int32_t c = t->child[s]; c >= 0; c = t->sibling[c]) {
        if (t->hot[c] != hot || t->height[c] == t->w[c])
            continue;
        LitheFrontChild child = open_child(run, c, front, index);
        int32_t split = 0;
        while (split < child.count && child.row[split] < front->w)
            split++;
        Piece piece = {.kernel = run->kernel, .child = &child};
        piece.first = into_C ? split : 0;
        piece.end = into_C ? child.count : split;
        double columns = piece.end - piece.first;
        lithe_pool_run(pool, lithe_range_count(piece.end - piece.first, COLUMNS_PER_TASK),
                       ADD_COST * columns * child.count, piece_add, &piece);
    }
}

static void piece_below(int32_t index, void *user) {
    const Piece *p = user;
    int32_t row = p->first + ROWS_PER_TASK * index, end = row + ROWS_PER_TASK;
    p->kernel->below(p->front, p->k, p->after, row, end < p->end ? end : p->end);
}

// first the columns of later pivots, then those of C
static void piece_update(int32_t index, void *user) {
    const Piece *p = user;
    const LitheFront *t = p->front;
    int32_t blocks = lithe_range_count(t->w - p->after, COLUMNS_PER_TASK);
    bool later = index < blocks;
    int32_t column =
        later ? p->after + COLUMNS_PER_TASK * index : t->from + COLUMNS_PER_TASK * (index - blocks);
    int32_t end = column + COLUMNS_PER_TASK, last = later ? t->w : t->rows;
    (later ? p->kernel->update_pivots : p->kernel->update)(t, p->k, p->after, column,
                                                           end < last ? end : last);
}

// Whether the factorisation is given up: pivot `k`, which is refused then, is zero.
static bool is_given_up(const Run *run, const LitheFront *front, int32_t k) {
    bool ends = lithe_meter_spend(run->f->meter, 0);
    if (ends)
        front->pivot[k] = 0;
    return ends;
}

// L D L' of the pivots, and C. Returns a refused pivot of the front, or -1.
static int32_t eliminate(const Run *run, LithePool *pool, const LitheFront *front) {
    int32_t rows = front->rows;
    for (int32_t k = 0; k < front->w; k += LITHE_FRONT_STEP) {
        int32_t after = front->w - k < LITHE_FRONT_STEP ? front->w : k + LITHE_FRONT_STEP;
        if (is_given_up(run, front, k))
            return k;
        int32_t bad = run->kernel->diagonal(front, run->rule, k, after);
        if (bad >= 0)
            return bad;
        Piece piece = {run->kernel, front, NULL, k, after, 0, rows};
        piece.first = k + LITHE_FRONT_ROWS * lithe_range_count(after - k, LITHE_FRONT_ROWS);
        double pivots = after - k, below = rows - piece.first;
        lithe_pool_run(pool, lithe_range_count(rows - piece.first, ROWS_PER_TASK),
                       FLOP_COST * pivots * pivots * below, piece_below, &piece);
        int32_t blocks = lithe_range_count(front->w - after, COLUMNS_PER_TASK);
        if (front->C)
            blocks += lithe_range_count(rows - front->from, COLUMNS_PER_TASK);
        lithe_pool_run(pool, blocks, FLOP_COST * pivots * below * below, piece_update, &piece);
    }
    return -1;
}

static void clear(double *v, int64_t count) {
    memset(v, 0, sizeof *v * (size_t)count);
}

// what the frozen children add to a hot front [8]
static void make_base(const Run *run, LithePool *pool, int32_t s, const LitheFront *front,
                      int32_t *index) {
    const LitheFronts *t = run->f->fronts;
    int64_t panel = (int64_t)front->rows * front->w;
    LitheFront base = *front;
    base.L = t->values + t->base_at[s];
    base.C = front->C ? base.L + panel : NULL;
    clear(base.L, panel + lithe_front_values(lithe_front_ld(t, s)));
    add_children(run, pool, s, &base, false, false, index);
    if (base.C)
        add_children(run, pool, s, &base, false, true, index);
}

// C += the contributions of the frozen children
static void add_base(const LitheFronts *t, int32_t s, const LitheFront *front) {
    int64_t count = lithe_front_values(lithe_front_ld(t, s));
    const double *base = t->values + t->base_at[s] + (int64_t)front->rows * front->w;
    for (int64_t k = 0; k < count; k++)
        front->C[k] += base[k];
}

static int32_t compute_front(const Run *run, int32_t s, int32_t task) {
    LitheBlockFactor *f = run->f;
    LitheFronts *t = f->fronts;
    LitheFront front = open_front(run, s, task);
    int64_t panel = (int64_t)front.rows * front.w;
    double work = (double)front.w * front.rows * front.rows;
    LithePool *pool = task == t->task_count && work > LARGE ? f->pool : NULL;
    int32_t *index = t->index + 2 * (int64_t)t->widest * task;
    bool based = t->base_at[s] >= 0;
    if (based && run->all)
        make_base(run, pool, s, &front, index);
    if (based) {
        memcpy(front.L, t->values + t->base_at[s], sizeof *front.L * (size_t)panel);
    } else {
        clear(front.L, panel);
        add_children(run, pool, s, &front, false, false, index);
    }
    add_matrix(run, s, &front);
    add_children(run, pool, s, &front, true, false, index);
    int32_t bad = eliminate(run, pool, &front);
    if (bad >= 0)
        return t->pivot_at[t->first[s]] + bad;
    if (!front.C)
        return -1;
    if (based)
        add_base(t, s, &front);
    else
        add_children(run, pool, s, &front, false, true, index);
    add_children(run, pool, s, &front, true, true, index);
    return -1;
}

// whether b is zero on a front and its descendants
static bool has_no_load(const Run *run, int32_t s) {
    const LitheBlockFactor *f = run->f;
    const LitheFronts *t = f->fronts;
    for (int32_t c = t->child[s]; c >= 0; c = t->sibling[c])
        if (!t->zero[c])
            return false;
    for (int32_t j = t->first[s]; j < t->first[s + 1]; j++)
        for (int32_t k = 0; k < f->size[j]; k++)
            if (run->ask->b[f->scalar[j] + k] != 0)
                return false;
    return true;
}

// Right-hand side of a front: its part of b, and what its children subtract. Where all that is
// zero, L is not read.
static void down(const Run *run, int32_t s, int32_t task) {
    const LitheBlockFactor *f = run->f;
    const LitheFronts *t = f->fronts;
    LitheFront front = open_front(run, s, task);
    double *v = t->vector + t->vector_at[s];
    clear(v, front.rows);
    t->zero[s] = has_no_load(run, s);
    if (t->zero[s])
        return;
    for (int32_t j = t->first[s], at = 0; j < t->first[s + 1]; j++)
        for (int32_t k = 0; k < f->size[j]; k++)
            v[at++] = run->ask->scale * run->ask->b[f->scalar[j] + k];
    for (int32_t c = t->child[s]; c >= 0; c = t->sibling[c]) {
        const double *from = t->vector + t->vector_at[c] + t->w[c];
        if (t->zero[c])
            continue;
        for (int32_t r = t->row_at[c]; r < t->row_at[c + 1]; r++)
            for (int32_t k = 0; k < f->size[t->row[r]]; k++)
                v[t->into[r] + k] += *from++;
    }
    run->kernel->down(&front, v);
}

// --- all fronts ----------------------------------------------------------------------------------

// Factors a front unless it is frozen, and goes down on it while it is in the cache.
static int32_t do_front(const Run *run, int32_t s, int32_t task) {
    int32_t bad = run->all || run->f->fronts->hot[s] ? compute_front(run, s, task) : -1;
    if (bad < 0 && run->ask)
        down(run, s, task);
    return bad;
}

static void run_task(int32_t task, void *user) {
    Run *run = user;
    const LitheFronts *t = run->f->fronts;
    run->bad[task] = -1;
    for (int32_t s = t->task_first[task]; s <= t->task_last[task] && run->bad[task] < 0; s++)
        run->bad[task] = do_front(run, s, task);
}

// the first refused pivot: of the tasks, then of the top, which depends on them; -1: none
static int32_t compute(Run *run) {
    LitheBlockFactor *f = run->f;
    const LitheFronts *t = f->fronts;
    int32_t bad = -1;
    lithe_pool_run(f->pool, t->task_count, LITHE_COST_LARGE, run_task, run);
    for (int32_t k = 0; k < t->task_count; k++)
        if (run->bad[k] >= 0 && (bad < 0 || run->bad[k] < bad))
            bad = run->bad[k];
    for (int32_t k = 0; k < t->top_count && bad < 0; k++)
        bad = do_front(run, t->top[k], t->task_count);
    return bad;
}

bool lithe_fronts_are_hot(const LitheBlockFactor *f, const int32_t *touched, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        LITHE_ASSERT(touched[k] >= 0 && touched[k] < f->count);
        if (!f->fronts->hot[f->fronts->front_of[f->place[touched[k]]]])
            return false;
    }
    return true;
}

// --- solve ---------------------------------------------------------------------------------------

// the rows below are pivots of ancestors, which are known
static void up(const Run *run, int32_t s, int32_t task) {
    const LitheBlockFactor *f = run->f;
    const LitheFronts *t = f->fronts;
    LitheFront front = open_front(run, s, task);
    double *v = t->vector + t->vector_at[s], *to = v + front.w;
    const double *parent = t->parent[s] < 0 ? NULL : t->vector + t->vector_at[t->parent[s]];
    for (int32_t r = t->row_at[s]; r < t->row_at[s + 1]; r++)
        for (int32_t k = 0; k < f->size[t->row[r]]; k++)
            *to++ = parent[t->into[r] + k];
    run->kernel->up(&front, v, t->scaled + t->scaled_at[task]);
    for (int32_t j = t->first[s], at = 0; j < t->first[s + 1]; j++)
        for (int32_t k = 0; k < f->size[j]; k++)
            run->ask->x[f->scalar[j] + k] = v[at++];
}

static void task_down(int32_t task, void *user) {
    const Run *run = user;
    const LitheFronts *t = run->f->fronts;
    for (int32_t s = t->task_first[task]; s <= t->task_last[task]; s++)
        down(run, s, task);
}

static void task_up(int32_t task, void *user) {
    const Run *run = user;
    const LitheFronts *t = run->f->fronts;
    for (int32_t s = t->task_last[task]; s >= t->task_first[task]; s--)
        up(run, s, task);
}

static void go_up(Run *run) {
    const LitheFronts *t = run->f->fronts;
    for (int32_t k = t->top_count - 1; k >= 0; k--)
        up(run, t->top[k], t->task_count);
    lithe_pool_run(run->f->pool, t->task_count, LITHE_COST_LARGE, task_up, run);
}

void lithe_fronts_solve(const LitheFrontKernel *kernel, LitheBlockFactor *f,
                        const LitheBlockAsk *ask) {
    const LitheFronts *t = f->fronts;
    LITHE_ASSERT(f->factored);
    Run run = {.kernel = kernel, .f = f, .ask = ask};
    lithe_pool_run(f->pool, t->task_count, LITHE_COST_LARGE, task_down, &run);
    for (int32_t k = 0; k < t->top_count; k++)
        down(&run, t->top[k], t->task_count);
    go_up(&run);
}

// --- factor --------------------------------------------------------------------------------------

// the caller's number of a pivot
static int32_t row_of(const LitheBlockFactor *f, int32_t pivot) {
    int32_t j = 0;
    while (f->fronts->pivot_at[j + 1] <= pivot)
        j++;
    return f->scalar[j] + pivot - f->fronts->pivot_at[j];
}

bool lithe_fronts_factor(const LitheFrontKernel *kernel, LitheBlockFactor *f,
                         const LitheBlockMatrix *m, LithePivotRule rule, bool all,
                         const LitheBlockAsk *ask, LitheBlockPivots *pivots) {
    const LitheFronts *t = f->fronts;
    LITHE_ASSERT(f->analysed && f->count == m->count);
    Run run = {
        .kernel = kernel, .f = f, .m = m, .rule = rule, .all = all || !f->factored, .ask = ask};
    *pivots = (LitheBlockPivots){.first_bad = -1, .smallest = DBL_MAX};
    int32_t bad = compute(&run);
    f->factored = bad < 0;
    for (int32_t s = 0; s < t->count; s++)
        if (run.all || t->hot[s])
            pivots->column_count += t->first[s + 1] - t->first[s];
    if (bad >= 0) {
        pivots->first_bad = row_of(f, bad);
        pivots->smallest = t->pivot[bad];
        return false;
    }
    for (int32_t i = 0; i < f->scalar_count; i++) {
        pivots->negative_count += t->pivot[i] < 0;
        pivots->smallest = t->pivot[i] < pivots->smallest ? t->pivot[i] : pivots->smallest;
    }
    if (ask)
        go_up(&run);
    return true;
}
