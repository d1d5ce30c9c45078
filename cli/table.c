// SPDX-License-Identifier: Apache-2.0
// cli/table.c - reads the table of a study: CSV with a header "name [unit]", cells quoted where
// needed

#include "cli/table.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_BYTES = 256 << 20, MAX_COLUMNS = 10000 };

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

// recordings and tables may have any name
static bool is_hdf5(const char *path) {
    static const unsigned char hdf5[4] = {0x89, 'H', 'D', 'F'};
    struct stat info;
    unsigned char first[sizeof hdf5] = {0};
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    FILE *file = fopen(path, "rb");
    bool is = file && fread(first, 1, sizeof first, file) == sizeof first &&
              memcmp(first, hdf5, sizeof first) == 0;
    if (file)
        fclose(file);
    return is;
}

bool lithe_cli_table_path(const char *path, char *file, size_t size) {
    struct stat info;
    snprintf(file, size, "%s", path);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        snprintf(file, size, "%s/table.csv", path);
        return true;
    }
    return is_hdf5(path) ? lithe_cli_table_is_hdf5(path) : ends_with(path, ".csv");
}

static LitheStatus read_bytes(LitheContext *context, const char *path, char **bytes,
                              LitheError *error) {
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (!file || fstat(fileno(file), &info) != 0) {
        LitheStatus status =
            lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot read: %s", path, strerror(errno));
        if (file)
            fclose(file);
        return status;
    }
    LitheStatus status = LITHE_OK;
    if (!S_ISREG(info.st_mode) || info.st_size > MAX_BYTES)
        status = lithe_fail(error, LITHE_BAD_INPUT, "%s: not a regular file of at most %d bytes",
                            path, MAX_BYTES);
    else if (!(*bytes = lithe_alloc(context, (size_t)info.st_size + 1)))
        status = lithe_fail_memory(error, "a table");
    else if (fread(*bytes, 1, (size_t)info.st_size, file) != (size_t)info.st_size)
        status = lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot read it whole", path);
    fclose(file);
    return status;
}

// The next cell of a line, without its quotes; `*last` is set at the end of the line. NULL at the
// end of the file.
static char *next_cell(char **at, bool *last) {
    char *from = *at, *to = *at, *start = *at;
    if (!*from)
        return NULL;
    bool quoted = *from == '"';
    from += quoted;
    while (*from && (quoted || (*from != ',' && *from != '\n'))) {
        if (quoted && *from == '"') {
            quoted = from[1] == '"';
            from += 1;
            if (!quoted)
                continue;
        }
        *to++ = *from++;
    }
    *last = *from != ',';
    *at = *from ? from + 1 : from;
    if (to > start && to[-1] == '\r')
        to--;
    *to = '\0';
    return start;
}

static LitheStatus fail_line(const char *path, int64_t line, const char *what, LitheError *error) {
    return lithe_fail_at(error, LITHE_BAD_INPUT, path, (int32_t)line, 0, "%s", what);
}

// "name [unit]" is split; the bracket ends the name
static void split_unit(LitheCliColumn *column, char *cell) {
    char *open = strrchr(cell, '[');
    size_t length = strlen(cell);
    column->name = cell;
    column->unit = cell + length;
    if (!open || open == cell || cell[length - 1] != ']')
        return;
    cell[length - 1] = '\0';
    column->unit = open + 1;
    char *end = open;
    while (end > cell && end[-1] == ' ')
        end--;
    *end = '\0';
}

static LitheStatus read_head(LitheCliTable *table, const char *path, char **at, int64_t rows,
                             LitheError *error) {
    int32_t capacity = 0;
    bool last = false;
    while (!last) {
        char *cell = next_cell(at, &last);
        if (!cell || table->column_count == MAX_COLUMNS)
            return fail_line(path, 1, "no table with a header of at most 10000 columns", error);
        if (!LITHE_RESERVE(table->context, table->columns, capacity, table->column_count + 1))
            return lithe_fail_memory(error, "a table");
        LitheCliColumn *column = &table->columns[table->column_count++];
        *column =
            (LitheCliColumn){.numbers = lithe_alloc_array(table->context, rows, sizeof(double)),
                             .texts = lithe_alloc_array(table->context, rows, sizeof(char *))};
        if (!column->numbers || !column->texts)
            return lithe_fail_memory(error, "a table");
        split_unit(column, cell);
    }
    return LITHE_OK;
}

double lithe_cli_cell_number(const char *cell) {
    char *end = NULL;
    double value = strtod(cell, &end);
    if (strcmp(cell, "true") == 0 || strcmp(cell, "false") == 0)
        return cell[0] == 't';
    return *cell && !*end ? value : NAN;
}

static LitheStatus read_rows(LitheCliTable *table, const char *path, char *at, LitheError *error) {
    for (int64_t line = 2; *at; line++) {
        bool last = false, done = true;
        for (int32_t c = 0; c < table->column_count; c++) {
            char *cell = last ? NULL : next_cell(&at, &last);
            if (!cell || (last && c + 1 < table->column_count))
                return fail_line(path, line, "fewer cells than the header has columns", error);
            LitheCliColumn *column = &table->columns[c];
            column->texts[table->row_count] = cell;
            column->numbers[table->row_count] = lithe_cli_cell_number(cell);
            done = done && (strcmp(column->name, "status") != 0 || strcmp(cell, "done") == 0);
        }
        if (!last)
            return fail_line(path, line, "more cells than the header has columns", error);
        table->row_count += done;
        table->failed += !done;
    }
    return LITHE_OK;
}

LitheStatus lithe_cli_table_read(LitheContext *context, const char *path, LitheCliTable *table,
                                 LitheError *error) {
    if (is_hdf5(path))
        return lithe_cli_table_read_hdf5(context, path, table, error);
    *table = (LitheCliTable){.context = context};
    LitheStatus status = read_bytes(context, path, &table->bytes, error);
    int64_t rows = 1;
    for (const char *c = table->bytes; status == LITHE_OK && *c; c++)
        rows += *c == '\n';
    char *at = table->bytes;
    if (status == LITHE_OK)
        status = read_head(table, path, &at, rows, error);
    return status == LITHE_OK ? read_rows(table, path, at, error) : status;
}

void lithe_cli_table_release(LitheCliTable *table) {
    for (int32_t c = 0; c < table->column_count; c++) {
        if (table->columns[c].owned) {
            lithe_free(table->context, table->columns[c].name);
            lithe_free(table->context, table->columns[c].unit);
        }
        lithe_free(table->context, table->columns[c].block);
        lithe_free(table->context, table->columns[c].numbers);
        lithe_free(table->context, table->columns[c].texts);
    }
    lithe_free(table->context, table->columns);
    lithe_free(table->context, table->bytes);
}

static LitheStatus fail_name(const LitheCliTable *table, const char *path, const char *name,
                             LitheError *error) {
    const char *names[64];
    int32_t count = 0;
    char list[600] = "";
    size_t used = 0;
    for (int32_t c = 0; c < table->column_count && count < 63; c++) {
        const char *dot = strrchr(table->columns[c].name, '.');
        names[count++] = table->columns[c].name;
        if (dot)
            names[count++] = dot + 1;
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                             table->columns[c].name);
        used += wrote > 0 && (size_t)wrote < sizeof list - used ? (size_t)wrote : 0;
    }
    list[used] = '\0';
    const char *meant = lithe_suggest(name, names, count);
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: no column '%.100s'%s%.100s%s There are %s", path,
                      name, meant ? ", did you mean '" : "", meant ? meant : "", meant ? "'?" : ".",
                      list);
}

LitheStatus lithe_cli_table_find(const LitheCliTable *table, const char *path, const char *name,
                                 const LitheCliColumn **column, LitheError *error) {
    const LitheCliColumn *found = NULL, *tail = NULL;
    int32_t tails = 0;
    for (int32_t c = 0; c < table->column_count; c++) {
        const char *dot = strrchr(table->columns[c].name, '.');
        if (strcmp(table->columns[c].name, name) == 0)
            found = &table->columns[c];
        if (dot && strcmp(dot + 1, name) == 0) {
            tail = &table->columns[c];
            tails++;
        }
    }
    found = found ? found : tails == 1 ? tail : NULL;
    if (!found)
        return fail_name(table, path, name, error);
    for (int32_t r = 0; r < table->row_count; r++)
        if (isfinite(found->numbers[r])) {
            *column = found;
            return LITHE_OK;
        }
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: column '%.100s' has no number", path, name);
}
