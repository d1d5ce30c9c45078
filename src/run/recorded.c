// SPDX-License-Identifier: Apache-2.0
// run/recorded.c - what a run will record, by its scene

#include "run/recorded.h"

#include "run/goals.h"
#include "scene/scene.h"

LitheStatus lithe_recorded_layout(const LitheScene *scene, const LitheModel *model,
                                  const LitheState *state, LitheLayout *layout, LitheFrameMap *map,
                                  LitheTopology *topology, LitheError *error) {
    LitheError why = {0};
    LitheStatus status = lithe_frame_layout(model, &scene->record, layout, map, &why);
    if (status == LITHE_BAD_INPUT)
        return lithe_scene_fail(scene, error, "record.also", "%s", why.text);
    if (status != LITHE_OK) {
        if (error)
            *error = why;
        return status;
    }
    return lithe_topology_begin(topology, model, state, scene->record.topology, layout, error);
}

LitheStatus lithe_recorded_check(const LitheScene *scene, const LitheModel *model,
                                 const LitheState *state, LitheError *error) {
    LitheLayout layout = {.context = scene->context};
    LitheFrameMap map = {.context = scene->context};
    LitheTopology topology = {.context = scene->context};
    LitheStatus status =
        lithe_recorded_layout(scene, model, state, &layout, &map, &topology, error);
    if (status == LITHE_OK)
        status = lithe_goals_check(scene, &layout, error);
    lithe_topology_release(&topology);
    lithe_frame_map_release(&map);
    lithe_layout_release(&layout);
    return status;
}
