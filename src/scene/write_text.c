// SPDX-License-Identifier: Apache-2.0
// scene/write_text.c - a growing text: keys, numbers to the last bit, quoted texts

#include "base/memory.h"
#include "scene/write.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- text ----------------------------------------------------------------------------------------

void lithe_put(LitheWriter *w, const char *text, size_t length) {
    if (w->failed)
        return;
    if (w->length + length + 1 > w->capacity) {
        size_t capacity = 2 * w->capacity + length + 256;
        char *more = lithe_alloc(w->context, capacity);
        if (!more) {
            w->failed = true;
            return;
        }
        if (w->text)
            memcpy(more, w->text, w->length);
        lithe_free(w->context, w->text);
        w->text = more;
        w->capacity = capacity;
    }
    memcpy(w->text + w->length, text, length);
    w->length += length;
    w->text[w->length] = '\0';
}

// for short texts
void lithe_print(LitheWriter *w, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lithe_put(w, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void lithe_put_key(LitheWriter *w, const char *key) {
    lithe_print(w, "%*s%s:", 2 * w->indent, "", key);
}

// The fewest digits that read back as the same double.
void lithe_put_number(LitheWriter *w, double value) {
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    lithe_put(w, text, strlen(text));
}

void lithe_put_vector(LitheWriter *w, LitheVec3 v) {
    lithe_put(w, "[", 1);
    lithe_put_number(w, v.x);
    lithe_put(w, ", ", 2);
    lithe_put_number(w, v.y);
    lithe_put(w, ", ", 2);
    lithe_put_number(w, v.z);
    lithe_put(w, "]", 1);
}

// One code point of valid UTF-8; its length in `length`.
static uint32_t code_point(const unsigned char *s, size_t *length) {
    *length = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    uint32_t c = *length == 1 ? s[0] : s[0] & (0xffu >> (*length + 1));
    for (size_t i = 1; i < *length; i++)
        c = c << 6 | (s[i] & 0x3fu);
    return c;
}

void lithe_put_quoted(LitheWriter *w, const char *text) {
    lithe_put(w, "\"", 1);
    for (size_t n; *text; text += n) {
        uint32_t c = code_point((const unsigned char *)text, &n);
        // characters that YAML must escape: controls, line separators, the byte order mark
        bool plain = (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') || (c >= 0xa1 && c < 0x2000);
        if (plain)
            lithe_put(w, text, n);
        else
            lithe_print(w, "\\U%08X", c);
    }
    lithe_put(w, "\"", 1);
}

bool lithe_same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}
