// SPDX-License-Identifier: Apache-2.0
// record/cavity_quantities.c - recorded quantities of cavities of soft solids

#include "record/quantity.h"

static LitheCavityId id_of(int32_t index) {
    return (LitheCavityId){index + 1};
}

static void read_pressure(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_cavity_pressure(from->model, from->state, id_of(part->index));
}

static void read_volume(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_cavity_volume(from->model, from->state, id_of(part->index));
}

static const LitheQuantity quantities[] = {
    {"pressure", "Pa", "time", .always = true, .read = read_pressure},
    {"volume", "m^3", "time", .always = true, .read = read_volume},
    {.name = NULL},
};

static const char *name(const LitheModel *model, int32_t index) {
    return lithe_cavity_name(model, id_of(index));
}

const LitheOwner lithe_cavity_owner = {.folder = "cavities",
                                       .word = "cavity",
                                       .quantities = quantities,
                                       .count = lithe_cavity_count,
                                       .name = name};
