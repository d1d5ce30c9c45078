// SPDX-License-Identifier: Apache-2.0
// record/layout.c - the list of columns, and its bytes in a journal

#include "record/layout.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

// limits of a layout: columns, columns of the table of contacts, values (doubles) per frame. Larger
// numbers in a file mean that it is damaged.
#define COLUMNS_MAX 1000000
#define CONTACT_COLUMNS_MAX 100
#define FRAME_SIZE_MAX ((int64_t)1 << 36)

static void release_column(LitheContext *context, LitheColumn *column) {
    lithe_free(context, column->path);
    lithe_free(context, column->unit);
    lithe_free(context, column->axes);
    lithe_free(context, column->values);
    lithe_free(context, column->text);
    *column = (LitheColumn){0};
}

void lithe_layout_release(LitheLayout *layout) {
    for (int32_t i = 0; i < layout->column_count; i++)
        release_column(layout->context, &layout->columns[i]);
    for (int32_t i = 0; i < layout->contact_column_count; i++)
        release_column(layout->context, &layout->contact_columns[i]);
    lithe_free(layout->context, layout->contact_columns);
    lithe_free(layout->context, layout->columns);
    lithe_free(layout->context, layout->slots);
    lithe_free(layout->context, layout->scene);
    lithe_free(layout->context, layout->title);
    lithe_free(layout->context, layout->version);
    *layout = (LitheLayout){.context = layout->context};
}

// A path consists of names separated by single slashes: no empty name, no "." or "..".
static bool is_path(const char *path) {
    const char *at = path;
    for (;;) {
        size_t length = strcspn(at, "/");
        if (length == 0 || (length == 1 && at[0] == '.') ||
            (length == 2 && at[0] == '.' && at[1] == '.'))
            return false;
        if (at[length] == '\0')
            return true;
        at += length + 1;
    }
}

static bool is_per_frame(const char *axes) {
    return strncmp(axes, "time", 4) == 0 && (axes[4] == '\0' || axes[4] == ' ');
}

static int32_t axis_count(const char *axes) {
    int32_t count = axes[0] != '\0';
    for (const char *at = axes; *at; at++)
        count += *at == ' ';
    return count;
}

// --- finding a column by its path ----------------------------------------------------------------

// the slot with the path, or the empty slot for it
static int32_t slot_of(const LitheLayout *layout, const char *path) {
    // FNV-1a
    uint64_t hash = 14695981039346656037u;
    for (const char *at = path; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    uint32_t mask = (uint32_t)layout->slot_count - 1, slot = (uint32_t)(hash ^ hash >> 32) & mask;
    while (layout->slots[slot] != 0 &&
           strcmp(layout->columns[layout->slots[slot] - 1].path, path) != 0)
        slot = (slot + 1) & mask;
    return (int32_t)slot;
}

// Makes the hash table large enough for one more column; false when out of memory.
static bool reserve_slot(LitheLayout *layout) {
    if (2 * ((int64_t)layout->column_count + 1) <= layout->slot_count)
        return true;
    int64_t wanted = layout->slot_count > 0 ? 2 * (int64_t)layout->slot_count : 64;
    int32_t *slots = lithe_alloc_array(layout->context, wanted, sizeof *slots);
    if (!slots)
        return false;
    lithe_free(layout->context, layout->slots);
    layout->slots = slots;
    layout->slot_count = (int32_t)wanted;
    for (int32_t i = 0; i < layout->column_count; i++)
        slots[slot_of(layout, layout->columns[i].path)] = i + 1;
    return true;
}

const LitheColumn *lithe_layout_find(const LitheLayout *layout, const char *path) {
    if (layout->column_count == 0)
        return NULL;
    int32_t number = layout->slots[slot_of(layout, path)];
    return number > 0 ? &layout->columns[number - 1] : NULL;
}

// --- adding --------------------------------------------------------------------------------------

// Takes ownership of everything `column` points to, also on failure.
static LitheStatus append(LitheLayout *layout, LitheColumn *column, LitheError *error) {
    LitheStatus status = LITHE_OK;
    if (!column->path || !column->unit || !column->axes)
        status = lithe_fail_memory(error, "a column of the recording");
    else if (!is_path(column->path))
        status = lithe_fail(error, LITHE_BAD_INPUT, "'%s' cannot be the path of a dataset",
                            column->path);
    else if (lithe_layout_find(layout, column->path))
        status =
            lithe_fail(error, LITHE_BAD_INPUT, "two datasets would be named '%s'", column->path);
    else if (axis_count(column->axes) != column->rank + (column->offset == 0))
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "'%s' has %d axes, '%s', must have %d (%s%d dimensions)", column->path,
                            (int)axis_count(column->axes), column->axes,
                            (int)(column->rank + (column->offset == 0)),
                            column->offset == 0 ? "time and " : "", (int)column->rank);
    else if (column->offset == 0 && column->count > FRAME_SIZE_MAX - layout->frame_size)
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "'%s' has %lld values per frame and the columns before it have %lld, "
                            "must be at most %lld together",
                            column->path, (long long)column->count, (long long)layout->frame_size,
                            (long long)FRAME_SIZE_MAX);
    else if (!LITHE_RESERVE(layout->context, layout->columns, layout->column_capacity,
                            layout->column_count + 1) ||
             !reserve_slot(layout))
        status = lithe_fail_memory(error, "the columns of the recording");
    if (status != LITHE_OK) {
        release_column(layout->context, column);
        return status;
    }
    if (column->offset == 0) {
        column->offset = layout->frame_size;
        layout->frame_size += column->count;
    }
    layout->slots[slot_of(layout, column->path)] = layout->column_count + 1;
    layout->columns[layout->column_count++] = *column;
    return LITHE_OK;
}

static LitheColumn make_column(const LitheLayout *layout, const char *path, const char *unit,
                               const char *axes, LitheColumnKind kind, int32_t rank,
                               const int64_t *dims) {
    LitheColumn column = {.kind = kind, .rank = rank, .count = 1};
    column.path = lithe_alloc_text(layout->context, path);
    column.unit = lithe_alloc_text(layout->context, unit);
    column.axes = lithe_alloc_text(layout->context, axes);
    column.offset = is_per_frame(axes) ? 0 : -1; // 0: per frame, `append` sets the offset
    for (int32_t i = 0; i < rank; i++) {
        column.dims[i] = dims[i];
        column.count *= dims[i];
    }
    return column;
}

LitheStatus lithe_layout_add(LitheLayout *layout, const char *path, const char *unit,
                             const char *axes, LitheColumnKind kind, int32_t rank,
                             const int64_t *dims, LitheError *error) {
    LitheColumn column = make_column(layout, path, unit, axes, kind, rank, dims);
    return append(layout, &column, error);
}

LitheStatus lithe_layout_add_constant(LitheLayout *layout, const char *path, const char *unit,
                                      const char *axes, LitheColumnKind kind, int32_t rank,
                                      const int64_t *dims, const double *values,
                                      LitheError *error) {
    LitheColumn column = make_column(layout, path, unit, axes, kind, rank, dims);
    column.values = lithe_alloc_array(layout->context, column.count, sizeof(double));
    if (!column.values) {
        release_column(layout->context, &column);
        return lithe_fail_memory(error, "a constant of the recording");
    }
    memcpy(column.values, values, (size_t)column.count * sizeof(double));
    return append(layout, &column, error);
}

LitheStatus lithe_layout_add_text(LitheLayout *layout, const char *path, const char *text,
                                  LitheError *error) {
    LitheColumn column = make_column(layout, path, "1", "", LITHE_COLUMN_TEXT, 0, NULL);
    column.text = lithe_alloc_text(layout->context, text);
    if (!column.text) {
        release_column(layout->context, &column);
        return lithe_fail_memory(error, "a text of the recording");
    }
    return append(layout, &column, error);
}

// --- columns of the table of contacts ------------------------------------------------------------

// dimensions beyond the contact: 0, one number per contact; 1, a vector; -1: invalid axes
static int32_t contact_column_rank(const char *axes) {
    return strcmp(axes, "contact") == 0 ? 0 : strcmp(axes, "contact xyz") == 0 ? 1 : -1;
}

// Takes ownership of everything `column` points to, also on failure.
static LitheStatus append_contact_column(LitheLayout *layout, LitheColumn *column,
                                         LitheError *error) {
    LitheStatus status = LITHE_OK;
    if (!column->path || !column->unit || !column->axes ||
        !LITHE_RESERVE(layout->context, layout->contact_columns, layout->contact_column_capacity,
                       layout->contact_column_count + 1))
        status = lithe_fail_memory(error, "a column of the recording");
    else if (!is_path(column->path) || contact_column_rank(column->axes) < 0 ||
             column->kind == LITHE_COLUMN_TEXT)
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "'%s' cannot be a column of the table of contacts", column->path);
    else if (lithe_layout_find(layout, column->path) ||
             lithe_layout_find_contact_column(layout, column->path))
        status =
            lithe_fail(error, LITHE_BAD_INPUT, "two datasets would be named '%s'", column->path);
    if (status != LITHE_OK) {
        release_column(layout->context, column);
        return status;
    }
    column->rank = contact_column_rank(column->axes);
    column->count = column->dims[0] = column->rank ? 3 : 1;
    column->offset = layout->row_size;
    layout->row_size += column->count;
    layout->contact_columns[layout->contact_column_count++] = *column;
    return LITHE_OK;
}

LitheStatus lithe_layout_add_contact_column(LitheLayout *layout, const char *path, const char *unit,
                                            const char *axes, LitheColumnKind kind,
                                            LitheError *error) {
    LitheColumn column = {.kind = kind};
    column.path = lithe_alloc_text(layout->context, path);
    column.unit = lithe_alloc_text(layout->context, unit);
    column.axes = lithe_alloc_text(layout->context, axes);
    return append_contact_column(layout, &column, error);
}

const LitheColumn *lithe_layout_find_contact_column(const LitheLayout *layout, const char *path) {
    for (int32_t i = 0; i < layout->contact_column_count; i++)
        if (strcmp(layout->contact_columns[i].path, path) == 0)
            return &layout->contact_columns[i];
    return NULL;
}

// --- bytes ---------------------------------------------------------------------------------------

void lithe_layout_encode(const LitheLayout *layout, LitheBytes *bytes) {
    lithe_bytes_put_text(bytes, layout->scene);
    lithe_bytes_put_text(bytes, layout->title);
    lithe_bytes_put_text(bytes, layout->version);
    lithe_bytes_put_real(bytes, layout->end);
    lithe_bytes_put_number(bytes, (uint64_t)layout->column_count);
    for (int32_t i = 0; i < layout->column_count; i++) {
        const LitheColumn *column = &layout->columns[i];
        lithe_bytes_put_text(bytes, column->path);
        lithe_bytes_put_text(bytes, column->unit);
        lithe_bytes_put_text(bytes, column->axes);
        lithe_bytes_put_number(bytes, (uint64_t)column->kind);
        lithe_bytes_put_number(bytes, (uint64_t)column->rank);
        for (int32_t k = 0; k < column->rank; k++)
            lithe_bytes_put_number(bytes, (uint64_t)column->dims[k]);
        if (column->kind == LITHE_COLUMN_TEXT)
            lithe_bytes_put_text(bytes, column->text);
        else if (column->offset < 0)
            lithe_bytes_put(bytes, column->values, column->count * (int64_t)sizeof(double));
    }
    lithe_bytes_put_number(bytes, (uint64_t)layout->contact_column_count);
    for (int32_t i = 0; i < layout->contact_column_count; i++) {
        lithe_bytes_put_text(bytes, layout->contact_columns[i].path);
        lithe_bytes_put_text(bytes, layout->contact_columns[i].unit);
        lithe_bytes_put_text(bytes, layout->contact_columns[i].axes);
        lithe_bytes_put_number(bytes, (uint64_t)layout->contact_columns[i].kind);
    }
}

// Fills `column`; false when the bytes are invalid or when out of memory.
static bool decode_column(LitheContext *context, LitheByteReader *reader, LitheColumn *column) {
    column->path = lithe_bytes_take_text(reader, context);
    column->unit = lithe_bytes_take_text(reader, context);
    column->axes = lithe_bytes_take_text(reader, context);
    uint64_t kind = lithe_bytes_take_number(reader);
    uint64_t rank = lithe_bytes_take_number(reader);
    if (reader->failed || reader->no_memory || kind > LITHE_COLUMN_TEXT || rank > 2)
        return false;
    column->kind = (LitheColumnKind)kind;
    column->rank = (int32_t)rank;
    column->count = 1;
    for (uint64_t k = 0; k < rank; k++) {
        uint64_t size = lithe_bytes_take_number(reader);
        if (size == 0 || size > (uint64_t)(FRAME_SIZE_MAX / column->count))
            return false;
        column->dims[k] = (int64_t)size;
        column->count *= (int64_t)size;
    }
    column->offset = is_per_frame(column->axes) ? 0 : -1;
    if (column->kind == LITHE_COLUMN_TEXT) {
        column->text = lithe_bytes_take_text(reader, context);
        return column->text && column->offset < 0 && rank == 0;
    }
    if (column->offset == 0)
        return true;
    int64_t size = column->count * (int64_t)sizeof(double);
    if (size > reader->left)
        return false;
    column->values = lithe_alloc(context, (size_t)size);
    reader->no_memory = !column->values;
    return column->values && lithe_bytes_take(reader, column->values, size);
}

static LitheStatus decode_columns(LitheByteReader *reader, uint64_t count, const char *name,
                                  LitheLayout *layout, LitheError *error) {
    for (uint64_t i = 0; i < count; i++) {
        LitheColumn column = {0};
        if (!decode_column(layout->context, reader, &column)) {
            release_column(layout->context, &column);
            return reader->no_memory
                       ? lithe_fail_memory(error, "the columns of the recording")
                       : lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: column %llu is invalid",
                                    name, (unsigned long long)i);
        }
        LitheStatus status = append(layout, &column, error);
        if (status != LITHE_OK)
            return status;
    }
    return LITHE_OK;
}

static LitheStatus decode_contact_columns(LitheByteReader *reader, const char *name,
                                          LitheLayout *layout, LitheError *error) {
    uint64_t count = lithe_bytes_take_number(reader);
    if (reader->failed || count > CONTACT_COLUMNS_MAX)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: damaged: the list of its contact columns is invalid", name);
    LitheStatus status = LITHE_OK;
    for (uint64_t i = 0; status == LITHE_OK && i < count; i++) {
        LitheColumn column = {0};
        column.path = lithe_bytes_take_text(reader, layout->context);
        column.unit = lithe_bytes_take_text(reader, layout->context);
        column.axes = lithe_bytes_take_text(reader, layout->context);
        uint64_t kind = lithe_bytes_take_number(reader);
        if (reader->failed || kind > LITHE_COLUMN_TEXT) {
            release_column(layout->context, &column);
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: contact column %llu is invalid",
                              name, (unsigned long long)i);
        }
        column.kind = (LitheColumnKind)kind;
        status = append_contact_column(layout, &column, error);
    }
    return status;
}

LitheStatus lithe_layout_decode(LitheContext *context, LitheByteReader *reader, const char *name,
                                LitheLayout *layout, LitheError *error) {
    LitheLayout made = {.context = context};
    made.scene = lithe_bytes_take_text(reader, context);
    made.title = lithe_bytes_take_text(reader, context);
    made.version = lithe_bytes_take_text(reader, context);
    made.end = lithe_bytes_take_real(reader);
    uint64_t count = lithe_bytes_take_number(reader);

    LitheStatus status;
    if (reader->failed || count > COLUMNS_MAX)
        status = lithe_fail(error, LITHE_BAD_INPUT, "%s: damaged: its header is invalid", name);
    else if (reader->no_memory)
        status = lithe_fail_memory(error, "the header of the recording");
    else
        status = decode_columns(reader, count, name, &made, error);
    if (status == LITHE_OK)
        status = decode_contact_columns(reader, name, &made, error);
    if (status != LITHE_OK) {
        lithe_layout_release(&made);
        return status;
    }
    *layout = made;
    return LITHE_OK;
}
