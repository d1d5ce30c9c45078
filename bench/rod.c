// SPDX-License-Identifier: Apache-2.0
// bench/rod.c - the rod cases: cost of a step, a Newton iteration and a factorisation
//
// One rubber rod (radius 5 mm, 1 MPa, Poisson 0.5, 1000 kg/m^3, no damping), edges of 1 cm, along
// x, clamped at its start, released from horizontal under 9.81 m/s^2; backward Euler, 1 ms, default
// tolerance. The first 100 steps are warm-up; the next 50 are timed, always from the same state.
// Nothing is random. Only the number of nodes differs between the cases.

#include "body/rod.h"
#include "base/status.h"
#include "bench/unit.h"
#include "bench/world.h"
#include "body/unit.h"

#include <math.h>
#include <time.h>

enum { WARM_UP = 100, WINDOW = 50, FEWEST_REPEATS = 5, MAX_REPEATS = 101 };

// length of an edge, the same for every number of nodes, so that the work per node is the same [m]
#define EDGE 0.01
#define STEP 1e-3

// --- the case ------------------------------------------------------------------------------------

static LitheStatus fill_scene(LitheScene *scene, int32_t nodes, LitheError *error) {
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    rubber.contact_stiffness = 1e5;
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rope";
    rod.material = lithe_scene_add_material(scene, &rubber);
    rod.nodes = nodes;
    rod.shape.to = (LitheVec3){EDGE * (nodes - 1.5), 0, 0};
    rod.clamp_start = true;
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_BACKWARD_EULER;
    time.step = STEP;
    lithe_scene_set_time(scene, &time);
    return lithe_scene_add_rod(scene, &rod).number != 0 ? LITHE_OK
                                                        : lithe_fail_memory(error, "the benchmark");
}

// --- timing --------------------------------------------------------------------------------------

// the median of the repeats
static LitheStatus time_window(LitheBenchWorld *w, int32_t threads, LitheBenchResult *result,
                               LitheError *error) {
    double times[MAX_REPEATS], costs[MAX_REPEATS], stages[LITHE_STAGE_COUNT] = {0};
    int32_t count = FEWEST_REPEATS;
    LitheBenchSteps sum = {0};
    for (int32_t i = 0; i < count; i++) {
        LitheStatus status = lithe_bench_world_steps(w, threads, WINDOW, &sum, error);
        if (status != LITHE_OK)
            return status;
        times[i] = sum.wall;
        costs[i] = sum.busy;
        for (int32_t k = 0; k < LITHE_STAGE_COUNT; k++)
            stages[k] += sum.stages[k];
        if (i == 0)
            count = lithe_bench_repeats(times[0], FEWEST_REPEATS, MAX_REPEATS);
    }
    for (int32_t k = 0; k < LITHE_STAGE_COUNT; k++)
        stages[k] /= count;
    lithe_bench_set(result, "wall_seconds", lithe_bench_median(times, count));
    lithe_bench_set(result, "busy_seconds", lithe_bench_median(costs, count));
    lithe_bench_set(result, "repeats", count);
    lithe_bench_set(result, "newton_mean", (double)sum.newton / WINDOW);
    lithe_bench_set_stages(result, stages);
    result->hash = lithe_state_hash(w->state);
    return LITHE_OK;
}

static double busy(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// seconds of one Newton iteration: evaluate with the exact Hessian, factor, solve
static double one_newton(const LitheBenchWorld *w, double *factor_seconds) {
    const LitheUnitOps *ops = lithe_unit_ops(w->model, 0);
    LitheUnitWork *work = &w->work->units[0];
    int64_t dofs = work->dof_count;
    double start = busy();
    ops->evaluate(w->model, 0, w->work, work->w, true, false, work->r);
    double evaluated = busy();
    ops->factor(w->model, 0, w->work);
    for (int64_t i = 0; i < dofs; i++)
        work->dx[i] = -work->r[i];
    ops->solve(w->model, 0, w->work, work->dx);
    double end = busy();
    *factor_seconds = end - evaluated;
    return end - start;
}

// the best of many, like the unit; short ones are timed in groups for the resolution of the clock
static void time_newton(LitheBenchWorld *w, double *newton, double *factor) {
    double one = 0;
    lithe_state_set(w->state, lithe_state_data(w->start));
    LitheStepPlan plan = {
        .time = w->state->clock[0], .h = w->model->time.step, .a = 1, .inverse_a = 1, .c = 1};
    lithe_unit_ops(w->model, 0)->begin(w->model, 0, w->state, &plan, w->work);
    one_newton(w, &one);
    int bundle = 1 + 20000 / w->model->rods[0].node_count;
    double first = one_newton(w, &one) * bundle;
    int count = lithe_bench_repeats(2 * first, FEWEST_REPEATS, MAX_REPEATS);
    *newton = *factor = INFINITY;
    for (int i = 0; i < count; i++) {
        double all = 0, part = 0;
        for (int k = 0; k < bundle; k++) {
            all += one_newton(w, &one) / bundle;
            part += one / bundle;
        }
        *newton = fmin(*newton, all);
        *factor = fmin(*factor, part);
    }
}

LitheStatus lithe_bench_rod(const LitheBenchSetting *setting, LitheBenchResult *result,
                            LitheError *error) {
    int32_t nodes = setting->count;
    LitheBenchWorld w = {0};
    LitheStatus status = lithe_bench_world_begin(&w, error);
    if (status == LITHE_OK)
        status = fill_scene(w.scene, nodes, error);
    if (status == LITHE_OK)
        status = lithe_bench_world_open(&w, setting->threads, WARM_UP, error);
    // the unit before and after: the clock rate of the processor may change in between
    double unit_ns = lithe_bench_unit_ns();
    if (status == LITHE_OK)
        status = time_window(&w, setting->threads, result, error);
    if (status == LITHE_OK) {
        double newton = 0, factor = 0;
        time_newton(&w, &newton, &factor);
        unit_ns = fmin(unit_ns, lithe_bench_unit_ns());
        double unit = 1e-9 * unit_ns * nodes;
        double wall = lithe_bench_get(result, "wall_seconds");
        lithe_bench_set(result, "dofs", (double)lithe_model_dof_count(w.model));
        lithe_bench_set(result, "step", STEP);
        lithe_bench_set(result, "sim_seconds", WINDOW * STEP);
        lithe_bench_set(result, "rate", WINDOW * STEP / wall);
        lithe_bench_set(result, "step_seconds", wall / WINDOW);
        lithe_bench_set(result, "threads", setting->threads);
        lithe_bench_set(result, "nodes", nodes);
        lithe_bench_set(result, "unit_ns", unit_ns);
        lithe_bench_set(result, "cost_units",
                        lithe_bench_get(result, "busy_seconds") / (WINDOW * unit));
        lithe_bench_set(result, "newton_units", newton / unit);
        lithe_bench_set(result, "factor_units", factor / unit);
        lithe_bench_set(result, "peak_memory_bytes", (double)lithe_context_peak_bytes(w.context));
        lithe_bench_set(result, "bytes_per_node", (double)w.bytes / nodes);
    }
    lithe_bench_world_close(&w);
    return status;
}
