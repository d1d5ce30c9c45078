// SPDX-License-Identifier: Apache-2.0
// record/equal_groups.h - columns group by group; groups of equal constants are stored once

#ifndef LITHE_RECORD_EQUAL_GROUPS_H
#define LITHE_RECORD_EQUAL_GROUPS_H

#include "record/layout.h"

/// A column in the order of paths, in which the columns of a group follow each other.
typedef struct LitheOrdered {
    const char *path;
    int32_t column; // its number; those of the table of contacts follow the others
    // a group that starts with this column and equals an earlier one, so that it is a second name
    // of that one:
    int32_t count;        // its columns; 0: there is no such group
    int32_t length;       // of its path, at the front of `path`
    int32_t first;        // entry where the earlier group starts
    int32_t first_length; // of the path of that group
} LitheOrdered;

/// Orders all columns by their paths, and finds groups of constants, with all groups inside of
/// them, that equal an earlier group in the names and values of all columns, the outermost ones
/// only. `same` is from lithe_equal_constants. `ordered` has an entry for each column, with those
/// of the table of contacts. False when out of memory.
bool lithe_equal_groups(const LitheLayout *layout, const int32_t *same, LitheOrdered *ordered);

#endif
