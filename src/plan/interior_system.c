// SPDX-License-Identifier: Apache-2.0
// plan/interior_system.c - functions, derivatives and Newton's equations of a problem with stages

#include "plan/interior_parts.h"

#include <math.h>
#include <string.h>

// inputs, parameters and outputs of the stages from `first` on; their number
static int32_t gather(LitheInterior *interior, const double *x, int32_t first, const double **pairs,
                      const double **parameters, double **outputs) {
    const LitheStageProblem *problem = &interior->problem;
    int32_t n = problem->variables, count = problem->stages - first;
    if (count > LITHE_TAPE_POINTS)
        count = LITHE_TAPE_POINTS;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = first + i;
        pairs[i] = x + (int64_t)(k - 1) * n; // x_{k-1} and x_k stand side by side
        parameters[i] =
            problem->parameters > 0 ? problem->parameter + (int64_t)k * problem->parameters : NULL;
        outputs[i] = interior->output + (int64_t)i * interior->rows.rows;
    }
    if (first == 0) {
        memcpy(interior->pair, problem->before, (size_t)n * sizeof *x);
        memcpy(interior->pair + n, x, (size_t)n * sizeof *x);
        pairs[0] = interior->pair;
    }
    return count;
}

bool lithe_interior_values(LitheInterior *interior, const double *x, LitheStageValues *values) {
    const LitheStageProblem *problem = &interior->problem;
    int32_t m = problem->equations, q = problem->inequalities;
    const double *pairs[LITHE_TAPE_POINTS], *parameters[LITHE_TAPE_POINTS];
    double *outputs[LITHE_TAPE_POINTS], sum = 0;
    values->cost = 0;
    for (int32_t first = 0, count; first < problem->stages; first += count) {
        count = gather(interior, x, first, pairs, parameters, outputs);
        lithe_tape_values_at(problem->tape, interior->tape, count, pairs, parameters, outputs);
        for (int32_t i = 0; i < count; i++) {
            const double *y = outputs[i];
            int64_t k = first + i;
            values->cost += y[0];
            memcpy(values->c + k * m, y + 1, (size_t)m * sizeof *y);
            memcpy(values->g + k * q, y + 1 + m, (size_t)q * sizeof *y);
            for (int32_t j = 0; j < 1 + m + q; j++)
                sum += y[j];
        }
    }
    return isfinite(sum);
}

// weights of the outputs of stage k in the Lagrangian
static void fill_weights(const LitheInterior *interior, int64_t k, double *weights) {
    int32_t m = interior->problem.equations, q = interior->problem.inequalities;
    weights[0] = 1;
    for (int32_t i = 0; i < m; i++)
        weights[1 + i] = interior->now.y[k * m + i];
    for (int32_t i = 0; i < q; i++)
        weights[1 + m + i] = -interior->now.z[k * q + i];
}

void lithe_interior_derivatives(LitheInterior *interior, bool second) {
    const LitheStageProblem *problem = &interior->problem;
    int32_t n = problem->variables;
    const double *pairs[LITHE_TAPE_POINTS], *parameters[LITHE_TAPE_POINTS];
    const double *weights[LITHE_TAPE_POINTS];
    double *outputs[LITHE_TAPE_POINTS], *jacobians[LITHE_TAPE_POINTS], *hessians[LITHE_TAPE_POINTS];
    memset(interior->gradient, 0, (size_t)interior->n * sizeof(double));
    for (int32_t first = 0, count; first < problem->stages; first += count) {
        count = gather(interior, interior->now.x, first, pairs, parameters, outputs);
        if (lithe_meter_spend(&interior->meter, (int64_t)count * n))
            return;
        for (int32_t i = 0; i < count; i++) {
            int64_t k = first + i;
            jacobians[i] = interior->jacobian + k * interior->rows.count;
            hessians[i] = interior->hessian + k * interior->lower.count;
        }
        lithe_tape_values_at(problem->tape, interior->tape, count, pairs, parameters, outputs);
        lithe_tape_jacobian_at(problem->tape, interior->tape, jacobians);
        for (int32_t i = 0; i < count; i++)
            for (int32_t e = interior->rows.start[0]; e < interior->rows.start[1]; e++) {
                int64_t at = (int64_t)(first + i - 1) * n + interior->rows.column[e];
                if (at >= 0)
                    interior->gradient[at] += jacobians[i][e];
            }
        if (!second)
            continue;
        for (int32_t i = 0; i < count; i++) {
            fill_weights(interior, first + i, outputs[i]);
            weights[i] = outputs[i];
        }
        lithe_tape_hessian_at(problem->tape, interior->tape, weights, hessians);
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

// Rows and columns of variables near their bounds are many orders larger than others; scaled to
// ones on the diagonal, by powers of two, they do not hide the pivots of the others. Eigenvalues
// keep their signs.
static void scale_matrix(LitheInterior *interior) {
    LitheStageMatrix *matrix = &interior->matrix;
    int64_t size = matrix->size, links = matrix->links;
    for (int32_t k = 0; k < matrix->stages; k++) {
        double *scale = interior->scale + k * size, *a = matrix->diagonal + k * size * size;
        for (int64_t i = 0; i < size; i++) {
            int exponent = 0;
            if (isfinite(a[i * size + i]))
                frexp(fmax(1, fabs(a[i * size + i])), &exponent);
            scale[i] = ldexp(1, -(exponent / 2));
        }
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j <= i; j++)
                a[i * size + j] *= scale[i] * scale[j];
        double *coupling = matrix->coupling + k * size * links;
        for (int64_t i = 0; i < size && k > 0; i++)
            for (int64_t c = 0; c < links; c++)
                coupling[i * links + c] *= scale[i] * scale[matrix->link[c] - size];
    }
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
    for (int32_t k = 0; k < problem->stages && !lithe_meter_spend(&interior->meter, size); k++) {
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
    scale_matrix(interior);
}

int32_t lithe_interior_factor(LitheInterior *interior, bool hessian, const double *weight,
                              double regular, double soft) {
    interior->is_reduced = interior->reduced.pairs > 0;
    if (interior->is_reduced) {
        for (int64_t i = 0; i < interior->n; i++)
            interior->diagonal[i] = bound_weight(interior, i) + regular;
        interior->curved = hessian;
        const LitheReducedInput input = {interior->jacobian, hessian ? interior->hessian : NULL,
                                         weight, interior->diagonal, soft};
        LitheReducedEnd end = lithe_reduced_factor(&interior->reduced, &input);
        if (end != LITHE_REDUCED_UNSOLVED)
            return end == LITHE_REDUCED_RIGHT   ? (int32_t)interior->m
                   : end == LITHE_REDUCED_WRONG ? (int32_t)interior->m + 1
                                                : -1;
        interior->is_reduced = false;
        interior->reduced.pairs = 0; // from now on
    }
    lithe_interior_assemble(interior, hessian, weight, regular, soft);
    return lithe_stage_factor(&interior->matrix);
}

// y = K x for the matrix of the last reduced factor, whose solved equations are hard
static void multiply_reduced(const LitheInterior *interior, const double *x, double *y) {
    const LitheStageProblem *problem = &interior->problem;
    const LithePattern rows = interior->rows, lower = interior->lower;
    int32_t n = problem->variables, m = problem->equations, q = problem->inequalities;
    int64_t size = interior->matrix.size;
    for (int32_t k = 0; k < problem->stages; k++) {
        const double *own = x + k * size;
        double *to = y + k * size;
        memset(to, 0, (size_t)size * sizeof *to);
        for (int32_t i = 0; i < n; i++)
            to[i] = interior->diagonal[(int64_t)k * n + i] * own[i];
    }
    for (int32_t k = 0; k < problem->stages; k++) {
        // inputs of a stage: those before are n + m before their own
        const double *own = x + k * size, *first = interior->jacobian + (int64_t)k * rows.count;
        const double *second = interior->hessian + (int64_t)k * lower.count;
        double *to = y + k * size;
#define PLACE(input) ((input) < n ? (input)-size : (int64_t)(input)-n)
        for (int32_t i = k > 0 ? 0 : n; i < 2 * n && interior->curved; i++)
            for (int32_t e = lower.start[i]; e < lower.start[i + 1]; e++) {
                int32_t j = lower.column[e];
                if (k == 0 && j < n)
                    continue;
                to[PLACE(i)] += second[e] * own[PLACE(j)];
                if (i != j)
                    to[PLACE(j)] += second[e] * own[PLACE(i)];
            }
        for (int32_t r = 0; r < m + q; r++) {
            double sum = 0;
            for (int32_t e = rows.start[1 + r]; e < rows.start[2 + r]; e++)
                if (k > 0 || rows.column[e] >= n)
                    sum += first[e] * own[PLACE(rows.column[e])];
            if (r < m)
                to[n + r] += sum;
            double by = r < m ? own[n + r] : interior->weight[(int64_t)k * q + r - m] * sum;
            for (int32_t e = rows.start[1 + r]; e < rows.start[2 + r]; e++)
                if (k > 0 || rows.column[e] >= n)
                    to[PLACE(rows.column[e])] += first[e] * by;
        }
#undef PLACE
    }
}

static void refine_reduced(LitheInterior *interior) {
    int64_t all = (int64_t)interior->problem.stages * interior->matrix.size;
    memcpy(interior->solution, interior->right, (size_t)all * sizeof(double));
    lithe_reduced_solve(&interior->reduced, interior->jacobian, interior->solution);
    multiply_reduced(interior, interior->solution, interior->residual);
    for (int64_t i = 0; i < all; i++)
        interior->residual[i] = interior->right[i] - interior->residual[i];
    lithe_reduced_solve(&interior->reduced, interior->jacobian, interior->residual);
    for (int64_t i = 0; i < all; i++)
        interior->solution[i] += interior->residual[i];
}

void lithe_interior_refined(LitheInterior *interior) {
    if (interior->is_reduced) {
        refine_reduced(interior);
        return;
    }
    int64_t all = (int64_t)interior->problem.stages * interior->matrix.size;
    for (int64_t i = 0; i < all; i++)
        interior->solution[i] = interior->right[i] *= interior->scale[i];
    lithe_stage_solve(&interior->matrix, interior->solution);
    lithe_stage_multiply(&interior->matrix, interior->solution, interior->residual);
    for (int64_t i = 0; i < all; i++)
        interior->residual[i] = interior->right[i] - interior->residual[i];
    lithe_stage_solve(&interior->matrix, interior->residual);
    for (int64_t i = 0; i < all; i++)
        interior->solution[i] =
            interior->scale[i] * (interior->solution[i] + interior->residual[i]);
}

// the multiplier of inequality i after a step with J_g dx = 0
static double next_multiplier(const LitheInterior *interior, double barrier, int64_t i,
                              double weight, double g) {
    const LithePoint *now = &interior->now;
    double s = now->s[i], z = now->z[i], w = interior->price[i] - z;
    if (interior->price[i] > 0)
        return z - weight * (g + barrier / w - barrier / z);
    return barrier / s - weight * (g - s);
}

// steps of slacks and multipliers, by the complementarity
static void inequality_steps(LitheInterior *interior, double barrier, const double *weight,
                             const double *g) {
    const LitheStageProblem *problem = &interior->problem;
    const LithePoint *now = &interior->now;
    int32_t n = problem->variables, m = problem->equations, q = problem->inequalities;
    for (int32_t k = 0; k < problem->stages; k++) {
        const double *first = interior->jacobian + (int64_t)k * interior->rows.count;
        for (int32_t r = 0; r < q; r++) {
            int64_t i = (int64_t)k * q + r;
            double moved = 0;
            for (int32_t e = interior->rows.start[1 + m + r]; e < interior->rows.start[2 + m + r];
                 e++) {
                int64_t at = (int64_t)(k - 1) * n + interior->rows.column[e];
                if (at >= 0)
                    moved += first[e] * interior->step.x[at];
            }
            double dz = next_multiplier(interior, barrier, i, weight[i], g[i]) - weight[i] * moved -
                        now->z[i];
            interior->step.z[i] = dz;
            interior->step.s[i] = g[i] - now->s[i] + moved;
            interior->step.t[i] = 0;
            if (interior->price[i] > 0) {
                double z = now->z[i], w = interior->price[i] - z;
                interior->step.s[i] = barrier / z - now->s[i] - now->s[i] / z * dz;
                interior->step.t[i] = barrier / w - now->t[i] + now->t[i] / w * dz;
            }
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
        z[i] = next_multiplier(interior, barrier, i, weight[i], g[i]);
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
