// SPDX-License-Identifier: Apache-2.0
// base/suggest.c - edit distance over three rows

#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH_MAX = 80 };

static int32_t min(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int lower(char c) {
    return tolower((unsigned char)c);
}

int32_t lithe_name_distance(const char *a, const char *b) {
    int32_t a_length = (int32_t)strnlen(a, LENGTH_MAX), b_length = (int32_t)strnlen(b, LENGTH_MAX);
    int32_t rows[3][LENGTH_MAX + 1];
    for (int32_t j = 0; j <= b_length; j++)
        rows[0][j] = j;

    // row i: distances of the first i letters of a to every beginning of b
    for (int32_t i = 1; i <= a_length; i++) {
        int32_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int32_t j = 1; j <= b_length; j++) {
            int32_t change = last[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            now[j] = min(change, min(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = min(now[j], before[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

// whether `name` is `last` behind a /, as arm/hand is hand
static bool ends_with_part(const char *name, const char *last) {
    size_t length = strlen(name), part = strlen(last);
    return part > 0 && length > part + 1 && name[length - part - 1] == '/' &&
           strcmp(name + length - part, last) == 0;
}

const char *lithe_suggest(const char *wrong, const char *const *names, int32_t count) {
    const char *best = NULL;
    // a third of the letters may be wrong, one in very short names
    int32_t length = (int32_t)strnlen(wrong, LENGTH_MAX);
    int32_t limit = length < 3 ? 1 : length / 3 + 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t distance = lithe_name_distance(wrong, names[i]);
        if (distance < limit + (best == NULL) && distance < length) {
            best = names[i];
            limit = distance;
        }
    }
    for (int32_t i = 0; i < count && (!best || limit > 0); i++)
        if (ends_with_part(names[i], wrong))
            return names[i];
    return best;
}

// a name in `names` with its distance at its place among the nearest ones, if it is one of them
static int32_t insert(const char *name, int32_t distance, const char **out, int32_t *distances,
                      int32_t count, int32_t capacity) {
    int32_t at = count;
    while (at > 0 && distances[at - 1] > distance)
        at--;
    if (at == capacity)
        return count;
    count = count < capacity ? count + 1 : capacity;
    for (int32_t k = count - 1; k > at; k--) {
        out[k] = out[k - 1];
        distances[k] = distances[k - 1];
    }
    out[at] = name;
    distances[at] = distance;
    return count;
}

static bool same_last_word(const char *a, const char *b) {
    const char *x = strrchr(a, '.'), *y = strrchr(b, '.');
    return x && y && strcmp(x, y) == 0;
}

static bool same_first_word(const char *a, const char *b) {
    size_t length = strcspn(a, ".");
    return length == strcspn(b, ".") && strncmp(a, b, length) == 0;
}

int32_t lithe_suggest_several(const char *wrong, const char *const *names, int32_t count,
                              const char **out, int32_t capacity) {
    enum { MOST = 8 };
    int32_t distances[MOST], found = 0, limit = (int32_t)strnlen(wrong, LENGTH_MAX) / 2;
    capacity = min(capacity, MOST);
    for (int32_t i = 0; i < count; i++) {
        int32_t distance = lithe_name_distance(wrong, names[i]);
        if (distance <= limit)
            found = insert(names[i], distance, out, distances, found, capacity);
    }
    bool (*const same[])(const char *, const char *) = {same_last_word, same_first_word};
    for (int k = 0; k < 2 && found == 0; k++)
        for (int32_t i = 0; i < count && found < capacity; i++)
            if (same[k](wrong, names[i]))
                out[found++] = names[i];
    return found;
}

// --- messages ------------------------------------------------------------------------------------

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
