// SPDX-License-Identifier: Apache-2.0
// tests/collide/patch_world.h - a scene with contact patches, compiled, with its warnings

#ifndef LITHE_TEST_PATCH_WORLD_H
#define LITHE_TEST_PATCH_WORLD_H

#include "data/contacts.h"
#include "lithe/lithe.h"

#include "test.h"

static char warnings[4096];

static void note(LitheLogLevel level, const char *text, void *user) {
    (void)user, (void)level;
    size_t used = strlen(warnings);
    snprintf(warnings + used, sizeof warnings - used, "%s\n", text);
}

typedef struct World {
    LitheContext *context;
    LitheModel *model;
    LitheState *state;
    LitheContacts *contacts;
    LitheError error;
} World;

static LitheStatus make(const char *text, World *w) {
    *w = (World){0};
    warnings[0] = 0;
    LitheContextDef def = lithe_context_def_default();
    def.log = note;
    w->context = lithe_context_create(&def);
    LitheScene *scene = NULL;
    LitheStatus status = lithe_scene_parse(w->context, text, strlen(text), "patches.yaml", NULL,
                                           NULL, 0, &scene, &w->error);
    if (status == LITHE_OK)
        status = lithe_compile(scene, &w->model, &w->state, &w->error);
    lithe_scene_destroy(scene);
    w->contacts = lithe_contacts_create(w->context);
    return status;
}

static void end(World *w) {
    lithe_contacts_destroy(w->contacts);
    lithe_state_destroy(w->state);
    lithe_model_destroy(w->model);
    CHECK(lithe_context_bytes(w->context) == 0);
    lithe_context_destroy(w->context);
}

#endif
