// SPDX-License-Identifier: Apache-2.0
// scene/entries.c - the table of how each kind of objects is read from files and written

#include "scene/entries.h"

#include "lithe/arm.h"

// --- defaults ------------------------------------------------------------------------------------

#define DEFAULTS(stem, Def) \
    static void stem##_defaults(void *entry) { \
        *(Def *)entry = lithe_##stem##_def_default(); \
    }
DEFAULTS(material, LitheMaterialDef)
DEFAULTS(material_pair, LitheMaterialPairDef)
DEFAULTS(solid, LitheSolidDef)
DEFAULTS(set, LitheSetDef)
DEFAULTS(hold, LitheHoldDef)
DEFAULTS(drive, LitheDriveDef)
DEFAULTS(force, LitheForceDef)
DEFAULTS(pressure, LithePressureDef)
DEFAULTS(cavity, LitheCavityDef)
DEFAULTS(swell, LitheSwellDef)
DEFAULTS(fibre, LitheFibreDef)
DEFAULTS(natural_drive, LitheNaturalDriveDef)
DEFAULTS(body, LitheBodyDef)
DEFAULTS(robot, LitheRobotDef)
DEFAULTS(chain, LitheChainDef)
DEFAULTS(arm, LitheArmDef)
DEFAULTS(actuator, LitheActuatorDef)
DEFAULTS(pose_drive, LithePoseDriveDef)
DEFAULTS(constraint, LitheConstraintDef)
DEFAULTS(knot, LitheKnotDef)
DEFAULTS(control, LitheControlDef)
DEFAULTS(goal, LitheGoalDef)

// a file must give the section: there is no default radius
static void rod_defaults(void *entry) {
    LitheRodDef *rod = entry;
    *rod = lithe_rod_def_default();
    rod->section = (LitheSectionDef){0};
}

static void joint_defaults(void *entry) {
    LitheJointEntry *joint = entry;
    joint->def = lithe_joint_def_default();
    joint->rotation = (LitheQuat){1, 0, 0, 0};
}

// --- the table -----------------------------------------------------------------------------------

#define ENTRY(Type, defaults_) sizeof(Type), defaults_

const LitheEntries lithe_scene_entries[LITHE_OBJECT_KINDS] = {
    [LITHE_OBJECT_MATERIAL] = {ENTRY(LitheMaterialDef, material_defaults)},
    [LITHE_OBJECT_MATERIAL_PAIR] = {ENTRY(LitheMaterialPairDef, material_pair_defaults)},
    [LITHE_OBJECT_ROD] = {ENTRY(LitheRodDef, rod_defaults), .finish = lithe_read_rod_points,
                          .write = lithe_write_rod},
    [LITHE_OBJECT_PARTICLES] = {ENTRY(LitheParticlesEntry, lithe_particles_defaults),
                                .finish = lithe_finish_particles, .write = lithe_write_particles},
    [LITHE_OBJECT_SOLID] = {ENTRY(LitheSolidDef, solid_defaults), .finish = lithe_finish_solid,
                            .write = lithe_write_solid},
    [LITHE_OBJECT_SET] = {ENTRY(LitheSetDef, set_defaults), .finish = lithe_finish_set,
                          .write = lithe_write_set},
    [LITHE_OBJECT_HOLD] = {ENTRY(LitheHoldDef, hold_defaults)},
    [LITHE_OBJECT_DRIVE] = {ENTRY(LitheDriveDef, drive_defaults), .begin = lithe_begin_drive},
    [LITHE_OBJECT_NATURAL_DRIVE] = {ENTRY(LitheNaturalDriveDef, natural_drive_defaults)},
    [LITHE_OBJECT_BODY] = {ENTRY(LitheBodyEntry, body_defaults), .finish = lithe_finish_body},
    [LITHE_OBJECT_ROBOT] = {ENTRY(LitheRobotDef, robot_defaults), .finish = lithe_add_robot},
    [LITHE_OBJECT_CHAIN] = {ENTRY(LitheChainDef, chain_defaults), .finish = lithe_add_chain},
    [LITHE_OBJECT_ARM] = {ENTRY(LitheArmDef, arm_defaults), .finish = lithe_add_arm},
    [LITHE_OBJECT_FORCE] = {ENTRY(LitheForceDef, force_defaults)},
    [LITHE_OBJECT_PRESSURE] = {ENTRY(LithePressureDef, pressure_defaults)},
    [LITHE_OBJECT_CAVITY] = {ENTRY(LitheCavityDef, cavity_defaults)},
    [LITHE_OBJECT_SWELL] = {ENTRY(LitheSwellDef, swell_defaults)},
    [LITHE_OBJECT_FIBRE] = {ENTRY(LitheFibreDef, fibre_defaults)},
    [LITHE_OBJECT_JOINT] = {ENTRY(LitheJointEntry, joint_defaults), .begin = lithe_begin_joint,
                            .finish = lithe_finish_joint},
    [LITHE_OBJECT_ACTUATOR] = {ENTRY(LitheActuatorDef, actuator_defaults),
                               .begin = lithe_begin_actuator},
    [LITHE_OBJECT_POSE_DRIVE] = {ENTRY(LithePoseDriveDef, pose_drive_defaults),
                                 .begin = lithe_begin_pose_drive},
    [LITHE_OBJECT_CONSTRAINT] = {ENTRY(LitheConstraintDef, constraint_defaults),
                                 .finish = lithe_finish_constraint},
    [LITHE_OBJECT_KNOT] = {ENTRY(LitheKnotDef, knot_defaults)},
    [LITHE_OBJECT_CONTROL] = {ENTRY(LitheControlDef, control_defaults),
                              .write = lithe_write_control},
    [LITHE_OBJECT_GOAL] = {ENTRY(LitheGoalDef, goal_defaults), .finish = lithe_finish_goal},
};
