// SPDX-License-Identifier: Apache-2.0
// scene/constraint.c - constraints and settings of contact: defaults, copies, adding

#include "base/memory.h"
#include "scene/copy.h"
#include "scene/scene.h"

// --- defaults ------------------------------------------------------------------------------------

LitheAnchor lithe_anchor_default(void) {
    return (LitheAnchor){.kind = LITHE_ANCHOR_WORLD, .rotation = {1, 0, 0, 0}};
}

LitheAnchor lithe_anchor_node(LitheRodId rod, int32_t node) {
    LitheAnchor anchor = lithe_anchor_default();
    anchor.kind = LITHE_ANCHOR_ROD;
    anchor.place = (LithePlace){.rod = rod, .kind = LITHE_PLACE_NODE, .node = node};
    return anchor;
}

LitheAnchor lithe_anchor_fraction(LitheRodId rod, double fraction) {
    LitheAnchor anchor = lithe_anchor_node(rod, 0);
    anchor.place.kind = LITHE_PLACE_FRACTION;
    anchor.place.fraction = fraction;
    return anchor;
}

LitheAnchor lithe_anchor_body(LitheBodyId body, LitheVec3 at) {
    LitheAnchor anchor = lithe_anchor_default();
    anchor.kind = LITHE_ANCHOR_BODY;
    anchor.body = body;
    anchor.at = at;
    return anchor;
}

LitheAnchor lithe_anchor_world(LitheVec3 at) {
    LitheAnchor anchor = lithe_anchor_default();
    anchor.at = at;
    return anchor;
}

LitheConstraintDef lithe_constraint_def_default(void) {
    LitheConstraintDef def = {
        .kind = LITHE_CONSTRAINT_ATTACH,
        .a = lithe_anchor_default(),
        .b = lithe_anchor_default(),
        .as_built = true,
        .active = true,
        .gate = lithe_profile_def_default(),
    };
    def.gate.value = 1;
    return def;
}

LitheContactDef lithe_contact_def_default(void) {
    return (LitheContactDef){
        .enabled = true,
        .model = LITHE_CONTACT_CONVEX,
        .law = LITHE_FRICTION_LAGGED,
        .tolerance = 1e-6,
        .max_iterations = 100,
        .stick_speed = 1e-8,
        .sigma = 1e-6,
        .beta = 0.01,
        .certify = true,
        .most_cuts = 10,
        .imc =
            {
                .sharpness = 50,
                .smoothing = 50,
                .parallel = 0.01,
                .reach = 0.15,
                .depth = 0.003,
                .hover = 0.0125,
                .damping = 0.2,
                .stick_speed = 1e-6,
                .onset = 0.15,
            },
    };
}

// --- adding --------------------------------------------------------------------------------------

static void free_constraint(LitheContext *context, LitheConstraintDef *constraint) {
    lithe_free_const(context, constraint->name);
    lithe_free_profile(context, &constraint->gate);
}

LitheConstraintId lithe_scene_add_constraint(LitheScene *scene, const LitheConstraintDef *def) {
    if (!LITHE_RESERVE(scene->context, scene->constraints, scene->constraint_capacity,
                       (int64_t)scene->constraint_count + 1))
        return (LitheConstraintId){0};
    LitheConstraintDef own = *def;
    lithe_make_unit(&own.a.rotation);
    lithe_make_unit(&own.b.rotation);
    bool ok = lithe_copy_text(scene->context, &own.name);
    ok = lithe_copy_profile(scene->context, &own.gate) && ok;
    if (!ok) {
        free_constraint(scene->context, &own);
        return (LitheConstraintId){0};
    }
    scene->constraints[scene->constraint_count++] = own;
    return (LitheConstraintId){scene->constraint_count};
}

void lithe_scene_set_contact(LitheScene *scene, const LitheContactDef *def) {
    scene->contact = *def;
}

void lithe_scene_cut_constraints(LitheScene *scene, int32_t count) {
    while (scene->constraint_count > count)
        free_constraint(scene->context, &scene->constraints[--scene->constraint_count]);
}

void lithe_scene_free_constraints(LitheScene *scene) {
    lithe_scene_cut_constraints(scene, 0);
    lithe_free(scene->context, scene->constraints);
}
