// SPDX-License-Identifier: Apache-2.0
// bench/timed.c - steps of a world from one state, timed as the best of repeats

#include "bench/timed.h"

#include "bench/unit.h"
#include "data/model.h"
#include "data/work.h"

#include <math.h>

void lithe_bench_set_units(LitheBenchResult *result, double unit_ns, double steps, double solves) {
    double unit = 1e-9 * unit_ns * lithe_bench_get(result, "nodes");
    // stages are in wall time: other programs take about the same fraction of each
    double busy = lithe_bench_get(result, "busy_seconds");
    double fraction = busy / lithe_bench_get(result, "wall_seconds");
    double factor = fraction * lithe_bench_get(result, "stages.factor");
    double newton = factor + fraction * (lithe_bench_get(result, "stages.assemble") +
                                         lithe_bench_get(result, "stages.line_search"));
    lithe_bench_set(result, "unit_ns", unit_ns);
    lithe_bench_set(result, "cost_units", busy / (steps * unit));
    lithe_bench_set(result, "newton_units", solves > 0 ? newton / (solves * unit) : NAN);
    lithe_bench_set(result, "factor_units", solves > 0 ? factor / (solves * unit) : NAN);
}

LitheStatus lithe_bench_timed(LitheBenchWorld *world, const LitheBenchSetting *setting,
                              const LitheBenchTimed *timed, LitheBenchResult *result,
                              LitheError *error) {
    bool tiny = setting->max_steps > 0;
    int32_t window = tiny ? setting->max_steps : timed->window;
    int32_t repeats = tiny ? 1 : timed->fewest;
    LitheStatus status =
        lithe_bench_world_open(world, setting->threads, tiny ? 0 : timed->warm_up, error);
    // the unit before and after: the clock rate of the processor may change in between
    double unit_ns = lithe_bench_unit_ns();
    LitheBenchSteps best = {.wall = INFINITY};
    for (int32_t i = 0; status == LITHE_OK && i < repeats; i++) {
        LitheBenchSteps sum, old = best;
        status = lithe_bench_world_steps(world, setting->threads, window, &sum, error);
        if (status != LITHE_OK)
            break;
        if (i == 0 && !tiny)
            repeats = lithe_bench_repeats(sum.wall, timed->fewest, timed->max);
        best = sum;
        for (int32_t k = 0; k < LITHE_STAGE_COUNT && i > 0; k++)
            best.stages[k] = fmin(old.stages[k], best.stages[k]);
        best.wall = i > 0 ? fmin(old.wall, best.wall) : best.wall;
        best.busy = i > 0 ? fmin(old.busy, best.busy) : best.busy;
    }
    if (status != LITHE_OK)
        return status;
    double step = world->model->time.step, steps = best.steps;
    lithe_bench_set(result, "dofs", (double)lithe_model_dof_count(world->model));
    lithe_bench_set(result, "step", step);
    lithe_bench_set(result, "sim_seconds", steps * step);
    lithe_bench_set(result, "wall_seconds", best.wall);
    lithe_bench_set(result, "busy_seconds", best.busy);
    lithe_bench_set(result, "rate", steps * step / best.wall);
    lithe_bench_set(result, "step_seconds", best.wall / steps);
    lithe_bench_set(result, "contacts_mean", (double)best.contacts / steps);
    lithe_bench_set(result, "contacts_max", best.contacts_max);
    lithe_bench_set(result, "newton_mean", (double)best.newton / steps);
    lithe_bench_set(result, "solver_mean", (double)best.solver / steps);
    lithe_bench_set(result, "passes_mean", (double)best.passes / steps);
    lithe_bench_set(result, "threads", setting->threads);
    lithe_bench_set(result, "nodes", (double)timed->nodes);
    lithe_bench_set_stages(result, best.stages);
    lithe_bench_set(result, "pairs", world->work->contacts->pair_count);
    lithe_bench_set(result, "repeats", repeats);
    lithe_bench_set(result, "peak_memory_bytes", (double)lithe_context_peak_bytes(world->context));
    lithe_bench_set_units(result, fmin(unit_ns, lithe_bench_unit_ns()), steps, (double)best.solver);
    result->hash = lithe_state_hash(world->state);
    return LITHE_OK;
}
