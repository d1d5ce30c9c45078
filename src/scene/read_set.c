// SPDX-License-Identifier: Apache-2.0
// scene/read_set.c - sets of vertices and edges in scene files: one key gives the members

#include "scene/entries.h"

// Exactly one key gives the members.
bool lithe_finish_set(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    LitheSetDef *set = entry;
    const LitheTreeNode *given = NULL;
    for (int i = 0; i < LITHE_REGION_KEYS; i++) {
        const LitheTreeNode *child = lithe_tree_find(node, lithe_region_keys[i]);
        if (!child)
            continue;
        if (given)
            return lithe_read_fail(reader, child, "%s and %s are both given, one is expected",
                                   given->key, child->key);
        given = child;
        set->region.kind = (LitheRegionKind)i;
    }
    return given != NULL ||
           lithe_read_fail(reader, node,
                           "one of list, box, sphere, plane and cylinder is expected");
}

// Writes the one key that gives the members.
void lithe_write_set(LitheWriter *w, const LitheTable *table, void *entry, const void *defaults) {
    const LitheSetDef *set = entry;
    const LitheField fields[] = {
        *lithe_field_find(table, "of"),
        *lithe_field_find(table, "what"),
        *lithe_field_find(table, lithe_region_keys[set->region.kind]),
    };
    const LitheTable used = {table->name, fields, 3};
    lithe_write_object(w, set->name, &used, set, defaults);
}
