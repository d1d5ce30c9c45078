// SPDX-License-Identifier: Apache-2.0
// bench/collide.c - timing of the collide cases

#include "bench/collide.h"

#include "base/status.h"
#include "bench/unit.h"
#include "collide/collide.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { EDGES = 100, REPEATS = 15 };
#define EDGE 0.01
#define RADIUS 0.005
#define MARGIN 0.001
// of the box, a rod [m^3]
#define ROOM 1e-3

// --- the crowd -----------------------------------------------------------------------------------

// splitmix, in [low, high)
static double draw(uint64_t *s, double low, double high) {
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static Vec3 draw_vec(uint64_t *s, double low, double high) {
    double x = draw(s, low, high), y = draw(s, low, high);
    return v3(x, y, draw(s, low, high));
}

// a walk of equal steps that turns a little at each node and bounces off the walls
static void wind(uint64_t *s, int32_t count, double side, double *q) {
    Vec3 x = draw_vec(s, 0, side), t = v3_unit(draw_vec(s, -1, 1));
    for (int32_t i = 0; i < count; i++) {
        double p[3], d[3];
        v3_store(x, q + 4 * (int64_t)i);
        v3_store(x, p);
        v3_store(v3_unit(v3_axpy(0.2, draw_vec(s, -1, 1), t)), d);
        for (int k = 0; k < 3; k++)
            if ((p[k] < 0 && d[k] < 0) || (p[k] > side && d[k] > 0))
                d[k] = -d[k];
        t = v3_load(d);
        x = v3_axpy(EDGE, t, x);
    }
}

static LitheScene *make_scene(LitheContext *context, int32_t rods) {
    LitheScene *scene = lithe_scene_create(context);
    if (!scene)
        return NULL;
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    LitheRodDef rod = lithe_rod_def_default();
    rod.material = lithe_scene_add_material(scene, &rubber);
    rod.section.radius = RADIUS;
    rod.nodes = EDGES + 1;
    rod.shape.to = (LitheVec3){EDGE * EDGES, 0, 0};
    for (int32_t i = 0; i < rods; i++) {
        char name[32];
        snprintf(name, sizeof name, "rod%d", (int)i);
        rod.name = name;
        if (lithe_scene_add_rod(scene, &rod).number == 0) {
            lithe_scene_destroy(scene);
            return NULL;
        }
    }
    return scene;
}

// --- timing --------------------------------------------------------------------------------------

static double busy(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, REPEATS, sizeof *values, by_size);
    return values[REPEATS / 2];
}

static LitheStatus time_search(const LitheModel *model, const LitheState *state,
                               LitheContacts *contacts, LitheBenchCollide *r, LitheError *error) {
    double all[REPEATS], proxies[REPEATS], broad[REPEATS], narrow[REPEATS];
    LitheCollideOptions options = {.margin = MARGIN};
    LitheStatus status = lithe_collide(model, state, &options, contacts, error);
    for (int i = 0; status == LITHE_OK && i < REPEATS; i++) {
        double t0 = busy();
        status = lithe_collide(model, state, &options, contacts, error);
        double t1 = busy();
        bool warm = lithe_collide_proxies(model, state, &options, contacts);
        double t2 = busy();
        warm = warm && lithe_collide_pairs(model, MARGIN, contacts);
        double t3 = busy();
        warm = warm && lithe_collide_narrow(model, state, &options, contacts);
        double t4 = busy();
        if (!warm)
            return lithe_fail_memory(error, "the benchmark");
        all[i] = t1 - t0;
        proxies[i] = t2 - t1;
        broad[i] = t3 - t2;
        narrow[i] = t4 - t3;
    }
    if (status != LITHE_OK)
        return status;
    r->seconds = median(all);
    r->proxies = median(proxies);
    r->broad = median(broad);
    r->narrow = median(narrow);
    r->pairs = contacts->pair_count;
    r->contacts = contacts->count;
    return LITHE_OK;
}

LitheStatus lithe_bench_collide(int32_t rods, LitheBenchCollide *result, LitheError *error) {
    LitheBenchCollide r = {.rods = rods, .segments = (int64_t)rods * EDGES, .repeats = REPEATS};
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = context ? make_scene(context, rods) : NULL;
    LitheContacts *contacts = context ? lithe_contacts_create(context) : NULL;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheStatus status = scene && contacts ? lithe_compile(scene, &model, &state, error)
                                           : lithe_fail_memory(error, "the benchmark");
    uint64_t seed = 1;
    for (int32_t i = 0; status == LITHE_OK && i < rods; i++)
        wind(&seed, EDGES + 1, cbrt(ROOM * rods), state->q + model->rods[i].dof_at);
    double before = lithe_bench_unit_ns();
    if (status == LITHE_OK)
        status = time_search(model, state, contacts, &r, error);
    if (status == LITHE_OK) {
        r.unit_ns = 0.5 * (before + lithe_bench_unit_ns());
        r.cost_units = r.seconds * 1e9 / r.unit_ns / (double)r.segments;
        r.narrow_units = r.narrow * 1e9 / r.unit_ns / (double)r.pairs;
        r.peak_memory_bytes = (int64_t)lithe_context_peak_bytes(context);
        *result = r;
    }
    lithe_contacts_destroy(contacts);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    if (context)
        lithe_context_destroy(context);
    return status;
}
