// SPDX-License-Identifier: Apache-2.0
// tests/import/import_case.h - a scene for imported robots, and access to its objects

#ifndef LITHE_TESTS_IMPORT_CASE_H
#define LITHE_TESTS_IMPORT_CASE_H

#include "test.h"

#include "import/import.h"
#include "scene/scene.h"

typedef struct Case {
    LitheContext *context;
    LitheScene *scene;
    LitheRobotDef def; // called "r"
    LitheError error;
} Case;

static inline Case case_begin(void) {
    Case c = {.context = lithe_context_create(NULL), .def = lithe_robot_def_default()};
    c.scene = lithe_scene_create(c.context);
    c.def.name = "r";
    return c;
}

static inline void case_end(Case *c) {
    lithe_scene_destroy(c->scene);
    CHECK(lithe_context_bytes(c->context) == 0);
    lithe_context_destroy(c->context);
}

static inline bool case_ok(const Case *c, LitheStatus status) {
    if (status != LITHE_OK)
        printf("  %s\n", c->error.text);
    if (status != LITHE_OK)
        return false;
    // the result must be a valid scene
    LitheError error = {0};
    bool good = lithe_scene_check(c->scene, &error) == LITHE_OK;
    if (!good)
        printf("  %s\n", error.text);
    return good;
}

static inline LitheStatus parse(Case *c, const char *name, const char *text) {
    return lithe_import_parse(c->scene, &c->def, text, strlen(text), name, NULL, &c->error);
}

/// 0 when there is none.
static inline int32_t body_number(const Case *c, const char *name) {
    for (int32_t i = 0; i < c->scene->body_count; i++)
        if (strcmp(c->scene->bodies[i].name, name) == 0)
            return i + 1;
    return 0;
}

static inline const LitheBodyDef *body_named(const Case *c, const char *name) {
    int32_t number = body_number(c, name);
    return number ? &c->scene->bodies[number - 1] : NULL;
}

static inline const LitheJointDef *joint_named(const Case *c, const char *name) {
    for (int32_t i = 0; i < c->scene->joint_count; i++)
        if (strcmp(c->scene->joints[i].name, name) == 0)
            return &c->scene->joints[i];
    return NULL;
}

static inline bool pair_ignored(const Case *c, const char *a, const char *b) {
    for (int32_t i = 0; i < c->scene->ignored_pair_count; i++) {
        const LitheIgnoredPair *pair = &c->scene->ignored_pairs[i];
        if ((strcmp(pair->a, a) == 0 && strcmp(pair->b, b) == 0) ||
            (strcmp(pair->a, b) == 0 && strcmp(pair->b, a) == 0))
            return true;
    }
    return false;
}

#endif
