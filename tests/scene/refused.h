// SPDX-License-Identifier: Apache-2.0
// tests/scene/refused.h - one wrong value of a scene: the check refuses it, with a message

#ifndef LITHE_TEST_SCENE_REFUSED_H
#define LITHE_TEST_SCENE_REFUSED_H

#include "scene/scene.h"

#include "test.h"

/// Sets *place, in the scene, to `bad`, expects a message with `part`, and restores the old value.
static inline void refuse_at(const char *file, int line, const LitheScene *scene, LitheError *error,
                             const double *place, double bad, const char *part) {
    double *own = (double *)place, old = *own;
    *own = bad;
    error->text[0] = '\0';
    bool refused = lithe_scene_check(scene, error) == LITHE_BAD_INPUT;
    *own = old;
    if (!refused || !strstr(error->text, part)) {
        test_list.failures++;
        printf("  %s:%d: %g got \"%s\", expected \"%s\"\n", file, line, bad, error->text, part);
    }
}

// of a world `w` with its scene and error
#define REFUSE(place, bad, part) refuse_at(__FILE__, __LINE__, w.scene, &w.error, place, bad, part)

// integer fields and others: set, check, restore
#define REFUSE_VALUE(field, bad, part) \
    do { \
        __typeof__(field) old_ = (field); \
        (field) = (bad); \
        w.error.text[0] = '\0'; \
        CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT); \
        CHECK_TEXT(w.error.text, part); \
        (field) = old_; \
    } while (0)

/// Number of the first allocation that creating and filling a scene can do without; those before
/// leave nothing behind when they fail.
static inline int first_spare_allocation(bool (*fill)(LitheScene *scene)) {
    LitheContext *context = lithe_context_create(NULL);
    int n = 1;
    for (; n < 1000; n++) {
        lithe_context_fail_at(context, n);
        LitheScene *scene = lithe_scene_create(context);
        bool filled = scene && fill(scene);
        lithe_context_fail_at(context, 0);
        lithe_scene_destroy(scene);
        CHECK(lithe_context_bytes(context) == 0);
        if (filled)
            break;
    }
    lithe_context_destroy(context);
    return n;
}

#endif
