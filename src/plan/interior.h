// SPDX-License-Identifier: Apache-2.0
// plan/interior.h - interior-point method for nonlinear problems with stages
//
//     min  sum_k f(x_{k-1}, x_k, p_k)    c(x_{k-1}, x_k, p_k) = 0,   g(x_{k-1}, x_k, p_k) >= 0,
//                                        lower_k <= x_k <= upper_k,   x_{-1} given
//
// One tape serves all stages: its inputs are x_{k-1} and x_k, its outputs f, c and g. Newton's
// equations are block-tridiagonal; their cost grows linearly with the number of stages.

#ifndef LITHE_PLAN_INTERIOR_H
#define LITHE_PLAN_INTERIOR_H

#include "plan/tape.h"

typedef struct LitheStageProblem {
    int32_t stages, variables, equations, inequalities, parameters;
    const LitheTape *tape;       // ended; 2*variables inputs, 1 + equations + inequalities outputs
    const double *parameter;     // [stages*parameters]
    const double *lower, *upper; // [stages*variables]; infinite: no bound
    const double *before;        // [variables]: x_{-1}
    // [inequalities]: rows that may be violated at a price while the barrier parameter falls, such
    // as products of complements; they hold at the end. NULL: none
    const bool *elastic;
    // [equations]: the variable of its own stage that an equation is solved for in Newton's
    // equations, -1: none; its coefficient must never be zero. NULL: none
    const int32_t *solved_for;
    bool (*ends)(void *user); // whether to end while memory is taken; or NULL
    void *ends_user;
} LitheStageProblem;

typedef enum LitheInteriorEnd {
    LITHE_INTERIOR_CONVERGED,
    LITHE_INTERIOR_ITERATIONS, // the limit of iterations
    LITHE_INTERIOR_TIME,       // the limit of time
    LITHE_INTERIOR_INFEASIBLE, // no smaller violation near by
    LITHE_INTERIOR_STALLED,    // no step reduces violation or cost
    LITHE_INTERIOR_STOPPED,    // by `report`
    LITHE_INTERIOR_NOT_FINITE, // values or derivatives at the start
} LitheInteriorEnd;

/// What an iteration has reached.
typedef struct LitheInteriorState {
    int32_t iteration, factors;
    double cost, violation; // violation: largest of |c|, -g
    double dual, products;  // largest residual of stationarity; of complementarity
    double barrier, regular, step;
} LitheInteriorState;

typedef struct LitheInteriorSetting {
    double tolerance;   // of stationarity and complementarity
    double violation;   // of the constraints
    double barrier;     // at the start
    int32_t iterations; // at most
    double seconds;     // at most; infinite: no limit
    bool warm;          // the multipliers of the equations are those of the last solve
    bool (*report)(void *user,
                   const LitheInteriorState *state); // after each iteration; false stops
    void *user;
    /// Changes parameters of the problem when the barrier parameter falls, so that a relaxation
    /// ends with it; NULL: none. They must have their last values below `tolerance`.
    void (*relax)(void *relaxed, double barrier);
    void *relaxed;
} LitheInteriorSetting;

/// 1e-6, violation 1e-8, barrier 0.1, 500 iterations, no limit of time.
LitheInteriorSetting lithe_interior_setting(void);

typedef struct LitheInterior LitheInterior;

/// Memory for a problem, which must outlive it. LITHE_BAD_INPUT for bounds without room between.
LitheStatus lithe_interior_create(LitheContext *context, const LitheStageProblem *problem,
                                  LitheInterior **interior, LitheError *error);
void lithe_interior_destroy(LitheInterior *interior);

/// Solves from x [stages*variables], which receives the solution or, where it did not converge, the
/// point with the least violation.
LitheInteriorEnd lithe_interior_solve(LitheInterior *interior, const LitheInteriorSetting *setting,
                                      double *x, LitheInteriorState *state);

/// The words for an end: "converged".
const char *lithe_interior_end_text(LitheInteriorEnd end);

#endif
