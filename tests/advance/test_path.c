// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_path.c - paths of equilibria followed by their arc length, through limit
// points

#include "data/work.h"
#include "world.h"

#include <math.h>
#include <string.h>

#define PATH "time: {step: %g s, end: 1000 s, scheme: static, follow: arc-length}\n"

// two springs or bars that lean on each other (von Mises), apex at z, feet at -1 and 1, 0.2 below
static double truss_load(double stiffness, double z) {
    double l0 = hypot(1, 0.2), l = hypot(1, z);
    return 2 * stiffness * (l0 - l) * z / l;
}

// the load at the limit point of the truss
static double truss_limit(double stiffness) {
    double top = 0;
    for (double z = 0; z < 0.2; z += 1e-5)
        top = fmax(top, truss_load(stiffness, z));
    return top;
}

TEST(a_bead_on_two_springs_is_followed_through_its_snap) {
    World w = world_of("lithe: 1\ngravity: none\n" PATH
                       "particles: {p: {mass: 1 kg, radius: 1 cm, at: [0, 0, 0.2]}}\n"
                       "holds: {plane: {on: \"p[0]\", hold: y}}\n"
                       "constraints:\n"
                       "  a: {kind: distance, a: {on: world, at: [-1, 0, 0]}, b: \"p[0]\", "
                       "stiffness: 1000 N/m}\n"
                       "  b: {kind: distance, a: {on: world, at: [1, 0, 0]}, b: \"p[0]\", "
                       "stiffness: 1000 N/m}\n"
                       "forces: {press: {on: \"p[0]\", force: [0, 0, -1], profile: {rate: 1}}}\n",
                       0.1);
    double top = 0, worst = 0, z = 0.2;
    for (int k = 0; k < 400 && z > -0.25 && world_step(&w, 1); k++) {
        z = lithe_particles_position(w.model, w.state, lithe_particles_find(w.model, "p"))[2];
        double load = lithe_state_load_time(w.state);
        CHECK(load == w.report.load_time);
        worst = fmax(worst, fabs(load - truss_load(1000, z)));
        top = z > 0 ? fmax(top, load) : top;
        // stable before the limit point and after the second one
        bool stable = fabs(z) > 0.13, unstable = fabs(z) < 0.1;
        CHECK(!stable || w.report.unstable == 0);
        CHECK(!unstable || w.report.unstable == 1);
    }
    CHECK(z < -0.25);
    // the time of the state counts steps; the load follows the theory
    CHECK_NEAR(lithe_state_time(w.state), 0.1 * (double)lithe_state_step(w.state), 1e-9);
    CHECK(worst < 1e-9);
    CHECK_NEAR(top, truss_limit(1000), 0.02);
    world_end(&w);
}

TEST(bars_tied_by_rigid_constraints_have_the_path_of_bars_that_are_held) {
    World w = world_of(
        "lithe: 1\ngravity: none\ncontact: {enabled: false}\n" PATH
        "materials: {bar: {young: 1 GPa, density: 1000 kg/m^3}}\n"
        "rods:\n"
        "  bars: {material: bar, section: {stiffness: {EA: 1000 N, EI: 1e-9 N m^2, GJ: 1e-3 N m^2, "
        "mass-per-length: 1 kg/m, radius: 1 mm}}, shape: {polyline: {points: [[-1, 0, 0], [0, 0, "
        "0.2], [1, 0, 0]]}}}\n"
        "holds: {left: {on: bars.start, hold: twist}}\n"
        "constraints:\n"
        "  a: {kind: attach, a: {on: world, at: [-1, 0, 0]}, b: bars.start}\n"
        "  b: {kind: attach, a: {on: world, at: [1, 0, 0]}, b: bars.end}\n"
        "forces: {press: {on: \"bars.node(1)\", force: [0, 0, -1], profile: {rate: 1}}}\n",
        0.1);
    double k = 1000 / hypot(1, 0.2), worst = 0, z = 0.2;
    for (int i = 0; i < 400 && z > -0.25 && world_step(&w, 1); i++) {
        z = lithe_rod_q(w.model, w.state, (LitheRodId){1})[4 + 2];
        double load = lithe_state_load_time(w.state);
        worst = fmax(worst, fabs(load - truss_load(k, z)));
        LitheVec3 f = lithe_constraint_force(w.model, w.state, (LitheConstraintId){1});
        CHECK_NEAR(fabs(f.z), fabs(load) / 2, 1e-5);
    }
    CHECK(z < -0.25);
    CHECK(worst < 1e-5);
    world_end(&w);
}

#define ARCH \
    "materials: {bar: {young: 1 GPa, density: 1000 kg/m^3, friction: 0.5, contact: {stiffness: " \
    "1e5 " \
    "N/m}}}\n" \
    "rods:\n" \
    "  arch: {material: bar, section: {stiffness: {EA: 1e4 N, EI: 1 N m^2, GJ: 1 N m^2, " \
    "mass-per-length: 1 kg/m, radius: 5 mm}}, shape: {arc: {radius: 4, angle: 15 deg, rotate: " \
    "{axis: [0, 1, 0], angle: 7.5 deg}}}, nodes: 31}\n" \
    "holds:\n" \
    "  left: {on: arch.start, hold: [position, twist]}\n" \
    "  right: {on: arch.end, hold: position}\n"

// pressed by a ram on a prismatic joint, through a contact with friction; without it the limit is
// at 1.0384 N (lithe validate statics_snap)
LONG_TEST(an_arch_pressed_by_a_body_through_a_contact_passes_its_limit_point) {
    World w = world_of("lithe: 1\ngravity: none\n" PATH ARCH
                       "bodies: {ram: {material: bar, at: [0.522104768880206, 0, -0.0542], shape: "
                       "{sphere: {radius: 2 cm}}}}\n"
                       "joints: {slide: {kind: prismatic, child: ram, at: [0.522104768880206, 0, "
                       "0], axis: [0, 0, 1]}}\n"
                       "actuators: {press: {joint: slide, kind: force, target: {value: 0.01, rate: "
                       "1}}}\n",
                       0.04);
    double top = 0, last = 0;
    for (int k = 0; k < 160 && !(last < 0.8 * top) && world_step(&w, 1); k++) {
        last = lithe_state_load_time(w.state);
        top = fmax(top, last);
    }
    CHECK_NEAR(top + 0.01, 1.0384, 2e-3);
    CHECK(last < 0.9 * top);
    CHECK(w.report.unstable == 1);
    world_end(&w);
}

// friction has the slip eps r/sqrt(1 - r^2), eps = mu depth, at the fraction r of its bound. A step
// that began without it let the load creep on, and short steps were no path
TEST(what_sticks_on_a_path_does_not_creep) {
    for (int way = 0; way < 3; way++) {
        World w =
            world_of("lithe: 1\n" PATH
                     "materials: {rough: {young: 1 GPa, density: 1000 kg/m^3, friction: 0.5, "
                     "contact: {stiffness: 1e4 N/m}}}\n"
                     "bodies: {floor: {fixed: true, material: rough, shape: {half-space: {}}}}\n"
                     "particles: {p: {material: rough, mass: 1 kg, radius: 1 cm, at: [0, 0, 1 "
                     "cm]}}\n"
                     "forces: {push: {on: \"p[0]\", force: [1, 0, 0], profile: {rate: 1}}}\n",
                     way == 0   ? 1.0
                     : way == 1 ? 0.1
                                : 0.02);
        for (int k = 0; k < 400 && lithe_state_load_time(w.state) < 4 && world_step(&w, 1); k++)
            ;
        const double *x =
            lithe_particles_position(w.model, w.state, lithe_particles_find(w.model, "p"));
        double r = lithe_state_load_time(w.state) / (0.5 * 9.81), depth = 0.01 - x[2];
        CHECK(r > 0.8 && r < 1);
        CHECK_NEAR(x[0], 0.5 * depth * r / sqrt(1 - r * r), 1e-6 * depth);
        world_end(&w);
    }
}

TEST(a_path_has_the_same_bits_with_two_threads_and_with_work_dropped_every_step) {
    uint64_t hash[3] = {0};
    for (int way = 0; way < 3; way++) {
        World w = world_of("lithe: 1\ngravity: none\ncontact: {enabled: false}\n" PATH ARCH
                           "forces: {press: {on: \"arch.node(15)\", force: [0, 0, 1], profile: "
                           "{rate: 1}}}\n",
                           0.3);
        for (int k = 0; k < 8 && w.ok; k++) {
            if (k == 0 || way == 2) {
                lithe_work_destroy(w.work);
                w.work = lithe_work_create(w.model, way == 1 ? 2 : 1);
            }
            world_step(&w, 1);
        }
        hash[way] = lithe_state_hash(w.state);
        world_end(&w);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}

TEST(a_path_without_changing_loads_is_refused_and_the_state_stays) {
    World w = world_of("lithe: 1\ngravity: none\ncontact: {enabled: false}\n" PATH ARCH, 0.3);
    LitheError error;
    uint64_t before = lithe_state_hash(w.state);
    CHECK(lithe_step(w.model, w.state, w.work, NULL, &error) == LITHE_CANNOT_GO_ON);
    CHECK(strstr(error.text, "the loads do not change"));
    CHECK(lithe_state_hash(w.state) == before);
    world_end(&w);
}

TEST(keys_of_paths_need_each_other) {
    static const char *const texts[][2] = {
        {"time: {follow: arc-length, scheme: backward-euler}", "needs scheme: static"},
        {"time: {scheme: static, arc: 1 mm}", "needs follow: arc-length"},
        {"time: {scheme: static, follow: arc-length, arc: -1 mm}", "arc"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        LitheContext *context = lithe_context_create(NULL);
        LitheScene *scene = NULL;
        LitheError error;
        char text[4096];
        int length = snprintf(text, sizeof text, "lithe: 1\n%s\n" ARCH, texts[i][0]);
        CHECK(lithe_scene_parse(context, text, (size_t)length, "scene", NULL, NULL, 0, &scene,
                                &error) == LITHE_BAD_INPUT);
        CHECK(strstr(error.text, texts[i][1]));
        lithe_scene_destroy(scene);
        lithe_context_destroy(context);
    }
}

// --- load steps that are too large ---------------------------------------------------------------

// the hand moves by 10 cm in one step: no search finds that equilibrium from the start
TEST(a_load_step_that_fails_in_one_go_is_bisected) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: 1 s, end: 100 s, scheme: static}\n"
        "materials: {hemp: {young: 1 GPa, density: 900 kg/m^3, friction: 0.3}}\n"
        "bodies:\n"
        "  bar: {fixed: true, material: hemp, shape: {capsule: {radius: 5 cm, length: 40 cm}, "
        "rotate: {axis: [1, 0, 0], angle: 90 deg}}, at: [0, 0, 1]}\n"
        "rods:\n"
        "  rope: {material: hemp, section: {stiffness: {EA: 300 N, EI: 2e-5 N m^2, GJ: 2e-5 N m^2, "
        "mass-per-length: 0.1 kg/m, radius: 6 mm}}, shape: {path: {pieces: [{straight: 38 cm}, "
        "{turn: -180 deg, radius: 57.2 mm}, {straight: 38 cm}], rotate: {axis: [1, -1, 1], angle: "
        "120 deg}, at: [-57.2 mm, 0, 62 cm]}}, nodes: 41}\n"
        "drives: {hand: {on: rope.end, direction: [0, 0, -1], motion: {rate: 10 cm/s}}}\n");
    if (world_step(&w, 1)) {
        CHECK(w.report.pieces > 1 && w.report.rejected > 0);
        CHECK(lithe_state_time(w.state) == 1);
        double pull = lithe_drive_force(w.model, w.state, (LitheDriveId){1});
        // weight of the other side times e^(mu phi), minus the weight of the pulled side
        double side = 0.1 * (0.38 - 0.1) * 9.81, own = 0.1 * (0.38 + 0.1) * 9.81;
        printf("  pull %.4g N, %d parts, %d rejected\n", pull, (int)w.report.pieces,
               (int)w.report.rejected);
        CHECK_NEAR(pull, side * exp(0.3 * 3.14159265) - own, 0.08 * side);
    }
    world_end(&w);
}

// dry friction of 9 N holds a slide up to t = 0.45 s of its growing force
TEST(a_load_step_without_an_equilibrium_says_how_far_the_loads_went) {
    World w = world_of("lithe: 1\ngravity: none\n"
                       "time: {step: 1 s, end: 100 s, scheme: static}\n"
                       "bodies:\n  load: {mass: 1 kg, inertia: [0.1, 0.1, 0.1, 0, 0, 0], at: [1, "
                       "0, 0], shape: {sphere: {radius: 1 cm}}}\n"
                       "joints:\n  slide: {kind: prismatic, child: load, at: [0, 0, 0], axis: [1, "
                       "0, 0], friction: 9 N}\n"
                       "actuators:\n  push: {joint: slide, kind: force, target: {rate: 20}}\n");
    LitheError error = {0};
    uint64_t before = lithe_state_hash(w.state);
    CHECK(lithe_step(w.model, w.state, w.work, NULL, &error) == LITHE_CANNOT_GO_ON);
    CHECK(strstr(error.text, "from t = 0 s to 1 s was divided down to 1/64, and its equilibria end "
                             "at t = 0.4375 s"));
    if (!strstr(error.text, "0.4375"))
        printf("  %s\n", error.text);
    CHECK(lithe_state_hash(w.state) == before);
    world_end(&w);
}

TEST(a_search_that_takes_too_long_stops_and_says_what_it_reached) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 s, end: 100 s, scheme: static}\n"
                       "materials: {sand: {young: 1 MPa, density: 2000 kg/m^3, friction: 0.5}}\n"
                       "bodies: {floor: {fixed: true, material: sand, shape: {half-space: {}}}}\n"
                       "particles: {grains: {material: sand, radius: 1 cm, positions: [[0, 0, "
                       "0.01], [0.02, 0, 0.01], [0.01, 0, 0.03], [0.01, 0.02, 0.01]]}}\n");
    LitheError error = {0};
    uint64_t before = lithe_state_hash(w.state);
    w.work->meter.search_limit = 50;
    CHECK(lithe_step(w.model, w.state, w.work, NULL, &error) == LITHE_CANNOT_GO_ON);
    CHECK(strstr(error.text, "was stopped after") && strstr(error.text, "(limit 50)") &&
          strstr(error.text, "farthest from balance: 'grains'"));
    CHECK(lithe_state_hash(w.state) == before);
    world_end(&w);
}
