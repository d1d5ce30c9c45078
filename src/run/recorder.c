// SPDX-License-Identifier: Apache-2.0
// run/recorder.c - the recording of a run that is stepped by the caller

#include "run/recorder.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/model.h"
#include "record/disk.h"
#include "run/leftovers.h"
#include "run/output.h"
#include "run/recorded.h"
#include "run/session.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

struct LitheRecorder {
    LitheContext *context;
    const LitheModel *model;
    char *out, *journal_path, *checkpoint_path;
    LitheOutputLock lock;
    LitheLayout layout; // until the journal owns it
    LitheJournal journal;
    LitheFrameMap map;
    LitheTopology topology;
    double *frame; // [frame_size]
    LitheTotals totals;
    double time;   // of the last frame [s]
    uint64_t hash; // of its state
};

static LitheStatus name_files(LitheRecorder *r, const char *out, LitheError *error) {
    r->out = lithe_alloc_text(r->context, out);
    r->journal_path = lithe_disk_beside(r->context, out, ".journal");
    r->checkpoint_path = lithe_disk_beside(r->context, out, ".checkpoint");
    return r->out && r->journal_path && r->checkpoint_path
               ? LITHE_OK
               : lithe_fail_memory(error, "the names of the output files");
}

// An end of 0 means that the caller decides how the run continues: it cannot be resumed.
static LitheStatus make_layout(LitheRecorder *r, const LitheScene *scene, const LitheState *state,
                               LitheError *error) {
    char *text = NULL;
    LitheStatus status = lithe_scene_write(scene, &text, error);
    if (status != LITHE_OK)
        return status;
    LitheLayout *layout = &r->layout;
    layout->scene = lithe_alloc_text(r->context, text);
    lithe_text_free(r->context, text);
    layout->title = lithe_alloc_text(r->context, scene->title ? scene->title : "");
    layout->version = lithe_alloc_text(r->context, lithe_version());
    layout->end = 0;
    if (!layout->scene || !layout->title || !layout->version)
        return lithe_fail_memory(error, "the header of the recording");
    status = lithe_recorded_layout(scene, r->model, state, layout, &r->map, &r->topology, error);
    if (status != LITHE_OK)
        return status;
    r->frame = lithe_alloc_array(r->context, layout->frame_size, sizeof(double));
    return r->frame ? LITHE_OK : lithe_fail_memory(error, "a frame of the recording");
}

LitheStatus lithe_recorder_create(const LitheScene *scene, const LitheModel *model,
                                  const LitheState *state, const char *out,
                                  LitheRecorder **recorder, LitheError *error) {
    LitheContext *context = scene->context;
    LitheRecorder *r = lithe_alloc(context, sizeof *r);
    if (!r)
        return lithe_fail_memory(error, "a recording");
    *r = (LitheRecorder){.context = context,
                         .model = model,
                         .layout = {.context = context},
                         .map = {.context = context},
                         .topology = {.context = context},
                         .totals = {.framed_step = -1, .dofs = lithe_model_dof_count(model)}};
    lithe_totals_set_scheme(model, &r->totals);
    LitheStatus status = name_files(r, out, error);
    if (status == LITHE_OK)
        status = lithe_output_begin(scene, out, false, &r->lock, error);
    if (status == LITHE_OK)
        status = make_layout(r, scene, state, error);
    if (status == LITHE_OK)
        status = lithe_journal_create(context, r->journal_path, &r->layout, &r->journal, error);
    if (status != LITHE_OK) {
        lithe_recorder_destroy(r);
        return status;
    }
    // files of an older run belong to another journal
    remove(r->checkpoint_path);
    lithe_leftovers_remove(out);
    *recorder = r;
    return LITHE_OK;
}

// changes of knots and links are counted; the log has the details
static void log_change(const LitheTopologyChange *change, void *user) {
    LitheRecorder *r = user;
    char text[sizeof r->totals.topology_first] = "";
    lithe_topology_text(r->model, change, text, sizeof text);
    if (change->undecided) {
        lithe_log(r->context, LITHE_LOG_WARNING, "%s", text);
        return;
    }
    if (!change->harmless && r->totals.topology_changes++ == 0)
        memcpy(r->totals.topology_first, text, sizeof text);
    lithe_log(r->context, change->harmless ? LITHE_LOG_INFO : LITHE_LOG_WARNING, "%s", text);
}

void lithe_recorder_add_step(LitheRecorder *recorder, const LitheReport *report) {
    lithe_totals_add_step(&recorder->totals, report);
}

static LitheStatus add_frame(LitheRecorder *r, LitheFrameSource *source, LitheError *error) {
    const LitheState *state = source->state;
    LitheEnergy energy;
    source->model = r->model;
    source->first_row = r->journal.row_total;
    LitheStatus status = lithe_frame_fill(source, &r->map, r->frame, &energy, error);
    if (status == LITHE_OK)
        status = lithe_topology_update(&r->topology, state, r->frame, log_change, r, error);
    if (status == LITHE_OK)
        status = lithe_journal_append(&r->journal, r->frame, r->map.contacts.rows,
                                      r->map.contacts.count, error);
    if (status != LITHE_OK)
        return status;
    lithe_totals_add_energy(r->model, &energy, r->journal.frames == 1, &r->totals);
    r->totals.framed_step = lithe_state_step(state);
    r->time = lithe_state_time(state);
    r->hash = lithe_state_hash(state);
    return LITHE_OK;
}

LitheStatus lithe_recorder_add_frame(LitheRecorder *r, const LitheState *state,
                                     const LitheWork *work, const LitheReport *report,
                                     LitheError *error) {
    const LitheReport none = {0};
    LitheFrameSource source = {
        .state = state, .work = report ? work : NULL, .report = report ? report : &none};
    return add_frame(r, &source, error);
}

LitheStatus lithe_recorder_add_planned(LitheRecorder *r, const LitheState *state,
                                       const LitheContactForce *forces, int32_t count,
                                       LitheError *error) {
    const LitheReport none = {0};
    LitheFrameSource source = {.state = state, .report = &none, .rows_kept = true};
    if (r->map.contacts.on) {
        LitheStatus status =
            lithe_contact_rows_take(r->model, forces, count, &r->map.contacts, error);
        if (status != LITHE_OK)
            return status;
    }
    return add_frame(r, &source, error);
}

int64_t lithe_recorder_frame_count(const LitheRecorder *recorder) {
    return recorder->journal.frames;
}

LitheStatus lithe_recorder_finish(LitheRecorder *r, const char *reason, LitheError *error) {
    if (r->journal.frames == 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: no frame has been recorded", r->out);
    LitheJournalEnd end = {
        .complete = reason == NULL, .time = r->time, .hash = r->hash, .totals = r->totals};
    snprintf(end.reason, sizeof end.reason, "%s", reason ? reason : "");
    LitheStatus status = lithe_journal_append_end(&r->journal, &end, error);
    if (status == LITHE_OK)
        status = lithe_session_publish(&r->journal, r->out, r->checkpoint_path, error);
    if (status == LITHE_OK)
        lithe_output_unlock(&r->lock);
    return status;
}

void lithe_recorder_destroy(LitheRecorder *r) {
    if (!r)
        return;
    lithe_journal_close(&r->journal);
    lithe_layout_release(&r->layout);
    lithe_frame_map_release(&r->map);
    lithe_topology_release(&r->topology);
    lithe_output_unlock(&r->lock);
    lithe_free(r->context, r->frame);
    lithe_free(r->context, r->out);
    lithe_free(r->context, r->journal_path);
    lithe_free(r->context, r->checkpoint_path);
    lithe_free(r->context, r);
}
