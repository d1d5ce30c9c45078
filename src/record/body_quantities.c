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

// height of the lowest point of the shapes that touch
static void read_lowest(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    const LitheModel *model = from->model;
    double pose[7];
    lithe_body_pose(model, from->state, (LitheBodyId){part->index + 1}, pose);
    LitheQuat q = {pose[3], pose[4], pose[5], pose[6]};
    out[0] = INFINITY;
    for (int32_t i = 0; i < model->geom_count; i++) {
        const LitheModelGeom *g = &model->geoms[i];
        if (g->body != part->index)
            continue;
        Vec3 down = q4_rotate(q4_conj(g->local.q), q4_rotate(q4_conj(q), v3(0, 0, -1)));
        Vec3 point = place_point(&g->local, lithe_geom_support(&g->geom, down));
        out[0] = fmin(out[0], pose[2] + q4_rotate(q, point).z);
    }
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

// none without shapes, or with one that has no lowest point
static int64_t lowest_numbers(const LitheModel *model, int32_t index) {
    int32_t shapes = 0;
    for (int32_t i = 0; i < model->geom_count; i++) {
        if (model->geoms[i].body != index)
            continue;
        int32_t kind = model->geoms[i].geom.kind;
        if (kind == LITHE_GEOM_HALF_SPACE || kind == LITHE_GEOM_HEIGHTFIELD)
            return 0;
        shapes++;
    }
    return shapes > 0 ? one_number(model, index) : 0;
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
    {"lowest", "m", "time number", .read = read_lowest, .numbers = lowest_numbers,
     .without = "it is fixed, or has no shapes with a lowest point"},
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
