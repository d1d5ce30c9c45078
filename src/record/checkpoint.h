// SPDX-License-Identifier: Apache-2.0
// record/checkpoint.h - the whole state of a run and its place in the journal, replaced atomically

#ifndef LITHE_RECORD_CHECKPOINT_H
#define LITHE_RECORD_CHECKPOINT_H

#include "record/journal.h"

typedef struct LitheCheckpoint {
    uint64_t journal_mark;  // of the journal that the checkpoint belongs to
    int64_t journal_offset; // end of the last frame before this state
    int64_t frames;         // number of frames up to that offset
    LitheTotals totals;
    int32_t state_layout; // LITHE_STATE_LAYOUT of the program that wrote it
    int64_t state_size;   // doubles
    double *state;        // written: borrowed; read: free with lithe_checkpoint_release
} LitheCheckpoint;

/// Writes a temporary file and renames it: at any time either the old or the new file exists, and
/// is complete.
LitheStatus lithe_checkpoint_write(LitheContext *context, const char *path,
                                   const LitheCheckpoint *checkpoint, LitheError *error);

/// LITHE_FILE_ERROR: it does not exist or cannot be read. LITHE_BAD_INPUT: it is damaged.
LitheStatus lithe_checkpoint_read(LitheContext *context, const char *path,
                                  LitheCheckpoint *checkpoint, LitheError *error);

void lithe_checkpoint_release(LitheContext *context, LitheCheckpoint *checkpoint);

#endif
