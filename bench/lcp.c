// SPDX-License-Identifier: Apache-2.0
// bench/lcp.c - the case lcp-arm: one complementarity problem of a soft arm on a slope, from the
// choice of independent contacts to the recheck of the others
//
// Timed is each step of scenes/soft-arm-slope.yaml from 0.4 s on, once with the impulses of the
// last step as a start and once from zero; medians.

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "bench/unit.h"
#include "bench/world.h"

#include <limits.h>
#include <stdio.h>

enum { FIRST = 400, STEPS = 600 };

static LitheStatus run(const LitheBenchSetting *setting, bool warm, double *seconds,
                       double *contacts, LitheError *error) {
    char path[PATH_MAX + 100];
    const char *sets[] = {warm ? "contact.lcp.warm-start=true" : "contact.lcp.warm-start=false"};
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheWork *work = NULL;
    double times[STEPS], sum = 0;
    if (!context)
        return lithe_fail_memory(error, "a context");
    snprintf(path, sizeof path, "%s/%s.yaml", setting->folder, setting->scene);
    LitheStatus status = lithe_scene_load(context, path, sets, 1, &scene, error);
    if (status == LITHE_OK)
        status = lithe_compile(scene, &model, &state, error);
    if (status == LITHE_OK && !(work = lithe_work_create(model, 1)))
        status = lithe_fail_memory(error, "a work");
    for (int32_t k = 0; status == LITHE_OK && k < FIRST + STEPS; k++) {
        LitheReport report;
        double before = lithe_work_seconds(work, LITHE_STAGE_LINE_SEARCH);
        status = lithe_step(model, state, work, &report, error);
        if (k < FIRST)
            continue;
        times[k - FIRST] = lithe_work_seconds(work, LITHE_STAGE_LINE_SEARCH) - before;
        sum += report.contacts;
    }
    if (status == LITHE_OK) {
        *seconds = lithe_bench_median(times, STEPS);
        *contacts = sum / STEPS;
    }
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return status;
}

LitheStatus lithe_bench_lcp(const LitheBenchSetting *setting, LitheBenchResult *result,
                            LitheError *error) {
    double warm, cold, contacts, unit = lithe_bench_unit_ns();
    LitheStatus status = run(setting, true, &warm, &contacts, error);
    if (status == LITHE_OK)
        status = run(setting, false, &cold, &contacts, error);
    if (status != LITHE_OK)
        return status;
    lithe_bench_set(result, "contacts_mean", contacts);
    lithe_bench_set(result, "unit_ns", unit);
    lithe_bench_set(result, "warm_seconds", warm);
    lithe_bench_set(result, "cold_seconds", cold);
    lithe_bench_set(result, "warm_units", 1e9 * warm / unit);
    lithe_bench_set(result, "cold_units", 1e9 * cold / unit);
    return LITHE_OK;
}
