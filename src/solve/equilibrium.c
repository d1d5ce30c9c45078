// SPDX-License-Identifier: Apache-2.0
// solve/equilibrium.c - the nearest stable equilibrium, by proximal steps
//
// Each step minimises, from the present configuration,
//     (Q1)  s/2 |u|_M^2 + E(q0 + u) - f'u
// which is the implicit step of rod.c with a = h = 1, c = s and no velocities. Its minimum exists
// however far away the equilibrium is, and the energy falls with every step, so the search cannot
// diverge. s shrinks while steps converge easily; the steps then become plain Newton steps.

#include "solve/equilibrium.h"

#include "base/assert.h"
#include "base/status.h"
#include "data/thing.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS 2000
// a rod is at rest when a step moves it by less than this fraction of its length
#define STILL 1e-9
// tolerance of all steps except the last
#define ROUGH 1e-3
// min s, as a fraction of the square of the slowest natural frequency: below, rigid motions of a
// free rod would make the matrix singular
#define SMALLEST_FRACTION 1e-6
// a search that needs an s this far above it fails: there is no equilibrium
#define LARGEST_FRACTION 1e12

static double rod_length(const LitheRod *rod) {
    double length = 0;
    for (int32_t i = 0; i < rod->edge_count; i++)
        length += rod->built_length[i];
    return length;
}

static double largest_move(const LitheUnitWork *work) {
    double max = 0;
    for (int64_t i = 0; i < work->dof_count; i++)
        max = fmax(max, i % 4 == 3 ? 0 : fabs(work->w[i]));
    return max;
}

// square of the slowest frequency of bending, weight or stretching [1/s^2]
static double slowest_rate(const LitheModel *model, const LitheRod *rod) {
    double length = rod_length(rod), mass = 0;
    for (int32_t i = 0; i < rod->node_count; i++)
        mass += rod->mass[4 * i];
    double line = mass / length, bend = fmin(rod->EI1, rod->EI2);
    double rate = bend / (line * pow(length, 4)) + v3_norm(model->gravity) / length;
    return rate > 0 ? rate : 1e-6 * rod->EA / (line * length * length);
}

typedef struct Search {
    const LitheModel *model;
    LitheState *state;
    LitheWork *work;
} Search;

// the residual of the proximal term is the distance from equilibrium
static double missing(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheRod *rod = &model->rods[model->units[unit].index];
    LitheUnitWork *work = &all->units[unit];
    for (int64_t i = 0; i < work->dof_count; i++)
        work->dx[i] = lithe_rod_work(all, unit)->plan.c * rod->mass[i] * work->w[i];
    return lithe_unit_ops(model, unit)->measure(model, unit, all, work->dx).residual;
}

static void find_rod(int32_t unit, void *user) {
    const Search *job = user;
    const LitheModel *model = job->model;
    const LitheUnitOps *ops = lithe_unit_ops(model, unit);
    const LitheRod *rod = &model->rods[model->units[unit].index];
    LitheUnitWork *work = &job->work->units[unit];
    double rate = slowest_rate(model, rod), s = 100 * rate;
    int32_t iterations = 0, cuts = 0, corrected = 0;
    LitheNewtonSetting setting = {model->time.tolerance, model->time.max_iterations, true};
    bool found = false, near = false;
    double last_move = INFINITY, length = rod_length(rod);

    for (int32_t step = 0; step < MAX_STEPS && !found && s < LARGEST_FRACTION * rate; step++) {
        if (lithe_work_stopped(job->work))
            break;
        LitheStepPlan plan = {
            .time = job->state->clock[0], .h = 1, .a = 1, .inverse_a = 1, .c = s, .still = true};
        // far from the equilibrium a rough minimum of (Q1) will do
        setting.tolerance = near ? model->time.tolerance : fmax(model->time.tolerance, ROUGH);
        work->finite = false;
        if (!ops->begin(model, unit, job->state, &plan, job->work))
            break;
        lithe_newton(model, unit, &setting, job->work);
        iterations += work->iterations;
        cuts += work->cuts;
        corrected += work->corrected;
        if (!work->finite || !work->converged) {
            s *= 10;
            continue;
        }
        double rest = missing(model, unit, job->work), moved = largest_move(work);
        work->residual = work->goal > 0 ? rest * setting.tolerance / work->goal : 0;

        // balanced to rounding, and at rest: a soft rod may be one without the other
        bool balanced = rest <= work->goal && s <= rate;
        bool still = moved <= STILL * length || moved > 0.5 * last_move;
        found = near && balanced && still;
        last_move = near ? moved : INFINITY;
        near = near || balanced;
        int32_t effort = work->iterations;
        ops->end(model, unit, job->work, job->state);
        s = fmax(SMALLEST_FRACTION * rate, s * (effort <= 5 ? 0.05 : effort <= 10 ? 0.3 : 1));
    }
    // smooth residuals that the noise of single nodes hides
    double residual = work->residual;
    LitheStepPlan plan = {.time = job->state->clock[0],
                          .h = 1,
                          .a = 1,
                          .inverse_a = 1,
                          .c = SMALLEST_FRACTION * rate,
                          .still = true};
    if (found && ops->begin(model, unit, job->state, &plan, job->work) &&
        lithe_newton_polish(model, unit, &setting, job->work))
        ops->end(model, unit, job->work, job->state);
    work->residual = residual;
    work->iterations = iterations;
    work->cuts = cuts;
    work->corrected = corrected;
    work->converged = found;
}

static void find_unit(int32_t unit, void *user) {
    const Search *job = user;
    LitheUnitWork *work = &job->work->units[unit];
    if (lithe_unit_ops(job->model, unit)->statics == LITHE_STATICS_MOVE) {
        // lengths and frequencies of the search are those of a rod
        LITHE_ASSERT(job->model->units[unit].kind == LITHE_UNIT_ROD);
        find_rod(unit, user);
        return;
    }
    work->iterations = work->cuts = work->corrected = 0;
    work->residual = 0;
    work->converged = work->finite = true;
}

LitheStatus lithe_equilibrium_find(const LitheModel *model, LitheState *state, LitheWork *work,
                                   LitheReport *report, LitheError *error) {
    for (int32_t i = 0; i < model->unit_count; i++)
        if (lithe_unit_ops(model, i)->statics == LITHE_STATICS_NONE)
            return lithe_fail(error, LITHE_NOT_SUPPORTED,
                              "static steps move rods only: %s '%s' cannot be in equilibrium",
                              lithe_thing_word(model->units[i].thing.kind), model->units[i].name);
    Search job = {model, state, work};
    lithe_units_run(work, find_unit, &job);
    if (lithe_work_stopped(work))
        return lithe_fail(error, LITHE_INTERRUPTED,
                          "stopped while the equilibrium at t = %g s was computed",
                          state->clock[0]);
    if (report)
        lithe_report_sum(model, work, report);
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitWork *unit = &work->units[i];
        if (!unit->converged)
            return lithe_fail(error, LITHE_CANNOT_GO_ON,
                              "no equilibrium of %s '%s' found at t = %g s after %d Newton "
                              "iterations (residual %.3g, tolerance %.3g): is it held against its "
                              "loads? smaller load steps may help",
                              lithe_thing_word(model->units[i].thing.kind), model->units[i].name,
                              state->clock[0], unit->iterations, unit->residual,
                              model->time.tolerance);
    }
    return LITHE_OK;
}

LitheStatus lithe_equilibrium(const LitheModel *model, LitheState *state, LitheWork *work,
                              LitheReport *report, LitheError *error) {
    memcpy(work->start->data, state->data, (size_t)state->size * sizeof(double));
    LitheStatus status = lithe_equilibrium_find(model, state, work, report, error);
    if (status != LITHE_OK)
        memcpy(state->data, work->start->data, (size_t)state->size * sizeof(double));
    return status;
}
