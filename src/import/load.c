// SPDX-License-Identifier: Apache-2.0
// import/load.c - scene files together with the robots that they refer to

#include "scene/load.h"

#include "lithe/rigid.h"

LitheStatus lithe_scene_load(LitheContext *context, const char *path, const char *const *overrides,
                             int32_t override_count, LitheScene **scene, LitheError *error) {
    LitheSceneText from = {.path = path};
    return lithe_scene_read(context, &from, overrides, override_count, lithe_scene_add_robot, scene,
                            error);
}

LitheStatus lithe_scene_parse(LitheContext *context, const char *text, size_t length,
                              const char *name, const char *folder, const char *const *overrides,
                              int32_t override_count, LitheScene **scene, LitheError *error) {
    LitheSceneText from = {.path = name ? name : "scene",
                           .text = text ? text : "",
                           .length = length,
                           .folder = folder};
    return lithe_scene_read(context, &from, overrides, override_count, lithe_scene_add_robot, scene,
                            error);
}
