// SPDX-License-Identifier: Apache-2.0
// scene/read_constraint.c - places on anything, constraints and chains

#include "base/status.h"
#include "scene/chain.h"
#include "scene/check.h"
#include "scene/read.h"

#include <stdio.h>
#include <string.h>

// --- places --------------------------------------------------------------------------------------

// "rope.end", "crate" or "world"
static bool read_on(LitheReader *reader, const LitheTreeNode *node, LitheAnchor *anchor) {
    const LitheScene *scene = reader->scene;
    if (!lithe_read_scalar(reader, node, "a place on a rod, the name of a body, or world"))
        return false;
    if (strcmp(node->text, "world") == 0) {
        anchor->kind = LITHE_ANCHOR_WORLD;
        return true;
    }
    if (strpbrk(node->text, ".[")) {
        anchor->kind = LITHE_ANCHOR_ROD;
        return lithe_read_place(reader, node, &anchor->place);
    }
    for (int32_t i = 0; i < scene->rod_count; i++)
        if (strcmp(scene->rods[i].name, node->text) == 0)
            return lithe_read_fail(reader, node,
                                   "'%.60s' is a rod: name a place on it, like %.60s.end",
                                   node->text, node->text);
    anchor->kind = LITHE_ANCHOR_BODY;
    return lithe_read_name(reader, node, node->text, "body", reader->bodies, scene->body_count,
                           &anchor->body.number);
}

bool lithe_read_anchor(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                       void *base) {
    if (field->type == LITHE_FIELD_ANCHOR_ON)
        return read_on(reader, node, base);
    LitheAnchor *anchor = (LitheAnchor *)((char *)base + field->offset);
    *anchor = lithe_anchor_default();
    if (node->kind == LITHE_TREE_MAPPING)
        return lithe_read_mapping(reader, field->table, node, anchor);
    return read_on(reader, node, anchor);
}

// --- objects -------------------------------------------------------------------------------------

bool lithe_add_constraint(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node) {
    LitheConstraintDef def = lithe_constraint_def_default();
    def.name = node->key;
    return lithe_read_mapping(reader, table, node, &def) &&
           (lithe_scene_add_constraint(reader->scene, &def).number ||
            lithe_read_fail_memory(reader));
}

// the node at "shape.line.to" below `node`, or as much of it as there is
static const LitheTreeNode *node_at(const LitheTreeNode *node, const char *path) {
    while (*path && node->kind == LITHE_TREE_MAPPING) {
        char key[64];
        size_t length = strcspn(path, ".[");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        const LitheTreeNode *child = lithe_tree_find(node, key);
        if (!child)
            break;
        node = child;
        path += length + (path[length] == '.');
    }
    return node;
}

bool lithe_add_chain(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node) {
    LitheChainDef def = lithe_chain_def_default();
    def.name = node->key;
    if (!lithe_read_mapping(reader, table, node, &def))
        return false;
    if (def.shape.kind == LITHE_SHAPE_FILE && !lithe_read_point_file(reader, node, &def.shape))
        return false;
    LitheError cause = {0};
    char key[128];
    LitheStatus status = lithe_chain_expand(reader->scene, &def, key, sizeof key, &cause);
    if (status == LITHE_OK)
        return true;
    reader->status =
        status == LITHE_BAD_INPUT
            ? lithe_tree_fail(reader->tree, node_at(node, key), reader->error, "%s", cause.text)
            : lithe_fail(reader->error, status, "%s", cause.text);
    return false;
}
