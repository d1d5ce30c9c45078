// SPDX-License-Identifier: Apache-2.0
// scene/set.c - sets of vertices and edges: default, copy, limits

#include "scene/objects.h"

#include "geom/region.h"
#include "scene/copy.h"

#include <stdio.h>
#include <string.h>

const char *const lithe_region_keys[LITHE_REGION_KEYS] = {"list", "box", "sphere", "plane",
                                                          "cylinder"};

// --- default and copies --------------------------------------------------------------------------

LitheSetDef lithe_set_def_default(void) {
    return (LitheSetDef){.what = LITHE_SET_VERTICES};
}

bool lithe_copy_set(LitheContext *context, void *def) {
    LitheSetDef *set = def;
    const void *list;
    bool ok = lithe_copy_array(context, set->list, set->count, sizeof *set->list, &list);
    set->list = list;
    return ok;
}

void lithe_release_set(LitheContext *context, void *def) {
    lithe_free_const(context, ((LitheSetDef *)def)->list);
}

LitheSetId lithe_scene_add_set(LitheScene *scene, const LitheSetDef *def) {
    return (LitheSetId){lithe_object_add(scene, LITHE_OBJECT_SET, def)};
}

// --- limits --------------------------------------------------------------------------------------

static void list(LitheCheck *check, const LitheSetDef *s, const char *name, int32_t max) {
    char key[64];
    if (s->count < 1 || !s->list)
        lithe_check_fail(check, "list", "list has %d members, must have at least 1",
                         s->list ? s->count : 0);
    // the number of nodes of some rods is only known from their point file
    for (int32_t i = 0; max >= 0 && i < s->count && check->status == LITHE_OK; i++)
        if (s->list[i] < -max || s->list[i] >= max) {
            snprintf(key, sizeof key, "list[%d]", i);
            lithe_check_fail(check, key, "%s is %d, must be from %d to %d for '%s'", key,
                             s->list[i], -max, max - 1, name);
        }
}

static void members(LitheCheck *check, const LitheSetDef *s) {
    const LitheScene *scene = check->scene;
    bool rod = s->of.kind == LITHE_THING_ROD;
    const LitheRodDef *on = rod ? &scene->rods[s->of.number - 1] : NULL;
    const char *name = lithe_thing_def_name(scene, s->of);
    if (s->what == LITHE_SET_FACES || (s->what == LITHE_SET_EDGES && !rod)) {
        lithe_check_fail(check, "what", "what is %s, but %s '%s' has none",
                         s->what == LITHE_SET_FACES ? "faces" : "edges",
                         lithe_scene_objects[lithe_thing_object(s->of.kind)].word, name);
        return;
    }
    // the nodes of a solid are known once its mesh is built
    int32_t max = rod                                   ? lithe_rod_def_node_count(on)
                  : s->of.kind == LITHE_THING_PARTICLES ? scene->particles[s->of.number - 1].count
                                                        : -1;
    if (s->what == LITHE_SET_EDGES && max >= 0)
        max -= !lithe_rod_def_closed(on);
    if (s->region.kind == LITHE_REGION_LIST) {
        list(check, s, name, max);
        return;
    }
    char text[200];
    const char *key = lithe_region_keys[s->region.kind];
    if (s->list)
        lithe_check_fail(check, "list", "list is given, but also %s", key);
    if (lithe_region_wrong(&s->region, text, sizeof text))
        lithe_check_fail(check, key, "%s: %s", key, text);
}

void lithe_check_set(LitheCheck *check, const void *def) {
    const LitheSetDef *s = def;
    LitheObjectKind kind = lithe_thing_object(s->of.kind);
    int32_t things = kind < LITHE_OBJECT_KINDS ? lithe_object_count(check->scene, kind) : 0;
    if (kind == LITHE_OBJECT_KINDS || kind == LITHE_OBJECT_BODY)
        lithe_check_fail(check, "of", "of is %s, must be a rod, particles or a solid",
                         s->of.kind == LITHE_THING_BODY ? "a body" : "no thing");
    else if (s->of.number < 1 || s->of.number > things)
        lithe_check_fail(check, "of", "of is %s number %d of %d", lithe_scene_objects[kind].word,
                         s->of.number, things);
    lithe_check_choice(check, "what", (int)s->what, LITHE_SET_FACES + 1);
    lithe_check_choice(check, "", (int)s->region.kind, LITHE_REGION_KEYS);
    if (check->status == LITHE_OK)
        members(check, s);
}
