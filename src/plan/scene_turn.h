// SPDX-License-Identifier: Apache-2.0
// plan/scene_turn.h - the turn that the plan of a scene requests, and its variables in the world

#ifndef LITHE_PLAN_SCENE_TURN_H
#define LITHE_PLAN_SCENE_TURN_H

#include "plan/turn.h"

#include "lithe/rigid.h"
#include "math/spatial.h"

/// Where the arm and the ball of a turn are in the scene.
typedef struct LitheTurnPlace {
    LitheJointId sections[LITHE_PLAN_SECTIONS];
    int32_t drives[LITHE_PLAN_CHAMBERS]; // number of the force actuator of each chamber; 0: none
    LitheJointId ball;
    LitheBodyId ball_body;
    Pose base;          // of the arm in the world; the plan is in its axes
    int32_t stand;      // number of the body on which the arm stands; 0: none
    Quat parent, child; // rotations of the joint of the ball
    Quat start;         // of the ball in the world
} LitheTurnPlace;

/// LITHE_BAD_INPUT, with a message that names it, for what cannot be planned.
LitheStatus lithe_turn_of_scene(const LitheScene *scene, LitheTurn *turn, LitheTurnPlace *place,
                                LitheError *error);

/// Position and velocity of the joint of the ball for variables of a stage.
void lithe_turn_ball(const LitheTurnPlace *place, const double *stage, double position[4],
                     double velocity[3]);

/// The reverse: quaternion and angular velocity of a stage for a joint of the ball.
void lithe_turn_ball_back(const LitheTurnPlace *place, const double *position,
                          const double *velocity, double q[4], double spin[3]);

#endif
