// SPDX-License-Identifier: Apache-2.0
// view/text.c - JSON texts built piece by piece

#include "view/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lithe_view_put(LitheBytes *text, const char *format, ...) {
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece)
        text->failed = true;
    else
        lithe_bytes_put(text, piece, length);
}

void lithe_view_put_number(LitheBytes *text, double number) {
    char piece[32];
    int length = snprintf(piece, sizeof piece, "%.9g", isfinite(number) ? number : 0.0);
    char *comma = strchr(piece, ',');
    if (comma)
        *comma = '.';
    lithe_bytes_put(text, piece, length);
}

void lithe_view_put_numbers(LitheBytes *text, const double *numbers, int64_t count) {
    lithe_bytes_put(text, "[", 1);
    for (int64_t i = 0; i < count; i++) {
        if (i > 0)
            lithe_bytes_put(text, ",", 1);
        lithe_view_put_number(text, numbers[i]);
    }
    lithe_bytes_put(text, "]", 1);
}

// Bytes of the character that begins at `from`; 0: not UTF-8.
static int character_length(const unsigned char *from) {
    static const struct {
        unsigned char mask, value, low; // pattern of the first byte; smallest valid second byte
        int length;
    } forms[] = {
        {0x80, 0x00, 0, 1}, {0xe0, 0xc0, 0, 2}, {0xf0, 0xe0, 0xa0, 3}, {0xf8, 0xf0, 0x90, 4}};
    for (int k = 0; k < 4; k++) {
        if ((from[0] & forms[k].mask) != forms[k].value)
            continue;
        // overlong forms, surrogates, beyond the last character
        bool bad = (k == 1 && from[0] < 0xc2) || (from[0] == 0xed && from[1] > 0x9f) ||
                   (k == 3 && (from[0] > 0xf4 || (from[0] == 0xf4 && from[1] > 0x8f))) ||
                   (from[0] == 0xe0 && from[1] < forms[2].low) ||
                   (from[0] == 0xf0 && from[1] < forms[3].low);
        for (int i = 1; i < forms[k].length && !bad; i++)
            bad = (from[i] & 0xc0) != 0x80;
        return bad ? 0 : forms[k].length;
    }
    return 0;
}

void lithe_view_put_quoted(LitheBytes *text, const char *from) {
    lithe_bytes_put(text, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)(from ? from : ""); *at;) {
        int length = character_length(at);
        if (length == 0)
            lithe_bytes_put(text, "?", 1);
        else if (*at == '"' || *at == '\\')
            lithe_view_put(text, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            lithe_view_put(text, "\\u%04x", *at);
        else
            lithe_bytes_put(text, at, length);
        at += length > 0 ? length : 1;
    }
    lithe_bytes_put(text, "\"", 1);
}
