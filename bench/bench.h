// SPDX-License-Identifier: Apache-2.0
// bench/bench.h - the benchmark cases: their parameters and results

#ifndef LITHE_BENCH_BENCH_H
#define LITHE_BENCH_BENCH_H

#include "lithe/lithe.h"

enum { LITHE_BENCH_FIGURES = 48, LITHE_BENCH_SETS = 4 };

/// Parameters of a case; each kind uses some of them.
typedef struct LitheBenchSetting {
    int32_t count;     // size: nodes, rods, capsules, spots ..
    const char *scene; // name of a scene
    double until;      // simulated time of a scene [s]
    const char
        *sets[LITHE_BENCH_SETS]; // overrides of a scene, as of lithe run --set; ends with NULL
    bool staged;                 // piles: the default scheme, TR-BDF2; else backward Euler
    bool optional;               // skipped when this version does not support the overrides
    const char *folder;          // folder of the scenes
    int32_t threads;
    int32_t repeats;   // of scenes: runs; 0: one
    int32_t max_steps; // of scenes, chains, spots and tangles: max steps; 0: all
} LitheBenchSetting;

typedef struct LitheBenchFigure {
    const char *name; // lives as long as the program
    double value;     // NAN: not available
} LitheBenchFigure;

/// Results of a case: the figures that every case has, in a fixed order, then those of this case
/// alone. Figures whose names begin with "stages." form one JSON object.
typedef struct LitheBenchResult {
    LitheBenchFigure figures[LITHE_BENCH_FIGURES];
    int32_t count;
    uint64_t hash; // of the state at the end; 0: none
} LitheBenchResult;

/// All common figures, as NAN.
void lithe_bench_begin(LitheBenchResult *result);

/// Sets a figure; a new one is added at the end, or, with the prefix "stages.", after the stages.
void lithe_bench_set(LitheBenchResult *result, const char *name, double value);

/// The value of a figure; NAN: there is none.
double lithe_bench_get(const LitheBenchResult *result, const char *name);

/// The stages of a step from their seconds [LITHE_STAGE_COUNT].
void lithe_bench_set_stages(LitheBenchResult *result, const double *seconds);

// --- the cases -----------------------------------------------------------------------------------
// each adds to an existing result

typedef LitheStatus LitheBenchFn(const LitheBenchSetting *setting, LitheBenchResult *result,
                                 LitheError *error);

LitheBenchFn lithe_bench_rod;     // count: nodes
LitheBenchFn lithe_bench_collide; // count: rods
LitheBenchFn lithe_bench_rings;
LitheBenchFn lithe_bench_knotted_rod;
LitheBenchFn lithe_bench_mesh;       // count: vertices of a side
LitheBenchFn lithe_bench_shell;      // count: vertices of a side
LitheBenchFn lithe_bench_plan;       // scene
LitheBenchFn lithe_bench_plan_parts; // scene
LitheBenchFn lithe_bench_solid;      // count: cells of a side
LitheBenchFn lithe_bench_solid_step; // count: nodes of a side
LitheBenchFn lithe_bench_chain;      // count: capsules
LitheBenchFn lithe_bench_scene;
LitheBenchFn lithe_bench_spots;  // count: spots
LitheBenchFn lithe_bench_tangle; // count: rods
LitheBenchFn lithe_bench_imc;    // count: unknotting number
LitheBenchFn lithe_bench_pile;   // count: nodes
LitheBenchFn lithe_bench_bin;    // count: rods
LitheBenchFn lithe_bench_patch;
LitheBenchFn lithe_bench_lcp;
LitheBenchFn lithe_bench_lcp_plates;

/// Whether this version supports the overrides of a scene case.
bool lithe_bench_scene_is_known(const LitheBenchSetting *setting);

#endif
