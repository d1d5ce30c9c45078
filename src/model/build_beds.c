// SPDX-License-Identifier: Apache-2.0
// model/build_beds.c - groups of nodes of solids that springs hold to a body or to the world
//
// Node k of the group has a spring to the point of the body where it was at the start:
//     (W8)  energy = sum of s_k K/2 |x_k - rest_k|^2,   s_k = A_k/A,   K given, or K = stiffness
//     per area A
// A_k is its third of the faces whose nodes are all in the group, A their sum; without faces
// s_k = 1/count.

#include "base/memory.h"
#include "base/status.h"
#include "body/constraint.h"
#include "model/compile.h"

#include <stdio.h>

// areas of the nodes of a group; returns their sum
static double share_areas(const LitheSolid *solid, const Vec3 *x, const int32_t *place,
                          double *share) {
    double sum = 0;
    for (int32_t t = 0; t < solid->triangle_count; t++) {
        const int32_t *c = solid->triangles + 3 * (int64_t)t;
        if (place[c[0]] < 0 || place[c[1]] < 0 || place[c[2]] < 0)
            continue;
        Vec3 cross = v3_cross(v3_sub(x[c[1]], x[c[0]]), v3_sub(x[c[2]], x[c[0]]));
        double area = 0.5 * v3_norm(cross);
        for (int k = 0; k < 3; k++)
            share[place[c[k]]] += area / 3;
        sum += area;
    }
    return sum;
}

static LitheStatus fail_bed(const LitheScene *scene, const LitheConstraintDef *def,
                            const LitheSolid *solid, LitheError *error) {
    char path[300];
    snprintf(path, sizeof path, "constraints.%s.stiffness-per-area", def->name);
    return lithe_scene_fail(scene, error, path,
                            "constraint '%s': no face of solid '%s' has all its nodes in the "
                            "group: give the stiffness of the whole group instead",
                            def->name, solid->name);
}

// places, shares and the points where springs have no force
static LitheStatus lay(const LitheScene *scene, const LitheModel *model, const LitheState *state,
                       const LitheConstraintDef *def, const LitheSolid *solid,
                       const LitheMembers *members, int32_t *place, LitheConstraint *own,
                       LitheError *error) {
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        place[i] = -1;
    for (int32_t k = 0; k < members->count; k++)
        place[members->list[k]] = k;
    const double *q = state->q + model->units[solid->unit].q_at;
    Pose frame = pose_inverse(lithe_constraint_place(model, state, &own->a));
    double area = share_areas(solid, solid->mesh.nodes, place, own->share);
    if (def->area_stiffness > 0 && !(area > 0))
        return fail_bed(scene, def, solid, error);
    if (def->area_stiffness > 0)
        own->stiffness = def->area_stiffness * area;
    for (int32_t i = 0; i < members->count; i++) {
        int32_t node = members->list[i], k = own->via_count;
        double share = area > 0 ? own->share[i] / area : 1.0 / members->count;
        if (!(share > 0)) // no face of the group has this node
            continue;
        own->via_count++;
        own->via[k] = (LitheConstraintSide){.thing = own->b.thing,
                                            .site = {.unit = solid->unit, .element = node},
                                            .frame = pose_identity()};
        own->rest[k] = pose_point(frame, v3_load(q + 3 * (int64_t)node));
        own->share[k] = share;
    }
    own->places = LITHE_KEEPS_BED;
    own->b.site.element = members->list[0];
    return LITHE_OK;
}

LitheStatus lithe_build_bed(const LitheScene *scene, LitheModel *model, const LitheState *state,
                            int32_t index, LitheMembers *members, LitheError *error) {
    const LitheConstraintDef *def = &scene->constraints[index];
    LitheConstraint *own = &model->constraints[index];
    const LitheAnchor *set = def->a.kind == LITHE_ANCHOR_SOLID ? &def->a : &def->b;
    const LitheSolid *solid = &model->solids[set->place.thing.number - 1];
    LitheStatus status =
        lithe_members_find(scene, &set->place, "constraint", def->name, members, error);
    if (status != LITHE_OK)
        return status;
    own->via = lithe_alloc_array(scene->context, members->count, sizeof *own->via);
    own->rest = lithe_alloc_array(scene->context, members->count, sizeof *own->rest);
    own->share = lithe_alloc_array(scene->context, members->count, sizeof *own->share);
    int32_t *place = lithe_alloc_array(scene->context, solid->mesh.node_count, sizeof *place);
    status = own->via && own->rest && own->share && place
                 ? lay(scene, model, state, def, solid, members, place, own, error)
                 : lithe_fail_memory(error, "a bed of springs");
    lithe_free(scene->context, place);
    return status;
}
