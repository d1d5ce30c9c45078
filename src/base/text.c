// SPDX-License-Identifier: Apache-2.0
// base/text.c - texts from outside: whether they are UTF-8, and harmless in a terminal

#include "base/text.h"

// Length of the UTF-8 sequence at `s`, 0 when it is invalid (overlong, surrogate, cut, NUL).
static size_t utf8_length(const unsigned char *s, size_t left) {
    if (s[0] < 0x80)
        return s[0] != 0;
    size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || outside ? 0 : n;
}

size_t lithe_utf8_good(const char *text, size_t length) {
    size_t at = 0;
    while (at < length) {
        size_t n = utf8_length((const unsigned char *)text + at, length - at);
        if (n == 0)
            break;
        at += n;
    }
    return at;
}

void lithe_text_tame(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

static int small_letter(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

bool lithe_text_same(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (small_letter(a[i]) != small_letter(b[i]))
            return false;
        if (a[i] == '\0')
            return true;
    }
    return true;
}
