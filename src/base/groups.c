// SPDX-License-Identifier: Apache-2.0
// base/groups.c - which of many objects belong to which group, in their order

#include "base/groups.h"

#include "base/memory.h"

bool lithe_groups_make(LitheContext *context, int32_t group_count, const int32_t *of, int32_t count,
                       LitheGroups *groups) {
    groups->first = lithe_alloc_array(context, (int64_t)group_count + 1, sizeof *groups->first);
    groups->list = lithe_alloc_array(context, count, sizeof *groups->list);
    if (!groups->first || !groups->list)
        return false;

    // sizes, then the end of each group, which the objects from the last on move to its beginning
    for (int32_t i = 0; i < count; i++)
        if (of[i] >= 0)
            groups->first[of[i]]++;
    for (int32_t g = 1; g <= group_count; g++)
        groups->first[g] += groups->first[g - 1];
    for (int32_t i = count - 1; i >= 0; i--)
        if (of[i] >= 0)
            groups->list[--groups->first[of[i]]] = i;
    return true;
}

void lithe_groups_free(LitheContext *context, LitheGroups *groups) {
    lithe_free(context, groups->first);
    lithe_free(context, groups->list);
    *groups = (LitheGroups){0};
}
