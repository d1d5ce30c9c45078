// SPDX-License-Identifier: Apache-2.0
// scene/library.h - the table of the library (library_data.c), and what the reader of scenes needs

#ifndef LITHE_SCENE_LIBRARY_H
#define LITHE_SCENE_LIBRARY_H

#include "lithe/library.h"
#include "scene/fields.h"

/// The keys that entries have values for.
typedef enum LitheLibraryKey {
    LITHE_LIB_YOUNG,
    LITHE_LIB_POISSON,
    LITHE_LIB_SHEAR,
    LITHE_LIB_DENSITY,
    LITHE_LIB_YIELD,
    LITHE_LIB_EA,
    LITHE_LIB_EI,
    LITHE_LIB_GJ,
    LITHE_LIB_MASS,
    LITHE_LIB_RADIUS,
} LitheLibraryKey;

typedef struct LitheLibraryNumber {
    LitheLibraryKey key;
    const char *source; // NULL ends the list
    double low, high;   // SI; high 0: no range
} LitheLibraryNumber;

typedef struct LitheLibraryRow {
    const char *name, *about;
    LitheLibraryKind kind;
    LitheLibraryNumber values[LITHE_LIBRARY_VALUES];
} LitheLibraryRow;

extern const LitheLibraryRow lithe_library_rows[];
extern const int32_t lithe_library_size;

/// The names of this kind (-1: of all) nearest to a mistyped one, at most three: "steel,
/// steel-s235"; or "".
const char *lithe_library_meant(const char *wrong, int kind, char *text, size_t size);

/// Writes the values of an entry to the members of `base` that `table` has for them, and sets the
/// bits of these keys in `given`.
void lithe_library_apply(int32_t index, const LitheTable *table, void *base, uint32_t *given);

#endif
