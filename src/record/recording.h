// SPDX-License-Identifier: Apache-2.0
// record/recording.h - the finished recording: one HDF5 file, made from a journal, read by everyone

#ifndef LITHE_RECORD_RECORDING_H
#define LITHE_RECORD_RECORDING_H

#include "record/journal.h"
#include "record/layout.h"

/// Makes `path` from the frames of a journal: written beside it, brought to the disk, renamed. An
/// older file stays until then, and for good on failure. Equal journals make equal bytes.
LitheStatus lithe_recording_write(LitheJournal *journal, const char *path, LitheError *error);

typedef struct LitheRecordingRod {
    char *name;
    int32_t node_count, edge_count;
    bool closed;
    double radius;       // m, to draw and touch
    const char *section; // "circle", "rectangle", "ellipse" or "stiffness"; belongs to the layout
    double size[2];      // m, full width along m1 and height along m2
} LitheRecordingRod;

typedef struct LitheRecordingBody {
    char *name;          // "crate", "arm/hand"
    int32_t pose;        // number of its column in the layout: 7 values a frame, or a constant
    int32_t shape_count; // in bodies/NAME/shapes/0 ..
} LitheRecordingBody;

/// An open recording. Everything here is for reading; files that are damaged or no recordings do
/// not open.
typedef struct LitheRecording {
    LitheContext *context;
    char *path;
    int64_t file;       // of libhdf5
    LitheLayout layout; // constants with their values; `offset` of frame columns means nothing
    int64_t frame_count;
    double *times;     // [frame_count] s
    int64_t row_total; // rows of the table of contacts; its columns are layout.rows
    LitheRecordingRod *rods;
    int32_t rod_count, rod_capacity;
    LitheRecordingBody *bodies;
    int32_t body_count, body_capacity;
    LitheJournalEnd end; // how the run ended
} LitheRecording;

LitheStatus lithe_recording_open(LitheContext *context, const char *path,
                                 LitheRecording **recording, LitheError *error);

/// The same without a file: rods and bodies of a layout whose frames are still to come. Takes over
/// `layout` on success; nothing can be read. `name` stands for the file in messages.
LitheStatus lithe_recording_of_layout(const char *name, LitheLayout *layout,
                                      LitheRecording **recording, LitheError *error);

/// Accepts NULL.
void lithe_recording_close(LitheRecording *recording);

/// Rows first .. first + count - 1 of a column of `layout`: out [count][column->count].
LitheStatus lithe_recording_read(LitheRecording *recording, const LitheColumn *column,
                                 int64_t first, int64_t count, double *out, LitheError *error);

/// The rows of the table of contacts that belong to a frame; none where nothing was recorded.
LitheStatus lithe_recording_contacts(LitheRecording *recording, int64_t frame, int64_t *first,
                                     int64_t *count, LitheError *error);

/// Rows first .. first + count - 1 of a column of layout.rows: out [count][column->count].
LitheStatus lithe_recording_read_rows(LitheRecording *recording, const LitheColumn *column,
                                      int64_t first, int64_t count, double *out, LitheError *error);

/// The frame nearest in time; -1 without frames.
int64_t lithe_recording_frame_at(const LitheRecording *recording, double time);

/// "rods/NAME/WHAT"; NULL when the recording has none.
const LitheColumn *lithe_recording_rod_column(const LitheRecording *recording, int32_t rod,
                                              const char *what);

/// "bodies/NAME/shapes/SHAPE/WHAT" among the constants; NULL when the recording has none.
const LitheColumn *lithe_recording_shape(const LitheRecording *recording, int32_t body,
                                         int32_t shape, const char *what);

/// Where a body stands at a frame: x y z and unit quaternion w x y z. Fails on numbers that are no
/// pose.
LitheStatus lithe_recording_body_pose(LitheRecording *recording, int32_t body, int64_t frame,
                                      double out[7], LitheError *error);

#endif
