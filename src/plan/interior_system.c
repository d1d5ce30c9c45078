// SPDX-License-Identifier: Apache-2.0
// plan/interior_system.c - functions, derivatives and Newton's equations of a problem with stages

#include "plan/interior_parts.h"

#include <math.h>
#include <string.h>

// x_{k-1} and x_k side by side
static const double *pair_of(LitheInterior *interior, const double *x, int32_t k) {
    const LitheStageProblem *problem = &interior->problem;
    size_t n = (size_t)problem->variables;
    const double *own = x + (int64_t)k * problem->variables;
    memcpy(interior->pair, k > 0 ? own - n : problem->before, n * sizeof *own);
    memcpy(interior->pair + n, own, n * sizeof *own);
    return interior->pair;
}

static const double *parameters_of(const LitheStageProblem *problem, int32_t k) {
    return problem->parameters > 0 ? problem->parameter + (int64_t)k * problem->parameters : NULL;
}

bool lithe_interior_values(LitheInterior *interior, const double *x, LitheStageValues *values) {
    const LitheStageProblem *problem = &interior->problem;
    int32_t m = problem->equations, q = problem->inequalities;
    double sum = 0;
    values->cost = 0;
    for (int32_t k = 0; k < problem->stages; k++) {
        double *y = interior->output;
        lithe_tape_values(problem->tape, interior->tape, pair_of(interior, x, k),
                          parameters_of(problem, k), y);
        values->cost += y[0];
        memcpy(values->c + (int64_t)k * m, y + 1, (size_t)m * sizeof *y);
        memcpy(values->g + (int64_t)k * q, y + 1 + m, (size_t)q * sizeof *y);
        for (int32_t i = 0; i < 1 + m + q; i++)
            sum += y[i];
    }
    return isfinite(sum);
}

void lithe_interior_derivatives(LitheInterior *interior, bool second) {
    const LitheStageProblem *problem = &interior->problem;
    int32_t n = problem->variables, m = problem->equations, q = problem->inequalities;
    memset(interior->gradient, 0, (size_t)interior->n * sizeof(double));
    for (int32_t k = 0; k < problem->stages; k++) {
        double *jacobian = interior->jacobian + (int64_t)k * interior->rows.count;
        lithe_tape_values(problem->tape, interior->tape, pair_of(interior, interior->now.x, k),
                          parameters_of(problem, k), interior->output);
        lithe_tape_jacobian(problem->tape, interior->tape, jacobian);
        for (int32_t e = interior->rows.start[0]; e < interior->rows.start[1]; e++) {
            int64_t at = (int64_t)(k - 1) * n + interior->rows.column[e];
            if (at >= 0)
                interior->gradient[at] += jacobian[e];
        }
        if (!second)
            continue;
        interior->weights[0] = 1;
        for (int32_t i = 0; i < m; i++)
            interior->weights[1 + i] = interior->now.y[(int64_t)k * m + i];
        for (int32_t i = 0; i < q; i++)
            interior->weights[1 + m + i] = -interior->now.z[(int64_t)k * q + i];
        lithe_tape_hessian(problem->tape, interior->tape, interior->weights,
                           interior->hessian + (int64_t)k * interior->lower.count);
    }
    lithe_interior_stationary(interior);
}

void lithe_interior_add_transposed(const LitheInterior *interior, double factor,
                                   const double *equations, const double *inequalities,
                                   double *to) {
    const LitheStageProblem *problem = &interior->problem;
    int32_t n = problem->variables, m = problem->equations, q = problem->inequalities;
    for (int32_t k = 0; k < problem->stages; k++) {
        const double *jacobian = interior->jacobian + (int64_t)k * interior->rows.count;
        for (int32_t i = 0; i < m + q; i++) {
            const double *values = i < m ? equations : inequalities;
            if (values == NULL)
                continue;
            double v =
                factor * (i < m ? values[(int64_t)k * m + i] : values[(int64_t)k * q + i - m]);
            for (int32_t e = interior->rows.start[1 + i]; e < interior->rows.start[2 + i]; e++) {
                int64_t at = (int64_t)(k - 1) * n + interior->rows.column[e];
                if (at >= 0)
                    to[at] += jacobian[e] * v;
            }
        }
    }
}

void lithe_interior_stationary(LitheInterior *interior) {
    double *to = interior->stationary;
    for (int64_t i = 0; i < interior->n; i++)
        to[i] = interior->gradient[i] - interior->now.lower[i] + interior->now.upper[i];
    lithe_interior_add_transposed(interior, 1, interior->now.y, NULL, to);
    lithe_interior_add_transposed(interior, -1, NULL, interior->now.z, to);
}

// adds an entry for the inputs i >= j of stage k, which are those of stage k - 1 and then its own
static void add_entry(LitheInterior *interior, int32_t k, int32_t i, int32_t j, double value) {
    LitheStageMatrix *matrix = &interior->matrix;
    int32_t n = interior->problem.variables;
    int64_t size = matrix->size;
    if (j >= n)
        matrix->diagonal[(k * size + i - n) * size + j - n] += value;
    else if (k == 0)
        return; // x_{-1} is given
    else if (i >= n)
        matrix->coupling[(k * size + i - n) * matrix->links + interior->link_of[j]] += value;
    else
        matrix->diagonal[((k - 1) * size + i) * size + j] += value;
}

// the curvature of the barrier of the bounds of variable i
static double bound_weight(const LitheInterior *interior, int64_t i) {
    const LithePoint *now = &interior->now;
    double sum = 0;
    if (interior->problem.lower[i] > -INFINITY)
        sum += now->lower[i] / (now->x[i] - interior->problem.lower[i]);
    if (interior->problem.upper[i] < INFINITY)
        sum += now->upper[i] / (interior->problem.upper[i] - now->x[i]);
    return sum;
}

void lithe_interior_assemble(LitheInterior *interior, bool hessian, const double *weight,
                             double regular, double soft) {
    const LitheStageProblem *problem = &interior->problem;
    LitheStageMatrix *matrix = &interior->matrix;
    const LithePattern rows = interior->rows, lower = interior->lower;
    int32_t n = problem->variables, m = problem->equations, q = problem->inequalities;
    int64_t size = matrix->size;
    memset(matrix->diagonal, 0, (size_t)(problem->stages * size * size) * sizeof(double));
    memset(matrix->coupling, 0, (size_t)(problem->stages * size * matrix->links) * sizeof(double));
    for (int32_t k = 0; k < problem->stages; k++) {
        const double *second = interior->hessian + (int64_t)k * lower.count;
        for (int32_t i = 0; i < 2 * n && hessian; i++)
            for (int32_t e = lower.start[i]; e < lower.start[i + 1]; e++)
                add_entry(interior, k, i, lower.column[e], second[e]);
        const double *first = interior->jacobian + (int64_t)k * rows.count;
        for (int32_t r = 0; r < m; r++)
            for (int32_t e = rows.start[1 + r]; e < rows.start[2 + r]; e++)
                add_entry(interior, k, 2 * n + r, rows.column[e], first[e]);
        for (int32_t r = 0; r < q; r++) {
            double w = weight[(int64_t)k * q + r];
            if (w == 0)
                continue;
            for (int32_t a = rows.start[1 + m + r]; a < rows.start[2 + m + r]; a++)
                for (int32_t b = rows.start[1 + m + r]; b <= a; b++)
                    add_entry(interior, k, rows.column[a], rows.column[b], w * first[a] * first[b]);
        }
        for (int32_t i = 0; i < n; i++)
            matrix->diagonal[(k * size + i) * size + i] +=
                bound_weight(interior, (int64_t)k * n + i) + regular;
        for (int32_t i = n; i < size; i++)
            matrix->diagonal[(k * size + i) * size + i] -= soft;
    }
}

void lithe_interior_refined(LitheInterior *interior) {
    int64_t all = (int64_t)interior->problem.stages * interior->matrix.size;
    memcpy(interior->solution, interior->right, (size_t)all * sizeof(double));
    lithe_stage_solve(&interior->matrix, interior->solution);
    lithe_stage_multiply(&interior->matrix, interior->solution, interior->residual);
    for (int64_t i = 0; i < all; i++)
        interior->residual[i] = interior->right[i] - interior->residual[i];
    lithe_stage_solve(&interior->matrix, interior->residual);
    for (int64_t i = 0; i < all; i++)
        interior->solution[i] += interior->residual[i];
}

// ds = J_g dx + (g - s), dz by the complementarity
static void inequality_steps(LitheInterior *interior, double barrier, const double *weight,
                             const double *g) {
    const LitheStageProblem *problem = &interior->problem;
    const LithePoint *now = &interior->now;
    int32_t n = problem->variables, m = problem->equations, q = problem->inequalities;
    for (int32_t k = 0; k < problem->stages; k++) {
        const double *first = interior->jacobian + (int64_t)k * interior->rows.count;
        for (int32_t r = 0; r < q; r++) {
            int64_t i = (int64_t)k * q + r;
            double ds = g[i] - now->s[i];
            for (int32_t e = interior->rows.start[1 + m + r]; e < interior->rows.start[2 + m + r];
                 e++) {
                int64_t at = (int64_t)(k - 1) * n + interior->rows.column[e];
                if (at >= 0)
                    ds += first[e] * interior->step.x[at];
            }
            interior->step.s[i] = ds;
            interior->step.z[i] = barrier / now->s[i] - now->z[i] - weight[i] * ds;
        }
    }
}

void lithe_interior_direction(LitheInterior *interior, double barrier, const double *weight,
                              const double *c, const double *g) {
    const LitheStageProblem *problem = &interior->problem;
    const LithePoint *now = &interior->now;
    int32_t n = problem->variables, m = problem->equations, size = interior->matrix.size;
    double *x = interior->step.x, *z = interior->step.z; // scratch until the end
    for (int64_t i = 0; i < interior->n; i++) {
        x[i] = -interior->gradient[i];
        if (problem->lower[i] > -INFINITY)
            x[i] += barrier / (now->x[i] - problem->lower[i]);
        if (problem->upper[i] < INFINITY)
            x[i] -= barrier / (problem->upper[i] - now->x[i]);
    }
    for (int64_t i = 0; i < interior->q; i++)
        z[i] = barrier / now->s[i] - weight[i] * (g[i] - now->s[i]);
    lithe_interior_add_transposed(interior, -1, now->y, NULL, x);
    lithe_interior_add_transposed(interior, 1, NULL, z, x);
    for (int32_t k = 0; k < problem->stages; k++) {
        double *to = interior->right + (int64_t)k * size;
        memcpy(to, x + (int64_t)k * n, (size_t)n * sizeof *to);
        for (int32_t i = 0; i < m; i++)
            to[n + i] = -c[(int64_t)k * m + i];
    }
    lithe_interior_refined(interior);
    for (int32_t k = 0; k < problem->stages; k++) {
        const double *from = interior->solution + (int64_t)k * size;
        memcpy(x + (int64_t)k * n, from, (size_t)n * sizeof *from);
        memcpy(interior->step.y + (int64_t)k * m, from + n, (size_t)m * sizeof *from);
    }
    inequality_steps(interior, barrier, weight, g);
    for (int64_t i = 0; i < interior->n; i++) {
        interior->step.lower[i] = interior->step.upper[i] = 0;
        if (problem->lower[i] > -INFINITY)
            interior->step.lower[i] =
                (barrier - now->lower[i] * x[i]) / (now->x[i] - problem->lower[i]) - now->lower[i];
        if (problem->upper[i] < INFINITY)
            interior->step.upper[i] =
                (barrier + now->upper[i] * x[i]) / (problem->upper[i] - now->x[i]) - now->upper[i];
    }
}
