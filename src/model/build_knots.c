// SPDX-License-Identifier: Apache-2.0
// model/build_knots.c - knots of a scene: the nodes of their strands

#include "base/memory.h"
#include "base/status.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>

// the node nearest to a fraction of the length as built
static int32_t nearest(const LitheRod *rod, double fraction) {
    double at = fraction * rod->built_arc[rod->edge_count];
    int32_t best = 0;
    for (int32_t i = 1; i < rod->node_count; i++)
        if (fabs(rod->built_arc[i] - at) < fabs(rod->built_arc[best] - at))
            best = i;
    return best;
}

static LitheStatus find_node(const LitheScene *scene, const LitheModel *model,
                             const LitheKnotDef *def, int32_t index, int32_t *node,
                             LitheError *error) {
    const LithePlace *place = &def->through[index].place;
    const LitheRod *rod = &model->rods[place->thing.number - 1];
    *node = place->kind == LITHE_PLACE_FRACTION ? nearest(rod, place->fraction)
            : place->node < 0                   ? place->node + rod->node_count
                                                : place->node;
    if (*node >= 0 && *node < rod->node_count)
        return LITHE_OK;
    char path[256];
    snprintf(path, sizeof path, "knots.%s.through[%d]", def->name, index);
    return lithe_scene_fail(scene, error, path,
                            "knot '%s': node %d does not exist, rod '%s' has nodes 0 to %d",
                            def->name, place->node, rod->name, rod->node_count - 1);
}

static LitheKnotJoin join_of(const LitheKnotDef *def, int32_t strand) {
    if (def->joined != LITHE_KNOT_AUTO)
        return def->joined;
    return def->through_count == 2 ? LITHE_KNOT_AROUND
           : strand % 2            ? LITHE_KNOT_BELOW
                                   : LITHE_KNOT_ABOVE;
}

static LitheStatus build_knot(const LitheScene *scene, const LitheKnotDef *def, LitheModel *model,
                              LitheKnot *knot, LitheError *error) {
    knot->name = lithe_alloc_text(scene->context, def->name);
    knot->strand_count = def->through_count / 2;
    knot->strands = lithe_alloc_array(scene->context, knot->strand_count, sizeof *knot->strands);
    if (!knot->name || !knot->strands)
        return lithe_fail_memory(error, "a knot");
    for (int32_t i = 0; i < knot->strand_count; i++) {
        LitheKnotPart *part = &knot->strands[i];
        part->rod = def->through[2 * i].place.thing.number - 1;
        part->join = join_of(def, i);
        LitheStatus status = find_node(scene, model, def, 2 * i, &part->from, error);
        if (status == LITHE_OK)
            status = find_node(scene, model, def, 2 * i + 1, &part->to, error);
        if (status != LITHE_OK)
            return status;
        const LitheRod *rod = &model->rods[part->rod];
        char path[256];
        snprintf(path, sizeof path, "knots.%s.through[%d]", def->name, 2 * i + 1);
        if (part->from == part->to && !rod->closed)
            return lithe_scene_fail(scene, error, path,
                                    "knot '%s': a strand starts and ends at node %d of rod '%s'",
                                    def->name, part->from, rod->name);
    }
    return LITHE_OK;
}

LitheStatus lithe_build_knots(const LitheScene *scene, LitheModel *model, LitheError *error) {
    if (scene->knot_count == 0)
        return LITHE_OK;
    model->knots = lithe_alloc_array(scene->context, scene->knot_count, sizeof *model->knots);
    if (!model->knots)
        return lithe_fail_memory(error, "the knots");
    model->knot_count = scene->knot_count;
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < scene->knot_count; i++)
        status = build_knot(scene, &scene->knots[i], model, &model->knots[i], error);
    return status;
}

void lithe_knots_free(LitheModel *model) {
    for (int32_t i = 0; i < model->knot_count; i++) {
        lithe_free(model->context, model->knots[i].name);
        lithe_free(model->context, model->knots[i].strands);
    }
    lithe_free(model->context, model->knots);
}
