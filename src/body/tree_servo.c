// SPDX-License-Identifier: Apache-2.0
// body/tree_servo.c - drives with springs on joints: periods of their oscillations

#include "body/servo.h"

#include "body/tree.h"
#include "body/tree_body.h"

#include <math.h>
#include <string.h>

static void compare_servo(const LitheModel *model, LitheWork *work, const LitheTree *tree,
                          int32_t link, int32_t dof, const LitheServo *candidate,
                          LitheServo *fastest) {
    int32_t n = tree->rigid.v_count, k = tree->rigid.links[link].v_at + dof;
    double *x = lithe_tree_work(work, tree->unit)->push; // unused between steps
    memset(x, 0, (size_t)n * sizeof *x);
    x[k] = 1;
    lithe_tree_unmass(model, tree->unit, work, x);
    LitheServo servo = *candidate;
    if (!(x[k] > 0) || !(servo.stiffness > 0))
        return;
    servo.inertia = 1 / x[k];
    servo.period = 2 * M_PI * sqrt(servo.inertia / servo.stiffness);
    if (servo.period >= fastest->period)
        return;
    servo.joint = "?";
    for (int32_t i = 0; i < model->joint_count; i++)
        if (&model->trees[model->joints[i].tree] == tree && model->joints[i].link == link)
            servo.joint = model->joints[i].name;
    *fastest = servo;
}

static void compare_servos(const LitheModel *model, LitheWork *work, const LitheTree *tree,
                           LitheServo *fastest) {
    for (int32_t i = 0; i < tree->actuator_count; i++) {
        const LitheRigidDrive *drive = &tree->actuators[i].drive;
        LitheServo servo = {.kind = "actuator",
                            .name = tree->actuators[i].name,
                            .stiffness = drive->gear * drive->stiffness};
        if (drive->kind == LITHE_ACTUATOR_POSITION)
            compare_servo(model, work, tree, drive->link, drive->dof, &servo, fastest);
    }
    for (int32_t i = 0; i < tree->pose_drive_count; i++) {
        const LithePoseDrive *drive = &tree->pose_drives[i];
        LitheServo servo = {
            .kind = "pose drive", .name = drive->name, .stiffness = drive->stiffness};
        for (int32_t k = 0; k < drive->ik.joint_count; k++)
            compare_servo(model, work, tree, drive->ik.joints[k], 0, &servo, fastest);
    }
}

bool lithe_servo_fastest(const LitheModel *model, LitheWork *work, double below,
                         LitheServo *fastest) {
    *fastest = (LitheServo){.period = below};
    for (int32_t i = 0; i < model->tree_count; i++)
        compare_servos(model, work, &model->trees[i], fastest);
    return fastest->name != NULL;
}
