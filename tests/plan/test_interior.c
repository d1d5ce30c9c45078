// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_interior.c - optima of problems with stages

#include "plan/interior.h"

#include "base/memory.h"
#include "test.h"

static LitheTerm in(LitheTape *tape, int i) {
    return lithe_tape_input(tape, i);
}
static LitheTerm num(LitheTape *tape, double value) {
    return lithe_tape_constant(tape, value);
}
static LitheTerm sum(LitheTape *tape, LitheTerm a, LitheTerm b) {
    return lithe_tape_add(tape, a, b);
}
static LitheTerm minus(LitheTape *tape, LitheTerm a, LitheTerm b) {
    return lithe_tape_subtract(tape, a, b);
}
static LitheTerm times(LitheTape *tape, LitheTerm a, LitheTerm b) {
    return lithe_tape_multiply(tape, a, b);
}

static bool trace(void *user, const LitheInteriorState *state) {
    (void)user;
    if (getenv("TRACE") != NULL)
        printf("    %3d cost %.6g violation %.2g dual %.2g products %.2g barrier %.2g regular %.2g "
               "step %.2g factors %d\n",
               state->iteration, state->cost, state->violation, state->dual, state->products,
               state->barrier, state->regular, state->step, state->factors);
    return true;
}

static LitheInteriorEnd solve(LitheContext *context, LitheStageProblem *problem, double *x,
                              LitheInteriorState *state) {
    LitheInterior *interior;
    LitheError error = {0};
    if (lithe_interior_create(context, problem, &interior, &error) != LITHE_OK) {
        printf("  %s\n", error.text);
        return LITHE_INTERIOR_NOT_FINITE;
    }
    LitheInteriorSetting setting = lithe_interior_setting();
    setting.tolerance = 1e-9;
    setting.report = trace;
    LitheInteriorEnd end = lithe_interior_solve(interior, &setting, x, state);
    lithe_interior_destroy(interior);
    if (getenv("TRACE") != NULL)
        printf("    %s\n", lithe_interior_end_text(end));
    return end;
}

// one stage: problem 71 of Hock and Schittkowski, optimum 17.0140173
TEST(a_problem_with_a_known_optimum_is_solved) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTape *tape = lithe_tape_new(context, 8, 0);
    LitheTerm x[4], square = num(tape, -40), product = num(tape, 1), three = num(tape, 0);
    for (int i = 0; i < 4; i++) {
        x[i] = in(tape, 4 + i);
        square = sum(tape, square, times(tape, x[i], x[i]));
        product = times(tape, product, x[i]);
        three = i < 3 ? sum(tape, three, x[i]) : three;
    }
    lithe_tape_output(tape, sum(tape, times(tape, times(tape, x[0], x[3]), three), x[2]));
    lithe_tape_output(tape, square);
    lithe_tape_output(tape, minus(tape, product, num(tape, 25)));
    FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
    const double lower[4] = {1, 1, 1, 1}, upper[4] = {5, 5, 5, 5}, before[4] = {0};
    LitheStageProblem problem = {1,     4,     1,      1,    0,    tape, NULL,
                                 lower, upper, before, NULL, NULL, NULL, NULL};
    double point[4] = {1, 5, 5, 1};
    LitheInteriorState state;
    CHECK(solve(context, &problem, point, &state) == LITHE_INTERIOR_CONVERGED);
    printf("    measured: %d iterations\n", state.iteration);
    CHECK_NEAR(state.cost, 17.0140172895, 1e-7);
    CHECK_NEAR(point[0], 1, 1e-8);
    CHECK_NEAR(point[1], 4.74299964, 1e-6);
    lithe_tape_free(tape);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// A mass moved from rest to rest in N steps with least effort sum u^2 h: u falls linearly. Implicit
// Euler: v_k = v_{k-1} + h u_k, p_k = p_{k-1} + h v_k, so the optimum is known in closed form from
// the normal equations of two constraints.
enum { STEPS = 50 };
static double effort_optimum(double h, double distance) {
    // p_N = h^2 sum (N - k + 1) u_k = distance, v_N = h sum u_k = 0 for k = 1..N; min sum u^2 h
    double a = 0, b = 0;
    for (int k = 1; k <= STEPS; k++) {
        double w = h * h * (STEPS - k + 1);
        a += w;
        b += w * w;
    }
    double spread = b - a * a / STEPS;
    return h * distance * distance / spread;
}

TEST(a_mass_is_moved_with_the_least_effort) {
    LitheContext *context = lithe_context_create(NULL);
    const double h = 0.02;
    LitheTape *tape = lithe_tape_new(context, 6, 1); // p, v, u
    LitheTerm effort = lithe_tape_scale(tape, h, times(tape, in(tape, 5), in(tape, 5)));
    lithe_tape_output(tape, effort);
    lithe_tape_output(tape, minus(tape, minus(tape, in(tape, 3), in(tape, 0)),
                                  lithe_tape_scale(tape, h, in(tape, 4))));
    lithe_tape_output(tape, minus(tape, minus(tape, in(tape, 4), in(tape, 1)),
                                  lithe_tape_scale(tape, h, in(tape, 5))));
    // at the last stage only: p = 1 and v = 0, by a parameter that is 1 there
    LitheTerm last = lithe_tape_parameter(tape, 0);
    lithe_tape_output(tape, times(tape, last, minus(tape, in(tape, 3), num(tape, 1))));
    lithe_tape_output(tape, times(tape, last, in(tape, 4)));
    FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
    double parameter[STEPS] = {0}, lower[3 * STEPS], upper[3 * STEPS], x[3 * STEPS] = {0};
    parameter[STEPS - 1] = 1;
    for (int i = 0; i < 3 * STEPS; i++) {
        lower[i] = -INFINITY;
        upper[i] = INFINITY;
    }
    const double before[3] = {0};
    LitheStageProblem problem = {STEPS, 3,     4,      0,    1,    tape, parameter,
                                 lower, upper, before, NULL, NULL, NULL, NULL};
    LitheInteriorState state;
    CHECK(solve(context, &problem, x, &state) == LITHE_INTERIOR_CONVERGED);
    CHECK_NEAR(state.cost, effort_optimum(h, 1), 1e-7);
    printf("    measured: %d iterations, %d factors\n", state.iteration, state.factors);

    // a bound on the force that is active at both ends costs more and is kept
    for (int k = 0; k < STEPS; k++) {
        lower[3 * k + 2] = -4.5;
        upper[3 * k + 2] = 4.5;
    }
    memset(x, 0, sizeof x);
    CHECK(solve(context, &problem, x, &state) == LITHE_INTERIOR_CONVERGED);
    CHECK(state.cost > 1.001 * effort_optimum(h, 1));
    CHECK_NEAR(x[2], 4.5, 1e-6);
    CHECK_NEAR(x[3 * STEPS - 1], -4.5, 1e-6);
    CHECK_NEAR(x[3 * STEPS - 3], 1, 1e-8);
    printf("    measured: %d iterations, %d factors\n", state.iteration, state.factors);

    // out of reach: the bang-bang distance with |u| <= 3 is 0.75
    for (int k = 0; k < STEPS; k++) {
        lower[3 * k + 2] = -3;
        upper[3 * k + 2] = 3;
    }
    memset(x, 0, sizeof x);
    CHECK(solve(context, &problem, x, &state) == LITHE_INTERIOR_INFEASIBLE);
    CHECK(state.violation > 1e-3);
    printf("    measured: %d iterations, violation %g\n", state.iteration, state.violation);
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}

// The pendulum swings up by a torque too small to lift it: not convex.
TEST(a_pendulum_swings_up_with_little_torque) {
    LitheContext *context = lithe_context_create(NULL);
    enum { N = 100 };
    const double h = 0.05;
    LitheTape *tape = lithe_tape_new(context, 6, 1);
    LitheTerm angle = in(tape, 3), rate = in(tape, 4), torque = in(tape, 5);
    lithe_tape_output(tape, lithe_tape_scale(tape, h, times(tape, torque, torque)));
    lithe_tape_output(
        tape, minus(tape, minus(tape, angle, in(tape, 0)), lithe_tape_scale(tape, h, rate)));
    LitheTerm force = minus(
        tape, torque, lithe_tape_scale(tape, 9.81, lithe_tape_apply(tape, LITHE_TAPE_SINE, angle)));
    lithe_tape_output(
        tape, minus(tape, minus(tape, rate, in(tape, 1)), lithe_tape_scale(tape, h, force)));
    LitheTerm last = lithe_tape_parameter(tape, 0);
    lithe_tape_output(tape, times(tape, last, minus(tape, angle, num(tape, 3.14159265358979))));
    lithe_tape_output(tape, times(tape, last, rate));
    FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
    double parameter[N] = {0}, lower[3 * N], upper[3 * N], x[3 * N] = {0};
    parameter[N - 1] = 1;
    for (int i = 0; i < 3 * N; i++) {
        lower[i] = i % 3 == 2 ? -5 : -20;
        upper[i] = -lower[i];
    }
    const double before[3] = {0};
    LitheStageProblem problem = {N,     3,     4,      0,    1,    tape, parameter,
                                 lower, upper, before, NULL, NULL, NULL, NULL};
    LitheInteriorState state;
    CHECK(solve(context, &problem, x, &state) == LITHE_INTERIOR_CONVERGED);
    printf("    measured: cost %g, %d iterations, %d factors\n", state.cost, state.iteration,
           state.factors);
    CHECK_NEAR(x[3 * N - 3], 3.14159265358979, 1e-8);
    // the equations hold, by sums of this test
    double a = 0, r = 0;
    for (int k = 0; k < N; k++) {
        CHECK_NEAR(x[3 * k] - a - h * x[3 * k + 1], 0, 1e-8);
        CHECK_NEAR(x[3 * k + 1] - r - h * (x[3 * k + 2] - 9.81 * sin(x[3 * k])), 0, 1e-8);
        a = x[3 * k];
        r = x[3 * k + 1];
    }
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}

// min w (a - 1)^2 + w (b - 2)^2, a b <= epsilon, a, b >= 0, from a point that violates the product.
// At the optimum a b = epsilon, and 2 w (1 - a)/b is the multiplier: with w = 1e4 far above the
// price of a violation at the start, which must rise.
TEST(a_product_that_may_be_violated_on_the_way_holds_at_the_end) {
    LitheContext *context = lithe_context_create(NULL);
    for (int i = 0; i < 2; i++) {
        const double epsilon = 1e-6, w = i == 0 ? 1 : 1e4;
        LitheTape *tape = lithe_tape_new(context, 4, 0);
        LitheTerm a = in(tape, 2), b = in(tape, 3);
        LitheTerm da = minus(tape, a, num(tape, 1)), db = minus(tape, b, num(tape, 2));
        lithe_tape_output(
            tape, lithe_tape_scale(tape, w, sum(tape, times(tape, da, da), times(tape, db, db))));
        lithe_tape_output(tape, minus(tape, num(tape, epsilon), times(tape, a, b)));
        FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
        const double lower[2] = {0}, upper[2] = {INFINITY, INFINITY}, before[2] = {0};
        const bool elastic = true;
        LitheStageProblem problem = {1,     2,     0,      1,        0,    tape, NULL,
                                     lower, upper, before, &elastic, NULL, NULL, NULL};
        double x[2] = {0.5, 2};
        LitheInteriorState state;
        CHECK(solve(context, &problem, x, &state) == LITHE_INTERIOR_CONVERGED);
        printf("    measured: a b = %.9g, b = %.12g, %d iterations\n", x[0] * x[1], x[1],
               state.iteration);
        CHECK(x[0] * x[1] <= epsilon + 1e-8);
        CHECK_NEAR(x[0], epsilon / 2, 1e-8);
        CHECK_NEAR(x[1], 2, 1e-6);
        lithe_tape_free(tape);
    }
    lithe_context_destroy(context);
}

// a, b >= 2: a b <= 1 has no solution, at no price
TEST(a_product_that_cannot_hold_is_reported) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTape *tape = lithe_tape_new(context, 4, 0);
    LitheTerm a = in(tape, 2), b = in(tape, 3);
    lithe_tape_output(tape, sum(tape, times(tape, a, a), times(tape, b, b)));
    lithe_tape_output(tape, minus(tape, num(tape, 1), times(tape, a, b)));
    FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
    const double lower[2] = {2, 2}, upper[2] = {5, 5}, before[2] = {0};
    const bool elastic = true;
    LitheStageProblem problem = {1,     2,     0,      1,        0,    tape, NULL,
                                 lower, upper, before, &elastic, NULL, NULL, NULL};
    double x[2] = {3, 4};
    LitheInteriorState state;
    CHECK(solve(context, &problem, x, &state) == LITHE_INTERIOR_INFEASIBLE);
    CHECK_NEAR(state.violation, 3, 1e-6);
    CHECK_NEAR(x[0], 2, 1e-6);
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}

// A variable 1e-14 from its bound puts 1e14 or more on the diagonal of Newton's matrix, beside a
// curvature of 2e-6: Newton's step of the other variable must stay exact.
TEST(a_variable_very_near_its_bound_hides_no_other) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTape *tape = lithe_tape_new(context, 4, 0);
    LitheTerm away = minus(tape, in(tape, 3), num(tape, 3));
    lithe_tape_output(tape, sum(tape, lithe_tape_scale(tape, 100, in(tape, 2)),
                                lithe_tape_scale(tape, 1e-6, times(tape, away, away))));
    FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
    const double lower[2] = {0, -INFINITY}, upper[2] = {INFINITY, INFINITY}, before[2] = {0};
    LitheStageProblem problem = {1,     2,     0,      0,    0,    tape, NULL,
                                 lower, upper, before, NULL, NULL, NULL, NULL};
    LitheInterior *interior;
    FATAL(lithe_interior_create(context, &problem, &interior, NULL) == LITHE_OK);
    LitheInteriorSetting setting = lithe_interior_setting();
    setting.tolerance = 1e-9;
    setting.barrier = 1e-14;
    setting.report = trace;
    double x[2] = {0, -1};
    LitheInteriorState state;
    CHECK(lithe_interior_solve(interior, &setting, x, &state) == LITHE_INTERIOR_CONVERGED);
    printf("    measured: %d iterations, b = %.9g\n", state.iteration, x[1]);
    CHECK(state.iteration <= 10);
    CHECK_NEAR(x[1], 3, 1e-3);
    lithe_interior_destroy(interior);
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}
