// SPDX-License-Identifier: Apache-2.0
// record/data_table.h - a table of named columns as CSV and as HDF5; equal tables make equal bytes

#ifndef LITHE_RECORD_DATA_TABLE_H
#define LITHE_RECORD_DATA_TABLE_H

#include "lithe/base.h"

/// One column: numbers (NAN: no value) or texts.
typedef struct LitheDataColumn {
    const char *group; // in HDF5, "measure"; "" for the root
    const char *name;
    const char *unit;         // "" for none
    bool whole;               // numbers without a fraction, integers in HDF5
    const double *numbers;    // [row_count], or NULL
    const char *const *texts; // [row_count], if there are no numbers
} LitheDataColumn;

/// A text attribute of the HDF5 file.
typedef struct LitheDataNote {
    const char *name;
    const char *text;
} LitheDataNote;

typedef struct LitheDataTable {
    const LitheDataColumn *columns;
    int32_t column_count;
    int32_t row_count;
    const LitheDataNote *notes;
    int32_t note_count;
} LitheDataTable;

/// Header "name [unit]", then one line per row; NaN is written as an empty cell. The file is
/// replaced atomically.
LitheStatus lithe_data_table_write_csv(LitheContext *context, const LitheDataTable *table,
                                       const char *path, LitheError *error);

/// One dataset GROUP/NAME [row_count] per column, with its `unit`. The file is replaced
/// atomically.
LitheStatus lithe_data_table_write_hdf5(LitheContext *context, const LitheDataTable *table,
                                        const char *path, LitheError *error);

#endif
