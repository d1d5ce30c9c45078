// SPDX-License-Identifier: Apache-2.0
// bench/chain.c - timing of the chain cases

#include "bench/chain.h"

#include "base/clock.h"
#include "base/status.h"
#include "bench/unit.h"
#include "math/quat.h"

#include <math.h>
#include <time.h>

enum { WARM_UP = 100, WINDOW = 50, FEWEST_REPEATS = 5, MOST_REPEATS = 50 };
// the timed windows of a case together take about this long [s], unless FEWEST_REPEATS take longer
#define WANTED_SECONDS 1.0

// length of a capsule, the same for every number of them [m]
#define LENGTH 0.01
#define RADIUS 4e-3
#define STEP 1e-3

typedef struct Case {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *start; // after the warm-up
    LitheState *state;
    LitheWork *work;
} Case;

// --- the case ------------------------------------------------------------------------------------

static LitheStatus make_scene(Case *c, int32_t capsules, LitheError *error) {
    c->scene = c->context ? lithe_scene_create(c->context) : NULL;
    if (!c->scene)
        return lithe_fail_memory(error, "the benchmark");
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    LitheChainDef chain = lithe_chain_def_default();
    chain.name = "rope";
    chain.material = lithe_scene_add_material(c->scene, &rubber);
    chain.radius = RADIUS;
    chain.capsules = capsules;
    chain.shape.to = (LitheVec3){LENGTH * capsules, 0, 0};
    chain.start = LITHE_CHAIN_PINNED;
    LitheTimeDef time = lithe_time_def_default();
    time.step = STEP;
    lithe_scene_set_time(c->scene, &time);
    return lithe_scene_add_chain(c->scene, &chain, error);
}

static void close_case(Case *c) {
    lithe_work_destroy(c->work);
    lithe_state_destroy(c->start);
    lithe_state_destroy(c->state);
    lithe_model_destroy(c->model);
    lithe_scene_destroy(c->scene);
    if (c->context)
        lithe_context_destroy(c->context);
}

// runs some steps, and notes what they took
static LitheStatus steps(Case *c, int count, LitheBenchChain *r, LitheError *error) {
    LitheStatus status = LITHE_OK;
    int64_t contacts = 0, solver = 0, passes = 0;
    r->contacts_max = 0;
    for (int i = 0; status == LITHE_OK && i < count; i++) {
        LitheReport report = {0};
        status = lithe_step(c->model, c->state, c->work, &report, error);
        contacts += report.contacts;
        solver += report.solve_iterations;
        passes += report.passes;
        r->contacts_max = report.contacts > r->contacts_max ? report.contacts : r->contacts_max;
    }
    r->contacts_mean = (double)contacts / count;
    r->solver_mean = (double)solver / count;
    r->passes_mean = (double)passes / count;
    return status;
}

static LitheStatus open_case(Case *c, LitheBenchChain *r, LitheError *error) {
    c->context = lithe_context_create(NULL);
    LitheStatus status = make_scene(c, r->capsules, error);
    if (status == LITHE_OK)
        status = lithe_compile(c->scene, &c->model, &c->state, error);
    if (status != LITHE_OK)
        return status;
    c->work = lithe_work_create(c->model, 1);
    if (!c->work)
        return lithe_fail_memory(error, "the benchmark");
    r->dofs = lithe_model_dof_count(c->model);
    status = steps(c, WARM_UP, r, error);
    if (status != LITHE_OK)
        return status;
    c->start = lithe_state_copy(c->state);
    return c->start ? LITHE_OK : lithe_fail_memory(error, "the benchmark");
}

// the end of a capsule: side -1 or 1
static Vec3 end_of(const Case *c, int32_t capsule, double side) {
    double pose[7];
    lithe_body_pose(c->model, c->state, (LitheBodyId){capsule + 1}, pose);
    Quat turn = {pose[3], pose[4], pose[5], pose[6]};
    return v3_axpy(0.5 * side * LENGTH, q4_rotate(turn, v3(0, 0, 1)), v3_load(pose));
}

static double largest_gap(const Case *c, int32_t capsules) {
    double gap = v3_norm(end_of(c, 0, -1));
    for (int32_t i = 0; i + 1 < capsules; i++)
        gap = fmax(gap, v3_distance(end_of(c, i, 1), end_of(c, i + 1, -1)));
    return gap / LENGTH;
}

// --- timing --------------------------------------------------------------------------------------

static double busy(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// the best of the repeats, as the unit is
static LitheStatus time_window(Case *c, LitheBenchChain *r, LitheError *error) {
    r->repeats = FEWEST_REPEATS;
    r->wall_seconds = r->busy_seconds = INFINITY;
    for (int i = 0; i < r->repeats; i++) {
        lithe_state_set(c->state, lithe_state_data(c->start));
        double start = lithe_clock(), start_busy = busy();
        LitheStatus status = steps(c, WINDOW, r, error);
        double now_busy = busy() - start_busy, now = lithe_clock() - start;
        if (status != LITHE_OK)
            return status;
        r->wall_seconds = fmin(r->wall_seconds, now);
        r->busy_seconds = fmin(r->busy_seconds, now_busy);
        double wanted = fmax(FEWEST_REPEATS, fmin(WANTED_SECONDS / fmax(now, 1e-9), MOST_REPEATS));
        r->repeats = i == 0 ? (int32_t)wanted : r->repeats;
    }
    r->gap = largest_gap(c, r->capsules);
    r->hash = lithe_state_hash(c->state);
    return LITHE_OK;
}

LitheStatus lithe_bench_chain(int32_t capsules, LitheBenchChain *result, LitheError *error) {
    LitheBenchChain r = {.capsules = capsules, .step = STEP, .sim_seconds = WINDOW * STEP};
    Case c = {0};
    LitheStatus status = open_case(&c, &r, error);
    // the unit before and after: the clock of the processor may change in between
    r.unit_ns = lithe_bench_unit_ns();
    if (status == LITHE_OK)
        status = time_window(&c, &r, error);
    if (status == LITHE_OK) {
        r.unit_ns = fmin(r.unit_ns, lithe_bench_unit_ns());
        r.cost_units = r.busy_seconds / (WINDOW * 1e-9 * r.unit_ns * capsules);
        r.peak_memory_bytes = (int64_t)lithe_context_peak_bytes(c.context);
        *result = r;
    }
    close_case(&c);
    return status;
}
