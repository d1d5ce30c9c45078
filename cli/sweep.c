// SPDX-License-Identifier: Apache-2.0
// cli/sweep.c - lithe sweep: a study over parameters and seeds on the cores of this machine

#include "cli/sweep.h"

#include "base/clock.h"
#include "base/status.h"
#include "run/study_table.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- the folder ----------------------------------------------------------------------------------

typedef struct Options {
    const char *study;
    const char *out;
    int32_t jobs;
    bool list, restart, retry, quiet, json;
} Options;

// default for the study folder/friction.yaml: friction.out in the current folder
static void name_folder(const Options *o, char *folder, size_t size) {
    if (o->out) {
        snprintf(folder, size, "%s", o->out);
        for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
            folder[n - 1] = '\0';
        return;
    }
    const char *slash = strrchr(o->study, '/');
    const char *name = slash ? slash + 1 : o->study;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(folder, size, "%.*s.out", length, name);
}

static LitheStatus make_folder(const char *path, LitheError *error) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return LITHE_OK;
    return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot create this folder: %s", path,
                      strerror(errno));
}

// Removes the files of an earlier study from runs/: names that begin with a row's number.
static void clear_runs(const LitheSweep *sweep) {
    char folder[3100];
    snprintf(folder, sizeof folder, "%s/runs", sweep->folder);
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t digits = strspn(entry->d_name, "0123456789");
        const char *rest = entry->d_name + digits;
        if (digits >= 4 && (strncmp(rest, ".h5", 3) == 0 || strcmp(rest, ".log") == 0))
            unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
}

// Makes the folder, opens the journal, and reads earlier rows from it.
static LitheStatus open_folder(LitheSweep *sweep, const Options *o, const char *journal,
                               LitheError *error) {
    char runs[3100];
    snprintf(runs, sizeof runs, "%s/runs", sweep->folder);
    LitheStatus status = make_folder(sweep->folder, error);
    if (status == LITHE_OK)
        status = make_folder(runs, error);
    if (status == LITHE_OK)
        status = lithe_study_log_open(&sweep->study, journal, o->restart, &sweep->rows, &sweep->log,
                                      error);
    if (status == LITHE_OK && sweep->log.fresh) {
        clear_runs(sweep);
        status = lithe_study_log_start(&sweep->study, &sweep->log, error);
    }
    for (int32_t i = 0; status == LITHE_OK && o->retry && i < sweep->rows.count; i++)
        if (sweep->rows.states[i] == LITHE_ROW_FAILED) {
            lithe_sweep_remove_row(sweep, i);
            status = lithe_study_rows_set(&sweep->rows, i, LITHE_ROW_WAITING, NULL, NULL, error);
        }
    return status;
}

// --- report --------------------------------------------------------------------------------------

typedef struct Counts {
    int32_t done, failed, waiting;
    int32_t unconverged;  // done, with steps that did not converge
    int32_t first_failed; // -1: none
} Counts;

static Counts count_rows(const LitheStudyRows *rows) {
    Counts c = {.first_failed = -1};
    const double *unconverged = rows->values + (int64_t)(rows->value_count - 1) * rows->count;
    for (int32_t i = 0; i < rows->count; i++) {
        c.unconverged += unconverged[i] > 0;
        c.done += rows->states[i] == LITHE_ROW_DONE;
        c.waiting += rows->states[i] == LITHE_ROW_WAITING;
        if (rows->states[i] != LITHE_ROW_FAILED)
            continue;
        c.failed++;
        if (c.first_failed < 0)
            c.first_failed = i;
    }
    return c;
}

static void print_begin(const LitheSweep *sweep, const Options *o) {
    Counts c = count_rows(&sweep->rows);
    if (o->quiet || o->json)
        return;
    printf("%s%s%d rows of %s", sweep->study.name, sweep->study.name[0] ? ": " : "",
           sweep->rows.count, sweep->study.scene);
    if (c.waiting < sweep->rows.count)
        printf(", %d finished earlier", sweep->rows.count - c.waiting);
    if (c.waiting > 0)
        printf(", %d at a time",
               sweep->queue->max_running < c.waiting ? sweep->queue->max_running : c.waiting);
    printf("\n");
    fflush(stdout);
}

// Prints the last line or the JSON object; returns the exit code.
static int print_end(const LitheSweep *sweep, const Options *o, const char *csv, const char *hdf5) {
    Counts c = count_rows(&sweep->rows);
    if (o->json) {
        LitheJson json = lithe_json_open(stdout);
        lithe_json_integer(&json, "rows", sweep->rows.count);
        lithe_json_integer(&json, "done", c.done);
        lithe_json_integer(&json, "failed", c.failed);
        lithe_json_integer(&json, "not_run", c.waiting);
        lithe_json_integer(&json, "unconverged", c.unconverged);
        lithe_json_number(&json, "wall_seconds", lithe_clock() - sweep->began);
        lithe_json_text(&json, "csv", csv);
        lithe_json_text(&json, "hdf5", hdf5);
        lithe_json_close(&json);
    } else if (!o->quiet) {
        printf("%d of %d rows done, %d failed: %s, %s\n", c.done, sweep->rows.count, c.failed, csv,
               hdf5);
    }
    if (c.unconverged > 0 && !o->quiet)
        lithe_cli_complain("warning: %d rows have steps that did not converge: column "
                           "steps_unconverged",
                           c.unconverged);
    if (c.waiting > 0) {
        lithe_cli_complain("stopped with %d rows left to run; the same command continues",
                           c.waiting);
        return LITHE_EXIT_STOPPED;
    }
    if (c.failed == 0)
        return LITHE_EXIT_DONE;
    if (c.failed == 1)
        lithe_cli_complain("row %d failed: %s", c.first_failed + 1,
                           sweep->rows.reasons[c.first_failed]);
    else
        lithe_cli_complain("%d rows failed, the first is row %d: %s", c.failed, c.first_failed + 1,
                           sweep->rows.reasons[c.first_failed]);
    return LITHE_EXIT_CHECK_FAILED;
}

static void list_rows(const LitheStudy *study) {
    char text[4000];
    for (int32_t row = 0; row < study->row_count; row++) {
        lithe_sweep_row_text(study, row, text, sizeof text);
        printf("%4d  %s\n", row + 1, text);
    }
}

// --- the study -----------------------------------------------------------------------------------

static int run_study(LitheSweep *sweep, const Options *o, LitheError *error) {
    char journal[3100], csv[3100], hdf5[3100];
    snprintf(journal, sizeof journal, "%s/journal", sweep->folder);
    snprintf(csv, sizeof csv, "%s/table.csv", sweep->folder);
    snprintf(hdf5, sizeof hdf5, "%s/table.h5", sweep->folder);
    sweep->stop = lithe_cli_stop();
    sweep->queue = lithe_queue_local(sweep->context, o->jobs, sweep->stop);
    LitheStatus status = sweep->queue ? LITHE_OK : lithe_fail_memory(error, "a queue");
    if (status == LITHE_OK)
        status = open_folder(sweep, o, journal, error);
    if (status == LITHE_OK) {
        print_begin(sweep, o);
        status = lithe_sweep_rows(sweep, error);
    }
    // the table is written after a stop, too: rows that were not run are marked
    if (status == LITHE_OK || status == LITHE_INTERRUPTED)
        status = lithe_study_write_table(&sweep->study, &sweep->rows, csv, hdf5, error);
    return status == LITHE_OK ? print_end(sweep, o, csv, hdf5) : lithe_cli_failed(error);
}

static int sweep_study(LitheSweep *sweep, const Options *o) {
    LitheError error = {0};
    LitheStatus status = lithe_study_load(sweep->context, o->study, &sweep->study, &error);
    if (status == LITHE_OK)
        status = lithe_study_check(&sweep->study, &error);
    if (status == LITHE_OK && o->list) {
        list_rows(&sweep->study);
        return LITHE_EXIT_DONE;
    }
    if (status == LITHE_OK)
        status = lithe_study_rows_create(&sweep->study, &sweep->rows, &error);
    return status == LITHE_OK ? run_study(sweep, o, &error) : lithe_cli_failed(&error);
}

// --- the command ---------------------------------------------------------------------------------

enum { KEY_OUT = 'o', KEY_JOBS = 'j', KEY_LIST = 'l', KEY_QUIET = 'q' };
enum { KEY_JSON = 1000, KEY_RESTART, KEY_RETRY };

static const struct argp_option options[] = {
    {"jobs", KEY_JOBS, "N", 0, "runs at a time (default: one per processor)", 0},
    {"out", KEY_OUT, "FOLDER", 0,
     "folder of the results (default: STUDY.out in the current folder)", 0},
    {"list", KEY_LIST, 0, 0, "show the rows without running them", 0},
    {"retry", KEY_RETRY, 0, 0, "run the rows that failed again", 0},
    {"restart", KEY_RESTART, 0, 0, "discard finished rows and begin again", 0},
    {"quiet", KEY_QUIET, 0, 0, "print only errors and warnings", 0},
    {"json", KEY_JSON, 0, 0, "print the summary as one JSON object", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_JOBS:
        o->jobs = (int32_t)lithe_cli_integer(state, "--jobs", text, 1, 1024);
        return 0;
    case KEY_OUT:
        if (strlen(text) == 0 || strlen(text) > 2900)
            argp_error(state, "--out is %s", text[0] ? "too long" : "empty");
        o->out = text;
        return 0;
    case KEY_LIST:
        o->list = true;
        return 0;
    case KEY_RETRY:
        o->retry = true;
        return 0;
    case KEY_RESTART:
        o->restart = true;
        return 0;
    case KEY_QUIET:
        o->quiet = true;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->study)
            argp_error(state, "expected one study, unexpected argument '%s'", text);
        o->study = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->study)
            argp_error(state, "no study is given (a YAML file with scene, vary and measure)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int lithe_cli_sweep(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "STUDY",
        .doc = "Run a scene for many values and seeds, and write measured results to a table.\v"
               "The study is a YAML file: scene, vary, together, seeds, set, measure, until, keep "
               "(docs/guide/sweep.md). Each run is a separate process; the row of a run that fails "
               "contains the reason. A study that was stopped or killed is continued by the same "
               "command; the table is the same to the byte. Exit code 1 when rows "
               "failed.\n\nExample:\n"
               "  lithe sweep friction.yaml --jobs 4\n"};
    Options o = {.jobs = lithe_queue_processors()};
    lithe_cli_parse(&argp, argc, argv, &o);
    LitheSweep sweep = {
        .context = lithe_cli_context(o.quiet), .log = {.fd = -1}, .quiet = o.quiet || o.json};
    name_folder(&o, sweep.folder, sizeof sweep.folder);
    int code = sweep_study(&sweep, &o);
    if (sweep.queue)
        sweep.queue->destroy(sweep.queue);
    lithe_study_log_close(&sweep.log);
    lithe_study_rows_release(&sweep.rows);
    lithe_study_release(&sweep.study);
    lithe_context_destroy(sweep.context);
    return code;
}
