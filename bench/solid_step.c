// SPDX-License-Identifier: Apache-2.0
// bench/solid_step.c - the case solid-27: steps of a free soft cube, and the memory of its run
//
// N^3 nodes, five linear tetrahedra a cell (1 MPa, Poisson's ratio 0.3, 1000 kg/m^3), which falls
// and turns; backward Euler, steps of 1 ms, law corotated-lagged: one factorisation a step.
//     factor_bytes  numbers of L
//     stored_bytes  L as it is stored, with padding and whole squares of pivots
//     solver_bytes  L, C and the scratch of the factorisation, sharing memory by lifetime
//     peak          model, state and work, too

#include "base/status.h"
#include "bench/timed.h"
#include "body/solid.h"
#include "sparse/block_parts.h"
#include "sparse/fronts.h"

static bool make_scene(LitheScene *scene, int32_t nodes) {
    LitheMaterialDef soft = lithe_material_def_default();
    soft.name = "soft";
    soft.young = 1e6;
    soft.poisson = 0.3;
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_BACKWARD_EULER;
    time.step = 1e-3;
    lithe_scene_set_time(scene, &time);
    LitheSolidDef cube = lithe_solid_def_default();
    cube.name = "cube";
    cube.material = lithe_scene_add_material(scene, &soft);
    cube.mesh.size = (LitheVec3){1, 1, 1};
    cube.mesh.divisions = (LitheVec3){nodes - 1, nodes - 1, nodes - 1};
    cube.angular_velocity = (LitheVec3){0, 0, 1};
    return cube.material.number > 0 && lithe_scene_add_solid(scene, &cube).number > 0;
}

static void set_memory(const LitheBenchWorld *world, LitheBenchResult *result) {
    const LitheBlockFactor *factor = lithe_solid_work(world->work, 0)->factor;
    const LitheFronts *fronts = factor->fronts;
    int64_t stored = 0;
    for (int32_t s = 0; s < fronts->count; s++)
        stored += (int64_t)lithe_front_rows(fronts, s) * fronts->w[s];
    double number = (double)sizeof(double);
    lithe_bench_set(result, "factor_bytes", number * (double)lithe_block_factor_values(factor));
    lithe_bench_set(result, "stored_bytes", number * (double)stored);
    lithe_bench_set(result, "solver_bytes", number * (double)fronts->value_capacity);
    lithe_bench_set(result, "solver_over_stored", (double)fronts->value_capacity / (double)stored);
}

LitheStatus lithe_bench_solid_step(const LitheBenchSetting *setting, LitheBenchResult *result,
                                   LitheError *error) {
    LitheBenchWorld world = {0};
    LitheBenchTimed timed = {.warm_up = 1,
                             .window = 1,
                             .fewest = setting->max_steps > 0 ? 1 : 3,
                             .max = setting->max_steps > 0 ? 1 : 3,
                             .nodes = (int64_t)setting->count * setting->count * setting->count};
    LitheStatus status = lithe_bench_world_begin(&world, error);
    if (status == LITHE_OK && !make_scene(world.scene, setting->count))
        status = lithe_fail_memory(error, "the benchmark");
    if (status == LITHE_OK)
        status = lithe_bench_timed(&world, setting, &timed, result, error);
    if (status == LITHE_OK)
        set_memory(&world, result);
    lithe_bench_world_close(&world);
    return status;
}
