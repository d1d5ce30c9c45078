// SPDX-License-Identifier: Apache-2.0
// plan/nlp.h - a problem with stages as one nonlinear problem, for other solvers and checkers
//
//     min f(x)    low <= g(x) <= high,    lower <= x <= upper
//
// The constraints of a stage follow each other: its equations, then its inequalities. Entries of
// the Jacobian and of the lower triangle of the Hessian are given by row and column; entries of the
// Hessian may have the same place, where they add.

#ifndef LITHE_PLAN_NLP_H
#define LITHE_PLAN_NLP_H

#include "plan/interior.h"

typedef struct LitheNlp {
    LitheContext *context;
    LitheStageProblem problem; // what it points to must outlive this
    int32_t variables, constraints, jacobian_count, hessian_count;
    int32_t *jacobian_row, *jacobian_column; // [jacobian_count]
    int32_t *hessian_row, *hessian_column;   // [hessian_count]
    double *low, *high;                      // [constraints]
    LitheTapeWork *work;
    double *scratch;
    int64_t entries; // of a stage, at most
} LitheNlp;

LitheStatus lithe_nlp_begin(LitheContext *context, const LitheStageProblem *problem, LitheNlp *nlp,
                            LitheError *error);
void lithe_nlp_end(LitheNlp *nlp);

/// Cost and constraints; `g` may be NULL.
double lithe_nlp_values(LitheNlp *nlp, const double *x, double *g);
/// Gradient and entries of the Jacobian at once; either may be NULL.
void lithe_nlp_slopes(LitheNlp *nlp, const double *x, double *gradient, double *jacobian);
void lithe_nlp_gradient(LitheNlp *nlp, const double *x, double *gradient);
void lithe_nlp_jacobian(LitheNlp *nlp, const double *x, double *values);
/// Of factor*f + multipliers'g.
void lithe_nlp_hessian(LitheNlp *nlp, const double *x, double factor, const double *multipliers,
                       double *values);

/// Multipliers of a point: of the constraints, such that the gradient of f + multipliers'g - lower
/// + upper is 0, and of the bounds, >= 0.
typedef struct LitheNlpMultipliers {
    double *constraints;   // [constraints]
    double *lower, *upper; // [variables]
} LitheNlpMultipliers;

/// Those of the last solve.
void lithe_nlp_multipliers(const LitheNlp *nlp, const LitheInterior *interior,
                           LitheNlpMultipliers *to);

/// Gives those of the equations to a solve with a warm start.
void lithe_nlp_start_from(const LitheNlp *nlp, const LitheNlpMultipliers *from,
                          LitheInterior *interior);

/// How far a point is from being a solution.
typedef struct LitheNlpError {
    double stationary; // largest residual of the gradient of the Lagrangian
    double violation;  // of constraints and bounds
    double products;   // largest product of a multiplier and its slack, or of a wrong sign
} LitheNlpError;

/// Checks a point by the functions alone.
LitheNlpError lithe_nlp_check(LitheNlp *nlp, const double *x, const LitheNlpMultipliers *by,
                              double *gradient, double *g, double *jacobian);

#endif
