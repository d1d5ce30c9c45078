// SPDX-License-Identifier: Apache-2.0
// record/data_table.c - columns to CSV and HDF5

#include "record/data_table.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/disk.h"
#include "record/hdf5_file.h"
#include "record/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

// --- CSV -----------------------------------------------------------------------------------------

// Writes a text, in quotes where a reader needs them.
static void put_field(FILE *file, const char *text) {
    if (!strpbrk(text, ",\"\n\r") && text[0] != ' ') {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void put_head(FILE *file, const LitheDataColumn *column) {
    char head[512];
    bool unit = column->unit[0] != '\0';
    snprintf(head, sizeof head, "%.400s%s%.60s%s", column->name, unit ? " [" : "", column->unit,
             unit ? "]" : "");
    put_field(file, head);
}

LitheStatus lithe_data_table_write_csv(LitheContext *context, const LitheDataTable *table,
                                       const char *path, LitheError *error) {
    LitheFileReplace replace = {0};
    LitheStatus status = lithe_file_replace_begin(context, path, &replace, error);
    if (status != LITHE_OK)
        return status;
    for (int32_t i = 0; i < table->column_count; i++) {
        if (i > 0)
            fputc(',', replace.file);
        put_head(replace.file, &table->columns[i]);
    }
    for (int32_t row = 0; row < table->row_count; row++)
        for (int32_t i = 0; i < table->column_count; i++) {
            const LitheDataColumn *column = &table->columns[i];
            fputc(i > 0 ? ',' : '\n', replace.file);
            if (!column->numbers)
                put_field(replace.file, column->texts[row]);
            else if (!isnan(column->numbers[row]))
                lithe_text_number(replace.file, column->numbers[row]);
        }
    fputc('\n', replace.file);
    return lithe_file_replace_commit(&replace, error);
}

// --- HDF5 ----------------------------------------------------------------------------------------

// Groups and datasets have no time stamps: equal tables make equal files.
static hid_t untimed(hid_t kind) {
    hid_t list = H5Pcreate(kind);
    if (list >= 0)
        H5Pset_obj_track_times(list, false);
    return list;
}

// Creates the missing groups of the path of a dataset.
static bool make_groups(hid_t file, hid_t how, const char *path) {
    char part[600];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (H5Lexists(file, part, H5P_DEFAULT) > 0)
            continue;
        hid_t group = H5Gcreate2(file, part, H5P_DEFAULT, how, H5P_DEFAULT);
        if (group < 0)
            return false;
        H5Gclose(group);
    }
    return true;
}

// All texts one after the other, each padded to the longest.
static char *join_texts(LitheContext *context, const LitheDataColumn *column, int32_t rows,
                        size_t *width) {
    *width = 1;
    for (int32_t i = 0; i < rows; i++)
        if (strlen(column->texts[i]) > *width)
            *width = strlen(column->texts[i]);
    char *joined = lithe_alloc_array(context, rows, *width);
    for (int32_t i = 0; joined && i < rows; i++)
        memcpy(joined + (size_t)i * *width, column->texts[i], strlen(column->texts[i]));
    return joined;
}

static bool write_set(hid_t file, hid_t lists[2], const char *path, const LitheDataColumn *column,
                      hid_t type, hid_t from, const void *values, int32_t rows) {
    hsize_t size = (hsize_t)rows;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t set = -1;
    if (space >= 0 && type >= 0 && make_groups(file, lists[0], path))
        set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, lists[1], H5P_DEFAULT);
    bool fine = set >= 0 && H5Dwrite(set, from, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
                lithe_hdf5_put_text(set, "unit", column->unit[0] ? column->unit : "1");
    if (set >= 0)
        fine = H5Dclose(set) >= 0 && fine;
    if (space >= 0)
        H5Sclose(space);
    return fine;
}

static bool write_column(LitheContext *context, hid_t file, hid_t lists[2],
                         const LitheDataColumn *column, int32_t rows) {
    char path[600];
    snprintf(path, sizeof path, "%.60s%s%.500s", column->group, column->group[0] ? "/" : "",
             column->name);
    if (column->numbers)
        return write_set(file, lists, path, column, column->whole ? H5T_STD_I64LE : H5T_IEEE_F64LE,
                         H5T_NATIVE_DOUBLE, column->numbers, rows);
    size_t width = 0;
    char *joined = join_texts(context, column, rows, &width);
    hid_t type = lithe_hdf5_text_type(width);
    bool fine = joined && write_set(file, lists, path, column, type, type, joined, rows);
    if (type >= 0)
        H5Tclose(type);
    lithe_free(context, joined);
    return fine;
}

static LitheStatus write_hdf5(LitheContext *context, const LitheDataTable *table,
                              LitheHdf5Sink *sink, const char *path, LitheError *error) {
    hid_t file = lithe_hdf5_create(sink);
    if (file < 0 && sink->reason == ENOMEM)
        return lithe_fail_memory(error, "a table");
    hid_t lists[2] = {untimed(H5P_GROUP_CREATE), untimed(H5P_DATASET_CREATE)};
    bool fine = file >= 0 && lists[0] >= 0 && lists[1] >= 0 &&
                lithe_hdf5_put_number(file, "format_version", H5T_STD_I32LE, 1);
    for (int32_t i = 0; fine && i < table->note_count; i++)
        fine = lithe_hdf5_put_text(file, table->notes[i].name, table->notes[i].text);
    for (int32_t i = 0; fine && i < table->column_count; i++)
        fine = write_column(context, file, lists, &table->columns[i], table->row_count);
    for (int i = 0; i < 2; i++)
        if (lists[i] >= 0)
            H5Pclose(lists[i]);
    fine = lithe_hdf5_finish(sink, file) && fine;
    if (fine)
        return LITHE_OK;
    if (sink->reason)
        return lithe_disk_fail(error, path, "write", sink->reason);
    return lithe_hdf5_refuse(path, error);
}

LitheStatus lithe_data_table_write_hdf5(LitheContext *context, const LitheDataTable *table,
                                        const char *path, LitheError *error) {
    LitheFileReplace replace = {0};
    LitheStatus status = lithe_file_replace_begin(context, path, &replace, error);
    if (status != LITHE_OK)
        return status;
    LitheHdf5Sink sink = {.context = context, .driver = -1, .fd = fileno(replace.file)};
    if (!replace.temporary)
        status = lithe_fail(error, LITHE_FILE_ERROR, "%s: must be a regular file", path);
    if (status == LITHE_OK) {
        LitheHdf5Quiet quiet = lithe_hdf5_begin();
        status = write_hdf5(context, table, &sink, path, error);
        lithe_hdf5_end(quiet);
    }
    if (status == LITHE_OK)
        return lithe_file_replace_commit(&replace, error);
    lithe_file_replace_abort(&replace);
    return status;
}
