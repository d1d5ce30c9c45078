// SPDX-License-Identifier: Apache-2.0
// geom/mesh_file_obj.c - OBJ: numbered points and polygons of them, cut into fans of triangles

#include "base/memory.h"
#include "base/status.h"
#include "geom/mesh_file_parts.h"

#include <string.h>

typedef struct ObjReader {
    LitheMeshReader *reader;
    Vec3 *points; // as numbered in the file
    int32_t count, capacity;
} ObjReader;

// Statements about materials, names and lines contain no triangles and are ignored. Files with
// curves and patches (curv, surf, ...) are refused: their surfaces would be missing.
static bool is_without_triangles(LitheMeshWord word) {
    static const char *const known[] = {"vt",  "vn",     "vp",       "g",          "o",
                                        "s",   "mg",     "usemtl",   "mtllib",     "l",
                                        "p",   "maplib", "usemap",   "shadow_obj", "trace_obj",
                                        "lod", "bevel",  "c_interp", "d_interp"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lithe_mesh_word_is(word, known[i]))
            return true;
    return word.text[0] == '#';
}

// "v x y z", perhaps followed by a weight or a colour
static LitheStatus read_point(ObjReader *obj) {
    LitheMeshReader *reader = obj->reader;
    double value[3];
    for (int i = 0; i < 3; i++) {
        LitheStatus status = lithe_mesh_number(reader, lithe_mesh_word(reader), &value[i]);
        if (status)
            return status;
    }
    if (!LITHE_RESERVE(reader->context, obj->points, obj->capacity, (int64_t)obj->count + 1))
        return lithe_fail_memory(reader->error, "the points of a mesh");
    obj->points[obj->count++] = v3_load(value);
    return LITHE_OK;
}

// "7", "7/3", "7//2", "-1": the first number names a point, from 1 or back from the last
static LitheStatus read_index(ObjReader *obj, LitheMeshWord word, Vec3 *point) {
    size_t i = 0;
    bool back = word.text[0] == '-';
    int64_t number = 0;
    for (i = back; i < word.length && word.text[i] >= '0' && word.text[i] <= '9'; i++)
        if (number <= INT32_MAX)
            number = 10 * number + (word.text[i] - '0');
    if (i == (size_t)back || (i < word.length && word.text[i] != '/'))
        return lithe_mesh_fail(obj->reader, "'%.*s' is not the number of a point",
                               LITHE_MESH_SHOWN(word));
    int64_t index = back ? obj->count - number : number - 1;
    if (number == 0 || index < 0 || index >= obj->count)
        return lithe_mesh_fail(obj->reader, "face names point %.*s, and there are %d up to here",
                               LITHE_MESH_SHOWN(word), obj->count);
    *point = obj->points[index];
    return LITHE_OK;
}

static LitheStatus read_face(ObjReader *obj) {
    Vec3 first = {0}, before = {0}, here;
    int32_t corners = 0;
    for (;; corners++) {
        LitheMeshWord word = lithe_mesh_word(obj->reader);
        // a backslash at the end continues in the next line
        while (word.length == 1 && word.text[0] == '\\' && lithe_mesh_next_line(obj->reader))
            word = lithe_mesh_word(obj->reader);
        if (word.length == 0 || word.text[0] == '#')
            break;
        LitheStatus status = read_index(obj, word, &here);
        if (!status && corners >= 2)
            status = lithe_mesh_add(obj->reader, first, before, here);
        if (status)
            return status;
        if (corners == 0)
            first = here;
        before = here;
    }
    if (corners < 3)
        return lithe_mesh_fail(obj->reader, "a face of %d points, at least 3 are expected",
                               corners);
    return LITHE_OK;
}

static LitheStatus read_statements(ObjReader *obj) {
    LitheMeshReader *reader = obj->reader;
    do {
        LitheMeshWord word = lithe_mesh_word(reader);
        LitheStatus status = LITHE_OK;
        if (word.length == 0 || is_without_triangles(word))
            continue;
        if (lithe_mesh_word_is(word, "v"))
            status = read_point(obj);
        else if (lithe_mesh_word_is(word, "f"))
            status = read_face(obj);
        else
            status = lithe_mesh_fail(reader, "'%.*s' is not a statement we know",
                                     LITHE_MESH_SHOWN(word));
        if (status)
            return status;
    } while (lithe_mesh_next_line(reader));
    return LITHE_OK;
}

LitheStatus lithe_mesh_read_obj(LitheMeshReader *reader) {
    ObjReader obj = {.reader = reader};
    reader->line = 1;
    // skip the byte order mark of UTF-8 text
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xef\xbb\xbf", 3) == 0)
        reader->at += 3;
    LitheStatus status = read_statements(&obj);
    lithe_free(reader->context, obj.points);
    return status;
}
