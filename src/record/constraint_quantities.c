// SPDX-License-Identifier: Apache-2.0
// record/constraint_quantities.c - recorded quantities of constraints

#include "body/tendon.h"
#include "record/quantity.h"

#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 512 };

// whether place b, as given in the scene, can move
static bool moves_b(const LitheConstraint *constraint) {
    return (constraint->swapped ? constraint->a : constraint->b).site.unit >= 0;
}

static void read_force(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    LitheConstraintId id = {part->index + 1};
    v3_store(lithe_constraint_force(from->model, from->state, id), out);
}

static void read_torque(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    LitheConstraintId id = {part->index + 1};
    v3_store(lithe_constraint_torque(from->model, from->state, id), out);
}

static void read_position(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    double a[7], b[7];
    lithe_constraint_places(from->model, from->state, (LitheConstraintId){part->index + 1}, a, b);
    memcpy(out, moves_b(&from->model->constraints[part->index]) ? b : a, 3 * sizeof(double));
}

static void read_active(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    LitheConstraintId id = {part->index + 1};
    *out = lithe_constraint_active(from->model, from->state, id);
}

static void read_broken(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    LitheConstraintId id = {part->index + 1};
    *out = lithe_constraint_broken(from->model, from->state, id);
}

static void read_tendon_length(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_tendon_length(from->model, from->state, (LitheConstraintId){part->index + 1});
}

static void read_tension(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_tendon_tension(from->model, from->state, (LitheConstraintId){part->index + 1});
}

static void read_work(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_tendon_work(from->model, from->state, (LitheConstraintId){part->index + 1});
}

static int64_t of_tendon(const LitheModel *model, int32_t index) {
    return lithe_is_tendon(&model->constraints[index]);
}

#define NO_TENDON .without = "it is no tendon"

static const LitheQuantity quantities[] = {
    {"force", "N", "time xyz", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_force},
    {"torque", "N m", "time xyz", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_torque},
    {"position", "m", "time xyz", .always = true, .read = read_position},
    {"active", "1", "time", .always = true, .integer = true,
     .interpolation = LITHE_INTERPOLATE_STEP, .read = read_active},
    {"broken", "1", "time", .always = true, .integer = true,
     .interpolation = LITHE_INTERPOLATE_STEP, .read = read_broken},
    {"length", "m", "time number", .always = true, .read = read_tendon_length, .numbers = of_tendon,
     NO_TENDON},
    {"tension", "N", "time number", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_tension, .numbers = of_tendon, NO_TENDON},
    {"work", "J", "time number", .always = true, .read = read_work, .numbers = of_tendon,
     NO_TENDON},
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return model->constraint_count;
}

static const char *name(const LitheModel *model, int32_t index) {
    return model->constraints[index].name;
}

static LitheStatus add_sides(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    char path[PATH_CAPACITY];
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < model->constraint_count; i++) {
        snprintf(path, sizeof path, "constraints/%s/side", model->constraints[i].name);
        status =
            lithe_layout_add_text(layout, path, moves_b(&model->constraints[i]) ? "b" : "a", error);
    }
    return status;
}

const LitheOwner lithe_constraint_owner = {
    .folder = "constraints",
    .word = "constraint",
    .full_names = true,
    .quantities = quantities,
    .count = count,
    .name = name,
    .constants = add_sides,
};
