// SPDX-License-Identifier: Apache-2.0
// cli/export_scene.c - lithe export SCENE: a picture of the start, with holds, drives, constraints,
// joints, axes of bodies, and what overlaps

#include "cli/cli.h"
#include "cli/scene_extra.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/quat.h"
#include "record/frame.h"
#include "record/recording_frames.h"

#include <string.h>

// --- marks ---------------------------------------------------------------------------------------

// the colours of the viewer
static const struct {
    const char *one, *many, *colour, *pale; // words of the legend; on a dark background
    LitheColour light, dark;
} kinds[] = {
    [LITHE_CLI_HOLD] =
        {"held node", "held nodes", "black", "white", {0.17, 0.18, 0.21}, {0.91, 0.90, 0.88}},
    [LITHE_CLI_DRIVE] =
        {"driven node", "driven nodes", "green", "green", {0.06, 0.54, 0.45}, {0.31, 0.84, 0.72}},
    [LITHE_CLI_CONSTRAINT] =
        {"constraint", "constraints", "blue", "blue", {0.16, 0.25, 0.72}, {0.55, 0.66, 1}},
    [LITHE_CLI_OVERLAP] =
        {"overlap", "overlaps", "red", "red", {0.80, 0.10, 0.14}, {1, 0.42, 0.38}},
};

static bool add(LitheCliPoints *points, LithePictureMark mark) {
    if (!LITHE_RESERVE(points->context, points->list, points->capacity, points->count + 1))
        return false;
    points->list[points->count++] = mark;
    return true;
}

bool lithe_cli_points_add(LitheCliPoints *points, LitheCliMark kind, LitheVec3 at) {
    points->kinds[kind]++;
    return add(points,
               (LithePictureMark){.at = at,
                                  .colour = points->dark ? kinds[kind].dark : kinds[kind].light});
}

bool lithe_cli_points_add_joint(LitheCliPoints *points, LitheVec3 at, LitheVec3 axis, bool point) {
    LitheColour colour =
        points->dark ? (LitheColour){0.90, 0.62, 0.98} : (LitheColour){0.52, 0.14, 0.60};
    points->joints++;
    bool fine = !point || add(points, (LithePictureMark){.at = at, .colour = colour});
    // to both sides: one of them may lie on an axis of the body
    for (int side = -1; side <= 1 && v3_dot(axis, axis) > 0; side += 2)
        fine =
            fine && add(points, (LithePictureMark){
                                    .at = at, .direction = v3_scale(side, axis), .colour = colour});
    return fine;
}

// What overlaps, and what the marks of the picture mean.
static void print_legend(const LitheCliPoints *points) {
    if (points->lines.count > 0)
        fwrite(points->lines.at, 1, (size_t)points->lines.count, stdout);
    const char *between = "drawn: ";
    for (int k = 0; k < LITHE_CLI_MARKS; k++) {
        int32_t n = points->kinds[k];
        if (n == 0)
            continue;
        printf("%s%d %s (%s dot%s)", between, (int)n, n == 1 ? kinds[k].one : kinds[k].many,
               points->dark ? kinds[k].pale : kinds[k].colour, n == 1 ? "" : "s");
        between = ", ";
    }
    if (points->joints > 0) {
        printf("%s%d joint%s (violet: axes of hinges and slides, dots of hinges and balls)",
               between, (int)points->joints, points->joints == 1 ? "" : "s");
        between = ", ";
    }
    if (points->axes > 0)
        printf("%saxes of %d bod%s (x red, y green, z blue)", between, (int)points->axes,
               points->axes == 1 ? "y" : "ies");
    if (points->count > 0)
        printf("\n");
}

static bool add_axes(LitheCliPoints *points, const double pose[7]) {
    static const LitheColour colours[3] = {
        {0.82, 0.27, 0.18}, {0.25, 0.56, 0.23}, {0.18, 0.4, 0.78}};
    Quat q = {pose[3], pose[4], pose[5], pose[6]};
    points->axes++;
    for (int k = 0; k < 3; k++) {
        Vec3 axis = q4_rotate(q, v3(k == 0, k == 1, k == 2));
        if (!add(points,
                 (LithePictureMark){.at = v3_load(pose), .direction = axis, .colour = colours[k]}))
            return false;
    }
    return true;
}

// constraints and poses are columns of the frame
static LitheStatus add_recorded(LitheRecording *recording, LitheCliPoints *points,
                                LitheError *error) {
    bool fine = true;
    for (int32_t b = 0; fine && b < recording->body_count; b++) {
        const LitheColumn *column = &recording->layout.columns[recording->bodies[b].pose];
        double pose[7];
        // fixed things are scenery: their axes would hide it
        if (column->offset >= 0 &&
            lithe_recording_read(recording, column, 0, 1, pose, error) == LITHE_OK)
            fine = add_axes(points, pose);
    }
    for (int32_t i = 0; fine && i < recording->layout.column_count; i++) {
        const LitheColumn *column = &recording->layout.columns[i];
        const char *last = strrchr(column->path, '/');
        double at[3];
        if (strncmp(column->path, "constraints/", 12) == 0 && strcmp(last, "/position") == 0 &&
            column->offset >= 0 && column->count == 3 &&
            lithe_recording_read(recording, column, 0, 1, at, error) == LITHE_OK)
            fine = lithe_cli_points_add(points, LITHE_CLI_CONSTRAINT, v3_load(at));
    }
    return fine ? LITHE_OK : lithe_fail_memory(error, "the marks of a picture");
}

// --- the start as a recording of one frame -------------------------------------------------------

static LitheStatus take_frame(const LitheScene *scene, const LitheModel *model,
                              const LitheState *state, LitheRecording **recording,
                              LitheError *error) {
    LitheContext *context = scene->context;
    LitheLayout layout = {.context = context};
    LitheFrameMap map = {.context = context};
    LitheReport none = {0};
    LitheEnergy energy;
    const LitheFrameSource source = {.model = model, .state = state, .report = &none};
    LitheStatus status = lithe_frame_layout(model, &scene->record, &layout, &map, error);
    layout.title = lithe_alloc_text(context, scene->title ? scene->title : "");
    layout.scene = lithe_alloc_text(context, "");
    layout.version = lithe_alloc_text(context, lithe_version());
    double *frame = lithe_alloc_array(context, layout.frame_size, sizeof(double));
    if (status == LITHE_OK && !(frame && layout.title && layout.scene && layout.version))
        status = lithe_fail_memory(error, "the start of the scene");
    if (status == LITHE_OK)
        status = lithe_frame_fill(&source, &map, frame, &energy, error);
    if (status == LITHE_OK)
        status = lithe_recording_of_frame("the scene", &layout, frame, map.contacts.rows,
                                          map.contacts.count, recording, error);
    lithe_free(context, frame);
    lithe_frame_map_release(&map);
    lithe_layout_release(&layout);
    return status;
}

LitheStatus lithe_cli_export_scene(LitheContext *context, const char *path, const char *out,
                                   const LithePictureOptions *options, LitheError *error) {
    LitheScene *scene = NULL;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheRecording *recording = NULL;
    LitheCliPoints points = {
        .context = context, .dark = options->dark, .lines = {.context = context}};
    LitheBytes messages = {.context = context};
    LitheStatus status = lithe_scene_load(context, path, NULL, 0, &scene, error);
    if (status == LITHE_OK)
        lithe_cli_print_notes(scene);
    if (status == LITHE_OK)
        status = lithe_compile(scene, &model, &state, error);
    if (status == LITHE_OK)
        status = take_frame(scene, model, state, &recording, error);
    if (status == LITHE_OK)
        status = lithe_cli_marks_find(scene, model, state, &points, &messages, error);
    if (status == LITHE_OK)
        status = add_recorded(recording, &points, error);
    if (status == LITHE_OK) {
        LithePictureOptions own = *options;
        own.marks = points.list;
        own.mark_count = points.count;
        status = lithe_export_picture(recording, 0, out, &own, error);
    }
    if (status == LITHE_OK)
        print_legend(&points);
    lithe_bytes_release(&points.lines);
    lithe_bytes_release(&messages);
    lithe_free(context, points.list);
    lithe_recording_close(recording);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    return status;
}
