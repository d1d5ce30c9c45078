// SPDX-License-Identifier: Apache-2.0
// view/reader.c - blocks of frames out of a recording

#include "view/reader.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static LitheStatus read_counts(LitheViewReader *reader, LitheError *error) {
    LitheRecording *recording = reader->recording;
    if (recording->layout.contact_column_count == 0 || recording->frame_count == 0)
        return LITHE_OK;
    static const char *const paths[2] = {"contacts/first", "contacts/count"};
    double **out[2] = {&reader->firsts, &reader->counts};
    for (int k = 0; k < 2; k++) {
        const LitheColumn *column = lithe_layout_find(&recording->layout, paths[k]);
        if (!column || column->offset < 0 || column->rank != 0)
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: cannot read '%s'",
                              recording->path, paths[k]);
        *out[k] = lithe_alloc_array(reader->context, recording->frame_count, sizeof(double));
        if (!*out[k])
            return lithe_fail_memory(error, "a replay");
        LitheStatus status =
            lithe_recording_read(recording, column, 0, recording->frame_count, *out[k], error);
        if (status != LITHE_OK)
            return status;
    }
    return LITHE_OK;
}

static LitheStatus allocate_buffers(LitheViewReader *reader, LitheError *error) {
    const LitheViewScene *scene = reader->scene;
    int64_t max = 0;
    for (int32_t i = 0; i < reader->recording->layout.column_count; i++)
        if (scene->at[i] >= 0 && reader->recording->layout.columns[i].count > max)
            max = reader->recording->layout.columns[i].count;
    const int64_t rows = LITHE_VIEW_BLOCK + 1;
    if (scene->number_count > INT64_MAX / 16 / rows)
        return lithe_fail_memory(error, "a replay");
    reader->numbers =
        lithe_alloc_array(reader->context, rows * scene->number_count, sizeof(double));
    reader->columns = lithe_alloc_array(reader->context, rows * max, sizeof(double));
    return reader->numbers && reader->columns ? LITHE_OK : lithe_fail_memory(error, "a replay");
}

LitheStatus lithe_view_reader_create(LitheRecording *recording, LitheViewReader **reader,
                                     LitheError *error) {
    LitheViewReader *made = lithe_alloc(recording->context, sizeof *made);
    if (!made)
        return lithe_fail_memory(error, "a replay");
    *made =
        (LitheViewReader){.context = recording->context, .recording = recording, .block_first = -1};
    LitheStatus status = lithe_view_scene_create(recording, false, &made->scene, error);
    if (status == LITHE_OK && recording->frame_count == 0)
        status = lithe_fail(error, LITHE_BAD_INPUT, "%s: has no frames", recording->path);
    if (status == LITHE_OK)
        status = allocate_buffers(made, error);
    if (status == LITHE_OK)
        status = read_counts(made, error);
    LitheViewFrame frame;
    const int64_t ends[2] = {0, recording->frame_count - 1};
    for (int k = 0; status == LITHE_OK && k < 2; k++) {
        status = lithe_view_reader_read(made, ends[k], &frame, error);
        if (status == LITHE_OK)
            lithe_view_bounds(made->scene, frame.numbers);
    }
    if (status == LITHE_OK)
        *reader = made;
    else
        lithe_view_reader_destroy(made);
    return status;
}

void lithe_view_reader_destroy(LitheViewReader *reader) {
    if (!reader)
        return;
    LitheContext *context = reader->context;
    lithe_view_scene_destroy(reader->scene);
    lithe_free(context, reader->numbers);
    lithe_free(context, reader->columns);
    lithe_free(context, reader->rows);
    lithe_free(context, reader->contact_column);
    lithe_free(context, reader->firsts);
    lithe_free(context, reader->counts);
    lithe_free(context, reader);
}

// A block begins with the frame before its first one, because speeds are computed by differences.
static LitheStatus read_block(LitheViewReader *reader, int64_t number, LitheError *error) {
    const LitheViewScene *scene = reader->scene;
    int64_t first = number / LITHE_VIEW_BLOCK * LITHE_VIEW_BLOCK;
    int64_t end = first + LITHE_VIEW_BLOCK;
    first -= first > 0;
    if (end > reader->recording->frame_count)
        end = reader->recording->frame_count;
    reader->block_first = -1;
    for (int32_t i = 0; i < reader->recording->layout.column_count; i++) {
        const LitheColumn *column = &reader->recording->layout.columns[i];
        if (scene->at[i] < 0)
            continue;
        LitheStatus status = lithe_recording_read(reader->recording, column, first, end - first,
                                                  reader->columns, error);
        if (status != LITHE_OK)
            return status;
        for (int64_t k = 0; k < end - first; k++)
            memcpy(reader->numbers + k * scene->number_count + scene->at[i],
                   reader->columns + k * column->count, (size_t)column->count * sizeof(double));
    }
    reader->block_first = first;
    reader->block_count = end - first;
    return LITHE_OK;
}

static LitheStatus read_rows(LitheViewReader *reader, int64_t number, LitheViewFrame *frame,
                             LitheError *error) {
    frame->rows = NULL;
    frame->row_count = 0;
    if (!reader->counts)
        return LITHE_OK;
    const LitheLayout *layout = &reader->recording->layout;
    double first = reader->firsts[number], count = reader->counts[number];
    double all = (double)reader->recording->row_total;
    if (!(first >= 0 && count >= 0 && first <= all && count <= all - first))
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: cannot read 'contacts/first'",
                          reader->recording->path);
    int64_t rows = (int64_t)count;
    if (!LITHE_RESERVE(reader->context, reader->rows, reader->row_capacity,
                       rows * layout->row_size) ||
        !LITHE_RESERVE(reader->context, reader->contact_column, reader->contact_column_capacity,
                       3 * rows))
        return lithe_fail_memory(error, "the contacts of a frame");
    for (int32_t i = 0; i < layout->contact_column_count; i++) {
        const LitheColumn *column = &layout->contact_columns[i];
        LitheStatus status = lithe_recording_read_rows(reader->recording, column, (int64_t)first,
                                                       rows, reader->contact_column, error);
        if (status != LITHE_OK)
            return status;
        for (int64_t k = 0; k < rows; k++)
            memcpy(reader->rows + k * layout->row_size + column->offset,
                   reader->contact_column + k * column->count,
                   (size_t)column->count * sizeof(double));
    }
    frame->rows = reader->rows;
    frame->row_count = rows;
    return LITHE_OK;
}

LitheStatus lithe_view_reader_read(LitheViewReader *reader, int64_t number, LitheViewFrame *frame,
                                   LitheError *error) {
    const LitheRecording *recording = reader->recording;
    if (number < 0 || number >= recording->frame_count)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: has frames 0 to %lld, requested %lld",
                          recording->path, (long long)recording->frame_count - 1,
                          (long long)number);
    // the first row of a block, except the first block, is only used for speeds
    int64_t row = reader->block_first < 0 ? -1 : number - reader->block_first;
    bool there = row >= (reader->block_first > 0) && row < reader->block_count;
    LitheStatus status = there ? LITHE_OK : read_block(reader, number, error);
    if (status != LITHE_OK)
        return status;
    row = number - reader->block_first;
    int64_t size = reader->scene->number_count;
    *frame = (LitheViewFrame){.numbers = reader->numbers + row * size,
                              .before = row > 0 ? reader->numbers + (row - 1) * size : NULL,
                              .before_time = number > 0 ? recording->times[number - 1] : 0,
                              .time = recording->times[number],
                              .number = (uint64_t)number};
    return read_rows(reader, number, frame, error);
}
