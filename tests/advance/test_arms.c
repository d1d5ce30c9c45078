// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_arms.c - soft arms from scenes: pressures, limits, contact, payload, files

#include "world.h"

#include <math.h>
#include <string.h>

#define HEAD(settings) \
    "lithe: 1\n" settings "\n" \
    "materials:\n" \
    "  rubber: {density: 1100 kg/m^3, young: 1 MPa, friction: 0.6, contact: {stiffness: 1e4 " \
    "N/m}}\n"
#define SECTIONS \
    "    lengths: [15 cm, 15 cm, 15 cm]\n" \
    "    masses: [1.17 kg, 0.54 kg, 0.265 kg]\n" \
    "    radii: [4 cm, 4 cm, 4 cm]\n" \
    "    stiffness: 265 N/m\n" \
    "    disk-radius: 5 cm\n" \
    "    disk-length: 1 cm\n"
#define ARM(extra) "arms:\n  trunk:\n" SECTIONS "    " extra "\n"

static const double *chambers(const World *w, const char *joint) {
    return lithe_joint_position(w->model, w->state, lithe_joint_find(w->model, joint));
}

static bool rest(World *w) {
    LitheError error = {0};
    w->ok = w->ok && lithe_equilibrium(w->model, w->state, w->work, &w->report, &error) == LITHE_OK;
    if (!CHECK(w->ok))
        printf("  %s\n", error.text);
    return w->ok;
}

// --- statics -------------------------------------------------------------------------------------

TEST(forces_of_chambers_are_balanced_by_their_springs) {
    // without gravity each chamber is a spring of its own
    World w = world_of(HEAD("gravity: none") ARM(
        "disks: 2") "actuators:\n"
                    "  a: {joint: trunk/section-1, chamber: 1, kind: force, target: 10 N}\n"
                    "  b: {joint: trunk/section-2, chamber: 2, kind: force, target: 20 N}\n"
                    "  c: {joint: trunk/section-3, chamber: 3, kind: force, target: -5 N}\n");
    if (rest(&w)) {
        CHECK_NEAR(chambers(&w, "trunk/section-1")[0], 10 / 265.0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-1")[1], 0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-2")[1], 20 / 265.0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-3")[2], -5 / 265.0, 1e-9);
    }
    world_end(&w);
}

TEST(hanging_arm_is_stretched_by_its_weight) {
    // along -z the sections stay straight: 3 k l = weight of the half above the middle and below
    World w = world_of(HEAD("gravity: 9.81") ARM("rotate: {axis: [1, 0, 0], angle: 180 deg}"));
    const double g = 9.81, m[3] = {1.17, 0.54, 0.265};
    double below = 0, length = 0;
    if (rest(&w))
        for (int i = 3; i-- > 0;) {
            char name[32];
            snprintf(name, sizeof name, "trunk/section-%d", i + 1);
            double wanted = (0.5 * m[i] + below) * g / (3 * 265);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(chambers(&w, name)[k], wanted, 1e-9);
            below += m[i];
            length += 0.15 + wanted;
        }
    CHECK_NEAR(body_at(&w, "trunk/tip").z, -length, 1e-8);
    world_end(&w);
}

TEST(payload_at_the_tip_pulls_like_a_force_there) {
    const char *tool = "bodies: {bob: {mass: 0.2, inertia: [1e-5, 1e-5, 1e-5, 0, 0, 0]}}\n";
    World w = world_of(
        HEAD("gravity: 9.81") "%s" ARM(
            "rotate: {axis: [0, 1, 0], angle: 120 deg}") "joints:\n"
                                                         "  grip: {kind: weld, parent: trunk/tip, "
                                                         "child: bob, parent-at: "
                                                         "[0, 0, 0]}\n",
        tool);
    World f =
        world_of(HEAD("gravity: 9.81")
                     ARM("rotate: {axis: [0, 1, 0], angle: 120 deg}") "forces:\n"
                                                                      "  pull: {on: trunk/tip, "
                                                                      "force: [0, 0, -1.962]}\n");
    if (rest(&w) && rest(&f)) {
        LitheVec3 a = body_at(&w, "trunk/tip"), b = body_at(&f, "trunk/tip");
        CHECK_NEAR(a.x, b.x, 1e-7);
        CHECK_NEAR(a.z, b.z, 1e-7);
    }
    world_end(&w);
    world_end(&f);
}

// --- limits and contact --------------------------------------------------------------------------

TEST(chamber_stops_at_its_limit) {
    World w = world_of(HEAD("gravity: none\ntime: {step: 2 ms, end: 9 s}") ARM(
        "damping: 125 N s/m\n    limits: [-2 cm, 5 cm]") "actuators:\n"
                                                         "  a: {joint: trunk/section-2, chamber: "
                                                         "3, kind: force, target: 40 N}\n"
                                                         "  b: {joint: trunk/section-1, chamber: "
                                                         "1, kind: force, target: -40 N}\n");
    world_step(&w, 1000);
    CHECK(w.unconverged == 0);
    CHECK_NEAR(chambers(&w, "trunk/section-2")[2], 0.05, 1e-4);
    CHECK_NEAR(chambers(&w, "trunk/section-1")[0], -0.02, 1e-4);
    CHECK(w.report.joints_at_limit == 2);
    world_end(&w);
}

TEST(arm_sags_onto_a_table_and_the_table_holds_it) {
    World w = world_of(
        HEAD("gravity: 9.81\ntime: {step: 2 ms, end: 9 s}") "bodies:\n"
                                                            "  table: {fixed: true, at: [0, 0, "
                                                            "-0.12], shape: {half-space: {}}, "
                                                            "material: rubber}\n" ARM(
                                                                "damping: 60 N s/m\n    rotate: "
                                                                "{axis: [0, 1, 0], angle: 90 "
                                                                "deg}\n    material: "
                                                                "rubber"));
    world_step(&w, 700);
    CHECK(w.unconverged == 0);
    double lift = 0, low = INFINITY;
    for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++)
        lift += fabs(lithe_work_contact(w.work, i).force.z);
    for (int32_t i = 0; i < lithe_body_count(w.model); i++) {
        double pose[7];
        lithe_body_pose(w.model, w.state, (LitheBodyId){i + 1}, pose);
        low = i > 0 ? fmin(low, pose[2]) : low;
    }
    CHECK(lift > 0.5 && lift < 1.975 * 9.81);
    CHECK(low > -0.13);
    world_end(&w);
}

// --- motion --------------------------------------------------------------------------------------

TEST(schemes_agree_on_the_motion_of_an_arm) {
    static const char *const schemes[] = {"backward-euler", "midpoint", "tr-bdf2"};
    const double steps[] = {0.05e-3, 1e-3, 1e-3}, allowed[] = {2e-4, 2e-5, 0};
    LitheVec3 tips[3];
    for (int k = 2; k >= 0; k--) {
        World w = world_of(HEAD("gravity: 9.81\ntime: {step: %g s, end: 9 s, scheme: %s}")
                               ARM("damping: 5 N s/m\n    disks: 1\n    rotate: {axis: [0, 1, 0], "
                                   "angle: 100 deg}\n    start: [1 cm, 0, 0, 0, 2 cm, 0, 0, 0, 3 "
                                   "cm]"),
                           steps[k], schemes[k]);
        world_step(&w, (int64_t)(0.1 / steps[k] + 0.5));
        CHECK(w.unconverged == 0);
        tips[k] = body_at(&w, "trunk/tip");
        CHECK_NEAR(tips[k].x, tips[2].x, allowed[k]);
        CHECK_NEAR(tips[k].y, tips[2].y, allowed[k]);
        CHECK_NEAR(tips[k].z, tips[2].z, allowed[k]);
        world_end(&w);
    }
}

TEST(arm_on_a_free_body_keeps_its_momentum) {
    World w = world_of(HEAD(
        "gravity: none\ntime: {step: 1 ms, end: 9 s, scheme: midpoint}") "bodies:"
                                                                         "\n  hub: {mass: 2, "
                                                                         "inertia: [0.01, 0.012, "
                                                                         "0.014, 0, 0, 0], "
                                                                         "velocity: [0.1, "
                                                                         "0.2, 0], "
                                                                         "angular-velocity: [1, 2, "
                                                                         "3]}\n" ARM(
                                                                             "parent: hub\n    "
                                                                             "disks: 2\n    "
                                                                             "disk-mass: 20 g\n    "
                                                                             "start: [3 cm, 0, 0, "
                                                                             "0, 2 cm, 0, 0, 0, 3 "
                                                                             "cm]"));
    LitheVec3 p0 = {0}, p1 = {0}, l0 = {0}, l1 = {0};
    if (w.ok) {
        p0 = lithe_momentum(w.model, w.state);
        l0 = lithe_angular_momentum(w.model, w.state);
        world_step(&w, 200);
        p1 = lithe_momentum(w.model, w.state);
        l1 = lithe_angular_momentum(w.model, w.state);
    }
    CHECK(w.unconverged == 0);
    CHECK(vector_length(l0) > 0.05);
    CHECK_NEAR(p1.x, p0.x, 1e-9);
    CHECK_NEAR(p1.y, p0.y, 1e-9);
    CHECK_NEAR(p1.z, p0.z, 1e-9);
    CHECK_NEAR(l1.x, l0.x, 1e-9);
    CHECK_NEAR(l1.y, l0.y, 1e-9);
    CHECK_NEAR(l1.z, l0.z, 1e-9);
    world_end(&w);
}

// --- scenes --------------------------------------------------------------------------------------

TEST(scene_with_arms_is_written_and_read_as_the_same_world) {
    // the second arm stands on a disk of the first
    World w = world_of(HEAD("gravity: 9.81\ntime: {step: 1 ms, end: 9 s}") ARM(
        "drive: force\n    force: 30 N\n    limits: [-2 cm, 5 cm]\n    material: rubber\n    "
        "start: "
        "[1 cm, 0, 0, 0, 0, 0, 0, 0, 0]\n  twig:\n    parent: trunk/2-2\n    at: [5 cm, 0, 0]\n    "
        "lengths: [8 cm]\n    masses: [0.1 kg]\n    radii: [1 cm]\n    stiffness: 100 N/m\n    "
        "disk-radius: 1 cm\n    drive: position\n    drive-stiffness: 50 N/m"));
    char *text = NULL;
    LitheError error = {0};
    if (w.ok && CHECK(lithe_scene_write(w.scene, &text, &error) == LITHE_OK)) {
        World again = world_of("%s", text);
        world_step(&w, 20);
        world_step(&again, 20);
        CHECK(again.ok && lithe_state_hash(w.state) == lithe_state_hash(again.state));
        CHECK_NEAR(chambers(&w, "trunk/section-1")[0], 0.01, 0.01);
        world_end(&again);
    }
    lithe_free(w.context, text);
    world_end(&w);
}

TEST(wrong_arms_are_refused_by_name) {
    const char *end = "    disk-radius: 5 cm\n";
    world_refused(
        "radii: number 2 is 0 m, must be > 0",
        "lithe: 1\narms:\n  a:\n    lengths: [1, 1]\n    masses: [1, 1]\n    radii: [1, 0]\n"
        "    stiffness: 1\n%s",
        end);
    world_refused("stiffness is -1 N/m",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    stiffness: -1\n%s",
                  end);
    world_refused("arms.a.lengths: is an empty list",
                  "lithe: 1\narms:\n  a:\n    lengths: []\n    masses: []\n    radii: []\n"
                  "    stiffness: 1\n%s",
                  end);
    world_refused("start has 2 elongations, must have 3",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    start: [0, 0]\n    stiffness: 1\n%s",
                  end);
    world_refused(
        "chamber is 4, must be 1 to 3",
        "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
        "    stiffness: 1\n%sactuators: {x: {joint: a/section-1, chamber: 4, kind: force}}\n",
        end);
    world_refused("shares the chambers of joint 'a/section-1'",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    stiffness: 1\n%sactuators: {x: {joint: a/1-2, chamber: 1, kind: force}}\n",
                  end);
    world_refused("chambers make the section",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    start: [-1, -1, -2]\n    stiffness: 1\n%s",
                  end);
}
