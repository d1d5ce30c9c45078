// SPDX-License-Identifier: Apache-2.0
// cli/table_hdf5.c - reads the table of a study from its HDF5 file: a column for each dataset

#include "cli/cli.h"
#include "cli/table.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/hdf5_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 10000000, MAX_COLUMNS = 10000, MAX_DEPTH = 20, NAME_BYTES = 512 };

// Columns that are read in this order; names below "vary" and "measure" may have slashes.
typedef struct Reading {
    LitheCliTable *table;
    const char *path;
    hid_t file;
    int32_t capacity;
    LitheError *error;
} Reading;

static LitheStatus fail_set(const Reading *r, const char *name) {
    return lithe_fail(r->error, LITHE_BAD_INPUT, "%s: '%.200s' is no column of a table of a study",
                      r->path, name);
}

/// Rows of a dataset with one dimension; -1: it is none.
static int64_t rows_of(hid_t set) {
    hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    hsize_t rows = 0;
    bool fine = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                H5Sget_simple_extent_dims(space, &rows, NULL) == 1 && rows <= MAX_ROWS;
    if (space >= 0)
        H5Sclose(space);
    return fine ? (int64_t)rows : -1;
}

static bool read_texts(LitheContext *context, hid_t set, hid_t type, LitheCliColumn *column,
                       int32_t rows) {
    size_t width = lithe_hdf5_text_length(type);
    if (width == 0 || width > 10000)
        return false;
    // the texts follow each other without their ends
    column->block = lithe_alloc_array(context, rows, width + 1);
    char *joined = lithe_alloc_array(context, rows, width);
    bool fine =
        column->block && joined && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, joined) >= 0;
    for (int32_t i = 0; fine && i < rows; i++) {
        column->texts[i] = column->block + (size_t)i * (width + 1);
        memcpy(column->texts[i], joined + (size_t)i * width, width);
        column->texts[i][width] = '\0';
        column->numbers[i] = lithe_cli_cell_number(column->texts[i]);
    }
    lithe_free(context, joined);
    return fine;
}

static LitheStatus read_set(Reading *r, hid_t set, const char *name) {
    LitheCliTable *table = r->table;
    LitheContext *context = table->context;
    static char empty[] = "";
    if (table->column_count == MAX_COLUMNS || rows_of(set) != table->row_count)
        return fail_set(r, name);
    if (!LITHE_RESERVE(context, table->columns, r->capacity, table->column_count + 1))
        return lithe_fail_memory(r->error, "a table");
    LitheCliColumn *column = &table->columns[table->column_count++];
    *column = (LitheCliColumn){
        .name = lithe_alloc(context, strlen(name) + 1),
        .unit = lithe_hdf5_get_text(context, set, "unit"),
        .numbers = lithe_alloc_array(context, table->row_count, sizeof(double)),
        .texts = lithe_alloc_array(context, table->row_count, sizeof(char *)),
        .owned = true,
    };
    if (!column->name || !column->numbers || !column->texts)
        return lithe_fail_memory(r->error, "a table");
    strcpy(column->name, name);
    for (int32_t i = 0; i < table->row_count; i++)
        column->texts[i] = empty;
    hid_t type = H5Dget_type(set);
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    bool fine = column->unit != NULL;
    if (fine && class == H5T_STRING)
        fine = read_texts(context, set, type, column, table->row_count);
    else if (fine)
        fine = (class == H5T_FLOAT || class == H5T_INTEGER) &&
               H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column->numbers) >= 0;
    if (type >= 0)
        H5Tclose(type);
    return fine ? LITHE_OK : fail_set(r, name);
}

static LitheStatus read_group(Reading *r, hid_t group, const char *before, int32_t depth) {
    H5G_info_t info;
    if (group < 0 || depth > MAX_DEPTH || H5Gget_info(group, &info) < 0)
        return fail_set(r, before);
    LitheStatus status = LITHE_OK;
    for (hsize_t i = 0; status == LITHE_OK && i < info.nlinks; i++) {
        char name[NAME_BYTES], full[2 * NAME_BYTES];
        ssize_t size = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                          sizeof name, H5P_DEFAULT);
        if (size <= 0 || size >= NAME_BYTES)
            return fail_set(r, before);
        snprintf(full, sizeof full, "%.500s%s%.500s", before, before[0] ? "/" : "", name);
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;
        // groups of the root only sort the columns
        bool sorts = depth == 0 && kind == H5I_GROUP;
        if (kind == H5I_GROUP)
            status = read_group(r, object, sorts ? "" : full, depth + 1);
        else if (kind == H5I_DATASET)
            status = read_set(r, object, full);
        else
            status = fail_set(r, full);
        if (object >= 0)
            H5Oclose(object);
    }
    return status;
}

// Rows that are not done move to the end, and are not counted.
static void drop_failed(LitheCliTable *table) {
    const LitheCliColumn *verdict = NULL;
    for (int32_t c = 0; c < table->column_count; c++)
        if (strcmp(table->columns[c].name, "status") == 0)
            verdict = &table->columns[c];
    int32_t kept = 0;
    for (int32_t row = 0; row < table->row_count; row++) {
        bool done = !verdict || strcmp(verdict->texts[row], "done") == 0;
        for (int32_t c = 0; c < table->column_count && done; c++) {
            table->columns[c].numbers[kept] = table->columns[c].numbers[row];
            table->columns[c].texts[kept] = table->columns[c].texts[row];
        }
        kept += done;
        table->failed += !done;
    }
    table->row_count = kept;
}

bool lithe_cli_table_is_hdf5(const char *path) {
    LitheContext *context = lithe_cli_context(true);
    LitheHdf5Source source = {.file = -1};
    LitheError ignored = {0};
    LitheHdf5Quiet quiet = lithe_hdf5_begin();
    bool opened = lithe_hdf5_open(context, path, &source, &ignored) == LITHE_OK;
    bool is = opened && H5Lexists(source.file, "row", H5P_DEFAULT) > 0 &&
              H5Lexists(source.file, "measure", H5P_DEFAULT) > 0;
    if (opened)
        lithe_hdf5_close(&source);
    lithe_hdf5_end(quiet);
    lithe_context_destroy(context);
    return is;
}

LitheStatus lithe_cli_table_read_hdf5(LitheContext *context, const char *path, LitheCliTable *table,
                                      LitheError *error) {
    LitheHdf5Source source = {.file = -1};
    *table = (LitheCliTable){.context = context};
    LitheHdf5Quiet quiet = lithe_hdf5_begin();
    LitheStatus status = lithe_hdf5_open(context, path, &source, error);
    if (status == LITHE_OK) {
        Reading r = {.table = table, .path = path, .file = source.file, .error = error};
        hid_t set = H5Dopen2(source.file, "row", H5P_DEFAULT);
        int64_t rows = rows_of(set);
        if (set >= 0)
            H5Dclose(set);
        table->row_count = rows > 0 ? (int32_t)rows : 0;
        status = rows < 0 ? fail_set(&r, "row") : read_group(&r, source.file, "", 0);
        lithe_hdf5_close(&source);
    }
    lithe_hdf5_end(quiet);
    if (status == LITHE_OK)
        drop_failed(table);
    return status;
}
