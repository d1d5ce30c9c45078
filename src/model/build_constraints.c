// SPDX-License-Identifier: Apache-2.0
// model/build_constraints.c - constraints of a scene: their places become edges, links and points

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/constraint.h"
#include "model/compile.h"

#include <stdio.h>

// --- places --------------------------------------------------------------------------------------

// the material point at a fraction of the length of the rod as built
static void find_fraction(const LitheRod *rod, double fraction, LitheSite *site) {
    double length = 0, at = 0;
    for (int32_t i = 0; i < rod->edge_count; i++)
        length += rod->built_length[i];
    double wanted = fraction * length;
    int32_t edge = 0;
    while (edge < rod->edge_count - 1 && at + rod->built_length[edge] <= wanted)
        at += rod->built_length[edge++];
    double s = (wanted - at) / rod->built_length[edge];
    site->element = edge;
    // the end of the rod is exactly its last node
    site->s[0] = fraction >= 1 ? 1 : s < 0 ? 0 : s > 1 ? 1 : s;
}

// false when there is no such node
static bool find_node(const LitheRod *rod, int32_t node, LitheSite *site) {
    if (node < 0)
        node += rod->node_count;
    if (node < 0 || node >= rod->node_count)
        return false;
    bool leaves = node < rod->edge_count;
    site->element = leaves ? node : rod->edge_count - 1;
    site->s[0] = leaves ? 0 : 1;
    return true;
}

static LitheStatus fail_place(const LitheScene *scene, const char *name, const char *key,
                              int32_t number, const char *what, const char *of, int32_t count,
                              LitheError *error) {
    char path[300];
    snprintf(path, sizeof path, "constraints.%s.%s", name, key);
    return lithe_scene_fail(scene, error, path,
                            "constraint '%s': %s: %s %d does not exist, %s has %ss 0 to %d", name,
                            key, what, number, of, what, count - 1);
}

static LitheStatus set_side(const LitheScene *scene, const LitheModel *model, const char *name,
                            const char *key, const LitheAnchor *anchor, LitheConstraintSide *side,
                            LitheError *error) {
    const LithePlace *place = &anchor->place;
    char of[160];
    *side = (LitheConstraintSide){.site = {.unit = -1}};
    side->frame = (Pose){q4_unit(anchor->rotation), anchor->at};
    if (anchor->kind == LITHE_ANCHOR_ROD) {
        const LitheRod *rod = &model->rods[place->thing.number - 1];
        side->thing = place->thing;
        side->site.unit = rod->unit;
        side->site.s[1] = 1; // its frame is that of the edge, and so is its rotation
        if (place->kind == LITHE_PLACE_FRACTION) {
            find_fraction(rod, place->fraction, &side->site);
        } else if (!find_node(rod, place->node, &side->site)) {
            snprintf(of, sizeof of, "rod '%s'", rod->name);
            return fail_place(scene, name, key, place->node, "node", of, rod->node_count, error);
        }
    } else if (anchor->kind == LITHE_ANCHOR_BODY) {
        const LitheRigidBody *body = &model->bodies[anchor->body.number - 1];
        if (body->unit < 0 || body->offset)
            side->frame = pose_mul(body->frame, side->frame);
        if (body->unit >= 0) {
            side->thing = (LitheThing){LITHE_THING_BODY, anchor->body.number};
            side->site = (LitheSite){.unit = body->unit, .element = body->element, .s = {body->s}};
        }
    } else if (anchor->kind == LITHE_ANCHOR_PARTICLES) {
        const LitheParticles *set = &model->particles[place->thing.number - 1];
        int32_t index = place->node < 0 ? place->node + set->count : place->node;
        side->thing = place->thing;
        side->site = (LitheSite){.unit = set->unit, .element = index};
        if (index < 0 || index >= set->count) {
            snprintf(of, sizeof of, "'%s'", set->name);
            return fail_place(scene, name, key, place->node, "particle", of, set->count, error);
        }
    } else if (anchor->kind == LITHE_ANCHOR_SOLID) {
        const LitheSolid *solid = &model->solids[place->thing.number - 1];
        int32_t nodes = solid->mesh.node_count;
        int32_t index = place->node < 0 ? place->node + nodes : place->node;
        side->thing = place->thing;
        side->frame.at = v3(0, 0, 0);
        side->site = (LitheSite){.unit = solid->unit, .element = index};
        if (place->kind != LITHE_PLACE_NODE) // found in the first state (lithe_build_inside)
            side->site.element = -1;
        else if (index < 0 || index >= nodes) {
            snprintf(of, sizeof of, "solid '%s'", solid->name);
            return fail_place(scene, name, key, place->node, "node", of, nodes, error);
        }
    }
    return LITHE_OK;
}

// whether a place cannot move under any force
static bool is_held(const LitheModel *model, const LitheConstraintSide *side) {
    const LitheSite *site = &side->site;
    if (side->thing.kind == LITHE_THING_PARTICLES || side->thing.kind == LITHE_THING_SOLID) {
        if (site->element < 0)
            return false; // a point in a solid, which is not known yet
        int32_t index = side->thing.number - 1;
        const unsigned char *held = side->thing.kind == LITHE_THING_SOLID
                                        ? model->solids[index].held
                                        : model->particles[index].held;
        held += 3 * (int64_t)site->element;
        return held[0] && held[1] && held[2];
    }
    if (side->thing.kind != LITHE_THING_ROD)
        return site->unit < 0 || model->units[site->unit].v_count == 0;
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    const double share[2] = {1 - site->s[0], site->s[0]};
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++)
            if (share[k] > 0 && !rod->held[4 * (int64_t)rod->ends[site->element][k] + c])
                return false;
    return true;
}

// --- tendons -------------------------------------------------------------------------------------

// nodes that the motion of a place depends on
static int32_t nodes_of(const LitheModel *model, const LitheConstraintSide *side) {
    if (side->site.unit < 0)
        return 0;
    if (side->thing.kind == LITHE_THING_SOLID) // a point in a solid is not known yet
        return side->site.element < 0 ? 4 : 1;
    return model->units[side->site.unit].site_nodes;
}

static LitheStatus add_via(const LitheScene *scene, LitheModel *model,
                           const LitheConstraintDef *def, LitheConstraint *own, LitheError *error) {
    char key[32], path[300];
    LitheStatus status = LITHE_OK;
    own->pulls = !lithe_profile_def_is_zero(&def->tension);
    own->via = lithe_alloc_array(scene->context, def->via_count, sizeof *own->via);
    if (!own->via)
        return lithe_fail_memory(error, "the path of a tendon");
    int32_t nodes = nodes_of(model, &own->a) + nodes_of(model, &own->b);
    for (; status == LITHE_OK && own->via_count < def->via_count; own->via_count++) {
        LitheConstraintSide *side = &own->via[own->via_count];
        snprintf(key, sizeof key, "via[%d]", own->via_count);
        status = set_side(scene, model, def->name, key, &def->via[own->via_count], side, error);
        nodes += status == LITHE_OK ? nodes_of(model, side) : 0;
    }
    if (status != LITHE_OK || nodes <= LITHE_BLOCK_TERM_NODES)
        return status;
    snprintf(path, sizeof path, "constraints.%s.via", def->name);
    return lithe_scene_fail(scene, error, path,
                            "constraint '%s': its %d places depend on %d nodes, at most %d are "
                            "possible: a point in a solid takes 4, a place on a rod 2, a node, "
                            "a particle and a body 1",
                            def->name, def->via_count + 2, nodes, LITHE_BLOCK_TERM_NODES);
}

// --- all constraints -----------------------------------------------------------------------------

// 0: the place is the start of an open rod, 1: its end, -1: elsewhere
static int end_of(const LitheModel *model, const LitheConstraintSide *side) {
    if (side->thing.kind != LITHE_THING_ROD)
        return -1;
    const LitheRod *rod = &model->rods[side->thing.number - 1];
    if (rod->closed)
        return -1;
    bool start = side->site.element == 0 && side->site.s[0] == 0;
    return start ? 0 : side->site.element == rod->edge_count - 1 && side->site.s[0] == 1 ? 1 : -1;
}

// (H2)
#define WELD_SHIFT (1.0 / 12)

// notes which ends of rods a constraint holds; two rods welded end to end go on like one
static void mark_ends(LitheModel *model, const LitheConstraint *own) {
    bool weld = own->frames == LITHE_KEEPS_FRAME;
    if (own->places != LITHE_KEEPS_OFFSET)
        return;
    const LitheConstraintSide *sides[2] = {&own->a, &own->b};
    const int ends[2] = {end_of(model, sides[0]), end_of(model, sides[1])};
    for (int k = 0; k < 2; k++) {
        if (ends[k] < 0)
            continue;
        LitheRod *rod = &model->rods[sides[k]->thing.number - 1];
        rod->tied[ends[k]] |= weld ? 3 : 1;
        if (weld && !(own->turn_stiffness > 0) && ends[1 - k] < 0 && rod->edge_count > 1)
            rod->weld_shift[ends[k]] = WELD_SHIFT;
    }
}

static LitheStatus add_constraint(const LitheScene *scene, int32_t index, LitheModel *model,
                                  LitheError *error) {
    const LitheConstraintDef *def = &scene->constraints[index];
    const LitheConstraintKindInfo *kind = lithe_constraint_kind_info(def->kind);
    LitheConstraint *own = &model->constraints[model->constraint_count++];
    *own = (LitheConstraint){
        .places = kind->places,
        .frames = kind->frames,
        .upper = kind->upper,
        .lower = kind->lower,
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
    if (!own->name || !lithe_profile_copy(scene->context, &def->gate, &own->gate) ||
        !lithe_profile_copy(scene->context, &def->tension, &own->tension) ||
        !lithe_profile_copy(scene->context, &def->shortening, &own->shortening))
        return lithe_fail_memory(error, "a constraint");
    LitheStatus status = set_side(scene, model, def->name, "a", &def->a, &own->a, error);
    if (status == LITHE_OK)
        status = set_side(scene, model, def->name, "b", &def->b, &own->b, error);
    // The offset is in the frame of side a, which is the world, else a body, else a rod: points
    // have no frame. With an offset from a body, a rod is held exactly at the named place.
    static const int rank[LITHE_THING_KINDS] = {[LITHE_THING_WORLD] = 0,
                                                [LITHE_THING_BODY] = 1,
                                                [LITHE_THING_ROD] = 2,
                                                [LITHE_THING_PARTICLES] = 3,
                                                [LITHE_THING_SOLID] = 3};
    if (own->places == LITHE_KEEPS_OFFSET && rank[own->a.thing.kind] > rank[own->b.thing.kind]) {
        LitheConstraintSide side = own->a;
        own->a = own->b;
        own->b = side;
        own->swapped = true;
    }
    if (status == LITHE_OK)
        mark_ends(model, own);
    if (status == LITHE_OK && own->places == LITHE_KEEPS_PATH)
        status = add_via(scene, model, def, own, error);
    bool of_places = own->frames == LITHE_KEEPS_NO_FRAME && def->via_count == 0;
    if (status == LITHE_OK && of_places && is_held(model, &own->a) && is_held(model, &own->b))
        lithe_log(scene->context, LITHE_LOG_WARNING,
                  "constraint '%s': both places are held already: it has no effect", def->name);
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
        lithe_tie_of(state, i)->status =
            model->constraints[i].active ? LITHE_TIE_ON : LITHE_TIE_OFF;
    lithe_constraints_begin(model, state, 0);
}

void lithe_constraints_free(LitheModel *model) {
    for (int32_t i = 0; model->constraints && i < model->constraint_count; i++) {
        lithe_free(model->context, model->constraints[i].name);
        lithe_profile_free(model->context, &model->constraints[i].gate);
        lithe_profile_free(model->context, &model->constraints[i].tension);
        lithe_profile_free(model->context, &model->constraints[i].shortening);
        lithe_free(model->context, model->constraints[i].via);
        lithe_free(model->context, model->constraints[i].rest);
        lithe_free(model->context, model->constraints[i].share);
    }
    lithe_free(model->context, model->constraints);
}
