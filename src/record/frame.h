// SPDX-License-Identifier: Apache-2.0
// record/frame.h - which quantities of a model are recorded, and one frame of them

#ifndef LITHE_RECORD_FRAME_H
#define LITHE_RECORD_FRAME_H

#include "record/quantity.h"

typedef struct LitheFrameMap {
    LitheContext *context;
    LitheFramePart *parts;
    int32_t part_count, part_capacity;
    LitheContactRows contacts; // of the last frame filled
} LitheFrameMap;

/// Adds the columns of what is always recorded, of `record->also`, and the constants (sections,
/// rest lengths). LITHE_BAD_INPUT with a list and a suggestion for an unknown quantity. Release
/// both on failure.
LitheStatus lithe_frame_layout(const LitheModel *model, const LitheRecordDef *record,
                               LitheLayout *layout, LitheFrameMap *map, LitheError *error);

/// The data that a frame is filled from.
typedef struct LitheFrameSource {
    const LitheModel *model;
    const LitheState *state;
    const LitheWork *work;     // of the step that led to the state; NULL: contacts are not known
    const LitheReport *report; // of the same step, or NULL
    int64_t first_row;         // number of rows of contacts in all earlier frames
    bool rows_kept;            // the rows in the map are already those of this frame
} LitheFrameSource;

/// Fills `frame` [layout.frame_size], and the rows of its contacts into `map->contacts`; returns
/// the energies.
LitheStatus lithe_frame_fill(const LitheFrameSource *source, LitheFrameMap *map, double *frame,
                             LitheEnergy *energy, LitheError *error);

/// The frame at the fraction `s` between both ends of a step, `ends` [2][frame_size]. Positions,
/// velocities and energies are interpolated linearly; directions and quaternions are then
/// normalised. Forces, which are means over a step, and counts are those of the second end.
void lithe_frame_between(const LitheFrameMap *map, int64_t frame_size, const double *ends, double s,
                         int64_t first_row, double *out);

void lithe_frame_map_release(LitheFrameMap *map);

#endif
