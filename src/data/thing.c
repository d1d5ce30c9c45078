// SPDX-License-Identifier: Apache-2.0
// data/thing.c - the table of kinds of things

#include "data/thing.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

// --- kinds ---------------------------------------------------------------------------------------

typedef struct ThingKind {
    const char *word;
    const char *element; // name of the element that a contact lies on; NULL: the thing itself
    int32_t (*count)(const LitheModel *model);
    const char *(*name)(const LitheModel *model, int32_t index);
    LitheSite (*site)(const LitheModel *model, int32_t index, int32_t element, double s);
    double (*thickness)(const LitheModel *model, int32_t index, int32_t element);
    LitheThingPoints (*points)(const LitheModel *model, LitheState *state, int32_t index);
} ThingKind;

static int32_t rod_count(const LitheModel *model) {
    return model->rod_count;
}

static const char *rod_name(const LitheModel *model, int32_t index) {
    return model->rods[index].name;
}

static LitheSite rod_site(const LitheModel *model, int32_t index, int32_t element, double s) {
    return (LitheSite){.unit = model->rods[index].unit, .element = element, .s = {s}};
}

static double rod_thickness(const LitheModel *model, int32_t index, int32_t element) {
    (void)element;
    return model->units[model->rods[index].unit].thickness;
}

static LitheThingPoints rod_points(const LitheModel *model, LitheState *state, int32_t index) {
    const LitheRod *rod = &model->rods[index];
    return (LitheThingPoints){
        .count = rod->node_count,
        .word = "node",
        .joined = true,
        .closed = rod->closed,
        .stride = 4,
        .x = state->q + rod->dof_at,
        .v = state->v + rod->dof_at,
        .mass = rod->mass,
        .mass_stride = 4,
        .held = rod->held,
        .held_stride = 4,
        .force = state->pushes + 3 * rod->point_at,
    };
}

static int32_t body_count(const LitheModel *model) {
    return model->body_count;
}

static const char *body_name(const LitheModel *model, int32_t index) {
    return model->bodies[index].name;
}

// independent of the shape: a body moves with the element that carries it
static LitheSite body_site(const LitheModel *model, int32_t index, int32_t element, double s) {
    const LitheRigidBody *body = &model->bodies[index];
    (void)element, (void)s;
    return (LitheSite){.unit = body->unit, .element = body->element, .s = {body->s}};
}

// shapes are in the order of the bodies: the first one of the body is searched by bisection
static const LitheModelGeom *shape_of(const LitheModel *model, int32_t body, int32_t element) {
    int32_t first = 0, after = model->geom_count;
    while (first < after) {
        int32_t middle = first + (after - first) / 2;
        if (model->geoms[middle].body < body)
            first = middle + 1;
        else
            after = middle;
    }
    return &model->geoms[first + element];
}

static double body_thickness(const LitheModel *model, int32_t index, int32_t element) {
    const LitheGeom *shape = &shape_of(model, index, element)->geom;
    return shape->kind == LITHE_GEOM_HALF_SPACE ? INFINITY : shape->reach;
}

static LitheThingPoints body_points(const LitheModel *model, LitheState *state, int32_t index) {
    (void)model, (void)state, (void)index; // external wrenches are stored elsewhere
    return (LitheThingPoints){0};
}

static int32_t particles_count(const LitheModel *model) {
    return model->particles_count;
}

static const char *particles_name(const LitheModel *model, int32_t index) {
    return model->particles[index].name;
}

static LitheSite particles_site(const LitheModel *model, int32_t index, int32_t element, double s) {
    (void)s;
    return (LitheSite){.unit = model->particles[index].unit, .element = element};
}

static double particles_thickness(const LitheModel *model, int32_t index, int32_t element) {
    return model->particles[index].radius[element];
}

static LitheThingPoints particles_points(const LitheModel *model, LitheState *state,
                                         int32_t index) {
    const LitheParticles *set = &model->particles[index];
    const LitheUnit *unit = &model->units[set->unit];
    return (LitheThingPoints){
        .count = set->count,
        .word = "particle",
        .stride = 3,
        .x = state->q + unit->q_at,
        .v = state->v + unit->v_at,
        .mass = set->mass,
        .mass_stride = 1,
        .held = set->held,
        .held_stride = 3,
        .force = state->pushes + 3 * set->point_at,
    };
}

static int32_t solid_count(const LitheModel *model) {
    return model->solid_count;
}

static const char *solid_name(const LitheModel *model, int32_t index) {
    return model->solids[index].name;
}

static LitheSite solid_site(const LitheModel *model, int32_t index, int32_t element, double s) {
    (void)s;
    return (LitheSite){.unit = model->solids[index].unit, .element = element};
}

// nodes touch as points: a slip is compared with the mesh
static double solid_thickness(const LitheModel *model, int32_t index, int32_t element) {
    (void)element;
    return 0.5 * model->solids[index].edge;
}

static LitheThingPoints solid_points(const LitheModel *model, LitheState *state, int32_t index) {
    const LitheSolid *solid = &model->solids[index];
    const LitheUnit *unit = &model->units[solid->unit];
    return (LitheThingPoints){
        .count = solid->mesh.node_count,
        .word = "node",
        .stride = 3,
        .x = state->q + unit->q_at,
        .v = state->v + unit->v_at,
        .mass = solid->mass,
        .mass_stride = 1,
        .force = state->pushes + 3 * solid->point_at,
        .held = solid->held,
        .held_stride = 3,
        .groups = solid->mesh.sets,
        .group_count = solid->mesh.set_count,
    };
}

// in the order of the numbers
static const LitheThingKind order[] = {LITHE_THING_ROD, LITHE_THING_BODY, LITHE_THING_PARTICLES,
                                       LITHE_THING_SOLID};
enum { KINDS = sizeof order / sizeof *order };
_Static_assert(KINDS == LITHE_THING_KINDS - 1, "every kind but the world has a number");

static const ThingKind kinds[LITHE_THING_KINDS] = {
    [LITHE_THING_ROD] = {"rod", "edge", rod_count, rod_name, rod_site, rod_thickness, rod_points},
    [LITHE_THING_BODY] = {"body", NULL, body_count, body_name, body_site, body_thickness,
                          body_points},
    [LITHE_THING_PARTICLES] = {"particles", "particle", particles_count, particles_name,
                               particles_site, particles_thickness, particles_points},
    [LITHE_THING_SOLID] = {"solid", "node", solid_count, solid_name, solid_site, solid_thickness,
                           solid_points},
};

// --- numbers and names ---------------------------------------------------------------------------

int32_t lithe_thing_count(const LitheModel *model) {
    int32_t count = 0;
    for (int k = 0; k < KINDS; k++)
        count += kinds[order[k]].count(model);
    return count;
}

LitheThing lithe_thing_at(const LitheModel *model, int32_t index) {
    for (int k = 0; k < KINDS; k++) {
        int32_t count = kinds[order[k]].count(model);
        if (index < count)
            return (LitheThing){order[k], index + 1};
        index -= count;
    }
    LITHE_ASSERT(!"a thing of the model");
    return (LitheThing){0};
}

int32_t lithe_thing_number(const LitheModel *model, LitheThing thing) {
    int32_t number = thing.number - 1;
    for (int k = 0; k < KINDS && order[k] != thing.kind; k++)
        number += kinds[order[k]].count(model);
    return number;
}

const char *lithe_thing_name(const LitheModel *model, LitheThing thing) {
    return thing.kind == LITHE_THING_WORLD ? "world"
                                           : kinds[thing.kind].name(model, thing.number - 1);
}

const char *lithe_thing_word(LitheThingKind kind) {
    return kind == LITHE_THING_WORLD ? "world" : kinds[kind].word;
}

const char *lithe_thing_element(LitheThingKind kind) {
    return kinds[kind].element;
}

LitheThing lithe_thing_find(const LitheModel *model, const char *name) {
    for (int k = 0; k < KINDS; k++)
        for (int32_t i = 0; i < kinds[order[k]].count(model); i++)
            if (strcmp(kinds[order[k]].name(model, i), name) == 0)
                return (LitheThing){order[k], i + 1};
    return (LitheThing){0};
}

double lithe_thing_ball_radius(const LitheModel *model, LitheThing thing, int32_t element) {
    return thing.kind == LITHE_THING_SOLID ? 0 : lithe_thing_thickness(model, thing, element);
}

double lithe_thing_half_thickness(const LitheModel *model, LitheThing thing, int32_t element) {
    bool points = thing.kind != LITHE_THING_WORLD && lithe_thing_point_count(model, thing) > 0;
    return points ? lithe_thing_thickness(model, thing, element) : 0;
}

LitheSite lithe_thing_site(const LitheModel *model, LitheThing thing, int32_t element, double s,
                           Vec3 point) {
    LitheSite site = {.unit = -1};
    if (thing.kind != LITHE_THING_WORLD)
        site = kinds[thing.kind].site(model, thing.number - 1, element, s);
    site.point = point;
    return site;
}

int32_t lithe_thing_point_count(const LitheModel *model, LitheThing thing) {
    int32_t unit = lithe_thing_site(model, thing, 0, 0, v3(0, 0, 0)).unit;
    return unit < 0 ? 0 : (int32_t)model->units[unit].point_count;
}

int32_t lithe_things_of_kind(const LitheModel *model, LitheThingKind kind) {
    return kinds[kind].count(model);
}

double lithe_thing_thickness(const LitheModel *model, LitheThing thing, int32_t element) {
    return kinds[thing.kind].thickness(model, thing.number - 1, element);
}

LitheThingPoints lithe_thing_points(const LitheModel *model, LitheState *state, LitheThing thing) {
    return kinds[thing.kind].points(model, state, thing.number - 1);
}

// INFINITY for a half-space and for ground
static double half_of(const LitheModel *model, const LitheContactSide *side) {
    if (side->thing.kind != LITHE_THING_BODY)
        return lithe_thing_thickness(model, side->thing, side->part);
    return shape_of(model, side->thing.number - 1, side->part)->size;
}

double lithe_contact_size(const LitheModel *model, const LitheContact *contact) {
    return fmin(half_of(model, &contact->a), half_of(model, &contact->b));
}

// (SC6) half the thickness of a solid below the triangles at a node: so deep contacts act there.
// Where they are not known, half its smallest extent.
static double solid_half(const LitheSolid *solid, int32_t node) {
    const LitheSurface *skin = &solid->skin;
    double half = 0.5 * fmin(solid->extent.x, fmin(solid->extent.y, solid->extent.z));
    if (!skin->depths || solid->fine.touches)
        return half;
    for (int32_t i = skin->face_at[node]; i < skin->face_at[node + 1]; i++)
        half = fmin(half, skin->depths[skin->faces[i]]);
    return half;
}

static double depth_of(const LitheModel *model, const LitheContactSide *side) {
    return side->thing.kind == LITHE_THING_SOLID
               ? solid_half(&model->solids[side->thing.number - 1], side->part)
               : half_of(model, side);
}

double lithe_contact_half(const LitheModel *model, const LitheContact *contact) {
    return fmin(depth_of(model, &contact->a), depth_of(model, &contact->b));
}

double lithe_contact_overlap(const LitheModel *model, const LitheContact *contact) {
    return -contact->gap / lithe_contact_half(model, contact);
}
