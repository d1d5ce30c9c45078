// SPDX-License-Identifier: Apache-2.0
// geom/mesh_file_stl.c - STL: triangles with the coordinates of their corners, as text or binary

#include "base/status.h"
#include "geom/mesh_file_parts.h"

#include <string.h>

// Binary: 80 arbitrary bytes, the count, then 50 bytes per triangle: normal, three corners (12
// floats) and two arbitrary bytes; all little-endian.
enum { HEAD = 84, COUNT_AT = 80, TRIANGLE = 50, NORMAL = 12 };

static uint32_t little32(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static Vec3 corner_at(const char *at) {
    double value[3];
    for (int i = 0; i < 3; i++) {
        uint32_t bits = little32(at + 4 * i);
        float x;
        memcpy(&x, &bits, sizeof x);
        value[i] = x;
    }
    return v3_load(value);
}

static LitheStatus read_binary(LitheMeshReader *reader, const char *bytes, uint32_t count) {
    for (uint32_t t = 0; t < count; t++) {
        Vec3 corner[3];
        for (int k = 0; k < 3; k++) {
            const char *at = bytes + HEAD + (size_t)TRIANGLE * t + NORMAL + 12 * k;
            corner[k] = corner_at(at);
            if (!v3_finite(corner[k]))
                return lithe_mesh_fail(reader,
                                       "byte %zu: corner %d of triangle %u is not a finite number",
                                       (size_t)(at - bytes), k + 1, t + 1);
        }
        LitheStatus status = lithe_mesh_add(reader, corner[0], corner[1], corner[2]);
        if (status)
            return status;
    }
    return LITHE_OK;
}

// --- text ----------------------------------------------------------------------------------------

/// Next word, whatever line it is on; length 0 at the end.
static LitheMeshWord next_word(LitheMeshReader *reader) {
    for (;;) {
        LitheMeshWord word = lithe_mesh_word(reader);
        if (word.length || !lithe_mesh_next_line(reader))
            return word;
    }
}

static LitheStatus expect(LitheMeshReader *reader, const char *wanted) {
    LitheMeshWord word = next_word(reader);
    if (lithe_mesh_word_is(word, wanted))
        return LITHE_OK;
    if (word.length == 0)
        return lithe_mesh_fail(reader, "the file ends where '%s' is expected", wanted);
    return lithe_mesh_fail(reader, "'%.*s' where '%s' is expected", LITHE_MESH_SHOWN(word), wanted);
}

static LitheStatus read_corner(LitheMeshReader *reader, Vec3 *corner) {
    double value[3] = {0};
    LitheStatus status = expect(reader, "vertex");
    for (int i = 0; i < 3 && !status; i++)
        status = lithe_mesh_number(reader, lithe_mesh_word(reader), &value[i]);
    *corner = v3_load(value);
    return status;
}

// after the word "facet"; the normal is ignored: the corners define it more accurately
static LitheStatus read_facet(LitheMeshReader *reader) {
    Vec3 corner[3];
    LitheStatus status = expect(reader, "normal");
    lithe_mesh_next_line(reader);
    status = status ? status : expect(reader, "outer");
    status = status ? status : expect(reader, "loop");
    for (int k = 0; k < 3 && !status; k++)
        status = read_corner(reader, &corner[k]);
    status = status ? status : expect(reader, "endloop");
    status = status ? status : expect(reader, "endfacet");
    return status ? status : lithe_mesh_add(reader, corner[0], corner[1], corner[2]);
}

static LitheStatus read_text(LitheMeshReader *reader) {
    bool open = false; // between solid and endsolid
    for (;;) {
        LitheMeshWord word = next_word(reader);
        LitheStatus status = LITHE_OK;
        if (word.length == 0 && open)
            return lithe_mesh_fail(reader, "the file ends before 'endsolid'");
        if (word.length == 0)
            return LITHE_OK;
        if (open && lithe_mesh_word_is(word, "facet")) {
            status = read_facet(reader);
        } else if (lithe_mesh_word_is(word, open ? "endsolid" : "solid")) {
            open = !open;
            lithe_mesh_next_line(reader); // the rest of the line is a name
        } else {
            status =
                lithe_mesh_fail(reader, "'%.*s' where '%s' is expected", LITHE_MESH_SHOWN(word),
                                open ? "facet' or 'endsolid" : "solid");
        }
        if (status)
            return status;
    }
}

// A binary file may begin with "solid": it is binary if its count matches its size.
LitheStatus lithe_mesh_read_stl(LitheMeshReader *reader) {
    const char *bytes = reader->at;
    size_t length = (size_t)(reader->end - bytes);
    uint32_t count = length >= HEAD ? little32(bytes + COUNT_AT) : 0;
    if (length >= HEAD && HEAD + (uint64_t)TRIANGLE * count == length)
        return read_binary(reader, bytes, count);

    LitheMeshReader peek = *reader;
    if (lithe_mesh_word_is(next_word(&peek), "solid")) {
        reader->line = 1;
        return read_text(reader);
    }
    if (length < HEAD)
        return lithe_mesh_fail(reader,
                               "%zu bytes that do not begin with 'solid': too short for binary "
                               "STL, which has a head of %d bytes",
                               length, HEAD);
    return lithe_mesh_fail(reader,
                           "byte %d: binary STL of %u triangles has %llu bytes, this file has %zu",
                           COUNT_AT, count, HEAD + (unsigned long long)TRIANGLE * count, length);
}
