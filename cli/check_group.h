// SPDX-License-Identifier: Apache-2.0
// cli/check_group.h - lithe check: tables of things, of which equal ones are printed once

#ifndef LITHE_CLI_CHECK_GROUP_H
#define LITHE_CLI_CHECK_GROUP_H

#include "cli/cli.h"

/// A text that grows.
typedef struct LitheCliText {
    char *text;
    size_t length, capacity;
} LitheCliText;

/// The tables of all things of one kind. Zero except for the first four members to begin with; ends
/// the program when out of memory.
typedef struct LitheCliGroups {
    const char *one, *many; // "rod", "rods"
    const char *apart;      // where equal things are, ", elsewhere"; NULL: is not said
    bool folded;            // of things with numbered names only the first unequal one is printed
    LitheCliFold fold;
    LitheCliText shown, key; // of the thing that is being described
    struct LitheCliGroup *groups;
    int32_t group_count, group_capacity;
    struct LitheCliMember *members;
    int32_t member_count, member_capacity;
    int32_t thing_count;
    int32_t *table; // groups by the hash of their keys, -1: empty; table_size is a power of two
    int32_t table_size;
} LitheCliGroups;

/// Adds a line to the table of the current thing. Things whose lines are equal are one group.
void lithe_cli_put(LitheCliGroups *all, const char *format, ...) LITHE_PRINTF(2, 3);

/// The same for lines, or parts of lines, that may differ within a group: names, places.
void lithe_cli_put_own(LitheCliGroups *all, const char *format, ...) LITHE_PRINTF(2, 3);

/// A property that is not printed, but equal within a group.
void lithe_cli_put_key(LitheCliGroups *all, const char *format, ...) LITHE_PRINTF(2, 3);

/// Ends the table of a thing. `name` has to live until lithe_cli_groups_end.
void lithe_cli_group(LitheCliGroups *all, const char *name);

/// Prints the table of the first thing of every group and the names of the others; frees
/// everything.
void lithe_cli_groups_end(LitheCliGroups *all);

#endif
