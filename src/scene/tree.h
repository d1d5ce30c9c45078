// SPDX-License-Identifier: Apache-2.0
// scene/tree.h - a YAML text as a tree of mappings, sequences and scalars with their places
//
// It is independent of physics. The limits against hostile texts are here: size, depth, aliases,
// encoding, repeated keys.

#ifndef LITHE_SCENE_TREE_H
#define LITHE_SCENE_TREE_H

#include "base/arena.h"
#include "lithe/base.h"

/// Largest file read [bytes].
#define LITHE_TREE_MAX_BYTES ((size_t)64 << 20)

typedef enum LitheTreeKind {
    LITHE_TREE_SCALAR,
    LITHE_TREE_SEQUENCE,
    LITHE_TREE_MAPPING,
} LitheTreeKind;

/// One value. Lives in the arena of the tree, with all its text.
typedef struct LitheTreeNode {
    LitheTreeKind kind;
    int32_t file; // index into LitheYaml.files
    int32_t line, column;
    int32_t key_line, key_column; // of the key, when it is a mapping's value
    int32_t count;                // children
    const char *key;              // when it is a mapping's value
    const char *text;             // of a scalar
    bool quoted;                  // a scalar in quotes or a block: never a null
    struct LitheTreeNode *first, *last, *next;
} LitheTreeNode;

/// The files of a scene and the memory of their nodes.
typedef struct LitheYaml {
    LitheContext *context;
    LitheArena arena;
    char **files; // as messages name them
    int32_t file_count, file_capacity;
    char **folders; // of each file: where the files that it refers to are; NULL: none
    int32_t folder_capacity;
    int64_t node_count; // so far, of all files
    int64_t copy_count; // made by aliases
} LitheYaml;

void lithe_tree_begin(LitheYaml *tree, LitheContext *context);
void lithe_tree_end(LitheYaml *tree);

/// Adds a file name and its folder (may be NULL); the index in `file`.
LitheStatus lithe_tree_add_file(LitheYaml *tree, const char *name, const char *folder,
                                int32_t *file, LitheError *error);

/// Parses `text` as file number `file`. An empty text gives a NULL root. With `no_places` (the
/// value of an override) nodes get line 0.
LitheStatus lithe_tree_parse(LitheYaml *tree, int32_t file, const char *text, size_t length,
                             bool no_places, LitheTreeNode **root, LitheError *error);

/// The child with this key, or NULL.
LitheTreeNode *lithe_tree_find(const LitheTreeNode *mapping, const char *key);

/// Appends to a mapping or sequence.
void lithe_tree_append(LitheTreeNode *parent, LitheTreeNode *child);

/// Fails with the place of a node: that of a scalar's value or of a collection's key.
LitheStatus lithe_tree_fail(const LitheYaml *tree, const LitheTreeNode *node, LitheError *error,
                            const char *format, ...) LITHE_PRINTF(4, 5);

#endif
