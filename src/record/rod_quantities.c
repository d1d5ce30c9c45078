// SPDX-License-Identifier: Apache-2.0
// record/rod_quantities.c - recorded quantities of rods

#include "body/rod.h"
#include "data/model.h"
#include "record/quantity.h"
#include "record/rod_columns.h"

#include <math.h>
#include <string.h>

enum { NODE_SIZE = 4 }; // x y z of a node and the twist angle of the edge after it

// x y z of each node, from positions or velocities of the state
static void copy_points(const LitheReadFrom *from, const LitheFramePart *part, const double *nodes,
                        double *out) {
    for (int32_t i = 0; i < from->model->rods[part->index].node_count; i++)
        memcpy(out + 3 * i, nodes + NODE_SIZE * i, 3 * sizeof(double));
}

static const double *rates_of(const LitheReadFrom *from, const LitheFramePart *part) {
    return lithe_rod_v(from->model, from->state, (LitheRodId){part->index + 1});
}

static void read_position(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    copy_points(from, part, lithe_rod_q(from->model, from->state, (LitheRodId){part->index + 1}),
                out);
}

static void read_twist(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    const double *q = lithe_rod_q(from->model, from->state, (LitheRodId){part->index + 1});
    for (int32_t i = 0; i < from->model->rods[part->index].edge_count; i++)
        out[i] = q[NODE_SIZE * i + 3];
}

static void read_velocity(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    copy_points(from, part, rates_of(from, part), out);
}

static void read_speed(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    const double *v = rates_of(from, part);
    for (int32_t i = 0; i < from->model->rods[part->index].node_count; i++, v += NODE_SIZE)
        out[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#define WALK(field) .place = LITHE_IN_WALK, .offset = offsetof(LitheRodReading, field)

static const LitheQuantity quantities[] = {
    {"position", "m", "time node xyz", .always = true, .read = read_position},
    {"twist", "rad", "time edge", .always = true, .read = read_twist},
    {"tension", "N", "time edge", .always = true, WALK(tension)},
    {"curvature", "1/m", "time node m1m2", .always = true, WALK(curvature)},
    {"director", "1", "time edge xyz", .always = true, .interpolation = LITHE_INTERPOLATE_UNIT,
     WALK(director)},
    {"moment", "N m", "time node m1m2", WALK(moment)},
    {"torque", "N m", "time node", WALK(torque)},
    {"strain", "1", "time node", WALK(strain)},
    {"stress", "Pa", "time node", WALK(stress)},
    {"velocity", "m/s", "time node xyz", .read = read_velocity},
    {"speed", "m/s", "time node", .read = read_speed},
    LITHE_CONTACT_QUANTITY,
    LITHE_CONTACT_LOAD_QUANTITY,
    {.name = NULL},
};

// One loop over the rod fills all quantities that it can compute. Only the first loop over a rod
// adds its elastic energy; first loops are in the order of the rods.
static void read_rod(LitheReadFrom *from, const LitheFramePart *parts, int32_t count,
                     double *frame) {
    LitheRodReading walk = {0};
    for (int32_t k = 0; k < count; k++) {
        const LitheQuantity *quantity = parts[k].quantity;
        double *out = frame + parts[k].offset;
        if (quantity->place == LITHE_IN_WALK)
            *(double **)((char *)&walk + quantity->offset) = out;
        else
            quantity->read(from, &parts[k], out);
    }
    double elastic = lithe_rod_read(&from->model->rods[parts->index], from->state, &walk);
    if (parts->index == from->rods_walked) {
        from->elastic += elastic;
        from->rods_walked++;
    }
}

static int32_t count(const LitheModel *model) {
    return model->rod_count;
}

static const char *name(const LitheModel *model, int32_t index) {
    return model->rods[index].name;
}

static int64_t axis_size(const LitheModel *model, int32_t index, const char *axis) {
    const LitheRod *rod = &model->rods[index];
    return strcmp(axis, "edge") == 0 ? rod->edge_count : rod->node_count;
}

static int32_t number_on(const LitheContactSide *side) {
    return side->thing.kind == LITHE_THING_ROD ? side->thing.number : 0;
}

const LitheOwner lithe_rod_owner = {
    .folder = "rods",
    .word = "rod",
    .quantities = quantities,
    .count = count,
    .name = name,
    .side = number_on,
    .axis_size = axis_size,
    .read = read_rod,
    .constants = lithe_rod_columns,
};
