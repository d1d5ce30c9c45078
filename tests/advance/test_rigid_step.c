// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_rigid_step.c - rigid bodies and joints in a world, through the public calls

#include "advance/world.h"
#include "body/tree_body.h"
#include "math/quat.h"

static World world_begin(void) {
    World w = {.context = lithe_context_create(NULL)};
    w.scene = lithe_scene_create(w.context);
    return w;
}

static LitheBodyId add_body(World *w, const char *name, double mass, Vec3 inertia, Vec3 at) {
    LitheBodyDef body = lithe_body_def_default();
    body.name = name;
    body.mass = mass;
    body.at = at;
    v3_store(inertia, body.inertia);
    return lithe_scene_add_body(w->scene, &body);
}

// height after 1 s of free fall
static double fall(LitheScheme scheme, double step) {
    World w = world_begin();
    LitheBodyId id = add_body(&w, "stone", 2, v3(0.1, 0.2, 0.15), v3(0, 0, 0));
    double pose[7] = {0, 0, NAN};
    if (world_compile(&w, scheme, step, 1) && world_run(&w, (int)lround(1 / step)))
        lithe_body_pose(w.model, w.state, id, pose);
    world_end(&w);
    return pose[2];
}

TEST(free_fall_shows_the_order_of_each_scheme) {
    CHECK_NEAR(fall(LITHE_SCHEME_BACKWARD_EULER, 0.01), -4.905 - 0.04905, 1e-10);
    CHECK_NEAR(fall(LITHE_SCHEME_BACKWARD_EULER, 0.001), -4.905 - 0.004905, 1e-10);
    CHECK_NEAR(fall(LITHE_SCHEME_MIDPOINT, 0.01), -4.905, 1e-10);
}

TEST(an_actuator_moves_its_own_joint_and_no_other) {
    World w = world_begin();
    lithe_scene_set_gravity(w.scene, v3(0, 0, 0));
    for (int i = 0; i < 3; i++) {
        LitheJointDef joint = lithe_joint_def_default();
        char name[2] = {(char)('a' + i), 0};
        joint.name = name;
        joint.kind = LITHE_JOINT_PRISMATIC;
        joint.child = add_body(&w, name, 2, v3(0.1, 0.2, 0.15), v3(i, 0, 0));
        LitheActuatorDef motor = lithe_actuator_def_default();
        motor.name = name;
        motor.joint = lithe_scene_add_joint(w.scene, &joint);
        motor.target.value = i + 1;
        FATAL(lithe_scene_add_actuator(w.scene, &motor));
    }
    FATAL(world_compile(&w, LITHE_SCHEME_BACKWARD_EULER, 0.01, 1) && world_run(&w, 100));
    for (int32_t i = 0; i < 3; i++) {
        CHECK_NEAR(*lithe_joint_effort(w.model, w.state, (LitheJointId){i + 1}), i + 1, 1e-12);
        CHECK_NEAR(*lithe_joint_velocity(w.model, w.state, (LitheJointId){i + 1}), 0.5 * (i + 1),
                   1e-12);
    }
    world_end(&w);
}

// two point masses on massless links of 1 m, from horizontal; angles as in the reference
static void double_pendulum(double step, double until, double theta[2]) {
    World w = world_begin();
    LitheBodyId link[2];
    for (int i = 0; i < 2; i++) {
        LitheBodyDef body = lithe_body_def_default();
        body.name = i == 0 ? "upper" : "lower";
        body.mass = 1;
        body.centre = v3(0, 0, -1);
        v3_store(v3(1e-9, 1e-9, 1e-9), body.inertia);
        link[i] = lithe_scene_add_body(w.scene, &body);
        LitheJointDef joint = lithe_joint_def_default();
        joint.name = i == 0 ? "shoulder" : "elbow";
        joint.kind = LITHE_JOINT_REVOLUTE;
        joint.parent = i == 0 ? (LitheBodyId){0} : link[0];
        joint.child = link[i];
        joint.parent_at = i == 0 ? v3(0, 0, 0) : v3(0, 0, -1);
        // z of the joint frame along -y: a positive angle swings -z towards +x
        joint.parent_rotation = joint.child_rotation = q4_between(v3(0, 0, 1), v3(0, -1, 0));
        joint.position = i == 0 ? M_PI / 2 : 0;
        lithe_scene_add_joint(w.scene, &joint);
    }
    theta[0] = theta[1] = NAN;
    if (world_compile(&w, LITHE_SCHEME_MIDPOINT, step, 1) &&
        world_run(&w, (int)lround(until / step))) {
        LitheJointId shoulder = lithe_joint_find(w.model, "shoulder");
        LitheJointId elbow = lithe_joint_find(w.model, "elbow");
        theta[0] = *lithe_joint_position(w.model, w.state, shoulder);
        theta[1] = theta[0] + *lithe_joint_position(w.model, w.state, elbow);
    }
    world_end(&w);
}

TEST(double_pendulum_follows_the_reference) {
    const double t[5] = {0.25, 0.5, 1, 1.5, 2};
    const double a[5] = {1.270414, 0.5704721, -0.6250877, -1.674797, -0.4829715};
    const double b[5] = {1.560182, 1.203875, -1.034585, -1.344972, -1.324049};
    for (int i = 0; i < 5; i++) {
        double theta[2];
        double_pendulum(5e-4, t[i], theta);
        CHECK_NEAR(theta[0], a[i], 2e-3);
        CHECK_NEAR(theta[1], b[i], 2e-3);
    }
}

TEST(torque_free_tumbling_keeps_energy_and_momentum_for_a_minute) {
    World w = world_begin();
    LitheBodyDef body = lithe_body_def_default();
    body.name = "nut";
    body.mass = 1;
    v3_store(v3(0.001, 0.002, 0.003), body.inertia);
    body.spin = v3(0.01, 5, 0);
    lithe_scene_add_body(w.scene, &body);
    lithe_scene_set_gravity(w.scene, v3(0, 0, 0));
    FATAL(world_compile(&w, LITHE_SCHEME_MIDPOINT, 1e-3, 1));
    double E = lithe_energy(w.model, w.state).kinetic;
    Vec3 L = lithe_angular_momentum(w.model, w.state);
    FATAL(world_run(&w, 60000));
    CHECK_NEAR(lithe_energy(w.model, w.state).kinetic / E, 1, 1e-6);
    CHECK_NEAR(v3_distance(lithe_angular_momentum(w.model, w.state), L) / v3_norm(L), 0, 1e-6);
    world_end(&w);
}

TEST(a_motor_drives_its_joint_and_its_work_is_booked) {
    World w = world_begin();
    LitheBodyId arm = add_body(&w, "arm", 1, v3(0.1, 0.1, 0.1), v3(0, 0, 0));
    LitheJointDef joint = lithe_joint_def_default();
    joint.name = "hinge";
    joint.kind = LITHE_JOINT_REVOLUTE;
    joint.child = arm;
    joint.damping = 0.05;
    LitheJointId hinge = lithe_scene_add_joint(w.scene, &joint);
    LitheActuatorDef motor = lithe_actuator_def_default();
    motor.name = "motor";
    motor.joint = hinge;
    motor.kind = LITHE_ACTUATOR_POSITION;
    motor.target.value = 1;
    motor.stiffness = 20;
    motor.damping = 2;
    lithe_scene_add_actuator(w.scene, &motor);
    FATAL(world_compile(&w, LITHE_SCHEME_MIDPOINT, 1e-3, 1));
    FATAL(world_run(&w, 5000));
    CHECK_NEAR(*lithe_joint_position(w.model, w.state, hinge), 1, 1e-6);
    LitheEnergy e = lithe_energy(w.model, w.state);
    CHECK(e.dissipated > 0);
    CHECK_NEAR(e.work, e.kinetic + e.dissipated, 1e-4 * e.dissipated);
    world_end(&w);
}

TEST(shapes_give_their_body_mass_and_inertia) {
    // a pendulum: a box of 0.1 x 0.1 x 0.4 m hangs by a hinge at its top
    World w = world_begin();
    LitheMaterialDef wood = lithe_material_def_default();
    wood.name = "wood";
    wood.density = 500;
    LitheGeomDef box = lithe_geom_def_default();
    box.kind = LITHE_GEOM_BOX;
    box.size = v3(0.1, 0.1, 0.4);
    box.at = v3(0, 0, -0.2);
    box.material = lithe_scene_add_material(w.scene, &wood);
    LitheBodyDef body = lithe_body_def_default();
    body.name = "bob";
    body.geoms = &box;
    body.geom_count = 1;
    LitheJointDef joint = lithe_joint_def_default();
    joint.name = "hinge";
    joint.kind = LITHE_JOINT_REVOLUTE;
    joint.child = lithe_scene_add_body(w.scene, &body);
    joint.parent_rotation = joint.child_rotation = q4_between(v3(0, 0, 1), v3(0, 1, 0));
    joint.position = 0.01;
    LitheJointId hinge = lithe_scene_add_joint(w.scene, &joint);
    FATAL(world_compile(&w, LITHE_SCHEME_MIDPOINT, 1e-3, 1));

    // half a period: to the other side
    double m = 500 * 0.1 * 0.1 * 0.4, I = m * ((0.01 + 0.16) / 12 + 0.04);
    double half = M_PI * sqrt(I / (m * 9.81 * 0.2));
    FATAL(world_run(&w, (int)lround(half / 1e-3)));
    CHECK_NEAR(*lithe_joint_position(w.model, w.state, hinge), -0.01, 1e-6);
    CHECK_NEAR(*lithe_joint_velocity(w.model, w.state, hinge), 0, 1e-4);
    world_end(&w);
}

TEST(a_body_on_a_ball_joint_starts_with_its_angular_velocity) {
    World w = world_begin();
    lithe_scene_set_gravity(w.scene, v3(0, 0, 0));
    LitheBodyDef body = lithe_body_def_default();
    body.name = "bob";
    body.mass = 1;
    v3_store(v3(0.1, 0.2, 0.3), body.inertia);
    body.spin = v3(0.1, 0.2, -0.3);
    LitheJointDef joint = lithe_joint_def_default();
    joint.name = "ball";
    joint.kind = LITHE_JOINT_BALL;
    joint.parent_rotation = joint.child_rotation = q4_axis_angle(v3(0, 0.6, 0.8), 1.1);
    joint.child = lithe_scene_add_body(w.scene, &body);
    lithe_scene_add_joint(w.scene, &joint);
    FATAL(world_compile(&w, LITHE_SCHEME_MIDPOINT, 1e-3, 1));
    Vec3 L = lithe_angular_momentum(w.model, w.state);
    CHECK_NEAR(v3_distance(L, v3(0.01, 0.04, -0.09)), 0, 1e-12);
    FATAL(world_run(&w, 10));
    world_end(&w);
}

TEST(ten_thousand_free_bodies_take_memory_in_proportion) {
    World w = world_begin();
    for (int i = 0; i < 10000; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        add_body(&w, name, 1, v3(0.1, 0.1, 0.1), v3(i, 0, 0));
    }
    FATAL(world_compile(&w, LITHE_SCHEME_BACKWARD_EULER, 1e-3, 1));
    CHECK(lithe_context_peak_bytes(w.context) < (size_t)10000 * 20000);
    FATAL(world_run(&w, 2));
    world_end(&w);
}

// a free body with a chain of one joint of each kind behind it, tumbling
static LitheBodyId add_tumbling_chain(World *w) {
    static const LitheJointKind kinds[] = {LITHE_JOINT_SCREW, LITHE_JOINT_BALL, LITHE_JOINT_PLANAR,
                                           LITHE_JOINT_PRISMATIC, LITHE_JOINT_REVOLUTE};
    static const char *const names[] = {"b", "c", "d", "e", "f"};
    LitheBodyDef body = lithe_body_def_default();
    body.name = "a";
    body.mass = 1;
    v3_store(v3(0.1, 0.12, 0.15), body.inertia);
    body.velocity = v3(0.3, -0.2, 0.5);
    body.spin = v3(1, -2, 1.5);
    LitheBodyId parent = lithe_scene_add_body(w->scene, &body);
    for (int i = 0; i < 5; i++) {
        LitheJointDef joint = lithe_joint_def_default();
        joint.name = names[i];
        joint.kind = kinds[i];
        joint.parent = parent;
        joint.child = add_body(w, names[i], 1, v3(0.1, 0.12, 0.15), v3(0, 0, 0));
        joint.parent_at = v3(0.2, 0.1 * i, -0.1);
        joint.parent_rotation = q4_exp(v3(0.3 * i, 0.5, -0.2));
        joint.child_at = v3(-0.1, 0.05, 0.2);
        joint.child_rotation = q4_exp(v3(0.1, -0.4, 0.3));
        if (joint.kind == LITHE_JOINT_SCREW)
            joint.pitch = 0.05;
        if (joint.kind != LITHE_JOINT_BALL && joint.kind != LITHE_JOINT_PLANAR)
            joint.velocity = 0.7;
        lithe_scene_add_joint(w->scene, &joint);
        parent = joint.child;
    }
    return parent;
}

TEST(body_velocities_are_the_rates_of_poses_behind_every_kind_of_joint) {
    World w = world_begin();
    LitheBodyId last = add_tumbling_chain(&w);
    if (CHECK(world_compile(&w, LITHE_SCHEME_MIDPOINT, 0.01, 1) && world_run(&w, 20)))
        for (int32_t i = 0; i < last.number; i++) {
            double v[6], h = 1e-5;
            lithe_body_velocity(w.model, w.state, (LitheBodyId){i + 1}, v);
            Pose before = lithe_body_place_extrapolated(w.model, w.state, i, -h);
            Pose after = lithe_body_place_extrapolated(w.model, w.state, i, h);
            Vec3 turn = q4_log(q4_mul(after.rotation, q4_conj(before.rotation)));
            Vec3 rate = v3_scale(0.5 / h, v3_sub(after.at, before.at));
            CHECK(v3_norm(v3_load(v)) > 0.1 && v3_norm(v3_load(v + 3)) > 0.1);
            CHECK(v3_distance(v3_load(v), rate) < 1e-7);
            CHECK(v3_distance(v3_load(v + 3), v3_scale(0.5 / h, turn)) < 1e-7);
        }
    world_end(&w);
}

TEST(allocation_failures_with_rigid_bodies_leak_nothing) {
    int64_t n = 1;
    for (bool failed = true; failed && n < 1000; n++) {
        World w = world_begin();
        LitheBodyId a = add_body(&w, "a", 1, v3(0.1, 0.1, 0.1), v3(0, 0, 0));
        LitheBodyId b = add_body(&w, "b", 1, v3(0.1, 0.1, 0.1), v3(0, 0, 0));
        LitheJointDef joint = lithe_joint_def_default();
        joint.name = "hinge";
        joint.kind = LITHE_JOINT_REVOLUTE;
        joint.parent = a;
        joint.child = b;
        LitheActuatorDef motor = lithe_actuator_def_default();
        motor.name = "motor";
        motor.joint = lithe_scene_add_joint(w.scene, &joint);
        lithe_scene_add_actuator(w.scene, &motor);
        failed = world_compile_fails(&w, n, 1);
        world_end(&w);
    }
    CHECK(n > 20 && n < 1000);
}
