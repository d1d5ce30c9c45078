// SPDX-License-Identifier: Apache-2.0
// scene/tree.c - turns libfyaml's events into a tree, with limits against hostile texts

#include "scene/tree.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// deeper than any scene, shallow enough for every recursive walk
#define MAX_DEPTH 64
// enough for rods of a million points; about 128 bytes each
#define MAX_NODES 5000000
// max nodes copied by aliases: nine hostile lines can request billions
#define MAX_COPIES 1000000
#define MAX_ANCHORS 1000

void lithe_tree_begin(LitheYaml *tree, LitheContext *context) {
    *tree = (LitheYaml){.context = context};
    lithe_arena_begin(&tree->arena, context);
}

void lithe_tree_end(LitheYaml *tree) {
    for (int32_t i = 0; i < tree->file_count; i++) {
        lithe_free(tree->context, tree->files ? tree->files[i] : NULL);
        lithe_free(tree->context, tree->folders[i]);
    }
    lithe_free(tree->context, tree->files);
    lithe_free(tree->context, tree->folders);
    lithe_arena_end(&tree->arena);
}

LitheStatus lithe_tree_add_file(LitheYaml *tree, const char *name, const char *folder,
                                int32_t *file, LitheError *error) {
    int64_t needed = (int64_t)tree->file_count + 1;
    if (!LITHE_RESERVE(tree->context, tree->files, tree->file_capacity, needed) ||
        !LITHE_RESERVE(tree->context, tree->folders, tree->folder_capacity, needed))
        return lithe_fail_memory(error, "a list of files");
    char *own_name = lithe_alloc_text(tree->context, name);
    char *own_folder = lithe_alloc_text(tree->context, folder);
    if (!own_name || (folder && !own_folder)) {
        lithe_free(tree->context, own_name);
        lithe_free(tree->context, own_folder);
        return lithe_fail_memory(error, "a file name");
    }
    tree->files[tree->file_count] = own_name;
    tree->folders[tree->file_count] = own_folder;
    *file = tree->file_count++;
    return LITHE_OK;
}

LitheTreeNode *lithe_tree_find(const LitheTreeNode *mapping, const char *key) {
    for (LitheTreeNode *child = mapping->first; child; child = child->next)
        if (child->key && strcmp(child->key, key) == 0)
            return child;
    return NULL;
}

void lithe_tree_append(LitheTreeNode *parent, LitheTreeNode *child) {
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

LitheStatus lithe_tree_fail(const LitheYaml *tree, const LitheTreeNode *node, LitheError *error,
                            const char *format, ...) {
    char text[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lithe_text_tame(text);
    bool at_key = node->kind != LITHE_TREE_SCALAR && node->key;
    return lithe_fail_at(error, LITHE_BAD_INPUT, tree->files[node->file],
                         at_key ? node->key_line : node->line,
                         at_key ? node->key_column : node->column, "%s", text);
}

// --- encoding ------------------------------------------------------------------------------------

static LitheStatus check_encoding(const char *file, const char *text, size_t length,
                                  LitheError *error) {
    if (length > LITHE_TREE_MAX_BYTES)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: has %zu bytes, a scene may have %zu", file,
                          length, LITHE_TREE_MAX_BYTES);
    size_t at = lithe_utf8_good(text, length);
    if (at == length)
        return LITHE_OK;
    if (length >= 8 && memcmp(text, "\x89HDF\r\n\x1a\n", 8) == 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: is a recording (HDF5), not a scene: lithe view, export, plot and "
                          "resume take it",
                          file);
    if (length >= 8 && memcmp(text, "LITHEJ\r\n", 8) == 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: is the journal of a run, not a scene: lithe resume takes it", file);
    if (length >= 8 && memcmp(text, "LITHEC\r\n", 8) == 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: is a checkpoint of a run, not a scene",
                          file);
    int32_t line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
    }
    return lithe_fail_at(error, LITHE_BAD_INPUT, file, line, column,
                         "byte 0x%02x: not a text in UTF-8", (unsigned char)text[at]);
}

// --- building ------------------------------------------------------------------------------------

typedef struct Anchor {
    const char *name;
    LitheTreeNode *node; // NULL until it is complete: an alias inside itself finds nothing
} Anchor;

typedef struct Builder {
    LitheYaml *tree;
    LitheError *error;
    const char *source;
    size_t source_length;
    int32_t file;
    bool no_places;
    LitheTreeNode *root;
    LitheTreeNode *open[MAX_DEPTH]; // collections around the current event
    int32_t open_anchor[MAX_DEPTH]; // their anchors, -1 for none
    int32_t depth;
    const LitheTreeNode *key; // the scalar read as key, waiting for its value
    Anchor anchors[MAX_ANCHORS];
    int32_t anchor_count;
    int32_t documents;
} Builder;

static LitheTreeNode *make_node(Builder *b, LitheTreeKind kind, const char *text, size_t length) {
    LitheTreeNode *node = lithe_arena_push(&b->tree->arena, 1, sizeof *node + length + 1);
    if (!node)
        return NULL;
    char *own = (char *)(node + 1);
    *node = (LitheTreeNode){.kind = kind, .file = b->file, .text = own};
    if (length)
        memcpy(own, text, length);
    own[length] = '\0';
    b->tree->node_count++;
    return node;
}

static void set_place(const Builder *b, LitheTreeNode *node, struct fy_event *event) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    if (!mark || b->no_places)
        return;
    node->line = mark->line + 1;
    node->column = mark->column + 1;
}

static LitheStatus fail_at_event(const Builder *b, struct fy_event *event, const char *text) {
    LitheTreeNode here = {.file = b->file};
    set_place(b, &here, event);
    return lithe_tree_fail(b->tree, &here, b->error, "%s", text);
}

// Adds a complete value or key to the collection around it.
static LitheStatus place_node(Builder *b, struct fy_event *event, LitheTreeNode *node) {
    if (b->depth == 0) {
        if (b->root)
            return fail_at_event(b, event, "more than one document");
        b->root = node;
        return LITHE_OK;
    }
    LitheTreeNode *parent = b->open[b->depth - 1];
    if (parent->kind == LITHE_TREE_MAPPING) {
        if (!b->key) {
            if (node->kind != LITHE_TREE_SCALAR)
                return fail_at_event(b, event, "a key must be a word");
            b->key = node;
            return LITHE_OK;
        }
        node->key = b->key->text;
        node->key_line = b->key->line;
        node->key_column = b->key->column;
        b->key = NULL;
    }
    lithe_tree_append(parent, node);
    return LITHE_OK;
}

// Stores an anchor whose node follows; its row in `row`, -1 when the event has no anchor.
static LitheStatus add_anchor(Builder *b, struct fy_event *event, struct fy_token *token,
                              int32_t *row) {
    *row = -1;
    if (!token)
        return LITHE_OK;
    size_t length = 0;
    const char *name = fy_token_get_text(token, &length);
    if (b->anchor_count == MAX_ANCHORS || !name)
        return fail_at_event(b, event, "more than 1000 anchors");
    char *own = lithe_arena_push(&b->tree->arena, (int64_t)length + 1, 1);
    if (!own)
        return lithe_fail_memory(b->error, "an anchor");
    memcpy(own, name, length);
    own[length] = '\0';
    *row = b->anchor_count;
    b->anchors[b->anchor_count++] = (Anchor){.name = own};
    return LITHE_OK;
}

// Deep copy, no deeper than the original. NULL when out of memory or over the limit.
static LitheTreeNode *copy_node(Builder *b, const LitheTreeNode *from) {
    if (++b->tree->copy_count > MAX_COPIES)
        return NULL;
    LitheTreeNode *node = make_node(b, from->kind, from->text, strlen(from->text));
    if (!node)
        return NULL;
    const char *own_text = node->text;
    *node = *from;
    node->text = own_text;
    node->first = node->last = node->next = NULL;
    node->count = 0;
    for (const LitheTreeNode *child = from->first; child; child = child->next) {
        LitheTreeNode *copy = copy_node(b, child);
        if (!copy)
            return NULL;
        lithe_tree_append(node, copy);
    }
    return node;
}

static int32_t tree_height(const LitheTreeNode *node) {
    int32_t height = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        int32_t h = tree_height(child);
        height = h > height ? h : height;
    }
    return height + 1;
}

static LitheStatus on_alias(Builder *b, struct fy_event *event) {
    size_t length = 0;
    const char *name = fy_token_get_text(event->alias.anchor, &length);
    const Anchor *found = NULL;
    for (int32_t i = b->anchor_count - 1; i >= 0 && name && !found; i--)
        if (strlen(b->anchors[i].name) == length && !memcmp(b->anchors[i].name, name, length))
            found = &b->anchors[i];
    if (!found)
        return fail_at_event(b, event, "this alias names no anchor above it");
    if (!found->node)
        return fail_at_event(b, event, "this alias contains itself");
    if (b->depth + tree_height(found->node) > MAX_DEPTH)
        return fail_at_event(b, event, "nested too deeply (64 levels at most)");
    LitheTreeNode *node = copy_node(b, found->node);
    if (!node && b->tree->copy_count > MAX_COPIES)
        return fail_at_event(b, event, "aliases multiply to more than 1000000 values");
    if (!node)
        return lithe_fail_memory(b->error, "the copy of an alias");
    node->key = NULL;
    return place_node(b, event, node);
}

// libfyaml (0.7.12) decodes two quotes in a row within '...' wrongly and leaks memory.
static bool has_quote_run(const Builder *b, struct fy_token *token) {
    const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL;
    const struct fy_mark *end = token ? fy_token_end_mark(token) : NULL;
    if (!start || !end || fy_token_scalar_style(token) != FYSS_SINGLE_QUOTED)
        return false;
    size_t run = 0;
    for (size_t i = start->input_pos; i < end->input_pos && i < b->source_length && run < 4; i++)
        run = b->source[i] == '\'' ? run + 1 : 0;
    return run == 4;
}

static LitheStatus on_scalar(Builder *b, struct fy_event *event) {
    size_t length = 0;
    struct fy_token *token = event->scalar.value;
    if (has_quote_run(b, token))
        return fail_at_event(b, event, "four quotes in a row: use double quotes around this text");
    const char *text = token ? fy_token_get_text(token, &length) : "";
    if (!text)
        return lithe_fail_memory(b->error, "a value");
    if (memchr(text, 0, length))
        return fail_at_event(b, event, "a NUL character");
    int32_t row;
    LitheStatus status = add_anchor(b, event, event->scalar.anchor, &row);
    if (status != LITHE_OK)
        return status;
    LitheTreeNode *node = make_node(b, LITHE_TREE_SCALAR, text, length);
    if (!node)
        return lithe_fail_memory(b->error, "a value");
    node->quoted = token && fy_token_scalar_style(token) != FYSS_PLAIN;
    set_place(b, node, event);
    // an empty value has no place
    if (node->line == 0 && b->key) {
        node->line = b->key->line;
        node->column = b->key->column;
    }
    if (row >= 0)
        b->anchors[row].node = node;
    return place_node(b, event, node);
}

static LitheStatus on_start(Builder *b, struct fy_event *event, LitheTreeKind kind,
                            struct fy_token *anchor) {
    if (b->depth == MAX_DEPTH)
        return fail_at_event(b, event, "nested too deeply (64 levels at most)");
    int32_t row;
    LitheStatus status = add_anchor(b, event, anchor, &row);
    if (status != LITHE_OK)
        return status;
    LitheTreeNode *node = make_node(b, kind, "", 0);
    if (!node)
        return lithe_fail_memory(b->error, "a value");
    set_place(b, node, event);
    status = place_node(b, event, node);
    if (status != LITHE_OK)
        return status;
    b->open[b->depth] = node;
    b->open_anchor[b->depth++] = row;
    return LITHE_OK;
}

static int key_order(const void *a, const void *b) {
    const LitheTreeNode *x = *(LitheTreeNode *const *)a, *y = *(LitheTreeNode *const *)b;
    int order = strcmp(x->key, y->key);
    if (order)
        return order;
    if (x->key_line != y->key_line)
        return x->key_line < y->key_line ? -1 : 1;
    return x->key_column < y->key_column ? -1 : x->key_column > y->key_column;
}

// Equal keys are neighbours once sorted.
static LitheStatus check_keys(Builder *b, const LitheTreeNode *mapping) {
    if (mapping->count < 2)
        return LITHE_OK;
    LitheArenaMark mark = lithe_arena_mark(&b->tree->arena);
    LitheTreeNode **sorted = lithe_arena_push(&b->tree->arena, mapping->count, sizeof *sorted);
    if (!sorted)
        return lithe_fail_memory(b->error, "a list of keys");
    int32_t n = 0;
    for (LitheTreeNode *child = mapping->first; child; child = child->next)
        sorted[n++] = child;
    qsort(sorted, (size_t)n, sizeof *sorted, key_order);
    LitheStatus status = LITHE_OK;
    for (int32_t i = 1; i < n && status == LITHE_OK; i++) {
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) != 0)
            continue;
        LitheTreeNode at = {
            .file = b->file, .line = sorted[i]->key_line, .column = sorted[i]->key_column};
        status = lithe_tree_fail(b->tree, &at, b->error,
                                 "%.60s: this key occurs twice, first at "
                                 "line %d",
                                 sorted[i]->key, sorted[i - 1]->key_line);
    }
    lithe_arena_release(&b->tree->arena, mark);
    return status;
}

static LitheStatus on_end(Builder *b) {
    if (b->depth == 0)
        return LITHE_OK;
    LitheTreeNode *node = b->open[--b->depth];
    if (b->open_anchor[b->depth] >= 0)
        b->anchors[b->open_anchor[b->depth]].node = node;
    return node->kind == LITHE_TREE_MAPPING ? check_keys(b, node) : LITHE_OK;
}

static LitheStatus on_event(Builder *b, struct fy_event *event) {
    if (b->tree->node_count > MAX_NODES)
        return fail_at_event(b, event, "more than 5000000 values");
    if (fy_event_get_tag_token(event))
        return fail_at_event(b, event, "tags (!...) have no meaning in a scene");
    switch (event->type) {
    case FYET_DOCUMENT_START:
        return ++b->documents > 1 ? fail_at_event(b, event, "more than one document") : LITHE_OK;
    case FYET_MAPPING_START:
        return on_start(b, event, LITHE_TREE_MAPPING, event->mapping_start.anchor);
    case FYET_SEQUENCE_START:
        return on_start(b, event, LITHE_TREE_SEQUENCE, event->sequence_start.anchor);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        return on_end(b);
    case FYET_SCALAR:
        return on_scalar(b, event);
    case FYET_ALIAS:
        return on_alias(b, event);
    default:
        return LITHE_OK;
    }
}

// --- libfyaml ------------------------------------------------------------------------------------

// Discards messages that are not collected: libfyaml never writes to stderr.
static void drop_output(struct fy_diag *diag, void *user, const char *text, size_t length) {
    (void)diag, (void)user, (void)text, (void)length;
}

// The first error collected, with its place.
static LitheStatus fail_with_diag(const Builder *b, struct fy_diag *diag) {
    const char *file = b->tree->files[b->file];
    void *at = NULL;
    for (struct fy_diag_error *e; (e = fy_diag_errors_iterate(diag, &at));) {
        if (e->type != FYET_ERROR || !e->msg)
            continue;
        LitheTreeNode here = {.file = b->file};
        if (!b->no_places && e->line > 0) {
            here.line = e->line;
            here.column = e->column > 0 ? e->column : 1;
        }
        return lithe_tree_fail(b->tree, &here, b->error, "not YAML: %.300s", e->msg);
    }
    return lithe_fail(b->error, LITHE_BAD_INPUT, "%s: not YAML", file);
}

static LitheStatus run_parser(Builder *b, struct fy_parser *parser, struct fy_diag *diag,
                              const char *text, size_t length) {
    if (fy_parser_set_string(parser, text, length) != 0)
        return fail_with_diag(b, diag);
    LitheStatus status = LITHE_OK;
    struct fy_event *event;
    while (status == LITHE_OK && (event = fy_parser_parse(parser))) {
        status = on_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (status == LITHE_OK && (fy_parser_get_stream_error(parser) || b->depth > 0))
        status = fail_with_diag(b, diag);
    return status;
}

LitheStatus lithe_tree_parse(LitheYaml *tree, int32_t file, const char *text, size_t length,
                             bool no_places, LitheTreeNode **root, LitheError *error) {
    LitheStatus status = check_encoding(tree->files[file], text, length, error);
    if (status != LITHE_OK)
        return status;
    Builder *b = lithe_alloc(tree->context, sizeof *b);
    struct fy_diag_cfg diag_config = {
        .output_fn = drop_output, .level = FYET_ERROR, .module_mask = ~0u, .source_width = 0};
    struct fy_diag *diag = fy_diag_create(&diag_config);
    struct fy_parse_cfg how = {
        .search_path = "", .flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = NULL;
    if (diag) {
        fy_diag_set_collect_errors(diag, true);
        parser = fy_parser_create(&how);
    }
    if (b && parser) {
        *b = (Builder){.tree = tree,
                       .error = error,
                       .source = text,
                       .source_length = length,
                       .file = file,
                       .no_places = no_places};
        status = run_parser(b, parser, diag, text, length);
        if (status == LITHE_OK)
            *root = b->root;
    } else {
        status = lithe_fail_memory(error, "a YAML parser");
    }
    if (parser)
        fy_parser_destroy(parser);
    if (diag)
        fy_diag_destroy(diag);
    lithe_free(tree->context, b);
    return status;
}
