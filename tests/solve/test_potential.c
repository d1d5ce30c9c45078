// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_potential.c - potentials between nodes of different sizes, and bounds of the
// line search

#include "advance/world.h"
#include "body/unit.h"
#include "data/model.h"
#include "solve/potential.h"

enum { DOFS = 3 * LITHE_STENCIL_NODES, STENCILS = 2 };

// (w - target)' K (w - target)/2 of the positions of four nodes, one stencil each; K full
typedef struct Springs {
    const LitheModel *model;
    int32_t node[STENCILS][LITHE_STENCIL_NODES];
    double K[STENCILS][DOFS][DOFS], target[STENCILS][DOFS];
    double bound;                   // of the line search; 0: none
    const double *from, *direction; // of the last one
    int32_t beyond;                 // evaluations beyond the bound
} Springs;

// first DoF of a node of the model
static int64_t dof_of(const LitheModel *model, int32_t node) {
    int32_t unit = 0;
    while (node >= model->units[unit].node_at + model->units[unit].node_count)
        unit++;
    return model->units[unit].v_at +
           lithe_unit_dof(&model->units[unit], node - model->units[unit].node_at);
}

static int64_t stencil_dof(const Springs *s, int32_t stencil, int k) {
    return dof_of(s->model, s->node[stencil][k / 3]) + k % 3;
}

static int32_t springs_count(const void *self) {
    (void)self;
    return STENCILS;
}

static void springs_nodes(const void *self, int32_t stencil, int32_t nodes[LITHE_STENCIL_NODES]) {
    memcpy(nodes, ((const Springs *)self)->node[stencil], LITHE_STENCIL_NODES * sizeof *nodes);
}

static double springs_look(void *self, const double *w, bool solved) {
    (void)self, (void)w, (void)solved;
    return 0;
}

static double springs_evaluate(void *self, const double *w, double *gradient) {
    Springs *s = self;
    double energy = 0;
    for (int32_t i = 0; i < STENCILS; i++)
        for (int a = 0; a < DOFS; a++) {
            double force = 0;
            for (int b = 0; b < DOFS; b++)
                force += s->K[i][a][b] * (w[stencil_dof(s, i, b)] - s->target[i][b]);
            gradient[stencil_dof(s, i, a)] += force;
            energy += 0.5 * force * (w[stencil_dof(s, i, a)] - s->target[i][a]);
            if (!s->direction)
                continue;
            int64_t dof = stencil_dof(s, i, a);
            s->beyond += fabs(w[dof] - s->from[dof]) >
                         s->bound * fabs(s->direction[dof]) * (1 + 1e-9) + 1e-12;
        }
    s->direction = NULL; // the first trial of a line search is the longest
    return energy;
}

static double springs_max_length(void *self, const double *w, const double *dx) {
    Springs *s = self;
    s->from = w;
    s->direction = dx;
    return s->bound;
}

static void springs_hessians(void *self, int32_t first, int32_t count, bool project, double *H) {
    const Springs *s = self;
    (void)project;
    for (int32_t i = first; i < first + count; i++)
        for (int a = 0; a < LITHE_STENCIL_NODES; a++)
            for (int b = 0; b <= a; b++)
                for (int c = 0; c < 9; c++)
                    *H++ = s->K[i][3 * a + c % 3][3 * b + c / 3];
}

// K = R'R + 1, with all blocks different
static Springs springs_of(const LitheModel *model, const int32_t nodes[STENCILS][4], double bound) {
    Springs s = {.model = model, .bound = bound};
    TestRandom random = {7};
    memcpy(s.node, nodes, sizeof s.node);
    for (int32_t i = 0; i < STENCILS; i++) {
        double R[DOFS][DOFS];
        for (int k = 0; k < DOFS * DOFS; k++)
            R[k / DOFS][k % DOFS] = test_random(&random, -1, 1);
        for (int a = 0; a < DOFS; a++) {
            s.target[i][a] = test_random(&random, -1, 1) * 1e-3;
            for (int b = 0; b < DOFS; b++) {
                s.K[i][a][b] = a == b;
                for (int k = 0; k < DOFS; k++)
                    s.K[i][a][b] += R[k][a] * R[k][b];
            }
        }
    }
    return s;
}

// One solve with two stencils of these nodes; the largest residual of a free DoF in *rest.
static LithePotentialOutcome solve(World *w, Springs *s, double *rest) {
    LitheInteraction act = {.self = s,
                            .width = 3,
                            .count = springs_count,
                            .nodes = springs_nodes,
                            .update_lagged = springs_look,
                            .max_length = s->bound > 0 ? springs_max_length : NULL,
                            .evaluate = springs_evaluate,
                            .hessians = springs_hessians};
    LithePotentialSetting setting = {.tolerance = 1e-9, .max_iterations = 60};
    LitheStepPlan plan = {.h = 1e-3, .a = 1, .inverse_a = 1, .c = 1};
    LithePotentialOutcome outcome = {0};
    LitheStatus status;
    LithePotential *potential = lithe_potential_create(w->context);
    for (int32_t i = 0; i < w->model->unit_count; i++)
        CHECK(lithe_unit_ops(w->model, i)->begin(w->model, i, w->state, &plan, w->work));
    CHECK(lithe_potential_solve(w->model, &act, &setting, w->work, potential, &outcome, &status));
    *rest = 0;
    for (int32_t i = 0; i < w->model->unit_count; i++) {
        const LitheUnitWork *unit = &w->work->units[i];
        for (int64_t k = 0; k < unit->dof_count; k++) {
            if (unit->held[k])
                CHECK(unit->w[k] == 0);
            else
                *rest = fmax(*rest, fabs(unit->r[k]));
        }
    }
    lithe_potential_destroy(potential);
    return outcome;
}

// a rod of nodes 0 to 4, and six particles, nodes 5 to 10
static World mixed(void) {
    return world_of(
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: 1 ms, end: 1 s}\n"
        "materials: {m: {young: 1 MPa, density: 1000}}\n"
        "rods:\n"
        "  rod: {material: m, section: {circle: {radius: 1 cm}}, nodes: 5,\n"
        "    shape: {line: {to: [1, 0, 0]}}}\n"
        "holds: {h: {on: \"rod[1]\", hold: [y]}, g: {on: \"grains[2]\", hold: [x, z]}}\n"
        "particles:\n"
        "  grains: {material: m, radius: 1 cm, positions: [[0, 1, 0], [1, 1, 0], [2, 1, 0],\n"
        "    [0, 2, 0], [1, 2, 0], [2, 2, 0]]}\n");
}

TEST(a_stencil_of_particles_in_any_order_is_solved_by_one_newton_step) {
    World w = mixed();
    const int32_t nodes[STENCILS][4] = {{5, 6, 8, 9}, {10, 6, 9, 7}};
    Springs s = springs_of(w.model, nodes, 0);
    double rest;
    LithePotentialOutcome outcome = solve(&w, &s, &rest);
    // everything is quadratic: a Hessian in the wrong place would need more iterations
    CHECK(outcome.converged && outcome.iterations == 1 && outcome.cuts == 0);
    CHECK(rest < 1e-12);
    world_end(&w);
}

TEST(stencils_of_positions_couple_nodes_of_a_rod_with_particles) {
    World w = mixed();
    const int32_t nodes[STENCILS][4] = {{9, 1, 7, 4}, {0, 2, 3, 5}};
    Springs s = springs_of(w.model, nodes, 0);
    double rest;
    LithePotentialOutcome outcome = solve(&w, &s, &rest);
    printf("  %d iterations, rest %g\n", (int)outcome.iterations, rest);
    CHECK(outcome.converged && outcome.iterations <= 4 && outcome.corrected == 0);
    CHECK(rest < 1e-9);
    world_end(&w);
}

TEST(the_line_search_goes_no_farther_than_the_interaction_allows) {
    World w = mixed();
    const int32_t nodes[STENCILS][4] = {{5, 6, 8, 9}, {10, 6, 9, 7}};
    Springs s = springs_of(w.model, nodes, 0.5);
    double rest;
    LithePotentialOutcome outcome = solve(&w, &s, &rest);
    CHECK(outcome.converged && outcome.iterations > 10 && outcome.cuts == 0);
    CHECK(s.beyond == 0);
    world_end(&w);
}
