// SPDX-License-Identifier: Apache-2.0
// scene/read_solid.c - soft solids in scene files: the file of a mesh is read at once, and written
// out

#include "scene/entries.h"
#include "scene/solid_mesh.h"

#include <math.h>
#include <string.h>

/// Moves a list into the memory of the reader.
static const void *keep(LitheReader *reader, const void *list, int64_t count, size_t size) {
    void *own = lithe_read_push(reader, count > 0 ? count : 1, size);
    if (own && count > 0)
        memcpy(own, list, (size_t)count * size);
    return own;
}

static bool keep_mesh(LitheReader *reader, const LitheSolidMeshDef *read, LitheSolidMeshDef *mesh) {
    LitheSolidMeshDef own = *read;
    own.nodes = keep(reader, read->nodes, read->node_count, sizeof *read->nodes);
    own.elements = keep(reader, read->elements, read->element_numbers, sizeof *read->elements);
    own.group_sizes = keep(reader, read->group_sizes, read->group_size_count, sizeof(int32_t));
    own.group_nodes = keep(reader, read->group_nodes, read->group_node_count, sizeof(int32_t));
    const char **names = lithe_read_push(reader, read->group_count + 1, sizeof *names);
    bool ok = own.nodes && own.elements && own.group_sizes && own.group_nodes && names;
    for (int32_t i = 0; i < read->group_count && ok; i++) {
        names[i] = keep(reader, read->groups[i], (int64_t)strlen(read->groups[i]) + 1, 1);
        ok = names[i] != NULL;
    }
    own.groups = names;
    if (ok)
        *mesh = own;
    return ok;
}

// `surface` and `resolution` of a solid are those of mesh: {surface: ..}.
static bool finish_surface(LitheReader *reader, const LitheTreeNode *node,
                           LitheSolidMeshDef *mesh) {
    const LitheTreeNode *given = lithe_tree_find(node, "mesh");
    const LitheTreeNode *surface = lithe_tree_find(node, "surface");
    const LitheTreeNode *resolution = lithe_tree_find(node, "resolution");
    if (given && (surface || resolution))
        return lithe_read_fail(reader, surface ? surface : resolution,
                               "mesh and %s are both given, one is expected",
                               surface ? "surface" : "resolution");
    if (!given && !surface)
        return lithe_read_fail(reader, node, "one of mesh and surface is expected");
    if (surface && !resolution)
        return lithe_read_fail(reader, node, "resolution is missing");
    if (surface)
        mesh->kind = LITHE_SOLID_MESH_SURFACE;
    return true;
}

// Reads the file of a mesh, so that the scene needs no other file.
bool lithe_finish_solid(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    LitheSolidMeshDef *mesh = &((LitheSolidDef *)entry)->mesh, read;
    if (!finish_surface(reader, node, mesh))
        return false;
    if (!mesh->path || !(mesh->scale > 0) || !isfinite(mesh->scale))
        return true; // the check reports a wrong scale
    if (!lithe_read_note_input(reader, mesh->path))
        return false;
    reader->status = lithe_solid_mesh_read(reader->tree->context, mesh, &read, reader->error);
    if (reader->status != LITHE_OK)
        return false;
    bool ok = keep_mesh(reader, &read, mesh);
    lithe_release_solid_mesh(reader->tree->context, &read);
    return ok;
}

// The mesh of a file is written out.
void lithe_write_solid(LitheWriter *w, const LitheTable *table, void *entry, const void *defaults) {
    LitheSolidDef *own = entry;
    LitheSolidMeshDef read = {0};
    if (own->mesh.path) {
        if (w->status == LITHE_OK)
            w->status = lithe_solid_mesh_read(w->context, &own->mesh, &read, w->error);
        if (w->status != LITHE_OK)
            return;
        own->mesh = read;
    }
    lithe_write_object(w, own->name, table, own, defaults);
    lithe_release_solid_mesh(w->context, &read);
}
