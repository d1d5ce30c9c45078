// SPDX-License-Identifier: Apache-2.0
// base/status.c - error messages, version, assertion handler

#include "base/status.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LitheStatus lithe_fail(LitheError *error, LitheStatus status, const char *format, ...) {
    if (!error)
        return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    error->status = status;
    error->line = 0;
    error->column = 0;
    return status;
}

LitheStatus lithe_fail_at(LitheError *error, LitheStatus status, const char *file, int32_t line,
                          int32_t column, const char *format, ...) {
    if (!error)
        return status;
    int at = 0;
    int capacity = (int)sizeof error->text;
    if (line > 0 && column > 0)
        at = snprintf(error->text, (size_t)capacity, "%s:%d:%d: ", file, line, column);
    else if (line > 0)
        at = snprintf(error->text, (size_t)capacity, "%s:%d: ", file, line);
    else
        at = snprintf(error->text, (size_t)capacity, "%s: ", file);
    if (at < capacity) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text + at, (size_t)(capacity - at), format, arguments);
        va_end(arguments);
    }
    error->status = status;
    error->line = line;
    error->column = column;
    return status;
}

// room that the last line needs: "and 123 more mistakes"
#define LAST_LINE 40

void lithe_mistakes_add(LitheMistakes *all, const LitheError *one) {
    LitheError *error = all->error;
    if (all->count++ == 0)
        all->status = one->status;
    if (!error)
        return;
    if (all->count == 1) {
        *error = *one;
        return;
    }
    size_t used = strlen(error->text), more = strlen(one->text);
    if (all->left_off > 0 || used + 1 + more + LAST_LINE >= sizeof error->text) {
        all->left_off++;
        return;
    }
    error->text[used] = '\n';
    memcpy(error->text + used + 1, one->text, more + 1);
}

LitheStatus lithe_mistakes_end(LitheMistakes *all) {
    LitheError *error = all->error;
    size_t used = error && all->count > 0 ? strlen(error->text) : 0;
    if (error && all->left_off > 0)
        snprintf(error->text + used, sizeof error->text - used, "\nand %d more mistake%s",
                 all->left_off, all->left_off > 1 ? "s" : "");
    return all->count == 0 ? LITHE_OK : all->status;
}

LitheStatus lithe_fail_memory(LitheError *error, const char *what) {
    return lithe_fail(error, LITHE_NO_MEMORY, "out of memory for %s", what);
}

const char *lithe_version(void) {
    return LITHE_VERSION;
}

const char *lithe_status_name(LitheStatus status) {
    switch (status) {
    case LITHE_OK:
        return "ok";
    case LITHE_BAD_INPUT:
        return "bad input";
    case LITHE_NO_MEMORY:
        return "out of memory";
    case LITHE_FILE_ERROR:
        return "file error";
    case LITHE_NOT_SUPPORTED:
        return "not supported";
    case LITHE_CANNOT_GO_ON:
        return "cannot go on";
    case LITHE_INTERRUPTED:
        return "interrupted";
    }
    return "unknown status";
}

static void default_assert(const char *condition, const char *file, int line) {
    fprintf(stderr, "lithe: %s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}

static LitheAssertFn *assert_handler = default_assert;

void lithe_set_assert_handler(LitheAssertFn *handler) {
    assert_handler = handler ? handler : default_assert;
}

void lithe_assert_failed(const char *condition, const char *file, int line) {
    assert_handler(condition, file, line);
}
