// SPDX-License-Identifier: Apache-2.0
// record/body_quantities.c - recorded quantities of rigid bodies

#include "data/model.h"
#include "record/body_columns.h"
#include "record/quantity.h"

static void read_pose(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_body_pose(from->model, from->state, (LitheBodyId){part->index + 1}, out);
}

// the pose of a body that never moves is a constant
static int64_t pose_numbers(const LitheModel *model, int32_t index) {
    return model->bodies[index].unit < 0 ? 0 : 7;
}

static const LitheQuantity quantities[] = {
    {"pose", "m, 1", "time pose", .always = true, .interpolation = LITHE_INTERPOLATE_ROTATION,
     .read = read_pose, .parts = {"position", "orientation"}, .numbers = pose_numbers},
    LITHE_CONTACT_QUANTITY,
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
