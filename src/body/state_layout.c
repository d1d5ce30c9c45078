// SPDX-License-Identifier: Apache-2.0
// body/state_layout.c - states saved in an earlier layout
//
// Layout 1 listed the numbers of all rods, then of all trees, part by part. Layout 2 stores numbers
// that only one kind has (state->own) unit by unit. Layout 3 has the same order: from it on, a
// scene without a scheme means TR-BDF2, before it backward Euler. Layout 4 adds the contacts of the
// last step at the end; without them a step takes more iterations. The other numbers are the same:
// one list of ranges of a state, in the order of layout 1, is used for reading and for writing.

#include "data/state.h"

#include <string.h>

// an iteration over the ranges of a state in the order of layout 1
typedef struct Walk {
    double *data;    // of layout 1; NULL: only counts
    bool into_state; // false: out of it
    int64_t count;   // doubles so far
} Walk;

static void pass(Walk *walk, double *range, int64_t count) {
    double *old = walk->data ? walk->data + walk->count : NULL;
    if (old && walk->into_state)
        memcpy(range, old, (size_t)count * sizeof(double));
    else if (old)
        memcpy(old, range, (size_t)count * sizeof(double));
    walk->count += count;
}

static void pass_layout_1(const LitheModel *model, LitheState *state, Walk *walk) {
    pass(walk, state->clock, 2);
    pass(walk, state->q, model->q_count);
    pass(walk, state->v, model->v_count);
    for (int32_t i = 0; i < model->tree_count; i++)
        pass(walk, state->own + model->trees[i].effort_at, model->trees[i].rigid.v_count);
    for (int32_t i = 0; i < model->rod_count; i++)
        pass(walk, state->own + model->rods[i].d1_at, 3 * (int64_t)model->rods[i].edge_count);
    for (int32_t i = 0; i < model->rod_count; i++)
        pass(walk, state->own + model->rods[i].tau_at, model->rods[i].node_count);
    pass(walk, state->sums, 2 * (int64_t)model->unit_count);
    pass(walk, state->drives, 4 * (int64_t)model->drive_count);
    for (int32_t i = 0; i < model->tree_count; i++)
        pass(walk, state->own + model->trees[i].aim_at, model->trees[i].aim_count);
    pass(walk, state->constraints, state->took - state->constraints);
    pass(walk, state->took, state->commands - state->took);
    pass(walk, state->commands, state->poses - state->commands);
    pass(walk, state->poses, state->potential_contact - state->poses);
    pass(walk, state->pushes, 3 * model->point_count);
    for (int32_t i = 0; i < model->tree_count; i++)
        pass(walk, state->own + model->trees[i].wrench_at,
             6 * (int64_t)model->trees[i].rigid.link_count);
    pass(walk, state->potential_contact, state->slips - state->potential_contact);
}

// layouts that are the array of a state, or its first part
static bool is_flat(int32_t layout) {
    return layout >= LITHE_STATE_LAYOUT_EULER && layout <= LITHE_STATE_LAYOUT;
}

static int64_t flat_size(const LitheModel *model, const LitheState *state, int32_t layout) {
    int32_t last = lithe_path_count(model) > 0 ? LITHE_STATE_LAYOUT_NO_PATH_SLIPS
                   : model->face_count == 0    ? LITHE_STATE_LAYOUT_NO_SLIPS
                                               : LITHE_STATE_LAYOUT_RIGID_SLIPS;
    return layout > last ? state->size : state->slips - state->data;
}

// layout 1 cannot represent newer features
static bool fits_layout_1(const LitheModel *model) {
    return model->rod_count + model->tree_count == model->unit_count;
}

int64_t lithe_state_get_layout(const LitheModel *model, const LitheState *state, int32_t layout,
                               double *data) {
    if (is_flat(layout)) {
        int64_t size = flat_size(model, state, layout);
        if (data)
            memcpy(data, state->data, (size_t)size * sizeof(double));
        return size;
    }
    if (layout != 1 || !fits_layout_1(model))
        return -1;
    Walk walk = {data, false, 0};
    pass_layout_1(model, (LitheState *)state, &walk); // only reads
    return walk.count;
}

bool lithe_state_set_layout(const LitheModel *model, int32_t layout, const double *data,
                            int64_t count, LitheState *state) {
    if (count != lithe_state_get_layout(model, state, layout, NULL))
        return false;
    memset(state->slips, 0, (size_t)(state->data + state->size - state->slips) * sizeof(double));
    if (is_flat(layout)) {
        memcpy(state->data, data, (size_t)count * sizeof(double));
        return true;
    }
    Walk walk = {(double *)data, true, 0}; // only reads
    pass_layout_1(model, state, &walk);
    return true;
}
