// SPDX-License-Identifier: Apache-2.0
// advance/retry.c - lithe_step: the step, in substeps where necessary
//
// A substep that is rejected (advance/attempt.c) is repeated in halves: of a fixed step down to
// contact.most-cuts halvings, of an adaptive one down to the smallest step.

#include "advance/adapt.h"
#include "advance/arc.h"
#include "advance/attempt.h"
#include "advance/load_step.h"
#include "advance/reach.h"
#include "advance/report.h"
#include "advance/runaway.h"
#include "advance/step.h"
#include "body/constraint.h"
#include "body/unit.h"
#include "solve/contact_model.h"
#include "solve/persistent.h"

#include <math.h>
#include <string.h>

// after this number of halted substeps in a row (T25) velocities are zero, and things still cannot
// move without a gain of energy: the step fails
#define MAX_HALTS 64

static void copy_state(LitheState *to, const LitheState *from) {
    memcpy(to->data, from->data, (size_t)from->size * sizeof(double));
}

// --- substeps of a step --------------------------------------------------------------------------

static void take_back(LitheTrial *trial, LitheState *state) {
    copy_state(state, trial->work->before);
    trial->report->rejected++;
    trial->report->limit = trial->limit;
}

// The step in substeps of halves, quarters ..: a substep that is rejected is halved; after an
// accepted one the length doubles as soon as the next substep starts on the grid of the longer
// ones.
static LitheStatus make_pieces(LitheTrial *trial, LitheState *state) {
    const LitheModel *model = trial->model;
    int32_t max = model->contact.most_cuts, cuts = 0;
    int64_t whole = (int64_t)1 << max, done = 0;
    double start = state->clock[0], step = model->time.step;
    while (done < whole) {
        int64_t ticks = whole >> cuts;
        LitheReport substep;
        double h = step / (double)((int64_t)1 << cuts);
        LitheVerdict verdict = lithe_try_substep(trial, state, h, cuts == max, cuts, &substep);
        if (verdict == LITHE_REJECTED) {
            take_back(trial, state);
            cuts++;
            continue;
        }
        if (verdict == LITHE_STOPPED)
            return trial->status;
        lithe_report_add(trial->report, &substep, LITHE_PARTS_SUBSTEPS);
        trial->halts = substep.halted > 0 ? trial->halts + 1 : 0;
        if (trial->halts > MAX_HALTS)
            return lithe_fail_halted(trial, h);
        if (trial->work->watch)
            trial->work->watch(trial->work->before, state, trial->work->watch_user);
        done += ticks;
        if (done < whole && !trial->in_substeps &&
            !lithe_work_keep_start(trial->work, trial->work->before))
            return lithe_fail_memory(&trial->error, "the state before the step");
        trial->in_substeps |= done < whole;
        state->clock[0] = start + step * ((double)done / (double)whole);
        while (cuts > 0 && done % (2 * (whole >> cuts)) == 0)
            cuts--;
    }
    trial->report->step = step;
    return LITHE_OK;
}

// Step-size control: the error is too large, or a constraint breaks within the step and its time is
// to be resolved.
static LitheVerdict judge_errors(LitheTrial *trial, const LitheStepErrors *errors,
                                 const LitheReport *substep, double h, bool smallest) {
    LitheAttempt made = lithe_plain_attempt(h), ignored;
    LitheRungs rungs = {.smallest = smallest};
    LitheReason reason = LITHE_REASON_NONE;
    LitheStepLimit limit;
    if (lithe_adapt_refuses(errors, &limit)) {
        reason = LITHE_REASON_ERROR;
    } else if (substep->constraints_broken > 0) {
        reason = LITHE_REASON_BROKE;
        limit = LITHE_LIMIT_EVENT;
    }
    if (reason == LITHE_REASON_NONE ||
        lithe_ladder_next(reason, &made, &rungs, &ignored) == LITHE_NEXT_ACCEPT)
        return LITHE_ACCEPTED;
    trial->limit = limit;
    return LITHE_REJECTED;
}

// One step as long as errors, effort and events allow; halved as often as needed.
static LitheStatus make_adaptive(LitheTrial *trial, LitheState *state) {
    const LitheModel *model = trial->model;
    LitheReport *report = trial->report;
    LitheStepErrors errors = {0};
    int32_t levels = lithe_adapt_levels(model);
    int32_t level = lithe_adapt_begin(model, state, &report->limit), start = level;
    for (;; level++) {
        LitheReport substep;
        double h = lithe_adapt_length(model, level);
        bool smallest = level == levels;
        LitheVerdict verdict =
            lithe_try_substep(trial, state, h, smallest, level - start, &substep);
        if (verdict == LITHE_STOPPED)
            return trial->status;
        if (verdict == LITHE_ACCEPTED) {
            errors = lithe_adapt_measure(model, trial->work->before, state, h, trial->work);
            verdict = judge_errors(trial, &errors, &substep, h, smallest);
        }
        if (verdict == LITHE_REJECTED) {
            take_back(trial, state);
            continue;
        }
        lithe_report_add(report, &substep, LITHE_PARTS_SUBSTEPS);
        if (trial->work->watch)
            trial->work->watch(trial->work->before, state, trial->work->watch_user);
        report->step = h;
        report->error = errors.motion;
        report->contact_error = errors.contact;
        break;
    }
    lithe_adapt_end(model, trial->work->before, level, &errors, report, state);
    return LITHE_OK;
}

// --- the step ------------------------------------------------------------------------------------

static LitheState *start_of(const LitheTrial *trial) {
    return trial->in_substeps ? trial->work->start : trial->work->before;
}

// A step that ended: a constraint that cannot be met makes it fail.
static LitheStatus judge_reach(const LitheTrial *trial, LitheState *state, LitheError *error) {
    int32_t steps = lithe_reach_doubted(trial->model, start_of(trial), state);
    if (steps == 0)
        return LITHE_OK;
    LitheMeter *meter = &trial->work->meter;
    double h = trial->report->step, time = lithe_load_time(state) + steps * h;
    LitheStatus status = lithe_reach_ahead(trial->model, state, time, time - h / 2,
                                           &trial->work->reach, meter, error);
    if (lithe_meter_given_up(meter))
        status = lithe_given_up(start_of(trial), error);
    if (status != LITHE_OK)
        copy_state(state, start_of(trial));
    return status;
}

// A step that failed, with the state of its start: a constraint that cannot be met is the better
// message.
static void blame_constraint(const LitheModel *model, const LitheState *state, LitheWork *work,
                             LitheError *error) {
    bool still = model->time.scheme == LITHE_SCHEME_STATIC;
    double h = model->time.step;
    bool along = model->time.follow == LITHE_FOLLOW_ARC_LENGTH;
    double end = still && !along ? (state->clock[1] + 1) * h : lithe_load_time(state) + h;
    lithe_reach_blame(model, state, end, still ? end : end - h / 2, &work->reach, &work->meter,
                      error);
}

// The step, whose work is counted.
static LitheStatus make_step(const LitheModel *model, LitheState *state, LitheWork *work,
                             LitheReport *report, LitheError *error) {
    double steps = state->clock[1] + 1;
    bool adaptive = model->time.min_step > 0;
    LitheStatus status;
    LitheTrial trial = {.model = model, .work = work, .report = report};
    if (model->time.follow == LITHE_FOLLOW_ARC_LENGTH) {
        lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
        status = lithe_path_step(model, state, work, report, error);
    } else if (model->time.scheme == LITHE_SCHEME_STATIC) {
        lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
        status = lithe_load_step(model, state, steps * model->time.step, work, report, error);
    } else {
        status = adaptive ? make_adaptive(&trial, state) : make_pieces(&trial, state);
        if (lithe_meter_given_up(&work->meter))
            status = lithe_given_up(start_of(&trial), &trial.error);
        if (status != LITHE_OK && error)
            *error = trial.error;
    }
    // a failed step leaves the state unchanged
    if (status != LITHE_OK && model->time.scheme != LITHE_SCHEME_STATIC) {
        copy_state(state, start_of(&trial));
    } else if (status == LITHE_OK) {
        if (!adaptive)
            state->clock[0] = steps * model->time.step;
        state->clock[1] = steps;
        if (lithe_contact_solver(model)->regularises)
            report->stored = lithe_contacts_stored(work);
        lithe_report_inverted(model, state, report);
        if (model->constraint_count > 0 && model->time.scheme != LITHE_SCHEME_STATIC)
            status = judge_reach(&trial, state, error);
    }
    if (status == LITHE_CANNOT_GO_ON)
        blame_constraint(model, state, work, error);
    return status;
}

LitheStatus lithe_step(const LitheModel *model, LitheState *state, LitheWork *work,
                       LitheReport *report, LitheError *error) {
    LitheReport own;
    report = report ? report : &own;
    memset(report, 0, sizeof *report);
    int64_t limit = model->time.max_work * (model->v_count + 1);
    bool began = lithe_meter_begin(&work->meter, limit);
    lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
    LitheStatus status = make_step(model, state, work, report, error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_NONE);
    LitheGivenUp why = lithe_meter_given_up(&work->meter);
    lithe_meter_end(&work->meter, began);
    if (status == LITHE_INTERRUPTED && why == LITHE_WORK_EXCEEDED) {
        status = lithe_runaway_fail(model, state, work, report, error);
        blame_constraint(model, state, work, error);
    }
    return status;
}
