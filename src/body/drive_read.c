// SPDX-License-Identifier: Apache-2.0
// src/body/drive_read.c - reading the drives of a state: names, forces, torques, positions

#include "base/assert.h"
#include "data/model.h"
#include "data/state.h"

#include <string.h>

int32_t lithe_drive_count(const LitheModel *model) {
    return model->drive_count;
}

LitheDriveId lithe_drive_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->drive_count; i++)
        if (strcmp(model->drives[i].name, name) == 0)
            return (LitheDriveId){i + 1};
    return (LitheDriveId){0};
}

static const double *drive_of(const LitheModel *model, const LitheState *state, LitheDriveId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->drive_count);
    return state->drives + 4 * (int64_t)(id.number - 1);
}

const char *lithe_drive_name(const LitheModel *model, LitheDriveId drive) {
    LITHE_ASSERT(drive.number >= 1 && drive.number <= model->drive_count);
    return model->drives[drive.number - 1].name;
}

double lithe_drive_force(const LitheModel *model, const LitheState *state, LitheDriveId drive) {
    return drive_of(model, state, drive)[0];
}

double lithe_drive_torque(const LitheModel *model, const LitheState *state, LitheDriveId drive) {
    return drive_of(model, state, drive)[1];
}

double lithe_drive_position(const LitheModel *model, const LitheState *state, LitheDriveId drive) {
    return drive_of(model, state, drive)[2];
}
