// SPDX-License-Identifier: Apache-2.0
// body/pose_drive.h - pose drives: frames of links that follow paths; targets of their joints in a
// step

#ifndef LITHE_BODY_POSE_DRIVE_H
#define LITHE_BODY_POSE_DRIVE_H

#include "data/model.h"
#include "data/work.h"

/// A larger remaining error counts as a missed pose: relative to the reach of the arm, and in rad.
/// This threshold is above the short-lived errors of damping near singular poses, and below what is
/// visible.
#define LITHE_POSE_MISSED 1e-3
bool lithe_pose_is_missed(const LithePoseDrive *drive, const LitheIkOutcome *left);

/// Whether an actuator or a pose drive moves joint number `joint` of the scene.
bool lithe_joint_is_driven(const LitheModel *model, int32_t joint);

/// Pose drive number `index` of the scene, and the error that remained after the last step.
const LithePoseDrive *lithe_pose_drive_at(const LitheModel *model, int32_t index);
LitheIkOutcome lithe_pose_drive_left(const LitheModel *model, const LitheWork *work, int32_t index);

/// Pose of the path at a time, and its velocity and angular velocity (world) before that time. The
/// pose is constant before the first and after the last pose of the path.
Pose lithe_pose_path_at(const LithePoseDrive *drive, double time, Vec3 *velocity,
                        Vec3 *angular_velocity);

/// Whether the velocity of the path of an exact drive jumps at pose `index`.
bool lithe_pose_path_jumps(const LithePoseDrive *drive, int32_t index);

/// Whether a drive, a pose drive or an actuator gives the motion of something, which a constraint
/// cannot stop then.
bool lithe_motion_is_prescribed(const LitheModel *model);

/// Sets the drives of the joints of pose drives (work->drives, after those of actuators), the joint
/// targets at the end of the step (work->aims) and the remaining errors (work->missed). `start` has
/// the targets at the start of the step. work->q is scratch.
void lithe_pose_drives_aim(const LitheTree *tree, const LitheStepPlan *plan,
                           const LitheState *state, const LitheState *start, LitheTreeWork *work);

#endif
