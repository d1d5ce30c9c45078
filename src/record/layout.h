// SPDX-License-Identifier: Apache-2.0
// record/layout.h - what a recording holds: a list of named columns, some per frame, some constant,
// and a table of contacts with a varying number of rows a frame
//
// Journal, HDF5 file and exports know nothing of rods or drives: they carry columns. A new kind of
// body adds an owner with its rows (record/quantity.h), and nothing else changes.

#ifndef LITHE_RECORD_LAYOUT_H
#define LITHE_RECORD_LAYOUT_H

#include "lithe/base.h"
#include "record/bytes.h"

typedef enum LitheColumnKind {
    LITHE_COLUMN_REAL,
    LITHE_COLUMN_INTEGER, // whole numbers below 2^53, carried as doubles until they reach the file
    LITHE_COLUMN_TEXT,    // constants only
} LitheColumnKind;

typedef struct LitheColumn {
    char *path; // "rods/rope/position"
    char *unit; // "m"; "1" for counts and texts
    char *axes; // "time node xyz"; "contact xyz" of rows; constants begin with neither; "": one
    LitheColumnKind kind;
    int32_t rank;    // axes beyond time, 0 to 2
    int64_t dims[2]; // their sizes
    int64_t count;   // product of dims: values a frame
    int64_t offset;  // of the first value in a frame; constants: -1
    double *values;  // [count] of a constant number, else NULL
    char *text;      // of a constant text, else NULL
} LitheColumn;

typedef struct LitheLayout {
    LitheContext *context;
    LitheColumn *columns;
    int32_t column_count, column_capacity;
    int32_t *slots;     // [slot_count] numbers of columns from 1 by their paths; 0: empty
    int32_t slot_count; // a power of two, at least twice the columns; scenes may have many bodies
    int64_t frame_size; // doubles a frame
    LitheColumn *rows;  // columns of a table that has some rows a frame: as many as touch
    int32_t row_column_count, row_column_capacity;
    int64_t row_size; // doubles a row
    char *scene;      // canonical scene text
    char *title;
    char *version; // of the Lithe that simulates
    double end;    // s, where the run is to end
} LitheLayout;

void lithe_layout_release(LitheLayout *layout);

/// Columns keep the order in which they were added. `axes` names each axis, "time" first for what
/// changes; sizes of the others in `dims`. Fails on a path that is taken or cannot be a path.
LitheStatus lithe_layout_add(LitheLayout *layout, const char *path, const char *unit,
                             const char *axes, LitheColumnKind kind, int32_t rank,
                             const int64_t *dims, LitheError *error);

/// Constants: numbers (copied), or one text.
LitheStatus lithe_layout_add_constant(LitheLayout *layout, const char *path, const char *unit,
                                      const char *axes, LitheColumnKind kind, int32_t rank,
                                      const int64_t *dims, const double *values, LitheError *error);
LitheStatus lithe_layout_add_text(LitheLayout *layout, const char *path, const char *text,
                                  LitheError *error);

/// A column of the table of contacts: `axes` is "contact" or "contact xyz"; `offset` lies in a row.
LitheStatus lithe_layout_add_row(LitheLayout *layout, const char *path, const char *unit,
                                 const char *axes, LitheColumnKind kind, LitheError *error);
const LitheColumn *lithe_layout_find_row(const LitheLayout *layout, const char *path);

/// NULL: no such path.
const LitheColumn *lithe_layout_find(const LitheLayout *layout, const char *path);

void lithe_layout_encode(const LitheLayout *layout, LitheBytes *bytes);

/// From untrusted bytes. `name` stands for the file in messages.
LitheStatus lithe_layout_decode(LitheContext *context, LitheByteReader *reader, const char *name,
                                LitheLayout *layout, LitheError *error);

#endif
