// SPDX-License-Identifier: Apache-2.0
// model/build_touch.c - contact: parameters of materials, ignored pairs

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/poke.h"
#include "body/rod.h"
#include "body/tree_body.h"
#include "model/compile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

LitheTouch lithe_touch_of(const LitheScene *scene, LitheMaterialId material, uint32_t group,
                          uint32_t mask) {
    LitheMaterialDef def = lithe_material_def_default();
    def.young = LITHE_CONTACT_YOUNG;
    def.poisson = LITHE_CONTACT_POISSON;
    if (material.number > 0)
        def = scene->materials[material.number - 1];
    return (LitheTouch){.stiffness = def.contact_stiffness,
                        .modulus = def.young / (1 - def.poisson * def.poisson),
                        .material = material.number - 1,
                        .turns = true,
                        .dissipation = def.contact_dissipation,
                        .friction = def.friction,
                        .torsional = def.torsional_friction,
                        .rolling = def.rolling_friction,
                        .group = group,
                        .mask = mask,
                        .patch_modulus = def.patch_modulus > 0 ? def.patch_modulus : 0,
                        .patch_dissipation = def.patch_dissipation,
                        .patch_sectors = def.patch_sectors > 0 ? def.patch_sectors : LITHE_SECTORS};
}

static void add_balls(LitheModel *model, LitheBallSet set) {
    set.at = model->ball_count;
    model->ball_count += set.count;
    model->ball_sets[model->ball_set_count++] = set;
}

LitheStatus lithe_build_balls(LitheModel *model, LitheError *error) {
    model->ball_sets = lithe_alloc_array(
        model->context, (int64_t)model->particles_count + 2 * (int64_t)model->solid_count,
        sizeof *model->ball_sets);
    if (!model->ball_sets)
        return lithe_fail_memory(error, "the sets of balls");
    for (int32_t i = 0; i < model->particles_count; i++) {
        const LitheParticles *set = &model->particles[i];
        add_balls(model, (LitheBallSet){.thing = {LITHE_THING_PARTICLES, i + 1},
                                        .unit = set->unit,
                                        .count = set->count,
                                        .word = "particle",
                                        .radius = set->radius,
                                        .touch = &set->touch,
                                        .self_contact = set->self_contact});
    }
    for (int32_t i = 0; i < model->solid_count; i++) {
        const LitheSolid *solid = &model->solids[i];
        bool fine = solid->fine.touches;
        add_balls(model, (LitheBallSet){.thing = {LITHE_THING_SOLID, i + 1},
                                        .unit = solid->unit,
                                        .count = solid->skin.used_count,
                                        .word = fine ? "point of the surface" : "node",
                                        .radius = solid->touch_radius,
                                        .touch = &solid->touch,
                                        .node = solid->skin.used,
                                        .surface = &solid->skin,
                                        .fine = fine ? &solid->fine : NULL});
        if (solid->skin.middles)
            add_balls(model, (LitheBallSet){.thing = {LITHE_THING_SOLID, i + 1},
                                            .unit = solid->unit,
                                            .count = solid->skin.triangle_count / 4,
                                            .word = "face",
                                            .radius = solid->touch_radius,
                                            .touch = &solid->touch,
                                            .surface = &solid->skin,
                                            .middles = true});
        if (fine) {
            model->solids[i].fine.at = model->carried_count;
            model->carried_count += solid->fine.point_count;
        }
    }
    return LITHE_OK;
}

// max overlap at rest relative to the thickness (C9): a larger overlap would be visible
#define REST_FRACTION 0.01

// least contact stiffness that carries the weight (C9) [N/m]
static double least_of(const LitheModel *model, double mass, double half) {
    return half < INFINITY ? mass * v3_norm(model->gravity) / (REST_FRACTION * 2 * half) : 0;
}

void lithe_build_least(LitheModel *model) {
    for (int32_t i = 0; i < model->rod_count; i++) {
        LitheRod *rod = &model->rods[i];
        double half = lithe_rod_half_thickness(rod), mass = model->units[rod->unit].mass;
        if (half > 0)
            rod->touch.least = least_of(model, mass / rod->node_count, half);
    }
    for (int32_t i = 0; i < model->geom_count; i++) {
        LitheModelGeom *geom = &model->geoms[i];
        const LitheRigidBody *body = &model->bodies[geom->body];
        const LitheTree *tree = body->unit < 0 ? NULL : lithe_body_tree(model, geom->body);
        if (!tree)
            continue;
        // bodies welded to one free body rest with their total mass
        const LitheUnit *unit = &model->units[body->unit];
        bool rigid = unit->v_count == 6;
        double mass = rigid ? unit->mass : tree->rigid.links[body->element].mass;
        geom->touch.least = least_of(model, mass, geom->size);
    }
    for (int32_t i = 0; i < model->particles_count; i++) {
        LitheParticles *set = &model->particles[i];
        for (int32_t k = 0; k < set->count; k++)
            set->touch.least =
                fmax(set->touch.least, least_of(model, set->mass[k], set->radius[k]));
    }
}

static int by_materials(const void *x, const void *y) {
    const LitheMaterialPair *a = x, *b = y;
    return (a->materials > b->materials) - (a->materials < b->materials);
}

LitheStatus lithe_build_material_names(const LitheScene *scene, LitheModel *model,
                                       LitheError *error) {
    LitheContext *context = scene->context;
    int32_t count = scene->material_count;
    model->material_names = lithe_alloc_array(context, count, sizeof *model->material_names);
    bool fine = model->material_names;
    for (int32_t i = 0; fine && i < count; i++) {
        model->material_names[i] = lithe_alloc_text(context, scene->materials[i].name);
        fine = model->material_names[i];
        model->material_count += fine;
    }
    return fine ? LITHE_OK : lithe_fail_memory(error, "the names of materials");
}

LitheStatus lithe_build_material_pairs(const LitheScene *scene, LitheModel *model,
                                       LitheError *error) {
    model->material_pairs = lithe_alloc_array(scene->context, scene->material_pair_count,
                                              sizeof *model->material_pairs);
    if (!model->material_pairs)
        return lithe_fail_memory(error, "the pairs of materials");
    for (int32_t i = 0; i < scene->material_pair_count; i++) {
        const LitheMaterialPairDef *def = &scene->material_pairs[i];
        model->material_pairs[model->material_pair_count++] = (LitheMaterialPair){
            .materials = lithe_thing_pair(def->a.number - 1, def->b.number - 1),
            .stiffness = def->stiffness,
            .dissipation = def->dissipation,
            .friction = def->friction,
            .torsional = def->torsional_friction,
            .rolling = def->rolling_friction,
        };
    }
    qsort(model->material_pairs, (size_t)model->material_pair_count, sizeof *model->material_pairs,
          by_materials);
    return LITHE_OK;
}

void lithe_build_friction(LitheModel *model) {
    double max = 0;
    for (int32_t i = 0; i < model->material_pair_count; i++)
        max = fmax(max, model->material_pairs[i].friction);
    for (int32_t i = 0; i < model->rod_count; i++)
        max = fmax(max, model->rods[i].touch.friction);
    for (int32_t i = 0; i < model->geom_count; i++)
        max = fmax(max, model->geoms[i].touch.friction);
    for (int32_t i = 0; i < model->ball_set_count; i++)
        max = fmax(max, model->ball_sets[i].touch->friction);
    model->max_friction = max;
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// a thing by its name; arms ignore pairs by the million
typedef struct Named {
    const char *name;
    int32_t number;
} Named;

static int by_name(const void *a, const void *b) {
    const Named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

// number of the thing with this name; the check of the scene ensured that it exists
static int32_t number_of(const Named *all, int32_t count, const char *name) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(all[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count ? all[low].number : 0;
}

// the pairs that the scene names
static bool add_named_pairs(const LitheScene *scene, LitheModel *model) {
    int32_t count = lithe_thing_count(model);
    Named *all = lithe_alloc_array(scene->context, count, sizeof *all);
    if (!all)
        return false;
    for (int32_t i = 0; i < count; i++)
        all[i] = (Named){lithe_thing_name(model, lithe_thing_at(model, i)), i};
    qsort(all, (size_t)count, sizeof *all, by_name);
    for (int32_t i = 0; i < scene->ignored_pair_count; i++)
        model->ignored[model->ignored_count++] =
            lithe_thing_pair(number_of(all, count, scene->ignored_pairs[i].a),
                             number_of(all, count, scene->ignored_pairs[i].b));
    lithe_free(scene->context, all);
    return true;
}

static bool is_ignored(const LitheModel *model, int32_t a, int32_t b) {
    return lithe_is_ignored(model, (LitheThing){LITHE_THING_BODY, a + 1},
                            (LitheThing){LITHE_THING_BODY, b + 1});
}

// Fixed bodies are family 0. Each other body joins the family of the body before it if it is
// ignored with all of that family, as the disks of an arm are: their boxes overlap in all steps.
static void build_families(LitheModel *model) {
    int32_t *family = model->families, next = 1;
    for (int32_t b = 0; b < model->body_count; b++) {
        family[b] = model->bodies[b].unit < 0 ? 0 : -1;
        if (b == 0 || family[b] == 0 || family[b - 1] == 0 || !is_ignored(model, b - 1, b))
            continue;
        int32_t first = b - 1;
        while (first > 0 && family[b - 1] > 0 && family[first - 1] == family[b - 1])
            first--;
        bool all = true;
        for (int32_t k = first; k < b && all; k++)
            all = is_ignored(model, k, b);
        if (!all)
            continue;
        if (family[b - 1] < 0)
            family[b - 1] = next++;
        family[b] = family[b - 1];
    }
}

LitheStatus lithe_build_ignored(const LitheScene *scene, LitheModel *model, LitheError *error) {
    int64_t max = (int64_t)scene->ignored_pair_count + scene->joint_count;
    model->ignored = lithe_alloc_array(scene->context, max, sizeof *model->ignored);
    model->families = lithe_alloc_array(scene->context, model->body_count, sizeof *model->families);
    if (!model->ignored || !model->families || !add_named_pairs(scene, model))
        return lithe_fail_memory(error, "the pairs that never touch");
    for (int32_t i = 0; i < scene->joint_count; i++) {
        const LitheJointDef *joint = &scene->joints[i];
        if (joint->parent.number > 0)
            model->ignored[model->ignored_count++] = lithe_thing_pair(
                lithe_thing_number(model, (LitheThing){LITHE_THING_BODY, joint->parent.number}),
                lithe_thing_number(model, (LitheThing){LITHE_THING_BODY, joint->child.number}));
    }
    qsort(model->ignored, (size_t)model->ignored_count, sizeof *model->ignored, by_key);
    build_families(model);
    return LITHE_OK;
}
