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

// numbers of the scratch memory: the pair of the first stage, then those of all points
static int64_t scratch_size(const LitheNlp *nlp, int64_t entries) {
    return 2 * (int64_t)nlp->problem.variables +
           LITHE_TAPE_POINTS * (2 * (1 + (int64_t)rows_of(nlp)) + entries);
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
    nlp->entries = most;
    nlp->scratch = lithe_alloc_array(context, scratch_size(nlp, most), sizeof(double));
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

// Stages that are evaluated at once; all their memory is the scratch memory.
typedef struct Batch {
    int32_t first, count;
    const double *pairs[LITHE_TAPE_POINTS], *parameters[LITHE_TAPE_POINTS];
    double *outputs[LITHE_TAPE_POINTS], *weights[LITHE_TAPE_POINTS], *entries[LITHE_TAPE_POINTS];
} Batch;

// the next stages and their outputs; false after the last one. A batch begins as zeros.
static bool next_batch(LitheNlp *nlp, const double *x, Batch *b) {
    const LitheStageProblem *problem = &nlp->problem;
    int32_t n = problem->variables, left;
    b->first += b->count;
    left = problem->stages - b->first;
    b->count = left < LITHE_TAPE_POINTS ? left : LITHE_TAPE_POINTS;
    if (left <= 0)
        return false;
    int64_t outputs = 1 + (int64_t)rows_of(nlp);
    double *at = nlp->scratch + 2 * (int64_t)n;
    for (int32_t i = 0; i < b->count; i++) {
        int64_t k = b->first + i;
        b->pairs[i] = x + (k - 1) * n; // x_{k-1} and x_k stand side by side
        b->parameters[i] = problem->parameter + k * problem->parameters;
        b->outputs[i] = at + i * outputs;
        b->weights[i] = at + (LITHE_TAPE_POINTS + i) * outputs;
        b->entries[i] = at + 2 * LITHE_TAPE_POINTS * outputs + i * nlp->entries;
    }
    if (b->first == 0) {
        memcpy(nlp->scratch, problem->before, (size_t)n * sizeof *x);
        memcpy(nlp->scratch + n, x, (size_t)n * sizeof *x);
        b->pairs[0] = nlp->scratch;
    }
    lithe_tape_values_at(problem->tape, nlp->work, b->count, b->pairs, b->parameters, b->outputs);
    return true;
}

double lithe_nlp_values(LitheNlp *nlp, const double *x, double *g) {
    double cost = 0;
    int32_t rows = rows_of(nlp);
    Batch b = {0};
    while (next_batch(nlp, x, &b))
        for (int32_t i = 0; i < b.count; i++) {
            cost += b.outputs[i][0];
            if (g != NULL)
                memcpy(g + (int64_t)(b.first + i) * rows, b.outputs[i] + 1,
                       (size_t)rows * sizeof *g);
        }
    return cost;
}

void lithe_nlp_slopes(LitheNlp *nlp, const double *x, double *gradient, double *jacobian) {
    LithePattern p = lithe_tape_jacobian_pattern(nlp->problem.tape);
    int32_t n = nlp->problem.variables;
    Batch b = {0};
    if (gradient != NULL)
        memset(gradient, 0, (size_t)nlp->variables * sizeof *gradient);
    while (next_batch(nlp, x, &b)) {
        lithe_tape_jacobian_at(nlp->problem.tape, nlp->work, b.entries);
        for (int32_t i = 0; i < b.count; i++) {
            const double *entries = b.entries[i];
            int32_t k = b.first + i;
            for (int32_t e = p.start[0]; e < p.start[1] && gradient != NULL; e++)
                if (k > 0 || p.column[e] >= n)
                    gradient[(int64_t)(k - 1) * n + p.column[e]] += entries[e];
            for (int32_t e = p.start[1]; e < p.count && jacobian != NULL; e++)
                if (k > 0 || p.column[e] >= n)
                    *jacobian++ = entries[e];
        }
    }
}

void lithe_nlp_gradient(LitheNlp *nlp, const double *x, double *gradient) {
    lithe_nlp_slopes(nlp, x, gradient, NULL);
}

void lithe_nlp_jacobian(LitheNlp *nlp, const double *x, double *values) {
    lithe_nlp_slopes(nlp, x, NULL, values);
}

void lithe_nlp_hessian(LitheNlp *nlp, const double *x, double factor, const double *multipliers,
                       double *values) {
    LithePattern p = lithe_tape_hessian_pattern(nlp->problem.tape);
    int32_t n = nlp->problem.variables, rows = rows_of(nlp);
    Batch b = {0};
    while (next_batch(nlp, x, &b)) {
        const double *weights[LITHE_TAPE_POINTS];
        for (int32_t i = 0; i < b.count; i++) {
            b.weights[i][0] = factor;
            memcpy(b.weights[i] + 1, multipliers + (int64_t)(b.first + i) * rows,
                   (size_t)rows * sizeof(double));
            weights[i] = b.weights[i];
        }
        lithe_tape_hessian_at(nlp->problem.tape, nlp->work, weights, b.entries);
        for (int32_t i = 0; i < b.count; i++) {
            int32_t k = b.first + i;
            for (int32_t e = k == 0 ? p.start[n] : 0; e < p.count; e++)
                if (k > 0 || p.column[e] >= n)
                    *values++ = b.entries[i][e];
        }
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
