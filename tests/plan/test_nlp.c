// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_nlp.c - plans as one nonlinear problem: derivatives, solutions, IPOPT

#include "plan/ipopt.h"
#include "plan/turn.h"

#include "test.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct World {
    LitheContext *context;
    LitheTurn turn;
    LitheTurnProblem problem;
    LitheNlp nlp;
    double *x, *g, *gradient, *jacobian;
    LitheNlpMultipliers by;
} World;

// a second disk that may touch, with a round rim, in the middle of the arm
static void add_disk(LitheTurn *turn) {
    turn->model.contact[turn->model.contact_count++] = (LitheTouchDisk){.name = "middle",
                                                                        .section = 1,
                                                                        .place = 0.75,
                                                                        .radius = 0.05,
                                                                        .half = 0.005,
                                                                        .rim = 0.005,
                                                                        .friction = 0.4};
}

// 20 degrees in a few steps
static bool world_begin(World *w, int32_t stages, int32_t disks) {
    *w = (World){.context = lithe_context_create(NULL), .turn = lithe_turn_about(0, stages)};
    w->turn.model.step = 0.08;
    w->turn.target[0] = cos(3.14159265358979 / 18);
    w->turn.target[1] = sin(3.14159265358979 / 18);
    if (disks > 1)
        add_disk(&w->turn);
    size_t n = (size_t)(stages * lithe_ball_task_variables(&w->turn.model));
    w->x = calloc(n, sizeof(double));
    if (lithe_turn_begin(w->context, &w->turn, &w->problem, w->x, NULL) != LITHE_OK ||
        lithe_nlp_begin(w->context, &w->problem.problem, &w->nlp, NULL) != LITHE_OK)
        return false;
    size_t m = (size_t)w->nlp.constraints;
    w->g = calloc(m, sizeof(double));
    w->gradient = calloc(n, sizeof(double));
    w->jacobian = calloc((size_t)w->nlp.jacobian_count, sizeof(double));
    w->by = (LitheNlpMultipliers){calloc(m, sizeof(double)), calloc(n, sizeof(double)),
                                  calloc(n, sizeof(double))};
    return true;
}

static void world_end(World *w) {
    lithe_nlp_end(&w->nlp);
    lithe_turn_end(&w->problem);
    CHECK(lithe_context_bytes(w->context) == 0);
    lithe_context_destroy(w->context);
    free(w->x), free(w->g), free(w->gradient), free(w->jacobian);
    free(w->by.constraints), free(w->by.lower), free(w->by.upper);
}

// The remainder of a Taylor polynomial of second order falls with the third power of the step.
static void check_taylor(int32_t disks) {
    World w;
    FATAL(world_begin(&w, 3, disks));
    lithe_turn_relax(&w.problem, 1e-2, true);
    int32_t n = w.nlp.variables, m = w.nlp.constraints;
    double *d = calloc((size_t)n, sizeof(double)), *y = calloc((size_t)n, sizeof(double));
    double *hessian = calloc((size_t)w.nlp.hessian_count, sizeof(double)), slope = 0, bend = 0;
    for (int32_t i = 0; i < m; i++)
        w.by.constraints[i] = 0.3 * sin(1.3 * i);
    for (int32_t i = 0; i < n; i++) {
        w.x[i] += 1e-3 * sin(0.7 * i);
        d[i] = 0.1 * cos(2.1 * i);
    }
    double f = lithe_nlp_values(&w.nlp, w.x, w.g);
    for (int32_t i = 0; i < m; i++)
        f += w.by.constraints[i] * w.g[i];
    lithe_nlp_gradient(&w.nlp, w.x, w.gradient);
    lithe_nlp_jacobian(&w.nlp, w.x, w.jacobian);
    lithe_nlp_hessian(&w.nlp, w.x, 1, w.by.constraints, hessian);
    for (int32_t i = 0; i < n; i++)
        slope += w.gradient[i] * d[i];
    for (int32_t e = 0; e < w.nlp.jacobian_count; e++)
        slope +=
            w.by.constraints[w.nlp.jacobian_row[e]] * w.jacobian[e] * d[w.nlp.jacobian_column[e]];
    for (int32_t e = 0; e < w.nlp.hessian_count; e++) {
        int32_t i = w.nlp.hessian_row[e], j = w.nlp.hessian_column[e];
        CHECK(i >= j);
        bend += (i == j ? 1 : 2) * hessian[e] * d[i] * d[j];
    }
    double rest[2];
    for (int k = 0; k < 2; k++) {
        double t = k == 0 ? 2e-4 : 1e-4;
        for (int32_t i = 0; i < n; i++)
            y[i] = w.x[i] + t * d[i];
        double at = lithe_nlp_values(&w.nlp, y, w.g);
        for (int32_t i = 0; i < m; i++)
            at += w.by.constraints[i] * w.g[i];
        rest[k] = fabs(at - f - t * slope - 0.5 * t * t * bend);
    }
    printf("    measured: order of the remainder %.3f\n", log2(rest[0] / rest[1]));
    CHECK_NEAR(log2(rest[0] / rest[1]), 3, 0.15);
    free(d), free(y), free(hessian);
    world_end(&w);
}

TEST(the_lagrangian_passes_a_taylor_test) {
    check_taylor(1);
}

TEST(the_lagrangian_of_two_disks_passes_a_taylor_test) {
    check_taylor(2);
}

// all levels by the own method; the multipliers are those of the last one
static LitheInteriorEnd solve(World *w, LitheInterior *interior) {
    static const struct {
        double epsilon, barrier;
        bool dynamic;
    } levels[] = {{1e-2, 0.1, false}, {1e-2, 1e-2, true}, {1e-4, 1e-4, true}, {1e-6, 1e-6, true}};
    LitheInteriorSetting setting = lithe_interior_setting();
    LitheInteriorState state;
    LitheInteriorEnd end = LITHE_INTERIOR_CONVERGED;
    for (int i = 0; i < 4; i++) {
        lithe_turn_relax(&w->problem, levels[i].epsilon, levels[i].dynamic);
        for (int32_t k = 0; i == 1 && k < w->turn.stages; k++)
            memcpy(w->x + k * w->problem.problem.variables + LITHE_AT_EFFORT, w->problem.hold,
                   sizeof w->problem.hold);
        setting.barrier = levels[i].barrier;
        setting.warm = i > 1;
        end = lithe_interior_solve(interior, &setting, w->x, &state);
    }
    return end;
}

static bool is_solution(World *w, const char *whose) {
    LitheNlpError error = lithe_nlp_check(&w->nlp, w->x, &w->by, w->gradient, w->g, w->jacobian);
    printf("    measured: %s: stationarity %.1e, violation %.1e, products %.1e\n", whose,
           error.stationary, error.violation, error.products);
    return error.stationary <= 1e-6 && error.violation <= 1e-8 && error.products <= 1e-6;
}

// Each method stays at the solution of the other; the checker uses the functions alone.
TEST(solutions_of_two_methods_agree) {
    World w;
    FATAL(world_begin(&w, 5, 1));
    LitheInterior *interior = NULL;
    FATAL(lithe_interior_create(w.context, &w.problem.problem, &interior, NULL) == LITHE_OK);
    CHECK(solve(&w, interior) == LITHE_INTERIOR_CONVERGED);
    lithe_nlp_multipliers(&w.nlp, interior, &w.by);
    CHECK(is_solution(&w, "own"));
    double cost = lithe_nlp_values(&w.nlp, w.x, NULL);
    const char *reason = "a sanitizer";
    if (TEST_SANITIZED || !lithe_ipopt_found(&reason)) {
        printf("    skipped: %s\n", reason);
    } else {
        // the own method ends with this barrier
        LitheIpoptSetting setting = {.barrier = 1e-7,
                                     .last = 1e-7,
                                     .tolerance = 1e-8,
                                     .iterations = 300,
                                     .seconds = INFINITY,
                                     .warm = true};
        LitheIpoptResult result;
        FATAL(lithe_ipopt_solve(&w.nlp, &setting, w.x, &w.by, &result));
        printf("    measured: IPOPT from there: status %d, %d iterations, cost %.9g (own %.9g)\n",
               result.status, result.iterations, result.cost, cost);
        CHECK(result.status == 0);
        CHECK_NEAR(result.cost, cost, 1e-4 * cost);
        CHECK(is_solution(&w, "IPOPT"));
        LitheInteriorSetting own = lithe_interior_setting();
        LitheInteriorState state;
        own.barrier = 1e-6; // a smaller one leaves no room for a first step
        own.warm = true;
        lithe_nlp_start_from(&w.nlp, &w.by, interior);
        LitheInteriorEnd end = lithe_interior_solve(interior, &own, w.x, &state);
        printf("    measured: own from there: %s, %d iterations, cost %.9g\n",
               lithe_interior_end_text(end), state.iteration, state.cost);
        CHECK(end == LITHE_INTERIOR_CONVERGED);
        CHECK_NEAR(state.cost, result.cost, 1e-4 * cost);
        lithe_nlp_multipliers(&w.nlp, interior, &w.by);
        CHECK(is_solution(&w, "own from IPOPT"));
    }
    lithe_interior_destroy(interior);
    world_end(&w);
}

// IPOPT's own check of first and second derivatives, by differences
TEST(derivatives_pass_the_check_of_ipopt) {
    const char *reason = "a sanitizer";
    if (TEST_SANITIZED || !lithe_ipopt_found(&reason)) {
        printf("    skipped: %s\n", reason);
        return;
    }
    World w;
    FATAL(world_begin(&w, 2, 1));
    lithe_turn_relax(&w.problem, 1e-2, true);
    for (int32_t i = 0; i < w.nlp.variables; i++)
        w.x[i] += 1e-3 * sin(0.7 * i);
    char path[] = "/tmp/lithe-test-XXXXXX";
    int file = mkstemp(path);
    FATAL(file >= 0);
    LitheIpoptSetting setting = {
        .barrier = 0.1, .tolerance = 1e-6, .seconds = INFINITY, .check = path};
    LitheIpoptResult result;
    FATAL(lithe_ipopt_solve(&w.nlp, &setting, w.x, &w.by, &result));
    static char text[1 << 20];
    ssize_t count = read(file, text, sizeof text - 1);
    text[count > 0 ? count : 0] = '\0';
    CHECK_TEXT(text, "No errors detected by derivative checker");
    close(file);
    unlink(path);
    world_end(&w);
}
