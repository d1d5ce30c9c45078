// SPDX-License-Identifier: Apache-2.0
// body/tree_newton.c - Newton's method for the steps of a tree
//
// Mass and gyroscopic forces depend on the unknown velocity, so there is no potential: the norm of
// the residual is the merit function. The dominant part of the derivative, symmetric and factored
// once, is sufficient for small rotations per step; where it converges slowly, the numerical
// derivative is used.

#include "body/tree.h"

#include "sparse/dense.h"

#include <string.h>

// --- dense unsymmetric solve ---------------------------------------------------------------------

// P A = L U in place with row exchanges; false when singular
static bool lu_factor(int32_t n, double *a, int32_t *order) {
    for (int32_t k = 0; k < n; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(a[(ptrdiff_t)n * i + k]) > fabs(a[(ptrdiff_t)n * best + k]))
                best = i;
        order[k] = best;
        for (int32_t j = 0; best != k && j < n; j++) {
            double swap = a[(ptrdiff_t)n * k + j];
            a[(ptrdiff_t)n * k + j] = a[(ptrdiff_t)n * best + j];
            a[(ptrdiff_t)n * best + j] = swap;
        }
        double pivot = a[(ptrdiff_t)n * k + k];
        if (!(fabs(pivot) > 0 && isfinite(pivot)))
            return false;
        for (int32_t i = k + 1; i < n; i++) {
            double *row = a + (ptrdiff_t)n * i;
            row[k] /= pivot;
            for (int32_t j = k + 1; j < n; j++)
                row[j] -= row[k] * a[(ptrdiff_t)n * k + j];
        }
    }
    return true;
}

static void lu_solve(int32_t n, const double *a, const int32_t *order, double *x) {
    for (int32_t k = 0; k < n; k++) {
        double swap = x[k];
        x[k] = x[order[k]];
        x[order[k]] = swap;
    }
    // x = L\x, then U\x
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            x[i] -= a[(ptrdiff_t)n * i + j] * x[j];
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < n; j++)
            x[i] -= a[(ptrdiff_t)n * i + j] * x[j];
        x[i] /= a[(ptrdiff_t)n * i + i];
    }
}

// --- Newton --------------------------------------------------------------------------------------

typedef struct Problem {
    const LitheRigidTree *tree;
    const LitheRigidStep *step;
    const double *q0, *v0;
    LitheRigidResidual *residual;
    LitheRigidStepWork *work;
} Problem;

static void evaluate(const Problem *p, const double *w, double *r) {
    p->residual(p->tree, p->step, p->q0, p->v0, w, p->work, r);
}

// the norm |x|_D with D = diagonal^-1/2 over free DoFs
static double norm_of(const Problem *p, const double *x) {
    double sum = 0;
    for (int32_t k = 0; k < p->tree->v_count; k++)
        sum += p->work->held[k] ? 0 : x[k] * x[k] / p->work->diagonal[k];
    return sqrt(sum);
}

// factors dr/dw from forward differences; work->r must be the residual at work->w
static bool factor_slope(const Problem *p) {
    LitheRigidStepWork *work = p->work;
    int32_t n = p->tree->v_count;
    memcpy(work->trial, work->w, (size_t)n * sizeof *work->trial);
    for (int32_t j = 0; j < n; j++) {
        // about the square root of the rounding error, which balances it with the curvature
        double e = 1e-8 * (1 + fabs(work->w[j]));
        work->trial[j] = work->w[j] + e;
        evaluate(p, work->trial, work->trial_r);
        work->trial[j] = work->w[j];
        for (int32_t i = 0; i < n; i++) {
            bool locked = work->held[i] || work->held[j];
            double value = (work->trial_r[i] - work->r[i]) / e;
            work->slope[(ptrdiff_t)n * i + j] = locked ? i == j : value;
        }
    }
    return lu_factor(n, work->slope, work->order);
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

// moves along dx by a length that reduces the residual; false when no length does
static bool search(const Problem *p, int max_cuts, double *size) {
    LitheRigidStepWork *work = p->work;
    double length = 1;
    for (int cut = 0; cut <= max_cuts; cut++, length *= 0.5) {
        for (int32_t k = 0; k < p->tree->v_count; k++)
            work->trial[k] = work->w[k] + length * work->dx[k];
        evaluate(p, work->trial, work->trial_r);
        double after = norm_of(p, work->trial_r);
        if (after <= (1 - 0.1 * length) * *size) {
            swap(&work->w, &work->trial);
            swap(&work->r, &work->trial_r);
            *size = after;
            return true;
        }
    }
    return false;
}

// an iteration with the dominant part must reduce the residual to this fraction, or the numerical
// derivative is used
#define SLOW 0.2
// max halvings of a direction
#define MAX_CUTS 20

void lithe_rigid_newton(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q0,
                        const double *v0, LitheRigidResidual *residual, double c,
                        LitheRigidStepWork *work, LitheRigidOutcome *outcome) {
    Problem p = {tree, step, q0, v0, residual, work};
    int32_t n = tree->v_count;
    evaluate(&p, work->w, work->r);
    double size = norm_of(&p, work->r), start = c * norm_of(&p, work->p0);
    for (bool sloped = false;;) {
        double scale = fmax(start, step->h * norm_of(&p, work->force));
        outcome->residual = scale > 0 ? size / scale : 0;
        outcome->converged = size <= step->tolerance * scale;
        if (outcome->converged || outcome->iterations >= step->max_iterations || !isfinite(size))
            return;
        outcome->iterations++;
        if (sloped && !factor_slope(&p))
            return;
        for (int32_t k = 0; k < n; k++)
            work->dx[k] = work->held[k] ? 0 : -work->r[k];
        if (sloped)
            lu_solve(n, work->slope, work->order, work->dx);
        else
            lithe_dense_solve(n, work->matrix, work->dx);
        outcome->slopes += sloped;
        double before = size;
        bool fell = search(&p, sloped ? MAX_CUTS : 0, &size);
        if (!fell && sloped)
            return;
        sloped = sloped || !fell || size > SLOW * before;
    }
}
