// SPDX-License-Identifier: Apache-2.0
// base/status.h - filling a LitheError; each function returns the status, so that callers can write
// `return lithe_fail(..)`

#ifndef LITHE_BASE_STATUS_H
#define LITHE_BASE_STATUS_H

#include "lithe/base.h"

/// Writes status and text; `error` may be NULL.
LitheStatus lithe_fail(LitheError *error, LitheStatus status, const char *format, ...)
    LITHE_PRINTF(3, 4);

/// As lithe_fail, with "file:line:column: " before the text (line and column are omitted when 0).
LitheStatus lithe_fail_at(LitheError *error, LitheStatus status, const char *file, int32_t line,
                          int32_t column, const char *format, ...) LITHE_PRINTF(6, 7);

/// No more mistakes of one input are searched: nobody reads more, and hostile inputs cost no more.
#define LITHE_MISTAKES_MAX 100

/// Collects the mistakes of one input, so that all of them are reported at once.
typedef struct LitheMistakes {
    LitheError *error;  // receives their texts, one per line; may be NULL
    LitheStatus status; // of the first
    int32_t count;
    int32_t left_off; // those that did not fit
} LitheMistakes;

/// Adds one mistake; line and column of the error are those of the first.
void lithe_mistakes_add(LitheMistakes *all, const LitheError *one);

/// LITHE_OK when there are none; otherwise completes the text and returns the status of the first.
LitheStatus lithe_mistakes_end(LitheMistakes *all);

/// "out of memory for WHAT".
LitheStatus lithe_fail_memory(LitheError *error, const char *what);

#endif
