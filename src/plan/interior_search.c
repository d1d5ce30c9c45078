// SPDX-License-Identifier: Apache-2.0
// plan/interior_search.c - violation, barrier, filter, line search with a second-order correction

#include "plan/interior_parts.h"

#include <math.h>
#include <string.h>

double lithe_interior_largest(int64_t count, const double *a) {
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

// the sum of violations of equations, and of inequalities by their slacks
double lithe_interior_violation(const LitheInterior *interior, const LitheStageValues *values,
                                const LithePoint *point) {
    double sum = 0;
    for (int64_t i = 0; i < interior->m; i++)
        sum += fabs(values->c[i]);
    for (int64_t i = 0; i < interior->q; i++)
        sum += fabs(values->g[i] + point->t[i] - point->s[i]);
    return sum;
}

// the largest violation of the problem itself
double lithe_interior_worst(const LitheInterior *interior, const LitheStageValues *values) {
    double most = lithe_interior_largest(interior->m, values->c);
    for (int64_t i = 0; i < interior->q; i++)
        most = fmax(most, -values->g[i]);
    return most;
}

// barrier and price of violations
double lithe_interior_barrier(const LitheInterior *interior, const LithePoint *point,
                              double barrier) {
    const LitheStageProblem *problem = &interior->problem;
    const double *x = point->x;
    double sum = 0, prices = 0;
    for (int64_t i = 0; i < interior->n; i++) {
        if (problem->lower[i] > -INFINITY)
            sum -= log(x[i] - problem->lower[i]);
        if (problem->upper[i] < INFINITY)
            sum -= log(problem->upper[i] - x[i]);
    }
    for (int64_t i = 0; i < interior->q; i++) {
        sum -= log(point->s[i]);
        if (interior->price[i] > 0) {
            sum -= log(point->t[i]);
            prices += interior->price[i] * point->t[i];
        }
    }
    return prices + barrier * sum;
}

// slacks and multipliers of inequalities and bounds on the central path
void lithe_interior_centre(LitheInterior *interior, double barrier, bool slacks) {
    LithePoint *now = &interior->now;
    const LitheStageProblem *problem = &interior->problem;
    for (int64_t i = 0; i < interior->q; i++) {
        now->t[i] = 0;
        if (interior->price[i] > 0) {
            lithe_elastic_centre(interior, barrier, i);
            continue;
        }
        if (slacks)
            now->s[i] = fmax(interior->at.g[i], lithe_slack_floor(barrier));
        now->z[i] = barrier / now->s[i];
    }
    for (int64_t i = 0; i < interior->n; i++) {
        now->lower[i] =
            problem->lower[i] > -INFINITY ? barrier / (now->x[i] - problem->lower[i]) : 0;
        now->upper[i] =
            problem->upper[i] < INFINITY ? barrier / (problem->upper[i] - now->x[i]) : 0;
    }
}

// multipliers of the equations by least squares of the stationarity; zero where they would be large
void lithe_interior_estimate(LitheInterior *interior) {
    const LitheStageProblem *problem = &interior->problem;
    int32_t n = problem->variables, m = problem->equations, size = interior->matrix.size;
    LithePoint *now = &interior->now;
    memset(now->y, 0, (size_t)interior->m * sizeof(double));
    memset(interior->weight, 0, (size_t)interior->q * sizeof(double));
    lithe_interior_stationary(interior);
    double *lower = now->lower, *upper = now->upper;
    now->lower = now->upper = interior->step.lower; // without weights of bounds
    memset(interior->step.lower, 0, (size_t)interior->n * sizeof(double));
    int32_t negative = lithe_interior_factor(interior, false, interior->weight, 1, 1e-8);
    now->lower = lower;
    now->upper = upper;
    if (negative < 0)
        return;
    memset(interior->right, 0, (size_t)(interior->n + interior->m) * sizeof(double));
    for (int32_t k = 0; k < problem->stages; k++)
        for (int32_t i = 0; i < n; i++)
            interior->right[(int64_t)k * size + i] = -interior->stationary[(int64_t)k * n + i];
    lithe_interior_refined(interior);
    double most = 0;
    for (int32_t k = 0; k < problem->stages; k++)
        for (int32_t i = 0; i < m; i++) {
            double y = interior->solution[(int64_t)k * size + n + i];
            now->y[(int64_t)k * m + i] = y;
            most = fmax(most, fabs(y));
        }
    if (!(most < 1e3))
        memset(now->y, 0, (size_t)interior->m * sizeof(double));
    lithe_interior_stationary(interior);
}

// the longest step that keeps a share of the distance to all bounds, of the primal variables
double lithe_search_longest(const LitheSearch *search, const LithePoint *step) {
    const LitheInterior *interior = search->interior;
    const LitheStageProblem *problem = &interior->problem;
    const LithePoint *now = &interior->now;
    double share = fmax(0.99, 1 - search->barrier), most = 1;
    for (int64_t i = 0; i < interior->n; i++) {
        if (step->x[i] < 0 && problem->lower[i] > -INFINITY)
            most = fmin(most, share * (now->x[i] - problem->lower[i]) / -step->x[i]);
        if (step->x[i] > 0 && problem->upper[i] < INFINITY)
            most = fmin(most, share * (problem->upper[i] - now->x[i]) / step->x[i]);
    }
    for (int64_t i = 0; i < interior->q; i++) {
        if (step->s[i] < 0)
            most = fmin(most, share * now->s[i] / -step->s[i]);
        if (step->t[i] < 0)
            most = fmin(most, share * now->t[i] / -step->t[i]);
    }
    return most;
}

double lithe_search_longest_dual(const LitheSearch *search) {
    const LitheInterior *interior = search->interior;
    const LithePoint *now = &interior->now, *step = &interior->step;
    double share = fmax(0.99, 1 - search->barrier), most = 1;
    for (int64_t i = 0; i < interior->n; i++) {
        if (step->lower[i] < 0)
            most = fmin(most, share * now->lower[i] / -step->lower[i]);
        if (step->upper[i] < 0)
            most = fmin(most, share * now->upper[i] / -step->upper[i]);
    }
    for (int64_t i = 0; i < interior->q; i++) {
        if (step->z[i] < 0)
            most = fmin(most, share * now->z[i] / -step->z[i]);
        else if (interior->price[i] > 0 && step->z[i] > 0)
            most = fmin(most, share * (interior->price[i] - now->z[i]) / step->z[i]);
    }
    return most;
}

// derivative of the barrier cost along the step
static double slope_of(const LitheSearch *search) {
    const LitheInterior *interior = search->interior;
    const LitheStageProblem *problem = &interior->problem;
    const LithePoint *now = &interior->now, *step = &interior->step;
    double sum = 0;
    for (int64_t i = 0; i < interior->n; i++) {
        double g = interior->gradient[i];
        if (problem->lower[i] > -INFINITY)
            g -= search->barrier / (now->x[i] - problem->lower[i]);
        if (problem->upper[i] < INFINITY)
            g += search->barrier / (problem->upper[i] - now->x[i]);
        sum += g * step->x[i];
    }
    for (int64_t i = 0; i < interior->q; i++) {
        sum -= search->barrier / now->s[i] * step->s[i];
        if (interior->price[i] > 0)
            sum += (interior->price[i] - search->barrier / now->t[i]) * step->t[i];
    }
    return sum;
}

bool lithe_filter_accepts(const LitheSearch *search, double violation, double cost) {
    if (violation > search->violation_max)
        return false;
    for (int i = 0; i < search->filter_count; i++)
        if (violation >= search->filter[i][0] && cost >= search->filter[i][1])
            return false;
    return true;
}

void lithe_filter_add(LitheSearch *search, double violation, double cost) {
    int kept = 0;
    for (int i = 0; i < search->filter_count; i++) // pairs that the new one dominates are dropped
        if (search->filter[i][0] < violation || search->filter[i][1] < cost)
            memcpy(search->filter[kept++], search->filter[i], sizeof search->filter[i]);
    if (kept == LITHE_FILTER_MAX)
        memmove(search->filter, search->filter + 1, (size_t)--kept * sizeof *search->filter);
    search->filter[kept][0] = violation;
    search->filter[kept][1] = cost;
    search->filter_count = kept + 1;
}

// the trial point at a length of the step, its values, violation and barrier cost
bool lithe_search_try(LitheSearch *search, const LithePoint *step, double length, double *violation,
                      double *cost) {
    LitheInterior *interior = search->interior;
    for (int64_t i = 0; i < interior->n; i++)
        interior->trial.x[i] = interior->now.x[i] + length * step->x[i];
    for (int64_t i = 0; i < interior->q; i++) {
        interior->trial.s[i] = interior->now.s[i] + length * step->s[i];
        interior->trial.t[i] = interior->now.t[i] + length * step->t[i];
    }
    if (!lithe_interior_values(interior, interior->trial.x, &interior->tried))
        return false;
    // a slack below its inequality is raised: less violation, less barrier
    for (int64_t i = 0; i < interior->q; i++)
        interior->trial.s[i] = fmax(interior->trial.s[i], interior->tried.g[i]);
    lithe_interior_stretch(interior, &interior->tried, &interior->trial);
    *violation = lithe_interior_violation(interior, &interior->tried, &interior->trial);
    *cost =
        interior->tried.cost + lithe_interior_barrier(interior, &interior->trial, search->barrier);
    return isfinite(*violation) && isfinite(*cost);
}

typedef struct Merit {
    double violation, cost, slope;
} Merit;

// whether a trial is good enough; *armijo: by its cost, so that the filter does not grow
static bool acceptable(const LitheSearch *search, const Merit *here, double length,
                       double violation, double cost, bool *armijo) {
    double noise = 1e-14 * (1 + fabs(here->cost)); // rounding of the cost
    bool falls = here->slope < 0 && length * pow(-here->slope, 2.3) > pow(here->violation, 1.1);
    *armijo = here->violation <= search->violation_min && falls;
    if (!lithe_filter_accepts(search, violation, cost))
        return false;
    if (*armijo)
        return cost <= here->cost + 1e-4 * length * here->slope + noise;
    return violation <= (1 - 1e-5) * here->violation ||
           cost <= here->cost - 1e-5 * here->violation + noise;
}

// the trial becomes the point
void lithe_search_take(LitheSearch *search) {
    LitheInterior *interior = search->interior;
    memcpy(interior->now.x, interior->trial.x, (size_t)interior->n * sizeof(double));
    memcpy(interior->now.s, interior->trial.s, (size_t)interior->q * sizeof(double));
    memcpy(interior->now.t, interior->trial.t, (size_t)interior->q * sizeof(double));
    LitheStageValues keep = interior->at;
    interior->at = interior->tried;
    interior->tried = keep;
}

static void take_trial(LitheSearch *search, const Merit *here, bool armijo) {
    if (!armijo)
        lithe_filter_add(search, (1 - 1e-5) * here->violation, here->cost - 1e-5 * here->violation);
    lithe_search_take(search);
}

// Second-order correction: the same factor removes the violation that is left at the full step. The
// multipliers keep their plain step.
static bool correct(LitheSearch *search, const Merit *here, double length) {
    LitheInterior *interior = search->interior;
    LithePoint plain = interior->step;
    double *c = interior->corrected_c, *g = interior->corrected_g;
    const LithePoint *now = &interior->now;
    double last = lithe_interior_violation(interior, &interior->tried, &interior->trial);
    if (!(last < 100 * here->violation + 1))
        return false;
    memcpy(c, interior->at.c, (size_t)interior->m * sizeof *c);
    memcpy(g, interior->at.g, (size_t)interior->q * sizeof *g);
    const LithePoint *last_step = &plain;
    interior->step = interior->second;
    bool taken = false;
    for (int tries = 0; tries < 4 && !taken; tries++) {
        for (int64_t i = 0; i < interior->m; i++)
            c[i] = length * c[i] + interior->tried.c[i];
        for (int64_t i = 0; i < interior->q; i++) // elastic rows: without what has been stretched
            g[i] = interior->price[i] > 0
                       ? length * (g[i] + now->t[i] - now->s[i]) + interior->tried.g[i] +
                             length * (last_step->t[i] - last_step->s[i])
                       : now->s[i] + length * (g[i] - now->s[i]) + interior->tried.g[i] -
                             interior->trial.s[i];
        lithe_interior_direction(interior, search->barrier, interior->weight, c, g);
        last_step = &interior->step;
        length = lithe_search_longest(search, &interior->step);
        double violation, cost;
        bool armijo;
        if (!lithe_search_try(search, &interior->step, length, &violation, &cost))
            break;
        taken = acceptable(search, here, length, violation, cost, &armijo);
        if (taken) {
            take_trial(search, here, armijo);
            search->state->step = length;
        } else if (violation > 0.99 * last) {
            break;
        }
        last = violation;
    }
    interior->second = interior->step;
    interior->step = plain;
    return taken;
}

// the shortest step for which the search goes on
static double shortest(const LitheSearch *search, const Merit *here) {
    double least = 1e-5;
    if (here->slope < 0) {
        least = fmin(least, 1e-5 * here->violation / -here->slope);
        if (here->violation <= search->violation_min)
            least = fmin(least, pow(here->violation, 1.1) / pow(-here->slope, 2.3));
    }
    return fmax(0.05 * least, 1e-13);
}

bool lithe_search_line(LitheSearch *search) {
    LitheInterior *interior = search->interior;
    Merit here = {.violation = lithe_interior_violation(interior, &interior->at, &interior->now),
                  .cost = interior->at.cost +
                          lithe_interior_barrier(interior, &interior->now, search->barrier),
                  .slope = slope_of(search)};
    double length = lithe_search_longest(search, &interior->step), least = shortest(search, &here);
    for (bool first = true; length > least; length *= 0.5, first = false) {
        double violation, cost;
        bool armijo;
        if (!lithe_search_try(search, &interior->step, length, &violation, &cost))
            continue;
        if (acceptable(search, &here, length, violation, cost, &armijo)) {
            take_trial(search, &here, armijo);
            search->state->step = length;
            return true;
        }
        if (first && violation >= here.violation && correct(search, &here, length))
            return true;
    }
    return false;
}

// multipliers after a step; those of bounds stay near the central path
void lithe_search_multipliers(LitheSearch *search, double primal, double dual) {
    LitheInterior *interior = search->interior;
    LithePoint *now = &interior->now;
    const LithePoint *step = &interior->step;
    const LitheStageProblem *problem = &interior->problem;
    const double wide = 1e10;
    for (int64_t i = 0; i < interior->m; i++)
        now->y[i] += primal * step->y[i];
    for (int64_t i = 0; i < interior->q; i++) {
        double target = search->barrier / now->s[i];
        now->z[i] = fmin(fmax(now->z[i] + dual * step->z[i], target / wide), target * wide);
        if (interior->price[i] > 0)
            now->z[i] = fmin(now->z[i], (1 - 1e-12) * interior->price[i]);
    }
    for (int64_t i = 0; i < interior->n; i++) {
        if (problem->lower[i] > -INFINITY) {
            double target = search->barrier / (now->x[i] - problem->lower[i]);
            now->lower[i] =
                fmin(fmax(now->lower[i] + dual * step->lower[i], target / wide), target * wide);
        }
        if (problem->upper[i] < INFINITY) {
            double target = search->barrier / (problem->upper[i] - now->x[i]);
            now->upper[i] =
                fmin(fmax(now->upper[i] + dual * step->upper[i], target / wide), target * wide);
        }
    }
}
