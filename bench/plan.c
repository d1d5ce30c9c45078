// SPDX-License-Identifier: Apache-2.0
// bench/plan.c - the plan cases: what it costs to find the motion of a scene with a plan

#include "base/clock.h"
#include "bench/plan_case.h"
#include "bench/unit.h"

#include <math.h>

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
    LitheBenchPlan plan;
    LitheTurnResult solved;
    double unit = lithe_bench_unit_ns();
    LitheStatus status = lithe_bench_plan_begin(setting, &plan, error);
    if (status == LITHE_OK) {
        if (setting->max_steps > 0)
            plan.turn.setting.iterations = setting->max_steps;
        double began = lithe_clock();
        status = lithe_turn_solve(plan.context, &plan.turn, plan.x, &solved, error);
        if (status == LITHE_OK)
            report(&plan.turn, &solved, lithe_clock() - began, fmin(unit, lithe_bench_unit_ns()),
                   result);
    }
    lithe_bench_plan_end(&plan);
    return status;
}
