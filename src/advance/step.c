// SPDX-License-Identifier: Apache-2.0
// advance/step.c - one step of any length: lithe_step_once
//
//   collide      contacts at the start, and which constraints act (the contact model)
//   free motion  each unit alone: Newton on its own potential, or an explicit step
//   solve        the motion with contacts, constraints, limits and drives (the contact model)
//   end          each unit is moved by its velocity: configuration, frames, energies
//   report       forces of couplings, convergence of the solves
//
// An attempt that fails or crosses is followed by another one (advance/attempt.c). Scratch memory
// is in LitheWork; the caller advances the clock.

#include "advance/step.h"

#include "advance/free.h"
#include "advance/stages.h"
#include "base/status.h"
#include "body/unit.h"
#include "solve/contact_model.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

static LitheStepPlan plan_of(const LitheModel *model, const LitheState *state,
                             const LitheAttempt *attempt) {
    LitheStepPlan plan = {.time = state->clock[0],
                          .h = attempt->h,
                          .a = 1,
                          .inverse_a = 1,
                          .c = 1,
                          .attempt = attempt};
    if (model->time.scheme == LITHE_SCHEME_MIDPOINT && !attempt->euler)
        plan.a = 0.5, plan.inverse_a = 2, plan.c = 2;
    // forces at the start; those of springs and dampers are implicit in the matrix of the unit
    bool lcp = model->contact.model == LITHE_CONTACT_LCP;
    if (model->time.scheme == LITHE_SCHEME_SYMPLECTIC || lcp)
        plan.a = plan.inverse_a = 0;
    return plan;
}

static void end_unit(int32_t unit, void *user) {
    const LitheStepJob *job = user;
    LitheUnitWork *work = &job->work->units[unit];
    lithe_unit_fetch(job->model, unit + 1, job->work, LITHE_TASK_END);
    work->finite = work->finite &&
                   lithe_unit_ops(job->model, unit)->end(job->model, unit, job->work, job->state);
}

static bool all_moved(const LitheModel *model, const LitheWork *work) {
    for (int32_t i = 0; i < model->unit_count; i++)
        if (!work->units[i].finite)
            return false;
    return true;
}

static bool all_finite(const double *x, int64_t count) {
    enum { SIDE_BY_SIDE = 16 }; // independent sums
    double sums[SIDE_BY_SIDE] = {0}, all = 0;
    int64_t i = 0;
    // 0 for every finite number, NaN otherwise
    for (; i + SIDE_BY_SIDE <= count; i += SIDE_BY_SIDE)
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            sums[k] += x[i + k] * 0;
    for (; i < count; i++)
        all += x[i] * 0;
    for (int k = 0; k < SIDE_BY_SIDE; k++)
        all += sums[k];
    return all == 0;
}

// Whether all numbers of the state are finite. Persistent contacts, which are most of the state of
// many worlds, are left out: only finite forces persist (solve/persistent.c).
static bool is_finite(const LitheModel *model, const LitheState *state) {
    int64_t before = state->touches - state->data, count = 2 * lithe_touch_count(model);
    return all_finite(state->data, before) &&
           all_finite(state->touches + count, state->size - before - count);
}

// --- failures ------------------------------------------------------------------------------------

LitheStatus lithe_cannot_step(const LitheModel *model, double time, double h, const char *why,
                              LitheError *error) {
    // an explicit step has a stability limit: the likely cause if the step is longer
    const LitheUnit *stiffest = NULL;
    double limit = lithe_explicit_limit(model, &stiffest);
    bool symplectic = model->time.scheme == LITHE_SCHEME_SYMPLECTIC;
    if (symplectic && stiffest && model->time.step > 0.8 * limit)
        return lithe_fail(
            error, LITHE_CANNOT_GO_ON,
            "%s in the step of %g s that starts at t = %g s; symplectic Euler is "
            "stable up to a step of about %.3g s here, by %s '%s': use a smaller step or an "
            "implicit scheme",
            why, h, time, limit, lithe_unit_kinds[stiffest->kind]->kind, stiffest->name);
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "%s in the step of %g s that starts at t = %g s; a smaller step may help",
                      why, h, time);
}

LitheStatus lithe_given_up(const LitheState *state, LitheError *error) {
    return lithe_fail(error, LITHE_INTERRUPTED, "stopped within the step that starts at t = %g s",
                      state->clock[0]);
}

// whether all numbers of a unit in the state are finite
static bool is_sound(const LitheUnit *unit, const LitheState *state) {
    return all_finite(state->q + unit->q_at, unit->q_count) &&
           all_finite(state->v + unit->v_at, unit->v_count) &&
           all_finite(state->pushes + 3 * unit->point_at, 3 * unit->point_count) &&
           all_finite(state->own + unit->own_at, unit->own_count);
}

// the message for a step that failed, with the unit that could not make it if there is one
static LitheStatus stopped(const LitheModel *model, const LitheState *state, const LitheWork *work,
                           double h, LitheError *error) {
    char why[256] = "a number is not finite";
    for (int32_t i = 0; i < model->unit_count; i++) {
        if (is_sound(&model->units[i], work->before))
            continue;
        lithe_unit_ops(model, i)->explain(model, i, work, why, sizeof why);
        return lithe_fail(error, LITHE_CANNOT_GO_ON, "%s at t = %g s, before the step", why,
                          state->clock[0]);
    }
    for (int32_t i = 0; i < model->unit_count; i++) {
        if (work->units[i].finite && is_sound(&model->units[i], state))
            continue;
        lithe_unit_ops(model, i)->explain(model, i, work, why, sizeof why);
        break;
    }
    return lithe_cannot_step(model, state->clock[0], h, why, error);
}

LitheStatus lithe_cannot_begin(const LitheStepJob *job, LitheError *error) {
    return stopped(job->model, job->state, job->work, job->plan.h, error);
}

// --- the step ------------------------------------------------------------------------------------

// One solve: contacts at the state, then the motion of all units by the plan.
static LitheStatus solve_plan(LitheStepJob *job, LitheReport *report, LitheError *error) {
    const LitheModel *model = job->model;
    LitheWork *work = job->work;
    const LitheContactSolver *contact = lithe_contact_solver(model);
    memset(report, 0, sizeof *report);

    lithe_stage_enter(&work->stages, LITHE_STAGE_COLLIDE);
    LitheStatus status = contact->begin(model, job->state, &job->plan, work, error);
    if (status != LITHE_OK)
        return status;

    lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
    lithe_free_motion(job);

    if (all_moved(model, work)) {
        lithe_stage_enter(&work->stages, LITHE_STAGE_ASSEMBLE);
        status = contact->solve(model, job->state, &job->plan, work, error);
        if (status != LITHE_OK)
            return status;
        lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
        lithe_free_motion_late(job);
    }
    if (all_moved(model, work)) {
        lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
        lithe_units_run(work, end_unit, job);
        lithe_riders_place(model, job->state);
    }

    lithe_report_sum(model, work, report);
    if (!all_moved(model, work) || !is_finite(model, job->state))
        return stopped(model, job->state, work, job->plan.h, error);
    contact->end(model, job->state, &job->plan, work, report);
    return LITHE_OK;
}

LitheStatus lithe_step_once(const LitheModel *model, LitheState *state, const LitheAttempt *attempt,
                            LitheWork *work, LitheReport *report, LitheError *error) {
    lithe_riders_place(model, state); // a program may have moved bodies
    work->outcome = (LitheOutcome){.strayed = INFINITY};
    work->stage.made = model->time.scheme == LITHE_SCHEME_TR_BDF2 && !attempt->euler;
    if (work->stage.made)
        return lithe_step_stages(model, state, attempt, work, solve_plan, report, error);
    LitheStepJob job = {model, state, work, plan_of(model, state, attempt)};
    return solve_plan(&job, report, error);
}
