// SPDX-License-Identifier: Apache-2.0
// tests/run/test_surface_squeeze.c - ten closed surfaces, filled with tetrahedra and squeezed by
// ten per cent: every element stays positive and the body comes to rest

#include "advance/world.h"
#include "geom/surfaces.h"
#include "test.h"

#include "data/model.h"
#include "data/state.h"

#include <unistd.h>

static double low_z, high_z, size;

static void measure(const Surface *s) {
    Vec3 low = s->points[0], high = low;
    for (int32_t i = 0; i < s->point_count; i++) {
        Vec3 x = s->points[i];
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    low_z = low.z;
    high_z = high.z;
    size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

static void write_obj(const Surface *s, const char *path) {
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL))
        return;
    for (int32_t i = 0; i < s->point_count; i++)
        fprintf(file, "v %.17g %.17g %.17g\n", s->points[i].x, s->points[i].y, s->points[i].z);
    for (int32_t i = 0; i < s->triangle_count; i++)
        fprintf(file, "f %d %d %d\n", s->triangles[3 * i] + 1, s->triangles[3 * i + 1] + 1,
                s->triangles[3 * i + 2] + 1);
    fclose(file);
}

/// Smallest volume of an element over that at rest.
static double smallest_ratio(const LitheSolid *solid, const double *x) {
    LitheTetMesh now = solid->mesh;
    double smallest = INFINITY;
    now.nodes = calloc((size_t)now.node_count, sizeof *now.nodes);
    for (int32_t i = 0; i < now.node_count; i++)
        now.nodes[i] = v3_load(x + 3 * i);
    for (int32_t e = 0; e < now.element_count; e++)
        smallest = fmin(smallest, lithe_tet_mesh_element_volume(&now, e) /
                                      lithe_tet_mesh_element_volume(&solid->mesh, e));
    free(now.nodes);
    return smallest;
}

/// Squeezes the body of a surface between its top and its bottom, which are held.
static void squeeze(int kind) {
    char path[64];
    Surface s = make_surface(kind);
    snprintf(path, sizeof path, "/tmp/lithe-squeeze-%d.obj", (int)getpid());
    measure(&s);
    write_obj(&s, path);
    double band = 0.06 * (high_z - low_z);
    char text[1200];
    snprintf(text, sizeof text,
             "lithe: 1\ngravity: none\n"
             "time: {step: 20 ms, end: 10 s, scheme: backward-euler}\n"
             "materials: {m: {young: 100 kPa, poisson: 0.4, density: 1000 kg/m^3, "
             "damping: {mass: 20}}}\n"
             "solids: {it: {material: m, law: neo-hookean, mesh: {surface: {path: %s, "
             "resolution: %.17g}}}}\n"
             "sets:\n"
             "  top: {of: it, box: {from: [-1, -1, %.17g], to: [1, 1, 1]}}\n"
             "  bottom: {of: it, box: {from: [-1, -1, -1], to: [1, 1, %.17g]}}\n"
             "holds: {t: {on: top}, b: {on: bottom}}\n",
             path, size / 10, high_z - band, low_z + band);
    World w = {.context = lithe_context_create(NULL)};
    LitheError error = {0};
    w.ok = lithe_scene_parse(w.context, text, strlen(text), "scene", "/tmp", NULL, 0, &w.scene,
                             &error) == LITHE_OK &&
           lithe_compile(w.scene, &w.model, &w.state, &error) == LITHE_OK;
    if (CHECK(w.ok))
        w.work = lithe_work_create(w.model, 1);
    else
        printf("  %s: %s\n", surface_names[kind], error.text);
    if (w.ok) {
        const LitheSolid *solid = &w.model->solids[0];
        double *q = w.state->q + w.model->units[solid->unit].q_at;
        for (int32_t i = 0; i < solid->mesh.node_count; i++)
            q[3 * i + 2] *= 0.9;
        world_step(&w, 30);
        CHECK(w.unconverged == 0);
        double ratio = smallest_ratio(solid, q), fastest = 0;
        const double *v = w.state->v + w.model->units[solid->unit].v_at;
        for (int32_t i = 0; i < 3 * solid->mesh.node_count; i++)
            fastest = fmax(fastest, fabs(v[i]));
        if (getenv("SHOW"))
            printf("  %s: %d nodes, smallest volume %.3f, fastest %.3g m/s\n", surface_names[kind],
                   solid->mesh.node_count, ratio, fastest);
        CHECK(ratio > 0.5);
        CHECK(fastest < 1e-3);
    }
    world_end(&w);
    unlink(path);
    surface_free(&s);
}

LONG_TEST(ten_filled_surfaces_are_squeezed_by_ten_per_cent_without_inversion) {
    for (int kind = 0; kind < SURFACE_COUNT; kind++)
        squeeze(kind);
}
