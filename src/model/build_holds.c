// SPDX-License-Identifier: Apache-2.0
// model/build_holds.c - which degrees of freedom each hold holds, for its force and torque

#include "base/memory.h"
#include "base/status.h"
#include "model/compile.h"

#include <stdio.h>

bool lithe_holds_begin(const LitheScene *scene, LitheModel *model) {
    int64_t max = scene->hold_count + 2 * (int64_t)scene->rod_count;
    model->holds = lithe_alloc_array(scene->context, max, sizeof *model->holds);
    if (!model->holds)
        return false;
    model->hold_count = scene->hold_count;
    for (int32_t k = 0; k < scene->hold_count; k++) {
        model->holds[k].name = lithe_alloc_text(scene->context, scene->holds[k].name);
        if (!model->holds[k].name)
            return false;
    }
    return true;
}

static bool add(LitheModel *model, LitheHold *own, LitheThing thing, int32_t node, uint32_t mask) {
    own->thing = thing;
    if (!LITHE_RESERVE(model->context, own->nodes, own->node_capacity, (int64_t)own->count + 1) ||
        !LITHE_RESERVE(model->context, own->masks, own->mask_capacity, (int64_t)own->count + 1))
        return false;
    own->nodes[own->count] = node;
    own->masks[own->count++] = (unsigned char)mask;
    return true;
}

bool lithe_hold_add(LitheModel *model, int32_t hold, LitheThing thing, int32_t node,
                    uint32_t mask) {
    return add(model, &model->holds[hold], thing, node, mask);
}

bool lithe_hold_add_weld(LitheModel *model, int32_t constraint, LitheThing solid, int32_t unit,
                         const int32_t *nodes, int32_t count) {
    if (!LITHE_RESERVE(model->context, model->welds, model->weld_capacity,
                       (int64_t)model->weld_count + 1))
        return false;
    LitheHold *own = &model->welds[model->weld_count++];
    *own = (LitheHold){.unit = unit, .constraint = constraint + 1};
    for (int32_t i = 0; i < count; i++)
        if (!add(model, own, solid, nodes[i], LITHE_HOLD_POSITION))
            return false;
    return true;
}

bool lithe_hold_add_clamp(LitheModel *model, int32_t rod, bool end) {
    const LitheRod *of = &model->rods[rod];
    LitheThing thing = {LITHE_THING_ROD, rod + 1};
    int32_t edge = end ? of->edge_count - 1 : 0, hold = model->hold_count++;
    char name[256];
    snprintf(name, sizeof name, "%s/%s", of->name, end ? "end" : "start");
    model->holds[hold].name = lithe_alloc_text(model->context, name);
    return model->holds[hold].name &&
           lithe_hold_add(model, hold, thing, edge, LITHE_HOLD_POSITION | LITHE_HOLD_TWIST) &&
           lithe_hold_add(model, hold, thing, of->ends[edge][1], LITHE_HOLD_POSITION);
}

void lithe_holds_link(LitheModel *model) {
    for (int32_t k = model->hold_count - 1; k >= 0; k--) {
        LitheHold *hold = &model->holds[k];
        int32_t index = hold->thing.number - 1;
        hold->unit = hold->count == 0                            ? -1
                     : hold->thing.kind == LITHE_THING_ROD       ? model->rods[index].unit
                     : hold->thing.kind == LITHE_THING_PARTICLES ? model->particles[index].unit
                                                                 : model->solids[index].unit;
        if (hold->unit < 0)
            continue;
        hold->next = model->units[hold->unit].first_hold;
        model->units[hold->unit].first_hold = k + 1;
    }
}

void lithe_holds_free(LitheModel *model) {
    for (int32_t k = 0; model->holds && k < model->hold_count; k++) {
        lithe_free(model->context, model->holds[k].name);
        lithe_free(model->context, model->holds[k].nodes);
        lithe_free(model->context, model->holds[k].masks);
    }
    for (int32_t k = 0; model->welds && k < model->weld_count; k++) {
        lithe_free(model->context, model->welds[k].nodes);
        lithe_free(model->context, model->welds[k].masks);
    }
    lithe_free(model->context, model->holds);
    lithe_free(model->context, model->welds);
}
