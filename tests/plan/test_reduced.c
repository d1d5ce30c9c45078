// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_reduced.c - Newton's equations with equations solved for variables

#include "plan/interior_parts.h"
#include "plan/turn.h"

#include "base/memory.h"
#include "test.h"

typedef struct Case {
    LitheContext *context;
    LitheTurnProblem problem;
    LitheInterior *interior;
    double *x;
} Case;

// a few iterations into a plan: multipliers and weights are those of a solve on its way
static void begin(Case *c, LitheTurn turn, int iterations) {
    *c = (Case){.context = lithe_context_create(NULL)};
    LitheError error = {0};
    int64_t n = (int64_t)turn.stages * lithe_ball_task_variables(&turn.model);
    c->x = lithe_alloc_array(c->context, n, sizeof *c->x);
    FATAL(lithe_turn_begin(c->context, &turn, &c->problem, c->x, &error) == LITHE_OK);
    if (turn.model.exact)
        lithe_turn_fix_end(&c->problem);
    FATAL(lithe_interior_create(c->context, &c->problem.problem, &c->interior, &error) == LITHE_OK);
    LitheInteriorSetting setting = turn.setting;
    LitheInteriorState state;
    setting.iterations = iterations;
    setting.barrier = 1e-2;
    lithe_turn_relax(&c->problem, 1e-2, true);
    lithe_interior_solve(c->interior, &setting, c->x, &state);
    lithe_interior_derivatives(c->interior, true);
    lithe_interior_weights(c->interior);
}

static void finish(Case *c) {
    lithe_interior_destroy(c->interior);
    lithe_turn_end(&c->problem);
    lithe_free(c->context, c->x);
    CHECK(lithe_context_bytes(c->context) == 0);
    lithe_context_destroy(c->context);
}

static LitheTurn short_turn(bool exact, int32_t contacts) {
    LitheTurn turn = lithe_turn_about(0, 6);
    turn.model.step = 0.08;
    turn.model.exact = exact;
    for (; turn.model.contact_count < contacts; turn.model.contact_count++)
        turn.model.contact[turn.model.contact_count] = turn.model.contact[0];
    return turn;
}

// The reduced factor finds the inertia that the dense one finds, whatever is on the diagonal, and
// where it is right both have the same solution.
static void compare(Case *c, int32_t left) {
    LitheInterior *interior = c->interior;
    int32_t pairs = interior->reduced.pairs, right = 0, wrong = 0;
    CHECK(pairs == interior->problem.equations - left);
    CHECK(interior->reduced.left == left);
    int64_t all = (int64_t)interior->problem.stages * interior->matrix.size;
    double *first = lithe_alloc_array(c->context, all, sizeof *first);
    double *keep = lithe_alloc_array(c->context, all, sizeof *keep);
    for (int64_t i = 0; i < all; i++)
        keep[i] = sin(0.7 * (double)i + 0.3);
    for (double regular = 1e3; regular > 1e-7; regular *= 0.1) {
        int32_t m = (int32_t)interior->m;
        bool reduced = lithe_interior_factor(interior, true, interior->weight, regular, 0) == m;
        CHECK(interior->is_reduced);
        memcpy(interior->right, keep, (size_t)all * sizeof *keep);
        if (reduced) {
            lithe_interior_refined(interior);
            memcpy(first, interior->solution, (size_t)all * sizeof *first);
        }
        interior->reduced.pairs = 0;
        bool dense = lithe_interior_factor(interior, true, interior->weight, regular, 0) == m;
        CHECK(!interior->is_reduced);
        interior->reduced.pairs = pairs;
        CHECK(reduced == dense);
        *(dense ? &right : &wrong) += 1;
        if (!reduced || !dense)
            continue;
        memcpy(interior->right, keep, (size_t)all * sizeof *keep);
        lithe_interior_refined(interior);
        double most = 0, off = 0;
        for (int64_t i = 0; i < all; i++) {
            most = fmax(most, fabs(interior->solution[i]));
            off = fmax(off, fabs(interior->solution[i] - first[i]));
        }
        if (!(off < 1e-9 * most))
            printf("    measured: regular %g: off by %g of %g\n", regular, off, most);
        CHECK(off < 1e-9 * most);
    }
    printf("    measured: %d right, %d wrong\n", right, wrong);
    CHECK(right >= 3);
    lithe_free(c->context, first);
    lithe_free(c->context, keep);
}

TEST(reduced_and_dense_factor_agree) {
    Case c;
    begin(&c, short_turn(false, 1), 12);
    compare(&c, 0);
    finish(&c);
}

TEST(equations_that_are_not_solved_stay_in_the_block) {
    Case c;
    begin(&c, short_turn(true, 1), 8);
    compare(&c, 3);
    finish(&c);
}

TEST(several_contacts_are_reduced) {
    Case c;
    begin(&c, short_turn(false, 2), 3);
    compare(&c, 0);
    finish(&c);
}

// multipliers far from a solution: curvatures of both signs
TEST(wrong_inertia_is_seen) {
    Case c;
    begin(&c, short_turn(false, 1), 5);
    for (int64_t i = 0; i < c.interior->m; i++)
        c.interior->now.y[i] += 3 * cos((double)i);
    lithe_interior_derivatives(c.interior, true);
    compare(&c, 0);
    int32_t m = (int32_t)c.interior->m;
    CHECK(lithe_interior_factor(c.interior, true, c.interior->weight, 1e-6, 0) != m);
    finish(&c);
}

TEST(all_widths_of_vectors_give_the_same_bits) {
    Case c;
    begin(&c, short_turn(false, 1), 8);
    LitheInterior *interior = c.interior;
    int64_t all = (int64_t)interior->problem.stages * interior->matrix.size;
    double *first = lithe_alloc_array(c.context, all, sizeof *first);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < all; i++)
            interior->right[i] = sin(0.7 * (double)i + 0.3);
        CHECK(lithe_interior_factor(interior, true, interior->weight, 1e3, 0) == interior->m);
        lithe_interior_refined(interior);
        if (pass == 0)
            memcpy(first, interior->solution, (size_t)all * sizeof *first);
        interior->reduced.kernels = &lithe_reduced_kernels_portable;
    }
    CHECK(memcmp(first, interior->solution, (size_t)all * sizeof *first) == 0);
    lithe_free(c.context, first);
    finish(&c);
}

// An equation without its own variable: from then on the dense factor serves.
TEST(an_equation_without_its_variable_is_not_solved) {
    Case c;
    begin(&c, short_turn(false, 1), 3);
    LitheInterior *interior = c.interior;
    const LitheReducedRows *rows = &interior->reduced.equations_by;
    for (int32_t e = rows->start[0]; e < rows->start[1]; e++)
        if (rows->place[e] == 0)
            interior->jacobian[rows->entry[e]] = 0;
    lithe_interior_factor(interior, true, interior->weight, 1, 1e-8);
    CHECK(!interior->is_reduced);
    CHECK(interior->reduced.pairs == 0);
    finish(&c);
}
