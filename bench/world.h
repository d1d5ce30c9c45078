// SPDX-License-Identifier: Apache-2.0
// bench/world.h - a scene that is stepped from the same state again and again

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
    size_t bytes; // of model, state and work once made
} LitheBenchWorld;

/// What steps did.
typedef struct LitheBenchSteps {
    int32_t steps;
    int64_t newton, solver, passes, contacts;
    int32_t contacts_max;
    double wall, busy;                // s; busy is processor time, with several threads wall time
    double stages[LITHE_STAGE_COUNT]; // s
} LitheBenchSteps;

/// Seconds of processor time of all threads. Costs are counted in it, so that other programs on the
/// machine hardly matter.
double lithe_bench_busy(void);

/// Context and an empty scene.
LitheStatus lithe_bench_world_begin(LitheBenchWorld *world, LitheError *error);
/// The model of the scene, and the state after `warm_up` steps as its start.
LitheStatus lithe_bench_world_open(LitheBenchWorld *world, int32_t threads, int32_t warm_up,
                                   LitheError *error);
void lithe_bench_world_close(LitheBenchWorld *world);

/// `count` steps from the start; what they did into `out`.
LitheStatus lithe_bench_world_steps(LitheBenchWorld *world, int32_t threads, int32_t count,
                                    LitheBenchSteps *out, LitheError *error);

/// How often something that takes `seconds` is to be repeated, so that it takes a second or so.
int32_t lithe_bench_repeats(double seconds, int32_t fewest, int32_t max);

/// Sorts.
double lithe_bench_median(double *values, int32_t count);

/// In [low, high); splitmix.
double lithe_bench_draw(uint64_t *seed, double low, double high);

#endif
