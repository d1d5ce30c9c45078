// SPDX-License-Identifier: Apache-2.0
// solve/lcp_rk23.c - free motion of a step by the pairs of Bogacki and Shampine, of order 3 and 2,
// with substeps that follow from their difference: (L15) of docs/theory/lcp.md
//
// Each unit moves alone, under all forces but those of contacts, limits and bounded drives.

#include "base/memory.h"
#include "base/status.h"
#include "body/unit.h"
#include "solve/lcp_rows.h"

#include <math.h>
#include <string.h>

// tolerances of a substep: relative, and of velocities [m/s, rad/s] and displacements [m, rad]
#define RELATIVE 1e-3
#define SPEED 1e-5
#define PLACE 1e-7

enum { MAX_SUBSTEPS = 100000, STAGES = 4 };

typedef struct Flight {
    const LitheAssembly *all;
    LitheLcpScratch *s;
    int32_t unit, n;
    double time;           // at the start of the substep
    double *v[STAGES];     // velocities of the stages
    double *a[STAGES];     // their accelerations
    double *sum, *v_start; // scratch; velocity at the start of the substep
} Flight;

// velocity and acceleration of stage k, at `from` (+) h sum of c v, from the stages before it
static bool stage(const Flight *f, int k, const double *c, double at, double h) {
    const LitheModel *model = f->all->model;
    const LitheUnitOps *ops = lithe_unit_ops(model, f->unit);
    LitheState *to = f->s->ahead[1];
    LitheStepPlan plan = *f->all->plan;
    double power;
    memcpy(f->v[k], f->v_start, (size_t)f->n * sizeof(double));
    memset(f->sum, 0, (size_t)f->n * sizeof(double));
    for (int m = 0; m < k; m++)
        for (int32_t i = 0; i < f->n; i++) {
            f->sum[i] += c[m] * f->v[m][i];
            f->v[k][i] += h * c[m] * f->a[m][i];
        }
    ops->advance(model, f->unit, f->s->ahead[0], f->sum, h, to);
    memcpy(to->v + model->units[f->unit].v_at, f->v[k], (size_t)f->n * sizeof(double));
    plan.time = to->clock[0] = f->time + at * h;
    memset(f->sum, 0, (size_t)f->n * sizeof(double));
    return ops->accelerate(model, f->unit, to, &plan, f->sum, f->all->work, f->a[k], NULL, &power);
}

// largest error of a substep over its tolerance
static double error_of(const Flight *f, double h) {
    static const double e[STAGES] = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8};
    double worst = 0;
    for (int32_t i = 0; i < f->n; i++) {
        double place = 0, speed = 0;
        for (int m = 0; m < STAGES; m++) {
            place += h * e[m] * f->v[m][i];
            speed += h * e[m] * f->a[m][i];
        }
        double size = fmax(fabs(f->v_start[i]), fabs(f->v[3][i]));
        worst = fmax(worst, fabs(speed) / (SPEED + RELATIVE * size));
        worst = fmax(worst, fabs(place) / (PLACE + RELATIVE * h * size));
    }
    return isfinite(worst) ? worst : INFINITY;
}

// (L15) for one unit, its end in ahead[0]
static bool fly(Flight *f) {
    static const double c[STAGES][3] = {
        {0, 0, 0}, {0.5, 0, 0}, {0, 0.75, 0}, {2.0 / 9, 1.0 / 3, 4.0 / 9}};
    static const double at[STAGES] = {0, 0.5, 0.75, 1};
    const LitheModel *model = f->all->model;
    const LitheUnit *unit = &model->units[f->unit];
    double end = f->all->plan->time + f->all->plan->h, h = f->all->plan->h;
    memcpy(f->v_start, f->all->state->v + unit->v_at, (size_t)f->n * sizeof(double));
    for (int32_t k = 0; k < MAX_SUBSTEPS; k++) {
        bool last = f->time + h * (1 + 1e-9) >= end, ok = true;
        h = last ? end - f->time : h;
        for (int m = 0; m < STAGES && ok; m++)
            ok = stage(f, m, c[m], at[m], h);
        double error = ok ? error_of(f, h) : INFINITY;
        double factor = fmin(5, fmax(0.2, 0.9 / cbrt(error)));
        if (error <= 1) {
            memcpy(f->s->ahead[0]->q + unit->q_at, f->s->ahead[1]->q + unit->q_at,
                   (size_t)unit->q_count * sizeof(double));
            memcpy(f->v_start, f->v[3], (size_t)f->n * sizeof(double));
            if (last)
                return true;
            f->time += h;
        }
        h *= factor;
        if (!(h > 1e-9 * f->all->plan->h))
            return false;
    }
    return false;
}

static bool reserve(const LitheAssembly *all, LitheLcpScratch *s) {
    LitheContext *context = all->work->context;
    int64_t most = 0;
    for (int32_t i = 0; i < all->model->unit_count; i++)
        most = all->model->units[i].v_count > most ? all->model->units[i].v_count : most;
    for (int k = 0; k < 2; k++) {
        if (!s->ahead[k])
            s->ahead[k] = lithe_state_copy(all->state);
        else
            lithe_state_set(s->ahead[k], lithe_state_data(all->state));
        if (!s->ahead[k])
            return false;
    }
    return LITHE_RESERVE(context, s->beyond, s->beyond_capacity, all->model->v_count) &&
           LITHE_RESERVE(context, s->stages, s->stage_capacity, (2 * STAGES + 2) * most);
}

LitheStatus lithe_lcp_rk23(const LitheAssembly *all, LitheLcpScratch *s, LitheError *error) {
    const LitheModel *model = all->model;
    double h = all->plan->h;
    if (!reserve(all, s))
        return lithe_fail_memory(error, "the substeps of a step");
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        Flight f = {.all = all, .s = s, .unit = i, .time = all->plan->time};
        f.n = (int32_t)unit->v_count;
        double *at = s->stages, *beyond = s->beyond + unit->v_at, *rates = s->rates + unit->v_at;
        for (int m = 0; m < STAGES; m++, at += 2 * f.n) {
            f.v[m] = at;
            f.a[m] = at + f.n;
        }
        f.sum = at;
        f.v_start = at + f.n;
        if (!fly(&f))
            return lithe_fail(error, LITHE_CANNOT_GO_ON,
                              "%s '%s': rk23 finds no substep that is short enough at t = %g s",
                              ops->kind, unit->name, f.time);
        ops->difference(model, i, all->state, s->ahead[0], beyond);
        for (int32_t k = 0; k < f.n; k++) {
            double mean = beyond[k] / h;
            beyond[k] = f.v_start[k] - mean;
            rates[k] = (mean - all->state->v[unit->v_at + k]) / h;
        }
        if (!ops->begin(model, i, all->state, all->plan, all->work))
            return lithe_fail(error, LITHE_CANNOT_GO_ON, "%s '%s': it cannot begin at t = %g s",
                              ops->kind, unit->name, all->plan->time);
    }
    return LITHE_OK;
}

void lithe_lcp_rk23_end(const LitheModel *model, const LitheLcpScratch *s, const LitheWork *work,
                        LitheState *state) {
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        for (int32_t k = 0; k < work->units[i].dof_count; k++)
            if (!work->units[i].held[k])
                state->v[unit->v_at + k] += s->beyond[unit->v_at + k];
    }
    lithe_riders_place(model, state);
}

void lithe_lcp_rk23_free(LitheContext *context, LitheLcpScratch *s) {
    for (int k = 0; k < 2; k++)
        lithe_state_destroy(s->ahead[k]);
    lithe_free(context, s->beyond);
    lithe_free(context, s->stages);
}
