// SPDX-License-Identifier: Apache-2.0
// body/pose_drive.h - hands that follow paths: what their joints are to do in a step

#ifndef LITHE_BODY_POSE_DRIVE_H
#define LITHE_BODY_POSE_DRIVE_H

#include "data/model.h"
#include "data/work.h"

/// What is left of the way to the path and counts as missed: over the reach of the arm, and in rad.
/// Above what damping near singular poses leaves for a moment, below what one sees.
#define LITHE_POSE_MISSED 1e-3
bool lithe_pose_is_missed(const LithePoseDrive *drive, const LitheIkOutcome *left);

/// Number `index` of the scene's pose drives, and what the last step left of the way to its path.
const LithePoseDrive *lithe_pose_drive_at(const LitheModel *model, int32_t index);
LitheIkOutcome lithe_pose_drive_left(const LitheModel *model, const LitheWork *work, int32_t index);

/// Where the path is at a time, and with which velocity and spin (world) it came there. The first
/// and the last pose hold before and after.
Pose lithe_pose_path_at(const LithePoseDrive *drive, double time, Vec3 *velocity,
                        Vec3 *angular_velocity);

/// Fills the drives of a tree behind those of its actuators, and the aims at the end of the step in
/// work->aims; what is left of the way to the path in work->missed. work->q is scratch.
void lithe_pose_drives_aim(const LitheTree *tree, const LitheStepPlan *plan,
                           const LitheState *state, LitheTreeWork *work);

#endif
