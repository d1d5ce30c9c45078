// SPDX-License-Identifier: Apache-2.0
// scene/read_repeat.c - repeated objects: one object of a file becomes NAME/0, NAME/1, ...; lists
// of which one expression gives all values
//
// Each copy is read from the same place of the tree, with the current counters as parameters; "{i +
// 1}" in texts becomes a number. The memory of a copy is released after it was added.

#include "base/arena.h"
#include "scene/check.h"
#include "scene/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// max copies of one object; all must fit into memory and have names
#define MAX_COPIES 1000000

const LitheTreeNode *lithe_repeat_of(const LitheField *section, const LitheTreeNode *node) {
    if (node->kind != LITHE_TREE_MAPPING || !lithe_field_find(section->table, "repeat"))
        return NULL;
    return lithe_tree_find(node, "repeat");
}

// --- counters ------------------------------------------------------------------------------------

static bool read_counter(LitheReader *reader, const LitheTreeNode *node, LitheRepeat *repeat) {
    size_t length = lithe_read_enter(reader, node->key);
    // behind a number a name is a unit, elsewhere a counter: 2 m, m*2 cm
    if (!lithe_read_parameter_name(reader, node, true))
        return false;
    for (int32_t i = 0; i < reader->parameter_count; i++)
        if (strcmp(reader->parameters[i].name, node->key) == 0)
            return lithe_read_fail(reader, node, "'%s' is a parameter already", node->key);
    if (repeat->depth == LITHE_REPEAT_DEPTH)
        return lithe_read_fail(reader, node, "more than %d counters", LITHE_REPEAT_DEPTH);
    int32_t count;
    if (!lithe_read_scalar(reader, node, "a whole number") ||
        !lithe_read_integer(reader, node, node->text, &count))
        return false;
    if (count < 0)
        return lithe_read_fail(reader, node, "is %d, must be >= 0", count);
    repeat->total *= count;
    if (repeat->total > MAX_COPIES)
        return lithe_read_fail(reader, node, "makes more than %d copies", MAX_COPIES);
    repeat->names[repeat->depth] = node->key;
    repeat->counts[repeat->depth++] = count;
    lithe_read_leave(reader, length);
    return true;
}

static bool read_counters(LitheReader *reader, const LitheTreeNode *node, LitheRepeat *repeat) {
    size_t length = lithe_read_enter(reader, "repeat");
    *repeat = (LitheRepeat){.total = 1};
    if (node->kind != LITHE_TREE_MAPPING)
        return lithe_read_fail(reader, node, "names with counts are expected, like {i: 10, j: 5}");
    for (const LitheTreeNode *child = node->first; child; child = child->next)
        if (strcmp(child->key, "where") == 0)
            repeat->where = child;
        else if (!read_counter(reader, child, repeat))
            return false;
    if (repeat->depth == 0)
        return lithe_read_fail(reader, node, "a counter is expected, like {i: 10}");
    lithe_read_leave(reader, length);
    return true;
}

// The values of the counters of copy number `n`: the last one varies fastest.
static void count_to(LitheRepeat *repeat, int64_t n) {
    for (int32_t k = repeat->depth - 1; k >= 0; k--) {
        repeat->values[k] = (int32_t)(n % repeat->counts[k]);
        n /= repeat->counts[k];
    }
}

void lithe_repeat_text(const LitheRepeat *repeat, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < repeat->depth && used < size; k++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s = %d%s", k ? ", " : " (for ",
                             repeat->names[k], repeat->values[k], k + 1 < repeat->depth ? "" : ")");
}

// --- where ---------------------------------------------------------------------------------------

// "i + j < 15": a comparison of two quantities
static bool read_where(LitheReader *reader, const LitheTreeNode *node, bool *wanted) {
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    size_t length = lithe_read_enter(reader, "repeat.where");
    if (!lithe_read_scalar(reader, node, "a comparison"))
        return false;
    size_t before = strcspn(node->text, "<>=!"), sign = 0;
    while (sign < 6 && strncmp(node->text + before, signs[sign], strlen(signs[sign])) != 0)
        sign++;
    if (sign == 6)
        return lithe_read_fail(reader, node,
                               "'%.60s': a comparison by <, <=, >, >=, == or != is expected",
                               node->text);
    char *left = lithe_read_push(reader, (int64_t)before + 1, 1);
    double a, b;
    if (!left)
        return false;
    memcpy(left, node->text, before);
    if (!lithe_read_text_quantity(reader, node, left, LITHE_WANT_NUMBER, &a) ||
        !lithe_read_text_quantity(reader, node, node->text + before + strlen(signs[sign]),
                                  LITHE_WANT_NUMBER, &b))
        return false;
    // counters are whole, quotients of them are not
    bool equal = fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
    bool answers[] = {a < b || equal, a > b || equal,  equal,
                      !equal,         a < b && !equal, a > b && !equal};
    *wanted = answers[sign];
    lithe_read_leave(reader, length);
    return true;
}

// --- texts ---------------------------------------------------------------------------------------

static bool has_braces(const LitheTreeNode *node) {
    if (node->kind == LITHE_TREE_SCALAR)
        return strchr(node->text, '{') != NULL;
    for (const LitheTreeNode *child = node->first; child; child = child->next)
        if (has_braces(child))
            return true;
    return false;
}

// The text with expressions in braces replaced by their values; NULL when it fails.
static const char *fill_text(LitheReader *reader, const LitheTreeNode *node) {
    // a number has max 24 characters, a pair of braces with an expression min 3
    size_t capacity = 8 * strlen(node->text) + 25, used = 0;
    char *text = lithe_read_push(reader, (int64_t)capacity, 1);
    char *inside = lithe_read_push(reader, (int64_t)strlen(node->text) + 1, 1);
    if (!text || !inside)
        return NULL;
    for (const char *at = node->text; *at;) {
        if (*at != '{') {
            text[used++] = *at++;
            continue;
        }
        size_t length = strcspn(at + 1, "{}");
        if (at[1 + length] != '}' || length == 0) {
            lithe_read_fail(reader, node, "'%.60s': a value and } are expected behind {",
                            node->text);
            return NULL;
        }
        memcpy(inside, at + 1, length);
        inside[length] = '\0';
        // a place by fraction is any number, the others are whole
        bool fraction = used >= 4 && memcmp(text + used - 4, ".at(", 4) == 0;
        int32_t whole = 0;
        double value = 0;
        if (!(fraction ? lithe_read_text_quantity(reader, node, inside, LITHE_WANT_NUMBER, &value)
                       : lithe_read_integer(reader, node, inside, &whole)))
            return NULL;
        used += (size_t)(fraction ? snprintf(text + used, capacity - used, "%.17g", value)
                                  : snprintf(text + used, capacity - used, "%d", whole));
        at += length + 2;
    }
    return text;
}

// A deep copy of the node, with the texts filled in.
static LitheTreeNode *fill(LitheReader *reader, const LitheTreeNode *node) {
    LitheTreeNode *copy = lithe_read_push(reader, 1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *node;
    if (node->kind == LITHE_TREE_SCALAR) {
        if (has_braces(node))
            copy->text = fill_text(reader, node);
        return copy->text ? copy : NULL;
    }
    copy->first = copy->last = NULL;
    copy->count = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        bool named = node->kind == LITHE_TREE_MAPPING;
        size_t length = named ? lithe_read_enter(reader, child->key) : 0;
        LitheTreeNode *own = fill(reader, child);
        if (!own)
            return NULL;
        if (named)
            lithe_read_leave(reader, length);
        lithe_tree_append(copy, own);
    }
    return copy;
}

// --- copies --------------------------------------------------------------------------------------

// "link/3/0": the name of the current copy
static const char *copy_name(LitheReader *reader, const char *name) {
    const LitheRepeat *repeat = &reader->repeat;
    size_t capacity = strlen(name) + 12 * LITHE_REPEAT_DEPTH + 1;
    char *text = lithe_read_push(reader, (int64_t)capacity, 1);
    size_t used = text ? (size_t)snprintf(text, capacity, "%s", name) : 0;
    for (int32_t k = 0; text && k < repeat->depth; k++)
        used += (size_t)snprintf(text + used, capacity - used, "/%d", repeat->values[k]);
    return text;
}

static bool add_copy(LitheReader *reader, const LitheField *section, const LitheTreeNode *node,
                     bool texts) {
    LitheTreeNode copy = *node;
    copy.key = copy_name(reader, node->key);
    if (!copy.key)
        return false;
    size_t length = lithe_read_enter(reader, copy.key);
    if (texts) {
        const LitheTreeNode *filled = fill(reader, node);
        if (!filled)
            return false;
        copy.first = filled->first;
        copy.last = filled->last;
    }
    lithe_read_leave(reader, length);
    return lithe_read_object(reader, section, &copy);
}

bool lithe_read_repeated(LitheReader *reader, const LitheField *section,
                         const LitheTreeNode *node) {
    LitheRepeat repeat;
    size_t length = lithe_read_enter(reader, node->key);
    if (!read_counters(reader, lithe_repeat_of(section, node), &repeat))
        return false;
    bool texts = has_braces(node);
    reader->repeat = repeat;
    for (int64_t n = 0; n < repeat.total; n++) {
        // scenes copy what they are given: the memory of this copy is no longer needed
        LitheArenaMark mark = lithe_arena_mark(&reader->tree->arena);
        bool wanted = true;
        count_to(&reader->repeat, n);
        if (repeat.where && !read_where(reader, repeat.where, &wanted))
            return false;
        lithe_read_leave(reader, length);
        if (wanted && !add_copy(reader, section, node, texts))
            return false;
        lithe_arena_release(&reader->tree->arena, mark);
        lithe_read_enter(reader, node->key);
    }
    lithe_read_leave(reader, length);
    reader->repeat = (LitheRepeat){0};
    return true;
}

// --- lists ---------------------------------------------------------------------------------------

// The counters of a list after those of the object that it is in.
static bool join(LitheReader *reader, const LitheTreeNode *node, const LitheRepeat *own) {
    LitheRepeat *all = &reader->repeat;
    if (all->depth + own->depth > LITHE_REPEAT_DEPTH)
        return lithe_read_fail(reader, node, "more than %d counters", LITHE_REPEAT_DEPTH);
    for (int32_t k = 0; k < own->depth; k++) {
        for (int32_t i = 0; i < all->depth; i++)
            if (strcmp(all->names[i], own->names[k]) == 0)
                return lithe_read_fail(reader, node, "'%s' is a counter already", own->names[k]);
        all->names[all->depth] = own->names[k];
        all->counts[all->depth++] = own->counts[k];
    }
    return true;
}

bool lithe_read_series(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                       int32_t *count, double **values) {
    const LitheTreeNode *counters = lithe_tree_find(node, "repeat");
    const LitheTreeNode *value = lithe_tree_find(node, "value");
    LitheRepeat outer = reader->repeat, own;
    if (!counters || !value || node->count != 2)
        return lithe_read_fail(reader, node,
                               "a list is expected, or {repeat: {n: COUNT}, value: EXPRESSION}");
    if (!read_counters(reader, counters, &own))
        return false;
    if (own.where)
        return lithe_read_fail(reader, own.where, "a list has no 'where'");
    *count = (int32_t)own.total;
    *values = lithe_read_push(reader, own.total, sizeof **values);
    bool good = *values && join(reader, counters, &own);
    for (int64_t n = 0; good && n < own.total; n++) {
        count_to(&own, n);
        memcpy(reader->repeat.values + outer.depth, own.values,
               sizeof(int32_t) * (size_t)own.depth);
        good = lithe_read_quantity(reader, value, wanted, &(*values)[n]);
    }
    reader->repeat = outer;
    return good;
}
