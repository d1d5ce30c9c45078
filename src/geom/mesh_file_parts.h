// SPDX-License-Identifier: Apache-2.0
// geom/mesh_file_parts.h - common parts of the readers of STL and OBJ: words, numbers, merging of
// points

#ifndef LITHE_GEOM_MESH_FILE_PARTS_H
#define LITHE_GEOM_MESH_FILE_PARTS_H

#include "geom/mesh_file.h"

#include <locale.h>

/// A mesh being read. `at` is the position in the bytes; text readers count lines.
typedef struct LitheMeshReader {
    LitheContext *context;
    const char *name;
    const char *at, *end;
    int32_t line;
    locale_t plain; // "C": the decimal mark is a point in every locale of the program
    LitheMeshFile mesh;
    int32_t point_capacity, triangle_capacity;
    int32_t *slots; // [slot_count] hash table of points: index + 1, 0 is empty
    int32_t slot_count;
    LitheError *error;
} LitheMeshReader;

/// A sequence of bytes without white space.
typedef struct LitheMeshWord {
    const char *text;
    size_t length;
} LitheMeshWord;

/// Next word of the present line; length 0 at its end. Words are separated by blanks, tabs and
/// carriage returns.
LitheMeshWord lithe_mesh_word(LitheMeshReader *reader);

/// Whether the word is `text` (lower case), in any case of letters.
bool lithe_mesh_word_is(LitheMeshWord word, const char *text);

/// Skips the rest of the line; false at the end of the bytes.
bool lithe_mesh_next_line(LitheMeshReader *reader);

/// Reads a finite number.
LitheStatus lithe_mesh_number(LitheMeshReader *reader, LitheMeshWord word, double *value);

/// Fails with a message about the present line: "name:line: ...".
LitheStatus lithe_mesh_fail(LitheMeshReader *reader, const char *format, ...) LITHE_PRINTF(2, 3);

/// Adds a triangle, merging its corners with equal points.
LitheStatus lithe_mesh_add(LitheMeshReader *reader, Vec3 a, Vec3 b, Vec3 c);

LitheStatus lithe_mesh_read_stl(LitheMeshReader *reader);
LitheStatus lithe_mesh_read_obj(LitheMeshReader *reader);

/// Whether `path` ends in `ending`, in any case of letters, with something before it.
bool lithe_mesh_file_ends_in(const char *path, const char *ending);

/// All bytes of a regular file of at most LITHE_MESH_FILE_BYTES; free them with lithe_free.
LitheStatus lithe_mesh_file_bytes(LitheContext *context, const char *path, char **out,
                                  size_t *length, LitheError *error);

/// Arguments of "%.*s": at most 40 bytes.
#define LITHE_MESH_SHOWN(word) (int)((word).length < 40 ? (word).length : 40), (word).text

#endif
