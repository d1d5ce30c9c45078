// SPDX-License-Identifier: Apache-2.0
// bench/result.c - the figures of a case, by name

#include "bench/bench.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

static const char *const common[] = {
    "dofs",           "step",
    "sim_seconds",    "wall_seconds",
    "busy_seconds",   "rate",
    "contacts_mean",  "contacts_max",
    "newton_mean",    "solver_mean",
    "passes_mean",    "threads",
    "nodes",          "unit_ns",
    "cost_units",     "newton_units",
    "factor_units",   "stages.collide",
    "stages.free",    "stages.assemble",
    "stages.factor",  "stages.line_search",
    "stages.certify", "stages.advance",
    "stages.record",  "pairs",
    "repeats",        "peak_memory_bytes",
};

void lithe_bench_begin(LitheBenchResult *result) {
    *result = (LitheBenchResult){0};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        result->figures[result->count++] = (LitheBenchFigure){common[i], NAN};
}

static int32_t find(const LitheBenchResult *result, const char *name) {
    for (int32_t i = 0; i < result->count; i++)
        if (strcmp(result->figures[i].name, name) == 0)
            return i;
    return -1;
}

void lithe_bench_set(LitheBenchResult *result, const char *name, double value) {
    int32_t at = find(result, name);
    if (at < 0) {
        LITHE_ASSERT(result->count < LITHE_BENCH_FIGURES);
        // stages stay together
        bool stage = strncmp(name, "stages.", 7) == 0;
        at = stage ? find(result, "stages.record") + 1 : result->count;
        LitheBenchFigure *place = result->figures + at;
        memmove(place + 1, place, (size_t)(result->count - at) * sizeof *place);
        result->count++;
    }
    result->figures[at] = (LitheBenchFigure){name, value};
}

double lithe_bench_get(const LitheBenchResult *result, const char *name) {
    int32_t at = find(result, name);
    return at < 0 ? NAN : result->figures[at].value;
}

void lithe_bench_set_stages(LitheBenchResult *result, const double *seconds) {
    for (int32_t i = LITHE_STAGE_NONE + 1; i < LITHE_STAGE_COUNT; i++)
        for (int32_t k = 0; k < result->count; k++) {
            const char *name = result->figures[k].name;
            if (strncmp(name, "stages.", 7) == 0 &&
                strcmp(name + 7, lithe_stage_name((LitheStage)i)) == 0)
                result->figures[k].value = seconds[i];
        }
}
