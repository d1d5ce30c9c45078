// SPDX-License-Identifier: Apache-2.0
// run/study_log.h - the finished rows of a study, on the disk line by line
//
// A head line, then one line per finished row with a checksum. Each line is flushed to the disk:
// finished rows stay finished when the process is killed. The later one of two lines for one row is
// valid.

#ifndef LITHE_RUN_STUDY_LOG_H
#define LITHE_RUN_STUDY_LOG_H

#include "run/study.h"

typedef enum LitheRowState {
    LITHE_ROW_WAITING,
    LITHE_ROW_DONE,
    LITHE_ROW_FAILED,
} LitheRowState;

/// The outcome of each row.
typedef struct LitheStudyRows {
    LitheContext *context;
    int32_t count;
    int32_t value_count;   // the measures, then the steps that did not converge
    LitheRowState *states; // [count]
    double *values;        // [value_count][count] SI; NAN until done
    char **reasons;        // [count] of failed rows, else NULL
} LitheStudyRows;

LitheStatus lithe_study_rows_create(const LitheStudy *study, LitheStudyRows *rows,
                                    LitheError *error);
void lithe_study_rows_release(LitheStudyRows *rows);

/// Stores the outcome of a row; `values` [value_count] of a done one, `reason` of a failed one.
LitheStatus lithe_study_rows_set(LitheStudyRows *rows, int32_t row, LitheRowState state,
                                 const double *values, const char *reason, LitheError *error);

typedef struct LitheStudyLog {
    const char *path; // owned by the caller
    int fd;           // -1: closed
    int64_t end;      // of the last whole line
    bool fresh;       // no rows yet: call lithe_study_log_start
} LitheStudyLog;

/// Opens or creates the file, locks it until it is closed, and fills `rows` from it.
/// LITHE_BAD_INPUT, with nothing changed, when it belongs to another study or to a changed scene.
/// With `restart` its content is ignored.
LitheStatus lithe_study_log_open(const LitheStudy *study, const char *path, bool restart,
                                 LitheStudyRows *rows, LitheStudyLog *log, LitheError *error);

/// Removes the content of the file and writes the head.
LitheStatus lithe_study_log_start(const LitheStudy *study, LitheStudyLog *log, LitheError *error);

/// Appends one line, which is on the disk when this returns.
LitheStatus lithe_study_log_append(LitheStudyLog *log, const LitheStudyRows *rows, int32_t row,
                                   LitheError *error);

/// Fills `rows` with the lines of another process' journal after `*end` (0: from its head), which
/// is moved behind the last whole one. A file that does not exist has no lines. Fails as
/// lithe_study_log_open does. What is done stays done.
LitheStatus lithe_study_log_follow(const LitheStudy *study, const char *path, int64_t *end,
                                   LitheStudyRows *rows, LitheError *error);

/// Accepts a closed log.
void lithe_study_log_close(LitheStudyLog *log);

#endif
