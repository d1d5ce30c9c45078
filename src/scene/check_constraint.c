// SPDX-License-Identifier: Apache-2.0
// scene/check_constraint.c - the limits of constraints, chains and settings of contact

#include "base/log.h"
#include "geom/curve.h"
#include "scene/objects.h"

#include <stdio.h>
#include <string.h>

// limits the number of bodies and constraints of a chain
#define MAX_CAPSULES 1000000
// characters that follow the name of a chain: /spring-1000000
#define CHAIN_NAME_LENGTH (LITHE_NAME_LENGTH - 15)

static const LitheConstraintKindInfo *kind_of(const LitheConstraintDef *c) {
    return lithe_constraint_kind_info(c->kind);
}

// --- contact -------------------------------------------------------------------------------------

static void imc(LitheCheck *check, const LitheImcDef *c) {
    lithe_check_choice(check, "imc.friction", (int)c->friction, LITHE_IMC_CENTRELINE + 1);
    lithe_check_number(check, "imc.force", c->force, "N", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "imc.sharpness", c->sharpness, "", LITHE_POSITIVE);
    lithe_check_number(check, "imc.smoothing", c->smoothing, "", LITHE_POSITIVE);
    lithe_check_number(check, "imc.parallel", c->parallel, "", LITHE_POSITIVE);
    lithe_check_number(check, "imc.reach", c->reach, "", LITHE_POSITIVE);
    lithe_check_number(check, "imc.depth", c->depth, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "imc.hover", c->hover, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "imc.damping", c->damping, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "imc.stick-speed", c->stick_speed, "m/s", LITHE_POSITIVE);
    lithe_check_number(check, "imc.onset", c->onset, "1/s", LITHE_NOT_NEGATIVE);
    if (c->plain < 0)
        lithe_check_fail(check, "imc.plain", "imc.plain is %d, must be >= 0", c->plain);
    lithe_check_suspect(check, "imc.sharpness", c->sharpness, 5, 1000, "");
    lithe_check_suspect(check, "imc.reach", c->reach, 3 / c->sharpness, 1, "");
}

// a kind of things that the model does not support, and the name of the first one
static void unsupported_thing(LitheCheck *check, const LitheContactModelInfo *model,
                              LitheThingKind kind, const char *word, const char *name) {
    if (!(model->things & 1u << kind))
        lithe_check_fail(check, "model",
                         "model is %s, which supports %s, not %s '%s'; convex supports it",
                         model->name, model->words, word, name);
}

static void unsupported_scheme(LitheCheck *check, const LitheContactModelInfo *model) {
    if (check->scene->contact.model == LITHE_CONTACT_CONVEX)
        lithe_check_fail(check, "model",
                         "model is convex, which does not support time.scheme %s; lcp does",
                         lithe_scheme_name(lithe_scene_scheme(check->scene)));
    else
        lithe_check_fail(check, "model",
                         "model is %s, which needs time.scheme %s, not %s; convex supports it",
                         model->name, lithe_scheme_name(model->scheme),
                         lithe_scheme_name(lithe_scene_scheme(check->scene)));
}

// rolling and torsional friction have no rows in a complementarity problem of contacts
static void check_materials(LitheCheck *check) {
    const LitheScene *s = check->scene;
    for (int32_t i = 0; i < s->material_count; i++)
        if (s->materials[i].rolling_friction > 0 || s->materials[i].torsional_friction > 0)
            lithe_check_fail(check, "model",
                             "model is lcp, which has no rolling or torsional friction, as "
                             "material '%s' has; convex does",
                             s->materials[i].name);
}

static void lcp(LitheCheck *check, const LitheLcpDef *c) {
    lithe_check_choice(check, "lcp.solver", (int)c->solver, LITHE_LCP_BY_GAUSS_SEIDEL + 1);
    if (c->directions < 3 || c->directions > 32)
        lithe_check_fail(check, "lcp.directions", "lcp.directions is %d, must be 3 to 32",
                         c->directions);
    lithe_check_number(check, "lcp.push", c->push, "", LITHE_NOT_NEGATIVE);
    if (c->push > 1)
        lithe_check_fail(check, "lcp.push", "lcp.push is %.9g, must be <= 1", c->push);
    lithe_check_number(check, "lcp.push-speed", c->push_speed, "m/s", LITHE_NOT_NEGATIVE);
}

// the message names what the contact model does not support, and the model that does
static void check_support(LitheCheck *check) {
    const LitheScene *s = check->scene;
    if (check->status != LITHE_OK)
        return;
    const LitheContactModelInfo *model = lithe_contact_model_info(s->contact.model);
    if (!(model->schemes & 1u << lithe_scene_scheme(s)))
        unsupported_scheme(check, model);
    if (s->time.scheme == LITHE_SCHEME_TR_BDF2 && s->contact.law == LITHE_FRICTION_SAP)
        lithe_check_fail(check, "friction-law",
                         "friction-law is sap, which time.scheme tr-bdf2 does not support: use "
                         "lagged or similar, or scheme backward-euler");
    LitheScheme scheme = lithe_scene_scheme(s);
    if (lithe_scene_has_patches(s) && scheme != LITHE_SCHEME_BACKWARD_EULER &&
        scheme != LITHE_SCHEME_TR_BDF2)
        lithe_check_fail(check, "patches",
                         "patches: a material has contact.patches.modulus, which needs time.scheme "
                         "backward-euler, tr-bdf2 or auto, not %s; patches: off has contacts at "
                         "points",
                         lithe_scheme_name(scheme));
    if (s->contact.patches == LITHE_PATCHES_ON && !lithe_scene_has_patches(s))
        lithe_check_fail(check, "patches",
                         s->contact.model != LITHE_CONTACT_CONVEX
                             ? "patches is on, but needs the model convex"
                             : "patches is on, but no material has contact.patches.modulus: all "
                               "things are rigid, and rigid things touch at points");
    if (s->time.min_step > 0 && !model->adaptive)
        lithe_check_fail(check, "model",
                         "model is %s, which has no adaptive steps; convex supports them",
                         model->name);
    if (s->contact.model == LITHE_CONTACT_LCP)
        check_materials(check);
    if (s->rod_count > 0)
        unsupported_thing(check, model, LITHE_THING_ROD, "rod", s->rods[0].name);
    if (s->body_count > 0)
        unsupported_thing(check, model, LITHE_THING_BODY, "body", s->bodies[0].name);
    if (s->particle_set_count > 0)
        unsupported_thing(check, model, LITHE_THING_PARTICLES, "particles", s->particles[0].name);
    if (s->solid_count > 0)
        unsupported_thing(check, model, LITHE_THING_SOLID, "solid", s->solids[0].name);
    if (s->constraint_count > 0 && !model->constraints)
        lithe_check_fail(check, "model",
                         "model is %s, which does not support constraints ('%s'); convex does",
                         model->name, s->constraints[0].name);
    for (int32_t i = 0; i < s->constraint_count && s->contact.model == LITHE_CONTACT_LCP; i++)
        if (kind_of(&s->constraints[i])->places == LITHE_KEEPS_PATH)
            lithe_check_fail(check, "model",
                             "model is lcp, which does not support tendons (constraint '%s'); "
                             "convex does",
                             s->constraints[i].name);
    for (int32_t i = 0; i < s->rod_count; i++)
        if (s->rods[i].section.kind == LITHE_SECTION_RECTANGLE && !model->sections)
            lithe_check_fail(
                check, "model",
                "model is %s, which supports round sections only, not rod '%s'; convex does",
                model->name, s->rods[i].name);
}

void lithe_check_contact(LitheCheck *check) {
    const LitheContactDef *c = &check->scene->contact;
    snprintf(check->label, sizeof check->label, "contact");
    snprintf(check->path, sizeof check->path, "contact");
    check->prefix = "";
    lithe_check_choice(check, "model", (int)c->model, LITHE_CONTACT_MODEL_COUNT);
    lithe_check_choice(check, "friction-law", (int)c->law, LITHE_FRICTION_SIMILAR + 1);
    if (c->passes < 0)
        lithe_check_fail(check, "passes", "passes is %d, must be >= 1, or auto", c->passes);
    lithe_check_number(check, "tolerance", c->tolerance, "", LITHE_POSITIVE);
    if (c->max_iterations < 1)
        lithe_check_fail(check, "max-iterations", "max-iterations is %d, must be >= 1",
                         c->max_iterations);
    lithe_check_number(check, "stick-speed", c->stick_speed, "m/s", LITHE_POSITIVE);
    lithe_check_number(check, "sigma", c->sigma, "", LITHE_POSITIVE);
    lithe_check_number(check, "beta", c->beta, "", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "margin", c->margin, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "start-overlap", c->start_overlap, "", LITHE_NOT_NEGATIVE);
    if (c->most_cuts < 0 || c->most_cuts > 30)
        lithe_check_fail(check, "most-cuts", "most-cuts is %d, must be 0 to 30", c->most_cuts);
    if (c->max_pairs < 1)
        lithe_check_fail(check, "max-pairs", "max-pairs is %d, must be >= 1", c->max_pairs);
    if (c->single && c->margin > 0)
        lithe_check_fail(check, "margin", "margin is %.9g m, but single has none", c->margin);
    if (c->single && c->enabled && check->warn && !check->scene->allow_unusual)
        lithe_log(check->scene->context, LITHE_LOG_WARNING,
                  "contact: single is true: contacts are found only when things overlap already, "
                  "and return the energy of that overlap, stiffness (speed step)^2/2 or less each, "
                  "which comes from nothing: legal, only for comparison");
    lithe_check_suspect(check, "tolerance", c->tolerance, 1e-14, 1e-2, "");
    lithe_check_suspect(check, "stick-speed", c->stick_speed, 0, 1e-2, "m/s");
    lithe_check_suspect(check, "sigma", c->sigma, 0, 0.1, "");
    lithe_check_suspect(check, "beta", c->beta, 0, 2, "");
    imc(check, &c->imc);
    lcp(check, &c->lcp);
    check_support(check);
}

// --- places --------------------------------------------------------------------------------------

// points without a frame
static bool is_point(const LitheAnchor *a) {
    return a->kind == LITHE_ANCHOR_PARTICLES || a->kind == LITHE_ANCHOR_SOLID;
}

static bool is_inside(const LitheAnchor *a) {
    return a->kind == LITHE_ANCHOR_SOLID &&
           (a->place.kind == LITHE_PLACE_INSIDE || a->place.kind == LITHE_PLACE_MEETING);
}

static const char *group_name(const LitheScene *s, const LitheAnchor *a) {
    return a->place.kind == LITHE_PLACE_SET ? s->sets[a->place.set.number - 1].name
                                            : a->place.group;
}

static const char *point_word(const LitheAnchor *a) {
    return a->kind == LITHE_ANCHOR_PARTICLES ? "particle"
           : is_inside(a)                    ? "point of a solid"
                                             : "node of a solid";
}

static void anchor(LitheCheck *check, const char *key, const LitheAnchor *a) {
    const LitheScene *s = check->scene;
    char name[40];
    lithe_check_choice(check, key, (int)a->kind, LITHE_ANCHOR_SOLID + 1);
    snprintf(name, sizeof name, "%s.at", key);
    lithe_check_vector(check, name, a->at, "m");
    bool particle = is_point(a), on_rod = a->kind == LITHE_ANCHOR_ROD;
    bool placed = a->kind == LITHE_ANCHOR_SOLID && a->place.kind == LITHE_PLACE_INSIDE;
    if ((on_rod || particle) && !placed && (a->at.x != 0 || a->at.y != 0 || a->at.z != 0))
        lithe_check_fail(check, name, "%s is (%.9g, %.9g, %.9g) m, but a %s takes none", name,
                         a->at.x, a->at.y, a->at.z, particle ? point_word(a) : "place on a rod");
    snprintf(name, sizeof name, "%s.rotate", key);
    lithe_check_quat(check, name, a->rotation);
    if (particle && a->rotation.w * a->rotation.w != 1)
        lithe_check_fail(check, name, "%s is given, but a %s has no frame", name, point_word(a));
    if ((on_rod || particle) &&
        a->place.thing.kind != (on_rod                              ? LITHE_THING_ROD
                                : a->kind == LITHE_ANCHOR_PARTICLES ? LITHE_THING_PARTICLES
                                                                    : LITHE_THING_SOLID))
        lithe_check_fail(check, key, "%s lies on another kind of thing than its place", key);
    LithePlace place = a->place;
    if (is_inside(a))
        place.kind = LITHE_PLACE_NODE; // only the number of the solid is checked
    if (on_rod || particle)
        lithe_check_place(check, key, &place);
    if (check->status == LITHE_OK && particle && place.kind == LITHE_PLACE_SET) {
        const LitheSetDef *set = &s->sets[place.set.number - 1];
        if (set->of.kind != place.thing.kind || set->of.number != place.thing.number ||
            a->kind != LITHE_ANCHOR_SOLID)
            lithe_check_fail(check, key, "%s is the set '%s', which is of another thing", key,
                             set->name);
    }
    if (a->kind == LITHE_ANCHOR_BODY && (a->body.number < 1 || a->body.number > s->body_count))
        lithe_check_fail(check, key, "%s is body number %d of %d", key, a->body.number,
                         s->body_count);
}

// The immobile thing that a place lies on; NULL when the place can move.
static const char *what_rests(const LitheScene *s, const LitheAnchor *a) {
    if (a->kind == LITHE_ANCHOR_WORLD)
        return "the world";
    if (a->kind == LITHE_ANCHOR_BODY && s->bodies[a->body.number - 1].fixed)
        return s->bodies[a->body.number - 1].name;
    return NULL;
}

static bool same_place(const LitheScene *s, const LithePlace *a, const LithePlace *b) {
    if (a->thing.kind != b->thing.kind || a->thing.number != b->thing.number || a->kind != b->kind)
        return false;
    if (a->kind == LITHE_PLACE_FRACTION)
        return a->fraction == b->fraction;
    // the nodes of a solid are known once its mesh is built
    int32_t nodes = a->thing.kind == LITHE_THING_SOLID ? -1
                    : a->thing.kind == LITHE_THING_PARTICLES
                        ? s->particles[a->thing.number - 1].count
                        : lithe_rod_def_node_count(&s->rods[a->thing.number - 1]);
    bool known = nodes >= 0;
    int32_t first = a->node < 0 && known ? a->node + nodes : a->node;
    int32_t second = b->node < 0 && known ? b->node + nodes : b->node;
    return first == second;
}

// A group of nodes becomes a part of the body that it is welded to: always, and rigidly. Springs
// hold a group that is attached.
static void group(LitheCheck *check, const LitheConstraintDef *c) {
    const LitheAnchor *other = lithe_anchor_is_group(&c->a) ? &c->b : &c->a;
    const char *key = lithe_anchor_is_group(&c->a) ? "a" : "b",
               *name = group_name(check->scene, lithe_anchor_is_group(&c->a) ? &c->a : &c->b);
    const LitheProfileDef *gate = &c->gate;
    const LitheConstraintKindInfo *kind = kind_of(c);
    bool bed = kind->frames == LITHE_KEEPS_NO_FRAME;
    if (kind->places != LITHE_KEEPS_OFFSET ||
        (other->kind != LITHE_ANCHOR_BODY && other->kind != LITHE_ANCHOR_WORLD))
        lithe_check_fail(check, key,
                         "%s is the group '%s' of a solid: kind weld joins it to a body or to the "
                         "world, kind attach with a stiffness holds it by springs; other "
                         "constraints tie single nodes, like NAME[0]",
                         key, name);
    else if (bed && (c->stiffness > 0) == (c->area_stiffness > 0))
        lithe_check_fail(check, "stiffness",
                         "%s is the group '%s' of a solid: kind weld joins it to a body or to the "
                         "world; kind attach holds it by springs, and needs either stiffness, of "
                         "all of them, or stiffness-per-area",
                         key, name);
    else if (bed && !c->as_built)
        lithe_check_fail(check, "as-built",
                         "as-built is false, but springs hold the group '%s' where it is", name);
    else if (bed)
        return;
    else if (c->stiffness != 0 || c->turn_stiffness != 0 || c->breaks_at != 0 || !c->as_built)
        lithe_check_fail(check, key,
                         "%s is the group '%s' of a solid, which becomes a part of the body: it "
                         "takes no stiffness, turn-stiffness, breaks-at or as-built: false",
                         key, name);
    else if (!c->active || gate->count > 0 || gate->rate != 0 || gate->amplitude != 0 ||
             !(gate->value >= 0.5))
        lithe_check_fail(check, key,
                         "%s is the group '%s' of a solid, whose weld cannot be switched", key,
                         name);
}

// the largest value of a profile, where it is a constant or a table
static double largest_of(const LitheProfileDef *p) {
    double largest = p->count > 0 ? p->values[0] : p->value;
    for (int32_t i = 1; i < p->count; i++)
        largest = p->values[i] > largest ? p->values[i] : largest;
    return p->rate != 0 || p->amplitude != 0 ? 0 : largest;
}

static void tendon(LitheCheck *check, const LitheConstraintDef *c) {
    const LitheScene *s = check->scene;
    bool moves = false;
    for (int32_t i = -2; i < c->via_count; i++) {
        const LitheAnchor *at = i == -2 ? &c->a : i == -1 ? &c->b : &c->via[i];
        char key[32] = "a";
        if (i == -1)
            snprintf(key, sizeof key, "b");
        if (i >= 0)
            snprintf(key, sizeof key, "via[%d]", i);
        moves = moves || !what_rests(s, at);
        if (lithe_anchor_is_group(at))
            lithe_check_fail(check, key,
                             "%s is the group '%s' of a solid: a tendon slides through points: a "
                             "node, or a solid with at",
                             key, group_name(s, at));
        else if (is_inside(at) && at->place.kind == LITHE_PLACE_MEETING)
            lithe_check_fail(check, key, "%s is a solid without a place: at is missing", key);
    }
    if (!moves)
        lithe_check_fail(check, "b", "none of the %d places of the tendon can move",
                         c->via_count + 2);
    double taken = largest_of(&c->shortening);
    if (c->length > 0 && taken >= c->length)
        lithe_check_fail(check, "shortening",
                         "shortening reaches %.9g m, must stay below length, %.9g m", taken,
                         c->length);
    if (lithe_profile_def_is_zero(&c->tension))
        return;
    const struct {
        const char *key;
        bool given;
    } others[] = {{"length", c->length != 0},
                  {"stiffness", c->stiffness != 0},
                  {"damping", c->damping != 0},
                  {"shortening", !lithe_profile_def_is_zero(&c->shortening)}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            lithe_check_fail(check, others[i].key,
                             "%s is given, but tension, too: a tendon has either a tension or a "
                             "length",
                             others[i].key);
}

static void pair(LitheCheck *check, const LitheConstraintDef *c) {
    const LitheScene *s = check->scene;
    if (kind_of(c)->places == LITHE_KEEPS_PATH) {
        tendon(check, c);
        return;
    }
    const char *rests[2] = {what_rests(s, &c->a), what_rests(s, &c->b)};
    if (lithe_anchor_is_group(&c->a) && lithe_anchor_is_group(&c->b))
        lithe_check_fail(check, "b", "a and b are both groups of nodes of solids");
    else if (rests[0] && rests[1])
        lithe_check_fail(check, "b", "a is on %s and b on %s, neither of which moves", rests[0],
                         rests[1]);
    else if (c->a.kind == LITHE_ANCHOR_BODY && c->b.kind == LITHE_ANCHOR_BODY &&
             c->a.body.number == c->b.body.number)
        lithe_check_fail(check, "b", "a and b are both on body '%s'",
                         s->bodies[c->a.body.number - 1].name);
    else if (is_inside(&c->a) && is_inside(&c->b) && c->a.place.kind == LITHE_PLACE_MEETING &&
             c->b.place.kind == LITHE_PLACE_MEETING)
        lithe_check_fail(check, "b", "a and b are both solids without a place: at is missing");
    else if (c->a.kind == LITHE_ANCHOR_ROD && c->b.kind == LITHE_ANCHOR_ROD &&
             same_place(s, &c->a.place, &c->b.place))
        lithe_check_fail(check, "b", "a and b are the same place of rod '%s'",
                         s->rods[c->a.place.thing.number - 1].name);
    else if (is_point(&c->a) && is_point(&c->b) && same_place(s, &c->a.place, &c->b.place) &&
             c->a.at.x == c->b.at.x && c->a.at.y == c->b.at.y && c->a.at.z == c->b.at.z)
        lithe_check_fail(check, "b", "a and b are the same %s of '%s'",
                         c->a.kind == LITHE_ANCHOR_SOLID ? "node" : "particle",
                         lithe_thing_def_name(s, c->a.place.thing));
    if (lithe_anchor_is_group(&c->a) || lithe_anchor_is_group(&c->b))
        group(check, c);
    if (kind_of(c)->frames == LITHE_KEEPS_NO_FRAME)
        return;
    const LitheAnchor *sides[] = {&c->a, &c->b};
    for (int k = 0; k < 2; k++)
        if (is_point(sides[k]) && !lithe_anchor_is_group(sides[k]))
            lithe_check_fail(check, "kind", "kind is %s, but %s is a %s, which has no frame",
                             kind_of(c)->name, k ? "b" : "a", point_word(sides[k]));
}

// --- constraints ---------------------------------------------------------------------------------

// Values that a kind does not use must be 0: nothing is silently ignored.
static void idle_values(LitheCheck *check, const LitheConstraintDef *c) {
    const LitheConstraintKindInfo *kind = kind_of(c);
    bool hinge = kind->frames == LITHE_ALIGNS_FRAME, weld = kind->frames == LITHE_KEEPS_FRAME;
    bool tendon = kind->places == LITHE_KEEPS_PATH;
    bool far = tendon || kind->places == LITHE_KEEPS_DISTANCE;
    const struct {
        const char *key;
        double value;
        bool used;
    } values[] = {
        {"length", c->length, far},
        {"stiffness", c->stiffness, !hinge},
        {"damping", c->damping, !hinge},
        {"turn-stiffness", c->turn_stiffness, weld},
        {"turn-damping", c->turn_damping, weld || hinge},
        {"bend-stiffness", c->bend_stiffness, hinge},
        {"twist-stiffness", c->twist_stiffness, hinge},
        {"breaks-at", c->breaks_at, !hinge},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].value != 0 && !values[i].used)
            lithe_check_fail(check, values[i].key, "%s is %.9g, but kind %s takes none",
                             values[i].key, values[i].value, kind_of(c)->name);
    const struct {
        const char *key;
        bool given;
    } others[] = {{"via", c->via_count != 0},
                  {"tension", !lithe_profile_def_is_zero(&c->tension)},
                  {"shortening", !lithe_profile_def_is_zero(&c->shortening)}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given && !tendon)
            lithe_check_fail(check, others[i].key, "%s is given, but kind %s takes none",
                             others[i].key, kind_of(c)->name);
    if (far && !c->as_built && c->length == 0)
        lithe_check_fail(check, "as-built", "as-built is false, but length is missing");
    if (c->area_stiffness != 0 && !lithe_anchor_is_group(&c->a) && !lithe_anchor_is_group(&c->b))
        lithe_check_fail(check, "stiffness-per-area",
                         "stiffness-per-area is %.9g N/m^3, but only groups of nodes of solids "
                         "have areas",
                         c->area_stiffness);
    if (c->damping != 0 && c->stiffness == 0 && c->area_stiffness == 0)
        lithe_check_fail(check, "damping", "damping is %.9g, but needs stiffness > 0", c->damping);
    if (weld && c->turn_damping != 0 && c->turn_stiffness == 0)
        lithe_check_fail(check, "turn-damping",
                         "turn-damping is %.9g, but needs turn-stiffness > 0", c->turn_damping);
    if (hinge && c->bend_stiffness == 0 && c->twist_stiffness == 0)
        lithe_check_fail(check, "kind",
                         "kind is hinge-spring, but bend-stiffness and twist-stiffness are both 0");
}

void lithe_check_constraint(LitheCheck *check, const void *def) {
    const LitheConstraintDef *c = def;
    lithe_check_choice(check, "kind", (int)c->kind, LITHE_CONSTRAINT_TENDON + 1);
    anchor(check, "a", &c->a);
    anchor(check, "b", &c->b);
    if (c->via_count < 0 || (c->via_count > 0 && !c->via))
        lithe_check_fail(check, "via", "via has %d places, must have 0 or more", c->via_count);
    for (int32_t i = 0; check->status == LITHE_OK && i < c->via_count; i++) {
        char key[32];
        snprintf(key, sizeof key, "via[%d]", i);
        anchor(check, key, &c->via[i]);
    }
    lithe_check_number(check, "length", c->length, "m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "stiffness", c->stiffness, "N/m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "stiffness-per-area", c->area_stiffness, "N/m^3", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "damping", c->damping, "N s/m", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "turn-stiffness", c->turn_stiffness, "N m/rad", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "turn-damping", c->turn_damping, "N m s/rad", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "bend-stiffness", c->bend_stiffness, "N m/rad", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "twist-stiffness", c->twist_stiffness, "N m/rad", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "breaks-at", c->breaks_at, "N", LITHE_NOT_NEGATIVE);
    lithe_check_profile(check, "switch", &c->gate, "");
    lithe_check_profile(check, "tension", &c->tension, "N");
    lithe_check_profile(check, "shortening", &c->shortening, "m");
    if (check->status != LITHE_OK)
        return;
    pair(check, c);
    idle_values(check, c);
}

// --- chains --------------------------------------------------------------------------------------

void lithe_check_chain(LitheCheck *check, const LitheChainDef *c) {
    int32_t min = lithe_shape_closed(&c->shape) ? 3 : 1;
    lithe_check_select(check, "chain", "chains", c->name, 0);
    if (!c->name || !lithe_parted_name_is_valid(c->name) || strlen(c->name) > CHAIN_NAME_LENGTH)
        lithe_check_fail(check, "",
                         "a name has letters, digits, - and _ (at most %d) and begins with a "
                         "letter" LITHE_PARTED_NAME,
                         CHAIN_NAME_LENGTH);
    if (c->material.number < 1 || c->material.number > check->scene->material_count)
        lithe_check_fail(check, "material", "material is number %d of %d", c->material.number,
                         check->scene->material_count);
    lithe_check_number(check, "radius", c->radius, "m", LITHE_POSITIVE);
    lithe_check_shape(check, &c->shape);
    if (c->capsules < min || c->capsules > MAX_CAPSULES)
        lithe_check_fail(check, "capsules", "capsules is %d, must be from %d to %d", c->capsules,
                         min, MAX_CAPSULES);
    lithe_check_choice(check, "natural", (int)c->natural, LITHE_NATURAL_AS_SHAPED + 1);
    lithe_check_vector(check, "velocity", c->velocity, "m/s");
    lithe_check_number(check, "damping", c->damping, "N m s/rad", LITHE_NOT_NEGATIVE);
    lithe_check_choice(check, "start", (int)c->start, LITHE_CHAIN_FIXED + 1);
    lithe_check_choice(check, "end", (int)c->end, LITHE_CHAIN_FIXED + 1);
    if (check->status != LITHE_OK || min == 1)
        return;
    if (c->start != LITHE_CHAIN_FREE)
        lithe_check_fail(check, "start", "start is held, but a closed chain has no ends");
    if (c->end != LITHE_CHAIN_FREE)
        lithe_check_fail(check, "end", "end is held, but a closed chain has no ends");
}
