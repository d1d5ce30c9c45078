// SPDX-License-Identifier: Apache-2.0
// scene/check_name.c - checks that names are valid, that they are unique, and that references exist

#include "scene/objects.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- valid names ---------------------------------------------------------------------------------

// independent of the locale, so that a scene file has one meaning on all systems
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name_letter(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool lithe_name_is_valid(const char *name) {
    if (!is_letter(*name))
        return false;
    size_t i = 0;
    while (is_name_letter(name[i]))
        i++;
    return name[i] == '\0' && i <= LITHE_NAME_LENGTH;
}

bool lithe_parted_name_is_valid(const char *name) {
    if (!is_letter(*name))
        return false;
    size_t i = 0;
    while (is_name_letter(name[i]) || (name[i] == '/' && is_name_letter(name[i + 1])))
        i++;
    return name[i] == '\0' && i <= LITHE_NAME_LENGTH;
}

// --- unique names --------------------------------------------------------------------------------

typedef struct Named {
    const char *name;
    LitheObjectKind group; // names differ within a group
    LitheObjectKind kind;
    int32_t index;
} Named;

static int named_order(const void *a, const void *b) {
    const Named *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    int order = strcmp(x->name, y->name);
    if (order)
        return order;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void add_named(LitheCheck *check, Named *named, LitheObjectKind kind, int32_t index) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    const char *name = lithe_object_name(check->scene, kind, index);
    bool parted = (row->flags & LITHE_OBJECTS_WHOLE) == 0;
    lithe_object_select(check, kind, index);
    if (!name)
        lithe_check_fail(check, "", "has no name");
    else if (!(parted ? lithe_parted_name_is_valid : lithe_name_is_valid)(name))
        lithe_check_fail(check, "",
                         "a name has letters, digits, - and _ (at most %d) and begins with a "
                         "letter%s",
                         LITHE_NAME_LENGTH, parted ? LITHE_PARTED_NAME : "");
    else if (row->reserved && strcmp(name, row->reserved) == 0)
        lithe_check_fail(check, "", "the name is reserved for the %s", row->reserved);
    *named = (Named){name ? name : "", row->names, kind, index};
}

// The object with this name in a group, or NULL; `all` is sorted.
static const Named *find_named(const Named *all, int32_t count, LitheObjectKind group,
                               const char *name) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int order = (int)all[middle].group - (int)group;
        if (order == 0)
            order = strcmp(all[middle].name, name);
        if (order == 0)
            return &all[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

// recorded kinds with names of their own
static const LitheObjectKind full_named[] = {LITHE_OBJECT_CONSTRAINT, LITHE_OBJECT_HOLD,
                                             LITHE_OBJECT_ACTUATOR};
enum { FULL_NAMED = sizeof full_named / sizeof *full_named };

// Whether something with this name can be recorded.
static bool has_name(const Named *all, int32_t count, const char *name) {
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++)
        if ((lithe_scene_objects[k].flags & LITHE_OBJECTS_RECORDED) &&
            find_named(all, count, lithe_scene_objects[k].names, name))
            return true;
    for (int k = 0; k < FULL_NAMED; k++)
        if (find_named(all, count, full_named[k], name))
            return true;
    return false;
}

// "rod, body or joint": the kinds with one of these flags
static const char *kinds_text(int flags, char *text, size_t size) {
    int last = -1;
    size_t used = 0;
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++)
        last = lithe_scene_objects[k].flags & flags ? k : last;
    for (int k = 0; k <= last && used < size; k++)
        if (lithe_scene_objects[k].flags & flags)
            used += (size_t)snprintf(text + used, size - used, "%s%s",
                                     used == 0   ? ""
                                     : k == last ? " or "
                                                 : ", ",
                                     lithe_scene_objects[k].word);
    return text;
}

// Ignored pairs consist of two different things that can touch.
static void check_ignored(LitheCheck *check, const Named *all, int32_t count) {
    snprintf(check->label, sizeof check->label, "ignore");
    snprintf(check->path, sizeof check->path, "ignore");
    check->prefix = "";
    char kinds[200];
    for (int32_t i = 0; i < check->scene->ignored_pair_count; i++) {
        const char *names[2] = {check->scene->ignored_pairs[i].a, check->scene->ignored_pairs[i].b};
        for (int k = 0; k < 2; k++) {
            const Named *found =
                names[k] ? find_named(all, count, LITHE_OBJECT_ROD, names[k]) : NULL;
            if (!found || !(lithe_scene_objects[found->kind].flags & LITHE_OBJECTS_TOUCH))
                lithe_check_fail(
                    check, "", "pair %d: '%.120s' is not the name of a %s of the scene", i + 1,
                    names[k] ? names[k] : "", kinds_text(LITHE_OBJECTS_TOUCH, kinds, sizeof kinds));
        }
        if (check->status == LITHE_OK && strcmp(names[0], names[1]) == 0)
            lithe_check_fail(check, "", "pair %d: '%.120s' is named twice", i + 1, names[0]);
    }
}

// What follows "constraints." or "holds/", and the kind.
static const char *own_part(const char *text, LitheObjectKind *kind) {
    for (int k = 0; k < FULL_NAMED; k++) {
        const char *section = lithe_scene_objects[full_named[k]].section;
        size_t length = strlen(section);
        bool same =
            strncmp(text, section, length) == 0 && (text[length] == '.' || text[length] == '/');
        *kind = full_named[k];
        if (same && strchr(text + length + 1, '.'))
            return text + length + 1;
    }
    return NULL;
}

// ", did you mean 'rope'?", or nothing: the most similar name of what is recorded, with `tied` of
// things of this kind
static const char *meant_text(LitheCheck *check, const Named *all, int32_t count, const char *name,
                              bool tied, LitheObjectKind kind, char *text, size_t size) {
    LitheContext *context = check->scene->context;
    const char **names = lithe_alloc_array(context, count, sizeof *names);
    int32_t known = 0;
    text[0] = '\0';
    for (int32_t i = 0; names && i < count; i++)
        if (tied ? all[i].kind == kind
                 : (lithe_scene_objects[all[i].kind].flags & LITHE_OBJECTS_RECORDED) != 0)
            names[known++] = all[i].name;
    const char *meant = names ? lithe_suggest(name, names, known) : NULL;
    if (meant)
        snprintf(text, size, ", did you mean '%.100s'?", meant);
    lithe_free(context, names);
    return text;
}

// "rope.moment": the name of something that is recorded, a dot, a word; `all` is sorted
static void check_record(LitheCheck *check, const Named *all, int32_t count) {
    const LitheRecordDef *record = &check->scene->record;
    snprintf(check->label, sizeof check->label, "record");
    snprintf(check->path, sizeof check->path, "record");
    for (int32_t i = 0; i < record->also_count && check->status == LITHE_OK; i++) {
        LitheObjectKind kind;
        const char *text = record->also[i], *tied = own_part(text, &kind);
        const char *first = tied ? tied : text, *dot = strchr(first, '.');
        char name[LITHE_NAME_LENGTH + 1], kinds[200], meant[140];
        if (!dot || dot - first > LITHE_NAME_LENGTH || !lithe_name_is_valid(dot + 1)) {
            lithe_check_fail(check, "also", "also: '%.120s' is not NAME.QUANTITY, like rope.moment",
                             text);
            return;
        }
        snprintf(name, sizeof name, "%.*s", (int)(dot - first), first);
        bool found = tied ? find_named(all, count, kind, name) != NULL : has_name(all, count, name);
        if (!found)
            lithe_check_fail(check, "also", "also: '%.120s' is not the name of a %s of the scene%s",
                             text, kinds_text(LITHE_OBJECTS_RECORDED, kinds, sizeof kinds),
                             meant_text(check, all, count, name, tied, kind, meant, sizeof meant));
    }
}

// Equal names are neighbours: `all` is sorted.
static void check_taken(LitheCheck *check, const Named *all, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        const Named *a = &all[i - 1], *b = &all[i];
        if (a->group != b->group || strcmp(a->name, b->name) != 0)
            continue;
        char by[300];
        lithe_object_select(check, a->kind, a->index);
        lithe_scene_source_text(check->scene, check->path, by, sizeof by);
        lithe_object_select(check, b->kind, b->index);
        lithe_check_fail(check, "", "the name is already taken by %s %d%s",
                         lithe_scene_objects[a->kind].word, a->index + 1, by);
    }
}

void lithe_check_names(LitheCheck *check) {
    const LitheScene *s = check->scene;
    int64_t max = 0;
    if (check->status != LITHE_OK)
        return;
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++)
        max += lithe_object_count(s, (LitheObjectKind)k);
    Named *all = lithe_alloc_array(s->context, max, sizeof *all);
    if (!all) {
        check->status = lithe_fail_memory(check->error, "a list of names");
        return;
    }
    int32_t count = 0;
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++)
        for (int32_t i = 0; i < lithe_object_count(s, (LitheObjectKind)k); i++)
            add_named(check, &all[count++], (LitheObjectKind)k, i);
    qsort(all, (size_t)count, sizeof *all, named_order);
    check_taken(check, all, count);
    check_record(check, all, count);
    check_ignored(check, all, count);
    lithe_free(s->context, all);
}
