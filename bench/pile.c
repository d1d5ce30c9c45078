// SPDX-License-Identifier: Apache-2.0
// bench/pile.c - rods at rest on top of each other: cost of a step with many contacts that stay
//
// Pile: a coil of soft rope (radius 4 mm, 100 kPa, 1000 kg/m^3, friction 0.4, damped) of 6.5 turns,
// N nodes, falls into a heap on a floor and comes to rest. Bin: N rods of 21 nodes (1 MPa, else as
// the rope) lie in a box without a lid, in layers of four across each other; 20 have 148 contacts.
//
// Steps of 1 ms, default tolerances, no recording, one thread; timed from the same state, after the
// heap rests. Nothing is random.

#include "base/status.h"
#include "bench/timed.h"
#include "math/quat.h"

#include <math.h>
#include <stdio.h>

enum { ROD_NODES = 21, LAYER = 4 };

#define RADIUS 4e-3
#define STEP 1e-3
// Young's moduli [Pa]: the rope follows what it lies on, the rods touch where they cross
#define ROPE_YOUNG 1e5
#define ROD_YOUNG 1e6
// of the coil [m]
#define COIL_RADIUS 15e-3
#define PITCH 14e-3
#define TURNS 6.5
// of the box: width, distance of rods and layers [m]
#define WIDTH 0.11
#define SPACING 0.024
#define HEIGHT (2.2 * RADIUS)

static LitheMaterialId begin_scene(LitheScene *scene, const LitheBenchSetting *setting,
                                   double young) {
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    rubber.young = young;
    rubber.contact_stiffness = 500;
    rubber.contact_dissipation = 5;
    rubber.damping_mass = 2;
    rubber.damping_stiffness = 1e-3;
    rubber.friction = 0.4;
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = setting->staged ? LITHE_SCHEME_TR_BDF2 : LITHE_SCHEME_BACKWARD_EULER;
    time.step = STEP;
    lithe_scene_set_time(scene, &time);
    return lithe_scene_add_material(scene, &rubber);
}

// a half-space that ends at `at`, with its outward normal along the z axis turned by `turn`
static bool add_wall(LitheScene *scene, LitheMaterialId material, const char *name, LitheVec3 at,
                     Vec3 turn) {
    Quat q = q4_exp(turn);
    LitheGeomDef wall = lithe_geom_def_default();
    wall.kind = LITHE_GEOM_HALF_SPACE;
    wall.material = material;
    LitheBodyDef body = lithe_body_def_default();
    body.name = name;
    body.at = at;
    body.rotation = (LitheQuat){q.w, q.x, q.y, q.z};
    body.fixed = true;
    body.geoms = &wall;
    body.geom_count = 1;
    return lithe_scene_add_body(scene, &body).number != 0;
}

static LitheRodDef rope_of(LitheMaterialId material, const char *name, int32_t nodes) {
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = name;
    rod.material = material;
    rod.section.radius = RADIUS;
    rod.nodes = nodes;
    rod.natural = LITHE_NATURAL_AS_SHAPED;
    return rod;
}

static LitheStatus run(LitheBenchWorld *w, const LitheBenchSetting *setting, bool made,
                       int64_t nodes, LitheBenchResult *result, LitheError *error) {
    LitheBenchTimed timed = {.warm_up = 2000, .window = 50, .fewest = 5, .max = 50, .nodes = nodes};
    LitheStatus status = made ? LITHE_OK : lithe_fail_memory(error, "the benchmark");
    if (status == LITHE_OK)
        status = lithe_bench_timed(w, setting, &timed, result, error);
    lithe_bench_world_close(w);
    return status;
}

LitheStatus lithe_bench_pile(const LitheBenchSetting *setting, LitheBenchResult *result,
                             LitheError *error) {
    LitheBenchWorld w = {0};
    bool made = lithe_bench_world_begin(&w, error) == LITHE_OK;
    if (made) {
        LitheMaterialId rubber = begin_scene(w.scene, setting, ROPE_YOUNG);
        LitheRodDef rod = rope_of(rubber, "rope", setting->count);
        rod.shape.kind = LITHE_SHAPE_HELIX;
        rod.shape.radius = COIL_RADIUS;
        rod.shape.pitch = PITCH;
        rod.shape.turns = TURNS;
        rod.shape.at = (LitheVec3){0, 0, 5e-3};
        made = add_wall(w.scene, rubber, "floor", (LitheVec3){0, 0, 0}, v3(0, 0, 0)) &&
               lithe_scene_add_rod(w.scene, &rod).number != 0;
    }
    return run(&w, setting, made, setting->count, result, error);
}

// rods of a layer along x or y in turn, symmetric about the z axis
static bool add_layers(LitheScene *scene, LitheMaterialId rubber, int32_t count) {
    bool made = true;
    for (int32_t i = 0; made && i < count; i++) {
        int32_t layer = i / LAYER;
        double across = SPACING * (i % LAYER - 0.5 * (LAYER - 1)), z = RADIUS + HEIGHT * layer;
        double half = 0.5 * WIDTH - 2 * RADIUS;
        char name[16];
        snprintf(name, sizeof name, "rod%d", (int)i);
        LitheRodDef rod = rope_of(rubber, name, ROD_NODES);
        bool along_x = layer % 2 == 0;
        rod.shape.from = along_x ? (LitheVec3){-half, across, z} : (LitheVec3){across, -half, z};
        rod.shape.to = along_x ? (LitheVec3){half, across, z} : (LitheVec3){across, half, z};
        made = lithe_scene_add_rod(scene, &rod).number != 0;
    }
    return made;
}

LitheStatus lithe_bench_bin(const LitheBenchSetting *setting, LitheBenchResult *result,
                            LitheError *error) {
    LitheBenchWorld w = {0};
    bool made = lithe_bench_world_begin(&w, error) == LITHE_OK;
    if (made) {
        LitheMaterialId rubber = begin_scene(w.scene, setting, ROD_YOUNG);
        double half = 0.5 * WIDTH, right = 0.5 * M_PI;
        made = add_wall(w.scene, rubber, "floor", (LitheVec3){0, 0, 0}, v3(0, 0, 0)) &&
               add_wall(w.scene, rubber, "west", (LitheVec3){-half, 0, 0}, v3(0, right, 0)) &&
               add_wall(w.scene, rubber, "east", (LitheVec3){half, 0, 0}, v3(0, -right, 0)) &&
               add_wall(w.scene, rubber, "south", (LitheVec3){0, -half, 0}, v3(-right, 0, 0)) &&
               add_wall(w.scene, rubber, "north", (LitheVec3){0, half, 0}, v3(right, 0, 0)) &&
               add_layers(w.scene, rubber, setting->count);
    }
    return run(&w, setting, made, (int64_t)setting->count * ROD_NODES, result, error);
}
