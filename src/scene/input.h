// SPDX-License-Identifier: Apache-2.0
// scene/input.h - the files that a scene was read from

#ifndef LITHE_SCENE_INPUT_H
#define LITHE_SCENE_INPUT_H

#include "lithe/scene.h"

/// Notes that the scene was made from this file: points, a mesh, a robot. False when out of memory.
bool lithe_scene_add_input(LitheScene *scene, const char *path);

/// Fails when `path` leads to a file that the scene was read from, by whatever name or link.
LitheStatus lithe_scene_check_output(const LitheScene *scene, const char *path, LitheError *error);

#endif
