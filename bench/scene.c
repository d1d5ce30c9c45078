// SPDX-License-Identifier: Apache-2.0
// bench/scene.c - included scenes as a whole, with certificate and recording
//
// Timed is one run from its first step to the finished recording, without loading and compiling.
// The recording goes to the folder for temporary files and is removed. Runs may be repeated: all
// have the same bits, so that each step has a least time over the runs, which other programs and
// guests of the same host did not lengthen.

#include "scene/scene.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "bench/timed.h"
#include "bench/unit.h"
#include "data/model.h"
#include "data/work.h"
#include "run/session.h"
#include "run/watch.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static LitheStatus load(const LitheBenchSetting *setting, LitheContext *context, LitheScene **scene,
                        LitheError *error) {
    char path[PATH_MAX + 100];
    int32_t sets = 0;
    while (sets < LITHE_BENCH_SETS && setting->sets[sets])
        sets++;
    snprintf(path, sizeof path, "%s/%s.yaml", setting->folder, setting->scene);
    return lithe_scene_load(context, path, setting->sets, sets, scene, error);
}

bool lithe_bench_scene_is_known(const LitheBenchSetting *setting) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheError error = {0};
    bool known = context && load(setting, context, &scene, &error) == LITHE_OK;
    lithe_scene_destroy(scene);
    if (context)
        lithe_context_destroy(context);
    return known;
}

// --- a folder for the recording ------------------------------------------------------------------

static bool make_folder(char folder[PATH_MAX]) {
    const char *base = getenv("TMPDIR");
    snprintf(folder, PATH_MAX, "%s/lithe-bench-XXXXXX", base && *base ? base : P_tmpdir);
    return mkdtemp(folder) != NULL;
}

// the run has removed its journal and checkpoint, unless it stopped early
static void remove_folder(const char *folder) {
    static const char *const names[] = {"run.h5", "run.h5.journal", "run.h5.checkpoint"};
    char path[PATH_MAX + 32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

// --- the run -------------------------------------------------------------------------------------

static int64_t node_count(const LitheModel *model) {
    int64_t nodes = model->body_count;
    for (int32_t i = 0; i < model->rod_count; i++)
        nodes += model->rods[i].node_count;
    for (int32_t i = 0; i < model->solid_count; i++)
        nodes += model->solids[i].mesh.node_count;
    return nodes;
}

// Wall times between the steps of a run: start, each step, finished recording.
typedef struct Laps {
    LitheContext *context;
    double *least; // [capacity] least time of each lap over all runs [s]
    int32_t capacity, count, at;
    double last; // clock at the end of the last lap
    bool failed; // out of memory
} Laps;

static void end_lap(Laps *laps) {
    double now = lithe_clock();
    if (laps->at == laps->count) {
        laps->failed = laps->failed || !LITHE_RESERVE(laps->context, laps->least, laps->capacity,
                                                      (int64_t)laps->count + 1);
        if (laps->failed)
            return;
        laps->least[laps->count++] = INFINITY;
    }
    laps->least[laps->at] = fmin(laps->least[laps->at], now - laps->last);
    laps->at++;
    laps->last = now;
}

static LitheStatus begin_watch(void *user, LitheSession *session, LitheError *error) {
    (void)user, (void)session, (void)error;
    return LITHE_OK;
}

static LitheWatchAnswer end_lap_between(void *user, LitheSession *session, bool at_end) {
    (void)session, (void)at_end;
    end_lap(user);
    return LITHE_WATCH_GO_ON;
}

static void end_watch(void *user, LitheSession *session, LitheStatus status,
                      const LitheError *error) {
    (void)user, (void)session, (void)status, (void)error;
}

static void report(const LitheSession *session, double wall, double busy, double unit_ns,
                   LitheBenchResult *result) {
    LitheSummary s;
    lithe_session_summary(session, &s);
    lithe_bench_set(result, "dofs", (double)s.dofs);
    lithe_bench_set(result, "step", session->step);
    lithe_bench_set(result, "sim_seconds", s.sim_seconds);
    lithe_bench_set(result, "wall_seconds", wall);
    lithe_bench_set(result, "busy_seconds", busy);
    lithe_bench_set(result, "rate", s.sim_seconds / wall);
    lithe_bench_set(result, "step_seconds", wall / (double)s.steps);
    lithe_bench_set(result, "contacts_mean", s.contacts_mean);
    lithe_bench_set(result, "contacts_max", (double)s.contacts_max);
    lithe_bench_set(result, "newton_mean", s.newton_mean);
    lithe_bench_set(result, "solver_mean", s.solve_mean);
    lithe_bench_set(result, "passes_mean", s.passes_mean);
    lithe_bench_set(result, "threads", session->def->threads);
    lithe_bench_set(result, "nodes", (double)node_count(session->model));
    lithe_bench_set_stages(result, s.stages);
    lithe_bench_set(result, "pairs", session->work->contacts->pair_count);
    lithe_bench_set(result, "repeats", 1);
    lithe_bench_set(result, "peak_memory_bytes", (double)s.peak_memory_bytes);
    lithe_bench_set(result, "steps", (double)s.steps);
    lithe_bench_set(result, "steps_cut", (double)s.steps_cut);
    lithe_bench_set(result, "frames", (double)s.frames);
    lithe_bench_set_units(result, unit_ns, (double)s.steps,
                          (double)session->totals.solve_iterations);
    result->hash = s.hash;
}

// One run. Its figures are kept when it is the fastest so far; `rate` is its own.
static LitheStatus run(const LitheBenchSetting *setting, const LitheScene *scene, const char *out,
                       Laps *laps, double *rate, LitheBenchResult *result, LitheError *error) {
    LitheSession session;
    LitheRunDef def = lithe_run_def_default();
    LitheWatch watch = {laps, begin_watch, end_lap_between, end_watch};
    def.threads = setting->threads;
    if (setting->repeats > 1)
        def.watch = &watch;
    double until = setting->until > 0 ? setting->until : scene->time.end;
    if (setting->max_steps > 0)
        until = fmin(until, setting->max_steps * scene->time.step);
    LitheStatus status = lithe_session_begin(&session, scene, &def, out, until, error);
    double unit_ns = lithe_bench_unit_ns();
    double start = lithe_clock(), start_busy = lithe_bench_busy();
    laps->at = 0;
    laps->last = start;
    if (status == LITHE_OK)
        status = lithe_session_start(&session, scene, error);
    if (status == LITHE_OK)
        status = lithe_session_loop(&session, error);
    double wall = lithe_clock() - start, busy = lithe_bench_busy() - start_busy;
    end_lap(laps);
    if (status == LITHE_OK) {
        uint64_t hash = result->hash;
        double best = lithe_bench_get(result, "rate");
        *rate = lithe_state_time(session.state) / wall;
        // the unit before and after: the clock rate of the processor may change in between
        if (!(*rate <= best))
            report(&session, wall, def.threads > 1 ? wall : busy,
                   fmin(unit_ns, lithe_bench_unit_ns()), result);
        if (hash && hash != lithe_state_hash(session.state))
            status = lithe_fail(error, LITHE_CANNOT_GO_ON,
                                "the state at the end differs between repeated runs: hash %016llx "
                                "and %016llx",
                                (unsigned long long)hash,
                                (unsigned long long)lithe_state_hash(session.state));
    }
    lithe_session_end(&session);
    return status;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report_repeats(const Laps *laps, double *rates, int32_t count,
                           LitheBenchResult *result) {
    double quiet = 0;
    for (int32_t i = 0; i < laps->count; i++)
        quiet += laps->least[i];
    qsort(rates, (size_t)count, sizeof *rates, by_size);
    lithe_bench_set(result, "repeats", count);
    lithe_bench_set(result, "rate_median", 0.5 * (rates[count / 2] + rates[(count - 1) / 2]));
    // laps and runs have clocks of their own: a run whose laps are all the least may look faster
    double rate = fmax(lithe_bench_get(result, "sim_seconds") / quiet, rates[count - 1]);
    lithe_bench_set(result, "rate_of_least_laps", rate);
}

static LitheStatus run_all(const LitheBenchSetting *setting, const LitheScene *scene,
                           const char *out, LitheContext *context, LitheBenchResult *result,
                           LitheError *error) {
    int32_t count = setting->repeats > 1 ? setting->repeats : 1;
    Laps laps = {.context = context};
    double *rates = lithe_alloc_array(context, count, sizeof *rates);
    LitheStatus status = rates ? LITHE_OK : lithe_fail_memory(error, "the benchmark");
    for (int32_t i = 0; status == LITHE_OK && i < count; i++)
        status = run(setting, scene, out, &laps, &rates[i], result, error);
    if (status == LITHE_OK && laps.failed)
        status = lithe_fail_memory(error, "the benchmark");
    if (status == LITHE_OK && count > 1)
        report_repeats(&laps, rates, count, result);
    lithe_free(context, laps.least);
    lithe_free(context, rates);
    return status;
}

LitheStatus lithe_bench_scene(const LitheBenchSetting *setting, LitheBenchResult *result,
                              LitheError *error) {
    char folder[PATH_MAX], out[PATH_MAX + 16];
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    if (!context)
        return lithe_fail_memory(error, "the benchmark");
    LitheStatus status = load(setting, context, &scene, error);
    if (status == LITHE_OK && !make_folder(folder)) {
        status = lithe_fail(error, LITHE_FILE_ERROR, "%s: no folder for the recording", folder);
    } else if (status == LITHE_OK) {
        snprintf(out, sizeof out, "%s/run.h5", folder);
        status = run_all(setting, scene, out, context, result, error);
        remove_folder(folder);
    }
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return status;
}
