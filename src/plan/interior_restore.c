// SPDX-License-Identifier: Apache-2.0
// plan/interior_restore.c - reduces the violation alone where the line search ends without a step

#include "plan/interior_parts.h"

#include <math.h>
#include <string.h>

// The point minimises |c|^2/(2 soft) + |g - s|^2/(2 soft) + barrier; its merit there
static double merit_of(const LitheSearch *search, const LitheStageValues *values,
                       const LithePoint *point, double soft) {
    const LitheInterior *interior = search->interior;
    double squares = 0;
    for (int64_t i = 0; i < interior->m; i++)
        squares += values->c[i] * values->c[i];
    for (int64_t i = 0; i < interior->q; i++)
        if (interior->price[i] == 0)
            squares += (values->g[i] - point->s[i]) * (values->g[i] - point->s[i]);
    return 0.5 * squares / soft + lithe_interior_barrier(interior, point, search->barrier);
}

// The Gauss-Newton step from here, with `regular` on the diagonal. The slacks are eliminated: their
// row of Newton's equations is (w + 1/soft) ds = barrier/s + (J dx + g - s)/soft, w = barrier/s^2.
static bool newton_step(LitheSearch *search, double regular, double soft, double *slope) {
    LitheInterior *interior = search->interior;
    const LitheStageProblem *problem = &interior->problem;
    const double *s = interior->now.s, *t = interior->now.t, *g = interior->at.g;
    int32_t n = problem->variables, m = problem->equations, q = problem->inequalities,
            size = interior->matrix.size;
    double *x = interior->step.x, *z = interior->step.z, mu = search->barrier;
    for (int64_t i = 0; i < interior->q; i++) {
        double w = mu / (s[i] * s[i]);
        interior->weight[i] = w / (1 + soft * w);
        z[i] = interior->weight[i] * (g[i] - s[i]) - mu / s[i] / (1 + soft * w);
        if (interior->price[i] > 0) { // on its central path: the price and barrier of g alone
            interior->weight[i] = mu / (s[i] * s[i] + t[i] * t[i]);
            z[i] = -mu / s[i];
        }
    }
    lithe_interior_assemble(interior, false, interior->weight, regular, soft);
    interior->is_reduced = false; // its equations are soft
    search->state->factors++;
    if (lithe_stage_factor(&interior->matrix) != interior->m)
        return false;
    for (int64_t i = 0; i < interior->n; i++) {
        x[i] = 0;
        if (problem->lower[i] > -INFINITY)
            x[i] += mu / (interior->now.x[i] - problem->lower[i]);
        if (problem->upper[i] < INFINITY)
            x[i] -= mu / (problem->upper[i] - interior->now.x[i]);
    }
    // minus the gradient of the merit by x, for the slope below
    double *gradient = interior->stationary, *c = interior->corrected_c, *r = interior->corrected_g;
    memcpy(gradient, x, (size_t)interior->n * sizeof *x);
    for (int64_t i = 0; i < interior->m; i++)
        c[i] = interior->at.c[i] / soft;
    for (int64_t i = 0; i < interior->q; i++)
        r[i] = interior->price[i] > 0 ? z[i] : (g[i] - s[i]) / soft;
    lithe_interior_add_transposed(interior, -1, c, r, gradient);
    lithe_interior_add_transposed(interior, -1, NULL, z, x);
    for (int32_t k = 0; k < problem->stages; k++) {
        double *to = interior->right + (int64_t)k * size;
        memcpy(to, x + (int64_t)k * n, (size_t)n * sizeof *to);
        for (int32_t i = 0; i < m; i++)
            to[n + i] = -interior->at.c[(int64_t)k * m + i];
    }
    lithe_interior_refined(interior);
    *slope = 0;
    for (int32_t k = 0; k < problem->stages; k++)
        for (int32_t i = 0; i < n; i++) {
            int64_t at = (int64_t)k * n + i;
            x[at] = interior->solution[(int64_t)k * size + i];
            *slope -= gradient[at] * x[at];
        }
    for (int32_t k = 0; k < problem->stages; k++) {
        const double *first = interior->jacobian + (int64_t)k * interior->rows.count;
        for (int32_t j = 0; j < q; j++) {
            int64_t i = (int64_t)k * q + j;
            double moved = g[i] - s[i], w = mu / (s[i] * s[i]);
            for (int32_t e = interior->rows.start[1 + m + j]; e < interior->rows.start[2 + m + j];
                 e++) {
                int64_t at = (int64_t)(k - 1) * n + interior->rows.column[e];
                if (at >= 0)
                    moved += first[e] * x[at];
            }
            interior->step.t[i] = 0;
            if (interior->price[i] > 0) {
                double dz = -interior->weight[i] * (moved + s[i] - g[i]);
                interior->step.s[i] = -s[i] * s[i] / mu * dz;
                interior->step.t[i] = t[i] * t[i] / mu * dz;
                continue;
            }
            interior->step.s[i] = (mu / s[i] + moved / soft) / (w + 1 / soft);
            *slope += (-mu / s[i] - (g[i] - s[i]) / soft) * interior->step.s[i];
        }
    }
    return isfinite(*slope);
}

// False where the violation cannot be reduced any more.
bool lithe_search_restore(LitheSearch *search) {
    LitheInterior *interior = search->interior;
    double start = lithe_interior_violation(interior, &interior->at, &interior->now);
    double cost =
        interior->at.cost + lithe_interior_barrier(interior, &interior->now, search->barrier);
    lithe_interior_centre(interior, search->barrier, false); // elastic rows
    lithe_filter_add(search, (1 - 1e-5) * start, cost - 1e-5 * start);
    const double soft = fmax(1e-8, 1e-2 * search->barrier);
    double regular = 1e-4 * sqrt(search->barrier);
    for (int tries = 0; tries < 100; tries++) {
        double slope;
        if (lithe_search_ends(search))
            return false;
        while (!newton_step(search, regular, soft, &slope) || slope > 0)
            if ((regular *= 10) > 1e8)
                return false;
        double here = merit_of(search, &interior->at, &interior->now, soft);
        double length = lithe_search_longest(search, &interior->step), least = 1e-8 * length;
        bool moved = false;
        for (; length > least && !moved; length *= 0.5) {
            double violation, unused;
            if (!lithe_search_try(search, &interior->step, length, &violation, &unused))
                continue;
            moved = merit_of(search, &interior->tried, &interior->trial, soft) <=
                    here + 1e-4 * length * slope;
            search->state->step = length;
        }
        if (!moved) {
            if ((regular *= 10) > 1e8)
                return false;
            continue;
        }
        // as Levenberg and Marquardt
        if (search->state->step > 0.5)
            regular = fmax(1e-10, 0.3 * regular);
        else if (search->state->step < 0.1)
            regular *= 10;
        lithe_search_take(search);
        lithe_interior_derivatives(interior, false);
        lithe_interior_centre(interior, search->barrier, false);
        double violation = lithe_interior_violation(interior, &interior->at, &interior->now);
        double now =
            interior->at.cost + lithe_interior_barrier(interior, &interior->now, search->barrier);
        if (violation <= 0.9 * start && lithe_filter_accepts(search, violation, now)) {
            lithe_interior_estimate(interior);
            return true;
        }
        if (-slope < 1e-12 * (1 + fabs(here)))
            return false;
    }
    return false;
}
