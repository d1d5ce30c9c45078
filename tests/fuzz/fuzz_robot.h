// SPDX-License-Identifier: Apache-2.0
// tests/fuzz/fuzz_robot.h - what must hold for any file of a robot

#ifndef LITHE_FUZZ_ROBOT_H
#define LITHE_FUZZ_ROBOT_H

#include "import/import.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void demand(bool holds, const char *what, const char *detail) {
    if (holds)
        return;
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
}

static inline bool is_unit(LitheQuat q) {
    return fabs(q4_norm(q) - 1) < 1e-9;
}

static inline void check_bodies(const LitheScene *scene) {
    for (int32_t i = 0; i < scene->body_count; i++) {
        const LitheBodyDef *body = &scene->bodies[i];
        demand(body->name && body->name[0], "body", "no name");
        demand(is_unit(body->rotation), "body", "rotation");
        demand(body->mass >= 0 && isfinite(body->mass), "body", "mass");
        for (int32_t k = 0; k < body->geom_count; k++) {
            demand(is_unit(body->geoms[k].rotation), "geom", "rotation");
            demand(body->geoms[k].material.number <= scene->material_count, "geom", "material");
        }
    }
    for (int32_t i = 0; i < scene->joint_count; i++) {
        const LitheJointDef *joint = &scene->joints[i];
        demand(is_unit(joint->parent_rotation) && is_unit(joint->child_rotation), "joint",
               "rotation");
        demand(joint->child.number > 0 && joint->child.number <= scene->body_count, "joint",
               "child");
        demand(joint->parent.number >= 0 && joint->parent.number <= scene->body_count, "joint",
               "parent");
        demand(!(joint->lower > joint->upper), "joint", "limits");
    }
    for (int32_t i = 0; i < scene->actuator_count; i++)
        demand(scene->actuators[i].joint.number > 0 &&
                   scene->actuators[i].joint.number <= scene->joint_count,
               "actuator", "joint");
}

static inline int fuzz_robot(LitheRobotFormat format, const uint8_t *data, size_t size) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheError error = {0};
    LitheRobotDef def = lithe_robot_def_default();
    def.name = "r";
    def.format = format;
    def.floating = size % 2;
    LitheStatus status =
        lithe_import_parse(scene, &def, (const char *)data, size, "fuzz.xml", NULL, &error);
    if (status == LITHE_OK) {
        check_bodies(scene);
    } else {
        demand(error.text[0] && error.status == status, "message", error.text);
        demand(status != LITHE_NO_MEMORY && status != LITHE_FILE_ERROR, "status", error.text);
        demand(scene->body_count + scene->joint_count + scene->note_count + scene->material_count +
                       scene->actuator_count + scene->ignored_pair_count ==
                   0,
               "scene", "changed");
    }
    lithe_scene_destroy(scene);
    demand(lithe_context_bytes(context) == 0, "memory", "left over");
    lithe_context_destroy(context);
    return 0;
}

#endif
