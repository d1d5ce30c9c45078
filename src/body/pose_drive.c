// SPDX-License-Identifier: Apache-2.0
// body/pose_drive.c - pose drives: frames of links that follow paths; targets of their joints in a
// step
//
// An exact drive starts from the present positions of the joints. A drive with springs must not:
// the target of a joint that lags would lag too. So it has separate targets (aims), stored in the
// state.

#include "body/pose_drive.h"

#include "body/control.h"
#include "body/ik.h"

#include <math.h>
#include <string.h>

// velocities whose difference is smaller, relative to the larger one, are equal: rounding of poses
// that lie on a line
#define SAME_RATE 1e-6

bool lithe_pose_is_missed(const LithePoseDrive *drive, const LitheIkOutcome *left) {
    return left->distance > LITHE_POSE_MISSED * drive->ik.reach || left->angle > LITHE_POSE_MISSED;
}

Pose lithe_pose_path_at(const LithePoseDrive *drive, double time, Vec3 *velocity,
                        Vec3 *angular_velocity) {
    int32_t i = 0, last = drive->count - 1;
    *velocity = *angular_velocity = v3(0, 0, 0);
    if (time <= drive->times[0])
        return (Pose){drive->rotations[0], drive->positions[0]};
    if (time > drive->times[last])
        return (Pose){drive->rotations[last], drive->positions[last]};
    while (drive->times[i + 1] < time)
        i++;
    double length = drive->times[i + 1] - drive->times[i], s = (time - drive->times[i]) / length;
    Vec3 displacement = v3_sub(drive->positions[i + 1], drive->positions[i]);
    Vec3 turn = q4_log(q4_mul(drive->rotations[i + 1], q4_conj(drive->rotations[i])));
    double rate = (drive->smooth ? 6 * s * (1 - s) : 1) / length;
    s = drive->smooth ? s * s * (3 - 2 * s) : s;
    *velocity = v3_scale(rate, displacement);
    *angular_velocity = v3_scale(rate, turn);
    return (Pose){q4_mul(q4_exp(v3_scale(s, turn)), drive->rotations[i]),
                  v3_axpy(s, displacement, drive->positions[i])};
}

// velocities of the linear path after pose i; those before the first and after the last are 0
static void rates_after(const LithePoseDrive *drive, int32_t i, Vec3 *velocity, Vec3 *turning) {
    *velocity = *turning = v3(0, 0, 0);
    if (i < 0 || i >= drive->count - 1)
        return;
    double end = drive->times[i + 1];
    lithe_pose_path_at(drive, end, velocity, turning);
}

bool lithe_pose_path_jumps(const LithePoseDrive *drive, int32_t index) {
    Vec3 before, after, turned, turning;
    if (drive->stiffness > 0 || drive->smooth)
        return false;
    rates_after(drive, index - 1, &before, &turned);
    rates_after(drive, index, &after, &turning);
    double speed = fmax(v3_norm(before), v3_norm(after));
    double rotation = fmax(v3_norm(turned), v3_norm(turning));
    return v3_distance(before, after) > SAME_RATE * speed ||
           v3_distance(turned, turning) > SAME_RATE * rotation;
}

// the joints are on the path at the end of the step
static void aim_exact(const LitheTree *tree, const LithePoseDrive *drive, Vec3 velocity,
                      Vec3 angular_velocity, LitheTreeWork *work, LitheRigidDrive *drives) {
    const LitheIk *ik = &drive->ik;
    double *rate = work->v; // unused before the step
    lithe_ik_rate(&tree->rigid, ik, work->q, velocity, angular_velocity, rate, &work->step.tree,
                  &work->ik);
    for (int32_t k = 0; k < ik->joint_count; k++)
        drives[k] = (LitheRigidDrive){.link = ik->joints[k],
                                      .kind = LITHE_ACTUATOR_PRESCRIBED,
                                      .target = work->q[tree->rigid.links[ik->joints[k]].q_at],
                                      .rate = rate[k],
                                      .by_steps = true,
                                      .gear = 1};
}

// springs pull to the target at the time of the forces; dampers act on the velocity relative to it
static void aim_pulled(const LitheTree *tree, const LithePoseDrive *drive,
                       const LitheStepPlan *plan, const double *aims, LitheTreeWork *work,
                       LitheRigidDrive *drives) {
    const LitheIk *ik = &drive->ik;
    for (int32_t k = 0; k < ik->joint_count; k++) {
        int32_t at = drive->aim_at + k;
        double aim = work->q[tree->rigid.links[ik->joints[k]].q_at];
        double rate = (aim - aims[at]) * (plan->velocity ? plan->part : 1) / plan->h;
        double target = aims[at] + plan->a * (aim - aims[at]);
        drives[k] = (LitheRigidDrive){.link = ik->joints[k],
                                      .kind = LITHE_ACTUATOR_POSITION,
                                      .target = target + drive->damping / drive->stiffness * rate,
                                      .gear = 1,
                                      .stiffness = drive->stiffness,
                                      .damping = drive->damping};
        work->aims[at] = aim;
    }
}

// Position and velocity of the free joint of a body whose frame `drive->ik.frame` is at `target`.
static void aim_free(const LitheTree *tree, const LithePoseDrive *drive, Pose target, Vec3 velocity,
                     Vec3 angular_velocity, double *pose, LitheRigidDrive *out) {
    const LitheRigidLink *link = &tree->rigid.links[drive->ik.link];
    Pose body = pose_mul(target, pose_inverse(drive->ik.frame));
    Pose child = pose_mul(body, link->child_frame);
    Pose joint = pose_mul(pose_inverse(link->parent_frame), child);
    Quat back = q4_conj(link->parent_frame.rotation);
    Vec3 arm = v3_sub(child.at, target.at);
    v3_store(joint.at, pose);
    pose[3] = joint.rotation.w, pose[4] = joint.rotation.x;
    pose[5] = joint.rotation.y, pose[6] = joint.rotation.z;
    v3_store(q4_rotate(back, v3_add(velocity, v3_cross(angular_velocity, arm))), pose + 7);
    v3_store(q4_rotate(back, angular_velocity), pose + 10);
    *out = (LitheRigidDrive){
        .link = drive->ik.link, .kind = LITHE_ACTUATOR_PRESCRIBED, .pose = pose, .gear = 1};
}

void lithe_pose_drives_aim(const LitheTree *tree, const LitheStepPlan *plan,
                           const LitheState *state, const LitheState *start, LitheTreeWork *work) {
    const double *q = state->q + tree->q_at, *aims = start->own + tree->aim_at;
    LitheRigidDrive *drives = work->drives + tree->actuator_count;
    for (int32_t i = 0; i < tree->pose_drive_count; i++) {
        const LithePoseDrive *drive = &tree->pose_drives[i];
        const LitheIk *ik = &drive->ik;
        Vec3 velocity, angular_velocity;
        const double *command = state->poses + LITHE_POSE_SIZE * (int64_t)drive->number;
        Pose target =
            lithe_command_pose(drive, command, plan->time + plan->h, &velocity, &angular_velocity);
        if (tree->rigid.links[ik->link].driven) {
            work->missed[i] = (LitheIkOutcome){0};
            aim_free(tree, drive, target, velocity, angular_velocity, work->poses + 13 * i,
                     drives++);
            continue;
        }
        memcpy(work->q, q, (size_t)tree->rigid.q_count * sizeof *q);
        for (int32_t k = 0; drive->stiffness > 0 && k < ik->joint_count; k++)
            work->q[tree->rigid.links[ik->joints[k]].q_at] = aims[drive->aim_at + k];
        work->missed[i] =
            lithe_ik_solve(&tree->rigid, ik, target, plan->h, work->q, &work->step.tree, &work->ik);
        if (drive->stiffness > 0)
            aim_pulled(tree, drive, plan, aims, work, drives);
        else
            aim_exact(tree, drive, velocity, angular_velocity, work, drives);
        drives += ik->joint_count;
    }
}

bool lithe_joint_is_driven(const LitheModel *model, int32_t joint) {
    const LitheTree *tree = &model->trees[model->joints[joint].tree];
    int32_t link = model->joints[joint].link;
    for (int32_t k = 0; k < tree->actuator_count; k++)
        if (tree->actuators[k].drive.link == link)
            return true;
    for (int32_t k = 0; k < tree->pose_drive_count; k++) {
        const LitheIk *ik = &tree->pose_drives[k].ik;
        for (int32_t i = 0; i < ik->joint_count; i++)
            if (ik->joints[i] == link)
                return true;
    }
    return tree->rigid.links[link].driven;
}

bool lithe_motion_is_prescribed(const LitheModel *model) {
    if (model->drive_count > 0 || model->pose_drive_count > 0)
        return true;
    for (int32_t i = 0; i < model->tree_count; i++)
        for (int32_t k = 0; k < model->trees[i].actuator_count; k++)
            if (model->trees[i].actuators[k].drive.kind == LITHE_ACTUATOR_PRESCRIBED)
                return true;
    return false;
}

const LithePoseDrive *lithe_pose_drive_at(const LitheModel *model, int32_t index) {
    const LitheTreePart *part = &model->pose_drives[index];
    return &model->trees[part->tree].pose_drives[part->index];
}

LitheIkOutcome lithe_pose_drive_left(const LitheModel *model, const LitheWork *work,
                                     int32_t index) {
    const LitheTreePart *part = &model->pose_drives[index];
    return lithe_tree_work(work, model->trees[part->tree].unit)->missed[part->index];
}
