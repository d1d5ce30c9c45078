// SPDX-License-Identifier: Apache-2.0
// sparse/block_factor.c - the block factor: create, destroy, choice of the kernel, factor,
// refactor, solve

#include "sparse/block_parts.h"

#include "base/assert.h"

#include <float.h>
#include <stdatomic.h>
#include <string.h>

LitheBlockFactor *lithe_block_factor_create(LitheContext *context) {
    LitheBlockFactor *f = lithe_alloc(context, sizeof *f);
    if (f)
        f->context = context;
    return f;
}

void lithe_block_factor_forget(LitheBlockFactor *f) {
    LitheBlockFactor kept = {.context = f->context, .pool = f->pool, .meter = f->meter};
    void *memory[] = {f->pattern_memory, f->factor_memory, f->where_memory,
                      f->scratch,        f->value_memory,  f->terms};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        lithe_free(f->context, memory[k]);
    lithe_fronts_destroy(f->fronts);
    *f = kept;
}

void lithe_block_factor_destroy(LitheBlockFactor *f) {
    if (!f)
        return;
    lithe_block_factor_forget(f);
    lithe_free(f->context, f);
}

static const LitheBlockKernel *kernel_in_use(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &lithe_block_kernel_avx2;
#endif
    return &lithe_block_kernel_portable;
}

const LitheBlockKernel *lithe_block_kernel(int32_t index) {
    const LitheBlockKernel *fastest = kernel_in_use();
    if (fastest != &lithe_block_kernel_portable && index-- == 0)
        return fastest;
    return index == 0 ? &lithe_block_kernel_portable : NULL;
}

void lithe_block_factor_pool(LitheBlockFactor *f, LithePool *pool) {
    f->pool = pool;
}

void lithe_block_factor_meter(LitheBlockFactor *f, LitheMeter *meter) {
    f->meter = meter;
}

// --- factor --------------------------------------------------------------------------------------

// the caller's number of a padded row, and its pivot
static void report_bad(const LitheBlockFactor *f, int32_t row, LitheBlockPivots *pivots) {
    int32_t j = 0;
    while (f->at[j + 1] <= row)
        j++;
    pivots->first_bad = f->scalar[j] + row - f->at[j];
    pivots->smallest = f->pivot[row];
}

// one run through all tasks, and the top
typedef struct Job {
    const LitheBlockKernel *kernel;
    LitheBlockFactor *f;
    const LitheBlockMatrix *m;
    LithePivotRule rule;
    int32_t bad[LITHE_BLOCK_TASKS + 1];             // padded row of a refused pivot, or -1
    LitheBlockPivots pivots[LITHE_BLOCK_TASKS + 1]; // pivots of each
    const LitheBlockAsk *ask;                       // right-hand side and solution, or NULL
    atomic_bool taken[LITHE_BLOCK_TASKS];           // slots in use
} Job;

// a slot that no other task uses; there are as many as threads
static int32_t take_slot(Job *job) {
    for (int32_t k = 0;; k = k + 1 < job->f->slot_count ? k + 1 : 0)
        if (!atomic_load(&job->taken[k]) && !atomic_exchange(&job->taken[k], true))
            return k;
}

// the right-hand side of a task's columns, with padding
static void load(const Job *job, int32_t task) {
    const LitheBlockFactor *f = job->f;
    for (int32_t j = f->task_start[task]; j < f->task_start[task + 1]; j++) {
        int32_t size = f->size[j], rows = f->at[j + 1] - f->at[j];
        double *padded = f->x + f->at[j];
        const double *plain = job->ask->b + f->scalar[j];
        for (int32_t i = 0; i < size; i++)
            padded[i] = job->ask->scale * plain[i];
        for (int32_t i = size; i < rows; i++)
            padded[i] = 0;
    }
}

static void store(const Job *job, int32_t task) {
    const LitheBlockFactor *f = job->f;
    for (int32_t j = f->task_start[task]; j < f->task_start[task + 1]; j++)
        for (int32_t i = 0; i < f->size[j]; i++)
            job->ask->x[f->scalar[j] + i] = f->x[f->at[j] + i];
}

static void task_down(int32_t task, void *user) {
    Job *job = user;
    load(job, task);
    job->kernel->down(job->f, task);
}

static void task_up(int32_t task, void *user) {
    Job *job = user;
    job->kernel->up(job->f, task);
    store(job, task);
}

static void task_columns(int32_t task, void *user) {
    Job *job = user;
    const LitheBlockFactor *f = job->f;
    LitheBlockPivots own = {.first_bad = -1, .smallest = DBL_MAX};
    bool solves = job->ask && task < f->task_count;
    if (solves)
        load(job, task);
    int32_t slot = take_slot(job);
    job->bad[task] = job->kernel->columns(f, job->m, job->rule, solves, task, slot);
    atomic_store(&job->taken[slot], false);
    for (int32_t j = f->task_start[task]; j < f->task_start[task + 1]; j++) {
        own.column_count += f->redo[j];
        for (int32_t i = f->at[j]; job->bad[task] == -1 && i < f->at[j] + f->size[j]; i++) {
            own.negative_count += f->pivot[i] < 0;
            own.smallest = f->pivot[i] < own.smallest ? f->pivot[i] : own.smallest;
        }
    }
    job->pivots[task] = own;
}

// the first refused pivot: of the tasks, then of the top, which depends on them
static int32_t all_columns(Job *job) {
    int32_t tasks = job->f->task_count, bad = -1;
    // a pool that was given after the analysis may have more threads than there are slots
    LithePool *pool = lithe_block_slots(job->f) <= job->f->slot_count ? job->f->pool : NULL;
    lithe_pool_run(pool, tasks, LITHE_COST_LARGE, task_columns, job);
    for (int32_t t = 0; t < tasks; t++)
        if (job->bad[t] >= 0 && (bad < 0 || job->bad[t] < bad))
            bad = job->bad[t];
    if (bad >= 0)
        return bad;
    task_columns(tasks, job);
    return job->bad[tasks];
}

// the rest of the solve after the forward substitution of all tasks
static void finish(Job *job) {
    LitheBlockFactor *f = job->f;
    load(job, f->task_count);
    job->kernel->join(f);
    job->kernel->down(f, f->task_count);
    task_up(f->task_count, job);
    // one thread takes the last tasks first: their columns are still in the cache
    if (lithe_pool_size(f->pool) == 1)
        for (int32_t task = f->task_count - 1; task >= 0; task--)
            task_up(task, job);
    else
        lithe_pool_run(f->pool, f->task_count, LITHE_COST_LARGE, task_up, job);
}

// computes the columns marked in f->redo, then solves if requested
static bool compute(Job *job, LitheBlockPivots *pivots) {
    LitheBlockFactor *f = job->f;
    *pivots = (LitheBlockPivots){.first_bad = -1, .smallest = DBL_MAX};
    int32_t bad = all_columns(job);
    f->factored = bad == -1;
    for (int32_t t = 0; t <= f->task_count; t++) {
        const LitheBlockPivots *own = &job->pivots[t];
        pivots->column_count += own->column_count;
        pivots->negative_count += f->factored ? own->negative_count : 0;
        if (f->factored && own->smallest < pivots->smallest)
            pivots->smallest = own->smallest;
    }
    if (!f->factored)
        report_bad(f, bad, pivots);
    else if (job->ask)
        finish(job);
    return f->factored;
}

// the same by fronts
static bool compute_fronts(Job *job, bool all, LitheBlockPivots *pivots) {
    return lithe_fronts_factor(job->kernel->front, job->f, job->m, job->rule, all, job->ask,
                               pivots);
}

static bool compute_all(Job *job, LitheBlockPivots *pivots) {
    LitheBlockFactor *f = job->f;
    if (f->by_fronts)
        return compute_fronts(job, true, pivots);
    LITHE_ASSERT(f->analysed && f->count == job->m->count);
    for (int32_t j = 0; j < f->count; j++)
        f->redo[j] = 1;
    return compute(job, pivots);
}

// marks the touched columns and their ancestors: parents come after their children
static bool compute_touched(Job *job, const int32_t *touched, int32_t touched_count,
                            LitheBlockPivots *pivots) {
    LitheBlockFactor *f = job->f;
    LITHE_ASSERT(f->analysed && f->count == job->m->count);
    if (f->by_fronts)
        return compute_fronts(job, !lithe_fronts_are_hot(f, touched, touched_count), pivots);
    if (!f->factored)
        return compute_all(job, pivots);
    memset(f->redo, 0, sizeof *f->redo * (size_t)f->count);
    for (int32_t t = 0; t < touched_count; t++) {
        LITHE_ASSERT(touched[t] >= 0 && touched[t] < f->count);
        f->redo[f->place[touched[t]]] = 1;
    }
    for (int32_t j = 0; j < f->count; j++)
        if (f->redo[j] && f->parent[j] >= 0)
            f->redo[f->parent[j]] = 1;
    return compute(job, pivots);
}

bool lithe_block_has_values(const LitheBlockFactor *f) {
    return f->factored;
}

static void solve_blocks(Job *job) {
    LitheBlockFactor *f = job->f;
    LITHE_ASSERT(f->factored);
    if (f->by_fronts) {
        lithe_fronts_solve(job->kernel->front, f, job->ask);
        return;
    }
    lithe_pool_run(f->pool, f->task_count, LITHE_COST_LARGE, task_down, job);
    finish(job);
}

static void solve_here(void *user, double *x) {
    const Job *from = user;
    Job job = {.kernel = from->kernel, .f = from->f, .ask = &(LitheBlockAsk){1, x, x}};
    solve_blocks(&job);
}

static bool compute_blocks(Job *job, const int32_t *touched, int32_t touched_count,
                           LitheBlockPivots *pivots) {
    return touched ? compute_touched(job, touched, touched_count, pivots)
                   : compute_all(job, pivots);
}

// With terms of rank one: the blocks need not be positive definite for the sum to be so (R3).
static bool compute_sum(Job *job, const int32_t *touched, int32_t touched_count,
                        LitheBlockPivots *pivots) {
    LitheBlockFactor *f = job->f;
    const LitheBlockAsk *ask = job->ask;
    LitheBlockPivots refused = {0};
    LithePivotRule rule = job->rule;
    int32_t negative = 0;
    job->ask = NULL;
    bool done = compute_blocks(job, touched, touched_count, pivots);
    if (!done && rule == LITHE_PIVOT_POSITIVE) {
        refused = *pivots;
        job->rule = LITHE_PIVOT_ANY;
        done = compute_all(job, pivots);
    }
    if (!done)
        return false;
    f->factored = lithe_block_begin_terms(f, job->m, solve_here, job, &negative);
    pivots->negative_count -= negative;
    if (!f->factored)
        pivots->first_bad = 0;
    if (rule == LITHE_PIVOT_POSITIVE && pivots->negative_count > 0) {
        *pivots = refused;
        f->factored = false;
    }
    if (f->factored && ask) {
        job->ask = ask;
        solve_blocks(job);
        lithe_block_apply_terms(f, ask->x);
    }
    return f->factored;
}

static bool compute_any(Job *job, const int32_t *touched, int32_t touched_count,
                        LitheBlockPivots *pivots) {
    job->f->term_count = 0;
    return job->m->rank_count > 0 ? compute_sum(job, touched, touched_count, pivots)
                                  : compute_blocks(job, touched, touched_count, pivots);
}

bool lithe_block_factor_with(const LitheBlockKernel *kernel, LitheBlockFactor *f,
                             const LitheBlockMatrix *m, LithePivotRule rule,
                             LitheBlockPivots *pivots) {
    Job job = {.kernel = kernel, .f = f, .m = m, .rule = rule};
    return compute_any(&job, NULL, 0, pivots);
}

bool lithe_block_factor_numeric(LitheBlockFactor *f, const LitheBlockMatrix *m, LithePivotRule rule,
                                LitheBlockPivots *pivots) {
    return lithe_block_factor_with(kernel_in_use(), f, m, rule, pivots);
}

static const int32_t nothing[1];

bool lithe_block_refactor(LitheBlockFactor *f, const LitheBlockMatrix *m, const int32_t *touched,
                          int32_t touched_count, LithePivotRule rule, LitheBlockPivots *pivots) {
    Job job = {.kernel = kernel_in_use(), .f = f, .m = m, .rule = rule};
    return compute_any(&job, touched ? touched : nothing, touched_count, pivots);
}

// --- solve ---------------------------------------------------------------------------------------

bool lithe_block_factor_solve(LitheBlockFactor *f, const LitheBlockMatrix *m,
                              const int32_t *touched, int32_t touched_count, LithePivotRule rule,
                              LitheBlockPivots *pivots, const LitheBlockAsk *ask) {
    Job job = {.kernel = kernel_in_use(), .f = f, .m = m, .rule = rule, .ask = ask};
    return compute_any(&job, touched, touched_count, pivots);
}

void lithe_block_solve_with(const LitheBlockKernel *kernel, LitheBlockFactor *f, double *x) {
    solve_here(&(Job){.kernel = kernel, .f = f}, x);
    if (f->term_count > 0)
        lithe_block_apply_terms(f, x);
}

void lithe_block_solve(LitheBlockFactor *f, double *x) {
    lithe_block_solve_with(kernel_in_use(), f, x);
}

// --- sizes and names -----------------------------------------------------------------------------

const int32_t *lithe_block_order(const LitheBlockFactor *f) {
    return f->order;
}

int64_t lithe_block_factor_blocks(const LitheBlockFactor *f) {
    const LitheFronts *t = f->fronts;
    if (!f->analysed)
        return 0;
    if (!f->by_fronts)
        return f->start[f->count];
    int64_t count = 0;
    for (int32_t s = 0; s < t->count; s++) {
        int64_t columns = t->first[s + 1] - t->first[s];
        count += columns * (columns + 1) / 2 + columns * (t->row_at[s + 1] - t->row_at[s]);
    }
    return count;
}

// a triangle, and a rectangle below it
static int64_t values_of(int64_t width, int64_t height) {
    return width * (width + 1) / 2 + width * (height - width);
}

int64_t lithe_block_factor_values(const LitheBlockFactor *f) {
    const LitheFronts *t = f->fronts;
    int64_t count = 0;
    for (int32_t s = 0; f->analysed && f->by_fronts && s < t->count; s++)
        count += values_of(t->w[s], t->height[s]);
    for (int32_t j = 0; f->analysed && !f->by_fronts && j < f->count; j++) {
        int64_t height = 0;
        for (int32_t e = f->start[j]; e < f->start[j + 1]; e++)
            height += f->size[f->row[e]];
        count += values_of(f->size[j], height);
    }
    return count;
}
