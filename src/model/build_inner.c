// SPDX-License-Identifier: Apache-2.0
// model/build_inner.c - inner surfaces of solids: what another solid must not cross
//
//     (SC8)  a node of the surface has an inner point, 0.45 of the thickness at rest below it
// docs/theory/surfaces.md.

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "geom/inner.h"
#include "geom/mesh.h"
#include "model/compile.h"

LitheStatus lithe_build_inner(LitheContext *context, LitheMesh *mesh, LitheSolid *solid,
                              LitheError *error) {
    LitheSurface *skin = &solid->skin;
    LitheGeom geom = {.kind = LITHE_GEOM_TRIANGLE_MESH,
                      .mesh = mesh,
                      .reach = v3_norm(solid->extent),
                      .context = context};
    LitheInner inner = {.shared = true};
    LitheStatus status = LITHE_OK;
    if (mesh)
        status = lithe_inner_create(context, &geom, &inner, error);
    if (status == LITHE_OK && inner.shared)
        lithe_log(context, LITHE_LOG_WARNING,
                  "solid '%s': its surface has no inner surface, so that steps are not certified "
                  "for it and other solids: fast ones may pass through it",
                  solid->name);
    if (status != LITHE_OK || inner.shared)
        return status;
    skin->inner = lithe_alloc_array(context, skin->node_count, sizeof *skin->inner);
    for (int32_t i = 0; skin->inner && i < skin->used_count; i++)
        skin->inner[skin->used[i]] = v3_distance(mesh->points[i], inner.geom.mesh->points[i]);
    lithe_inner_destroy(&inner);
    return skin->inner ? LITHE_OK : lithe_fail_memory(error, "the inner surface of a solid");
}
