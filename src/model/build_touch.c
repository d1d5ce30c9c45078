// SPDX-License-Identifier: Apache-2.0
// model/build_touch.c - contact: parameters of materials, ignored pairs; warnings where static
// steps ignore contacts

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "model/compile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

LitheTouch lithe_touch_of(const LitheScene *scene, LitheMaterialId material, uint32_t group,
                          uint32_t mask) {
    LitheMaterialDef def =
        material.number > 0 ? scene->materials[material.number - 1] : lithe_material_def_default();
    return (LitheTouch){.stiffness = def.contact_stiffness,
                        .dissipation = def.contact_dissipation,
                        .friction = def.friction,
                        .torsional = def.torsional_friction,
                        .rolling = def.rolling_friction,
                        .group = group,
                        .mask = mask};
}

static void add_balls(LitheModel *model, LitheBallSet set) {
    set.at = model->ball_count;
    model->ball_count += set.count;
    model->ball_sets[model->ball_set_count++] = set;
}

LitheStatus lithe_build_balls(LitheModel *model, LitheError *error) {
    model->ball_sets =
        lithe_alloc_array(model->context, model->particles_count, sizeof *model->ball_sets);
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
    return LITHE_OK;
}

void lithe_build_friction(LitheModel *model) {
    double max = 0;
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

// index of the thing with this name; the check of the scene ensured that it exists
static int32_t thing_named(const LitheModel *model, const char *name) {
    return lithe_thing_number(model, lithe_thing_find(model, name));
}

LitheStatus lithe_build_ignored(const LitheScene *scene, LitheModel *model, LitheError *error) {
    int64_t max = (int64_t)scene->ignored_pair_count + scene->joint_count;
    model->ignored = lithe_alloc_array(scene->context, max, sizeof *model->ignored);
    if (!model->ignored)
        return lithe_fail_memory(error, "the pairs that never touch");
    for (int32_t i = 0; i < scene->ignored_pair_count; i++)
        model->ignored[model->ignored_count++] =
            lithe_thing_pair(thing_named(model, scene->ignored_pairs[i].a),
                             thing_named(model, scene->ignored_pairs[i].b));
    for (int32_t i = 0; i < scene->joint_count; i++) {
        const LitheJointDef *joint = &scene->joints[i];
        if (joint->parent.number > 0)
            model->ignored[model->ignored_count++] = lithe_thing_pair(
                lithe_thing_number(model, (LitheThing){LITHE_THING_BODY, joint->parent.number}),
                lithe_thing_number(model, (LitheThing){LITHE_THING_BODY, joint->child.number}));
    }
    qsort(model->ignored, (size_t)model->ignored_count, sizeof *model->ignored, by_key);
    return LITHE_OK;
}

// --- static steps ignore contacts ----------------------------------------------------------------

static bool groups_meet(const LitheTouch *a, const LitheTouch *b) {
    return (a->group & b->mask) && (b->group & a->mask);
}

static bool is_ignored(const LitheModel *model, int32_t a, int32_t b) {
    uint64_t key = lithe_thing_pair(a, b);
    return bsearch(&key, model->ignored, (size_t)model->ignored_count, sizeof key, by_key) != NULL;
}

// name of the first thing that rod number `rod` may touch, except itself; NULL: nothing
static const char *partner_of(const LitheModel *model, int32_t rod) {
    const LitheTouch *touch = &model->rods[rod].touch;
    for (int32_t i = rod + 1; i < model->rod_count; i++)
        if (groups_meet(touch, &model->rods[i].touch) && !is_ignored(model, rod, i))
            return model->rods[i].name;
    for (int32_t k = 0; k < model->geom_count; k++) {
        const LitheModelGeom *geom = &model->geoms[k];
        if (groups_meet(touch, &geom->touch) &&
            !is_ignored(model, rod,
                        lithe_thing_number(model, (LitheThing){LITHE_THING_BODY, geom->body + 1})))
            return model->bodies[geom->body].name;
    }
    return NULL;
}

void lithe_warn_of_still(const LitheModel *model) {
    bool all = model->time.scheme == LITHE_SCHEME_STATIC;
    if (!all && model->time.start != LITHE_START_EQUILIBRIUM)
        return;
    const char *what = all ? "static steps" : "the search for the equilibrium to start from";
    const char *ignore = all ? "ignore" : "ignores";
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *tie = &model->constraints[i];
        bool on_rod = tie->a.thing.kind == LITHE_THING_ROD || tie->b.thing.kind == LITHE_THING_ROD;
        if (!on_rod || !tie->active)
            continue;
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "%s %s constraints: '%s' does not act there (use holds or drives)", what, ignore,
                  tie->name);
        break;
    }
    for (int32_t i = 0; model->contact.enabled && i < model->rod_count; i++) {
        const char *partner = partner_of(model, i);
        if (!partner)
            continue;
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "%s %s contacts: '%s' may end inside '%s' (contact: {enabled: false} or "
                  "ignore suppresses this warning)",
                  what, ignore, model->rods[i].name, partner);
        break;
    }
}
