// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_statics.c - equilibria of everything: contacts, constraints, joints

#include "world.h"

#include <math.h>
#include <string.h>

#define G 9.81
#define HEAD \
    "lithe: 1\n" \
    "materials:\n" \
    "  wood: {young: 10 GPa, poisson: 0.3, density: 700 kg/m^3, friction: 0.5, " \
    "contact: {stiffness: 1e6 N/m}}\n"

static bool rest(World *w) {
    LitheError error;
    w->ok = w->ok && lithe_equilibrium(w->model, w->state, w->work, &w->report, &error) == LITHE_OK;
    if (!CHECK(w->ok))
        printf("  %s\n", error.text);
    return w->ok;
}

static LitheVec3 force_of(const World *w, const char *name) {
    return lithe_constraint_force(w->model, w->state, lithe_constraint_find(w->model, name));
}

static double height_of(const World *w, const char *name) {
    double pose[7];
    lithe_body_pose(w->model, w->state, lithe_body_find(w->model, name), pose);
    return pose[2];
}

// sum of the vertical forces of contacts on `name` from below
static double support_of(const World *w, const char *name) {
    int32_t body = lithe_body_find(w->model, name).number;
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce c = lithe_work_contact(w->work, i);
        sum += c.contact.a.thing.kind == LITHE_THING_BODY && c.contact.a.thing.number == body
                   ? -c.force.z
               : c.contact.b.thing.kind == LITHE_THING_BODY && c.contact.b.thing.number == body
                   ? c.force.z
                   : 0;
    }
    return sum;
}

// --- constraints ---------------------------------------------------------------------------------

#define ROPE(extra) ROPE_ALONG("from: [-0.5, 0, 1], to: [0.5, 0, 1]", extra)
#define ROPE_ALONG(line, extra) \
    HEAD "time: {step: 1 ms, end: 1 s}\n" \
         "rods:\n" \
         "  rope:\n" \
         "    material: wood\n" \
         "    section: {stiffness: {EA: 1000 N, EI: 2e-5 N m^2, GJ: 2e-5 N m^2, " \
         "mass-per-length: 0.1 kg/m, radius: 3 mm}}\n" \
         "    shape: {line: {" line "}}\n" \
         "    nodes: 41\n" extra

// a search that ignores the constraints ends at z = -3e7 m
TEST(a_rope_tied_by_its_ends_hangs_as_one_that_is_held) {
    World tied =
        world_of(ROPE("bodies:\n"
                      "  left: {fixed: true, at: [-0.5, 0, 1], shape: {sphere: {radius: 1 cm}}}\n"
                      "  right: {fixed: true, at: [0.5, 0, 1], shape: {sphere: {radius: 1 cm}}}\n"
                      "ignore: [[rope, left], [rope, right]]\n"
                      "constraints:\n"
                      "  a: {kind: attach, a: left, b: rope.start}\n"
                      "  b: {kind: attach, a: right, b: rope.end}\n"));
    World held = world_of(ROPE("holds:\n"
                               "  a: {on: rope.start, hold: position}\n"
                               "  b: {on: rope.end, hold: position}\n"));
    if (rest(&tied) && rest(&held)) {
        const double *a = lithe_rod_q(tied.model, tied.state, (LitheRodId){1});
        const double *b = lithe_rod_q(held.model, held.state, (LitheRodId){1});
        CHECK(b[4 * 20 + 2] < 0.99);
        for (int i = 0; i < 41; i++) {
            CHECK_NEAR(a[4 * i], b[4 * i], 1e-8);
            CHECK_NEAR(a[4 * i + 2], b[4 * i + 2], 1e-7);
        }
        // the mass of a node at the end is half
        CHECK_NEAR(force_of(&tied, "a").z, 0.05 * G, 1e-6);
        CHECK_NEAR(force_of(&tied, "b").z, 0.05 * G, 1e-6);
        CHECK(tied.report.bodies_unconverged == 0);
    }
    world_end(&tied);
    world_end(&held);
}

TEST(what_nothing_holds_is_named_and_the_state_stays) {
    World w = world_of(ROPE("bodies:\n  crate: {material: wood, at: [0, 0, 3], shape: {box: {size: "
                            "[10 cm, 10 cm, 10 cm]}}}\n"
                            "holds:\n  a: {on: rope.start, hold: position}\n"));
    LitheError error;
    uint64_t before = lithe_state_hash(w.state);
    CHECK(lithe_equilibrium(w.model, w.state, w.work, NULL, &error) == LITHE_CANNOT_GO_ON);
    CHECK(strstr(error.text, "nothing holds body 'crate'"));
    CHECK(lithe_state_hash(w.state) == before);
    world_end(&w);
}

TEST(a_crate_hangs_by_a_rope_that_is_tied_to_it) {
    World w = world_of(ROPE_ALONG(
        "from: [-0.5, 0, 1], to: [-0.4, 0, 0.005]",
        "bodies:\n  crate: {material: wood, at: [-0.4, 0, -0.045], shape: {box: {size: [10 cm, 10 "
        "cm, "
        "10 cm]}}}\n"
        "holds:\n  a: {on: rope.start, hold: position}\n"
        "ignore: [[rope, crate]]\n"
        "constraints:\n  hook: {kind: attach, a: {on: crate, at: [0, 0, 5 cm]}, b: rope.end}\n"));
    if (rest(&w)) {
        CHECK_NEAR(force_of(&w, "hook").z, -0.7 * G, 1e-5);
        const double *q = lithe_rod_q(w.model, w.state, (LitheRodId){1});
        // the rope is stretched by the crate and by half of the weight of the rope
        double stretch = 1 + (0.7 * G + 0.05 * G) / 1000;
        CHECK_NEAR(q[2] - q[4 * 40 + 2], stretch, 1e-4);
        CHECK_NEAR(q[4 * 40 + 2] - height_of(&w, "crate"), 0.05, 1e-6);
    }
    world_end(&w);
}

// --- contacts ------------------------------------------------------------------------------------

TEST(a_box_rests_on_the_floor_at_the_depth_of_its_weight) {
    World w = world_of(HEAD "bodies:\n"
                            "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
                            "  box: {material: wood, at: [0, 0, 30 cm], shape: {box: "
                            "{size: [20 cm, 20 cm, 20 cm]}}}\n");
    if (rest(&w)) {
        CHECK_NEAR(support_of(&w, "box"), 5.6 * G, 1e-4);
        // the springs of two materials act in series, on four corners
        CHECK_NEAR(height_of(&w, "box"), 0.1 - 5.6 * G / (4 * 0.5e6), 1e-8);
    }
    world_end(&w);
}

TEST(three_logs_rest_on_each_other) {
    World w =
        world_of(HEAD "bodies:\n"
                      "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
                      "  left: {material: wood, rotate: {axis: [1, 0, 0], angle: 90 deg}, at: "
                      "[-6 cm, 0, 6 cm], shape: {cylinder: {radius: 6 cm, length: 40 cm}}}\n"
                      "  right: {material: wood, rotate: {axis: [1, 0, 0], angle: 90 deg}, at: "
                      "[6 cm, 0, 6 cm], shape: {cylinder: {radius: 6 cm, length: 40 cm}}}\n"
                      "  top: {material: wood, rotate: {axis: [1, 0, 0], angle: 90 deg}, at: "
                      "[0, 0, 16.3923 cm], shape: {cylinder: {radius: 6 cm, length: 40 cm}}}\n");
    if (rest(&w)) {
        double log = 700 * 3.14159265358979 * 0.06 * 0.06 * 0.4;
        CHECK_NEAR(support_of(&w, "floor"), -3 * log * G, 1e-3);
        CHECK_NEAR(support_of(&w, "top"), log * G, 1e-3);
        CHECK(height_of(&w, "top") > 0.16 && height_of(&w, "top") < 0.163923);
    }
    world_end(&w);
}

TEST(a_block_on_an_incline_sticks_below_the_angle_of_friction_and_is_adrift_above) {
    for (int above = 0; above < 2; above++) {
        World w = world_of(HEAD "gravity: [%.9g, 0, %.9g]\n"
                                "bodies:\n"
                                "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
                                "  box: {material: wood, at: [0, 0, 5 cm], shape: "
                                "{box: {size: [20 cm, 20 cm, 10 cm]}}}\n",
                           G * sin(atan(above ? 0.51 : 0.49)), -G * cos(atan(above ? 0.51 : 0.49)));
        LitheError error;
        LitheStatus status = lithe_equilibrium(w.model, w.state, w.work, NULL, &error);
        if (above) {
            CHECK(status == LITHE_CANNOT_GO_ON && strstr(error.text, "nothing holds body 'box'"));
        } else if (CHECK(status == LITHE_OK)) {
            double pose[7];
            lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "box"), pose);
            // it does not slide; it tilts by the moment of friction
            printf("  moved by %.3g m\n", pose[0]);
            CHECK(fabs(pose[0]) < 1e-5);
        }
        world_end(&w);
    }
}

// --- joints --------------------------------------------------------------------------------------

TEST(an_arm_with_a_spring_turns_to_where_its_moment_balances) {
    World w =
        world_of(HEAD "bodies:\n  arm: {material: wood, at: [25 cm, 0, 1], shape: {box: {size: "
                      "[50 cm, 2 cm, 2 cm]}}}\n"
                      "joints:\n  hinge: {kind: revolute, child: arm, at: [0, 0, 1], axis: "
                      "[0, 1, 0], stiffness: 1.4 N m/rad, damping: 3 N m s/rad}\n");
    if (rest(&w)) {
        double q = *lithe_joint_position(w.model, w.state, lithe_joint_find(w.model, "hinge"));
        CHECK_NEAR(1.4 * q, 0.14 * G * 0.25 * cos(q), 1e-8);
        CHECK(q > 0.2 && q < 0.3);
    }
    world_end(&w);
}

TEST(a_joint_stops_at_its_limit_with_the_effort_of_its_weight) {
    World w =
        world_of(HEAD "bodies:\n  arm: {material: wood, at: [25 cm, 0, 1], shape: {box: {size: "
                      "[50 cm, 2 cm, 2 cm]}}}\n"
                      "joints:\n  hinge: {kind: revolute, child: arm, at: [0, 0, 1], axis: "
                      "[0, 1, 0], limits: [-1, 0.3]}\n");
    if (rest(&w)) {
        double q = *lithe_joint_position(w.model, w.state, lithe_joint_find(w.model, "hinge"));
        CHECK_NEAR(q, 0.3, 1e-7);
    }
    world_end(&w);
}

TEST(beads_tied_in_a_chain_hang_as_they_do_with_two_threads) {
    // the middle bead of five: equal bits on one and two threads
    const char *text =
        HEAD "bodies:\n"
             "  a: {fixed: true, at: [-0.3, 0, 1], shape: {sphere: {radius: 1 mm}}}\n"
             "  b: {fixed: true, at: [0.3, 0, 1], shape: {sphere: {radius: 1 mm}}}\n"
             "particles:\n  beads: {material: wood, radius: 1 cm, positions: [[-0.2, 0, 1], [0, 0, "
             "1], [0.2, 0, 1]]}\n"
             "constraints:\n"
             "  k0: {kind: distance, a: a, b: \"beads[0]\"}\n"
             "  k1: {kind: distance, a: \"beads[0]\", b: \"beads[1]\"}\n"
             "  k2: {kind: distance, a: \"beads[1]\", b: \"beads[2]\"}\n"
             "  k3: {kind: distance, a: \"beads[2]\", b: b}\n";
    uint64_t hash[2] = {0};
    for (int k = 0; k < 2; k++) {
        World w = world_of("%s", text);
        lithe_work_destroy(w.work);
        w.work = lithe_work_create(w.model, 1 + k);
        if (rest(&w)) {
            hash[k] = lithe_state_hash(w.state);
            double weight = 700 * 4.0 / 3 * 3.14159265358979 * 1e-6 * G;
            LitheVec3 f = force_of(&w, "k3"), g = force_of(&w, "k0");
            CHECK_NEAR(fabs(f.z) + fabs(g.z), 3 * weight, 1e-6 * weight);
            CHECK_NEAR(fabs(f.x), fabs(g.x), 1e-6 * weight);
        }
        world_end(&w);
    }
    CHECK(hash[0] == hash[1]);
}

// --- modes ---------------------------------------------------------------------------------------

static bool has_mode(const double *omega, int count, double wanted, double tolerance) {
    double best = INFINITY;
    for (int i = 0; i < count; i++)
        best = fmin(best, fabs(omega[i] - wanted));
    if (!CHECK(best <= tolerance * wanted)) {
        printf("  no mode of %g rad/s within %g:", wanted, tolerance);
        for (int i = 0; i < count; i++)
            printf(" %.6g", omega[i]);
        printf("\n");
    }
    return best <= tolerance * wanted;
}

TEST(a_body_that_hangs_by_a_point_swings_as_a_pendulum) {
    World w =
        world_of(HEAD "bodies:\n  bob: {material: wood, at: [0, 0, 0.7], shape: {box: {size: "
                      "[10 cm, 20 cm, 10 cm]}}}\n"
                      "constraints:\n  hook: {kind: attach, a: {on: world, at: [0, 0, 1]}, b: "
                      "{on: bob, at: [0, 0, 0.3]}}\n");
    double omega[6], d = 0.3;
    LitheError error;
    if (rest(&w) &&
        CHECK(lithe_world_modes(w.model, w.state, w.work, 6, omega, NULL, &error) == LITHE_OK)) {
        double about_x = (0.2 * 0.2 + 0.1 * 0.1) / 12, about_y = (0.1 * 0.1 + 0.1 * 0.1) / 12;
        has_mode(omega, 6, sqrt(G * d / (d * d + about_x)), 1e-4);
        has_mode(omega, 6, sqrt(G * d / (d * d + about_y)), 1e-4);
        // it turns freely about the vertical: rigid, not unstable
        CHECK(omega[0] == 0);
        int32_t unstable = -1;
        CHECK(lithe_world_unstable_count(w.model, w.state, w.work, 1e-3, &unstable, &error) ==
              LITHE_OK);
        CHECK(unstable == 0);
    }
    world_end(&w);
}

TEST(a_box_bounces_on_the_springs_of_its_contacts) {
    World w = world_of(HEAD "bodies:\n"
                            "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
                            "  box: {material: wood, at: [0, 0, 10 cm], shape: {box: {size: [20 "
                            "cm, 20 cm, 20 cm]}}}\n");
    double omega[6];
    LitheError error;
    if (rest(&w) &&
        CHECK(lithe_world_modes(w.model, w.state, w.work, 6, omega, NULL, &error) == LITHE_OK)) {
        // four contacts of 0.5e6 N/m
        has_mode(omega, 6, sqrt(4 * 0.5e6 / 5.6), 1e-4);
        CHECK(omega[0] > 1);
    }
    world_end(&w);
}

TEST(a_body_that_stands_on_its_joint_is_unstable) {
    World w = world_of(HEAD "bodies:\n  arm: {material: wood, at: [0, 0, 25 cm], shape: {box: "
                            "{size: [2 cm, 2 cm, 50 cm]}}}\n"
                            "joints:\n  hinge: {kind: revolute, child: arm, at: [0, 0, 0], axis: "
                            "[0, 1, 0]}\n");
    double omega;
    LitheError error;
    if (w.ok &&
        CHECK(lithe_world_modes(w.model, w.state, w.work, 1, &omega, NULL, &error) == LITHE_OK)) {
        double inertia = 0.25 * 0.25 + (0.5 * 0.5 + 0.02 * 0.02) / 12;
        CHECK_NEAR(omega, -sqrt(G * 0.25 / inertia), 1e-5);
        int32_t unstable = 0;
        CHECK(lithe_world_unstable_count(w.model, w.state, w.work, 0, &unstable, &error) ==
              LITHE_OK);
        CHECK(unstable == 1);
    }
    world_end(&w);
}

TEST(a_weight_at_its_tip_slows_a_cantilever_as_the_beam_equation_says) {
    // 1 + cos b cosh b = a b (sin b cosh b - cos b sinh b), a the mass at the tip over the beam's
    World w = world_of(HEAD "gravity: [0, 0, 0]\n"
                            "bodies:\n  bob: {material: wood, at: [1, 0, 0], shape: {sphere: "
                            "{radius: 2 cm}}}\n"
                            "rods:\n  beam: {material: wood, section: {stiffness: {EA: 1e6 N, EI: "
                            "2 N m^2, GJ: 2 N m^2, mass-per-length: 0.05 kg/m, radius: 5 mm}}, "
                            "shape: {line: {to: [1, 0, 0]}}, nodes: 61, clamped: start}\n"
                            "ignore: [[beam, bob]]\n"
                            "constraints:\n  tip: {kind: weld, a: bob, b: beam.end}\n");
    double omega[6], a = 700 * 4.0 / 3 * 3.14159265358979 * 8e-6 / 0.05;
    LitheError error;
    if (w.ok &&
        CHECK(lithe_world_modes(w.model, w.state, w.work, 6, omega, NULL, &error) == LITHE_OK)) {
        double low = 0.1, high = 1.8751;
        for (int i = 0; i < 100; i++) {
            double b = 0.5 * (low + high);
            double f = 1 + cos(b) * cosh(b) - a * b * (sin(b) * cosh(b) - cos(b) * sinh(b));
            *(f > 0 ? &low : &high) = b;
        }
        has_mode(omega, 6, low * low * sqrt(2 / 0.05), 3e-3);
    }
    world_end(&w);
}

// --- load paths ----------------------------------------------------------------------------------

// a rope over a bar, pulled at its end: slips of each step are measured from the last equilibrium
static const char pulled[] =
    "lithe: 1\n"
    "time: {step: 1 s, end: 100 s, scheme: static}\n"
    "materials: {hemp: {young: 1 GPa, density: 900 kg/m^3, friction: 0.3}}\n"
    "bodies:\n"
    "  bar: {fixed: true, material: hemp, shape: {capsule: {radius: 5 cm, length: 40 cm}, rotate: "
    "{axis: [1, 0, 0], angle: 90 deg}}, at: [0, 0, 1]}\n"
    "rods:\n"
    "  rope: {material: hemp, section: {stiffness: {EA: 300 N, EI: 2e-5 N m^2, GJ: 2e-5 N m^2, "
    "mass-per-length: 0.1 kg/m, radius: 6 mm}}, shape: {path: {pieces: [{straight: 38 cm}, {turn: "
    "-180 deg, radius: 57.2 mm}, {straight: 38 cm}], rotate: {axis: [1, -1, 1], angle: 120 deg}, "
    "at: [-57.2 mm, 0, 62 cm]}}, nodes: 41}\n"
    "drives: {hand: {on: rope.end, direction: [0, 0, -1], motion: {rate: 1 mm/s}}}\n";

TEST(a_load_path_has_the_same_bits_with_two_threads_and_with_work_dropped_every_step) {
    uint64_t hash[3] = {0};
    for (int way = 0; way < 3; way++) {
        World w = world_of("%s", pulled);
        for (int k = 0; k < 6 && w.ok; k++) {
            if (k == 0 || way == 2) {
                lithe_work_destroy(w.work);
                w.work = lithe_work_create(w.model, way == 1 ? 2 : 1);
            }
            world_step(&w, 1);
        }
        hash[way] = lithe_state_hash(w.state);
        if (way == 0)
            CHECK(lithe_drive_force(w.model, w.state, (LitheDriveId){1}) > 0);
        world_end(&w);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}

// it slips at a pull of e^(mu phi) times the weight of the other side, minus that of the pulled
// side
LONG_TEST(a_rope_pulled_over_a_bar_slips_at_the_capstan_load) {
    World w = world_of("%s", pulled);
    double pull = 0;
    if (world_step(&w, 40))
        pull = lithe_drive_force(w.model, w.state, (LitheDriveId){1});
    double side = 0.1 * (0.38 - 0.04) * G, own = 0.1 * (0.38 + 0.04) * G;
    CHECK_NEAR(pull, side * exp(0.3 * 3.14159265) - own, 0.08 * side);
    world_end(&w);
}

// a line that pulls has a geometric stiffness of its tension over its length, once
TEST(a_bead_on_a_line_swings_as_a_pendulum) {
    static const char *const kinds[] = {"distance", "rope"};
    for (int k = 0; k < 2; k++) {
        World w = world_of(HEAD "particles: {p: {mass: 1 kg, radius: 1 cm, at: [0, 0, -1]}}\n"
                                "constraints: {t: {kind: %s, a: world, b: \"p[0]\"}}\n",
                           kinds[k]);
        double omega[2] = {0};
        LitheError error;
        if (rest(&w) && CHECK(lithe_world_modes(w.model, w.state, w.work, 2, omega, NULL, &error) ==
                              LITHE_OK)) {
            CHECK_NEAR(omega[0], sqrt(G), 1e-3);
            CHECK_NEAR(omega[1], sqrt(G), 1e-3);
        }
        world_end(&w);
    }
}

// --- stability -----------------------------------------------------------------------------------

TEST(the_report_of_an_equilibrium_counts_its_negative_pivots) {
    // hanging and standing on its hinge; resting on its joint limit, whose effort is a reaction
    static const struct {
        const char *place, *limits;
        int32_t unstable;
    } arms[] = {{"[0, 0, -25 cm]", "", 0},
                {"[0, 0, 25 cm]", "", 1},
                {"[0, 0, 25 cm]", ", limits: [-0.5, 0.2], position: 0.1", 0}};
    for (int k = 0; k < 3; k++) {
        World w =
            world_of(HEAD "bodies:\n  arm: {material: wood, at: %s, shape: {box: {size: [2 "
                          "cm, 2 cm, 50 cm]}}}\n"
                          "joints:\n  hinge: {kind: revolute, child: arm, at: [0, 0, 0], axis: "
                          "[0, 1, 0]%s}\n",
                     arms[k].place, arms[k].limits);
        if (rest(&w))
            CHECK(w.report.unstable == arms[k].unstable);
        world_end(&w);
    }
}

TEST(a_straight_column_above_its_euler_load_is_reported_as_unstable_and_a_bent_one_is_not) {
    // pi^2/4 = 2.467 N; it buckles in two directions, which are free
    for (int bent = 0; bent < 2; bent++) {
        World w = world_of(
            HEAD "gravity: none\ncontact: {enabled: false}\n"
                 "time: {step: 1 s, end: 100 s, scheme: static}\n"
                 "rods:\n  column: {material: wood, section: {stiffness: {EA: 1e6 N, EI: 1 N m^2, "
                 "GJ: 1 N m^2, mass-per-length: 1 kg/m, radius: 5 mm}}, shape: {line: {to: [0, 0, "
                 "1]}}, nodes: 31, clamped: start}\n"
                 "forces:\n"
                 "  weight: {on: column.end, force: [0, 0, -1 N], profile: {rate: 1}}\n"
                 "  side: {on: column.end, force: [%s, 0, 0]}\n",
            bent ? "10 mN" : "0");
        static const int32_t straight[] = {0, 0, 2, 2};
        for (int k = 0; k < 4 && world_step(&w, 1); k++)
            CHECK(w.report.unstable == (bent ? 0 : straight[k]));
        world_end(&w);
    }
}

TEST(a_log_on_a_log_is_unstable_and_contacts_count) {
    // placed at its depth of rest: rounding decides whether a search rolls it off
    World w = world_of(
        HEAD
        "bodies:\n"
        "  log: {fixed: true, material: wood, rotate: {axis: [1, 0, 0], angle: 90 deg}, shape: "
        "{cylinder: {radius: 6 cm, length: 40 cm}}}\n"
        "  top: {material: wood, rotate: {axis: [1, 0, 0], angle: 90 deg}, at: [0, 0, 119.96893442 "
        "mm], shape: {cylinder: {radius: 6 cm, length: 40 cm}}}\n");
    int32_t unstable = -1;
    LitheError error;
    CHECK(w.ok &&
          lithe_world_unstable_count(w.model, w.state, w.work, 0, &unstable, &error) == LITHE_OK);
    CHECK(unstable == 1);
    world_end(&w);
}

// --- dry friction of joints ----------------------------------------------------------------------

// 1 kg at the end of a horizontal arm of 1 m: friction above 9.81 N m holds it, less lets it turn
// to where its moment is that of friction
TEST(a_joint_with_dry_friction_sticks_or_turns_to_where_friction_balances) {
    static const double frictions[] = {3, 9, 9.9, 12, 100, 1e4};
    for (int k = 0; k < 6; k++) {
        World w = world_of(
            HEAD "bodies:\n  arm: {mass: 1 kg, inertia: [0.1, 0.1, 0.1, 0, 0, 0], at: [1, 0, 0], "
                 "shape: {sphere: {radius: 1 cm}}}\n"
                 "joints:\n  hinge: {kind: revolute, child: arm, at: [0, 0, 0], axis: [0, 1, 0], "
                 "friction: %g N m}\n",
            frictions[k]);
        if (rest(&w)) {
            double q = *lithe_joint_position(w.model, w.state, lithe_joint_find(w.model, "hinge"));
            CHECK_NEAR(q, frictions[k] < G ? acos(frictions[k] / G) : 0, 1e-6);
        }
        world_end(&w);
    }
}

TEST(a_slide_with_dry_friction_holds_its_weight_or_is_adrift) {
    for (int above = 0; above < 2; above++) {
        World w = world_of(
            HEAD "bodies:\n  load: {mass: 1 kg, inertia: [0.1, 0.1, 0.1, 0, 0, 0], at: [1, 0, 0], "
                 "shape: {sphere: {radius: 1 cm}}}\n"
                 "joints:\n  slide: {kind: prismatic, child: load, at: [0, 0, 0], axis: [0, 0, 1], "
                 "friction: %g N}\n",
            above ? 12.0 : 9.0);
        LitheError error;
        LitheStatus status = lithe_equilibrium(w.model, w.state, w.work, NULL, &error);
        CHECK(above ? status == LITHE_OK
                    : status == LITHE_CANNOT_GO_ON && strstr(error.text, "nothing holds"));
        world_end(&w);
    }
}

// --- long ways -----------------------------------------------------------------------------------

// a crate on a rope of 2 m that is held at its other end and starts straight, at an angle from the
// hanging state
LONG_TEST(a_crate_on_a_rope_swings_down_from_any_angle_with_any_mass) {
    static const double angles[] = {0, 20, 90, 120, 150, 170}, masses[] = {1, 30, 500};
    for (int a = 0; a < 6; a++)
        for (int m = 0; m < 3; m++) {
            double angle = angles[a] * 3.14159265358979 / 180, dx = sin(angle), dz = -cos(angle);
            World w = world_of(
                HEAD
                "rods:\n  rope: {material: wood, section: {stiffness: {EA: 1e5 N, EI: 2e-3 N "
                "m^2, GJ: 2e-3 N m^2, mass-per-length: 0.1 kg/m, radius: 6 mm}}, shape: {line: "
                "{to: [%.12g, 0, %.12g]}}, nodes: 41}\n"
                "bodies:\n  crate: {material: wood, mass: %g kg, inertia: [%g, %g, %g, 0, 0, "
                "0], at: [%.12g, 0, %.12g], rotate: {axis: [0, 1, 0], angle: %g deg}, shape: "
                "{box: {size: [50 cm, 50 cm, 50 cm]}}}\n"
                "holds: {top: {on: rope.start, hold: position}}\n"
                "constraints: {hook: {kind: attach, a: {on: crate, at: [0, 0, 25 cm]}, b: "
                "rope.end}}\n",
                2 * dx, 2 * dz, masses[m], 0.04 * masses[m], 0.04 * masses[m], 0.04 * masses[m],
                2.25 * dx, 2.25 * dz, -angles[a]);
            if (rest(&w))
                // the rope is stretched by the crate and by half of the weight of the rope
                CHECK_NEAR(height_of(&w, "crate"), -2.25 - 2 * (masses[m] + 0.1) * G / 1e5, 1e-5);
            else
                printf("  from %g degrees with %g kg\n", angles[a], masses[m]);
            world_end(&w);
        }
}

// A soft cylinder is pressed into a floor by four tenths of its radius at once: the search fails,
// in parts it succeeds.
TEST(a_load_step_that_is_made_in_parts_leaves_no_error_behind) {
    World w = world_of("lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, end: 10 s}\n"
                       "materials:\n"
                       "  soft: {young: 1 MPa, poisson: 0.3, density: 1000, friction: 0}\n"
                       "  hard: {young: 1000 GPa, density: 1000, friction: 0}\n"
                       "solids:\n"
                       "  it: {material: soft, law: corotated, plane-strain: y, at: [0, 0, 0.1],\n"
                       "    rotate: {axis: [1, 0, 0], angle: 90 deg},\n"
                       "    quadratic: false,\n"
                       "    mesh: {cylinder: {radius: 0.1, length: 20 mm, resolution: 20 mm}}}\n"
                       "bodies: {floor: {fixed: true, material: hard, shape: {half-space: {}}}}\n"
                       "sets: {middle: {of: it, plane: {point: [0, 0, 0.1], normal: [0, 0, 1],\n"
                       "  thickness: 0.1 mm}}}\n"
                       "drives: {press: {on: middle, kind: clamp, direction: [0, 0, -1],\n"
                       "  motion: {value: 0, rate: 0.04}}}\n");
    LitheReport report;
    LitheError error = {0};
    if (w.ok) {
        CHECK(lithe_step(w.model, w.state, w.work, &report, &error) == LITHE_OK);
        CHECK(report.rejected > 0);
        CHECK(error.status == LITHE_OK && error.text[0] == '\0');
    }
    world_end(&w);
}

// where the load of an arm of three sections hangs, and that at the end of a sprung lever
static void hang(double inertia, LitheVec3 at[2]) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: 1 ms}\n"
        "bodies:\n"
        "  load: {mass: 0.2, inertia: [%1$g, %1$g, %1$g, 0, 0, 0]}\n"
        "  weight: {mass: 0.2, inertia: [%1$g, %1$g, %1$g, 0, 0, 0], at: [1, 2, 0]}\n"
        "arms: {a: {lengths: [15 cm, 15 cm, 15 cm], masses: [0.3, 0.2, 0.1], radii: [4 cm, 4 cm, "
        "4 cm], stiffness: 1500 N/m, damping: 10, disk-radius: 3 cm, rotate: {axis: [0, 1, 0], "
        "angle: 90 deg}}}\n"
        "joints:\n"
        "  grip: {kind: weld, parent: a/tip, child: load, parent-at: [0, 0, 0]}\n"
        "  lever: {kind: revolute, child: weight, at: [0, 2, 0], axis: [0, 1, 0], stiffness: 2}\n",
        inertia);
    LitheError error = {0};
    if (w.ok && !CHECK(lithe_equilibrium(w.model, w.state, w.work, &w.report, &error) == LITHE_OK))
        printf("  %g kg m^2: %s\n", inertia, error.text);
    for (int i = 0; w.ok && i < 2; i++) {
        double p[7];
        lithe_body_pose(w.model, w.state, lithe_body_find(w.model, i ? "weight" : "load"), p);
        at[i] = (LitheVec3){p[0], p[1], p[2]};
    }
    world_end(&w);
}

TEST(a_load_without_extent_hangs_where_another_one_does) {
    LitheVec3 truth[2] = {{0}}, at[2] = {{0}};
    hang(1e-4, truth);
    CHECK(truth[0].z < -0.05 && truth[1].z < -0.4);
    for (double inertia = 1e-6; inertia > 1e-13; inertia *= 0.03) {
        hang(inertia, at);
        for (int i = 0; i < 2; i++)
            CHECK(fabs(at[i].x - truth[i].x) + fabs(at[i].z - truth[i].z) < 1e-6);
    }
}
