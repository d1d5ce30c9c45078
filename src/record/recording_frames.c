// SPDX-License-Identifier: Apache-2.0
// record/recording_frames.c - recordings without an HDF5 file: a journal, or one frame in memory
//
// Both store whole frames, each followed by the rows of its contacts. Only how bytes are fetched
// differs.

#include "record/recording_frames.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/disk.h"

#include <string.h>
#include <unistd.h>

#define REAL_BYTES ((int64_t)sizeof(double))

struct LitheRecordingFrames {
    int fd;            // of the journal; -1: the bytes are in `data`
    double *data;      // one frame and its rows
    int64_t *starts;   // [frame_count] first byte of each frame
    int64_t *row_ends; // [frame_count] number of rows up to the end of each frame
    int64_t frame_size, row_size;
};

void lithe_recording_release_frames(LitheContext *context, LitheRecordingFrames *frames) {
    if (!frames)
        return;
    if (frames->fd >= 0)
        close(frames->fd);
    lithe_free(context, frames->data);
    lithe_free(context, frames->starts);
    lithe_free(context, frames->row_ends);
    lithe_free(context, frames);
}

static LitheRecordingFrames *create(LitheContext *context, const LitheLayout *layout,
                                    int64_t frame_count) {
    LitheRecordingFrames *frames = lithe_alloc(context, sizeof *frames);
    if (!frames)
        return NULL;
    *frames = (LitheRecordingFrames){
        .fd = -1, .frame_size = layout->frame_size, .row_size = layout->row_size};
    frames->starts = lithe_alloc_array(context, frame_count, sizeof(int64_t));
    frames->row_ends = lithe_alloc_array(context, frame_count, sizeof(int64_t));
    if (frames->starts && frames->row_ends)
        return frames;
    lithe_recording_release_frames(context, frames);
    return NULL;
}

// Makes a recording of frames, whose times are read; takes ownership of both on success.
static LitheStatus finish(const char *name, LitheLayout *layout, LitheRecordingFrames *frames,
                          int64_t frame_count, LitheRecording **recording, LitheError *error) {
    LitheContext *context = layout->context;
    double *times = lithe_alloc_array(context, frame_count, sizeof(double));
    if (!times)
        return lithe_fail_memory(error, "the times of a recording");
    LitheRecording *made = NULL;
    LitheStatus status = lithe_recording_of_layout(name, layout, &made, error);
    if (status != LITHE_OK) {
        lithe_free(context, times);
        return status;
    }
    made->times = times;
    made->frame_count = frame_count;
    made->row_total = frame_count > 0 ? frames->row_ends[frame_count - 1] : 0;
    made->frames = frames;
    const LitheColumn *time = lithe_layout_find(&made->layout, "time");
    status = time && time->rank == 0
                 ? lithe_recording_read(made, time, 0, frame_count, times, error)
                 : lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: it has no times", name);
    if (status == LITHE_OK) {
        *recording = made;
        return LITHE_OK;
    }
    // the caller keeps both
    *layout = made->layout;
    made->layout = (LitheLayout){.context = context};
    made->frames = NULL;
    lithe_recording_close(made);
    return status;
}

// --- a frame in memory ---------------------------------------------------------------------------

LitheStatus lithe_recording_of_frame(const char *name, LitheLayout *layout, const double *frame,
                                     const double *rows, int64_t row_count,
                                     LitheRecording **recording, LitheError *error) {
    LitheContext *context = layout->context;
    LitheRecordingFrames *frames = create(context, layout, 1);
    int64_t row_values = row_count * layout->row_size;
    if (frames)
        frames->data = lithe_alloc_array(context, layout->frame_size + row_values, sizeof(double));
    if (!frames || !frames->data) {
        lithe_recording_release_frames(context, frames);
        return lithe_fail_memory(error, "a frame");
    }
    memcpy(frames->data, frame, (size_t)(layout->frame_size * REAL_BYTES));
    if (row_values > 0)
        memcpy(frames->data + layout->frame_size, rows, (size_t)(row_values * REAL_BYTES));
    frames->starts[0] = 0;
    frames->row_ends[0] = row_count;
    // the table of contacts has these rows only
    const LitheColumn *first = lithe_layout_find(layout, "contacts/first");
    if (first && first->offset >= 0)
        frames->data[first->offset] = 0;
    LitheStatus status = finish(name, layout, frames, 1, recording, error);
    if (status != LITHE_OK)
        lithe_recording_release_frames(context, frames);
    return status;
}

// --- a journal -----------------------------------------------------------------------------------

// Where each frame begins, and how many rows there are up to its end.
static LitheStatus index_frames(LitheJournal *journal, LitheRecordingFrames *frames,
                                LitheError *error) {
    double *frame = lithe_alloc_array(journal->context, frames->frame_size, sizeof(double));
    if (!frame)
        return lithe_fail_memory(error, "a frame");
    LitheStatus status = LITHE_OK;
    int64_t cursor = 0, rows = 0;
    for (int64_t k = 0; status == LITHE_OK && k < journal->frames; k++) {
        status = lithe_journal_read(journal, &cursor, frame, error);
        rows += journal->row_count;
        frames->starts[k] = journal->frame_start;
        frames->row_ends[k] = rows;
    }
    lithe_free(journal->context, frame);
    return status;
}

LitheStatus lithe_recording_open_journal(LitheContext *context, const char *path,
                                         LitheRecording **recording, LitheError *error) {
    LitheJournal journal = {.fd = -1};
    LitheStatus status = lithe_journal_open(context, path, INT64_MAX, &journal, error);
    if (status != LITHE_OK)
        return status;
    LitheRecordingFrames *frames = create(context, &journal.layout, journal.frames);
    status = frames ? index_frames(&journal, frames, error)
                    : lithe_fail_memory(error, "the frames of a journal");
    if (status == LITHE_OK) {
        frames->fd = journal.fd;
        status = finish(path, &journal.layout, frames, journal.frames, recording, error);
        if (status != LITHE_OK)
            frames->fd = -1;
        else
            journal.fd = -1;
    }
    if (status == LITHE_OK) {
        LitheRecording *made = *recording;
        if (journal.ended)
            made->end = journal.end;
        else if (made->frame_count > 0)
            made->end.time = made->times[made->frame_count - 1];
    } else {
        lithe_recording_release_frames(context, frames);
    }
    lithe_journal_close(&journal);
    return status;
}

// --- reading -------------------------------------------------------------------------------------

static bool fetch(const LitheRecordingFrames *frames, int64_t start, double *out, int64_t count) {
    if (frames->fd >= 0)
        return lithe_disk_read(frames->fd, start, out, count * REAL_BYTES);
    memcpy(out, frames->data + start / REAL_BYTES, (size_t)(count * REAL_BYTES));
    return true;
}

// The frame that has this row.
static int64_t frame_of_row(const LitheRecordingFrames *frames, int64_t frame_count, int64_t row) {
    int64_t low = 0, high = frame_count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (row < frames->row_ends[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

LitheStatus lithe_recording_read_frames(const LitheRecording *recording, const LitheColumn *column,
                                        bool of_rows, int64_t first, int64_t count, double *out,
                                        LitheError *error) {
    const LitheRecordingFrames *frames = recording->frames;
    bool fine = true;
    int64_t frame = of_rows ? frame_of_row(frames, recording->frame_count, first) : first;
    for (int64_t k = 0; fine && k < count; k++) {
        int64_t at = 0; // values between the start of the frame and those of the column
        if (of_rows) {
            while (first + k >= frames->row_ends[frame])
                frame++;
            int64_t before = frame > 0 ? frames->row_ends[frame - 1] : 0;
            at = frames->frame_size + (first + k - before) * frames->row_size;
        } else {
            frame = first + k;
        }
        fine = fetch(frames, frames->starts[frame] + (at + column->offset) * REAL_BYTES,
                     out + k * column->count, column->count);
    }
    if (fine)
        return LITHE_OK;
    return lithe_fail(error, LITHE_FILE_ERROR,
                      "%s: cannot read '%s': the journal has changed, open it again",
                      recording->path, column->path);
}
