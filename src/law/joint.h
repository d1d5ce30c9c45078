// SPDX-License-Identifier: Apache-2.0
// law/joint.h - kinematics of one joint: pose, motion subspace, position update and its derivative
//
// A joint connects the joint frame of the child link to the joint frame of the parent link; both
// coincide at position zero. Positions q and velocities v by kind (docs/theory/rigid.md, section
// 2):
//     weld       -
//     revolute   angle about z
//     prismatic  distance along z
//     screw      angle about z, moves along z by pitch per radian
//     ball       unit quaternion (w x y z) | angular velocity in the child's axes
//     planar     x, y, angle about z
//     free       x, y, z, unit quaternion  | velocity of the origin, angular velocity (both in the
//                                            parent's axes)
//     section    elongations of three chambers [m] (law/pcc.h); several links may ride on one

#ifndef LITHE_LAW_JOINT_H
#define LITHE_LAW_JOINT_H

#include "lithe/rigid.h"
#include "math/joint_shape.h"
#include "math/spatial.h"

enum { LITHE_JOINT_MAX_Q = 7, LITHE_JOINT_MAX_V = 6 };

int32_t lithe_joint_q_count(LitheJointKind kind);

static inline int32_t lithe_joint_v_count(LitheJointKind kind) {
    static const int32_t count[] = {0, 1, 1, 1, 3, 3, 6, 3};
    return count[kind];
}

/// Position zero: the frames coincide. `q` [q_count].
void lithe_joint_zero(LitheJointKind kind, double *q);

/// Child's joint frame in the parent's.
Pose lithe_joint_pose(LitheJointKind kind, const LitheJointShape *shape, const double *q);

/// `before` times that pose.
Pose lithe_joint_after(Pose before, LitheJointKind kind, const LitheJointShape *shape,
                       const double *q);

/// Motion subspace: column k is the motion of the child's joint frame, about its origin, for a unit
/// velocity of DoF k, in the axes of the parent's joint frame. `axes` [v_count].
void lithe_joint_axes(LitheJointKind kind, const LitheJointShape *shape, const double *q,
                      Spatial *axes);

/// Whether the axes change within the frame that they are fixed in; `rates` [v_count] of them at
/// the velocities v, in the axes of the parent's joint frame.
static inline bool lithe_joint_bends(LitheJointKind kind) {
    return kind == LITHE_JOINT_SECTION;
}
void lithe_joint_axis_rates(LitheJointKind kind, const LitheJointShape *shape, const double *q,
                            const double *v, Spatial *rates);

/// The sum of those rates, each times its velocity.
Spatial lithe_joint_axis_drift(LitheJointKind kind, const LitheJointShape *shape, const double *q,
                               const double *v);

/// True: the axes are fixed in the child. False: they are fixed in the parent, or in both.
static inline bool lithe_joint_rides_on_child(LitheJointKind kind) {
    return kind == LITHE_JOINT_BALL;
}

/// out = q (+) d: the position after moving for a unit of time with constant velocity d [v_count].
/// `out` may be q. Quaternions are normalised.
void lithe_joint_advance(LitheJointKind kind, const double *q, const double *d, double *out);

/// d with q0 (+) d = q1; rotations by at most half a turn.
void lithe_joint_difference(LitheJointKind kind, const double *q0, const double *q1, double *d);

/// Derivative B of the position update: q (+) (d + e) = (q (+) d) (+) B(d) e + O(e^2), independent
/// of q. The update back from q (+) d to q has the derivative B(-d). `pull`: out = B(d)' p; `push`:
/// out = B(d)'^-1 p (rotations below 2 pi). `out` may be p; both [v_count].
void lithe_joint_pull(LitheJointKind kind, const double *d, const double *p, double *out);
void lithe_joint_push(LitheJointKind kind, const double *d, const double *p, double *out);

#endif
