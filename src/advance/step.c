// SPDX-License-Identifier: Apache-2.0
// advance/step.c - one step of the world: lithe_step, readable on one screen

#include "base/memory.h"
#include "base/status.h"
#include "body/body.h"
#include "body/rod.h"
#include "solve/equilibrium.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

// --- scratch of a world
// --------------------------------------------------------------------------------

LitheWork *lithe_work_create(const LitheModel *model, int32_t threads) {
    LitheWork *work = lithe_alloc(model->context, sizeof *work);
    if (!work)
        return NULL;
    work->context = model->context;
    work->model = model;
    work->rods = lithe_alloc_array(model->context, model->rod_count, sizeof *work->rods);
    work->backup = lithe_alloc_array(model->context, lithe_state_size_of(model), sizeof(double));
    if (threads > 1)
        work->pool = lithe_pool_create(model->context, threads);
    bool ok = work->rods && work->backup && (threads <= 1 || work->pool);
    for (int32_t i = 0; ok && i < model->rod_count; i++)
        ok = lithe_rod_work_begin(model->context, &model->rods[i], &work->rods[i]);
    if (ok)
        return work;
    lithe_work_destroy(work);
    return NULL;
}

void lithe_work_destroy(LitheWork *work) {
    if (!work)
        return;
    for (int32_t i = 0; work->rods && i < work->model->rod_count; i++)
        lithe_rod_work_end(work->context, &work->model->rods[i], &work->rods[i]);
    lithe_pool_destroy(work->pool);
    lithe_free(work->context, work->backup);
    lithe_free(work->context, work->rods);
    lithe_free(work->context, work);
}

// --- schemes
// ------------------------------------------------------------------------------------------

static LitheStepPlan plan_of(const LitheModel *model, const LitheState *state) {
    LitheStepPlan plan = {
        .time = state->clock[0], .h = model->time.step, .a = 1, .inverse_a = 1, .c = 1};
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

// backward Euler and midpoint: solve for w, then move
static void step_implicit(int32_t body, void *user) {
    const Job *job = user;
    const LitheBodyOps *ops = lithe_body_ops(job->model, body);
    LitheRodWork *work = &job->work->rods[body];
    LitheNewtonSetting setting = {job->model->time.tolerance, job->model->time.max_iterations};
    work->finite = false;
    if (!ops->begin(job->model, body, job->state, &job->plan, job->work))
        return;
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
        if (work->iterations == 0)
            break;
    }
    work->iterations = iterations;
    work->cuts = cuts;
    work->corrected = corrected;
    if (work->finite)
        ops->end(job->model, body, job->work, work->w, work->r, job->state);
}

// symplectic Euler: forces at the start, no equation to solve
static void step_explicit(int32_t body, void *user) {
    const Job *job = user;
    const LitheBodyOps *ops = lithe_body_ops(job->model, body);
    const LitheRod *rod = &job->model->rods[body];
    LitheRodWork *work = &job->work->rods[body];
    int64_t dofs = 4 * (int64_t)rod->node_count;
    work->finite = false;
    work->iterations = work->cuts = work->corrected = 0;
    work->residual = 0;
    work->bad_node = -1;

    // forces of the start: with w = v0 the residual is -h k(q0, v0)
    if (!ops->begin(job->model, body, job->state, &job->plan, job->work))
        return;
    memcpy(work->trial, work->v0, (size_t)dofs * sizeof(double));
    double potential =
        ops->evaluate(job->model, body, job->work, work->trial, false, false, work->r);
    work->finite = work->converged = potential < INFINITY;
    if (!work->finite)
        return;

    // M (v - v0) = h k; held DoFs go where they must, and what that takes is their reaction
    for (int64_t i = 0; i < dofs; i++)
        work->w[i] = rod->held[i] ? work->target[i] : work->v0[i] - work->r[i] / rod->mass[i];
    for (int64_t i = 0; i < dofs; i++)
        work->r[i] += rod->held[i] ? rod->mass[i] * (work->w[i] - work->v0[i]) : 0;
    work->plan.a = 1; // the velocity found is that of the end of the step
    ops->end(job->model, body, job->work, work->w, work->r, job->state);
}

// --- the step
// ----------------------------------------------------------------------------------------

static bool all_finite(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i] * 0; // 0 for every finite number, NaN otherwise
    return sum == 0;
}

// the message for a body that could not make its step
static LitheStatus stopped(const LitheModel *model, const LitheState *state, const LitheWork *work,
                           LitheError *error) {
    for (int32_t i = 0; i < model->rod_count; i++) {
        if (work->rods[i].finite)
            continue;
        const char *name = model->rods[i].name;
        double t = state->clock[0], h = model->time.step;
        if (work->rods[i].bad_node >= 0)
            return lithe_fail(
                error, LITHE_CANNOT_GO_ON,
                "rod '%s' folds back on itself or turns too far at node %d in the step "
                "of %g s that starts at t = %g s; a smaller step may help",
                name, work->rods[i].bad_node, h, t);
        return lithe_fail(
            error, LITHE_CANNOT_GO_ON,
            "rod '%s' has a number that is not finite in the step of %g s that starts "
            "at t = %g s; a smaller step may help",
            name, h, t);
    }
    return lithe_fail(error, LITHE_CANNOT_GO_ON, "a number is not finite at t = %g s",
                      state->clock[0]);
}

LitheStatus lithe_step(const LitheModel *model, LitheState *state, LitheWork *work,
                       LitheReport *report, LitheError *error) {
    LitheReport own;
    report = report ? report : &own;
    memcpy(work->backup, state->data, (size_t)state->size * sizeof(double));
    double steps = state->clock[1] + 1;

    if (model->time.scheme == LITHE_SCHEME_STATIC) {
        state->clock[0] = steps * model->time.step;
        LitheStatus status = lithe_equilibrium_find(model, state, work, report, error);
        if (status != LITHE_OK) {
            memcpy(state->data, work->backup, (size_t)state->size * sizeof(double));
            return status;
        }
        state->clock[1] = steps;
        return LITHE_OK;
    }

    // free motion of every body, then the end of the step
    Job job = {model, state, work, plan_of(model, state)};
    bool explicit_step = model->time.scheme == LITHE_SCHEME_SYMPLECTIC;
    lithe_pool_run(work->pool, model->rod_count, explicit_step ? step_explicit : step_implicit,
                   &job);
    lithe_report_sum(model, work, report);
    bool finite = all_finite(state->data, state->size);
    for (int32_t i = 0; i < model->rod_count; i++)
        finite = finite && work->rods[i].finite;
    if (!finite) {
        memcpy(state->data, work->backup, (size_t)state->size * sizeof(double));
        return stopped(model, state, work, error);
    }
    state->clock[0] = steps * model->time.step;
    state->clock[1] = steps;
    return LITHE_OK;
}
