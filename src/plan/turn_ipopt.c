// SPDX-License-Identifier: Apache-2.0
// plan/turn_ipopt.c - the plan of a turn by IPOPT: level by level, each from the one before
//
// The barrier parameter of IPOPT does not say when to tighten, so the relaxation falls by a hundred
// from level to level; only the last one is solved accurately.

#include "plan/turn.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/ipopt.h"

#include <math.h>
#include <string.h>

#define VIOLATED 1e-6 // a plan that violates a constraint by more has not converged

typedef struct Solve {
    LitheTurnProblem problem;
    LitheNlp nlp;
    LitheNlpMultipliers by;
    double *memory;
    LitheTurnResult *result;
    double began;
    double *x;
    bool refused; // by the library, or out of memory
} Solve;

static bool each(void *user, const LitheIpoptState *state) {
    Solve *s = user;
    LitheTurnLevel *level = &s->result->levels[s->result->level_count - 1];
    const LitheTurn *turn = &s->problem.turn;
    level->state.iteration = state->iteration;
    level->state.factors = state->iteration;
    level->state.cost = state->cost;
    level->state.violation = state->violation;
    level->seconds = lithe_clock() - s->began;
    return turn->report == NULL || turn->report(turn->user, level);
}

static LitheInteriorEnd end_of(int32_t status) {
    switch (status) { // its own numbers
    case 0:
    case 1:
        return LITHE_INTERIOR_CONVERGED;
    case 2:
        return LITHE_INTERIOR_INFEASIBLE;
    case 5:
        return LITHE_INTERIOR_STOPPED;
    case -1:
        return LITHE_INTERIOR_ITERATIONS;
    case -4:
        return LITHE_INTERIOR_TIME;
    case -13:
        return LITHE_INTERIOR_NOT_FINITE;
    default:
        return LITHE_INTERIOR_STALLED;
    }
}

// epsilon of the last level at the end, and a hundred times as much before
static bool solve_level(Solve *s, double epsilon, bool dynamic, bool last) {
    const LitheTurn *turn = &s->problem.turn;
    LitheTurnResult *result = s->result;
    if (result->level_count == LITHE_TURN_LEVELS)
        return true;
    LitheTurnLevel *level = &result->levels[result->level_count++];
    double began = lithe_clock(), left = turn->seconds - (began - s->began);
    lithe_turn_relax(&s->problem, epsilon, dynamic);
    *level = (LitheTurnLevel){
        .epsilon = epsilon, .dynamic = dynamic, .error_before = lithe_turn_error(turn, s->x)};
    const LitheIpoptSetting setting = {.barrier = dynamic ? fmin(1e-2, 100 * epsilon) : 0.1,
                                       .tolerance = last      ? turn->setting.tolerance
                                                    : dynamic ? 1e-3
                                                              : 1e-2,
                                       .violation = last      ? 1e-9
                                                    : dynamic ? 1e-6
                                                              : 1e-4,
                                       .iterations = dynamic ? 6 * turn->setting.iterations : 150,
                                       .seconds = left,
                                       .report = each,
                                       .user = s};
    LitheIpoptResult found = {0};
    s->refused = left > 0 && !lithe_ipopt_solve(&s->nlp, &setting, s->x, &s->by, &found);
    if (s->refused || !(left > 0)) {
        level->end = s->refused ? LITHE_INTERIOR_STALLED : LITHE_INTERIOR_TIME;
        return false;
    }
    level->end = end_of(found.status);
    level->state.iteration = level->state.factors = found.iterations;
    level->state.cost = found.cost;
    level->error = lithe_turn_error(turn, s->x);
    level->seconds = lithe_clock() - began;
    return level->end != LITHE_INTERIOR_STOPPED && level->end != LITHE_INTERIOR_TIME;
}

static void solve_all(Solve *s) {
    LitheTurnProblem *p = &s->problem;
    const LitheTurn *turn = &p->turn;
    double last = turn->epsilon[turn->levels - 1];
    if (turn->kinematic > 0 && !solve_level(s, turn->kinematic, false, false))
        return;
    for (int32_t k = 0; k < turn->stages; k++)
        memcpy(s->x + (int64_t)k * p->problem.variables + LITHE_AT_EFFORT, p->hold, sizeof p->hold);
    for (double epsilon = turn->epsilon[0]; epsilon > last * 1.5; epsilon *= 1e-2)
        if (!solve_level(s, epsilon, true, false))
            return;
    if (solve_level(s, last, true, true) && turn->press > 0) {
        lithe_turn_press(p, s->x);
        if (solve_level(s, last, true, true))
            s->result->levels[s->result->level_count - 1].pressed = true;
    }
}

// What a library says of its result is not relied upon: one of other integers or another precision
// may end at once, and an "acceptable" end of IPOPT may violate constraints.
static LitheStatus distrust(LitheTurnResult *result, LitheError *error) {
    int64_t iterations = 0;
    for (int32_t i = 0; i < result->level_count; i++)
        iterations += result->levels[i].state.iteration;
    if (!lithe_turn_converged(result) || result->worst <= VIOLATED)
        return LITHE_OK;
    if (iterations == 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "IPOPT says that it converged, but made no iteration and violates a "
                          "constraint by %.3g: its library does not fit",
                          result->worst);
    result->levels[result->level_count - 1].end = LITHE_INTERIOR_STALLED;
    return LITHE_OK;
}

LitheStatus lithe_turn_solve_ipopt(LitheContext *context, const LitheTurn *turn, double *x,
                                   LitheTurnResult *result, LitheNlpError *check,
                                   LitheError *error) {
    const char *reason;
    *result = (LitheTurnResult){0};
    if (!lithe_ipopt_found(&reason))
        return lithe_fail(error, LITHE_BAD_INPUT, "IPOPT is not there: %s", reason);
    if (turn->model.exact)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "IPOPT solves plans whose end is a cost (end: cost), not an exact end");
    Solve s = {.result = result, .began = lithe_clock(), .x = x};
    LitheStatus status = lithe_turn_begin(context, turn, &s.problem, x, error);
    if (status != LITHE_OK)
        return status;
    status = lithe_nlp_begin(context, &s.problem.problem, &s.nlp, error);
    int64_t n = s.nlp.variables, m = s.nlp.constraints;
    if (status == LITHE_OK) {
        s.memory = lithe_alloc_array(context, 3 * n + 2 * m + s.nlp.jacobian_count, sizeof(double));
        if (s.memory == NULL)
            status = lithe_fail_memory(error, "a plan");
    }
    if (status == LITHE_OK) {
        double *gradient = s.memory + m + 2 * n, *g = gradient + n;
        s.by = (LitheNlpMultipliers){s.memory, s.memory + m, s.memory + m + n};
        solve_all(&s);
        if (check != NULL)
            *check = lithe_nlp_check(&s.nlp, x, &s.by, gradient, g, g + m);
        status =
            s.refused
                ? lithe_fail(
                      error, LITHE_BAD_INPUT,
                      "IPOPT does not take the problem: out of memory, or its library does not fit")
                : lithe_turn_measure(&s.problem, x, result, error);
        if (status == LITHE_OK)
            status = distrust(result, error);
    }
    lithe_free(context, s.memory);
    lithe_nlp_end(&s.nlp);
    lithe_turn_end(&s.problem);
    return status;
}
