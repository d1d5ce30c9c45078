// SPDX-License-Identifier: Apache-2.0
// model/build_pose_drives.c - pose drives of a scene: which joints they move, and their paths

#include "base/memory.h"
#include "base/status.h"
#include "body/ik.h"
#include "body/pose_drive.h"
#include "law/joint.h"
#include "model/compile.h"

#include <string.h>

// a free body may be this far from the start of its path [m, rad]: rounding of given numbers
#define FREE_START 1e-6

static void *copy_of(LitheContext *context, const void *from, int32_t count, size_t size) {
    void *own = lithe_alloc_array(context, count, size);
    if (own)
        memcpy(own, from, (size_t)count * size);
    return own;
}

// the joints with one DoF between the root and the end effector, from the root outwards
static LitheStatus find_joints(LitheContext *context, const LitheRigidTree *rigid, LitheIk *ik,
                               LitheError *error) {
    int32_t count = 0;
    for (int32_t i = ik->link; i >= 0; i = rigid->links[i].parent)
        count += lithe_joint_v_count(rigid->links[i].kind) == 1;
    ik->joints = lithe_alloc_array(context, count, sizeof *ik->joints);
    if (!ik->joints)
        return lithe_fail_memory(error, "the joints of a pose drive");
    ik->joint_count = count;
    for (int32_t i = ik->link; i >= 0; i = rigid->links[i].parent)
        if (lithe_joint_v_count(rigid->links[i].kind) == 1)
            ik->joints[--count] = i;
    return LITHE_OK;
}

static bool moves(const LitheIk *ik, int32_t link) {
    for (int32_t k = 0; k < ik->joint_count; k++)
        if (ik->joints[k] == link)
            return true;
    return false;
}

static const char *joint_name(const LitheModel *model, int32_t tree, int32_t link) {
    for (int32_t i = 0; i < model->joint_count; i++)
        if (model->joints[i].tree == tree && model->joints[i].link == link)
            return model->joints[i].name;
    return "?";
}

// fails when another drive acts on a joint of this pose drive
static LitheStatus find_clash(const LitheModel *model, int32_t index, const LithePoseDrive *drive,
                              LitheError *error) {
    const LitheTree *tree = &model->trees[index];
    for (int32_t k = 0; k < tree->actuator_count; k++) {
        const LitheActuator *other = &tree->actuators[k];
        if (moves(&drive->ik, other->drive.link))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "pose drive '%s': joint '%s' is driven already by actuator '%s'",
                              drive->name, joint_name(model, index, other->drive.link),
                              other->name);
    }
    for (const LithePoseDrive *other = tree->pose_drives; other < drive; other++)
        for (int32_t k = 0; k < other->ik.joint_count; k++)
            if (moves(&drive->ik, other->ik.joints[k]))
                return lithe_fail(error, LITHE_BAD_INPUT,
                                  "pose drive '%s': joint '%s' is driven already by pose drive "
                                  "'%s'",
                                  drive->name, joint_name(model, index, other->ik.joints[k]),
                                  other->name);
    return LITHE_OK;
}

// A free body moves along its path exactly, and must start on it.
static LitheStatus drive_free(const LitheScene *scene, const LithePoseDriveDef *def,
                              LithePoseDrive *drive, LitheRigidLink *link, LitheError *error) {
    const LitheBodyDef *body = &scene->bodies[def->body.number - 1];
    if (link->driven)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "pose drive '%s': body '%s' is moved already by another pose drive",
                          drive->name, body->name);
    if (def->stiffness != 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "pose drive '%s': stiffness is %.9g, must be 0 for body '%s', which is "
                          "free and follows its path exactly; a constraint to a driven body is "
                          "compliant",
                          drive->name, def->stiffness, body->name);
    if (def->position_only)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "pose drive '%s': position-only is true, but body '%s' has no joint and "
                          "follows positions and rotations of its path; a drive moves its joints",
                          drive->name, body->name);
    Vec3 velocity, angular_velocity;
    Pose start = lithe_pose_path_at(drive, 0, &velocity, &angular_velocity);
    Pose own = pose_mul((Pose){q4_unit(body->rotation), body->at}, drive->ik.frame);
    double distance = v3_distance(start.at, own.at);
    double angle = v3_norm(q4_log(q4_mul(start.rotation, q4_conj(own.rotation))));
    if (distance > FREE_START || angle > FREE_START)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "pose drive '%s': at t = 0 its path is at [%.9g, %.9g, %.9g] m, but the "
                          "driven frame of body '%s' at [%.9g, %.9g, %.9g] m, %.3g m and %.3g "
                          "degrees away; the body must start on its path",
                          drive->name, start.at.x, start.at.y, start.at.z, body->name, own.at.x,
                          own.at.y, own.at.z, distance, angle * 180 / M_PI);
    link->driven = true;
    drive->ik.reach = 1;
    return LITHE_OK;
}

static LitheStatus build_one(const LitheScene *scene, LitheModel *model, int32_t index,
                             const LithePoseDriveDef *def, LithePoseDrive *drive,
                             LitheError *error) {
    LitheContext *context = scene->context;
    LitheTree *tree = &model->trees[index];
    drive->name = lithe_alloc_text(context, def->name);
    drive->count = def->count;
    drive->times = copy_of(context, def->times, def->count, sizeof *drive->times);
    drive->positions = copy_of(context, def->positions, def->count, sizeof *drive->positions);
    drive->rotations = copy_of(context, def->rotations, def->count, sizeof *drive->rotations);
    if (!drive->name || !drive->times || !drive->positions || !drive->rotations)
        return lithe_fail_memory(error, "a pose drive");
    drive->smooth = def->kind == LITHE_PROFILE_SMOOTH;
    drive->stiffness = def->stiffness;
    drive->damping = def->joint_damping;
    drive->ik.link = model->bodies[def->body.number - 1].element;
    drive->ik.frame = (Pose){def->rotation, def->at};
    drive->ik.rest = tree->q0;
    drive->ik.posture = def->posture;
    drive->ik.point = def->position_only;
    drive->ik.damping = def->damping > 0 ? def->damping : LITHE_IK_DAMPING;
    LitheStatus status = find_joints(context, &tree->rigid, &drive->ik, error);
    if (status != LITHE_OK)
        return status;
    LitheRigidLink *link = &tree->rigid.links[drive->ik.link];
    if (drive->ik.joint_count == 0 && link->kind == LITHE_JOINT_FREE && link->parent < 0)
        return drive_free(scene, def, drive, link, error);
    if (drive->ik.joint_count == 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "pose drive '%s': body '%s' has no joint with one degree of freedom "
                          "between it and the world",
                          drive->name, scene->bodies[def->body.number - 1].name);
    drive->ik.reach = lithe_ik_reach(&tree->rigid, &drive->ik);
    return find_clash(model, index, drive, error);
}

LitheStatus lithe_build_pose_drives(const LitheScene *scene, LitheModel *model, int32_t index,
                                    LitheNumbers own, LitheError *error) {
    LitheTree *tree = &model->trees[index];
    tree->drive_count = tree->actuator_count;
    tree->pose_drives = lithe_alloc_array(scene->context, own.count, sizeof *tree->pose_drives);
    if (!tree->pose_drives)
        return lithe_fail_memory(error, "the pose drives");
    for (int32_t k = 0; k < own.count; k++) {
        int32_t i = own.list[k];
        const LithePoseDriveDef *def = &scene->pose_drives[i];
        LithePoseDrive *drive = &tree->pose_drives[tree->pose_drive_count++];
        drive->number = i;
        model->pose_drives[i] = (LitheTreePart){index, tree->pose_drive_count - 1};
        LitheStatus status = build_one(scene, model, index, def, drive, error);
        if (status != LITHE_OK)
            return status;
        tree->drive_count += drive->ik.joint_count > 0 ? drive->ik.joint_count : 1;
        drive->aim_at = tree->aim_count;
        if (drive->stiffness > 0)
            tree->aim_count += drive->ik.joint_count;
    }
    return LITHE_OK;
}

void lithe_pose_drives_state(const LitheTree *tree, double *aims) {
    for (int32_t i = 0; i < tree->pose_drive_count; i++) {
        const LithePoseDrive *drive = &tree->pose_drives[i];
        for (int32_t k = 0; drive->stiffness > 0 && k < drive->ik.joint_count; k++)
            aims[drive->aim_at + k] = tree->q0[tree->rigid.links[drive->ik.joints[k]].q_at];
    }
}

void lithe_pose_drives_free(LitheContext *context, LitheTree *tree) {
    for (int32_t i = 0; tree->pose_drives && i < tree->pose_drive_count; i++) {
        LithePoseDrive *drive = &tree->pose_drives[i];
        void *blocks[] = {drive->name, drive->times, drive->positions, drive->rotations,
                          drive->ik.joints};
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
            lithe_free(context, blocks[k]);
    }
    lithe_free(context, tree->pose_drives);
}
