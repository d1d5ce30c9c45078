// SPDX-License-Identifier: Apache-2.0
// scene/scene.h - inside of a scene: the defs as added, with deep copies of what they point to

#ifndef LITHE_SCENE_SCENE_H
#define LITHE_SCENE_SCENE_H

#include "lithe/scene.h"

/// Where in a file a value stands; path like "rods.rope.section.circle.radius".
typedef struct LitheSource {
    char *path;
    int32_t file; // index into LitheScene.files
    int32_t line;
    int32_t column;
} LitheSource;

struct LitheScene {
    LitheContext *context;
    char *title; // may be NULL
    LitheVec3 gravity;
    LitheTimeDef time;
    LitheRecordDef record;

    // ids are index + 1
    LitheMaterialDef *materials;
    int32_t material_count, material_capacity;
    LitheRodDef *rods;
    int32_t rod_count, rod_capacity;
    LitheHoldDef *holds;
    int32_t hold_count, hold_capacity;
    LitheDriveDef *drives;
    int32_t drive_count, drive_capacity;
    LitheForceDef *forces;
    int32_t force_count, force_capacity;
    LitheNaturalDriveDef *natural_drives;
    int32_t natural_drive_count, natural_drive_capacity;

    // where things stand, for messages; empty for scenes built by calls
    char **files;
    int32_t file_count, file_capacity;
    LitheSource *sources; // sorted by path once loading is done
    int32_t source_count, source_capacity;
};

/// Fails with "file:line:column: " when the scene knows where `path` (or its nearest parent)
/// stands.
LitheStatus lithe_scene_fail(const LitheScene *scene, LitheError *error, const char *path,
                             const char *format, ...) LITHE_PRINTF(4, 5);

#endif
