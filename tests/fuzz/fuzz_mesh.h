// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_mesh.h - any bytes as a file of a mesh

#ifndef LITHE_FUZZ_MESH_H
#define LITHE_FUZZ_MESH_H

#include "geom/mesh_file.h"

#include <stdio.h>
#include <stdlib.h>

static inline void demand(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/// A message, or triangles of finite points; the ending of `name` gives the format.
static inline int fuzz_mesh(const uint8_t *data, size_t size, const char *name) {
    LitheContext *context = lithe_context_create(NULL);
    LitheMeshFile mesh = {0};
    LitheError error = {0};
    LitheStatus status =
        lithe_mesh_file_parse(context, (const char *)data, size, name, &mesh, &error);
    if (status == LITHE_OK) {
        demand(mesh.triangle_count > 0, "an empty mesh");
        for (int32_t i = 0; i < mesh.point_count; i++)
            demand(v3_finite(mesh.points[i]), "a point is not finite");
        for (int32_t i = 0; i < 3 * mesh.triangle_count; i++)
            demand(mesh.triangles[i] >= 0 && mesh.triangles[i] < mesh.point_count, "an index");
        // few bytes must not need much memory
        demand(lithe_context_peak_bytes(context) < 200000 + 200 * size, "too much memory");
    } else {
        demand(status == LITHE_BAD_INPUT && error.text[0], "the wrong status or no message");
        demand(mesh.points == NULL, "output touched");
    }
    lithe_mesh_file_free(context, &mesh);
    demand(lithe_context_bytes(context) == 0, "memory left over");
    lithe_context_destroy(context);
    return 0;
}

#endif
