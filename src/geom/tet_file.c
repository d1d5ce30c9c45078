// SPDX-License-Identifier: Apache-2.0
// geom/tet_file.c - reading files of tetrahedra: numbers as text or bytes, growing lists

#include "geom/tet_file.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_file_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

LitheStatus lithe_tet_fail(LitheTetReader *reader, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!reader->binary)
        return lithe_mesh_fail(&reader->text, "%s", text);
    reader->text.line = 0;
    return lithe_mesh_fail(&reader->text, "byte %zu: %s", (size_t)(reader->text.at - reader->start),
                           text);
}

// --- numbers -------------------------------------------------------------------------------------

LitheMeshWord lithe_tet_word(LitheTetReader *reader) {
    for (;;) {
        LitheMeshWord word = lithe_mesh_word(&reader->text);
        if (word.length || !lithe_mesh_next_line(&reader->text))
            return word;
    }
}

LitheStatus lithe_tet_integer_word(LitheTetReader *reader, int64_t *value) {
    LitheMeshWord word = lithe_tet_word(reader);
    if (word.length == 0)
        return lithe_tet_fail(reader, "the file ends where an integer is expected");
    size_t i = word.text[0] == '-' || word.text[0] == '+';
    bool minus = word.text[0] == '-';
    uint64_t number = 0, limit = (uint64_t)INT64_MAX + minus;
    bool valid = i < word.length;
    for (; i < word.length && valid; i++) {
        if (word.text[i] < '0' || word.text[i] > '9') {
            valid = false;
            break;
        }
        uint64_t digit = (uint64_t)(word.text[i] - '0');
        if (number > (limit - digit) / 10)
            return lithe_tet_fail(reader, "'%.*s' does not fit into 64 bits",
                                  LITHE_MESH_SHOWN(word));
        number = 10 * number + digit;
    }
    if (!valid)
        return lithe_tet_fail(reader, "'%.*s' is not an integer", LITHE_MESH_SHOWN(word));
    *value = minus ? (int64_t)(0 - number) : (int64_t)number;
    return LITHE_OK;
}

/// Takes `bytes` bytes as an unsigned number in the byte order of the file.
static LitheStatus take(LitheTetReader *reader, int bytes, uint64_t *bits) {
    if (reader->text.end - reader->text.at < bytes)
        return lithe_tet_fail(reader, "the file ends inside of a number");
    const unsigned char *at = (const unsigned char *)reader->text.at;
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) // little-endian; swapped: the first byte is the highest
        value |= (uint64_t)at[i] << 8 * (reader->swapped ? bytes - 1 - i : i);
    reader->text.at += bytes;
    *bits = value;
    return LITHE_OK;
}

LitheStatus lithe_tet_integer(LitheTetReader *reader, int bytes, int64_t *value) {
    if (!reader->binary)
        return lithe_tet_integer_word(reader, value);
    uint64_t bits = 0;
    LitheStatus status = take(reader, bytes, &bits);
    if (status)
        return status;
    if (bytes == 4) {
        *value = (int64_t)(bits & 0x7fffffff) - (int64_t)(bits & 0x80000000);
        return LITHE_OK;
    }
    if (bits > INT64_MAX)
        return lithe_tet_fail(reader, "the number %" PRIu64 " is negative or does not fit", bits);
    *value = (int64_t)bits;
    return LITHE_OK;
}

LitheStatus lithe_tet_real(LitheTetReader *reader, int bytes, double *value) {
    if (!reader->binary) {
        LitheMeshWord word = lithe_tet_word(reader);
        if (word.length == 0)
            return lithe_tet_fail(reader, "the file ends where a number is expected");
        return lithe_mesh_number(&reader->text, word, value);
    }
    uint64_t bits = 0;
    LitheStatus status = take(reader, bytes, &bits);
    if (status)
        return status;
    if (bytes == 4) {
        uint32_t half = (uint32_t)bits;
        float x;
        memcpy(&x, &half, sizeof x);
        *value = x;
    } else {
        memcpy(value, &bits, sizeof bits);
    }
    if (!isfinite(*value))
        return lithe_tet_fail(reader, "a coordinate is not a finite number");
    return LITHE_OK;
}

LitheStatus lithe_tet_count(LitheTetReader *reader, int64_t count, int64_t bytes,
                            const char *what) {
    int64_t left = reader->text.end - reader->text.at;
    if (count < 0 || count > LITHE_TET_MAX)
        return lithe_tet_fail(reader, "%" PRId64 " %s, must be 0 to %d", count, what,
                              LITHE_TET_MAX);
    // text: a digit and a gap per number, and the last number may end the file
    if (count * bytes > left + 1)
        return lithe_tet_fail(reader,
                              "%" PRId64 " %s need %" PRId64 " bytes at least, only %" PRId64
                              " are left in the file",
                              count, what, count * bytes, left);
    return LITHE_OK;
}

LitheStatus lithe_tet_begin_data(LitheTetReader *reader) {
    if (!reader->binary)
        return LITHE_OK;
    LitheMeshWord word = lithe_mesh_word(&reader->text);
    if (word.length)
        return lithe_tet_fail(reader, "'%.*s' where the line has to end", LITHE_MESH_SHOWN(word));
    lithe_mesh_next_line(&reader->text);
    return LITHE_OK;
}

// --- lists ---------------------------------------------------------------------------------------

LitheStatus lithe_tet_add_point(LitheTetReader *reader, int64_t label, Vec3 x) {
    LitheContext *context = reader->text.context;
    int64_t needed = (int64_t)reader->point_count + 1;
    if (needed > LITHE_TET_MAX)
        return lithe_tet_fail(reader, "more than %d nodes", LITHE_TET_MAX);
    if (!LITHE_RESERVE(context, reader->points, reader->point_capacity, needed) ||
        !LITHE_RESERVE(context, reader->labels, reader->label_capacity, needed))
        return lithe_fail_memory(reader->text.error, "the nodes of a mesh");
    reader->points[reader->point_count] = x;
    reader->labels[reader->point_count++] = label;
    return LITHE_OK;
}

static LitheStatus add_run(LitheTetReader *reader, bool tets, int32_t first, int32_t count,
                           int32_t dim, int64_t tag) {
    LitheTetRun *last = reader->run_count ? &reader->runs[reader->run_count - 1] : NULL;
    if (last && last->tets == tets && last->dim == dim && last->tag == tag &&
        last->first + last->count == first) {
        last->count += count;
        return LITHE_OK;
    }
    if (!LITHE_RESERVE(reader->text.context, reader->runs, reader->run_capacity,
                       (int64_t)reader->run_count + 1))
        return lithe_fail_memory(reader->text.error, "the groups of a mesh");
    reader->runs[reader->run_count++] = (LitheTetRun){tag, dim, tets, first, count};
    return LITHE_OK;
}

static LitheStatus append(LitheTetReader *reader, bool tet, const int64_t *nodes, int count) {
    LitheContext *context = reader->text.context;
    int32_t have = tet ? reader->corner_count : reader->other_count;
    int64_t needed = (int64_t)have + count;
    if (needed > 10 * (int64_t)LITHE_TET_MAX)
        return lithe_tet_fail(reader, "more than %d elements", LITHE_TET_MAX);
    bool room = tet ? LITHE_RESERVE(context, reader->corners, reader->corner_capacity, needed)
                    : LITHE_RESERVE(context, reader->others, reader->other_capacity, needed);
    if (!room)
        return lithe_fail_memory(reader->text.error, "the elements of a mesh");
    memcpy((tet ? reader->corners : reader->others) + have, nodes, (size_t)count * sizeof *nodes);
    *(tet ? &reader->corner_count : &reader->other_count) = (int32_t)needed;
    return LITHE_OK;
}

LitheStatus lithe_tet_add_element(LitheTetReader *reader, bool tet, const int64_t *nodes, int count,
                                  int32_t dim, int64_t tag) {
    if (tet && reader->per && reader->per != count)
        return lithe_tet_fail(reader,
                              "a tetrahedron of %d nodes after those of %d: all elements have to "
                              "be of the same order",
                              count, reader->per);
    if (tet && reader->corner_count / count >= LITHE_TET_MAX)
        return lithe_tet_fail(reader, "more than %d tetrahedra", LITHE_TET_MAX);
    if (tet)
        reader->per = count;
    else
        reader->info.other_count += reader->info.other_count < INT32_MAX;
    if (!tet && !tag)
        return LITHE_OK;
    int32_t first = tet ? reader->corner_count : reader->other_count;
    LitheStatus status = append(reader, tet, nodes, count);
    return status || !tag ? status : add_run(reader, tet, first, count, dim, tag);
}

// Names come from files: control characters would spoil messages.
static void copy_name(char *to, size_t size, const char *from, size_t length) {
    size_t n = length < size - 1 ? length : size - 1;
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)from[i] < 0x20 || from[i] == 0x7f ? '?' : from[i];
    to[n] = 0;
}

LitheStatus lithe_tet_add_group(LitheTetReader *reader, int32_t dim, int64_t tag, const char *name,
                                size_t length) {
    static const char *const kinds[4] = {"point", "curve", "surface", "volume"};
    for (int32_t i = 0; i < reader->group_count; i++)
        if (reader->groups[i].dim == dim && reader->groups[i].tag == tag)
            return LITHE_OK;
    if (reader->group_count == LITHE_TET_FILE_SETS)
        return lithe_tet_fail(reader, "more than %d groups", LITHE_TET_FILE_SETS);
    if (!LITHE_RESERVE(reader->text.context, reader->groups, reader->group_capacity,
                       (int64_t)reader->group_count + 1))
        return lithe_fail_memory(reader->text.error, "the groups of a mesh");
    LitheTetGroup *group = &reader->groups[reader->group_count++];
    *group = (LitheTetGroup){.tag = tag, .dim = dim};
    if (name && length)
        copy_name(group->name, sizeof group->name, name, length);
    else
        snprintf(group->name, sizeof group->name, "%s-%" PRId64, kinds[dim], tag);
    return LITHE_OK;
}

// --- files ---------------------------------------------------------------------------------------

static bool is_tetgen(const char *path) {
    return lithe_mesh_file_ends_in(path, ".node") || lithe_mesh_file_ends_in(path, ".ele");
}

bool lithe_tet_file_known(const char *path) {
    return lithe_mesh_file_ends_in(path, ".vtk") || lithe_mesh_file_ends_in(path, ".msh") ||
           is_tetgen(path);
}

static void reader_free(LitheTetReader *reader) {
    LitheContext *context = reader->text.context;
    lithe_free(context, reader->points);
    lithe_free(context, reader->labels);
    lithe_free(context, reader->corners);
    lithe_free(context, reader->others);
    lithe_free(context, reader->groups);
    lithe_free(context, reader->runs);
    lithe_free(context, reader->links);
}

static void point_at(LitheTetReader *reader, const char *bytes, size_t length) {
    bytes = bytes ? bytes : "";
    reader->text.at = reader->start = bytes;
    reader->text.end = bytes + length;
    reader->text.line = 1;
    reader->binary = false;
}

/// "a.ele" or "a.node" with the other ending; the caller frees it.
static char *with_ending(LitheContext *context, const char *path, const char *ending) {
    size_t stem = (size_t)(strrchr(path, '.') - path);
    char *text = lithe_alloc(context, stem + strlen(ending) + 1);
    if (text) {
        memcpy(text, path, stem);
        memcpy(text + stem, ending, strlen(ending) + 1);
    }
    return text;
}

// messages about each of the two files have its name
static LitheStatus parse_tetgen(LitheTetReader *reader, const char *elements, size_t length,
                                const char *nodes, size_t nodes_length) {
    LitheContext *context = reader->text.context;
    const char *name = reader->text.name;
    char *node_name = with_ending(context, name, ".node");
    char *ele_name = with_ending(context, name, ".ele");
    LitheStatus status = node_name && ele_name
                             ? LITHE_OK
                             : lithe_fail_memory(reader->text.error, "the name of a file");
    if (!status) {
        point_at(reader, nodes, nodes_length);
        reader->text.name = node_name;
        status = lithe_tet_read_node_file(reader);
    }
    if (!status) {
        point_at(reader, elements, length);
        reader->text.name = ele_name;
        status = lithe_tet_read_ele_file(reader);
    }
    reader->text.name = name;
    lithe_free(context, node_name);
    lithe_free(context, ele_name);
    return status;
}

LitheStatus lithe_tet_file_parse(LitheContext *context, const char *bytes, size_t length,
                                 const char *nodes, size_t nodes_length, const char *name,
                                 LitheTetMesh *out, LitheTetFileInfo *info, LitheError *error) {
    if (!lithe_tet_file_known(name))
        return lithe_fail_at(error, LITHE_NOT_SUPPORTED, name, 0, 0,
                             "tetrahedra are read from .vtk, .msh, .node and .ele files only");
    LitheTetReader reader = {.text = {.context = context, .name = name, .error = error}};
    reader.text.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!reader.text.plain)
        return lithe_fail_memory(error, "a reader of numbers");
    point_at(&reader, bytes, length);
    LitheStatus status = is_tetgen(name) ? parse_tetgen(&reader, bytes, length, nodes, nodes_length)
                         : lithe_mesh_file_ends_in(name, ".vtk") ? lithe_tet_read_vtk(&reader)
                                                                 : lithe_tet_read_msh(&reader);
    LitheTetMesh mesh = {0};
    if (!status)
        status = lithe_tet_build(&reader, &mesh);
    freelocale(reader.text.plain);
    reader_free(&reader);
    if (status)
        return status;
    *out = mesh;
    if (info)
        *info = reader.info;
    return LITHE_OK;
}

LitheStatus lithe_tet_file_read(LitheContext *context, const char *path, LitheTetMesh *out,
                                LitheTetFileInfo *info, LitheError *error) {
    if (!path || !*path)
        return lithe_fail(error, LITHE_BAD_INPUT, "tetrahedral mesh: path is missing");
    if (!lithe_tet_file_known(path))
        return lithe_fail_at(error, LITHE_NOT_SUPPORTED, path, 0, 0,
                             "tetrahedra are read from .vtk, .msh, .node and .ele files only");
    char *bytes = NULL, *nodes = NULL, *first = NULL, *second = NULL;
    size_t length = 0, nodes_length = 0;
    LitheStatus status = LITHE_OK;
    if (is_tetgen(path)) {
        first = with_ending(context, path, ".ele");
        second = with_ending(context, path, ".node");
        if (!first || !second)
            status = lithe_fail_memory(error, "the name of a file");
        if (!status)
            status = lithe_mesh_file_bytes(context, second, &nodes, &nodes_length, error);
    }
    if (!status)
        status = lithe_mesh_file_bytes(context, first ? first : path, &bytes, &length, error);
    if (!status)
        status = lithe_tet_file_parse(context, bytes, length, nodes, nodes_length, path, out, info,
                                      error);
    lithe_free(context, bytes);
    lithe_free(context, nodes);
    lithe_free(context, first);
    lithe_free(context, second);
    return status;
}
