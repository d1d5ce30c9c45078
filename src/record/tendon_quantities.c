// SPDX-License-Identifier: Apache-2.0
// record/tendon_quantities.c - paths of tendons, to be drawn as tubes

#include "record/quantity.h"

#include "body/constraint.h"
#include "body/tendon.h"
#include "data/model.h"

#include <math.h>
#include <stdio.h>

enum {
    PATH_CAPACITY = 512,
    PIECES = 6, // of a segment: curves through few points would cut the corners of a path
};

// radius of the tube over the shortest edge of all rods and solids: a tendon has none of its own
#define THICKNESS 0.1

static bool is_tendon(const LitheConstraint *constraint) {
    return lithe_is_tendon(constraint);
}

static int32_t count(const LitheModel *model) {
    int32_t tendons = 0;
    for (int32_t i = 0; i < model->constraint_count; i++)
        tendons += is_tendon(&model->constraints[i]);
    return tendons;
}

static const LitheConstraint *tendon_of(const LitheModel *model, int32_t index) {
    for (int32_t i = 0; i < model->constraint_count; i++)
        if (is_tendon(&model->constraints[i]) && index-- == 0)
            return &model->constraints[i];
    return NULL;
}

static const char *name(const LitheModel *model, int32_t index) {
    return tendon_of(model, index)->name;
}

static void read_position(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    const LitheConstraint *tendon = tendon_of(from->model, part->index);
    int32_t segments = lithe_tendon_points(tendon) - 1;
    Vec3 a = lithe_constraint_place(from->model, from->state, lithe_tendon_side(tendon, 0)).at;
    v3_store(a, out);
    for (int32_t i = 0; i < segments; i++) {
        Vec3 b =
            lithe_constraint_place(from->model, from->state, lithe_tendon_side(tendon, i + 1)).at;
        for (int k = 1; k <= PIECES; k++)
            v3_store(v3_axpy((double)k / PIECES, v3_sub(b, a), a), out += 3);
        a = b;
    }
}

static const LitheQuantity quantities[] = {
    {"position", "m", "time node xyz", .always = true, .read = read_position},
    {.name = NULL},
};

// "node" is the only axis whose size depends on the tendon
static int64_t axis_size(const LitheModel *model, int32_t index, const char *axis) {
    (void)axis;
    return PIECES * (int64_t)(lithe_tendon_points(tendon_of(model, index)) - 1) + 1;
}

static double radius_of(const LitheModel *model) {
    double least = INFINITY;
    for (int32_t i = 0; i < model->unit_count; i++)
        least = model->units[i].length > 0 ? fmin(least, model->units[i].length) : least;
    return least < INFINITY ? THICKNESS * least : 1e-3;
}

static LitheStatus add_constants(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < count(model); i++) {
        char path[PATH_CAPACITY];
        double radius = radius_of(model);
        snprintf(path, sizeof path, "tendons/%s/radius", name(model, i));
        status = lithe_layout_add_constant(layout, path, "m", "", LITHE_COLUMN_REAL, 0, NULL,
                                           &radius, error);
    }
    return status;
}

const LitheOwner lithe_tendon_owner = {
    .folder = "tendons",
    .word = "tendon",
    .full_names = true,
    .quantities = quantities,
    .count = count,
    .name = name,
    .axis_size = axis_size,
    .constants = add_constants,
};
