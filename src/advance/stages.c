// SPDX-License-Identifier: Apache-2.0
// advance/stages.c - a step of TR-BDF2: two implicit stages
//
// With d = 1 - 1/sqrt 2 and w = sqrt 2/4, so that 2 w + d = 1, q0 and v0 the state at the start and
// a0 its accelerations, each stage is a backward Euler step of length d h (docs/theory/time.md):
//     (T1)  first stage, to t + 2 d h:  from q0 + d h v0,         velocity v0 + d h a0
//     (T2)  second stage, to t + h:     from q0 + w h (v0 + v1),  velocity v0 + w h (a0 + a1)
// a0 and a1 contain the couplings that persist (solve/persistent.h). With C the impulses of the
// other ones in the first stage, the velocity of (T2) is
//     (T3)  v0 + w/d (v1 - v0) + (1 - w/d) M\C
// Frames, masses, contacts and their directions are those of the predicted end of a stage:
//     (T4)  q0 + 2 d h v0;   q1 + (w - d) h v0 + w h v1
// Driven DoFs whose velocity jumps at the start have in v0 the velocity after the jump (T5).

#include "advance/stages.h"

#include "advance/guard.h"
#include "advance/report.h"
#include "assemble/assemble.h"
#include "base/status.h"
#include "body/constraint.h"
#include "body/unit.h"
#include "solve/persistent.h"

#include <math.h>
#include <string.h>

#define D LITHE_STAGE_D
#define W LITHE_STAGE_W

typedef struct Stages {
    LitheStepJob job;
    double h;
    LitheStepPlan start; // for the accelerations
} Stages;

// --- tasks of units ------------------------------------------------------------------------------

// (T5), a0, and the displacement to the predicted end of the first stage; work->before keeps the
// velocities before a jump
static void begin_first(int32_t unit, void *user) {
    const Stages *s = user;
    const LitheModel *model = s->job.model;
    LitheState *state = s->job.state;
    LitheWork *work = s->job.work;
    LitheStageWork *stage = &work->stage;
    const LitheUnitOps *ops = lithe_unit_ops(model, unit);
    int64_t at = model->units[unit].v_at, end = at + model->units[unit].v_count;
    if (ops->jump)
        ops->jump(model, unit, work, state);
    memcpy(stage->start + at, state->v + at, (size_t)(end - at) * sizeof(double));
    const double *force = (model->units[unit].rides ? stage->carry : state->steady) + at;
    work->units[unit].finite =
        ops->accelerate(model, unit, state, &s->start, force, work, stage->a + at,
                        stage->damping + at, stage->power + unit);
    for (int64_t k = at; k < end; k++) {
        stage->velocity[k] = state->v[k] + D * s->h * stage->a[k];
        stage->by[k] = 2 * D * s->h * state->v[k];
    }
}

// Units with riders come before their carriers, which take the forces on riders: action and
// reaction at the same configuration. `carry` has the forces of couplings and riders.
static void begin_rides(Stages *s) {
    const LitheModel *model = s->job.model;
    LitheWork *work = s->job.work;
    bool any = false;
    for (int32_t i = 0; i < model->unit_count; i++)
        any |= model->units[i].rides;
    if (!any)
        return;
    memcpy(work->stage.carry, s->job.state->steady, (size_t)model->v_count * sizeof(double));
    for (int32_t i = 0; i < model->unit_count; i++)
        if (model->units[i].rides) // of a carrier: its poses
            begin_first(i, s);
    lithe_rides_forces(model, s->job.state, work, s->h, work->stage.carry);
    for (int32_t i = 0; i < model->unit_count; i++)
        if (model->units[i].rides && model->units[i].rider_count == 0)
            begin_first(i, s);
}

static void begin_alone(int32_t unit, void *user) {
    const Stages *s = user;
    lithe_unit_fetch(s->job.model, unit + 1, s->job.work, LITHE_TASK_BEGIN);
    if (!s->job.model->units[unit].rides)
        begin_first(unit, user);
}

static void predict_first(int32_t unit, void *user) {
    const Stages *s = user;
    LitheWork *work = s->job.work;
    lithe_unit_fetch(s->job.model, unit + 1, work, LITHE_TASK_END);
    lithe_unit_ops(s->job.model, unit)
        ->shift(s->job.model, unit, work->stage.by + s->job.model->units[unit].v_at, work,
                s->job.state);
}

// Power that replaces what `add_sums` counts too much: it gives all impulses of the first stage the
// weight w/d of persistent ones, and those of `carry`, which act in it with their own weight, do
// work at held DoFs, too.
static double power_of_carry(const Stages *s, int32_t unit) {
    const LitheWork *work = s->job.work;
    const LitheUnit *of = &s->job.model->units[unit];
    double sum = 0;
    for (int64_t k = 0; k < of->v_count; k++)
        if (work->units[unit].held[k])
            sum += work->stage.carry[of->v_at + k] * s->job.state->v[of->v_at + k];
    return (1 / D - 1 / W) / s->h * sum;
}

// (T3) and the predicted end of the second stage
static void begin_second(int32_t unit, void *user) {
    const Stages *s = user;
    const LitheModel *model = s->job.model;
    LitheState *state = s->job.state;
    LitheWork *work = s->job.work;
    LitheStageWork *stage = &work->stage;
    const LitheUnitOps *ops = lithe_unit_ops(model, unit);
    int64_t at = model->units[unit].v_at, end = at + model->units[unit].v_count;
    const double *v0 = work->before->v, *v1 = state->v;
    lithe_unit_fetch(model, unit + 1, work, LITHE_TASK_END);
    work->units[unit].coupled_first = work->units[unit].coupled;
    if (work->units[unit].coupled) {
        stage->power[unit] += power_of_carry(s, unit);
        ops->unmass(model, unit, work, stage->carry + at);
    }
    for (int64_t k = at; k < end; k++) {
        double carry = work->units[unit].coupled ? stage->carry[k] : 0;
        stage->velocity[k] = v0[k] + W / D * (v1[k] - v0[k]) + (1 - W / D) * carry;
        stage->by[k] = s->h * ((W - D) * v0[k] + W * v1[k]);
    }
    ops->shift(model, unit, stage->by + at, work, state);
}

// the free motion of a unit that no coupling acted on, neither now nor at the end of the last step
static void fly(int32_t unit, void *user) {
    const Stages *s = user;
    const LitheModel *model = s->job.model;
    LitheWork *work = s->job.work;
    const LitheUnitOps *ops = lithe_unit_ops(model, unit);
    const double *steady = work->before->steady + model->units[unit].v_at;
    bool coupled = work->units[unit].coupled_first || work->units[unit].coupled;
    for (int64_t k = 0; !coupled && k < model->units[unit].v_count; k++)
        coupled = steady[k] != 0;
    if (ops->fly && !coupled)
        ops->fly(model, unit, work->before, s->h, work, s->job.state);
}

// --- the step ------------------------------------------------------------------------------------

static bool all_finite(const LitheModel *model, const LitheWork *work) {
    for (int32_t i = 0; i < model->unit_count; i++)
        if (!work->units[i].finite)
            return false;
    return true;
}

// Work of the step, from the powers at its start and in the stages, with the weights that forces
// have in (T2); its losses by (A5): the first stage has booked those of its start, too.
static void add_sums(const LitheModel *model, const Stages *s) {
    const LitheStageWork *stage = &s->job.work->stage;
    const double *before = s->job.work->before->sums;
    double *sums = s->job.state->sums;
    for (int64_t k = 0; k < 2 * (int64_t)model->unit_count; k++) {
        double first = stage->sums[k] - before[k], second = sums[k] - stage->sums[k];
        double start = k % 2 ? W * s->h * stage->power[k / 2] : 0;
        sums[k] = before[k] + start + W / D * first + second;
    }
}

LitheStatus lithe_step_stages(const LitheModel *model, LitheState *state,
                              const LitheAttempt *attempt, LitheWork *work, LitheSolveFn *solve,
                              LitheReport *report, LitheError *error) {
    double h = attempt->h, time = state->clock[0], length = D * h;
    Stages s = {.job = {model, state, work, {0}}, .h = h};
    LitheReport first;
    s.start = (LitheStepPlan){.time = time, .h = h, .c = 1};
    bool switched = lithe_constraints_begin(model, state, time + h / 2);
    lithe_persistent_begin(model, state, switched, work);
    lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
    begin_rides(&s);
    lithe_units_run(work, begin_alone, &s);
    s.job.plan = (LitheStepPlan){.time = time + length,
                                 .h = length,
                                 .a = 1,
                                 .inverse_a = 1,
                                 .c = 1,
                                 .velocity = work->stage.velocity,
                                 .part = 0.5,
                                 .stage = 1,
                                 .attempt = attempt};
    // also where a unit cannot begin: backward Euler, which follows, is judged by this start
    if (!lithe_guard_begin(model, state, work))
        return lithe_fail_memory(error, "the energy of overlaps");
    if (!all_finite(model, work))
        return lithe_cannot_begin(&s.job, error);
    lithe_units_run(work, predict_first, &s);
    lithe_riders_place(model, state);
    LitheStatus status = solve(&s.job, &first, error);
    if (status != LITHE_OK)
        return status;
    memcpy(work->stage.sums, state->sums, 2 * (size_t)model->unit_count * sizeof(double));
    memcpy(work->stage.first, state->v, (size_t)model->v_count * sizeof(double));

    lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
    lithe_units_run(work, begin_second, &s);
    lithe_riders_place(model, state);
    s.job.plan.time = time + h - length;
    s.job.plan.part = D;
    s.job.plan.stage = 2;
    status = solve(&s.job, report, error);
    if (status != LITHE_OK)
        return status;
    lithe_units_run(work, fly, &s);
    lithe_report_add(&first, report, LITHE_PARTS_STAGES);
    *report = first;
    add_sums(model, &s);
    return LITHE_OK;
}
