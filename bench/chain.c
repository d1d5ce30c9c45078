// SPDX-License-Identifier: Apache-2.0
// bench/chain.c - the chain cases: cost of a step of a rope of rigid capsules
//
// N rubber capsules of 1 cm (radius 4 mm, 1 MPa, Poisson 0.5, 1000 kg/m^3) in a row along x, the
// start pinned, released from horizontal under 9.81 m/s^2; backward Euler, 1 ms, default
// tolerances, with contact detection. The first 100 steps are warm-up; the next 50 are timed,
// always from the same state, on one thread. Nothing is random. Only the number of capsules
// differs.

#include "bench/timed.h"
#include "math/quat.h"

#include <math.h>

// length of a capsule, the same for every number of them [m]
#define LENGTH 0.01
#define RADIUS 4e-3
#define STEP 1e-3

static LitheStatus fill_scene(LitheScene *scene, int32_t capsules, LitheError *error) {
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    rubber.contact_stiffness = 1e5;
    LitheChainDef chain = lithe_chain_def_default();
    chain.name = "rope";
    chain.material = lithe_scene_add_material(scene, &rubber);
    chain.radius = RADIUS;
    chain.capsules = capsules;
    chain.shape.to = (LitheVec3){LENGTH * capsules, 0, 0};
    chain.start = LITHE_CHAIN_PINNED;
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_BACKWARD_EULER;
    time.step = STEP;
    lithe_scene_set_time(scene, &time);
    return lithe_scene_add_chain(scene, &chain, error);
}

// the end of a capsule: side -1 or 1
static Vec3 end_of(const LitheBenchWorld *w, int32_t capsule, double side) {
    double pose[7];
    lithe_body_pose(w->model, w->state, (LitheBodyId){capsule + 1}, pose);
    Quat turn = {pose[3], pose[4], pose[5], pose[6]};
    return v3_axpy(0.5 * side * LENGTH, q4_rotate(turn, v3(0, 0, 1)), v3_load(pose));
}

// largest distance of attached ends, in lengths of a capsule
static double largest_gap(const LitheBenchWorld *w, int32_t capsules) {
    double gap = v3_norm(end_of(w, 0, -1));
    for (int32_t i = 0; i + 1 < capsules; i++)
        gap = fmax(gap, v3_distance(end_of(w, i, 1), end_of(w, i + 1, -1)));
    return gap / LENGTH;
}

LitheStatus lithe_bench_chain(const LitheBenchSetting *setting, LitheBenchResult *result,
                              LitheError *error) {
    LitheBenchWorld w = {0};
    LitheStatus status = lithe_bench_world_begin(&w, error);
    if (status == LITHE_OK)
        status = fill_scene(w.scene, setting->count, error);
    LitheBenchTimed timed = {
        .warm_up = 100, .window = 50, .fewest = 5, .max = 50, .nodes = setting->count};
    if (status == LITHE_OK)
        status = lithe_bench_timed(&w, setting, &timed, result, error);
    if (status == LITHE_OK)
        lithe_bench_set(result, "gap", largest_gap(&w, setting->count));
    lithe_bench_world_close(&w);
    return status;
}
