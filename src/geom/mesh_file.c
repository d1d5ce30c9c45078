// SPDX-License-Identifier: Apache-2.0
// geom/mesh_file.c - reading mesh files: bytes, words, numbers, merging of equal points

#define _GNU_SOURCE // strtod_l

#include "geom/mesh_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "geom/mesh_file_parts.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Messages are printed on terminals: control characters of a file are replaced.
static void tame(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || (unsigned char)*text >= 0x7f)
            *text = '?';
}

LitheStatus lithe_mesh_fail(LitheMeshReader *reader, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tame(text);
    return lithe_fail_at(reader->error, LITHE_BAD_INPUT, reader->name, reader->line, 0, "%s", text);
}

// --- words ---------------------------------------------------------------------------------------

static bool is_gap(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

LitheMeshWord lithe_mesh_word(LitheMeshReader *reader) {
    while (reader->at < reader->end && is_gap(*reader->at))
        reader->at++;
    LitheMeshWord word = {reader->at, 0};
    while (reader->at < reader->end && !is_gap(*reader->at) && *reader->at != '\n')
        reader->at++;
    word.length = (size_t)(reader->at - word.text);
    return word;
}

bool lithe_mesh_word_is(LitheMeshWord word, const char *text) {
    return strlen(text) == word.length && lithe_text_same(word.text, text, word.length);
}

bool lithe_mesh_next_line(LitheMeshReader *reader) {
    if (reader->at == reader->end)
        return false;
    const char *feed = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    reader->at = feed ? feed + 1 : reader->end;
    reader->line++;
    return reader->at < reader->end;
}

LitheStatus lithe_mesh_number(LitheMeshReader *reader, LitheMeshWord word, double *value) {
    char text[64];
    if (word.length == 0)
        return lithe_mesh_fail(reader, "the line ends where a number is expected");
    if (memchr(word.text, ',', word.length))
        return lithe_mesh_fail(reader,
                               "'%.*s' has a comma: write a point for decimals and spaces between "
                               "numbers",
                               LITHE_MESH_SHOWN(word));
    char *end = NULL;
    double number = 0;
    if (word.length < sizeof text) {
        memcpy(text, word.text, word.length);
        text[word.length] = 0;
        if (strspn(text, "0123456789+-.eE") == word.length)
            number = strtod_l(text, &end, reader->plain);
    }
    if (!end || end != text + word.length)
        return lithe_mesh_fail(reader, "'%.*s' is not a number", LITHE_MESH_SHOWN(word));
    if (!isfinite(number))
        return lithe_mesh_fail(reader, "'%.*s' is too large", LITHE_MESH_SHOWN(word));
    *value = number;
    return LITHE_OK;
}

// --- merging points ------------------------------------------------------------------------------

static uint32_t hash_point(Vec3 p) {
    uint64_t bits[3], h = 0x9e3779b97f4a7c15u;
    memcpy(bits, &p, sizeof bits);
    for (int i = 0; i < 3; i++) {
        h = (h ^ bits[i]) * 0xbf58476d1ce4e5b9u;
        h ^= h >> 29;
    }
    return (uint32_t)(h >> 16);
}

static int32_t *find_slot(const LitheMeshReader *reader, Vec3 p) {
    uint32_t mask = (uint32_t)reader->slot_count - 1, i = hash_point(p) & mask;
    for (; reader->slots[i]; i = (i + 1) & mask) {
        Vec3 q = reader->mesh.points[reader->slots[i] - 1];
        if (p.x == q.x && p.y == q.y && p.z == q.z)
            break;
    }
    return &reader->slots[i];
}

// keeps at least half of the slots empty
static bool grow_slots(LitheMeshReader *reader) {
    if (reader->slots && 2 * ((int64_t)reader->mesh.point_count + 1) <= reader->slot_count)
        return true;
    int32_t count = reader->slots ? 2 * reader->slot_count : 256;
    int32_t *slots = lithe_alloc_array(reader->context, count, sizeof *slots);
    if (!slots)
        return false;
    lithe_free(reader->context, reader->slots);
    reader->slots = slots;
    reader->slot_count = count;
    for (int32_t i = 0; i < reader->mesh.point_count; i++)
        *find_slot(reader, reader->mesh.points[i]) = i + 1;
    return true;
}

/// Index of the point equal to p, added when new; -1 when out of memory.
static int32_t merge_point(LitheMeshReader *reader, Vec3 p) {
    LitheMeshFile *mesh = &reader->mesh;
    p = v3(p.x + 0.0, p.y + 0.0, p.z + 0.0); // -0 equals 0
    if (!grow_slots(reader))
        return -1;
    int32_t *slot = find_slot(reader, p);
    if (*slot)
        return *slot - 1;
    if (!LITHE_RESERVE(reader->context, mesh->points, reader->point_capacity,
                       (int64_t)mesh->point_count + 1))
        return -1;
    mesh->points[mesh->point_count++] = p;
    *slot = mesh->point_count;
    return mesh->point_count - 1;
}

LitheStatus lithe_mesh_add(LitheMeshReader *reader, Vec3 a, Vec3 b, Vec3 c) {
    LitheMeshFile *mesh = &reader->mesh;
    if (mesh->triangle_count == LITHE_MESH_FILE_TRIANGLES)
        return lithe_fail_at(reader->error, LITHE_NOT_SUPPORTED, reader->name, reader->line, 0,
                             "more than %d triangles", LITHE_MESH_FILE_TRIANGLES);
    // two equal corners: no triangle, and its points are not added
    if (v3_distance(a, b) == 0 || v3_distance(b, c) == 0 || v3_distance(c, a) == 0)
        return LITHE_OK;
    int32_t i = merge_point(reader, a), j = merge_point(reader, b), k = merge_point(reader, c);
    int32_t *triangles = mesh->triangles;
    bool room = i >= 0 && j >= 0 && k >= 0 &&
                LITHE_RESERVE(reader->context, triangles, reader->triangle_capacity,
                              3 * ((int64_t)mesh->triangle_count + 1));
    mesh->triangles = triangles;
    if (!room)
        return lithe_fail_memory(reader->error, "the triangles of a mesh");
    int32_t *out = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    out[0] = i;
    out[1] = j;
    out[2] = k;
    return LITHE_OK;
}

// --- files ---------------------------------------------------------------------------------------

bool lithe_mesh_file_ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && lithe_text_same(path + length - tail, ending, tail);
}

bool lithe_mesh_file_known(const char *path) {
    return lithe_mesh_file_ends_in(path, ".stl") || lithe_mesh_file_ends_in(path, ".obj");
}

void lithe_mesh_file_free(LitheContext *context, LitheMeshFile *mesh) {
    lithe_free(context, mesh->points);
    lithe_free(context, mesh->triangles);
    *mesh = (LitheMeshFile){0};
}

LitheStatus lithe_mesh_file_parse(LitheContext *context, const char *bytes, size_t length,
                                  const char *name, LitheMeshFile *out, LitheError *error) {
    if (!lithe_mesh_file_known(name))
        return lithe_fail_at(error, LITHE_NOT_SUPPORTED, name, 0, 0,
                             "meshes are read from .stl and .obj files only");
    if (length > LITHE_MESH_FILE_BYTES)
        return lithe_fail_at(error, LITHE_NOT_SUPPORTED, name, 0, 0,
                             "%zu bytes, at most %d are read", length, LITHE_MESH_FILE_BYTES);
    LitheMeshReader reader = {
        .context = context,
        .name = name,
        .at = bytes,
        .end = bytes + length,
        .error = error,
    };
    reader.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!reader.plain)
        return lithe_fail_memory(error, "a reader of numbers");
    LitheStatus status = lithe_mesh_file_ends_in(name, ".stl") ? lithe_mesh_read_stl(&reader)
                                                               : lithe_mesh_read_obj(&reader);
    if (!status && reader.mesh.triangle_count == 0)
        status = lithe_fail_at(error, LITHE_BAD_INPUT, name, 0, 0, "no triangles in it");
    freelocale(reader.plain);
    lithe_free(context, reader.slots);
    if (status)
        lithe_mesh_file_free(context, &reader.mesh);
    else
        *out = reader.mesh;
    return status;
}

LitheStatus lithe_mesh_file_bytes(LitheContext *context, const char *path, char **out,
                                  size_t *length, LitheError *error) {
    const LitheFileLimit limit = {LITHE_MESH_FILE_BYTES, LITHE_NOT_SUPPORTED,
                                  "the bytes of a mesh"};
    return lithe_file_read(context, path, &limit, out, length, error);
}

LitheStatus lithe_mesh_file_read(LitheContext *context, const char *path, LitheMeshFile *out,
                                 LitheError *error) {
    if (!path || !*path)
        return lithe_fail(error, LITHE_BAD_INPUT, "mesh: path is missing");
    if (!lithe_mesh_file_known(path))
        return lithe_fail_at(error, LITHE_NOT_SUPPORTED, path, 0, 0,
                             "meshes are read from .stl and .obj files only");
    char *bytes = NULL;
    size_t length = 0;
    LitheStatus status = lithe_mesh_file_bytes(context, path, &bytes, &length, error);
    if (!status)
        status = lithe_mesh_file_parse(context, bytes, length, path, out, error);
    lithe_free(context, bytes);
    return status;
}
