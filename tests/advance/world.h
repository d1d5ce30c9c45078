// SPDX-License-Identifier: Apache-2.0
// tests/advance/world.h - a world from the text of a scene, stepped through the public calls

#ifndef LITHE_TEST_WORLD_H
#define LITHE_TEST_WORLD_H

#include "base/memory.h"
#include "lithe/lithe.h"

#include "test.h"

#include <stdarg.h>

// folder of the files that scenes name; a test that needs one defines it
#ifndef WORLD_FOLDER
#define WORLD_FOLDER NULL
#endif

typedef struct World {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheReport report; // of the last step
    int32_t unconverged;
    bool ok;
} World;

/// `text` is a printf format. w.ok says whether it compiled.
__attribute__((format(printf, 1, 2))) static inline World world_of(const char *text, ...) {
    World w = {.context = lithe_context_create(NULL)};
    char scene[65536];
    va_list arguments;
    va_start(arguments, text);
    int length = vsnprintf(scene, sizeof scene, text, arguments);
    va_end(arguments);
    LitheError error;
    w.ok = length > 0 && (size_t)length < sizeof scene &&
           lithe_scene_parse(w.context, scene, (size_t)length, "scene", WORLD_FOLDER, NULL, 0,
                             &w.scene, &error) == LITHE_OK &&
           lithe_compile(w.scene, &w.model, &w.state, &error) == LITHE_OK;
    if (w.ok)
        w.work = lithe_work_create(w.model, 1);
    else
        printf("  %s\n", error.text);
    CHECK(w.ok);
    return w;
}

/// A scene that is refused when it is read or compiled, with `part` in the message; `text` is a
/// printf format.
__attribute__((format(printf, 2, 3))) static inline void world_refused(const char *part,
                                                                       const char *text, ...) {
    World w = {.context = lithe_context_create(NULL)};
    char scene[4096];
    va_list arguments;
    va_start(arguments, text);
    int length = vsnprintf(scene, sizeof scene, text, arguments);
    va_end(arguments);
    LitheError error = {0};
    LitheStatus status = lithe_scene_parse(w.context, scene, (size_t)length, "scene.yaml", NULL,
                                           NULL, 0, &w.scene, &error);
    if (status == LITHE_OK)
        status = lithe_compile(w.scene, &w.model, &w.state, &error);
    CHECK(length > 0 && (size_t)length < sizeof scene);
    CHECK(status == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, part);
    lithe_state_destroy(w.state);
    lithe_model_destroy(w.model);
    lithe_scene_destroy(w.scene);
    CHECK(lithe_context_bytes(w.context) == 0);
    lithe_context_destroy(w.context);
}

/// Steps; those that did not converge are counted.
static inline bool world_step(World *w, int64_t steps) {
    for (int64_t i = 0; w->ok && i < steps; i++) {
        LitheError error;
        w->ok = lithe_step(w->model, w->state, w->work, &w->report, &error) == LITHE_OK;
        if (!CHECK(w->ok))
            printf("  %s\n", error.text);
        w->unconverged += w->report.bodies_unconverged > 0 || w->report.solve_unconverged ||
                          w->report.friction_unsettled;
    }
    return w->ok;
}

/// Compiles a scene that was made by calls.
static inline bool world_compile(World *w, LitheScheme scheme, double step, int threads) {
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = scheme;
    time.step = step;
    time.end = 1e4;
    lithe_scene_set_time(w->scene, &time);
    LitheError error;
    if (lithe_compile(w->scene, &w->model, &w->state, &error) != LITHE_OK) {
        printf("  %s\n", error.text);
        return false;
    }
    w->work = lithe_work_create(w->model, threads);
    return w->work != NULL;
}

/// Steps; false where one fails or does not converge.
static inline bool world_run(World *w, int steps) {
    LitheError error;
    for (int i = 0; i < steps; i++) {
        if (lithe_step(w->model, w->state, w->work, &w->report, &error) != LITHE_OK) {
            printf("  %s\n", error.text);
            return false;
        }
        if (w->report.bodies_unconverged) {
            printf("  step %d: not converged, residual %g\n", i, w->report.residual);
            return false;
        }
    }
    return true;
}

/// Compiles with allocation `n` failing; whether it was needed.
static inline bool world_compile_fails(World *w, int64_t n, int threads) {
    lithe_context_fail_at(w->context, n);
    LitheError error;
    LitheStatus status = lithe_compile(w->scene, &w->model, &w->state, &error);
    CHECK(status == LITHE_OK || status == LITHE_NO_MEMORY);
    if (status == LITHE_OK)
        w->work = lithe_work_create(w->model, threads);
    lithe_context_fail_at(w->context, 0);
    return w->work == NULL;
}

static inline void world_end(World *w) {
    lithe_work_destroy(w->work);
    lithe_state_destroy(w->state);
    lithe_model_destroy(w->model);
    lithe_scene_destroy(w->scene);
    CHECK(lithe_context_bytes(w->context) == 0);
    lithe_context_destroy(w->context);
}

static inline LitheVec3 body_at(const World *w, const char *name) {
    double pose[7];
    lithe_body_pose(w->model, w->state, lithe_body_find(w->model, name), pose);
    return (LitheVec3){pose[0], pose[1], pose[2]};
}

static inline LitheVec3 body_speed(const World *w, const char *name) {
    double v[6];
    lithe_body_velocity(w->model, w->state, lithe_body_find(w->model, name), v);
    return (LitheVec3){v[0], v[1], v[2]};
}

static inline double joint_at(const World *w, const char *name) {
    return *lithe_joint_position(w->model, w->state, lithe_joint_find(w->model, name));
}

static inline double joint_speed(const World *w, const char *name) {
    return *lithe_joint_velocity(w->model, w->state, lithe_joint_find(w->model, name));
}

static inline double joint_effort(const World *w, const char *name) {
    return *lithe_joint_effort(w->model, w->state, lithe_joint_find(w->model, name));
}

static inline double stored(const World *w) {
    LitheEnergy e = lithe_energy(w->model, w->state);
    return e.kinetic + e.elastic + e.gravity;
}

static inline double vector_length(LitheVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

#endif
