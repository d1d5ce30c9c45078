// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_control.c - control of a simulation between its steps

#include "advance/world.h"
#include "math/quat.h"

#include <math.h>

// a rope driven at one end; the driven motion and the force on its middle are given
static World rope(const char *motion, const char *force, const char *scheme) {
    return world_of(
        "lithe: 1\n"
        "time: {step: 1 ms, end: 1 s, scheme: %s}\n"
        "materials: {rubber: {young: 1 MPa, density: 1000 kg/m^3, damping: {mass: 1 1/s}}}\n"
        "rods: {rope: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1, "
        "0, 0]}}, nodes: 21}}\n"
        "drives: {hand: {on: rope.start, direction: [0, 0, 1]%s}}\n"
        "forces: {pull: {on: rope.node(10), force: [0, %s N, 0]}}\n",
        scheme, motion, force);
}

static bool same_q(const World *a, const World *b) {
    return memcmp(lithe_rod_q(a->model, a->state, (LitheRodId){1}),
                  lithe_rod_q(b->model, b->state, (LitheRodId){1}), 84 * sizeof(double)) == 0;
}

TEST(a_commanded_drive_moves_as_one_of_the_scene) {
    World scene = rope(", speed: 0.25 m/s", "0", "backward-euler");
    World own = rope("", "0", "backward-euler");
    FATAL(scene.ok && own.ok);
    LitheDriveId hand = lithe_drive_find(own.model, "hand");
    CHECK(lithe_state_set_drive(own.model, own.state, hand, (LitheCommand){0, 0.25}, NULL) ==
          LITHE_OK);
    world_step(&scene, 50);
    world_step(&own, 50);
    CHECK(same_q(&scene, &own));
    CHECK(lithe_drive_force(own.model, own.state, hand) ==
          lithe_drive_force(scene.model, scene.state, hand));
    CHECK_NEAR(lithe_drive_position(own.model, own.state, hand), 0.0125, 1e-15);
    CHECK_NEAR(lithe_drive_command(own.model, own.state, hand).rate, 0.25, 0);

    // after its release the drive is where the scene says
    lithe_state_release_drive(own.model, own.state, hand);
    world_step(&own, 1);
    CHECK(lithe_drive_position(own.model, own.state, hand) == 0);
    CHECK_NEAR(lithe_rod_q(own.model, own.state, (LitheRodId){1})[2], 0, 1e-15);
    world_end(&scene);
    world_end(&own);
}

TEST(a_push_on_a_node_is_a_force_of_the_scene_to_the_bit) {
    const char *schemes[] = {"backward-euler", "midpoint"};
    for (int k = 0; k < 2; k++) {
        World scene = rope("", "0.5", schemes[k]), own = rope("", "0", schemes[k]);
        FATAL(scene.ok && own.ok);
        lithe_rod_force_writable(own.model, own.state, (LitheRodId){1})[3 * 10 + 1] = 0.5;
        world_step(&scene, 30);
        world_step(&own, 30);
        CHECK(same_q(&scene, &own));
        LitheEnergy a = lithe_energy(scene.model, scene.state),
                    b = lithe_energy(own.model, own.state);
        CHECK(a.work != 0);
        CHECK_NEAR(a.work, b.work, 1e-12 * fabs(a.work));
        // the force no longer acts after it was set to 0
        lithe_rod_force_writable(own.model, own.state, (LitheRodId){1})[3 * 10 + 1] = 0;
        World copy = own;
        copy.state = lithe_state_copy(own.state);
        copy.work = lithe_work_create(own.model, 1);
        FATAL(copy.state && copy.work);
        world_step(&own, 10);
        world_step(&copy, 10);
        CHECK(lithe_state_hash(own.state) == lithe_state_hash(copy.state));
        lithe_work_destroy(copy.work);
        lithe_state_destroy(copy.state);
        world_end(&scene);
        world_end(&own);
    }
}

TEST(commands_and_pushes_are_part_of_the_state) {
    World a = rope("", "0", "backward-euler"), b = rope("", "0", "backward-euler");
    FATAL(a.ok && b.ok);
    lithe_rod_force_writable(a.model, a.state, (LitheRodId){1})[3 * 20] = 0.1;
    CHECK(lithe_state_set_drive(a.model, a.state, (LitheDriveId){1}, (LitheCommand){0.01, 0.1},
                                NULL) == LITHE_OK);
    world_step(&a, 5);
    lithe_state_set(b.state, lithe_state_data(a.state));
    world_step(&a, 5);
    world_step(&b, 5);
    CHECK(lithe_state_hash(a.state) == lithe_state_hash(b.state));
    world_end(&a);
    world_end(&b);
}

static World box(const char *scheme) {
    return world_of("lithe: 1\n"
                    "time: {step: 1 ms, end: 1 s, scheme: %s}\n"
                    "gravity: none\n"
                    "materials: {wood: {young: 1 MPa, density: 500 kg/m^3}}\n"
                    "bodies:\n"
                    "  box: {shape: {box: {size: [0.1, 0.2, 0.4]}}, material: wood}\n"
                    "  wall: {shape: {half-space: {}}, at: [0, 0, -5], fixed: true}\n",
                    scheme);
}

// 4 kg; inertia about x: m (0.2^2 + 0.4^2)/12
TEST(a_push_on_a_body_accelerates_and_turns_it) {
    const char *schemes[] = {"backward-euler", "midpoint"};
    for (int k = 0; k < 2; k++) {
        World w = box(schemes[k]);
        FATAL(w.ok);
        LitheBodyId body = lithe_body_find(w.model, "box");
        CHECK(lithe_body_force_writable(w.model, w.state, lithe_body_find(w.model, "wall")) ==
              NULL);
        double *push = lithe_body_force_writable(w.model, w.state, body);
        FATAL(push != NULL);
        push[1] = 2;
        push[3] = 0.1;
        world_step(&w, 100);
        double v[6];
        lithe_body_velocity(w.model, w.state, body, v);
        CHECK_NEAR(v[1], 2 * 0.1 / 4, 1e-12);
        CHECK_NEAR(v[3], 0.1 * 0.1 / (4 * 0.2 / 12), 1e-12);
        LitheEnergy energy = lithe_energy(w.model, w.state);
        double kinetic = 0.5 * 4 * v[1] * v[1] + 0.5 * (4 * 0.2 / 12) * v[3] * v[3];
        CHECK_NEAR(energy.kinetic, kinetic, 1e-12);
        if (k == 1)
            CHECK_NEAR(energy.work, kinetic, 1e-10);
        else
            CHECK(energy.work > kinetic); // the scheme dissipates the rest
        push[1] = push[3] = 0;
        world_step(&w, 10);
        double after[6];
        lithe_body_velocity(w.model, w.state, body, after);
        CHECK_NEAR(after[1], v[1], 1e-12);
        world_end(&w);
    }
}

// with an upward push, the floor carries only the rest of the weight of a box
TEST(a_push_and_contacts_act_together) {
    const char *schemes[] = {"backward-euler", "midpoint"};
    for (int k = 0; k < 2; k++) {
        World w = world_of("lithe: 1\n"
                           "time: {step: 1 ms, end: 1 s, scheme: %s}\n"
                           "materials: {wood: {young: 1 MPa, density: 500 kg/m^3}}\n"
                           "bodies:\n"
                           "  box: {shape: {box: {size: [0.2, 0.2, 0.2]}}, material: wood, "
                           "at: [0, 0, 0.1]}\n"
                           "  floor: {shape: {half-space: {}}, material: wood, fixed: true}\n",
                           schemes[k]);
        FATAL(w.ok);
        LitheBodyId body = lithe_body_find(w.model, "box");
        lithe_body_force_writable(w.model, w.state, body)[2] = 30;
        world_step(&w, 400);
        double sum = 0;
        for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++)
            sum += fabs(lithe_work_contact(w.work, i).force.z);
        CHECK_NEAR(sum, 4 * 9.81 - 30, k == 0 ? 1e-3 : 0.1); // the midpoint rule hardly damps
        world_end(&w);
    }
}

static World arm(const char *target) {
    return world_of(
        "lithe: 1\n"
        "time: {step: 1 ms, end: 1 s}\n"
        "materials: {steel: {young: 1 MPa, density: 1000 kg/m^3}}\n"
        "bodies:\n"
        "  base: {shape: {box: {size: [0.1, 0.1, 0.1]}}, fixed: true}\n"
        "  bar: {shape: {capsule: {radius: 2 cm, length: 0.5 m}}, material: steel}\n"
        "joints:\n"
        "  hinge: {kind: revolute, parent: base, child: bar, axis: [0, 1, 0], at: [0, 0, 0.25]}\n"
        "actuators:\n"
        "  motor: {joint: hinge, kind: position, stiffness: 50 N m/rad, "
        "damping: 5 N m s/rad%s}\n",
        target);
}

TEST(a_commanded_actuator_moves_as_one_of_the_scene) {
    World scene = arm(", target: 0.3"), own = arm("");
    FATAL(scene.ok && own.ok);
    LitheActuatorId motor = lithe_actuator_find(own.model, "motor");
    FATAL(motor.number == 1 && lithe_actuator_count(own.model) == 1);
    CHECK(lithe_actuator_find(own.model, "engine").number == 0);
    CHECK(lithe_state_set_actuator(own.model, own.state, motor, (LitheCommand){0.3, 0}, NULL) ==
          LITHE_OK);
    world_step(&scene, 100);
    world_step(&own, 100);
    CHECK(lithe_joint_position(scene.model, scene.state, (LitheJointId){1})[0] ==
          lithe_joint_position(own.model, own.state, (LitheJointId){1})[0]);
    CHECK(fabs(lithe_joint_position(own.model, own.state, (LitheJointId){1})[0]) > 0.01);
    CHECK_NEAR(lithe_actuator_command(own.model, own.state, motor).value, 0.3, 0);
    lithe_state_release_actuator(own.model, own.state, motor);
    CHECK_NEAR(lithe_actuator_command(own.model, own.state, motor).value, 0, 0);
    world_end(&scene);
    world_end(&own);
}

TEST(a_commanded_hand_goes_to_its_target) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1 s}\n"
                       "gravity: none\n"
                       "materials: {steel: {young: 1 MPa, density: 1000 kg/m^3}}\n"
                       "bodies:\n"
                       "  a: {shape: {box: {size: [1, 0.1, 0.1]}}, material: steel}\n"
                       "  b: {shape: {box: {size: [0.1, 1, 0.1]}}, material: steel}\n"
                       "joints:\n"
                       "  x: {kind: prismatic, child: a, axis: [1, 0, 0]}\n"
                       "  y: {kind: prismatic, parent: a, child: b, axis: [0, 1, 0]}\n"
                       "pose-drives:\n"
                       "  hand: {body: b, path: [{time: 0 s, at: [0, 0, 0]}]}\n"
                       "contact: {enabled: false}\n");
    FATAL(w.ok);
    LithePoseDriveId hand = lithe_pose_drive_find(w.model, "hand");
    FATAL(hand.number == 1);
    const double pose[7] = {0, 0, 0, 2, 0, 0, 0}, velocity[6] = {0.3, -0.2, 0, 0, 0, 0};
    CHECK(lithe_state_set_pose_drive(w.model, w.state, hand, pose, velocity, NULL) == LITHE_OK);
    world_step(&w, 100);
    CHECK_NEAR(lithe_joint_position(w.model, w.state, (LitheJointId){1})[0], 0.03, 1e-9);
    CHECK_NEAR(lithe_joint_position(w.model, w.state, (LitheJointId){2})[0], -0.02, 1e-9);
    CHECK_NEAR(lithe_joint_velocity(w.model, w.state, (LitheJointId){1})[0], 0.3, 1e-8);
    double target[7];
    lithe_pose_drive_target(w.model, w.state, hand, target);
    CHECK_NEAR(target[0], 0.03, 1e-12);
    CHECK_NEAR(target[3], 1, 0);
    lithe_state_release_pose_drive(w.model, w.state, hand);
    lithe_pose_drive_target(w.model, w.state, hand, target);
    CHECK_NEAR(target[0], 0, 0);
    world_end(&w);
}

TEST(what_is_no_number_is_refused_and_changes_nothing) {
    World w = rope("", "0", "backward-euler"), a = arm("");
    FATAL(w.ok && a.ok);
    LitheError error;
    uint64_t before = lithe_state_hash(w.state);
    LitheDriveId hand = {1};
    CHECK(lithe_state_set_drive(w.model, w.state, hand, (LitheCommand){NAN, 0}, &error) ==
          LITHE_BAD_INPUT);
    CHECK(strstr(error.text, "drive 'hand'") != NULL);
    CHECK(lithe_state_set_drive(w.model, w.state, hand, (LitheCommand){0, INFINITY}, &error) ==
          LITHE_BAD_INPUT);
    CHECK(lithe_state_set_drive_turn(w.model, w.state, hand, (LitheCommand){0, 0}, &error) ==
          LITHE_BAD_INPUT);
    CHECK(lithe_state_hash(w.state) == before);
    CHECK(lithe_state_set_actuator(a.model, a.state, (LitheActuatorId){1}, (LitheCommand){NAN, 0},
                                   &error) == LITHE_BAD_INPUT);
    world_end(&w);
    world_end(&a);
}

TEST(a_clamp_is_moved_and_turned_by_commands) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1 s}\n"
                       "gravity: none\n"
                       "materials: {rubber: {young: 1 MPa, density: 1000 kg/m^3}}\n"
                       "rods: {rope: {material: rubber, section: {circle: {radius: 5 mm}}, shape: "
                       "{line: {to: [1, 0, 0]}}, nodes: 11}}\n"
                       "drives: {hand: {on: rope.start, kind: clamp, direction: [0, 1, 0]}}\n");
    FATAL(w.ok);
    CHECK(lithe_state_set_drive_turn(w.model, w.state, (LitheDriveId){1}, (LitheCommand){0, 2},
                                     NULL) == LITHE_OK);
    CHECK(lithe_state_set_drive(w.model, w.state, (LitheDriveId){1}, (LitheCommand){0, 0.1},
                                NULL) == LITHE_OK);
    world_step(&w, 100);
    const double *q = lithe_rod_q(w.model, w.state, (LitheRodId){1});
    CHECK_NEAR(q[1], 0.01, 1e-12);
    CHECK_NEAR(fabs(q[3]), 0.2, 1e-9); // about its own tangent
    world_end(&w);
}
