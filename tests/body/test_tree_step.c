// SPDX-License-Identifier: Apache-2.0
// tests/body/test_tree_step.c - time steps of articulated trees: closed forms, orders, invariants

#include "body/random_tree.h"

typedef LitheRigidOutcome Stepper(const LitheRigidTree *, const LitheRigidStep *, double *,
                                  double *, double *, LitheRigidStepWork *);

// a sample that can step
typedef struct Mover {
    Sample s;
    void *memory;
    LitheRigidStepWork work;
    LitheRigidStep step;
    double effort[MAX_V];
} Mover;

static void mover_ready(Mover *m, double h) {
    m->memory = malloc(lithe_rigid_step_work_size(&m->s.tree));
    m->work = lithe_rigid_step_work_layout(&m->s.tree, m->memory);
    m->step = lithe_rigid_step_default(h);
}

static void mover_end(Mover *m) {
    sample_end(&m->s);
    free(m->memory);
}

static bool run(Mover *m, Stepper *stepper, int32_t steps) {
    for (int32_t i = 0; i < steps; i++) {
        LitheRigidOutcome outcome =
            stepper(&m->s.tree, &m->step, m->s.q, m->s.v, m->effort, &m->work);
        if (!outcome.made || !outcome.converged)
            return false;
    }
    return true;
}

static void look(Mover *m) {
    lithe_rigid_place(&m->s.tree, m->s.q, &m->s.work);
    lithe_rigid_move(&m->s.tree, m->s.v, &m->s.work);
}

static double energy_of(Mover *m) {
    look(m);
    return lithe_rigid_kinetic_energy(&m->s.tree, &m->s.work, m->s.v) +
           lithe_rigid_potential_energy(&m->s.tree, &m->s.work, m->step.gravity, m->s.q);
}

static LitheRigidLink solid(int32_t parent, LitheJointKind kind, double mass, Mat3 inertia) {
    LitheRigidLink link = plain_link(parent, kind);
    link.mass = mass;
    link.inertia = inertia;
    return link;
}

// --- free bodies ---------------------------------------------------------------------------------

TEST(free_fall_lags_by_half_a_step_with_euler_and_is_exact_with_midpoint) {
    for (int i = 0; i < 2; i++) {
        double h = i ? 1e-3 : 1e-2;
        for (int midpoint = 0; midpoint < 2; midpoint++) {
            Mover m;
            m.s.links[0] = solid(-1, LITHE_JOINT_FREE, 2, m3_diag(0.1, 0.2, 0.25));
            sample_ready(&m.s, 1);
            mover_ready(&m, h);
            m.step.gravity = v3(0, 0, -9.81);
            CHECK(run(&m, midpoint ? lithe_rigid_step_midpoint : lithe_rigid_step_euler,
                      (int32_t)lround(1 / h)));
            double bias = midpoint ? 0 : -9.81 * h / 2;
            CHECK_NEAR(m.s.q[2], -4.905 + bias, 1e-12);
            CHECK_NEAR(m.s.v[2], -9.81, 1e-12);
            mover_end(&m);
        }
    }
}

TEST(torque_free_tumbling_keeps_energy_and_momentum_to_1e_9_over_a_minute) {
    Mover m;
    TestRandom random = {21};
    m.s.links[0] = solid(-1, LITHE_JOINT_FREE, 1.5, m3_diag(0.001, 0.002, 0.0025));
    m.s.links[0].centre = v3(0.05, -0.02, 0.03);
    m.s.links[0].child_frame = random_pose(&random);
    m.s.links[0].parent_frame = random_pose(&random);
    sample_ready(&m.s, 1);
    mover_ready(&m, 1e-3);
    for (int k = 0; k < 6; k++)
        m.s.v[k] = (double[]){1, -2, 0.5, 3, 9, -5}[k];
    double energy = energy_of(&m);
    Vec3 linear0, angular0, linear, angular;
    lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear0, &angular0);
    CHECK(run(&m, lithe_rigid_step_midpoint, 60000));
    CHECK_NEAR(energy_of(&m) / energy, 1, 1e-9);
    lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear, &angular);
    CHECK_NEAR(v3_distance(linear, linear0) / v3_norm(linear0), 0, 1e-9);
    CHECK_NEAR(v3_distance(angular, angular0) / v3_norm(angular0), 0, 1e-9);
    mover_end(&m);
}

// full period of a body that rotates about its middle axis: it flips where that angular velocity is
// zero
static double flip_period(Stepper *stepper, double h, double *energy_drift, double *drift) {
    Mover m;
    m.s.links[0] = solid(-1, LITHE_JOINT_FREE, 1, m3_diag(0.001, 0.002, 0.003));
    sample_ready(&m.s, 1);
    mover_ready(&m, h);
    v3_store(v3(0.01, 5, 0), m.s.v + 3);
    double energy = energy_of(&m), first = 0, third = 0, before = 5;
    Vec3 linear, angular0, angular;
    lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear, &angular0);
    CHECK_NEAR(energy, 0.02500005, 1e-12);
    *energy_drift = *drift = 0;
    int flips = 0;
    for (int32_t i = 0; i < (int32_t)lround(14 / h); i++) {
        CHECK(run(&m, stepper, 1));
        *energy_drift = fmax(*energy_drift, fabs(energy_of(&m) / energy - 1));
        lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear, &angular);
        *drift = fmax(*drift, v3_distance(angular, angular0) / v3_norm(angular0));
        Quat turn = {m.s.q[3], m.s.q[4], m.s.q[5], m.s.q[6]};
        double spin = q4_rotate(q4_conj(turn), v3_load(m.s.v + 3)).y;
        if ((spin < 0) != (before < 0)) {
            double t = h * (i + before / (before - spin));
            flips++;
            first = flips == 1 ? t : first;
            third = flips == 3 ? t : third;
        }
        before = spin;
    }
    CHECK(flips == 3);
    CHECK_NEAR(first, 2.633028, 0.02 * 2.633);
    mover_end(&m);
    return third - first;
}

TEST(dzhanibekov_period_is_that_of_landau_and_lifshitz) {
    double energy, momentum;
    CHECK_NEAR(flip_period(lithe_rigid_step_midpoint, 1e-3, &energy, &momentum), 10.53211, 1e-3);
    CHECK(energy < 1e-10);
    CHECK(momentum < 1e-10);
    CHECK_NEAR(flip_period(lithe_rigid_step_midpoint, 1e-2, &energy, &momentum), 10.53211, 0.05);
    CHECK(energy < 1e-10);
    // Euler conserves the energy, and its period to 2 %; the direction of the momentum depends on
    // the step
    CHECK_NEAR(flip_period(lithe_rigid_step_euler, 1e-3, &energy, &momentum), 10.53211,
               0.02 * 10.53);
    CHECK(energy < 1e-8);
}

TEST(a_pushed_free_body_gains_the_impulse_and_the_torque) {
    Mover m;
    TestRandom random = {4};
    m.s.links[0] = solid(-1, LITHE_JOINT_FREE, 2, m3_diag(0.2, 0.1, 0.15));
    m.s.links[0].centre = v3(0.1, 0.2, -0.1);
    sample_ready(&m.s, 1);
    mover_ready(&m, 1e-2);
    for (int k = 0; k < 6; k++)
        m.s.v[k] = test_random(&random, -1, 1);
    double effort[6] = {1, 2, -1, 0, 0, 0};
    m.step.effort = effort;
    look(&m);
    Vec3 linear0, angular0, linear, angular;
    lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear0, &angular0);
    CHECK(run(&m, lithe_rigid_step_midpoint, 100));
    look(&m);
    lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear, &angular);
    CHECK_NEAR(v3_distance(v3_sub(linear, linear0), v3(1, 2, -1)), 0, 1e-12);
    // a torque alone, in world axes, changes the angular momentum accordingly
    for (int k = 0; k < 6; k++)
        effort[k] = k < 3 ? 0 : 0.1 * k;
    CHECK(run(&m, lithe_rigid_step_midpoint, 100));
    look(&m);
    Vec3 after;
    lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear, &after);
    CHECK_NEAR(v3_distance(v3_sub(after, angular), v3(0.3, 0.4, 0.5)), 0, 1e-12);
    mover_end(&m);
}

// --- trees ---------------------------------------------------------------------------------------

// planar double pendulum of point masses in the x-z plane; angles from the vertical
static void pendulum_ready(Mover *m, double h) {
    for (int i = 0; i < 2; i++) {
        LitheRigidLink link = plain_link(i - 1, LITHE_JOINT_REVOLUTE);
        // the joint's z axis along -y of the link: positive turns from -z towards +x
        Quat axis = q4_between(v3(0, 0, 1), v3(0, -1, 0));
        link.parent_frame = (Pose){axis, v3(0, 0, i ? -1 : 0)};
        link.child_frame = (Pose){axis, v3(0, 0, 0)};
        link.mass = 1;
        link.centre = v3(0, 0, -1);
        m->s.links[i] = link;
    }
    sample_ready(&m->s, 2);
    mover_ready(m, h);
    m->step.gravity = v3(0, 0, -9.81);
    m->s.q[0] = acos(-1) / 2;
}

TEST(double_pendulum_follows_the_reference) {
    static const double theta[2][5] = {{1.270414, 0.5704721, -0.6250877, -1.674797, -0.4829715},
                                       {1.560182, 1.203875, -1.034585, -1.344972, -1.324049}};
    static const int32_t at[5] = {250, 500, 1000, 1500, 2000};
    Mover m;
    pendulum_ready(&m, 1e-3);
    for (int i = 0, done = 0; i < 5; done = at[i++]) {
        CHECK(run(&m, lithe_rigid_step_midpoint, at[i] - done));
        CHECK_NEAR(m.s.q[0], theta[0][i], 5e-4);
        CHECK_NEAR(m.s.q[0] + m.s.q[1], theta[1][i], 5e-4);
    }
    mover_end(&m);
    pendulum_ready(&m, 1e-3);
    for (int i = 0, done = 0; i < 5; done = at[i++]) {
        CHECK(run(&m, lithe_rigid_step_euler, at[i] - done));
        CHECK_NEAR(m.s.q[0], theta[0][i], 0.05);
        CHECK_NEAR(m.s.q[0] + m.s.q[1], theta[1][i], 0.05);
    }
    mover_end(&m);
}

static double worst_energy(double h, double t) {
    Mover m;
    pendulum_ready(&m, h);
    double start = energy_of(&m), worst = 0;
    for (int32_t i = 0; i < (int32_t)lround(t / h); i++) {
        CHECK(run(&m, lithe_rigid_step_midpoint, 1));
        worst = fmax(worst, fabs(energy_of(&m) - start));
    }
    mover_end(&m);
    return worst;
}

TEST(midpoint_energy_error_of_the_double_pendulum_falls_as_the_square_of_the_step) {
    double a = worst_energy(8e-3, 2), b = worst_energy(4e-3, 2), c = worst_energy(2e-3, 2);
    CHECK_NEAR(log2(a / b), 2, 0.2);
    CHECK_NEAR(log2(b / c), 2, 0.1);
}

// where a random tree is after a while, relative to a finer run
static double error_after(Stepper *stepper, int32_t steps, int seed) {
    Mover m[2];
    for (int fine = 0; fine < 2; fine++) {
        TestRandom random = {(uint64_t)seed};
        sample_random(&m[fine].s, &random, 5, seed % 2 ? LITHE_JOINT_FREE : LITHE_JOINT_BALL);
        mover_ready(&m[fine], 0.1 / (steps * (fine ? 16 : 1)));
        m[fine].step.gravity = v3(0, 1, -9.81);
        CHECK(run(&m[fine], fine ? lithe_rigid_step_midpoint : stepper, steps * (fine ? 16 : 1)));
    }
    double d[MAX_V], worst = 0;
    lithe_rigid_difference(&m[1].s.tree, m[1].s.q, m[0].s.q, d);
    for (int32_t k = 0; k < m[0].s.tree.v_count; k++)
        worst = fmax(worst, fmax(fabs(d[k]), 0.1 * fabs(m[0].s.v[k] - m[1].s.v[k])));
    mover_end(&m[0]);
    mover_end(&m[1]);
    return worst;
}

LONG_TEST(midpoint_is_of_second_order_and_euler_of_first_on_random_trees) {
    for (int seed = 1; seed <= 6; seed++) {
        double a = error_after(lithe_rigid_step_midpoint, 100, seed);
        double b = error_after(lithe_rigid_step_midpoint, 200, seed);
        CHECK_NEAR(log2(a / b), 2, 0.15);
        a = error_after(lithe_rigid_step_euler, 200, seed);
        b = error_after(lithe_rigid_step_euler, 400, seed);
        CHECK_NEAR(log2(a / b), 1, 0.2);
    }
}

LONG_TEST(midpoint_keeps_momentum_of_free_trees_of_every_joint) {
    for (int seed = 1; seed <= 8; seed++) {
        Mover m;
        TestRandom random = {(uint64_t)seed};
        sample_random(&m.s, &random, 6, LITHE_JOINT_FREE);
        mover_ready(&m, 2e-3);
        look(&m);
        Vec3 linear0, angular0, linear, angular;
        lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear0, &angular0);
        double energy = energy_of(&m);
        CHECK(run(&m, lithe_rigid_step_midpoint, 500));
        CHECK_NEAR(energy_of(&m) / energy, 1, 2e-2);
        lithe_rigid_momentum(&m.s.tree, &m.s.work, v3(0, 0, 0), &linear, &angular);
        CHECK_NEAR(v3_distance(linear, linear0) / v3_norm(linear0), 0, 1e-9);
        CHECK_NEAR(v3_distance(angular, angular0) / v3_norm(angular0), 0, 1e-9);
        mover_end(&m);
    }
}

TEST(large_steps_converge_with_the_numerical_derivative) {
    Mover m;
    pendulum_ready(&m, 0.1);
    int32_t slopes = 0;
    for (int i = 0; i < 100; i++) {
        LitheRigidOutcome outcome =
            lithe_rigid_step_midpoint(&m.s.tree, &m.step, m.s.q, m.s.v, NULL, &m.work);
        CHECK(outcome.made && outcome.converged);
        CHECK(outcome.iterations <= 15);
        slopes += outcome.slopes;
    }
    CHECK(slopes > 0);
    mover_end(&m);
}

TEST(fast_tumbling_at_large_steps_stays_bounded_with_both_schemes) {
    // 300 rad/s and 10 ms: half a turn per step
    for (int midpoint = 0; midpoint < 2; midpoint++) {
        Mover m;
        m.s.links[0] = solid(-1, LITHE_JOINT_FREE, 1, m3_diag(0.001, 0.002, 0.0025));
        sample_ready(&m.s, 1);
        mover_ready(&m, 1e-2);
        v3_store(v3(30, 300, 100), m.s.v + 3);
        double energy = energy_of(&m);
        CHECK(run(&m, midpoint ? lithe_rigid_step_midpoint : lithe_rigid_step_euler, 500));
        CHECK_NEAR(energy_of(&m) / energy, 1, 1e-8);
        mover_end(&m);
    }
}

// --- springs, dampers, drives --------------------------------------------------------------------

// a wheel of inertia 2 on a revolute joint
static void wheel_ready(Mover *m, double h) {
    m->s.links[0] = solid(-1, LITHE_JOINT_REVOLUTE, 1, m3_diag(1.5, 1.5, 1.5));
    m->s.links[0].armature = 0.5;
    sample_ready(&m->s, 1);
    mover_ready(m, h);
}

TEST(a_sprung_and_damped_wheel_swings_as_in_the_closed_form) {
    // I x'' + d x' + k (x - rest) = 0: k/I = 25, d/I = 1
    double error[2][2];
    for (int fine = 0; fine < 2; fine++) {
        for (int midpoint = 0; midpoint < 2; midpoint++) {
            Mover m;
            wheel_ready(&m, fine ? 1e-3 : 2e-3);
            m.s.links[0].stiffness = 50;
            m.s.links[0].damping = 2;
            m.s.links[0].rest = 0.3;
            m.s.q[0] = 1.3;
            CHECK(run(&m, midpoint ? lithe_rigid_step_midpoint : lithe_rigid_step_euler,
                      fine ? 1000 : 500));
            double w = sqrt(25 - 0.25);
            double x = 0.3 + exp(-0.5) * (cos(w) + 0.5 / w * sin(w));
            error[midpoint][fine] = fabs(m.s.q[0] - x);
            mover_end(&m);
        }
    }
    CHECK(error[0][1] < 0.02);
    CHECK_NEAR(log2(error[0][0] / error[0][1]), 1, 0.1);
    CHECK(error[1][1] < 1e-5);
    CHECK_NEAR(log2(error[1][0] / error[1][1]), 2, 0.1);
}

TEST(stiff_springs_and_drives_stay_stable_at_large_steps) {
    // omega h = 100: Euler settles at the target
    Mover m;
    wheel_ready(&m, 0.1);
    LitheRigidDrive drive = {.link = 0,
                             .kind = LITHE_ACTUATOR_POSITION,
                             .target = 0.7,
                             .gear = 2,
                             .stiffness = 1e6,
                             .damping = 10};
    m.step.drives = &drive;
    m.step.drive_count = 1;
    CHECK(run(&m, lithe_rigid_step_euler, 100));
    CHECK_NEAR(m.s.q[0], 0.7, 1e-9);
    CHECK_NEAR(m.effort[0], 0, 1e-3);
    mover_end(&m);
}

TEST(a_velocity_drive_reaches_its_speed_and_a_force_drive_its_acceleration) {
    Mover m;
    wheel_ready(&m, 1e-2);
    LitheRigidDrive drive = {
        .link = 0, .kind = LITHE_ACTUATOR_VELOCITY, .target = 3, .gear = 1, .damping = 4};
    m.step.drives = &drive;
    m.step.drive_count = 1;
    // I v' = d (3 - v): implicit Euler reaches 1 - (1 + h d/I)^-n of the final speed
    CHECK(run(&m, lithe_rigid_step_euler, 100));
    CHECK_NEAR(m.s.v[0], 3 * (1 - pow(1.02, -100)), 1e-12);
    CHECK_NEAR(m.effort[0], 4 * (3 - m.s.v[0]), 1e-12);
    m.s.v[0] = 0;
    drive.kind = LITHE_ACTUATOR_FORCE;
    drive.gear = 5;
    CHECK(run(&m, lithe_rigid_step_midpoint, 100));
    CHECK_NEAR(m.s.v[0], 5 * 3 / 2., 1e-11);
    CHECK_NEAR(m.effort[0], 15, 1e-11);
    mover_end(&m);
}

TEST(a_prescribed_joint_follows_its_target_and_its_effort_is_that_of_inverse_dynamics) {
    // the first joint of the pendulum is driven as sin t, the second swings freely
    for (int midpoint = 0; midpoint < 2; midpoint++) {
        Mover m;
        double h = 1e-4;
        pendulum_ready(&m, h);
        m.s.q[0] = 0;
        m.s.v[0] = 1;
        LitheRigidDrive drive = {.link = 0, .kind = LITHE_ACTUATOR_PRESCRIBED};
        m.step.drives = &drive;
        m.step.drive_count = 1;
        double v_before[2], q_before[2];
        for (int i = 1; i <= 10000; i++) {
            memcpy(q_before, m.s.q, sizeof q_before);
            memcpy(v_before, m.s.v, sizeof v_before);
            drive.target = sin(i * h);
            drive.rate = cos(i * h);
            CHECK(run(&m, midpoint ? lithe_rigid_step_midpoint : lithe_rigid_step_euler, 1));
        }
        CHECK_NEAR(m.s.q[0], sin(1), 1e-12);
        CHECK_NEAR(m.s.v[0], cos(1), midpoint ? 1e-12 : h);
        double a[2], q[2], v[2], effort[2];
        for (int k = 0; k < 2; k++) {
            a[k] = (m.s.v[k] - v_before[k]) / h;
            q[k] = 0.5 * (q_before[k] + m.s.q[k]);
            v[k] = 0.5 * (v_before[k] + m.s.v[k]);
        }
        CHECK_NEAR(a[0], -sin(1), 1e-3);
        lithe_rigid_place(&m.s.tree, q, &m.s.work);
        lithe_rigid_move(&m.s.tree, v, &m.s.work);
        lithe_rigid_inverse_dynamics(&m.s.tree, m.step.gravity, a, &m.s.work, effort);
        CHECK_NEAR(m.effort[0], effort[0], midpoint ? 1e-4 : 0.02);
        CHECK_NEAR(effort[1], 0, midpoint ? 1e-5 : 0.02);
        mover_end(&m);
    }
}

TEST(a_step_that_cannot_be_made_leaves_the_state_untouched) {
    Mover m;
    m.s.links[0] = plain_link(-1, LITHE_JOINT_REVOLUTE); // no inertia
    sample_ready(&m.s, 1);
    mover_ready(&m, 1e-3);
    m.s.q[0] = 0.4;
    m.s.v[0] = 0.2;
    CHECK(!lithe_rigid_step_euler(&m.s.tree, &m.step, m.s.q, m.s.v, NULL, &m.work).made);
    CHECK(!lithe_rigid_step_midpoint(&m.s.tree, &m.step, m.s.q, m.s.v, NULL, &m.work).made);
    CHECK(m.s.q[0] == 0.4 && m.s.v[0] == 0.2);
    mover_end(&m);
}

TEST(a_tree_without_degrees_of_freedom_stands_still) {
    Mover m;
    m.s.links[0] = solid(-1, LITHE_JOINT_WELD, 1, m3_diag(1, 1, 1));
    m.s.links[1] = solid(0, LITHE_JOINT_WELD, 1, m3_diag(1, 1, 1));
    m.s.links[1].parent_frame.at = v3(1, 2, 3);
    sample_ready(&m.s, 2);
    mover_ready(&m, 1e-3);
    m.step.gravity = v3(0, 0, -9.81);
    CHECK(run(&m, lithe_rigid_step_euler, 3));
    CHECK(run(&m, lithe_rigid_step_midpoint, 3));
    look(&m);
    CHECK_NEAR(v3_distance(m.s.work.links[1].pose.at, v3(1, 2, 3)), 0, 0);
    CHECK_NEAR(v3_norm(lithe_rigid_point_velocity(&m.s.tree, &m.s.work, 1, v3(5, 5, 5))), 0, 0);
    mover_end(&m);
}
