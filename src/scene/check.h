// SPDX-License-Identifier: Apache-2.0
// scene/check.h - inside of lithe_scene_check: a checker that stops at the first wrong value

#ifndef LITHE_SCENE_CHECK_H
#define LITHE_SCENE_CHECK_H

#include "scene/scene.h"

/// The longest name of anything in a scene [characters].
#define LITHE_NAME_LENGTH 100

/// Points at one object at a time. Once `status` is not LITHE_OK every further check does nothing.
typedef struct LitheCheck {
    const LitheScene *scene;
    LitheError *error;
    LitheStatus status;
    bool warn;          // also log what is legal but suspicious
    char label[160];    // "rod 'rope'"
    char path[256];     // "rods.rope"
    const char *prefix; // between path and key, not shown: "section.circle."
} LitheCheck;

typedef enum LitheLimit {
    LITHE_ANY,          // finite
    LITHE_POSITIVE,     // finite and > 0
    LITHE_NOT_NEGATIVE, // finite and >= 0
} LitheLimit;

/// Aims at object `index` of a section: ("rod", "rods", "rope", 0).
void lithe_check_aim(LitheCheck *check, const char *kind, const char *section, const char *name,
                     int32_t index);

/// "LABEL: MESSAGE", at the place of `key` of the object aimed at ("" for the object itself).
void lithe_check_fail(LitheCheck *check, const char *key, const char *format, ...)
    LITHE_PRINTF(3, 4);

/// True for letters, digits, - and _ that begin with a letter, LITHE_NAME_LENGTH at most.
bool lithe_name_is_good(const char *name);

/// Nodes of a rod as built; -1 when only its point file knows.
int32_t lithe_rod_def_node_count(const LitheRodDef *rod);
bool lithe_rod_def_closed(const LitheRodDef *rod);

/// Names, and who holds or drives the same thing twice (check_clash.c).
void lithe_check_names(LitheCheck *check);
void lithe_check_clashes(LitheCheck *check);

/// What lithe_scene_check does, with the warnings to the log optional.
LitheStatus lithe_scene_check_values(const LitheScene *scene, bool warn, LitheError *error);

#endif
