// SPDX-License-Identifier: Apache-2.0
// record/joint_quantities.c - recorded quantities of joints, and where they are in their bodies

#include "body/tree_body.h"
#include "data/model.h"
#include "record/layout.h"
#include "record/quantity.h"

#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 512 };

typedef enum Column { POSITION, VELOCITY, EFFORT } Column;

static LitheJointKind kind_of(const LitheModel *model, int32_t index) {
    const LitheRigidJoint *joint = &model->joints[index];
    return model->trees[joint->tree].rigid.links[joint->link].kind;
}

// units of joints that slide, rotate, have a quaternion, or combine these
static const char *unit_of(const LitheModel *model, int32_t index, Column column) {
    static const char *const units[][3] = {
        {"rad", "rad/s", "N m"},
        {"m", "m/s", "N"},
        {"1", "rad/s", "N m"},
        {"m, rad", "m/s, rad/s", "N, N m"},
        {"m, 1", "m/s, rad/s", "N, N m"},
    };
    static const int row[] = {
        [LITHE_JOINT_PRISMATIC] = 1, [LITHE_JOINT_BALL] = 2,    [LITHE_JOINT_PLANAR] = 3,
        [LITHE_JOINT_FREE] = 4,      [LITHE_JOINT_SECTION] = 1,
    };
    return units[row[kind_of(model, index)]][column];
}

static const char *position_unit(const LitheModel *model, int32_t index) {
    return unit_of(model, index, POSITION);
}

static const char *velocity_unit(const LitheModel *model, int32_t index) {
    return unit_of(model, index, VELOCITY);
}

static const char *effort_unit(const LitheModel *model, int32_t index) {
    return unit_of(model, index, EFFORT);
}

static int64_t positions(const LitheModel *model, int32_t index) {
    return lithe_joint_size(model, (LitheJointId){index + 1}).positions;
}

static int64_t velocities(const LitheModel *model, int32_t index) {
    return lithe_joint_size(model, (LitheJointId){index + 1}).velocities;
}

static LitheInterpolation position_way(const LitheModel *model, int32_t index) {
    LitheJointKind kind = kind_of(model, index);
    bool turns = kind == LITHE_JOINT_BALL || kind == LITHE_JOINT_FREE;
    return turns ? LITHE_INTERPOLATE_ROTATION : LITHE_INTERPOLATE_LINEAR;
}

static void copy(const double *numbers, const LitheFramePart *part, double *out) {
    memcpy(out, numbers, (size_t)part->size * sizeof(double));
}

static void read_position(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    copy(lithe_joint_position(from->model, from->state, (LitheJointId){part->index + 1}), part,
         out);
}

static void read_velocity(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    copy(lithe_joint_velocity(from->model, from->state, (LitheJointId){part->index + 1}), part,
         out);
}

static void read_effort(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    copy(lithe_joint_effort(from->model, from->state, (LitheJointId){part->index + 1}), part, out);
}

static void read_limit_effort(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    memset(out, 0, (size_t)part->size * sizeof(double));
    if (from->work) // none at the start
        copy(lithe_joint_limit_effort(from->model, from->work, (LitheJointId){part->index + 1}),
             part, out);
}

// --- the joint that carries a tree ---------------------------------------------------------------

static int64_t vector_numbers(const LitheModel *model, int32_t index) {
    return lithe_joint_has_reaction(model, (LitheJointId){index + 1}) ? 3 : 0;
}

static LitheReaction exerted(const LitheReadFrom *from, const LitheFramePart *part) {
    LitheJointId id = {part->index + 1};
    return from->work ? lithe_joint_reaction(from->model, from->state, from->work, id)
                      : (LitheReaction){0};
}

#define NO_MOTION .without = "a weld has no motion"
#define NO_BASE \
    .without = "it is for the one joint that carries a tree of bodies on the world, where no " \
               "tendons, shared welds or riders act on the tree"

static const LitheQuantity quantities[] = {
    {"position", .axes = "time number", .always = true, .read = read_position,
     .unit_of = position_unit, .interpolation_of = position_way, .numbers = positions, NO_MOTION},
    {"velocity", .axes = "time number", .always = true, .read = read_velocity,
     .unit_of = velocity_unit, .numbers = velocities, NO_MOTION},
    {"effort", .axes = "time number", .always = true, .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_effort, .unit_of = effort_unit, .numbers = velocities, NO_MOTION},
    {"limit_effort", .axes = "time number", .interpolation = LITHE_INTERPOLATE_STEP,
     .read = read_limit_effort, .unit_of = effort_unit, .numbers = velocities, NO_MOTION},
    {"force", "N", LITHE_VECTOR_OF_REACTION(force), .numbers = vector_numbers, NO_BASE},
    {"torque", "N m", LITHE_VECTOR_OF_REACTION(torque), .numbers = vector_numbers, NO_BASE},
    {"point", "m", LITHE_VECTOR_OF_REACTION(point), .numbers = vector_numbers, NO_BASE},
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return model->joint_count;
}

static const char *name(const LitheModel *model, int32_t index) {
    return model->joints[index].name;
}

// --- constants -----------------------------------------------------------------------------------

// Kinds with an axis or a point that stays in place, by which they are drawn; NULL: the others.
static const char *drawn_kind(LitheJointKind kind) {
    static const char *const words[] = {
        [LITHE_JOINT_REVOLUTE] = "revolute", [LITHE_JOINT_PRISMATIC] = "prismatic",
        [LITHE_JOINT_SCREW] = "screw",       [LITHE_JOINT_BALL] = "ball",
        [LITHE_JOINT_PLANAR] = "planar",     [LITHE_JOINT_SECTION] = NULL,
    };
    return words[kind];
}

// The joint as a frame of the body that it moves: poses of bodies are recorded in every frame.
static LitheStatus add_place(const LitheModel *model, int32_t joint, LitheLayout *layout,
                             LitheError *error) {
    static const int64_t seven[1] = {7};
    LitheJointPlace found = lithe_joint_place(model, joint);
    if (!drawn_kind(found.kind))
        return LITHE_OK;
    char path[PATH_CAPACITY];
    const char *own = name(model, joint);
    Quat q = found.frame.rotation;
    const double place[7] = {
        found.frame.at.x, found.frame.at.y, found.frame.at.z, q.w, q.x, q.y, q.z};
    snprintf(path, sizeof path, "joints/%s/kind", own);
    LitheStatus status = lithe_layout_add_text(layout, path, drawn_kind(found.kind), error);
    snprintf(path, sizeof path, "joints/%s/body", own);
    if (status == LITHE_OK)
        status = lithe_layout_add_text(layout, path, model->bodies[found.body].name, error);
    snprintf(path, sizeof path, "joints/%s/place", own);
    if (status == LITHE_OK)
        status = lithe_layout_add_constant(layout, path, "m, 1", "pose", LITHE_COLUMN_REAL, 1,
                                           seven, place, error);
    return status;
}

static LitheStatus add_constants(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < count(model); i++)
        status = add_place(model, i, layout, error);
    return status;
}

const LitheOwner lithe_joint_owner = {.folder = "joints",
                                      .word = "joint",
                                      .quantities = quantities,
                                      .count = count,
                                      .name = name,
                                      .constants = add_constants};
