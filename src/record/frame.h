// SPDX-License-Identifier: Apache-2.0
// record/frame.h - which quantities of a model are recorded, and one frame of them

#ifndef LITHE_RECORD_FRAME_H
#define LITHE_RECORD_FRAME_H

#include "lithe/model.h"
#include "record/layout.h"

/// One column of a frame: where its values come from.
typedef struct LitheFramePart {
    int32_t quantity; // of the table in frame.c
    int32_t index;    // of the rod or drive
    int64_t offset;   // in the frame
} LitheFramePart;

typedef struct LitheFrameMap {
    LitheContext *context;
    LitheFramePart *parts;
    int32_t part_count, part_capacity;
} LitheFrameMap;

/// Adds the columns of everything that is always recorded, of `record->also`, and the constants
/// (sections, rest lengths). LITHE_BAD_INPUT with a list and a suggestion for an unknown quantity.
/// On failure release both.
LitheStatus lithe_frame_layout(const LitheModel *model, const LitheRecordDef *record,
                               LitheLayout *layout, LitheFrameMap *map, LitheError *error);

/// `frame` [layout.frame_size]; `report` of the step that led to `state`. Returns the energies.
LitheEnergy lithe_frame_fill(const LitheModel *model, const LitheState *state,
                             const LitheReport *report, const LitheFrameMap *map, double *frame);

void lithe_frame_map_release(LitheFrameMap *map);

#endif
