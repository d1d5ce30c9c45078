// SPDX-License-Identifier: Apache-2.0
// record/actuator_quantities.c - recorded quantities of actuators

#include "data/model.h"
#include "lithe/control.h"
#include "record/quantity.h"

static const LitheActuator *actuator_of(const LitheModel *model, int32_t index) {
    const LitheTreePart *part = &model->actuators[index];
    return &model->trees[part->tree].actuators[part->index];
}

static bool slides(const LitheModel *model, int32_t index) {
    const LitheTreePart *part = &model->actuators[index];
    LitheJointKind kind =
        model->trees[part->tree].rigid.links[actuator_of(model, index)->drive.link].kind;
    return kind == LITHE_JOINT_PRISMATIC || kind == LITHE_JOINT_SECTION;
}

static const char *effort_unit(const LitheModel *model, int32_t index) {
    return slides(model, index) ? "N" : "N m";
}

static const char *target_unit(const LitheModel *model, int32_t index) {
    static const char *const units[][2] = {
        [LITHE_ACTUATOR_FORCE] = {"N m", "N"},
        [LITHE_ACTUATOR_POSITION] = {"rad", "m"},
        [LITHE_ACTUATOR_VELOCITY] = {"rad/s", "m/s"},
        [LITHE_ACTUATOR_PRESCRIBED] = {"rad", "m"},
    };
    const LitheActuator *actuator = actuator_of(model, index);
    return actuator->area > 0 ? "Pa" : units[actuator->drive.kind][slides(model, index)];
}

static void read_effort(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    *out = lithe_actuator_effort(from->model, from->state, (LitheActuatorId){part->index + 1});
}

static void read_target(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    LitheActuatorId id = {part->index + 1};
    *out = lithe_actuator_command(from->model, from->state, id).value;
}

static const LitheQuantity quantities[] = {
    {"effort", .axes = "time", .always = true, .read = read_effort, .unit_of = effort_unit},
    {"target", .axes = "time", .read = read_target, .unit_of = target_unit},
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return model->actuator_count;
}

static const char *name(const LitheModel *model, int32_t index) {
    return actuator_of(model, index)->name;
}

const LitheOwner lithe_actuator_owner = {.folder = "actuators",
                                         .word = "actuator",
                                         .full_names = true,
                                         .quantities = quantities,
                                         .count = count,
                                         .name = name};
