// SPDX-License-Identifier: Apache-2.0
// record/frame.h - which quantities of a model are recorded, and one frame of them

#ifndef LITHE_RECORD_FRAME_H
#define LITHE_RECORD_FRAME_H

#include "record/quantity.h"

typedef struct LitheFrameMap {
    LitheContext *context;
    LitheFramePart *parts;
    int32_t part_count, part_capacity;
    LitheContactRows contacts; // of the frame filled last
} LitheFrameMap;

/// Adds the columns of everything that is always recorded, of `record->also`, and the constants
/// (sections, rest lengths). LITHE_BAD_INPUT with a list and a suggestion for an unknown quantity.
/// On failure release both.
LitheStatus lithe_frame_layout(const LitheModel *model, const LitheRecordDef *record,
                               LitheLayout *layout, LitheFrameMap *map, LitheError *error);

/// What a frame is made from.
typedef struct LitheFrameSource {
    const LitheModel *model;
    const LitheState *state;
    const LitheWork *work;     // of the step that led to the state; NULL: no contacts are known
    const LitheReport *report; // likewise
    int64_t first_row;         // rows of contacts in the frames before
    bool rows_kept;            // the rows in the map are those of this frame already
} LitheFrameSource;

/// `frame` [layout.frame_size], and the rows of its contacts into `map->contacts`; the energies.
LitheStatus lithe_frame_fill(const LitheFrameSource *source, LitheFrameMap *map, double *frame,
                             LitheEnergy *energy, LitheError *error);

/// The frame at the part `s` of the way between two ends of a step, `ends` [2][frame_size]: linear
/// in positions, velocities, energies and accounts, with directions and quaternions made unit
/// again. Forces, which are means over a step, and counts are those of the second end.
void lithe_frame_between(const LitheFrameMap *map, int64_t frame_size, const double *ends, double s,
                         int64_t first_row, double *out);

void lithe_frame_map_release(LitheFrameMap *map);

#endif
