// SPDX-License-Identifier: Apache-2.0
// plan/reduced.h - Newton's equations of a problem with stages, with equations solved for variables
//
// Equation e of a stage is solved for a variable of that stage, its own one; own variables of other
// equations may occur in it where these come before, in some order. The own variables of a stage
// are then p = T w + t, where w are its other variables u and the variables x_- of the stage before
// that it depends on. From the last stage to the first a block of u alone is factored; what is left
// is a matrix U of x_-, which is added to the stage before.
//
// The matrix has the right number of negative eigenvalues if and only if each block has as many as
// there are equations that are not solved: the factor ends at the first one that does not.

#ifndef LITHE_PLAN_REDUCED_H
#define LITHE_PLAN_REDUCED_H

#include "base/meter.h"
#include "plan/interior.h"

// entries of a row of the Jacobian, and where they act: own variables [pairs], other ones [rest],
// those of the stage before [links]
typedef struct LitheReducedRows {
    int32_t *start; // [rows + 1]
    int32_t *entry; // of the Jacobian of a stage
    int32_t *place;
} LitheReducedRows;

typedef struct LitheReduced {
    LitheContext *context;
    const struct LitheReducedKernels *kernels;
    int32_t stages, variables, equations, inequalities;
    int32_t pairs, rest, left, links; // left: equations that are not solved
    int32_t width, block;             // rest + links; rest + left
    int32_t jacobian, hessian;        // entries of a stage
    int32_t *variable;                // [pairs + rest]: in the order of places
    int32_t *equation;                // [pairs + left]: in the order in which they are solved
    int32_t *diagonal;                // [variables]: place in `second` of its diagonal entry
    int32_t *link;                    // [links]: place among own and other variables
    LitheReducedRows equations_by, inequalities_by;
    int32_t *second_to, *second_too; // [hessian]: places of an entry in `second`; too: -1: none
    int32_t *link_to, *link_too;     // [links*links]: of the lower triangle of U
    // of each stage
    double *own;      // [pairs*pairs]: second derivatives of own variables
    double *solved;   // [pairs*width]: T
    double *turned;   // [pairs*width]: second derivatives of own variables by w
    double *factor;   // [block*block]
    double *coupling; // [block*links]: scaled as the factor is
    double *scale;    // [block]
    int32_t *order;   // [block]
    int8_t *pivot;    // [block]
    double *fixed;    // [pairs]: t
    double *force;    // [pairs]
    double *middle;   // [block]
    // of one stage
    double *second; // own by own, own by w, w by w (lower triangle)
    double *reduced, *unsolved, *unit, *divided, *column, *cost, *gradient; // scratch
    LitheMeter *meter;                                                      // or NULL
} LitheReduced;

/// What the matrix consists of.
typedef struct LitheReducedInput {
    const double *jacobian; // [stages*entries]: cost, equations, inequalities
    const double *hessian;  // [stages*entries]; NULL: zero
    const double *weight;   // [stages*inequalities]: of their squares
    const double *diagonal; // [stages*variables]: added
    double soft;            // taken from the diagonal of equations that are not solved
} LitheReducedInput;

/// The order of a problem, without the arrays of its stages. False when out of memory (release it
/// nevertheless). `pairs` is 0 where the equations cannot be solved in any order.
bool lithe_reduced_begin(LitheReduced *reduced, LitheContext *context,
                         const LitheStageProblem *problem, int32_t links, const int32_t *link_of);
void lithe_reduced_end(LitheReduced *reduced);

/// The arrays of the stages: their bytes, and their memory; false when out of memory.
double lithe_reduced_bytes(const LitheReduced *reduced);
bool lithe_reduced_open(LitheReduced *reduced);

/// Whether the matrix has as many negative eigenvalues as there are equations.
typedef enum LitheReducedEnd {
    LITHE_REDUCED_RIGHT,
    LITHE_REDUCED_WRONG,
    LITHE_REDUCED_SINGULAR,
    LITHE_REDUCED_UNSOLVED, // an equation does not depend on its own variable
} LitheReducedEnd;
LitheReducedEnd lithe_reduced_factor(LitheReduced *reduced, const LitheReducedInput *input);

/// x = K^-1 x, [stages*(variables + equations)], with the Jacobian of the factor.
void lithe_reduced_solve(LitheReduced *reduced, const double *jacobian, double *x);

typedef struct LitheReducedKernels {
    LitheReducedEnd (*factor)(LitheReduced *reduced, const LitheReducedInput *input);
    void (*solve)(LitheReduced *reduced, const double *jacobian, double *x);
} LitheReducedKernels;

extern const LitheReducedKernels lithe_reduced_kernels_portable;
#if defined(__x86_64__)
extern const LitheReducedKernels lithe_reduced_kernels_avx2;
#endif

#endif
