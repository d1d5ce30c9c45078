// SPDX-License-Identifier: Apache-2.0
// base/text.h - texts from outside: whether they are UTF-8, and harmless in a terminal

#ifndef LITHE_BASE_TEXT_H
#define LITHE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/// The number of bytes of `text` that are valid UTF-8 without NUL; `length` when all are.
size_t lithe_utf8_good(const char *text, size_t length);

/// Replaces control characters, so that a message cannot control a terminal.
void lithe_text_tame(char *text);

/// Whether the first `length` characters are the same letters, capital or not.
bool lithe_text_same(const char *a, const char *b, size_t length);

#endif
