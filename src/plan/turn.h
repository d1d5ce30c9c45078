// SPDX-License-Identifier: Apache-2.0
// plan/turn.h - a plan that turns a ball: warm start by kinematics, then relaxations that tighten

#ifndef LITHE_PLAN_TURN_H
#define LITHE_PLAN_TURN_H

#include "plan/ball_task.h"
#include "plan/nlp.h"

/// Levels of the relaxation, at most: the kinematic problem, then products of at most epsilon; and
/// the last one again with a least normal force and with an exact end.
#define LITHE_TURN_LEVELS 13

/// What a level of the relaxation did.
typedef struct LitheTurnLevel {
    double epsilon;
    bool dynamic;
    bool pressed; // normal forces of stages that touch are at least `press`
    bool exact;   // the final orientation is a constraint
    LitheInteriorEnd end;
    LitheInteriorState state;
    double error_before, error; // 1 - (q.target)^2 of the last stage
    double seconds;
} LitheTurnLevel;

typedef struct LitheTurn {
    LitheBallTask model;
    int32_t stages;
    double
        touch[3]; // direction from the first disk to the ball at the start; zeros: `lengths` are it
    double lengths[LITHE_PLAN_CHAMBERS]; // at the start, or where the search for it begins
    double target[4];                    // quaternion (w, x, y, z)
    const double *guess; // [stages*variables] where the search begins; NULL: at rest
    double kinematic;    // epsilon of the kinematic level; 0: there is none
    double epsilon[LITHE_TURN_LEVELS - 3];
    int32_t levels;   // entries of epsilon, which fall; two: all between them, in one level
    bool full_effort; // efforts cost in full, not as differences from those that hold the start
    double press;     // least normal force of stages that touch [N]; 0: none
    LithePlanBounds bounds; // forces of a contact: normal, and along each direction of friction
    double seconds;         // at most, of all levels; infinite: no limit
    LitheInteriorSetting setting; // its barrier, warm start and time are chosen per level
    /// After each iteration, with the level as it is; false stops.
    bool (*report)(void *user, const LitheTurnLevel *level);
    void *user;
} LitheTurn;

/// About x, y or z (0, 1, 2) by 90 degrees in 4 s.
LitheTurn lithe_turn_about(int32_t axis, int32_t stages);

typedef struct LitheTurnResult {
    LitheTurnLevel levels[LITHE_TURN_LEVELS];
    int32_t level_count;                      // made
    double error;                             // 1 - (q.target)^2 at the end
    double products;                          // largest product of two complements
    double equations;                         // largest residual of the equations
    int32_t touching;                         // stages with a normal force above 1 mN
    int32_t together;                         // those of several disks at a time
    int32_t touching_of[LITHE_PLAN_CONTACTS]; // by disk
    // the largest violation: its row after the cost (lithe_ball_task_row) and stage
    double worst;
    int32_t worst_row, worst_stage;
    int64_t jacobian, hessian;         // entries, of all stages
    LitheEntered entered;              // by a disk that is not in the plan
    double start[LITHE_PLAN_CHAMBERS]; // elongations before the first stage [m]
} LitheTurnResult;

/// Whether the plan satisfies its constraints within 1e-6, and all its levels converged at the end.
bool lithe_turn_converged(const LitheTurnResult *result);

/// Plans; x [stages*variables] receives the plan. LITHE_BAD_INPUT where the start cannot be
/// reached.
LitheStatus lithe_turn_solve(LitheContext *context, const LitheTurn *turn, double *x,
                             LitheTurnResult *result, LitheError *error);

/// The same by IPOPT, where it is found. `check` (or NULL) receives how far the end is from a
/// solution, by the functions alone. LITHE_BAD_INPUT also without IPOPT and for an exact end.
LitheStatus lithe_turn_solve_ipopt(LitheContext *context, const LitheTurn *turn, double *x,
                                   LitheTurnResult *result, LitheNlpError *check,
                                   LitheError *error);

/// The same turn with twice as many steps, each half as long, and a first guess from a plan: `x` of
/// `turn`, `guess` [2*stages*variables] receives it and must live as long as the finer turn.
LitheTurn lithe_turn_refine(const LitheTurn *turn, const double *x, double *guess);

/// The problem of a turn, for other solvers: bounds, parameters, start.
typedef struct LitheTurnProblem {
    LitheContext *context;
    LitheTurn turn;
    LitheStageProblem problem;
    LitheTape *tape;
    double *lower, *upper, *parameter, *before;
    bool *elastic;                    // [inequalities]: products
    int32_t *solved_for;              // [equations]
    double hold[LITHE_PLAN_CHAMBERS]; // efforts at rest at the start
} LitheTurnProblem;

/// Finds the start, records a stage, and fills `x` with the first guess: rest.
LitheStatus lithe_turn_begin(LitheContext *context, const LitheTurn *turn, LitheTurnProblem *to,
                             double *x, LitheError *error);
void lithe_turn_end(LitheTurnProblem *problem);

/// Sets the parameters of a level.
void lithe_turn_relax(LitheTurnProblem *problem, double epsilon, bool dynamic);

/// Efforts that the motion in x takes, within their bounds; for problems with dynamics.
void lithe_turn_drive(LitheTurnProblem *problem, double *x);

/// Least normal force of the stages that touch in x.
void lithe_turn_press(LitheTurnProblem *problem, const double *x);

/// Makes the final orientation a constraint, where the model has it.
void lithe_turn_fix_end(LitheTurnProblem *problem);

/// Residuals and products of a plan, from its variables alone. LITHE_NO_MEMORY.
LitheStatus lithe_turn_measure(const LitheTurnProblem *problem, const double *x,
                               LitheTurnResult *result, LitheError *error);

/// The bounds of a variable of a stage.
void lithe_turn_bounds(const LitheTurn *turn, int32_t variable, double *lower, double *upper);

/// 1 - (q.target)^2 of the last stage.
double lithe_turn_error(const LitheTurn *turn, const double *x);

#endif
