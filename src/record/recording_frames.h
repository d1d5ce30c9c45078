// SPDX-License-Identifier: Apache-2.0
// record/recording_frames.h - recordings without an HDF5 file: a journal, or one frame in memory

#ifndef LITHE_RECORD_RECORDING_FRAMES_H
#define LITHE_RECORD_RECORDING_FRAMES_H

#include "record/recording.h"

/// Opens the journal of a run that is not finished as a recording: all whole frames that it has
/// now. Values are read from the journal on request; it is never changed. Its end is zero, except
/// for the time, unless the run has ended.
LitheStatus lithe_recording_open_journal(LitheContext *context, const char *path,
                                         LitheRecording **recording, LitheError *error);

/// A recording of one frame [layout.frame_size] with the rows of its contacts
/// [row_count][row_size], which are copied. Takes ownership of `layout` on success. Messages use
/// `name` as the name of the file.
LitheStatus lithe_recording_of_frame(const char *name, LitheLayout *layout, const double *frame,
                                     const double *rows, int64_t row_count,
                                     LitheRecording **recording, LitheError *error);

/// Values of a recording that has `frames`: of a column per frame, or of the table of contacts if
/// `of_rows`. The range has been checked.
LitheStatus lithe_recording_read_frames(const LitheRecording *recording, const LitheColumn *column,
                                        bool of_rows, int64_t first, int64_t count, double *out,
                                        LitheError *error);

/// Accepts NULL.
void lithe_recording_release_frames(LitheContext *context, LitheRecordingFrames *frames);

#endif
