// SPDX-License-Identifier: Apache-2.0
// plan/receding.c - replans from the plan before, shifted by a step

#include "plan/receding.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

// Of one replan: a plan that is not finished goes on in the next step, from the state of then.
enum { ITERATIONS = 32 };

// Share of the present efforts in those that cost nothing: with a half the arm keeps errors of up
// to 8 degrees rather than to hold what turns the ball; with all it wanders.
#define HELD 0.8

// Disks that are not in the plan stay off the ball: one that hits it turns it without the plan's
// knowledge, and a replan answers with a contact that is not there (without this, one of eight
// starts that differ by 1e-11 ended 35 degrees from its target). Disks half a section from those
// that touch are near enough to hit; more of them make replans slower.
#define REACH 0.6   // sections
#define MARGIN 1e-3 // m: what a step of a simulation differs from that of a plan

struct LitheReceding {
    LitheContext *context;
    LitheTurnProblem problem;
    LitheInterior *interior;
    LitheInteriorSetting setting;
    double *x; // [stages*variables]: the plan
    double epsilon;
    double hold[LITHE_PLAN_CHAMBERS]; // efforts at rest at the start
    bool begun;
};

LitheStatus lithe_receding_create(LitheContext *context, const LitheTurn *turn,
                                  LitheReceding **receding, LitheError *error) {
    *receding = NULL;
    LitheTurn own = *turn;
    own.model.exact = false;
    lithe_ball_task_keep_off(&own.model, REACH, MARGIN);
    LitheReceding *made = lithe_alloc(context, sizeof *made);
    if (made == NULL)
        return lithe_fail_memory(error, "a plan");
    int64_t all = (int64_t)own.stages * lithe_ball_task_variables(&own.model);
    made->context = context;
    made->problem.context = context;
    made->epsilon = 1e-4;
    made->setting = own.setting;
    made->setting.tolerance = 10 * made->epsilon;
    made->setting.violation = 1e-4;
    made->x = lithe_alloc_array(context, all, sizeof(double));
    LitheStatus status = made->x != NULL ? LITHE_OK : lithe_fail_memory(error, "a plan");
    if (status == LITHE_OK)
        status = lithe_turn_begin(context, &own, &made->problem, made->x, error);
    // epsilon stays: products that hold in the plan before do not become violated
    made->problem.problem.elastic = NULL;
    if (status == LITHE_OK)
        status = lithe_interior_create(context, &made->problem.problem, &made->interior, error);
    if (status != LITHE_OK) {
        lithe_receding_destroy(made);
        return status;
    }
    memcpy(made->hold, made->problem.hold, sizeof made->hold);
    *receding = made;
    return LITHE_OK;
}

void lithe_receding_destroy(LitheReceding *receding) {
    if (receding == NULL)
        return;
    lithe_interior_destroy(receding->interior);
    lithe_turn_end(&receding->problem);
    lithe_free(receding->context, receding->x);
    lithe_free(receding->context, receding);
}

// From rest: kinematics, then dynamics with a relaxation that is a hundred times larger.
static void begin(LitheReceding *receding) {
    LitheTurnProblem *p = &receding->problem;
    LitheInteriorSetting setting = receding->setting;
    LitheInteriorState state;
    setting.iterations = 150;
    setting.tolerance = 1e-2;
    setting.barrier = 0.1;
    lithe_turn_relax(p, 100 * receding->epsilon, false);
    lithe_interior_solve(receding->interior, &setting, receding->x, &state);
    setting.tolerance = 10 * receding->epsilon;
    setting.barrier = 100 * receding->epsilon;
    lithe_turn_relax(p, 100 * receding->epsilon, true);
    lithe_turn_drive(p, receding->x);
    lithe_interior_solve(receding->interior, &setting, receding->x, &state);
    receding->begun = true;
}

const double *lithe_receding_plan(LitheReceding *receding, const double *now, LitheReplan *replan) {
    LitheTurnProblem *p = &receding->problem;
    int32_t n = p->problem.variables, stages = p->turn.stages;
    double *x = receding->x, began = lithe_clock();
    bool shift = receding->begun;
    if (shift) { // the step that acted is over; the last one is repeated
        for (int32_t c = 0; c < p->turn.model.contact_count; c++) {
            int32_t at = LITHE_AT_NORMAL + lithe_ball_task_shift(&p->turn.model, c);
            p->before[at] = x[at];
        }
        // most of the change from those that hold the start costs nothing
        for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
            p->hold[i] = (1 - HELD) * receding->hold[i] + HELD * x[LITHE_AT_EFFORT + i];
        memmove(x, x + n, (size_t)(stages - 1) * (size_t)n * sizeof *x);
    }
    memcpy(p->before, now, (LITHE_AT_SPIN + 3) * sizeof *now);
    if (!shift)
        begin(receding);
    LitheInteriorSetting setting = receding->setting;
    LitheInteriorState state;
    setting.barrier = 10 * receding->epsilon;
    setting.iterations = ITERATIONS;
    lithe_turn_relax(p, receding->epsilon, true);
    LitheInteriorEnd end = lithe_interior_solve(receding->interior, &setting, x, &state);
    bool usable = end == LITHE_INTERIOR_CONVERGED ||
                  (end == LITHE_INTERIOR_ITERATIONS && state.violation <= 1e-3);
    *replan = (LitheReplan){end, state.iteration, lithe_clock() - began, usable};
    return x;
}
