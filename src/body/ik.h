// SPDX-License-Identifier: Apache-2.0
// body/ik.h - inverse kinematics: joint positions that move a frame of a link to a pose
//
// Nothing here allocates. Numbers in brackets: docs/theory/rigid.md.

#ifndef LITHE_BODY_IK_H
#define LITHE_BODY_IK_H

#include "data/tree.h"

#include <stddef.h>

/// Max speed of joints without a velocity limit: 20 rad/s, sliding joints 20 times the reach per
/// second. Without it a pose that jumps, or a singular one, would cause arbitrary joint velocities.
#define LITHE_IK_SPEED 20.0

/// Default damping. With more the frame lags already far from singular poses; with less the joints
/// move very fast near them.
#define LITHE_IK_DAMPING 0.05

size_t lithe_ik_work_size(const LitheRigidTree *tree);
LitheIkWork lithe_ik_work_layout(const LitheRigidTree *tree, void *memory);

/// Length of the links from the first joint to the frame; 1 m where that is 0.
double lithe_ik_reach(const LitheRigidTree *tree, const LitheIk *ik);

/// Moves the joints of `ik` in `q` [q_count] such that the frame reaches `target`, within the
/// position limits and the max speed for `h` seconds (90). Other joints stay.
LitheIkOutcome lithe_ik_solve(const LitheRigidTree *tree, const LitheIk *ik, Pose target, double h,
                              double *q, LitheRigidWork *rigid, LitheIkWork *work);

/// Writes to `rate` [joint_count] the velocities of the joints of `ik` that give the frame, at q,
/// this velocity and angular velocity (world).
void lithe_ik_rate(const LitheRigidTree *tree, const LitheIk *ik, const double *q, Vec3 velocity,
                   Vec3 angular_velocity, double *rate, LitheRigidWork *rigid, LitheIkWork *work);

#endif
