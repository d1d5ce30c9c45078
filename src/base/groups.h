// SPDX-License-Identifier: Apache-2.0
// base/groups.h - which of many objects belong to which group, in their order

#ifndef LITHE_BASE_GROUPS_H
#define LITHE_BASE_GROUPS_H

#include "lithe/base.h"

typedef struct LitheGroups {
    int32_t *first; // [group_count + 1] places in `list`
    int32_t *list;  // objects, those of a group together
} LitheGroups;

/// The numbers of the objects of one group.
typedef struct LitheNumbers {
    const int32_t *list; // [count]
    int32_t count;
} LitheNumbers;

/// Sorts `count` objects by the number of their group in `of` (-1: none), in time linear in both.
/// False when out of memory; free even then.
bool lithe_groups_make(LitheContext *context, int32_t group_count, const int32_t *of, int32_t count,
                       LitheGroups *groups);
void lithe_groups_free(LitheContext *context, LitheGroups *groups);

static inline LitheNumbers lithe_groups_of(const LitheGroups *groups, int32_t group) {
    int32_t first = groups->first[group];
    return (LitheNumbers){groups->list + first, groups->first[group + 1] - first};
}

#endif
