// SPDX-License-Identifier: Apache-2.0
// view/describe.c - the description of a scene for the page of the viewer, as JSON

#include "view/frame.h"
#include "view/message.h"
#include "view/scene.h"

#include "base/status.h"
#include "math/quat.h"
#include "record/shape_triangles.h"
#include "view/text.h"

#include <stdio.h>
#include <string.h>

// --- objects drawn through points ----------------------------------------------------------------

static void put_tube(const LitheRecording *recording, int32_t index, LitheBytes *text) {
    const LitheRecordingTube *tube = &recording->tubes[index];
    lithe_view_put(text, ",\"edges\":%d,\"closed\":%s,\"section\":", (int)tube->edge_count,
                   tube->closed ? "true" : "false");
    lithe_view_put_quoted(text, tube->section);
    lithe_view_put(text, ",\"size\":");
    lithe_view_put_numbers(text, tube->size, 2);
    lithe_view_put(text, ",\"radius\":");
    lithe_view_put_number(text, tube->radius);
}

static void put_surface(const LitheRecording *recording, int32_t index, LitheBytes *text) {
    const LitheRecordingSurface *surface = &recording->surfaces[index];
    lithe_view_put(text, ",\"triangles\":[");
    for (int64_t i = 0; i < 3 * (int64_t)surface->triangle_count; i++)
        lithe_view_put(text, "%s%d", i > 0 ? "," : "", (int)surface->triangles[i]);
    lithe_view_put(text, "]");
}

static void put_balls(const LitheRecording *recording, int32_t index, LitheBytes *text) {
    lithe_view_put(text, ",\"radius\":");
    lithe_view_put_numbers(text, recording->balls[index].radii, recording->balls[index].count);
}

// Lists of the description, in the order of a frame.
static const struct {
    LitheDrawn drawn;
    const char *list;
    void (*put)(const LitheRecording *recording, int32_t index, LitheBytes *text);
} kinds[] = {
    {LITHE_DRAWN_TUBE, "tubes", put_tube},
    {LITHE_DRAWN_SURFACE, "surfaces", put_surface},
    {LITHE_DRAWN_BALLS, "balls", put_balls},
    {LITHE_DRAWN_BODY, "bodies", NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// the name of its material, where the recording has one
static void put_material(const LitheRecording *recording, const char *folder, const char *name,
                         LitheBytes *text) {
    const LitheColumn *column = lithe_recording_column(recording, folder, name, "material");
    if (!column || !column->text)
        return;
    lithe_view_put(text, ",\"material\":");
    lithe_view_put_quoted(text, column->text);
}

static void put_points(const LitheViewPoints *points, LitheBytes *text) {
    lithe_view_put(text, "{\"name\":");
    lithe_view_put_quoted(text, points->of.name);
    lithe_view_put(text, ",\"kind\":");
    lithe_view_put_quoted(text, points->of.folder);
    lithe_view_put(text, ",\"points\":%d,\"fields\":[", (int)points->of.point_count);
    for (int32_t i = 0; i < points->field_count; i++)
        lithe_view_put(text, "%s%d", i > 0 ? "," : "", (int)points->fields[i].field);
    lithe_view_put(text, "]");
}

static void put_drawables(const LitheViewScene *scene, LitheBytes *text) {
    int32_t at = 0;
    for (int k = 0; k < KINDS && kinds[k].put; k++) {
        lithe_view_put(text, ",\"%s\":[", kinds[k].list);
        for (bool first = true;
             at < scene->point_sets && scene->points[at].of.drawn == kinds[k].drawn;
             at++, first = false) {
            if (!first)
                lithe_view_put(text, ",");
            put_points(&scene->points[at], text);
            put_material(scene->recording, scene->points[at].of.folder, scene->points[at].of.name,
                         text);
            kinds[k].put(scene->recording, scene->points[at].of.index, text);
            lithe_view_put(text, "}");
        }
        lithe_view_put(text, "]");
    }
}

// The objects that contacts refer to: the lines of contacts/things, each with its list and index in
// this description.
static void put_things(const LitheRecording *recording, LitheBytes *text) {
    const LitheColumn *names = lithe_layout_find(&recording->layout, "contacts/things");
    const char *line = names && names->text ? names->text : "";
    lithe_view_put(text, ",\"things\":[");
    for (int32_t i = 0; i < recording->thing_count; i++) {
        int length = (int)strcspn(line, "\n");
        char name[LITHE_VIEW_NAME_CAPACITY];
        snprintf(name, sizeof name, "%.*s", length, line);
        line += length + (line[length] == '\n');
        const char *list = "";
        for (int k = 0; k < KINDS; k++)
            if (kinds[k].drawn == recording->things[i].drawn)
                list = kinds[k].list;
        lithe_view_put(text, "%s{\"name\":", i > 0 ? "," : "");
        lithe_view_put_quoted(text, name);
        lithe_view_put(text, ",\"list\":\"%s\",\"index\":%d}", list,
                       (int)recording->things[i].index);
    }
    lithe_view_put(text, "]");
}

// --- bodies --------------------------------------------------------------------------------------

static LitheStatus put_shape(const LitheRecording *recording, int32_t body, int32_t s,
                             LitheBytes *text, LitheError *error) {
    LitheShapeColumns shape;
    LitheStatus status = lithe_shape_columns(recording, body, s, &shape, error);
    if (status != LITHE_OK)
        return status;
    lithe_view_put(text, "%s{\"kind\":", s > 0 ? "," : "");
    lithe_view_put_quoted(text, shape.kind);
    lithe_view_put(text, ",\"place\":");
    lithe_view_put_numbers(text, shape.place, 7);
    if (shape.visual)
        lithe_view_put(text, ",\"visual\":true");
    if (shape.colour) {
        lithe_view_put(text, ",\"colour\":");
        lithe_view_put_numbers(text, shape.colour, 3);
    }
    if (strcmp(shape.kind, "half-space") != 0) {
        const double size[3] = {2 * shape.half[0], 2 * shape.half[1], 2 * shape.half[2]};
        lithe_view_put(text, ",\"size\":");
        lithe_view_put_numbers(text, size, 3);
    }
    if (shape.points && shape.triangles) {
        lithe_view_put(text, ",\"points\":");
        lithe_view_put_numbers(text, shape.points->values, shape.points->count);
        lithe_view_put(text, ",\"triangles\":");
        lithe_view_put_numbers(text, shape.triangles->values, shape.triangles->count);
    }
    if (shape.outline) {
        lithe_view_put(text, ",\"outline\":");
        lithe_view_put_numbers(text, shape.outline, 2 * shape.outline_count);
    }
    lithe_view_put(text, "}");
    return LITHE_OK;
}

static LitheStatus put_bodies(const LitheViewScene *scene, LitheBytes *text, LitheError *error) {
    const LitheRecording *recording = scene->recording;
    LitheStatus status = LITHE_OK;
    lithe_view_put(text, ",\"bodies\":[");
    for (int32_t b = 0; status == LITHE_OK && b < recording->body_count; b++) {
        const LitheRecordingBody *body = &recording->bodies[b];
        const LitheColumn *pose = &recording->layout.columns[body->pose];
        lithe_view_put(text, "%s{\"name\":", b > 0 ? "," : "");
        lithe_view_put_quoted(text, body->name);
        lithe_view_put(text, ",\"moves\":%s", pose->offset >= 0 ? "true" : "false");
        if (pose->offset < 0) {
            lithe_view_put(text, ",\"pose\":");
            lithe_view_put_numbers(text, pose->values, 7);
        }
        put_material(recording, "bodies", body->name, text);
        lithe_view_put(text, ",\"shapes\":[");
        for (int32_t s = 0; status == LITHE_OK && s < body->shape_count; s++)
            status = put_shape(recording, b, s, text, error);
        lithe_view_put(text, "]}");
    }
    lithe_view_put(text, "]");
    return status;
}

// there is one per "drives/NAME/force"
static void put_drives(const LitheLayout *layout, LitheBytes *text) {
    bool first = true;
    lithe_view_put(text, ",\"drives\":[");
    for (int32_t i = 0; i < layout->column_count; i++) {
        const char *path = layout->columns[i].path, *last = strrchr(path, '/');
        char name[1400];
        size_t length = last && last > path + 7 ? (size_t)(last - path - 7) : 0;
        if (strncmp(path, "drives/", 7) != 0 || length == 0 || length >= sizeof name ||
            strcmp(last, "/force") != 0)
            continue;
        memcpy(name, path + 7, length);
        name[length] = '\0';
        if (!first)
            lithe_view_put(text, ",");
        lithe_view_put_quoted(text, name);
        first = false;
    }
    lithe_view_put(text, "]");
}

static const LitheColumn *of_joint(const LitheLayout *layout, const char *kind_path,
                                   const char *what) {
    char path[1400];
    int length = (int)(strlen(kind_path) - strlen("kind"));
    snprintf(path, sizeof path, "%.*s%s", length, kind_path, what);
    return lithe_layout_find(layout, path);
}

// A joint in the frame of the body that it moves; false where the recording lacks a part of it.
static bool put_joint(const LitheLayout *layout, const LitheColumn *kind, bool first,
                      LitheBytes *text) {
    const LitheColumn *body = of_joint(layout, kind->path, "body");
    const LitheColumn *place = of_joint(layout, kind->path, "place");
    char name[1400];
    int length = (int)(strlen(kind->path) - strlen("joints/") - strlen("/kind"));
    if (length < 1 || length >= (int)sizeof name || !body || !body->text || !place ||
        !place->values || place->count != 7)
        return false;
    bool ball = strcmp(kind->text, "ball") == 0, turns = strcmp(kind->text, "revolute") == 0;
    const double *p = place->values;
    double axis[3];
    v3_store(q4_rotate((Quat){p[3], p[4], p[5], p[6]}, v3(0, 0, 1)), axis);
    snprintf(name, sizeof name, "%.*s", length, kind->path + strlen("joints/"));
    lithe_view_put(text, "%s{\"name\":", first ? "" : ",");
    lithe_view_put_quoted(text, name);
    lithe_view_put(text, ",\"thing\":");
    lithe_view_put_quoted(text, body->text);
    lithe_view_put(text, ",\"within\":");
    lithe_view_put_numbers(text, p, 3);
    lithe_view_put(text, ",\"point\":%s", ball || turns ? "true" : "false");
    if (!ball) {
        lithe_view_put(text, ",\"axis\":");
        lithe_view_put_numbers(text, axis, 3);
    }
    lithe_view_put(text, "}");
    return true;
}

static void put_joints(const LitheLayout *layout, LitheBytes *text) {
    bool first = true;
    lithe_view_put(text, ",\"joints\":[");
    for (int32_t i = 0; i < layout->column_count; i++) {
        const LitheColumn *column = &layout->columns[i];
        const char *last = strrchr(column->path, '/');
        if (column->text && strncmp(column->path, "joints/", 7) == 0 && strcmp(last, "/kind") == 0)
            first = !put_joint(layout, column, first, text) && first;
    }
    lithe_view_put(text, "]");
}

static void put_quantities(const LitheViewScene *scene, LitheBytes *text) {
    lithe_view_put(text, ",\"fields\":[");
    for (int32_t i = 0; i < scene->field_count; i++) {
        lithe_view_put(text, "%s{\"name\":", i > 0 ? "," : "");
        lithe_view_put_quoted(text, scene->fields[i].name);
        lithe_view_put(text, ",\"unit\":");
        lithe_view_put_quoted(text, scene->fields[i].unit);
        lithe_view_put(text, "}");
    }
    lithe_view_put(text, "],\"series\":[");
    for (int32_t i = 0; i < scene->series_count; i++) {
        const LitheViewSeries *series = &scene->series[i];
        const LitheColumn *column = &scene->recording->layout.columns[series->column];
        bool pose = strcmp(column->axes, "time pose") == 0;
        lithe_view_put(text, "%s{\"name\":", i > 0 ? "," : "");
        lithe_view_put_quoted(text, series->name);
        lithe_view_put(text, ",\"unit\":");
        lithe_view_put_quoted(text, pose ? "m" : column->unit);
        lithe_view_put(text, "}");
    }
    lithe_view_put(text, "]");
}

// Which frames of the recording the description is for.
typedef struct Frames {
    const int64_t *numbers; // [count]; NULL: all from 0
    int64_t count;
} Frames;

static double time_of(const LitheViewScene *scene, const Frames *frames, int64_t k) {
    return scene->recording->times[frames->numbers ? frames->numbers[k] : k];
}

static void put_head(const LitheViewScene *scene, const char *mode, const Frames *frames,
                     LitheBytes *text) {
    const LitheRecording *recording = scene->recording;
    int64_t count = frames->count;
    lithe_view_put(text, "{\"format\":\"lithe-view\",\"version\":%d,\"mode\":\"%s\",\"title\":",
                   LITHE_VIEW_VERSION, mode);
    lithe_view_put_quoted(text, recording->layout.title);
    lithe_view_put(text, ",\"start\":");
    lithe_view_put_number(text, count > 0 ? time_of(scene, frames, 0) : 0);
    lithe_view_put(text, ",\"end\":");
    lithe_view_put_number(text,
                          count > 0 ? time_of(scene, frames, count - 1) : recording->layout.end);
    lithe_view_put(text, ",\"times\":[");
    for (int64_t k = 0; k < count; k++) {
        if (k > 0)
            lithe_view_put(text, ",");
        lithe_view_put_number(text, time_of(scene, frames, k));
    }
    lithe_view_put(text, "]");
    // an empty scene gets a box of finite size
    static const double none[2][3] = {{-1, -1, -1}, {1, 1, 1}};
    bool empty = !(scene->low[0] <= scene->high[0] && scene->low[1] <= scene->high[1] &&
                   scene->low[2] <= scene->high[2]);
    lithe_view_put(text, ",\"bounds\":{\"low\":");
    lithe_view_put_numbers(text, empty ? none[0] : scene->low, 3);
    lithe_view_put(text, ",\"high\":");
    lithe_view_put_numbers(text, empty ? none[1] : scene->high, 3);
    lithe_view_put(text, "}");
}

static LitheStatus describe(const LitheViewScene *scene, const char *mode, const Frames *frames,
                            const char *controls, LitheBytes *text, LitheError *error) {
    put_head(scene, mode, frames, text);
    // contacts of 16 words: with normals and areas
    if (scene->contact_words > LITHE_VIEW_CONTACT_WORDS)
        lithe_view_put(text, ",\"patches\":true");
    put_things(scene->recording, text);
    put_drawables(scene, text);
    LitheStatus status = put_bodies(scene, text, error);
    if (status != LITHE_OK)
        return status;
    lithe_view_put(text, ",\"constraints\":[");
    for (int32_t i = 0; i < scene->tie_count; i++) {
        lithe_view_put(text, "%s{\"name\":", i > 0 ? "," : "");
        lithe_view_put_quoted(text, scene->ties[i].name);
        lithe_view_put(text, "}");
    }
    lithe_view_put(text, "]");
    put_drives(&scene->recording->layout, text);
    put_joints(&scene->recording->layout, text);
    put_quantities(scene, text);
    lithe_view_put(text, ",\"controls\":");
    const char *none = "{\"keys\":[],\"axes\":[]}";
    lithe_bytes_put(text, controls ? controls : none, (int64_t)strlen(controls ? controls : none));
    lithe_view_put(text, "}");
    return text->failed ? lithe_fail_memory(error, "the description of a scene") : LITHE_OK;
}

LitheStatus lithe_view_scene_describe(const LitheViewScene *scene, const char *mode,
                                      const char *controls, LitheBytes *text, LitheError *error) {
    bool live = strcmp(mode, "live") == 0;
    const Frames all = {.count = live ? 0 : scene->recording->frame_count};
    return describe(scene, mode, &all, controls, text, error);
}

LitheStatus lithe_view_describe_frames(const LitheViewScene *scene, const int64_t *frames,
                                       int64_t count, LitheBytes *text, LitheError *error) {
    const Frames some = {frames, count};
    return describe(scene, "file", &some, NULL, text, error);
}
