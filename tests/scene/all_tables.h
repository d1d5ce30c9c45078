// SPDX-License-Identifier: Apache-2.0
// tests/scene/all_tables.h - all tables of the reader, once each, and files as texts

#ifndef LITHE_TEST_ALL_TABLES_H
#define LITHE_TEST_ALL_TABLES_H

#include "scene/fields.h"

#include "test.h"

static const LitheTable *tables[128];
static int table_count;

static void collect(const LitheTable *table) {
    for (int i = 0; i < table_count; i++)
        if (strcmp(tables[i]->name, table->name) == 0)
            return;
    tables[table_count++] = table;
    for (int i = 0; i < table->count; i++)
        if (table->fields[i].table)
            collect(table->fields[i].table);
}

static inline void collect_all(void) {
    table_count = 0;
    collect(&lithe_scene_table);
}

static char *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = calloc(1, (size_t)size + 1);
    if (text && fread(text, 1, (size_t)size, f) != (size_t)size)
        text[0] = '\0';
    fclose(f);
    return text;
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "wb");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

#endif
