// SPDX-License-Identifier: Apache-2.0
// run/study_table.h - the rows of a study as a table

#ifndef LITHE_RUN_STUDY_TABLE_H
#define LITHE_RUN_STUDY_TABLE_H

#include "run/study_log.h"

/// Columns: row, the varied values, the measures, steps_unconverged, status, reason. Rows are in
/// the order of the study, not in that of completion.
LitheStatus lithe_study_write_table(const LitheStudy *study, const LitheStudyRows *rows,
                                    const char *csv, const char *hdf5, LitheError *error);

/// "done", "failed", "not run".
const char *lithe_row_state_name(LitheRowState state);

#endif
