// SPDX-License-Identifier: Apache-2.0
// tests/body/test_reactions.c - forces and torques of holds and drives (H1): against statics, and
// against the sum of loads and the rate of momentum

#include "test.h"

#include "advance/world.h"
#include "body/rod.h"
#include "data/model.h"
#include "data/state.h"

// a beam of 1 m and 0.25 kg/m along x, stiff enough to stay straight
#define BEAM \
    "materials: {m: {young: 1e10 Pa, poisson: 0.3, density: 1000 kg/m^3}}\n" \
    "rods: {beam: {material: m, nodes: 21, shape: {line: {from: [0, 0, 0], to: [1, 0, 0]}}, " \
    "section: {rectangle: {width: 1 cm, height: 2.5 cm}}%s}}\n"
#define STATIC "time: {scheme: static, step: 1 s, end: 1 s}\n"

static const double WEIGHT = 0.25 * 9.81, TIP = 1.5;

static LitheReaction of_hold(const World *w, const char *name) {
    LitheHoldId id = lithe_hold_find(w->model, name);
    CHECK(id.number > 0);
    return lithe_hold_reaction(w->model, w->work, id);
}

static void check_vector(LitheVec3 x, double a, double b, double c, double tolerance) {
    CHECK_NEAR(x.x, a, tolerance);
    CHECK_NEAR(x.y, b, tolerance);
    CHECK_NEAR(x.z, c, tolerance);
}

// weight W and a tip load P at 1 m: F = W + P, M = W/2 + P
TEST(each_clamp_of_a_cantilever_has_the_force_and_moment_of_statics) {
    static const char *const clamps[][3] = {
        {", clamped: start", "", "beam/start"},
        {"", "holds: {wall: {on: beam.start, hold: clamp}}\n", "wall"},
        {"", "drives: {wall: {on: beam.start, kind: clamp}}\n", NULL},
        {"",
         "drives: {wall: {on: beam.start, kind: clamp, direction: [0, 0, 1], axis: [0, 1, 0]}}\n",
         NULL},
    };
    for (int k = 0; k < 4; k++) {
        World w = world_of("lithe: 1\n" STATIC BEAM
                           "%sforces: {tip: {on: beam.end, force: [0, 0, -1.5]}}\n",
                           clamps[k][0], clamps[k][1]);
        world_step(&w, 1);
        LitheReaction by = clamps[k][2] ? of_hold(&w, clamps[k][2])
                                        : lithe_drive_reaction(w.model, w.work, (LitheDriveId){1});
        double force = WEIGHT + TIP, moment = 0.5 * WEIGHT + TIP;
        check_vector(by.point, 0, 0, 0, 1e-9);
        check_vector(by.force, 0, 0, force, 1e-9 * force);
        check_vector(by.torque, 0, -moment, 0, 1e-3 * moment);
        if (!clamps[k][2]) { // without a direction the size
            CHECK_NEAR(lithe_drive_force(w.model, w.state, (LitheDriveId){1}), force, 1e-9 * force);
            double about = lithe_drive_torque(w.model, w.state, (LitheDriveId){1});
            CHECK_NEAR(about, k == 3 ? -moment : 0, 1e-3 * moment);
        }
        world_end(&w);
    }
}

// Sum of what all holds and drives exert, and its moment about the origin.
static void add_reactions(const World *w, Vec3 *force, Vec3 *moment) {
    for (int32_t k = 0; k < lithe_hold_count(w->model) + lithe_drive_count(w->model); k++) {
        int32_t holds = lithe_hold_count(w->model);
        LitheReaction by =
            k < holds ? lithe_hold_reaction(w->model, w->work, (LitheHoldId){k + 1})
                      : lithe_drive_reaction(w->model, w->work, (LitheDriveId){k + 1 - holds});
        *force = v3_add(*force, by.force);
        *moment = v3_add(*moment, v3_add(by.torque, v3_cross(by.point, by.force)));
    }
}

// Sum of the weights of nodes, and its moment about the origin.
static void add_weights(const World *w, Vec3 *force, Vec3 *moment) {
    const LitheModel *m = w->model;
    for (int32_t k = 0; k < m->rod_count; k++)
        for (int32_t i = 0; i < m->rods[k].node_count; i++) {
            Vec3 weight = v3_scale(m->rods[k].mass[4 * i], m->gravity);
            *force = v3_add(*force, weight);
            Vec3 x = v3_load(w->state->q + m->rods[k].dof_at + 4 * (int64_t)i);
            *moment = v3_add(*moment, v3_cross(x, weight));
        }
    for (int32_t k = 0; k < m->solid_count; k++)
        for (int32_t i = 0; i < m->solids[k].mesh.node_count; i++) {
            Vec3 weight = v3_scale(m->solids[k].mass[i], m->gravity);
            *force = v3_add(*force, weight);
            Vec3 x = v3_load(w->state->q + m->units[m->solids[k].unit].q_at + 3 * (int64_t)i);
            *moment = v3_add(*moment, v3_cross(x, weight));
        }
}

// Bends far: forces and moments balance in the bent shape, at its nodes.
TEST(reactions_and_loads_of_a_bent_rod_sum_to_zero) {
    World w = world_of("lithe: 1\n" STATIC
                       "materials: {m: {young: 100 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                       "rods: {beam: {material: m, nodes: 41, clamped: start, section: {rectangle: "
                       "{width: 1 cm, height: 8 mm}}, shape: {polyline: {points: [[0, 0, 0], [0.5, "
                       "0.1, 0], [0.8, 0.4, 0.1], [1, 0.4, 0.5]]}}}}\n"
                       "holds: {far: {on: beam.end, hold: [y, z]}, turn: {on: beam.node(32), hold: "
                       "twist}}\n"
                       "forces: {side: {on: beam.node(20), force: [0.3, 0.2, -0.4]}, "
                       "wring: {on: beam.node(25), moment: [0.01, 0, 0.02]}}\n");
    world_step(&w, 1);
    Vec3 load = v3(0.3, 0.2, -0.4), force = load, moment = v3(0.01, 0, 0.02);
    const double *x = w.state->q + w.model->rods[0].dof_at + 4 * 20;
    moment = v3_add(moment, v3_cross(v3_load(x), load));
    add_weights(&w, &force, &moment);
    double scale = v3_norm(of_hold(&w, "beam/start").force);
    CHECK(scale > 0.1 && v3_norm(of_hold(&w, "far").force) > 0.01);
    CHECK(v3_norm(of_hold(&w, "turn").torque) > 1e-4 && of_hold(&w, "far").force.x == 0);
    add_reactions(&w, &force, &moment);
    CHECK(v3_norm(force) < 1e-9 * scale);
    CHECK(v3_norm(moment) < 1e-9 * scale);
    world_end(&w);
}

// A portal on two clamped feet, 0.4 m wide and 0.42 m high, pushed sideways by 2 N: the feet share
// weight and push, and their couple and moments balance the push. Nodes are at its corners.
TEST(two_feet_of_a_frame_carry_it) {
    World w = world_of("lithe: 1\n" STATIC
                       "materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                       "rods: {frame: {material: m, nodes: 33, section: {circle: {radius: 1 cm}}, "
                       "shape: {polyline: {points: [[0, 0, 0], [0, 0, 0.42], [0.4, 0, 0.42], [0.4, "
                       "0, 0]]}}}}\n"
                       "holds: {left: {on: frame.start, hold: clamp}, right: {on: frame.end, hold: "
                       "clamp}}\n"
                       "forces: {push: {on: frame.node(11), force: [2, 0, 0]}}\n");
    world_step(&w, 1);
    LitheReaction left = of_hold(&w, "left"), right = of_hold(&w, "right");
    double weight = 1000 * M_PI * 1e-4 * 1.24 * 9.81;
    const double *x = w.state->q + w.model->rods[0].dof_at + 4 * 11;
    double height = x[2];
    CHECK_NEAR(left.force.x + right.force.x, -2, 2e-9);
    CHECK_NEAR(left.force.z + right.force.z, weight, 1e-9 * weight);
    double about = left.torque.y + right.torque.y - 0.4 * right.force.z + 0.2 * weight + 2 * height;
    CHECK_NEAR(about, 0, 1e-3 * 2 * height);
    CHECK(right.force.z > left.force.z && right.torque.y < 0);
    world_end(&w);
}

// A twist is held by a couple along the rod, also at a node that is held in place.
TEST(a_rod_held_twist_free_carries_a_torque) {
    World w =
        world_of("lithe: 1\ngravity: none\n" STATIC BEAM
                 "holds: {pin: {on: beam.start, hold: [position, twist]}, far: {on: beam.end, "
                 "hold: [y, z]}}\n"
                 "forces: {wring: {on: beam.end, moment: [0.3, 0, 0]}}\n",
                 "");
    world_step(&w, 1);
    LitheReaction by = of_hold(&w, "pin");
    check_vector(by.torque, -0.3, 0, 0, 1e-9);
    check_vector(by.force, 0, 0, 0, 1e-9);
    check_vector(by.point, 0, 0, 0, 1e-12);
    world_end(&w);
    w = world_of("lithe: 1\ngravity: none\n" STATIC BEAM
                 "holds: {pin: {on: beam.start}, far: {on: beam.end, hold: [y, z]}, grip: {on: "
                 "beam.node(10), hold: twist}}\n"
                 "forces: {wring: {on: beam.end, moment: [0.3, 0, 0]}}\n",
                 "");
    world_step(&w, 1);
    check_vector(of_hold(&w, "grip").torque, -0.3, 0, 0, 1e-9);
    check_vector(of_hold(&w, "grip").point, 0.525, 0, 0, 1e-9);
    world_end(&w);
}

#define BLOCK \
    "materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000 kg/m^3}}\n" \
    "solids: {block: {material: m, quadratic: true, mesh: {box: {size: [30 cm, 4 cm, 4 cm], " \
    "divisions: [6, 1, 1]}}}}\n"

// The resultant over a face: weight W and load P of a block of 0.3 m.
TEST(a_solid_held_by_a_face_has_the_resultant_of_the_face) {
    static const char *const ways[] = {
        "holds: {face: {on: block.x-min}}\n",
        "drives: {face: {on: block.x-min, kind: clamp}}\n",
    };
    for (int k = 0; k < 2; k++) {
        World w = world_of("lithe: 1\n" STATIC BLOCK
                           "%sforces: {tip: {on: block.x-max, force: [0, 0, -0.1]}}\n",
                           ways[k]);
        world_step(&w, 1);
        LitheReaction by =
            k == 0 ? of_hold(&w, "face") : lithe_drive_reaction(w.model, w.work, (LitheDriveId){1});
        double weight = 0.48 * 9.81, tip = 0.1 * 9;
        check_vector(by.force, 0, 0, weight + tip, 1e-9 * weight);
        check_vector(by.torque, 0, -0.15 * weight - 0.3 * tip, 0, 1e-3 * 0.15 * weight);
        check_vector(by.point, -0.15, 0, 0, 1e-9);
        world_end(&w);
    }
}

// Momentum p and angular momentum of a world whose holds do not move.
static LitheVec3 rate(LitheVec3 before, LitheVec3 after, double h) {
    return v3_scale(1 / h, v3_sub(after, before));
}

// In motion reactions and loads sum to the rate of momentum: exactly of the mean over a step of
// backward Euler and the midpoint rule, of TR-BDF2 at the end of the step to its order.
TEST(in_motion_reactions_and_loads_are_the_rate_of_momentum) {
    static const struct {
        const char *scheme;
        double step, tolerance;
    } cases[] = {{"backward-euler", 5e-4, 1e-8}, {"midpoint", 5e-4, 1e-8}, {"tr-bdf2", 1e-4, 2e-3}};
    for (int k = 0; k < 3; k++) {
        World w =
            world_of("lithe: 1\ntime: {scheme: %s, step: %g s, end: 1 s, tolerance: 1e-12}\n"
                     "materials: {m: {young: 10 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                     "rods: {beam: {material: m, nodes: 11, section: {circle: {radius: 1 cm}}, "
                     "shape: {line: {to: [0.4, 0, 0]}}}}\n"
                     "solids: {block: {material: m, mesh: {box: {size: [10 cm, 4 cm, 4 cm], "
                     "divisions: [3, 1, 1]}}, at: [0, 1, 0]}}\n"
                     "holds: {wall: {on: beam.start, hold: clamp}, face: {on: block.x-min}}\n",
                     cases[k].scheme, cases[k].step);
        world_step(&w, 100);
        LitheVec3 before = lithe_momentum(w.model, w.state);
        world_step(&w, 1);
        LitheVec3 middle = lithe_momentum(w.model, w.state);
        Vec3 force = v3(0, 0, 0), moment = force;
        add_reactions(&w, &force, &moment);
        add_weights(&w, &force, &moment);
        world_step(&w, 1);
        LitheVec3 after = lithe_momentum(w.model, w.state);
        LitheVec3 wanted =
            k == 2 ? rate(before, after, 2 * cases[k].step) : rate(before, middle, cases[k].step);
        CHECK(v3_norm(wanted) > 0.1);
        CHECK(v3_norm(v3_sub(force, wanted)) < cases[k].tolerance * v3_norm(wanted));
        world_end(&w);
    }
}

// A weld of either end sags as a clamp does, and carries the same; in a frame of its own, too. A
// stiffness of its own against turning holds the whole outermost edge.
TEST(a_welded_end_sags_as_a_clamped_one) {
    static const struct {
        const char *place, *other, *key;
        double sign;
        bool stiff;
    } ways[] = {{"start", "end", "a: world, b: beam.start", 1, false},
                {"end", "start", "a: beam.end, b: world", -1, false},
                {"start", "end",
                 "a: world, b: {on: beam.start, rotate: {axis: [1, 2, 3], angle: 1}}", 1, false},
                {"start", "end", "a: world, b: beam.start, turn-stiffness: 1e9 N m/rad", 1, true}};
    double I = 1e-2 * pow(2.5e-2, 3) / 12, sag = WEIGHT / (8e10 * I) + TIP / (3e10 * I);
    for (int k = 0; k < 4; k++) {
        World w =
            world_of("lithe: 1\n" STATIC
                     "materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                     "rods: {beam: {material: m, nodes: 21, section: {rectangle: {width: 1 "
                     "cm, height: 2.5 cm}}, shape: {line: {%s: [0, 0, 0], %s: [1, 0, 0]}}}}\n"
                     "constraints: {wall: {kind: weld, %s}}\n"
                     "forces: {tip: {on: beam.%s, force: [0, 0, -1.5]}}\n",
                     k == 1 ? "to" : "from", k == 1 ? "from" : "to", ways[k].key, ways[k].other);
        world_step(&w, 1);
        LitheConstraintId wall = lithe_constraint_find(w.model, "wall");
        LitheVec3 force = lithe_constraint_force(w.model, w.state, wall);
        LitheVec3 torque = lithe_constraint_torque(w.model, w.state, wall);
        double P = WEIGHT + TIP, M = 0.5 * WEIGHT + TIP, s = ways[k].sign;
        check_vector(force, 0, 0, s * P, 1e-9 * P);
        check_vector(torque, 0, -s * M, 0, 1e-3 * M);
        const double *q = lithe_rod_q(w.model, w.state, (LitheRodId){1});
        double z = q[k == 1 ? 2 : 4 * 20 + 2];
        printf("  %.4f %% of the sag\n", 100 * z / -sag);
        CHECK(ways[k].stiff ? z > -0.93 * sag : fabs(z + sag) < 2e-4 * sag);
        world_end(&w);
    }
    World w = world_of(
        "lithe: 1\n" STATIC "materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
        "rods: {beam: {material: m, nodes: 21, section: {rectangle: {width: 1 cm, height: "
        "2.5 cm}}, shape: {line: {to: [1, 0, 0]}}, clamped: start}}\n"
        "forces: {tip: {on: beam.end, force: [0, 0, -1.5]}}\n");
    world_step(&w, 1);
    double z = lithe_rod_q(w.model, w.state, (LitheRodId){1})[4 * 20 + 2];
    printf("  %.4f %% in a clamp\n", 100 * z / -sag);
    CHECK_NEAR(z, -sag, 1e-3 * sag);
    world_end(&w);
}

// A rod that is naturally bent and twisted, built straight, takes its natural shape up to the weld.
TEST(the_natural_shape_of_a_welded_rod_reaches_the_weld) {
    World w = world_of("lithe: 1\ngravity: none\n" STATIC
                       "materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                       "rods: {beam: {material: m, nodes: 21, section: {rectangle: {width: 1 cm, "
                       "height: 2.5 cm}}, shape: {line: {to: [1, 0, 0]}}, director: [0, 0, 1], "
                       "natural: {curvature: [0.02, 0.05] , twist: 0.1}}}\n"
                       "constraints: {wall: {kind: weld, a: world, b: beam.start}}\n");
    world_step(&w, 1);
    const double *end = lithe_rod_q(w.model, w.state, (LitheRodId){1}) + 4 * 20;
    printf("  %g %g, %g J\n", end[1], end[2], lithe_energy(w.model, w.state).constraints);
    CHECK_NEAR(hypot(end[1], end[2]), 0.5 * hypot(0.02, 0.05), 1e-2 * 0.025);
    LitheConstraintId wall = lithe_constraint_find(w.model, "wall");
    CHECK(v3_norm(lithe_constraint_torque(w.model, w.state, wall)) < 1e-6);
    world_end(&w);
}

// A face that is welded to the world, by either place: about the first node of the face.
TEST(a_welded_face_has_its_force_and_torque) {
    static const char *const places[] = {"a: world, b: block.x-min", "a: block.x-min, b: world"};
    for (int k = 0; k < 2; k++) {
        World w = world_of("lithe: 1\n" STATIC BLOCK "constraints: {wall: {kind: weld, %s}}\n",
                           places[k]);
        world_step(&w, 1);
        LitheConstraintId wall = lithe_constraint_find(w.model, "wall");
        double weight = 0.48 * 9.81, sign = k == 0 ? 1 : -1, a[7], b[7];
        lithe_constraint_places(w.model, w.state, wall, a, b);
        LitheVec3 force = lithe_constraint_force(w.model, w.state, wall);
        LitheVec3 torque = lithe_constraint_torque(w.model, w.state, wall);
        LitheVec3 at = v3_load(k == 0 ? b : a);
        check_vector(force, 0, 0, sign * weight, 1e-9 * weight);
        // about the middle of the face
        torque = v3_add(torque, v3_cross(v3_sub(at, v3(-0.15, 0, 0)), force));
        check_vector(torque, 0, -sign * 0.15 * weight, 0, 1e-3 * 0.15 * weight);
        world_end(&w);
    }
}

// An arm of 0.7 kg that is bent and pulls a rope, and a robot with a ball on its lever.
TEST(the_base_of_an_arm_carries_it) {
    static const char *const schemes[] = {"static", "backward-euler"};
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\ntime: {scheme: %s, step: 1 ms, end: 1 s}\n"
            "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
            "arms: {trunk: {at: [0, 0, 1], rotate: {axis: [1, 0, 0], angle: 150 deg}, lengths: [15 "
            "cm, 15 cm], masses: [0.4 kg, 0.3 kg], radii: [4 cm, 4 cm], stiffness: 300 N/m, "
            "damping: 20 N s/m, disk-radius: 4 cm, material: m}}\n"
            "bodies: {lever: {mass: 2, inertia: [0.1, 0.1, 0.1, 0, 0, 0], at: [3.5, 0, 0]}}\n"
            "joints: {axle: {kind: revolute, child: lever, at: [3, 0, 0], axis: [0, 1, 0]}}\n"
            "actuators: {still: {joint: axle, kind: prescribed, target: 0 deg}}\n"
            "forces: {pull: {on: lever, force: [5, 0, 0], at: [0, 0, 0.2]}}\n",
            schemes[k]);
        world_step(&w, k == 0 ? 1 : 3);
        LitheJointId axle = lithe_joint_find(w.model, "axle");
        CHECK(lithe_joint_has_reaction(w.model, axle));
        LitheReaction by = lithe_joint_reaction(w.model, w.state, w.work, axle);
        check_vector(by.force, -5, 0, 2 * 9.81, 1e-9);
        check_vector(by.torque, 0, -0.5 * 2 * 9.81 - 0.2 * 5, 0, 1e-9);
        check_vector(by.point, 3, 0, 0, 1e-15);
        int32_t carried = 0;
        for (int32_t j = 1; j <= lithe_joint_count(w.model); j++) {
            LitheJointId joint = {j};
            if (joint.number == axle.number || !lithe_joint_has_reaction(w.model, joint))
                continue;
            carried++;
            by = lithe_joint_reaction(w.model, w.state, w.work, joint);
            printf("  %s: %g %g %g N, %g %g %g N m\n", lithe_joint_name(w.model, joint), by.force.x,
                   by.force.y, by.force.z, by.torque.x, by.torque.y, by.torque.z);
            if (k == 0)
                check_vector(by.force, 0, 0, 0.7 * 9.81, 1e-9);
            CHECK(fabs(by.torque.x) > 0.01);
        }
        CHECK(carried == 1);
        world_end(&w);
    }
}

// (H4): the largest moment is that in the clamp, at both ends
TEST(the_moment_of_a_clamped_rod_is_that_in_the_clamp) {
    World w =
        world_of("lithe: 1\n" STATIC BEAM "forces: {tip: {on: beam.end, force: [0, 0, -1.5]}}\n",
                 ", clamped: start");
    double m[42], M = 0.5 * WEIGHT + TIP;
    world_step(&w, 1);
    lithe_rod_moment(w.model, w.state, (LitheRodId){1}, m);
    CHECK_NEAR(hypot(m[0], m[1]), M, 2e-3 * M);
    CHECK(hypot(m[2], m[3]) < 0.97 * M && m[40] == 0 && m[41] == 0);
    world_end(&w);
    w = world_of("lithe: 1\n" STATIC BEAM, ", clamped: both");
    world_step(&w, 1);
    lithe_rod_moment(w.model, w.state, (LitheRodId){1}, m);
    printf("  %g and %g of %g N m\n", hypot(m[0], m[1]), hypot(m[40], m[41]), WEIGHT / 12);
    CHECK_NEAR(hypot(m[0], m[1]), WEIGHT / 12, 1.5e-2 * WEIGHT / 12);
    CHECK_NEAR(hypot(m[40], m[41]), WEIGHT / 12, 1.5e-2 * WEIGHT / 12);
    world_end(&w);
}

#define HELD_WAYS 4
static const char *const held_ways[HELD_WAYS][2] = {
    {", clamped: start", ""},
    {"", "holds: {wall: {on: beam.start, hold: %s}}\n"},
    {"", "constraints: {wall: {kind: attach, a: beam.start, b: world}}\n"},
    {"", "constraints: {wall: {kind: weld, a: world, b: beam.start}}\n"},
};

// (H5): at the upper end of a hanging rod the tension is its weight, at the lower one the load
TEST(the_tension_at_a_held_end_is_that_of_the_end) {
    for (int k = 0; k < HELD_WAYS; k++) {
        char hold[100];
        snprintf(hold, sizeof hold, held_ways[k][1], "position");
        World w =
            world_of("lithe: 1\n" STATIC
                     "materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                     "rods: {beam: {material: m, nodes: 21, section: {rectangle: {width: 1 cm, "
                     "height: 2.5 cm}}, shape: {line: {to: [0, 0, -1]}}%s}}\n%s"
                     "forces: {tip: {on: beam.end, force: [0, 0, -1.5]}}\n",
                     held_ways[k][0], hold);
        double tension[20], strain[21], axial = (WEIGHT + TIP) / (1e10 * 2.5e-4);
        LitheRodPeaks peaks = {0};
        world_step(&w, 1);
        lithe_rod_tension(w.model, w.state, (LitheRodId){1}, tension);
        lithe_rod_strain(w.model, w.state, (LitheRodId){1}, strain);
        lithe_rod_raise_peaks(&w.model->rods[0], w.state, &peaks);
        CHECK_NEAR(tension[0], WEIGHT + TIP, 1e-5 * WEIGHT);
        CHECK(tension[19] < TIP + 0.03 * WEIGHT && tension[1] < TIP + 0.97 * WEIGHT);
        CHECK_NEAR(strain[0], axial, 1e-5 * axial);
        CHECK_NEAR(peaks.strain * lithe_rod_strain_limit(&w.model->rods[0]), axial, 1e-5 * axial);
        CHECK(peaks.strain_node == 0);
        world_end(&w);
    }
}

// (H4): moment, strain and stress in the wall, of a clamp and a weld, at either end; the largest
// values of a run are those in the wall
TEST(strain_and_stress_of_a_cantilever_are_those_in_the_wall) {
    static const char *const walls[] = {
        "holds: {wall: {on: beam.start, hold: clamp}}\n",
        "holds: {wall: {on: beam.end, hold: clamp}}\n",
        "constraints: {wall: {kind: weld, a: world, b: beam.start}}\n",
        "constraints: {wall: {kind: weld, a: beam.end, b: world}}\n",
    };
    for (int k = 0; k < 4; k++) {
        bool end = k % 2;
        World w =
            world_of("lithe: 1\ngravity: none\n" STATIC
                     "materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3, yield: 1 "
                     "MPa}}\n"
                     "rods: {beam: {material: m, nodes: 21, section: {rectangle: {width: 1 cm, "
                     "height: 2.5 cm}}, shape: {line: {to: [1, 0, 0]}}}}\n%s"
                     "forces: {tip: {on: beam.%s, force: [0, 0, -1.5]}, turn: {on: beam.%s, "
                     "moment: [0.1, 0, 0]}}\n",
                     walls[k], end ? "start" : "end", end ? "start" : "end");
        double m[42], torque[21], strain[21], stress[21], M = TIP;
        world_step(&w, 1);
        int32_t at = end ? 20 : 0;
        lithe_rod_moment(w.model, w.state, (LitheRodId){1}, m);
        lithe_rod_torque(w.model, w.state, (LitheRodId){1}, torque);
        lithe_rod_strain(w.model, w.state, (LitheRodId){1}, strain);
        lithe_rod_stress(w.model, w.state, (LitheRodId){1}, stress);
        const LitheRod *rod = &w.model->rods[0];
        double normal = M * rod->fibre.half1 / rod->EI1 * 1; // bends about m2, over half1
        double other = M * rod->fibre.half2 / rod->EI2;
        double bent = fabs(m[2 * at]) > fabs(m[2 * at + 1]) ? normal : other;
        double shear = rod->fibre.arm * 0.1 / rod->GJ;
        double mises = sqrt(pow(1e10 * bent, 2) + 3 * pow(rod->fibre.shear * shear, 2));
        CHECK_NEAR(hypot(m[2 * at], m[2 * at + 1]), M, 2e-4 * M);
        CHECK_NEAR(fabs(torque[at]), 0.1, 1e-4);
        CHECK_NEAR(stress[at], mises, 3e-4 * mises);
        CHECK(strain[at] > strain[end ? 19 : 1]);
        LitheRodPeaks peaks = {0};
        lithe_rod_raise_peaks(rod, w.state, &peaks);
        CHECK_NEAR(peaks.stress, mises / 1e6, 3e-4 * peaks.stress);
        CHECK(peaks.stress_node == at && peaks.strain_node == at);
        world_end(&w);
    }
}

// two rods welded end to end bend as one, and the second has the moment of the weld at its start
TEST(a_weld_of_two_rods_has_a_moment_in_both) {
    World w =
        world_of("lithe: 1\ngravity: none\n" STATIC
                 "materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                 "rods: {a: {material: m, nodes: 21, section: {circle: {radius: 1 cm}}, shape: "
                 "{line: {to: [0.5, 0, 0]}}, clamped: start}, b: {material: m, nodes: 21, section: "
                 "{circle: {radius: 1 cm}}, shape: {line: {from: [0.5, 0, 0], to: [1, 0, 0]}}}}\n"
                 "constraints: {joint: {kind: weld, a: a.end, b: b.start}}\n"
                 "forces: {tip: {on: b.end, force: [0, 0, -0.1]}}\n");
    world_step(&w, 1);
    double first[42], second[42], EI = 1e10 * M_PI * 1e-8 / 4;
    lithe_rod_moment(w.model, w.state, (LitheRodId){1}, first);
    lithe_rod_moment(w.model, w.state, (LitheRodId){2}, second);
    CHECK_NEAR(hypot(first[40], first[41]), 0.05, 1e-5);
    CHECK_NEAR(hypot(second[0], second[1]), 0.05, 1e-5);
    double z = lithe_rod_q(w.model, w.state, (LitheRodId){2})[4 * 20 + 2];
    CHECK_NEAR(z, -0.1 / (3 * EI), 1e-3 * 0.1 / (3 * EI));
    world_end(&w);
}

// a bracket of two rods at right angles, loaded across its plane: b bends a by torsion, also in the
// half edge of a at the weld
TEST(a_weld_at_a_right_angle_twists_one_rod_and_bends_the_other) {
    World w = world_of(
        "lithe: 1\ngravity: none\n" STATIC
        "rods: {a: {nodes: 21, section: {stiffness: {EA: 1e6, EI: 1, GJ: 0.05, mass-per-length: "
        "0.1, radius: 5 mm}}, shape: {line: {to: [0.4, 0, 0]}}, clamped: start}, b: {nodes: 21, "
        "section: {stiffness: {EA: 1e6, EI: 1, GJ: 0.05, mass-per-length: 0.1, radius: 5 mm}}, "
        "shape: {line: {from: [0.4, 0, 0], to: [0.4, 0.3, 0]}}}}\n"
        "constraints: {corner: {kind: weld, a: a.end, b: b.start}}\n"
        "forces: {tip: {on: b.end, force: [0, 0, -1e-3]}}\n");
    world_step(&w, 1);
    double z = lithe_rod_q(w.model, w.state, (LitheRodId){2})[4 * 20 + 2];
    double sag = 1e-3 * ((0.064 + 0.027) / 3 + 0.09 * 0.4 / 0.05);
    printf("  %.3f %% of the sag\n", -100 * z / sag);
    CHECK_NEAR(z, -sag, 3e-3 * sag);
    world_end(&w);
}
