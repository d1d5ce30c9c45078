// SPDX-License-Identifier: Apache-2.0
// cli/plan_load.c - the scene of a plan, for a playback

#include "cli/plan_load.h"

#include "base/status.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LitheStatus lithe_cli_plan_load(const LitheCliPlanSource *from, LitheCliPlanWorld *to,
                                LitheError *error) {
    const char **sets = calloc((size_t)from->set_count + 5, sizeof *sets);
    char contact[64], step[64], end[64];
    bool lcp = strcmp(from->model, "lcp") == 0;
    if (sets == NULL)
        return lithe_fail_memory(error, "a playback");
    snprintf(contact, sizeof contact, "contact.model=%s", from->model);
    snprintf(step, sizeof step, "time.step=%.17g s", from->step);
    snprintf(end, sizeof end, "time.end=%.17g s", from->step * from->stages);
    int32_t count = from->set_count;
    for (int32_t i = 0; i < count; i++)
        sets[i] = from->sets[i];
    sets[count++] = contact;
    sets[count++] = lcp ? "time.scheme=linearly-implicit" : "time.scheme=backward-euler";
    sets[count++] = step;
    sets[count++] = end;
    LitheStatus status =
        lithe_scene_load(from->context, from->path, sets, count, &to->scene, error);
    free(sets);
    if (status == LITHE_OK)
        status = lithe_compile(to->scene, &to->model, &to->state, error);
    if (status == LITHE_OK && (to->work = lithe_work_create(to->model, 1)) == NULL)
        status = lithe_fail_memory(error, "a playback");
    return status;
}

void lithe_cli_plan_unload(LitheCliPlanWorld *world) {
    lithe_work_destroy(world->work);
    lithe_state_destroy(world->state);
    lithe_model_destroy(world->model);
    lithe_scene_destroy(world->scene);
    *world = (LitheCliPlanWorld){0};
}

LitheContactSide lithe_cli_plan_side(const LitheScene *scene, LitheBodyId body) {
    const LitheBodyDef *def = &scene->bodies[body.number - 1];
    int32_t part = 0;
    while (part + 1 < def->geom_count && def->geoms[part].visual)
        part++;
    return (LitheContactSide){.thing = lithe_thing_body(body), .part = part};
}
