// SPDX-License-Identifier: Apache-2.0
// tests/scene/loading.h - texts of scenes that must be accepted or refused

#ifndef LITHE_TEST_LOADING_H
#define LITHE_TEST_LOADING_H

#include "scene/scene.h"

#include "base/memory.h"
#include "test.h"

#define SCENES LITHE_SOURCE_DIR "/tests/scene/scenes/"
#define HEAD "lithe: 1\nmaterials: {nylon: {young: 1 MPa, density: 1000 kg/m^3}}\n"
#define ROPE \
    "rods:\n  rope: {material: nylon, section: {circle: {radius: 2 mm}}, " \
    "shape: {line: {to: [1, 0, 0]}}, nodes: 11}\n"

static LitheContext *context;
static LitheError error;

static inline LitheStatus parse(const char *text, size_t length, const char *override,
                                LitheScene **scene) {
    memset(&error, 0, sizeof error);
    *scene = NULL;
    return lithe_scene_parse(context, text, length, "a.yaml", NULL, &override, override ? 1 : 0,
                             scene, &error);
}

/// The text must be refused with exactly this message (`exact`) or one that contains it.
static inline void refuse_bytes(int line, const char *text, size_t length, const char *override,
                                const char *part) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    LitheStatus status = parse(text, length, override, &scene);
    if (status != LITHE_BAD_INPUT || !strstr(error.text, part) || scene) {
        test_list.failures++;
        printf("  line %d: status %d, got \"%s\", expected \"%s\"\n", line, status, error.text,
               part);
    }
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

#define REFUSE(text, part) refuse_bytes(__LINE__, text, strlen(text), NULL, part)
#define REFUSE_SET(text, set, part) refuse_bytes(__LINE__, text, strlen(text), set, part)

static inline LitheScene *take(const char *text, const char *override) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    if (parse(text, strlen(text), override, &scene) != LITHE_OK)
        printf("  %s\n", error.text);
    return scene;
}

static inline void drop(LitheScene *scene) {
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

#endif
