// SPDX-License-Identifier: Apache-2.0
// bench/block.c - timing of the block cases

#include "bench/block.h"

#include "base/status.h"
#include "bench/unit.h"
#include "sparse/block_factor.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum {
    RINGS = 100,
    RING_NODES = 20,
    ROD_NODES = 300,
    ROD_CONTACTS = 150,
    NEAREST = 4, // segments between two that touch
    MOST_BLOCKS = RINGS * RING_NODES,
    MOST_CONTACTS = 4 * RINGS,
    MOST_PAIRS = 2 * MOST_BLOCKS + 6 * MOST_CONTACTS,
    REPEATS = 200,
};

typedef struct Case {
    LitheContext *context;
    LitheBlockMatrix *m;
    LitheBlockFactor *f, *given; // with an order of its own, and with that order given
    LitheBlockPair pairs[MOST_PAIRS];
    int32_t sizes[MOST_BLOCKS];
    int32_t touched[4 * MOST_CONTACTS];
    int32_t order[MOST_BLOCKS];
    double b[4 * MOST_BLOCKS], x[4 * MOST_BLOCKS], work[8 * MOST_BLOCKS];
    int32_t count, pair_count, touched_count;
    uint64_t random;
} Case;

// --- the case ------------------------------------------------------------------------------------

// splitmix, in [low, high)
static double draw(uint64_t *s, double low, double high) {
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

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
        // the start of this ring on the middle of the one before
        for (int32_t k = 0; r > 0 && k < 4; k++)
            add_contact(c, first + k / 2, first - RING_NODES / 2 + k % 2);
    }
}

static void make_rod(Case *c) {
    add_rod(c, ROD_NODES, false);
    for (int32_t k = 0; k < ROD_CONTACTS;) {
        int32_t i = (int32_t)draw(&c->random, 0, ROD_NODES - 1);
        int32_t j = (int32_t)draw(&c->random, 0, ROD_NODES - 1);
        if (i - j < NEAREST && j - i < NEAREST)
            continue;
        add_contact(c, i, j);
        k++;
    }
}

// random blocks, and a diagonal that outweighs them
static void fill(Case *c) {
    LitheBlockMatrix *m = c->m;
    for (int64_t k = 0; k < m->value_at[m->start[m->count]]; k++)
        m->value[k] = draw(&c->random, -1, 1);
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            for (int32_t k = 0; k < 4; k++) {
                lithe_block_values(m, m->start[j])[5 * k] += 4;
                lithe_block_values(m, m->start[m->row[e]])[5 * k] += 4;
            }
    for (int32_t k = 0; k < m->at[m->count]; k++)
        c->b[k] = draw(&c->random, -1, 1);
}

// --- timing --------------------------------------------------------------------------------------

static double busy(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// the time since `*since` when it is the least so far, and the next time starts
static void lap(double *since, double *best) {
    double now = busy();
    *best = fmin(*best, now - *since);
    *since = busy();
}

static bool time_pattern(Case *c, LitheBenchBlock *r) {
    static const LitheBlockPair joined = {0, 1};
    static const int32_t ones[2] = {1, 1}, two[2] = {0, 1};
    r->build = r->analyse = r->analyse_given = INFINITY;
    bool good = true;
    for (int i = 0; good && i < REPEATS / 10; i++) {
        // another pattern in between, so that there is something to do
        good = lithe_block_matrix_build(c->m, 2, ones, &joined, 1) &&
               lithe_block_analyse(c->f, c->m, NULL) && lithe_block_analyse(c->given, c->m, two);
        double since = busy();
        good = good && lithe_block_matrix_build(c->m, c->count, c->sizes, c->pairs, c->pair_count);
        lap(&since, &r->build);
        good = good && lithe_block_analyse_late(c->f, c->m, c->touched, c->touched_count);
        lap(&since, &r->analyse);
        if (good)
            memcpy(c->order, lithe_block_order(c->f), sizeof(int32_t) * (size_t)c->count);
        since = busy();
        good = good && lithe_block_analyse(c->given, c->m, c->order);
        lap(&since, &r->analyse_given);
    }
    return good;
}

static LitheStatus time_numbers(Case *c, LitheBenchBlock *r, LitheError *error) {
    LitheBlockPivots pivots = {0};
    size_t bytes = sizeof(double) * (size_t)r->unknowns;
    r->factor = r->refactor = r->solve = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        memcpy(c->x, c->b, bytes);
        double since = busy();
        bool good = lithe_block_factor_numeric(c->f, c->m, LITHE_PIVOT_POSITIVE, &pivots);
        lap(&since, &r->factor);
        good = good && lithe_block_refactor(c->f, c->m, c->touched, c->touched_count,
                                            LITHE_PIVOT_POSITIVE, &pivots);
        lap(&since, &r->refactor);
        if (!good)
            return lithe_fail(error, LITHE_CANNOT_GO_ON, "the benchmark's pivot %d is refused",
                              (int)pivots.first_bad);
        lithe_block_solve(c->f, c->x);
        lap(&since, &r->solve);
    }
    r->redone = pivots.column_count;
    r->error = lithe_block_backward_error(c->m, c->x, c->b, c->work);
    return LITHE_OK;
}

static LitheStatus time_case(Case *c, LitheBenchBlock *r, LitheError *error) {
    for (int32_t i = 0; i < c->count; i++)
        c->sizes[i] = 4;
    r->blocks = c->count;
    r->unknowns = 4 * c->count;
    r->contacts = c->touched_count / 4;
    r->repeats = REPEATS;
    double before = lithe_bench_unit_ns();
    if (!time_pattern(c, r))
        return lithe_fail_memory(error, "the benchmark");
    fill(c);
    r->factor_blocks = lithe_block_factor_blocks(c->f);
    LitheStatus status = time_numbers(c, r, error);
    r->unit_ns = fmin(before, lithe_bench_unit_ns());
    r->cost_units = 1e9 * (r->factor + r->solve) / r->unit_ns / r->blocks;
    r->peak_memory_bytes = (int64_t)lithe_context_peak_bytes(c->context);
    return status;
}

LitheStatus lithe_bench_block(LitheBenchBlockCase which, LitheBenchBlock *result,
                              LitheError *error) {
    LitheBenchBlock r = {0};
    LitheContext *context = lithe_context_create(NULL);
    Case *c = context ? lithe_alloc(context, sizeof *c) : NULL;
    LitheStatus status = LITHE_NO_MEMORY;
    if (c) {
        c->context = context;
        c->random = 1;
        c->m = lithe_block_matrix_create(context);
        c->f = lithe_block_factor_create(context);
        c->given = lithe_block_factor_create(context);
        if (which == LITHE_BENCH_RINGS)
            make_rings(c);
        else
            make_rod(c);
    }
    if (c && c->m && c->f && c->given)
        status = time_case(c, &r, error);
    else
        lithe_fail_memory(error, "the benchmark");
    if (status == LITHE_OK)
        *result = r;
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
