// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_lcp_step.c - contact: {model: lcp} in scenes: friction, limits, drives,
// refusals

#include "base/hash.h"
#include "lcp_world.h"

// a box on a floor, with gravity across and down
static World block(const char *scheme, int directions, double vx, double vy, double gx) {
    return world_of(HEAD
                    "time: {step: 1 ms, end: 1 s, scheme: %s}\n"
                    "gravity: [%.17g, 0, -10]\n"
                    "contact: {model: lcp, lcp: {directions: %d}}\n"
                    "bodies:\n" FLOOR
                    "  block: {material: wood, shape: {box: {size: [0.2, 0.2, 0.1]}}, at: [0, 0, "
                    "0.05], velocity: [%.17g, %.17g, 0]}\n",
                    scheme, gx, directions, vx, vy);
}

TEST(block_slides_as_coulomb_says_in_both_schemes) {
    static const char *const schemes[] = {"linearly-implicit", "semi-implicit-euler"};
    for (int k = 0; k < 2; k++) {
        World w = block(schemes[k], 4, 0, 0, 7);
        world_step(&w, 200);
        // a = 7 - 0.5 * 10, summed over the steps
        CHECK_NEAR(body_speed(&w, "block").x, 2 * 0.2, 1e-6);
        CHECK_NEAR(body_at(&w, "block").x, 2 * 1e-6 * 200 * 201 / 2, 1e-6);
        CHECK_NEAR(body_at(&w, "block").z, 0.05, 1e-6);
        CHECK(w.unconverged == 0 && w.report.weakened == 0);
        CHECK(w.report.contacts >= 4 && w.report.active >= 3);
        world_end(&w);
    }
}

TEST(rk23_block_slides_sticks_and_rests_without_creep) {
    World w = block("rk23", 4, 0, 0, 7);
    world_step(&w, 200);
    // contacts act on mean velocities: a of 2 in each step, from a velocity of half a step of it
    CHECK_NEAR(body_at(&w, "block").x, 0.5 * 2 * 0.2 * 0.2, 2e-3);
    CHECK_NEAR(body_at(&w, "block").z, 0.05, 1e-6);
    CHECK(w.unconverged == 0 && w.report.weakened == 0);
    world_end(&w);
    w = block("rk23", 4, 0, 0, 4.9);
    world_step(&w, 200);
    CHECK_NEAR(body_at(&w, "block").x, 0, 1e-7);
    CHECK_NEAR(body_at(&w, "block").z, 0.05, 1e-6);
    world_end(&w);
}

// a stiff damped spring, for which an explicit step of this length is unstable: 40 / 0.01 per
// second
TEST(rk23_takes_as_many_substeps_as_a_stiff_joint_needs) {
    World w = world_of(
        HEAD "time: {step: 10 ms, end: 1 s, scheme: rk23}\ngravity: none\ncontact: {model: "
             "lcp}\nbodies:\n"
             "  cart: {mass: 0.01 kg, inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0]}\n"
             "joints:\n"
             "  rail: {kind: prismatic, child: cart, axis: [1, 0, 0], stiffness: 100, damping: 40, "
             "position: 0.1}\n");
    world_step(&w, 20);
    // the slow root of 0.01 x'' + 40 x' + 100 x = 0
    double slow = (-40 + sqrt(1600 - 4)) / 0.02, fast = (-40 - sqrt(1600 - 4)) / 0.02;
    double expected = 0.1 * (fast * exp(slow * 0.2) - slow * exp(fast * 0.2)) / (fast - slow);
    CHECK_NEAR(joint_at(&w, "rail"), expected, 1e-5);
    world_end(&w);
}

// (L16): the force of a damped body at rest is its weight, however far the damper acts in a step;
// with the mass alone as the matrix of the impulses it is 1/(1 + h B/m) of it
TEST(rk23_contact_force_of_a_damped_body_at_rest_is_its_weight) {
    static const double damping[] = {0, 20, 200, 2000, 20000}; // h B/m: 0, 0.01, 0.1, 1, 10
    for (int k = 0; k < 10; k++) {
        double B = damping[k / 2], sum = 0;
        World w = world_of(
            HEAD
            "time: {step: 1 ms, end: 1 s, scheme: rk23}\ngravity: 10\n"
            "contact: {model: lcp, lcp: {masses-alone: %s}}\nbodies:\n" FLOOR
            "  ball: {material: wood, mass: 2 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], shape: "
            "{sphere: {radius: 0.05}}, at: [0, 0, 0.05]}\n"
            "joints: {slide: {kind: prismatic, child: ball, axis: [0, 0, 1], damping: %g}}\n",
            k % 2 ? "true" : "false", B);
        world_step(&w, 100);
        for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++)
            sum += lithe_work_contact(w.work, i).normal;
        CHECK_NEAR(sum, k % 2 ? 20 / (1 + 1e-3 * B / 2) : 20, 0.02); // substeps: an error of 1e-3
        world_end(&w);
    }
}

// an arm with heavy dampers that slides down a slope: tip after 0.3 s
static LitheVec3 slide_down(const char *scheme, double step) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: %g, end: 1 s, scheme: %s}\n"
        "contact: {model: lcp}\n"
        "materials: {rubber: {young: 1 MPa, density: 1100 kg/m^3, friction: 0.3}}\n"
        "bodies:\n"
        "  face: {fixed: true, at: [-0.0389, 0, -0.0389], shape: {half-space: {}}, material: "
        "rubber, rotate: {axis: [0, 1, 0], angle: 45 deg}}\n"
        "arms:\n"
        "  trunk: {rotate: {axis: [0, 1, 0], angle: 135 deg}, lengths: [0.15, 0.15], masses: "
        "[0.54, "
        "0.265], radii: [0.04, 0.04], stiffness: 265 N/m, damping: 125 N s/m, start: [0.03, 0.03, "
        "0.03, 0.03, 0.03, 0.03], disks: 2, disk-radius: 5 cm, disk-length: 1 cm, disk-rounding: 5 "
        "mm, material: rubber}\n"
        "actuators: {pull: {joint: trunk/section-2, chamber: 2, kind: force, target: 20 N}}\n",
        step, scheme);
    world_step(&w, (int64_t)(0.3 / step + 0.5));
    CHECK(w.unconverged == 0 && w.report.active > 0);
    LitheVec3 tip = body_at(&w, "trunk/tip");
    world_end(&w);
    return tip;
}

TEST(rk23_converges_to_the_motion_of_the_linearly_implicit_scheme) {
    // an error of first order vanishes in 2 x(h/2) - x(h)
    LitheVec3 a = slide_down("linearly-implicit", 0.25e-3);
    LitheVec3 b = slide_down("linearly-implicit", 0.125e-3);
    LitheVec3 exact = {2 * b.x - a.x, 2 * b.y - a.y, 2 * b.z - a.z};
    double off[3];
    for (int k = 0; k < 3; k++) {
        LitheVec3 tip = slide_down("rk23", 2e-3 / (1 << k));
        off[k] = hypot(hypot(tip.x - exact.x, tip.y - exact.y), tip.z - exact.z);
    }
    CHECK(off[1] < 2e-4);
    for (int k = 1; k < 3; k++)
        CHECK(off[k] < off[k - 1] / 1.7);
}

TEST(steps_that_a_solver_without_fall_back_leaves_unsolved_are_reported) {
    // sweeps of Gauss-Seidel do not solve a stack with a heavy block on top
    World w = world_of(HEAD "time: {step: 1 ms, end: 1 s}\n"
                            "contact: {model: lcp, lcp: {solver: gauss-seidel, fall-back: false, "
                            "warm-start: false}}\nbodies:\n" FLOOR
                            "  a: {material: wood, shape: {box: {size: [0.2, 0.2, 0.1]}}, at: [0, "
                            "0, 0.05]}\n"
                            "  b: {shape: {box: {size: [0.2, 0.2, 0.1]}}, at: [0, 0, 0.15], mass: "
                            "200 kg, inertia: [400, 400, 700, 0, 0, 0], material: wood}\n");
    world_step(&w, 1);
    CHECK(w.report.solve_unconverged);
    world_end(&w);
}

TEST(block_sticks_below_the_cone) {
    World w = block("auto", 4, 0, 0, 4.9);
    world_step(&w, 200);
    CHECK_NEAR(body_at(&w, "block").x, 0, 1e-7);
    world_end(&w);
}

TEST(normal_forces_carry_the_weight) {
    World w = block("auto", 4, 0, 0, 0);
    double sum = 0;
    world_step(&w, 20);
    for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++)
        sum += lithe_work_contact(w.work, i).normal;
    CHECK_NEAR(sum, 500 * 0.2 * 0.2 * 0.1 * 10, 1e-4);
    world_end(&w);
}

// loss of speed of a block that slides between two directions, over that of Coulomb's law
static double friction_at(int directions) {
    double angle = acos(-1.0) / directions;
    World w = block("auto", directions, cos(angle), sin(angle), 0);
    world_step(&w, 10);
    LitheVec3 v = body_speed(&w, "block");
    world_end(&w);
    return (1 - hypot(v.x, v.y)) / (0.5 * 10 * 0.01);
}

TEST(polyhedral_friction_approaches_the_cone_as_directions_grow) {
    static const int directions[] = {4, 8, 16};
    for (int k = 0; k < 3; k++) {
        // friction along a direction that is pi/r off the motion
        double error = 1 - cos(acos(-1.0) / directions[k]);
        double found = 1 - friction_at(directions[k]);
        CHECK(found > -1e-6 && found < 1.05 * error + 1e-3);
        if (directions[k] == 4)
            CHECK(found > 0.1);
    }
}

TEST(pendulum_stops_at_its_limit) {
    World w = world_of(
        HEAD "time: {step: 1 ms, end: 1 s}\ncontact: {model: lcp}\nbodies:\n"
             "  arm: {mass: 2 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [0.5, 0, 0]}\n"
             "joints:\n"
             "  hinge: {kind: revolute, child: arm, at: [0, 0, 0], axis: [0, 1, 0], limits: [-1, "
             "0.2]}\n");
    world_step(&w, 1000);
    CHECK_NEAR(joint_at(&w, "hinge"), 0.2, 1e-6);
    CHECK_NEAR(joint_speed(&w, "hinge"), 0, 1e-9);
    double effort = *lithe_joint_limit_effort(w.model, w.work, lithe_joint_find(w.model, "hinge"));
    CHECK_NEAR(fabs(effort), 2 * 9.81 * 0.5 * cos(0.2), 1e-3);
    world_end(&w);
}

TEST(bounded_drive_has_at_most_its_effort) {
    static const double bounds[] = {5, 20}; // the weight needs 9.81 N m
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            HEAD
            "time: {step: 1 ms, end: 1 s}\ncontact: {model: lcp}\nbodies:\n"
            "  arm: {mass: 2 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [0.5, 0, 0]}\n"
            "joints:\n"
            "  hinge: {kind: revolute, child: arm, at: [0, 0, 0], axis: [0, 1, 0], effort: %g}\n"
            "actuators:\n"
            "  motor: {joint: hinge, kind: position, stiffness: 1000, damping: 20, target: "
            "0}\n",
            bounds[k]);
        world_step(&w, 500);
        CHECK(fabs(joint_effort(&w, "hinge")) < bounds[k] + 1e-5);
        if (bounds[k] > 10)
            CHECK_NEAR(joint_at(&w, "hinge"), 9.81 / 1000, 1e-4);
        else
            CHECK(joint_at(&w, "hinge") > 0.5);
        world_end(&w);
    }
}

TEST(ball_between_walls_that_are_too_close_is_reported_and_does_not_hang) {
    World w = world_of(HEAD "time: {step: 1 ms, end: 1 s}\ngravity: [0, 0, 0]\n"
                            "contact: {model: lcp}\nbodies:\n" FLOOR
                            "  lid: {shape: {box: {size: [1, 1, 0.1]}}, material: wood, at: [0, 0, "
                            "0.145], fixed: true}\n"
                            "  ball: {shape: {sphere: {radius: 0.05}}, material: wood, at: [0, 0, "
                            "0.0475]}\n");
    world_step(&w, 3);
    CHECK(w.report.weakened == 1);
    CHECK(w.report.deepest > 2e-3);
    CHECK_NEAR(vector_length(body_speed(&w, "ball")), 0, 1e-6);
    world_end(&w);
}

// three sections over a slope of 45 degrees, 5 mm above it, seven disks each
TEST(soft_arm_sinks_onto_a_slope_and_no_disk_penetrates) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: 1 ms, end: 1 s}\n"
        "contact: {model: lcp}\n"
        "materials: {rubber: {young: 1 MPa, density: 1100 kg/m^3, friction: 0.6}}\n"
        "bodies:\n"
        "  face: {fixed: true, at: [-0.03889, 0, -0.03889], shape: {half-space: {}}, material: "
        "rubber, rotate: {axis: [0, 1, 0], angle: 45 deg}}\n"
        "arms:\n"
        "  trunk: {rotate: {axis: [0, 1, 0], angle: 135 deg}, lengths: [0.15, 0.15, 0.15], masses: "
        "[1.17, 0.54, 0.265], radii: [0.04, 0.04, 0.04], stiffness: 265 N/m, damping: 125 N s/m, "
        "disks: 7, disk-radius: 5 cm, disk-length: 1 cm, material: rubber}\n");
    double deepest = 0;
    int32_t contacts = 0;
    for (int k = 0; k < 300 && w.ok; k++) {
        world_step(&w, 1);
        deepest = fmax(deepest, w.report.deepest);
        contacts = w.report.contacts > contacts ? w.report.contacts : contacts;
        CHECK(w.report.weakened == 0);
    }
    CHECK(w.unconverged == 0);
    CHECK(contacts >= 8);
    CHECK(deepest < 1e-6);
    world_end(&w);
}

// the same motion with plates at the bases of the sections, too: copies of the disks at the tips,
// and one that cannot move and has zero rows
TEST(copies_of_disks_change_nothing_and_are_dropped_by_the_rank_stage) {
    LitheVec3 tip[2];
    int32_t dropped[2] = {0}, contacts[2] = {0};
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\n"
            "time: {step: 1 ms, end: 1 s}\n"
            "contact: {model: lcp}\n"
            "materials: {rubber: {young: 1 MPa, density: 1100 kg/m^3, friction: 0.6}}\n"
            "bodies:\n"
            "  face: {fixed: true, at: [-0.0365, 0, -0.0365], shape: {half-space: {}}, material: "
            "rubber, rotate: {axis: [0, 1, 0], angle: 45 deg}}\n"
            "  hub: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
            "joints: {rail: {kind: prismatic, axis: [0, 1, 0], child: hub, damping: 1e9}}\n"
            "arms:\n"
            "  trunk: {parent: hub, rotate: {axis: [0, 1, 0], angle: 135 deg}, lengths: [0.15, "
            "0.15, 0.15], masses: [1.17, 0.54, 0.265], radii: [0.04, 0.04, 0.04], stiffness: 265 "
            "N/m, damping: 125 N s/m, disks: 3, disk-radius: 5 cm, disk-length: 1 cm, "
            "disk-rounding: 5 mm, base-plates: %s, material: rubber}\n",
            k ? "true" : "false");
        for (int i = 0; i < 300 && w.ok; i++) {
            world_step(&w, 1);
            dropped[k] =
                w.report.contacts_dropped > dropped[k] ? w.report.contacts_dropped : dropped[k];
            contacts[k] = w.report.contacts > contacts[k] ? w.report.contacts : contacts[k];
            CHECK(w.report.weakened == 0);
        }
        CHECK(w.unconverged == 0);
        tip[k] = body_at(&w, "trunk/tip");
        if (k == 1) {
            LitheVec3 a = body_at(&w, "trunk/1-3"), b = body_at(&w, "trunk/2-0");
            CHECK_NEAR(hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z), 0, 1e-12);
        }
        world_end(&w);
    }
    CHECK(contacts[1] > contacts[0] && dropped[1] > dropped[0]);
    CHECK_NEAR(tip[1].x, tip[0].x, 1e-5);
    CHECK_NEAR(tip[1].y, tip[0].y, 1e-5);
    CHECK_NEAR(tip[1].z, tip[0].z, 1e-5);
}

static uint64_t tumble(bool drop) {
    World w =
        world_of(HEAD "time: {step: 1 ms, end: 1 s}\ncontact: {model: lcp}\nbodies:\n" FLOOR
                      "  a: {material: wood, shape: {box: {size: [0.2, 0.1, 0.1]}}, at: [0, 0, "
                      "0.052], velocity: [1, 0.5, 0]}\n"
                      "  b: {material: wood, shape: {sphere: {radius: 0.05}}, at: [0.01, 0, "
                      "0.153]}\n");
    for (int k = 0; k < 100 && w.ok; k++) {
        world_step(&w, 1);
        if (!drop)
            continue;
        lithe_work_destroy(w.work);
        w.work = lithe_work_create(w.model, 1);
    }
    uint64_t hash = lithe_state_hash(w.state);
    world_end(&w);
    return hash;
}

TEST(work_can_be_dropped_in_every_step) {
    CHECK(tumble(false) == tumble(true));
}

TEST(step_allocates_nothing_after_the_first_ones) {
    World w = block("auto", 4, 0.5, 0.2, 0);
    world_step(&w, 20);
    world_step_without_allocation(&w, 20);
    world_end(&w);
}

TEST(free_body_falls_with_forces_of_the_start) {
    World w =
        world_of(HEAD "time: {step: 1 ms, end: 1 s}\ncontact: {model: lcp}\nbodies:\n"
                      "  ball: {shape: {sphere: {radius: 0.05}}, material: wood, at: [0, 0, 1]}\n");
    world_step(&w, 100);
    CHECK_NEAR(body_at(&w, "ball").z, 1 - 9.81e-6 * 100 * 101 / 2, 1e-12);
    world_end(&w);
}

TEST(body_welded_to_the_world_stays) {
    static const char *const schemes[] = {"linearly-implicit", "semi-implicit-euler", "rk23"};
    for (int k = 0; k < 3; k++) {
        World w = world_of(HEAD "time: {step: 2 ms, end: 1 s, scheme: %s}\n"
                                "contact: {model: lcp}\n"
                                "bodies:\n"
                                "  a: {material: wood, shape: {sphere: {radius: 5 cm}}, at: [0, 0, "
                                "1]}\n"
                                "  b: {material: wood, shape: {sphere: {radius: 5 cm}}, at: [0, 0, "
                                "1.2]}\n"
                                "joints: {j: {kind: weld, child: a}}\n",
                           schemes[k]);
        world_step(&w, 400);
        CHECK_NEAR(body_at(&w, "a").z, 1, 1e-12);
        CHECK(w.unconverged == 0);
        world_end(&w);
    }
}

TEST(what_lcp_does_not_serve_is_refused_by_name) {
#define LCP "contact: {model: lcp}\n"
#define BALL "bodies: {ball: {shape: {sphere: {radius: 0.05}}, material: wood}}\n"
    world_refused("bodies and robots only, not rod 'rope'", HEAD LCP
                  "rods: {rope: {material: wood, section: {circle: {radius: 1 mm}}, shape: "
                  "{line: {to: [1, 0, 0]}}, nodes: 11}}\n");
    world_refused("needs time.scheme linearly-implicit, not tr-bdf2",
                  HEAD LCP BALL "time: {scheme: tr-bdf2}\n");
    world_refused("does not support time.scheme linearly-implicit; lcp does",
                  HEAD BALL "time: {scheme: linearly-implicit}\n");
    world_refused("lcp.directions is 2, must be 3 to 32",
                  HEAD BALL "contact: {model: lcp, lcp: {directions: 2}}\n");
    world_refused(
        "no rolling or torsional friction, as material 'tyre'",
        "lithe: 1\nmaterials: {tyre: {young: 1 GPa, density: 500 kg/m^3, rolling-friction: "
        "1 mm}}\n" LCP "bodies: {ball: {shape: {sphere: {radius: 0.05}}, material: tyre}}\n");
    world_refused("has no adaptive steps",
                  HEAD LCP BALL "time: {step: {adaptive: {min: 1 us, max: 1 ms}}}\n");
}
