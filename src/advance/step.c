// SPDX-License-Identifier: Apache-2.0
// advance/step.c - one step of the world: lithe_step, readable on one screen

#include "advance/attempt.h"
#include "advance/certify.h"
#include "advance/touch.h"
#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/body.h"
#include "data/system.h"
#include "solve/equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- scratch of a world --------------------------------------------------------------------------

LitheWork *lithe_work_create(const LitheModel *model, int32_t threads) {
    LitheWork *work = lithe_alloc(model->context, sizeof *work);
    if (!work)
        return NULL;
    work->context = model->context;
    work->model = model;
    work->bodies = lithe_alloc_array(model->context, lithe_unit_count(model), sizeof *work->bodies);
    work->rods = lithe_alloc_array(model->context, model->rod_count, sizeof *work->rods);
    work->trees = lithe_alloc_array(model->context, model->tree_count, sizeof *work->trees);
    work->start = lithe_state_create(model);
    work->before = lithe_state_create(model);
    if (threads > 1)
        work->pool = lithe_pool_create(model->context, threads);
    bool ok = work->bodies && work->rods && work->trees && work->start && work->before &&
              (threads <= 1 || work->pool);
    ok = ok && lithe_touch_open(work);
    for (int32_t i = 0; ok && i < lithe_unit_count(model); i++)
        ok = lithe_body_ops(model, i)->work_begin(model, i, work);
    if (ok)
        return work;
    lithe_work_destroy(work);
    return NULL;
}

void lithe_work_destroy(LitheWork *work) {
    if (!work)
        return;
    bool listed = work->bodies && work->rods && work->trees;
    for (int32_t i = 0; listed && i < lithe_unit_count(work->model); i++)
        lithe_body_ops(work->model, i)->work_end(work->model, i, work);
    lithe_touch_close(work);
    lithe_pool_destroy(work->pool);
    lithe_state_destroy(work->start);
    lithe_state_destroy(work->before);
    lithe_free(work->context, work->trees);
    lithe_free(work->context, work->rods);
    lithe_free(work->context, work->bodies);
    lithe_free(work->context, work);
}

// --- where the time goes ------------------------------------------------------------------------

const char *lithe_stage_name(LitheStage stage) {
    static const char *const names[LITHE_STAGE_COUNT] = {"none",     "collide", "free",
                                                         "assemble", "factor",  "line_search",
                                                         "certify",  "advance", "record"};
    LITHE_ASSERT((int)stage >= 0 && stage < LITHE_STAGE_COUNT);
    return names[stage];
}

double lithe_work_seconds(const LitheWork *work, LitheStage stage) {
    LITHE_ASSERT((int)stage >= 0 && stage < LITHE_STAGE_COUNT);
    return work->stages.seconds[stage];
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
    *sum = out;
}

// One piece of the step from `before` on. False: it is to be tried again in halves, and the error
// says why.
static bool make_piece(const LitheModel *model, LitheState *state, double h, bool last_chance,
                       int32_t cuts, LitheWork *work, LitheReport *report, LitheStatus *status,
                       LitheError *error) {
    LitheReport piece;
    LitheCrossing crossing = {0};
    *status = lithe_attempt(model, state, h, work, &piece, error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_CERTIFY);
    if (*status == LITHE_OK)
        *status = lithe_certify(model, work->before, state, h, work, &crossing, error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
    if (crossing.found && last_chance)
        *status = lithe_attempt_held(model, state, h, work, &piece, &crossing, error);
    if (crossing.found) {
        char who[200], why[300];
        report->crossings_avoided++;
        lithe_crossing_names(model, &crossing, who, sizeof who);
        snprintf(why, sizeof why, "%s pass through each other, even with contact.most-cuts = %d,",
                 who, (int)model->contact.most_cuts);
        *status = lithe_cannot_step(model, state->clock[0], h, why, error);
    }
    bool unsolved = *status == LITHE_OK && piece.solve_unconverged;
    if (unsolved && piece.solve_residual > HOPELESS_RESIDUAL) {
        char why[100];
        snprintf(why, sizeof why,
                 "the coupled solve of %d contacts and other couplings found no end",
                 (int)work->system->coupling_count);
        *status = lithe_cannot_step(model, state->clock[0], h, why, error);
    }
    if (*status == LITHE_CANNOT_GO_ON)
        return last_chance;
    if (unsolved && piece.solve_residual > POOR_RESIDUAL && cuts < POOR_CUTS && !last_chance)
        return false;
    if (*status == LITHE_OK)
        add_report(report, &piece);
    return true;
}

// The step in pieces of halves, quarters ..: each as long as what lies behind allows, and twice as
// long as the last where that ends on the grid of the longer ones.
static LitheStatus make_pieces(const LitheModel *model, LitheState *state, LitheWork *work,
                               LitheReport *report, LitheError *error) {
    int32_t most = model->contact.most_cuts, cuts = 0;
    int64_t whole = (int64_t)1 << most, done = 0;
    double start = state->clock[0], step = model->time.step;
    LitheError why = {0}; // of pieces that were tried again, too: those are no errors of the step
    while (done < whole) {
        int64_t piece = whole >> cuts;
        LitheStatus status;
        copy_state(work->before, state);
        bool made = make_piece(model, state, step / (double)((int64_t)1 << cuts), cuts == most,
                               cuts, work, report, &status, &why);
        if (!made) {
            copy_state(state, work->before);
            cuts++;
            continue;
        }
        if (status != LITHE_OK) {
            if (error)
                *error = why;
            return status;
        }
        if (work->watch)
            work->watch(work->before, state, work->watch_user);
        done += piece;
        state->clock[0] = start + step * ((double)done / (double)whole);
        while (cuts > 0 && done % (2 * (whole >> cuts)) == 0)
            cuts--;
    }
    return LITHE_OK;
}

// --- the step ------------------------------------------------------------------------------------

LitheStatus lithe_step(const LitheModel *model, LitheState *state, LitheWork *work,
                       LitheReport *report, LitheError *error) {
    LitheReport own;
    report = report ? report : &own;
    memset(report, 0, sizeof *report);
    lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
    copy_state(work->start, state);
    double steps = state->clock[1] + 1;
    LitheStatus status;
    if (model->time.scheme == LITHE_SCHEME_STATIC) {
        state->clock[0] = steps * model->time.step;
        lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
        status = lithe_equilibrium_find(model, state, work, report, error);
    } else {
        status = make_pieces(model, state, work, report, error);
    }
    // a step that could not be made leaves the state as it was
    if (status != LITHE_OK) {
        copy_state(state, work->start);
    } else {
        state->clock[0] = steps * model->time.step;
        state->clock[1] = steps;
    }
    lithe_stage_enter(&work->stages, LITHE_STAGE_NONE);
    return status;
}
