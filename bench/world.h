// SPDX-License-Identifier: Apache-2.0
// bench/world.h - a scene that is stepped repeatedly from the same state

#ifndef LITHE_BENCH_WORLD_H
#define LITHE_BENCH_WORLD_H

#include "bench/bench.h"

typedef struct LitheBenchWorld {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *start; // after the warm-up
    LitheState *state;
    LitheWork *work;
    size_t bytes; // of model, state and work after creation
} LitheBenchWorld;

/// Sums over steps.
typedef struct LitheBenchSteps {
    int32_t steps;
    int64_t newton, solver, passes, contacts;
    int32_t contacts_max;
    double wall, busy;                // s; busy is processor time, with several threads wall time
    double stages[LITHE_STAGE_COUNT]; // s
} LitheBenchSteps;

/// Seconds of processor time of all threads. Costs are measured in it, so that other programs on
/// the machine hardly matter.
double lithe_bench_busy(void);

/// Context and an empty scene.
LitheStatus lithe_bench_world_begin(LitheBenchWorld *world, LitheError *error);
/// Compiles the scene; the start is the state after `warm_up` steps.
LitheStatus lithe_bench_world_open(LitheBenchWorld *world, int32_t threads, int32_t warm_up,
                                   LitheError *error);
void lithe_bench_world_close(LitheBenchWorld *world);

/// Makes `count` steps from the start; their sums go to `out`.
LitheStatus lithe_bench_world_steps(LitheBenchWorld *world, int32_t threads, int32_t count,
                                    LitheBenchSteps *out, LitheError *error);

/// Number of repeats of something that takes `seconds`, for about a second in total.
int32_t lithe_bench_repeats(double seconds, int32_t fewest, int32_t max);

/// Sorts.
double lithe_bench_median(double *values, int32_t count);

/// Uniform in [low, high); splitmix.
double lithe_bench_draw(uint64_t *seed, double low, double high);

#endif
