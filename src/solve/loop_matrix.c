// SPDX-License-Identifier: Apache-2.0
// solve/loop_matrix.c - parallel loops that make the matrix H = A + J' G J of a convex problem
//
// As in solve/loops.c, no two threads add to the same number: each node makes its own column.

#include "solve/loop_parts.h"

#include <string.h>

// J' G J of the groups in a range
static void make_groups(const Loop *loop, int32_t range) {
    LitheSystem *s = loop->s;
    double none[LITHE_RANGE_SUMS];
    if (s->in_lanes && !s->has_group_terms)
        lithe_lanes_sweep(s, range, &(LitheLaneJob){.terms = true}, none);
    for (int32_t i = s->group_start[range]; i < s->group_start[range + 1]; i++) {
        LitheGroup *g = &s->groups[i];
        g->was_in_matrix = g->in_matrix;
        g->in_matrix = s->in_lanes && g->is_nonzero;
        if (s->in_lanes)
            continue;
        for (int32_t k = g->first; k < g->first + g->count && !g->in_matrix; k++)
            g->in_matrix = s->couplings[k].in_matrix;
        if (g->in_matrix)
            loop->kernel->group_term(s, g, lithe_hessian_of(s, &s->couplings[g->first]));
    }
}

// G with the directions of friction; records whether it is nonzero. sums: idle couplings that are
static void find_hessians(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    (void)range;
    OVER_RANGE(s, i, first, after) {
        LitheCoupling *c = &s->couplings[i];
        if (!are_plain(s, i, after)) {
            lithe_slip_hessian(s, i, lithe_hessian_of(s, c));
            continue;
        }
        loop->kernel->bend_four(c, s->slip + LITHE_COUPLED_ROWS * (ptrdiff_t)i,
                                lithe_hessian_of(s, c));
        i += 3;
    }
    OVER_RANGE(s, i, first, after) {
        LitheCoupling *c = &s->couplings[i];
        const double *G = lithe_hessian_of(s, c);
        int32_t rows = c->term.rows;
        bool in_matrix = false;
        for (int32_t k = 0; k < rows && !in_matrix; k++)
            in_matrix = G[rows * k + k] != 0;
        if (c->was_in_matrix != c->in_matrix || c->in_matrix != in_matrix) {
            c->was_in_matrix = c->in_matrix;
            c->in_matrix = in_matrix;
        }
        sums[0] += c->idle && in_matrix;
    }
    if (s->group_count > 0)
        make_groups(loop, range);
}

// whether couplings of a node are in H; `changes`: or were before
static bool is_coupled(const LitheSystem *s, int32_t node, bool *changes) {
    bool coupled = false;
    *changes = false;
    for (int32_t p = s->of_start[node]; p < s->of_start[node + 1] && !coupled; p++) {
        const LitheCoupling *c = &s->couplings[s->of[p] / LITHE_COUPLED_STRIDE];
        coupled = c->in_matrix;
        *changes = *changes || coupled || c->was_in_matrix;
    }
    if (s->group_count == 0)
        return coupled;
    for (int32_t p = s->group_of_start[node]; p < s->group_of_start[node + 1] && !coupled; p++) {
        const LitheGroup *g = &s->groups[s->group_of[p] / LITHE_COUPLED_STRIDE];
        coupled = g->in_matrix;
        *changes = *changes || coupled || g->was_in_matrix;
    }
    return coupled;
}

// Adds the column of place b of a group: its blocks with the nodes at or after that node.
static void add_group(const LitheSystem *s, const LitheGroup *g, int32_t b) {
    const LitheCoupling *c = &s->couplings[g->first];
    const int32_t *entry = s->entries + s->bonds[g->first].entry_at + c->node_count * b;
    int32_t from = 0, to = 0, size = s->node_size[c->node[b]];
    for (int32_t k = 0; k < b; k++)
        from += s->node_size[c->node[k]];
    for (int32_t a = 0, rows; a < c->node_count; a++, to += rows) {
        rows = s->node_size[c->node[a]];
        double *block = entry[a] < 0 ? NULL : lithe_block_values(s->matrix, entry[a]);
        for (int32_t j = from; block && j < from + size; j++, block += rows) {
            const double *K = s->group_matrix + g->matrix_at + (ptrdiff_t)g->width * j + to;
            for (int32_t i = 0; i < rows; i++)
                block[i] += K[i];
        }
    }
}

// The column of a node: that of A, plus all couplings that touch it. A column without couplings is
// read from A itself, unless a mesh needs all columns in one place.
static void make_columns(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Loop *loop = user;
    LitheSystem *s = loop->s;
    LitheBlockMatrix *m = s->matrix;
    (void)sums;
    for (int32_t i = first; i < after; i++) {
        bool changes, coupled = is_coupled(s, i, &changes);
        s->touched[i] = changes ? i : -1;
        s->is_touched[i] = changes;
        s->has_own[i] = coupled;
        if (!coupled && (m->base || !(changes || loop->flag)))
            continue;
        int64_t at = m->value_at[m->start[i]], end = m->value_at[m->start[i + 1]];
        memcpy(m->value + at, s->A + at, (size_t)(end - at) * sizeof(double));
        for (int32_t p = s->of_start[i]; coupled && p < s->of_start[i + 1]; p++) {
            int32_t index = s->of[p] / LITHE_COUPLED_STRIDE;
            const LitheCoupling *c = &s->couplings[index];
            if (!c->in_matrix)
                continue;
            LitheBlockTerm term = {.rows = c->term.rows,
                                   .count = c->node_count,
                                   .node = c->node,
                                   .entry = s->entries + s->bonds[index].entry_at,
                                   .J = s->jacobian,
                                   .J_at = c->jacobian_at,
                                   .G = lithe_hessian_of(s, c)};
            int32_t b = s->of[p] % LITHE_COUPLED_STRIDE;
            if (m->size[i] == 4)
                lithe_block_add_term(m, &term, b, s->weighed + s->weighed_size * range);
            else
                loop->kernel->term(m, &term, b);
        }
        if (s->group_count == 0)
            continue;
        for (int32_t p = s->group_of_start[i]; p < s->group_of_start[i + 1]; p++) {
            const LitheGroup *g = &s->groups[s->group_of[p] / LITHE_COUPLED_STRIDE];
            if (g->in_matrix)
                add_group(s, g, s->group_of[p] % LITHE_COUPLED_STRIDE);
        }
    }
}

int32_t lithe_loop_assemble(LitheSystem *system) {
    double none[LITHE_RANGE_SUMS], sums[LITHE_RANGE_SUMS];
    Loop loop = {.s = system, .flag = system->A_is_new};
    over_couplings(&loop, HESSIAN, find_hessians, sums);
    system->has_group_terms = system->in_lanes;
    if (sums[0] > 0)
        return -1;
    system->matrix->base = system->has_mesh ? NULL : system->A;
    system->matrix->own = system->has_own;
    over_nodes(&loop, COLUMN, make_columns, none);
    // collect the touched nodes at the front
    int32_t touched = 0;
    for (int32_t i = 0; i < system->node_count; i++)
        if (system->touched[i] >= 0)
            system->touched[touched++] = i;
    return touched;
}
