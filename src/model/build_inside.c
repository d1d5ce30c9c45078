// SPDX-License-Identifier: Apache-2.0
// model/build_inside.c - points of constraints in soft solids: their elements and weights
//
// A point in a solid moves with the corners of the element that contains it at the start:
//     (W1)  x(t) = sum_k w_k x_k(t),   w the barycentric coordinates at the start
// Elements of ten nodes are treated as if their edges were straight.

#include "base/memory.h"
#include "base/status.h"
#include "body/constraint.h"
#include "geom/mesh.h"
#include "geom/tet_weights.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>

// A point this far outside, relative to the size of the solid, lies on its surface: coordinates in
// scene files are rounded.
#define ON_SURFACE 1e-6

static Vec3 node_at(const double *x, int32_t node) {
    return v3_load(x + 3 * (int64_t)node);
}

// barycentric coordinates of a point in an element; returns the smallest
static double weights_in(const double *x, const int32_t *corner, Vec3 at, double w[4]) {
    const Vec3 own[4] = {node_at(x, corner[0]), node_at(x, corner[1]), node_at(x, corner[2]),
                         node_at(x, corner[3])};
    return lithe_tet_weights(own, at, w);
}

// the element in which the smallest coordinate is largest; returns that coordinate
static double find_element(const LitheSolid *solid, const double *x, Vec3 at,
                           LitheSolidPlace *place) {
    const LitheTetMesh *mesh = &solid->mesh;
    double best = -INFINITY;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *corner = mesh->elements + (int64_t)e * mesh->nodes_per_element;
        double w[4], least = weights_in(x, corner, at, w);
        if (!(least > best))
            continue;
        best = least;
        for (int k = 0; k < 4; k++) {
            place->node[k] = corner[k];
            place->weight[k] = w[k];
        }
    }
    return best;
}

// the point of the surface nearest to a point
static Vec3 nearest_on(const LitheSolid *solid, const double *x, Vec3 at) {
    Vec3 found = at;
    double best = INFINITY;
    for (int32_t t = 0; t < solid->triangle_count; t++) {
        const int32_t *c = solid->triangles + 3 * (int64_t)t;
        Vec3 near =
            lithe_triangle_nearest(node_at(x, c[0]), node_at(x, c[1]), node_at(x, c[2]), at, NULL);
        double distance = v3_distance(near, at);
        if (distance < best) {
            best = distance;
            found = near;
        }
    }
    return found;
}

static LitheStatus fail_outside(const LitheScene *scene, const char *name, const char *key,
                                const LitheSolid *solid, Vec3 at, double distance,
                                LitheError *error) {
    char path[300];
    snprintf(path, sizeof path, "constraints.%s.%s", name, key);
    return lithe_scene_fail(scene, error, path,
                            "constraint '%s': %s: the point (%.6g, %.6g, %.6g) m is outside of "
                            "solid '%s', %.4g m from its surface",
                            name, key, at.x, at.y, at.z, solid->name, distance);
}

static LitheStatus set_inside(const LitheScene *scene, LitheModel *model, const LitheState *state,
                              const char *name, const char *key, Vec3 at, LitheConstraintSide *side,
                              LitheError *error) {
    LitheSolid *solid = &model->solids[side->thing.number - 1];
    const double *x = state->q + model->units[solid->unit].q_at;
    LitheSolidPlace place = {0};
    if (find_element(solid, x, at, &place) < 0) {
        Vec3 near = nearest_on(solid, x, at);
        double distance = v3_distance(near, at);
        if (distance > ON_SURFACE * v3_norm(solid->extent))
            return fail_outside(scene, name, key, solid, at, distance, error);
        find_element(solid, x, near, &place);
    }
    if (!LITHE_RESERVE(model->context, solid->places, solid->place_capacity,
                       solid->place_count + 1))
        return lithe_fail_memory(error, "the points in solids");
    side->site.kind = LITHE_SITE_PLACE;
    side->site.element = solid->place_count;
    solid->places[solid->place_count++] = place;
    return LITHE_OK;
}

LitheStatus lithe_build_inside(const LitheScene *scene, LitheModel *model, const LitheState *state,
                               LitheError *error) {
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraintDef *def = &scene->constraints[i];
        LitheConstraint *own = &model->constraints[i];
        LitheConstraintSide *sides[2] = {own->swapped ? &own->b : &own->a,
                                         own->swapped ? &own->a : &own->b};
        const LitheAnchor *anchors[2] = {&def->a, &def->b};
        // given points first: the other one may be where they are
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < 2; k++) {
                const LitheAnchor *anchor = anchors[k];
                LithePlaceKind wanted = pass ? LITHE_PLACE_MEETING : LITHE_PLACE_INSIDE;
                if (anchor->kind != LITHE_ANCHOR_SOLID || anchor->place.kind != wanted)
                    continue;
                Vec3 at = pass ? lithe_constraint_place(model, state, sides[!k]).at : anchor->at;
                LitheStatus status =
                    set_inside(scene, model, state, def->name, k ? "b" : "a", at, sides[k], error);
                if (status != LITHE_OK)
                    return status;
            }
        for (int32_t k = 0; k < own->via_count; k++) {
            const LitheAnchor *anchor = &def->via[k];
            char key[32];
            if (anchor->kind != LITHE_ANCHOR_SOLID || anchor->place.kind != LITHE_PLACE_INSIDE)
                continue;
            snprintf(key, sizeof key, "via[%d]", k);
            LitheStatus status =
                set_inside(scene, model, state, def->name, key, anchor->at, &own->via[k], error);
            if (status != LITHE_OK)
                return status;
        }
    }
    return LITHE_OK;
}
