// SPDX-License-Identifier: Apache-2.0
// model/build_welds.c - sets of nodes of solids that are welded to bodies: they ride on them
//
// The body gets the masses of the nodes, exactly as if they were parts of it:
//     (W5)  m' = m + m_s,   c' = (m c + m_s a_s)/m',
//           I' = I + m |c - c'|^2 + m_s |a_s - c'|^2   with |d|^2 short for d'd 1 - d d'
// and the nodes have none. Nodes that are welded to the world or to a fixed body are held.
//     (W9)  of a consistent mass, elements with such a node have lumped ones

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"
#include "body/tree_body.h"
#include "body/unit.h"
#include "math/mat3.h"
#include "model/build_solid.h"

#include <math.h>
#include <stdio.h>

static LitheStatus fail_weld(const LitheScene *scene, const LitheConstraintDef *def,
                             const char *why, LitheError *error) {
    char path[300];
    snprintf(path, sizeof path, "constraints.%s", def->name);
    return lithe_scene_fail(scene, error, path, "constraint '%s': %s", def->name, why);
}

// m (d'd 1 - d d')
static Mat3 inertia_at(double m, Vec3 d) {
    Mat3 I = m3_zero();
    double square = v3_dot(d, d);
    for (int k = 0; k < 3; k++)
        I.m[k][k] = m * square;
    return m3_sub(I, m3_outer(v3_scale(m, d), d));
}

// (W5)
static void add_mass(LitheRigidLink *link, double m, Vec3 at) {
    double sum = link->mass + m;
    if (!(m > 0))
        return;
    Vec3 centre = v3_scale(1 / sum, v3_axpy(link->mass, link->centre, v3_scale(m, at)));
    link->inertia = m3_add(link->inertia, inertia_at(link->mass, v3_sub(link->centre, centre)));
    link->inertia = m3_add(link->inertia, inertia_at(m, v3_sub(at, centre)));
    link->mass = sum;
    link->centre = centre;
}

static void add_rider(LitheModel *model, const LitheState *state, int32_t constraint, int32_t body,
                      LitheSolid *solid, int32_t node) {
    const LitheRigidBody *carrier = &model->bodies[body];
    LitheTree *tree = &model->trees[model->units[carrier->unit].index];
    Pose pose = lithe_body_place(model, state, body);
    Vec3 x = v3_load(state->q + model->units[solid->unit].q_at + 3 * (int64_t)node);
    Vec3 at = pose_point(pose_inverse(pose), x);
    Vec3 in_link = carrier->offset ? pose_point(carrier->frame, at) : at;
    double mass = solid->mass[node];
    add_mass(&tree->rigid.links[carrier->element], mass, in_link);
    model->units[carrier->unit].mass += mass;
    model->units[solid->unit].mass -= mass;
    solid->mass[node] = 0;
    solid->rider_of[node] = solid->rider_count;
    solid->riders[solid->rider_count++] = (LitheRider){
        .node = node,
        .body = body,
        .constraint = constraint,
        .site = {.unit = carrier->unit, .element = carrier->element, .s = {carrier->s}},
        .at = at};
}

// sizes of the units, once a solid has a carrier
static void join(LitheModel *model, LitheSolid *solid, int32_t carrier) {
    LitheUnit *own = &model->units[solid->unit], *body = &model->units[carrier];
    int32_t nodes = lithe_solid_carriers(solid);
    int32_t width = 3 * nodes + (int32_t)body->v_count;
    own->riders = solid->riders;
    own->rider_of = solid->rider_of;
    own->rider_count = solid->rider_count;
    own->rides = body->rides = true;
    own->mass_moment = own->mass * own->thickness;
    own->site_nodes = nodes + 1;
    own->site_width = width > own->site_width ? width : own->site_width;
    if (own->site_width > model->site_width)
        model->site_width = own->site_width;
}

static bool allocate(LitheContext *context, LitheSolid *solid) {
    int32_t nodes = solid->mesh.node_count;
    if (solid->riders)
        return true;
    solid->riders = lithe_alloc_array(context, nodes, sizeof *solid->riders);
    solid->rider_of = lithe_alloc_array(context, nodes, sizeof *solid->rider_of);
    for (int32_t i = 0; solid->rider_of && i < nodes; i++)
        solid->rider_of[i] = -1;
    solid->fixed = lithe_alloc_array(context, 3 * (int64_t)nodes, 1);
    return solid->riders && solid->rider_of && solid->fixed;
}

// a node that another weld has already, or a hold or drive
static LitheStatus fail_twice(const LitheScene *scene, int32_t index, const LitheMembers *members,
                              int32_t node, LitheError *error) {
    const LitheConstraintDef *def = &scene->constraints[index];
    LitheMembers others = *members;
    for (int32_t i = 0; i < index; i++) {
        const LitheConstraintDef *other = &scene->constraints[i];
        const LitheAnchor *set = other->a.kind == LITHE_ANCHOR_SOLID ? &other->a : &other->b;
        if (lithe_constraint_kind_info(other->kind)->frames != LITHE_KEEPS_FRAME ||
            set->kind != LITHE_ANCHOR_SOLID || set->place.thing.number != members->thing.number)
            continue;
        others.list = NULL;
        others.count = others.capacity = 0;
        LitheStatus status =
            lithe_members_find(scene, &set->place, "constraint", other->name, &others, error);
        bool has = false;
        for (int32_t k = 0; status == LITHE_OK && k < others.count; k++)
            has = has || others.list[k] == node;
        lithe_members_free(scene->context, &others);
        if (status != LITHE_OK)
            return status;
        char path[300];
        snprintf(path, sizeof path, "constraints.%s", def->name);
        if (has)
            return lithe_scene_fail(scene, error, path,
                                    "constraint '%s': node %d of '%s' is welded already, by "
                                    "constraint '%s'",
                                    def->name, node, lithe_thing_def_name(scene, members->thing),
                                    other->name);
    }
    return lithe_members_clash(scene, members, "constraint", def->name, node, error);
}

static LitheStatus weld(const LitheScene *scene, LitheModel *model, const LitheState *state,
                        int32_t index, LitheMembers *members, LitheError *error) {
    const LitheConstraintDef *def = &scene->constraints[index];
    LitheConstraint *own = &model->constraints[index];
    const LitheAnchor *set = def->a.kind == LITHE_ANCHOR_SOLID ? &def->a : &def->b;
    const LitheAnchor *other = set == &def->a ? &def->b : &def->a;
    LitheSolid *solid = &model->solids[set->place.thing.number - 1];
    int32_t body = other->kind == LITHE_ANCHOR_BODY ? other->body.number - 1 : -1;
    int32_t carrier = body >= 0 ? model->bodies[body].unit : -1;
    bool moves = carrier >= 0 && model->units[carrier].v_count > 0;
    LitheStatus status =
        lithe_members_find(scene, &set->place, "constraint", def->name, members, error);
    if (status != LITHE_OK)
        return status;
    if (moves && !lithe_body_tree(model, body))
        return fail_weld(scene, def, "a set of nodes is welded to a body that rides on a rod",
                         error);
    if (moves && v3_norm(solid->acceleration) > 0)
        return fail_weld(scene, def,
                         "its solid has an acceleration, which would not act on nodes that are "
                         "welded to a body",
                         error);
    if (moves && model->time.scheme == LITHE_SCHEME_SYMPLECTIC)
        return fail_weld(
            scene, def,
            "time.scheme is symplectic-euler, which has no sets of nodes that are welded to "
            "bodies; the implicit schemes have",
            error);
    if (!allocate(scene->context, solid))
        return lithe_fail_memory(error, "the nodes of a weld");
    for (int32_t k = 0; k < members->count; k++) {
        int32_t node = members->list[k];
        unsigned char *held = solid->held + 3 * (int64_t)node;
        if (held[0] || held[1] || held[2])
            return fail_twice(scene, index, members, node, error);
        held[0] = held[1] = held[2] = 1;
        if (moves)
            add_rider(model, state, index, body, solid, node);
    }
    own->places = LITHE_KEEPS_RIDERS;
    own->b.site.element = members->list[0]; // the solid is side b: it has no frame
    if (moves)
        join(model, solid, carrier);
    else if (!lithe_hold_add_weld(model, index, members->thing, solid->unit, members->list,
                                  members->count))
        return lithe_fail_memory(error, "the nodes of a weld");
    return LITHE_OK;
}

// relative speed of a node and its body that is not rounding [m/s]
#define SAME_SPEED 1e-6

// nodes that are welded take the velocity of their body; the first one that had another is reported
static void warn_of_velocities(const LitheScene *scene, const LitheModel *model,
                               const LitheState *state) {
    for (int32_t i = 0; i < model->solid_count; i++) {
        const LitheSolid *solid = &model->solids[i];
        const double *v = state->v + model->units[solid->unit].v_at;
        for (int32_t k = 0; k < solid->rider_count; k++) {
            const LitheRider *rider = &solid->riders[k];
            Vec3 own = solid->v0[rider->node], taken = v3_load(v + 3 * (int64_t)rider->node);
            if (!(v3_distance(own, taken) > fmax(SAME_SPEED, 1e-6 * v3_norm(taken))))
                continue;
            lithe_log(scene->context, LITHE_LOG_WARNING,
                      "constraint '%s': at the start node %d of solid '%s' moves at %.4g m/s "
                      "relative to body '%s': welded nodes take the velocity of the body (give "
                      "both the same velocity and spin)",
                      scene->constraints[rider->constraint].name, rider->node, solid->name,
                      v3_distance(own, taken), scene->bodies[rider->body].name);
            break;
        }
    }
}

LitheStatus lithe_build_welds(const LitheScene *scene, LitheModel *model, LitheState *state,
                              LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < model->constraint_count; i++) {
        const LitheAnchor *sides[2] = {&scene->constraints[i].a, &scene->constraints[i].b};
        for (int k = 0; status == LITHE_OK && k < 2; k++) {
            if (!lithe_anchor_is_group(sides[k]))
                continue;
            const LitheSolid *solid = &model->solids[sides[k]->place.thing.number - 1];
            LitheMembers members = {.thing = sides[k]->place.thing,
                                    .points = solid->mesh.nodes,
                                    .count_of = solid->mesh.node_count,
                                    .groups = solid->mesh.sets,
                                    .group_count = solid->mesh.set_count};
            status = model->constraints[i].frames == LITHE_KEEPS_NO_FRAME
                         ? lithe_build_bed(scene, model, state, i, &members, error)
                         : weld(scene, model, state, i, &members, error);
            lithe_members_free(scene->context, &members);
        }
    }
    for (int32_t i = 0; status == LITHE_OK && i < model->solid_count; i++)
        if (model->solids[i].rider_count > 0 && model->solids[i].mass_values)
            lithe_lump_welded(&model->solids[i]);
    if (status == LITHE_OK) {
        lithe_riders_place(model, state);
        warn_of_velocities(scene, model, state);
    }
    // held nodes are at rest
    for (int32_t i = 0; status == LITHE_OK && i < model->solid_count; i++) {
        const LitheSolid *solid = &model->solids[i];
        double *v = state->v + model->units[solid->unit].v_at;
        for (int64_t k = 0; solid->fixed && k < 3 * (int64_t)solid->mesh.node_count; k++) {
            solid->fixed[k] = solid->held[k] && solid->rider_of[k / 3] < 0;
            v[k] = solid->fixed[k] ? 0 : v[k];
        }
    }
    return status;
}
