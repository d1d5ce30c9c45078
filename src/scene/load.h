// SPDX-License-Identifier: Apache-2.0
// scene/load.h - scene files: reading, includes, overrides, then the scene itself

#ifndef LITHE_SCENE_LOAD_H
#define LITHE_SCENE_LOAD_H

#include "scene/scene.h"

/// Adds a robot from its file. The importers of robots (import/) use the scene, so the caller
/// passes this function in.
typedef LitheStatus LitheAddRobotFn(LitheScene *scene, const LitheRobotDef *def, LitheError *error);

/// Where a scene is read from.
typedef struct LitheSceneText {
    const char *path;   // of the file; with `text` its name in messages
    const char *text;   // NULL: read the file
    size_t length;      // of the text
    const char *folder; // of files that the text refers to; NULL: it may refer to none
} LitheSceneText;

/// Implements lithe_scene_load and lithe_scene_parse (import/load.c).
LitheStatus lithe_scene_read(LitheContext *context, const LitheSceneText *from,
                             const char *const *overrides, int32_t override_count,
                             LitheAddRobotFn *add_robot, LitheScene **scene, LitheError *error);

#endif
