// SPDX-License-Identifier: Apache-2.0
// run/frames.c - frames of a run: at steps, or between the ends of an adaptive step
//
// Adaptive steps do not end at frames. Each column of a frame is interpolated between its values at
// both ends of a step (record/frame.h). So no bit of the motion depends on how often it is
// recorded.

#include "advance/adapt.h"
#include "advance/monitor.h"
#include "advance/strength.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/unit.h"
#include "collide/collide.h"
#include "data/work.h"
#include "run/schedule.h"
#include "run/session.h"

#include <math.h>
#include <string.h>

// times closer than this, in units of the smallest step, are equal
#define SAME_TIME 1e-6

void lithe_totals_add_energy(const LitheModel *model, const LitheEnergy *energy, bool first,
                             LitheTotals *totals) {
    double sum = energy->kinetic + energy->elastic + energy->gravity;
    if (first) {
        totals->energy_start = sum;
        totals->gravity_start = energy->gravity;
        totals->energy_scale = lithe_energy_least(model); // for scenes in which nothing moves
    }
    const double parts[] = {energy->kinetic,
                            energy->elastic,
                            fabs(energy->gravity - totals->gravity_start),
                            energy->dissipated,
                            fabs(energy->work),
                            energy->friction,
                            fabs(energy->contact),
                            fabs(energy->constraints)};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        totals->energy_scale = fmax(totals->energy_scale, parts[i]);
    double lost = energy->dissipated + energy->friction + energy->contact + energy->constraints;
    double error = fabs(sum + lost - energy->work - totals->energy_start);
    totals->energy_error = fmax(totals->energy_error, error);
}

// appends the filled frame, with the knots and links of the current state
static LitheStatus append(LitheSession *session, const LitheEnergy *energy, LitheError *error) {
    session->topology.pool = session->work->pool;
    LitheStatus status = lithe_topology_update(&session->topology, session->state, session->frame,
                                               lithe_session_report_change, session, error);
    session->topology.pool = NULL;
    lithe_session_report_knots(session);
    const double *frame = session->frame, *rows = session->map.contacts.rows;
    int64_t row_count = session->map.contacts.count;
    if (status == LITHE_OK && session->out &&
        !lithe_layout_map_apply(&session->stored, &frame, &rows, &row_count))
        status = lithe_fail_memory(error, "a frame of the journal");
    if (status == LITHE_OK && session->out)
        status = lithe_journal_append(&session->journal, frame, rows, row_count, error);
    if (status != LITHE_OK)
        return status;
    lithe_totals_add_energy(session->model, energy, session->frames == 0, &session->totals);
    session->frames++;
    return LITHE_OK;
}

LitheStatus lithe_session_take_frame(LitheSession *session, const LitheWork *work,
                                     LitheError *error) {
    int64_t now = lithe_state_step(session->state);
    if (session->totals.framed_step == now)
        return LITHE_OK;
    LitheFrameSource source = {.model = session->model,
                               .state = session->state,
                               .work = work,
                               .report = &session->report,
                               .first_row = session->journal.row_total};
    LitheEnergy energy;
    lithe_stage_enter(&session->work->stages, LITHE_STAGE_RECORD);
    LitheStatus status = lithe_frame_fill(&source, &session->map, session->frame, &energy, error);
    if (status == LITHE_OK)
        status = append(session, &energy, error);
    session->energy = energy;
    session->energy_known = status == LITHE_OK && lithe_energy_is_whole(session->model);
    lithe_stage_enter(&session->work->stages, LITHE_STAGE_NONE);
    if (status == LITHE_OK) {
        session->totals.framed_step = now;
        lithe_strength_check(session->model, session->state, &session->totals.monitor);
    }
    return status;
}

// --- adaptive steps ------------------------------------------------------------------------------

LitheStatus lithe_session_frames_open(LitheSession *session, LitheError *error) {
    session->before = lithe_state_copy(session->state);
    session->ends = lithe_alloc_array(session->context, 2 * session->frame_size, sizeof(double));
    return session->before && session->ends ? LITHE_OK
                                            : lithe_fail_memory(error, "frames between steps");
}

static double same_time(const LitheSession *session) {
    const LitheModel *model = session->model;
    return SAME_TIME * lithe_adapt_length(model, lithe_adapt_levels(model));
}

bool lithe_session_is_over(const LitheSession *session) {
    if (session->before)
        return lithe_state_time(session->state) >= session->end - same_time(session);
    return lithe_state_step(session->state) >= lithe_schedule_end(session->end, session->step);
}

static LitheEnergy energy_between(const LitheEnergy *a, const LitheEnergy *b, double s) {
    LitheEnergy out = *b;
    out.kinetic += (1 - s) * (a->kinetic - b->kinetic);
    out.elastic += (1 - s) * (a->elastic - b->elastic);
    out.gravity += (1 - s) * (a->gravity - b->gravity);
    out.dissipated += (1 - s) * (a->dissipated - b->dissipated);
    out.work += (1 - s) * (a->work - b->work);
    out.friction += (1 - s) * (a->friction - b->friction);
    out.contact += (1 - s) * (a->contact - b->contact);
    out.constraints += (1 - s) * (a->constraints - b->constraints);
    return out;
}

// Fills the frames at both ends of the last step; the rows of contacts are those of the step. If
// only the end is needed, it is used for both.
static LitheStatus fill_ends(LitheSession *session, bool end_only, LitheEnergy energies[2],
                             LitheError *error) {
    double *ends[2] = {session->ends, session->ends + session->frame_size};
    LitheFrameSource before = {.model = session->model,
                               .state = session->before,
                               .report = &session->report,
                               .first_row = session->journal.row_total};
    LitheFrameSource after = before;
    after.state = session->state;
    after.work = session->work;
    LitheStatus status = LITHE_OK;
    if (!end_only)
        status = lithe_frame_fill(&before, &session->map, ends[0], &energies[0], error);
    if (status == LITHE_OK)
        status = lithe_frame_fill(&after, &session->map, ends[1], &energies[1], error);
    if (status == LITHE_OK && end_only) {
        memcpy(ends[0], ends[1], (size_t)session->frame_size * sizeof(double));
        energies[0] = energies[1];
    }
    return status;
}

// appends all frames up to the end of the last step
static LitheStatus take_due(LitheSession *session, LitheError *error) {
    double from = lithe_state_time(session->before), to = lithe_state_time(session->state);
    double same = same_time(session);
    bool filled = false;
    LitheEnergy energies[2];
    for (;;) {
        bool all = !(session->every > 0);
        double due = all ? to : (double)session->frames * session->every;
        due = fmin(due, session->end);
        if (due > to + same)
            return LITHE_OK;
        // a frame at the end of the step needs no interpolation
        double s = due < to - same ? (due - from) / (to - from) : 1;
        LitheStatus status = filled ? LITHE_OK : fill_ends(session, s == 1, energies, error);
        if (status != LITHE_OK)
            return status;
        filled = true;
        lithe_frame_between(&session->map, session->frame_size, session->ends, s,
                            session->journal.row_total, session->frame);
        LitheEnergy energy = energy_between(&energies[0], &energies[1], s);
        status = append(session, &energy, error);
        if (status != LITHE_OK)
            return status;
        if (s == 1)
            session->totals.framed_step = lithe_state_step(session->state);
        if (all || due >= session->end - same)
            return LITHE_OK;
    }
}

LitheStatus lithe_session_frames_due(LitheSession *session, LitheError *error) {
    lithe_stage_enter(&session->work->stages, LITHE_STAGE_RECORD);
    LitheStatus status = take_due(session, error);
    lithe_stage_enter(&session->work->stages, LITHE_STAGE_NONE);
    return status;
}
