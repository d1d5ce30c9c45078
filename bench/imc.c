// SPDX-License-Identifier: Apache-2.0
// bench/imc.c - a knot under the smooth contact potential: cost of one Newton iteration
//
// scenes/knot-imc.yaml (301 nodes, steps of 2.5 ms) with a knot of unknotting number N. After 1 s
// of pulling 40 steps are timed, always from the same state, without recording.

#include "base/status.h"
#include "bench/timed.h"
#include "scene/scene.h"

#include <limits.h>
#include <stdio.h>

enum { NODES = 301 };

static LitheStatus load(const LitheBenchSetting *setting, LitheBenchWorld *w, LitheError *error) {
    char path[PATH_MAX + 100], number[64];
    const char *sets[] = {number};
    LitheScene *scene;
    snprintf(path, sizeof path, "%s/knot-imc.yaml", setting->folder);
    snprintf(number, sizeof number, "parameters.number=%d", (int)setting->count);
    LitheStatus status = lithe_scene_load(w->context, path, sets, 1, &scene, error);
    if (status != LITHE_OK)
        return status;
    lithe_scene_destroy(w->scene);
    w->scene = scene;
    return LITHE_OK;
}

LitheStatus lithe_bench_imc(const LitheBenchSetting *setting, LitheBenchResult *result,
                            LitheError *error) {
    LitheBenchWorld w = {0};
    LitheStatus status = lithe_bench_world_begin(&w, error);
    if (status == LITHE_OK)
        status = load(setting, &w, error);
    LitheBenchTimed timed = {.warm_up = 400, .window = 40, .fewest = 5, .max = 20, .nodes = NODES};
    if (status == LITHE_OK)
        status = lithe_bench_timed(&w, setting, &timed, result, error);
    if (status == LITHE_OK) {
        double units = lithe_bench_get(result, "newton_units");
        double ns = lithe_bench_get(result, "unit_ns");
        lithe_bench_set(result, "iteration_seconds", 1e-9 * ns * units * NODES);
    }
    lithe_bench_world_close(&w);
    return status;
}
