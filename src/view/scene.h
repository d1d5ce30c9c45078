// SPDX-License-Identifier: Apache-2.0
// view/scene.h - the description of a scene for a page, and where the numbers of its frames are
//
// A view uses the columns of a recording, whose frames need not exist yet: live runs, replays and
// single files differ only in the source of frames. The formats are in docs/viewer-stream.md.

#ifndef LITHE_VIEW_SCENE_H
#define LITHE_VIEW_SCENE_H

#include "math/vec3.h"
#include "record/drawable.h"

enum { LITHE_VIEW_VERSION = 2 }; // of the stream

/// How the value at a point is computed.
typedef enum LitheViewValue {
    LITHE_VIEW_POINTS,       // recorded there
    LITHE_VIEW_EDGES,        // the mean of the edges that meet there
    LITHE_VIEW_LENGTH2,      // the length of the two components recorded there
    LITHE_VIEW_LENGTH3,      // the length of the three components recorded there
    LITHE_VIEW_TWIST,        // from the directors of the edges that meet there
    LITHE_VIEW_SPEED,        // recorded there, or from the displacement since an earlier frame
    LITHE_VIEW_DISPLACEMENT, // distance from the first position
    LITHE_VIEW_PRESSURE,     // from the contacts of the frame (view/pressure.h)
} LitheViewValue;

/// A quantity that can be shown as colours.
typedef struct LitheViewField {
    char *name;
    const char *unit; // belongs to the layout, or is a constant
} LitheViewField;

/// A field on the points of one thing.
typedef struct LitheViewOwnField {
    int32_t field; // in `fields` of the scene
    LitheViewValue value;
    int32_t column; // -1: not recorded
} LitheViewOwnField;

/// A thing that is drawn through points: its columns, -1: not recorded, and its fields.
typedef struct LitheViewPoints {
    LitheDrawable of;
    int32_t position, director;
    LitheViewOwnField *fields; // in the order of a frame
    int32_t field_count, field_capacity;
    int64_t words_at;    // word of a frame at which its positions begin
    double *first;       // [point_count][3] first positions, set by lithe_view_bounds; or NULL
    int64_t pressure_at; // word at which its contact pressures begin; -1: nothing can touch
} LitheViewPoints;

/// Columns of a constraint; -1: not recorded.
typedef struct LitheViewTie {
    char *name;
    int32_t active, position, force;
} LitheViewTie;

typedef enum LitheViewTake {
    LITHE_VIEW_AT,     // one value of a column
    LITHE_VIEW_MAX,    // the largest of a column
    LITHE_VIEW_MEAN,   // of a column
    LITHE_VIEW_LENGTH, // of the vector that a column is
} LitheViewTake;

typedef struct LitheViewSeries {
    char *name;
    int32_t column;
    LitheViewTake take;
    int64_t index; // for LITHE_VIEW_AT
} LitheViewSeries;

typedef struct LitheViewScene {
    LitheContext *context;
    const LitheRecording *recording; // owned by the caller; outlives this
    int64_t *at;             // [column_count] index in a frame of the first number of a column; -1:
                             // not needed
    int64_t number_count;    // doubles of a frame
    LitheViewPoints *points; // [point_sets] tubes, surfaces, balls: the order of a frame
    int32_t point_sets;
    int32_t *thing_points; // [recording->thing_count] index in `points` of a thing; -1: none
    LitheViewField *fields;
    int32_t field_count, field_capacity;
    LitheViewTie *ties;
    int32_t tie_count, tie_capacity;
    LitheViewSeries *series;
    int32_t series_count, series_capacity;
    int64_t word_count;     // of the fixed part of a frame
    int32_t contact_words;  // of a contact: 12, or 16 where there may be patches
    double low[3], high[3]; // bounds of everything except half-spaces; set by lithe_view_bounds
} LitheViewScene;

/// With `live` the numbers of a frame are those of the layout; else only the required columns,
/// consecutively. Destroy accepts NULL.
LitheStatus lithe_view_scene_create(const LitheRecording *recording, bool live,
                                    LitheViewScene **scene, LitheError *error);
void lithe_view_scene_destroy(LitheViewScene *scene);

/// Extends the bounds by a frame of numbers. The first one also adds things that never move.
void lithe_view_bounds(LitheViewScene *scene, const double *numbers);

/// The values of a column in a frame of numbers; NULL for -1.
const double *lithe_view_values(const LitheViewScene *scene, const double *numbers, int32_t column);

/// The description as JSON. `controls` is a JSON text, or NULL for none.
LitheStatus lithe_view_scene_describe(const LitheViewScene *scene, const char *mode,
                                      const char *controls, LitheBytes *text, LitheError *error);

/// The same for a file that has only these frames of the recording, in this order.
LitheStatus lithe_view_describe_frames(const LitheViewScene *scene, const int64_t *frames,
                                       int64_t count, LitheBytes *text, LitheError *error);

#endif
