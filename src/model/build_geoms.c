// SPDX-License-Identifier: Apache-2.0
// model/build_geoms.c - shapes of bodies: compiled, placed, and the inertia they give their body

#include "base/memory.h"
#include "base/status.h"
#include "geom/mass.h"
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

LitheStatus lithe_build_fail_body(const LitheScene *scene, int32_t body, LitheStatus status,
                                  const LitheError *cause, LitheError *error) {
    char path[256];
    const char *name = scene->bodies[body].name;
    if (status == LITHE_NO_MEMORY)
        return lithe_fail(error, status, "%s", cause->text);
    snprintf(path, sizeof path, "bodies.%s", name);
    return lithe_scene_fail(scene, error, path, "body '%s': %s", name, cause->text);
}

// half thickness of a shape for its contacts [m]: infinite for ground; for a mesh, which may be
// flat, its reach; else half of its smallest extent
static double size_of(const LitheGeom *geom) {
    Vec3 size = v3_sub(geom->high, geom->low);
    if (geom->kind == LITHE_GEOM_HALF_SPACE || geom->kind == LITHE_GEOM_HEIGHTFIELD)
        return INFINITY;
    if (geom->kind == LITHE_GEOM_TRIANGLE_MESH)
        return geom->reach;
    return 0.5 * fmin(size.x, fmin(size.y, size.z));
}

LitheStatus lithe_build_geoms(const LitheScene *scene, LitheModel *model, LitheError *error) {
    int64_t count = 0;
    for (int32_t i = 0; i < scene->body_count; i++)
        count += scene->bodies[i].geom_count;
    model->geoms = lithe_alloc_array(scene->context, count, sizeof *model->geoms);
    if (!model->geoms)
        return lithe_fail_memory(error, "the shapes");
    for (int32_t i = 0; i < scene->body_count; i++) {
        const LitheBodyDef *body = &scene->bodies[i];
        for (int32_t k = 0; k < body->geom_count; k++) {
            const LitheGeomDef *def = &body->geoms[k];
            if (def->visual)
                continue;
            LitheModelGeom *geom = &model->geoms[model->geom_count];
            LitheError cause = {0};
            LitheStatus status = lithe_geom_compile(scene->context, def, &geom->geom, &cause);
            if (status != LITHE_OK)
                return lithe_build_fail_body(scene, i, status, &cause, error);
            model->geom_count++;
            status = lithe_inner_create(scene->context, &geom->geom, &geom->inner, &cause);
            if (status != LITHE_OK)
                return lithe_build_fail_body(scene, i, status, &cause, error);
            geom->body = i;
            geom->local = place_make(def->at, q4_unit(def->rotation));
            geom->material = def->material.number - 1;
            geom->weightless = def->weightless;
            geom->size = size_of(&geom->geom);
            geom->touch = lithe_touch_of(scene, def->material, def->group, def->mask);
            geom->colour = def->colour;
        }
    }
    return LITHE_OK;
}

void lithe_geoms_free(LitheModel *model) {
    for (int32_t i = 0; model->geoms && i < model->geom_count; i++) {
        lithe_inner_destroy(&model->geoms[i].inner);
        lithe_field_destroy(model->geoms[i].field);
        lithe_geom_destroy(&model->geoms[i].geom);
    }
    lithe_free(model->context, model->geoms);
}

// inertia about the origin of a point mass at r: m (r.r I - r r^T)
static Mat3 point_inertia(double mass, Vec3 r) {
    return m3_scale(mass, m3_sub(m3_scale(v3_dot(r, r), m3_identity()), m3_outer(r, r)));
}

// the first shape of a body, or of a later one: shapes are in the order of their bodies
static int32_t first_geom(const LitheModel *model, int32_t body) {
    int32_t low = 0, high = model->geom_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (model->geoms[middle].body < body)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Adds the masses of the shapes that have a material. A shape without a material has no mass.
LitheStatus lithe_body_mass(const LitheScene *scene, const LitheModel *model, int32_t body,
                            LitheBodyMass *out, LitheError *error) {
    Mat3 about_origin = m3_zero();
    *out = (LitheBodyMass){0};
    for (int32_t k = first_geom(model, body); k < model->geom_count && model->geoms[k].body == body;
         k++) {
        const LitheModelGeom *geom = &model->geoms[k];
        if (geom->material < 0 || geom->weightless)
            continue;
        LitheGeomMass part;
        LitheError cause = {0};
        LitheStatus status = lithe_geom_mass(&geom->geom, &part, &cause);
        if (status != LITHE_OK)
            return lithe_build_fail_body(scene, body, status, &cause, error);
        double density = scene->materials[geom->material].density;
        double mass = density * part.volume;
        Vec3 centre = place_point(&geom->local, part.centre);
        Mat3 R = geom->local.r;
        Mat3 inertia = m3_mul(m3_mul(R, m3_scale(density, part.inertia)), m3_transpose(R));
        out->mass += mass;
        out->centre = v3_axpy(mass, centre, out->centre);
        about_origin = m3_add(about_origin, m3_add(inertia, point_inertia(mass, centre)));
    }
    if (!(out->mass > 0))
        return LITHE_OK; // welded to a body with mass: ensured by the check of the scene
    out->centre = v3_scale(1 / out->mass, out->centre);
    out->inertia = m3_sub(about_origin, point_inertia(out->mass, out->centre));
    return LITHE_OK;
}
