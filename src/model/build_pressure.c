// SPDX-License-Identifier: Apache-2.0
// model/build_pressure.c - pressures on solids: their faces, and whether a rim can move

#include "model/build_solid.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- faces ---------------------------------------------------------------------------------------

// all faces of the surface whose nodes are marked
static LitheStatus select_faces(LitheContext *context, const LitheTetSurface *surface,
                                const unsigned char *marked, LithePressure *out,
                                LitheError *error) {
    int32_t width = surface->nodes_per_triangle;
    out->face_nodes = width;
    out->faces =
        lithe_alloc_array(context, (int64_t)surface->triangle_count * width, sizeof *out->faces);
    if (!out->faces)
        return lithe_fail_memory(error, "the faces of a pressure");
    for (int32_t i = 0; i < surface->triangle_count; i++) {
        const int32_t *face = surface->triangles + (int64_t)i * width;
        int32_t in = 0;
        while (in < width && marked[face[in]])
            in++;
        if (in < width)
            continue;
        memcpy(out->faces + (int64_t)width * out->face_count++, face, (size_t)width * sizeof *face);
    }
    return LITHE_OK;
}

static LitheStatus find_entries(LitheContext *context, const LitheSolid *solid, LithePressure *out,
                                LitheError *error) {
    int32_t width = out->face_nodes, pairs = width * (width - 1) / 2;
    out->entries =
        lithe_alloc_array(context, (int64_t)out->face_count * pairs, sizeof *out->entries);
    if (!out->entries)
        return lithe_fail_memory(error, "the faces of a pressure");
    int32_t *entry = out->entries;
    for (int32_t i = 0; i < out->face_count; i++) {
        const int32_t *node = out->faces + (int64_t)i * width;
        for (int32_t a = 0; a < width; a++)
            for (int32_t b = 0; b < a; b++) {
                int32_t row = node[a] > node[b] ? node[a] : node[b];
                *entry++ = lithe_block_find(solid->pattern, row, node[a] + node[b] - row);
            }
    }
    return LITHE_OK;
}

// --- the rim -------------------------------------------------------------------------------------

// An edge of a face: its corners in ascending order, its midpoint or -1.
typedef struct Edge {
    int32_t low, high, middle;
} Edge;

static int by_corners(const void *a, const void *b) {
    const Edge *s = a, *t = b;
    if (s->low != t->low)
        return s->low < t->low ? -1 : 1;
    return s->high < t->high ? -1 : s->high > t->high;
}

static bool is_held(const LitheSolid *solid, int32_t node) {
    const unsigned char *held = solid->held + 3 * (int64_t)node;
    return node < 0 || (held[0] && held[1] && held[2]);
}

// whether some edge that belongs to one face only can move
static LitheStatus find_rim(LitheContext *context, const LitheSolid *solid, LithePressure *out,
                            LitheError *error) {
    int64_t count = 3 * (int64_t)out->face_count;
    Edge *edges = lithe_alloc_array(context, count, sizeof *edges);
    if (!edges)
        return lithe_fail_memory(error, "the rim of a pressure");
    for (int64_t i = 0; i < count; i++) {
        const int32_t *face = out->faces + i / 3 * out->face_nodes;
        int32_t a = face[i % 3], b = face[(i + 1) % 3];
        edges[i] =
            (Edge){a < b ? a : b, a < b ? b : a, out->face_nodes == 6 ? face[3 + i % 3] : -1};
    }
    qsort(edges, (size_t)count, sizeof *edges, by_corners);
    for (int64_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && by_corners(&edges[i], &edges[next]) == 0;)
            next++;
        if (next == i + 1 && !(is_held(solid, edges[i].low) && is_held(solid, edges[i].high) &&
                               is_held(solid, edges[i].middle)))
            out->open = true;
    }
    lithe_free(context, edges);
    return LITHE_OK;
}

// --- all pressures of a solid --------------------------------------------------------------------

static LitheStatus add(const LitheScene *scene, const LithePressureDef *def,
                       const LitheMembers *members, const LitheTetSurface *surface,
                       unsigned char *marked, LitheSolid *solid, LitheError *error) {
    LitheContext *context = scene->context;
    LithePressure *own = &solid->pressures[solid->pressure_count++];
    own->name = lithe_alloc_text(context, def->name);
    if (!own->name || !lithe_profile_copy(context, &def->pressure, &own->profile))
        return lithe_fail_memory(error, "a pressure");
    memset(marked, 0, (size_t)solid->mesh.node_count);
    for (int32_t i = 0; i < members->count; i++)
        marked[members->list[i]] = 1;
    LitheStatus status = select_faces(context, surface, marked, own, error);
    if (status == LITHE_OK && own->face_count == 0) {
        char path[256];
        snprintf(path, sizeof path, "pressures.%s.on", def->name);
        return lithe_scene_fail(scene, error, path,
                                "pressure '%s': no face of the surface of solid '%s' has all its "
                                "nodes among the %d of this place",
                                def->name, solid->name, members->count);
    }
    if (status == LITHE_OK)
        status = find_entries(context, solid, own, error);
    if (status == LITHE_OK)
        status = find_rim(context, solid, own, error);
    return status;
}

LitheStatus lithe_build_pressures(const LitheScene *scene, LitheMembers *members, LitheSolid *solid,
                                  LitheError *error) {
    LitheContext *context = scene->context;
    LitheTetSurface surface = {0};
    if (scene->pressure_count == 0)
        return LITHE_OK;
    LitheStatus status = lithe_tet_mesh_surface(context, &solid->mesh, &surface, error);
    unsigned char *marked = lithe_alloc_array(context, solid->mesh.node_count, 1);
    solid->pressures = lithe_alloc_array(context, scene->pressure_count, sizeof *solid->pressures);
    if (status == LITHE_OK && (!marked || !solid->pressures))
        status = lithe_fail_memory(error, "the pressures");
    for (int32_t k = 0; status == LITHE_OK && k < scene->pressure_count; k++) {
        const LithePressureDef *def = &scene->pressures[k];
        status = lithe_members_find(scene, &def->place, "pressure", def->name, members, error);
        if (status == LITHE_OK && members->count > 0)
            status = add(scene, def, members, &surface, marked, solid, error);
    }
    lithe_free(context, marked);
    lithe_tet_surface_destroy(context, &surface);
    return status;
}

void lithe_pressures_free(LitheContext *context, LitheSolid *solid) {
    for (int32_t i = 0; i < solid->pressure_count; i++) {
        LithePressure *own = &solid->pressures[i];
        lithe_profile_free(context, &own->profile);
        lithe_free(context, own->name);
        lithe_free(context, own->faces);
        lithe_free(context, own->entries);
    }
    lithe_free(context, solid->pressures);
}
