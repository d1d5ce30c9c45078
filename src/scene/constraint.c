// SPDX-License-Identifier: Apache-2.0
// scene/constraint.c - constraints and settings of contact: defaults, copies, adding

#include "base/assert.h"
#include "scene/copy.h"
#include "scene/objects.h"

// --- kinds of constraints ------------------------------------------------------------------------

const LitheConstraintKindInfo *lithe_constraint_kind_info(LitheConstraintKind kind) {
    static const LitheConstraintKindInfo rows[] = {
        [LITHE_CONSTRAINT_ATTACH] = {"attach", LITHE_KEEPS_OFFSET, LITHE_KEEPS_NO_FRAME, 1, 1},
        [LITHE_CONSTRAINT_WELD] = {"weld", LITHE_KEEPS_OFFSET, LITHE_KEEPS_FRAME, 1, 1},
        [LITHE_CONSTRAINT_DISTANCE] = {"distance", LITHE_KEEPS_DISTANCE, LITHE_KEEPS_NO_FRAME, 1,
                                       1},
        [LITHE_CONSTRAINT_ROPE] = {"rope", LITHE_KEEPS_DISTANCE, LITHE_KEEPS_NO_FRAME, 1, 0},
        [LITHE_CONSTRAINT_STRUT] = {"strut", LITHE_KEEPS_DISTANCE, LITHE_KEEPS_NO_FRAME, 0, 1},
        [LITHE_CONSTRAINT_HINGE_SPRING] = {"hinge-spring", LITHE_KEEPS_NO_PLACE, LITHE_ALIGNS_FRAME,
                                           1, 1},
        [LITHE_CONSTRAINT_TENDON] = {"tendon", LITHE_KEEPS_PATH, LITHE_KEEPS_NO_FRAME, 1, 0},
    };
    LITHE_ASSERT((size_t)kind < sizeof rows / sizeof *rows);
    return &rows[kind];
}

// --- contact models ------------------------------------------------------------------------------

#define LCP_SCHEMES \
    (1u << LITHE_SCHEME_LINEARLY_IMPLICIT | 1u << LITHE_SCHEME_SEMI_IMPLICIT | \
     1u << LITHE_SCHEME_RK23)

const LitheContactModelInfo *lithe_contact_model_info(LitheContactModel model) {
    static const LitheContactModelInfo rows[LITHE_CONTACT_MODEL_COUNT] = {
        [LITHE_CONTACT_CONVEX] = {.name = "convex",
                                  .things = ~0u,
                                  .schemes = ~LCP_SCHEMES,
                                  .constraints = true,
                                  .sections = true,
                                  .adaptive = true,
                                  .words = "everything",
                                  .scheme = LITHE_SCHEME_TR_BDF2},
        [LITHE_CONTACT_IMC] = {.name = "imc",
                               .things = 1u << LITHE_THING_ROD,
                               .schemes = 1u << LITHE_SCHEME_BACKWARD_EULER,
                               .adaptive = true,
                               .words = "rods only",
                               .scheme = LITHE_SCHEME_BACKWARD_EULER},
        [LITHE_CONTACT_SPT] = {.name = "spt",
                               .things = 1u << LITHE_THING_ROD,
                               .schemes = 1u << LITHE_SCHEME_BACKWARD_EULER,
                               .adaptive = true,
                               .words = "rods only",
                               .scheme = LITHE_SCHEME_BACKWARD_EULER},
        [LITHE_CONTACT_LCP] = {.name = "lcp",
                               .things = 1u << LITHE_THING_BODY,
                               .schemes = LCP_SCHEMES,
                               .constraints = true,
                               .sections = true,
                               .words = "bodies and robots only",
                               .scheme = LITHE_SCHEME_LINEARLY_IMPLICIT},
    };
    LITHE_ASSERT((int)model >= 0 && model < LITHE_CONTACT_MODEL_COUNT);
    return &rows[model];
}

// --- defaults ------------------------------------------------------------------------------------

LitheAnchor lithe_anchor_default(void) {
    return (LitheAnchor){.kind = LITHE_ANCHOR_WORLD, .rotation = {1, 0, 0, 0}};
}

LitheAnchor lithe_anchor_node(LitheRodId rod, int32_t node) {
    LitheAnchor anchor = lithe_anchor_default();
    anchor.kind = LITHE_ANCHOR_ROD;
    anchor.place =
        (LithePlace){.thing = lithe_thing_rod(rod), .kind = LITHE_PLACE_NODE, .node = node};
    return anchor;
}

LitheAnchor lithe_anchor_fraction(LitheRodId rod, double fraction) {
    LitheAnchor anchor = lithe_anchor_node(rod, 0);
    anchor.place.kind = LITHE_PLACE_FRACTION;
    anchor.place.fraction = fraction;
    return anchor;
}

LitheAnchor lithe_anchor_particle(LitheParticlesId particles, int32_t index) {
    LitheAnchor anchor = lithe_anchor_default();
    anchor.kind = LITHE_ANCHOR_PARTICLES;
    anchor.place = (LithePlace){
        .thing = lithe_thing_particles(particles), .kind = LITHE_PLACE_NODE, .node = index};
    return anchor;
}

LitheAnchor lithe_anchor_solid(LitheSolidId solid, int32_t node) {
    LitheAnchor anchor = lithe_anchor_default();
    anchor.kind = LITHE_ANCHOR_SOLID;
    anchor.place =
        (LithePlace){.thing = lithe_thing_solid(solid), .kind = LITHE_PLACE_NODE, .node = node};
    return anchor;
}

LitheAnchor lithe_anchor_inside(LitheSolidId solid, LitheVec3 at) {
    LitheAnchor anchor = lithe_anchor_solid(solid, 0);
    anchor.place.kind = LITHE_PLACE_INSIDE;
    anchor.at = at;
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
        .tension = lithe_profile_def_default(),
        .shortening = lithe_profile_def_default(),
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
        .start_overlap = 1,
        .most_cuts = 10,
        .max_pairs = 2000000,
        .merge_patches = true,
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
        .lcp =
            {
                .directions = 4,
                .rank = true,
                .scale = true,
                .regularise = true,
                .recheck = true,
                .warm_start = true,
                .fall_back = true,
                .push = 0.2,
                .push_speed = 1,
            },
    };
}

// --- adding --------------------------------------------------------------------------------------

bool lithe_copy_constraint(LitheContext *context, void *def) {
    LitheConstraintDef *constraint = def;
    lithe_make_unit(&constraint->a.rotation);
    lithe_make_unit(&constraint->b.rotation);
    const void *via = NULL;
    bool ok = lithe_copy_array(context, constraint->via, constraint->via_count,
                               sizeof *constraint->via, &via);
    constraint->via = via;
    ok = lithe_copy_profile(context, &constraint->gate) && ok;
    ok = lithe_copy_profile(context, &constraint->tension) && ok;
    return lithe_copy_profile(context, &constraint->shortening) && ok;
}

void lithe_release_constraint(LitheContext *context, void *def) {
    LitheConstraintDef *constraint = def;
    lithe_free_const(context, constraint->via);
    lithe_free_profile(context, &constraint->gate);
    lithe_free_profile(context, &constraint->tension);
    lithe_free_profile(context, &constraint->shortening);
}

LitheConstraintId lithe_scene_add_constraint(LitheScene *scene, const LitheConstraintDef *def) {
    return (LitheConstraintId){lithe_object_add(scene, LITHE_OBJECT_CONSTRAINT, def)};
}

void lithe_scene_set_contact(LitheScene *scene, const LitheContactDef *def) {
    scene->contact = *def;
}

bool lithe_scene_has_things(const LitheScene *scene) {
    return scene->rod_count + scene->body_count + scene->solid_count + scene->particle_set_count >
           0;
}

bool lithe_scene_has_patches(const LitheScene *scene) {
    const LitheContactDef *contact = &scene->contact;
    if (!contact->enabled || contact->patches == LITHE_PATCHES_OFF ||
        contact->model != LITHE_CONTACT_CONVEX)
        return false;
    for (int32_t i = 0; i < scene->material_count; i++)
        if (scene->materials[i].patch_modulus > 0)
            return true;
    return false;
}

LitheScheme lithe_scene_scheme(const LitheScene *scene) {
    if (scene->time.scheme != LITHE_SCHEME_AUTO)
        return scene->time.scheme;
    // rods that are laid into their contacts, as belts are, would snap into place
    bool patches = scene->rod_count > 0 && lithe_scene_has_patches(scene);
    bool plain = scene->contact.model == LITHE_CONTACT_CONVEX &&
                 (scene->contact.law == LITHE_FRICTION_SAP || patches);
    return plain ? LITHE_SCHEME_BACKWARD_EULER
                 : lithe_contact_model_info(scene->contact.model)->scheme;
}
