// SPDX-License-Identifier: Apache-2.0
// body/knot.c - what is tied in a state: the knots of a scene

#include "lithe/knot.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/rod.h"
#include "data/model.h"
#include "data/state.h"
#include "geom/knot.h"
#include "geom/knot_close.h"

#include <string.h>

int32_t lithe_knot_count(const LitheModel *model) {
    return model->knot_count;
}

const char *lithe_knot_name(const LitheModel *model, LitheKnotId knot) {
    LITHE_ASSERT(knot.number >= 1 && knot.number <= model->knot_count);
    return model->knots[knot.number - 1].name;
}

LitheKnotId lithe_knot_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->knot_count; i++)
        if (strcmp(model->knots[i].name, name) == 0)
            return (LitheKnotId){i + 1};
    return (LitheKnotId){0};
}

// --- one state -----------------------------------------------------------------------------------

typedef struct Curve {
    LitheKnotStrand *strands; // [count]
    Vec3 *nodes;              // of the rods of all strands
    Vec3 *points;             // of the closed curve
    int32_t *ends;            // [count]
    int32_t count;
} Curve;

static int64_t node_count(const LitheModel *model, const LitheKnot *knot) {
    int64_t count = 0;
    for (int32_t i = 0; i < knot->strand_count; i++)
        count += model->rods[knot->strands[i].rod].node_count;
    return count;
}

// strands of one rod share its nodes
static Vec3 *take_nodes(const LitheRod *rod, const LitheState *state, Vec3 *at) {
    for (int32_t k = 0; k < rod->node_count; k++)
        at[k] = v3_load(state->q + rod->dof_at + 4 * (int64_t)k);
    return at + rod->node_count;
}

static void take_strands(const LitheModel *model, const LitheState *state, const LitheKnot *knot,
                         Curve *curve) {
    Vec3 *free = curve->nodes;
    for (int32_t i = 0; i < knot->strand_count; i++) {
        const LitheKnotPart *part = &knot->strands[i];
        const LitheRod *rod = &model->rods[part->rod];
        const Vec3 *points = free;
        for (int32_t k = 0; k < i; k++)
            if (knot->strands[k].rod == part->rod)
                points = curve->strands[k].points;
        if (points == free)
            free = take_nodes(rod, state, free);
        curve->strands[i] = (LitheKnotStrand){
            points,     rod->node_count, rod->closed, lithe_rod_half_thickness(rod),
            part->from, part->to,        part->join};
    }
}

static LitheStatus read_curve(const LitheModel *model, const LitheState *state,
                              const LitheKnot *knot, Curve *curve, LitheKnotReading *reading,
                              LitheError *error) {
    take_strands(model, state, knot, curve);
    int64_t room = lithe_knot_close_room(curve->strands, curve->count);
    curve->points = lithe_alloc_array(model->context, room, sizeof *curve->points);
    if (!curve->points)
        return lithe_fail_memory(error, "the curve of a knot");
    double weight = v3_norm(model->gravity);
    Vec3 up = weight > 0 ? v3_scale(-1 / weight, model->gravity) : v3(0, 0, 1);
    int32_t count = lithe_knot_close(curve->strands, curve->count, up, curve->points, curve->ends);
    double gap =
        lithe_knot_close_gap(curve->strands, curve->count, curve->points, count, curve->ends);
    LitheKnotType type = {0};
    LitheError why = {0};
    LitheStatus status = lithe_knot_type(curve->points, count, true, model->context, &type, &why);
    if (status == LITHE_NO_MEMORY) {
        if (error)
            *error = why;
        return status;
    }
    *reading = (LitheKnotReading){type.determinant, type.signature, type.crossings, gap};
    return LITHE_OK;
}

LitheStatus lithe_knot_read(const LitheModel *model, const LitheState *state, LitheKnotId id,
                            LitheKnotReading *reading, LitheError *error) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->knot_count);
    const LitheKnot *knot = &model->knots[id.number - 1];
    Curve curve = {.count = knot->strand_count};
    LitheContext *context = model->context;
    curve.strands = lithe_alloc_array(context, curve.count, sizeof *curve.strands);
    curve.ends = lithe_alloc_array(context, curve.count, sizeof *curve.ends);
    curve.nodes = lithe_alloc_array(context, node_count(model, knot), sizeof *curve.nodes);
    LitheStatus status = LITHE_NO_MEMORY;
    if (curve.strands && curve.ends && curve.nodes)
        status = read_curve(model, state, knot, &curve, reading, error);
    else
        lithe_fail_memory(error, "the strands of a knot");
    void *blocks[] = {curve.strands, curve.ends, curve.nodes, curve.points};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(context, blocks[k]);
    return status;
}
