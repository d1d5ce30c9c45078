// SPDX-License-Identifier: Apache-2.0
// data/state.c - the state as one flat array: make, copy, hash

#include "data/state.h"

#include "base/hash.h"
#include "base/memory.h"
#include "data/part.h"

#include <string.h>

int64_t lithe_was_active_count(const LitheModel *model) {
    return model->time.min_step > 0 ? 4 * (int64_t)lithe_part_at(model, LITHE_PART_KINDS) : 0;
}

// number of stored accelerations: 0 if the next step does not use them
static int64_t rate_count(const LitheModel *model) {
    bool kept = model->time.min_step > 0 || (model->contact.model != LITHE_CONTACT_CONVEX &&
                                             model->contact.model != LITHE_CONTACT_LCP);
    return kept ? model->v_count : 0;
}

static bool has_stages(const LitheModel *model) {
    return model->time.scheme == LITHE_SCHEME_TR_BDF2;
}

int64_t lithe_touch_count(const LitheModel *model) {
    static const int64_t per_part[LITHE_PART_KINDS] = {[LITHE_PART_SEGMENT] = 4,
                                                       [LITHE_PART_SHAPE] = 32,
                                                       [LITHE_PART_BALL] = 8,
                                                       [LITHE_PART_FACE] = 16,
                                                       [LITHE_PART_TET] = 16};
    int64_t sum = 0;
    for (int kind = 0; has_stages(model) && kind < LITHE_PART_KINDS; kind++)
        sum += per_part[kind] * lithe_part_count(model, kind);
    return sum;
}

// contacts per shape, and for few shapes; a triangle of a surface has one
enum { SLIPS = 4, MIN_SLIPS = 64 };

int64_t lithe_slip_count(const LitheModel *model) {
    bool lags =
        model->contact.model == LITHE_CONTACT_CONVEX && model->contact.law == LITHE_FRICTION_LAGGED;
    int64_t shapes = lithe_part_count(model, LITHE_PART_SHAPE);
    int64_t faces = lithe_part_count(model, LITHE_PART_FACE);
    // soft surfaces have balls at their points
    bool soft = faces > 0 && lithe_part_count(model, LITHE_PART_SEGMENT) == 0;
    bool alone = soft || shapes == lithe_part_at(model, LITHE_PART_KINDS);
    if (lithe_path_count(model) > 0)
        return 2 * (SLIPS * lithe_part_at(model, LITHE_PART_KINDS) + MIN_SLIPS);
    return lags && alone && shapes + faces > 1 ? SLIPS * shapes + faces + MIN_SLIPS : 0;
}

int64_t lithe_impulse_count(const LitheModel *model) {
    bool kept = model->contact.model == LITHE_CONTACT_LCP && model->contact.lcp.warm_start;
    return kept ? SLIPS * lithe_part_count(model, LITHE_PART_SHAPE) + MIN_SLIPS : 0;
}

int64_t lithe_impulse_size(const LitheModel *model) {
    return model->contact.lcp.directions + 3;
}

int64_t lithe_path_count(const LitheModel *model) {
    bool follows = model->time.follow == LITHE_FOLLOW_ARC_LENGTH;
    return follows ? LITHE_PATH_SIZE + (int64_t)model->v_count : 0;
}

// every part of the state with its number of doubles, in the order of storage
#define FOR_EACH_PART(PART) \
    PART(clock, 2) \
    PART(q, model->q_count) \
    PART(v, model->v_count) \
    PART(own, model->own_count) \
    PART(pushes, 3 * model->point_count) \
    PART(sums, 2 * (int64_t)model->unit_count) \
    PART(drives, 4 * (int64_t)model->drive_count) \
    PART(constraints, LITHE_TIE_SIZE *(int64_t)model->constraint_count) \
    PART(took, LITHE_TOOK_SIZE) \
    PART(commands, LITHE_COMMAND_SIZE *(2 * (int64_t)model->drive_count + model->actuator_count)) \
    PART(poses, LITHE_POSE_SIZE *(int64_t)model->pose_drive_count) \
    PART(potential_contact, model->contact.model == LITHE_CONTACT_IMC) \
    PART(step_control, LITHE_STEP_CONTROL_SIZE) \
    PART(accelerations, rate_count(model)) \
    PART(was_active, lithe_was_active_count(model)) \
    PART(steady, has_stages(model) ? model->v_count : 0) \
    PART(touches, 2 * lithe_touch_count(model)) \
    PART(powers, has_stages(model) ? LITHE_TOOK_SIZE : 0) \
    PART(guard, has_stages(model) ? LITHE_GUARD_SIZE : 0) \
    PART(path, lithe_path_count(model)) \
    PART(slips, LITHE_SLIP_SIZE *lithe_slip_count(model)) \
    PART(impulses, lithe_impulse_size(model) * lithe_impulse_count(model))

int64_t lithe_state_size_of(const LitheModel *model) {
    int64_t sum = 0;
#define ADD(part, count) sum += count;
    FOR_EACH_PART(ADD)
#undef ADD
    return sum;
}

LitheState *lithe_state_create(const LitheModel *model) {
    LitheState *state = lithe_alloc(model->context, sizeof *state);
    if (!state)
        return NULL;
    state->context = model->context;
    state->size = lithe_state_size_of(model);
    state->data = lithe_alloc_array(model->context, state->size, sizeof(double));
    if (!state->data) {
        lithe_state_destroy(state);
        return NULL;
    }
    double *at = state->data;
#define ASSIGN(part, count) \
    state->part = at; \
    at += count;
    FOR_EACH_PART(ASSIGN)
#undef ASSIGN
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
#define MOVE(part, count) copy->part = copy->data + (state->part - state->data);
    FOR_EACH_PART(MOVE)
#undef MOVE
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

uint64_t lithe_state_hash(const LitheState *state) {
    return lithe_hash(0, state->data, (size_t)state->size * sizeof(double));
}

double lithe_state_time(const LitheState *state) {
    return state->clock[0];
}

double lithe_state_load_time(const LitheState *state) {
    return lithe_load_time(state);
}

int64_t lithe_model_velocity_count(const LitheModel *model) {
    return model->v_count;
}

int64_t lithe_state_step(const LitheState *state) {
    return (int64_t)state->clock[1];
}
