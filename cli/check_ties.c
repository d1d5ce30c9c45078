// SPDX-License-Identifier: Apache-2.0
// cli/check_ties.c - lithe check: constraints, chains and contact

#include "cli/cli.h"

#include "base/status.h"
#include "body/constraint.h"
#include "body/poke.h"
#include "collide/collide.h"
#include "data/model.h"
#include "data/state.h"
#include "data/thing.h"
#include "run/overlaps.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// overlaps deeper than this fraction of the smaller half thickness are reported
#define DEEP 0.06
// max number of pairs reported
#define PAIRS_REPORTED 5

// --- constraints ---------------------------------------------------------------------------------

// the number of a node or particle: negative ones count from the end
static int number_of(const LitheModel *model, const LithePlace *place) {
    return place->node + (place->node < 0 ? lithe_thing_point_count(model, place->thing) : 0);
}

static const char *anchor_text(const LitheScene *scene, const LitheModel *model,
                               const LitheAnchor *anchor, char *out, size_t size) {
    LitheVec3 at = anchor->at;
    bool origin = at.x == 0 && at.y == 0 && at.z == 0;
    char where[96] = "";
    if (!origin)
        snprintf(where, sizeof where, " at [%.4g, %.4g, %.4g] m", at.x, at.y, at.z);
    const LithePlace *place = &anchor->place;
    switch (anchor->kind) {
    case LITHE_ANCHOR_WORLD:
        snprintf(out, size, "the world%s", where);
        break;
    case LITHE_ANCHOR_BODY:
        snprintf(out, size, "body '%s'%s", model->bodies[anchor->body.number - 1].name, where);
        break;
    case LITHE_ANCHOR_ROD:
        if (place->kind == LITHE_PLACE_NODE)
            snprintf(out, size, "rod '%s' at node %d", scene->rods[place->thing.number - 1].name,
                     number_of(model, place));
        else
            snprintf(out, size, "rod '%s' at %.4g of its length",
                     scene->rods[place->thing.number - 1].name, place->fraction);
        break;
    case LITHE_ANCHOR_PARTICLES:
        snprintf(out, size, "particle %d of '%s'", number_of(model, place),
                 scene->particles[place->thing.number - 1].name);
        break;
    case LITHE_ANCHOR_SOLID:
        if (place->kind == LITHE_PLACE_NODE)
            snprintf(out, size, "node %d of solid '%s'", number_of(model, place),
                     lithe_thing_name(model, place->thing));
        else if (place->kind == LITHE_PLACE_GROUP)
            snprintf(out, size, "group '%s' of solid '%s'", place->group,
                     lithe_thing_name(model, place->thing));
        else
            snprintf(out, size, "solid '%s'%s", lithe_thing_name(model, place->thing),
                     place->kind == LITHE_PLACE_INSIDE ? where : ", where the other place is");
        break;
    }
    return out;
}

// how the constraint is switched; prints nothing if it is always on
static void print_switch(const LitheConstraintDef *def) {
    const LitheProfileDef *gate = &def->gate;
    bool changes = gate->count > 0 || gate->rate != 0 || gate->amplitude != 0;
    if (!def->active)
        printf("  %-26s off at the start: a program switches it\n", "switched");
    else if (changes)
        printf("  %-26s by a profile of time: on while it is at least 0.5\n", "switched");
    else if (gate->value < 0.5)
        printf("  %-26s off: `switch` is below 0.5\n", "switched");
}

static void print_stiffness(const LitheConstraintDef *def) {
    const LitheConstraintKindInfo *kind = lithe_constraint_kind_info(def->kind);
    if (kind->frames == LITHE_ALIGNS_FRAME) {
        printf("  %-26s %.4g N m/rad bending, %.4g N m/rad twisting\n", "stiffness",
               def->bend_stiffness, def->twist_stiffness);
        return;
    }
    if (def->stiffness > 0)
        printf("  %-26s %.4g N/m, damping %.4g N s/m\n", "stiffness", def->stiffness, def->damping);
    if (kind->frames == LITHE_KEEPS_FRAME && def->turn_stiffness > 0)
        printf("  %-26s %.4g N m/rad, damping %.4g N m s/rad\n", "rotational stiffness",
               def->turn_stiffness, def->turn_damping);
}

static void print_constraint(const LitheScene *scene, const LitheModel *model,
                             const LitheState *state, int32_t index) {
    const LitheConstraintDef *def = &scene->constraints[index];
    const LitheConstraint *tie = &model->constraints[index];
    const LitheConstraintKindInfo *kind = lithe_constraint_kind_info(def->kind);
    char a[256], b[256], length[32];
    printf("\nconstraint '%s': %s, %s to %s\n", def->name, kind->name,
           anchor_text(scene, model, &def->a, a, sizeof a),
           anchor_text(scene, model, &def->b, b, sizeof b));
    double apart = v3_norm(v3_sub(lithe_constraint_place(model, state, &tie->a).at,
                                  lithe_constraint_place(model, state, &tie->b).at));
    bool joins = kind->places == LITHE_KEEPS_OFFSET;
    if (kind->places == LITHE_KEEPS_PATH) {
        LitheConstraintId id = {index + 1};
        for (int32_t k = 0; k < def->via_count; k++)
            printf("  %-26s %s\n", k ? "" : "slides through",
                   anchor_text(scene, model, &def->via[k], a, sizeof a));
        printf("  %-26s %s\n", "path at the start",
               lithe_cli_nice(lithe_tendon_length(model, state, id), "m", length));
        printf("  %-26s by %s\n", "pulls",
               tie->pulls                                    ? "a given tension"
               : lithe_profile_def_is_zero(&def->shortening) ? "its length"
                                                             : "its length, which is driven");
    }
    // a place tied to the world as built is held where it is: its distance from the origin of the
    // world has no meaning
    bool pinned = joins && def->as_built &&
                  (def->a.kind == LITHE_ANCHOR_WORLD || def->b.kind == LITHE_ANCHOR_WORLD);
    if ((joins || kind->places == LITHE_KEEPS_DISTANCE) && !pinned && (!joins || apart > 1e-5))
        printf("  %-26s %s%s\n", "apart at the start", lithe_cli_nice(apart, "m", length),
               !joins          ? ""
               : def->as_built ? ", which is kept (as-built: false pulls them together)"
                               : "; they are pulled together");
    if (!joins && def->length > 0)
        printf("  %-26s %s\n", "length", lithe_cli_nice(def->length, "m", length));
    print_stiffness(def);
    if (def->breaks_at > 0)
        printf("  %-26s %.4g N\n", "breaks at", def->breaks_at);
    print_switch(def);
}

// --- contact -------------------------------------------------------------------------------------

static void print_contact(const LitheModel *model) {
    static const char *const laws[] = {[LITHE_FRICTION_LAGGED] = "lagged",
                                       [LITHE_FRICTION_SAP] = "sap",
                                       [LITHE_FRICTION_SIMILAR] = "similar"};
    const LitheContactDef *contact = &model->contact;
    char text[32];
    if (!contact->enabled) {
        printf("\ncontact: off, everything passes through everything\n");
        return;
    }
    printf("\ncontact: on\n");
    printf("  %-26s %s, sticks below %.3g m/s\n", "friction law", laws[contact->law],
           contact->stick_speed);
    if (contact->passes > 0)
        printf("  %-26s %d per step, tolerance %.3g\n", "passes", contact->passes,
               contact->tolerance);
    else
        printf("  %-26s as many as needed, tolerance %.3g\n", "passes", contact->tolerance);
    printf("  %-26s %s\n", "looked for up to a gap of",
           contact->margin > 0 ? lithe_cli_nice(contact->margin, "m", text)
                               : "what the speeds cover in a step");
    bool rods = model->edge_count > 0, particles = model->particles_count > 0;
    if (contact->certify && (rods || particles))
        printf("  %-26s a step in which a %s is cut\n", "certified",
               !particles ? "rod passes through something"
               : !rods    ? "particle passes through a surface"
                          : "rod or a particle passes through a surface, or rods cross,");
    if (model->ignored_count > 0)
        printf("  %-26s %d, those tied by joints included\n", "pairs that never touch",
               model->ignored_count);
}

// --- overlaps at the start -----------------------------------------------------------------------

static const char *name_of(const LitheModel *model, int32_t thing) {
    return lithe_thing_name(model, lithe_thing_at(model, thing));
}

// bodies in solids, between the nodes of their surface; pairs that overlap elsewhere are known
static void print_pokes(const LitheModel *model, const LitheState *state,
                        const LitheOverlap *overlaps, int32_t count) {
    for (LithePoke poke = {0}; lithe_next_start_poke(model, state, DEEP, &poke);) {
        uint64_t key = lithe_thing_pair(lithe_thing_number(model, poke.thing),
                                        lithe_thing_number(model, poke.body));
        bool known = false;
        for (int32_t i = 0; i < count && !known; i++)
            known = lithe_thing_pair(overlaps[i].a, overlaps[i].b) == key;
        if (known)
            continue;
        char depth[32];
        lithe_cli_nice(poke.depth, "m", depth);
        lithe_cli_complain("warning: '%s' is %s deep in '%s' at the start, %.0f %% of the smaller "
                           "half thickness, between the nodes of its surface (if it is meant to, "
                           "add them to ignore)",
                           lithe_thing_name(model, poke.body), depth,
                           lithe_thing_name(model, poke.thing), 100 * poke.fraction);
    }
}

static bool print_overlaps(const LitheModel *model, const LitheState *state, LitheError *error) {
    LitheContacts *contacts = lithe_contacts_create(model->context);
    LitheOverlap *overlaps = NULL;
    bool found = contacts && lithe_find_contacts(model, state, 0, contacts, error) == LITHE_OK;
    if (found)
        overlaps = calloc((size_t)lithe_contact_count(contacts) + 1, sizeof *overlaps);
    int32_t count = overlaps ? lithe_overlaps(model, contacts, DEEP, overlaps) : 0;
    for (int32_t i = 0; i < count && i < PAIRS_REPORTED; i++) {
        const LitheOverlap *o = &overlaps[i];
        char depth[32], places[32] = "";
        lithe_cli_nice(o->depth, "m", depth);
        if (o->places > 1)
            snprintf(places, sizeof places, ", at %d places", o->places);
        if (o->a == o->b)
            lithe_cli_complain("warning: '%s' overlaps itself at the start by %s, %.0f %% of its "
                               "half thickness%s: it will be pushed apart",
                               name_of(model, o->a), depth, 100 * o->fraction, places);
        else
            lithe_cli_complain("warning: '%s' and '%s' overlap at the start by %s, %.0f %% of the "
                               "smaller half thickness%s: they will be pushed apart (if they are "
                               "meant to, add them to ignore)",
                               name_of(model, o->a), name_of(model, o->b), depth, 100 * o->fraction,
                               places);
    }
    if (count > PAIRS_REPORTED)
        lithe_cli_complain("warning: %d more pairs overlap at the start", count - PAIRS_REPORTED);
    if (found && overlaps)
        print_pokes(model, state, overlaps, count);
    free(overlaps);
    for (LitheWithin pair = {0}; found && lithe_next_within(model, contacts, &pair);)
        lithe_cli_complain("warning: solid '%s' lies inside of solid '%s' at the start: so deep "
                           "there are no contacts between them (if it is meant to, add them to "
                           "ignore)",
                           lithe_thing_name(model, pair.inner),
                           lithe_thing_name(model, pair.outer));
    for (LitheWithin pair = {0}; found && lithe_next_sunk(model, state, contacts, &pair);) {
        char depth[32];
        lithe_cli_complain("warning: '%s' is %s deep in '%s' at the start: so deep there are no "
                           "contacts between them (if it is meant to, add them to ignore)",
                           lithe_thing_name(model, pair.inner),
                           lithe_cli_nice(pair.depth, "m", depth),
                           lithe_thing_name(model, pair.outer));
    }
    lithe_contacts_destroy(contacts);
    return found;
}

LitheStatus lithe_cli_check_start(const LitheModel *model, const LitheState *state,
                                  LitheError *error) {
    LitheContacts *contacts = lithe_contacts_create(model->context);
    LitheError ignored;
    if (!contacts)
        return lithe_fail_memory(error, "the contacts of the start");
    LitheStatus status = LITHE_OK;
    if (model->contact.enabled)
        status = lithe_find_contacts(model, state, 0, contacts, error);
    if (status == LITHE_OK)
        status = lithe_overlaps_refuse(model, state, contacts, error);
    lithe_contacts_destroy(contacts);
    if (status == LITHE_BAD_INPUT)
        print_overlaps(model, state, &ignored);
    return status;
}

// --- all of it -----------------------------------------------------------------------------------

bool lithe_cli_check_ties(const LitheScene *scene, const LitheModel *model, const LitheState *state,
                          LitheError *error) {
    LitheCliFold fold = {0};
    for (int32_t i = 0; i < scene->constraint_count; i++)
        if (!lithe_cli_fold(&fold, scene->constraints[i].name))
            print_constraint(scene, model, state, i);
    lithe_cli_fold_end(&fold, "constraint");
    if (model->geom_count == 0 && model->edge_count == 0 && model->ball_count == 0)
        return true;
    print_contact(model);
    if (model->contact.enabled)
        lithe_cli_check_rest(model, state);
    fflush(stdout);
    return !model->contact.enabled || print_overlaps(model, state, error);
}
