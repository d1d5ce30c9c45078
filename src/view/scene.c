// SPDX-License-Identifier: Apache-2.0
// view/scene.c - maps the columns of a recording to the parts of a frame

#include "view/scene.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/quat.h"
#include "record/contact_read.h"
#include "record/series.h"
#include "record/shape_triangles.h"
#include "view/frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 1400 };
// max curves of one kind
enum { MAX_PER_KIND = 64 };

// --- columns -------------------------------------------------------------------------------------

// Index of a column with `count` values per frame; -1 if there is none.
static int32_t find(const LitheViewScene *scene, const char *path, int64_t count) {
    const LitheLayout *layout = &scene->recording->layout;
    const LitheColumn *column = lithe_layout_find(layout, path);
    bool fits = column && column->offset >= 0 && column->kind != LITHE_COLUMN_TEXT &&
                column->count == count;
    return fits ? (int32_t)(column - layout->columns) : -1;
}

static int32_t find_of(const LitheViewScene *scene, const char *folder, const char *name,
                       const char *what, int64_t count) {
    char path[PATH_CAPACITY];
    snprintf(path, sizeof path, "%s/%s/%s", folder, name, what);
    return find(scene, path, count);
}

const double *lithe_view_values(const LitheViewScene *scene, const double *numbers,
                                int32_t column) {
    return column < 0 ? NULL : numbers + scene->at[column];
}

// Sets where each required column is in a frame: live as in the layout, else one after the other.
static void place(LitheViewScene *scene, bool live) {
    const LitheLayout *layout = &scene->recording->layout;
    for (int32_t i = 0; i < layout->column_count; i++) {
        const LitheColumn *column = &layout->columns[i];
        if (scene->at[i] < 0)
            continue;
        scene->at[i] = live ? column->offset : scene->number_count;
        scene->number_count += column->count;
    }
    if (live)
        scene->number_count = layout->frame_size;
}

static int32_t use(LitheViewScene *scene, int32_t column) {
    if (column >= 0)
        scene->at[column] = 0;
    return column;
}

// --- objects drawn through points ----------------------------------------------------------------

// Index of the field with that name, which is added if missing; -1 when out of memory.
static int32_t field_of(LitheViewScene *scene, const char *name, const char *unit) {
    for (int32_t i = 0; i < scene->field_count; i++)
        if (strcmp(scene->fields[i].name, name) == 0)
            return i;
    if (!LITHE_RESERVE(scene->context, scene->fields, scene->field_capacity,
                       scene->field_count + 1))
        return -1;
    char *copy = lithe_alloc_text(scene->context, name);
    if (!copy)
        return -1;
    scene->fields[scene->field_count] = (LitheViewField){copy, unit};
    return scene->field_count++;
}

static bool add_field(LitheViewScene *scene, LitheViewPoints *points, const char *name,
                      const char *unit, LitheViewValue value, int32_t column) {
    int32_t field = field_of(scene, name, unit);
    if (field < 0 || !LITHE_RESERVE(scene->context, points->fields, points->field_capacity,
                                    points->field_count + 1))
        return false;
    points->fields[points->field_count++] = (LitheViewOwnField){field, value, use(scene, column)};
    scene->word_count += points->of.point_count;
    return true;
}

// The fields of every tube; `edge` and `node`: how many values its column has per edge and node.
static const struct {
    const char *name, *unit;
    LitheViewValue value;
    int32_t edge, node;
} tube_fields[] = {
    {"tension", "N", LITHE_VIEW_EDGES, 1, 0},
    {"curvature", "1/m", LITHE_VIEW_LENGTH2, 0, 2},
    {"twist", "rad/m", LITHE_VIEW_TWIST, 0, 0},
    {"speed", "m/s", LITHE_VIEW_SPEED, 0, 1},
    // the following only where they are recorded
    {"moment", "N m", LITHE_VIEW_LENGTH2, 0, 2},
    {"torque", "N m", LITHE_VIEW_POINTS, 0, 1},
};
enum { TUBE_FIELDS_ALWAYS = 4 };

static bool add_tube_fields(LitheViewScene *scene, LitheViewPoints *points) {
    const LitheDrawable *of = &points->of;
    bool fine = true;
    for (size_t i = 0; fine && i < sizeof tube_fields / sizeof *tube_fields; i++) {
        int64_t values = (int64_t)tube_fields[i].edge * of->edge_count +
                         (int64_t)tube_fields[i].node * of->point_count;
        int32_t column =
            values > 0 ? find_of(scene, of->folder, of->name, tube_fields[i].name, values) : -1;
        if (i >= TUBE_FIELDS_ALWAYS && column < 0)
            continue;
        fine = add_field(scene, points, tube_fields[i].name, tube_fields[i].unit,
                         tube_fields[i].value, column);
    }
    return fine;
}

// All other quantities that are recorded as one number per point.
static bool add_recorded(LitheViewScene *scene, LitheViewPoints *points) {
    const LitheLayout *layout = &scene->recording->layout;
    char path[PATH_CAPACITY];
    int length = snprintf(path, sizeof path, "%s/%s/", points->of.folder, points->of.name);
    bool fine = length > 0 && length < PATH_CAPACITY;
    for (int32_t i = 0; fine && i < layout->column_count; i++) {
        const LitheColumn *column = &layout->columns[i];
        const char *name = column->path + length;
        if (strncmp(column->path, path, (size_t)length) == 0 && !strchr(name, '/') &&
            strcmp(name, "speed") != 0 && column->rank == 1 &&
            lithe_drawable_width(scene->recording, &points->of, name) == 1)
            fine = add_field(scene, points, name, column->unit, LITHE_VIEW_POINTS, i);
    }
    return fine;
}

// The speed of other things than tubes, from the velocity if that is recorded.
static bool add_speed(LitheViewScene *scene, LitheViewPoints *points) {
    const LitheDrawable *of = &points->of;
    int32_t speed = find_of(scene, of->folder, of->name, "speed", of->point_count);
    int32_t velocity =
        speed < 0 ? find_of(scene, of->folder, of->name, "velocity", 3 * (int64_t)of->point_count)
                  : -1;
    return velocity >= 0 ? add_field(scene, points, "speed", "m/s", LITHE_VIEW_LENGTH3, velocity)
                         : add_field(scene, points, "speed", "m/s", LITHE_VIEW_SPEED, speed);
}

// Surfaces deform: how far from the start is of interest. It needs their first positions.
static bool add_displacement(LitheViewScene *scene, LitheViewPoints *points) {
    if (points->of.drawn != LITHE_DRAWN_SURFACE)
        return true;
    points->first =
        lithe_alloc_array(scene->context, 3 * (int64_t)points->of.point_count, sizeof(double));
    return points->first &&
           add_field(scene, points, "displacement", "m", LITHE_VIEW_DISPLACEMENT, -1);
}

static bool add_pressure(LitheViewScene *scene, LitheViewPoints *points) {
    if (scene->recording->layout.contact_column_count == 0)
        return true;
    points->pressure_at = scene->word_count;
    return add_field(scene, points, "contact pressure", "Pa", LITHE_VIEW_PRESSURE, -1);
}

// From the numbers in contacts to the points of a thing.
static bool map_things(LitheViewScene *scene) {
    const LitheRecording *recording = scene->recording;
    scene->thing_points =
        lithe_alloc_array(scene->context, recording->thing_count, sizeof *scene->thing_points);
    if (!scene->thing_points)
        return false;
    // drawables come in the order of their kinds, each with all of its indices
    int32_t first[LITHE_DRAWN_BODY + 1];
    for (int k = 0; k <= LITHE_DRAWN_BODY; k++)
        first[k] = -1;
    for (int32_t i = scene->point_sets - 1; i >= 0; i--)
        if (scene->points[i].pressure_at >= 0)
            first[scene->points[i].of.drawn] = i;
    for (int32_t t = 0; t < recording->thing_count; t++) {
        const LitheRecordingThing *thing = &recording->things[t];
        scene->thing_points[t] = first[thing->drawn] < 0 ? -1 : first[thing->drawn] + thing->index;
    }
    return true;
}

static bool add_points(LitheViewScene *scene) {
    bool fine = true;
    for (int32_t i = 0; fine && i < scene->point_sets; i++) {
        LitheViewPoints *points = &scene->points[i];
        const LitheDrawable of = lithe_drawable(scene->recording, i);
        int64_t count = of.point_count, edges = of.edge_count;
        *points = (LitheViewPoints){
            .of = of,
            .position = use(scene, find_of(scene, of.folder, of.name, "position", 3 * count)),
            .director = -1,
            .words_at = scene->word_count,
            .pressure_at = -1};
        if (edges > 0)
            points->director =
                use(scene, find_of(scene, of.folder, of.name, "director", 3 * edges));
        scene->word_count += 3 * count + 3 * edges;
        if (of.drawn == LITHE_DRAWN_TUBE)
            fine = add_tube_fields(scene, points);
        else
            fine = add_speed(scene, points) && add_displacement(scene, points) &&
                   add_recorded(scene, points);
        fine = fine && add_pressure(scene, points);
    }
    return fine && map_things(scene);
}

// --- bodies and constraints ----------------------------------------------------------------------

static void add_bodies(LitheViewScene *scene) {
    const LitheRecording *recording = scene->recording;
    for (int32_t b = 0; b < recording->body_count; b++)
        if (recording->layout.columns[recording->bodies[b].pose].offset >= 0) {
            use(scene, recording->bodies[b].pose);
            scene->word_count += 7;
        }
}

// what has an arrow: one per "FOLDER/NAME/FORCE", at its point
static const struct {
    const char *folder, *force, *point;
} pulling[] = {{"constraints", "force", "position"},
               {"holds", "force", "point"},
               {"drives", "force-vector", "point"},
               {"joints", "force", "point"}};
enum { PULLING = sizeof pulling / sizeof *pulling };

static bool add_ties_of(LitheViewScene *scene, int kind) {
    const LitheLayout *layout = &scene->recording->layout;
    const char *folder = pulling[kind].folder;
    size_t length = strlen(folder);
    for (int32_t i = 0; i < layout->column_count; i++) {
        const char *path = layout->columns[i].path, *last = strrchr(path, '/');
        if (strncmp(path, folder, length) != 0 || path[length] != '/' ||
            strcmp(last + 1, pulling[kind].force) != 0 || last <= path + length + 1 ||
            layout->columns[i].offset < 0)
            continue;
        // older recordings do not tell the points of drives
        char point[PATH_CAPACITY];
        snprintf(point, sizeof point, "%.*s/%s", (int)(last - path), path, pulling[kind].point);
        if (!lithe_layout_find(layout, point))
            continue;
        if (!LITHE_RESERVE(scene->context, scene->ties, scene->tie_capacity, scene->tie_count + 1))
            return false;
        LitheViewTie *tie = &scene->ties[scene->tie_count];
        tie->name = lithe_alloc_text(scene->context, path + length + 1);
        if (!tie->name)
            return false;
        tie->name[last - path - length - 1] = '\0';
        scene->tie_count++;
        tie->active = use(scene, find_of(scene, folder, tie->name, "active", 1));
        tie->position = use(scene, find_of(scene, folder, tie->name, pulling[kind].point, 3));
        tie->force = use(scene, find_of(scene, folder, tie->name, pulling[kind].force, 3));
        scene->word_count += 7;
    }
    return true;
}

static bool add_ties(LitheViewScene *scene) {
    bool fine = true;
    for (int kind = 0; fine && kind < PULLING; kind++)
        fine = add_ties_of(scene, kind);
    return fine;
}

// --- curves --------------------------------------------------------------------------------------

static bool add_series(LitheViewScene *scene, int32_t column, LitheViewTake take, int64_t index,
                       const char *name) {
    if (column < 0)
        return true;
    if (!LITHE_RESERVE(scene->context, scene->series, scene->series_capacity,
                       scene->series_count + 1))
        return false;
    char *copy = lithe_alloc_text(scene->context, name);
    if (!copy)
        return false;
    scene->series[scene->series_count++] = (LitheViewSeries){copy, use(scene, column), take, index};
    scene->word_count++;
    return true;
}

static bool add_series_of_tubes(LitheViewScene *scene) {
    char name[PATH_CAPACITY];
    bool fine = true;
    for (int32_t i = 0; fine && i < scene->point_sets && i < MAX_PER_KIND; i++) {
        const LitheViewPoints *points = &scene->points[i];
        if (points->of.drawn != LITHE_DRAWN_TUBE)
            break;
        int32_t column = points->fields[0].column; // tension
        snprintf(name, sizeof name, "%s.tension.max", points->of.name);
        fine = add_series(scene, column, LITHE_VIEW_MAX, 0, name);
        snprintf(name, sizeof name, "%s.tension.mean", points->of.name);
        fine = fine && add_series(scene, column, LITHE_VIEW_MEAN, 0, name);
    }
    return fine;
}

// One folder: drives, joints, actuators, bodies, constraints, holds, energy, contacts, report. Adds
// single numbers, all numbers of a joint, and the length of vectors.
static bool add_series_of(LitheViewScene *scene, const char *folder) {
    const LitheLayout *layout = &scene->recording->layout;
    size_t length = strlen(folder);
    int32_t begun = scene->series_count;
    for (int32_t i = 0; i < layout->column_count; i++) {
        const LitheColumn *column = &layout->columns[i];
        if (strncmp(column->path, folder, length) != 0 || column->path[length] != '/' ||
            column->offset < 0 || strcmp(column->path, "contacts/first") == 0 || column->rank > 1 ||
            column->count > 7)
            continue;
        if (scene->series_count - begun >= 2 * MAX_PER_KIND)
            return true;
        char name[PATH_CAPACITY];
        lithe_series_name(column->path, name, sizeof name);
        bool vector = strcmp(column->axes, "time xyz") == 0;
        bool pose = strcmp(column->axes, "time pose") == 0;
        if (vector && (strstr(name, ".position") || strstr(name, ".point")))
            continue;
        if (vector || column->count == 1) {
            if (!add_series(scene, i, vector ? LITHE_VIEW_LENGTH : LITHE_VIEW_AT, 0, name))
                return false;
            continue;
        }
        size_t end = strlen(name);
        for (int64_t k = 0; k < (pose ? 3 : column->count); k++) {
            if (pose)
                snprintf(name + end - strlen("pose"), 16, "position.%c", (char)('x' + k));
            else
                snprintf(name + end, sizeof name - end, "[%d]", (int)k);
            if (!add_series(scene, i, LITHE_VIEW_AT, k, name))
                return false;
        }
    }
    return true;
}

static bool add_all_series(LitheViewScene *scene) {
    static const char *const folders[] = {"drives", "joints", "actuators", "bodies", "constraints",
                                          "holds",  "energy", "contacts",  "report"};
    bool fine = add_series_of_tubes(scene);
    for (size_t i = 0; fine && i < sizeof folders / sizeof *folders; i++)
        fine = add_series_of(scene, folders[i]);
    return fine;
}

// --- all of it -----------------------------------------------------------------------------------

LitheStatus lithe_view_scene_create(const LitheRecording *recording, bool live,
                                    LitheViewScene **scene, LitheError *error) {
    LitheContext *context = recording->context;
    LitheViewScene *made = lithe_alloc(context, sizeof *made);
    if (!made)
        return lithe_fail_memory(error, "a view of a scene");
    *made = (LitheViewScene){.context = context,
                             .recording = recording,
                             .contact_words = lithe_recording_has_patches(recording)
                                                  ? LITHE_VIEW_PATCH_WORDS
                                                  : LITHE_VIEW_CONTACT_WORDS};
    int32_t columns = recording->layout.column_count;
    made->at = lithe_alloc_array(context, columns, sizeof *made->at);
    made->point_sets = lithe_drawable_count(recording);
    made->points = lithe_alloc_array(context, made->point_sets, sizeof *made->points);
    bool fine = made->at && made->points;
    for (int32_t i = 0; fine && i < columns; i++)
        made->at[i] = -1;
    for (int k = 0; k < 3; k++) {
        made->low[k] = INFINITY;
        made->high[k] = -INFINITY;
    }
    if (fine) {
        fine = add_points(made);
        add_bodies(made);
        fine = fine && add_ties(made) && add_all_series(made);
    }
    if (!fine) {
        lithe_view_scene_destroy(made);
        return lithe_fail_memory(error, "a view of a scene");
    }
    place(made, live);
    *scene = made;
    return LITHE_OK;
}

void lithe_view_scene_destroy(LitheViewScene *scene) {
    if (!scene)
        return;
    LitheContext *context = scene->context;
    for (int32_t i = 0; i < scene->tie_count; i++)
        lithe_free(context, scene->ties[i].name);
    for (int32_t i = 0; i < scene->series_count; i++)
        lithe_free(context, scene->series[i].name);
    lithe_free(context, scene->ties);
    lithe_free(context, scene->series);
    for (int32_t i = 0; scene->points && i < scene->point_sets; i++) {
        lithe_free(context, scene->points[i].fields);
        lithe_free(context, scene->points[i].first);
    }
    for (int32_t i = 0; i < scene->field_count; i++)
        lithe_free(context, scene->fields[i].name);
    lithe_free(context, scene->points);
    lithe_free(context, scene->thing_points);
    lithe_free(context, scene->fields);
    lithe_free(context, scene->at);
    lithe_free(context, scene);
}

// --- bounds --------------------------------------------------------------------------------------

static void widen(LitheViewScene *scene, const double *at, double by) {
    for (int k = 0; k < 3; k++)
        if (isfinite(at[k])) {
            scene->low[k] = fmin(scene->low[k], at[k] - by);
            scene->high[k] = fmax(scene->high[k], at[k] + by);
        }
}

static void widen_by_body(LitheViewScene *scene, int32_t b, const double *pose) {
    for (int32_t s = 0; s < scene->recording->bodies[b].shape_count; s++) {
        LitheShapeColumns shape;
        LitheError error;
        if (lithe_shape_columns(scene->recording, b, s, &shape, &error) != LITHE_OK ||
            strcmp(shape.kind, "half-space") == 0)
            continue;
        // a bounding ball is sufficient
        Quat q = {pose[3], pose[4], pose[5], pose[6]};
        Vec3 middle = v3_add(v3_load(pose), q4_rotate(q, v3_load(shape.place)));
        double at[3];
        v3_store(middle, at);
        widen(scene, at, v3_norm(v3_load(shape.half)));
    }
}

void lithe_view_bounds(LitheViewScene *scene, const double *numbers) {
    const LitheRecording *recording = scene->recording;
    bool first = scene->low[0] > scene->high[0];
    for (int32_t i = 0; i < scene->point_sets; i++) {
        const LitheDrawable *of = &scene->points[i].of;
        const double *x = lithe_view_values(scene, numbers, scene->points[i].position);
        if (first && x && scene->points[i].first)
            memcpy(scene->points[i].first, x, 3 * (size_t)of->point_count * sizeof(double));
        for (int32_t k = 0; x && k < of->point_count; k++)
            widen(scene, x + 3 * k, lithe_drawable_radius(recording, of, k));
    }
    for (int32_t b = 0; b < recording->body_count; b++) {
        int32_t column = recording->bodies[b].pose;
        bool moves = scene->at[column] >= 0;
        if (moves)
            widen_by_body(scene, b, lithe_view_values(scene, numbers, column));
        else if (first && recording->layout.columns[column].values)
            widen_by_body(scene, b, recording->layout.columns[column].values);
    }
}
