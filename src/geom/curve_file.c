// SPDX-License-Identifier: Apache-2.0
// geom/curve_file.c - points from a text file, three numbers per line

#define _GNU_SOURCE // strtod_l

#include "geom/curve_parts.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Limits of the memory that a file may use: a line of three numbers is far shorter, and a rod of
// ten million nodes (240 MB of points) is beyond practical use.
enum { LINE_MAX_BYTES = 1000, POINTS_MAX = 10000000 };

typedef struct Reader {
    LitheContext *context;
    const char *path;
    FILE *file;
    locale_t plain; // "C": a point is the decimal mark whatever the program's language
    int32_t line;
    char text[LINE_MAX_BYTES + 1];
    LitheError *error;
} Reader;

/// Next line without its end and comment; `*more` is false after the last one.
static LitheStatus read_line(Reader *reader, bool *more) {
    int length = 0, c;
    bool comment = false;
    reader->line++;
    while ((c = fgetc(reader->file)) != EOF && c != '\n') {
        if ((c < ' ' && c != '\t' && c != '\r') || c == 0x7f)
            return lithe_fail_at(reader->error, LITHE_BAD_INPUT, reader->path, reader->line,
                                 length + 1, "byte 0x%02x: this is not a text file", c);
        comment = comment || c == '#';
        if (comment)
            continue;
        if (length == LINE_MAX_BYTES)
            return lithe_fail_at(reader->error, LITHE_BAD_INPUT, reader->path, reader->line, 0,
                                 "the line is longer than %d bytes, expected three numbers",
                                 LINE_MAX_BYTES);
        reader->text[length++] = (char)c;
    }
    reader->text[length] = 0;
    if (ferror(reader->file))
        return lithe_fail_at(reader->error, LITHE_FILE_ERROR, reader->path, 0, 0, "cannot read: %s",
                             lithe_file_reason(errno));
    *more = c != EOF || length > 0 || comment;
    return LITHE_OK;
}

static bool is_gap(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Text for a word in a message. Only words that look like numbers are quoted: a scene may name any
// file, and the message must not disclose its contents.
static const char *name_word(const char *word, size_t width, char *text, size_t size) {
    if (strspn(word, "0123456789+-.,eE") >= width)
        snprintf(text, size, "'%.*s'", width < 40 ? (int)width : 40, word);
    else
        snprintf(text, size, "a word of %zu characters", width);
    return text;
}

/// One number from `*at` on.
static LitheStatus read_number(Reader *reader, const char **at, double *value) {
    const char *start = *at;
    size_t width = strcspn(start, " \t\r");
    int32_t column = (int32_t)(start - reader->text) + 1;
    char name[64];
    name_word(start, width, name, sizeof name);
    if (memchr(start, ',', width))
        return lithe_fail_at(
            reader->error, LITHE_BAD_INPUT, reader->path, reader->line, column,
            "%s has a comma: write a point for decimals and spaces between numbers", name);
    char *end = NULL;
    if (strspn(start, "0123456789+-.eE") >= width)
        *value = strtod_l(start, &end, reader->plain);
    if (end != start + width)
        return lithe_fail_at(reader->error, LITHE_BAD_INPUT, reader->path, reader->line, column,
                             "%s is not a number", name);
    if (!isfinite(*value))
        return lithe_fail_at(reader->error, LITHE_BAD_INPUT, reader->path, reader->line, column,
                             "%s is too large", name);
    *at = start + width;
    return LITHE_OK;
}

/// The numbers of the line just read; `*found` is false for a blank one.
static LitheStatus read_point(Reader *reader, Vec3 *point, bool *found) {
    double value[3] = {0};
    int count = 0;
    const char *at = reader->text;
    for (;;) {
        while (is_gap(*at))
            at++;
        if (!*at)
            break;
        if (count == 3)
            return lithe_fail_at(reader->error, LITHE_BAD_INPUT, reader->path, reader->line,
                                 (int32_t)(at - reader->text) + 1,
                                 "more than three numbers, expected x y z");
        LitheStatus status = read_number(reader, &at, &value[count]);
        if (status)
            return status;
        count++;
    }
    *found = count > 0;
    if (count != 0 && count != 3)
        return lithe_fail_at(reader->error, LITHE_BAD_INPUT, reader->path, reader->line, 0,
                             "%d number%s, expected x y z", count, count == 1 ? "" : "s");
    *point = v3_load(value);
    return LITHE_OK;
}

static LitheStatus read_points(Reader *reader, Vec3 **points, int32_t *count) {
    int32_t capacity = 0;
    for (;;) {
        bool more = false, found = false;
        Vec3 point = {0};
        LitheStatus status = read_line(reader, &more);
        // skip the byte order mark of UTF-8 text
        if (!status && reader->line == 1 && strncmp(reader->text, "\xef\xbb\xbf", 3) == 0)
            memmove(reader->text, reader->text + 3, strlen(reader->text + 3) + 1);
        if (!status && more)
            status = read_point(reader, &point, &found);
        if (status || !more)
            return status;
        if (!found)
            continue;
        if (*count == POINTS_MAX)
            return lithe_fail_at(reader->error, LITHE_NOT_SUPPORTED, reader->path, reader->line, 0,
                                 "more than %d points", POINTS_MAX);
        if (!LITHE_RESERVE(reader->context, *points, capacity, (int64_t)*count + 1))
            return lithe_fail_memory(reader->error, "the points of a file");
        (*points)[(*count)++] = point;
    }
}

LitheStatus lithe_curve_read(LitheContext *context, const char *path, Vec3 **points, int32_t *count,
                             LitheError *error) {
    if (!path || !*path)
        return lithe_fail(error, LITHE_BAD_INPUT, "file: path is missing");
    Reader reader = {.context = context, .path = path, .error = error};
    Vec3 *read = NULL;
    int32_t n = 0;
    LitheStatus status = LITHE_OK;
    reader.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!reader.plain)
        return lithe_fail_memory(error, "a reader of numbers");
    reader.file = lithe_file_open_input(path);
    if (!reader.file)
        status = lithe_fail_at(error, LITHE_FILE_ERROR, path, 0, 0, "cannot open: %s",
                               lithe_file_reason(errno));
    else
        status = read_points(&reader, &read, &n);
    if (!status && n == 0)
        status = lithe_fail_at(error, LITHE_BAD_INPUT, path, 0, 0, "no points in it");
    if (reader.file)
        fclose(reader.file);
    freelocale(reader.plain);
    if (status) {
        lithe_free(context, read);
        return status;
    }
    *points = read;
    *count = n;
    return LITHE_OK;
}
