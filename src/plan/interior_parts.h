// SPDX-License-Identifier: Apache-2.0
// plan/interior_parts.h - what the files of the interior-point method share

#ifndef LITHE_PLAN_INTERIOR_PARTS_H
#define LITHE_PLAN_INTERIOR_PARTS_H

#include "plan/interior.h"
#include "plan/reduced.h"
#include "plan/stage_factor.h"

// a point: variables, slacks of inequalities, multipliers
typedef struct LithePoint {
    double *x;             // [stages*variables]
    double *s, *z;         // [stages*inequalities]: slack and multiplier of g
    double *t;             // [stages*inequalities]: violation of elastic rows, g + t = s; else 0
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
    LitheReduced reduced;                // 0 pairs: not used
    bool is_reduced;                     // the last factor
    double *right, *solution, *residual; // [stages*(variables + equations)]
    double *scale;                       // the same: of rows and columns of the matrix
    double *diagonal;                    // [n]: what the last reduced factor added
    bool curved;                         // the last reduced factor had second derivatives
    LithePoint now, step, second, trial; // `second`: of the second-order correction
    LitheStageValues at, tried;
    double *price;                     // [q]: of the violation of elastic rows; 0: not elastic
    double *weight;                    // [q]
    double *corrected_c, *corrected_g; // [m], [q]
    double *best;                      // [n]
    double *memory;                    // of all arrays of numbers
    LitheMeter meter;                  // of a solve: given up where it ends before its time
    volatile sig_atomic_t stop;
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

/// interior->step for a barrier parameter, from the factor and the `weight` of the inequalities;
/// `c` and `g` + t - s are the residuals to remove.
void lithe_interior_direction(LitheInterior *interior, double barrier, const double *weight,
                              const double *c, const double *g);

/// Assembles and factors, with hard equations where it can be reduced. The number of negative
/// eigenvalues, as lithe_stage_factor; -1: singular. `weight` must stay until the last solution.
int32_t lithe_interior_factor(LitheInterior *interior, bool hessian, const double *weight,
                              double regular, double soft);

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

/// Slack, violation and multiplier of an elastic row on the central path.
void lithe_elastic_centre(LitheInterior *interior, double barrier, int64_t i);

/// interior->weight for the point there is.
void lithe_interior_weights(LitheInterior *interior);

/// Makes g + t = s again for elastic rows, by the one that has to grow.
void lithe_interior_stretch(LitheInterior *interior, const LitheStageValues *values,
                            LithePoint *point);

/// The prices at the start.
void lithe_interior_prices(LitheInterior *interior);

/// Raises the prices of elastic rows whose multipliers are near them or that are violated by more
/// than `violation`; whether there were any.
bool lithe_interior_dearer(LitheInterior *interior, double barrier, double violation);

/// Whether an elastic row is violated by more than `violation` at the highest price.
bool lithe_interior_priceless(const LitheInterior *interior, double violation);

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
    LitheInteriorEnd end; // of a restoration that was stopped
} LitheSearch;

/// Whether `report` or the limit of time ends the solve; search->end says which.
bool lithe_search_ends(LitheSearch *search);

double lithe_interior_largest(int64_t count, const double *a);
double lithe_interior_violation(const LitheInterior *interior, const LitheStageValues *values,
                                const LithePoint *point);
double lithe_interior_worst(const LitheInterior *interior, const LitheStageValues *values);
double lithe_interior_barrier(const LitheInterior *interior, const LithePoint *point,
                              double barrier);
void lithe_interior_centre(LitheInterior *interior, double barrier, bool slacks);
void lithe_interior_estimate(LitheInterior *interior);
double lithe_search_longest(const LitheSearch *search, const LithePoint *step);
double lithe_search_longest_dual(const LitheSearch *search);
bool lithe_filter_accepts(const LitheSearch *search, double violation, double cost);
void lithe_filter_add(LitheSearch *search, double violation, double cost);
bool lithe_search_try(LitheSearch *search, const LithePoint *step, double length, double *violation,
                      double *cost);
void lithe_search_take(LitheSearch *search);
bool lithe_search_line(LitheSearch *search);
void lithe_search_multipliers(LitheSearch *search, double primal, double dual);
bool lithe_search_restore(LitheSearch *search);

#endif
