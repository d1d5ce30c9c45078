// SPDX-License-Identifier: Apache-2.0
// plan/hand.h - a plan of two fingers that turn a box

#ifndef LITHE_PLAN_HAND_H
#define LITHE_PLAN_HAND_H

#include "plan/hand_task.h"

/// Bounds of the variables of all stages.
typedef struct LitheHandBounds {
    double lower[LITHE_HAND_JOINTS], upper[LITHE_HAND_JOINTS]; // of angles [rad]
    double effort[LITHE_HAND_JOINTS];                          // [N m]
    double speed;                                              // of joints [rad/s]
    double force;            // of contacts, normal and along each direction of friction [N]
    double velocity;         // of the box [m/s]
    double angular_velocity; // of the box [rad/s]
} LitheHandBounds;

typedef struct LitheHand {
    LitheHandTask task;
    int32_t stages;
    double angles[LITHE_HAND_JOINTS]; // at the start
    double box[3], target[3];         // x, z and angle of the box at the start and at the end
    double epsilon[2];                // the relaxation falls from the first to the second
    LitheHandBounds bounds;
    double seconds; // at most; infinite: no limit
    LitheInteriorSetting setting;
    /// After each iteration; false stops.
    bool (*report)(void *user, bool dynamic, const LitheInteriorState *state);
    void *user;
} LitheHand;

/// A box of 10 cm is turned over its lower edge on the right, by 90 degrees in 2 s.
LitheHand lithe_hand_turn(int32_t stages);

typedef struct LitheHandResult {
    LitheInteriorEnd end;
    LitheInteriorState kinematic, state; // of both levels
    double seconds;
    double place, angle; // distance of the box from its target at the end [m], [rad]
    double turn;         // largest turn of the box in one step [rad]
    double products;     // largest product of two complements
    double equations;    // largest residual of the equations
    int32_t touching[LITHE_HAND_CONTACTS]; // stages with a normal force above 1 mN
    // the largest violation: its row after the cost (lithe_hand_row) and stage
    double worst;
    int32_t worst_row, worst_stage;
} LitheHandResult;

/// What an equation, or an inequality after the equations, says: "gap of the left tip". `buffer`
/// may receive it.
const char *lithe_hand_row(const LitheHandTask *task, int32_t row, char *buffer, size_t size);

/// The problem of a hand, for other solvers: bounds, parameters, start.
typedef struct LitheHandProblem {
    LitheContext *context;
    const LitheHand *hand; // must outlive this
    LitheStageProblem stages;
    LitheTape *tape;
    double *lower, *upper, *parameter, *before;
    double *pair, *y; // inputs and outputs of a stage
    double hold[LITHE_HAND_JOINTS];
    bool *elastic; // inequalities of a stage: products
} LitheHandProblem;

/// Records a stage, fills `x` [stages*lithe_hand_variables] with the first guess and checks the
/// start. LITHE_BAD_INPUT for one that overlaps or is out of bounds.
LitheStatus lithe_hand_begin(LitheContext *context, const LitheHand *hand, LitheHandProblem *to,
                             double *x, LitheError *error);
void lithe_hand_end(LitheHandProblem *problem);

/// Sets the parameters of a level.
void lithe_hand_relax(LitheHandProblem *problem, double epsilon, bool dynamic);

/// Plans; x [stages*lithe_hand_variables] receives the plan. LITHE_BAD_INPUT for a start that
/// overlaps or is out of bounds.
LitheStatus lithe_hand_solve(LitheContext *context, const LitheHand *hand, double *x,
                             LitheHandResult *result, LitheError *error);

#endif
