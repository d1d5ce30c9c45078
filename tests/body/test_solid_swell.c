// SPDX-License-Identifier: Apache-2.0
// tests/body/test_solid_swell.c - natural size of soft solids, plane strain, forces per mass

#include "test.h"

#include "advance/world.h"
#include "body/solid.h"
#include "data/state.h"

static const char *const laws[] = {"corotated-lagged", "corotated", "neo-hookean", "mooney-rivlin",
                                   "mooney-rivlin-isochoric"};
enum { LAWS = sizeof laws / sizeof *laws };

static World block(const char *time, const char *solid, const char *rest) {
    return world_of("lithe: 1\ngravity: none\ntime: {%s}\n"
                    "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                    "solids: {it: {material: m, %s, mesh: {box: {size: [6 cm, 4 cm, 3 cm], "
                    "divisions: [3, 2, 1]}}}}\n%s",
                    time, solid, rest);
}

#define CORNER \
    "holds:\n" \
    "  x: {on: it.x-min, hold: x}\n" \
    "  y: {on: it.y-min, hold: y}\n" \
    "  z: {on: it.z-min, hold: z}\n"

static double max_stress(const World *w) {
    int64_t count = 6 * (int64_t)w->model->solids[0].mesh.element_count;
    double *stress = calloc((size_t)count, sizeof *stress), max = 0;
    lithe_solid_stress(w->model, w->state, (LitheSolidId){1}, stress);
    for (int64_t i = 0; i < count; i++)
        max = fmax(max, fabs(stress[i]));
    free(stress);
    return max;
}

static LitheVec3 extent(const World *w) {
    const LitheSolid *solid = &w->model->solids[0];
    const double *x = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    Vec3 low = v3_load(x), high = low;
    for (int64_t i = 1; i < solid->mesh.node_count; i++) {
        low = v3_min(low, v3_load(x + 3 * i));
        high = v3_max(high, v3_load(x + 3 * i));
    }
    return v3_sub(high, low);
}

// --- swelling ------------------------------------------------------------------------------------

LONG_TEST(free_swelling_gives_no_stress) {
    static const char *const elements[] = {"", ", quadratic: true", ", volume: mean",
                                           ", quadratic: true, volume: mean"};
    for (int k = 0; k < 4 * LAWS; k++) {
        char solid[200];
        snprintf(solid, sizeof solid, "law: %s%s", laws[k / 4], elements[k % 4]);
        World w =
            block("scheme: static, step: 1 s, end: 1 s, tolerance: 1e-12", solid,
                  CORNER "swells: {wet: {on: it, factor: {table: [[0 s, 1], [1 s, 1.3]]}}}\n");
        world_step(&w, 1);
        if (w.ok) {
            CHECK(w.unconverged == 0);
            CHECK_NEAR(v3_distance(extent(&w), v3(0.078, 0.052, 0.039)), 0, 1e-8);
            CHECK_NEAR(max_stress(&w), 0, 1);
            CHECK_NEAR(lithe_energy(w.model, w.state).elastic, 0, 1e-8);
        }
        world_end(&w);
    }
}

// all nodes held: F_e = I/s, and its stress is that of the law
TEST(held_swelling_has_the_pressure_of_the_law) {
    for (int k = 0; k < LAWS; k++) {
        char solid[200];
        snprintf(solid, sizeof solid, "law: %s", laws[k]);
        World w = block("scheme: static, step: 1 s, end: 1 s", solid,
                        "holds: {all: {on: it}}\n"
                        "swells: {wet: {on: it, factor: {table: [[0 s, 1], [1 s, 1.3]]}}}\n");
        world_step(&w, 1);
        if (w.ok) {
            const LitheSolid *s = &w.model->solids[0];
            Mat3 F = m3_scale(1 / 1.3, m3_identity()), R = m3_identity(), P;
            double density = s->law->evaluate(&s->material, &F, &R, &P, NULL, false);
            double exact = P.m[0][0] * 1.3 * 1.3, stress[6];
            double *all = calloc(6 * (size_t)s->mesh.element_count, sizeof *all);
            lithe_solid_stress(w.model, w.state, (LitheSolidId){1}, all);
            memcpy(stress, all, sizeof stress);
            free(all);
            CHECK(exact < -1e5);
            CHECK_NEAR(stress[0], exact, 1e-9 * fabs(exact));
            CHECK_NEAR(stress[2], exact, 1e-9 * fabs(exact));
            CHECK_NEAR(stress[4], 0, 1e-6);
            // energy per natural volume
            CHECK_NEAR(lithe_energy(w.model, w.state).elastic, 2.197 * 72e-6 * density,
                       1e-9 * density);
        }
        world_end(&w);
    }
}

// a muscle shortens along its own direction, which turns with the mesh
TEST(a_muscle_shortens_along_its_direction) {
    World w = block("scheme: static, step: 1 s, end: 1 s, tolerance: 1e-12",
                    "law: neo-hookean, rotate: {axis: [0, 0, 1], angle: 90 deg}",
                    "holds:\n"
                    "  x: {on: it.x-min, hold: y}\n"
                    "  y: {on: it.y-min, hold: x}\n"
                    "  z: {on: it.z-min, hold: z}\n"
                    "swells: {pull: {on: it, along: [1, 0, 0], factor: {table: [[0 s, 1], [1 s, "
                    "0.7]]}}}\n");
    world_step(&w, 1);
    if (w.ok) {
        CHECK(w.unconverged == 0);
        CHECK_NEAR(v3_distance(extent(&w), v3(0.04, 0.042, 0.03)), 0, 1e-8);
        CHECK_NEAR(max_stress(&w), 0, 1);
    }
    world_end(&w);
}

// a part that swells presses on the rest
TEST(a_part_of_a_solid_can_swell) {
    World w =
        block("scheme: static, step: 1 s, end: 1 s", "law: neo-hookean",
              CORNER "sets: {left: {of: it, box: {from: [-1, -1, -1], to: [-0.0099, 1, 1]}}}\n"
                     "swells: {wet: {on: left, factor: {table: [[0 s, 1], [1 s, 1.1]]}}}\n");
    world_step(&w, 1);
    if (w.ok) {
        int32_t swollen = 0;
        for (int32_t e = 0; e < w.model->solids[0].mesh.element_count; e++)
            swollen += w.model->solids[0].swells[0].in[e];
        CHECK(w.unconverged == 0);
        CHECK(swollen == 2 * 5);
        CHECK(extent(&w).x > 0.061 && extent(&w).x < 0.064);
        CHECK(max_stress(&w) > 1e4);
    }
    world_end(&w);
}

static double balance(const World *w) {
    return stored(w) + w->state->sums[0] - w->state->sums[1];
}

TEST(the_work_of_a_muscle_is_counted) {
    static const char *const schemes[] = {"midpoint", "tr-bdf2"};
    for (int k = 0; k < 2; k++) {
        char time[100];
        snprintf(time, sizeof time, "scheme: %s, step: 0.1 ms, end: 1 s", schemes[k]);
        World w = block(time, "law: neo-hookean",
                        "holds: {wall: {on: it.x-min}}\n"
                        "swells: {pull: {on: it, along: [1, 0, 0], factor: {table: [[0 s, 1], [2 "
                        "ms, 0.8]]}}}\n");
        world_step(&w, 60);
        if (w.ok) {
            CHECK(w.unconverged == 0);
            CHECK(fabs(w.state->sums[1]) > 0.01);
            CHECK_NEAR(balance(&w), 0, 1e-3 * fabs(w.state->sums[1]));
        }
        world_end(&w);
    }
}

// In static steps (Q19): a free solid stores nothing and no work is done on it; one whose ends are
// held stores what its swelling does.
LONG_TEST(the_work_of_swelling_is_counted_in_static_steps) {
    static const char *const holds[] = {CORNER, "holds: {a: {on: it.x-min}, b: {on: it.x-max}}\n"};
    double error[2];
    for (int k = 0; k < 2 * LAWS; k++) {
        char time[100], law[100];
        int steps = 10 + 10 * (k % 2);
        snprintf(time, sizeof time, "scheme: static, step: %g s, end: 1 s", 1.0 / steps);
        snprintf(law, sizeof law, "law: %s", laws[k / 2]);
        for (int h = 0; h < 2; h++) {
            char rest[300];
            snprintf(rest, sizeof rest,
                     "%sswells: {wet: {on: it, factor: {table: [[0 s, 1], [1 s, 0.9]]}}}\n",
                     holds[h]);
            World w = block(time, law, rest);
            world_step(&w, steps);
            if (w.ok && h == 0) // E before the search is about 1 J
                CHECK(fabs(w.state->sums[1]) < 0.01 && stored(&w) < 1e-9);
            if (w.ok && h == 1) {
                CHECK(stored(&w) > 0.1);
                error[k % 2] = fabs(balance(&w)) / stored(&w);
            }
            world_end(&w);
        }
        if (k % 2)
            CHECK(error[1] < 2e-3 && error[1] < 0.3 * error[0] + 1e-9);
    }
}

// --- plane strain and forces per mass ------------------------------------------------------------

TEST(plane_strain_holds_every_node_along_its_axis) {
    World w = block("scheme: static, step: 1 s, end: 1 s, tolerance: 1e-12",
                    "law: corotated-lagged, plane-strain: z",
                    "holds: {x: {on: it.x-min, hold: x}, y: {on: it.y-min, hold: y}}\n"
                    "pressures: {suck: {on: it.x-max, pressure: -100 Pa}}\n");
    world_step(&w, 1);
    if (w.ok) {
        const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        CHECK(w.unconverged == 0);
        for (int64_t i = 0; i < w.model->solids[0].mesh.node_count; i++)
            CHECK(x[3 * i + 2] == w.model->solids[0].mesh.nodes[i].z);
        // strain in the plane: (1 - nu^2)/E times the stress
        CHECK_NEAR(extent(&w).x / 0.06 - 1, 0.91 * 1e-4, 0.01 * 1e-4);
    }
    world_end(&w);
}

static void refused_in_plane(const char *drive, const char *part) {
    world_refused(part,
                  "lithe: 1\nmaterials: {m: {young: 1, poisson: 0.3, density: 1}}\n"
                  "solids: {it: {material: m, plane-strain: z, mesh: {box: {size: [1, 1, 1], "
                  "divisions: [1, 1, 1]}}}}\ndrives: {d: {on: it.x-min, %s}}\n",
                  drive);
}

TEST(drives_out_of_the_plane_are_refused) {
    refused_in_plane(
        "direction: [1, 0, 1], motion: 1 mm",
        "drive 'd': it moves nodes along this axis, but solid 'it' has plane-strain z");
    refused_in_plane("kind: clamp, axis: [1, 0, 1], turn: 1 rad",
                     "drive 'd': it turns nodes out of the plane");
    World w = block("scheme: static, step: 1 s, end: 1 s", "law: corotated, plane-strain: z",
                    "drives: {d: {on: it.x-min, kind: clamp, direction: [0, 1, 0], motion: 1 mm, "
                    "axis: [0, 0, 1], turn: 0.1 rad}}\n");
    CHECK(w.ok);
    world_end(&w);
}

TEST(an_acceleration_acts_as_gravity_does) {
    World a = block("scheme: static, step: 1 s, end: 1 s, tolerance: 1e-12",
                    "law: neo-hookean, mass: consistent, acceleration: [0, 0, -9.81], "
                    "acceleration-profile: {table: [[0 s, 0], [1 s, 2]]}",
                    "holds: {top: {on: it.x-min}}\n");
    World b = world_of("lithe: 1\ngravity: 19.62\n"
                       "time: {scheme: static, step: 1 s, end: 1 s, tolerance: 1e-12}\n"
                       "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                       "solids: {it: {material: m, law: neo-hookean, mass: consistent, mesh: {box: "
                       "{size: [6 cm, 4 cm, 3 cm], divisions: [3, 2, 1]}}}}\n"
                       "holds: {top: {on: it.x-min}}\n");
    if (world_step(&a, 1) && world_step(&b, 1)) {
        double max = 0;
        for (int64_t i = 0; i < a.model->q_count; i++) {
            CHECK_NEAR(a.state->q[i], b.state->q[i], 1e-12);
            max = fmax(max, fabs(a.state->q[i] - (&a.model->solids[0].mesh.nodes[i / 3].x)[i % 3]));
        }
        CHECK(max > 1e-4);
    }
    world_end(&a);
    world_end(&b);
}

TEST(wrong_factors_are_refused) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheError error = {0};
    const char *text = "lithe: 1\nmaterials: {m: {young: 1, poisson: 0.3, density: 1}}\n"
                       "solids: {it: {material: m, mesh: {box: {size: [1, 1, 1], divisions: [1, 1, "
                       "1]}}}}\nswells: {s: {on: it, factor: {table: [[0 s, 1], [1 s, -1]]}}}\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "scene.yaml", NULL, NULL, 0, &scene,
                            &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "swell 's': factor is -1, must be > 0");
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

// a profile whose smallest value the scene does not show
TEST(a_factor_that_becomes_negative_stops_the_run_with_a_message) {
    // so slowly that no element is turned inside out before
    World w = block("scheme: backward-euler, step: 5 ms, end: 1 s", "law: neo-hookean",
                    "swells: {wet: {on: it, factor: {value: 1, rate: -11}}}\n");
    LitheError error = {0};
    LitheStatus status = LITHE_OK;
    for (int i = 0; w.ok && i < 30 && status == LITHE_OK; i++)
        status = lithe_step(w.model, w.state, w.work, &w.report, &error);
    CHECK(status != LITHE_OK);
    CHECK_TEXT(error.text, "swell 'wet': its factor is -");
    world_end(&w);
}
