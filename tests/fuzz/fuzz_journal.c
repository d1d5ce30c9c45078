// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_journal.c - any bytes as the head of a journal: a message, or a layout that
// survives being written

#include "base/memory.h"
#include "record/layout.h"
#include "record/recording_frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds, const char *what, const char *detail) {
    if (holds)
        return;
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
}

static void write_again(LitheContext *context, const LitheLayout *layout) {
    LitheBytes first = {.context = context}, second = {.context = context};
    LitheLayout again = {.context = context};
    LitheError error = {0};
    lithe_layout_encode(layout, &first);
    LitheByteReader reader = {.at = first.at, .left = first.count};
    demand(lithe_layout_decode(context, &reader, "written", &again, &error) == LITHE_OK, "decode",
           error.text);
    demand(reader.left == 0 && again.frame_size == layout->frame_size, "decode", "not all of it");
    lithe_layout_encode(&again, &second);
    demand(first.count == second.count &&
               (first.count == 0 || memcmp(first.at, second.at, (size_t)first.count) == 0),
           "encode", "not the same");
    lithe_layout_release(&again);
    lithe_bytes_release(&first);
    lithe_bytes_release(&second);
}

// A frame of zeros with this layout: a recording of one frame, or a message.
static void open_frame(LitheContext *context, LitheLayout *layout) {
    enum { FRAME_MAX = 1 << 16 };
    if (layout->frame_size > FRAME_MAX)
        return;
    double *frame = lithe_alloc_array(context, layout->frame_size, sizeof(double));
    LitheRecording *recording = NULL;
    LitheError error = {0};
    LitheStatus status =
        lithe_recording_of_frame("fuzz.journal", layout, frame, NULL, 0, &recording, &error);
    demand(status == LITHE_OK || (status == LITHE_BAD_INPUT && error.text[0] != '\0'), "frame",
           lithe_status_name(status));
    demand(status != LITHE_OK || recording->frame_count == 1, "frame", "not one");
    lithe_recording_close(recording);
    lithe_free(context, frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    LitheContext *context = lithe_context_create(NULL);
    LitheLayout layout = {.context = context};
    LitheError error = {0};
    LitheByteReader reader = {.at = data, .left = (int64_t)size};
    LitheStatus status = lithe_layout_decode(context, &reader, "fuzz.journal", &layout, &error);
    if (status == LITHE_OK) {
        write_again(context, &layout);
        open_frame(context, &layout);
    } else {
        demand(status == LITHE_BAD_INPUT, "status", lithe_status_name(status));
        demand(error.text[0] != '\0' && error.status == status, "message", error.text);
    }
    lithe_layout_release(&layout);
    demand(lithe_context_bytes(context) == 0, "memory", "left over");
    lithe_context_destroy(context);
    return 0;
}
