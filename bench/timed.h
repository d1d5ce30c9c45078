// SPDX-License-Identifier: Apache-2.0
// bench/timed.h - steps of a world from one state, timed as the best of repeats

#ifndef LITHE_BENCH_TIMED_H
#define LITHE_BENCH_TIMED_H

#include "bench/world.h"

typedef struct LitheBenchTimed {
    int32_t warm_up, window; // steps
    int32_t fewest, max;     // repeats
    int64_t nodes;           // divisor of costs
} LitheBenchTimed;

/// Opens the world, times it, and sets all common figures. A stage is the best of its repeats, too.
LitheStatus lithe_bench_timed(LitheBenchWorld *world, const LitheBenchSetting *setting,
                              const LitheBenchTimed *timed, LitheBenchResult *result,
                              LitheError *error);

/// Computes costs in units from seconds, stages, solver iterations and nodes of the result.
/// newton_units is an iteration of the coupled solve as a whole, factor_units its linear algebra
/// alone; both in processor time.
void lithe_bench_set_units(LitheBenchResult *result, double unit_ns, double steps, double solves);

#endif
