// SPDX-License-Identifier: Apache-2.0
// plan/turn.c - a plan that turns a ball, level by level
//
// The first level leaves out the equations of motion of the arm: its solution says where and when
// to touch. The others have them, with less and less relaxation. The last one is repeated where
// contacts must press.

#include "plan/turn.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

typedef struct Solve {
    LitheTurnProblem *problem;
    LitheInterior *interior;
    LitheTurnResult *result;
    double *x;
    double began;
    LitheTurnLevel *level; // the present one
    bool stopped;          // by the caller, or by the limit of time
} Solve;

static bool report(void *user, const LitheInteriorState *state) {
    Solve *solve = user;
    const LitheTurn *turn = &solve->problem->turn;
    solve->level->state = *state;
    solve->level->seconds = lithe_clock() - solve->began;
    return turn->report == NULL || turn->report(turn->user, solve->level);
}

static void solve_level(Solve *solve, double epsilon, bool dynamic, bool warm) {
    LitheTurnProblem *p = solve->problem;
    const LitheTurn *turn = &p->turn;
    if (solve->stopped)
        return;
    LitheTurnLevel *level = solve->level = &solve->result->levels[solve->result->level_count++];
    lithe_turn_relax(p, epsilon, dynamic);
    LitheInteriorSetting setting = turn->setting;
    setting.barrier = dynamic ? epsilon : 0.1;
    setting.warm = warm;
    setting.seconds = fmin(setting.seconds, turn->seconds - (lithe_clock() - solve->began));
    setting.report = report;
    setting.user = solve;
    double began = lithe_clock();
    level->epsilon = epsilon;
    level->dynamic = dynamic;
    level->error_before = lithe_turn_error(turn, solve->x);
    level->end = lithe_interior_solve(solve->interior, &setting, solve->x, &level->state);
    level->error = lithe_turn_error(turn, solve->x);
    level->seconds = lithe_clock() - began;
    solve->stopped = level->end == LITHE_INTERIOR_STOPPED || level->end == LITHE_INTERIOR_TIME;
}

// the kinematic problem has no efforts
static void fill_efforts(const LitheTurnProblem *p, double *x) {
    for (int32_t k = 0; k < p->turn.stages; k++)
        memcpy(x + (int64_t)k * p->problem.variables + LITHE_AT_EFFORT, p->hold, sizeof p->hold);
}

bool lithe_turn_converged(const LitheTurnResult *result) {
    int32_t last = result->level_count - 1;
    return last >= 0 && result->levels[last].dynamic &&
           result->levels[last].end == LITHE_INTERIOR_CONVERGED;
}

LitheStatus lithe_turn_solve(LitheContext *context, const LitheTurn *turn, double *x,
                             LitheTurnResult *result, LitheError *error) {
    LitheTurnProblem problem;
    *result = (LitheTurnResult){0};
    LitheStatus status = lithe_turn_begin(context, turn, &problem, x, error);
    if (status != LITHE_OK)
        return status;
    Solve solve = {.problem = &problem, .result = result, .x = x, .began = lithe_clock()};
    status = lithe_interior_create(context, &problem.problem, &solve.interior, error);
    if (status == LITHE_OK) {
        if (turn->kinematic > 0)
            solve_level(&solve, turn->kinematic, false, false);
        if (!solve.stopped)
            fill_efforts(&problem, x);
        for (int32_t i = 0; i < turn->levels; i++)
            solve_level(&solve, turn->epsilon[i], true, i > 0);
        if (turn->press > 0 && !solve.stopped) {
            lithe_turn_press(&problem, x);
            solve_level(&solve, turn->epsilon[turn->levels - 1], true, true);
            solve.level->pressed = true;
        }
        status = lithe_turn_measure(&problem, x, result, error);
    }
    lithe_interior_destroy(solve.interior);
    lithe_turn_end(&problem);
    return status;
}
