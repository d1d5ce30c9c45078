// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_wide.c - couplings of up to 12 nodes whose blocks have different sizes
//
// Two faces of six nodes touch with 12 nodes; a shell has vertices of 3 DoFs and edges of 1. The
// independent checker recomputes velocities, laws and balance from the problem.

#include "assemble/assemble.h"
#include "base/memory.h"
#include "data/unit.h"
#include "solve/check.h"

#include "test.h"

enum { NODES = 60, CONTACTS = 40 };

static const int32_t sizes[] = {3, 1, 4, 3, 6, 1};

typedef struct Mesh {
    LitheContext *context;
    LitheSystem s;
    TestRandom random;
    int32_t places[CONTACTS][2 * LITHE_COUPLED_NODES];
} Mesh;

static void mesh_begin(Mesh *m) {
    LitheSystem *s = &m->s;
    *m = (Mesh){.context = lithe_context_create(NULL), .random = {7}};
    s->context = s->pairs.context = m->context;
    s->matrix = lithe_block_matrix_create(m->context);
    s->factor = lithe_block_factor_create(m->context);
    CHECK(LITHE_RESERVE(m->context, s->node_size, s->node_capacity, NODES));
    CHECK(LITHE_RESERVE(m->context, s->node_at, s->node_at_capacity, NODES + 1));
    CHECK(LITHE_RESERVE(m->context, s->couplings, s->coupling_capacity, CONTACTS));
    for (int i = 0; i < NODES; i++) {
        s->node_size[i] = sizes[i % 6];
        s->node_at[i + 1] = s->node_at[i] + s->node_size[i];
    }
    s->node_count = NODES;
    s->dof_count = s->node_at[NODES];
}

// nodes of a contact, all different, in any order
static void choose_nodes(Mesh *m, LitheCoupling *c, int32_t count) {
    while (c->node_count < count) {
        int32_t node = (int32_t)test_random(&m->random, 0, NODES), k = 0;
        while (k < c->node_count && c->node[k] != node)
            k++;
        if (k == c->node_count)
            c->node[c->node_count++] = node;
    }
}

static void add_contacts(Mesh *m) {
    LitheSystem *s = &m->s;
    for (int i = 0; i < CONTACTS; i++) {
        LitheCoupling *c = &s->couplings[s->coupling_count++];
        *c = (LitheCoupling){.term = {.rows = 3},
                             .node = m->places[i],
                             .jacobian_at = m->places[i] + LITHE_COUPLED_NODES};
        choose_nodes(m, c, 1 + i % LITHE_COUPLED_NODES);
        for (int32_t k = 0; k < c->node_count; k++) {
            int32_t count = 3 * s->node_size[c->node[k]], end = s->jacobian_count + count;
            CHECK(LITHE_RESERVE(m->context, s->jacobian, s->jacobian_capacity, end));
            CHECK(LITHE_RESERVE(m->context, s->jacobian_held, s->jacobian_held_capacity, end));
            c->jacobian_at[k] = s->jacobian_count;
            for (int32_t j = 0; j < count; j++)
                s->jacobian[s->jacobian_count++] = test_random(&m->random, -1, 1);
            for (int32_t b = 0; b < k; b++)
                CHECK(lithe_pair_list_add(&s->pairs, c->node[k], c->node[b]));
        }
    }
    for (int i = 0; i + 1 < NODES; i++)
        CHECK(lithe_pair_list_add(&s->pairs, i, i + 1));
}

// A: diagonally dominant; r pushes every contact together
static void set_matrix(Mesh *m) {
    LitheSystem *s = &m->s;
    CHECK(lithe_system_allocate(s));
    memset(s->A, 0, (size_t)lithe_system_value_count(s) * sizeof(double));
    for (int32_t i = 0; i < NODES; i++) {
        int32_t size = s->node_size[i];
        double *own = s->A + s->matrix->value_at[s->matrix->start[i]];
        for (int32_t d = 0; d < size; d++)
            own[(size + 1) * d] = test_random(&m->random, 5, 9);
        int32_t next = i + 1 < NODES ? lithe_block_find(s->matrix, i + 1, i) : -1;
        for (int32_t k = 0; next >= 0 && k < size * s->node_size[i + 1]; k++)
            s->A[s->matrix->value_at[next] + k] = test_random(&m->random, -0.3, 0.3);
    }
    for (int32_t i = 0; i < NODES; i++)
        for (int32_t d = 0; d < s->node_size[i]; d++) {
            int32_t at = s->node_at[i] + d;
            double a = s->A[s->matrix->value_at[s->matrix->start[i]] + (s->node_size[i] + 1) * d];
            s->w0[at] = s->w[at] = 0;
            s->r[at] = test_random(&m->random, -1, 1);
            s->held[at] = 0;
            s->scale[at] = 1 / sqrt(a);
        }
}

static void set_laws(Mesh *m) {
    LitheSystem *s = &m->s;
    LitheContactSetting setting = lithe_contact_setting_default();
    CHECK(lithe_system_bind(s));
    for (int32_t i = 0; i < s->coupling_count; i++) {
        LitheCoupling *c = &s->couplings[i];
        LitheContactStart start = {
            .k = 1e5, .phi0 = 1e-4 * (i % 5 - 2), .mu = 0.4, .w = lithe_coupling_scale(s, c, 0, 3)};
        lithe_term_contact(&c->term, LITHE_TERM_SAP, &setting, 1e-3, &start);
    }
}

TEST(couplings_of_many_nodes_of_different_sizes_are_solved) {
    Mesh m;
    mesh_begin(&m);
    add_contacts(&m);
    set_matrix(&m);
    set_laws(&m);
    LitheConvexSetting setting = {.tolerance = 1e-10, .momentum = 1, .max_iterations = 200};
    CHECK(lithe_convex_solve(&m.s, &setting) && m.s.converged);
    double *work = calloc(4 * (size_t)m.s.dof_count, sizeof(double));
    LitheCheck check = lithe_system_check(&m.s, &setting, false, work);
    if (!CHECK(check.failed == LITHE_CHECK_PASSED))
        printf("  %s, coupling %d, row %d: %g, limit %g\n", lithe_check_name(check.failed),
               check.coupling, check.row, check.size, check.limit);
    int active = 0, widest = 0;
    for (int32_t i = 0; i < m.s.coupling_count; i++) {
        active += m.s.couplings[i].impulse[2] > 0;
        widest = m.s.couplings[i].node_count > widest ? m.s.couplings[i].node_count : widest;
    }
    CHECK(active > 3 && active < CONTACTS && widest == LITHE_COUPLED_NODES);
    // entries of the matrix: as many as nodes need, no more
    int64_t entries = 0;
    for (int32_t i = 0; i < m.s.coupling_count; i++) {
        CHECK(m.s.bonds[i].entry_at == entries);
        entries += (int64_t)m.s.couplings[i].node_count * m.s.couplings[i].node_count;
    }
    free(work);
    lithe_system_release(&m.s);
    CHECK(lithe_context_bytes(m.context) == 0);
    lithe_context_destroy(m.context);
}

TEST(nodes_of_a_unit_are_found_by_their_degrees_of_freedom) {
    // three vertices of 3, two edges of 1
    const int32_t dofs[] = {0, 3, 6, 9, 10, 11};
    LitheUnit mixed = {.node_count = 5, .node_dofs = dofs},
              even = {.node_count = 5, .node_size = 4};
    for (int32_t i = 0; i < 5; i++) {
        CHECK(lithe_unit_dof(&mixed, i) == dofs[i] && lithe_unit_dof(&even, i) == 4 * i);
        CHECK(lithe_unit_node_size(&mixed, i) == (i < 3 ? 3 : 1));
        CHECK(lithe_unit_node_size(&even, i) == 4);
        for (int32_t d = dofs[i]; d < dofs[i + 1]; d++)
            CHECK(lithe_unit_node(&mixed, d) == i);
        for (int32_t d = 0; d < 4; d++)
            CHECK(lithe_unit_node(&even, 4 * i + d) == i);
    }
}
