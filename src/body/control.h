// SPDX-License-Identifier: Apache-2.0
// body/control.h - commands of a controller, which replace profiles of the scene

#ifndef LITHE_BODY_CONTROL_H
#define LITHE_BODY_CONTROL_H

#include "data/state.h"

/// Rows of state->commands: motion and turn of each drive, then the targets of actuators.
static inline double *lithe_command_of_drive(const LitheState *state, int64_t drive, bool turn) {
    return state->commands + LITHE_COMMAND_SIZE * (2 * drive + turn);
}

static inline double *lithe_command_of_actuator(const LitheModel *model, const LitheState *state,
                                                int64_t actuator) {
    return state->commands + LITHE_COMMAND_SIZE * (2 * (int64_t)model->drive_count + actuator);
}

/// The profile, or the command (a row of state->commands) when there is one; value and rate.
double lithe_command_at(const LitheProfile *profile, const double *command, double time);
double lithe_command_rate(const LitheProfile *profile, const double *command, double time);

/// Pose of a pose drive, with velocity and angular velocity: from its path, or from the command (a
/// row of state->poses) when there is one.
Pose lithe_command_pose(const LithePoseDrive *drive, const double *command, double time,
                        Vec3 *velocity, Vec3 *angular_velocity);

#endif
