// SPDX-License-Identifier: Apache-2.0
// bench/block.c - the block cases: cost of the linear algebra of bodies in contact
//
// Rings: a chain of 100 rings of 20 nodes, each ring in contact with the next at four pairs of
// segments (8000 unknowns). Rod: an open rod of 300 nodes with 150 contacts of random (seeded)
// pairs of its segments, at least four segments apart. Values are random and positive definite.
// Times are the best of the repeats.

#include "base/memory.h"
#include "base/status.h"
#include "bench/unit.h"
#include "bench/world.h"
#include "sparse/block_factor.h"

#include <math.h>
#include <string.h>

enum {
    RINGS = 100,
    RING_NODES = 20,
    ROD_NODES = 300,
    ROD_CONTACTS = 150,
    NEAREST = 4, // min distance of two segments that touch, in segments along the rod
    MAX_BLOCKS = RINGS * RING_NODES,
    MAX_CONTACTS = 4 * RINGS,
    MAX_PAIRS = 2 * MAX_BLOCKS + 6 * MAX_CONTACTS,
    REPEATS = 200,
};

typedef struct Case {
    LitheContext *context;
    LitheBlockMatrix *m;
    LitheBlockFactor *f, *given; // with a computed order, and with that order given
    LitheBlockPair pairs[MAX_PAIRS];
    int32_t sizes[MAX_BLOCKS];
    int32_t touched[4 * MAX_CONTACTS];
    int32_t order[MAX_BLOCKS];
    double b[4 * MAX_BLOCKS], x[4 * MAX_BLOCKS], work[8 * MAX_BLOCKS];
    int32_t count, pair_count, touched_count;
    uint64_t random;
} Case;

typedef struct Times {
    double build;         // the pattern from its pairs [s]
    double analyse;       // order, with the nodes in contact last, and pattern of L
    double analyse_given; // the same with the order given
    double factor;        // all columns
    double refactor;      // after a change in all nodes in contact
    double solve;
    double error;   // backward error of the solution
    int32_t redone; // columns that were factored again
} Times;

// --- the case ------------------------------------------------------------------------------------

// node i couples to the next two
static void add_rod(Case *c, int32_t nodes, bool closed) {
    for (int32_t i = 0; i < nodes; i++)
        for (int32_t k = 1; k <= 2; k++)
            if (closed || i + k < nodes)
                c->pairs[c->pair_count++] =
                    (LitheBlockPair){c->count + i, c->count + (i + k) % nodes};
    c->count += nodes;
}

// segments i and j touch: their four nodes all couple
static void add_contact(Case *c, int32_t i, int32_t j) {
    int32_t node[4] = {i, i + 1, j, j + 1};
    for (int32_t p = 0; p < 4; p++) {
        c->touched[c->touched_count++] = node[p];
        for (int32_t q = 0; q < p; q++)
            c->pairs[c->pair_count++] = (LitheBlockPair){node[p], node[q]};
    }
}

static void make_rings(Case *c) {
    for (int32_t r = 0; r < RINGS; r++) {
        int32_t first = c->count;
        add_rod(c, RING_NODES, true);
        // the start of this ring touches the middle of the previous one
        for (int32_t k = 0; r > 0 && k < 4; k++)
            add_contact(c, first + k / 2, first - RING_NODES / 2 + k % 2);
    }
}

static void make_rod(Case *c) {
    add_rod(c, ROD_NODES, false);
    for (int32_t k = 0; k < ROD_CONTACTS;) {
        int32_t i = (int32_t)lithe_bench_draw(&c->random, 0, ROD_NODES - 1);
        int32_t j = (int32_t)lithe_bench_draw(&c->random, 0, ROD_NODES - 1);
        if (i - j < NEAREST && j - i < NEAREST)
            continue;
        add_contact(c, i, j);
        k++;
    }
}

// random blocks with a dominant diagonal
static void fill(Case *c) {
    LitheBlockMatrix *m = c->m;
    for (int64_t k = 0; k < m->value_at[m->start[m->count]]; k++)
        m->value[k] = lithe_bench_draw(&c->random, -1, 1);
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            for (int32_t k = 0; k < 4; k++) {
                lithe_block_values(m, m->start[j])[5 * k] += 4;
                lithe_block_values(m, m->start[m->row[e]])[5 * k] += 4;
            }
    for (int32_t k = 0; k < m->at[m->count]; k++)
        c->b[k] = lithe_bench_draw(&c->random, -1, 1);
}

// --- timing --------------------------------------------------------------------------------------

// keeps the time since `*since` if it is the shortest so far, and restarts the clock
static void lap(double *since, double *best) {
    double now = lithe_bench_busy();
    *best = fmin(*best, now - *since);
    *since = lithe_bench_busy();
}

static bool time_pattern(Case *c, Times *r) {
    static const LitheBlockPair joined = {0, 1};
    static const int32_t ones[2] = {1, 1}, two[2] = {0, 1};
    r->build = r->analyse = r->analyse_given = INFINITY;
    bool good = true;
    for (int i = 0; good && i < REPEATS / 10; i++) {
        // another pattern in between, so that the analysis is not skipped
        good = lithe_block_matrix_build(c->m, 2, ones, &joined, 1) &&
               lithe_block_analyse(c->f, c->m, NULL) && lithe_block_analyse(c->given, c->m, two);
        double since = lithe_bench_busy();
        good = good && lithe_block_matrix_build(c->m, c->count, c->sizes, c->pairs, c->pair_count);
        lap(&since, &r->build);
        good = good && lithe_block_analyse_late(c->f, c->m, c->touched, c->touched_count);
        lap(&since, &r->analyse);
        if (good)
            memcpy(c->order, lithe_block_order(c->f), sizeof(int32_t) * (size_t)c->count);
        since = lithe_bench_busy();
        good = good && lithe_block_analyse(c->given, c->m, c->order);
        lap(&since, &r->analyse_given);
    }
    return good;
}

static LitheStatus time_numbers(Case *c, Times *r, LitheError *error) {
    LitheBlockPivots pivots = {0};
    size_t bytes = 4 * sizeof(double) * (size_t)c->count;
    r->factor = r->refactor = r->solve = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        memcpy(c->x, c->b, bytes);
        double since = lithe_bench_busy();
        bool good = lithe_block_factor_numeric(c->f, c->m, LITHE_PIVOT_POSITIVE, &pivots);
        lap(&since, &r->factor);
        good = good && lithe_block_refactor(c->f, c->m, c->touched, c->touched_count,
                                            LITHE_PIVOT_POSITIVE, &pivots);
        lap(&since, &r->refactor);
        if (!good)
            return lithe_fail(error, LITHE_CANNOT_GO_ON,
                              "pivot %d of the benchmark is not positive", (int)pivots.first_bad);
        lithe_block_solve(c->f, c->x);
        lap(&since, &r->solve);
    }
    r->redone = pivots.column_count;
    r->error = lithe_block_backward_error(c->m, c->x, c->b, c->work);
    return LITHE_OK;
}

static void report(const Case *c, const Times *t, double unit_ns, LitheBenchResult *result) {
    double cost = 1e9 * (t->factor + t->solve) / unit_ns / c->count;
    lithe_bench_set(result, "dofs", 4 * c->count);
    lithe_bench_set(result, "contacts_mean", c->touched_count / 4);
    lithe_bench_set(result, "contacts_max", c->touched_count / 4);
    lithe_bench_set(result, "threads", 1);
    lithe_bench_set(result, "nodes", c->count);
    lithe_bench_set(result, "wall_seconds", t->factor + t->solve);
    lithe_bench_set(result, "unit_ns", unit_ns);
    lithe_bench_set(result, "cost_units", cost);
    lithe_bench_set(result, "factor_units", cost);
    lithe_bench_set(result, "stages.factor", t->factor);
    lithe_bench_set(result, "stages.solve", t->solve);
    lithe_bench_set(result, "stages.refactor", t->refactor);
    lithe_bench_set(result, "stages.analyse_given", t->analyse_given);
    lithe_bench_set(result, "stages.analyse", t->analyse);
    lithe_bench_set(result, "stages.build", t->build);
    lithe_bench_set(result, "factor_blocks", (double)lithe_block_factor_blocks(c->f));
    lithe_bench_set(result, "columns_redone", t->redone);
    lithe_bench_set(result, "backward_error", t->error);
    lithe_bench_set(result, "peak_memory_bytes", (double)lithe_context_peak_bytes(c->context));
    lithe_bench_set(result, "repeats", REPEATS);
}

static LitheStatus time_case(Case *c, LitheBenchResult *result, LitheError *error) {
    Times times = {0};
    for (int32_t i = 0; i < c->count; i++)
        c->sizes[i] = 4;
    double before = lithe_bench_unit_ns();
    if (!time_pattern(c, &times))
        return lithe_fail_memory(error, "the benchmark");
    fill(c);
    LitheStatus status = time_numbers(c, &times, error);
    if (status == LITHE_OK)
        report(c, &times, fmin(before, lithe_bench_unit_ns()), result);
    return status;
}

static LitheStatus bench(void (*make)(Case *), LitheBenchResult *result, LitheError *error) {
    LitheContext *context = lithe_context_create(NULL);
    Case *c = context ? lithe_alloc(context, sizeof *c) : NULL;
    LitheStatus status = LITHE_NO_MEMORY;
    if (c) {
        c->context = context;
        c->random = 1;
        c->m = lithe_block_matrix_create(context);
        c->f = lithe_block_factor_create(context);
        c->given = lithe_block_factor_create(context);
        make(c);
    }
    if (c && c->m && c->f && c->given)
        status = time_case(c, result, error);
    else
        lithe_fail_memory(error, "the benchmark");
    if (c) {
        lithe_block_matrix_destroy(c->m);
        lithe_block_factor_destroy(c->f);
        lithe_block_factor_destroy(c->given);
        lithe_free(context, c);
    }
    if (context)
        lithe_context_destroy(context);
    return status;
}

LitheStatus lithe_bench_rings(const LitheBenchSetting *setting, LitheBenchResult *result,
                              LitheError *error) {
    (void)setting;
    return bench(make_rings, result, error);
}

LitheStatus lithe_bench_knotted_rod(const LitheBenchSetting *setting, LitheBenchResult *result,
                                    LitheError *error) {
    (void)setting;
    return bench(make_rod, result, error);
}
