// SPDX-License-Identifier: Apache-2.0
// record/frame_asked.h - what the scene asks to record besides what always is

#ifndef LITHE_RECORD_FRAME_ASKED_H
#define LITHE_RECORD_FRAME_ASKED_H

#include "record/frame.h"

enum { LITHE_FRAME_NAMES = 64 }; // more than there are quantities

/// Adds the column that `text`, an entry of record.also, names, unless it is there already.
/// LITHE_BAD_INPUT with a list and a suggestion for what nothing is known of.
LitheStatus lithe_frame_asked(const LitheModel *model, const char *text, LitheLayout *layout,
                              LitheFrameMap *map, LitheError *error);

// --- from the table in frame.c -------------------------------------------------------------------

/// What can be recorded of a rod, or else of a drive; returns how many names that are.
int32_t lithe_frame_names(bool of_rod, const char *names[LITHE_FRAME_NAMES]);

/// Adds the column of one of those names, of the rod or drive `index`.
LitheStatus lithe_frame_add(const LitheModel *model, bool of_rod, int32_t index, const char *name,
                            LitheLayout *layout, LitheFrameMap *map, LitheError *error);

#endif
