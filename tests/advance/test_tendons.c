// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_tendons.c - tendons that slide through places: forces, lengths, work, refusals

#include "advance/world.h"

#include "data/state.h"

#define G 9.81

static const LitheConstraintId FIRST = {1};
static const char *const schemes[] = {"backward-euler", "tr-bdf2", "midpoint"};

// what the account of the energy misses, relative to the work
static double account(const World *w, double start) {
    LitheEnergy e = lithe_energy(w->model, w->state);
    double now = e.kinetic + e.elastic + e.gravity + e.dissipated + e.friction + e.contact +
                 e.constraints - e.work;
    return fabs(now - start) / fabs(e.work);
}

static double start_of(const World *w) {
    LitheEnergy e = lithe_energy(w->model, w->state);
    return e.kinetic + e.elastic + e.gravity;
}

// A tendon from a beam through a block of 2 kg back to the beam.
static World tackle(const char *scheme, const char *how) {
    return world_of(
        "lithe: 1\ntime: {step: 1 ms, end: 1 s, scheme: %s}\n"
        "bodies: {block: {mass: 2 kg, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0, 0, 1]}}\n"
        "constraints:\n  it:\n    kind: tendon\n    a: {on: world, at: [0, 0, 2]}\n"
        "    via: [block]\n    b: {on: world, at: [0, 0, 2]}\n    %s\n",
        scheme, how);
}

TEST(a_block_on_two_strands_feels_twice_the_tension) {
    for (int k = 0; k < 3; k++) {
        World w = tackle(schemes[k], "tension: 12 N");
        double start = start_of(&w);
        world_step(&w, 200);
        if (w.ok) {
            double a = 2 * 12 / 2.0 - G, t = 0.2;
            double length = lithe_tendon_length(w.model, w.state, FIRST);
            if (!CHECK_NEAR(lithe_momentum(w.model, w.state).z, 2 * a * t, 1e-9))
                printf("  %s\n", schemes[k]);
            CHECK_NEAR(lithe_tendon_tension(w.model, w.state, FIRST), 12, 1e-9);
            // the drive takes in what the path loses; backward Euler moves by the end velocity
            CHECK_NEAR(length, 2 - a * t * t, 2 * a * t * 1e-3);
            CHECK_NEAR(lithe_tendon_work(w.model, w.state, FIRST), 12 * (2 - length),
                       1e-9 + (k == 0 ? 0 : 1e-3 * 12 * (2 - length)));
            if (!CHECK(account(&w, start) < (k == 0 ? 0.02 : 1e-3) && w.unconverged == 0))
                printf("  %s: account %g\n", schemes[k], account(&w, start));
        }
        world_end(&w);
    }
}

TEST(a_winch_lifts_a_block_on_two_strands_at_half_its_speed) {
    for (int k = 0; k < 3; k++) {
        World w =
            tackle(schemes[k], "shortening: {table: [[0 s, 0], [0.4 s, 0.06 m]], kind: smooth}");
        double start = start_of(&w);
        world_step(&w, 200);
        double speed = lithe_momentum(w.model, w.state).z / 2; // halfway: the fastest
        world_step(&w, 300);
        if (w.ok) {
            double work = lithe_tendon_work(w.model, w.state, FIRST);
            CHECK(speed > 0.5 * 0.06 / 0.4 && speed < 0.06 / 0.4);
            CHECK_NEAR(lithe_tendon_length(w.model, w.state, FIRST), 2 - 0.06, 1e-5);
            CHECK_NEAR(lithe_momentum(w.model, w.state).z, 0, 1e-5);
            if (!CHECK_NEAR(lithe_tendon_tension(w.model, w.state, FIRST), G, 1e-3 * G) ||
                !CHECK_NEAR(work, 2 * G * 0.03, 2e-3 * work) || !CHECK(account(&w, start) < 2e-3))
                printf("  %s: work %g J, account %g\n", schemes[k], work, account(&w, start));
            CHECK(w.unconverged == 0);
        }
        world_end(&w);
    }
}

TEST(two_bodies_on_a_pulley_move_as_in_atwoods_machine) {
    for (int k = 0; k < 3; k++) {
        World w = world_of(
            "lithe: 1\ntime: {step: 1 ms, end: 1 s, scheme: %s}\nbodies:\n"
            "  light: {mass: 1 kg, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0, 0, 1]}\n"
            "  heavy: {mass: 3 kg, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0, 0, 1.5]}\n"
            "constraints:\n  it: {kind: tendon, a: light, b: heavy, via: "
            "[{on: world, at: [0, 0, 3]}]}\n",
            schemes[k]);
        world_step(&w, 200);
        if (w.ok) {
            double tension = lithe_tendon_tension(w.model, w.state, FIRST);
            if (!CHECK_NEAR(tension, 2 * 1 * 3 * G / 4, 1e-3 * tension))
                printf("  %s: %g N\n", schemes[k], tension);
            CHECK_NEAR(lithe_momentum(w.model, w.state).z, (1 - 3) * 0.5 * G * 0.2, 0.01);
            CHECK_NEAR(lithe_tendon_length(w.model, w.state, FIRST), 3.5, 1e-5);
        }
        world_end(&w);
    }
}

TEST(an_elastic_tendon_stretches_over_all_its_strands) {
    World w = world_of(
        "lithe: 1\ntime: {step: 1 s, end: 1 s, scheme: static}\n"
        "bodies: {block: {mass: 2 kg, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0, 0, 1]}}\n"
        "constraints:\n  it: {kind: tendon, a: {on: world, at: [-0.3, 0, 2]}, via: "
        "[block], b: {on: world, at: [0.3, 0, 2]}, length: 2 m, stiffness: 500 N/m}\n");
    world_step(&w, 1);
    if (w.ok) {
        // two strands of half the length each, with the angle phi to the vertical
        double L = lithe_tendon_length(w.model, w.state, FIRST);
        double T = lithe_tendon_tension(w.model, w.state, FIRST);
        double cosine = sqrt(L * L / 4 - 0.09) / (L / 2);
        CHECK_NEAR(T, 500 * (L - 2), 1e-5 * T);
        CHECK_NEAR(2 * T * cosine, 2 * G, 1e-5 * 2 * G);
    }
    world_end(&w);
}

// A bar held at one end; the tendon runs below its middle at the distance c, so that it bends by
// the moment T c: the end sinks by T c l^2/(2 EI) where the tendon ends.
TEST(a_finger_bends_as_a_beam_under_the_moment_of_its_tendon) {
    double T = 0.05, c = 0.006, l = 0.095, EI = 0.5e6 * pow(0.016, 4) / 12;
    for (int k = 0; k < 2; k++) { // static, and in motion to rest
        World w = world_of(
            "lithe: 1\ngravity: none\ntime: {step: %s}\n"
            "materials: {m: {young: 0.5 MPa, poisson: 0, density: 1100 kg/m^3, damping: "
            "{stiffness: "
            "60 ms}}}\n"
            "solids: {finger: {material: m, law: corotated, quadratic: true, at: [5 cm, 0, 0], "
            "mesh: "
            "{box: {size: [10 cm, 1.6 cm, 1.6 cm], divisions: [10, 1, 1]}}}}\n"
            "holds: {hand: {on: finger.x-min}}\n"
            "constraints:\n  it:\n    kind: tendon\n    tension: 0.05 N\n"
            "    a: {on: world, at: [0, 0, -6 mm]}\n"
            "    via: [{on: finger, at: [15 mm, 0, -6 mm]}, {on: finger, at: [30 mm, 0, -6 mm]}, "
            "{on: finger, at: [45 mm, 0, -6 mm]}, {on: finger, at: [60 mm, 0, -6 mm]}, {on: "
            "finger, "
            "at: [75 mm, 0, -6 mm]}]\n"
            "    b: {on: finger, at: [95 mm, 0, -6 mm]}\n",
            k ? "20 ms, end: 1 s" : "1 s, end: 1 s, scheme: static");
        world_step(&w, k ? 30 : 1);
        if (w.ok) {
            double a[7], b[7], sag;
            lithe_constraint_places(w.model, w.state, FIRST, a, b);
            sag = -0.006 - b[2];
            if (!CHECK_NEAR(sag, T * c * l * l / (2 * EI), 0.06 * sag))
                printf("  %g of %g m\n", sag, T * c * l * l / (2 * EI));
            CHECK(w.unconverged == 0);
        }
        world_end(&w);
    }
}

// An eyelet so light that forces of the start of a step would throw it about: T h^2/(l m) = 200.
TEST(a_light_eyelet_stays_on_the_line_of_a_taut_tendon) {
    for (int k = 0; k < 2; k++) {
        World w = world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s, scheme: %s}\n"
                           "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                           "particles: {p: {material: m, radius: 1 mm, masses: [1e-6 kg], "
                           "positions: [[0, 0, 1 cm]]}}\n"
                           "constraints:\n  it: {kind: tendon, tension: 10 N, a: {on: world, at: "
                           "[-5 cm, 0, 0]}, via: ['p[0]'], b: {on: world, at: [5 cm, 0, 0]}}\n",
                           schemes[k]);
        world_step(&w, 100);
        if (w.ok) {
            const double *x = w.state->q;
            if (!CHECK(fabs(x[2]) < 1e-3 && fabs(x[0]) < 1e-3))
                printf("  %s: (%g, %g, %g) m\n", schemes[k], x[0], x[1], x[2]);
        }
        world_end(&w);
    }
}

TEST(a_tendon_between_free_things_keeps_their_momentum) {
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {step: 0.5 ms, end: 1 s}\n"
        "materials: {m: {young: 0.5 MPa, poisson: 0.3, density: 1000 kg/m^3, damping: {stiffness: "
        "2 ms}}}\n"
        "solids: {jelly: {material: m, at: [0, 0, 0], mesh: {box: {size: [4 cm, 4 cm, 4 cm], "
        "divisions: [2, 2, 2]}}}}\n"
        "bodies: {stone: {mass: 50 g, inertia: [1e-5, 1e-5, 1e-5, 0, 0, 0], at: [20 cm, 0, 0]}}\n"
        "constraints:\n  it: {kind: tendon, a: {on: jelly, at: [0, 12 mm, 3 mm]}, via: [{on: "
        "stone, at: [0, 0, 1 cm]}], b: {on: jelly, at: [5 mm, -12 mm, -3 mm]}, stiffness: 500 "
        "N/m, damping: 1 N s/m, shortening: {table: [[0 s, 0], [0.12 s, 3 cm]], kind: smooth}}\n");
    double start = start_of(&w);
    world_step(&w, 240);
    if (w.ok) {
        LitheVec3 p = lithe_momentum(w.model, w.state);
        LitheEnergy e = lithe_energy(w.model, w.state);
        CHECK(v3_norm(p) < 1e-9 && e.kinetic > 1e-5 && e.work > 0);
        if (!CHECK(account(&w, start) < 0.02))
            printf("  account %g, work %g J\n", account(&w, start), e.work);
    }
    world_end(&w);
}

TEST(wrong_tendons_are_refused_with_their_key) {
#define BLOCK \
    "lithe: 1\nbodies: {block: {mass: 1 kg, inertia: [1, 1, 1, 0, 0, 0], at: [0, 0, " \
    "1]}}\nconstraints:\n  " \
    "it: "
    world_refused("via is given, but kind rope takes none",
                  BLOCK "{kind: rope, a: world, b: block, via: [block]}\n");
    world_refused("via[0]: no body named 'ring'",
                  BLOCK "{kind: tendon, a: world, b: block, via: [ring]}\n");
    world_refused("none of the 3 places of the tendon can move",
                  BLOCK "{kind: tendon, a: world, b: world, via: [world]}\n");
    world_refused("a tendon has either a tension or a length",
                  BLOCK "{kind: tendon, a: world, b: block, tension: 1 N, length: 2 m}\n");
    world_refused("shortening reaches 3 m, must stay below length, 2 m", BLOCK
                  "{kind: tendon, a: world, b: block, length: 2 m, shortening: {table: [[0 s, "
                  "0], [1 s, 3 m]]}}\n");
    const char *jelly =
        "lithe: 1\nmaterials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
        "solids: {jelly: {material: m, mesh: {box: {size: [1, 1, 1], divisions: [1, 1, 1]}}}}\n"
        "constraints:\n  it: ";
    world_refused("via[0] is the group 'x-min' of a solid",
                  "%s{kind: tendon, a: world, b: 'jelly[0]', via: [jelly.x-min]}\n", jelly);
    world_refused("via[0] is a solid without a place: at is missing",
                  "%s{kind: tendon, a: world, b: 'jelly[0]', via: [jelly]}\n", jelly);
    world_refused(
        "its 11 places depend on 36 nodes, at most 32 are possible",
        "%s{kind: tendon, a: world, b: {on: jelly, at: [0, 0, 0]}, via: ["
        "{on: jelly, at: [0, 0, 0.1]}, {on: jelly, at: [0, 0, 0.2]}, {on: jelly, at: [0, "
        "0, 0.3]}, {on: jelly, at: [0, 0.1, 0]}, {on: jelly, at: [0, 0.2, 0]}, {on: jelly, "
        "at: [0, 0.3, 0]}, {on: jelly, at: [0.1, 0, 0]}, {on: jelly, at: [0.2, 0, 0]}, "
        "world]}\n",
        jelly);
    world_refused("via[0]: the point (2, 0, 0) m is outside of solid 'jelly'",
                  "%s{kind: tendon, a: world, b: 'jelly[0]', via: [{on: jelly, at: [2, 0, 0]}]}\n",
                  jelly);
}

// every key of a tendon is written and read again
TEST(a_written_tendon_is_the_same_scene) {
    World w = tackle("backward-euler", "shortening: {table: [[0 s, 0], [1 s, 0.1 m]]}\n"
                                       "    stiffness: 300 N/m");
    char *text = NULL, *again = NULL;
    LitheScene *scene = NULL;
    LitheError error = {0};
    CHECK(w.ok && lithe_scene_write(w.scene, &text, &error) == LITHE_OK);
    CHECK(text && strstr(text, "via:") && strstr(text, "shortening:"));
    CHECK(text && lithe_scene_parse(w.context, text, strlen(text), "again", NULL, NULL, 0, &scene,
                                    &error) == LITHE_OK);
    if (CHECK(scene && lithe_scene_write(scene, &again, &error) == LITHE_OK))
        CHECK(strcmp(text, again) == 0);
    else
        printf("  %s\n", error.text);
    lithe_scene_destroy(scene);
    lithe_text_free(w.context, text);
    lithe_text_free(w.context, again);
    world_end(&w);
}
