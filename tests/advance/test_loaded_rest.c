// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_loaded_rest.c - rest shapes of solids whose mesh is the shape under load

#include "advance/world.h"

#include "body/solid.h"

#define SIZE 0.1 // length of the bar [m]

// a bar held at one end, in the shape that it has under its weight and a force at the other end
static World loaded(const char *scheme, const char *law, const char *more) {
    return world_of("lithe: 1\ntime: {step: 5 ms, end: 1 s, scheme: %s}\n"
                    "materials: {m: {young: 0.2 MPa, poisson: 0.4, density: 1000 kg/m^3}}\n"
                    "solids: {bar: {material: m, law: %s, rest: loaded, mesh: {box: {size: [10 cm, "
                    "2 cm, 2 cm], divisions: [8, 2, 2]}}%s}}\n"
                    "holds: {wall: {on: bar.x-min}}\n"
                    "forces: {tip: {on: bar.x-max, force: [0, 0, -1 mN]}}\n",
                    scheme, law, more);
}

// largest distance of nodes from the mesh as given
static double moved(const World *w) {
    const LitheSolid *solid = &w->model->solids[0];
    const double *x = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    double max = 0;
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        max = fmax(max, v3_distance(v3_load(x + 3 * i), solid->start[i]));
    return max;
}

// how far the shape at rest is from the mesh
static double bent(const World *w) {
    const LitheSolid *solid = &w->model->solids[0];
    double max = 0;
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        max = fmax(max, v3_distance(solid->mesh.nodes[i], solid->start[i]));
    return max;
}

LONG_TEST(a_mesh_under_load_stays_as_it_is) {
    static const char *const laws[] = {"corotated-lagged", "corotated", "neo-hookean",
                                       "mooney-rivlin"};
    static const char *const forms[] = {"", ", quadratic: true, mass: consistent",
                                        ", volume: mean"};
    static const char *const schemes[] = {"static", "tr-bdf2", "backward-euler"};
    for (int k = 0; k < 4 * 3; k++) {
        const char *scheme = schemes[(k / 4 + k) % 3];
        World w = loaded(scheme, laws[k % 4], forms[k / 4]);
        world_step(&w, strcmp(scheme, "static") == 0 ? 1 : 20);
        if (w.ok && !CHECK(bent(&w) > 0.01 * SIZE && moved(&w) < 1e-6 * SIZE))
            printf("  %s %s%s: rest %g m away, moved %g m\n", scheme, laws[k % 4], forms[k / 4],
                   bent(&w), moved(&w));
        world_end(&w);
    }
}

TEST(without_it_the_mesh_sags_by_as_much_as_the_rest_shape_differs) {
    World w = loaded("static", "corotated", "");
    double away = w.ok ? bent(&w) : 0;
    world_end(&w);
    w = world_of("lithe: 1\ntime: {step: 5 ms, end: 1 s, scheme: static}\n"
                 "materials: {m: {young: 0.2 MPa, poisson: 0.4, density: 1000 kg/m^3}}\n"
                 "solids: {bar: {material: m, law: corotated, mesh: {box: {size: [10 cm, 2 cm, 2 "
                 "cm], divisions: [8, 2, 2]}}}}\n"
                 "holds: {wall: {on: bar.x-min}}\n"
                 "forces: {tip: {on: bar.x-max, force: [0, 0, -1 mN]}}\n");
    world_step(&w, 1);
    if (w.ok) {
        const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        double sag = 0;
        for (int32_t i = 0; i < w.model->solids[0].mesh.node_count; i++)
            sag = fmax(sag, v3_distance(v3_load(x + 3 * i), w.model->solids[0].mesh.nodes[i]));
        CHECK_NEAR(sag, away, 0.1 * away);
    }
    world_end(&w);
}

TEST(a_mesh_under_the_pressure_of_a_gas_stays_as_it_is) {
    World w = world_of(
        "lithe: 1\ntime: {step: 5 ms, end: 1 s}\ngravity: none\n"
        "materials: {m: {young: 1 MPa, poisson: 0.4, density: 1000 kg/m^3}}\n"
        "solids: {ball: {material: m, law: neo-hookean, rest: loaded, quadratic: false, mesh: "
        "{hollow-sphere: {radius: 5 cm, inner: 4 cm, resolution: 3 cm}}}}\n"
        "sets: {top: {of: ball, box: {from: [-1, -1, 4 cm], to: [1, 1, 1]}}}\n"
        "holds: {hang: {on: top}}\n"
        "cavities: {air: {on: ball.inner, gas: 120 kPa, outside: 100 kPa}}\n");
    world_step(&w, 10);
    if (w.ok && !CHECK(bent(&w) > 1e-4 && moved(&w) < 1e-8))
        printf("  rest %g m away, moved %g m\n", bent(&w), moved(&w));
    world_end(&w);
}

static void refused(const char *young, const char *hold, const char *part) {
    world_refused(part,
                  "lithe: 1\nmaterials: {m: {young: %s, poisson: 0.4, density: 1000 kg/m^3}}\n"
                  "solids: {bar: {material: m, law: neo-hookean, rest: loaded, mesh: {box: {size: "
                  "[10 cm, 2 cm, 2 cm], divisions: [8, 2, 2]}}}}\n%s",
                  young, hold);
}

TEST(a_rest_shape_that_does_not_exist_is_refused) {
    refused("0.2 MPa", "", "rest is loaded, but its stiffness is singular");
    refused("500 Pa", "holds: {wall: {on: bar.x-min}}\n", "rest is loaded, but no rest shape");
}
