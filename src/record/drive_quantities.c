// SPDX-License-Identifier: Apache-2.0
// record/drive_quantities.c - recorded quantities of drives

#include "body/drive.h"
#include "data/model.h"
#include "record/quantity.h"

#include <string.h>

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

// --- drives of groups ----------------------------------------------------------------------------

static int64_t vector_numbers(const LitheModel *model, int32_t index) {
    return lithe_drive_has_wrench(model, index) ? 3 : 0;
}

static void read_part(const LitheReadFrom *from, const LitheFramePart *part, int first,
                      double *out) {
    double wrench[6] = {0};
    if (from->work)
        lithe_drive_wrench(from->model, from->work, part->index, wrench);
    memcpy(out, wrench + first, 3 * sizeof *out);
}

static void read_force_vector(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    read_part(from, part, 0, out);
}

static void read_torque_vector(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    read_part(from, part, 3, out);
}

static const LitheQuantity quantities[] = {
    {"force", .axes = "time", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_force, .unit_of = force_unit},
    {"torque", "N m", "time", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_torque},
    {"position", .axes = "time", .always = true, .read = read_position, .unit_of = position_unit},
    {"force-vector", "N", "time xyz", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_force_vector, .numbers = vector_numbers},
    {"torque-vector", "N m", "time xyz", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_torque_vector, .numbers = vector_numbers},
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
