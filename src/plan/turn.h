// SPDX-License-Identifier: Apache-2.0
// plan/turn.h - a plan that turns a ball: warm start by kinematics, then relaxations that tighten

#ifndef LITHE_PLAN_TURN_H
#define LITHE_PLAN_TURN_H

#include "plan/ball_task.h"

/// Levels of the relaxation: the kinematic problem, then products of at most epsilon.
#define LITHE_TURN_LEVELS 4

typedef struct LitheTurn {
    LitheBallTask model;
    int32_t stages;
    double touch[3];              // direction from the disk to the ball at the start
    double target[4];             // quaternion (w, x, y, z)
    LitheInteriorSetting setting; // its barrier and warm start are chosen per level
} LitheTurn;

/// About x, y or z (0, 1, 2) by 90 degrees in 4 s.
LitheTurn lithe_turn_about(int32_t axis, int32_t stages);

/// What a level of the relaxation did.
typedef struct LitheTurnLevel {
    double epsilon;
    bool dynamic;
    LitheInteriorEnd end;
    LitheInteriorState state;
    double error; // 1 - (q.target)^2 of the last stage
    double seconds;
} LitheTurnLevel;

typedef struct LitheTurnResult {
    LitheTurnLevel levels[LITHE_TURN_LEVELS];
    double error;     // 1 - (q.target)^2 at the end
    double products;  // largest product of two complements
    double equations; // largest residual of the equations
    int32_t touching; // stages with a normal force above 1 mN
} LitheTurnResult;

/// Plans; x [stages*variables] receives the plan. LITHE_BAD_INPUT where the start cannot be
/// reached.
LitheStatus lithe_turn_solve(LitheContext *context, const LitheTurn *turn, double *x,
                             LitheTurnResult *result, LitheError *error);

#endif
