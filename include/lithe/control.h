// SPDX-License-Identifier: Apache-2.0
// lithe/control.h - control between steps: drives, actuators, pose drives, external forces
//
// Commands are part of the state. They act from the next step on until they are changed; they are
// copied, saved and restored with the state, and a run from a copy gives the same bits.

#ifndef LITHE_CONTROL_H
#define LITHE_CONTROL_H

#include "lithe/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A command that replaces a profile of the scene from now on: value + rate (t - now).
typedef struct LitheCommand {
    double value; ///< m or rad; for actuators the unit of the target
    double rate;  ///< unit of the value per second
} LitheCommand;

// --- drives of rods ------------------------------------------------------------------------------

/// Sets the displacement along the drive's direction [m], for a twist drive the angle [rad]. An
/// exact drive reaches it at the end of the next step, at any distance. LITHE_BAD_INPUT for a
/// number that is not finite.
LITHE_API LitheStatus lithe_state_set_drive(const LitheModel *model, LitheState *state,
                                            LitheDriveId drive, LitheCommand motion,
                                            LitheError *error);
/// Sets the angle of a clamp about its axis [rad]; LITHE_BAD_INPUT for other drives.
LITHE_API LitheStatus lithe_state_set_drive_turn(const LitheModel *model, LitheState *state,
                                                 LitheDriveId drive, LitheCommand turn,
                                                 LitheError *error);
/// Returns the drive to the profile of the scene.
LITHE_API void lithe_state_release_drive(const LitheModel *model, LitheState *state,
                                         LitheDriveId drive);
/// The command that the drive follows now: its position (lithe_drive_position) and speed.
LITHE_API LitheCommand lithe_drive_command(const LitheModel *model, const LitheState *state,
                                           LitheDriveId drive);

// --- actuators of joints -------------------------------------------------------------------------

/// Id of an actuator in a model; {0} is none.
typedef struct LitheActuatorId {
    int32_t number;
} LitheActuatorId;

/// Actuators in the order of the scene, those of robots included.
LITHE_API int32_t lithe_actuator_count(const LitheModel *model);
/// {0}: none of that name.
LITHE_API LitheActuatorId lithe_actuator_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_actuator_name(const LitheModel *model, LitheActuatorId actuator);

/// Sets the target: effort, position or velocity, depending on its kind. LITHE_BAD_INPUT for a
/// number that is not finite.
LITHE_API LitheStatus lithe_state_set_actuator(const LitheModel *model, LitheState *state,
                                               LitheActuatorId actuator, LitheCommand target,
                                               LitheError *error);
/// Returns the actuator to the profile of the scene.
LITHE_API void lithe_state_release_actuator(const LitheModel *model, LitheState *state,
                                            LitheActuatorId actuator);
/// Target of the actuator at the state's time.
LITHE_API LitheCommand lithe_actuator_command(const LitheModel *model, const LitheState *state,
                                              LitheActuatorId actuator);
/// What the actuator exerts at the state's time, by its kind, its target and its bounds, before the
/// gear [N m; where the joint slides, and of chambers and tendons: N]. Of a prescribed one: of its
/// joint in the last step, less that of others.
LITHE_API double lithe_actuator_effort(const LitheModel *model, const LitheState *state,
                                       LitheActuatorId actuator);

// --- pose drives ---------------------------------------------------------------------------------

/// Id of a pose drive in a model; {0} is none.
typedef struct LithePoseDriveId {
    int32_t number;
} LithePoseDriveId;

/// Pose drives in the order of the scene.
LITHE_API int32_t lithe_pose_drive_count(const LitheModel *model);
/// {0}: none of that name.
LITHE_API LithePoseDriveId lithe_pose_drive_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_pose_drive_name(const LitheModel *model, LithePoseDriveId drive);

/// Sets the target pose of the driven frame now: x y z and quaternion (real part first, of any
/// length except 0), and its motion from then on: velocity and angular velocity in world axes;
/// NULL: at rest. LITHE_BAD_INPUT for an invalid pose.
LITHE_API LitheStatus lithe_state_set_pose_drive(const LitheModel *model, LitheState *state,
                                                 LithePoseDriveId drive, const double pose[7],
                                                 const double velocity[6], LitheError *error);
/// Returns the pose drive to the path of the scene.
LITHE_API void lithe_state_release_pose_drive(const LitheModel *model, LitheState *state,
                                              LithePoseDriveId drive);
/// Target pose of the pose drive at the state's time.
LITHE_API void lithe_pose_drive_target(const LitheModel *model, const LitheState *state,
                                       LithePoseDriveId drive, double pose[7]);

// --- external forces -----------------------------------------------------------------------------

/// [node_count][3] external forces on the nodes of a rod [N], in the state. Initially zero.
LITHE_API double *lithe_rod_force_writable(const LitheModel *model, LitheState *state,
                                           LitheRodId rod);
/// [6] force [N] at the origin of the body's frame and torque [N m], world axes, in the state; NULL
/// for a body that is fixed in the world.
LITHE_API double *lithe_body_force_writable(const LitheModel *model, LitheState *state,
                                            LitheBodyId body);

// --- linearised steps ----------------------------------------------------------------------------

/// Derivatives of the next step from `state`, which does not change, for controllers. The states x
/// are the displacements and then the velocities, n = lithe_model_velocity_count each, in the order
/// of the state's velocities (rotations as rotation vectors); the inputs u are the targets of the m
/// actuators: dx' = A dx + B du with `a` [2n][2n] and `b` [2n][m]; `b` may be NULL. Targets go on
/// at their present rates. By steps from states on both sides, solved to 1e-11. `changed` counts
/// the columns in which contacts open, close, stick or slide however near these states are: there a
/// step has no derivative. LITHE_NOT_SUPPORTED for schemes other than backward-euler and
/// linearly-implicit and for adaptive steps; LITHE_CANNOT_GO_ON for a step that does not converge.
LITHE_API LitheStatus lithe_linearise(const LitheModel *model, const LitheState *state,
                                      LitheWork *work, double *a, double *b, int32_t *changed,
                                      LitheError *error);

// --- keys and gamepads ---------------------------------------------------------------------------

/// What a key or an axis of a gamepad does in the viewer of a live run. Set either `key` or `axis`,
/// and one of `drive`, `actuator`, `hand` and `constraint`.
typedef struct LitheControlDef {
    const char *name;
    const char *key;        ///< its name in browsers: "a", "ArrowUp", " "; NULL: none
    int32_t axis;           ///< of a gamepad, from 0; -1: none
    const char *drive;      ///< the drive that it moves
    const char *actuator;   ///< or the actuator whose target it moves
    const char *hand;       ///< or the pose drive that it moves
    const char *constraint; ///< or the constraint that it switches on and off; keys only
    double speed;           ///< while pressed, or at the end of the axis [m/s]
    union {
        double angular_velocity; ///< the same for rotations [rad/s]
        double spin;             ///< the older name of angular_velocity
    };
    LitheVec3 move; ///< of a pose drive: velocity, world axes [m/s]
    LitheVec3 turn; ///< of a pose drive: angular velocity, world axes [rad/s]
} LitheControlDef;

/// Nothing set.
LITHE_API LitheControlDef lithe_control_def_default(void);

/// Adds a copy; false when out of memory. lithe_scene_check finds wrong values.
LITHE_API bool lithe_scene_add_control(LitheScene *scene, const LitheControlDef *def);

#ifdef __cplusplus
}
#endif

#endif
