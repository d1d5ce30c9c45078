// SPDX-License-Identifier: Apache-2.0
// advance/attempt.c - one attempt at a step of any length: where things touch, their free motion,
// what contacts and constraints make of it, the end

#include "advance/attempt.h"

#include "advance/press.h"
#include "advance/touch.h"
#include "base/status.h"
#include "body/unit.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

// --- schemes -------------------------------------------------------------------------------------

static LitheStepPlan plan_of(const LitheModel *model, const LitheState *state, double h) {
    LitheStepPlan plan = {.time = state->clock[0], .h = h, .a = 1, .inverse_a = 1, .c = 1};
    if (model->time.scheme == LITHE_SCHEME_MIDPOINT)
        plan.a = 0.5, plan.inverse_a = 2, plan.c = 2;
    if (model->time.scheme == LITHE_SCHEME_SYMPLECTIC)
        plan.a = plan.inverse_a = 0;
    return plan;
}

typedef struct Job {
    const LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheStepPlan plan;
} Job;

// passes over what is taken as given; each makes its error smaller by about the turn of a step
#define MOST_PASSES 5

// Backward Euler of a body that something touches: its free motion would be of no use, since the
// coupled solve starts from how it moves now.
static bool waits(const Job *job, int32_t body) {
    const LitheUnitWork *work = &job->work->units[body];
    return work->waits && work->has_potential && !lithe_unit_ops(job->model, body)->free &&
           job->plan.a == 1;
}

// backward Euler and midpoint: solve for w
static void move_implicit(int32_t body, void *user) {
    const Job *job = user;
    const LitheUnitOps *ops = lithe_unit_ops(job->model, body);
    LitheUnitWork *work = &job->work->units[body];
    LitheNewtonSetting setting = {job->model->time.tolerance, job->model->time.max_iterations,
                                  false};
    work->finite = work->coupled = false;
    work->waits = waits(job, body);
    if (ops->free) {
        ops->free(job->model, body, job->state, &job->plan, setting.tolerance,
                  setting.max_iterations, job->work);
        return;
    }
    if (!ops->begin(job->model, body, job->state, &job->plan, job->work))
        return;
    if (work->waits) {
        work->iterations = work->cuts = work->corrected = 0;
        work->residual = 0;
        work->converged = work->finite = true;
        return;
    }
    lithe_newton(job->model, body, &setting, job->work);

    // what was taken as given, now from the solution, until that changes nothing
    int32_t iterations = work->iterations, cuts = work->cuts, corrected = work->corrected;
    for (int pass = 0; pass < MOST_PASSES && work->finite && work->converged; pass++) {
        if (!ops->refine(job->model, body, job->work))
            break;
        lithe_newton(job->model, body, &setting, job->work);
        iterations += work->iterations;
        cuts += work->cuts;
        corrected += work->corrected;
        if (work->good_guess)
            break;
    }
    work->iterations = iterations;
    work->cuts = cuts;
    work->corrected = corrected;
}

// symplectic Euler: forces at the start, no equation to solve
static void move_explicit(int32_t body, void *user) {
    const Job *job = user;
    const LitheUnitOps *ops = lithe_unit_ops(job->model, body);
    LitheUnitWork *work = &job->work->units[body];
    if (ops->free) {
        move_implicit(body, user); // trees have no explicit step: springs and drives are stiff
        return;
    }
    work->coupled = work->waits = false;
    work->iterations = work->cuts = work->corrected = 0;
    work->residual = 0;
    work->finite = ops->begin(job->model, body, job->state, &job->plan, job->work) &&
                   ops->leap(job->model, body, job->work);
    work->converged = work->finite;
}

// contact through potentials: bodies move together, later
static void begin_body(int32_t body, void *user) {
    const Job *job = user;
    LitheUnitWork *work = &job->work->units[body];
    work->coupled = false;
    work->finite = lithe_unit_ops(job->model, body)
                       ->begin(job->model, body, job->state, &job->plan, job->work);
}

static void end_body(int32_t body, void *user) {
    const Job *job = user;
    LitheUnitWork *work = &job->work->units[body];
    work->finite = work->finite &&
                   lithe_unit_ops(job->model, body)->end(job->model, body, job->work, job->state);
}

// what waited in vain: nothing couples it
static void move_rest(Job *job) {
    for (int32_t i = 0; i < job->model->unit_count; i++) {
        LitheUnitWork *work = &job->work->units[i];
        bool late = work->waits && !work->coupled;
        work->waits = false;
        if (late)
            move_implicit(i, job);
    }
}

static bool all_moved(const LitheModel *model, const LitheWork *work) {
    for (int32_t i = 0; i < model->unit_count; i++)
        if (!work->units[i].finite)
            return false;
    return true;
}

// --- the step ------------------------------------------------------------------------------------

static bool all_finite(const double *x, int64_t count) {
    enum { SIDE_BY_SIDE = 16 }; // sums that do not wait for each other
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

LitheStatus lithe_cannot_step(const LitheModel *model, double time, double h, const char *why,
                              LitheError *error) {
    // an explicit step has a limit, which is the likely cause when it is passed
    const LitheUnit *stiffest = NULL;
    double limit = INFINITY;
    for (int32_t i = 0; i < model->unit_count && model->time.scheme == LITHE_SCHEME_SYMPLECTIC;
         i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        double own = ops->explicit_limit ? ops->explicit_limit(model, i) : INFINITY;
        if (own < limit) {
            stiffest = &model->units[i];
            limit = own;
        }
    }
    if (stiffest && model->time.step > 0.8 * limit)
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "%s in the step of %g s that starts at t = %g s; symplectic Euler is "
                          "stable up to a step of about %.3g s here, by %s '%s': take less, or an "
                          "implicit scheme",
                          why, h, time, limit, lithe_unit_kinds[stiffest->kind]->kind,
                          stiffest->name);
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "%s in the step of %g s that starts at t = %g s; a smaller step may help",
                      why, h, time);
}

// the message for a step that no body or one body could not make
static LitheStatus stopped(const LitheModel *model, const LitheState *state, const LitheWork *work,
                           double h, LitheError *error) {
    char why[256] = "a number is not finite";
    for (int32_t i = 0; i < model->unit_count; i++) {
        if (work->units[i].finite)
            continue;
        lithe_unit_ops(model, i)->explain(model, i, work, why, sizeof why);
        break;
    }
    return lithe_cannot_step(model, state->clock[0], h, why, error);
}

LitheStatus lithe_attempt(const LitheModel *model, LitheState *state, double h, LitheWork *work,
                          LitheReport *report, LitheError *error) {
    Job job = {model, state, work, plan_of(model, state, h)};
    bool explicit_step = model->time.scheme == LITHE_SCHEME_SYMPLECTIC;
    memset(report, 0, sizeof *report);
    lithe_stage_enter(&work->stages, LITHE_STAGE_COLLIDE);
    LitheStatus status = lithe_touch_begin(model, state, &job.plan, work, error);
    if (status != LITHE_OK)
        return status;
    lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
    lithe_pool_run(work->pool, model->unit_count,
                   lithe_presses(model) ? begin_body
                   : explicit_step      ? move_explicit
                                        : move_implicit,
                   &job);
    if (all_moved(model, work)) {
        lithe_stage_enter(&work->stages, LITHE_STAGE_ASSEMBLE);
        status = lithe_touch_solve(model, state, &job.plan, work, error);
        if (status != LITHE_OK)
            return status;
        lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
        move_rest(&job);
    }
    if (all_moved(model, work)) {
        lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
        lithe_pool_run(work->pool, model->unit_count, end_body, &job);
    }
    lithe_report_sum(model, work, report);
    if (!all_moved(model, work) || !all_finite(state->data, state->size))
        return stopped(model, state, work, h, error);
    lithe_touch_end(model, state, &job.plan, work, report);
    return LITHE_OK;
}

LitheStatus lithe_attempt_held(const LitheModel *model, LitheState *state, double h,
                               LitheWork *work, LitheReport *report, LitheCrossing *crossing,
                               LitheError *error) {
    memcpy(state->data, work->before->data, (size_t)state->size * sizeof(double));
    work->held = true;
    LitheStatus status = lithe_attempt(model, state, h, work, report, error);
    if (status == LITHE_OK)
        status = lithe_certify(model, work->before, state, h, work, crossing, error);
    work->held = false;
    report->held = 1;
    return status;
}

// the strongest regularisation that is tried, by the defaults: stick speed 1e-4 m/s, beta 1; beyond
// that things would slide and sink in visibly
#define SOFTEST 1e4

bool lithe_attempt_softened(const LitheModel *model, LitheState *state, double h, LitheWork *work,
                            LitheReport *report, LitheStatus *status, LitheError *error) {
    bool solved = false;
    *status = LITHE_OK;
    for (double soften = 10; !solved && soften <= SOFTEST; soften *= 10) {
        LitheCrossing crossing = {0};
        memcpy(state->data, work->before->data, (size_t)state->size * sizeof(double));
        work->soften = soften;
        *status = lithe_attempt(model, state, h, work, report, error);
        if (*status == LITHE_OK && !report->solve_unconverged) {
            *status = lithe_certify(model, work->before, state, h, work, &crossing, error);
            solved = *status == LITHE_OK && !crossing.found;
        }
        if (*status != LITHE_OK && *status != LITHE_CANNOT_GO_ON)
            break;
    }
    work->soften = 1;
    report->softened = solved;
    return solved;
}
