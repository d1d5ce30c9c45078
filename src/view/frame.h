// SPDX-License-Identifier: Apache-2.0
// view/frame.h - one frame as the page reads it (docs/viewer-stream.md)

#ifndef LITHE_VIEW_FRAME_H
#define LITHE_VIEW_FRAME_H

#include "view/scene.h"

enum { LITHE_VIEW_HEAD_BYTES = 32 };

/// Words of a contact: reals, numbers of things and parts, and with patches normal and area.
enum { LITHE_VIEW_CONTACT_REALS = 8, LITHE_VIEW_CONTACT_WORDS = 12, LITHE_VIEW_PATCH_WORDS = 16 };

/// Flags of a frame. The thread that sends to a page sets LITHE_VIEW_RESET in the first frame after
/// a reset, so that no page misses it.
enum { LITHE_VIEW_PAUSED = 1, LITHE_VIEW_ENDED = 2, LITHE_VIEW_RESET = 4 };

typedef struct LitheViewFrame {
    const double *numbers; // [scene->number_count]
    const double *rows;    // [row_count][layout.row_size] contacts
    int64_t row_count;
    const double *before; // an earlier frame, for speeds that were not recorded; or NULL
    double before_time;   // s, of that frame
    double time;          // s
    uint64_t number;      // of the step or frame
    uint32_t flags;
    uint32_t resets; // of a live run so far
} LitheViewFrame;

/// Bytes of a frame with this number of contacts.
int64_t lithe_view_frame_bytes(const LitheViewScene *scene, int64_t row_count);

/// Writes to `out` [lithe_view_frame_bytes], 4-byte aligned. Values that are not recorded or not
/// finite become 0.
void lithe_view_frame_write(const LitheViewScene *scene, const LitheViewFrame *frame,
                            unsigned char *out);

/// Reads the number of resets of the run from the bytes of a frame; sets the flag for a reset.
uint32_t lithe_view_frame_resets(const unsigned char *bytes);
void lithe_view_frame_mark_reset(unsigned char *bytes);

#endif
