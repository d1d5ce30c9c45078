// SPDX-License-Identifier: Apache-2.0
// plan/interior_parts.h - what the files of the interior-point method share

#ifndef LITHE_PLAN_INTERIOR_PARTS_H
#define LITHE_PLAN_INTERIOR_PARTS_H

#include "plan/interior.h"
#include "plan/stage_factor.h"

// a point: variables, slacks of inequalities, multipliers
typedef struct LithePoint {
    double *x;             // [stages*variables]
    double *s, *z;         // [stages*inequalities]: slack and multiplier of g
    double *y;             // [stages*equations]
    double *lower, *upper; // [stages*variables]: multipliers of bounds, 0 where there is none
} LithePoint;

// values of the functions at a point
typedef struct LitheStageValues {
    double cost;
    double *c; // [stages*equations]
    double *g; // [stages*inequalities]
} LitheStageValues;

struct LitheInterior {
    LitheContext *context;
    LitheStageProblem problem;
    LitheTapeWork *tape;
    int64_t n, m, q; // all variables, equations, inequalities
    LithePattern rows, lower;
    double *jacobian, *hessian; // [stages*entries]
    double *gradient;           // [n]: of the cost
    double *stationary;         // [n]: of the Lagrangian
    double *output;             // [LITHE_TAPE_POINTS*outputs]
    double *pair;               // [2*variables]: x_{-1}, x_0
    int32_t *link_of;           // [variables]: place among the links, -1: none
    LitheStageMatrix matrix;
    double *right, *solution, *residual; // [stages*(variables + equations)]
    LithePoint now, step, second, trial; // `second`: of the second-order correction
    LitheStageValues at, tried;
    double *weight;                    // [q]
    double *corrected_c, *corrected_g; // [m], [q]
    double *best;                      // [n]
    double *memory;                    // of all arrays of numbers
};

/// The functions at x. False when one is not finite.
bool lithe_interior_values(LitheInterior *interior, const double *x, LitheStageValues *values);

/// Gradient, Jacobians and, with `second`, the Hessian of the Lagrangian at interior->now, whose
/// values are in interior->at; then the residual of stationarity.
void lithe_interior_derivatives(LitheInterior *interior, bool second);

/// Residual of stationarity with the derivatives there are.
void lithe_interior_stationary(LitheInterior *interior);

/// Newton's matrix: `weight` [q] of the squares of inequalities, `regular` on the diagonal of the
/// variables, `soft` taken from that of the equations; `hessian`: with second derivatives.
void lithe_interior_assemble(LitheInterior *interior, bool hessian, const double *weight,
                             double regular, double soft);

/// interior->step for a barrier parameter, from the factor and the `weight` z/s; `c` and `g` - s
/// are the residuals to remove.
void lithe_interior_direction(LitheInterior *interior, double barrier, const double *weight,
                              const double *c, const double *g);

/// interior->solution from interior->right by the factor, with one refinement.
void lithe_interior_refined(LitheInterior *interior);

/// J' v for the rows of equations and inequalities, added to [n].
void lithe_interior_add_transposed(const LitheInterior *interior, double factor,
                                   const double *equations, const double *inequalities, double *to);

/// The least slack of an inequality at a start: far below the barrier parameter, since inequalities
/// may have no more room than that.
static inline double lithe_slack_floor(double barrier) {
    return barrier < 0.1 ? 0.1 * barrier : 0.01;
}

// the state of a solve
#define LITHE_FILTER_MAX 400

typedef struct LitheSearch {
    LitheInterior *interior;
    const LitheInteriorSetting *setting;
    LitheInteriorState *state;
    double barrier, floor; // barrier parameter now, and its last value
    double regular;        // that made the last corrected matrix right
    int tries;             // factors of the last matrix
    double soft;           // taken from the diagonal of the equations
    double violation_max, violation_min;
    double filter[LITHE_FILTER_MAX][2]; // violation and barrier cost
    int filter_count;
    double best_violation, best_cost;
    double began;
} LitheSearch;

double lithe_interior_largest(int64_t count, const double *a);
double lithe_interior_violation(const LitheInterior *interior, const LitheStageValues *values,
                                const double *s);
double lithe_interior_worst(const LitheInterior *interior, const LitheStageValues *values);
double lithe_interior_barrier(const LitheInterior *interior, const double *x, const double *s);
void lithe_interior_centre(LitheInterior *interior, double barrier, bool slacks);
void lithe_interior_estimate(LitheInterior *interior);
double lithe_search_longest(const LitheSearch *search, const LithePoint *step);
double lithe_search_longest_dual(const LitheSearch *search);
bool lithe_filter_accepts(const LitheSearch *search, double violation, double cost);
void lithe_filter_add(LitheSearch *search, double violation, double cost);
bool lithe_search_try(LitheSearch *search, const double *dx, const double *ds, double length,
                      double *violation, double *cost);
bool lithe_search_line(LitheSearch *search);
void lithe_search_multipliers(LitheSearch *search, double primal, double dual);
bool lithe_search_restore(LitheSearch *search);

#endif
