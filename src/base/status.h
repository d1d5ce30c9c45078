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

/// "out of memory for WHAT".
LitheStatus lithe_fail_memory(LitheError *error, const char *what);

#endif
