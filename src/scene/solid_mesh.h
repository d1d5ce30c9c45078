// SPDX-License-Identifier: Apache-2.0
// scene/solid_mesh.h - meshes of soft solids: copies, files, limits

#ifndef LITHE_SCENE_SOLID_MESH_H
#define LITHE_SCENE_SOLID_MESH_H

#include "lithe/solid.h"
#include "scene/check.h"

/// As the copy and release hooks of objects.
bool lithe_copy_solid_mesh(LitheContext *context, LitheSolidMeshDef *mesh);
void lithe_release_solid_mesh(LitheContext *context, LitheSolidMeshDef *mesh);

/// Checks the fields of the kind.
void lithe_check_solid_mesh(LitheCheck *check, const LitheSolidMeshDef *mesh);

/// `out` is `mesh` with the nodes and elements of its file, scaled, in place of path and scale: a
/// file of tetrahedra becomes LITHE_SOLID_MESH_TETRAHEDRA. Free it with lithe_release_solid_mesh.
/// Logs what is left out.
LitheStatus lithe_solid_mesh_read(LitheContext *context, const LitheSolidMeshDef *mesh,
                                  LitheSolidMeshDef *out, LitheError *error);

/// Whether elements get ten nodes, and the wanted length of their edges [m]: of a mesh by size
/// (LITHE_SOLID_BY_SIZE) twice the resolution, but not longer than the body.
bool lithe_solid_is_quadratic(const LitheSolidDef *def);
double lithe_solid_mesh_edge(const LitheSolidDef *def);

#endif
