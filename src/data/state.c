// SPDX-License-Identifier: Apache-2.0
// data/state.c - the state as one flat array: make, copy, hash

#include "data/state.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { PARTS = 19 };

int64_t lithe_bore_count(const LitheModel *model) {
    return model->time.min_step > 0 ? 4 * (model->edge_count + model->geom_count) : 0;
}

// how many doubles each part takes, in the order of the struct
static void part_sizes(const LitheModel *model, int64_t size[PARTS]) {
    size[0] = 2;
    size[1] = model->q_count;
    size[2] = model->v_count;
    size[3] = model->v_count - model->dof_count;
    size[4] = 3 * model->edge_count;
    size[5] = model->node_count;
    size[6] = 2 * (int64_t)lithe_unit_count(model);
    size[7] = 4 * (int64_t)model->drive_count;
    size[8] = model->aim_count;
    size[9] = LITHE_TIE_SIZE * (int64_t)model->constraint_count;
    size[10] = LITHE_TOOK_SIZE;
    size[11] = LITHE_COMMAND_SIZE * (2 * (int64_t)model->drive_count + model->actuator_count);
    size[12] = LITHE_POSE_SIZE * (int64_t)model->pose_drive_count;
    size[13] = 3 * model->node_count;
    size[14] = 6 * model->link_count;
    size[15] = model->contact.model == LITHE_CONTACT_IMC;
    size[16] = LITHE_PACE_SIZE;
    size[17] = model->time.min_step > 0 || model->contact.model != LITHE_CONTACT_CONVEX
                   ? model->v_count
                   : 0;
    size[18] = lithe_bore_count(model);
}

// the pointers of a state to its parts, in that order
static void list_parts(LitheState *state, double **parts[PARTS]) {
    double **list[PARTS] = {&state->clock, &state->q,           &state->v,        &state->effort,
                            &state->d1,    &state->tau_ref,     &state->sums,     &state->drives,
                            &state->aims,  &state->constraints, &state->took,     &state->commands,
                            &state->poses, &state->pushes,      &state->wrenches, &state->press,
                            &state->pace,  &state->rates,       &state->bore};
    memcpy(parts, list, sizeof list);
}

int64_t lithe_state_size_of(const LitheModel *model) {
    int64_t size[PARTS], sum = 0;
    part_sizes(model, size);
    for (int k = 0; k < PARTS; k++)
        sum += size[k];
    return sum;
}

LitheState *lithe_state_create(const LitheModel *model) {
    LitheState *state = lithe_alloc(model->context, sizeof *state);
    if (!state)
        return NULL;
    state->context = model->context;
    int64_t size[PARTS];
    part_sizes(model, size);
    state->size = lithe_state_size_of(model);
    state->data = lithe_alloc_array(model->context, state->size, sizeof(double));
    if (!state->data) {
        lithe_state_destroy(state);
        return NULL;
    }
    double **parts[PARTS];
    list_parts(state, parts);
    double *at = state->data;
    for (int k = 0; k < PARTS; k++) {
        *parts[k] = at;
        at += size[k];
    }
    return state;
}

void lithe_state_destroy(LitheState *state) {
    if (!state)
        return;
    lithe_free(state->context, state->data);
    lithe_free(state->context, state);
}

LitheState *lithe_state_copy(const LitheState *state) {
    LitheState *copy = lithe_alloc(state->context, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *state;
    copy->data = lithe_alloc_array(state->context, state->size, sizeof(double));
    if (!copy->data) {
        lithe_free(state->context, copy);
        return NULL;
    }
    memcpy(copy->data, state->data, (size_t)state->size * sizeof(double));
    double **parts[PARTS];
    list_parts(copy, parts);
    for (int k = 0; k < PARTS; k++)
        *parts[k] = copy->data + (*parts[k] - state->data);
    return copy;
}

int64_t lithe_state_size(const LitheState *state) {
    return state->size;
}

const double *lithe_state_data(const LitheState *state) {
    return state->data;
}

void lithe_state_set(LitheState *state, const double *data) {
    memcpy(state->data, data, (size_t)state->size * sizeof(double));
}

bool lithe_state_set_layout(const LitheModel *model, int32_t layout, const double *data,
                            int64_t count, LitheState *state) {
    if (layout != LITHE_STATE_LAYOUT || count != lithe_state_size_of(model))
        return false;
    lithe_state_set(state, data);
    return true;
}

uint64_t lithe_state_hash(const LitheState *state) {
    return lithe_hash(0, state->data, (size_t)state->size * sizeof(double));
}

double lithe_state_time(const LitheState *state) {
    return state->clock[0];
}

int64_t lithe_state_step(const LitheState *state) {
    return (int64_t)state->clock[1];
}
