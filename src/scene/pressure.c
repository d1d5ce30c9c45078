// SPDX-License-Identifier: Apache-2.0
// scene/pressure.c - pressures on surfaces of solids: default, limits

#include "scene/copy.h"
#include "scene/objects.h"

LithePressureDef lithe_pressure_def_default(void) {
    return (LithePressureDef){.place = {.kind = LITHE_PLACE_GROUP},
                              .pressure = lithe_profile_def_default()};
}

bool lithe_copy_pressure(LitheContext *context, void *def) {
    return lithe_copy_profile(context, &((LithePressureDef *)def)->pressure);
}

void lithe_release_pressure(LitheContext *context, void *def) {
    lithe_free_profile(context, &((LithePressureDef *)def)->pressure);
}

bool lithe_scene_add_pressure(LitheScene *scene, const LithePressureDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_PRESSURE, def) > 0;
}

// a surface is a group or a set of nodes of a solid
static void check_surface(LitheCheck *check, const LithePlace *p) {
    lithe_check_place(check, "on", p);
    if (check->status != LITHE_OK)
        return;
    bool group = p->kind == LITHE_PLACE_GROUP, set = p->kind == LITHE_PLACE_SET;
    const LitheSetDef *of = set ? &check->scene->sets[p->set.number - 1] : NULL;
    if (!group && !set)
        lithe_check_fail(check, "on",
                         "on is a single node; pressure acts on faces: on a group or "
                         "a set of nodes of a solid");
    else if (set && of->of.kind != LITHE_THING_SOLID)
        lithe_check_fail(check, "on", "on: set '%s' is not of a solid, and has no faces", of->name);
    else if (set && of->what != LITHE_SET_VERTICES)
        lithe_check_fail(check, "on", "on: set '%s' must be one of vertices", of->name);
}

void lithe_check_pressure(LitheCheck *check, const void *def) {
    const LithePressureDef *p = def;
    check_surface(check, &p->place);
    lithe_check_profile(check, "pressure", &p->pressure, "Pa");
}
