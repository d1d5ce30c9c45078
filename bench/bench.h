// SPDX-License-Identifier: Apache-2.0
// bench/bench.h - the benchmark cases: what each is asked and what it tells

#ifndef LITHE_BENCH_BENCH_H
#define LITHE_BENCH_BENCH_H

#include "lithe/lithe.h"

enum { LITHE_BENCH_FIGURES = 48, LITHE_BENCH_SETS = 4 };

/// What a case is; only what its kind needs.
typedef struct LitheBenchSetting {
    int32_t count;                      // how large: nodes, rods, capsules, spots ..
    const char *scene;                  // name of a scene
    double until;                       // of a scene, simulated [s]
    const char *sets[LITHE_BENCH_SETS]; // changes of a scene, as of lithe run --set; NULL ends
    bool optional;                      // left out when this version does not know what is set
    const char *folder;                 // where scenes are
    int32_t threads;
    int32_t max_steps; // of scenes, chains, spots and tangles: no more than this; 0: all
} LitheBenchSetting;

typedef struct LitheBenchFigure {
    const char *name; // lives as long as the program
    double value;     // NAN: not of this case
} LitheBenchFigure;

/// What a case tells: the figures that all cases have, in their order, then its own. Names with
/// "stages." belong to one object.
typedef struct LitheBenchResult {
    LitheBenchFigure figures[LITHE_BENCH_FIGURES];
    int32_t count;
    uint64_t hash; // of the state at the end; 0: none
} LitheBenchResult;

/// All figures that every case has, none of them known.
void lithe_bench_begin(LitheBenchResult *result);

/// Sets a figure, new ones at the end of what they belong to.
void lithe_bench_set(LitheBenchResult *result, const char *name, double value);

/// NAN: there is none.
double lithe_bench_get(const LitheBenchResult *result, const char *name);

/// The stages of a step from their seconds [LITHE_STAGE_COUNT].
void lithe_bench_set_stages(LitheBenchResult *result, const double *seconds);

// --- the cases -----------------------------------------------------------------------------------
// each fills a result that has begun

typedef LitheStatus LitheBenchFn(const LitheBenchSetting *setting, LitheBenchResult *result,
                                 LitheError *error);

LitheBenchFn lithe_bench_rod;     // count: nodes
LitheBenchFn lithe_bench_collide; // count: rods
LitheBenchFn lithe_bench_rings;
LitheBenchFn lithe_bench_knotted_rod;
LitheBenchFn lithe_bench_chain; // count: capsules
LitheBenchFn lithe_bench_scene;
LitheBenchFn lithe_bench_spots;  // count: spots
LitheBenchFn lithe_bench_tangle; // count: rods
LitheBenchFn lithe_bench_imc;    // count: unknotting number

/// Whether this version knows what a scene case sets.
bool lithe_bench_scene_is_known(const LitheBenchSetting *setting);

#endif
