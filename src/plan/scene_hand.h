// SPDX-License-Identifier: Apache-2.0
// plan/scene_hand.h - the hand that the plan of a scene requests, and its variables in the world

#ifndef LITHE_PLAN_SCENE_HAND_H
#define LITHE_PLAN_SCENE_HAND_H

#include "plan/hand.h"

#include "lithe/rigid.h"
#include "math/spatial.h"

/// A joint of a finger: angle of the plan = sign*position + offset.
typedef struct LitheHandJoint {
    LitheJointId joint;
    double sign, offset;
    int32_t drive; // number of its actuator; 0: none
} LitheHandJoint;

/// Where fingers and box of a plan are in the scene.
typedef struct LitheHandPlace {
    Vec3 origin, x, z,
        normal; // of the plane: x to the right, z up, a turn about normal is positive
    LitheHandJoint joints[LITHE_HAND_JOINTS];
    LitheJointId slide; // planar joint of the box
    Pose parent, child; // frames of that joint in the world and in the box
    Pose start;         // of the box, where its angle is box_angle
    Vec3 centre;        // of the box in its frame
    double box_angle;
    LitheBodyId ground; // with the half-space
} LitheHandPlace;

/// LITHE_BAD_INPUT, with a message that names it, for what cannot be planned.
LitheStatus lithe_hand_of_scene(const LitheScene *scene, LitheHand *hand, LitheHandPlace *place,
                                LitheError *error);

/// Position and velocity of the joint of the box for variables of a stage.
void lithe_hand_box(const LitheHandPlace *place, const double *stage, double position[3],
                    double velocity[3]);

/// A place and a direction of the plane in the world.
Vec3 lithe_hand_point(const LitheHandPlace *place, const double at[2]);
Vec3 lithe_hand_direction(const LitheHandPlace *place, const double along[2]);

/// The reverse: pose of the box in the plane, x, z and angle.
void lithe_hand_box_back(const LitheHandPlace *place, const double position[3], double pose[3]);

#endif
