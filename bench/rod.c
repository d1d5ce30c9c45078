// SPDX-License-Identifier: Apache-2.0
// bench/rod.c - timing of the rod cases

#include "bench/rod.h"

#include "base/clock.h"
#include "base/status.h"
#include "bench/unit.h"
#include "body/body.h"
#include "body/rod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 100, WINDOW = 50, FEWEST_REPEATS = 5, MOST_REPEATS = 101 };
// the timed windows of a case together take about this long [s], unless FEWEST_REPEATS take longer
#define WANTED_SECONDS 1.0

typedef struct Case {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *start; // after the warm-up
    LitheState *state;
    LitheWork *work;
} Case;

// length of an edge, the same for every number of nodes: each node then does the same work [m]
#define EDGE 0.01

// --- the case ------------------------------------------------------------------------------------

static LitheScene *make_scene(LitheContext *context, int32_t nodes) {
    LitheScene *scene = lithe_scene_create(context);
    if (!scene)
        return NULL;
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rope";
    rod.material = lithe_scene_add_material(scene, &rubber);
    rod.nodes = nodes;
    rod.shape.to = (LitheVec3){EDGE * (nodes - 1.5), 0, 0};
    rod.clamp_start = true;
    LitheTimeDef time = lithe_time_def_default();
    time.step = 1e-3;
    lithe_scene_set_time(scene, &time);
    if (lithe_scene_add_rod(scene, &rod).number != 0)
        return scene;
    lithe_scene_destroy(scene);
    return NULL;
}

static void close_case(Case *c) {
    lithe_work_destroy(c->work);
    lithe_state_destroy(c->start);
    lithe_state_destroy(c->state);
    lithe_model_destroy(c->model);
    lithe_scene_destroy(c->scene);
    lithe_context_destroy(c->context);
}

static LitheStatus steps(Case *c, int count, int64_t *newton, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int i = 0; status == LITHE_OK && i < count; i++) {
        LitheReport report;
        status = lithe_step(c->model, c->state, c->work, &report, error);
        *newton += status == LITHE_OK ? report.newton_iterations : 0;
    }
    return status;
}

static LitheStatus open_case(Case *c, int32_t nodes, int32_t threads, LitheBenchRod *result,
                             LitheError *error) {
    c->context = lithe_context_create(NULL);
    c->scene = c->context ? make_scene(c->context, nodes) : NULL;
    if (!c->scene)
        return lithe_fail_memory(error, "the benchmark");
    size_t before = lithe_context_bytes(c->context);
    LitheStatus status = lithe_compile(c->scene, &c->model, &c->state, error);
    if (status != LITHE_OK)
        return status;
    c->work = lithe_work_create(c->model, threads);
    if (!c->work)
        return lithe_fail_memory(error, "the benchmark");
    size_t after = lithe_context_bytes(c->context);
    result->bytes_per_node = (double)(after - before) / nodes;
    result->dofs = lithe_model_dof_count(c->model);
    int64_t ignored = 0;
    status = steps(c, WARM_UP, &ignored, error);
    if (status != LITHE_OK)
        return status;
    c->start = lithe_state_copy(c->state);
    return c->start ? LITHE_OK : lithe_fail_memory(error, "the benchmark");
}

// --- timing --------------------------------------------------------------------------------------

// Seconds of processor time. Costs are counted in it, so that other programs on the machine hardly
// matter; the unit takes the best of many short times for the same reason.
static double busy(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

// how often something that takes `seconds` is to be repeated
static int repeats_for(double seconds) {
    double wanted = WANTED_SECONDS / fmax(seconds, 1e-9);
    return wanted < FEWEST_REPEATS ? FEWEST_REPEATS
           : wanted > MOST_REPEATS ? MOST_REPEATS
                                   : (int)wanted;
}

static LitheStatus time_window(Case *c, LitheBenchRod *result, LitheError *error) {
    double times[MOST_REPEATS], costs[MOST_REPEATS];
    int count = FEWEST_REPEATS;
    for (int i = 0; i < count; i++) {
        lithe_state_set(c->state, lithe_state_data(c->start));
        int64_t newton = 0;
        double start = lithe_clock(), start_busy = busy(CLOCK_PROCESS_CPUTIME_ID);
        LitheStatus status = steps(c, WINDOW, &newton, error);
        times[i] = lithe_clock() - start;
        // with several threads what counts is how long one waits
        costs[i] = result->threads > 1 ? times[i] : busy(CLOCK_PROCESS_CPUTIME_ID) - start_busy;
        if (status != LITHE_OK)
            return status;
        result->newton_mean = (double)newton / WINDOW;
        if (i == 0)
            count = repeats_for(times[0]);
    }
    result->wall_seconds = median(times, count);
    result->busy_seconds = median(costs, count);
    result->repeats = count;
    result->hash = lithe_state_hash(c->state);
    return LITHE_OK;
}

// seconds of one Newton iteration: evaluate with the exact Hessian, lock and factor, solve
static double one_newton(const Case *c, double *factor_seconds) {
    const LitheBodyOps *ops = lithe_body_ops(c->model, 0);
    LitheBodyWork *work = &c->work->bodies[0];
    int64_t dofs = work->dof_count;
    double start = busy(CLOCK_THREAD_CPUTIME_ID);
    ops->evaluate(c->model, 0, c->work, work->w, true, false, work->r);
    double evaluated = busy(CLOCK_THREAD_CPUTIME_ID);
    ops->factor(c->model, 0, c->work);
    for (int64_t i = 0; i < dofs; i++)
        work->dx[i] = -work->r[i];
    ops->solve(c->model, 0, c->work, work->dx);
    double end = busy(CLOCK_THREAD_CPUTIME_ID);
    *factor_seconds = end - evaluated;
    return end - start;
}

// the best of many, as the unit is; short ones are bundled so that the clock does not matter
static void time_newton(Case *c, double *newton, double *factor) {
    double all[MOST_REPEATS], part[MOST_REPEATS], one = 0;
    lithe_state_set(c->state, lithe_state_data(c->start));
    LitheStepPlan plan = {c->state->clock[0], c->model->time.step, 1, 1, 1, false};
    lithe_body_ops(c->model, 0)->begin(c->model, 0, c->state, &plan, c->work);
    one_newton(c, &one);
    int bundle = 1 + 20000 / c->model->rods[0].node_count;
    double first = one_newton(c, &one) * bundle;
    int count = repeats_for(2 * first);
    for (int i = 0; i < count; i++) {
        all[i] = part[i] = 0;
        for (int k = 0; k < bundle; k++) {
            all[i] += one_newton(c, &one) / bundle;
            part[i] += one / bundle;
        }
    }
    *newton = *factor = INFINITY;
    for (int i = 0; i < count; i++) {
        *newton = fmin(*newton, all[i]);
        *factor = fmin(*factor, part[i]);
    }
}

LitheStatus lithe_bench_rod(int32_t nodes, int32_t threads, LitheBenchRod *result,
                            LitheError *error) {
    LitheBenchRod r = {.nodes = nodes, .threads = threads, .step = 1e-3};
    r.sim_seconds = WINDOW * r.step;
    Case c = {0};
    LitheStatus status = open_case(&c, nodes, threads, &r, error);
    // the unit before and after: the clock of the processor may change in between
    r.unit_ns = lithe_bench_unit_ns();
    if (status == LITHE_OK)
        status = time_window(&c, &r, error);
    if (status == LITHE_OK) {
        double newton = 0, factor = 0;
        time_newton(&c, &newton, &factor);
        r.unit_ns = fmin(r.unit_ns, lithe_bench_unit_ns());
        double unit = 1e-9 * r.unit_ns * nodes;
        r.cost_units = r.busy_seconds / (WINDOW * unit);
        r.newton_units = newton / unit;
        r.factor_units = factor / unit;
        r.peak_memory_bytes = (int64_t)lithe_context_peak_bytes(c.context);
        *result = r;
    }
    close_case(&c);
    return status;
}
