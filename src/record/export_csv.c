// SPDX-License-Identifier: Apache-2.0
// record/export_csv.c - writes series as columns of CSV

#include "record/export.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/quantity.h"
#include "record/series.h"
#include "record/text.h"

#include <stdio.h>
#include <string.h>

typedef struct Table {
    LitheContext *context;
    LitheSeriesSet *sets;
    int32_t set_count, set_capacity;
} Table;

static LitheStatus add(Table *table, LitheRecording *recording, const char *name,
                       LitheError *error) {
    if (!LITHE_RESERVE(table->context, table->sets, table->set_capacity, table->set_count + 1))
        return lithe_fail_memory(error, "the columns of a table");
    LitheStatus status =
        lithe_recording_series(recording, name, &table->sets[table->set_count], error);
    if (status == LITHE_OK)
        table->set_count++;
    return status;
}

// Nodes and particles have too many values for a table: it has ends, largest values and means
// instead.
static LitheStatus add_each(Table *table, LitheRecording *recording, const char *folder,
                            const char *name, const char *const *words, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (; status == LITHE_OK && *words; words++) {
        char path[512], text[512];
        const char *last = strrchr(*words, '.');
        if (!lithe_recording_column(recording, folder, name, last ? last + 1 : *words))
            continue;
        snprintf(path, sizeof path, "%s/%.400s/%s", folder, name, *words);
        lithe_series_name(path, text, sizeof text);
        status = add(table, recording, text, error);
    }
    return status;
}

static LitheStatus add_points(Table *table, LitheRecording *recording, LitheError *error) {
    static const char *const of_tube[] = {"start.position", "end.position", "tension", "curvature",
                                          "contact",        "contact-load", NULL};
    static const char *const of_balls[] = {"position", "contact", "contact-load", NULL};
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < recording->tube_count; i++)
        status = add_each(table, recording, recording->tubes[i].folder, recording->tubes[i].name,
                          of_tube, error);
    for (int32_t i = 0; status == LITHE_OK && i < recording->balls_count; i++)
        status = add_each(table, recording, recording->balls[i].folder, recording->balls[i].name,
                          of_balls, error);
    return status;
}

// A vector per frame: its components, and of a force or torque its magnitude, too.
static LitheStatus add_vector(Table *table, LitheRecording *recording, const LitheColumn *column,
                              LitheError *error) {
    static const char *const parts[] = {".x", ".y", ".z", ""};
    char name[512], text[520];
    const char *last = strrchr(column->path, '/');
    bool place = strcmp(last, "/position") == 0 || strcmp(last, "/point") == 0;
    LitheStatus status = LITHE_OK;
    lithe_series_name(column->path, name, sizeof name);
    for (int k = 0; status == LITHE_OK && k < (place ? 3 : 4); k++) {
        snprintf(text, sizeof text, "%s%s", name, parts[k]);
        status = add(table, recording, text, error);
    }
    return status;
}

static LitheStatus add_default_columns(Table *table, LitheRecording *recording, LitheError *error) {
    char name[512];
    LitheStatus status = add_points(table, recording, error);
    for (int32_t b = 0; status == LITHE_OK && b < recording->body_count; b++) {
        if (recording->layout.columns[recording->bodies[b].pose].offset < 0)
            continue;
        // where a joint has the same name, the name of the body needs its folder
        const char *body = recording->bodies[b].name;
        snprintf(name, sizeof name, "joints/%.400s/position", body);
        const char *folder = lithe_layout_find(&recording->layout, name) ? "bodies/" : "";
        snprintf(name, sizeof name, "%s%.400s.position", folder, body);
        status = add(table, recording, name, error);
        snprintf(name, sizeof name, "%s%.400s.orientation", folder, body);
        if (status == LITHE_OK)
            status = add(table, recording, name, error);
        static const char *const touched[] = {"contact", "contact-load"};
        for (int k = 0; status == LITHE_OK && k < 2; k++) {
            snprintf(name, sizeof name, "bodies/%.400s/%s", body, touched[k]);
            bool touches = lithe_layout_find(&recording->layout, name) != NULL;
            snprintf(name, sizeof name, "%s%.400s.%s", folder, body, touched[k]);
            if (touches)
                status = add(table, recording, name, error);
        }
    }
    for (int32_t i = 0; status == LITHE_OK && i < recording->layout.column_count; i++) {
        const LitheColumn *column = &recording->layout.columns[i];
        const LitheOwner *owner = lithe_owner_of_path(column->path);
        // rods and bodies are above; each number of a joint or constraint is a column
        if (column->offset < 0 || owner->side || column->rank > (owner->folder ? 1 : 0) ||
            strcmp(column->path, "time") == 0 || strcmp(column->path, "contacts/first") == 0)
            continue;
        if (column->rank == 1 && strcmp(column->axes, "time xyz") == 0) {
            status = add_vector(table, recording, column, error);
            continue;
        }
        lithe_series_name(column->path, name, sizeof name);
        status = add(table, recording, name, error);
    }
    return status;
}

// "|crate.contact|" of the magnitude of a vector; other series have their names
static const char *head_of(const LitheSeries *series) {
    size_t length = strlen(series->title);
    bool whole = series->title[0] == '|' && series->title[length - 1] == '|';
    return whole ? series->title : series->name;
}

static void print(const Table *table, const LitheRecording *recording, FILE *file) {
    fprintf(file, "time [s]");
    for (int32_t i = 0; i < table->set_count; i++)
        for (int32_t k = 0; k < table->sets[i].count; k++)
            fprintf(file, ",%s [%s]", head_of(&table->sets[i].series[k]), table->sets[i].unit);
    for (int64_t row = 0; row < recording->frame_count; row++) {
        fputc('\n', file);
        lithe_text_time(file, recording->times[row]);
        for (int32_t i = 0; i < table->set_count; i++)
            for (int32_t k = 0; k < table->sets[i].count; k++) {
                fputc(',', file);
                lithe_text_number(file, table->sets[i].series[k].values[row]);
            }
    }
    fprintf(file, "\n");
}

LitheStatus lithe_export_csv(LitheRecording *recording, const char *path, const char *const *names,
                             int32_t name_count, LitheError *error) {
    Table table = {.context = recording->context};
    LitheStatus status = lithe_recording_check_output(recording, path, error);
    for (int32_t i = 0; status == LITHE_OK && i < name_count; i++)
        status = add(&table, recording, names[i], error);
    if (status == LITHE_OK && name_count == 0)
        status = add_default_columns(&table, recording, error);
    LitheFileReplace replace = {0};
    if (status == LITHE_OK)
        status = lithe_file_replace_begin(recording->context, path, &replace, error);
    if (status == LITHE_OK) {
        print(&table, recording, replace.file);
        status = lithe_file_replace_commit(&replace, error);
    }
    for (int32_t i = 0; i < table.set_count; i++)
        lithe_series_release(&table.sets[i]);
    lithe_free(recording->context, table.sets);
    return status;
}
