// SPDX-License-Identifier: Apache-2.0
// solve/newton.c - free motion of one body: Newton on its incremental potential, with line search
//
// Residuals are measured in the norm |r|_D with D = diag(A)^-1/2, which makes DoFs of different
// nature (metres, radians) comparable:
//     (N1)  stop when |r|_D <= tolerance max(|c M v0|_D, |h f|_D, |h grad E|_D) + noise
// where noise is what rounding of positions alone makes of the elastic forces. A step is taken when
// the potential falls enough (Armijo). Where there is no potential (dead moments), or its change
// drowns in rounding, the residual must fall instead.

#include "solve/newton.h"

#include <math.h>
#include <string.h>

// fraction of the predicted decrease that a step must achieve
#define ARMIJO 1e-4
// halvings before a direction is given up: 2^-30 of a Newton step moves nothing that matters
#define MAX_CUTS 30
// relative change of the potential below which rounding decides
#define POTENTIAL_NOISE 1e-13

// |x|_D over free DoFs, D from the diagonal of A
static double norm(const LitheRod *rod, const LitheRodWork *work, const double *x, double factor) {
    double sum = 0;
    for (int32_t i = 0; i < rod->node_count; i++) {
        const double *panel = work->matrix.panel + LITHE_ROD_PANEL * (int64_t)i;
        for (int c = 0; c < 4; c++) {
            double a = panel[13 * c];
            if (!rod->held[4 * i + c] && a > 0)
                sum += x[4 * i + c] * x[4 * i + c] / a;
        }
    }
    return factor * sqrt(sum);
}

// right side of (N1)
static double goal(const LitheRod *rod, LitheRodWork *work, double tolerance) {
    const LitheStepPlan *plan = &work->plan;
    double scale =
        fmax(norm(rod, work, work->force, plan->h), norm(rod, work, work->gradient, plan->h));
    if (!plan->still) {
        for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
            work->dx[i] = rod->mass[i] * work->v0[i];
        scale = fmax(scale, norm(rod, work, work->dx, plan->c));
    }
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        work->dx[i] = i % 4 == 3 ? 0 : work->force_scale;
    return tolerance * scale + norm(rod, work, work->dx, plan->h);
}

// factors A, with projected stencils when the exact one is not positive definite
static bool factor(const LitheModel *model, int32_t body, const LitheBodyOps *ops, LitheWork *all) {
    LitheRodWork *work = &all->rods[body];
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

// One step along dx: accepted into w, r and *potential, with the matrix evaluated there. False when
// no length helps.
static bool line_search(const LitheModel *model, int32_t body, const LitheBodyOps *ops,
                        LitheWork *all, double *potential, double *residual) {
    const LitheRod *rod = &model->rods[body];
    LitheRodWork *work = &all->rods[body];
    int64_t dofs = 4 * (int64_t)rod->node_count;
    double slope = 0;
    for (int64_t i = 0; i < dofs; i++)
        slope += rod->held[i] ? 0 : work->r[i] * work->dx[i];
    double length = 1;
    for (int32_t cut = 0; cut <= MAX_CUTS; cut++, length *= 0.5, work->cuts++) {
        for (int64_t i = 0; i < dofs; i++)
            work->trial[i] = work->w[i] + (rod->held[i] ? 0 : length * work->dx[i]);
        double trial = ops->evaluate(model, body, all, work->trial, true, false, work->trial_r);
        if (!(trial < INFINITY))
            continue;
        double after = norm(rod, work, work->trial_r, 1);
        bool falls = trial <= *potential + ARMIJO * length * slope;
        bool blind =
            rod->has_moment || fabs(trial - *potential) <= POTENTIAL_NOISE * fabs(*potential);
        if ((falls && !rod->has_moment) || (blind && after <= (1 - 0.1 * length) * *residual)) {
            swap(&work->w, &work->trial);
            swap(&work->r, &work->trial_r);
            *potential = trial;
            *residual = after;
            return true;
        }
    }
    return false;
}

void lithe_newton(const LitheModel *model, int32_t body, const LitheNewtonSetting *setting,
                  LitheWork *all) {
    const LitheBodyOps *ops = lithe_body_ops(model, body);
    const LitheRod *rod = &model->rods[body];
    LitheRodWork *work = &all->rods[body];
    int64_t dofs = 4 * (int64_t)rod->node_count;
    work->iterations = work->cuts = work->corrected = 0;
    work->converged = false;
    work->bad_node = -1;

    // the guess may lie outside the domain: stay where we are then
    double potential = ops->evaluate(model, body, all, work->w, true, false, work->r);
    if (!(potential < INFINITY)) {
        for (int64_t i = 0; i < dofs; i++)
            work->w[i] = rod->held[i] ? work->target[i] : 0;
        potential = ops->evaluate(model, body, all, work->w, true, false, work->r);
    }
    work->finite = potential < INFINITY;
    if (!work->finite)
        return;

    double residual = norm(rod, work, work->r, 1);
    double wanted = goal(rod, work, setting->tolerance);
    work->residual = wanted > 0 ? residual * setting->tolerance / wanted : 0;
    while (work->iterations < setting->max_iterations) {
        if (residual <= wanted)
            break;
        if (!factor(model, body, ops, all))
            break;
        work->iterations++;
        for (int64_t i = 0; i < dofs; i++)
            work->dx[i] = rod->held[i] ? 0 : -work->r[i];
        ops->solve(model, body, all, work->dx);
        if (!line_search(model, body, ops, all, &potential, &residual))
            break;
        wanted = goal(rod, work, setting->tolerance);
    }
    work->converged = residual <= wanted;
    work->goal = wanted;
    work->residual = wanted > 0 ? residual * setting->tolerance / wanted : 0;
    work->finite = isfinite(potential) && isfinite(residual);
}

void lithe_report_sum(const LitheModel *model, const LitheWork *work, LitheReport *report) {
    memset(report, 0, sizeof *report);
    for (int32_t i = 0; i < model->rod_count; i++) {
        const LitheRodWork *rod = &work->rods[i];
        if (rod->iterations > report->newton_iterations)
            report->newton_iterations = rod->iterations;
        report->line_search_cuts += rod->cuts;
        report->hessians_corrected += rod->corrected;
        report->bodies_unconverged += !rod->converged;
        if (i == 0 || rod->residual > report->residual) {
            report->residual = rod->residual;
            report->worst_rod.number = i + 1;
        }
    }
}
