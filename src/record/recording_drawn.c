// SPDX-License-Identifier: Apache-2.0
// record/recording_drawn.c - tubes, surfaces, balls and bodies of a recording: one row per folder
//
// The columns may come from a damaged or hostile file: whatever a reader relies on is checked here,
// once.

#include "record/recording_drawn.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LitheStatus lithe_recording_fail_damaged(const LitheRecording *recording, const char *where,
                                         LitheError *error) {
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: cannot read '%s'", recording->path,
                      where);
}

const LitheColumn *lithe_recording_column(const LitheRecording *recording, const char *folder,
                                          const char *name, const char *what) {
    char path[LITHE_RECORDING_NAME_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s/%s", folder, name, what);
    return lithe_layout_find(&recording->layout, path);
}

const LitheColumn *lithe_recording_tube_column(const LitheRecording *recording, int32_t tube,
                                               const char *what) {
    const LitheRecordingTube *of = &recording->tubes[tube];
    return lithe_recording_column(recording, of->folder, of->name, what);
}

const LitheColumn *lithe_recording_shape(const LitheRecording *recording, int32_t body,
                                         int32_t shape, const char *what) {
    char path[LITHE_RECORDING_NAME_BYTES + 64];
    snprintf(path, sizeof path, "bodies/%s/shapes/%d/%s", recording->bodies[body].name, shape,
             what);
    const LitheColumn *column = lithe_layout_find(&recording->layout, path);
    return column && column->offset < 0 ? column : NULL;
}

bool lithe_recording_visual(const LitheRecording *recording, int32_t body, int32_t shape) {
    const LitheColumn *column = lithe_recording_shape(recording, body, shape, "visual");
    return column && column->values && column->count == 1 && column->values[0] != 0;
}

// --- one of each ---------------------------------------------------------------------------------

/// One drawable while it is added; the function that adds it takes ownership of `name` by setting
/// it to NULL.
typedef struct Found {
    const char *folder;
    char *name;
    int32_t column; // the column that it was found by
} Found;

// Whether a column has points in space per frame, at least `min` of them.
static bool are_points(const LitheColumn *column, int64_t min) {
    return column->offset >= 0 && column->kind == LITHE_COLUMN_REAL && column->rank == 2 &&
           column->dims[1] == 3 && column->dims[0] >= min && column->dims[0] <= INT32_MAX;
}

static LitheStatus fail_missing(const LitheRecording *recording, const Found *found,
                                const char *what, LitheError *error) {
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: '%s/%s' has no usable '%s'",
                      recording->path, found->folder, found->name, what);
}

static double constant(const LitheColumn *column, int32_t index, double otherwise) {
    return column && column->values && index < column->count ? column->values[index] : otherwise;
}

static LitheStatus add_tube(LitheRecording *recording, Found *found, LitheError *error) {
    const LitheColumn *position = &recording->layout.columns[found->column];
    if (!are_points(position, 2))
        return lithe_recording_fail_damaged(recording, position->path, error);
    if (!LITHE_RESERVE(recording->context, recording->tubes, recording->tube_capacity,
                       recording->tube_count + 1))
        return lithe_fail_memory(error, "a recording");
    int32_t i = recording->tube_count++;
    LitheRecordingTube *tube = &recording->tubes[i];
    *tube = (LitheRecordingTube){
        .folder = found->folder, .name = found->name, .node_count = (int32_t)position->dims[0]};
    found->name = NULL;
    const LitheColumn *size = lithe_recording_tube_column(recording, i, "size");
    const LitheColumn *section = lithe_recording_tube_column(recording, i, "section");
    tube->closed = constant(lithe_recording_tube_column(recording, i, "closed"), 0, 0) != 0;
    tube->edge_count = tube->node_count - !tube->closed;
    tube->radius = constant(lithe_recording_tube_column(recording, i, "radius"), 0, 0);
    tube->size[0] = constant(size, 0, 2 * tube->radius);
    tube->size[1] = constant(size, 1, 2 * tube->radius);
    tube->section = section && section->text ? section->text : "circle";
    return LITHE_OK;
}

// Converts corners to indices of points; false when one is not valid.
static bool copy_triangles(const LitheColumn *column, int32_t points, int32_t *triangles) {
    for (int64_t i = 0; i < column->count; i++) {
        double corner = column->values[i];
        if (!(corner >= 0 && corner < points && corner == floor(corner)))
            return false;
        triangles[i] = (int32_t)corner;
    }
    return true;
}

static LitheStatus add_surface(LitheRecording *recording, Found *found, LitheError *error) {
    const LitheColumn *position = &recording->layout.columns[found->column];
    const LitheColumn *column =
        lithe_recording_column(recording, found->folder, found->name, "triangles");
    if (!are_points(position, 3))
        return lithe_recording_fail_damaged(recording, position->path, error);
    if (!column || !column->values || column->rank != 2 || column->dims[1] != 3 ||
        column->dims[0] > INT32_MAX / 3)
        return fail_missing(recording, found, "triangles", error);
    int32_t points = (int32_t)position->dims[0];
    int32_t *triangles = lithe_alloc_array(recording->context, column->count, sizeof *triangles);
    if (!triangles || !LITHE_RESERVE(recording->context, recording->surfaces,
                                     recording->surface_capacity, recording->surface_count + 1)) {
        lithe_free(recording->context, triangles);
        return lithe_fail_memory(error, "a recording");
    }
    if (!copy_triangles(column, points, triangles)) {
        lithe_free(recording->context, triangles);
        return fail_missing(recording, found, "triangles", error);
    }
    // a solid with a fine surface is drawn by that one
    char fine[LITHE_RECORDING_NAME_BYTES + 64];
    snprintf(fine, sizeof fine, "surfaces/%s-fine/position", found->name);
    bool hidden =
        strcmp(found->folder, "solids") == 0 && lithe_layout_find(&recording->layout, fine);
    recording->surfaces[recording->surface_count++] =
        (LitheRecordingSurface){.folder = found->folder,
                                .name = found->name,
                                .point_count = points,
                                .triangle_count = hidden ? 0 : (int32_t)column->dims[0],
                                .triangles = triangles};
    found->name = NULL;
    return LITHE_OK;
}

static LitheStatus add_balls(LitheRecording *recording, Found *found, LitheError *error) {
    const LitheColumn *position = &recording->layout.columns[found->column];
    const LitheColumn *radius =
        lithe_recording_column(recording, found->folder, found->name, "radius");
    if (!are_points(position, 1))
        return lithe_recording_fail_damaged(recording, position->path, error);
    bool fits = radius && radius->values && radius->rank == 1 && radius->count == position->dims[0];
    for (int64_t i = 0; fits && i < radius->count; i++)
        fits = radius->values[i] > 0 && isfinite(radius->values[i]);
    if (!fits)
        return fail_missing(recording, found, "radius", error);
    if (!LITHE_RESERVE(recording->context, recording->balls, recording->balls_capacity,
                       recording->balls_count + 1))
        return lithe_fail_memory(error, "a recording");
    recording->balls[recording->balls_count++] =
        (LitheRecordingBalls){.folder = found->folder,
                              .name = found->name,
                              .count = (int32_t)position->dims[0],
                              .radii = radius->values};
    found->name = NULL;
    return LITHE_OK;
}

static LitheStatus add_body(LitheRecording *recording, Found *found, LitheError *error) {
    const LitheColumn *pose = &recording->layout.columns[found->column];
    if (pose->kind != LITHE_COLUMN_REAL || pose->rank != 1 || pose->dims[0] != 7)
        return lithe_recording_fail_damaged(recording, pose->path, error);
    if (!LITHE_RESERVE(recording->context, recording->bodies, recording->body_capacity,
                       recording->body_count + 1))
        return lithe_fail_memory(error, "a recording");
    int32_t i = recording->body_count++;
    recording->bodies[i] = (LitheRecordingBody){.name = found->name, .pose = found->column};
    found->name = NULL;
    LitheRecordingBody *body = &recording->bodies[i];
    while (lithe_recording_shape(recording, i, body->shape_count, "kind"))
        body->visual_count += lithe_recording_visual(recording, i, body->shape_count++);
    return LITHE_OK;
}

// --- all objects ---------------------------------------------------------------------------------

/// One row per folder that is drawn.
static const struct {
    const char *folder;
    const char *what; // the column that every one of them has: FOLDER/NAME/WHAT
    LitheStatus (*add)(LitheRecording *recording, Found *found, LitheError *error);
} rows[] = {
    {"rods", "position", add_tube},        {"tendons", "position", add_tube},
    {"shells", "position", add_surface},   {"solids", "position", add_surface},
    {"surfaces", "position", add_surface}, {"particles", "position", add_balls},
    {"bodies", "pose", add_body},
};

// Bytes of NAME in a path FOLDER/NAME/WHAT; 0: the path has another form.
static size_t name_length(const char *path, const char *folder, const char *what) {
    size_t before = strlen(folder) + 1, after = strlen(what) + 1, all = strlen(path);
    bool fits = all > before + after && strncmp(path, folder, before - 1) == 0 &&
                path[before - 1] == '/' && path[all - after] == '/' &&
                strcmp(path + all - after + 1, what) == 0;
    return fits ? all - before - after : 0;
}

static LitheStatus add_drawable(LitheRecording *recording, size_t row, int32_t column,
                                size_t length, LitheError *error) {
    const char *path = recording->layout.columns[column].path;
    if (length >= LITHE_RECORDING_NAME_BYTES)
        return lithe_recording_fail_damaged(recording, path, error);
    Found found = {.folder = rows[row].folder, .column = column};
    found.name = lithe_alloc(recording->context, length + 1);
    if (!found.name)
        return lithe_fail_memory(error, "a recording");
    memcpy(found.name, path + strlen(found.folder) + 1, length);
    LitheStatus status = rows[row].add(recording, &found, error);
    lithe_free(recording->context, found.name);
    return status;
}

// --- contacts ------------------------------------------------------------------------------------

typedef struct Named {
    const char *name;
    LitheRecordingThing thing;
    bool taken;
} Named;

static int named_order(const void *a, const void *b) {
    const Named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (int)x->thing.drawn - (int)y->thing.drawn;
}

static int32_t list_named(const LitheRecording *recording, Named *all) {
    int32_t n = 0;
    for (int32_t i = 0; i < recording->tube_count; i++)
        all[n++] = (Named){recording->tubes[i].name, {LITHE_DRAWN_TUBE, i}, false};
    for (int32_t i = 0; i < recording->surface_count; i++)
        all[n++] = (Named){recording->surfaces[i].name, {LITHE_DRAWN_SURFACE, i}, false};
    for (int32_t i = 0; i < recording->balls_count; i++)
        all[n++] = (Named){recording->balls[i].name, {LITHE_DRAWN_BALLS, i}, false};
    for (int32_t i = 0; i < recording->body_count; i++)
        all[n++] = (Named){recording->bodies[i].name, {LITHE_DRAWN_BODY, i}, false};
    return n;
}

// The first with this name that no line has used yet: names differ, unless another program wrote
// the file.
static LitheRecordingThing take_named(Named *all, int32_t count, const char *line, size_t length) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strncmp(all[middle].name, line, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    // longer names follow the whole name
    for (; low < count && strncmp(all[low].name, line, length) == 0 && !all[low].name[length];
         low++)
        if (!all[low].taken) {
            all[low].taken = true;
            return all[low].thing;
        }
    return (LitheRecordingThing){LITHE_DRAWN_NONE, -1};
}

static LitheStatus find_things(LitheRecording *recording, LitheError *error) {
    const LitheColumn *lines = lithe_layout_find(&recording->layout, "contacts/things");
    if (!lines || !lines->text)
        return LITHE_OK;
    int64_t drawn = (int64_t)recording->tube_count + recording->surface_count +
                    recording->balls_count + recording->body_count;
    int32_t count = 1;
    for (const char *c = lines->text; *c; c++)
        count += *c == '\n';
    Named *all = lithe_alloc_array(recording->context, drawn, sizeof *all);
    recording->things = lithe_alloc_array(recording->context, count, sizeof *recording->things);
    if (!all || !recording->things) {
        lithe_free(recording->context, all);
        return lithe_fail_memory(error, "a recording");
    }
    int32_t named = list_named(recording, all);
    qsort(all, (size_t)named, sizeof *all, named_order);
    const char *line = lines->text;
    for (recording->thing_count = 0; recording->thing_count < count; recording->thing_count++) {
        size_t length = strcspn(line, "\n");
        recording->things[recording->thing_count] = take_named(all, named, line, length);
        line += length + (line[length] == '\n');
    }
    lithe_free(recording->context, all);
    return LITHE_OK;
}

LitheRecordingThing lithe_recording_thing(const LitheRecording *recording, double number) {
    if (!(number >= 0 && number < recording->thing_count))
        return (LitheRecordingThing){LITHE_DRAWN_NONE, -1};
    return recording->things[(int32_t)number];
}

LitheStatus lithe_recording_find_drawn(LitheRecording *recording, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (int32_t i = 0; status == LITHE_OK && i < recording->layout.column_count; i++) {
            size_t length =
                name_length(recording->layout.columns[i].path, rows[row].folder, rows[row].what);
            if (length > 0)
                status = add_drawable(recording, row, i, length, error);
        }
    return status == LITHE_OK ? find_things(recording, error) : status;
}

void lithe_recording_release_drawn(LitheRecording *recording) {
    LitheContext *context = recording->context;
    for (int32_t i = 0; i < recording->tube_count; i++)
        lithe_free(context, recording->tubes[i].name);
    for (int32_t i = 0; i < recording->surface_count; i++) {
        lithe_free(context, recording->surfaces[i].name);
        lithe_free(context, recording->surfaces[i].triangles);
    }
    for (int32_t i = 0; i < recording->balls_count; i++)
        lithe_free(context, recording->balls[i].name);
    for (int32_t i = 0; i < recording->body_count; i++)
        lithe_free(context, recording->bodies[i].name);
    lithe_free(context, recording->tubes);
    lithe_free(context, recording->surfaces);
    lithe_free(context, recording->balls);
    lithe_free(context, recording->bodies);
    lithe_free(context, recording->things);
}
