// SPDX-License-Identifier: Apache-2.0
// record/recording.h - the finished recording: one HDF5 file, made from a journal

#ifndef LITHE_RECORD_RECORDING_H
#define LITHE_RECORD_RECORDING_H

#include "record/journal.h"
#include "record/layout.h"

/// Makes `path` from the frames of a journal: written to a temporary file, flushed to the disk,
/// renamed. An older file stays until then, and remains on failure. Equal journals make equal
/// bytes. The journal is locked before the file is renamed (lithe_journal_lock).
LitheStatus lithe_recording_write(LitheJournal *journal, const char *path, LitheError *error);

/// How an object of a recording is drawn. The table in recording_drawn.c has one row per folder of
/// objects.
typedef enum LitheDrawn {
    LITHE_DRAWN_NONE,
    LITHE_DRAWN_TUBE,    // a line through nodes, with a section: rods
    LITHE_DRAWN_SURFACE, // points and triangles: shells, solids
    LITHE_DRAWN_BALLS,   // points and radii: particles
    LITHE_DRAWN_BODY,    // rigid shapes at a pose
} LitheDrawn;

/// FOLDER/NAME/position [frame][node][3].
typedef struct LitheRecordingTube {
    const char *folder; // "rods"
    char *name;
    int32_t node_count, edge_count;
    bool closed;
    double radius;       // m, for drawing and contact
    const char *section; // "circle", "rectangle", "ellipse" or "stiffness"; belongs to the layout
    double size[2];      // m, full width along m1 and height along m2
} LitheRecordingTube;

/// FOLDER/NAME/position [frame][point][3] and the constant FOLDER/NAME/triangles.
typedef struct LitheRecordingSurface {
    const char *folder; // "shells", "solids"
    char *name;
    int32_t point_count, triangle_count;
    int32_t *triangles; // [triangle_count][3] points, counter-clockwise from outside
} LitheRecordingSurface;

/// FOLDER/NAME/position [frame][particle][3] and the constant FOLDER/NAME/radius [particle].
typedef struct LitheRecordingBalls {
    const char *folder; // "particles"
    char *name;
    int32_t count;
    const double *radii; // [count] m; belongs to the layout
} LitheRecordingBalls;

typedef struct LitheRecordingBody {
    char *name;           // "crate", "arm/hand"
    int32_t pose;         // index of its column in the layout: 7 values per frame, or a constant
    int32_t shape_count;  // in bodies/NAME/shapes/0 ..
    int32_t visual_count; // of them, how many are only drawn
} LitheRecordingBody;

/// The thing that a number in the columns contacts/a and contacts/b refers to.
typedef struct LitheRecordingThing {
    LitheDrawn drawn; // NONE: nothing in the recording has this name
    int32_t index;    // in `tubes`, `surfaces`, `balls` or `bodies`
} LitheRecordingThing;

/// Frames that are not in an HDF5 file (record/recording_frames.h).
typedef struct LitheRecordingFrames LitheRecordingFrames;

/// An open recording. Everything here is read-only; damaged files, and files that are not
/// recordings, are refused.
typedef struct LitheRecording {
    LitheContext *context;
    char *path;
    int64_t file;                 // its identifier in libhdf5
    struct SourceFile *source;    // that libhdf5 reads from
    LitheRecordingFrames *frames; // instead of a file: of a journal or in memory; else NULL
    LitheLayout layout; // constants with their values; `offset` of frame columns is only used
                        // with `frames`
    int64_t frame_count;
    double *times;     // [frame_count] s
    int64_t row_total; // rows of the table of contacts; its columns are layout.contact_columns
    LitheRecordingTube *tubes;
    int32_t tube_count, tube_capacity;
    LitheRecordingSurface *surfaces;
    int32_t surface_count, surface_capacity;
    LitheRecordingBalls *balls;
    int32_t balls_count, balls_capacity; // sets of balls
    LitheRecordingBody *bodies;
    int32_t body_count, body_capacity;
    LitheRecordingThing *things; // [thing_count] lines of contacts/things
    int32_t thing_count;
    LitheJournalEnd end; // how the run ended
} LitheRecording;

LitheStatus lithe_recording_open(LitheContext *context, const char *path,
                                 LitheRecording **recording, LitheError *error);

/// Whether a file is a recording, without reading it; false if it cannot be opened as a recording.
LitheStatus lithe_recording_peek(LitheContext *context, const char *path, bool *ours,
                                 LitheError *error);

/// A recording without a file, for a layout whose frames do not exist yet: it has no values to
/// read. Takes ownership of `layout` on success. Messages use `name` as the name of the file.
LitheStatus lithe_recording_of_layout(const char *name, LitheLayout *layout,
                                      LitheRecording **recording, LitheError *error);

/// Fails when `path` leads to the recording itself, by whatever name or link: an export must not
/// replace it.
LitheStatus lithe_recording_check_output(const LitheRecording *recording, const char *path,
                                         LitheError *error);

/// Accepts NULL.
void lithe_recording_close(LitheRecording *recording);

/// Rows first .. first + count - 1 of a column of `layout`: out [count][column->count].
LitheStatus lithe_recording_read(LitheRecording *recording, const LitheColumn *column,
                                 int64_t first, int64_t count, double *out, LitheError *error);

/// The rows of the table of contacts that belong to a frame; none where no contacts were recorded.
LitheStatus lithe_recording_contacts(LitheRecording *recording, int64_t frame, int64_t *first,
                                     int64_t *count, LitheError *error);

/// Rows first .. first + count - 1 of a column of layout.contact_columns: out
/// [count][column->count].
LitheStatus lithe_recording_read_rows(LitheRecording *recording, const LitheColumn *column,
                                      int64_t first, int64_t count, double *out, LitheError *error);

/// The frame nearest in time. LITHE_BAD_INPUT without frames, and where the time is outside of the
/// recording by more than half the largest interval between frames.
LitheStatus lithe_recording_frame_at(const LitheRecording *recording, double time, int64_t *frame,
                                     LitheError *error);

/// The column "FOLDER/NAME/WHAT", per frame or constant; NULL when the recording has none.
const LitheColumn *lithe_recording_column(const LitheRecording *recording, const char *folder,
                                          const char *name, const char *what);

/// The column "FOLDER/NAME/WHAT" of a tube.
const LitheColumn *lithe_recording_tube_column(const LitheRecording *recording, int32_t tube,
                                               const char *what);

/// The thing that a value of contacts/a or contacts/b refers to: a line of contacts/things.
/// LITHE_DRAWN_NONE for a value that is not in the list.
LitheRecordingThing lithe_recording_thing(const LitheRecording *recording, double number);

/// The constant "bodies/NAME/shapes/SHAPE/WHAT"; NULL when the recording has none.
const LitheColumn *lithe_recording_shape(const LitheRecording *recording, int32_t body,
                                         int32_t shape, const char *what);

/// Whether a shape is only drawn.
bool lithe_recording_visual(const LitheRecording *recording, int32_t body, int32_t shape);

/// The pose of a body at a frame: x y z and unit quaternion w x y z. Fails on numbers that are not
/// a pose.
LitheStatus lithe_recording_body_pose(LitheRecording *recording, int32_t body, int64_t frame,
                                      double out[7], LitheError *error);

#endif
