// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_joint_laws.c - limits, dry friction and bounded drives of joints in a run

#include "world.h"

// --- limits --------------------------------------------------------------------------------------

// a bar of 1 kg and 1 m, hinged at one end, falls from horizontal onto its limit
#define BAR \
    "lithe: 1\n" \
    "time: {step: %g s, end: 100 s, scheme: %s}\n" \
    "bodies:\n" \
    "  bar: {mass: 1, centre: [0.5, 0, 0], inertia: [0.001, 0.083333, 0.083333, 0, 0, 0]}\n" \
    "joints:\n" \
    "  hinge: {kind: revolute, child: bar, axis: [0, 1, 0], limits: [-90 deg, 45 deg]}\n"

TEST(a_pendulum_stops_at_its_limit_and_gains_no_energy) {
    static const char *const schemes[] = {"backward-euler", "midpoint"};
    double limit = M_PI / 4;
    for (int k = 0; k < 2; k++) {
        World w = world_of(BAR, 1e-3, schemes[k]);
        double deepest = 0, before = stored(&w), start = before, gain = -INFINITY;
        for (int i = 0; w.ok && i < 3000; i++) {
            world_step(&w, 1);
            deepest = fmax(deepest, joint_at(&w, "hinge") - limit);
            // in free fall the error is that of backward Euler
            if (w.report.joints_at_limit || deepest > 0)
                gain = fmax(gain, stored(&w) - before);
            before = stored(&w);
        }
        printf("  %s: %.2g rad beyond its limit, largest gain of energy in a step %.2g of %.2g J\n",
               schemes[k], deepest, gain, start - before);
        CHECK(w.unconverged == 0);
        CHECK(deepest < 1e-5);
        CHECK(gain < 1e-6 * (start - before));
        CHECK_NEAR(joint_at(&w, "hinge"), limit, 1e-5);
        if (k == 0) // midpoint: the speed at the end of a step may oscillate
            CHECK_NEAR(joint_speed(&w, "hinge"), 0, 1e-6);
        CHECK(w.report.joints_at_limit == 1);
        world_end(&w);
    }
}

TEST(a_limit_that_is_not_reached_changes_nothing) {
    World w = world_of(BAR, 1e-3, "midpoint");
    World free = world_of("lithe: 1\n"
                          "time: {step: 1 ms, end: 100 s, scheme: midpoint}\n"
                          "bodies:\n"
                          "  bar: {mass: 1, centre: [0.5, 0, 0], inertia: [0.001, 0.083333, "
                          "0.083333, 0, 0, 0]}\n"
                          "joints:\n"
                          "  hinge: {kind: revolute, child: bar, axis: [0, 1, 0]}\n");
    world_step(&w, 250);
    world_step(&free, 250);
    CHECK(joint_at(&w, "hinge") < M_PI / 4 && joint_at(&w, "hinge") > 0.4);
    CHECK_NEAR(joint_at(&w, "hinge"), joint_at(&free, "hinge"), 1e-12);
    world_end(&w);
    world_end(&free);
}

TEST(a_ball_joint_stops_at_its_largest_angle) {
    // a lamp that points sideways moves in a cone of 30 degrees about its rest
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 100 s}\n"
                       "bodies:\n"
                       "  lamp: {mass: 1, centre: [0.3, 0, 0], inertia: [0.001, 0.01, 0.01, 0, 0, "
                       "0], spin: [0, 0, 2 rad/s]}\n"
                       "joints:\n"
                       "  neck: {kind: ball, child: lamp, limits: [0, 30 deg], damping: 0.05}\n");
    double max = 0;
    for (int i = 0; w.ok && i < 4000; i++) {
        world_step(&w, 1);
        const double *q = lithe_joint_position(w.model, w.state, lithe_joint_find(w.model, "neck"));
        max = fmax(max, 2 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), fabs(q[0])));
    }
    printf("  %.3g rad beyond 30 degrees at most\n", max - M_PI / 6);
    CHECK(w.unconverged == 0);
    CHECK(max > M_PI / 6 - 1e-6);
    CHECK(max < M_PI / 6 + 2e-3);
    // it hangs against the limit, straight below
    LitheVec3 v = body_speed(&w, "lamp");
    double pose[7];
    lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "lamp"), pose);
    double down = 2 * (pose[4] * pose[6] - pose[3] * pose[5]); // z of its x axis
    CHECK_NEAR(down, -0.5, 5e-3);
    CHECK_NEAR(vector_length(v), 0, 0.02);
    world_end(&w);
}

// --- dry friction --------------------------------------------------------------------------------

#define SLED \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 100 s}\n" \
    "bodies:\n" \
    "  sled: {mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n" \
    "joints:\n" \
    "  rail: {kind: prismatic, child: sled, axis: [1, 0, 0], friction: 5 N, velocity: %g}\n" \
    "actuators:\n" \
    "  push: {joint: rail, kind: force, target: %g N}\n"

TEST(a_joint_with_friction_sticks_below_the_bound) {
    World w = world_of(SLED, 0.0, 4.5);
    world_step(&w, 10000);
    printf("  %.2g m in 10 s at 0.9 of the bound\n", joint_at(&w, "rail"));
    CHECK(fabs(joint_at(&w, "rail")) < 1e-6);
    CHECK(w.unconverged == 0);
    world_end(&w);
}

TEST(a_joint_with_friction_slides_above_the_bound_with_what_is_left) {
    World w = world_of(SLED, 0.0, 6.0);
    world_step(&w, 1000);
    CHECK_NEAR(joint_speed(&w, "rail"), (6 - 5) / 2.0, 1e-8);
    CHECK_NEAR(joint_effort(&w, "rail"), 6, 1e-12); // of its actuators
    world_end(&w);

    // and comes to rest after v/(F/m)
    w = world_of(SLED, 1.0, 0.0);
    world_step(&w, 399);
    CHECK_NEAR(joint_speed(&w, "rail"), 1 - 0.399 * 2.5, 1e-8);
    world_step(&w, 2);
    CHECK_NEAR(joint_speed(&w, "rail"), 0, 1e-9);
    CHECK_NEAR(joint_at(&w, "rail"), 1 / (2 * 2.5), 1e-3);
    CHECK(w.unconverged == 0);
    world_end(&w);
}

// --- drives with a bound -------------------------------------------------------------------------

#define CART \
    "lithe: 1\n" \
    "time: {step: %g s, end: 100 s}\n" \
    "bodies:\n" \
    "  cart: {mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n" \
    "joints:\n" \
    "  rail: {kind: prismatic, child: cart, axis: [1, 0, 0]}\n" \
    "actuators:\n" \
    "  servo: {joint: rail, kind: position, target: 1 m, stiffness: 100 N/m,\n" \
    "          damping: 40 N s/m, effort: 10 N}\n"

// clamp(100 (1 - x) - 40 v) on 2 kg by fine Runge-Kutta steps
static void servo(double until, double *x, double *v) {
    double h = 1e-5;
    *x = *v = 0;
    for (long i = lround(until / h); i > 0; i--) {
        double k[5][2] = {{0}};
        for (int s = 1; s < 5; s++) {
            double part = s == 4 ? h : 0.5 * h;
            double at = *x + part * k[s - 1][0], speed = *v + part * k[s - 1][1];
            if (s == 1)
                at = *x, speed = *v;
            k[s][0] = speed;
            k[s][1] = fmax(-10, fmin(10, 100 * (1 - at) - 40 * speed)) / 2;
        }
        *x += h / 6 * (k[1][0] + 2 * k[2][0] + 2 * k[3][0] + k[4][0]);
        *v += h / 6 * (k[1][1] + 2 * k[2][1] + 2 * k[3][1] + k[4][1]);
    }
}

LONG_TEST(a_servo_saturates_exactly_at_its_effort_limit_and_follows_its_law_below) {
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        double h = fine ? 5e-4 : 1e-3, worst = 0;
        World w = world_of(CART, h);
        int32_t full = 0, partly = 0;
        for (int i = 1; w.ok && i <= lround(3 / h); i++) {
            double x, v;
            world_step(&w, 1);
            double effort = joint_effort(&w, "rail");
            double wanted = 100 * (1 - joint_at(&w, "rail")) - 40 * joint_speed(&w, "rail");
            CHECK(fabs(effort) <= 10 + 1e-9);
            // at the end of the step, as backward Euler has it
            CHECK_NEAR(effort, fmax(-10, fmin(10, wanted)), 1e-4);
            full += fabs(wanted) > 10.01;
            partly += fabs(wanted) < 9.99;
            if (i % lround(0.1 / h))
                continue;
            servo(i * h, &x, &v);
            worst = fmax(worst, fabs(joint_at(&w, "rail") - x));
        }
        CHECK(full > 100 && partly > 100);
        CHECK_NEAR(joint_at(&w, "rail"), 1, 1e-3);
        CHECK(w.unconverged == 0);
        error[fine] = worst;
        world_end(&w);
    }
    printf("  off by %.2g m, then %.2g m\n", error[0], error[1]);
    CHECK(error[1] < 0.6 * error[0]);
    CHECK(error[1] < 2e-3);
}

// --- velocity limits -----------------------------------------------------------------------------

// a wheel or a sled of 1 kg or 1 kg m^2 with a motor of 1000 N m or N and a limit of 2 rad/s or m/s
#define MOTOR \
    "lithe: 1\n" \
    "gravity: none\n" \
    "time: {step: 1 ms, end: 100 s, scheme: %s}\n" \
    "bodies: {part: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n" \
    "joints: {axle: {kind: %s, child: part, axis: [0, 0, 1], speed: 2%s}}\n" \
    "actuators: {motor: {joint: axle, kind: %s, target: %s1000%s}}\n"

TEST(a_strong_motor_reaches_the_velocity_limit_of_its_joint_and_not_more) {
    static const char *const schemes[] = {"backward-euler", "midpoint", "symplectic-euler",
                                          "tr-bdf2"};
    for (int k = 0; k < 16; k++) {
        bool slides = k % 2, back = k / 2 % 2;
        World w =
            world_of(MOTOR, schemes[k / 4], slides ? "prismatic" : "revolute",
                     slides ? " m/s" : " rad/s", "force", back ? "-" : "", slides ? " N" : " N m");
        double fastest = 0, sign = back ? -1 : 1;
        for (int i = 0; w.ok && i < 20; i++) {
            world_step(&w, 1);
            fastest = fmax(fastest, sign * joint_speed(&w, "axle"));
        }
        LitheJointId axle = lithe_joint_find(w.model, "axle");
        double limit = *lithe_joint_limit_effort(w.model, w.work, axle);
        if (k % 4 == 0)
            printf("  %s: %.2g above the limit, whose effort is %.6g\n", schemes[k / 4],
                   fastest - 2, limit);
        CHECK(fastest > 2 - 1e-7 && fastest < 2 + 1e-7);
        CHECK_NEAR(limit, -1000 * sign, 1e-3);
        CHECK(w.report.joints_at_limit == 1 && w.unconverged == 0);
        world_end(&w);
    }
}

TEST(a_servo_moves_at_the_velocity_limit_until_it_arrives) {
    World w = world_of("lithe: 1\n"
                       "gravity: none\n"
                       "time: {step: 1 ms, end: 100 s}\n"
                       "bodies: {arm: {mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}\n"
                       "joints: {hinge: {kind: revolute, child: arm, axis: [0, 1, 0], speed: 3, "
                       "effort: 500 N m}}\n"
                       "actuators: {servo: {joint: hinge, kind: position, stiffness: 1000, "
                       "damping: 20, target: 1.5 rad}}\n");
    double fastest = 0;
    for (int i = 0; w.ok && i < 2000; i++) {
        world_step(&w, 1);
        fastest = fmax(fastest, fabs(joint_speed(&w, "hinge")));
        if (i == 300) // 1.5 rad take at least 0.5 s
            CHECK_NEAR(joint_at(&w, "hinge"), 0.9, 0.01);
    }
    CHECK(fastest < 3 + 1e-6);
    CHECK_NEAR(joint_at(&w, "hinge"), 1.5, 1e-3);
    CHECK_NEAR(*lithe_joint_limit_effort(w.model, w.work, lithe_joint_find(w.model, "hinge")), 0,
               0);
    world_end(&w);
}

TEST(what_hits_a_joint_makes_it_no_faster_than_its_velocity_limit) {
    World w = world_of("lithe: 1\n"
                       "gravity: none\n"
                       "time: {step: 1 ms, end: 100 s}\n"
                       "materials: {m: {young: 1 GPa, density: 1000 kg/m^3}}\n"
                       "bodies:\n"
                       "  sled: {material: m, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}}\n"
                       "  shot: {material: m, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}, "
                       "at: [-12 cm, 0, 0], velocity: [10 m/s, 0, 0]}\n"
                       "joints: {rail: {kind: prismatic, child: sled, axis: [1, 0, 0], "
                       "speed: 1 m/s}}\n");
    double fastest = 0;
    for (int i = 0; w.ok && i < 50; i++) {
        world_step(&w, 1);
        fastest = fmax(fastest, joint_speed(&w, "rail"));
    }
    printf("  %.3g above the limit\n", fastest - 1);
    CHECK(fastest > 0.99 && fastest < 1 + 1e-5);
    world_end(&w);
}

TEST(each_axis_of_a_ball_joint_keeps_the_velocity_limit) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: 1 ms, end: 100 s}\n"
        "bodies: {top: {mass: 1, centre: [0.4, 0.3, 0.2], inertia: [0.1, 0.2, 0.25, 0, 0, 0]}}\n"
        "joints: {pivot: {kind: ball, child: top, speed: 2}}\n");
    LitheJointId pivot = lithe_joint_find(w.model, "pivot");
    int32_t reached = 0;
    for (int i = 0; w.ok && i < 1000; i++) {
        world_step(&w, 1);
        for (int k = 0; k < 3; k++)
            CHECK(fabs(lithe_joint_velocity(w.model, w.state, pivot)[k]) < 2 + 1e-5);
        reached += w.report.joints_at_limit;
    }
    CHECK(reached > 100);
    world_end(&w);
}
