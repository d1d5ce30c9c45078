// SPDX-License-Identifier: Apache-2.0
// cli/sweep.h - interface between the files of lithe sweep

#ifndef LITHE_CLI_SWEEP_H
#define LITHE_CLI_SWEEP_H

#include "cli/cli.h"
#include "run/queue.h"
#include "run/study_log.h"

#include <signal.h>

/// A running study.
typedef struct LitheSweep {
    LitheContext *context;
    LitheStudy study;
    LitheStudyRows rows;
    LitheStudyLog log;
    LitheQueue *queue;
    char folder[3000];
    bool quiet; // no lines about rows

    // during the run
    const volatile sig_atomic_t *stop;
    bool stopping;
    bool *resumed;         // [rows] the job continues an earlier run
    int32_t next;          // first row that was not considered yet
    int32_t finished;      // done or failed, now or earlier
    int32_t finished_here; // by this call
    double began;          // wall clock, s
} LitheSweep;

/// "FOLDER/runs/0007SUFFIX" of a row; rows count from 0.
void lithe_sweep_row_file(const LitheSweep *sweep, int32_t row, const char *suffix, char *path,
                          size_t size);

/// Removes recording, journal, checkpoint and messages of a row.
void lithe_sweep_remove_row(const LitheSweep *sweep, int32_t row);

/// Runs the waiting rows. LITHE_INTERRUPTED after a request to stop.
LitheStatus lithe_sweep_rows(LitheSweep *sweep, LitheError *error);

/// "parameters.mu=0.3  parameters.seed=1": the overrides of a row.
void lithe_sweep_row_text(const LitheStudy *study, int32_t row, char *text, size_t size);

#endif
