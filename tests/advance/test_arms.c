// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_arms.c - soft arms from scenes: pressures, limits, contact, payload, files

#include "world.h"

#include "body/constraint.h"

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

TEST(chambers_that_start_outside_of_their_limits_return_by_the_work_of_the_limits) {
    static const char *const starts[] = {"2 cm, 0, 0, 0, 0, 0",
                                         "3 cm, 3 cm, 3 cm, 3 cm, 3 cm, 3 cm",
                                         "-3 cm, -3 cm, -3 cm, 0, 0, 0"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        World w = world_of(
            "lithe: 1\n"
            "time: {step: 1 ms, end: 1 s, scheme: tr-bdf2}\n"
            "materials: {rubber: {density: 1100 kg/m^3, young: 1 MPa}}\n"
            "arms:\n  trunk: {lengths: [15 cm, 15 cm], masses: [1 kg, 0.5 kg], radii: [4 cm, 4 cm],"
            " stiffness: 265 N/m, damping: 60 N s/m, disks: 2, disk-radius: 5 cm,"
            " disk-length: 1 cm, material: rubber, start: [%s], limits: [-1 cm, 1 cm]}\n",
            starts[i]);
        double first = stored(&w), gain = 0, supply = 0, scale = 0, kinetic = 0;
        int64_t pieces = 0;
        for (int k = 0; k < 400 && world_step(&w, 1); k++) {
            LitheEnergy e = lithe_energy(w.model, w.state);
            // what limits supply, less what they take, is negative in the account of constraints
            supply = fmax(supply, -e.constraints);
            kinetic = fmax(kinetic, e.kinetic);
            gain = fmax(gain, stored(&w) - first + e.constraints);
            scale = fmax(scale, fmax(e.kinetic, e.elastic));
            pieces += w.report.pieces;
        }
        double most = 0;
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(chambers(&w, "trunk/section-1")[k]));
        printf("  %s: chambers up to %.4g m; of %.3g J limits supplied %.2e, %.2e came from "
               "nothing, %.2e was kinetic\n",
               starts[i], most, scale, supply / scale, gain / scale, kinetic / scale);
        CHECK(most < 0.011);
        CHECK(supply > 0 && gain < 1e-3 * scale);
        CHECK(kinetic < 0.5 * scale); // they are not thrown back
        CHECK(pieces == 400);         // no step had to be cut
        world_end(&w);
    }
}

TEST(size_of_an_arm_is_that_of_its_line) {
    // (a straight line has a radius of gyration): errors of constraints on the tip are compared
    // with it, and energies with that of a fall by it
    World w = world_of(HEAD("") ARM("disks: 2") "constraints:\n"
                                                "  hold: {kind: weld, a: trunk/tip, b: world}\n");
    if (w.ok) {
        double size = 0, error = lithe_constraint_error(w.model, w.state, 0, &size);
        CHECK(error < 1e-12);
        CHECK_NEAR(size, 0.15 / sqrt(6), 1e-12);
        world_step(&w, 20);
        CHECK(lithe_constraint_error(w.model, w.state, 0, &size) < 1e-3 * size);
    }
    world_end(&w);
}

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

TEST(arms_that_hang_at_any_height_come_to_rest) {
    // energies of gravity grow with the height; near the equilibrium only their rounding is left
    static const double heights[] = {1, 1.7, 3.3, 10}, radii[] = {3, 4, 5};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        for (size_t k = 0; k < sizeof radii / sizeof *radii; k++) {
            char text[640];
            snprintf(text, sizeof text,
                     HEAD("") "arms:\n  trunk: {at: [0, 0, %g], rotate: {axis: [1, 0, 0], angle: "
                              "180 deg}, lengths: [15 cm, 15 cm], masses: [0.4 kg, 0.3 kg], radii: "
                              "[%g cm, "
                              "%g cm], stiffness: 300 N/m, damping: 20 N s/m, disk-radius: 4 cm, "
                              "disks: 4, material: "
                              "rubber}\n"
                              "bodies:\n  floor: {fixed: true, shape: {half-space: {}}}\n",
                     heights[i], radii[k], radii[k]);
            World w = world_of(text);
            if (rest(&w)) {
                // each chamber carries a third of the weight below it, of its own section a half
                CHECK_NEAR(chambers(&w, "trunk/section-1")[0], 0.5 * 9.81 / 900, 1e-8);
                CHECK_NEAR(chambers(&w, "trunk/section-2")[2], 0.15 * 9.81 / 900, 1e-8);
            }
            world_end(&w);
        }
}

// the target of an actuator from now on
static void command(World *w, const char *name, double value) {
    LitheError error = {0};
    LitheActuatorId id = {0};
    if (w->ok)
        id = lithe_actuator_find(w->model, name);
    if (CHECK(id.number > 0))
        CHECK(lithe_state_set_actuator(w->model, w->state, id, (LitheCommand){.value = value},
                                       &error) == LITHE_OK);
}

TEST(pressures_act_as_forces_over_their_area_up_to_their_limit) {
    World w = world_of(HEAD("gravity: none")
                           ARM("disks: 2\n    drive: pressure\n    area: 4 cm^2\n    pressure: 50 "
                               "kPa") "actuators:\n"
                                      "  own: {joint: trunk/section-3, chamber: 3, kind: force, "
                                      "area: 2 cm^2, target: 30 kPa, effort: 5 N}\n");
    command(&w, "trunk/1-1", 20e3);
    command(&w, "trunk/2-2", 1e6);
    if (rest(&w)) {
        CHECK_NEAR(chambers(&w, "trunk/section-1")[0], 8 / 265.0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-2")[1], 20 / 265.0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-3")[2], 5 / 265.0, 1e-9); // 6 N without limit
    }
    world_end(&w);
}

TEST(four_chambers_bend_and_lengthen_a_section) {
    // n springs at equal angles: n k along, n/2 k r^2 against bending
    World w = world_of(HEAD("gravity: none") ARM("disks: 2\n    chambers: 4\n    drive: force"));
    const double k = 265, f = 10;
    command(&w, "trunk/1-1", f);
    command(&w, "trunk/2-2", f);
    for (int i = 1; i <= 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "trunk/3-%d", i);
        command(&w, name, f);
    }
    if (rest(&w)) {
        CHECK_NEAR(chambers(&w, "trunk/section-1")[0], 0.75 * f / k, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-1")[1], 0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-2")[0], 0.25 * f / k, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-2")[1], (0.25 + 0.25 * sqrt(3)) * f / k, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-2")[2], (0.25 - 0.25 * sqrt(3)) * f / k, 1e-9);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(chambers(&w, "trunk/section-3")[i], f / k, 1e-9);
    }
    world_end(&w);
}

TEST(tendon_shortens_all_sections_it_runs_through_and_never_pushes) {
    World w = world_of(HEAD("gravity: none") ARM("disks: 2\n    drive: tendon\n    force: 8 N"));
    command(&w, "trunk/2-1", 6);
    command(&w, "trunk/3-2", -4);
    command(&w, "trunk/1-3", 9);
    if (rest(&w)) {
        CHECK_NEAR(chambers(&w, "trunk/section-1")[0], -6 / 265.0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-2")[0], -6 / 265.0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-3")[0], 0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-2")[1], 0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-1")[2], -8 / 265.0, 1e-9);
        CHECK_NEAR(chambers(&w, "trunk/section-2")[2], 0, 1e-9);
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

// (X11): with a force F along one of four chambers only that direction moves, up to its limit
LONG_TEST(each_of_four_chambers_stops_at_its_limit) {
    static const char *const ways[] = {"", ", scheme: backward-euler", "}\ncontact: {model: lcp"};
    const double stiffness = 4 * 265 / 3.0, reach = 0.02;
    for (int way = 0; way < 4; way++) {
        World w = world_of(HEAD("gravity: none\ntime: {step: 1.5 ms, end: 9 s%s}")
                               ARM("damping: 125 N s/m\n    chambers: 4\n    drive: force\n    "
                                   "limits: [-1 cm, 2 cm]"),
                           way < 3 ? ways[way] : "");
        double c[3] = {1 / 3.0, (1 + sqrt(3)) / 3, (1 - sqrt(3)) / 3}; // chamber at 90 degrees
        command(&w, "trunk/2-2", 40);
        command(&w, "trunk/3-2", 5); // less than its limit needs
        if (way == 3)
            rest(&w);
        else
            world_step(&w, 3000);
        CHECK(w.unconverged == 0);
        LitheJointId joint = lithe_joint_find(w.model, "trunk/section-2");
        for (int k = 0; w.ok && k < 3; k++) {
            CHECK_NEAR(chambers(&w, "trunk/section-1")[k], 0, 1e-6);
            CHECK_NEAR(chambers(&w, "trunk/section-2")[k], reach * c[k], 1e-4);
            CHECK_NEAR(chambers(&w, "trunk/section-3")[k], 5 / stiffness * c[k], 1e-4);
            if (way < 3)
                CHECK_NEAR(lithe_joint_limit_effort(w.model, w.work, joint)[k],
                           -(40 - stiffness * reach) * c[k], 0.2);
        }
        if (way < 3)
            CHECK(w.report.joints_at_limit == 1);
        world_end(&w);
    }
}

// contacts of a world of two arms that cross each other on a box; those of one arm with itself are
// left out
static int32_t list_contacts(const char *self, char names[][64], double *gaps) {
    World w = world_of(
        HEAD(
            "gravity: none") "bodies:\n"
                             "  box: {fixed: true, at: [0, 0, 0.2], shape: {box: {size: [0.4, 0.4, "
                             "0.2]}}, material: rubber}\n"
                             "  slab: {fixed: true, at: [0, 0, 0.1], shape: {box: {size: [0.4, "
                             "0.4, 0.2]}}, material: rubber}\n"
                             "arms:\n  one:\n" SECTIONS
                             "    at: [-0.2, 0, 0.34]\n    rotate: {axis: [0, 1, 0], angle: 90 "
                             "deg}\n    disks: 5\n    material: rubber\n    self-contact: "
                             "%s\n  two:\n" SECTIONS
                             "    at: [0, -0.2, 0.43]\n    rotate: {axis: [1, 0, 0], angle: -90 "
                             "deg}\n    disks: 5\n    material: rubber\n    self-contact: %s\n",
        self, self);
    LitheContacts *found = w.ok ? lithe_contacts_create(w.context) : NULL;
    LitheError error = {0};
    int32_t count = 0;
    if (w.ok && CHECK(lithe_find_contacts(w.model, w.state, 0.02, found, &error) == LITHE_OK))
        for (int32_t i = 0; i < lithe_contact_count(found); i++) {
            const LitheContact *c = lithe_contact_data(found) + i;
            const char *a = lithe_thing_name(w.model, c->a.thing);
            const char *b = lithe_thing_name(w.model, c->b.thing);
            if (strncmp(a, b, 3) == 0 || count == 200)
                continue;
            snprintf(names[count], sizeof names[count], "%.20s %.20s", a, b);
            gaps[count++] = c->gap;
        }
    lithe_contacts_destroy(found);
    world_end(&w);
    return count;
}

TEST(arms_that_do_not_touch_themselves_touch_everything_else_as_before) {
    static char names[2][200][64];
    static double gaps[2][200];
    int32_t all = list_contacts("true", names[0], gaps[0]);
    int32_t few = list_contacts("false", names[1], gaps[1]), arms = 0;
    CHECK(all > 10 && few == all);
    for (int32_t i = 0; i < few && few == all; i++) {
        CHECK(strcmp(names[0][i], names[1][i]) == 0 && gaps[0][i] == gaps[1][i]);
        arms += strncmp(names[0][i], "one", 3) == 0;
    }
    CHECK(arms > 0); // of the two arms
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

TEST(arm_on_an_accelerated_base_moves_as_under_another_gravity) {
    // the cart is so heavy that the arm does not change its acceleration of 3 m/s^2
    static const char *const bases[] = {"    parent: cart", "    parent: world"};
    double found[2][9];
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\ngravity: [%d, 0, -9.81]\ntime: {step: 1 ms, end: 9 s, scheme: midpoint}\n"
            "bodies:\n  cart: {mass: 1e9, inertia: [1e9, 1e9, 1e9, 0, 0, 0]}\n"
            "joints:\n  rail: {kind: prismatic, axis: [1, 0, 0], parent: world, child: cart}\n"
            "actuators:\n  push: {joint: rail, kind: force, target: %g N}\n" ARM(
                "damping: 5 N s/m\n    disks: 1\n    rotate: {axis: [0, 1, 0], angle: 100 "
                "deg}\n    start: [1 cm, 0, 0, 0, 2 cm, 0, 0, 0, 3 cm]\n%s"),
            k == 0 ? 0 : -3, k == 0 ? 3e9 : 0, bases[k]);
        world_step(&w, 100);
        CHECK(w.unconverged == 0);
        for (int i = 0; w.ok && i < 3; i++) {
            char name[32];
            snprintf(name, sizeof name, "trunk/section-%d", i + 1);
            memcpy(found[k] + 3 * i, chambers(&w, name), 3 * sizeof(double));
        }
        world_end(&w);
    }
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(found[0][i], found[1][i], 1e-6);
    CHECK(fabs(found[0][0] - 0.01) > 1e-3);
}

// --- scenes --------------------------------------------------------------------------------------

TEST(scene_with_arms_is_written_and_read_as_the_same_world) {
    // the second arm stands on a disk of the first
    World w = world_of(HEAD("gravity: 9.81\ntime: {step: 1 ms, end: 9 s}") ARM(
        "drive: force\n    force: 30 N\n    limits: [-2 cm, 5 cm]\n    material: rubber\n    "
        "start: "
        "[1 cm, 0, 0, 0, 0, 0, 0, 0, 0]\n  twig:\n    parent: trunk/2-2\n    at: [5 cm, 0, 0]\n    "
        "lengths: [8 cm]\n    masses: [0.1 kg]\n    radii: [1 cm]\n    stiffness: 100 N/m\n    "
        "disk-radius: 1 cm\n    drive: position\n    drive-stiffness: 50 N/m\n  branch:\n    "
        "chambers: 5\n    lengths: [8 cm, "
        "8 cm]\n    masses: [0.1 kg, 0.1 kg]\n    radii: [1 cm, 1 cm]\n    stiffness: 100 N/m\n    "
        "disk-radius: 1 cm\n    drive: tendon\n  root:\n    lengths: [8 cm]\n    masses: [0.1 "
        "kg]\n  "
        "  radii: [1 cm]\n    stiffness: 100 N/m\n    disk-radius: 1 cm\n    area: 1 cm^2\n    "
        "drive: pressure"));
    char *text = NULL;
    LitheError error = {0};
    if (w.ok && CHECK(lithe_scene_write(w.scene, &text, &error) == LITHE_OK)) {
        World again = world_of("%s", text);
        World *both[] = {&w, &again};
        for (int i = 0; i < 2; i++) {
            command(both[i], "branch/2-3", 5);
            command(both[i], "root/1-2", 2e4);
        }
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
    world_refused("chambers is 2, must be 3 to 64: fewer do not span length and bend",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    chambers: 2\n    stiffness: 1\n%s",
                  end);
    world_refused("drive position with 4 chambers: supported for 3",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    chambers: 4\n    drive: position\n    drive-stiffness: 1\n    stiffness: "
                  "1\n%s",
                  end);
    world_refused("area is 0 m^2, must be > 0",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    drive: pressure\n    stiffness: 1\n%s",
                  end);
    world_refused("kind must be force where radius is given",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    stiffness: 1\n%sactuators: {x: {joint: a/section-1, radius: 1 cm, kind: "
                  "position, stiffness: 1}}\n",
                  end);
    world_refused("joint 'a/section-2' is no section below joint 'a/section-1'",
                  "lithe: 1\narms:\n  a:\n    lengths: [1, 1]\n    masses: [1, 1]\n    radii: [1, "
                  "1]\n    stiffness: 1\n%sactuators: {x: {joint: a/section-1, from: a/section-2, "
                  "radius: 1 cm, pulls: true, kind: force}}\n",
                  end);
    world_refused("is a force, a pressure is expected",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    stiffness: 1\n%sactuators: {x: {joint: a/section-1, chamber: 1, area: 1 "
                  "cm^2, kind: force, target: 3 N}}\n",
                  end);
    world_refused("start makes section 1 -0.333333333 m long, must be > 0",
                  "lithe: 1\narms:\n  a:\n    lengths: [1]\n    masses: [1]\n    radii: [1]\n"
                  "    start: [-1, -1, -2]\n    stiffness: 1\n%s",
                  end);
}
