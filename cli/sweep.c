// SPDX-License-Identifier: Apache-2.0
// cli/sweep.c - lithe sweep: a study over parameters and seeds on the cores of this machine

#include "cli/sweep.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/study_table.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- the folder ----------------------------------------------------------------------------------

// max default of tasks of an array job: clusters limit their number
#define MAX_TASKS 64

typedef struct Options {
    const char *study;
    const char *out;
    int32_t jobs;  // 0: default
    int32_t tasks; // of an array job
    LitheExecutor executor;
    bool list, restart, retry, quiet, json, slurm;
} Options;

// files of the folder
typedef struct Files {
    char journal[3100], claims[3100], csv[3100], hdf5[3100];
} Files;

static void name_files(const LitheSweep *sweep, Files *files) {
    char own[16] = "";
    if (sweep->task >= 0)
        snprintf(own, sizeof own, ".%d", sweep->task);
    snprintf(files->journal, sizeof files->journal, "%s/journal%s", sweep->folder, own);
    snprintf(files->claims, sizeof files->claims, "%s/claims", sweep->folder);
    snprintf(files->csv, sizeof files->csv, "%s/table.csv", sweep->folder);
    snprintf(files->hdf5, sizeof files->hdf5, "%s/table.h5", sweep->folder);
}

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

// Opens the journal of this process.
static LitheStatus open_journal(LitheSweep *sweep, bool restart, const char *journal,
                                LitheError *error) {
    LitheStatus status =
        lithe_study_log_open(&sweep->study, journal, restart, &sweep->rows, &sweep->log, error);
    bool fresh = sweep->log.fresh, found = false;
    if (status == LITHE_OK && fresh)
        status = lithe_study_log_start(&sweep->study, &sweep->log, error);
    if (status != LITHE_OK || sweep->task >= 0)
        return status == LITHE_OK ? lithe_sweep_follow(sweep, error) : status;
    status = lithe_sweep_fold(sweep, restart, &found, error);
    if (status == LITHE_OK && fresh && (restart || !found)) {
        char times[3100];
        snprintf(times, sizeof times, "%s/times.csv", sweep->folder);
        unlink(times);
        clear_runs(sweep);
    }
    return status;
}

// Fails for a file of one of our names in a folder that no study has used: a study leaves its
// claims, or as an older one its journal.
static LitheStatus check_folder(const LitheSweep *sweep, const Files *files, LitheError *error) {
    static const char *const ours[] = {"table.csv", "table.h5", "times.csv"};
    char path[3100];
    struct stat older;
    snprintf(path, sizeof path, "%s/journal", sweep->folder);
    if (access(files->claims, F_OK) == 0 || access(path, F_OK) == 0)
        return LITHE_OK;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        snprintf(path, sizeof path, "%s/%s", sweep->folder, ours[i]);
        if (stat(path, &older) == 0 && older.st_size > 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "%s: exists and is not of a study: move it away, or give another "
                              "folder with --out",
                              path);
    }
    return LITHE_OK;
}

// Makes the folder, opens the journal, and reads earlier rows from it.
static LitheStatus open_folder(LitheSweep *sweep, const Options *o, const Files *files,
                               LitheError *error) {
    char runs[3100];
    snprintf(runs, sizeof runs, "%s/runs", sweep->folder);
    LitheStatus status = make_folder(sweep->folder, error);
    if (status == LITHE_OK)
        status = check_folder(sweep, files, error);
    if (status == LITHE_OK)
        status = make_folder(runs, error);
    if (status == LITHE_OK)
        status = lithe_claims_open(files->claims, sweep->task < 0, &sweep->claims, error);
    if (status == LITHE_OK)
        status = open_journal(sweep, o->restart, files->journal, error);
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
    if (o->quiet || o->json || sweep->task > 0)
        return;
    printf("%s%s%d rows of %s", sweep->study.name, sweep->study.name[0] ? ": " : "",
           sweep->rows.count, sweep->study.scene);
    if (c.waiting < sweep->rows.count)
        printf(", %d finished earlier", sweep->rows.count - c.waiting);
    if (c.waiting > 0)
        printf(", %d at a time",
               sweep->queue->max_running < c.waiting ? sweep->queue->max_running : c.waiting);
    if (c.waiting > 0 && sweep->task >= 0)
        printf(" in each process");
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

static LitheStatus write_table(const LitheSweep *sweep, const Files *files, LitheError *error) {
    LitheStatus status = lithe_claims_begin(&sweep->claims, error);
    if (status != LITHE_OK)
        return status;
    status = lithe_study_write_table(&sweep->study, &sweep->rows, files->csv, files->hdf5, error);
    lithe_claims_end(&sweep->claims);
    return status;
}

// One of several processes has no more rows to run, but others have. Its exit code is 0: another
// one would make a launcher of MPI end them.
static int leave(const LitheSweep *sweep, const Options *o, const Counts *c) {
    if (*sweep->stop) {
        lithe_cli_complain("task %d stopped; %d rows are not finished; the same command continues",
                           sweep->task, c->waiting);
        return LITHE_EXIT_STOPPED;
    }
    if (!o->quiet && !o->json)
        printf("task %d has no more rows to run; others run the last %d\n", sweep->task,
               c->waiting);
    return LITHE_EXIT_DONE;
}

static int run_study(LitheSweep *sweep, const Options *o, LitheError *error) {
    Files files;
    name_files(sweep, &files);
    sweep->stop = lithe_cli_stop();
    sweep->queue = lithe_queue_local(
        sweep->context, o->jobs > 0 ? o->jobs : lithe_sweep_default_jobs(sweep->task), sweep->stop);
    LitheStatus status = sweep->queue ? LITHE_OK : lithe_fail_memory(error, "a queue");
    if (status == LITHE_OK)
        status = open_folder(sweep, o, &files, error);
    if (status == LITHE_OK) {
        print_begin(sweep, o);
        status = lithe_sweep_rows(sweep, error);
    }
    Counts c = count_rows(&sweep->rows);
    if ((status == LITHE_OK || status == LITHE_INTERRUPTED) && sweep->task >= 0 && c.waiting > 0)
        return leave(sweep, o, &c);
    // the table is written after a stop, too: rows that were not run are marked
    if (status == LITHE_OK || status == LITHE_INTERRUPTED)
        status = write_table(sweep, &files, error);
    return status == LITHE_OK ? print_end(sweep, o, files.csv, files.hdf5)
                              : lithe_cli_failed(error);
}

// Writes the script of an array job instead of running.
static int write_job(LitheSweep *sweep, const Options *o, LitheError *error) {
    char path[3100];
    snprintf(path, sizeof path, "%s/job.sh", sweep->folder);
    int32_t tasks = o->tasks > 0 ? o->tasks : sweep->study.row_count;
    tasks = tasks < sweep->study.row_count ? tasks : sweep->study.row_count;
    if (o->tasks == 0 && tasks > MAX_TASKS)
        tasks = MAX_TASKS;
    LitheStatus status = make_folder(sweep->folder, error);
    if (status == LITHE_OK)
        status =
            lithe_sweep_write_slurm(sweep, o->study, tasks, o->jobs > 0 ? o->jobs : 1, path, error);
    if (status != LITHE_OK)
        return lithe_cli_failed(error);
    printf("%d rows for %d tasks: sbatch %s\n", sweep->study.row_count, tasks, path);
    return LITHE_EXIT_DONE;
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
    if (status == LITHE_OK && o->slurm)
        return write_job(sweep, o, &error);
    if (status == LITHE_OK)
        status = lithe_sweep_find_task(o->executor, &sweep->task, &error);
    if (status == LITHE_OK && sweep->task >= 0 && (o->restart || o->retry))
        status = lithe_fail(&error, LITHE_BAD_INPUT,
                            "%s is for one process, this is one of several: run it once with "
                            "--executor local, or choose a new folder with --out",
                            o->restart ? "--restart" : "--retry");
    if (status == LITHE_OK)
        status = lithe_study_rows_create(&sweep->study, &sweep->rows, &error);
    return status == LITHE_OK ? run_study(sweep, o, &error) : lithe_cli_failed(&error);
}

// --- the command ---------------------------------------------------------------------------------

enum { KEY_OUT = 'o', KEY_JOBS = 'j', KEY_LIST = 'l', KEY_QUIET = 'q' };
enum { KEY_JSON = 1000, KEY_RESTART, KEY_RETRY, KEY_EXECUTOR, KEY_SLURM, KEY_TASKS };

static const struct argp_option options[] = {
    {"jobs", KEY_JOBS, "N", 0,
     "runs at a time in each process (default: one per processor; 1 in a rank of MPI or a task)",
     0},
    {"executor", KEY_EXECUTOR, "NAME", 0,
     "auto (default), local: this process alone, mpi: the ranks of mpirun, slurm: the tasks of an "
     "array job",
     0},
    {"slurm", KEY_SLURM, 0, 0, "write FOLDER/job.sh, an array job for sbatch, and run nothing", 0},
    {"tasks", KEY_TASKS, "N", 0, "tasks of the array job (default: one per row, at most 64)", 0},
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
    case KEY_EXECUTOR: {
        int executor = lithe_sweep_executor(text);
        if (executor < 0)
            argp_error(state, "--executor is '%s', must be auto, local, mpi or slurm", text);
        o->executor = (LitheExecutor)executor;
        return 0;
    }
    case KEY_SLURM:
        o->slurm = true;
        return 0;
    case KEY_TASKS:
        o->tasks = (int32_t)lithe_cli_integer(state, "--tasks", text, 1, 100000);
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
        lithe_cli_one(state, "study", text, &o->study);
        return 0;
    case ARGP_KEY_END:
        if (!o->study)
            argp_error(state, "no study is given (a YAML file with scene, vary and measure)");
        if (o->tasks > 0 && !o->slurm)
            argp_error(state, "--tasks is for --slurm");
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
               "The study is a YAML file: scene, vary, together, sample, seeds, set, measure, "
               "until, keep "
               "(docs/guide/sweep.md). Each run is a separate process; the row of a run that fails "
               "contains the reason. A study that was stopped or killed is continued by the same "
               "command; the table is the same to the byte. Exit code 1 when rows "
               "failed.\n\nExample:\n"
               "  lithe sweep friction.yaml --jobs 4\n"
               "  mpirun -n 64 lithe sweep friction.yaml\n"
               "  lithe sweep friction.yaml --slurm --tasks 16 && sbatch friction.out/job.sh\n"};
    Options o = {0};
    lithe_cli_parse(&argp, argc, argv, &o);
    LitheSweep sweep = {.context = lithe_cli_context(o.quiet),
                        .log = {.fd = -1},
                        .claims = {.fd = -1},
                        .task = -1,
                        .quiet = o.quiet || o.json};
    name_folder(&o, sweep.folder, sizeof sweep.folder);
    int code = sweep_study(&sweep, &o);
    if (sweep.queue)
        sweep.queue->destroy(sweep.queue);
    lithe_study_log_close(&sweep.log);
    lithe_claims_close(&sweep.claims);
    lithe_free(sweep.context, sweep.peers);
    lithe_study_rows_release(&sweep.rows);
    lithe_study_release(&sweep.study);
    lithe_context_destroy(sweep.context);
    return code;
}
