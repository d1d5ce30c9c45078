// SPDX-License-Identifier: Apache-2.0
// cli/sweep_rows.c - the rows of a study: each is a process of `lithe run` with a logged outcome

#include "cli/cli.h"
#include "cli/sweep.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/leftovers.h"
#include "run/output.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// number of bytes at the end of a log in which the last error of a run is searched
#define LOG_TAIL 4096

// The kernel ends the runs of a sweep that is killed, but on a busy machine some time after it; so
// long a sweep that continues waits for a run to end [s].
#define ENDING_RUN 60.0

// --- files ---------------------------------------------------------------------------------------

void lithe_sweep_row_file(const LitheSweep *sweep, int32_t row, const char *suffix, char *path,
                          size_t size) {
    snprintf(path, size, "%s/runs/%04d%s", sweep->folder, row + 1, suffix);
}

void lithe_sweep_remove_row(const LitheSweep *sweep, int32_t row) {
    static const char *const suffixes[] = {".h5", ".h5.journal", ".h5.checkpoint", ".log"};
    char path[4096];
    lithe_sweep_row_file(sweep, row, ".h5", path, sizeof path);
    lithe_leftovers_remove(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        lithe_sweep_row_file(sweep, row, suffixes[i], path, sizeof path);
        unlink(path);
    }
}

static bool row_has(const LitheSweep *sweep, int32_t row, const char *suffix) {
    char path[4096];
    lithe_sweep_row_file(sweep, row, suffix, path, sizeof path);
    return access(path, F_OK) == 0;
}

// --- texts ---------------------------------------------------------------------------------------

void lithe_sweep_row_text(const LitheStudy *study, int32_t row, char *text, size_t size) {
    text[0] = '\0';
    for (int32_t i = 0; i < study->path_count; i++) {
        const LitheStudyPath *path = &study->paths[i];
        size_t at = strlen(text);
        if (path->axis >= 0)
            snprintf(text + at, size - at, "%s%s", at ? "  " : "",
                     path->sets[lithe_study_value(study, path, row)]);
    }
}

// Removes the folder from a reason: the same study gives the same table in every folder.
static void cut_folder(const LitheSweep *sweep, char *text) {
    char head[3100];
    int length = snprintf(head, sizeof head, "%s/", sweep->folder);
    for (char *at; (at = strstr(text, head));)
        memmove(at, at + length, strlen(at + length) + 1);
}

// The last error of a run: its last line "lithe: ..." that is not a warning.
static void last_error(const char *log, char *reason, size_t size) {
    char text[LOG_TAIL + 1];
    FILE *file = fopen(log, "rb");
    size_t length = 0;
    if (file) {
        if (fseek(file, -LOG_TAIL, SEEK_END) != 0)
            rewind(file);
        length = fread(text, 1, LOG_TAIL, file);
        fclose(file);
    }
    text[length] = '\0';
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, "lithe: ", 7) == 0 && strncmp(line, "lithe: warning", 14) != 0)
            snprintf(reason, size, "%s", line + 7);
}

static void failure_reason(const LitheSweep *sweep, const LitheJobEnd *end, char *reason,
                           size_t size) {
    char log[4096];
    lithe_sweep_row_file(sweep, end->id, ".log", log, sizeof log);
    if (end->signal == SIGKILL)
        snprintf(reason, size, "killed (signal 9), perhaps for lack of memory");
    else if (end->signal)
        snprintf(reason, size, "crashed: signal %d (%s)", end->signal, strsignal(end->signal));
    else {
        snprintf(reason, size, "ended with exit code %d", end->code);
        last_error(log, reason, size);
    }
    cut_folder(sweep, reason);
}

// --- one row -------------------------------------------------------------------------------------

// An earlier sweep may have left a stopped run, or a run whose outcome was not read: resuming it
// gives the same bits in less time.
static LitheStatus start_row(LitheSweep *sweep, int32_t row, bool resume, LitheError *error) {
    const LitheStudy *study = &sweep->study;
    char out[4096], log[4096];
    lithe_sweep_row_file(sweep, row, ".h5", out, sizeof out);
    lithe_sweep_row_file(sweep, row, ".log", log, sizeof log);
    lithe_output_wait(sweep->context, out, ENDING_RUN, sweep->stop);
    int64_t max = 2 * (int64_t)study->path_count + 12;
    const char **arguments = lithe_alloc_array(sweep->context, max, sizeof *arguments);
    const char **sets = lithe_alloc_array(sweep->context, study->path_count, sizeof *sets);
    LitheStatus status = LITHE_OK;
    if (arguments && sets) {
        int32_t n = 0;
        arguments[n++] = "lithe";
        arguments[n++] = resume ? "resume" : "run";
        arguments[n++] = "--threads=1";
        arguments[n++] = "--json";
        if (study->until) {
            arguments[n++] = "--until";
            arguments[n++] = study->until;
        }
        lithe_study_sets(study, row, sets);
        for (int32_t i = 0; !resume && i < study->path_count; i++) {
            arguments[n++] = "--set";
            arguments[n++] = sets[i];
        }
        if (!resume) {
            arguments[n++] = "--out";
            arguments[n++] = out;
        }
        arguments[n++] = "--";
        arguments[n++] = resume ? out : study->scene;
        // this program, even if its file has been replaced in the meantime
        char own[PATH_MAX] = "/proc/self/exe";
        if (access(own, X_OK) != 0 && !lithe_cli_executable(own, sizeof own))
            snprintf(own, sizeof own, "lithe");
        LitheJob job = {.id = row, .program = own, .arguments = arguments, .log = log};
        sweep->resumed[row] = resume;
        sweep->started[row] = lithe_clock();
        status = sweep->queue->submit(sweep->queue, &job, error);
    } else {
        status = lithe_fail_memory(error, "the arguments of a run");
    }
    lithe_free(sweep->context, arguments);
    lithe_free(sweep->context, sets);
    return status;
}

static LitheStatus measure_row(const LitheSweep *sweep, int32_t row, double *values,
                               LitheError *error) {
    char path[4096];
    lithe_sweep_row_file(sweep, row, ".h5", path, sizeof path);
    LitheRecording *recording = NULL;
    LitheStatus status = lithe_recording_open(sweep->context, path, &recording, error);
    for (int32_t i = 0; status == LITHE_OK && i < sweep->study.measure_count; i++) {
        LitheMeasured found;
        status = lithe_measure(recording, &sweep->study.measures[i], &found, error);
        if (status == LITHE_OK)
            values[i] = found.value;
    }
    // an unconverged step is a numerical outcome, not an error: the table contains it. A step
    // counts twice where both a motion without contacts and a solve with them did not converge.
    if (status == LITHE_OK)
        values[sweep->study.measure_count] = (double)(recording->end.totals.steps_unconverged +
                                                      recording->end.totals.solve_unconverged);
    lithe_recording_close(recording);
    return status;
}

static void show_row(const LitheSweep *sweep, int32_t row) {
    if (sweep->quiet)
        return;
    const LitheStudy *study = &sweep->study;
    char text[1000];
    lithe_sweep_row_text(study, row, text, sizeof text);
    printf("[%d/%d] row %d  %s", sweep->finished, study->row_count, row + 1, text);
    if (sweep->rows.states[row] == LITHE_ROW_FAILED)
        printf("  failed: %s", sweep->rows.reasons[row]);
    for (int32_t i = 0; sweep->rows.states[row] == LITHE_ROW_DONE && i < study->measure_count; i++)
        printf("  %s = %.6g%s%s", study->measures[i].name,
               sweep->rows.values[(int64_t)i * sweep->rows.count + row],
               strcmp(study->measures[i].unit, "1") ? " " : "",
               strcmp(study->measures[i].unit, "1") ? study->measures[i].unit : "");
    double unconverged =
        sweep->rows.values[(int64_t)study->measure_count * sweep->rows.count + row];
    if (unconverged > 0)
        printf("  (%.0f steps not converged)", unconverged);
    int32_t left = study->row_count - sweep->finished;
    int32_t here = sweep->finished - sweep->finished_earlier;
    char eta[32];
    // the output of launchers is never a terminal, but somebody looks at it
    if (left > 0 && (isatty(STDOUT_FILENO) || sweep->task >= 0))
        printf("  ETA %s", lithe_cli_duration((lithe_clock() - sweep->began) / here * left, eta));
    printf("\n");
    fflush(stdout);
}

// Logs the outcome of a row, on disk first; then removes recordings that are not kept.
static LitheStatus note_row(LitheSweep *sweep, int32_t row, LitheRowState state,
                            const double *values, const char *reason, LitheError *error) {
    LitheStatus status = lithe_study_rows_set(&sweep->rows, row, state, values, reason, error);
    if (status == LITHE_OK)
        status = lithe_study_log_append(&sweep->log, &sweep->rows, row, error);
    if (status == LITHE_OK)
        status = lithe_sweep_note_time(sweep, row, error);
    if (status != LITHE_OK)
        return status;
    LitheKeep keep = sweep->study.keep;
    if (keep == LITHE_KEEP_TABLE || (keep == LITHE_KEEP_FAILED && state == LITHE_ROW_DONE))
        lithe_sweep_remove_row(sweep, row);
    sweep->finished++;
    show_row(sweep, row);
    if (sweep->task >= 0)
        lithe_claims_drop(&sweep->claims, row);
    return LITHE_OK;
}

static LitheStatus end_row(LitheSweep *sweep, const LitheJobEnd *end, LitheError *error) {
    int32_t row = end->id;
    bool fine = end->code == LITHE_EXIT_DONE && end->signal == 0;
    // cancelled: the row waits for the next sweep
    if (!fine && sweep->stopping)
        return LITHE_OK;
    // the stopped run cannot be continued: start again
    if (end->signal == 0 && end->code == LITHE_EXIT_BAD_INPUT && sweep->resumed[row]) {
        lithe_sweep_remove_row(sweep, row);
        return start_row(sweep, row, false, error);
    }
    double *values = lithe_alloc_array(sweep->context, sweep->rows.value_count, sizeof *values);
    if (!values)
        return lithe_fail_memory(error, "the results of a row");
    char reason[1200] = "";
    LitheError failure = {0};
    if (!fine) {
        failure_reason(sweep, end, reason, sizeof reason);
    } else if (measure_row(sweep, row, values, &failure) != LITHE_OK) {
        fine = false;
        snprintf(reason, sizeof reason, "%.1000s", failure.text);
        cut_folder(sweep, reason);
    }
    LitheStatus status =
        note_row(sweep, row, fine ? LITHE_ROW_DONE : LITHE_ROW_FAILED, values, reason, error);
    lithe_free(sweep->context, values);
    return status;
}

// --- all rows ------------------------------------------------------------------------------------

// Whether this process is to run the row: it waits, and no other one has or had it.
static LitheStatus take_row(LitheSweep *sweep, int32_t row, bool *taken, LitheError *error) {
    *taken = sweep->rows.states[row] == LITHE_ROW_WAITING;
    if (!*taken || sweep->task < 0)
        return LITHE_OK;
    LitheStatus status = lithe_claims_take(&sweep->claims, row, taken, error);
    if (status != LITHE_OK || !*taken)
        return status;
    // another one may have finished it before the claim
    status = lithe_sweep_follow(sweep, error);
    *taken = status == LITHE_OK && sweep->rows.states[row] == LITHE_ROW_WAITING;
    if (!*taken)
        lithe_claims_drop(&sweep->claims, row);
    return status;
}

static LitheStatus fill_queue(LitheSweep *sweep, LitheError *error) {
    LitheStatus status = LITHE_OK;
    while (status == LITHE_OK && sweep->next < sweep->rows.count &&
           sweep->queue->busy < sweep->queue->max_running && !*sweep->stop) {
        int32_t row = sweep->next++;
        bool taken = false;
        status = take_row(sweep, row, &taken, error);
        if (status == LITHE_OK && taken)
            status =
                start_row(sweep, row,
                          row_has(sweep, row, ".h5.journal") || row_has(sweep, row, ".h5"), error);
    }
    return status;
}

static LitheStatus work(LitheSweep *sweep, LitheError *error) {
    LitheStatus status = LITHE_OK;
    while (status == LITHE_OK) {
        if (!sweep->stopping)
            status = fill_queue(sweep, error);
        // rows that others had: perhaps one of them was killed
        if (status == LITHE_OK && sweep->queue->busy == 0 && sweep->task >= 0 && !*sweep->stop) {
            sweep->next = 0;
            status = fill_queue(sweep, error);
        }
        if (status != LITHE_OK || sweep->queue->busy == 0)
            break;
        LitheJobEnd end;
        status = sweep->queue->wait(sweep->queue, &end, error);
        if (status == LITHE_OK) {
            status = end_row(sweep, &end, error);
        } else if (status == LITHE_INTERRUPTED) {
            sweep->stopping = true;
            sweep->queue->cancel(sweep->queue);
            status = LITHE_OK;
        }
    }
    return status;
}

LitheStatus lithe_sweep_rows(LitheSweep *sweep, LitheError *error) {
    sweep->began = lithe_clock();
    sweep->resumed = lithe_alloc_array(sweep->context, sweep->rows.count, sizeof *sweep->resumed);
    sweep->started = lithe_alloc_array(sweep->context, sweep->rows.count, sizeof *sweep->started);
    for (int32_t i = 0; i < sweep->rows.count; i++)
        sweep->finished_earlier += sweep->rows.states[i] != LITHE_ROW_WAITING;
    sweep->finished = sweep->finished_earlier;
    LitheStatus status = sweep->resumed && sweep->started
                             ? work(sweep, error)
                             : lithe_fail_memory(error, "the rows of a study");
    lithe_free(sweep->context, sweep->resumed);
    lithe_free(sweep->context, sweep->started);
    sweep->resumed = NULL;
    sweep->started = NULL;
    // the others go on: what is left is theirs
    if (status == LITHE_OK && sweep->task >= 0 && !*sweep->stop)
        return lithe_sweep_follow(sweep, error);
    if (status == LITHE_OK && sweep->finished < sweep->rows.count)
        return lithe_fail(error, LITHE_INTERRUPTED, "stopped");
    return status;
}
