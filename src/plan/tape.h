// SPDX-License-Identifier: Apache-2.0
// plan/tape.h - a function recorded once as a list of operations, with exact sparse derivatives
//
// A tape holds y = f(x, p) with inputs x, parameters p that are not differentiated, and outputs y.
// It has no branches, so one record serves every point, and several points are evaluated at once.
// lithe_tape_end joins products and sums, and finds the patterns of the Jacobian and of the Hessian
// of w'f and the sweeps that give them: one per row of the Jacobian and one per direction of the
// Hessian, each over the operations that matter to it.

#ifndef LITHE_PLAN_TAPE_H
#define LITHE_PLAN_TAPE_H

#include "lithe/base.h"

typedef struct LitheTape LitheTape;

/// An operation of a tape, by number. After a failure of memory all are 0; lithe_tape_end reports
/// it.
typedef int32_t LitheTerm;

/// Functions of one term. ENTIRE_m(s) is the sum over k of (-s)^k/(2k + m)!: with s = a^2,
/// ENTIRE_1 = sin(a)/a, ENTIRE_2 = (1 - cos(a))/a^2, ENTIRE_3 = (1 - ENTIRE_1)/s, to 2e-15 for s
/// <= 40.
typedef enum LitheTapeFunction {
    LITHE_TAPE_RECIPROCAL,
    LITHE_TAPE_ROOT,
    LITHE_TAPE_SINE,
    LITHE_TAPE_COSINE,
    LITHE_TAPE_ENTIRE_1,
    LITHE_TAPE_ENTIRE_2,
    LITHE_TAPE_ENTIRE_3,
    LITHE_TAPE_ENTIRE_4,
    LITHE_TAPE_FUNCTIONS // their number
} LitheTapeFunction;

/// NULL when out of memory.
LitheTape *lithe_tape_new(LitheContext *context, int32_t inputs, int32_t parameters);
void lithe_tape_free(LitheTape *tape);

LitheTerm lithe_tape_input(LitheTape *tape, int32_t i);
LitheTerm lithe_tape_parameter(LitheTape *tape, int32_t i);
LitheTerm lithe_tape_constant(LitheTape *tape, double value);
LitheTerm lithe_tape_add(LitheTape *tape, LitheTerm a, LitheTerm b);
LitheTerm lithe_tape_subtract(LitheTape *tape, LitheTerm a, LitheTerm b);
LitheTerm lithe_tape_multiply(LitheTape *tape, LitheTerm a, LitheTerm b);
LitheTerm lithe_tape_scale(LitheTape *tape, double factor, LitheTerm a);
LitheTerm lithe_tape_apply(LitheTape *tape, LitheTapeFunction function, LitheTerm a);

/// Makes `a` the next output.
void lithe_tape_output(LitheTape *tape, LitheTerm a);

/// Ends the record and finds patterns and sweeps.
LitheStatus lithe_tape_end(LitheTape *tape, LitheError *error);

/// The same; returns the tape, or frees it and returns NULL when out of memory.
LitheTape *lithe_tape_finish(LitheTape *tape);

/// A sparse pattern by rows; columns rise in a row.
typedef struct LithePattern {
    int32_t rows, count;
    const int32_t *start;  // [rows + 1]
    const int32_t *column; // [count]
} LithePattern;

/// Of the outputs by the inputs.
LithePattern lithe_tape_jacobian_pattern(const LitheTape *tape);

/// Of the inputs by the inputs, the lower triangle.
LithePattern lithe_tape_hessian_pattern(const LitheTape *tape);

/// Operations and inputs of the joined record, and the directions of a Hessian.
void lithe_tape_size(const LitheTape *tape, int32_t *terms, int32_t *directions);

/// Memory of evaluations; one for each thread. NULL when out of memory.
typedef struct LitheTapeWork LitheTapeWork;
LitheTapeWork *lithe_tape_work_new(LitheContext *context, const LitheTape *tape);
void lithe_tape_work_free(LitheTapeWork *work);

/// Points that are evaluated at once, at most.
#define LITHE_TAPE_POINTS 8

/// The outputs at 1 to LITHE_TAPE_POINTS points; later calls for derivatives use these points.
/// `p` and its elements are not read where the tape has no parameters.
void lithe_tape_values_at(const LitheTape *tape, LitheTapeWork *work, int32_t points,
                          const double *const *x, const double *const *p, double *const *y);

/// The entries of the Jacobian at each point, in the order of its pattern.
void lithe_tape_jacobian_at(const LitheTape *tape, LitheTapeWork *work, double *const *entries);

/// The entries of the Hessian of sum weights[k][i] y[k][i] at each point k, in the order of its
/// pattern.
void lithe_tape_hessian_at(const LitheTape *tape, LitheTapeWork *work, const double *const *weights,
                           double *const *entries);

/// The same at one point.
void lithe_tape_values(const LitheTape *tape, LitheTapeWork *work, const double *x, const double *p,
                       double *y);
void lithe_tape_jacobian(const LitheTape *tape, LitheTapeWork *work, double *entries);
void lithe_tape_hessian(const LitheTape *tape, LitheTapeWork *work, const double *weights,
                        double *entries);

/// Ends the record of a tape without parameters, evaluates it once and frees it. False: no memory.
bool lithe_tape_evaluate(LitheContext *context, LitheTape *tape, const double *x, double *y);

#endif
