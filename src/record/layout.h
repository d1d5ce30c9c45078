// SPDX-License-Identifier: Apache-2.0
// record/layout.h - the content of a recording: a list of named columns, some per frame, some
// constant, and a table of contacts with a varying number of rows per frame
//
// Journal, HDF5 file and exports only handle columns, not rods or drives. A new kind of
// thing adds an owner with its rows (record/quantity.h), and nothing else changes.

#ifndef LITHE_RECORD_LAYOUT_H
#define LITHE_RECORD_LAYOUT_H

#include "lithe/base.h"
#include "record/bytes.h"

typedef enum LitheColumnKind {
    LITHE_COLUMN_REAL,
    LITHE_COLUMN_INTEGER, // whole numbers below 2^53, stored as doubles outside of the file
    LITHE_COLUMN_TEXT,    // constants only
} LitheColumnKind;

typedef struct LitheColumn {
    char *path; // "rods/rope/position"
    char *unit; // "m"; "1" for counts and texts
    char *axes; // "time node xyz" per frame; "contact xyz" in the table of contacts; "node xyz" of
                // a constant; "" for a single value
    LitheColumnKind kind;
    int32_t rank;    // axes beyond time, 0 to 2
    int64_t dims[2]; // their sizes
    int64_t count;   // product of dims: values per frame, per contact or of the constant
    int64_t offset;  // of the first value in a frame, or in a row of contacts; constants: -1
    double *values;  // [count] of a constant number, else NULL
    char *text;      // of a constant text, else NULL
} LitheColumn;

typedef struct LitheLayout {
    LitheContext *context;
    LitheColumn *columns;
    int32_t column_count, column_capacity;
    int32_t *slots;     // [slot_count] hash table of paths: number of the column, from 1; 0: empty
    int32_t slot_count; // a power of two, at least twice the columns; scenes may have many bodies
    int64_t frame_size; // doubles per frame
    // the table of contacts, which has any number of rows per frame
    LitheColumn *contact_columns;
    int32_t contact_column_count, contact_column_capacity;
    int64_t row_size; // doubles per row

    char *scene; // canonical scene text
    char *title;
    char *version; // of Lithe in this run
    double end;    // s, end time of the run
} LitheLayout;

void lithe_layout_release(LitheLayout *layout);

/// Columns keep the order in which they were added. `axes` has the name of each axis, "time" first
/// for values per frame; `dims` has the sizes of the others. Fails when the path exists already or
/// is invalid.
LitheStatus lithe_layout_add(LitheLayout *layout, const char *path, const char *unit,
                             const char *axes, LitheColumnKind kind, int32_t rank,
                             const int64_t *dims, LitheError *error);

/// Adds a constant: numbers, which are copied, or one text.
LitheStatus lithe_layout_add_constant(LitheLayout *layout, const char *path, const char *unit,
                                      const char *axes, LitheColumnKind kind, int32_t rank,
                                      const int64_t *dims, const double *values, LitheError *error);
LitheStatus lithe_layout_add_text(LitheLayout *layout, const char *path, const char *text,
                                  LitheError *error);

/// Adds a column of the table of contacts, or finds one (NULL: there is none). `axes` is "contact"
/// or "contact xyz".
LitheStatus lithe_layout_add_contact_column(LitheLayout *layout, const char *path, const char *unit,
                                            const char *axes, LitheColumnKind kind,
                                            LitheError *error);
const LitheColumn *lithe_layout_find_contact_column(const LitheLayout *layout, const char *path);

/// The column of a path, or NULL.
const LitheColumn *lithe_layout_find(const LitheLayout *layout, const char *path);

void lithe_layout_encode(const LitheLayout *layout, LitheBytes *bytes);

/// Reads untrusted bytes. Messages use `name` as the name of the file.
LitheStatus lithe_layout_decode(LitheContext *context, LitheByteReader *reader, const char *name,
                                LitheLayout *layout, LitheError *error);

#endif
