// SPDX-License-Identifier: Apache-2.0
// scene/control.c - keys and gamepads: default, copies, adding

#include "scene/copy.h"
#include "scene/objects.h"

LitheControlDef lithe_control_def_default(void) {
    return (LitheControlDef){.axis = -1};
}

// in addition to the name
enum { TEXTS = 5 };

static void list_texts(LitheControlDef *control, const char **texts[TEXTS]) {
    const char **all[TEXTS] = {&control->key, &control->drive, &control->actuator, &control->hand,
                               &control->constraint};
    for (int i = 0; i < TEXTS; i++)
        texts[i] = all[i];
}

bool lithe_copy_control(LitheContext *context, void *def) {
    const char **texts[TEXTS];
    bool fine = true;
    list_texts(def, texts);
    for (int i = 0; i < TEXTS; i++)
        fine = lithe_copy_text(context, texts[i]) && fine;
    return fine;
}

void lithe_release_control(LitheContext *context, void *def) {
    const char **texts[TEXTS];
    list_texts(def, texts);
    for (int i = 0; i < TEXTS; i++)
        lithe_free_const(context, *texts[i]);
}

bool lithe_scene_add_control(LitheScene *scene, const LitheControlDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_CONTROL, def) > 0;
}
