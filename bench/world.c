// SPDX-License-Identifier: Apache-2.0
// bench/world.c - a scene that is stepped repeatedly from the same state

#include "bench/world.h"

#include "base/clock.h"
#include "base/status.h"

#include <stdlib.h>
#include <time.h>

// total time of the repeats of a case [s]
#define WANTED_SECONDS 1.0

double lithe_bench_busy(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

LitheStatus lithe_bench_world_begin(LitheBenchWorld *world, LitheError *error) {
    world->context = lithe_context_create(NULL);
    world->scene = world->context ? lithe_scene_create(world->context) : NULL;
    return world->scene ? LITHE_OK : lithe_fail_memory(error, "the benchmark");
}

LitheStatus lithe_bench_world_open(LitheBenchWorld *world, int32_t threads, int32_t warm_up,
                                   LitheError *error) {
    size_t before = lithe_context_bytes(world->context);
    LitheStatus status = lithe_compile(world->scene, &world->model, &world->state, error);
    if (status != LITHE_OK)
        return status;
    world->work = lithe_work_create(world->model, threads);
    if (!world->work)
        return lithe_fail_memory(error, "the benchmark");
    world->bytes = lithe_context_bytes(world->context) - before;
    for (int32_t i = 0; status == LITHE_OK && i < warm_up; i++)
        status = lithe_step(world->model, world->state, world->work, NULL, error);
    if (status != LITHE_OK)
        return status;
    world->start = lithe_state_copy(world->state);
    return world->start ? LITHE_OK : lithe_fail_memory(error, "the benchmark");
}

void lithe_bench_world_close(LitheBenchWorld *world) {
    lithe_work_destroy(world->work);
    lithe_state_destroy(world->start);
    lithe_state_destroy(world->state);
    lithe_model_destroy(world->model);
    lithe_scene_destroy(world->scene);
    if (world->context)
        lithe_context_destroy(world->context);
}

LitheStatus lithe_bench_world_steps(LitheBenchWorld *world, int32_t threads, int32_t count,
                                    LitheBenchSteps *out, LitheError *error) {
    LitheBenchSteps sum = {.steps = count};
    LitheStatus status = LITHE_OK;
    lithe_state_set(world->state, lithe_state_data(world->start));
    for (int32_t i = 0; i < LITHE_STAGE_COUNT; i++)
        sum.stages[i] = -lithe_work_seconds(world->work, (LitheStage)i);
    double start = lithe_clock(), start_busy = lithe_bench_busy();
    for (int32_t i = 0; status == LITHE_OK && i < count; i++) {
        LitheReport report = {0};
        status = lithe_step(world->model, world->state, world->work, &report, error);
        sum.newton += report.newton_iterations;
        sum.solver += report.solve_iterations;
        sum.passes += report.passes;
        sum.contacts += report.contacts;
        sum.contacts_max = report.contacts > sum.contacts_max ? report.contacts : sum.contacts_max;
    }
    sum.wall = lithe_clock() - start;
    // with several threads wall time counts
    sum.busy = threads > 1 ? sum.wall : lithe_bench_busy() - start_busy;
    for (int32_t i = 0; i < LITHE_STAGE_COUNT; i++)
        sum.stages[i] += lithe_work_seconds(world->work, (LitheStage)i);
    if (status == LITHE_OK)
        *out = sum;
    return status;
}

int32_t lithe_bench_repeats(double seconds, int32_t fewest, int32_t max) {
    double wanted = WANTED_SECONDS / (seconds > 1e-9 ? seconds : 1e-9);
    return wanted < fewest ? fewest : wanted > max ? max : (int32_t)wanted;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double lithe_bench_median(double *values, int32_t count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

double lithe_bench_draw(uint64_t *seed, double low, double high) {
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
