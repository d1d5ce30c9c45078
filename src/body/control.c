// SPDX-License-Identifier: Apache-2.0
// body/control.c - control of a simulation between its steps: commands and external forces in the
// state

#include "body/control.h"

#include "body/tree_body.h"

#include "base/assert.h"
#include "base/status.h"
#include "body/pose_drive.h"
#include "body/rod.h"
#include "lithe/control.h"

#include <math.h>
#include <string.h>

// --- read by a step ------------------------------------------------------------------------------

double lithe_command_at(const LitheProfile *profile, const double *command, double time) {
    if (command[LITHE_COMMAND_ON] == 0)
        return lithe_profile_at(profile, time);
    return command[LITHE_COMMAND_VALUE] +
           command[LITHE_COMMAND_RATE] * (time - command[LITHE_COMMAND_SINCE]);
}

double lithe_command_rate(const LitheProfile *profile, const double *command, double time) {
    return command[LITHE_COMMAND_ON] == 0 ? lithe_profile_rate(profile, time)
                                          : command[LITHE_COMMAND_RATE];
}

static Quat quat_of(const double *x) {
    return (Quat){x[0], x[1], x[2], x[3]};
}

Pose lithe_command_pose(const LithePoseDrive *drive, const double *command, double time,
                        Vec3 *velocity, Vec3 *angular_velocity) {
    if (command[LITHE_COMMAND_ON] == 0)
        return lithe_pose_path_at(drive, time, velocity, angular_velocity);
    double passed = time - command[LITHE_COMMAND_SINCE];
    *velocity = v3_load(command + LITHE_POSE_VELOCITY);
    *angular_velocity = v3_load(command + LITHE_POSE_VELOCITY + 3);
    Quat turn = q4_exp(v3_scale(passed, *angular_velocity));
    return (Pose){q4_mul(turn, quat_of(command + LITHE_POSE_AT + 3)),
                  v3_axpy(passed, *velocity, v3_load(command + LITHE_POSE_AT))};
}

// --- commands ------------------------------------------------------------------------------------

static LitheStatus set_command(const LitheState *state, const char *kind, const char *name,
                               LitheCommand wanted, double *command, LitheError *error) {
    if (!isfinite(wanted.value) || !isfinite(wanted.rate))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s '%s': the target is %g and its rate %g, both must be finite", kind,
                          name, wanted.value, wanted.rate);
    command[LITHE_COMMAND_ON] = 1;
    command[LITHE_COMMAND_SINCE] = lithe_load_time(state);
    command[LITHE_COMMAND_VALUE] = wanted.value;
    command[LITHE_COMMAND_RATE] = wanted.rate;
    return LITHE_OK;
}

// clears the whole command, so that the state has the same bits as without any command
static void release(double *command, size_t size) {
    memset(command, 0, size * sizeof *command);
}

static const LitheDrive *drive_of(const LitheModel *model, LitheDriveId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->drive_count);
    return &model->drives[id.number - 1];
}

LitheStatus lithe_state_set_drive(const LitheModel *model, LitheState *state, LitheDriveId id,
                                  LitheCommand motion, LitheError *error) {
    const LitheDrive *drive = drive_of(model, id);
    double *command =
        lithe_command_of_drive(state, id.number - 1, drive->kind == LITHE_DRIVE_TWIST);
    return set_command(state, "drive", drive->name, motion, command, error);
}

LitheStatus lithe_state_set_drive_turn(const LitheModel *model, LitheState *state, LitheDriveId id,
                                       LitheCommand turn, LitheError *error) {
    const LitheDrive *drive = drive_of(model, id);
    if (drive->kind != LITHE_DRIVE_CLAMP)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "drive '%s': only a clamp takes a turn in addition to its motion",
                          drive->name);
    double *command = lithe_command_of_drive(state, id.number - 1, true);
    return set_command(state, "drive", drive->name, turn, command, error);
}

void lithe_state_release_drive(const LitheModel *model, LitheState *state, LitheDriveId id) {
    drive_of(model, id);
    release(lithe_command_of_drive(state, id.number - 1, false), 2 * LITHE_COMMAND_SIZE);
}

LitheCommand lithe_drive_command(const LitheModel *model, const LitheState *state,
                                 LitheDriveId id) {
    const LitheDrive *drive = drive_of(model, id);
    bool twists = drive->kind == LITHE_DRIVE_TWIST;
    const LitheProfile *profile = twists ? &drive->turn : &drive->motion;
    const double *command = lithe_command_of_drive(state, id.number - 1, twists);
    double now = lithe_load_time(state);
    return (LitheCommand){lithe_command_at(profile, command, now),
                          lithe_command_rate(profile, command, now)};
}

int32_t lithe_actuator_count(const LitheModel *model) {
    return model->actuator_count;
}

static const LitheActuator *actuator_of(const LitheModel *model, LitheActuatorId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->actuator_count);
    const LitheTreePart *part = &model->actuators[id.number - 1];
    return &model->trees[part->tree].actuators[part->index];
}

const char *lithe_actuator_name(const LitheModel *model, LitheActuatorId actuator) {
    return actuator_of(model, actuator)->name;
}

LitheActuatorId lithe_actuator_find(const LitheModel *model, const char *name) {
    for (int32_t i = 1; i <= model->actuator_count; i++)
        if (strcmp(lithe_actuator_name(model, (LitheActuatorId){i}), name) == 0)
            return (LitheActuatorId){i};
    return (LitheActuatorId){0};
}

LitheStatus lithe_state_set_actuator(const LitheModel *model, LitheState *state, LitheActuatorId id,
                                     LitheCommand target, LitheError *error) {
    return set_command(state, "actuator", actuator_of(model, id)->name, target,
                       lithe_command_of_actuator(model, state, id.number - 1), error);
}

void lithe_state_release_actuator(const LitheModel *model, LitheState *state, LitheActuatorId id) {
    actuator_of(model, id);
    release(lithe_command_of_actuator(model, state, id.number - 1), LITHE_COMMAND_SIZE);
}

LitheCommand lithe_actuator_command(const LitheModel *model, const LitheState *state,
                                    LitheActuatorId id) {
    const LitheProfile *target = &actuator_of(model, id)->target;
    const double *command = lithe_command_of_actuator(model, state, id.number - 1);
    double now = lithe_load_time(state);
    return (LitheCommand){lithe_command_at(target, command, now),
                          lithe_command_rate(target, command, now)};
}

// effort of part `index` of the actuators of a tree, in the unit of its target
static double effort_of(const LitheModel *model, const LitheState *state, const LitheTree *tree,
                        int32_t index) {
    const LitheActuator *actuator = &tree->actuators[index];
    const LitheRigidDrive *drive = &actuator->drive;
    const LitheRigidLink *link = &tree->rigid.links[drive->link];
    double q = state->q[tree->q_at + link->q_at + drive->dof];
    double v = state->v[tree->v_at + link->v_at + drive->dof];
    double target = lithe_command_at(&actuator->target,
                                     lithe_command_of_actuator(model, state, actuator->number),
                                     lithe_load_time(state));
    double effort = 0, most = actuator->effort_limit > 0 ? actuator->effort_limit : INFINITY;
    switch (drive->kind) {
    case LITHE_ACTUATOR_FORCE:
        effort = drive->pulls ? fmax(target, 0) : target;
        break;
    case LITHE_ACTUATOR_POSITION:
        effort = drive->stiffness * (target - q) - drive->damping * v;
        break;
    case LITHE_ACTUATOR_VELOCITY:
        effort = drive->damping * (target - v);
        break;
    case LITHE_ACTUATOR_PRESCRIBED: {
        int32_t at = link->v_at + drive->dof;
        double rest = state->own[tree->effort_at + at];
        for (int32_t k = 0; k < tree->actuator_count; k++) {
            const LitheRigidDrive *other = &tree->actuators[k].drive;
            if (other->kind != LITHE_ACTUATOR_PRESCRIBED && other->link == drive->link &&
                other->dof == drive->dof)
                rest -= other->gear * effort_of(model, state, tree, k);
        }
        return rest / drive->gear;
    }
    }
    if (link->effort_limit > 0 && drive->gear != 0)
        most = fmin(most, link->effort_limit / fabs(drive->gear));
    return fmax(-most, fmin(most, effort));
}

double lithe_actuator_effort(const LitheModel *model, const LitheState *state, LitheActuatorId id) {
    const LitheActuator *actuator = actuator_of(model, id);
    const LitheTreePart *part = &model->actuators[id.number - 1];
    double area = actuator->area > 0 ? actuator->area : 1;
    return area * effort_of(model, state, &model->trees[part->tree], part->index);
}

// --- pose drives ---------------------------------------------------------------------------------

int32_t lithe_pose_drive_count(const LitheModel *model) {
    return model->pose_drive_count;
}

static const LithePoseDrive *pose_drive_of(const LitheModel *model, LithePoseDriveId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->pose_drive_count);
    const LitheTreePart *part = &model->pose_drives[id.number - 1];
    return &model->trees[part->tree].pose_drives[part->index];
}

const char *lithe_pose_drive_name(const LitheModel *model, LithePoseDriveId drive) {
    return pose_drive_of(model, drive)->name;
}

LithePoseDriveId lithe_pose_drive_find(const LitheModel *model, const char *name) {
    for (int32_t i = 1; i <= model->pose_drive_count; i++)
        if (strcmp(lithe_pose_drive_name(model, (LithePoseDriveId){i}), name) == 0)
            return (LithePoseDriveId){i};
    return (LithePoseDriveId){0};
}

LitheStatus lithe_state_set_pose_drive(const LitheModel *model, LitheState *state,
                                       LithePoseDriveId id, const double pose[7],
                                       const double velocity[6], LitheError *error) {
    const LithePoseDrive *drive = pose_drive_of(model, id);
    double sum = 0, length = 0;
    for (int i = 0; i < 7; i++)
        sum += 0 * pose[i];
    for (int i = 0; velocity && i < 6; i++)
        sum += 0 * velocity[i];
    for (int i = 3; i < 7; i++)
        length += pose[i] * pose[i];
    if (sum != 0 || !(length > 0) || !isfinite(length))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "pose drive '%s': the target is [%g %g %g, %g %g %g %g], must be finite "
                          "with a quaternion that is not zero, and its velocity finite",
                          drive->name, pose[0], pose[1], pose[2], pose[3], pose[4], pose[5],
                          pose[6]);
    double *command = state->poses + LITHE_POSE_SIZE * (int64_t)(id.number - 1);
    release(command, LITHE_POSE_SIZE);
    command[LITHE_COMMAND_ON] = 1;
    command[LITHE_COMMAND_SINCE] = lithe_load_time(state);
    for (int i = 0; i < 7; i++)
        command[LITHE_POSE_AT + i] = i < 3 ? pose[i] : pose[i] / sqrt(length);
    if (velocity)
        memcpy(command + LITHE_POSE_VELOCITY, velocity, 6 * sizeof *velocity);
    return LITHE_OK;
}

void lithe_state_release_pose_drive(const LitheModel *model, LitheState *state,
                                    LithePoseDriveId id) {
    pose_drive_of(model, id);
    release(state->poses + LITHE_POSE_SIZE * (int64_t)(id.number - 1), LITHE_POSE_SIZE);
}

void lithe_pose_drive_target(const LitheModel *model, const LitheState *state, LithePoseDriveId id,
                             double pose[7]) {
    Vec3 velocity, angular_velocity;
    Pose at = lithe_command_pose(pose_drive_of(model, id),
                                 state->poses + LITHE_POSE_SIZE * (int64_t)(id.number - 1),
                                 lithe_load_time(state), &velocity, &angular_velocity);
    v3_store(at.at, pose);
    pose[3] = at.rotation.w, pose[4] = at.rotation.x;
    pose[5] = at.rotation.y, pose[6] = at.rotation.z;
}

// --- forces --------------------------------------------------------------------------------------

double *lithe_rod_force_writable(const LitheModel *model, LitheState *state, LitheRodId rod) {
    LITHE_ASSERT(rod.number >= 1 && rod.number <= model->rod_count);
    return state->pushes + 3 * model->rods[rod.number - 1].point_at;
}

double *lithe_body_force_writable(const LitheModel *model, LitheState *state, LitheBodyId body) {
    LITHE_ASSERT(body.number >= 1 && body.number <= model->body_count);
    const LitheRigidBody *found = &model->bodies[body.number - 1];
    const LitheTree *tree = lithe_body_tree(model, body.number - 1);
    return tree ? state->own + tree->wrench_at + 6 * (int64_t)found->element : NULL;
}
