// SPDX-License-Identifier: Apache-2.0
// model/build_visuals.c - shapes of bodies that are only drawn
//
// They are kept apart from the shapes that touch, so that no loop of the physics sees them. Meshes
// made for looks are often open, turned inside out in part, or have three triangles on one edge.
// Nothing of this matters for drawing, so they are not compiled as meshes that touch are.

#include "base/memory.h"
#include "base/status.h"
#include "model/compile.h"

// whether a triangle has an area that can be seen, and so a normal
static bool has_area(const Vec3 *points, const int32_t *corners) {
    Vec3 a = points[corners[0]], b = points[corners[1]], c = points[corners[2]];
    double area2 = v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    double longest = fmax(v3_distance(a, b), fmax(v3_distance(b, c), v3_distance(c, a)));
    return area2 > 1e-10 * longest * longest;
}

// Points and triangles as they are, without triangles that have no area. Points are finite and
// corners exist: the scene was checked.
static LitheStatus copy_mesh(LitheContext *context, const LitheGeomDef *def, LitheModelVisual *out,
                             LitheError *error) {
    out->points = lithe_alloc_array(context, def->point_count, sizeof *out->points);
    out->triangles =
        lithe_alloc_array(context, 3 * (int64_t)def->triangle_count, sizeof *out->triangles);
    if (!out->points || !out->triangles)
        return lithe_fail_memory(error, "a visual mesh");
    out->geom.kind = LITHE_GEOM_TRIANGLE_MESH;
    out->geom.low = out->geom.high = def->points[0];
    for (int32_t i = 0; i < def->point_count; i++) {
        out->points[i] = def->points[i];
        out->geom.low = v3_min(out->geom.low, def->points[i]);
        out->geom.high = v3_max(out->geom.high, def->points[i]);
        out->geom.reach = fmax(out->geom.reach, v3_norm(def->points[i]));
    }
    out->point_count = def->point_count;
    for (int32_t i = 0; i < def->triangle_count; i++) {
        const int32_t *from = def->triangles + 3 * (int64_t)i;
        int32_t *to = out->triangles + 3 * (int64_t)out->triangle_count;
        if (!has_area(def->points, from))
            continue;
        for (int k = 0; k < 3; k++)
            to[k] = from[k];
        out->triangle_count++;
    }
    if (out->triangle_count == 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "visual mesh: no triangle has an area");
    return LITHE_OK;
}

LitheStatus lithe_build_visuals(const LitheScene *scene, LitheModel *model, LitheError *error) {
    int64_t count = 0;
    for (int32_t i = 0; i < scene->body_count; i++)
        for (int32_t k = 0; k < scene->bodies[i].geom_count; k++)
            count += scene->bodies[i].geoms[k].visual;
    model->visuals = lithe_alloc_array(scene->context, count, sizeof *model->visuals);
    if (!model->visuals)
        return lithe_fail_memory(error, "the visual shapes");
    for (int32_t i = 0; i < scene->body_count; i++) {
        const LitheBodyDef *body = &scene->bodies[i];
        for (int32_t k = 0; k < body->geom_count; k++) {
            const LitheGeomDef *def = &body->geoms[k];
            if (!def->visual)
                continue;
            LitheModelVisual *visual = &model->visuals[model->visual_count++];
            LitheError cause = {0};
            LitheStatus status =
                def->kind == LITHE_GEOM_TRIANGLE_MESH && def->points
                    ? copy_mesh(scene->context, def, visual, &cause)
                    : lithe_geom_compile(scene->context, def, &visual->geom, &cause);
            if (status != LITHE_OK)
                return lithe_build_fail_body(scene, i, status, &cause, error);
            visual->body = i;
            visual->local = place_make(def->at, q4_unit(def->rotation));
            visual->colour = def->colour;
        }
    }
    return LITHE_OK;
}

void lithe_visuals_free(LitheModel *model) {
    for (int32_t i = 0; model->visuals && i < model->visual_count; i++) {
        lithe_geom_destroy(&model->visuals[i].geom);
        lithe_free(model->context, model->visuals[i].points);
        lithe_free(model->context, model->visuals[i].triangles);
    }
    lithe_free(model->context, model->visuals);
}
