// SPDX-License-Identifier: Apache-2.0
// bench/collide.c - the collide cases: cost of finding the contacts of many rods
//
// N rubber rods (radius 5 mm) of 100 edges of 1 cm wind at random (seeded) through a box of one
// litre per rod: rods fill 1/13 of the volume for any N. Timed is one search for contacts with a
// margin of 1 mm in warm memory: processor time, median over repeats.

#include "collide/collide.h"
#include "base/status.h"
#include "bench/unit.h"
#include "bench/world.h"

#include <stdio.h>

enum { EDGES = 100, REPEATS = 15 };
#define EDGE 0.01
#define RADIUS 0.005
#define MARGIN 0.001
// volume of the box per rod [m^3]
#define ROOM 1e-3

// --- the rods ------------------------------------------------------------------------------------

static Vec3 draw_vec(uint64_t *s, double low, double high) {
    double x = lithe_bench_draw(s, low, high), y = lithe_bench_draw(s, low, high);
    return v3(x, y, lithe_bench_draw(s, low, high));
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
    rubber.contact_stiffness = 1e5;
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

static LitheStatus time_search(const LitheModel *model, const LitheState *state,
                               LitheContacts *contacts, LitheBenchResult *result,
                               LitheError *error) {
    double all[REPEATS], proxies[REPEATS], broad[REPEATS], narrow[REPEATS];
    LitheCollideOptions options = {.margin = MARGIN};
    LitheStatus status = lithe_collide(model, state, &options, contacts, error);
    for (int i = 0; status == LITHE_OK && i < REPEATS; i++) {
        double t0 = lithe_bench_busy();
        status = lithe_collide(model, state, &options, contacts, error);
        double t1 = lithe_bench_busy();
        bool warm = lithe_collide_proxies(model, state, &options, contacts);
        double t2 = lithe_bench_busy();
        warm = warm && lithe_collide_pairs(model, MARGIN, contacts, NULL) == LITHE_OK;
        double t3 = lithe_bench_busy();
        warm = warm && lithe_collide_narrow(model, state, &options, contacts);
        double t4 = lithe_bench_busy();
        if (!warm)
            return lithe_fail_memory(error, "the benchmark");
        all[i] = t1 - t0;
        proxies[i] = t2 - t1;
        broad[i] = t3 - t2;
        narrow[i] = t4 - t3;
    }
    if (status != LITHE_OK)
        return status;
    lithe_bench_set(result, "wall_seconds", lithe_bench_median(all, REPEATS));
    lithe_bench_set(result, "stages.collide", lithe_bench_get(result, "wall_seconds"));
    lithe_bench_set(result, "stages.proxies", lithe_bench_median(proxies, REPEATS));
    lithe_bench_set(result, "stages.broad", lithe_bench_median(broad, REPEATS));
    lithe_bench_set(result, "stages.narrow", lithe_bench_median(narrow, REPEATS));
    lithe_bench_set(result, "pairs", contacts->pair_count);
    lithe_bench_set(result, "contacts_mean", contacts->count);
    lithe_bench_set(result, "contacts_max", contacts->count);
    return LITHE_OK;
}

LitheStatus lithe_bench_collide(const LitheBenchSetting *setting, LitheBenchResult *result,
                                LitheError *error) {
    int32_t rods = setting->count;
    double segments = (double)rods * EDGES;
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
        status = time_search(model, state, contacts, result, error);
    if (status == LITHE_OK) {
        double unit_ns = 0.5 * (before + lithe_bench_unit_ns());
        lithe_bench_set(result, "dofs", 4 * (segments + rods) - rods);
        lithe_bench_set(result, "threads", 1);
        lithe_bench_set(result, "nodes", segments + rods);
        lithe_bench_set(result, "segments", segments);
        lithe_bench_set(result, "unit_ns", unit_ns);
        lithe_bench_set(result, "cost_units",
                        lithe_bench_get(result, "wall_seconds") * 1e9 / unit_ns / segments);
        lithe_bench_set(result, "pair_units",
                        lithe_bench_get(result, "stages.narrow") * 1e9 / unit_ns /
                            lithe_bench_get(result, "pairs"));
        lithe_bench_set(result, "peak_memory_bytes", (double)lithe_context_peak_bytes(context));
        lithe_bench_set(result, "repeats", REPEATS);
    }
    lithe_contacts_destroy(contacts);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    if (context)
        lithe_context_destroy(context);
    return status;
}
