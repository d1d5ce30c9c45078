// SPDX-License-Identifier: Apache-2.0
// lithe/library.h - materials, and ropes, cables and hoses, by name, with published values
//
// Each value has its source. What no source states is not there.

#ifndef LITHE_LIBRARY_H
#define LITHE_LIBRARY_H

#include "lithe/base.h"
#include "lithe/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an entry describes.
typedef enum LitheLibraryKind {
    LITHE_LIBRARY_MATERIAL, ///< young, poisson, .. of a material
    LITHE_LIBRARY_LINE, ///< EA, EI, .. of a rope, cable or hose: a section of measured stiffnesses
} LitheLibraryKind;

/// One value, as the key of scene files that it is for.
typedef struct LitheLibraryValue {
    const char *key;    ///< "young", "EA", ..
    const char *unit;   ///< "Pa", ..; "" for a number
    double value;       ///< that `from` takes, SI
    double low, high;   ///< the published range, whose middle is `value`; both `value` without one
    const char *source; ///< citation
} LitheLibraryValue;

enum { LITHE_LIBRARY_VALUES = 8 }; ///< max number of values of an entry

typedef struct LitheLibraryEntry {
    const char *name;  ///< "steel-s235"
    const char *about; ///< one line
    LitheLibraryKind kind;
    int32_t value_count;
    LitheLibraryValue values[LITHE_LIBRARY_VALUES];
} LitheLibraryEntry;

/// Number of entries, materials first.
LITHE_API int32_t lithe_library_count(void);

/// Entry `index` from 0.
LITHE_API LitheLibraryEntry lithe_library_at(int32_t index);

/// The entry with this name, or -1.
LITHE_API int32_t lithe_library_find(const char *name);

/// Sets the members of `def` for which a material of the library has values; the others stay. False
/// when there is no material with this name.
LITHE_API bool lithe_library_material(const char *name, LitheMaterialDef *def);

/// The same for a rope, cable or hose; the kind of the section becomes LITHE_SECTION_STIFFNESS.
LITHE_API bool lithe_library_section(const char *name, LitheSectionDef *def);

#ifdef __cplusplus
}
#endif

#endif
