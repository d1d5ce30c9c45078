// SPDX-License-Identifier: Apache-2.0
// cli/table.h - the table of a study, read from its CSV or HDF5 file

#ifndef LITHE_CLI_TABLE_H
#define LITHE_CLI_TABLE_H

#include "lithe/base.h"

typedef struct LitheCliColumn {
    char *name, *unit; // "sag", "m"; unit "" for none
    double *numbers;   // [row_count]; NAN: empty, or not a number
    char **texts;      // [row_count] cells as written
    bool owned;        // name, unit and block are memory of their own, not of the table
    char *block;       // what the texts of an owned column point into; or NULL
} LitheCliColumn;

typedef struct LitheCliTable {
    LitheContext *context;
    char *bytes; // of the file; names, units and cells point into it
    LitheCliColumn *columns;
    int32_t column_count, row_count;
    int32_t failed; // rows whose status is not done; they are left out
} LitheCliTable;

/// Whether `path` is a table: a .csv file, an HDF5 file that `lithe sweep` wrote, or a folder with
/// table.csv. `file` receives the file to read.
bool lithe_cli_table_path(const char *path, char *file, size_t size);

/// Reads a table. Release also after failure.
LitheStatus lithe_cli_table_read(LitheContext *context, const char *path, LitheCliTable *table,
                                 LitheError *error);
void lithe_cli_table_release(LitheCliTable *table);

/// The number in a cell; true is 1 and false 0, NAN: none.
double lithe_cli_cell_number(const char *cell);

/// An HDF5 file, in table_hdf5.c: whether it has the datasets of a table, and reading.
bool lithe_cli_table_is_hdf5(const char *path);
LitheStatus lithe_cli_table_read_hdf5(LitheContext *context, const char *path, LitheCliTable *table,
                                      LitheError *error);

/// The column with this name, which may leave out what stands before its last dot where that is
/// unique. LITHE_BAD_INPUT with a hint when there is none, or when it has no numbers.
LitheStatus lithe_cli_table_find(const LitheCliTable *table, const char *path, const char *name,
                                 const LitheCliColumn **column, LitheError *error);

/// `lithe plot` of a table.
typedef struct LitheCliTablePlot {
    const char *path, *out;
    const char *const *names; // [name_count] columns to draw
    int32_t name_count;
    const char *over, *by; // columns; NULL: not given
    bool scatter, heat, log;
} LitheCliTablePlot;
LitheStatus lithe_cli_plot_table(LitheContext *context, const LitheCliTablePlot *plot,
                                 LitheError *error);

#endif
