// SPDX-License-Identifier: Apache-2.0
// model/build_faces.c - surfaces of solids whose triangles touch: numbers of edges, depths
//
//     (SC6)  a triangle touches up to an overlap of half the thickness of the solid below it at
//     rest
// docs/theory/surfaces.md.

#include "base/memory.h"
#include "base/status.h"
#include "geom/mesh.h"
#include "model/compile.h"

#include <math.h>
#include <stdlib.h>

// (SC6)
#define DEPTH_FRACTION 0.5

static bool meet(const LitheTouch *a, const LitheTouch *b) {
    return (a->group & b->mask) && (b->group & a->mask);
}

// whether another solid, or its own surface, may touch this one
static bool meets_solid(const LitheModel *model, int32_t index) {
    if (model->solids[index].self_contact)
        return true;
    for (int32_t i = 0; i < model->solid_count; i++)
        if (i != index && meet(&model->solids[i].touch, &model->solids[index].touch))
            return true;
    return false;
}

// whether a shape may push in between its nodes
static bool meets_shape(const LitheModel *model, const LitheTouch *touch) {
    for (int32_t i = 0; i < model->geom_count; i++)
        if (lithe_geom_is_convex(&model->geoms[i].geom) &&
            model->geoms[i].geom.kind != LITHE_GEOM_HALF_SPACE &&
            meet(&model->geoms[i].touch, touch))
            return true;
    return false;
}

// whether a rod, a particle, a shape or another solid may touch it
static bool has_partner(const LitheModel *model, int32_t index) {
    const LitheTouch *touch = &model->solids[index].touch;
    for (int32_t i = 0; i < model->rod_count; i++)
        if (meet(&model->rods[i].touch, touch))
            return true;
    for (int32_t i = 0; i < model->particles_count; i++)
        if (meet(&model->particles[i].touch, touch))
            return true;
    return meets_shape(model, touch) || meets_solid(model, index);
}

// an edge of a triangle, by its nodes in ascending order
typedef struct Side {
    int32_t low, high, at;
} Side;

static int by_nodes(const void *x, const void *y) {
    const Side *a = x, *b = y;
    int order = (a->low > b->low) - (a->low < b->low);
    order = order ? order : (a->high > b->high) - (a->high < b->high);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

static LitheStatus number_edges(LitheContext *context, LitheSurface *skin, LitheError *error) {
    int64_t count = 3 * (int64_t)skin->triangle_count;
    Side *sides = lithe_alloc_array(context, count, sizeof *sides);
    skin->edges = lithe_alloc_array(context, count, sizeof *skin->edges);
    if (!sides || !skin->edges) {
        lithe_free(context, sides);
        return lithe_fail_memory(error, "the edges of a surface");
    }
    for (int64_t k = 0; k < count; k++) {
        int32_t a = skin->triangles[k], b = skin->triangles[k % 3 == 2 ? k - 2 : k + 1];
        sides[k] = (Side){a < b ? a : b, a < b ? b : a, (int32_t)k};
    }
    qsort(sides, (size_t)count, sizeof *sides, by_nodes);
    int32_t edges = 0;
    for (int64_t k = 0; k < count; k++) {
        bool same = k > 0 && sides[k].low == sides[k - 1].low && sides[k].high == sides[k - 1].high;
        edges += !same;
        skin->edges[sides[k].at] = edges - 1;
    }
    skin->edge_count = edges;
    lithe_free(context, sides);
    return LITHE_OK;
}

// every corner and edge belongs to its first triangle
static LitheStatus share_features(LitheContext *context, LitheSurface *skin, LitheError *error) {
    int64_t nodes = skin->node_count;
    skin->owned = lithe_alloc_array(context, skin->triangle_count, sizeof *skin->owned);
    bool *seen = lithe_alloc_array(context, nodes + skin->edge_count, sizeof *seen);
    if (!skin->owned || !seen) {
        lithe_free(context, seen);
        return lithe_fail_memory(error, "the features of a surface");
    }
    for (int64_t i = 0; i < 3 * (int64_t)skin->triangle_count; i++) {
        int64_t feature[2] = {skin->triangles[i], nodes + skin->edges[i]};
        for (int k = 0; k < 2; k++) {
            if (!seen[feature[k]])
                skin->owned[i / 3] |= (unsigned char)(1 << (3 * k + i % 3));
            seen[feature[k]] = true;
        }
    }
    lithe_free(context, seen);
    return LITHE_OK;
}

LitheMesh *lithe_surface_mesh(LitheContext *context, const LitheSurface *skin) {
    int64_t corners = 3 * (int64_t)skin->triangle_count;
    Vec3 *points = lithe_alloc_array(context, skin->used_count, sizeof *points);
    int32_t *triangles = lithe_alloc_array(context, corners, sizeof *triangles);
    int32_t *own = lithe_alloc_array(context, skin->node_count, sizeof *own);
    LitheMesh *mesh = NULL;
    if (points && triangles && own) {
        for (int32_t i = 0; i < skin->used_count; i++) {
            own[skin->used[i]] = i;
            points[i] = skin->rest[skin->used[i]];
        }
        for (int64_t k = 0; k < corners; k++)
            triangles[k] = own[skin->triangles[k]];
        if (lithe_mesh_create(context, points, skin->used_count, triangles, skin->triangle_count,
                              &mesh, NULL) != LITHE_OK)
            mesh = NULL;
    }
    lithe_free(context, points);
    lithe_free(context, triangles);
    lithe_free(context, own);
    return mesh;
}

// (SC6); where the surface cannot be searched, the smallest extent is the thickness
static LitheStatus measure_depths(LitheContext *context, const LitheMesh *mesh, LitheSolid *solid,
                                  LitheError *error) {
    LitheSurface *skin = &solid->skin;
    double thin = fmin(solid->extent.x, fmin(solid->extent.y, solid->extent.z));
    skin->depths = lithe_alloc_array(context, skin->triangle_count, sizeof *skin->depths);
    if (!skin->depths)
        return lithe_fail_memory(error, "the depths of a surface");
    for (int32_t i = 0; i < skin->triangle_count; i++) {
        const int32_t *t = skin->triangles + 3 * (int64_t)i;
        Vec3 a = skin->rest[t[0]], b = skin->rest[t[1]], c = skin->rest[t[2]];
        Vec3 down = v3_unit(v3_cross(v3_sub(c, a), v3_sub(b, a)));
        Vec3 middle = v3_scale(1.0 / 3, v3_add(a, v3_add(b, c)));
        double longest = v3_norm(solid->extent), thick = thin;
        if (mesh && v3_finite(down))
            thick = lithe_mesh_exit(mesh, middle, down, longest, NULL);
        skin->depths[i] = DEPTH_FRACTION * thick;
    }
    return LITHE_OK;
}

LitheStatus lithe_build_faces(LitheModel *model, LitheError *error) {
    model->face_sets =
        lithe_alloc_array(model->context, model->solid_count, sizeof *model->face_sets);
    if (!model->face_sets)
        return lithe_fail_memory(error, "the surfaces that touch");
    int64_t places = 2 * model->vertex_count + model->geom_count + model->ball_count, faces = 0;
    for (int32_t i = 0; i < model->solid_count; i++) {
        LitheSolid *solid = &model->solids[i];
        if (!has_partner(model, i))
            continue;
        LitheStatus status = number_edges(model->context, &solid->skin, error);
        LitheMesh *mesh =
            status == LITHE_OK ? lithe_surface_mesh(model->context, &solid->skin) : NULL;
        if (status == LITHE_OK)
            status = measure_depths(model->context, mesh, solid, error);
        if (status == LITHE_OK)
            status = share_features(model->context, &solid->skin, error);
        if (status == LITHE_OK && meets_solid(model, i))
            status = lithe_build_inner(model->context, mesh, solid, error);
        if (mesh)
            lithe_mesh_destroy(model->context, mesh);
        if (status != LITHE_OK)
            return status;
        model->face_sets[model->face_set_count++] =
            (LitheFaceSet){.thing = {LITHE_THING_SOLID, i + 1},
                           .unit = solid->unit,
                           .at = (int32_t)faces,
                           .count = solid->skin.triangle_count,
                           .nodes = solid->skin.node_count,
                           .place_at = places + model->face_place_count,
                           .touch = &solid->touch,
                           .self_contact = solid->self_contact,
                           .surface = &solid->skin,
                           .fine = solid->fine.touches ? &solid->fine : NULL};
        faces += solid->skin.triangle_count;
        model->face_place_count +=
            (int64_t)solid->skin.node_count + solid->skin.edge_count + solid->skin.triangle_count;
        if (faces >= LITHE_SITE_ELEMENTS)
            return lithe_fail(error, LITHE_NOT_SUPPORTED,
                              "solids: surfaces that can touch have %lld triangles, at most %d are "
                              "supported",
                              (long long)faces, LITHE_SITE_ELEMENTS - 1);
    }
    model->face_count = (int32_t)faces;
    return lithe_order_faces(model, error);
}
