// SPDX-License-Identifier: Apache-2.0
// lithe/control.h - steer a simulation between its steps: drives, actuators, hands, outside forces
//
// Whatever is set here is part of the state: it holds from the next step on until it is set anew,
// is copied, saved and restored with the state, and a run from a copy gives the same bits.

#ifndef LITHE_CONTROL_H
#define LITHE_CONTROL_H

#include "lithe/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What one number is to do from now on, instead of what the scene says: value + rate (t - now).
typedef struct LitheCommand {
    double value; ///< m or rad; of actuators as their target
    double rate;  ///< its unit per second
} LitheCommand;

// --- drives of rods ------------------------------------------------------------------------------

/// The way along its direction [m], of a twist drive the angle [rad]. An exact drive is there at
/// the end of the next step, however far that is. LITHE_BAD_INPUT for a number that is not finite.
LITHE_API LitheStatus lithe_state_set_drive(const LitheModel *model, LitheState *state,
                                            LitheDriveId drive, LitheCommand motion,
                                            LitheError *error);
/// The angle of a clamp about its axis [rad]; LITHE_BAD_INPUT for other drives.
LITHE_API LitheStatus lithe_state_set_drive_turn(const LitheModel *model, LitheState *state,
                                                 LitheDriveId drive, LitheCommand turn,
                                                 LitheError *error);
/// Gives the drive back to the scene.
LITHE_API void lithe_state_release_drive(const LitheModel *model, LitheState *state,
                                         LitheDriveId drive);
/// What it follows now: position as lithe_drive_position would tell of it, and speed.
LITHE_API LitheCommand lithe_drive_command(const LitheModel *model, const LitheState *state,
                                           LitheDriveId drive);

// --- actuators of joints -------------------------------------------------------------------------

/// Id of an actuator in a model; {0} is none.
typedef struct LitheActuatorId {
    int32_t number;
} LitheActuatorId;

/// Actuators in the order of the scene, those of robots included.
LITHE_API int32_t lithe_actuator_count(const LitheModel *model);
/// {0} when there is none of that name.
LITHE_API LitheActuatorId lithe_actuator_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_actuator_name(const LitheModel *model, LitheActuatorId actuator);

/// Its target: effort, position or velocity, by its kind. LITHE_BAD_INPUT for a number that is not
/// finite.
LITHE_API LitheStatus lithe_state_set_actuator(const LitheModel *model, LitheState *state,
                                               LitheActuatorId actuator, LitheCommand target,
                                               LitheError *error);
/// Gives the actuator back to the scene.
LITHE_API void lithe_state_release_actuator(const LitheModel *model, LitheState *state,
                                            LitheActuatorId actuator);
/// Its target at the state's time.
LITHE_API LitheCommand lithe_actuator_command(const LitheModel *model, const LitheState *state,
                                              LitheActuatorId actuator);

// --- hands ---------------------------------------------------------------------------------------

/// Id of a pose drive in a model; {0} is none.
typedef struct LithePoseDriveId {
    int32_t number;
} LithePoseDriveId;

/// Pose drives in the order of the scene.
LITHE_API int32_t lithe_pose_drive_count(const LitheModel *model);
/// {0} when there is none of that name.
LITHE_API LithePoseDriveId lithe_pose_drive_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_pose_drive_name(const LitheModel *model, LithePoseDriveId drive);

/// Where the driven frame is to be now: x y z and quaternion (real part first, any length but 0),
/// and how it moves on: velocity and spin, world axes; NULL: not at all. LITHE_BAD_INPUT for
/// numbers that are no pose.
LITHE_API LitheStatus lithe_state_set_pose_drive(const LitheModel *model, LitheState *state,
                                                 LithePoseDriveId drive, const double pose[7],
                                                 const double velocity[6], LitheError *error);
/// Gives the hand back to the path of the scene.
LITHE_API void lithe_state_release_pose_drive(const LitheModel *model, LitheState *state,
                                              LithePoseDriveId drive);
/// Where it is to be at the state's time.
LITHE_API void lithe_pose_drive_target(const LitheModel *model, const LitheState *state,
                                       LithePoseDriveId drive, double pose[7]);

// --- forces from outside -------------------------------------------------------------------------

/// [node_count][3] N on the nodes of a rod, in the state: write what is to act. Zero at first.
LITHE_API double *lithe_rod_force_writable(const LitheModel *model, LitheState *state,
                                           LitheRodId rod);
/// [6] force [N] at the origin of the body's frame and torque [N m], world axes, in the state; NULL
/// for a body that is fixed in the world.
LITHE_API double *lithe_body_force_writable(const LitheModel *model, LitheState *state,
                                            LitheBodyId body);

// --- keys and gamepads ---------------------------------------------------------------------------

/// What a key or an axis of a gamepad does in the viewer of a live run. Either `key` or `axis`; one
/// of `drive`, `actuator`, `hand` and `constraint`.
typedef struct LitheControlDef {
    const char *name;
    const char *key;        ///< as browsers call it: "a", "ArrowUp", " "; NULL: none
    int32_t axis;           ///< of a gamepad, from 0; -1: none
    const char *drive;      ///< it moves this drive
    const char *actuator;   ///< or the target of this actuator
    const char *hand;       ///< or this pose drive
    const char *constraint; ///< or switches this constraint on and off; keys only
    double speed;           ///< while pressed, or at the end of the axis [m/s]
    double spin;            ///< the same of what turns [rad/s]
    LitheVec3 move;         ///< of a hand, along the world's axes [m/s]
    LitheVec3 turn;         ///< of a hand, about them [rad/s]
} LitheControlDef;

/// Nothing set.
LITHE_API LitheControlDef lithe_control_def_default(void);

/// Adds a copy; false when out of memory. Wrong values are found by lithe_scene_check.
LITHE_API bool lithe_scene_add_control(LitheScene *scene, const LitheControlDef *def);

#ifdef __cplusplus
}
#endif

#endif
