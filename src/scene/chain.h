// SPDX-License-Identifier: Apache-2.0
// scene/chain.h - a chain becomes bodies, constraints and ignored pairs of its scene

#ifndef LITHE_SCENE_CHAIN_H
#define LITHE_SCENE_CHAIN_H

#include "scene/scene.h"

/// As lithe_scene_add_chain. On LITHE_BAD_INPUT it also returns which key is wrong ("" for none):
/// "radius", "shape.line.to".
LitheStatus lithe_chain_expand(LitheScene *scene, const LitheChainDef *def, char *key, size_t size,
                               LitheError *error);

#endif
