// SPDX-License-Identifier: Apache-2.0
// advance/free.c - the free motion of units: each alone, without contacts and constraints

#include "advance/free.h"

#include "body/unit.h"
#include "solve/contact_model.h"
#include "solve/newton.h"

// max updates of lagged terms; each multiplies their error by about the rotation per step [rad]
#define MAX_PASSES 5

// Backward Euler of a unit that something touches: its free motion is not needed, since the coupled
// solve starts from the present velocity. A unit with a step of its own (a tree) waits only for
// contacts; constraints alone solve from its free motion.
static bool waits(const LitheStepJob *job, int32_t unit) {
    const LitheUnitWork *work = &job->work->units[unit];
    bool own = lithe_unit_ops(job->model, unit)->free;
    // a unit whose nodes ride on another one has no motion alone
    if (job->model->units[unit].rider_count > 0)
        return true;
    return work->waits && job->plan.a == 1 && (own ? work->met : work->has_potential);
}

// backward Euler and midpoint: solve for w
static void move_implicit(int32_t unit, void *user) {
    const LitheStepJob *job = user;
    const LitheUnitOps *ops = lithe_unit_ops(job->model, unit);
    LitheUnitWork *work = &job->work->units[unit];
    LitheNewtonSetting setting = {job->model->time.tolerance, job->model->time.max_iterations,
                                  false};
    lithe_unit_fetch(job->model, unit + 1, job->work, LITHE_TASK_BEGIN);
    work->finite = work->coupled = false;
    work->waits = waits(job, unit);
    if (ops->free && !work->waits) {
        ops->free(job->model, unit, job->state, &job->plan, setting.tolerance,
                  setting.max_iterations, job->work);
        return;
    }
    if (!ops->begin(job->model, unit, job->state, &job->plan, job->work))
        return;
    if (work->waits) {
        work->iterations = work->cuts = work->corrected = 0;
        work->residual = 0;
        work->converged = work->finite = true;
        return;
    }
    lithe_newton(job->model, unit, &setting, job->work);

    // updates of lagged terms at the solution, until they change nothing
    int32_t iterations = work->iterations, cuts = work->cuts, corrected = work->corrected;
    for (int pass = 0; pass < MAX_PASSES && work->finite && work->converged; pass++) {
        if (!ops->refine(job->model, unit, job->work))
            break;
        lithe_newton(job->model, unit, &setting, job->work);
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
static void move_explicit(int32_t unit, void *user) {
    const LitheStepJob *job = user;
    const LitheUnitOps *ops = lithe_unit_ops(job->model, unit);
    LitheUnitWork *work = &job->work->units[unit];
    if (ops->free) {
        move_implicit(unit, user); // trees have no explicit step: springs and drives are stiff
        return;
    }
    work->coupled = work->waits = false;
    work->iterations = work->cuts = work->corrected = 0;
    work->residual = 0;
    work->finite = ops->begin(job->model, unit, job->state, &job->plan, job->work) &&
                   ops->step_explicit(job->model, unit, job->work);
    work->converged = work->finite;
}

// for a contact model that solves all units together: only begins the step
static void begin_unit(int32_t unit, void *user) {
    const LitheStepJob *job = user;
    LitheUnitWork *work = &job->work->units[unit];
    lithe_unit_fetch(job->model, unit + 1, job->work, LITHE_TASK_BEGIN);
    work->coupled = false;
    work->finite = lithe_unit_ops(job->model, unit)
                       ->begin(job->model, unit, job->state, &job->plan, job->work);
}

void lithe_free_motion(LitheStepJob *job) {
    LitheTaskFn *move =
        job->model->time.scheme == LITHE_SCHEME_SYMPLECTIC ? move_explicit : move_implicit;
    lithe_units_run(job->work, lithe_contact_solver(job->model)->together ? begin_unit : move, job);
}

// units without a free motion that no coupling acts on after all
void lithe_free_motion_late(LitheStepJob *job) {
    for (int32_t i = 0; i < job->model->unit_count; i++) {
        LitheUnitWork *work = &job->work->units[i];
        bool late = work->waits && !work->coupled;
        work->waits = false;
        if (late)
            move_implicit(i, job);
    }
}
