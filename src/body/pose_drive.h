// SPDX-License-Identifier: Apache-2.0
// body/pose_drive.h - hands that follow paths: what their joints are to do in a step

#ifndef LITHE_BODY_POSE_DRIVE_H
#define LITHE_BODY_POSE_DRIVE_H

#include "data/model.h"
#include "data/work.h"

/// Where the path is at a time, and with which velocity and spin (world) it came there. The first
/// and the last pose hold before and after.
Pose lithe_pose_path_at(const LithePoseDrive *drive, double time, Vec3 *velocity, Vec3 *spin);

/// Fills the drives of a tree behind those of its actuators, and the aims at the end of the step in
/// work->aims. `q` [q_count] and `aims` [aim_count] are those of the state; work->q is scratch.
void lithe_pose_drives_aim(const LitheTree *tree, const LitheStepPlan *plan, const double *q,
                           const double *aims, LitheTreeWork *work);

#endif
