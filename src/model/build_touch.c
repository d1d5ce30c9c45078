// SPDX-License-Identifier: Apache-2.0
// model/build_touch.c - what touches what, and how: contact numbers of materials, ignored pairs

#include "base/memory.h"
#include "base/status.h"
#include "model/compile.h"

#include <stdlib.h>
#include <string.h>

LitheTouch lithe_touch_of(const LitheScene *scene, LitheMaterialId material, uint32_t group,
                          uint32_t mask) {
    LitheMaterialDef def =
        material.number > 0 ? scene->materials[material.number - 1] : lithe_material_def_default();
    return (LitheTouch){.stiffness = def.contact_stiffness,
                        .dissipation = def.contact_dissipation,
                        .friction = def.friction,
                        .torsional = def.torsional_friction,
                        .rolling = def.rolling_friction,
                        .group = group,
                        .mask = mask};
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// number of the rod or body of this name; the scene has been checked, so there is one
static int32_t thing_named(const LitheScene *scene, const char *name) {
    for (int32_t i = 0; i < scene->rod_count; i++)
        if (strcmp(scene->rods[i].name, name) == 0)
            return i;
    int32_t i = 0;
    while (i < scene->body_count && strcmp(scene->bodies[i].name, name) != 0)
        i++;
    return scene->rod_count + i;
}

LitheStatus lithe_build_ignored(const LitheScene *scene, LitheModel *model, LitheError *error) {
    int64_t most = (int64_t)scene->ignored_pair_count + scene->joint_count;
    model->ignored = lithe_alloc_array(scene->context, most, sizeof *model->ignored);
    if (!model->ignored)
        return lithe_fail_memory(error, "the pairs that never touch");
    for (int32_t i = 0; i < scene->ignored_pair_count; i++)
        model->ignored[model->ignored_count++] =
            lithe_thing_pair(thing_named(scene, scene->ignored_pairs[i].a),
                             thing_named(scene, scene->ignored_pairs[i].b));
    for (int32_t i = 0; i < scene->joint_count; i++) {
        const LitheJointDef *joint = &scene->joints[i];
        if (joint->parent.number > 0)
            model->ignored[model->ignored_count++] =
                lithe_thing_pair(scene->rod_count + joint->parent.number - 1,
                                 scene->rod_count + joint->child.number - 1);
    }
    qsort(model->ignored, (size_t)model->ignored_count, sizeof *model->ignored, by_key);
    return LITHE_OK;
}
