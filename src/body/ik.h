// SPDX-License-Identifier: Apache-2.0
// body/ik.h - inverse kinematics: joint positions that bring a frame of a link to a pose
//
// Nothing here allocates. Numbers in brackets: docs/theory/rigid.md.

#ifndef LITHE_BODY_IK_H
#define LITHE_BODY_IK_H

#include "data/tree.h"

#include <stddef.h>

/// Speed of joints that have no limit of their own: 20 rad/s, sliding joints 20 reaches a second.
/// Without one, a pose that jumps or a singular one would throw the arm about.
#define LITHE_IK_SPEED 20.0

/// Damping where none is given. Larger: the hand lags before a singular pose is near; smaller: the
/// joints race when it is.
#define LITHE_IK_DAMPING 0.05

size_t lithe_ik_work_size(const LitheRigidTree *tree);
LitheIkWork lithe_ik_work_lay(const LitheRigidTree *tree, void *memory);

/// The way from the first joint to the frame, along the links; 1 m where that is nothing.
double lithe_ik_reach(const LitheRigidTree *tree, const LitheIk *ik);

/// Moves the joints of `ik` in `q` [q_count] such that the frame comes to `target`, as near as
/// limits allow and no further than their speed allows in `h` seconds (90). Other joints stay.
LitheIkOutcome lithe_ik_solve(const LitheRigidTree *tree, const LitheIk *ik, Pose target, double h,
                              double *q, LitheRigidWork *rigid, LitheIkWork *work);

/// `rate` [joint_count] of these joints at q for the given velocity and spin of the frame (world).
void lithe_ik_rate(const LitheRigidTree *tree, const LitheIk *ik, const double *q, Vec3 velocity,
                   Vec3 angular_velocity, double *rate, LitheRigidWork *rigid, LitheIkWork *work);

#endif
