// SPDX-License-Identifier: Apache-2.0
// math/joint_shape.h - constants of the kinematics of a joint

#ifndef LITHE_MATH_JOINT_SHAPE_H
#define LITHE_MATH_JOINT_SHAPE_H

typedef struct LitheJointShape {
    double pitch;  // screw [m/rad]
    double length; // section: of its centre line with all chambers at zero [m]
    double radius; // section: from the centre line to the chambers [m]
    double along;  // section: where the child is fixed, 0 the base to 1 the tip
} LitheJointShape;

#endif
