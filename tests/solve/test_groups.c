// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_groups.c - points of patches solved in groups and one by one
//
// A group computes J w, J' x and J' G J of its points together (assemble/groups.c). The same
// problem is solved with the points as couplings of their own.

#include "assemble/assemble.h"
#include "base/memory.h"
#include "base/threads.h"
#include "solve/check.h"
#include "solve/lanes.h"
#include "solve/loop_kernels.h"
#include "solve/loops.h"

#include "test.h"

enum { NODES = 24, POINTS = 200, MOST = 9 };

static const int32_t sizes[] = {4, 4, 1, 3, 6, 3, 3, 3};

// points in succession with the same nodes
static const struct {
    int32_t points, node_count, node[MOST];
} runs[] = {
    {75, 3, {0, 1, 2}},                       // an edge of a rod on a body with one joint
    {2, 2, {8, 9}},                           // too few for a group
    {41, 5, {5, 3, 6, 7, 4}},                 // a tetrahedron and a body
    {3, 1, {12}},                             // a body alone, with one lane empty
    {30, 9, {3, 5, 6, 7, 11, 13, 14, 15, 4}}, // too wide for a group
    {49, 4, {17, 16, 10, 8}},
};

typedef struct Problem {
    LitheContext *context;
    LitheSystem s;
    int32_t places[POINTS][2 * MOST];
} Problem;

static void add_points(Problem *p, bool in_patch, TestRandom *random) {
    LitheSystem *s = &p->s;
    for (size_t run = 0; run < sizeof runs / sizeof *runs; run++)
        for (int32_t i = 0; i < runs[run].points; i++) {
            LitheCoupling *c = &s->couplings[s->coupling_count];
            *c = (LitheCoupling){.term = {.rows = 3},
                                 .in_patch = in_patch,
                                 .node = p->places[s->coupling_count],
                                 .jacobian_at = p->places[s->coupling_count] + MOST,
                                 .node_count = runs[run].node_count,
                                 .held_at = s->jacobian_count};
            s->coupling_count++;
            for (int32_t k = 0; k < c->node_count; k++) {
                c->node[k] = runs[run].node[k];
                int32_t count = 3 * s->node_size[c->node[k]], end = s->jacobian_count + count;
                CHECK(LITHE_RESERVE(p->context, s->jacobian, s->jacobian_capacity, end));
                CHECK(LITHE_RESERVE(p->context, s->jacobian_held, s->jacobian_held_capacity, end));
                c->jacobian_at[k] = s->jacobian_count;
                for (int32_t j = s->jacobian_count; j < end; j++) {
                    s->jacobian[j] = test_random(random, -1, 1);
                    s->jacobian_held[j] = test_random(random, -1, 1);
                }
                // points of an edge do not move with the twist of the next one
                for (int32_t row = 0; run == 0 && k == 1 && row < 3; row++)
                    s->jacobian[s->jacobian_count + 4 * row + 3] = 0;
                s->jacobian_count = end;
                for (int32_t b = 0; b < k; b++)
                    CHECK(lithe_pair_list_add(&s->pairs, c->node[k], c->node[b]));
            }
        }
    CHECK(s->coupling_count == POINTS);
}

static void set_matrix(Problem *p, TestRandom *random) {
    LitheSystem *s = &p->s;
    CHECK(lithe_system_allocate(s));
    memset(s->A, 0, (size_t)lithe_system_value_count(s) * sizeof(double));
    for (int32_t i = 0; i < NODES; i++)
        for (int32_t d = 0; d < s->node_size[i]; d++) {
            int32_t at = s->node_at[i] + d;
            double a = test_random(random, 5, 9);
            s->A[s->matrix->value_at[s->matrix->start[i]] + (s->node_size[i] + 1) * d] = a;
            s->w0[at] = s->w[at] = 0;
            s->r[at] = test_random(random, -1, 1);
            s->held[at] = 0;
            s->scale[at] = 1 / sqrt(a);
        }
}

static void begin(Problem *p, bool in_patch, LithePool *pool) {
    LitheSystem *s = &p->s;
    TestRandom random = {11};
    LitheContactSetting setting = lithe_contact_setting_default();
    *p = (Problem){.context = lithe_context_create(NULL)};
    s->context = s->pairs.context = p->context;
    s->pool = pool;
    s->matrix = lithe_block_matrix_create(p->context);
    s->factor = lithe_block_factor_create(p->context);
    CHECK(LITHE_RESERVE(p->context, s->node_size, s->node_capacity, NODES));
    CHECK(LITHE_RESERVE(p->context, s->node_at, s->node_at_capacity, NODES + 1));
    CHECK(LITHE_RESERVE(p->context, s->couplings, s->coupling_capacity, POINTS));
    for (int i = 0; i < NODES; i++) {
        s->node_size[i] = sizes[i % 8];
        s->node_at[i + 1] = s->node_at[i] + s->node_size[i];
    }
    s->node_count = NODES;
    s->dof_count = s->node_at[NODES];
    add_points(p, in_patch, &random);
    set_matrix(p, &random);
    CHECK(lithe_system_bind(s));
    lithe_groups_fill(s);
    for (int32_t i = 0; i < POINTS; i++) {
        LitheCoupling *c = &s->couplings[i];
        LitheContactStart start = {
            .k = 1e5, .phi0 = 1e-4 * (i % 5 - 2), .mu = 0.4, .w = lithe_coupling_scale(s, c, 0, 3)};
        if (i % 11 == 5) // a constant force, which has no active set
            start = (LitheContactStart){.patch = 1, .f0 = 0.5, .mu = 0.4, .w = start.w};
        lithe_term_contact(&c->term, LITHE_TERM_LAGGED, &setting, 1e-3, &start);
        // what the last step did
        c->was_active = i % 3 == 0;
        c->recalled = i % 4 == 0;
        c->slid[0] = 1e-3 * (i % 5);
        for (int k = 0; k < 3; k++)
            c->bias[k] = 0.01 * (i % 7 - 3);
    }
}

static void end(Problem *p) {
    lithe_system_release(&p->s);
    CHECK(lithe_context_bytes(p->context) == 0);
    lithe_context_destroy(p->context);
}

static void solve(Problem *p) {
    LitheConvexSetting setting = {.tolerance = 1e-12, .momentum = 1, .max_iterations = 200};
    CHECK(lithe_convex_solve(&p->s, &setting) && p->s.converged);
    CHECK(p->s.backward_error < 1e-12);
}

static double largest_difference(const double *a, const double *b, int32_t count) {
    double largest = 0;
    for (int32_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

TEST(points_in_groups_are_solved_as_points_one_by_one) {
    Problem grouped, single;
    begin(&grouped, true, NULL);
    begin(&single, false, NULL);
    CHECK(single.s.group_count == 0);
    // runs end at ranges of 64 points
    int32_t points = 0;
    for (int32_t g = 0; g < grouped.s.group_count; g++) {
        const LitheGroup *group = &grouped.s.groups[g];
        CHECK(group->count >= 3 && group->width <= LITHE_GROUP_WIDTH);
        CHECK(group->first / LITHE_COUPLINGS_PER_RANGE ==
              (group->first + group->count - 1) / LITHE_COUPLINGS_PER_RANGE);
        points += group->count;
    }
    CHECK(points == 75 + 41 + 3 + 49);
    CHECK(grouped.s.groups[0].width == 9 && grouped.s.groups[0].used == 8);
    solve(&grouped);
    solve(&single);
    int32_t n = grouped.s.dof_count, active = 0;
    CHECK(largest_difference(grouped.s.w, single.s.w, n) < 1e-9);
    for (int32_t i = 0; i < POINTS; i++) {
        const LitheCoupling *a = &grouped.s.couplings[i], *b = &single.s.couplings[i];
        CHECK(largest_difference(a->impulse, b->impulse, 3) < 1e-8);
        active += a->impulse[2] > 0;
    }
    CHECK(active > 20 && active < POINTS);
    // forces on held DoFs
    double *held[2] = {calloc((size_t)n, sizeof(double)), calloc((size_t)n, sizeof(double))};
    lithe_loop_spread(&grouped.s, true, held[0]);
    lithe_loop_spread(&single.s, true, held[1]);
    CHECK(largest_difference(held[0], held[1], n) < 1e-7);
    lithe_loop_spread(&grouped.s, false, held[0]);
    lithe_loop_spread(&single.s, false, held[1]);
    CHECK(largest_difference(held[0], held[1], n) < 1e-7);
    // the solution satisfies the laws and the balance
    double *work = calloc(4 * (size_t)n, sizeof(double));
    LitheConvexSetting setting = {.tolerance = 1e-12, .momentum = 1};
    LitheCheck check = lithe_system_check(&grouped.s, &setting, false, work);
    if (!CHECK(check.failed == LITHE_CHECK_PASSED))
        printf("  %s, coupling %d, row %d: %g, limit %g\n", lithe_check_name(check.failed),
               check.coupling, check.row, check.size, check.limit);
    free(work);
    free(held[0]);
    free(held[1]);
    end(&grouped);
    end(&single);
}

// out += |J'| (|G| (|J| x + unit |bias|) + unit |impulse|) of one point
static void add_rounding(const LitheSystem *s, const LitheCoupling *c, double unit, const double *x,
                         double *out) {
    const double *G = lithe_hessian_of(s, c);
    for (int i = 0; i < 3; i++) {
        double impulse = unit * fabs(c->impulse[i]);
        for (int j = 0; j < 3; j++) {
            double v = unit * fabs(c->bias[j]);
            for (int32_t k = 0; k < c->node_count; k++)
                for (int32_t m = 0, size = s->node_size[c->node[k]]; m < size; m++)
                    v += fabs(s->jacobian[c->jacobian_at[k] + size * j + m]) *
                         x[s->node_at[c->node[k]] + m];
            impulse += fabs(G[3 * i + j]) * v;
        }
        for (int32_t k = 0; k < c->node_count; k++)
            for (int32_t m = 0, size = s->node_size[c->node[k]]; m < size; m++)
                out[s->node_at[c->node[k]] + m] +=
                    fabs(s->jacobian[c->jacobian_at[k] + size * i + m]) * impulse;
    }
}

static void compare_rounding(const LitheLoopKernel *kernel, const LitheSystem *s) {
    double x[256], out[256], want[256], largest = 0;
    CHECK(s->dof_count <= 256);
    for (int32_t i = 0; i < s->dof_count; i++) {
        x[i] = 1e-3 * (1 + i % 11);
        out[i] = want[i] = i;
    }
    for (int32_t i = 0; i < s->group_count; i++) {
        const LitheGroup *g = &s->groups[i];
        kernel->group_blur(s, g, lithe_hessian_of(s, &s->couplings[g->first]), 0.01, x, out);
        for (int32_t k = g->first; k < g->first + g->count; k++)
            add_rounding(s, &s->couplings[k], 0.01, x, want);
    }
    for (int32_t i = 0; i < s->dof_count; i++) {
        CHECK_NEAR(out[i], want[i], 1e-12 * want[i]);
        largest = fmax(largest, want[i] - i);
    }
    CHECK(largest > 0);
}

TEST(rounding_of_groups_is_that_of_their_points) {
    Problem p;
    begin(&p, true, NULL);
    solve(&p);
    lithe_loop_respond(&p.s, p.s.w); // Hessians
    compare_rounding(&lithe_loop_kernel_portable, &p.s);
    compare_rounding(lithe_loop_kernel(), &p.s);
    end(&p);
}

TEST(groups_have_the_same_bits_with_two_threads) {
    LitheContext *context = lithe_context_create(NULL);
    lithe_set_fork_cost(0);
    LithePool *pool = lithe_pool_create(context, 2);
    lithe_set_fork_cost(LITHE_FORK_COST);
    Problem one, two;
    begin(&one, true, NULL);
    begin(&two, true, pool);
    solve(&one);
    solve(&two);
    CHECK(lithe_pool_forks(pool) > 0);
    CHECK(memcmp(one.s.w, two.s.w, (size_t)one.s.dof_count * sizeof(double)) == 0);
    end(&one);
    end(&two);
    lithe_pool_destroy(pool);
    lithe_context_destroy(context);
}

// --- kernels -------------------------------------------------------------------------------------

typedef struct Sums {
    double cost[LITHE_RANGE_SUMS];
    double sum[400], push[400], matrix[4000]; // of all groups
} Sums;

// three sweeps over all groups: exact, with an active set, and along a direction
static void sweep_all(const LitheLoopKernel *kernel, Sums *out) {
    Problem p;
    begin(&p, true, NULL);
    LitheSystem *s = &p.s;
    double x[256];
    CHECK(s->dof_count <= 256);
    for (int32_t i = 0; i < s->dof_count; i++)
        x[i] = 0.02 * (i % 9 - 4);
    lithe_lanes_open(s);
    CHECK(s->in_lanes);
    LitheLaneJob jobs[] = {
        {.velocity = LITHE_LANE_V_OF_X, .x = x, .law = LITHE_LANE_LAW_EXACT, .sums = true},
        {.law = LITHE_LANE_LAW_GIVEN, .sums = true, .terms = true},
        {.velocity = LITHE_LANE_V_ALONG,
         .x = x,
         .law = LITHE_LANE_LAW_ACTIVE,
         .pushes = true,
         .sums = true,
         .terms = true},
        {.law = LITHE_LANE_LAW_EXACT, .length = -0.3, .sums = true, .terms = true},
    };
    *out = (Sums){0};
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
        if (k == 1) {
            lithe_lanes_begin_slips(s, true);
            for (int32_t r = 0; r < lithe_range_count(POINTS, LITHE_COUPLINGS_PER_RANGE); r++)
                lithe_lanes_restart(s, r, true);
        }
        for (int32_t g = 0; g < s->group_count; g++)
            kernel->lanes(s, &s->groups[g], &jobs[k], out->cost);
    }
    const LitheGroup *last = &s->groups[s->group_count - 1];
    int64_t sums = last->sum_at + last->width;
    int64_t values = last->matrix_at + last->width * last->width;
    CHECK(sums <= 400 && values <= 4000);
    memcpy(out->sum, s->group_sums, (size_t)sums * sizeof(double));
    memcpy(out->push, s->group_pushes, (size_t)sums * sizeof(double));
    memcpy(out->matrix, s->group_matrix, (size_t)values * sizeof(double));
    lithe_lanes_close(s);
    end(&p);
}

static double size_of(const double *a, int32_t count) {
    double zero[4000] = {0};
    return largest_difference(a, zero, count);
}

TEST(sweeps_over_lanes_agree_between_kernels) {
    static Sums plain, fast;
    sweep_all(&lithe_loop_kernel_portable, &plain);
    sweep_all(lithe_loop_kernel(), &fast);
    CHECK(size_of(plain.sum, 400) > 0 && size_of(plain.push, 400) > 0);
    CHECK(size_of(plain.matrix, 4000) > 0 && plain.cost[0] > 0);
    CHECK(largest_difference(plain.cost, fast.cost, 3) < 1e-11 * size_of(plain.cost, 3));
    CHECK(largest_difference(plain.sum, fast.sum, 400) < 1e-11 * size_of(plain.sum, 400));
    CHECK(largest_difference(plain.push, fast.push, 400) < 1e-11 * size_of(plain.push, 400));
    CHECK(largest_difference(plain.matrix, fast.matrix, 4000) <
          1e-11 * size_of(plain.matrix, 4000));
}
