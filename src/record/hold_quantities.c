// SPDX-License-Identifier: Apache-2.0
// record/hold_quantities.c - recorded quantities of holds

#include "data/model.h"
#include "record/quantity.h"

static LitheReaction exerted(const LitheReadFrom *from, const LitheFramePart *part) {
    LitheHoldId id = {part->index + 1};
    return from->work ? lithe_hold_reaction(from->model, from->work, id) : (LitheReaction){0};
}

static void read_force(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    v3_store(exerted(from, part).force, out);
}

static void read_torque(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    v3_store(exerted(from, part).torque, out);
}

static void read_point(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    v3_store(exerted(from, part).point, out);
}

static const LitheQuantity quantities[] = {
    {"force", "N", "time xyz", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_force},
    {"torque", "N m", "time xyz", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_torque},
    {"point", "m", "time xyz", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_point},
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return model->hold_count;
}

static const char *name(const LitheModel *model, int32_t index) {
    return model->holds[index].name;
}

const LitheOwner lithe_hold_owner = {.folder = "holds",
                                     .word = "hold",
                                     .full_names = true,
                                     .quantities = quantities,
                                     .count = count,
                                     .name = name};
