// SPDX-License-Identifier: Apache-2.0
// tests/run/whip.h - a small moving scene: a rod held at one end, driven, falling

#ifndef LITHE_TEST_WHIP_H
#define LITHE_TEST_WHIP_H

#include "lithe/run.h"

#include <math.h>

/// `nodes` nodes, to `end` [s] in steps of 1 ms, a frame every 5 ms. NULL when out of memory.
static inline LitheScene *whip_scene(LitheContext *context, int32_t nodes, double end) {
    LitheScene *scene = lithe_scene_create(context);
    if (!scene)
        return NULL;
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    rubber.damping_mass = 0.5;
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "whip";
    rod.material = lithe_scene_add_material(scene, &rubber);
    rod.nodes = nodes;
    rod.shape.to = (LitheVec3){0.5, 0, 0};
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "hand";
    drive.place.thing = lithe_thing_rod(lithe_scene_add_rod(scene, &rod));
    drive.kind = LITHE_DRIVE_POSITION;
    drive.direction = (LitheVec3){0, 0, 1};
    drive.motion.amplitude = 0.02;
    drive.motion.frequency = 3;
    LitheTimeDef time = lithe_time_def_default();
    time.step = 1e-3;
    time.end = end;
    LitheRecordDef record = lithe_record_def_default();
    static const char *const also[] = {"whip.velocity", "whip.tension", "hand.force"};
    record.every = 5e-3;
    record.also = also;
    record.also_count = 3;
    lithe_scene_set_time(scene, &time);
    bool fine = rod.material.number && drive.place.thing.number &&
                lithe_scene_add_drive(scene, &drive).number &&
                lithe_scene_set_title(scene, "Whip") && lithe_scene_set_record(scene, &record);
    if (!fine) {
        lithe_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

#endif
