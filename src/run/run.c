// SPDX-License-Identifier: Apache-2.0
// run/run.c - run, resume, recover

#include "lithe/run.h"

#include "advance/monitor.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/state.h"
#include "record/checkpoint.h"
#include "record/disk.h"
#include "record/recording.h"
#include "run/leftovers.h"
#include "run/output.h"
#include "run/schedule.h"
#include "run/session.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

LitheRunDef lithe_run_def_default(void) {
    return (LitheRunDef){.threads = 1, .checkpoint_seconds = 2};
}

// Steps are whole: a run warns where its last one goes beyond `end` by a tenth of it.
static void warn_of_end(const LitheScene *scene, double end) {
    double step = scene->time.step, reached = (double)lithe_schedule_end(end, step) * step;
    if (scene->time.min_step == 0 && !scene->allow_unusual && reached > 1.1 * end)
        lithe_log(scene->context, LITHE_LOG_WARNING,
                  "until %.9g s is not a whole number of steps of %.9g s: the run ends at %.9g s",
                  end, step, reached);
}

static LitheStatus run_locked(const LitheScene *scene, const LitheRunDef *def,
                              LitheSummary *summary, LitheError *error) {
    LitheSession session;
    double end = def->until != 0 ? def->until : scene->time.end;
    if (def->until > 0)
        warn_of_end(scene, end);
    LitheStatus status = lithe_session_begin(&session, scene, def, def->out, end, error);
    if (status == LITHE_OK && def->out && access(session.journal_path, F_OK) == 0)
        lithe_log(session.context, LITHE_LOG_WARNING,
                  "%s: an unfinished run is replaced (lithe resume would have continued it)",
                  session.journal_path);
    if (status == LITHE_OK)
        status = lithe_session_start(&session, scene, error);
    if (status == LITHE_OK)
        status = lithe_session_loop(&session, error);
    if (summary)
        lithe_session_summary(&session, summary);
    lithe_session_end(&session);
    return status;
}

LitheStatus lithe_run(const LitheScene *scene, const LitheRunDef *def, LitheSummary *summary,
                      LitheError *error) {
    if (summary)
        *summary = (LitheSummary){.energy_drift = NAN};
    LitheOutputLock lock = {0};
    LitheStatus status = LITHE_OK;
    if (def->out)
        status = lithe_output_begin(scene, def->out, def->force, &lock, error);
    if (status == LITHE_OK)
        status = run_locked(scene, def, summary, error);
    lithe_output_unlock(&lock);
    return status;
}

// --- resume --------------------------------------------------------------------------------------

static void summary_of_end(const LitheContext *context, const LitheJournalEnd *end, int64_t frames,
                           LitheSummary *summary) {
    *summary = (LitheSummary){.sim_seconds = end->time,
                              .frames = frames,
                              .peak_memory_bytes = (int64_t)lithe_context_peak_bytes(context),
                              .hash = end->hash};
    lithe_session_sums(&end->totals, summary);
}

// There is no journal: the run is complete, or never existed.
static LitheStatus resume_complete(LitheContext *context, const char *out, const char *journal_path,
                                   double until, LitheSummary *summary, LitheError *error) {
    if (access(out, F_OK) != 0)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: nothing to resume: there is no %s", out,
                          journal_path);
    LitheRecording *recording = NULL;
    LitheStatus status = lithe_recording_open(context, out, &recording, error);
    if (status != LITHE_OK)
        return status;
    if (recording->end.complete && until > recording->end.time) {
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: complete up to %.9g s, and cannot continue to %.9g s: run the "
                            "scene again with that end",
                            out, recording->end.time, until);
    } else if (recording->end.complete) {
        lithe_log(context, LITHE_LOG_INFO, "%s: already complete, up to %.9g s", out,
                  recording->end.time);
        if (summary)
            summary_of_end(context, &recording->end, recording->frame_count, summary);
    } else {
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: not complete, but its journal %s is missing: run the scene again",
                            out, journal_path);
    }
    lithe_recording_close(recording);
    return status;
}

// Finds the columns of the journal among those that this program records for its scene, by name.
// New columns are left out: the recording has the columns that the run began with.
static LitheStatus map_layout(LitheSession *session, LitheError *error) {
    const LitheLayout *found = &session->journal.layout;
    LitheError why = {0};
    LitheStatus status = lithe_layout_map_create(&session->layout, found, &session->stored, &why);
    if (status == LITHE_NOT_SUPPORTED)
        return lithe_fail(error, status, "%s: %s: `lithe recover` keeps what there is",
                          session->journal_path, why.text);
    if (status != LITHE_OK)
        return lithe_fail_memory(error, "the columns of the journal");
    if (session->stored.left_out > 0)
        lithe_log(session->context, LITHE_LOG_INFO,
                  "%s: started by Lithe %s without '%s': continues without it%s",
                  session->journal_path, found->version, session->stored.first_out,
                  session->stored.left_out > 1 ? " and other new columns" : "");
    if (strcmp(found->version, lithe_version()) != 0)
        lithe_log(
            session->context, LITHE_LOG_WARNING,
            "%s: started by Lithe %s, continued with %s: results may differ in the last digits",
            session->journal_path, found->version, lithe_version());
    return LITHE_OK;
}

// Sets state, sums and journal to the checkpoint. False: there is no valid one, and nothing
// changed.
static bool use_checkpoint(LitheSession *session) {
    LitheError failure = {0};
    LitheCheckpoint checkpoint = {0};
    LitheStatus status =
        lithe_checkpoint_read(session->context, session->checkpoint_path, &checkpoint, &failure);
    if (status == LITHE_FILE_ERROR && access(session->checkpoint_path, F_OK) != 0)
        return false;
    LitheJournal journal = {0};
    if (status == LITHE_OK)
        status = lithe_journal_open(session->context, session->journal_path,
                                    checkpoint.journal_offset, &journal, &failure);
    bool fits = status == LITHE_OK && checkpoint.journal_mark == journal.mark &&
                checkpoint.journal_offset == journal.offset &&
                checkpoint.frames == journal.frames && !journal.ended &&
                lithe_state_set_layout(session->model, checkpoint.state_layout, checkpoint.state,
                                       checkpoint.state_size, session->state);
    if (fits) {
        session->totals = checkpoint.totals;
        session->frames = checkpoint.frames;
        session->journal = journal;
    } else {
        lithe_journal_close(&journal);
        lithe_log(session->context, LITHE_LOG_WARNING,
                  "%s: damaged or of another run: starts again from 0 s", session->checkpoint_path);
    }
    lithe_checkpoint_release(session->context, &checkpoint);
    return fits;
}

// Knots and links are compared with those of the last frame; where the journal has none, with those
// of the start.
static LitheStatus use_last_frame(LitheSession *session, LitheError *error) {
    LitheJournal *journal = &session->journal;
    if (session->topology.count == 0 || journal->frames == 0 ||
        !lithe_topology_has_columns(&journal->layout))
        return LITHE_OK;
    double *last = lithe_alloc_array(session->context, journal->layout.frame_size, sizeof *last);
    LitheStatus status = last ? LITHE_OK : lithe_fail_memory(error, "a frame of the journal");
    int64_t cursor = 0;
    for (int64_t i = 0; status == LITHE_OK && i < journal->frames; i++)
        status = lithe_journal_read(journal, &cursor, last, error);
    if (status == LITHE_OK) {
        lithe_layout_map_revert(&session->stored, last, session->frame);
        status = lithe_topology_resume(&session->topology, &session->layout, session->frame, error);
    }
    lithe_free(session->context, last);
    return status;
}

// A run of a program in which backward Euler was the default continues with it.
static void keep_scheme(LitheContext *context, const char *path, LitheScene *scene) {
    LitheCheckpoint checkpoint = {0};
    LitheError ignored;
    bool old = lithe_checkpoint_read(context, path, &checkpoint, &ignored) == LITHE_OK &&
               checkpoint.state_layout <= LITHE_STATE_LAYOUT_EULER;
    if (old && scene->time.scheme == LITHE_SCHEME_AUTO)
        scene->time.scheme = LITHE_SCHEME_BACKWARD_EULER;
    lithe_checkpoint_release(context, &checkpoint);
}

// Limits of the monitor that the caller sets replace those of the scene, where 0 means no limit.
static void use_limits(const LitheRunDef *def, LitheScene *scene) {
    if (def->max_energy_gain > 0)
        scene->time.max_energy_gain = isfinite(def->max_energy_gain) ? def->max_energy_gain : 0;
    if (def->max_unconverged > 0)
        scene->time.max_unconverged = def->max_unconverged < INT32_MAX ? def->max_unconverged : 0;
    if (def->max_work > 0)
        scene->time.max_work = def->max_work < INT32_MAX ? def->max_work : 0;
}

// Fails if the steps so far exceed a limit of the monitor; `stopped` is the journal of the run that
// stopped, with all its frames.
static LitheStatus judge_again(LitheSession *session, const LitheJournal *stopped,
                               LitheError *error) {
    LitheMonitor *monitor = &session->totals.monitor;
    if (!monitor->begun)
        lithe_monitor_begin(session->model, session->state, monitor);
    LitheStatus status = lithe_monitor_resume(session->model, session->state, monitor,
                                              stopped->ended ? stopped->end.reason : NULL, error);
    if (status == LITHE_OK)
        return status;
    session->frames = stopped->frames;
    bool inverted = (monitor->warned & LITHE_STOPPED_INVERTED) != 0;
    lithe_add_hint(error, "; %s contains %lld frames up to %.9g s, and `lithe resume` %s",
                   session->out, (long long)stopped->frames, lithe_state_time(session->state),
                   inverted ? "does not continue from such a state"
                            : "continues it only with a larger limit (--max-energy-gain, "
                              "--max-unconverged)");
    return status;
}

// Parses the scene of the journal and continues the run from its checkpoint.
static LitheStatus resume_journal(LitheContext *context, const char *out,
                                  const char *checkpoint_path, const LitheJournal *stopped,
                                  const LitheRunDef *def, LitheSummary *summary,
                                  LitheError *error) {
    const LitheLayout *found = &stopped->layout;
    if (found->end == 0)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "%s: was stepped by a program, which decides how it continues: `lithe "
                          "recover` keeps what there is",
                          out);
    LitheScene *scene = NULL;
    LitheStatus status = lithe_scene_parse(context, found->scene, strlen(found->scene), out, NULL,
                                           NULL, 0, &scene, error);
    if (status != LITHE_OK)
        return status;
    keep_scheme(context, checkpoint_path, scene);
    use_limits(def, scene);
    LitheSession session;
    double end = def->until != 0 ? def->until : found->end;
    status = lithe_session_begin(&session, scene, def, out, end, error);
    if (status == LITHE_OK) {
        if (use_checkpoint(&session)) {
            double now = lithe_state_time(session.state);
            session.journal.layout.end = end;
            status = judge_again(&session, stopped, error);
            if (status == LITHE_OK && now > end * (1 + 1e-12))
                status =
                    lithe_fail(error, LITHE_BAD_INPUT,
                               "%s: has already reached %.9g s, more than the requested %.9g s",
                               out, now, end);
            if (status == LITHE_OK)
                status = map_layout(&session, error);
            if (status == LITHE_OK)
                status = use_last_frame(&session, error);
            if (status == LITHE_OK)
                status = lithe_journal_truncate(&session.journal, error);
            if (status == LITHE_OK)
                lithe_leftovers_remove(out);
            if (status == LITHE_OK)
                lithe_log(context, LITHE_LOG_INFO, "%s: continues from %.9g s", out, now);
        } else {
            status = lithe_session_start(&session, scene, error);
        }
    }
    if (status == LITHE_OK)
        status = lithe_session_loop(&session, error);
    if (summary)
        lithe_session_summary(&session, summary);
    lithe_session_end(&session);
    lithe_scene_destroy(scene);
    return status;
}

static LitheStatus resume_at(LitheContext *context, const char *out, const char *journal_path,
                             const char *checkpoint_path, const LitheRunDef *def,
                             LitheSummary *summary, LitheError *error) {
    if (access(journal_path, F_OK) != 0)
        return resume_complete(context, out, journal_path, def->until, summary, error);
    LitheJournal journal = {0};
    LitheStatus status = lithe_journal_open(context, journal_path, INT64_MAX, &journal, error);
    if (status != LITHE_OK)
        return status;
    if (!def->force)
        status = lithe_output_check_scene(context, out, journal.layout.scene, true, error);
    if (status != LITHE_OK) {
        // the file stays
    } else if (journal.ended && journal.end.complete) {
        // only the recording was missing
        if (summary)
            summary_of_end(context, &journal.end, journal.frames, summary);
        status = lithe_session_publish(&journal, out, checkpoint_path, error);
    } else {
        status = resume_journal(context, out, checkpoint_path, &journal, def, summary, error);
    }
    lithe_journal_close(&journal);
    return status;
}

LitheStatus lithe_resume(LitheContext *context, const char *out, const LitheRunDef *def,
                         LitheSummary *summary, LitheError *error) {
    char *journal_path = lithe_disk_beside(context, out, ".journal");
    char *checkpoint_path = lithe_disk_beside(context, out, ".checkpoint");
    LitheOutputLock lock = {0};
    LitheStatus status = journal_path && checkpoint_path
                             ? LITHE_OK
                             : lithe_fail_memory(error, "the names of the output files");
    // a complete run has no journal and needs no lock: its folder may be read-only
    bool left = status == LITHE_OK && access(journal_path, F_OK) == 0;
    if (left)
        status = lithe_output_lock(context, out, &lock, error);
    if (status == LITHE_OK)
        status = resume_at(context, out, journal_path, checkpoint_path, def, summary, error);
    // a process killed while writing the recording leaves a partial one; the run is complete now
    if (status == LITHE_OK && left)
        lithe_leftovers_remove(out);
    lithe_output_unlock(&lock);
    lithe_free(context, journal_path);
    lithe_free(context, checkpoint_path);
    return status;
}

// --- recover -------------------------------------------------------------------------------------

LitheStatus lithe_recover_to(LitheContext *context, const char *run, const char *out, bool force,
                             int64_t *frames, LitheError *error) {
    char *path = lithe_disk_beside(context, run, ".journal");
    if (!path)
        return lithe_fail_memory(error, "the name of the journal");
    LitheJournal journal = {0};
    LitheStatus status = lithe_journal_open(context, path, INT64_MAX, &journal, error);
    if (status == LITHE_OK && journal.frames == 0)
        status = lithe_fail(error, LITHE_BAD_INPUT, "%s: holds no whole frame yet", path);
    if (status == LITHE_OK && !force)
        status = lithe_output_check_scene(context, out, journal.layout.scene, false, error);
    if (status == LITHE_OK)
        status = lithe_recording_write(&journal, out, error);
    if (status == LITHE_OK && frames)
        *frames = journal.frames;
    lithe_journal_close(&journal);
    lithe_free(context, path);
    return status;
}

LitheStatus lithe_recover(LitheContext *context, const char *out, int64_t *frames,
                          LitheError *error) {
    return lithe_recover_to(context, out, out, false, frames, error);
}
