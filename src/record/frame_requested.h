// SPDX-License-Identifier: Apache-2.0
// record/frame_requested.h - quantities that the scene requests in addition to those that are
// always recorded

#ifndef LITHE_RECORD_FRAME_REQUESTED_H
#define LITHE_RECORD_FRAME_REQUESTED_H

#include "record/frame.h"

/// Adds the column that `text`, an entry of record.also, requests, unless it exists already.
/// LITHE_BAD_INPUT with a list and a suggestion for an unknown quantity.
LitheStatus lithe_frame_requested(const LitheModel *model, const char *text, LitheLayout *layout,
                                  LitheFrameMap *map, LitheError *error);

/// Adds the column of a quantity of thing `index`, unless it exists already or the thing has none
/// (frame.c).
LitheStatus lithe_frame_add(const LitheModel *model, const LitheOwner *owner, int32_t index,
                            const LitheQuantity *quantity, LitheLayout *layout, LitheFrameMap *map,
                            LitheError *error);

#endif
