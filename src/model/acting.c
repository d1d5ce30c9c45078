// SPDX-License-Identifier: Apache-2.0
// model/acting.c - which objects of a scene act on which thing

#include "model/acting.h"

#include "base/memory.h"

static int32_t number_of(const LitheActing *acting, LitheThing thing) {
    return thing.number < 1 ? -1 : acting->first[thing.kind] + thing.number - 1;
}

// the thing of a place, or of its set
static int32_t place_of(const LitheScene *scene, const LitheActing *acting,
                        const LithePlace *place) {
    bool set = place->kind == LITHE_PLACE_SET;
    return number_of(acting, set ? scene->sets[place->set.number - 1].of : place->thing);
}

// numbers the things of all kinds; returns how many there are
static int32_t number_things(const LitheScene *scene, LitheActing *acting) {
    int32_t counts[LITHE_THING_KINDS] = {0}, things = 0;
    counts[LITHE_THING_ROD] = scene->rod_count;
    counts[LITHE_THING_BODY] = scene->body_count;
    counts[LITHE_THING_PARTICLES] = scene->particle_set_count;
    counts[LITHE_THING_SOLID] = scene->solid_count;
    for (int kind = 0; kind < LITHE_THING_KINDS; kind++) {
        acting->first[kind] = things;
        things += counts[kind];
    }
    return things;
}

// `of` is scratch for one number per object
static bool group_places(const LitheScene *scene, LitheActing *acting, int32_t things,
                         int32_t *of) {
    for (int32_t i = 0; i < scene->hold_count; i++)
        of[i] = place_of(scene, acting, &scene->holds[i].place);
    if (!lithe_groups_make(scene->context, things, of, scene->hold_count, &acting->holds))
        return false;
    for (int32_t i = 0; i < scene->drive_count; i++)
        of[i] = place_of(scene, acting, &scene->drives[i].place);
    if (!lithe_groups_make(scene->context, things, of, scene->drive_count, &acting->drives))
        return false;
    for (int32_t i = 0; i < scene->force_count; i++)
        of[i] = place_of(scene, acting, &scene->forces[i].place);
    if (!lithe_groups_make(scene->context, things, of, scene->force_count, &acting->forces))
        return false;
    for (int32_t i = 0; i < scene->natural_drive_count; i++)
        of[i] = scene->natural_drives[i].rod.number - 1 + acting->first[LITHE_THING_ROD];
    return lithe_groups_make(scene->context, things, of, scene->natural_drive_count,
                             &acting->natural_drives);
}

static bool group_joints(const LitheScene *scene, LitheActing *acting, int32_t *of) {
    acting->parents = lithe_alloc_array(scene->context, scene->body_count, sizeof(int32_t));
    if (!acting->parents)
        return false;
    for (int32_t i = 0; i < scene->body_count; i++)
        acting->parents[i] = -1;
    for (int32_t i = scene->joint_count - 1; i >= 0; i--)
        acting->parents[scene->joints[i].child.number - 1] = i;
    for (int32_t i = 0; i < scene->joint_count; i++)
        of[i] = scene->joints[i].parent.number - 1;
    if (!lithe_groups_make(scene->context, scene->body_count, of, scene->joint_count,
                           &acting->children))
        return false;
    for (int32_t i = 0; i < scene->joint_count; i++)
        of[i] = scene->joints[i].shares.number - 1;
    return lithe_groups_make(scene->context, scene->joint_count, of, scene->joint_count,
                             &acting->sharing);
}

bool lithe_acting_make(const LitheScene *scene, LitheActing *acting) {
    const int32_t counts[] = {scene->hold_count, scene->drive_count, scene->force_count,
                              scene->natural_drive_count, scene->joint_count};
    int32_t most = 0, things;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        most = counts[i] > most ? counts[i] : most;
    *acting = (LitheActing){0};
    things = number_things(scene, acting);
    int32_t *of = lithe_alloc_array(scene->context, most, sizeof *of);
    bool fine = of && group_places(scene, acting, things, of) && group_joints(scene, acting, of);
    lithe_free(scene->context, of);
    return fine;
}

void lithe_acting_free(LitheContext *context, LitheActing *acting) {
    lithe_groups_free(context, &acting->holds);
    lithe_groups_free(context, &acting->drives);
    lithe_groups_free(context, &acting->forces);
    lithe_groups_free(context, &acting->natural_drives);
    lithe_groups_free(context, &acting->children);
    lithe_groups_free(context, &acting->sharing);
    lithe_free(context, acting->parents);
}

LitheNumbers lithe_acting_on(const LitheActing *acting, const LitheGroups *groups,
                             LitheThing thing) {
    return lithe_groups_of(groups, number_of(acting, thing));
}
