// SPDX-License-Identifier: Apache-2.0
// scene/override.c - finds the place of an override along the tables and sets its value

#include "scene/override.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"
#include "base/text.h"
#include "scene/fields.h"

#include <stdio.h>
#include <string.h>

typedef struct Setter {
    LitheYaml *tree;
    LitheError *error;
    int32_t file; // shown as "--set PATH" in messages
} Setter;

static LitheStatus fail(const Setter *s, const char *text) {
    LitheTreeNode at = {.file = s->file};
    return lithe_tree_fail(s->tree, &at, s->error, "%s", text);
}

static LitheTreeNode *make_mapping(const Setter *s, const char *key) {
    LitheTreeNode *node = lithe_arena_push(&s->tree->arena, 1, sizeof *node);
    if (node)
        *node =
            (LitheTreeNode){.kind = LITHE_TREE_MAPPING, .file = s->file, .key = key, .text = ""};
    return node;
}

// No object or parameter has this name: the message lists the existing ones.
static LitheStatus fail_no_object(const Setter *s, const char *name, const char *kind,
                                  const LitheTreeNode *mapping) {
    char text[500];
    int32_t count = mapping && mapping->kind == LITHE_TREE_MAPPING ? mapping->count : 0;
    const char **names = lithe_arena_push(&s->tree->arena, count + 1, sizeof *names);
    if (!names)
        return lithe_fail_memory(s->error, "a list of names");
    count = 0;
    for (const LitheTreeNode *child = mapping ? mapping->first : NULL; child; child = child->next)
        if (child->key)
            names[count++] = child->key;
    snprintf(text, sizeof text, "no %s named '%.60s'", kind, name);
    lithe_known_text(name, names, count, text, sizeof text);
    return fail(s, text);
}

static LitheStatus fail_unknown(const Setter *s, const char *key, const LitheTable *table) {
    char text[500];
    snprintf(text, sizeof text, "%.60s: unknown key in %s", key, table->name);
    lithe_known_key_text(key, table, text, sizeof text);
    return fail(s, text);
}

// Replaces the child's value, or adds it.
static void put(LitheTreeNode *parent, LitheTreeNode *child, const char *key,
                LitheTreeNode *value) {
    value->key = key;
    if (!child) {
        lithe_tree_append(parent, value);
        return;
    }
    LitheTreeNode *next = child->next;
    *child = *value;
    child->next = next;
}

// whether each name below this key has a value, not a mapping
static bool has_values(const LitheField *field) {
    return field->type == LITHE_FIELD_PARAMETERS || field->type == LITHE_FIELD_POSITIONS ||
           field->type == LITHE_FIELD_REPEAT;
}

static bool has_parts(const LitheField *field) {
    return field->table != NULL || has_values(field);
}

// Descends one level from a mapping with `table`. If `value` is not NULL, it is set here.
static LitheStatus step_key(const Setter *s, const LitheTable *table, LitheTreeNode *node,
                            const char *key, LitheTreeNode *value, const LitheField **field,
                            LitheTreeNode **child) {
    char text[300];
    *field = lithe_field_find(table, key);
    if (!*field)
        return fail_unknown(s, key, table);
    if ((*field)->type == LITHE_FIELD_VERSION || (*field)->type == LITHE_FIELD_INCLUDE) {
        snprintf(text, sizeof text, "%s cannot be set", key);
        return fail(s, text);
    }
    *child = lithe_tree_find(node, key);
    if (value) {
        put(node, *child, (*field)->key, value);
        return LITHE_OK;
    }
    if (!has_parts(*field) || (*child && (*child)->kind != LITHE_TREE_MAPPING)) {
        snprintf(text, sizeof text, "%s has no parts %s", key,
                 has_parts(*field) ? "in this scene" : "");
        return fail(s, text);
    }
    if (!*child) {
        *child = make_mapping(s, (*field)->key);
        if (!*child)
            return lithe_fail_memory(s->error, "a value");
        lithe_tree_append(node, *child);
    }
    return LITHE_OK;
}

// Sets the value at `path`, which is split into its parts in place.
static LitheStatus set(const Setter *s, LitheTreeNode *root, char *path, LitheTreeNode *value) {
    const LitheTable *table = &lithe_scene_table;
    LitheTreeNode *node = root;
    bool names = false;             // the next part is a name, not a key
    const LitheField *field = NULL; // of `node`
    for (char *part = path, *next; part; part = next) {
        char *dot = strchr(part, '.');
        next = dot ? dot + 1 : NULL;
        if (dot)
            *dot = '\0';
        LitheTreeNode *now = next ? NULL : value, *child = NULL;
        if (!names) {
            LitheStatus status = step_key(s, table, node, part, now, &field, &child);
            if (status != LITHE_OK)
                return status;
            names = field->type == LITHE_FIELD_OBJECTS || has_values(field);
            table = field->table;
        } else {
            // a joint may be named here for the first time
            bool first = field->type == LITHE_FIELD_POSITIONS;
            child = lithe_tree_find(node, part);
            if (!child && !first)
                return fail_no_object(s, part,
                                      field->type == LITHE_FIELD_REPEAT ? "counter"
                                      : has_values(field)               ? "parameter"
                                                                        : table->name,
                                      node);
            if (next && (has_values(field) || child->kind != LITHE_TREE_MAPPING))
                return fail(s, "the path continues after a value");
            if (now)
                put(node, child, child ? child->key : part, now);
            names = false;
        }
        node = child;
    }
    return LITHE_OK;
}

LitheStatus lithe_override(LitheYaml *tree, LitheTreeNode *root, const char *text,
                           LitheError *error) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return lithe_fail(error, LITHE_BAD_INPUT, "--set %.200s: PATH=VALUE is expected", text);
    size_t length = (size_t)(equals - text);
    char *path = lithe_arena_push(&tree->arena, (int64_t)length + 1, 1);
    char *name = lithe_arena_push(&tree->arena, (int64_t)length + 8, 1);
    if (!path || !name)
        return lithe_fail_memory(error, "an override");
    memcpy(path, text, length);
    path[length] = '\0';
    snprintf(name, length + 8, "--set %s", path);
    lithe_text_tame(name);

    // files of an override are searched where those of the scene are
    Setter s = {.tree = tree, .error = error};
    LitheStatus status = lithe_tree_add_file(tree, name, tree->folders[0], &s.file, error);
    LitheTreeNode *value = NULL;
    if (status == LITHE_OK)
        status =
            lithe_tree_parse(tree, s.file, equals + 1, strlen(equals + 1), true, &value, error);
    if (status == LITHE_OK && !value)
        status = fail(&s, "has no value");
    return status == LITHE_OK ? set(&s, root, path, value) : status;
}
