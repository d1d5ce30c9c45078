// SPDX-License-Identifier: Apache-2.0
// record/pose_drive_quantities.c - recorded quantities of pose drives: what it takes to move a free
// body along its path. The efforts of arms are those of their joints.

#include "body/pose_drive.h"
#include "data/state.h"
#include "record/quantity.h"

static bool is_free(const LitheModel *model, int32_t index) {
    return lithe_pose_drive_at(model, index)->ik.joint_count == 0;
}

static int64_t vector_numbers(const LitheModel *model, int32_t index) {
    return is_free(model, index) ? 3 : 0;
}

// Efforts of the free joint, in the axes of its parent, and about the origin of its frame.
static void read_part(const LitheReadFrom *from, const LitheFramePart *part, int first,
                      double *out) {
    const LitheTree *tree = &from->model->trees[from->model->pose_drives[part->index].tree];
    const LithePoseDrive *drive = lithe_pose_drive_at(from->model, part->index);
    const LitheRigidLink *link = &tree->rigid.links[drive->ik.link];
    const double *effort = from->state->own + tree->effort_at + link->v_at;
    v3_store(q4_rotate(link->parent_frame.rotation, v3_load(effort + first)), out);
}

static void read_force(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    read_part(from, part, 0, out);
}

static void read_torque(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    read_part(from, part, 3, out);
}

#define WITHOUT .without = "it moves joints, whose efforts are recorded"

static const LitheQuantity quantities[] = {
    {"force", "N", "time xyz", .interpolation = LITHE_INTERPOLATE_STEP, .read = read_force,
     .numbers = vector_numbers, WITHOUT},
    {"torque", "N m", "time xyz", .interpolation = LITHE_INTERPOLATE_STEP, .read = read_torque,
     .numbers = vector_numbers, WITHOUT},
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return model->pose_drive_count;
}

static const char *name(const LitheModel *model, int32_t index) {
    return lithe_pose_drive_at(model, index)->name;
}

const LitheOwner lithe_pose_drive_owner = {.folder = "pose-drives",
                                           .word = "pose drive",
                                           .quantities = quantities,
                                           .count = count,
                                           .name = name};
