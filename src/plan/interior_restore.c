// SPDX-License-Identifier: Apache-2.0
// plan/interior_restore.c - reduces the violation alone where the line search ends without a step

#include "plan/interior_parts.h"

#include <math.h>
#include <string.h>

// half the sum of squares of violated constraints over `soft`, and the barrier of the bounds
static double restoration_merit(const LitheSearch *search, const LitheStageValues *values,
                                const double *x, double soft) {
    const LitheInterior *interior = search->interior;
    const LitheStageProblem *problem = &interior->problem;
    double squares = 0, logs = 0;
    for (int64_t i = 0; i < interior->m; i++)
        squares += values->c[i] * values->c[i];
    for (int64_t i = 0; i < interior->q; i++)
        squares += values->g[i] < 0 ? values->g[i] * values->g[i] : 0;
    for (int64_t i = 0; i < interior->n; i++) {
        if (problem->lower[i] > -INFINITY)
            logs -= log(x[i] - problem->lower[i]);
        if (problem->upper[i] < INFINITY)
            logs -= log(problem->upper[i] - x[i]);
    }
    return 0.5 * squares / soft + search->barrier * logs;
}

// the Gauss-Newton step from here, with `regular` on the diagonal
static bool restoration_step(LitheSearch *search, double regular, double soft, double *slope) {
    LitheInterior *interior = search->interior;
    const LitheStageProblem *problem = &interior->problem;
    int32_t n = problem->variables, m = problem->equations, size = interior->matrix.size;
    double *x = interior->step.x, *z = interior->step.z;
    for (int64_t i = 0; i < interior->q; i++) {
        interior->weight[i] = interior->at.g[i] < 0 ? 1 / soft : 0;
        z[i] = interior->weight[i] * interior->at.g[i];
    }
    lithe_interior_assemble(interior, false, interior->weight, regular, soft);
    search->state->factors++;
    if (lithe_stage_factor(&interior->matrix) != interior->m)
        return false;
    for (int64_t i = 0; i < interior->n; i++) {
        x[i] = 0;
        if (problem->lower[i] > -INFINITY)
            x[i] += search->barrier / (interior->now.x[i] - problem->lower[i]);
        if (problem->upper[i] < INFINITY)
            x[i] -= search->barrier / (problem->upper[i] - interior->now.x[i]);
    }
    lithe_interior_add_transposed(interior, -1, NULL, z, x);
    for (int32_t k = 0; k < problem->stages; k++) {
        double *to = interior->right + (int64_t)k * size;
        memcpy(to, x + (int64_t)k * n, (size_t)n * sizeof *to);
        for (int32_t i = 0; i < m; i++)
            to[n + i] = -interior->at.c[(int64_t)k * m + i];
    }
    lithe_interior_refined(interior);
    // minus the gradient of the merit: x holds all of it but the equations
    double *c = interior->corrected_c;
    for (int64_t i = 0; i < interior->m; i++)
        c[i] = interior->at.c[i] / soft;
    lithe_interior_add_transposed(interior, -1, c, NULL, x);
    *slope = 0;
    for (int32_t k = 0; k < problem->stages; k++)
        for (int32_t i = 0; i < n; i++) {
            int64_t at = (int64_t)k * n + i;
            double d = interior->solution[(int64_t)k * size + i];
            *slope -= x[at] * d;
            x[at] = d;
        }
    memset(interior->step.s, 0, (size_t)interior->q * sizeof(double));
    return isfinite(*slope);
}

// False where the violation cannot be reduced any more.
bool lithe_search_restore(LitheSearch *search) {
    LitheInterior *interior = search->interior;
    double start = lithe_interior_violation(interior, &interior->at, interior->now.s);
    double cost =
        interior->at.cost +
        search->barrier * lithe_interior_barrier(interior, interior->now.x, interior->now.s);
    lithe_filter_add(search, (1 - 1e-5) * start, cost - 1e-5 * start);
    const double soft = fmax(1e-8, 1e-2 * search->barrier);
    double regular = 1e-4 * sqrt(search->barrier);
    for (int tries = 0; tries < 100; tries++) {
        double slope;
        while (!restoration_step(search, regular, soft, &slope) || slope > 0)
            if ((regular *= 10) > 1e8)
                return false;
        double here = restoration_merit(search, &interior->at, interior->now.x, soft);
        double length = lithe_search_longest(search, &interior->step), least = 1e-8 * length;
        bool moved = false;
        for (; length > least && !moved; length *= 0.5) {
            double violation, unused;
            if (!lithe_search_try(search, interior->step.x, interior->step.s, length, &violation,
                                  &unused))
                continue;
            moved = restoration_merit(search, &interior->tried, interior->trial.x, soft) <=
                    here + 1e-4 * length * slope;
            search->state->step = length;
        }
        if (!moved) {
            if ((regular *= 10) > 1e8)
                return false;
            continue;
        }
        regular = search->state->step > 0.5 ? fmax(1e-10, regular * 0.3) : regular;
        memcpy(interior->now.x, interior->trial.x, (size_t)interior->n * sizeof(double));
        LitheStageValues keep = interior->at;
        interior->at = interior->tried;
        interior->tried = keep;
        lithe_interior_derivatives(interior, false);
        lithe_interior_centre(interior, search->barrier, true);
        double violation = lithe_interior_violation(interior, &interior->at, interior->now.s);
        double now =
            interior->at.cost +
            search->barrier * lithe_interior_barrier(interior, interior->now.x, interior->now.s);
        if (violation <= 0.9 * start && lithe_filter_accepts(search, violation, now)) {
            lithe_interior_estimate(interior);
            return true;
        }
        if (-slope < 1e-12 * (1 + fabs(here)))
            return false;
    }
    return false;
}
