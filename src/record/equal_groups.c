// SPDX-License-Identifier: Apache-2.0
// record/equal_groups.c - finds equal groups of the ordered columns by hashes of their contents

#include "record/equal_groups.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// the order of paths: name by name, so that a group is not interrupted by longer names
static int compare(const void *a, const void *b) {
    const char *x = ((const LitheOrdered *)a)->path, *y = ((const LitheOrdered *)b)->path;
    while (*x && *x == *y) {
        x++;
        y++;
    }
    int first = *x == '/' ? 1 : *x ? 1 + (unsigned char)*x : 0;
    int second = *y == '/' ? 1 : *y ? 1 + (unsigned char)*y : 0;
    return first - second;
}

// A group of constants that was met before.
typedef struct Group {
    int32_t first, count; // entries
    int32_t length;       // of its path
    uint64_t contents;    // hash of names and values
} Group;

typedef struct Search {
    const LitheLayout *layout;
    const int32_t *same;
    LitheOrdered *ordered;
    int32_t entry_count;
    Group *slots;        // [slot_count] hash table; count 0: empty
    uint32_t slot_count; // a power of two
} Search;

// the group of constants that starts with an entry; count 0: it has other columns, too
static Group group_at(const Search *s, int32_t first, int32_t length) {
    Group group = {.first = first, .length = length};
    const char *path = s->ordered[first].path;
    for (int32_t i = first; i < s->entry_count; i++) {
        const LitheOrdered *entry = &s->ordered[i];
        if (strncmp(entry->path, path, (size_t)length + 1) != 0)
            break;
        if (entry->column >= s->layout->column_count ||
            s->layout->columns[entry->column].offset >= 0)
            return (Group){0};
        const char *name = entry->path + length;
        group.contents = lithe_hash(group.contents, name, strlen(name));
        group.contents = lithe_hash(group.contents, &s->same[entry->column], sizeof *s->same);
        group.count++;
    }
    return group;
}

static bool is_equal(const Search *s, const Group *a, const Group *b) {
    bool equal = a->contents == b->contents && a->count == b->count;
    for (int32_t k = 0; equal && k < a->count; k++) {
        const LitheOrdered *x = &s->ordered[a->first + k], *y = &s->ordered[b->first + k];
        equal = s->same[x->column] == s->same[y->column] &&
                strcmp(x->path + a->length, y->path + b->length) == 0;
    }
    return equal;
}

// an earlier group that equals the given one, or NULL; then the given one is kept for later ones
static const Group *find_equal(Search *s, const Group *own) {
    uint32_t at = (uint32_t)own->contents & (s->slot_count - 1);
    for (; s->slots[at].count > 0; at = (at + 1) & (s->slot_count - 1))
        if (is_equal(s, &s->slots[at], own))
            return &s->slots[at];
    s->slots[at] = *own;
    return NULL;
}

// bytes that two paths have in common at their front
static int32_t common(const char *a, const char *b) {
    int32_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

// marks the outermost group that starts with an entry and equals an earlier one
static void mark(Search *s, int32_t at) {
    LitheOrdered *entry = &s->ordered[at];
    const char *path = entry->path;
    int32_t known = at > 0 ? common(path, s->ordered[at - 1].path) : 0;
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        int32_t length = (int32_t)(slash - path);
        if (length < known) // a group that started before
            continue;
        Group own = group_at(s, at, length);
        const Group *like = own.count > 0 ? find_equal(s, &own) : NULL;
        if (like) {
            entry->count = own.count;
            entry->length = length;
            entry->first = like->first;
            entry->first_length = like->length;
            return;
        }
    }
}

bool lithe_equal_groups(const LitheLayout *layout, const int32_t *same, LitheOrdered *ordered) {
    int32_t count = layout->column_count + layout->contact_column_count;
    int64_t most = 0; // groups, at most
    for (int32_t i = 0; i < count; i++) {
        const LitheColumn *column = i < layout->column_count
                                        ? &layout->columns[i]
                                        : &layout->contact_columns[i - layout->column_count];
        ordered[i] = (LitheOrdered){.path = column->path, .column = i};
        for (const char *slash = strchr(column->path, '/'); slash; slash = strchr(slash + 1, '/'))
            most++;
    }
    qsort(ordered, (size_t)count, sizeof *ordered, compare);
    Search s = {layout, same, ordered, count, NULL, 2};
    while (s.slot_count < 2 * most)
        s.slot_count *= 2;
    s.slots = lithe_alloc_array(layout->context, s.slot_count, sizeof *s.slots);
    if (!s.slots)
        return false;
    for (int32_t i = 0; i<count; i += ordered[i].count> 0 ? ordered[i].count : 1)
        mark(&s, i);
    lithe_free(layout->context, s.slots);
    return true;
}
