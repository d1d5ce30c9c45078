// SPDX-License-Identifier: Apache-2.0
// cli/sweep_tasks.c - a study that several processes share: ranks of MPI, tasks of an array job
//
// There are no messages between them, and no MPI library is needed: a process takes a row by a lock
// (run/claims.h) and notes its outcome in a journal of its own, which the others read. The last one
// to finish writes the table.

#include "cli/sweep.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- who am I ------------------------------------------------------------------------------------

int lithe_sweep_executor(const char *name) {
    static const char *const names[] = {"auto", "local", "mpi", "slurm"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

// A whole number of the environment; -1: not there, or something else.
static int32_t number_of(const char *name) {
    const char *text = getenv(name);
    char *end = NULL;
    long value = text ? strtol(text, &end, 10) : -1;
    return text && end != text && *end == '\0' && value >= 0 && value < 10000000 ? (int32_t)value
                                                                                 : -1;
}

// What launchers tell their processes: Open MPI, those with PMI (MPICH, Intel MPI), srun. sbatch
// sets SLURM_NTASKS for its script as well, which is only one process: the names of a step are not.
static bool find_rank(int32_t *rank, int32_t *size) {
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *rank = number_of(names[i][0]);
        *size = number_of(names[i][1]);
        if (*rank >= 0 && *size > 0)
            return true;
    }
    return false;
}

LitheStatus lithe_sweep_find_task(LitheExecutor executor, int32_t *task, LitheError *error) {
    int32_t rank = -1, size = 0;
    bool launched = find_rank(&rank, &size);
    *task = -1;
    if (executor != LITHE_EXECUTOR_LOCAL && launched && rank >= size)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "the launcher says that this is rank %d of %d: ranks are 0 to %d (see "
                          "OMPI_COMM_WORLD_RANK, PMI_RANK or SLURM_PROCID); --executor local runs "
                          "the sweep in this process alone",
                          (int)rank, (int)size, (int)size - 1);
    if (executor == LITHE_EXECUTOR_AUTO && launched && size > 1)
        *task = rank;
    if (executor == LITHE_EXECUTOR_MPI) {
        if (!launched)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "--executor is mpi, but no launcher of MPI started this process (no "
                              "OMPI_COMM_WORLD_RANK, PMI_RANK or SLURM_PROCID): mpirun -n 4 lithe "
                              "sweep ...");
        *task = rank;
    }
    if (executor == LITHE_EXECUTOR_SLURM) {
        *task = number_of("SLURM_ARRAY_TASK_ID");
        if (*task < 0)
            return lithe_fail(
                error, LITHE_BAD_INPUT,
                "--executor is slurm, but SLURM_ARRAY_TASK_ID is %s: it is set in the "
                "tasks of an array job (--slurm writes one)",
                getenv("SLURM_ARRAY_TASK_ID") ? "not a whole number" : "not set");
    }
    return LITHE_OK;
}

int32_t lithe_sweep_default_jobs(int32_t task) {
    if (task < 0)
        return lithe_queue_processors();
    int32_t given = number_of("SLURM_CPUS_PER_TASK");
    return given > 0 && given <= 1024 ? given : 1;
}

// --- journals of others --------------------------------------------------------------------------

// "journal.12" to 12; -1: another file
static int32_t task_of(const char *name) {
    if (strncmp(name, "journal.", 8) != 0 || name[8] < '0' || name[8] > '9')
        return -1;
    char *end = NULL;
    long task = strtol(name + 8, &end, 10);
    return *end == '\0' && task < 10000000 ? (int32_t)task : -1;
}

static LithePeer *find_peer(LitheSweep *sweep, int32_t task) {
    for (int32_t i = 0; i < sweep->peer_count; i++)
        if (sweep->peers[i].task == task)
            return &sweep->peers[i];
    LithePeer *more = lithe_alloc_array(sweep->context, sweep->peer_count + 1, sizeof *more);
    if (!more)
        return NULL;
    for (int32_t i = 0; i < sweep->peer_count; i++)
        more[i] = sweep->peers[i];
    lithe_free(sweep->context, sweep->peers);
    sweep->peers = more;
    more[sweep->peer_count] = (LithePeer){.task = task};
    return &more[sweep->peer_count++];
}

static void count_finished(LitheSweep *sweep) {
    sweep->finished = 0;
    for (int32_t i = 0; i < sweep->rows.count; i++)
        sweep->finished += sweep->rows.states[i] != LITHE_ROW_WAITING;
}

LitheStatus lithe_sweep_follow(LitheSweep *sweep, LitheError *error) {
    DIR *dir = opendir(sweep->folder);
    if (!dir)
        return lithe_disk_fail(error, sweep->folder, "read", errno);
    LitheStatus status = LITHE_OK;
    for (struct dirent *entry; status == LITHE_OK && (entry = readdir(dir));) {
        bool first = strcmp(entry->d_name, "journal") == 0; // of a process that was alone
        int32_t task = task_of(entry->d_name);
        if ((!first && task < 0) || (task >= 0 && task == sweep->task))
            continue;
        char path[3400];
        snprintf(path, sizeof path, "%s/%s", sweep->folder, entry->d_name);
        LithePeer *peer = find_peer(sweep, task);
        status = peer ? lithe_study_log_follow(&sweep->study, path, &peer->end, &sweep->rows, error)
                      : lithe_fail_memory(error, "the tasks of a study");
    }
    closedir(dir);
    count_finished(sweep);
    return status;
}

// Reads one journal of a task, and appends what it adds to that of this process.
static LitheStatus fold_one(LitheSweep *sweep, const char *path, LitheRowState *before,
                            LitheError *error) {
    int64_t end = 0;
    for (int32_t i = 0; i < sweep->rows.count; i++)
        before[i] = sweep->rows.states[i];
    LitheStatus status = lithe_study_log_follow(&sweep->study, path, &end, &sweep->rows, error);
    for (int32_t i = 0; status == LITHE_OK && i < sweep->rows.count; i++)
        if (sweep->rows.states[i] != before[i])
            status = lithe_study_log_append(&sweep->log, &sweep->rows, i, error);
    return status;
}

LitheStatus lithe_sweep_fold(LitheSweep *sweep, bool discard, bool *found, LitheError *error) {
    *found = false;
    LitheRowState *before = lithe_alloc_array(sweep->context, sweep->rows.count, sizeof *before);
    if (!before)
        return lithe_fail_memory(error, "the rows of a study");
    DIR *dir = opendir(sweep->folder);
    LitheStatus status = dir ? LITHE_OK : lithe_disk_fail(error, sweep->folder, "read", errno);
    for (struct dirent *entry; status == LITHE_OK && (entry = readdir(dir));) {
        if (task_of(entry->d_name) < 0)
            continue;
        char path[3400];
        snprintf(path, sizeof path, "%s/%s", sweep->folder, entry->d_name);
        *found = true;
        if (!discard)
            status = fold_one(sweep, path, before, error);
        if (status == LITHE_OK)
            unlink(path);
    }
    if (dir)
        closedir(dir);
    lithe_free(sweep->context, before);
    return status;
}

// --- times ---------------------------------------------------------------------------------------

LitheStatus lithe_sweep_note_time(const LitheSweep *sweep, int32_t row, LitheError *error) {
    char path[3100], host[256] = "", line[400], task[16] = "";
    gethostname(host, sizeof host - 1);
    if (sweep->task >= 0)
        snprintf(task, sizeof task, "%d", sweep->task);
    int length = snprintf(line, sizeof line, "%d,%.3f,%s,%s,%s\n", row + 1,
                          lithe_clock() - sweep->started[row], sweep->resumed[row] ? "yes" : "no",
                          host, task);
    static const char head[] = "row,seconds,resumed,host,task\n";
    snprintf(path, sizeof path, "%s/times.csv", sweep->folder);
    LitheStatus status = lithe_claims_begin(&sweep->claims, error);
    if (status != LITHE_OK)
        return status;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    off_t at = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    bool fine = at >= 0;
    if (fine && at == 0) {
        fine = lithe_disk_write(fd, 0, head, sizeof head - 1);
        at = sizeof head - 1;
    }
    if (!fine || !lithe_disk_write(fd, at, line, length))
        status = lithe_disk_fail(error, path, "write", errno);
    if (fd >= 0)
        close(fd);
    lithe_claims_end(&sweep->claims);
    return status;
}

// --- array jobs ----------------------------------------------------------------------------------

// A word of a shell script, in single quotes.
static void put_word(FILE *file, const char *text) {
    fputc('\'', file);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            fputc(*text, file);
    fputc('\'', file);
}

// Text of a comment for Slurm: it ends with the line.
static void put_plain(FILE *file, const char *text) {
    for (; *text; text++)
        fputc((unsigned char)*text < 0x20 ? ' ' : *text, file);
}

LitheStatus lithe_sweep_write_slurm(const LitheSweep *sweep, const char *study, int32_t tasks,
                                    int32_t jobs, const char *path, LitheError *error) {
    char here[4096], program[4096];
    if (!getcwd(here, sizeof here) || !lithe_cli_executable(program, sizeof program))
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot find the current folder: %s", path,
                          strerror(errno));
    FILE *file = fopen(path, "w");
    if (!file)
        return lithe_disk_fail(error, path, "write", errno);
    fputs("#!/bin/bash\n", file);
    fprintf(file,
            "#SBATCH --job-name=lithe-sweep\n#SBATCH --array=0-%d\n#SBATCH --ntasks=1\n#SBATCH "
            "--cpus-per-task=%d\n",
            tasks - 1, jobs);
    fputs("#SBATCH --output=", file);
    put_plain(file, sweep->folder);
    fputs("/slurm-%a.log\n", file);
    fprintf(file,
            "# %d rows, which the tasks take one after the other; a task that is killed loses "
            "only its run.\n# Submit the script again to continue.\ncd ",
            sweep->study.row_count);
    put_word(file, here);
    fputs(" || exit 2\nexec ", file);
    put_word(file, program);
    fputs(" sweep --executor slurm --out ", file);
    put_word(file, sweep->folder);
    fputs(" -- ", file);
    put_word(file, study);
    fputs("\n", file);
    bool fine = !ferror(file);
    if (fclose(file) != 0 || !fine)
        return lithe_disk_fail(error, path, "write", errno);
    chmod(path, 0755);
    return LITHE_OK;
}
