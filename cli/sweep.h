// SPDX-License-Identifier: Apache-2.0
// cli/sweep.h - interface between the files of lithe sweep

#ifndef LITHE_CLI_SWEEP_H
#define LITHE_CLI_SWEEP_H

#include "cli/cli.h"
#include "run/claims.h"
#include "run/queue.h"
#include "run/study_log.h"

#include <signal.h>

/// How many processes run the study.
typedef enum LitheExecutor {
    LITHE_EXECUTOR_AUTO,  // mpi where a launcher of MPI started more than one, else local
    LITHE_EXECUTOR_LOCAL, // this one alone
    LITHE_EXECUTOR_MPI,   // the ranks that mpirun or srun started
    LITHE_EXECUTOR_SLURM, // the tasks of an array job
} LitheExecutor;

/// The journal of another task, and how far it was read.
typedef struct LithePeer {
    int32_t task;
    int64_t end;
} LithePeer;

/// A running study.
typedef struct LitheSweep {
    LitheContext *context;
    LitheStudy study;
    LitheStudyRows rows;
    LitheStudyLog log;
    LitheClaims claims;
    LitheQueue *queue;
    int32_t task;     // number of this process among those that share the rows; -1: it is alone
    LithePeer *peers; // [peer_count]
    int32_t peer_count;
    char folder[3000];
    bool quiet; // no lines about rows

    // during the run
    const volatile sig_atomic_t *stop;
    bool stopping;
    bool *resumed;            // [rows] the job continues an earlier run
    double *started;          // [rows] wall clock, s
    int32_t next;             // first row that was not considered yet
    int32_t finished;         // done or failed, now or earlier
    int32_t finished_earlier; // before this call
    double began;             // wall clock, s
} LitheSweep;

/// "FOLDER/runs/0007SUFFIX" of a row; rows count from 0.
void lithe_sweep_row_file(const LitheSweep *sweep, int32_t row, const char *suffix, char *path,
                          size_t size);

/// Removes recording, journal, checkpoint and messages of a row.
void lithe_sweep_remove_row(const LitheSweep *sweep, int32_t row);

/// Runs the waiting rows. LITHE_INTERRUPTED after a request to stop.
LitheStatus lithe_sweep_rows(LitheSweep *sweep, LitheError *error);

// --- several processes: cli/sweep_tasks.c --------------------------------------------------------

/// The executor of a name; -1: there is none.
int lithe_sweep_executor(const char *name);

/// The number of this process among those that share the rows; -1: it is alone.
LitheStatus lithe_sweep_find_task(LitheExecutor executor, int32_t *task, LitheError *error);

/// Runs at a time by default.
int32_t lithe_sweep_default_jobs(int32_t task);

/// Reads the rows that other tasks have finished since the last call.
LitheStatus lithe_sweep_follow(LitheSweep *sweep, LitheError *error);

/// Appends the rows of the journals of tasks to that of this process, which is alone, and removes
/// those journals; with `discard` only removes them. `*found`: whether there were any.
LitheStatus lithe_sweep_fold(LitheSweep *sweep, bool discard, bool *found, LitheError *error);

/// Appends a line to times.csv: how long the run of a row took, and where.
LitheStatus lithe_sweep_note_time(const LitheSweep *sweep, int32_t row, LitheError *error);

/// Writes the script of an array job of `tasks` tasks with `jobs` runs at a time each.
LitheStatus lithe_sweep_write_slurm(const LitheSweep *sweep, const char *study, int32_t tasks,
                                    int32_t jobs, const char *path, LitheError *error);

// --- rows: cli/sweep_rows.c ----------------------------------------------------------------------

/// "parameters.mu=0.3  parameters.seed=1": the overrides of a row.
void lithe_sweep_row_text(const LitheStudy *study, int32_t row, char *text, size_t size);

#endif
