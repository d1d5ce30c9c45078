// SPDX-License-Identifier: Apache-2.0
// bench/plan_parts.c - what an iteration of a plan consists of: derivatives, factor, solution
//
// The point is the one after a few iterations of the dynamic problem: multipliers and weights are
// those of a solve on its way, and the pivots with them.

#include "bench/plan_case.h"
#include "bench/unit.h"
#include "bench/world.h"
#include "plan/interior_parts.h"

#include <math.h>

enum { ITERATIONS = 20, REPEATS = 30 };

// on the diagonal: enough for the right inertia, else the factor would end early
static double regular;

static void take_derivatives(LitheInterior *interior) {
    lithe_interior_derivatives(interior, true);
}

// Newton's matrix and its factor
static void factor(LitheInterior *interior) {
    lithe_interior_factor(interior, true, interior->weight, regular, 0);
}

// with one refinement
static void solve(LitheInterior *interior) {
    lithe_interior_refined(interior);
}

// the best of the repeats
static double best_of(LitheInterior *interior, void (*part)(LitheInterior *interior)) {
    double best = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        double began = lithe_bench_busy();
        part(interior);
        best = fmin(best, lithe_bench_busy() - began);
    }
    return best;
}

static void measure(LitheInterior *interior, LitheBenchResult *result) {
    double unit = lithe_bench_unit_ns();
    lithe_interior_weights(interior);
    double derivatives = best_of(interior, take_derivatives);
    regular = 1;
    while (regular < 1e12 && lithe_interior_factor(interior, true, interior->weight, regular, 0) !=
                                 (int32_t)interior->m)
        regular *= 10;
    double factored = best_of(interior, factor), solved = best_of(interior, solve);
    unit = fmin(unit, lithe_bench_unit_ns());
    int32_t terms, directions;
    lithe_tape_size(interior->problem.tape, &terms, &directions);
    const LitheBenchFigure figures[] = {
        {"dofs", (double)interior->n},
        {"unit_ns", unit},
        {"derivatives_seconds", derivatives},
        {"factor_seconds", factored},
        {"solve_seconds", solved},
        {"rows", interior->matrix.size},
        {"block", interior->reduced.block},
        {"links", interior->matrix.links},
        {"terms", terms},
        {"directions", directions},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        lithe_bench_set(result, figures[i].name, figures[i].value);
}

LitheStatus lithe_bench_plan_parts(const LitheBenchSetting *setting, LitheBenchResult *result,
                                   LitheError *error) {
    LitheBenchPlan plan;
    LitheTurnProblem problem = {0};
    LitheInterior *interior = NULL;
    LitheStatus status = lithe_bench_plan_begin(setting, &plan, error);
    if (status == LITHE_OK)
        status = lithe_turn_begin(plan.context, &plan.turn, &problem, plan.x, error);
    bool begun = status == LITHE_OK;
    if (begun)
        status = lithe_interior_create(plan.context, &problem.problem, &interior, error);
    if (status == LITHE_OK) {
        LitheInteriorSetting own = plan.turn.setting;
        LitheInteriorState state;
        own.iterations = ITERATIONS;
        own.barrier = plan.turn.epsilon[0];
        lithe_turn_relax(&problem, plan.turn.epsilon[0], true);
        lithe_interior_solve(interior, &own, plan.x, &state);
        measure(interior, result);
    }
    lithe_interior_destroy(interior);
    if (begun)
        lithe_turn_end(&problem);
    lithe_bench_plan_end(&plan);
    return status;
}
