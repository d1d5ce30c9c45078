// SPDX-License-Identifier: Apache-2.0
// plan/turn.c - a plan that turns a ball, level by level
//
// The first level leaves out the equations of motion of the arm: its solution says where and when
// to touch; it need not be accurate. The others have them. The relaxation falls with the barrier
// parameter of one solve, or level by level. The last level is repeated where contacts must press,
// and where the end is exact.

#include "plan/turn.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"

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

// before the first level
static bool ends(void *user) {
    Solve *solve = user;
    const LitheTurn *turn = &solve->problem->turn;
    LitheTurnLevel *first = solve->result->levels;
    return lithe_clock() - solve->began > turn->seconds ||
           (turn->report != NULL && !turn->report(turn->user, first));
}

// where the relaxation of a level begins and ends; the same: it does not change
typedef struct Range {
    double first, last;
} Range;

typedef struct Follower {
    LitheTurnProblem *problem;
    Range range;
} Follower;

// An end below the tolerance is reached with it: the barrier parameter need not fall so far.
static void follow(void *user, double barrier) {
    const Follower *follower = user;
    const Range *range = &follower->range;
    double least = barrier <= follower->problem->turn.setting.tolerance ? range->last : barrier;
    lithe_turn_relax(follower->problem, fmin(range->first, fmax(range->last, least)), true);
}

static void solve_level(Solve *solve, Range range, bool dynamic, bool warm) {
    LitheTurnProblem *p = solve->problem;
    const LitheTurn *turn = &p->turn;
    if (solve->stopped)
        return;
    LitheTurnLevel *level = solve->level = &solve->result->levels[solve->result->level_count++];
    lithe_turn_relax(p, range.first, dynamic);
    LitheInteriorSetting setting = turn->setting;
    Follower follower = {p, range};
    setting.barrier = dynamic ? range.first : 0.1;
    if (!dynamic) {
        setting.tolerance = fmax(setting.tolerance, 1e-2);
        setting.violation = fmax(setting.violation, 1e-4);
        setting.iterations = setting.iterations < 150 ? setting.iterations : 150;
    }
    if (range.last < range.first) {
        setting.relax = follow;
        setting.relaxed = &follower;
    }
    setting.warm = warm;
    setting.seconds = fmin(setting.seconds, turn->seconds - (lithe_clock() - solve->began));
    setting.report = report;
    setting.user = solve;
    double began = lithe_clock();
    level->epsilon = range.last;
    level->dynamic = dynamic;
    level->error_before = lithe_turn_error(turn, solve->x);
    level->end = lithe_interior_solve(solve->interior, &setting, solve->x, &level->state);
    level->error = lithe_turn_error(turn, solve->x);
    level->seconds = lithe_clock() - began;
    solve->stopped = level->end == LITHE_INTERIOR_STOPPED || level->end == LITHE_INTERIOR_TIME;
}

bool lithe_turn_converged(const LitheTurnResult *result) {
    int32_t last = result->level_count - 1;
    return last >= 0 && result->levels[last].dynamic &&
           result->levels[last].end == LITHE_INTERIOR_CONVERGED;
}

// All levels of a problem whose end has a cost.
static void solve_relaxed(Solve *solve) {
    LitheTurnProblem *p = solve->problem;
    const LitheTurn *turn = &p->turn;
    const double *epsilon = turn->epsilon, last = epsilon[turn->levels - 1];
    if (turn->kinematic > 0) { // it has no efforts
        for (int32_t k = 0; k < turn->stages; k++)
            memset(solve->x + (int64_t)k * p->problem.variables + LITHE_AT_EFFORT, 0,
                   sizeof p->hold);
        solve_level(solve, (Range){turn->kinematic, turn->kinematic}, false, false);
    }
    if (!solve->stopped && turn->guess == NULL) {
        lithe_turn_relax(p, epsilon[0], true);
        lithe_turn_drive(p, solve->x);
    }
    if (turn->levels == 2)
        solve_level(solve, (Range){epsilon[0], last}, true, false);
    for (int32_t i = 0; i < turn->levels && turn->levels != 2; i++)
        solve_level(solve, (Range){epsilon[i], epsilon[i]}, true, i > 0);
    if (turn->press > 0 && !solve->stopped) {
        lithe_turn_press(p, solve->x);
        solve_level(solve, (Range){epsilon[0], last}, true, false);
        solve->level->pressed = true;
    }
}

// The last level again, with the end as a constraint. From the first level on it would make all of
// them slow, and the last one stall.
static void solve_exact(Solve *solve) {
    LitheTurnProblem *p = solve->problem;
    const LitheTurn *turn = &p->turn;
    if (turn->press > 0)
        lithe_turn_press(p, solve->x);
    lithe_turn_fix_end(p);
    double last = turn->epsilon[turn->levels - 1];
    solve_level(solve, (Range){last, last}, true, false);
    solve->level->exact = true;
    solve->level->pressed = turn->press > 0;
}

LitheTurn lithe_turn_refine(const LitheTurn *turn, const double *x, double *guess) {
    LitheTurn fine = *turn;
    LitheBallTask plain = turn->model; // the first problem of an exact end is without it
    plain.exact = false;
    int32_t from = lithe_ball_task_variables(&turn->model), n = lithe_ball_task_variables(&plain);
    fine.stages = 2 * turn->stages;
    fine.model.step = 0.5 * turn->model.step;
    fine.guess = guess;
    fine.kinematic = 0;
    // a larger relaxation would forget which steps touch
    fine.epsilon[0] = fmin(turn->epsilon[0], fmax(1e-5, turn->epsilon[turn->levels - 1]));
    fine.epsilon[1] = turn->epsilon[turn->levels - 1];
    fine.levels = fine.epsilon[1] < fine.epsilon[0] ? 2 : 1;
    for (int32_t k = 0; k < turn->stages; k++) {
        const double *end = x + (int64_t)k * from, *start = end - from;
        double *middle = guess + 2 * (int64_t)k * n, *last = middle + n;
        memcpy(last, end, (size_t)n * sizeof(double));
        memcpy(middle, end, (size_t)n * sizeof(double)); // speeds and forces last for both halves
        for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
            middle[LITHE_AT_LENGTHS + i] -= 0.5 * turn->model.step * end[LITHE_AT_SPEEDS + i];
        double before[4] = {1, 0, 0, 0}, size = 0;
        for (int i = 0; i < 4; i++) {
            middle[LITHE_AT_QUATERNION + i] +=
                k > 0 ? start[LITHE_AT_QUATERNION + i] : before[i]; // half-way, then of unit length
            size = hypot(size, middle[LITHE_AT_QUATERNION + i]);
        }
        for (int i = 0; i < 4; i++)
            middle[LITHE_AT_QUATERNION + i] /= size;
        for (int32_t c = 0; c < plain.contact_count && k > 0; c++) {
            int32_t gap = LITHE_AT_GAP + lithe_ball_task_shift(&plain, c);
            middle[gap] = 0.5 * (start[gap] + end[gap]);
        }
    }
    return fine;
}

// room for the variables of an exact end, which are 0
static void spread(const LitheTurn *turn, int32_t from, int32_t to, double *x) {
    for (int32_t k = turn->stages - 1; k >= 0; k--) {
        memmove(x + (int64_t)k * to, x + (int64_t)k * from, (size_t)from * sizeof *x);
        memset(x + (int64_t)k * to + from, 0, (size_t)(to - from) * sizeof *x);
    }
}

// One problem: with the end as a cost, or the exact one from the plan in solve->x.
static LitheStatus solve_problem(LitheContext *context, const LitheTurn *turn, Solve *solve,
                                 bool exact, LitheError *error) {
    LitheTurnProblem problem;
    LitheTurn own = *turn;
    own.model.exact = exact;
    int32_t n = lithe_ball_task_variables(&own.model);
    double *start =
        exact ? lithe_alloc_array(context, (int64_t)turn->stages * n, sizeof(double)) : solve->x;
    if (start == NULL)
        return lithe_fail_memory(error, "a plan");
    LitheStatus status = lithe_turn_begin(context, &own, &problem, start, error);
    if (exact)
        lithe_free(context, start);
    if (status != LITHE_OK)
        return status;
    solve->problem = &problem;
    if (!exact && turn->guess != NULL)
        memcpy(solve->x, turn->guess, (size_t)turn->stages * (size_t)n * sizeof(double));
    problem.problem.ends = ends;
    problem.problem.ends_user = solve;
    status = lithe_interior_create(context, &problem.problem, &solve->interior, error);
    if (status == LITHE_OK) {
        if (exact)
            solve_exact(solve);
        else
            solve_relaxed(solve);
        status = lithe_turn_measure(&problem, solve->x, solve->result, error);
    }
    lithe_interior_destroy(solve->interior);
    solve->interior = NULL;
    lithe_turn_end(&problem);
    return status;
}

LitheStatus lithe_turn_solve(LitheContext *context, const LitheTurn *turn, double *x,
                             LitheTurnResult *result, LitheError *error) {
    *result = (LitheTurnResult){0};
    Solve solve = {.result = result, .x = x, .began = lithe_clock()};
    LitheStatus status = solve_problem(context, turn, &solve, false, error);
    if (status != LITHE_OK || !turn->model.exact)
        return status;
    LitheBallTask plain = turn->model;
    plain.exact = false;
    spread(turn, lithe_ball_task_variables(&plain), lithe_ball_task_variables(&turn->model), x);
    return solve.stopped ? LITHE_OK : solve_problem(context, turn, &solve, true, error);
}
