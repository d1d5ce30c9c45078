// SPDX-License-Identifier: Apache-2.0
// scene/geom_file.c - replaces the mesh file of a shape by its points and triangles

#include "scene/geom_file.h"

#include "base/memory.h"
#include "geom/mesh_file.h"

LitheStatus lithe_geom_file_read(LitheContext *context, const LitheGeomDef *geom, LitheGeomDef *out,
                                 LitheError *error) {
    LitheMeshFile file = {0};
    LitheStatus status = lithe_mesh_file_read(context, geom->path, &file, error);
    if (status != LITHE_OK)
        return status;
    LitheVec3 s = geom->scale;
    for (int32_t i = 0; i < file.point_count; i++) {
        Vec3 *p = &file.points[i];
        *p = v3(s.x * p->x, s.y * p->y, s.z * p->z);
    }
    bool mirrors = (s.x < 0) != ((s.y < 0) != (s.z < 0));
    for (int32_t i = 0; mirrors && i < file.triangle_count; i++) {
        int32_t *t = &file.triangles[3 * (int64_t)i], second = t[1];
        t[1] = t[2];
        t[2] = second;
    }
    *out = *geom;
    out->path = NULL;
    out->scale = v3(1, 1, 1);
    out->points = file.points;
    out->point_count = file.point_count;
    if (geom->kind == LITHE_GEOM_TRIANGLE_MESH) {
        out->triangles = file.triangles;
        out->triangle_count = file.triangle_count;
    } else {
        lithe_free(context, file.triangles);
    }
    return LITHE_OK;
}

void lithe_geom_file_free(LitheContext *context, LitheGeomDef *geom) {
    lithe_free(context, (void *)geom->points);
    lithe_free(context, (void *)geom->triangles);
    geom->points = NULL;
    geom->triangles = NULL;
}
