// SPDX-License-Identifier: Apache-2.0
// lithe/plan.h - describe a motion to be planned: an arm turns a ball
//
// `lithe plan` finds the efforts of the arm's chambers; a run of the scene does not use it.

#ifndef LITHE_PLAN_H
#define LITHE_PLAN_H

#include "lithe/base.h"
#include "lithe/rigid.h"
#include "lithe/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which efforts cost.
typedef enum LithePlanEffort {
    LITHE_PLAN_EFFORT_CHANGE, ///< differences from those that hold the arm at the start
    LITHE_PLAN_EFFORT_FULL,   ///< all of them: it may be best to let the arm drop
} LithePlanEffort;

/// What the final orientation is.
typedef enum LithePlanEnd {
    LITHE_PLAN_END_COST,  ///< its error has a cost
    LITHE_PLAN_END_EXACT, ///< it is a constraint
} LithePlanEnd;

/// Weights of the cost; all but `final_error` are integrated over time.
typedef struct LithePlanCost {
    double error, final_error; ///< of 1 - (q.target)^2
    double effort;             ///< of squared efforts in N
    double change;             ///< of squared changes of chamber speeds per step, in m/s
    double normal;             ///< reward of the normal force in N
    double rise;               ///< of squared changes of the normal force per step, in N
    double spin;               ///< of squared changes of the angular velocity per step, in rad/s
    double norm;               ///< of the squared error of |q|^2
} LithePlanCost;

/// Bounds at all steps.
typedef struct LithePlanBounds {
    double shortest, longest; ///< elongation of chambers [m]
    double speed;             ///< of chambers [m/s]
    double effort;            ///< of chambers [N]
    double angular_velocity;  ///< of the ball [rad/s]
    double force;             ///< of the contact [N]
} LithePlanBounds;

/// Weights of the cost of a hand; all but those of the end are integrated over time.
typedef struct LithePlanHandCost {
    double place, angle;             ///< of squared distances of the box from its end, in m and rad
    double final_place, final_angle; ///< the same at the end
    double final_speed;              ///< of squared speeds at the end, in m/s and rad/s
    double effort;                   ///< of squared changes of torques from the start, in N m
    double speed, change;            ///< of squared speeds of joints and changes per step, in rad/s
    double rise;                     ///< of squared changes of the forces of tips per step, in N
    double force;                    ///< of squared forces of all contacts, in N
} LithePlanHandCost;

/// Bounds of a hand at all steps.
typedef struct LithePlanHandBounds {
    double speed;            ///< of joints [rad/s]
    double effort;           ///< of joints [N m]
    double force;            ///< of contacts [N]
    double velocity;         ///< of the box [m/s]
    double angular_velocity; ///< of the box [rad/s]
} LithePlanHandBounds;

/// Two fingers that turn a box in a plane.
typedef struct LithePlanHand {
    LitheBodyId box;         ///< on a planar joint; {0}: there is no hand
    LitheBodyId left, right; ///< second links of the fingers, with a sphere as tip
    LitheVec3 at;            ///< centre of the box at the end [m]
    LithePlanHandCost cost;
    LithePlanHandBounds bounds;
} LithePlanHand;

/// Further disks that may touch the ball, after the first one.
#define LITHE_PLAN_MORE_DISKS 3

/// A motion to be planned. Start from lithe_plan_def_default().
typedef struct LithePlanDef {
    LitheBodyId disk; ///< of the arm, that touches; {0}: there is no plan of an arm
    LitheBodyId more_disks[LITHE_PLAN_MORE_DISKS]; ///< that may touch as well; {0} after the last
    LitheBodyId ball;                              ///< on a ball joint at its centre
    LitheQuat target; ///< its turn from the start to the end, world axes
    double duration;  ///< s
    int32_t steps;
    int32_t directions;    ///< of friction
    LitheVec3 touch;       ///< from the first disk to the ball at the start; 0: as the scene starts
    const double *epsilon; ///< [epsilon_count] falling bounds of the products of complements
    int32_t epsilon_count; ///< 0: 1e-2, 1e-6
    bool warm_start;       ///< first without the equations of motion of the arm
    LithePlanEffort effort;
    LithePlanEnd end;
    bool coriolis;    ///< forces of Coriolis of the arm
    double press;     ///< least normal force of steps that touch [N]; 0: none
    double rounding;  ///< of the edges of the disk [m]
    double clearance; ///< least distance of the arm's disks from fixed bodies [m]
    double max_time;  ///< wall time of the solver [s]; 0: any
    LithePlanCost cost;
    LithePlanBounds bounds;
    LithePlanHand hand; ///< instead of disk and ball
} LithePlanDef;

/// 90 degrees about x in 100 steps of 40 ms, with ten directions of friction.
LITHE_API LithePlanDef lithe_plan_def_default(void);

/// Copies the def; false when out of memory.
LITHE_API bool lithe_scene_set_plan(LitheScene *scene, const LithePlanDef *def);

#ifdef __cplusplus
}
#endif

#endif
