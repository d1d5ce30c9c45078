// SPDX-License-Identifier: Apache-2.0
// plan/nlp.c - a problem with stages as one nonlinear problem

#include "plan/nlp.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/interior_parts.h"

#include <math.h>
#include <string.h>

static int32_t rows_of(const LitheNlp *nlp) {
    return nlp->problem.equations + nlp->problem.inequalities;
}

// Calls for each entry that is not of the given state before the first stage.
static int32_t list_jacobian(const LitheNlp *nlp, int32_t *row, int32_t *column) {
    LithePattern p = lithe_tape_jacobian_pattern(nlp->problem.tape);
    int32_t n = nlp->problem.variables, count = 0;
    for (int32_t k = 0; k < nlp->problem.stages; k++)
        for (int32_t i = 1; i < p.rows; i++)
            for (int32_t e = p.start[i]; e < p.start[i + 1]; e++) {
                if (k == 0 && p.column[e] < n)
                    continue;
                if (row != NULL) {
                    row[count] = k * rows_of(nlp) + i - 1;
                    column[count] = (k - 1) * n + p.column[e];
                }
                count++;
            }
    return count;
}

static int32_t list_hessian(const LitheNlp *nlp, int32_t *row, int32_t *column) {
    LithePattern p = lithe_tape_hessian_pattern(nlp->problem.tape);
    int32_t n = nlp->problem.variables, count = 0;
    for (int32_t k = 0; k < nlp->problem.stages; k++)
        for (int32_t i = k == 0 ? n : 0; i < p.rows; i++)
            for (int32_t e = p.start[i]; e < p.start[i + 1]; e++) {
                if (k == 0 && p.column[e] < n)
                    continue;
                if (row != NULL) {
                    row[count] = (k - 1) * n + i;
                    column[count] = (k - 1) * n + p.column[e];
                }
                count++;
            }
    return count;
}

LitheStatus lithe_nlp_begin(LitheContext *context, const LitheStageProblem *problem, LitheNlp *nlp,
                            LitheError *error) {
    *nlp = (LitheNlp){.context = context, .problem = *problem};
    LithePattern jacobian = lithe_tape_jacobian_pattern(problem->tape),
                 hessian = lithe_tape_hessian_pattern(problem->tape);
    nlp->variables = problem->stages * problem->variables;
    nlp->constraints = problem->stages * rows_of(nlp);
    nlp->jacobian_count = list_jacobian(nlp, NULL, NULL);
    nlp->hessian_count = list_hessian(nlp, NULL, NULL);
    int64_t most = jacobian.count > hessian.count ? jacobian.count : hessian.count;
    nlp->jacobian_row = lithe_alloc_array(context, nlp->jacobian_count, sizeof(int32_t));
    nlp->jacobian_column = lithe_alloc_array(context, nlp->jacobian_count, sizeof(int32_t));
    nlp->hessian_row = lithe_alloc_array(context, nlp->hessian_count, sizeof(int32_t));
    nlp->hessian_column = lithe_alloc_array(context, nlp->hessian_count, sizeof(int32_t));
    nlp->low = lithe_alloc_array(context, nlp->constraints, sizeof(double));
    nlp->high = lithe_alloc_array(context, nlp->constraints, sizeof(double));
    nlp->work = lithe_tape_work_new(context, problem->tape);
    nlp->scratch = lithe_alloc_array(
        context, 2 * (int64_t)problem->variables + 2 * (1 + rows_of(nlp)) + most, sizeof(double));
    if (nlp->jacobian_row == NULL || nlp->jacobian_column == NULL || nlp->hessian_row == NULL ||
        nlp->hessian_column == NULL || nlp->low == NULL || nlp->high == NULL || nlp->work == NULL ||
        nlp->scratch == NULL) {
        lithe_nlp_end(nlp);
        return lithe_fail_memory(error, "a nonlinear problem");
    }
    list_jacobian(nlp, nlp->jacobian_row, nlp->jacobian_column);
    list_hessian(nlp, nlp->hessian_row, nlp->hessian_column);
    for (int32_t i = 0; i < nlp->constraints; i++)
        nlp->high[i] = i % rows_of(nlp) < problem->equations ? 0 : INFINITY;
    return LITHE_OK;
}

void lithe_nlp_end(LitheNlp *nlp) {
    lithe_free(nlp->context, nlp->jacobian_row);
    lithe_free(nlp->context, nlp->jacobian_column);
    lithe_free(nlp->context, nlp->hessian_row);
    lithe_free(nlp->context, nlp->hessian_column);
    lithe_free(nlp->context, nlp->low);
    lithe_free(nlp->context, nlp->high);
    lithe_free(nlp->context, nlp->scratch);
    lithe_tape_work_free(nlp->work);
    *nlp = (LitheNlp){.context = nlp->context};
}

// --- functions -----------------------------------------------------------------------------------

// the outputs of stage k, in the scratch memory
static double *stage_values(LitheNlp *nlp, const double *x, int32_t k) {
    const LitheStageProblem *problem = &nlp->problem;
    int32_t n = problem->variables;
    double *pair = nlp->scratch, *y = pair + 2 * (ptrdiff_t)n;
    const double *own = x + (int64_t)k * n;
    memcpy(pair, k > 0 ? own - n : problem->before, (size_t)n * sizeof *pair);
    memcpy(pair + n, own, (size_t)n * sizeof *pair);
    lithe_tape_values(problem->tape, nlp->work, pair,
                      problem->parameter + (int64_t)k * problem->parameters, y);
    return y;
}

double lithe_nlp_values(LitheNlp *nlp, const double *x, double *g) {
    double cost = 0;
    int32_t rows = rows_of(nlp);
    for (int32_t k = 0; k < nlp->problem.stages; k++) {
        const double *y = stage_values(nlp, x, k);
        cost += y[0];
        if (g != NULL)
            memcpy(g + (int64_t)k * rows, y + 1, (size_t)rows * sizeof *g);
    }
    return cost;
}

// entries of a stage behind its outputs and weights
static double *stage_entries(LitheNlp *nlp) {
    return nlp->scratch + 2 * (ptrdiff_t)nlp->problem.variables + 2 * (1 + rows_of(nlp));
}

void lithe_nlp_gradient(LitheNlp *nlp, const double *x, double *gradient) {
    LithePattern p = lithe_tape_jacobian_pattern(nlp->problem.tape);
    int32_t n = nlp->problem.variables;
    double *entries = stage_entries(nlp);
    memset(gradient, 0, (size_t)nlp->variables * sizeof *gradient);
    for (int32_t k = 0; k < nlp->problem.stages; k++) {
        stage_values(nlp, x, k);
        lithe_tape_jacobian(nlp->problem.tape, nlp->work, entries);
        for (int32_t e = p.start[0]; e < p.start[1]; e++)
            if (k > 0 || p.column[e] >= n)
                gradient[(int64_t)(k - 1) * n + p.column[e]] += entries[e];
    }
}

void lithe_nlp_jacobian(LitheNlp *nlp, const double *x, double *values) {
    LithePattern p = lithe_tape_jacobian_pattern(nlp->problem.tape);
    int32_t n = nlp->problem.variables;
    double *entries = stage_entries(nlp);
    for (int32_t k = 0; k < nlp->problem.stages; k++) {
        stage_values(nlp, x, k);
        lithe_tape_jacobian(nlp->problem.tape, nlp->work, entries);
        for (int32_t e = p.start[1]; e < p.count; e++)
            if (k > 0 || p.column[e] >= n)
                *values++ = entries[e];
    }
}

void lithe_nlp_hessian(LitheNlp *nlp, const double *x, double factor, const double *multipliers,
                       double *values) {
    LithePattern p = lithe_tape_hessian_pattern(nlp->problem.tape);
    int32_t n = nlp->problem.variables, rows = rows_of(nlp);
    double *entries = stage_entries(nlp), *weights = entries - (1 + rows);
    for (int32_t k = 0; k < nlp->problem.stages; k++) {
        stage_values(nlp, x, k);
        weights[0] = factor;
        memcpy(weights + 1, multipliers + (int64_t)k * rows, (size_t)rows * sizeof *weights);
        lithe_tape_hessian(nlp->problem.tape, nlp->work, weights, entries);
        for (int32_t i = k == 0 ? n : 0; i < p.rows; i++)
            for (int32_t e = p.start[i]; e < p.start[i + 1]; e++)
                if (k > 0 || p.column[e] >= n)
                    *values++ = entries[e];
    }
}

void lithe_nlp_multipliers(const LitheNlp *nlp, const LitheInterior *interior,
                           LitheNlpMultipliers *to) {
    int32_t equations = nlp->problem.equations, inequalities = nlp->problem.inequalities;
    for (int32_t i = 0; i < nlp->constraints; i++) {
        int32_t k = i / rows_of(nlp), row = i % rows_of(nlp);
        to->constraints[i] = row < equations
                                 ? interior->now.y[(int64_t)k * equations + row]
                                 : -interior->now.z[(int64_t)k * inequalities + row - equations];
    }
    memcpy(to->lower, interior->now.lower, (size_t)nlp->variables * sizeof(double));
    memcpy(to->upper, interior->now.upper, (size_t)nlp->variables * sizeof(double));
}

void lithe_nlp_start_from(const LitheNlp *nlp, const LitheNlpMultipliers *from,
                          LitheInterior *interior) {
    int32_t equations = nlp->problem.equations;
    for (int32_t k = 0; k < nlp->problem.stages; k++)
        memcpy(interior->now.y + (int64_t)k * equations,
               from->constraints + (int64_t)k * rows_of(nlp), (size_t)equations * sizeof(double));
}

// --- checker -------------------------------------------------------------------------------------

LitheNlpError lithe_nlp_check(LitheNlp *nlp, const double *x, const LitheNlpMultipliers *by,
                              double *gradient, double *g, double *jacobian) {
    LitheNlpError error = {0};
    const LitheStageProblem *problem = &nlp->problem;
    lithe_nlp_values(nlp, x, g);
    lithe_nlp_gradient(nlp, x, gradient);
    lithe_nlp_jacobian(nlp, x, jacobian);
    for (int32_t e = 0; e < nlp->jacobian_count; e++)
        gradient[nlp->jacobian_column[e]] += by->constraints[nlp->jacobian_row[e]] * jacobian[e];
    for (int32_t i = 0; i < nlp->variables; i++) {
        error.stationary = fmax(error.stationary, fabs(gradient[i] - by->lower[i] + by->upper[i]));
        double below = problem->lower[i] - x[i], above = x[i] - problem->upper[i];
        error.violation = fmax(error.violation, fmax(below, above));
        if (problem->lower[i] > -INFINITY)
            error.products = fmax(error.products, fabs(by->lower[i] * below));
        if (problem->upper[i] < INFINITY)
            error.products = fmax(error.products, fabs(by->upper[i] * above));
        error.products = fmax(error.products, fmax(-by->lower[i], -by->upper[i]));
    }
    for (int32_t i = 0; i < nlp->constraints; i++) {
        bool equation = nlp->high[i] == 0;
        error.violation = fmax(error.violation, equation ? fabs(g[i]) : -g[i]);
        if (!equation) // g >= 0: its multiplier is not positive
            error.products =
                fmax(error.products, fmax(fabs(by->constraints[i] * g[i]), by->constraints[i]));
    }
    return error;
}
