// SPDX-License-Identifier: Apache-2.0
// view/reader.h - frames of a recording for the page, in any order

#ifndef LITHE_VIEW_READER_H
#define LITHE_VIEW_READER_H

#include "view/frame.h"

/// Reads some frames at a time and keeps them. Not for several threads at once.
typedef struct LitheViewReader {
    LitheContext *context;
    LitheRecording *recording; // owned by the caller; outlives this
    LitheViewScene *scene;
    double *numbers;        // [LITHE_VIEW_BLOCK + 1][number_count]
    double *columns;        // one column of a block
    int64_t block_first;    // index of the frame in the first row; -1 before the first block
    int64_t block_count;    // rows that are filled
    double *rows;           // of the contacts of the last frame read
    double *contact_column; // one column of these rows
    int32_t row_capacity, contact_column_capacity;
    double *firsts, *counts; // [frame_count] rows of contacts; NULL: there are none
} LitheViewReader;

/// Frames per block: larger blocks need fewer calls, smaller ones are faster with random access.
enum { LITHE_VIEW_BLOCK = 16 };

/// The bounds of the scene are those of the first and the last frame. Destroy accepts NULL.
LitheStatus lithe_view_reader_create(LitheRecording *recording, LitheViewReader **reader,
                                     LitheError *error);
void lithe_view_reader_destroy(LitheViewReader *reader);

/// What `frame` points to is valid until the next call.
LitheStatus lithe_view_reader_read(LitheViewReader *reader, int64_t number, LitheViewFrame *frame,
                                   LitheError *error);

#endif
