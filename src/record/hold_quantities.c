// SPDX-License-Identifier: Apache-2.0
// record/hold_quantities.c - recorded quantities of holds

#include "data/model.h"
#include "record/quantity.h"

static LitheReaction exerted(const LitheReadFrom *from, const LitheFramePart *part) {
    LitheHoldId id = {part->index + 1};
    return from->work ? lithe_hold_reaction(from->model, from->work, id) : (LitheReaction){0};
}

static const LitheQuantity quantities[] = {
    {"force", "N", .always = true, LITHE_VECTOR_OF_REACTION(force)},
    {"torque", "N m", .always = true, LITHE_VECTOR_OF_REACTION(torque)},
    {"point", "m", .always = true, LITHE_VECTOR_OF_REACTION(point)},
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
