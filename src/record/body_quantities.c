// SPDX-License-Identifier: Apache-2.0
// record/body_quantities.c - recorded quantities of rigid bodies

#include "data/model.h"
#include "record/body_columns.h"
#include "record/quantity.h"

#include <math.h>
#include <string.h>

static void read_pose(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_body_pose(from->model, from->state, (LitheBodyId){part->index + 1}, out);
}

static void read_velocity(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    double both[6];
    lithe_body_velocity(from->model, from->state, (LitheBodyId){part->index + 1}, both);
    memcpy(out, both, 3 * sizeof(double));
}

static void read_spin(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    double both[6];
    lithe_body_velocity(from->model, from->state, (LitheBodyId){part->index + 1}, both);
    memcpy(out, both + 3, 3 * sizeof(double));
}

static void read_speed(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    double v[3];
    read_velocity(from, part, v);
    out[0] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// the pose of a body that never moves is a constant, and its velocity is 0
static int64_t numbers(const LitheModel *model, int32_t index, int64_t count) {
    return model->bodies[index].unit < 0 ? 0 : count;
}

static int64_t pose_numbers(const LitheModel *model, int32_t index) {
    return numbers(model, index, 7);
}

static int64_t vector_numbers(const LitheModel *model, int32_t index) {
    return numbers(model, index, 3);
}

static int64_t one_number(const LitheModel *model, int32_t index) {
    return numbers(model, index, 1);
}

static const LitheQuantity quantities[] = {
    {"pose", "m, 1", "time pose", .always = true, .interpolation = LITHE_INTERPOLATE_ROTATION,
     .read = read_pose, .parts = {"position", "orientation"}, .numbers = pose_numbers,
     .without = "it is fixed, and its pose is constant"},
    {"velocity", "m/s", "time xyz", .read = read_velocity, .numbers = vector_numbers,
     .without = "it is fixed"},
    {"angular_velocity", "rad/s", "time xyz", .read = read_spin, .numbers = vector_numbers,
     .without = "it is fixed"},
    {"speed", "m/s", "time number", .read = read_speed, .numbers = one_number,
     .without = "it is fixed"},
    LITHE_CONTACT_QUANTITY,
    LITHE_CONTACT_LOAD_QUANTITY,
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return model->body_count;
}

static const char *name(const LitheModel *model, int32_t index) {
    return model->bodies[index].name;
}

static int32_t number_on(const LitheContactSide *side) {
    return side->thing.kind == LITHE_THING_BODY ? side->thing.number : 0;
}

const LitheOwner lithe_body_owner = {
    .folder = "bodies",
    .word = "body",
    .quantities = quantities,
    .count = count,
    .name = name,
    .side = number_on,
    .constants = lithe_body_columns,
};
