// SPDX-License-Identifier: Apache-2.0
// scene/read_constraint.c - places on anything, and chains

#include "base/status.h"
#include "math/quat.h"
#include "scene/arm.h"
#include "scene/chain.h"
#include "scene/entries.h"

#include <stdio.h>
#include <string.h>

// --- places --------------------------------------------------------------------------------------

// The site of this name; NULL: there is none, or a body has the name.
static const LitheSceneSite *site_of(const LitheReader *reader, const char *name) {
    return lithe_read_find(reader, LITHE_OBJECT_BODY, name)
               ? NULL
               : lithe_scene_find_site(reader->scene, name);
}

// "rope.end", "crate" or "world"
static bool read_on(LitheReader *reader, const LitheTreeNode *node, LitheAnchor *anchor) {
    if (!lithe_read_scalar(
            reader, node,
            "a place on a rod, a particle, a node of a solid, the name of a body, or "
            "world"))
        return false;
    if (strcmp(node->text, "world") == 0) {
        anchor->kind = LITHE_ANCHOR_WORLD;
        return true;
    }
    if (strpbrk(node->text, ".[")) {
        if (!lithe_read_place(reader, node, &anchor->place))
            return false;
        LitheThingKind thing = anchor->place.thing.kind;
        anchor->kind = thing == LITHE_THING_ROD         ? LITHE_ANCHOR_ROD
                       : thing == LITHE_THING_PARTICLES ? LITHE_ANCHOR_PARTICLES
                                                        : LITHE_ANCHOR_SOLID;
        return true;
    }
    if (lithe_read_find(reader, LITHE_OBJECT_ROD, node->text))
        return lithe_read_fail(reader, node, "'%.60s' is a rod: name a place on it, like %.60s.end",
                               node->text, node->text);
    if (lithe_read_find(reader, LITHE_OBJECT_PARTICLES, node->text))
        return lithe_read_fail(reader, node,
                               "'%.60s' is a set of particles: name one of them, like %.60s[0]",
                               node->text, node->text);
    int32_t solid = lithe_read_find(reader, LITHE_OBJECT_SOLID, node->text);
    if (solid) {
        anchor->kind = LITHE_ANCHOR_SOLID;
        anchor->place.thing = lithe_thing_solid((LitheSolidId){solid});
        anchor->place.kind = LITHE_PLACE_MEETING; // `at` makes it a given point
        return true;
    }
    int32_t set = lithe_read_find(reader, LITHE_OBJECT_SET, node->text);
    if (set && !lithe_read_find(reader, LITHE_OBJECT_BODY, node->text)) {
        LitheThing of = reader->scene->sets[set - 1].of;
        if (of.kind != LITHE_THING_SOLID)
            return lithe_read_fail(reader, node,
                                   "'%.60s' is a set: constraints tie single places, and sets of "
                                   "nodes of solids",
                                   node->text);
        anchor->kind = LITHE_ANCHOR_SOLID;
        anchor->place = (LithePlace){.thing = of, .kind = LITHE_PLACE_SET, .set = {set}};
        return true;
    }
    const LitheSceneSite *site = site_of(reader, node->text);
    anchor->kind = site && site->body.number == 0 ? LITHE_ANCHOR_WORLD : LITHE_ANCHOR_BODY;
    if (site) { // its frame follows when `at` and `rotate` are known
        anchor->body = site->body;
        return true;
    }
    return lithe_read_name(reader, node, LITHE_OBJECT_BODY, node->text, &anchor->body.number);
}

static bool read_one(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                     LitheAnchor *anchor) {
    *anchor = lithe_anchor_default();
    if (node->kind == LITHE_TREE_MAPPING)
        return lithe_read_mapping(reader, field->table, node, anchor);
    return read_on(reader, node, anchor);
}

// A solid with `at` is the material point there, without it the point where the other place is. On
// a site, `at` and `rotate` are in its frame.
static void finish_anchor(const LitheReader *reader, const LitheTreeNode *side,
                          LitheAnchor *anchor) {
    const LitheTreeNode *on = side;
    if (side && side->kind == LITHE_TREE_MAPPING)
        on = lithe_tree_find((LitheTreeNode *)side, "on");
    bool named = on && on->kind == LITHE_TREE_SCALAR &&
                 (anchor->kind == LITHE_ANCHOR_BODY || anchor->kind == LITHE_ANCHOR_WORLD);
    const LitheSceneSite *site = named ? site_of(reader, on->text) : NULL;
    if (site) {
        anchor->at = v3_add(site->at, q4_rotate(site->rotation, anchor->at));
        anchor->rotation = q4_unit(q4_mul(site->rotation, anchor->rotation));
    }
    bool meets = anchor->kind == LITHE_ANCHOR_SOLID && anchor->place.kind == LITHE_PLACE_MEETING;
    if (meets && side && side->kind == LITHE_TREE_MAPPING && lithe_tree_find(side, "at"))
        anchor->place.kind = LITHE_PLACE_INSIDE;
}

static bool read_list(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                      void *base) {
    LitheAnchor *anchors = lithe_read_items(reader, node, "a list of places", sizeof *anchors);
    if (!anchors)
        return false;
    int32_t i = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next, i++) {
        size_t length = lithe_read_enter_index(reader, i);
        if (!read_one(reader, field, child, &anchors[i]))
            return false;
        finish_anchor(reader, child, &anchors[i]);
        lithe_read_leave(reader, length);
    }
    *(const LitheAnchor **)((char *)base + field->offset) = anchors;
    *(int32_t *)((char *)base + field->also) = node->count;
    return true;
}

bool lithe_read_anchor(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                       void *base) {
    if (field->type == LITHE_FIELD_ANCHOR_ON)
        return read_on(reader, node, base);
    if (field->type == LITHE_FIELD_ANCHORS)
        return read_list(reader, field, node, base);
    return read_one(reader, field, node, (LitheAnchor *)((char *)base + field->offset));
}

// In a def, a length of 0 means the length at the time when the constraint is switched on. A scene
// file omits the key instead.
bool lithe_finish_constraint(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    LitheConstraintDef *def = entry;
    finish_anchor(reader, lithe_tree_find(node, "a"), &def->a);
    finish_anchor(reader, lithe_tree_find(node, "b"), &def->b);
    const LitheTreeNode *length = lithe_tree_find(node, "length");
    if (!length || def->length != 0)
        return true;
    return lithe_read_fail(reader, length,
                           "length is 0 m, must be > 0 (kind attach keeps two places together; "
                           "without a length it is the distance when switched on)");
}

// --- objects -------------------------------------------------------------------------------------

// the node at "shape.line.to" below `node`, or its deepest existing ancestor
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

// the outcome of an object that became others; `key` is the wrong one
static bool made(LitheReader *reader, const LitheTreeNode *node, LitheStatus status,
                 const char *key, const LitheError *cause) {
    if (status == LITHE_OK)
        return true;
    reader->status =
        status == LITHE_BAD_INPUT
            ? lithe_tree_fail(reader->tree, node_at(node, key), reader->error, "%s", cause->text)
            : lithe_fail(reader->error, status, "%s", cause->text);
    return false;
}

bool lithe_add_chain(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    LitheChainDef *def = entry;
    if (def->shape.kind == LITHE_SHAPE_FILE && !lithe_read_point_file(reader, node, &def->shape))
        return false;
    LitheError cause = {0};
    char key[128];
    LitheStatus status = lithe_chain_expand(reader->scene, def, key, sizeof key, &cause);
    return made(reader, node, status, key, &cause);
}

bool lithe_add_arm(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    LitheError cause = {0};
    char key[128];
    LitheStatus status = lithe_arm_expand(reader->scene, entry, key, sizeof key, &cause);
    return made(reader, node, status, key, &cause);
}
