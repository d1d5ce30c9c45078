// SPDX-License-Identifier: Apache-2.0
// model/build_constraints.c - constraints of a scene: their places become edges, links and points

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/constraint.h"
#include "model/compile.h"

#include <stdio.h>

// --- places --------------------------------------------------------------------------------------

// the point at a fraction of the length as built
static void find_fraction(const LitheRod *rod, double fraction, LitheConstraintSide *side) {
    double length = 0, at = 0;
    for (int32_t i = 0; i < rod->edge_count; i++)
        length += rod->built_length[i];
    double wanted = fraction * length;
    int32_t edge = 0;
    while (edge < rod->edge_count - 1 && at + rod->built_length[edge] <= wanted)
        at += rod->built_length[edge++];
    double s = (wanted - at) / rod->built_length[edge];
    side->part = edge;
    // an end is its node to the last bit
    side->s = fraction >= 1 ? 1 : s < 0 ? 0 : s > 1 ? 1 : s;
}

// false when the rod has no such node
static bool find_node(const LitheRod *rod, int32_t node, LitheConstraintSide *side) {
    if (node < 0)
        node += rod->node_count;
    if (node < 0 || node >= rod->node_count)
        return false;
    bool leaves = node < rod->edge_count;
    side->part = leaves ? node : rod->edge_count - 1;
    side->s = leaves ? 0 : 1;
    return true;
}

static LitheStatus set_side(const LitheScene *scene, const LitheModel *model, const char *name,
                            const char *key, const LitheAnchor *anchor, LitheConstraintSide *side,
                            LitheError *error) {
    *side = (LitheConstraintSide){.kind = anchor->kind, .unit = -1, .part = -1, .body = -1};
    side->frame = (Pose){q4_unit(anchor->rotation), anchor->at};
    if (anchor->kind == LITHE_ANCHOR_ROD) {
        const LithePlace *place = &anchor->place;
        const LitheRod *rod = &model->rods[place->thing.number - 1];
        side->unit = place->thing.number - 1;
        if (place->kind == LITHE_PLACE_FRACTION) {
            find_fraction(rod, place->fraction, side);
        } else if (!find_node(rod, place->node, side)) {
            char path[300];
            snprintf(path, sizeof path, "constraints.%s.%s", name, key);
            return lithe_scene_fail(
                scene, error, path,
                "constraint '%s': %s: node %d does not exist, rod '%s' has nodes 0 to %d", name,
                key, place->node, rod->name, rod->node_count - 1);
        }
    } else if (anchor->kind == LITHE_ANCHOR_BODY) {
        const LitheRigidBody *body = &model->bodies[anchor->body.number - 1];
        if (body->unit < 0) {
            side->kind = LITHE_ANCHOR_WORLD;
            side->frame = pose_mul(body->frame, side->frame);
        } else {
            side->unit = body->unit;
            side->part = body->element;
            side->body = anchor->body.number - 1;
        }
    }
    return LITHE_OK;
}

// whether a place cannot move, whatever pulls at it
static bool is_held(const LitheModel *model, const LitheConstraintSide *side) {
    if (side->kind == LITHE_ANCHOR_WORLD)
        return true;
    if (side->kind == LITHE_ANCHOR_BODY)
        return model->units[side->unit].v_count == 0;
    const LitheRod *rod = &model->rods[side->unit];
    int32_t nodes[2] = {side->part, (side->part + 1) % rod->node_count};
    const double share[2] = {1 - side->s, side->s};
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++)
            if (share[k] > 0 && !rod->held[4 * (int64_t)nodes[k] + c])
                return false;
    return true;
}

// --- all of them ---------------------------------------------------------------------------------

static LitheStatus add_constraint(const LitheScene *scene, int32_t index, LitheModel *model,
                                  LitheError *error) {
    const LitheConstraintDef *def = &scene->constraints[index];
    LitheConstraint *own = &model->constraints[model->constraint_count++];
    *own = (LitheConstraint){
        .kind = def->kind,
        .as_built = def->as_built,
        .length = def->length,
        .stiffness = def->stiffness,
        .damping = def->damping,
        .turn_stiffness = def->turn_stiffness,
        .turn_damping = def->turn_damping,
        .bend_stiffness = def->bend_stiffness,
        .twist_stiffness = def->twist_stiffness,
        .breaks_at = def->breaks_at,
        .active = def->active,
    };
    own->name = lithe_alloc_text(scene->context, def->name);
    if (!own->name || !lithe_profile_copy(scene->context, &def->gate, &own->gate))
        return lithe_fail_memory(error, "a constraint");
    LitheStatus status = set_side(scene, model, def->name, "a", &def->a, &own->a, error);
    if (status == LITHE_OK)
        status = set_side(scene, model, def->name, "b", &def->b, &own->b, error);
    // an offset is carried by the world or else by a body: a rod is held just where it is named
    static const int rank[] = {
        [LITHE_ANCHOR_WORLD] = 0, [LITHE_ANCHOR_BODY] = 1, [LITHE_ANCHOR_ROD] = 2};
    bool joins = def->kind == LITHE_CONSTRAINT_ATTACH || def->kind == LITHE_CONSTRAINT_WELD;
    if (joins && rank[own->a.kind] > rank[own->b.kind]) {
        LitheConstraintSide side = own->a;
        own->a = own->b;
        own->b = side;
        own->swapped = true;
    }
    bool turns = def->kind == LITHE_CONSTRAINT_WELD || def->kind == LITHE_CONSTRAINT_HINGE_SPRING;
    if (status == LITHE_OK && !turns && is_held(model, &own->a) && is_held(model, &own->b))
        lithe_log(scene->context, LITHE_LOG_WARNING,
                  "constraint '%s': both places are held already, so that it moves nothing",
                  def->name);
    return status;
}

LitheStatus lithe_build_constraints(const LitheScene *scene, LitheModel *model, LitheError *error) {
    model->constraints =
        lithe_alloc_array(scene->context, scene->constraint_count, sizeof *model->constraints);
    if (!model->constraints)
        return lithe_fail_memory(error, "the constraints");
    for (int32_t i = 0; i < scene->constraint_count; i++) {
        LitheStatus status = add_constraint(scene, i, model, error);
        if (status != LITHE_OK)
            return status;
    }
    return LITHE_OK;
}

void lithe_constraints_state(const LitheModel *model, LitheState *state) {
    for (int32_t i = 0; i < model->constraint_count; i++)
        lithe_tie_of(state, i)[LITHE_TIE_STATUS] =
            model->constraints[i].active ? LITHE_TIE_ON : LITHE_TIE_OFF;
    lithe_constraints_begin(model, state, 0);
}

void lithe_constraints_free(LitheModel *model) {
    for (int32_t i = 0; model->constraints && i < model->constraint_count; i++) {
        lithe_free(model->context, model->constraints[i].name);
        lithe_profile_free(model->context, &model->constraints[i].gate);
    }
    lithe_free(model->context, model->constraints);
}
