// SPDX-License-Identifier: Apache-2.0
// scene/arm.h - an arm becomes bodies, joints, actuators and ignored pairs of its scene

#ifndef LITHE_SCENE_ARM_H
#define LITHE_SCENE_ARM_H

#include "lithe/arm.h"
#include "scene/scene.h"

/// As lithe_scene_add_arm. On LITHE_BAD_INPUT it also returns which key is wrong ("" for none).
LitheStatus lithe_arm_expand(LitheScene *scene, const LitheArmDef *def, char *key, size_t size,
                             LitheError *error);

/// The section that a section stands on, both as numbers of joints; 0: it stands on something else.
int32_t lithe_section_before(const LitheScene *scene, int32_t joint);

#endif
