// SPDX-License-Identifier: Apache-2.0
// plan/interior.c - primal-dual interior-point method with a filter line search
//
// The barrier parameter falls whenever its problem is solved to ten times itself. A step is
// accepted when the pair of violation and barrier cost is better than all pairs of the filter
// (Fletcher and Leyffer; Waechter and Biegler). The matrix must have as many negative eigenvalues
// as there are equations, else its diagonal grows. Where no step is accepted, the violation alone
// is reduced by regularised Gauss-Newton steps, until a point is better than all in the filter.

#include "plan/interior_parts.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

LitheInteriorSetting lithe_interior_setting(void) {
    return (LitheInteriorSetting){
        .tolerance = 1e-6, .barrier = 0.1, .iterations = 500, .seconds = INFINITY};
}

const char *lithe_interior_end_text(LitheInteriorEnd end) {
    static const char *const texts[] = {
        "converged",
        "stopped at the limit of iterations",
        "stopped at the limit of time",
        "found a point where the violation of the constraints is least but not zero",
        "found no step that reduces violation or cost",
        "stopped on request",
        "values or derivatives are not finite at the start",
    };
    return (int)end >= 0 && (size_t)end < sizeof texts / sizeof *texts ? texts[end] : "";
}

// --- memory --------------------------------------------------------------------------------------

// the arrays of numbers and their lengths, in one block
static bool take_memory(LitheInterior *interior) {
    const LitheStageProblem *problem = &interior->problem;
    int64_t n = interior->n, m = interior->m, q = interior->q, stages = problem->stages;
    int64_t all = n + m, outputs = 1 + problem->equations + problem->inequalities;
    struct {
        double **array;
        int64_t count;
    } parts[64];
    int count = 0;
#define PART(member, length) parts[count].array = &interior->member, parts[count++].count = (length)
    PART(jacobian, stages * interior->rows.count);
    PART(hessian, stages * interior->lower.count);
    PART(gradient, n);
    PART(stationary, n);
    PART(output, outputs);
    PART(weights, outputs);
    PART(pair, 2 * (int64_t)problem->variables);
    PART(right, all);
    PART(solution, all);
    PART(residual, all);
    PART(weight, q);
    PART(corrected_c, m);
    PART(corrected_g, q);
    PART(best, n);
#define POINT(member) \
    PART(member.x, n), PART(member.s, q), PART(member.z, q), PART(member.y, m), \
        PART(member.lower, n), PART(member.upper, n)
    POINT(now);
    POINT(step);
    POINT(second);
    POINT(trial);
    PART(at.c, m), PART(at.g, q), PART(tried.c, m), PART(tried.g, q);
#undef POINT
#undef PART
    int64_t total = 0;
    for (int i = 0; i < count; i++)
        total += parts[i].count;
    interior->memory = lithe_alloc_array(interior->context, total, sizeof(double));
    if (interior->memory == NULL)
        return false;
    int64_t at = 0;
    for (int i = 0; i < count; i++) {
        *parts[i].array = interior->memory + at;
        at += parts[i].count;
    }
    return true;
}

// the variables of stage k - 1 that stage k depends on
static int32_t find_links(LitheInterior *interior, int32_t *link) {
    int32_t n = interior->problem.variables, count = 0;
    for (int32_t j = 0; j < n; j++) {
        interior->link_of[j] = -1;
        for (int32_t e = 0; e < interior->rows.count && interior->link_of[j] < 0; e++)
            if (interior->rows.column[e] == j)
                interior->link_of[j] = count;
        if (interior->link_of[j] >= 0)
            link[count++] = j;
    }
    return count;
}

LitheStatus lithe_interior_create(LitheContext *context, const LitheStageProblem *problem,
                                  LitheInterior **interior, LitheError *error) {
    int32_t n = problem->variables;
    *interior = NULL;
    if (problem->stages < 1 || n < 1)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "a plan has %d stages of %d variables, must have 1 or more",
                          problem->stages, n);
    for (int64_t i = 0; i < (int64_t)problem->stages * n; i++)
        if (!(problem->lower[i] < problem->upper[i]))
            return lithe_fail(
                error, LITHE_BAD_INPUT,
                "stage %d, variable %d: the lower bound %g must be below the upper bound %g",
                (int)(i / n), (int)(i % n), problem->lower[i], problem->upper[i]);
    LitheInterior *made = lithe_alloc(context, sizeof *made);
    int32_t *link = lithe_alloc_array(context, n, sizeof *link);
    if (made == NULL || link == NULL) {
        lithe_free(context, made);
        lithe_free(context, link);
        return lithe_fail_memory(error, "a plan");
    }
    made->context = context;
    made->problem = *problem;
    made->n = (int64_t)problem->stages * n;
    made->m = (int64_t)problem->stages * problem->equations;
    made->q = (int64_t)problem->stages * problem->inequalities;
    made->rows = lithe_tape_jacobian_pattern(problem->tape);
    made->lower = lithe_tape_hessian_pattern(problem->tape);
    LITHE_ASSERT(made->lower.rows == 2 * n);
    LITHE_ASSERT(made->rows.rows == 1 + problem->equations + problem->inequalities);
    made->tape = lithe_tape_work_new(context, problem->tape);
    made->link_of = lithe_alloc_array(context, n, sizeof *made->link_of);
    bool done = made->tape != NULL && made->link_of != NULL && take_memory(made);
    if (done) {
        int32_t links = find_links(made, link);
        done = lithe_stage_matrix_begin(&made->matrix, context, problem->stages,
                                        n + problem->equations, links, link);
    }
    lithe_free(context, link);
    if (!done) {
        lithe_interior_destroy(made);
        return lithe_fail_memory(error, "a plan");
    }
    *interior = made;
    return LITHE_OK;
}

void lithe_interior_destroy(LitheInterior *interior) {
    if (interior == NULL)
        return;
    if (interior->matrix.context != NULL)
        lithe_stage_matrix_end(&interior->matrix);
    lithe_tape_work_free(interior->tape);
    lithe_free(interior->context, interior->link_of);
    lithe_free(interior->context, interior->memory);
    lithe_free(interior->context, interior);
}

// --- the method ----------------------------------------------------------------------------------

enum { FILTER = 400 };

typedef struct Search {
    LitheInterior *interior;
    const LitheInteriorSetting *setting;
    LitheInteriorState *state;
    double barrier, floor; // barrier parameter now, and its last value
    double regular;        // that made the last corrected matrix right
    double soft;           // taken from the diagonal of the equations
    double violation_max, violation_min;
    double filter[FILTER][2]; // violation and barrier cost
    int filter_count;
    double best_violation, best_cost;
    double began;
} Search;

static double largest(int64_t count, const double *a) {
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

// the sum of violations of equations, and of inequalities by their slacks
static double violation_sum(const LitheInterior *interior, const LitheStageValues *values,
                            const double *s) {
    double sum = 0;
    for (int64_t i = 0; i < interior->m; i++)
        sum += fabs(values->c[i]);
    for (int64_t i = 0; i < interior->q; i++)
        sum += fabs(values->g[i] - s[i]);
    return sum;
}

// the largest violation of the problem itself
static double violation_max(const LitheInterior *interior, const LitheStageValues *values) {
    double most = largest(interior->m, values->c);
    for (int64_t i = 0; i < interior->q; i++)
        most = fmax(most, -values->g[i]);
    return most;
}

static double barrier_terms(const LitheInterior *interior, const double *x, const double *s) {
    const LitheStageProblem *problem = &interior->problem;
    double sum = 0;
    for (int64_t i = 0; i < interior->n; i++) {
        if (problem->lower[i] > -INFINITY)
            sum -= log(x[i] - problem->lower[i]);
        if (problem->upper[i] < INFINITY)
            sum -= log(problem->upper[i] - x[i]);
    }
    for (int64_t i = 0; i < interior->q; i++)
        sum -= log(s[i]);
    return sum;
}

// into the interior of the bounds
static void push_inside(LitheInterior *interior, double *x) {
    for (int64_t i = 0; i < interior->n; i++) {
        double lower = interior->problem.lower[i], upper = interior->problem.upper[i];
        double low = lower, high = upper;
        if (lower > -INFINITY)
            low = lower + fmin(1e-2 * fmax(1, fabs(lower)),
                               upper < INFINITY ? 1e-2 * (upper - lower) : INFINITY);
        if (upper < INFINITY)
            high = upper - fmin(1e-2 * fmax(1, fabs(upper)),
                                lower > -INFINITY ? 1e-2 * (upper - lower) : INFINITY);
        x[i] = fmin(fmax(x[i], low), high);
    }
}

// slacks and multipliers of inequalities and bounds on the central path
static void centre(LitheInterior *interior, double barrier, bool slacks) {
    LithePoint *now = &interior->now;
    const LitheStageProblem *problem = &interior->problem;
    for (int64_t i = 0; i < interior->q; i++) {
        if (slacks)
            now->s[i] = fmax(interior->at.g[i], fmin(1e-2, barrier));
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
static void estimate_multipliers(LitheInterior *interior) {
    const LitheStageProblem *problem = &interior->problem;
    int32_t n = problem->variables, m = problem->equations, size = interior->matrix.size;
    LithePoint *now = &interior->now;
    memset(now->y, 0, (size_t)interior->m * sizeof(double));
    memset(interior->weight, 0, (size_t)interior->q * sizeof(double));
    lithe_interior_stationary(interior);
    double *lower = now->lower, *upper = now->upper;
    now->lower = now->upper = interior->step.lower; // without weights of bounds
    memset(interior->step.lower, 0, (size_t)interior->n * sizeof(double));
    lithe_interior_assemble(interior, false, interior->weight, 1, 1e-8);
    now->lower = lower;
    now->upper = upper;
    if (lithe_stage_factor(&interior->matrix) < 0)
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

// residual of complementarity for a barrier parameter
static double product_error(const LitheInterior *interior, double barrier) {
    const LithePoint *now = &interior->now;
    const LitheStageProblem *problem = &interior->problem;
    double most = 0;
    for (int64_t i = 0; i < interior->n; i++) {
        if (problem->lower[i] > -INFINITY)
            most = fmax(most, fabs(now->lower[i] * (now->x[i] - problem->lower[i]) - barrier));
        if (problem->upper[i] < INFINITY)
            most = fmax(most, fabs(now->upper[i] * (problem->upper[i] - now->x[i]) - barrier));
    }
    for (int64_t i = 0; i < interior->q; i++)
        most = fmax(most, fabs(now->z[i] * now->s[i] - barrier));
    return most;
}

// The largest residual; those of stationarity and complementarity over the mean size of the
// multipliers where that exceeds 100, since rounding grows with them.
static double error_of(const Search *search, double barrier) {
    const LitheInterior *interior = search->interior;
    const LithePoint *now = &interior->now;
    double sum = 0, all = (double)(interior->m + interior->q + 2 * interior->n);
    for (int64_t i = 0; i < interior->m; i++)
        sum += fabs(now->y[i]);
    for (int64_t i = 0; i < interior->q; i++)
        sum += now->z[i];
    for (int64_t i = 0; i < interior->n; i++)
        sum += now->lower[i] + now->upper[i];
    double scale = fmax(100, sum / all) / 100;
    double violation = largest(interior->m, interior->at.c);
    for (int64_t i = 0; i < interior->q; i++)
        violation = fmax(violation, fabs(interior->at.g[i] - now->s[i]));
    double dual = largest(interior->n, interior->stationary) / scale;
    return fmax(fmax(dual, violation), product_error(interior, barrier) / scale);
}

// Newton's matrix with the right number of negative eigenvalues; false when none was found
static bool factor_corrected(Search *search) {
    LitheInterior *interior = search->interior;
    const LithePoint *now = &interior->now;
    for (int64_t i = 0; i < interior->q; i++)
        interior->weight[i] = now->z[i] / now->s[i];
    double regular = 0;
    for (int tries = 0; tries < 40; tries++) {
        lithe_interior_assemble(interior, true, interior->weight, regular, search->soft);
        int32_t negative = lithe_stage_factor(&interior->matrix);
        search->state->factors++;
        if (negative == interior->m) {
            search->state->regular = regular;
            if (regular > 0)
                search->regular = regular;
            return true;
        }
        if (negative < 0 && search->soft == 0) { // rows that depend on others: from now on
            search->soft = 1e-9;
            continue;
        }
        if (regular == 0)
            regular = search->regular > 0 ? fmax(1e-20, search->regular / 3) : 1e-4;
        else
            regular *= search->regular > 0 ? 8 : 100;
        if (regular > 1e40)
            return false;
    }
    return false;
}

// the longest step that keeps a share of the distance to all bounds, of the primal variables
static double longest_primal(const Search *search, const LithePoint *step) {
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
    for (int64_t i = 0; i < interior->q; i++)
        if (step->s[i] < 0)
            most = fmin(most, share * now->s[i] / -step->s[i]);
    return most;
}

static double longest_dual(const Search *search) {
    const LitheInterior *interior = search->interior;
    const LithePoint *now = &interior->now, *step = &interior->step;
    double share = fmax(0.99, 1 - search->barrier), most = 1;
    for (int64_t i = 0; i < interior->n; i++) {
        if (step->lower[i] < 0)
            most = fmin(most, share * now->lower[i] / -step->lower[i]);
        if (step->upper[i] < 0)
            most = fmin(most, share * now->upper[i] / -step->upper[i]);
    }
    for (int64_t i = 0; i < interior->q; i++)
        if (step->z[i] < 0)
            most = fmin(most, share * now->z[i] / -step->z[i]);
    return most;
}

// derivative of the barrier cost along the step
static double slope_of(const Search *search) {
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
    for (int64_t i = 0; i < interior->q; i++)
        sum -= search->barrier / now->s[i] * step->s[i];
    return sum;
}

static bool filter_accepts(const Search *search, double violation, double cost) {
    if (violation > search->violation_max)
        return false;
    for (int i = 0; i < search->filter_count; i++)
        if (violation >= search->filter[i][0] && cost >= search->filter[i][1])
            return false;
    return true;
}

static void filter_add(Search *search, double violation, double cost) {
    int kept = 0;
    for (int i = 0; i < search->filter_count; i++) // pairs that the new one dominates are dropped
        if (search->filter[i][0] < violation || search->filter[i][1] < cost)
            memcpy(search->filter[kept++], search->filter[i], sizeof search->filter[i]);
    if (kept == FILTER)
        memmove(search->filter, search->filter + 1, (size_t)--kept * sizeof *search->filter);
    search->filter[kept][0] = violation;
    search->filter[kept][1] = cost;
    search->filter_count = kept + 1;
}

// the trial point at a length of the step, its values, violation and barrier cost
static bool try_point(Search *search, const double *dx, const double *ds, double length,
                      double *violation, double *cost) {
    LitheInterior *interior = search->interior;
    for (int64_t i = 0; i < interior->n; i++)
        interior->trial.x[i] = interior->now.x[i] + length * dx[i];
    for (int64_t i = 0; i < interior->q; i++)
        interior->trial.s[i] = interior->now.s[i] + length * ds[i];
    if (!lithe_interior_values(interior, interior->trial.x, &interior->tried))
        return false;
    *violation = violation_sum(interior, &interior->tried, interior->trial.s);
    *cost = interior->tried.cost +
            search->barrier * barrier_terms(interior, interior->trial.x, interior->trial.s);
    return isfinite(*violation) && isfinite(*cost);
}

typedef struct Merit {
    double violation, cost, slope;
} Merit;

// whether a trial is good enough; *armijo: by its cost, so that the filter does not grow
static bool acceptable(const Search *search, const Merit *here, double length, double violation,
                       double cost, bool *armijo) {
    double noise = 1e-14 * (1 + fabs(here->cost)); // rounding of the cost
    bool falls = here->slope < 0 && length * pow(-here->slope, 2.3) > pow(here->violation, 1.1);
    *armijo = here->violation <= search->violation_min && falls;
    if (!filter_accepts(search, violation, cost))
        return false;
    if (*armijo)
        return cost <= here->cost + 1e-4 * length * here->slope + noise;
    return violation <= (1 - 1e-5) * here->violation ||
           cost <= here->cost - 1e-5 * here->violation + noise;
}

static void take_trial(Search *search, const Merit *here, bool armijo) {
    LitheInterior *interior = search->interior;
    if (!armijo)
        filter_add(search, (1 - 1e-5) * here->violation, here->cost - 1e-5 * here->violation);
    memcpy(interior->now.x, interior->trial.x, (size_t)interior->n * sizeof(double));
    memcpy(interior->now.s, interior->trial.s, (size_t)interior->q * sizeof(double));
    LitheStageValues keep = interior->at;
    interior->at = interior->tried;
    interior->tried = keep;
}

// Second-order correction: the same factor removes the violation that is left at the full step. The
// multipliers keep their plain step.
static bool correct(Search *search, const Merit *here, double length) {
    LitheInterior *interior = search->interior;
    LithePoint plain = interior->step;
    double *c = interior->corrected_c, *g = interior->corrected_g;
    const LithePoint *now = &interior->now;
    double last = violation_sum(interior, &interior->tried, interior->trial.s);
    if (!(last < 100 * here->violation + 1))
        return false;
    memcpy(c, interior->at.c, (size_t)interior->m * sizeof *c);
    memcpy(g, interior->at.g, (size_t)interior->q * sizeof *g);
    interior->step = interior->second;
    bool taken = false;
    for (int tries = 0; tries < 4 && !taken; tries++) {
        for (int64_t i = 0; i < interior->m; i++)
            c[i] = length * c[i] + interior->tried.c[i];
        for (int64_t i = 0; i < interior->q; i++)
            g[i] = now->s[i] + length * (g[i] - now->s[i]) + interior->tried.g[i] -
                   interior->trial.s[i];
        lithe_interior_direction(interior, search->barrier, interior->weight, c, g);
        length = longest_primal(search, &interior->step);
        double violation, cost;
        bool armijo;
        if (!try_point(search, interior->step.x, interior->step.s, length, &violation, &cost))
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
static double shortest(const Search *search, const Merit *here) {
    double least = 1e-5;
    if (here->slope < 0) {
        least = fmin(least, 1e-5 * here->violation / -here->slope);
        if (here->violation <= search->violation_min)
            least = fmin(least, pow(here->violation, 1.1) / pow(-here->slope, 2.3));
    }
    return fmax(0.05 * least, 1e-13);
}

static bool line_search(Search *search) {
    LitheInterior *interior = search->interior;
    Merit here = {violation_sum(interior, &interior->at, interior->now.s), 0, slope_of(search)};
    here.cost = interior->at.cost +
                search->barrier * barrier_terms(interior, interior->now.x, interior->now.s);
    double length = longest_primal(search, &interior->step), least = shortest(search, &here);
    for (bool first = true; length > least; length *= 0.5, first = false) {
        double violation, cost;
        bool armijo;
        if (!try_point(search, interior->step.x, interior->step.s, length, &violation, &cost))
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
static void move_multipliers(Search *search, double primal, double dual) {
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

// --- restoration: the violation alone ----------------------------------------------------------

// half the sum of squares of violated constraints over `soft`, and the barrier of the bounds
static double restoration_merit(const Search *search, const LitheStageValues *values,
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
static bool restoration_step(Search *search, double regular, double soft, double *slope) {
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
static bool restore(Search *search) {
    LitheInterior *interior = search->interior;
    double start = violation_sum(interior, &interior->at, interior->now.s);
    double cost = interior->at.cost +
                  search->barrier * barrier_terms(interior, interior->now.x, interior->now.s);
    filter_add(search, (1 - 1e-5) * start, cost - 1e-5 * start);
    const double soft = fmax(1e-8, 1e-2 * search->barrier);
    double regular = 1e-4 * sqrt(search->barrier);
    for (int tries = 0; tries < 100; tries++) {
        double slope;
        while (!restoration_step(search, regular, soft, &slope) || slope > 0)
            if ((regular *= 10) > 1e8)
                return false;
        double here = restoration_merit(search, &interior->at, interior->now.x, soft);
        double length = longest_primal(search, &interior->step), least = 1e-8 * length;
        bool moved = false;
        for (; length > least && !moved; length *= 0.5) {
            double violation, unused;
            if (!try_point(search, interior->step.x, interior->step.s, length, &violation, &unused))
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
        centre(interior, search->barrier, true);
        double violation = violation_sum(interior, &interior->at, interior->now.s);
        double now = interior->at.cost +
                     search->barrier * barrier_terms(interior, interior->now.x, interior->now.s);
        if (violation <= 0.9 * start && filter_accepts(search, violation, now)) {
            estimate_multipliers(interior);
            return true;
        }
        if (-slope < 1e-12 * (1 + fabs(here)))
            return false;
    }
    return false;
}

// --- the loop ------------------------------------------------------------------------------------

// the least violation counts first, then the cost
static void keep_best(Search *search) {
    LitheInterior *interior = search->interior;
    double violation = violation_max(interior, &interior->at),
           tolerance = search->setting->tolerance;
    bool feasible = violation <= tolerance, before = search->best_violation <= tolerance;
    bool better = feasible && before ? interior->at.cost < search->best_cost
                                     : violation < search->best_violation;
    if (!better)
        return;
    search->best_violation = violation;
    search->best_cost = interior->at.cost;
    memcpy(interior->best, interior->now.x, (size_t)interior->n * sizeof(double));
}

static void fill_state(Search *search) {
    const LitheInterior *interior = search->interior;
    LitheInteriorState *state = search->state;
    state->cost = interior->at.cost;
    state->violation = violation_max(interior, &interior->at);
    state->dual = largest(interior->n, interior->stationary);
    state->products = product_error(interior, 0);
    state->barrier = search->barrier;
}

static void lower_barrier(Search *search) {
    while (search->barrier > search->floor &&
           error_of(search, search->barrier) <= 10 * search->barrier) {
        search->barrier =
            fmax(search->floor, fmin(0.2 * search->barrier, pow(search->barrier, 1.5)));
        search->filter_count = 0;
    }
}

static LitheInteriorEnd iterate(Search *search) {
    LitheInterior *interior = search->interior;
    const LitheInteriorSetting *setting = search->setting;
    bool moved = true; // since the last restoration
    for (;; search->state->iteration++) {
        lithe_interior_derivatives(interior, true);
        fill_state(search);
        keep_best(search);
        if (setting->report != NULL && !setting->report(setting->user, search->state))
            return LITHE_INTERIOR_STOPPED;
        if (error_of(search, 0) <= setting->tolerance)
            return LITHE_INTERIOR_CONVERGED;
        if (search->state->iteration >= setting->iterations)
            return LITHE_INTERIOR_ITERATIONS;
        if (lithe_clock() - search->began > setting->seconds)
            return LITHE_INTERIOR_TIME;
        lower_barrier(search);
        bool stepped = factor_corrected(search);
        if (stepped) {
            lithe_interior_direction(interior, search->barrier, interior->weight, interior->at.c,
                                     interior->at.g);
            stepped = line_search(search);
        }
        if (stepped) {
            move_multipliers(search, search->state->step, longest_dual(search));
            moved = true;
            continue;
        }
        if (violation_max(interior, &interior->at) <= setting->tolerance && !moved)
            return LITHE_INTERIOR_STALLED;
        if (!restore(search))
            return violation_max(interior, &interior->at) <= setting->tolerance
                       ? LITHE_INTERIOR_STALLED
                       : LITHE_INTERIOR_INFEASIBLE;
        moved = false;
    }
}

LitheInteriorEnd lithe_interior_solve(LitheInterior *interior, const LitheInteriorSetting *setting,
                                      double *x, LitheInteriorState *state) {
    *state = (LitheInteriorState){0};
    Search search = {.interior = interior,
                     .setting = setting,
                     .state = state,
                     .barrier = setting->barrier,
                     .floor = 0.1 * setting->tolerance,
                     .best_violation = INFINITY,
                     .began = lithe_clock()};
    memcpy(interior->now.x, x, (size_t)interior->n * sizeof(double));
    push_inside(interior, interior->now.x);
    if (!lithe_interior_values(interior, interior->now.x, &interior->at))
        return LITHE_INTERIOR_NOT_FINITE;
    memset(interior->now.y, 0, (size_t)interior->m * sizeof(double));
    centre(interior, search.barrier, true);
    lithe_interior_derivatives(interior, false);
    estimate_multipliers(interior);
    double start = violation_sum(interior, &interior->at, interior->now.s);
    search.violation_max = 1e4 * fmax(1, start);
    search.violation_min = 1e-4 * fmax(1, start);
    LitheInteriorEnd end = iterate(&search);
    memcpy(x, end == LITHE_INTERIOR_CONVERGED ? interior->now.x : interior->best,
           (size_t)interior->n * sizeof(double));
    if (end != LITHE_INTERIOR_CONVERGED) {
        state->cost = search.best_cost;
        state->violation = search.best_violation;
    }
    return end;
}
