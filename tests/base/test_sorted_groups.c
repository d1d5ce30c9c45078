// SPDX-License-Identifier: Apache-2.0
// tests/base/test_sorted_groups.c - objects sorted by their groups

#include "test.h"

#include "base/groups.h"
#include "base/memory.h"

TEST(groups_keep_the_order_of_their_objects) {
    LitheContext *context = lithe_context_create(NULL);
    const int32_t of[] = {2, 0, -1, 2, 2, 0};
    const int32_t wanted[4][3] = {{1, 5}, {0}, {0, 3, 4}, {0}}, counts[4] = {2, 0, 3, 0};
    LitheGroups groups = {0};
    FATAL(lithe_groups_make(context, 4, of, 6, &groups));
    for (int32_t g = 0; g < 4; g++) {
        LitheNumbers own = lithe_groups_of(&groups, g);
        CHECK(own.count == counts[g]);
        for (int32_t i = 0; i < own.count && i < 3; i++)
            CHECK(own.list[i] == wanted[g][i]);
    }
    lithe_groups_free(context, &groups);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(no_objects_are_in_no_group) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGroups groups = {0};
    FATAL(lithe_groups_make(context, 3, NULL, 0, &groups));
    for (int32_t g = 0; g < 3; g++)
        CHECK(lithe_groups_of(&groups, g).count == 0);
    lithe_groups_free(context, &groups);
    lithe_context_destroy(context);
}
