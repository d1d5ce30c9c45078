// SPDX-License-Identifier: Apache-2.0
// body/thing.c - the table of kinds of things

#include "body/thing.h"

#include "base/assert.h"
#include "body/rod.h"

#include <string.h>

// --- kinds ---------------------------------------------------------------------------------------

typedef struct ThingKind {
    const char *word;
    int32_t (*count)(const LitheModel *model);
    const char *(*name)(const LitheModel *model, int32_t index);
    LitheSite (*site)(const LitheModel *model, int32_t index, int32_t element, double s);
    double (*half_thickness)(const LitheModel *model, int32_t index, int32_t element);
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

static double rod_half_thickness(const LitheModel *model, int32_t index, int32_t element) {
    (void)element;
    return lithe_rod_half_thickness(&model->rods[index]);
}

static int32_t body_count(const LitheModel *model) {
    return model->body_count;
}

static const char *body_name(const LitheModel *model, int32_t index) {
    return model->bodies[index].name;
}

// whatever its shape: a body moves with the element that carries it
static LitheSite body_site(const LitheModel *model, int32_t index, int32_t element, double s) {
    const LitheRigidBody *body = &model->bodies[index];
    (void)element, (void)s;
    return (LitheSite){.unit = body->unit, .element = body->element, .s = {body->s}};
}

static double body_half_thickness(const LitheModel *model, int32_t index, int32_t element) {
    (void)model, (void)index, (void)element;
    return 0;
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

static double particle_radius(const LitheModel *model, int32_t index, int32_t element) {
    return model->particles[index].radius[element];
}

// in the order of the numbers
static const LitheThingKind order[] = {LITHE_THING_ROD, LITHE_THING_BODY, LITHE_THING_PARTICLES};
enum { KINDS = sizeof order / sizeof *order };

static const ThingKind kinds[] = {
    [LITHE_THING_ROD] = {"rod", rod_count, rod_name, rod_site, rod_half_thickness},
    [LITHE_THING_BODY] = {"body", body_count, body_name, body_site, body_half_thickness},
    [LITHE_THING_PARTICLES] = {"particles", particles_count, particles_name, particles_site,
                               particle_radius},
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

LitheThing lithe_thing_find(const LitheModel *model, const char *name) {
    for (int k = 0; k < KINDS; k++)
        for (int32_t i = 0; i < kinds[order[k]].count(model); i++)
            if (strcmp(kinds[order[k]].name(model, i), name) == 0)
                return (LitheThing){order[k], i + 1};
    return (LitheThing){0};
}

double lithe_thing_half_thickness(const LitheModel *model, LitheThing thing, int32_t element) {
    return thing.kind == LITHE_THING_WORLD
               ? 0
               : kinds[thing.kind].half_thickness(model, thing.number - 1, element);
}

LitheSite lithe_thing_site(const LitheModel *model, LitheThing thing, int32_t element, double s,
                           Vec3 point) {
    LitheSite site = {.unit = -1};
    if (thing.kind != LITHE_THING_WORLD)
        site = kinds[thing.kind].site(model, thing.number - 1, element, s);
    site.point = point;
    return site;
}
