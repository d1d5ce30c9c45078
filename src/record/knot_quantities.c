// SPDX-License-Identifier: Apache-2.0
// record/knot_quantities.c - recorded quantities of knots: what is tied

#include "lithe/knot.h"
#include "record/quantity.h"

#include <string.h>

static LitheKnotId id_of(int32_t index) {
    return (LitheKnotId){index + 1};
}

static const LitheQuantity quantities[] = {
    {"determinant", "1", "time", .always = true, .integer = true,
     .interpolation = LITHE_INTERPOLATE_STEP, .place = LITHE_IN_WALK,
     .offset = offsetof(LitheKnotReading, determinant)},
    {"signature", "1", "time", .always = true, .integer = true,
     .interpolation = LITHE_INTERPOLATE_STEP, .place = LITHE_IN_WALK,
     .offset = offsetof(LitheKnotReading, signature)},
    {"crossings", "1", "time", .always = true, .integer = true,
     .interpolation = LITHE_INTERPOLATE_STEP, .place = LITHE_IN_WALK,
     .offset = offsetof(LitheKnotReading, crossings)},
    {"clearance", "m", "time", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .place = LITHE_IN_WALK, .offset = offsetof(LitheKnotReading, clearance)},
    {.name = NULL},
};

// all columns of a knot come from one reading; a knot that cannot be read is undecided
static void read(LitheReadFrom *from, const LitheFramePart *parts, int32_t count, double *frame) {
    LitheKnotReading now = {0};
    (void)lithe_knot_read(from->model, from->state, id_of(parts->index), &now, NULL);
    for (int32_t k = 0; k < count; k++) {
        double *out = frame + parts[k].offset;
        switch (parts[k].quantity->offset) {
        case offsetof(LitheKnotReading, determinant):
            *out = (double)now.determinant;
            break;
        case offsetof(LitheKnotReading, signature):
            *out = now.signature;
            break;
        case offsetof(LitheKnotReading, crossings):
            *out = now.crossings;
            break;
        default:
            *out = now.clearance;
        }
    }
}

static const char *name(const LitheModel *model, int32_t index) {
    return lithe_knot_name(model, id_of(index));
}

const LitheOwner lithe_knot_owner = {.folder = "knots",
                                     .word = "knot",
                                     .full_names = true,
                                     .quantities = quantities,
                                     .count = lithe_knot_count,
                                     .name = name,
                                     .read = read};
