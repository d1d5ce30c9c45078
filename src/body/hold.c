// SPDX-License-Identifier: Apache-2.0
// body/hold.c - forces and torques of holds and drives (H1)

#include "body/hold.h"

#include "base/assert.h"
#include "body/constraint.h"

#include <string.h>

static LitheReaction exerted(const LitheHold *hold, const double *x, const double *r, int32_t size,
                             double h) {
    LitheWrenchSum sum = {0};
    for (int32_t i = 0; i < hold->count; i++) {
        const double *f = r + (int64_t)size * hold->nodes[i];
        double force[3];
        for (int c = 0; c < 3; c++)
            force[c] = hold->masks[i] & (LITHE_HOLD_X << c) ? f[c] / h : 0;
        if (hold->masks[i] & LITHE_HOLD_POSITION)
            lithe_wrench_add(&sum, v3_load(x + (int64_t)size * hold->nodes[i]), v3_load(force));
    }
    return lithe_wrench_end(&sum, v3(0, 0, 0));
}

void lithe_holds_book(const LitheModel *model, int32_t unit, const double *x, const double *r,
                      int32_t size, double h, LitheWork *work) {
    for (int32_t k = model->units[unit].first_hold; k > 0; k = model->holds[k - 1].next)
        work->reactions[k - 1] = exerted(&model->holds[k - 1], x, r, size, h);
}

void lithe_held_welds_book(const LitheModel *model, int32_t unit, const double *x, const double *r,
                           double h, LitheState *state) {
    for (int32_t k = 0; k < model->weld_count; k++) {
        const LitheHold *weld = &model->welds[k];
        if (weld->unit != unit || !lithe_tie_binds(state, weld->constraint - 1))
            continue;
        LitheReaction by = exerted(weld, x, r, 3, h);
        // about the place of the constraint, which is the first of its nodes
        Vec3 arm = v3_sub(by.point, v3_load(x + 3 * (int64_t)weld->nodes[0]));
        lithe_constraint_store(state, weld->constraint - 1, by.force,
                               v3_add(by.torque, v3_cross(arm, by.force)));
    }
}

// --- reading -------------------------------------------------------------------------------------

int32_t lithe_hold_count(const LitheModel *model) {
    return model->hold_count;
}

LitheHoldId lithe_hold_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->hold_count; i++)
        if (strcmp(model->holds[i].name, name) == 0)
            return (LitheHoldId){i + 1};
    return (LitheHoldId){0};
}

const char *lithe_hold_name(const LitheModel *model, LitheHoldId hold) {
    LITHE_ASSERT(hold.number >= 1 && hold.number <= model->hold_count);
    return model->holds[hold.number - 1].name;
}

LitheReaction lithe_hold_reaction(const LitheModel *model, const LitheWork *work,
                                  LitheHoldId hold) {
    LITHE_ASSERT(hold.number >= 1 && hold.number <= model->hold_count);
    return work->reactions[hold.number - 1];
}

LitheReaction lithe_drive_reaction(const LitheModel *model, const LitheWork *work,
                                   LitheDriveId drive) {
    LITHE_ASSERT(drive.number >= 1 && drive.number <= model->drive_count);
    return work->reactions[model->hold_count + drive.number - 1];
}
