// SPDX-License-Identifier: Apache-2.0
// record/export_along.c - writes quantities along rods at moments as columns of CSV

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/along.h"
#include "record/export.h"
#include "record/text.h"

// all [name_count * time_count]: the times of one name follow each other
static void print_head(const LitheAlong *all, int32_t count, const char *const *names,
                       int32_t time_count, FILE *file) {
    for (int32_t i = 0; i < count; i++) {
        fprintf(file, "%s%s.distance at %.6g s [m]", i ? "," : "", names[i / time_count],
                all[i].time);
        for (int32_t k = 0; k < all[i].series_count; k++)
            fprintf(file, ",%s at %.6g s [%s]", all[i].series[k].name, all[i].time, all[i].unit);
    }
    fputc('\n', file);
}

static void print_rows(const LitheAlong *all, int32_t count, FILE *file) {
    int32_t rows = 0;
    for (int32_t i = 0; i < count; i++)
        rows = all[i].count > rows ? all[i].count : rows;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t i = 0; i < count; i++) {
            bool within = row < all[i].count;
            if (i > 0)
                fputc(',', file);
            if (within)
                lithe_text_number(file, all[i].x[row]);
            for (int32_t k = 0; k < all[i].series_count; k++) {
                fputc(',', file);
                if (within)
                    lithe_text_number(file, all[i].series[k].values[row]);
            }
        }
        fputc('\n', file);
    }
}

LitheStatus lithe_export_csv_along(LitheRecording *recording, const char *path,
                                   const char *const *names, int32_t name_count,
                                   const double *times, int32_t time_count, LitheError *error) {
    LitheContext *context = recording->context;
    LitheStatus status = lithe_recording_check_output(recording, path, error);
    if (status != LITHE_OK)
        return status;
    LitheAlong *all = lithe_alloc_array(context, (int64_t)name_count * time_count, sizeof *all);
    if (!all)
        return lithe_fail_memory(error, "the table");
    int32_t count = 0;
    for (int32_t n = 0; status == LITHE_OK && n < name_count; n++)
        for (int32_t t = 0; status == LITHE_OK && t < time_count; t++) {
            status = lithe_recording_along(recording, names[n], times[t], &all[count], error);
            count += status == LITHE_OK;
        }
    LitheFileReplace replace = {0};
    if (status == LITHE_OK)
        status = lithe_file_replace_begin(context, path, &replace, error);
    if (status == LITHE_OK) {
        print_head(all, count, names, time_count, replace.file);
        print_rows(all, count, replace.file);
        status = lithe_file_replace_commit(&replace, error);
    }
    for (int32_t i = 0; i < count; i++)
        lithe_along_release(&all[i]);
    lithe_free(context, all);
    return status;
}
