// SPDX-License-Identifier: Apache-2.0
// bench/mesh.c - the mesh cases: cost of the linear algebra of solids and shells
//
// A factorisation with nothing touched, then with the vertices of a face touched, then with those
// of a patch. Times are the best of the repeats: processor time, with several threads wall time.

#include "base/clock.h"
#include "base/status.h"
#include "base/threads.h"
#include "bench/mesh_case.h"
#include "bench/unit.h"
#include "bench/world.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 5, QUICK = 4 }; // an analysis or a factorisation; QUICK as many of the others

typedef struct Times {
    double analyse, factor, refactor, solve, error;
} Times;

// with --steps: once, to see that it runs
static int32_t repeats(const LitheBenchSetting *setting) {
    return setting->max_steps > 0 ? 1 : REPEATS;
}

static double now(const LitheBenchSetting *setting) {
    return setting->threads > 1 ? lithe_clock() : lithe_bench_busy();
}

static void lap(const LitheBenchSetting *setting, double *since, double *best) {
    double time = now(setting);
    *best = fmin(*best, time - *since);
    *since = now(setting);
}

// analysis with `count` touched vertices; another pattern of these in between, so that the analysis
// is not skipped
static bool time_analysis(const LitheBenchSetting *setting, LitheMeshCase *c, LitheBlockFactor *f,
                          const int32_t *touched, int32_t count, Times *t) {
    for (int32_t i = 0; i < repeats(setting); i++) {
        int32_t other = c->m->count - 1;
        if (!lithe_block_analyse_fronts(f, c->m, c->order, &other, count == 0 ? 1 : 0))
            return false;
        double since = now(setting);
        if (!lithe_block_analyse_fronts(f, c->m, c->order, touched, count))
            return false;
        lap(setting, &since, &t->analyse);
    }
    return true;
}

static bool time_numbers(const LitheBenchSetting *setting, LitheMeshCase *c, LitheBlockFactor *f,
                         const int32_t *touched, int32_t count, Times *t) {
    LitheBlockPivots pivots;
    bool good = true;
    for (int32_t i = 0; good && i < repeats(setting); i++) {
        double since = now(setting);
        good = lithe_block_factor_numeric(f, c->m, LITHE_PIVOT_POSITIVE, &pivots);
        lap(setting, &since, &t->factor);
    }
    for (int32_t i = 0; good && i < QUICK * repeats(setting); i++) {
        double since = now(setting);
        good = lithe_block_refactor(f, c->m, touched, count, LITHE_PIVOT_POSITIVE, &pivots);
        lap(setting, &since, &t->refactor);
    }
    for (int32_t i = 0; good && i < QUICK * repeats(setting); i++) {
        memcpy(c->x, c->b, sizeof *c->x * (size_t)c->m->at[c->m->count]);
        double since = now(setting);
        lithe_block_solve(f, c->x);
        lap(setting, &since, &t->solve);
    }
    t->error = lithe_block_backward_error(c->m, c->x, c->b, c->work);
    return good;
}

static void report(const LitheBenchSetting *setting, const LitheMeshCase *c,
                   const LitheBlockFactor *f, const Times t[3], double unit_ns,
                   LitheBenchResult *result) {
    double cost = 1e9 * (t[0].factor + t[0].solve) / unit_ns / c->m->count;
    double error = fmax(t[0].error, fmax(t[1].error, t[2].error));
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"dofs", c->m->at[c->m->count]},
        {"threads", setting->threads},
        {"nodes", c->m->count},
        {"wall_seconds", t[0].factor + t[0].solve},
        {"unit_ns", unit_ns},
        {"cost_units", cost},
        {"factor_units", cost},
        {"order_seconds", c->order_seconds},
        {"analyse_seconds", t[0].analyse},
        {"factor_seconds", t[0].factor},
        {"solve_seconds", t[0].solve},
        {"face_analyse_seconds", t[1].analyse},
        {"face_factor_seconds", t[1].factor},
        {"refactor_seconds", t[1].refactor},
        {"patch_analyse_seconds", t[2].analyse},
        {"patch_factor_seconds", t[2].factor},
        {"patch_refactor_seconds", t[2].refactor},
        {"factor_values", (double)lithe_block_factor_values(f)},
        {"backward_error", error},
        {"peak_memory_bytes", (double)lithe_context_peak_bytes(c->context)},
        {"repeats", repeats(setting)},
    };
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
        lithe_bench_set(result, figures[k].name, figures[k].value);
}

static LitheStatus time_case(const LitheBenchSetting *setting, LitheMeshCase *c,
                             LitheBlockFactor *f, LitheBenchResult *result, LitheError *error) {
    const struct {
        const int32_t *list;
        int32_t count;
    } touched[3] = {{c->patch, 0}, {c->face, c->face_count}, {c->patch, c->patch_count}};
    Times times[3];
    double unit = lithe_bench_unit_ns();
    for (int32_t k = 2; k >= 0; k--) {
        times[k] = (Times){INFINITY, INFINITY, INFINITY, INFINITY, 0};
        if (!time_analysis(setting, c, f, touched[k].list, touched[k].count, &times[k]))
            return lithe_fail_memory(error, "the benchmark");
        if (!time_numbers(setting, c, f, touched[k].list, touched[k].count, &times[k]))
            return lithe_fail(error, LITHE_CANNOT_GO_ON,
                              "a pivot of the benchmark is not positive");
    }
    report(setting, c, f, times, fmin(unit, lithe_bench_unit_ns()), result);
    return LITHE_OK;
}

static LitheStatus bench(const LitheBenchSetting *setting, bool shell, LitheBenchResult *result,
                         LitheError *error) {
    LitheContext *context = lithe_context_create(NULL);
    if (!context)
        return lithe_fail_memory(error, "the benchmark");
    LitheMeshCase c = {.context = context};
    LitheBlockFactor *f = lithe_block_factor_create(context);
    LithePool *pool = lithe_pool_create(context, setting->threads);
    LitheStatus status = LITHE_NO_MEMORY;
    if (f && pool && lithe_mesh_case_open(&c, context, setting->count, shell)) {
        lithe_block_factor_pool(f, pool);
        status = time_case(setting, &c, f, result, error);
    } else {
        lithe_fail_memory(error, "the benchmark");
    }
    lithe_mesh_case_close(&c);
    lithe_block_factor_destroy(f);
    lithe_pool_destroy(pool);
    lithe_context_destroy(context);
    return status;
}

LitheStatus lithe_bench_mesh(const LitheBenchSetting *setting, LitheBenchResult *result,
                             LitheError *error) {
    return bench(setting, false, result, error);
}

LitheStatus lithe_bench_shell(const LitheBenchSetting *setting, LitheBenchResult *result,
                              LitheError *error) {
    return bench(setting, true, result, error);
}
