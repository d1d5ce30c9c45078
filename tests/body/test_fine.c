// SPDX-License-Identifier: Apache-2.0
// tests/body/test_fine.c - fine surfaces that are carried by the tetrahedra of a coarse mesh

#include "test.h"

#include "body/egg.h"

#include "data/model.h"
#include "data/state.h"
#include "math/mat3.h"

static World egg(const char *more, bool inside_out) {
    char *surface = egg_surface(inside_out);
    World w = world_of("lithe: 1\ntime: {step: 1 ms, end: 1 s}\n"
                       "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                       "solids: {egg: {material: m, at: [0.3, 0.2, 0.1], %s, mesh: {surface: "
                       "{resolution: 4 cm, %s}}}}\n",
                       more, surface);
    free(surface);
    return w;
}

static Vec3 carried(const World *w, int32_t point) {
    const LitheSolidPlace *place = &w->model->solids[0].fine.places[point];
    Vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < 4; k++)
        sum = v3_axpy(place->weight[k], v3_load(w->state->q + 3 * place->node[k]), sum);
    return sum;
}

TEST(a_fine_surface_is_where_it_was_given_and_follows_its_solid) {
    static const Mat3 F = {{{1.2, 0.3, 0}, {-0.1, 0.9, 0.2}, {0.05, 0, 1.1}}};
    World w = egg("fine: true", false);
    const LitheFineSurface *fine = w.ok ? &w.model->solids[0].fine : NULL;
    if (w.ok && CHECK(fine->point_count == 2 + (RINGS - 1) * AROUND)) {
        CHECK_TEXT(fine->name, "egg-fine");
        CHECK(v3_distance(carried(&w, 0), v3(0.3, 0.2, 0.16)) < 1e-12);
        CHECK(v3_distance(carried(&w, 1), v3(0.3, 0.2, 0.04)) < 1e-12);
        Vec3 before[2 + (RINGS - 1) * AROUND];
        for (int32_t i = 0; i < fine->point_count; i++)
            before[i] = carried(&w, i);
        for (int32_t i = 0; i < w.model->solids[0].mesh.node_count; i++)
            v3_store(m3_apply(F, v3_load(w.state->q + 3 * i)), w.state->q + 3 * i);
        for (int32_t i = 0; i < fine->point_count; i++)
            CHECK(v3_distance(carried(&w, i), m3_apply(F, before[i])) < 1e-12);
    }
    world_end(&w);
}

static double volume_of(const World *w) {
    const LitheFineSurface *fine = &w->model->solids[0].fine;
    double sum = 0;
    for (int32_t t = 0; t < fine->triangle_count; t++) {
        const int32_t *c = fine->triangles + 3 * t;
        sum += v3_dot(v3_cross(carried(w, c[0]), carried(w, c[1])), carried(w, c[2])) / 6;
    }
    return sum;
}

TEST(a_fine_surface_that_is_inside_out_is_turned) {
    for (int k = 0; k < 2; k++) {
        World w = egg("fine: true", k == 1);
        if (w.ok) // an ellipsoid has 2.01e-3 m^3
            CHECK_NEAR(volume_of(&w), 1.85e-3, 0.15e-3);
        world_end(&w);
    }
}

TEST(without_a_surface_fine_is_refused) {
    world_refused("fine is true, but its mesh was not made from a surface",
                  "lithe: 1\n"
                  "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                  "solids: {cube: {material: m, fine: true, mesh: {box: {size: [1, 1, 1], "
                  "divisions: [1, 1, 1]}}}}\n");
    World w = egg("quadratic: true", false);
    CHECK(w.ok && w.model->solids[0].fine.point_count == 0);
    world_end(&w);
}
