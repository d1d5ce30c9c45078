// SPDX-License-Identifier: Apache-2.0
// solve/newton.c - free motion of one unit: Newton on its incremental potential, with line search
//
// Residuals are measured in the norm |r|_D with D = diag(A)^-1/2, which makes DoFs in different
// units (metres, radians) comparable:
//     (N1)  stop when |r|_D <= tolerance max(|c M v0|_D, |h f|_D, |h grad E|_D) + noise
// where noise is the error of elastic forces due to rounding of positions. A step is accepted
// when the potential falls enough (Armijo). Where its change is below rounding, or where forces
// have no exact potential (dead moments), a decreasing residual is enough.

#include "solve/newton.h"

#include "body/pose_drive.h"

#include <math.h>
#include <string.h>

// fraction of the predicted decrease that a step must achieve
#define ARMIJO 1e-4
// max halvings of a direction: 2^-30 of a Newton step is negligible
#define MAX_CUTS 30
// max halvings within the rounding noise, where a search for an equilibrium continues while the
// potential falls by more than the fraction SURE
#define NOISE_CUTS 10
#define SURE 1e-10
// relative change of the potential that rounding can cause: a few thousand roundings
#define POTENTIAL_NOISE 1e-12
// max full steps of lithe_newton_polish: from a smooth residual at the noise level three or four
// are enough
#define POLISH_STEPS 60

// factors A, with projected stencils when the exact one is not positive definite
static bool factor(const LitheModel *model, int32_t body, const LitheUnitOps *ops, LitheWork *all) {
    LitheUnitWork *work = &all->units[body];
    if (ops->factor(model, body, all))
        return true;
    work->corrected++;
    ops->evaluate(model, body, all, work->w, true, true, work->r);
    return ops->factor(model, body, all);
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

// w and r become the trial ones; a room belongs to this task only, so that these are copied from it
static void accept(LitheUnitWork *work) {
    size_t bytes = (size_t)work->dof_count * sizeof(double);
    if (work->lent) {
        memcpy(work->w, work->trial, bytes);
        memcpy(work->r, work->trial_r, bytes);
        return;
    }
    swap(&work->w, &work->trial);
    swap(&work->r, &work->trial_r);
}

// One step along dx: accepted into w, r and *potential, with the matrix evaluated there. False when
// no length helps.
static bool line_search(const LitheModel *model, int32_t body, const LitheUnitOps *ops,
                        LitheWork *all, int32_t max_cuts, bool strict, double *potential,
                        LitheMeasure *size) {
    LitheUnitWork *work = &all->units[body];
    int64_t dofs = work->dof_count;
    double slope = 0;
    for (int64_t i = 0; i < dofs; i++)
        slope += work->held[i] ? 0 : work->r[i] * work->dx[i];
    double length = 1;
    for (int32_t cut = 0; cut <= max_cuts; cut++, length *= 0.5) {
        if (lithe_meter_spend(&all->meter, dofs))
            return false;
        work->cuts += cut > 0;
        for (int64_t i = 0; i < dofs; i++)
            work->trial[i] = work->w[i] + (work->held[i] ? 0 : length * work->dx[i]);
        double trial = ops->evaluate(model, body, all, work->trial, true, false, work->trial_r);
        if (!(trial < INFINITY))
            continue;
        LitheMeasure after = ops->measure(model, body, all, work->trial_r);
        bool falls = trial <= *potential + ARMIJO * length * slope;
        double rounding =
            POTENTIAL_NOISE * fabs(*potential) + size->noise * size->scale + size->potential;
        bool blind = !work->has_potential || fabs(trial - *potential) <= rounding;
        if (strict)
            falls = trial < *potential - SURE * fabs(*potential);
        if (falls || (!strict && blind && after.residual <= (1 - 0.1 * length) * size->residual)) {
            accept(work);
            *potential = trial;
            *size = after;
            return true;
        }
    }
    return false;
}

// right side of (N1)
static double goal(LitheMeasure size, const LitheNewtonSetting *setting) {
    return setting->tolerance * size.scale + size.noise;
}

// Within the noise a residual may still be smooth, and a rod under a small force must move: at
// least one iteration is made before the noise counts.
static bool done(LitheMeasure size, const LitheNewtonSetting *setting, int32_t iterations) {
    return size.residual <= setting->tolerance * size.scale ||
           (iterations > 0 && !setting->thorough && size.residual <= goal(size, setting));
}

void lithe_newton(const LitheModel *model, int32_t body, const LitheNewtonSetting *setting,
                  LitheWork *all) {
    const LitheUnitOps *ops = lithe_unit_ops(model, body);
    LitheUnitWork *work = &all->units[body];
    int64_t dofs = work->dof_count;
    work->iterations = work->cuts = work->corrected = 0;
    work->converged = false;

    // the guess may lie outside the domain: then start from the present configuration
    double potential = ops->evaluate(model, body, all, work->w, true, false, work->r);
    if (!(potential < INFINITY)) {
        for (int64_t i = 0; i < dofs; i++)
            work->w[i] = work->held[i] ? work->w[i] : 0;
        potential = ops->evaluate(model, body, all, work->w, true, false, work->r);
    }
    work->finite = potential < INFINITY;
    if (!work->finite)
        return;

    LitheMeasure size = ops->measure(model, body, all, work->r);
    work->good_guess = size.residual <= goal(size, setting);
    while (!done(size, setting, work->iterations) && work->iterations < setting->max_iterations) {
        bool in_noise = size.residual <= goal(size, setting);
        int32_t cuts = !in_noise ? MAX_CUTS : setting->thorough ? NOISE_CUTS : 0;
        if (!factor(model, body, ops, all))
            break;
        work->iterations++;
        for (int64_t i = 0; i < dofs; i++)
            work->dx[i] = work->held[i] ? 0 : -work->r[i];
        ops->solve(model, body, all, work->dx);
        if (!line_search(model, body, ops, all, cuts, in_noise && setting->thorough, &potential,
                         &size))
            break;
    }
    work->goal = goal(size, setting);
    work->potential = potential;
    work->converged = size.residual <= work->goal;
    work->residual = work->goal > 0 ? size.residual * setting->tolerance / work->goal : 0;
    work->finite = isfinite(potential) && isfinite(size.residual);
}

// The first full step rotates edges and thereby stretches them to second order, so that residuals
// may rise before they fall: hence no line search. The loop ends when the Newton decrement r'dx no
// longer falls.
bool lithe_newton_polish(const LitheModel *model, int32_t body, const LitheNewtonSetting *setting,
                         LitheWork *all) {
    const LitheUnitOps *ops = lithe_unit_ops(model, body);
    LitheUnitWork *work = &all->units[body];
    double last = INFINITY;
    for (int32_t step = 0; step <= POLISH_STEPS; step++) {
        double potential = ops->evaluate(model, body, all, work->w, true, false, work->r);
        if (!(potential < INFINITY) || lithe_meter_spend(&all->meter, work->dof_count))
            return false;
        LitheMeasure size = ops->measure(model, body, all, work->r);
        if (!isfinite(size.residual) || !factor(model, body, ops, all))
            return false;
        double decrement = 0;
        for (int64_t i = 0; i < work->dof_count; i++)
            work->dx[i] = work->held[i] ? 0 : -work->r[i];
        ops->solve(model, body, all, work->dx);
        for (int64_t i = 0; i < work->dof_count; i++)
            decrement -= work->held[i] ? 0 : work->r[i] * work->dx[i];
        bool converged = size.residual <= goal(size, setting);
        if (converged && (decrement >= 0.1 * last || step == POLISH_STEPS))
            return true;
        last = decrement;
        for (int64_t i = 0; i < work->dof_count; i++)
            work->w[i] += work->held[i] ? 0 : work->dx[i];
    }
    return false;
}

void lithe_report_sum(const LitheModel *model, const LitheWork *work, LitheReport *report) {
    memset(report, 0, sizeof *report);
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitWork *body = &work->units[i];
        if (body->iterations > report->newton_iterations)
            report->newton_iterations = body->iterations;
        report->line_search_cuts += body->cuts;
        report->hessians_corrected += body->corrected;
        report->bodies_unconverged += !body->converged;
        if (i == 0 || body->residual > report->residual) {
            report->residual = body->residual;
            report->worst = model->units[i].thing;
        }
        if (lithe_unit_ops(model, i)->report)
            lithe_unit_ops(model, i)->report(model, i, work, report);
    }
    if (report->worst.kind == LITHE_THING_ROD)
        report->worst_rod.number = report->worst.number;
}
