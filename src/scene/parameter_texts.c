// SPDX-License-Identifier: Apache-2.0
// scene/parameter_texts.c - the parameters of a scene file as they are written

#include "scene/parameter_texts.h"

#include "base/memory.h"
#include "base/status.h"
#include "scene/tree.h"

#include <stdio.h>

static char *read_file(LitheContext *context, const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        if (size > 0 && (size_t)size <= LITHE_TREE_MAX_BYTES)
            text = lithe_alloc(context, (size_t)size);
        if (text)
            *length = fread(text, 1, (size_t)size, file);
    }
    fclose(file);
    return text;
}

LitheStatus lithe_parameter_texts(LitheContext *context, const char *path,
                                  bool (*take)(const char *name, const char *text, void *user),
                                  void *user, LitheError *error) {
    size_t length = 0;
    char *text = read_file(context, path, &length);
    if (!text)
        return LITHE_OK;
    LitheYaml tree;
    LitheTreeNode *root = NULL;
    int32_t file = 0;
    lithe_tree_begin(&tree, context);
    LitheStatus status = lithe_tree_add_file(&tree, path, NULL, &file, error);
    if (status == LITHE_OK)
        status = lithe_tree_parse(&tree, file, text, length, false, &root, error);
    const LitheTreeNode *all = NULL;
    if (status == LITHE_OK && root && root->kind == LITHE_TREE_MAPPING)
        all = lithe_tree_find(root, "parameters");
    for (const LitheTreeNode *node = all ? all->first : NULL; node && status == LITHE_OK;
         node = node->next)
        if (node->kind == LITHE_TREE_SCALAR && node->key && !take(node->key, node->text, user))
            status = lithe_fail_memory(error, "parameters");
    lithe_tree_end(&tree);
    lithe_free(context, text);
    return status;
}
