// SPDX-License-Identifier: Apache-2.0
// tests/solve/chain.h - masses above a floor, connected by springs: convex problems with many
// contacts

#ifndef LITHE_TESTS_SOLVE_CHAIN_H
#define LITHE_TESTS_SOLVE_CHAIN_H

#include "assemble/assemble.h"
#include "base/memory.h"
#include "solve/check.h"

#include "test.h"

enum { MASSES = 40, DOFS = 3 * MASSES };

static const double mass = 1e-3, along = 1e4, across = 10, gravity = 9.81, mu = 0.5;

typedef struct Chain {
    LitheContext *context;
    LitheSystem s;
    double h, mu;
    LitheTermKind law;
    LitheContactSetting setting;
    double x[DOFS], v[DOFS];   // from the rest position without springs
    double floor[MASSES];      // depth of the floor below that position
    bool was_active[MASSES];   // the hint of active contacts for a solve
    int32_t places[MASSES][2]; // nodes of contacts
} Chain;

static void chain_begin(Chain *c, LitheTermKind law, double h, LitheContactSetting setting) {
    *c = (Chain){
        .context = lithe_context_create(NULL), .h = h, .mu = mu, .law = law, .setting = setting};
    LitheSystem *s = &c->s;
    s->context = c->context;
    s->matrix = lithe_block_matrix_create(c->context);
    s->factor = lithe_block_factor_create(c->context);
    CHECK(LITHE_RESERVE(c->context, s->node_size, s->node_capacity, MASSES));
    CHECK(LITHE_RESERVE(c->context, s->node_at, s->node_at_capacity, MASSES + 1));
    s->pairs.context = c->context;
    CHECK(LITHE_RESERVE(c->context, s->couplings, s->coupling_capacity, MASSES));
    CHECK(LITHE_RESERVE(c->context, s->jacobian, s->jacobian_capacity, 9 * MASSES));
    s->node_count = s->coupling_count = MASSES;
    s->dof_count = DOFS;
    for (int i = 0; i <= MASSES; i++)
        s->node_at[i] = 3 * i;
    for (int i = 0; i < MASSES; i++)
        s->node_size[i] = 3;
    for (int i = 0; i + 1 < MASSES; i++)
        CHECK(lithe_pair_list_add(&s->pairs, i, i + 1));
    CHECK(lithe_system_allocate(s));
    // each overlaps the floor by what its weight requires
    for (int i = 0; i < MASSES; i++)
        c->x[3 * i + 2] = -mass * gravity / 1e6;
}

static void chain_end(Chain *c) {
    lithe_system_release(&c->s);
    CHECK(lithe_context_bytes(c->context) == 0);
    lithe_context_destroy(c->context);
}

// r = m (w0 - v) + h (K (x + h w0) - f) and A = m + h^2 K at w0 = v
static void set_matrix(Chain *c, double pull) {
    LitheSystem *s = &c->s;
    s->A_is_new = true;
    const double k[3] = {along, across, across};
    double h = c->h, force[DOFS] = {0};
    memset(s->A, 0, (size_t)lithe_system_value_count(s) * sizeof(double));
    for (int i = 0; i < MASSES; i++) {
        double *own = s->A + s->matrix->value_at[s->matrix->start[i]];
        for (int d = 0; d < 3; d++) {
            own[4 * d] += mass;
            if (i + 1 == MASSES)
                continue;
            double *next = s->A + s->matrix->value_at[s->matrix->start[i + 1]];
            double *between = s->A + s->matrix->value_at[s->matrix->start[i] + 1];
            int a = 3 * i + d, b = a + 3;
            double tension = k[d] * (c->x[b] - c->x[a] + h * (c->v[b] - c->v[a]));
            own[4 * d] += h * h * k[d];
            next[4 * d] += h * h * k[d];
            between[4 * d] -= h * h * k[d];
            force[a] += tension;
            force[b] -= tension;
        }
        force[3 * i + 2] -= mass * gravity;
    }
    force[0] -= pull * cos(0.3);
    force[1] -= pull * sin(0.3);
    for (int i = 0; i < DOFS; i++) {
        s->w0[i] = s->w[i] = c->v[i];
        s->r[i] = -h * force[i];
        s->held[i] = 0;
        int node = i / 3, d = i % 3;
        s->scale[i] = 1 / sqrt(s->A[s->matrix->value_at[s->matrix->start[node]] + 4 * d]);
    }
}

static void set_contacts(Chain *c) {
    for (int i = 0; i < MASSES; i++) {
        LitheCoupling *k = &c->s.couplings[i];
        c->places[i][0] = i;
        c->places[i][1] = 9 * i;
        *k = (LitheCoupling){.node_count = 1,
                             .node = c->places[i],
                             .jacobian_at = c->places[i] + 1,
                             .was_active = c->was_active[i]};
        double *J = c->s.jacobian + 9 * i, w = 0;
        for (int d = 0; d < 9; d++)
            J[d] = d % 4 == 0;
        for (int d = 0; d < 3; d++)
            w += pow(c->s.scale[3 * i + d], 4);
        LitheContactStart start = {.k = 1e6,
                                   .phi0 = c->x[3 * i + 2] + c->floor[i],
                                   .mu = c->mu,
                                   .w = sqrt(w / 3),
                                   .v_n = c->v[3 * i + 2]};
        lithe_term_contact(&k->term, c->law, &c->setting, c->h, &start);
    }
    CHECK(lithe_system_bind(&c->s));
}

#endif
