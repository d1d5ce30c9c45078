// SPDX-License-Identifier: Apache-2.0
// geom/mesh_file.h - triangles from STL (text or binary) and OBJ files
//
// Corners with equal coordinates become one point. Points that no triangle uses and triangles with
// two equal corners are removed. Sizes, counts and indices are checked against the size of the file
// before memory is allocated.

#ifndef LITHE_GEOM_MESH_FILE_H
#define LITHE_GEOM_MESH_FILE_H

#include "lithe/base.h"
#include "math/vec3.h"

/// Largest file [bytes] and max number of triangles.
#define LITHE_MESH_FILE_BYTES (256 << 20)
#define LITHE_MESH_FILE_TRIANGLES 4000000

typedef struct LitheMeshFile {
    Vec3 *points; // [point_count] in the unit of the file
    int32_t point_count;
    int32_t *triangles; // [triangle_count][3]
    int32_t triangle_count;
} LitheMeshFile;

/// Whether `path` ends in .stl or .obj, in any case of letters: others are never opened.
bool lithe_mesh_file_known(const char *path);

/// Reads a file of either kind; free with lithe_mesh_file_free. Messages name line or byte.
LitheStatus lithe_mesh_file_read(LitheContext *context, const char *path, LitheMeshFile *out,
                                 LitheError *error);

/// Reads a mesh from memory; the ending of `name` determines the kind.
LitheStatus lithe_mesh_file_parse(LitheContext *context, const char *bytes, size_t length,
                                  const char *name, LitheMeshFile *out, LitheError *error);

/// Accepts a zeroed mesh; zeroes it.
void lithe_mesh_file_free(LitheContext *context, LitheMeshFile *mesh);

#endif
