// SPDX-License-Identifier: Apache-2.0
// cli/scene_extra.h - what the viewer shows of a scene before it runs: sliders, holds, drives,
// joints, overlaps

#ifndef LITHE_CLI_SCENE_EXTRA_H
#define LITHE_CLI_SCENE_EXTRA_H

#include "record/bytes.h"
#include "record/export.h"
#include "scene/scene.h"

typedef enum LitheCliSliderKind {
    LITHE_CLI_SLIDER_PARAMETER, // a number with a unit in `parameters`
    LITHE_CLI_SLIDER_JOINT,     // the position of a joint at the start
    LITHE_CLI_SLIDER_ACTUATOR,  // the target of an actuator, at any time
} LitheCliSliderKind;

typedef struct LitheCliSlider {
    LitheCliSliderKind kind;
    char *name;
    int32_t index;           // of the joint or actuator
    double value, low, high; // in `unit`
    char unit[32];           // of a parameter as in the file, else rad or m; may be empty
} LitheCliSlider;

typedef struct LitheCliSliders {
    LitheContext *context;
    LitheCliSlider *list;
    int32_t count, capacity;
} LitheCliSliders;

/// Finds what can be changed: parameters whose text in the file is a number, joints with one
/// position, actuators. Release also after failure.
LitheStatus lithe_cli_sliders_find(const LitheScene *scene, const char *path,
                                   LitheCliSliders *sliders, LitheError *error);
void lithe_cli_sliders_release(LitheCliSliders *sliders);

/// "sliders":[..] of the description.
void lithe_cli_sliders_describe(const LitheCliSliders *sliders, LitheBytes *text);

/// "marks":[..] of the description: nodes that are held or driven, joints, and what overlaps at the
/// start.
/// Overlaps are also added to `messages`, a list of JSON objects with a comma before each.
LitheStatus lithe_cli_marks_describe(const LitheScene *scene, LitheBytes *text,
                                     LitheBytes *messages, LitheError *error);

/// The same as points, for a picture of `model` at `state`.
struct LitheCliPoints;
LitheStatus lithe_cli_marks_find(const LitheScene *scene, const LitheModel *model,
                                 LitheState *state, struct LitheCliPoints *points,
                                 LitheBytes *messages, LitheError *error);

/// Kinds of marks.
typedef enum LitheCliMark {
    LITHE_CLI_HOLD,
    LITHE_CLI_DRIVE,
    LITHE_CLI_CONSTRAINT,
    LITHE_CLI_OVERLAP,
    LITHE_CLI_MARKS,
} LitheCliMark;

/// The same marks for a picture, with those of constraints that act and the axes of bodies.
typedef struct LitheCliPoints {
    LitheContext *context;
    LithePictureMark *list;
    int32_t count, capacity;
    int32_t kinds[LITHE_CLI_MARKS]; // marks of each kind
    int32_t axes;                   // bodies whose axes are drawn
    int32_t joints;                 // that are drawn
    bool dark;
    LitheBytes lines; // what overlaps, one per line
} LitheCliPoints;

/// Adds a mark. False when out of memory.
bool lithe_cli_points_add(LitheCliPoints *points, LitheCliMark kind, LitheVec3 at);

/// Adds a joint: its axis, a unit vector or 0, and a dot where a point of it stays in place. False
/// when out of memory.
bool lithe_cli_points_add_joint(LitheCliPoints *points, LitheVec3 at, LitheVec3 axis, bool point);

/// `lithe export` of a scene file: a picture of its start, with marks.
LitheStatus lithe_cli_export_scene(LitheContext *context, const char *path, const char *out,
                                   const LithePictureOptions *options, LitheError *error);

/// Adds one message of the description.
void lithe_cli_put_message(LitheBytes *messages, const char *text, bool bad);

#endif
