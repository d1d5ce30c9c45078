// SPDX-License-Identifier: Apache-2.0
// run/session.c - step, record, save, report, until the end

#include "run/session.h"

#include "advance/load_step.h"
#include "advance/monitor.h"
#include "assemble/assemble.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/model.h"
#include "data/state.h"
#include "data/work.h"
#include "record/checkpoint.h"
#include "record/disk.h"
#include "record/recording.h"
#include "run/goals.h"
#include "run/leftovers.h"
#include "run/recorded.h"
#include "run/schedule.h"
#include "run/watch.h"
#include "scene/scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// progress about five times per second: smooth, at negligible cost
#define PROGRESS_SECONDS 0.2
// s after which progress is shown within a step
#define LONG_STEP 1.0
// slow checkpoints are written less often: they take at most a twentieth of the time
#define CHECKPOINT_FRACTION 20

void lithe_add_hint(LitheError *error, const char *format, ...) {
    if (!error)
        return;
    size_t at = strlen(error->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text + at, sizeof error->text - at, format, arguments);
    va_end(arguments);
}

// --- begin and end -------------------------------------------------------------------------------

static LitheStatus check_def(const LitheRunDef *def, double end, LitheError *error) {
    if (def->threads < 1)
        return lithe_fail(error, LITHE_BAD_INPUT, "threads is %d, must be at least 1",
                          def->threads);
    if (!(end > 0) || !isfinite(end))
        return lithe_fail(error, LITHE_BAD_INPUT, "the end of the run is %g s, must be > 0", end);
    if (!(def->checkpoint_seconds >= 0))
        return lithe_fail(error, LITHE_BAD_INPUT, "checkpoint_seconds is %g s, must be >= 0",
                          def->checkpoint_seconds);
    return LITHE_OK;
}

static LitheStatus name_files(LitheSession *session, const char *out, LitheError *error) {
    if (!out)
        return LITHE_OK;
    session->out = lithe_alloc_text(session->context, out);
    session->journal_path = lithe_disk_beside(session->context, out, ".journal");
    session->checkpoint_path = lithe_disk_beside(session->context, out, ".checkpoint");
    if (!session->out || !session->journal_path || !session->checkpoint_path)
        return lithe_fail_memory(error, "the names of the output files");
    return LITHE_OK;
}

static LitheStatus make_layout(LitheSession *session, const LitheScene *scene, LitheError *error) {
    LitheLayout *layout = &session->layout;
    char *text = NULL;
    LitheStatus status = lithe_scene_write(scene, &text, error);
    if (status != LITHE_OK)
        return status;
    layout->scene = lithe_alloc_text(session->context, text);
    lithe_text_free(session->context, text);
    layout->title = lithe_alloc_text(session->context, scene->title ? scene->title : "");
    layout->version = lithe_alloc_text(session->context, lithe_version());
    layout->end = session->end;
    if (!layout->scene || !layout->title || !layout->version)
        return lithe_fail_memory(error, "the header of the recording");
    status = lithe_recorded_layout(scene, session->model, session->state, layout, &session->map,
                                   &session->topology, error);
    if (status != LITHE_OK)
        return status;
    if (session->topology.left_out > 0)
        lithe_log(session->context, LITHE_LOG_INFO,
                  "knots and links of %d rods with more than 1000 edges are not checked "
                  "(record: {topology: always} checks them)",
                  (int)session->topology.left_out);
    session->frame_size = layout->frame_size;
    session->frame = lithe_alloc_array(session->context, session->frame_size, sizeof(double));
    session->limit_reported = lithe_alloc_array(session->context, session->model->joint_count, 1);
    session->missed = lithe_alloc_array(session->context, session->model->pose_drive_count,
                                        sizeof *session->missed);
    session->broken_reported =
        lithe_alloc_array(session->context, session->model->constraint_count, 1);
    return lithe_session_open_meshes(session) && session->frame && session->limit_reported &&
                   session->missed && session->broken_reported
               ? LITHE_OK
               : lithe_fail_memory(error, "a frame of the recording");
}

// Within a long step: the last progress, and how long the step takes.
static void show_within_step(void *user) {
    LitheSession *session = user;
    const LitheMeter *meter = &session->work->meter;
    double now = lithe_clock();
    if (now - session->stepped_at < LONG_STEP)
        return;
    LitheProgress progress = session->shown;
    progress.time = lithe_state_time(session->state);
    progress.end = session->end;
    progress.steps = session->totals.steps;
    progress.frames = session->frames;
    progress.wall_seconds = now - session->began;
    progress.step_seconds = now - session->stepped_at;
    progress.step_fraction =
        meter->limit > 0 ? (double)atomic_load(&meter->spent) / (double)meter->limit : 0;
    session->def->progress(&progress, session->def->progress_user);
}

static LitheStatus make_work(LitheSession *session, LitheError *error) {
    LitheStages stages = session->work ? session->work->stages : (LitheStages){0};
    lithe_work_destroy(session->work);
    session->work = lithe_work_create(session->model, session->def->threads);
    if (session->work) {
        session->work->stages = stages;
        session->work->meter.stop = session->def->stop;
        session->work->meter.beat = session->def->progress ? show_within_step : NULL;
        session->work->meter.beat_user = session;
    }
    return session->work ? LITHE_OK : lithe_fail_memory(error, "the work space of the solver");
}

LitheStatus lithe_session_begin(LitheSession *session, const LitheScene *scene,
                                const LitheRunDef *def, const char *out, double end,
                                LitheError *error) {
    LitheContext *context = scene->context;
    *session = (LitheSession){.context = context,
                              .def = def,
                              .layout = {.context = context},
                              .map = {.context = context},
                              .stored = {.context = context},
                              .topology = {.context = context},
                              .step = scene->time.step,
                              .every = scene->record.every,
                              .end = end,
                              .totals = {.framed_step = -1},
                              .began = lithe_clock(),
                              .stepped_at = lithe_clock()};
    LitheStatus status = check_def(def, end, error);
    if (status == LITHE_OK)
        status = lithe_compile(scene, &session->model, &session->state, error);
    if (status == LITHE_OK)
        status = name_files(session, out, error);
    if (status == LITHE_OK)
        status = make_layout(session, scene, error);
    if (status == LITHE_OK)
        status = lithe_goals_check(scene, &session->layout, error);
    if (status == LITHE_OK)
        status = make_work(session, error);
    if (status == LITHE_OK && scene->time.min_step > 0)
        status = lithe_session_frames_open(session, error);
    if (status == LITHE_OK)
        session->totals.dofs = lithe_model_dof_count(session->model);
    return status;
}

void lithe_session_end(LitheSession *session) {
    lithe_journal_close(&session->journal);
    lithe_layout_release(&session->layout);
    lithe_frame_map_release(&session->map);
    lithe_layout_map_release(&session->stored);
    lithe_topology_release(&session->topology);
    lithe_work_destroy(session->work);
    lithe_state_destroy(session->state);
    lithe_state_destroy(session->first);
    lithe_state_destroy(session->before);
    lithe_model_destroy(session->model);
    lithe_free(session->context, session->frame);
    lithe_free(session->context, session->ends);
    lithe_free(session->context, session->limit_reported);
    lithe_free(session->context, session->missed);
    lithe_free(session->context, session->meshes);
    lithe_free(session->context, session->broken_reported);
    lithe_free(session->context, session->out);
    lithe_free(session->context, session->journal_path);
    lithe_free(session->context, session->checkpoint_path);
}

// --- checkpoints ---------------------------------------------------------------------------------

static LitheStatus save(LitheSession *session, LitheError *error) {
    if (!session->out)
        return LITHE_OK;
    double start = lithe_clock();
    lithe_stage_enter(&session->work->stages, LITHE_STAGE_RECORD);
    // a checkpoint must never be ahead of its journal on the disk
    LitheStatus status = lithe_journal_sync(&session->journal, error);
    if (status != LITHE_OK)
        return status;
    LitheCheckpoint checkpoint = {.journal_mark = session->journal.mark,
                                  .journal_offset = session->journal.offset,
                                  .frames = session->frames,
                                  .totals = session->totals,
                                  .state_layout = LITHE_STATE_LAYOUT,
                                  .state_size = lithe_state_size(session->state),
                                  .state = (double *)lithe_state_data(session->state)};
    status = lithe_checkpoint_write(session->context, session->checkpoint_path, &checkpoint, error);
    lithe_stage_enter(&session->work->stages, LITHE_STAGE_NONE);
    double now = lithe_clock(), wait = session->def->checkpoint_seconds;
    if (wait > 0)
        wait = fmax(wait, CHECKPOINT_FRACTION * (now - start));
    session->checkpoint_due = now + wait;
    if (status == LITHE_OK)
        session->saved_time = lithe_state_time(session->state);
    return status;
}

// --- start ---------------------------------------------------------------------------------------

LitheStatus lithe_session_start(LitheSession *session, const LitheScene *scene, LitheError *error) {
    LitheStatus status = lithe_session_refuse_overlaps(session, error);
    if (status == LITHE_OK && session->out) {
        status = lithe_journal_create(session->context, session->journal_path, &session->layout,
                                      &session->journal, error);
        // an older checkpoint is not used: it belongs to another journal, with another mark or
        // offset
        if (status == LITHE_OK) {
            unlink(session->checkpoint_path);
            lithe_leftovers_remove(session->out);
        }
    }
    if (status == LITHE_OK && scene->time.start == LITHE_START_EQUILIBRIUM) {
        lithe_stage_enter(&session->work->stages, LITHE_STAGE_FREE);
        status = lithe_start_equilibrium(session->model, session->state, session->work,
                                         &session->report, error);
        lithe_stage_enter(&session->work->stages, LITHE_STAGE_NONE);
        // nothing has been simulated: leaves no files
        if (status != LITHE_OK && session->out)
            unlink(session->journal_path);
    }
    if (status == LITHE_OK) {
        lithe_monitor_begin(session->model, session->state, &session->totals.monitor);
        lithe_monitor_equilibrium(session->model, session->state, &session->report,
                                  &session->totals.monitor);
        session->unstable = session->report.unstable;
        session->inverted = session->report.inverted;
        status = lithe_session_report_overlaps(session, error);
    }
    if (status == LITHE_OK)
        status = lithe_session_take_frame(session, NULL, error);
    return status;
}

// --- the loop ------------------------------------------------------------------------------------

void lithe_totals_add_step(LitheTotals *totals, const LitheReport *report) {
    totals->steps++;
    totals->newton_iterations += report->newton_iterations;
    totals->steps_unconverged += report->bodies_unconverged > 0;
    totals->hessians_corrected += report->hessians_corrected;
    totals->contacts += report->contacts;
    if (report->contacts > totals->contacts_max)
        totals->contacts_max = report->contacts;
    totals->coupled_steps += report->passes > 0;
    totals->passes += report->passes;
    totals->solve_iterations += report->solve_iterations;
    totals->solve_unconverged += report->solve_unconverged;
    totals->friction_unsettled += report->friction_unsettled;
    totals->constraints_broken += report->constraints_broken;
    if (report->pairs_unserved > totals->pairs_unserved)
        totals->pairs_unserved = report->pairs_unserved;
    totals->steps_cut += report->pieces > 1;
    totals->rejected += report->rejected;
    totals->limits[report->limit]++;
    totals->shortest = totals->steps == 1 ? report->step : fmin(totals->shortest, report->step);
    totals->longest = fmax(totals->longest, report->step);
    totals->crossings += report->crossings_avoided;
    totals->held += report->held;
    totals->softened += report->softened;
    if (report->stiffened > totals->stiffened)
        totals->stiffened = report->stiffened;
    totals->deepest = fmax(totals->deepest, report->deepest);
    LitheSchemeTotals *scheme = &totals->scheme;
    scheme->guarded +=
        report->calmed > 0 || report->euler > 0 || report->energy_gained > 0 || report->halted > 0;
    scheme->calmed += report->calmed > 0;
    scheme->euler += report->euler > 0;
    scheme->gained += report->energy_gained > 0;
}

void lithe_totals_set_scheme(const LitheModel *model, LitheTotals *totals) {
    LitheSchemeTotals *scheme = &totals->scheme;
    snprintf(scheme->scheme, sizeof scheme->scheme, "%s", lithe_scheme_name(model->time.scheme));
    scheme->step = model->time.step;
}

static LitheStatus one_step(LitheSession *session, LitheError *error) {
    if (session->def->drop_work) {
        LitheStatus status = make_work(session, error);
        if (status != LITHE_OK)
            return status;
    }
    session->stepped_at = lithe_clock();
    if (session->before)
        lithe_state_set(session->before, lithe_state_data(session->state));
    session->energy_known = false;
    LitheStatus status =
        lithe_step(session->model, session->state, session->work, &session->report, error);
    if (status != LITHE_OK)
        return status;
    lithe_totals_add_step(&session->totals, &session->report);
    if (session->report.constraints_broken > 0)
        lithe_session_report_broken(session);
    if (session->report.pairs_unserved > 0)
        lithe_session_report_unsupported(session);
    lithe_session_report_folded(session);
    lithe_session_report_deep(session);
    lithe_session_report_poke(session);
    lithe_session_report_uneven(session);
    lithe_session_report_astray(session);
    if (session->report.joints_at_limit > 0)
        lithe_session_report_limits(session);
    session->steps_made++;
    if (session->model->time.scheme == LITHE_SCHEME_STATIC) {
        session->unstable = session->report.unstable;
        session->steps_unstable += session->report.unstable > 0;
    }
    session->inverted = session->report.inverted;
    session->steps_inverted += session->report.inverted > 0;
    if (session->report.poses_missed > 0)
        lithe_session_count_missed(session);
    return LITHE_OK;
}

static void show(LitheSession *session, double now) {
    const LitheTotals *totals = &session->totals;
    double time = lithe_state_time(session->state);
    int64_t steps = totals->steps - session->shown_steps;
    LitheProgress progress = {.time = time,
                              .end = session->end,
                              .wall_seconds = now - session->began,
                              .rate = (time - session->shown_time) /
                                      fmax(now - session->shown_at, 1e-9),
                              .steps = totals->steps,
                              .frames = session->frames};
    if (steps > 0)
        progress.newton_mean =
            (double)(totals->newton_iterations - session->shown_newton) / (double)steps;
    session->def->progress(&progress, session->def->progress_user);
    session->shown = progress;
    session->shown_at = now;
    session->shown_time = time;
    session->shown_steps = totals->steps;
    session->shown_newton = totals->newton_iterations;
}

// records the frames of the last step; `over` is whether the run has ended
static LitheStatus after_step(LitheSession *session, bool *over, LitheError *error) {
    int64_t frames = session->frames, now = lithe_state_step(session->state);
    LitheStatus status = LITHE_OK;
    *over = lithe_session_is_over(session);
    if (session->before) {
        status = lithe_session_frames_due(session, error);
    } else if (now >= session->next_frame || *over) {
        session->next_frame = lithe_schedule_next(session->every, session->step, now);
        status = lithe_session_take_frame(session, session->work, error);
    }
    if (session->frames > frames || *over)
        lithe_session_judge_meshes(session, *over);
    return status;
}

static LitheStatus fail_stopped(const LitheSession *session, LitheError *error) {
    return lithe_fail(error, LITHE_INTERRUPTED, "stopped at %.9g s of %.9g s",
                      lithe_state_time(session->state), session->end);
}

static LitheStatus steps_to_end(LitheSession *session, LitheError *error) {
    const LitheRunDef *def = session->def;
    int64_t now = lithe_state_step(session->state);
    bool over = lithe_session_is_over(session);
    session->next_frame = lithe_schedule_next(session->every, session->step, now);
    for (;;) {
        if (def->watch &&
            def->watch->between_steps(def->watch->user, session, over) == LITHE_WATCH_RESET) {
            LitheStatus status = lithe_session_restart(session, error);
            if (status != LITHE_OK)
                return status;
            over = lithe_session_is_over(session);
            now = lithe_state_step(session->state);
            session->next_frame = lithe_schedule_next(session->every, session->step, now);
            continue;
        }
        if (over)
            return LITHE_OK;
        if (def->stop && *def->stop)
            return fail_stopped(session, error);
        LitheStatus status = one_step(session, error);
        if (status == LITHE_INTERRUPTED)
            return fail_stopped(session, error);
        if (status == LITHE_OK)
            status = after_step(session, &over, error);
        // the frames of a step that the monitor stops belong to the run
        if (status == LITHE_OK)
            status = lithe_monitor_step_with(session->model, session->state, session->work,
                                             session->energy_known ? &session->energy : NULL,
                                             &session->report, &session->totals.monitor, error);
        if (status != LITHE_OK)
            return status;
        double clock = lithe_clock();
        if (clock >= session->checkpoint_due) {
            status = save(session, error);
            if (status != LITHE_OK)
                return status;
        }
        if (def->progress && clock - session->shown_at >= PROGRESS_SECONDS)
            show(session, clock);
    }
}

LitheStatus lithe_session_publish(LitheJournal *journal, const char *out, const char *checkpoint,
                                  LitheError *error) {
    // the recording is synced before it replaces the journal: this needs no sync of its own, unless
    // it is all that is left
    LitheStatus status = lithe_recording_write(journal, out, error);
    if (status != LITHE_OK) {
        LitheError unsynced;
        if (lithe_journal_sync(journal, &unsynced) != LITHE_OK) {
            lithe_add_hint(error, "; and %s", unsynced.text);
            return status;
        }
        lithe_add_hint(error, "; nothing is lost: `lithe resume %s` writes the recording from %s",
                       out, journal->path);
        return status;
    }
    // the journal first: a journal without a checkpoint would look like an unfinished run
    unlink(journal->path);
    unlink(checkpoint);
    lithe_journal_unlock(journal);
    return LITHE_OK;
}

static LitheJournalEnd make_end(const LitheSession *session, const char *reason) {
    LitheJournalEnd end = {.complete = reason == NULL,
                           .time = lithe_state_time(session->state),
                           .hash = lithe_state_hash(session->state),
                           .totals = session->totals};
    snprintf(end.reason, sizeof end.reason, "%.*s", (int)sizeof end.reason - 1,
             reason ? reason : "");
    return end;
}

static LitheStatus finish(LitheSession *session, LitheError *error) {
    if (!session->out)
        return LITHE_OK;
    LitheJournalEnd end = make_end(session, NULL);
    lithe_stage_enter(&session->work->stages, LITHE_STAGE_RECORD);
    // the recording needs memory, and no step follows
    lithe_system_drop_factor(session->work->system);
    LitheStatus status = lithe_journal_append_end(&session->journal, &end, error);
    if (status == LITHE_OK)
        status =
            lithe_session_publish(&session->journal, session->out, session->checkpoint_path, error);
    lithe_stage_enter(&session->work->stages, LITHE_STAGE_NONE);
    return status;
}

// The simulation cannot continue: saves the last good state and writes the recording so far.
static LitheStatus give_up(LitheSession *session, LitheError *error) {
    if (!session->out)
        return LITHE_CANNOT_GO_ON;
    LitheError why = {.text = "the simulation could not continue"};
    if (error)
        why = *error;
    LitheError failure = {0};
    // true: the step is complete, and the run stops because a limit of the monitor is exceeded
    bool judged = lithe_monitor_resume(session->model, session->state, &session->totals.monitor,
                                       NULL, NULL) != LITHE_OK;
    LitheStatus status = save(session, &failure);
    if (status == LITHE_OK)
        status = lithe_session_take_frame(session, NULL,
                                          &failure); // the contacts are those of the failed step
    LitheJournalEnd end = make_end(session, why.text);
    if (status == LITHE_OK)
        status = lithe_journal_append_end(&session->journal, &end, &failure);
    if (status == LITHE_OK)
        status = lithe_recording_write(&session->journal, session->out, &failure);
    if (status == LITHE_OK)
        lithe_add_hint(
            error,
            "; %s contains %lld frames up to %.9g s, and the last %sstate is saved next to it",
            session->out, (long long)session->frames, end.time, judged ? "" : "good ");
    else
        lithe_add_hint(error, "; and the state could not be saved: %s", failure.text);
    return LITHE_CANNOT_GO_ON;
}

static LitheStatus interrupt(LitheSession *session, LitheError *error) {
    if (!session->out)
        return LITHE_INTERRUPTED;
    LitheError failure = {0};
    if (save(session, &failure) == LITHE_OK) {
        lithe_add_hint(error, "; continue with: lithe resume %s", session->out);
        return LITHE_INTERRUPTED;
    }
    if (error)
        *error = failure;
    lithe_add_hint(error, "; `lithe resume %s` continues from %.9g s", session->out,
                   session->saved_time);
    return failure.status;
}

LitheStatus lithe_session_loop(LitheSession *session, LitheError *error) {
    double now = lithe_clock();
    lithe_totals_set_scheme(session->model, &session->totals);
    session->began_time = session->shown_time = lithe_state_time(session->state);
    session->saved_time = session->began_time;
    session->shown_at = now;
    session->shown_steps = session->totals.steps;
    session->shown_newton = session->totals.newton_iterations;
    session->checkpoint_due = now + session->def->checkpoint_seconds;

    const LitheWatch *watch = session->def->watch;
    LitheStatus status = LITHE_OK;
    if (watch) {
        status = lithe_session_keep_first(session, error);
        double opened = lithe_clock();
        if (status == LITHE_OK)
            status = watch->begin(watch->user, session, error);
        session->waited += lithe_clock() - opened;
    }
    if (status == LITHE_OK)
        status = steps_to_end(session, error);
    if (watch) {
        double ended = lithe_clock();
        watch->end(watch->user, session, status, error);
        session->waited += lithe_clock() - ended;
    }
    if (session->def->progress)
        show(session, lithe_clock());
    lithe_session_report_deepest(session);
    lithe_session_report_missed(session);
    lithe_session_report_stiff(session);
    lithe_session_report_unconverged(session);
    lithe_session_report_meshes(session);
    switch (status) {
    case LITHE_OK:
        return finish(session, error);
    case LITHE_CANNOT_GO_ON:
        return give_up(session, error);
    case LITHE_INTERRUPTED:
        return interrupt(session, error);
    default:
        if (session->out)
            lithe_add_hint(
                error, "; at %.9g s. When this is fixed, `lithe resume %s` continues from %.9g s",
                lithe_state_time(session->state), session->out, session->saved_time);
        return status;
    }
}
