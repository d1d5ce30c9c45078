// SPDX-License-Identifier: Apache-2.0
// tests/body/test_ik.c - inverse kinematics of an arm of seven joints

#include "body/ik.h"

#include "random_tree.h"

enum { JOINTS = 7 };

/// The arm with the scratch of a solve; it starts bent, far from singular poses.
typedef struct Arm {
    Sample sample;
    LitheIk ik;
    int32_t joints[JOINTS];
    double rest[JOINTS];
    void *memory;
    LitheIkWork work;
} Arm;

static void arm_begin(Arm *arm) {
    const double lengths[JOINTS] = {0.18, 0.14, 0.2, 0.18, 0.19, 0.17, 0.075};
    const double bent[JOINTS] = {0.1, 0.5, -0.2, 1.2, 0.3, -0.9, 0.4};
    memset(arm, 0, sizeof *arm);
    for (int32_t k = 0; k < JOINTS; k++) {
        LitheRigidLink link = plain_link(k - 1, LITHE_JOINT_REVOLUTE);
        Quat turn = k % 2 ? q4_between(v3(0, 0, 1), v3(0, 1, 0)) : q4_identity();
        link.parent_frame = (Pose){turn, v3(0, 0, lengths[k])};
        link.child_frame = (Pose){turn, v3(0, 0, 0)};
        link.mass = 1;
        link.inertia = m3_diag(0.01, 0.01, 0.01);
        link.limited = true;
        link.lower = -2.8;
        link.upper = 2.8;
        arm->sample.links[k] = link;
        arm->joints[k] = k;
    }
    sample_ready(&arm->sample, JOINTS);
    memcpy(arm->sample.q, bent, sizeof bent);
    memcpy(arm->rest, bent, sizeof bent);
    arm->ik = (LitheIk){.link = JOINTS - 1,
                        .frame = {q4_identity(), v3(0, 0, 0.1)},
                        .joints = arm->joints,
                        .joint_count = JOINTS,
                        .rest = arm->rest,
                        .damping = LITHE_IK_DAMPING};
    arm->ik.reach = lithe_ik_reach(&arm->sample.tree, &arm->ik);
    arm->memory = malloc(lithe_ik_work_size(&arm->sample.tree));
    arm->work = lithe_ik_work_layout(&arm->sample.tree, arm->memory);
}

static void arm_end(Arm *arm) {
    free(arm->memory);
    sample_end(&arm->sample);
}

static Pose pose_at(Arm *arm, const double *q) {
    lithe_rigid_place(&arm->sample.tree, q, &arm->sample.work);
    return pose_mul(arm->sample.work.links[JOINTS - 1].pose, arm->ik.frame);
}

static LitheIkOutcome solve(Arm *arm, Pose target, double h) {
    return lithe_ik_solve(&arm->sample.tree, &arm->ik, target, h, arm->sample.q, &arm->sample.work,
                          &arm->work);
}

static double apart(Pose a, Pose b) {
    return v3_distance(a.at, b.at) +
           v3_norm(q4_log(q4_unit(q4_mul(a.rotation, q4_conj(b.rotation)))));
}

TEST(reach_is_the_length_along_the_links) {
    Arm arm;
    arm_begin(&arm);
    CHECK_NEAR(arm.ik.reach, 0.14 + 0.2 + 0.18 + 0.19 + 0.17 + 0.075 + 0.1, 1e-15);
    arm_end(&arm);
}

TEST(a_pose_within_reach_is_reached_to_rounding) {
    TestRandom r = {11};
    for (int i = 0; i < 50; i++) {
        Arm arm;
        arm_begin(&arm);
        double goal[JOINTS];
        for (int k = 0; k < JOINTS; k++)
            goal[k] = arm.rest[k] + test_random(&r, -0.3, 0.3);
        Pose target = pose_at(&arm, goal);
        LitheIkOutcome outcome = solve(&arm, target, 1);
        CHECK(outcome.iterations <= 10);
        CHECK_NEAR(apart(pose_at(&arm, arm.sample.q), target), 0, 1e-8);
        CHECK_NEAR(outcome.distance + outcome.angle, 0, 1e-8);
        arm_end(&arm);
    }
}

TEST(joints_that_are_not_named_stay) {
    Arm arm;
    arm_begin(&arm);
    for (int k = 1; k < JOINTS; k++)
        arm.joints[k - 1] = k;
    arm.ik.joint_count = JOINTS - 1;
    Pose target = pose_at(&arm, arm.sample.q);
    target.at = v3_add(target.at, v3(0.01, -0.02, 0.01));
    CHECK_NEAR(solve(&arm, target, 1).distance, 0, 1e-8);
    CHECK(arm.sample.q[0] == arm.rest[0]);
    arm_end(&arm);
}

TEST(limits_are_kept_and_the_other_joints_take_over) {
    Arm arm;
    arm_begin(&arm);
    Pose target = pose_at(&arm, arm.sample.q);
    target.at = v3_add(target.at, v3(0.06, 0.08, -0.05));

    // find where the first joint goes without limits, then set a limit half way there; the arm has
    // a redundant joint, so the pose can still be reached
    solve(&arm, target, 1);
    int held = 0;
    double way = arm.sample.q[held] - arm.rest[held];
    LitheRigidLink *link = &arm.sample.links[held];
    *(way > 0 ? &link->upper : &link->lower) = arm.rest[held] + 0.5 * way;
    memcpy(arm.sample.q, arm.rest, sizeof arm.rest);
    LitheIkOutcome outcome = solve(&arm, target, 1);
    CHECK(arm.sample.q[held] >= link->lower && arm.sample.q[held] <= link->upper);
    CHECK(fabs(way) > 0.05);
    CHECK_NEAR(outcome.distance, 0, 1e-6);
    CHECK_NEAR(outcome.angle, 0, 1e-6);

    // a joint at its limit can return; without redundancy there is one solution
    memcpy(arm.sample.q, arm.rest, sizeof arm.rest);
    arm.sample.q[held] = way > 0 ? link->upper : link->lower;
    for (int k = 3; k < JOINTS; k++)
        arm.joints[k - 1] = k;
    arm.ik.joint_count = JOINTS - 1;
    outcome = solve(&arm, pose_at(&arm, arm.rest), 1);
    CHECK_NEAR(outcome.distance + outcome.angle, 0, 1e-8);
    CHECK_NEAR(arm.sample.q[held], arm.rest[held], 1e-6);
    arm_end(&arm);
}

TEST(a_joint_beyond_its_limit_comes_back_at_its_speed) {
    Arm arm;
    arm_begin(&arm);
    arm.sample.links[2].upper = -0.3;
    arm.sample.links[2].velocity_limit = 0.5;
    Pose target = pose_at(&arm, arm.sample.q);
    solve(&arm, target, 0.1);
    CHECK_NEAR(arm.sample.q[2], -0.25, 1e-12);
    solve(&arm, target, 0.2);
    CHECK(arm.sample.q[2] <= -0.3 + 1e-15);
    arm_end(&arm);
}

TEST(no_joint_is_faster_than_its_limit) {
    Arm arm;
    arm_begin(&arm);
    for (int k = 0; k < JOINTS; k++)
        arm.sample.links[k].velocity_limit = 1 + 0.1 * k;
    Pose far = pose_at(&arm, arm.sample.q);
    far.at = v3_add(far.at, v3(-0.3, 0.4, 0.1));
    solve(&arm, far, 0.05);
    for (int k = 0; k < JOINTS; k++)
        CHECK(fabs(arm.sample.q[k] - arm.rest[k]) <= 0.05 * (1 + 0.1 * k) + 1e-12);
    arm_end(&arm);
}

// stretched out, with targets further outwards, sideways, and back inwards
TEST(singular_poses_stay_bounded) {
    Arm arm;
    arm_begin(&arm);
    memset(arm.sample.q, 0, sizeof arm.sample.q);
    Pose out = pose_at(&arm, arm.sample.q);
    out.at = v3_add(out.at, v3(0, 0, 0.2));
    for (int i = 0; i < 100; i++) {
        LitheIkOutcome outcome = solve(&arm, out, 0.01);
        CHECK_NEAR(outcome.distance, 0.2, 1e-6);
    }
    for (int k = 0; k < JOINTS; k++)
        CHECK(fabs(arm.sample.q[k]) < 1e-3);

    // a circle that touches the boundary of the workspace
    double before[JOINTS], fastest = 0;
    for (int i = 0; i < 400; i++) {
        double a = 2 * M_PI * i / 400;
        Pose target = {q4_identity(), v3(0.3 * sin(a), 0, out.at.z - 0.35 + 0.16 * cos(a))};
        memcpy(before, arm.sample.q, sizeof before);
        LitheIkOutcome outcome = solve(&arm, target, 0.01);
        CHECK(isfinite(outcome.distance) && outcome.distance < 0.3);
        for (int k = 0; k < JOINTS; k++)
            fastest = fmax(fastest, fabs(arm.sample.q[k] - before[k]) / 0.01);
    }
    CHECK(fastest < 0.5 * LITHE_IK_SPEED); // the damping limits the speed
    arm_end(&arm);
}

TEST(posture_moves_the_elbow_and_not_the_hand) {
    Arm arm;
    arm_begin(&arm);
    Pose target = pose_at(&arm, arm.sample.q);

    // the same pose with the elbow elsewhere
    const double away[JOINTS] = {0.4, 0, -0.4, 0, 0.3, 0, 0};
    for (int k = 0; k < JOINTS; k++)
        arm.sample.q[k] += away[k];
    solve(&arm, target, 1);
    CHECK(fabs(arm.sample.q[2] - arm.rest[2]) > 0.1);

    // it returns completely
    arm.ik.posture = 2;
    for (int i = 0; i < 1000; i++) {
        LitheIkOutcome outcome = solve(&arm, target, 0.01);
        CHECK(outcome.distance < 1e-9 && outcome.angle < 1e-9);
    }
    for (int k = 0; k < JOINTS; k++)
        CHECK_NEAR(arm.sample.q[k], arm.rest[k], 1e-6);
    arm_end(&arm);
}

TEST(posture_is_a_rate_whatever_the_step) {
    double left[2];
    for (int fine = 0; fine < 2; fine++) {
        Arm arm;
        arm_begin(&arm);
        Pose target = pose_at(&arm, arm.sample.q);
        arm.rest[2] += 0.4;
        arm.ik.posture = 1;
        for (int i = 0; i < (fine ? 400 : 100); i++)
            solve(&arm, target, fine ? 0.0025 : 0.01);
        left[fine] = arm.sample.q[2];
        CHECK(fabs(arm.sample.q[2] - (arm.rest[2] - 0.4)) > 0.01);
        arm_end(&arm);
    }
    CHECK_NEAR(left[0], left[1], 1e-3);
}

TEST(rates_move_the_frame_as_requested) {
    Arm arm;
    arm_begin(&arm);
    Vec3 velocity = v3(0.1, -0.2, 0.05), spin = v3(0.3, 0.1, -0.2);
    double rate[JOINTS];
    lithe_ik_rate(&arm.sample.tree, &arm.ik, arm.sample.q, velocity, spin, rate, &arm.sample.work,
                  &arm.work);
    Pose at = pose_at(&arm, arm.sample.q);
    lithe_rigid_move(&arm.sample.tree, rate, &arm.sample.work);
    Vec3 got = lithe_rigid_point_velocity(&arm.sample.tree, &arm.sample.work, JOINTS - 1, at.at);
    CHECK_NEAR(v3_distance(got, velocity), 0, 1e-12);
    CHECK_NEAR(v3_distance(arm.sample.work.links[JOINTS - 1].velocity.ang, spin), 0, 1e-12);
    arm_end(&arm);
}

// two sliding joints and a turning one in a plane: x, z and the angle about y
TEST(sliding_joints_reach_what_they_can) {
    Sample sample;
    memset(&sample, 0, sizeof sample);
    const Vec3 axes[3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}};
    int32_t joints[3] = {0, 1, 2};
    for (int32_t k = 0; k < 3; k++) {
        sample.links[k] = plain_link(k - 1, k < 2 ? LITHE_JOINT_PRISMATIC : LITHE_JOINT_REVOLUTE);
        Quat turn = q4_between(v3(0, 0, 1), axes[k]);
        sample.links[k].parent_frame.rotation = sample.links[k].child_frame.rotation = turn;
        sample.links[k].mass = 1;
        sample.links[k].inertia = m3_diag(0.1, 0.1, 0.1);
    }
    sample_ready(&sample, 3);
    double rest[3] = {0};
    LitheIk ik = {.link = 2,
                  .frame = {q4_identity(), v3(0.2, 0, 0)},
                  .joints = joints,
                  .joint_count = 3,
                  .rest = rest,
                  .damping = LITHE_IK_DAMPING};
    ik.reach = lithe_ik_reach(&sample.tree, &ik);
    void *memory = malloc(lithe_ik_work_size(&sample.tree));
    LitheIkWork work = lithe_ik_work_layout(&sample.tree, memory);
    double angle = 0.4, x = 0.5, z = -0.3;
    Pose target = {q4_axis_angle(v3(0, 1, 0), angle),
                   v3(x + 0.2 * cos(angle), 0, z - 0.2 * sin(angle))};
    LitheIkOutcome outcome =
        lithe_ik_solve(&sample.tree, &ik, target, 1, sample.q, &sample.work, &work);
    CHECK_NEAR(outcome.distance + outcome.angle, 0, 1e-6);
    CHECK_NEAR(sample.q[0], x, 1e-6);
    CHECK_NEAR(sample.q[1], z, 1e-6);
    CHECK_NEAR(sample.q[2], angle, 1e-6);

    // out of the plane is unreachable: the other errors still vanish
    target.at.y = 0.1;
    outcome = lithe_ik_solve(&sample.tree, &ik, target, 1, sample.q, &sample.work, &work);
    CHECK_NEAR(outcome.distance, 0.1, 1e-6);
    CHECK_NEAR(sample.q[0], x, 1e-4);
    free(memory);
    sample_end(&sample);
}

TEST(a_drive_of_positions_reaches_a_point_whatever_its_rotation) {
    TestRandom r = {12};
    for (int i = 0; i < 20; i++) {
        Arm arm;
        arm_begin(&arm);
        arm.ik.point = true;
        Pose now = pose_at(&arm, arm.sample.q);
        Vec3 step = random_vec(&r, 0.1);
        // a rotation that the arm could not reach
        Pose target = {q4_axis_angle(v3(1, 0, 0), M_PI), v3_add(now.at, step)};
        LitheIkOutcome outcome = solve(&arm, target, 1);
        CHECK_NEAR(outcome.distance, 0, 1e-9);
        CHECK_NEAR(outcome.angle, 0, 0);
        CHECK(outcome.iterations <= 8);
        Pose then = pose_at(&arm, arm.sample.q);
        CHECK_NEAR(v3_distance(then.at, target.at), 0, 1e-9);
        // the smallest change of the joints turns the frame by little
        CHECK(v3_norm(q4_log(q4_mul(then.rotation, q4_conj(now.rotation)))) < 1);
        arm_end(&arm);
    }
}

// two links of 0.4 m and 0.3 m in the plane of x and z; closed form by the law of cosines
TEST(two_joints_reach_a_point_of_their_plane) {
    Sample sample;
    memset(&sample, 0, sizeof sample);
    int32_t joints[2] = {0, 1};
    Quat turn = q4_between(v3(0, 0, 1), v3(0, 1, 0));
    for (int32_t k = 0; k < 2; k++) {
        sample.links[k] = plain_link(k - 1, LITHE_JOINT_REVOLUTE);
        sample.links[k].parent_frame = (Pose){turn, v3(k ? 0.4 : 0, 0, 0)};
        sample.links[k].child_frame = (Pose){turn, v3(0, 0, 0)};
        sample.links[k].mass = 1;
        sample.links[k].inertia = m3_diag(0.1, 0.1, 0.1);
    }
    sample_ready(&sample, 2);
    double rest[2] = {0};
    sample.q[0] = -1, sample.q[1] = 1;
    LitheIk ik = {.link = 1,
                  .frame = {q4_identity(), v3(0.3, 0, 0)},
                  .joints = joints,
                  .joint_count = 2,
                  .rest = rest,
                  .damping = LITHE_IK_DAMPING,
                  .point = true};
    ik.reach = lithe_ik_reach(&sample.tree, &ik);
    void *memory = malloc(lithe_ik_work_size(&sample.tree));
    LitheIkWork work = lithe_ik_work_layout(&sample.tree, memory);
    Pose target = {q4_identity(), v3(0.45, 0, 0.35)};
    LitheIkOutcome outcome =
        lithe_ik_solve(&sample.tree, &ik, target, 1, sample.q, &sample.work, &work);
    CHECK_NEAR(outcome.distance, 0, 1e-8);
    double square = 0.45 * 0.45 + 0.35 * 0.35;
    CHECK_NEAR(sample.q[1], acos((square - 0.16 - 0.09) / (2 * 0.4 * 0.3)), 1e-7);
    free(memory);
    sample_end(&sample);
}
