// SPDX-License-Identifier: Apache-2.0
// record/drive_quantities.c - recorded quantities of drives

#include "data/model.h"
#include "record/quantity.h"

// twist drives apply a torque, all others a force
static bool turns(const LitheModel *model, int32_t index) {
    return model->drives[index].kind == LITHE_DRIVE_TWIST;
}

static const char *force_unit(const LitheModel *model, int32_t index) {
    return turns(model, index) ? "N m" : "N";
}

static const char *position_unit(const LitheModel *model, int32_t index) {
    return turns(model, index) ? "rad" : "m";
}

static void read_force(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_drive_force(from->model, from->state, (LitheDriveId){part->index + 1});
}

static void read_torque(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_drive_torque(from->model, from->state, (LitheDriveId){part->index + 1});
}

static void read_position(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_drive_position(from->model, from->state, (LitheDriveId){part->index + 1});
}

static LitheReaction exerted(const LitheReadFrom *from, const LitheFramePart *part) {
    LitheDriveId id = {part->index + 1};
    return from->work ? lithe_drive_reaction(from->model, from->work, id) : (LitheReaction){0};
}

static const LitheQuantity quantities[] = {
    {"force", .axes = "time", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_force, .unit_of = force_unit},
    {"torque", "N m", "time", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_torque},
    {"position", .axes = "time", .always = true, .read = read_position, .unit_of = position_unit},
    {"force-vector", "N", .always = true, LITHE_VECTOR_OF_REACTION(force)},
    {"torque-vector", "N m", .always = true, LITHE_VECTOR_OF_REACTION(torque)},
    {"point", "m", .always = true, LITHE_VECTOR_OF_REACTION(point)},
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return model->drive_count;
}

static const char *name(const LitheModel *model, int32_t index) {
    return model->drives[index].name;
}

const LitheOwner lithe_drive_owner = {
    .folder = "drives", .word = "drive", .quantities = quantities, .count = count, .name = name};
