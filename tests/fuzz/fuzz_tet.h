// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_tet.h - any bytes as a file of tetrahedra

#ifndef LITHE_FUZZ_TET_H
#define LITHE_FUZZ_TET_H

#include "geom/tet_check.h"
#include "geom/tet_file.h"

#include <stdio.h>
#include <stdlib.h>

static inline void demand(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/// A message, or elements of finite nodes; the ending of `name` gives the format.
static inline int fuzz_tet(const char *bytes, size_t length, const char *nodes, size_t nodes_length,
                           const char *name) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTetMesh mesh = {0};
    LitheTetReport report;
    LitheError error = {0};
    LitheStatus status = lithe_tet_file_parse(context, bytes, length, nodes, nodes_length, name,
                                              &mesh, NULL, &error);
    if (status == LITHE_OK) {
        int64_t corners = (int64_t)mesh.element_count * mesh.nodes_per_element;
        demand(mesh.element_count > 0, "an empty mesh");
        for (int32_t i = 0; i < mesh.node_count; i++)
            demand(v3_finite(mesh.nodes[i]), "a node is not finite");
        for (int64_t i = 0; i < corners; i++)
            demand(mesh.elements[i] >= 0 && mesh.elements[i] < mesh.node_count, "an index");
        for (int32_t s = 0; s < mesh.set_count; s++)
            for (int32_t i = 0; i < mesh.sets[s].count; i++)
                demand(mesh.sets[s].nodes[i] >= 0 && mesh.sets[s].nodes[i] < mesh.node_count,
                       "an index of a set");
        // few bytes must not need much memory
        demand(lithe_context_peak_bytes(context) < 400000 + 400 * (length + nodes_length),
               "too much memory");
        lithe_tet_mesh_check(context, &mesh, &report, &error);
    } else {
        demand(status == LITHE_BAD_INPUT && error.text[0], "the wrong status or no message");
        demand(mesh.nodes == NULL, "output touched");
    }
    lithe_tet_mesh_destroy(context, &mesh);
    demand(lithe_context_bytes(context) == 0, "memory left over");
    lithe_context_destroy(context);
    return 0;
}

#endif
