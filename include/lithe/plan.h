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

/// A motion to be planned. Start from lithe_plan_def_default().
typedef struct LithePlanDef {
    LitheBodyId disk; ///< of the arm, that touches; {0}: there is no plan
    LitheBodyId ball; ///< on a ball joint at its centre
    LitheQuat target; ///< its turn from the start to the end, world axes
    double duration;  ///< s
    int32_t steps;
    int32_t directions;    ///< of friction
    LitheVec3 touch;       ///< from the disk to the ball at the start; 0: as the scene starts
    const double *epsilon; ///< [epsilon_count] falling bounds of the products of complements
    int32_t epsilon_count; ///< 0: 1e-2, 1e-6
    bool warm_start;       ///< first without the equations of motion of the arm
    LithePlanEffort effort;
    LithePlanEnd end;
    bool coriolis;   ///< forces of Coriolis of the arm
    double press;    ///< least normal force of steps that touch [N]; 0: none
    double rounding; ///< of the edges of the disk [m]
    double max_time; ///< wall time of the solver [s]; 0: any
    LithePlanCost cost;
    LithePlanBounds bounds;
} LithePlanDef;

/// 90 degrees about x in 100 steps of 40 ms, with ten directions of friction.
LITHE_API LithePlanDef lithe_plan_def_default(void);

/// Copies the def; false when out of memory.
LITHE_API bool lithe_scene_set_plan(LitheScene *scene, const LithePlanDef *def);

#ifdef __cplusplus
}
#endif

#endif
