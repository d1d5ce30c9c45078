// SPDX-License-Identifier: Apache-2.0
// record/layout_map.h - frames of one layout as frames of another: columns are found by name
//
// A run that is resumed by a newer program keeps the layout of its journal. The program may record
// columns that the journal does not have: they are left out. It must record all that the journal
// has.

#ifndef LITHE_RECORD_LAYOUT_MAP_H
#define LITHE_RECORD_LAYOUT_MAP_H

#include "record/layout.h"

/// Values `from` .. `from` + `count` - 1 of one frame are copied to the other frame, from index
/// `to` on.
typedef struct LitheLayoutPiece {
    int64_t from, to, count;
} LitheLayoutPiece;

typedef struct LitheLayoutMap {
    LitheContext *context;
    bool on; // false: both layouts are the same
    LitheLayoutPiece *pieces, *row_pieces;
    int32_t piece_count, piece_capacity, row_piece_count, row_piece_capacity;
    int64_t from_row_size, to_row_size;
    double *frame; // [frame_size] of the other layout
    double *rows;  // [row_capacity / to_row_size][to_row_size]
    int32_t row_capacity;
    int32_t left_out;      // columns of the program that the journal does not have
    const char *first_out; // path of the first of them; belongs to `from`
} LitheLayoutMap;

/// Maps frames of `from`, what this program records, to frames of `to`, those of a journal.
/// LITHE_NOT_SUPPORTED names a column of `to` that `from` does not have, or has with another size.
LitheStatus lithe_layout_map_create(const LitheLayout *from, const LitheLayout *to,
                                    LitheLayoutMap *map, LitheError *error);
void lithe_layout_map_release(LitheLayoutMap *map);

/// Replaces `*frame` and `*rows` by those of the other layout, which belong to the map until the
/// next call. Nothing changes when both layouts are the same. False when out of memory.
bool lithe_layout_map_apply(LitheLayoutMap *map, const double **frame, const double **rows,
                            int64_t *row_count);

/// A frame of the journal as one of the program; values that the journal does not have keep what
/// `own` has.
void lithe_layout_map_revert(const LitheLayoutMap *map, const double *frame, double *own);

#endif
