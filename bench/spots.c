// SPDX-License-Identifier: Apache-2.0
// bench/spots.c - rods that touch in many places: cost of the linear algebra per place
//
// Spots: two equal rubber rods (radius 2 mm, 1 MPa, 1000 kg/m^3, damping 10 1/s, friction 0.3) wind
// about each other in a flat braid along x and cross N times, every 4 cm; ten edges between two
// crossings. Their natural shapes overlap by 2 % of the diameter at each crossing, so that all
// contacts stay active. Only the number of crossings differs between the cases.
//
// Tangle: N such rods of 100 edges of 5 mm wind at random (seeded) through a box of 0.17 litre
// per rod without touching, and fly towards its centre at 1 m/s.
//
// No gravity; backward Euler, 1 ms, default tolerances, no recording; always from the same state.

#include "base/memory.h"
#include "base/status.h"
#include "bench/timed.h"
#include "data/system.h"
#include "geom/segment.h"

#include <math.h>
#include <stdio.h>

enum { EDGES_A_SPOT = 10, TANGLE_NODES = 101, TRIES = 200, FACTOR_REPEATS = 100 };

#define RADIUS 2e-3
#define STEP 1e-3
// of the braid: distance between crossings, half its width, half its height [m]
#define SPACING 0.04
#define HALF_WIDTH 8e-3
#define HALF_HEIGHT (0.98 * RADIUS)
// of the tangle: edge [m], volume per rod [m^3], min distance at the start [m], speed [m/s]
#define EDGE 5e-3
#define ROOM 1.7e-4
#define APART (2.2 * RADIUS)
#define SPEED 1.0
// angle between neighbouring edges of a rod of the tangle, to begin with [rad]
#define TURN 0.15

static LitheMaterialId begin_scene(LitheScene *scene) {
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    rubber.contact_stiffness = 1e5;
    rubber.damping_mass = 10;
    rubber.friction = 0.3;
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_BACKWARD_EULER;
    time.step = STEP;
    lithe_scene_set_time(scene, &time);
    lithe_scene_set_gravity(scene, (LitheVec3){0, 0, 0});
    return lithe_scene_add_material(scene, &rubber);
}

static bool add_rod(LitheScene *scene, LitheMaterialId material, const char *name,
                    const LitheVec3 *points, int32_t count, LitheVec3 velocity) {
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = name;
    rod.material = material;
    rod.section.radius = RADIUS;
    rod.shape.kind = LITHE_SHAPE_POLYLINE;
    rod.shape.points = points;
    rod.shape.point_count = count;
    rod.nodes = 0;
    rod.natural = LITHE_NATURAL_AS_SHAPED;
    rod.velocity = velocity;
    return lithe_scene_add_rod(scene, &rod).number != 0;
}

// --- spots ---------------------------------------------------------------------------------------

static LitheStatus fill_braid(LitheBenchWorld *w, int32_t spots, LitheError *error) {
    int32_t count = EDGES_A_SPOT * spots + 1;
    LitheMaterialId rubber = begin_scene(w->scene);
    LitheVec3 *points = lithe_alloc_array(w->context, count, sizeof *points);
    bool ok = points != NULL;
    for (int32_t side = 0; ok && side < 2; side++) {
        double sign = side == 0 ? 1 : -1;
        for (int32_t i = 0; i < count; i++) {
            // crossings in the middle of edges 5, 15, 25 ..
            double turn = M_PI * (i + 0.5) / EDGES_A_SPOT;
            points[i] = (LitheVec3){SPACING * i / EDGES_A_SPOT, sign * HALF_WIDTH * cos(turn),
                                    sign * HALF_HEIGHT * sin(turn)};
        }
        ok = add_rod(w->scene, rubber, side == 0 ? "one" : "other", points, count,
                     (LitheVec3){0, 0, 0});
    }
    lithe_free(w->context, points);
    return ok ? LITHE_OK : lithe_fail_memory(error, "the benchmark");
}

// Seconds of one factorisation and solution of the last matrix of the last step: the best of many,
// like the unit, so that other programs hardly matter.
static double time_factor(const LitheSystem *system, int32_t repeats) {
    double best = INFINITY;
    for (int32_t i = 0; i < repeats; i++) {
        LitheBlockPivots pivots;
        for (int32_t k = 0; k < system->dof_count; k++)
            system->spare[k] = 1;
        double start = lithe_bench_busy();
        lithe_block_factor_numeric(system->factor, system->matrix, LITHE_PIVOT_POSITIVE, &pivots);
        lithe_block_solve(system->factor, system->spare);
        best = fmin(best, lithe_bench_busy() - start);
    }
    return best;
}

// further figures of these cases: the size of L, and its cost per node and per spot
static void report_factor(const LitheBenchWorld *w, double spots, LitheBenchResult *result) {
    if (w->work->outcome.passes == 0)
        return;
    const LitheSystem *system = w->work->system;
    double seconds = time_factor(system, FACTOR_REPEATS);
    double units = 1e9 * seconds / lithe_bench_get(result, "unit_ns");
    lithe_bench_set(result, "factor_units", units / lithe_bench_get(result, "nodes"));
    lithe_bench_set(result, "spots", spots);
    lithe_bench_set(result, "factor_spot_units", units / spots);
    lithe_bench_set(result, "factor_seconds", seconds);
    lithe_bench_set(result, "factor_blocks", (double)lithe_block_factor_blocks(system->factor));
}

LitheStatus lithe_bench_spots(const LitheBenchSetting *setting, LitheBenchResult *result,
                              LitheError *error) {
    LitheBenchWorld w = {0};
    LitheStatus status = lithe_bench_world_begin(&w, error);
    if (status == LITHE_OK)
        status = fill_braid(&w, setting->count, error);
    LitheBenchTimed timed = {.warm_up = 20,
                             .window = 10,
                             .fewest = 3,
                             .max = 20,
                             .nodes = 2 * (EDGES_A_SPOT * (int64_t)setting->count + 1)};
    if (status == LITHE_OK)
        status = lithe_bench_timed(&w, setting, &timed, result, error);
    if (status == LITHE_OK)
        report_factor(&w, setting->count, result);
    lithe_bench_world_close(&w);
    return status;
}

// --- tangle --------------------------------------------------------------------------------------

typedef struct Tangle {
    Vec3 (*points)[TANGLE_NODES]; // [rods]
    double side;                  // of the box [m]
    uint64_t seed;
} Tangle;

static Vec3 draw_vec(uint64_t *seed, double low, double high) {
    double x = lithe_bench_draw(seed, low, high), y = lithe_bench_draw(seed, low, high);
    return v3(x, y, lithe_bench_draw(seed, low, high));
}

// whether the edge from node i of a rod to x keeps its distance from walls and earlier edges
static bool is_clear(const Tangle *t, int32_t rod, int32_t i, Vec3 x) {
    double p[3];
    v3_store(x, p);
    for (int k = 0; k < 3; k++)
        if (p[k] < 0 || p[k] > t->side)
            return false;
    for (int32_t r = 0; r <= rod; r++) {
        int32_t edges = r < rod ? TANGLE_NODES - 1 : i - 3;
        for (int32_t e = 0; e < edges; e++) {
            const Vec3 *other = t->points[r] + e;
            // far apart by their lengths alone
            if (v3_distance(x, other[0]) > APART + 2 * EDGE)
                continue;
            if (lithe_segment_closest(t->points[rod][i], x, other[0], other[1]).distance < APART)
                return false;
        }
    }
    return true;
}

// a walk of equal steps that turns a little at each node, more where needed
static bool walk(Tangle *t, int32_t rod) {
    Vec3 *x = t->points[rod], along = v3_unit(draw_vec(&t->seed, -1, 1));
    x[0] = draw_vec(&t->seed, 0, t->side);
    for (int32_t i = 0; i + 1 < TANGLE_NODES; i++) {
        int32_t tried = 0;
        Vec3 next, direction;
        do {
            double turn = TURN * (1 + 4.0 * tried / TRIES);
            direction = v3_unit(v3_axpy(turn, draw_vec(&t->seed, -1, 1), along));
            next = v3_axpy(EDGE, direction, x[i]);
        } while (!is_clear(t, rod, i, next) && ++tried < TRIES);
        if (tried == TRIES)
            return false;
        along = direction;
        x[i + 1] = next;
    }
    return true;
}

static LitheStatus fill_tangle(LitheBenchWorld *w, int32_t rods, LitheError *error) {
    Tangle t = {.side = cbrt(ROOM * rods), .seed = 1};
    LitheMaterialId rubber = begin_scene(w->scene);
    t.points = lithe_alloc_array(w->context, rods, sizeof *t.points);
    bool ok = t.points != NULL;
    for (int32_t i = 0; ok && i < rods; i++) {
        // a walk that ends in a corner begins again elsewhere
        while (!walk(&t, i))
            ;
        Vec3 inward =
            v3_sub(v3(0.5 * t.side, 0.5 * t.side, 0.5 * t.side), t.points[i][TANGLE_NODES / 2]);
        Vec3 velocity = v3_scale(SPEED, v3_unit(inward));
        char name[32];
        snprintf(name, sizeof name, "rod%d", (int)i);
        ok = add_rod(w->scene, rubber, name, t.points[i], TANGLE_NODES, velocity);
    }
    lithe_free(w->context, t.points);
    return ok ? LITHE_OK : lithe_fail_memory(error, "the benchmark");
}

LitheStatus lithe_bench_tangle(const LitheBenchSetting *setting, LitheBenchResult *result,
                               LitheError *error) {
    LitheBenchWorld w = {0};
    LitheStatus status = lithe_bench_world_begin(&w, error);
    if (status == LITHE_OK)
        status = fill_tangle(&w, setting->count, error);
    LitheBenchTimed timed = {.warm_up = 40,
                             .window = 20,
                             .fewest = 3,
                             .max = 20,
                             .nodes = setting->count * (int64_t)TANGLE_NODES};
    if (status == LITHE_OK)
        status = lithe_bench_timed(&w, setting, &timed, result, error);
    if (status == LITHE_OK)
        report_factor(&w, lithe_bench_get(result, "contacts_mean"), result);
    lithe_bench_world_close(&w);
    return status;
}
