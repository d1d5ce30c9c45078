// SPDX-License-Identifier: Apache-2.0
// tests/tools/core_rope.c - ropes that coil on a floor, from lithe-core alone: prints their state
//
// core_rope [THREADS] [STEPS]

#include "base/threads.h"
#include "lithe/model.h"
#include "lithe/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static LitheScene *make_scene(LitheContext *context) {
    LitheScene *scene = lithe_scene_create(context);
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "rubber";
    LitheGeomDef floor = lithe_geom_def_default();
    floor.kind = LITHE_GEOM_HALF_SPACE;
    LitheBodyDef ground = lithe_body_def_default();
    ground.name = "floor";
    ground.fixed = true;
    ground.geoms = &floor;
    ground.geom_count = 1;
    floor.material = lithe_scene_add_material(scene, &material);
    lithe_scene_add_body(scene, &ground);
    for (int k = 0; k < 2; k++) {
        LitheRodDef rope = lithe_rod_def_default();
        rope.name = k ? "slanted" : "steep";
        rope.material = floor.material;
        rope.nodes = 121;
        rope.shape.kind = LITHE_SHAPE_LINE;
        rope.shape.from = (LitheVec3){0.1 * k, 0, 0.006};
        rope.shape.to = (LitheVec3){0.1 * k + 0.3, 0.2 * k, k ? 0.3 : 0.008};
        lithe_scene_add_rod(scene, &rope);
    }
    LitheTimeDef time = lithe_time_def_default();
    time.step = 2e-3;
    lithe_scene_set_time(scene, &time);
    return scene;
}

int main(int count, char **arguments) {
    int threads = count > 1 ? atoi(arguments[1]) : 1, steps = count > 2 ? atoi(arguments[2]) : 30;
    LitheError error;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    lithe_set_fork_cost(0); // also short jobs are shared
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = make_scene(context);
    LitheStatus status = lithe_compile(scene, &model, &state, &error);
    LitheWork *work = status == LITHE_OK ? lithe_work_create(model, threads) : NULL;
    int32_t contacts = 0;
    for (int i = 0; i < steps && status == LITHE_OK; i++) {
        LitheReport report;
        status = lithe_step(model, state, work, &report, &error);
        contacts = report.contacts > contacts ? report.contacts : contacts;
    }
    if (status == LITHE_OK)
        printf("contacts %d state %016" PRIx64 "\n", (int)contacts, lithe_state_hash(state));
    else
        fprintf(stderr, "%s\n", error.text);
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return status != LITHE_OK;
}
