// SPDX-License-Identifier: Apache-2.0
// bench/plan_parts.c - what an iteration of a plan consists of: derivatives, factor, solution
//
// The point is the one after a few iterations of the dynamic problem: multipliers and weights are
// those of a solve on its way, and the pivots with them.

#include "base/memory.h"
#include "base/status.h"
#include "bench/bench.h"
#include "bench/unit.h"
#include "bench/world.h"
#include "plan/interior_parts.h"
#include "plan/scene_turn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ITERATIONS = 20, REPEATS = 30 };

static void take_derivatives(LitheInterior *interior) {
    lithe_interior_derivatives(interior, true);
}

static void assemble(LitheInterior *interior) {
    lithe_interior_assemble(interior, true, interior->weight, 1, 1e-8);
}

static void factor(LitheInterior *interior) {
    lithe_stage_factor(&interior->matrix);
}

static void solve(LitheInterior *interior) {
    lithe_stage_solve(&interior->matrix, interior->solution);
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
    for (int64_t i = 0; i < interior->q; i++)
        interior->weight[i] = interior->now.z[i] / interior->now.s[i];
    double derivatives = best_of(interior, take_derivatives);
    double assembled = best_of(interior, assemble), factored = best_of(interior, factor);
    int64_t all = (int64_t)interior->problem.stages * interior->matrix.size;
    memcpy(interior->solution, interior->right, (size_t)all * sizeof(double));
    double solved = best_of(interior, solve);
    unit = fmin(unit, lithe_bench_unit_ns());
    int32_t terms, directions;
    lithe_tape_size(interior->problem.tape, &terms, &directions);
    const LitheBenchFigure figures[] = {
        {"dofs", (double)interior->n},
        {"unit_ns", unit},
        {"derivatives_seconds", derivatives},
        {"assemble_seconds", assembled},
        {"factor_seconds", factored},
        {"solve_seconds", solved},
        {"rows", interior->matrix.size},
        {"links", interior->matrix.links},
        {"terms", terms},
        {"directions", directions},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        lithe_bench_set(result, figures[i].name, figures[i].value);
}

LitheStatus lithe_bench_plan_parts(const LitheBenchSetting *setting, LitheBenchResult *result,
                                   LitheError *error) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.yaml", setting->folder, setting->scene);
    LitheContext *context = lithe_context_create(NULL);
    if (context == NULL)
        return lithe_fail_memory(error, "a plan");
    int32_t sets = 0;
    while (sets < LITHE_BENCH_SETS && setting->sets[sets] != NULL)
        sets++;
    LitheScene *scene = NULL;
    LitheTurn turn;
    LitheTurnPlace place;
    LitheTurnProblem problem = {0};
    LitheInterior *interior = NULL;
    double *x = NULL;
    LitheStatus status = lithe_scene_load(context, path, setting->sets, sets, &scene, error);
    if (status == LITHE_OK)
        status = lithe_turn_of_scene(scene, &turn, &place, error);
    if (status == LITHE_OK) {
        int64_t n = (int64_t)turn.stages * lithe_ball_task_variables(&turn.model);
        x = lithe_alloc_array(context, n, sizeof *x);
        status = x != NULL ? lithe_turn_begin(context, &turn, &problem, x, error)
                           : lithe_fail_memory(error, "a plan");
    }
    bool begun = status == LITHE_OK;
    if (begun)
        status = lithe_interior_create(context, &problem.problem, &interior, error);
    if (status == LITHE_OK) {
        LitheInteriorSetting own = turn.setting;
        LitheInteriorState state;
        own.iterations = ITERATIONS;
        own.barrier = turn.epsilon[0];
        lithe_turn_relax(&problem, turn.epsilon[0], true);
        lithe_interior_solve(interior, &own, x, &state);
        measure(interior, result);
    }
    lithe_interior_destroy(interior);
    if (begun)
        lithe_turn_end(&problem);
    lithe_free(context, x);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return status;
}
