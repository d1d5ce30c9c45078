// SPDX-License-Identifier: Apache-2.0
// cli/validate/ball_turn_solvers.c - plans of a turn by two methods, each verified
//
// From one cold start both methods find a plan; the problem has many optima, so their costs are
// reported. Each then starts at the end of the other and must stay, and stationarity is checked by
// the functions alone.

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/ipopt.h"
#include "plan/turn.h"

#include <math.h>
#include <string.h>

enum { STAGES = 40, DIRECTIONS = 4 };
#define LAST 1e-6 // epsilon

// a problem at its last epsilon, with both methods
typedef struct Bench {
    LitheContext *context;
    LitheTurnProblem problem;
    LitheInterior *interior;
    LitheNlp nlp;
    LitheNlpMultipliers by;
    double *memory, *gradient, *g, *jacobian;
} Bench;

static LitheStatus bench_begin(Bench *b, LitheContext *context, const LitheTurn *turn, double *x,
                               LitheError *error) {
    *b = (Bench){.context = context};
    LitheStatus status = lithe_turn_begin(context, turn, &b->problem, x, error);
    if (status != LITHE_OK)
        return status;
    lithe_turn_relax(&b->problem, LAST, true);
    status = lithe_interior_create(context, &b->problem.problem, &b->interior, error);
    if (status == LITHE_OK)
        status = lithe_nlp_begin(context, &b->problem.problem, &b->nlp, error);
    if (status != LITHE_OK)
        return status;
    int64_t n = b->nlp.variables, m = b->nlp.constraints;
    b->memory = lithe_alloc_array(context, 3 * n + 2 * m + b->nlp.jacobian_count, sizeof(double));
    if (b->memory == NULL)
        return lithe_fail_memory(error, "a plan");
    b->by = (LitheNlpMultipliers){b->memory, b->memory + m, b->memory + m + n};
    b->gradient = b->memory + m + 2 * n;
    b->g = b->gradient + n;
    b->jacobian = b->g + m;
    return LITHE_OK;
}

static void bench_end(Bench *b) {
    lithe_free(b->context, b->memory);
    lithe_nlp_end(&b->nlp);
    lithe_interior_destroy(b->interior);
    if (b->problem.context != NULL)
        lithe_turn_end(&b->problem);
}

static double kkt(Bench *b, const double *x) {
    LitheNlpError e = lithe_nlp_check(&b->nlp, x, &b->by, b->gradient, b->g, b->jacobian);
    return fmax(e.stationary, fmax(e.violation, e.products));
}

// the own method from x, which receives its end
static LitheInteriorEnd own_from(Bench *b, double *x, bool warm) {
    LitheInteriorSetting setting = lithe_interior_setting();
    LitheInteriorState state;
    setting.barrier = 1e-6;
    setting.warm = warm;
    if (warm)
        lithe_nlp_start_from(&b->nlp, &b->by, b->interior);
    LitheInteriorEnd end = lithe_interior_solve(b->interior, &setting, x, &state);
    lithe_nlp_multipliers(&b->nlp, b->interior, &b->by);
    return end;
}

static bool ipopt_from(Bench *b, double *x) {
    const LitheIpoptSetting setting = {.barrier = 1e-7,
                                       .last = 1e-7,
                                       .tolerance = 1e-8,
                                       .iterations = 500,
                                       .seconds = INFINITY,
                                       .warm = true};
    LitheIpoptResult result;
    return lithe_ipopt_solve(&b->nlp, &setting, x, &b->by, &result) && result.status == 0;
}

// A plan of one method: the own method polishes it and gives multipliers, then IPOPT starts there,
// then the own method again.
static LitheStatus verify(LitheTrial *trial, const LitheTurn *turn, const double *plan, char axis,
                          const char *by) {
    int64_t n = (int64_t)turn->stages * lithe_ball_task_variables(&turn->model);
    double *x = lithe_alloc_array(trial->context, n, sizeof *x);
    if (x == NULL)
        return lithe_fail_memory(&trial->error, "a plan");
    Bench bench;
    LitheStatus status = bench_begin(&bench, trial->context, turn, x, &trial->error);
    if (status == LITHE_OK) {
        memcpy(x, plan, (size_t)n * sizeof *x);
        double cost = lithe_nlp_values(&bench.nlp, x, NULL);
        bool stays = own_from(&bench, x, false) == LITHE_INTERIOR_CONVERGED;
        double own = lithe_nlp_values(&bench.nlp, x, NULL), own_error = kkt(&bench, x);
        stays = ipopt_from(&bench, x) && stays;
        double other = lithe_nlp_values(&bench.nlp, x, NULL), other_error = kkt(&bench, x);
        stays = own_from(&bench, x, true) == LITHE_INTERIOR_CONVERGED && stays;
        double back = lithe_nlp_values(&bench.nlp, x, NULL);
        if (!lithe_trial_add(trial, reported(cost), "about %c, %s: cost", axis, by) ||
            !lithe_trial_add(trial, at_most(!stays, 0), "about %c, %s: did not stay (1) [1]", axis,
                             by) ||
            !lithe_trial_add(trial, at_most(fabs(own / cost - 1), 1e-4),
                             "about %c, %s: change of the cost by the own method", axis, by) ||
            !lithe_trial_add(trial, at_most(own_error, 1e-6),
                             "about %c, %s: error of stationarity there", axis, by) ||
            !lithe_trial_add(trial, at_most(fabs(other / own - 1), 1e-4),
                             "about %c, %s: change of the cost by IPOPT from there", axis, by) ||
            !lithe_trial_add(trial, at_most(other_error, 1e-6),
                             "about %c, %s: error of stationarity there (IPOPT)", axis, by) ||
            !lithe_trial_add(trial, at_most(fabs(back / other - 1), 1e-4),
                             "about %c, %s: change of the cost, own from IPOPT's", axis, by))
            status = LITHE_NO_MEMORY;
    }
    bench_end(&bench);
    lithe_free(trial->context, x);
    return status;
}

bool lithe_case_ball_turn_solvers(LitheTrial *trial) {
    const char *reason;
    if (!lithe_ipopt_found(&reason))
        return lithe_trial_add(trial, reported(0), "skipped, IPOPT is not there: %s", reason);
    LitheStatus status = LITHE_OK;
    for (int32_t axis = 0; axis < 3 && status == LITHE_OK; axis++) {
        LitheTurn turn = lithe_turn_about(axis, STAGES);
        LitheTurnResult result;
        turn.model.directions = DIRECTIONS;
        turn.kinematic = 0; // cold
        turn.setting.iterations = 2000;
        int64_t n = (int64_t)STAGES * lithe_ball_task_variables(&turn.model);
        double *x = lithe_alloc_array(trial->context, n, sizeof *x);
        if (x == NULL)
            return lithe_fail_memory(&trial->error, "a plan") == LITHE_OK;
        for (int k = 0; k < 2 && status == LITHE_OK; k++) {
            const char *by = k == 0 ? "own" : "IPOPT";
            status = k == 0 ? lithe_turn_solve(trial->context, &turn, x, &result, &trial->error)
                            : lithe_turn_solve_ipopt(trial->context, &turn, x, &result, NULL,
                                                     &trial->error);
            bool found = status == LITHE_OK && lithe_turn_converged(&result);
            double seconds = 0;
            for (int i = 0; i < result.level_count; i++)
                seconds += result.levels[i].seconds;
            if (status == LITHE_OK &&
                (!lithe_trial_add(trial, reported(found), "about %c, %s: converged (1)",
                                  (char)('x' + axis), by) ||
                 !lithe_trial_add(trial, reported(result.error), "about %c, %s: 1 - (q.q*)^2",
                                  (char)('x' + axis), by) ||
                 !lithe_trial_add(trial, reported(seconds), "about %c, %s: wall time [s]",
                                  (char)('x' + axis), by)))
                status = LITHE_NO_MEMORY;
            if (found && status == LITHE_OK)
                status = verify(trial, &turn, x, (char)('x' + axis), by);
        }
        lithe_free(trial->context, x);
    }
    return status == LITHE_OK;
}
