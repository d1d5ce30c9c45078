// SPDX-License-Identifier: Apache-2.0
// tests/sparse/block_case.h - block matrices for tests: patterns of many kinds, values of any
// condition, right-hand sides; everything in static arrays, one system at a time

#ifndef LITHE_TESTS_SPARSE_BLOCK_CASE_H
#define LITHE_TESTS_SPARSE_BLOCK_CASE_H

#include "sparse/block_parts.h"
#include "test.h"

enum { BLOCKS = 400, PAIRS = 20 * BLOCKS, ROWS = 4800, DENSE = 900 };

typedef enum Kind { CHAIN, RING, CHAIN_OF_RINGS, HUB, SCATTERED, KINDS } Kind;

// a system and what is needed to solve it
typedef struct System {
    LitheContext *context;
    LitheBlockMatrix *m;
    LitheBlockFactor *f;
    int32_t rows;
} System;

static int32_t sizes[BLOCKS];
static LitheBlockPair pairs[PAIRS];
static int32_t pair_count;
static double b[ROWS], x[ROWS], y[ROWS], work[2 * ROWS];
static double dense[DENSE * DENSE], dense_factor[DENSE * DENSE];

// --- patterns and values -------------------------------------------------------------------------

static int32_t below(TestRandom *random, int32_t n) {
    return (int32_t)(test_random_bits(random) % (uint64_t)n);
}

static void add_pair(int32_t i, int32_t j) {
    pairs[pair_count++] = (LitheBlockPair){i, j};
}

static void add_rod(int32_t first, int32_t n, bool closed) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 1; k <= 2; k++)
            if (closed || i + k < n)
                add_pair(first + i, first + (i + k) % n);
}

// all six pairs of two segments that touch
static void add_contact(int32_t i, int32_t j) {
    int32_t node[4] = {i, i + 1, j, j + 1};
    for (int32_t p = 0; p < 4; p++)
        for (int32_t q = 0; q < p; q++)
            add_pair(node[p], node[q]);
}

static void add_kind(TestRandom *random, Kind kind, int32_t n) {
    pair_count = 0;
    switch (kind) {
    case CHAIN:
    case RING:
        add_rod(0, n, kind == RING);
        break;
    case CHAIN_OF_RINGS:
        for (int32_t first = 0; first + 10 <= n; first += 10) {
            add_rod(first, 10, true);
            if (first > 0)
                for (int32_t k = 0; k < 2; k++)
                    add_contact(first + below(random, 9), first - 10 + below(random, 9));
        }
        break;
    case HUB:
        for (int32_t i = 1; i + 1 < n; i++)
            add_pair(i, below(random, i));
        for (int32_t i = 0; i + 1 < n; i += 3)
            add_pair(n - 1, i);
        break;
    default:
        for (int32_t i = 0; i < 2 * n; i++)
            add_pair(below(random, n), below(random, n));
        break;
    }
}

// sizes all `size`, or random from 1 to 12 when it is 0
static void set_sizes(TestRandom *random, int32_t n, int32_t size) {
    for (int32_t i = 0; i < n; i++)
        sizes[i] = size ? size : 1 + below(random, 12);
}

// adds g g' with random g on the rows of blocks i >= j, entry e, to the matrix
static void add_outer(TestRandom *random, LitheBlockMatrix *m, int32_t i, int32_t j, int32_t e,
                      double weight) {
    double g[64], h[64];
    for (int32_t k = 0; k < m->size[i]; k++)
        g[k] = test_random(random, -1, 1);
    for (int32_t k = 0; k < m->size[j]; k++)
        h[k] = i == j ? g[k] : test_random(random, -1, 1);
    double *ij = lithe_block_values(m, e), *ii = lithe_block_values(m, m->start[i]);
    double *jj = lithe_block_values(m, m->start[j]);
    for (int32_t c = 0; c < m->size[j]; c++)
        for (int32_t r = 0; r < m->size[i]; r++)
            ij[m->size[i] * c + r] += weight * g[r] * h[c];
    for (int32_t c = 0; c < m->size[i]; c++)
        for (int32_t r = 0; r < m->size[i]; r++)
            ii[m->size[i] * c + r] += weight * g[r] * g[c];
    for (int32_t c = 0; c < m->size[j]; c++)
        for (int32_t r = 0; r < m->size[j]; r++)
            jj[m->size[j] * c + r] += weight * h[r] * h[c];
}

// positive definite; condition number up to about 10^(high - low)
static void fill(TestRandom *random, LitheBlockMatrix *m, double low, double high) {
    lithe_block_clear(m);
    for (int32_t j = 0; j < m->count; j++) {
        double *d = lithe_block_values(m, m->start[j]);
        for (int32_t k = 0; k < m->size[j]; k++)
            d[(m->size[j] + 1) * k] += pow(10, low);
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            for (int32_t k = 0; k < 2; k++)
                add_outer(random, m, m->row[e], j, e, pow(10, test_random(random, low, high)));
    }
    // values above the diagonal must not matter
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t c = 0; c < m->size[j]; c++)
            for (int32_t r = 0; r < c; r++)
                lithe_block_values(m, m->start[j])[m->size[j] * c + r] = NAN;
}

static void to_dense(const LitheBlockMatrix *m, double *out) {
    int32_t n = m->at[m->count];
    memset(out, 0, sizeof *out * (size_t)n * (size_t)n);
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++) {
            int32_t i = m->row[e];
            for (int32_t c = 0; c < m->size[j]; c++)
                for (int32_t r = i == j ? c : 0; r < m->size[i]; r++)
                    out[n * (m->at[i] + r) + m->at[j] + c] =
                        lithe_block_values(m, e)[m->size[i] * c + r];
        }
}

static System open_system(void) {
    System s = {.context = lithe_context_create(NULL)};
    s.m = lithe_block_matrix_create(s.context);
    s.f = lithe_block_factor_create(s.context);
    return s;
}

static void close_system(System *s) {
    lithe_block_matrix_destroy(s->m);
    lithe_block_factor_destroy(s->f);
    CHECK(lithe_context_bytes(s->context) == 0);
    lithe_context_destroy(s->context);
}

// pattern, values and a right-hand side
static bool make_system(TestRandom *random, System *s, Kind kind, int32_t n, int32_t size,
                        double low, double high) {
    set_sizes(random, n, size);
    if (kind == HUB)
        sizes[n - 1] = 40;
    add_kind(random, kind, n);
    if (!lithe_block_matrix_build(s->m, n, sizes, pairs, pair_count))
        return false;
    fill(random, s->m, low, high);
    s->rows = s->m->at[n];
    for (int32_t k = 0; k < s->rows; k++)
        b[k] = test_random(random, -1, 1);
    return s->rows <= ROWS;
}

static void solve(System *s) {
    memcpy(x, b, sizeof *x * (size_t)s->rows);
    lithe_block_solve(s->f, x);
}

static double largest_difference(int32_t count, const double *v, const double *w) {
    double size = 0;
    for (int32_t k = 0; k < count; k++)
        if (!(fabs(v[k] - w[k]) <= size))
            size = fabs(v[k] - w[k]);
    return size;
}

#endif
