// SPDX-License-Identifier: Apache-2.0
// bench/plan.c - the plan cases: what it costs to find the motion of a scene with a plan

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "bench/bench.h"
#include "bench/unit.h"
#include "plan/scene_turn.h"

#include <math.h>
#include <stdio.h>

static void report(const LitheTurn *turn, const LitheTurnResult *r, double wall, double unit,
                   LitheBenchResult *result) {
    double iterations = 0, factors = 0, times[2] = {0};
    for (int32_t i = 0; i < r->level_count; i++) {
        iterations += r->levels[i].state.iteration;
        factors += r->levels[i].state.factors;
        times[r->levels[i].dynamic] += r->levels[i].seconds;
    }
    const LitheBenchFigure figures[] = {
        {"dofs", (double)turn->stages * lithe_ball_task_variables(&turn->model)},
        {"wall_seconds", wall},
        {"unit_ns", unit},
        {"kinematic_seconds", times[0]},
        {"dynamic_seconds", times[1]},
        {"iterations", iterations},
        {"factors", factors},
        {"cost", r->levels[r->level_count - 1].state.cost},
        {"error", r->error},
        {"products", r->products},
        {"converged", lithe_turn_converged(r)},
        {"solver", 1}, // the own one
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        lithe_bench_set(result, figures[i].name, figures[i].value);
}

LitheStatus lithe_bench_plan(const LitheBenchSetting *setting, LitheBenchResult *result,
                             LitheError *error) {
    char path[4200];
    int32_t sets = 0;
    while (sets < LITHE_BENCH_SETS && setting->sets[sets] != NULL)
        sets++;
    snprintf(path, sizeof path, "%s/%s.yaml", setting->folder, setting->scene);
    LitheContext *context = lithe_context_create(NULL);
    if (context == NULL)
        return lithe_fail_memory(error, "a plan");
    LitheScene *scene = NULL;
    LitheTurn turn;
    LitheTurnPlace place;
    LitheTurnResult solved;
    double *x = NULL, unit = lithe_bench_unit_ns();
    LitheStatus status = lithe_scene_load(context, path, setting->sets, sets, &scene, error);
    if (status == LITHE_OK)
        status = lithe_turn_of_scene(scene, &turn, &place, error);
    if (status == LITHE_OK) {
        int64_t n = (int64_t)turn.stages * lithe_ball_task_variables(&turn.model);
        x = lithe_alloc_array(context, n, sizeof *x);
        status = x != NULL ? LITHE_OK : lithe_fail_memory(error, "a plan");
    }
    if (status == LITHE_OK) {
        if (setting->max_steps > 0)
            turn.setting.iterations = setting->max_steps;
        double began = lithe_clock();
        status = lithe_turn_solve(context, &turn, x, &solved, error);
        if (status == LITHE_OK)
            report(&turn, &solved, lithe_clock() - began, fmin(unit, lithe_bench_unit_ns()),
                   result);
    }
    lithe_free(context, x);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return status;
}
