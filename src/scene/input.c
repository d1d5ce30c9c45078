// SPDX-License-Identifier: Apache-2.0
// scene/input.c - the files that a scene was read from, so that no output replaces one of them

#include "scene/input.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "scene/scene.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool lithe_scene_add_input(LitheScene *scene, const char *path) {
    // the real path: programs may change their folder before they write
    char real[PATH_MAX];
    const char *name = realpath(path, real) ? real : path;
    for (int32_t i = 0; i < scene->input_count; i++)
        if (strcmp(scene->inputs[i], name) == 0)
            return true;
    if (!LITHE_RESERVE(scene->context, scene->inputs, scene->input_capacity,
                       (int64_t)scene->input_count + 1))
        return false;
    char *own = lithe_alloc_text(scene->context, name);
    if (own)
        scene->inputs[scene->input_count++] = own;
    return own != NULL;
}

static LitheStatus check(const char *input, const char *path, LitheError *error) {
    if (!input || !lithe_file_same(input, path))
        return LITHE_OK;
    return lithe_fail(
        error, LITHE_BAD_INPUT,
        "%s: the scene was read from it (%s), and an input is never overwritten: give "
        "the output another name",
        path, input);
}

LitheStatus lithe_scene_check_output(const LitheScene *scene, const char *path, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < scene->file_count; i++)
        status = check(scene->files[i], path, error);
    for (int32_t i = 0; status == LITHE_OK && i < scene->input_count; i++)
        status = check(scene->inputs[i], path, error);
    // files named in the defs of scenes that were built by calls
    for (int32_t i = 0; status == LITHE_OK && i < scene->rod_count; i++)
        status = check(scene->rods[i].shape.path, path, error);
    for (int32_t i = 0; status == LITHE_OK && i < scene->body_count; i++)
        for (int32_t k = 0; status == LITHE_OK && k < scene->bodies[i].geom_count; k++)
            status = check(scene->bodies[i].geoms[k].path, path, error);
    return status;
}
