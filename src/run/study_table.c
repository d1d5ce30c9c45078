// SPDX-License-Identifier: Apache-2.0
// run/study_table.c - the columns of a study and its rows

#include "run/study_table.h"

#include "base/arena.h"
#include "base/status.h"
#include "record/data_table.h"

#include <math.h>
#include <string.h>

const char *lithe_row_state_name(LitheRowState state) {
    return state == LITHE_ROW_DONE ? "done" : state == LITHE_ROW_FAILED ? "failed" : "not run";
}

// The column of a path: its value in each row, as numbers or else as texts.
static bool path_column(const LitheStudy *study, const LitheStudyPath *path, LitheArena *arena,
                        LitheDataColumn *column) {
    double *numbers = NULL;
    const char **texts = NULL;
    if (path->numbers)
        numbers = lithe_arena_push(arena, study->row_count, sizeof *numbers);
    else
        texts = lithe_arena_push(arena, study->row_count, sizeof *texts);
    for (int32_t row = 0; (numbers || texts) && row < study->row_count; row++) {
        int32_t i = lithe_study_value(study, path, row);
        if (numbers)
            numbers[row] = path->numbers[i];
        else
            texts[row] = path->texts[i];
    }
    bool whole = path->numbers && path->unit[0] == '\0';
    for (int32_t i = 0; whole && i < path->count; i++)
        whole = path->numbers[i] == rint(path->numbers[i]) && fabs(path->numbers[i]) < 1e15;
    *column = (LitheDataColumn){.group = "vary",
                                .name = path->path,
                                .unit = path->numbers ? path->unit : "",
                                .whole = whole,
                                .numbers = numbers,
                                .texts = texts};
    return numbers || texts;
}

static bool outcome_columns(const LitheStudyRows *rows, LitheArena *arena, LitheDataColumn *status,
                            LitheDataColumn *reason) {
    const char **states = lithe_arena_push(arena, rows->count, sizeof *states);
    const char **reasons = lithe_arena_push(arena, rows->count, sizeof *reasons);
    for (int32_t i = 0; states && reasons && i < rows->count; i++) {
        states[i] = lithe_row_state_name(rows->states[i]);
        reasons[i] = rows->reasons[i] ? rows->reasons[i] : "";
    }
    *status = (LitheDataColumn){.group = "", .name = "status", .unit = "", .texts = states};
    *reason = (LitheDataColumn){.group = "", .name = "reason", .unit = "", .texts = reasons};
    return states && reasons;
}

// NULL: out of memory.
static LitheDataColumn *make_columns(const LitheStudy *study, const LitheStudyRows *rows,
                                     LitheArena *arena, int32_t *count) {
    LitheDataColumn *columns = lithe_arena_push(
        arena, (int64_t)study->path_count + rows->value_count + 3, sizeof *columns);
    double *numbers = lithe_arena_push(arena, rows->count, sizeof *numbers);
    if (!columns || !numbers)
        return NULL;
    for (int32_t i = 0; i < rows->count; i++)
        numbers[i] = i + 1;
    int32_t n = 0;
    columns[n++] = (LitheDataColumn){
        .group = "", .name = "row", .unit = "", .whole = true, .numbers = numbers};
    for (int32_t i = 0; i < study->path_count; i++)
        if (study->paths[i].axis >= 0 &&
            !path_column(study, &study->paths[i], arena, &columns[n++]))
            return NULL;
    for (int32_t i = 0; i < study->measure_count; i++) {
        const LitheMeasure *measure = &study->measures[i];
        bool plain = strcmp(measure->unit, "1") == 0;
        columns[n++] = (LitheDataColumn){.group = "measure",
                                         .name = measure->name,
                                         .unit = plain ? "" : measure->unit,
                                         .numbers = rows->values + (int64_t)i * rows->count};
    }
    columns[n++] =
        (LitheDataColumn){.group = "",
                          .name = "steps_unconverged",
                          .unit = "",
                          .numbers = rows->values + (int64_t)study->measure_count * rows->count};
    if (!outcome_columns(rows, arena, &columns[n], &columns[n + 1]))
        return NULL;
    *count = n + 2;
    return columns;
}

LitheStatus lithe_study_write_table(const LitheStudy *study, const LitheStudyRows *rows,
                                    const char *csv, const char *hdf5, LitheError *error) {
    const LitheDataNote notes[] = {
        {"format", "lithe study"}, {"lithe", lithe_version()}, {"name", study->name},
        {"scene", study->scene},   {"study", study->text},
    };
    LitheArena arena;
    lithe_arena_begin(&arena, study->context);
    LitheDataTable table = {
        .row_count = rows->count, .notes = notes, .note_count = sizeof notes / sizeof *notes};
    table.columns = make_columns(study, rows, &arena, &table.column_count);
    LitheStatus status = table.columns ? LITHE_OK : lithe_fail_memory(error, "a table");
    if (status == LITHE_OK)
        status = lithe_data_table_write_csv(study->context, &table, csv, error);
    if (status == LITHE_OK)
        status = lithe_data_table_write_hdf5(study->context, &table, hdf5, error);
    lithe_arena_end(&arena);
    return status;
}
