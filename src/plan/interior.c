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

        .tolerance = 1e-6,
        .violation = 1e-8,
        .barrier = 0.1,
        .iterations = 500,
        .seconds = INFINITY};
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

// A diagonal that is so large says that the multipliers of the equations, which make the Hessian
// indefinite, are of no use: they would grow with it from step to step.
#define REGULAR_LARGE 1e4
#define REGULAR_MAX 1e10

// --- memory --------------------------------------------------------------------------------------

// The arrays of numbers and their lengths, in one block; before the matrix is there only the size
// of the block.
static bool take_memory(LitheInterior *interior, double *bytes) {
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
    PART(output, outputs * LITHE_TAPE_POINTS);
    PART(pair, 2 * (int64_t)problem->variables);
    PART(right, all);
    PART(solution, all);
    PART(residual, all);
    PART(scale, all);
    PART(diagonal, n);
    PART(price, q);
    PART(weight, q);
    PART(corrected_c, m);
    PART(corrected_g, q);
    PART(best, n);
#define POINT(member) \
    PART(member.x, n), PART(member.s, q), PART(member.z, q), PART(member.t, q), PART(member.y, m), \
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
    *bytes = sizeof(double) * (double)total;
    if (interior->matrix.stages == 0) // only counts
        return true;
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

#define GIGA 1e9
// bytes from which on it may take longer to get them than to iterate
#define SLOW (0.2 * GIGA)

// whether the machine has the memory for all stages
static LitheStatus check_memory(LitheInterior *made, int32_t links, bool *slow, LitheError *error) {
    const LitheStageProblem *problem = &made->problem;
    double own = 0, left = lithe_memory_left();
    take_memory(made, &own);
    double bytes =
        own + lithe_reduced_bytes(&made->reduced) +
        lithe_stage_matrix_bytes(problem->stages, problem->variables + problem->equations, links);
    *slow = bytes > SLOW;
    if (bytes <= left)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "a plan of %d steps needs %.3g GB of memory, and %.3g GB are left: fewer "
                      "steps",
                      (int)problem->stages, bytes / GIGA, left / GIGA);
}

// All arrays of the stages. Memory is slow to get where it is much: between them it may be time to
// stop.
static LitheStatus make_matrices(LitheInterior *made, int32_t links, const int32_t *link, bool slow,
                                 LitheError *error) {
    const LitheStageProblem *problem = &made->problem;
    double bytes;
    bool done = true;
    for (int part = 0; part < 3 && done; part++) {
        if (slow && problem->ends != NULL && problem->ends(problem->ends_user))
            return lithe_fail(error, LITHE_CANNOT_GO_ON,
                              "the limit of time, or a stop, came before the matrices of %d steps "
                              "were made",
                              (int)problem->stages);
        done = part == 0
                   ? lithe_stage_matrix_begin(&made->matrix, made->context, problem->stages,
                                              problem->variables + problem->equations, links, link)
               : part == 1 ? take_memory(made, &bytes)
                           : lithe_reduced_open(&made->reduced);
    }
    return done ? LITHE_OK : lithe_fail_memory(error, "a plan");
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
    LitheStatus status = LITHE_OK;
    bool slow = false, known = made->tape != NULL && made->link_of != NULL;
    int32_t links = known ? find_links(made, link) : 0;
    known = known && lithe_reduced_begin(&made->reduced, context, problem, links, made->link_of);
    status = known ? check_memory(made, links, &slow, error) : lithe_fail_memory(error, "a plan");
    if (status == LITHE_OK)
        status = make_matrices(made, links, link, slow, error);
    lithe_free(context, link);
    if (status != LITHE_OK) {
        lithe_interior_destroy(made);
        return status;
    }
    made->matrix.meter = made->reduced.meter = &made->meter;
    *interior = made;
    return LITHE_OK;
}

void lithe_interior_destroy(LitheInterior *interior) {
    if (interior == NULL)
        return;
    if (interior->matrix.context != NULL)
        lithe_stage_matrix_end(&interior->matrix);
    lithe_reduced_end(&interior->reduced);
    lithe_tape_work_free(interior->tape);
    lithe_free(interior->context, interior->link_of);
    lithe_free(interior->context, interior->memory);
    lithe_free(interior->context, interior);
}

// --- the loop ------------------------------------------------------------------------------------

// into the interior of the bounds
static void push_inside(LitheInterior *interior, double push, double *x) {
    for (int64_t i = 0; i < interior->n; i++) {
        double lower = interior->problem.lower[i], upper = interior->problem.upper[i];
        double low = lower, high = upper;
        if (lower > -INFINITY)
            low = lower + fmin(push * fmax(1, fabs(lower)),
                               upper < INFINITY ? push * (upper - lower) : INFINITY);
        if (upper < INFINITY)
            high = upper - fmin(push * fmax(1, fabs(upper)),
                                lower > -INFINITY ? push * (upper - lower) : INFINITY);
        x[i] = fmin(fmax(x[i], low), high);
    }
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
    for (int64_t i = 0; i < interior->q; i++) {
        most = fmax(most, fabs(now->z[i] * now->s[i] - barrier));
        if (interior->price[i] > 0)
            most = fmax(most, fabs((interior->price[i] - now->z[i]) * now->t[i] - barrier));
    }
    return most;
}

// The largest residual; those of stationarity and complementarity over the mean size of the
// multipliers where that exceeds 100, since rounding grows with them.
static double error_of(const LitheSearch *search, double barrier) {
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
    double violation = lithe_interior_largest(interior->m, interior->at.c);
    for (int64_t i = 0; i < interior->q; i++)
        violation = fmax(violation, fabs(interior->at.g[i] + now->t[i] - now->s[i]));
    double dual = lithe_interior_largest(interior->n, interior->stationary) / scale;
    return fmax(fmax(dual, violation), product_error(interior, barrier) / scale);
}

// Newton's matrix with the right number of negative eigenvalues and `least` or more on the
// diagonal; false when none was found
static bool factor_corrected(LitheSearch *search, double least) {
    LitheInterior *interior = search->interior;
    lithe_interior_weights(interior);
    // a correction that was needed in the last iteration is likely to be needed again
    double regular = search->state->regular / (search->tries > 1 ? 3 : 10);
    regular = regular < 1e-6 ? least : fmax(regular, least);
    for (int tries = 0; tries < 40 && !lithe_meter_given_up(&interior->meter); tries++) {
        search->tries = tries + 1;
        int32_t negative =
            lithe_interior_factor(interior, true, interior->weight, regular, search->soft);
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
        if (regular > REGULAR_MAX)
            return false;
    }
    return false;
}

// the least violation counts first, then the cost
static void keep_best(LitheSearch *search) {
    LitheInterior *interior = search->interior;
    double violation = lithe_interior_worst(interior, &interior->at),
           tolerance = search->setting->violation;
    bool feasible = violation <= tolerance, before = search->best_violation <= tolerance;
    bool better = feasible && before ? interior->at.cost < search->best_cost
                                     : violation < search->best_violation;
    if (!better)
        return;
    search->best_violation = violation;
    search->best_cost = interior->at.cost;
    memcpy(interior->best, interior->now.x, (size_t)interior->n * sizeof(double));
}

static void fill_state(LitheSearch *search) {
    const LitheInterior *interior = search->interior;
    LitheInteriorState *state = search->state;
    state->cost = interior->at.cost;
    state->violation = lithe_interior_worst(interior, &interior->at);
    state->dual = lithe_interior_largest(interior->n, interior->stationary);
    state->products = product_error(interior, 0);
    state->barrier = search->barrier;
}

static void lower_barrier(LitheSearch *search) {
    while (search->barrier > search->floor &&
           error_of(search, search->barrier) <= 10 * search->barrier) {
        // a relaxation that falls along changes the problem: more slowly
        double power = search->setting->relax != NULL ? 1.25 : 1.5;
        search->barrier =
            fmax(search->floor, fmin(0.2 * search->barrier, pow(search->barrier, power)));
        search->filter_count = 0;
    }
}

bool lithe_search_ends(LitheSearch *search) {
    const LitheInteriorSetting *setting = search->setting;
    if (setting->report != NULL && !setting->report(setting->user, search->state))
        search->end = LITHE_INTERIOR_STOPPED;
    else if (lithe_clock() - search->began > setting->seconds)
        search->end = LITHE_INTERIOR_TIME;
    else
        return false;
    return true;
}

// within long loops, several times per second
static void look(void *user) {
    LitheSearch *search = user;
    if (lithe_search_ends(search))
        search->interior->stop = 1;
}

static LitheInteriorEnd iterate(LitheSearch *search) {
    LitheInterior *interior = search->interior;
    const LitheInteriorSetting *setting = search->setting;
    bool moved = true; // since the last restoration
    for (;; search->state->iteration++) {
        lithe_interior_derivatives(interior, true);
        if (lithe_meter_given_up(&interior->meter))
            return search->end;
        fill_state(search);
        keep_best(search);
        if (setting->report != NULL && !setting->report(setting->user, search->state))
            return LITHE_INTERIOR_STOPPED;
        bool relaxed = setting->relax != NULL && search->barrier > setting->tolerance;
        if (!relaxed && error_of(search, 0) <= setting->tolerance) {
            if (search->state->violation <= setting->violation)
                return LITHE_INTERIOR_CONVERGED;
            if (search->barrier <= search->floor) {
                if (lithe_interior_dearer(interior, search->barrier, setting->violation))
                    search->filter_count = 0;
                else if (lithe_interior_priceless(interior, setting->violation))
                    return LITHE_INTERIOR_INFEASIBLE;
            }
        }
        if (search->state->iteration >= setting->iterations)
            return LITHE_INTERIOR_ITERATIONS;
        if (lithe_clock() - search->began > setting->seconds)
            return LITHE_INTERIOR_TIME;
        double before = search->barrier;
        lower_barrier(search);
        if (search->barrier < before)
            lithe_interior_dearer(interior, before, INFINITY);
        if (search->barrier < before && setting->relax != NULL) {
            setting->relax(setting->relaxed, search->barrier);
            if (!lithe_interior_values(interior, interior->now.x, &interior->at))
                return LITHE_INTERIOR_NOT_FINITE;
            lithe_interior_stretch(interior, &interior->at, &interior->now);
            lithe_interior_derivatives(interior, true);
        }
        bool stepped = false;
        double least = 0;
        for (int tries = 0; tries < 5 && !stepped && factor_corrected(search, least); tries++) {
            lithe_interior_direction(interior, search->barrier, interior->weight, interior->at.c,
                                     interior->at.g);
            stepped = lithe_search_line(search);
            least = fmax(1e-4, 30 * search->state->regular); // shorter and turned to the gradient
        }
        if (lithe_meter_given_up(&interior->meter))
            return search->end;
        if (stepped) {
            lithe_search_multipliers(search, search->state->step,
                                     lithe_search_longest_dual(search));
            if (search->state->regular > REGULAR_LARGE) {
                lithe_interior_derivatives(interior, false);
                lithe_interior_estimate(interior);
            }
            moved = true;
            continue;
        }
        if (lithe_interior_worst(interior, &interior->at) <= setting->violation && !moved)
            return LITHE_INTERIOR_STALLED;
        if (!lithe_search_restore(search)) {
            keep_best(search); // where it ends shows what cannot be satisfied
            if (search->end != LITHE_INTERIOR_CONVERGED)
                return search->end;
            return lithe_interior_worst(interior, &interior->at) <= setting->violation
                       ? LITHE_INTERIOR_STALLED
                       : LITHE_INTERIOR_INFEASIBLE;
        }
        moved = false;
    }
}

LitheInteriorEnd lithe_interior_solve(LitheInterior *interior, const LitheInteriorSetting *setting,
                                      double *x, LitheInteriorState *state) {
    *state = (LitheInteriorState){0};
    LitheSearch search = {.interior = interior,
                          .setting = setting,
                          .state = state,
                          .barrier = setting->barrier,
                          .floor = 0.1 * setting->tolerance,
                          .best_violation = INFINITY,
                          .began = lithe_clock()};
    lithe_interior_prices(interior);
    memcpy(interior->now.x, x, (size_t)interior->n * sizeof(double));
    push_inside(interior, fmin(1e-2, setting->barrier), interior->now.x);
    if (!lithe_interior_values(interior, interior->now.x, &interior->at))
        return LITHE_INTERIOR_NOT_FINITE;
    memcpy(interior->best, interior->now.x, (size_t)interior->n * sizeof(double));
    interior->stop = 0;
    interior->meter.stop = &interior->stop;
    interior->meter.beat = look;
    interior->meter.beat_user = &search;
    bool began = lithe_meter_begin(&interior->meter, 0);
    if (!setting->warm)
        memset(interior->now.y, 0, (size_t)interior->m * sizeof(double));
    lithe_interior_centre(interior, search.barrier, true);
    lithe_interior_derivatives(interior, false);
    if (!setting->warm)
        lithe_interior_estimate(interior);
    double start = lithe_interior_violation(interior, &interior->at, &interior->now);
    search.violation_max = 1e4 * fmax(1, start);
    search.violation_min = 1e-4 * fmax(1, start);
    LitheInteriorEnd end = iterate(&search);
    lithe_meter_end(&interior->meter, began);
    if (search.best_violation == INFINITY) { // it ended within the first iteration
        search.best_cost = interior->at.cost;
        search.best_violation = lithe_interior_worst(interior, &interior->at);
    }
    memcpy(x, end == LITHE_INTERIOR_CONVERGED ? interior->now.x : interior->best,
           (size_t)interior->n * sizeof(double));
    if (end != LITHE_INTERIOR_CONVERGED) {
        state->cost = search.best_cost;
        state->violation = search.best_violation;
    }
    return end;
}
