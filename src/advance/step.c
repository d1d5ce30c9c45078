// SPDX-License-Identifier: Apache-2.0
// advance/step.c - one step of the world: lithe_step, readable on one screen

#include "advance/adapt.h"
#include "advance/attempt.h"
#include "advance/certify.h"
#include "advance/press.h"
#include "advance/touch.h"
#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/unit.h"
#include "data/system.h"
#include "solve/equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- scratch of a world --------------------------------------------------------------------------

// One block for the scratch of all units: of many short rods it lies in few large pages.
static bool lay_units(LitheWork *work) {
    const LitheModel *model = work->model;
    int64_t total = 0, taken = 0;
    for (int32_t i = 0; i < model->unit_count; i++)
        total += lithe_unit_ops(model, i)->lay(model, i, work, NULL);
    work->block = lithe_alloc_array(work->context, total, sizeof(double));
    if (!work->block)
        return false;
    for (int32_t i = 0; i < model->unit_count; i++)
        taken += lithe_unit_ops(model, i)->lay(model, i, work, work->block + taken);
    return true;
}

LitheWork *lithe_work_create(const LitheModel *model, int32_t threads) {
    LitheWork *work = lithe_alloc(model->context, sizeof *work);
    if (!work)
        return NULL;
    work->context = model->context;
    work->model = model;
    work->soften = 1;
    work->units = lithe_alloc_array(model->context, model->unit_count, sizeof *work->units);
    work->start = lithe_state_create(model);
    work->before = lithe_state_create(model);
    if (threads > 1)
        work->pool = lithe_pool_create(model->context, threads);
    bool ok = work->units && work->start && work->before && (threads <= 1 || work->pool);
    ok = ok && lithe_touch_open(work) && lay_units(work);
    if (ok)
        return work;
    lithe_work_destroy(work);
    return NULL;
}

void lithe_work_destroy(LitheWork *work) {
    if (!work)
        return;
    lithe_touch_close(work);
    lithe_pool_destroy(work->pool);
    lithe_state_destroy(work->start);
    lithe_state_destroy(work->before);
    lithe_free(work->context, work->block);
    lithe_free(work->context, work->units);
    lithe_free(work->context, work);
}

// --- pieces of a step ----------------------------------------------------------------------------

// a solve that ends above this is tried again in halves, so many times: its residual is no rounding
#define POOR_RESIDUAL 1e-3
#define POOR_CUTS 3
// one that ends above this has no meaning: it is halved as often as a crossing is, then the run
// stops
#define HOPELESS_RESIDUAL 0.1

static void copy_state(LitheState *to, const LitheState *from) {
    memcpy(to->data, from->data, (size_t)from->size * sizeof(double));
}

static int32_t imax(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static void add_report(LitheReport *sum, const LitheReport *piece) {
    LitheReport out = *piece;
    if (sum->pieces > 0) {
        out.newton_iterations = sum->newton_iterations + piece->newton_iterations;
        out.line_search_cuts += sum->line_search_cuts;
        out.hessians_corrected += sum->hessians_corrected;
        out.bodies_unconverged += sum->bodies_unconverged;
        out.passes += sum->passes;
        out.solve_iterations += sum->solve_iterations;
        out.constraints_broken += sum->constraints_broken;
        out.held += sum->held;
        out.softened += sum->softened;
        out.solve_unconverged |= sum->solve_unconverged;
        out.friction_unsettled |= sum->friction_unsettled;
        out.solve_residual = fmax(out.solve_residual, sum->solve_residual);
        out.backward_error = fmax(out.backward_error, sum->backward_error);
        out.residual = fmax(out.residual, sum->residual);
        out.joints_at_limit = imax(out.joints_at_limit, sum->joints_at_limit);
        out.contacts = imax(out.contacts, sum->contacts);
        out.pairs_unserved = imax(out.pairs_unserved, sum->pairs_unserved);
        out.deepest = fmax(out.deepest, sum->deepest);
    }
    out.pieces = sum->pieces + 1;
    out.crossings_avoided = sum->crossings_avoided;
    out.rejected = sum->rejected;
    out.limit = sum->limit;
    *sum = out;
}

// Why an attempt is to be made again.
typedef struct Trial {
    const LitheModel *model;
    LitheWork *work;
    LitheReport *report;  // of the step so far
    LitheError error;     // of attempts that were made again, too: those are no errors of the step
    LitheStepLimit limit; // what was wrong with the last one
    bool in_pieces;       // work->start has the start; else work->before is there still
} Trial;

static LitheStatus tell_crossing(Trial *trial, const LitheCrossing *crossing, double h) {
    const LitheModel *model = trial->model;
    char who[200], why[440], how[100];
    lithe_crossing_names(model, crossing, who, sizeof who);
    if (model->time.min_step > 0)
        snprintf(how, sizeof how, "with the smallest step, %g s", h);
    else
        snprintf(how, sizeof how, "with contact.most-cuts = %d", (int)model->contact.most_cuts);
    snprintf(why, sizeof why, "%s pass through each other, even %s,", who, how);
    return lithe_cannot_step(model, trial->work->before->clock[0], h, why, &trial->error);
}

// The last resort of a solve that found no end, or no good one: couplings that give more. False
// leaves the status and its error as they were, unless something else went wrong.
static bool soften(Trial *trial, LitheState *state, double h, LitheReport *piece,
                   LitheStatus *status) {
    LitheReport report;
    LitheStatus outcome;
    LitheError error;
    if (lithe_attempt_softened(trial->model, state, h, trial->work, &report, &outcome, &error)) {
        *piece = report;
        *status = LITHE_OK;
        return true;
    }
    if (outcome != LITHE_OK && outcome != LITHE_CANNOT_GO_ON) {
        *status = outcome;
        trial->error = error;
    }
    return false;
}

// One attempt from `before` on. False: it is to be made again in halves, and the error says why.
// `cuts` are the halvings so far.
static bool try_piece(Trial *trial, LitheState *state, double h, bool last_chance, int32_t cuts,
                      LitheReport *piece, LitheStatus *status) {
    const LitheModel *model = trial->model;
    LitheWork *work = trial->work;
    LitheCrossing crossing = {0};
    copy_state(work->before, state);
    trial->limit = LITHE_LIMIT_SOLVE;
    *status = lithe_attempt(model, state, h, work, piece, &trial->error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_CERTIFY);
    if (*status == LITHE_OK)
        *status = lithe_certify(model, work->before, state, h, work, &crossing, &trial->error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
    if (crossing.found && last_chance)
        *status = lithe_attempt_held(model, state, h, work, piece, &crossing, &trial->error);
    if (crossing.found) {
        trial->limit = LITHE_LIMIT_CROSSING;
        trial->report->crossings_avoided++;
        *status = tell_crossing(trial, &crossing, h);
    }
    bool unsolved = *status == LITHE_OK && piece->solve_unconverged;
    if (unsolved && piece->solve_residual > HOPELESS_RESIDUAL) {
        char why[100];
        snprintf(why, sizeof why,
                 "the coupled solve of %d contacts and other couplings found no end",
                 (int)work->system->coupling_count);
        *status = lithe_cannot_step(model, work->before->clock[0], h, why, &trial->error);
    }
    bool poor = unsolved && piece->solve_residual > POOR_RESIDUAL, solved = true;
    bool held = crossing.found || piece->held > 0 || lithe_presses(model);
    if (last_chance && !held && (poor || *status == LITHE_CANNOT_GO_ON))
        solved = soften(trial, state, h, piece, status);
    if (*status == LITHE_CANNOT_GO_ON)
        return last_chance;
    // not even then: as well as it could be solved, and told
    if (!solved && *status == LITHE_OK) {
        copy_state(state, work->before);
        *status = lithe_attempt(model, state, h, work, piece, &trial->error);
    }
    return !(poor && cuts < POOR_CUTS && !last_chance);
}

static void take_back(Trial *trial, LitheState *state) {
    copy_state(state, trial->work->before);
    trial->report->rejected++;
    trial->report->limit = trial->limit;
}

// The step in pieces of halves, quarters ..: each as long as what lies behind allows, and twice as
// long as the last where that ends on the grid of the longer ones.
static LitheStatus make_pieces(Trial *trial, LitheState *state) {
    const LitheModel *model = trial->model;
    int32_t most = model->contact.most_cuts, cuts = 0;
    int64_t whole = (int64_t)1 << most, done = 0;
    double start = state->clock[0], step = model->time.step;
    while (done < whole) {
        int64_t ticks = whole >> cuts;
        LitheStatus status;
        LitheReport piece;
        double h = step / (double)((int64_t)1 << cuts);
        if (!try_piece(trial, state, h, cuts == most, cuts, &piece, &status)) {
            take_back(trial, state);
            cuts++;
            continue;
        }
        if (status != LITHE_OK)
            return status;
        add_report(trial->report, &piece);
        if (trial->work->watch)
            trial->work->watch(trial->work->before, state, trial->work->watch_user);
        done += ticks;
        if (done < whole && !trial->in_pieces)
            copy_state(trial->work->start, trial->work->before);
        trial->in_pieces |= done < whole;
        state->clock[0] = start + step * ((double)done / (double)whole);
        while (cuts > 0 && done % (2 * (whole >> cuts)) == 0)
            cuts--;
    }
    trial->report->step = step;
    return LITHE_OK;
}

// One step as long as errors, effort and events allow; half as long as often as it takes.
static LitheStatus make_adaptive(Trial *trial, LitheState *state) {
    const LitheModel *model = trial->model;
    LitheReport *report = trial->report;
    LitheStepErrors errors = {0};
    int32_t levels = lithe_adapt_levels(model);
    int32_t level = lithe_adapt_begin(model, state, &report->limit), start = level;
    for (;; level++) {
        LitheStatus status;
        LitheReport piece;
        double h = lithe_adapt_length(model, level);
        bool smallest = level == levels;
        bool made = try_piece(trial, state, h, smallest, level - start, &piece, &status);
        if (made && status != LITHE_OK)
            return status;
        if (made) {
            errors = lithe_adapt_measure(model, trial->work->before, state, h, trial->work);
            made = smallest || !lithe_adapt_refuses(&errors, &trial->limit);
        }
        // what breaks is to break when it does
        if (made && !smallest && piece.constraints_broken > 0) {
            made = false;
            trial->limit = LITHE_LIMIT_EVENT;
        }
        if (!made) {
            take_back(trial, state);
            continue;
        }
        add_report(report, &piece);
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

LitheStatus lithe_step(const LitheModel *model, LitheState *state, LitheWork *work,
                       LitheReport *report, LitheError *error) {
    LitheReport own;
    report = report ? report : &own;
    memset(report, 0, sizeof *report);
    lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
    double steps = state->clock[1] + 1;
    bool adaptive = model->time.min_step > 0;
    LitheStatus status;
    Trial trial = {.model = model, .work = work, .report = report};
    if (model->time.scheme == LITHE_SCHEME_STATIC) {
        copy_state(work->before, state);
        state->clock[0] = steps * model->time.step;
        lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
        status = lithe_equilibrium_find(model, state, work, report, error);
        report->step = model->time.step;
    } else {
        status = adaptive ? make_adaptive(&trial, state) : make_pieces(&trial, state);
        if (status != LITHE_OK && error)
            *error = trial.error;
    }
    // a step that could not be made leaves the state as it was
    if (status != LITHE_OK) {
        copy_state(state, trial.in_pieces ? work->start : work->before);
    } else {
        if (!adaptive)
            state->clock[0] = steps * model->time.step;
        state->clock[1] = steps;
    }
    lithe_stage_enter(&work->stages, LITHE_STAGE_NONE);
    return status;
}
