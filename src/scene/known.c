// SPDX-License-Identifier: Apache-2.0
// scene/known.c - suggestions for unknown names

#include "base/suggest.h"
#include "scene/fields.h"

#include <stdio.h>
#include <string.h>

// max names listed when none is similar
#define MAX_LISTED 24

void lithe_known_text(const char *wrong, const char *const *known, int32_t count, char *text,
                      size_t size) {
    size_t at = strlen(text);
    const char *nearest = lithe_suggest(wrong, known, count);
    if (nearest) {
        snprintf(text + at, size - at, "; did you mean %s?", nearest);
        return;
    }
    at += (size_t)snprintf(text + at, size - at, count ? "; known: " : " (the scene defines none)");
    for (int32_t i = 0; i < count && at < size; i++) {
        if (i == MAX_LISTED || at + strlen(known[i]) + 8 > size) {
            snprintf(text + at, size - at, ", ...");
            return;
        }
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "", known[i]);
    }
}

void lithe_known_key_text(const char *wrong, const LitheTable *table, char *text, size_t size) {
    const char *keys[32];
    int32_t count = 0;
    for (; count < table->count && count < 32; count++)
        keys[count] = table->fields[count].key;
    lithe_known_text(wrong, keys, count, text, size);
}

void lithe_known_word_text(const char *wrong, const char *const *words, char *text, size_t size) {
    int32_t count = 0;
    while (words[count])
        count++;
    lithe_known_text(wrong, words, count, text, size);
}
