// SPDX-License-Identifier: Apache-2.0
// cli/check_group.c - lithe check: tables of things, of which equal ones are printed once

#include "cli/check_group.h"

#include "base/hash.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// more names, or ranges of names, than this of one group are only counted
#define NAMES_PRINTED 8

typedef struct LitheCliGroup {
    char *shown, *key;
    uint64_t hash;
    int32_t first, last; // members
} LitheCliGroup;

typedef struct LitheCliMember {
    const char *name;
    int32_t index; // in the order of the scene
    int32_t next;  // of the group; -1: none
} LitheCliMember;

static void *grown(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (!memory) {
        lithe_cli_complain("out of memory");
        exit(LITHE_EXIT_BAD_INPUT);
    }
    return memory;
}

// --- tables --------------------------------------------------------------------------------------

static void append(LitheCliText *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
    if (text->length + length + 1 > text->capacity) {
        text->capacity = 2 * (text->length + length + 1);
        text->text = grown(text->text, text->capacity);
    }
    vsnprintf(text->text + text->length, length + 1, format, again);
    text->length += length;
    va_end(again);
}

void lithe_cli_put(LitheCliGroups *all, const char *format, ...) {
    va_list a, b;
    va_start(a, format);
    va_copy(b, a);
    append(&all->shown, format, a);
    append(&all->key, format, b);
    va_end(b);
    va_end(a);
}

void lithe_cli_put_own(LitheCliGroups *all, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(&all->shown, format, arguments);
    va_end(arguments);
}

void lithe_cli_put_key(LitheCliGroups *all, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(&all->key, format, arguments);
    va_end(arguments);
}

// --- groups --------------------------------------------------------------------------------------

// the entry of the hash table that has this key, or the empty one where it belongs
static int32_t *entry_of(const LitheCliGroups *all, uint64_t hash, const char *key) {
    uint64_t mask = (uint64_t)all->table_size - 1;
    for (uint64_t at = hash & mask;; at = (at + 1) & mask) {
        int32_t group = all->table[at];
        if (group < 0 ||
            (all->groups[group].hash == hash && strcmp(all->groups[group].key, key) == 0))
            return &all->table[at];
    }
}

// at most half of the table is filled
static void grow_table(LitheCliGroups *all) {
    if (2 * (all->group_count + 1) <= all->table_size)
        return;
    all->table_size = all->table_size ? 2 * all->table_size : 64;
    all->table = grown(all->table, (size_t)all->table_size * sizeof *all->table);
    for (int32_t i = 0; i < all->table_size; i++)
        all->table[i] = -1;
    for (int32_t g = 0; g < all->group_count; g++)
        *entry_of(all, all->groups[g].hash, all->groups[g].key) = g;
}

static int32_t add_group(LitheCliGroups *all, uint64_t hash) {
    if (all->group_count == all->group_capacity) {
        all->group_capacity = 2 * all->group_capacity + 16;
        all->groups = grown(all->groups, (size_t)all->group_capacity * sizeof *all->groups);
    }
    // the texts belong to the group from now on
    all->groups[all->group_count] =
        (LitheCliGroup){all->shown.text, all->key.text, hash, all->member_count, -1};
    all->shown = all->key = (LitheCliText){0};
    return all->group_count++;
}

static void add_member(LitheCliGroups *all, LitheCliGroup *group, const char *name, int32_t index) {
    if (all->member_count == all->member_capacity) {
        all->member_capacity = 2 * all->member_capacity + 64;
        all->members = grown(all->members, (size_t)all->member_capacity * sizeof *all->members);
    }
    all->members[all->member_count] = (LitheCliMember){name, index, -1};
    if (group->last >= 0)
        all->members[group->last].next = all->member_count;
    group->last = all->member_count++;
}

void lithe_cli_group(LitheCliGroups *all, const char *name) {
    lithe_cli_put(all, "%s", ""); // both texts exist
    grow_table(all);
    uint64_t hash = lithe_hash(0, all->key.text, all->key.length);
    int32_t *entry = entry_of(all, hash, all->key.text);
    int32_t index = all->thing_count++;
    if (*entry < 0) {
        if (all->folded && lithe_cli_fold(&all->fold, name)) {
            all->shown.length = all->key.length = 0;
            return;
        }
        *entry = add_group(all, hash);
    }
    add_member(all, &all->groups[*entry], name, index);
    all->shown.length = all->key.length = 0;
}

// --- printing ------------------------------------------------------------------------------------

// the last member of the range of neighbours that begins at `first`
static int32_t range_end(const LitheCliGroups *all, int32_t first) {
    const LitheCliMember *m = all->members;
    int32_t last = first;
    while (m[last].next >= 0 && m[m[last].next].index == m[last].index + 1)
        last = m[last].next;
    // of two neighbours both names are printed
    return m[last].index - m[first].index < 2 ? first : last;
}

// "rods 'a', 'c' to 'f' (5): same values"
static void print_others(const LitheCliGroups *all, const LitheCliGroup *group) {
    const LitheCliMember *m = all->members;
    int32_t count = 0, printed = 0;
    for (int32_t k = m[group->first].next; k >= 0; k = m[k].next)
        count++;
    if (count == 0)
        return;
    printf("\n%s", count > 1 ? all->many : all->one);
    for (int32_t k = m[group->first].next; k >= 0; printed++) {
        if (printed == NAMES_PRINTED) {
            printf(", ..");
            break;
        }
        int32_t last = range_end(all, k);
        printf("%s '%s'", printed ? "," : "", m[k].name);
        if (last != k)
            printf(" to '%s'", m[last].name);
        k = m[last].next;
    }
    if (count > 1)
        printf(" (%d)", count);
    printf(": same values%s\n", all->apart ? all->apart : "");
}

void lithe_cli_groups_end(LitheCliGroups *all) {
    for (int32_t g = 0; g < all->group_count; g++) {
        LitheCliGroup *group = &all->groups[g];
        fputs(group->shown, stdout);
        print_others(all, group);
        free(group->shown);
        free(group->key);
    }
    for (int32_t i = 0; i < all->fold.row_count; i++)
        if (all->fold.rows[i].count > 0)
            printf("\n%s '%.*s..': %d with other values, up to '%s'\n", all->many,
                   all->fold.rows[i].prefix, all->fold.rows[i].last, all->fold.rows[i].count,
                   all->fold.rows[i].last);
    free(all->groups);
    free(all->members);
    free(all->table);
    free(all->shown.text);
    free(all->key.text);
}
