// SPDX-License-Identifier: Apache-2.0
// sparse/block_rank.c - terms of rank one beside the blocks of a matrix: A = B + U U'
//
// Such a term couples many blocks: its entries would fill the matrix. B is factored as if there
// were no terms, and each solve adds what they change (docs/theory/block-solver.md):
//     (R1)  Z = B\U,   C = I + U'Z
//     (R2)  A\b = y - Z C\(U'y),   y = B\b
//     (R3)  negative eigenvalues of A = those of B - those of C
// By (R3) A may be positive definite while B is not, as at a balloon that only its gas holds.

#include "sparse/block_parts.h"

#include "base/assert.h"
#include "math/vecn.h"
#include "sparse/dense.h"

#include <string.h>

// --- the matrix ----------------------------------------------------------------------------------

bool lithe_block_reserve_ranks(LitheBlockMatrix *m, int32_t count) {
    m->rank_count = 0;
    m->rank_room = count;
    return LITHE_RENEW(m->context, m->rank, m->rank_capacity, (int64_t)count * m->at[m->count]);
}

double *lithe_block_add_rank(LitheBlockMatrix *m) {
    LITHE_ASSERT(m->rank_count < m->rank_room);
    size_t rows = (size_t)m->at[m->count];
    double *u = m->rank + rows * (size_t)m->rank_count++;
    return memset(u, 0, rows * sizeof *u);
}

void lithe_block_multiply_ranks(const LitheBlockMatrix *m, int32_t first, int32_t after,
                                const double *x, double *y) {
    int32_t from = m->at[first], rows = m->at[after] - from;
    for (int32_t k = 0; k < m->rank_count; k++) {
        const double *u = m->rank + (int64_t)k * m->at[m->count] + from;
        double by = vn_dot(rows, u, x + from);
        for (int32_t i = 0; by != 0 && i < rows; i++)
            y[from + i] += by * u[i];
    }
}

// --- the factor ----------------------------------------------------------------------------------

bool lithe_block_reserve_terms(LitheBlockFactor *f, const LitheBlockMatrix *m) {
    int64_t room = m->rank_room, rows = m->at[m->count];
    return LITHE_RESERVE(f->context, f->terms, f->term_capacity, room * (2 * rows + room + 1));
}

// the parts of f->terms
typedef struct Terms {
    int32_t n, count;
    double *U, *Z;    // [count][n]
    double *C, *dots; // [count][count] factored, [count]
} Terms;

static Terms terms_of(const LitheBlockFactor *f) {
    int64_t all = (int64_t)f->term_count * f->scalar_count;
    double *C = f->terms + 2 * all;
    return (Terms){f->scalar_count,
                   f->term_count,
                   f->terms,
                   f->terms + all,
                   C,
                   C + (int64_t)f->term_count * f->term_count};
}

bool lithe_block_begin_terms(LitheBlockFactor *f, const LitheBlockMatrix *m,
                             void (*solve)(void *user, double *x), void *user, int32_t *negative) {
    f->term_count = m->rank_count;
    Terms t = terms_of(f);
    LITHE_ASSERT(f->scalar_count == m->at[m->count] && m->rank_count <= m->rank_room);
    memcpy(t.U, m->rank, sizeof *t.U * (size_t)t.count * (size_t)t.n);
    memcpy(t.Z, m->rank, sizeof *t.Z * (size_t)t.count * (size_t)t.n);
    for (int32_t k = 0; k < t.count; k++)
        solve(user, t.Z + (int64_t)k * t.n);
    for (int32_t i = 0; i < t.count; i++)
        for (int32_t j = 0; j <= i; j++) // (R1)
            t.C[t.count * i + j] =
                (i == j) + vn_dot(t.n, t.U + (int64_t)i * t.n, t.Z + (int64_t)j * t.n);
    if (lithe_dense_factor(t.count, t.C) >= 0)
        return false;
    *negative = lithe_dense_negative_count(t.count, t.C);
    return true;
}

void lithe_block_apply_terms(const LitheBlockFactor *f, double *x) {
    Terms t = terms_of(f);
    for (int32_t k = 0; k < t.count; k++)
        t.dots[k] = vn_dot(t.n, t.U + (int64_t)k * t.n, x);
    lithe_dense_solve(t.count, t.C, t.dots);
    for (int32_t k = 0; k < t.count; k++) // (R2)
        for (int32_t i = 0; i < t.n; i++)
            x[i] -= t.dots[k] * t.Z[(int64_t)k * t.n + i];
}
