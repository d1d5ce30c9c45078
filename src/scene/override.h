// SPDX-License-Identifier: Apache-2.0
// scene/override.h - "rods.rope.nodes=51": one value of a scene file replaced or added

#ifndef LITHE_SCENE_OVERRIDE_H
#define LITHE_SCENE_OVERRIDE_H

#include "scene/tree.h"

/// Changes the tree. Objects and parameters must exist, keys must be valid.
LitheStatus lithe_override(LitheYaml *tree, LitheTreeNode *root, const char *text,
                           LitheError *error);

#endif
