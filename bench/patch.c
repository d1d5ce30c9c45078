// SPDX-License-Identifier: Apache-2.0
// bench/patch.c - the search for contact patches per polygon, and for contacts of edges on a
// cylinder
//
// Two soft balls of about a thousand tetrahedra each overlap in about two hundred polygons. A rod
// of 100 edges winds about a cylinder, which each edge touches at points.

#include "base/memory.h"
#include "base/status.h"
#include "bench/unit.h"
#include "bench/world.h"
#include "collide/collide.h"
#include "data/model.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 15, INNER = 8 };

static const char balls[] =
    "lithe: 1\n"
    "time: {step: 1 ms, end: 1 s}\n"
    "materials:\n"
    "  soft: {young: 1 MPa, density: 1000, contact: {patches: {modulus: 100 kPa, sectors: 20}}}\n"
    "bodies:\n"
    "  a: {material: soft, shape: {sphere: {radius: 50 mm}}}\n"
    "  b: {material: soft, shape: {sphere: {radius: 50 mm}}, at: [20 mm, 30 mm, 85 mm]}\n";

static const char coil[] =
    "lithe: 1\n"
    "time: {step: 1 ms, end: 1 s}\n"
    "materials: {m: {young: 1 MPa, density: 1000}}\n"
    "bodies: {post: {fixed: true, material: m, shape: {cylinder: {radius: 50 mm, length: 1}}}}\n"
    "rods:\n"
    "  rod: {material: m, section: {circle: {radius: 5 mm}}, nodes: 101, natural: {from: shape},\n"
    "    shape: {helix: {radius: 54.9 mm, pitch: 20 mm, turns: 5}}}\n";

typedef struct Search {
    double seconds; // of the narrow phase
    int32_t polygons, pairs, contacts;
    int32_t tets; // of all fields
    size_t bytes;
} Search;

static LitheStatus time_narrow(const LitheModel *model, const LitheState *state,
                               LitheContacts *contacts, Search *out, LitheError *error) {
    LitheCollideOptions options = {.margin = 0};
    LitheStatus status = lithe_collide(model, state, &options, contacts, error);
    double times[REPEATS];
    for (int i = 0; status == LITHE_OK && i < REPEATS; i++) {
        double start = lithe_bench_busy();
        for (int k = 0; k < INNER; k++)
            if (!lithe_collide_narrow(model, state, &options, contacts))
                return lithe_fail_memory(error, "the benchmark");
        times[i] = (lithe_bench_busy() - start) / INNER;
    }
    if (status != LITHE_OK)
        return status;
    out->seconds = lithe_bench_median(times, REPEATS);
    out->polygons = contacts->polygons;
    out->pairs = contacts->pair_count;
    out->contacts = contacts->count;
    for (int32_t i = 0; i < model->geom_count; i++)
        out->tets += model->geoms[i].field ? model->geoms[i].field->tet_count : 0;
    return LITHE_OK;
}

static LitheStatus search(const char *text, Search *out, LitheError *error) {
    LitheContext *context = lithe_context_create(NULL);
    LitheContacts *contacts = context ? lithe_contacts_create(context) : NULL;
    LitheScene *scene = NULL;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheStatus status = contacts ? lithe_scene_parse(context, text, strlen(text), "bench", NULL,
                                                      NULL, 0, &scene, error)
                                  : lithe_fail_memory(error, "the benchmark");
    if (status == LITHE_OK)
        status = lithe_compile(scene, &model, &state, error);
    if (status == LITHE_OK)
        status = time_narrow(model, state, contacts, out, error);
    out->bytes = context ? lithe_context_peak_bytes(context) : 0;
    lithe_contacts_destroy(contacts);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    if (context)
        lithe_context_destroy(context);
    return status;
}

LitheStatus lithe_bench_patch(const LitheBenchSetting *setting, LitheBenchResult *result,
                              LitheError *error) {
    (void)setting;
    Search patch = {0}, edges = {0};
    double before = lithe_bench_unit_ns();
    LitheStatus status = search(balls, &patch, error);
    if (status == LITHE_OK)
        status = search(coil, &edges, error);
    if (status != LITHE_OK)
        return status;
    double unit_ns = 0.5 * (before + lithe_bench_unit_ns());
    double polygon = patch.seconds / patch.polygons, edge = edges.seconds / edges.pairs;
    lithe_bench_set(result, "dofs", 12);
    lithe_bench_set(result, "nodes", 2);
    lithe_bench_set(result, "threads", 1);
    lithe_bench_set(result, "wall_seconds", patch.seconds);
    lithe_bench_set(result, "pairs", patch.pairs + edges.pairs);
    lithe_bench_set(result, "contacts_max", patch.contacts);
    lithe_bench_set(result, "tets", patch.tets);
    lithe_bench_set(result, "polygons", patch.polygons);
    lithe_bench_set(result, "polygon_seconds", polygon);
    lithe_bench_set(result, "edges", edges.pairs);
    lithe_bench_set(result, "edge_contacts", edges.contacts);
    lithe_bench_set(result, "edge_seconds", edge);
    lithe_bench_set(result, "unit_ns", unit_ns);
    lithe_bench_set(result, "cost_units", 1e9 * polygon / unit_ns);
    lithe_bench_set(result, "edge_units", 1e9 * edge / unit_ns);
    lithe_bench_set(result, "peak_memory_bytes", (double)patch.bytes);
    lithe_bench_set(result, "repeats", REPEATS);
    return LITHE_OK;
}
