// SPDX-License-Identifier: Apache-2.0
// scene/knot.c - knots of a scene: default, copies, limits

#include "lithe/knot.h"

#include "scene/copy.h"
#include "scene/objects.h"

#include <stdio.h>

// --- default and copies --------------------------------------------------------------------------

LitheKnotDef lithe_knot_def_default(void) {
    return (LitheKnotDef){.joined = LITHE_KNOT_AUTO};
}

bool lithe_copy_knot(LitheContext *context, void *def) {
    LitheKnotDef *knot = def;
    const void *through;
    bool ok = lithe_copy_array(context, knot->through, knot->through_count, sizeof *knot->through,
                               &through);
    knot->through = through;
    return ok;
}

void lithe_release_knot(LitheContext *context, void *def) {
    lithe_free_const(context, ((LitheKnotDef *)def)->through);
}

LitheKnotId lithe_scene_add_knot(LitheScene *scene, const LitheKnotDef *def) {
    return (LitheKnotId){lithe_object_add(scene, LITHE_OBJECT_KNOT, def)};
}

// --- limits --------------------------------------------------------------------------------------

static void place(LitheCheck *check, const char *key, const LitheAnchor *a) {
    if (a->kind != LITHE_ANCHOR_ROD || !lithe_place_on_rod(&a->place, a->place.thing.number - 1))
        lithe_check_fail(check, key, "%s is no place on a rod, such as lace.start or lace.at(0.4)",
                         key);
    else if (a->at.x != 0 || a->at.y != 0 || a->at.z != 0 || a->rotation.w * a->rotation.w != 1)
        lithe_check_fail(check, key, "%s is on a rod: it takes no at and no rotate", key);
    else
        lithe_check_place(check, key, &a->place);
}

void lithe_check_knot(LitheCheck *check, const void *def) {
    const LitheKnotDef *k = def;
    char key[32];
    lithe_check_choice(check, "joined", (int)k->joined, LITHE_KNOT_STRAIGHT + 1);
    if (k->through_count < 2 || k->through_count % 2 || !k->through)
        lithe_check_fail(check, "through",
                         "through has %d places, must have two for each strand: its start and its "
                         "end",
                         k->through ? k->through_count : 0);
    for (int32_t i = 0; check->status == LITHE_OK && i < k->through_count; i++) {
        snprintf(key, sizeof key, "through[%d]", i);
        place(check, key, &k->through[i]);
        if (check->status != LITHE_OK || i % 2 == 0)
            continue;
        int32_t from = k->through[i - 1].place.thing.number, to = k->through[i].place.thing.number;
        if (from != to)
            lithe_check_fail(check, key,
                             "%s is on rod '%s', but its strand starts on rod '%s': a strand runs "
                             "along one rod",
                             key, check->scene->rods[to - 1].name,
                             check->scene->rods[from - 1].name);
    }
}
