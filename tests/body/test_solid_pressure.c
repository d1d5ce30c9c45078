// SPDX-License-Identifier: Apache-2.0
// tests/body/test_solid_pressure.c - pressures on the surface of soft solids

#include "test.h"

#include "advance/world.h"
#include "body/solid.h"
#include "data/state.h"

static const char *const laws[] = {"corotated-lagged", "corotated", "neo-hookean", "mooney-rivlin",
                                   "mooney-rivlin-isochoric"};
enum { LAWS = sizeof laws / sizeof *laws };

#define MATERIAL "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"

// --- statics -------------------------------------------------------------------------------------

// pressed from all sides, a block shrinks uniformly, and its stress is -p in every element
TEST(pressure_on_all_sides_is_the_stress_inside) {
    for (int k = 0; k < 2 * LAWS; k++) {
        World w =
            world_of("lithe: 1\ngravity: none\n"
                     "time: {scheme: static, step: 1 s, end: 1 s, tolerance: 1e-12}\n" MATERIAL
                     "solids: {it: {material: m, law: %s, quadratic: %s, mesh: {box: {size: "
                     "[6 cm, 4 cm, 3 cm], divisions: [3, 2, 1]}}}}\n"
                     "sets: {all: {of: it, box: {from: [-1, -1, -1], to: [1, 1, 1]}}}\n"
                     "holds:\n"
                     "  x: {on: it.x-min, hold: x}\n"
                     "  y: {on: it.y-min, hold: y}\n"
                     "  z: {on: it.z-min, hold: z}\n"
                     "pressures: {sea: {on: all, pressure: 100 kPa}}\n",
                     laws[k / 2], k % 2 ? "true" : "false");
        world_step(&w, 1);
        if (w.ok) {
            int64_t elements = w.model->solids[0].mesh.element_count;
            double *stress = calloc(6 * (size_t)elements, sizeof *stress);
            CHECK(w.unconverged == 0);
            CHECK(!w.model->solids[0].pressures[0].open);
            lithe_solid_stress(w.model, w.state, (LitheSolidId){1}, stress);
            for (int64_t i = 0; i < 6 * elements; i++)
                CHECK_NEAR(stress[i], i % 6 < 3 ? -1e5 : 0, 1);
            free(stress);
        }
        world_end(&w);
    }
}

// F = diag(a, b, b) with free sides: the Cauchy stress of the loaded end is the pressure
LONG_TEST(pressure_follows_the_deformed_area_of_an_end) {
    for (int k = 0; k < 2; k++) {
        World w =
            world_of("lithe: 1\ngravity: none\n"
                     "time: {scheme: static, step: 1 s, end: 4 s, tolerance: 1e-12}\n" MATERIAL
                     "solids: {it: {material: m, law: neo-hookean, quadratic: %s, mesh: "
                     "{box: {size: [6 cm, 4 cm, 3 cm], divisions: [3, 2, 1]}}}}\n"
                     "holds:\n"
                     "  x: {on: it.x-min, hold: x}\n"
                     "  y: {on: it.y-min, hold: y}\n"
                     "  z: {on: it.z-min, hold: z}\n"
                     "pressures: {press: {on: it.x-max, pressure: {table: [[0 s, 0 Pa], [4 "
                     "s, 0.4 MPa]]}}}\n",
                     k ? "true" : "false");
        world_step(&w, 4);
        if (w.ok) {
            double stress[6];
            double *all = calloc(6 * (size_t)w.model->solids[0].mesh.element_count, sizeof *all);
            CHECK(w.unconverged == 0);
            CHECK(w.model->solids[0].pressures[0].open);
            lithe_solid_stress(w.model, w.state, (LitheSolidId){1}, all);
            memcpy(stress, all, sizeof stress);
            CHECK_NEAR(stress[0], -0.4e6, 1);
            CHECK_NEAR(stress[1], 0, 1);
            CHECK_NEAR(stress[2], 0, 1);
            // the area has grown: the same force per original area would press less
            const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
            CHECK(x[3 * 3] - x[0] < 0.7 * 0.06);
            free(all);
        }
        world_end(&w);
    }
}

// --- motion --------------------------------------------------------------------------------------

static const char *const schemes[] = {"backward-euler", "midpoint", "symplectic-euler", "tr-bdf2"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

// a free block under pressure on one end: its momentum is force times time, along its own axis
TEST(pressure_on_an_end_drives_a_free_block) {
    for (int k = 0; k < SCHEMES; k++) {
        World w =
            world_of("lithe: 1\ngravity: none\n"
                     "time: {scheme: %s, step: 0.1 ms, end: 1 s}\n" MATERIAL
                     "solids: {it: {material: m, law: neo-hookean, rotate: [0, 0, 0.5], mesh: "
                     "{box: {size: [6 cm, 4 cm, 3 cm], divisions: [3, 2, 1]}}}}\n"
                     "pressures: {jet: {on: it.x-min, pressure: 1 kPa}}\n",
                     schemes[k]);
        world_step(&w, 20);
        if (w.ok) {
            LitheVec3 p = lithe_momentum(w.model, w.state);
            double wanted = 1e3 * 12e-4 * 2e-3;
            CHECK(w.unconverged == 0);
            // the end widens a little under the pressure
            CHECK_NEAR(p.x, wanted * cos(0.5), 2e-3 * wanted);
            CHECK_NEAR(p.y, wanted * sin(0.5), 2e-3 * wanted);
            CHECK_NEAR(p.z, 0, 2e-3 * wanted);
        }
        world_end(&w);
    }
}

static double balance(const World *w) {
    return stored(w) + w->state->sums[0] - w->state->sums[1];
}

// a block that rings under a sudden pressure: energy is the work of the pressure
TEST(the_work_of_a_pressure_is_counted) {
    static const double loose[] = {0.1, 1e-4, 0.02, 1e-3};
    for (int k = 0; k < SCHEMES; k++) {
        World w = world_of("lithe: 1\ngravity: none\n"
                           "time: {scheme: %s, step: 0.05 ms, end: 1 s}\n" MATERIAL
                           "solids: {it: {material: m, law: neo-hookean, mesh: {box: {size: [6 cm, "
                           "4 cm, 3 cm], divisions: [3, 2, 1]}}}}\n"
                           "holds: {wall: {on: it.x-min}}\n"
                           "pressures: {sea: {on: it.x-max, pressure: 50 kPa}}\n",
                           schemes[k]);
        double most = 0;
        for (int i = 0; i < 60 && world_step(&w, 1); i++)
            most = fmax(most, w.ok ? w.state->sums[1] : 0);
        if (w.ok) {
            CHECK(w.unconverged == 0);
            CHECK(most > 0.01);
            // backward Euler loses energy, and gains none
            CHECK(k > 0 || balance(&w) < 0);
            CHECK_NEAR(balance(&w), 0, loose[k] * most);
        }
        world_end(&w);
    }
}

// --- refusals ------------------------------------------------------------------------------------

static void check_refused(const char *rest, const char *message) {
    world_refused(message,
                  "lithe: 1\n" MATERIAL
                  "solids: {it: {material: m, mesh: {box: {size: [6 cm, 4 cm, 3 cm], divisions: "
                  "[3, 2, 1]}}}}\n"
                  "particles: {dust: {material: m, radius: 1 mm, positions: [[1, 1, 1]]}}\n%s",
                  rest);
}

TEST(places_without_faces_are_refused) {
    check_refused("pressures: {p: {on: 'it[3]', pressure: 1 Pa}}\n",
                  "pressure 'p': on is a single node, must be a group or a set of nodes");
    check_refused("sets: {s: {of: dust, list: [0]}}\npressures: {p: {on: s, pressure: 1 Pa}}\n",
                  "pressure 'p': on: set 's' is not of a solid");
    check_refused("sets: {s: {of: it, list: [0, 1]}}\npressures: {p: {on: s, pressure: 1 Pa}}\n",
                  "pressure 'p': no face of the surface of solid 'it' has all its nodes among the "
                  "2 of this place");
    check_refused("pressures: {p: {on: it.top, pressure: 1 Pa}}\n",
                  "pressure 'p': solid 'it' has no group 'top' with nodes; it has x-min");
    check_refused("pressures: {p: {on: it.x-min, pressure: 1 N}}\n", "pressure");
}
