// SPDX-License-Identifier: Apache-2.0
// lithe/arm.h - describe soft arms: sections of constant curvature with chambers and disks
//
// An arm becomes bodies (its disks), joints (its sections) and actuators (its chambers) of the
// scene, so that everything that works with robots works with arms. SI units.

#ifndef LITHE_ARM_H
#define LITHE_ARM_H

#include "lithe/rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What moves the chambers of an arm.
typedef enum LitheArmDrive {
    LITHE_ARM_PASSIVE,  ///< nothing, or actuators that are added to its joints
    LITHE_ARM_FORCE,    ///< an actuator each: target is the force of the chamber [N]
    LITHE_ARM_POSITION, ///< an actuator each: target is its elongation [m]; three chambers only
    LITHE_ARM_PRESSURE, ///< an actuator each: target is the pressure in the chamber [Pa]
    LITHE_ARM_TENDON, ///< tendons instead of chambers, from the base of the arm to the tip of each
                      ///< section: target is the tension [N]; a negative one does nothing
} LitheArmDrive;

/// An arm of sections, one on the tip of the other, each with chambers around it at equal angles
/// from x about z, and disks that ride on it. Start from lithe_arm_def_default().
///
/// Section i (from 1) is the joint NAME/section-i, its disks the bodies NAME/i-1, NAME/i-2, .. up
/// to its tip; the last one is NAME/tip. Actuators are NAME/i-1, NAME/i-2, .. of its chambers. The
/// joint has three positions for any number of chambers: elongations at 0, 120 and 240 degrees.
typedef struct LitheArmDef {
    const char *name;
    LitheBodyId parent;    ///< that it stands on; {0}: the world
    LitheVec3 at;          ///< of its base in the frame of the parent
    LitheQuat rotation;    ///< of its base: the arm starts along z
    const double *lengths; ///< [section_count] of the centre lines, chambers at 0 [m]
    const double *masses;  ///< [section_count] of the centre lines, uniform [kg]
    const double *radii;   ///< [section_count] from the centre line to the chambers [m]
    int32_t section_count;
    double stiffness;         ///< of each chamber [N/m]
    double damping;           ///< of each chamber [N s/m]
    double lower, upper;      ///< limits of the elongation of a chamber [m]; both 0: none
    double force_limit;       ///< max force of the actuator of a chamber [N]; 0: none
    const double *start;      ///< [start_count] elongations at the start [m]; NULL: 0
    int32_t start_count;      ///< 0, or 3 section_count
    int32_t disks;            ///< of each section, its tip included, at equal distances
    double disk_radius;       ///< m
    double disk_length;       ///< thickness of the disks [m]
    double disk_rounding;     ///< of their rims [m]; at most half of the thickness
    double disk_mass;         ///< of each [kg]; 0: they have none
    LitheMaterialId material; ///< of the disks: friction and contact; none: they touch nothing
    uint32_t group, mask;     ///< of the disks
    LitheVec3 colour;         ///< of the disks; x < 0: none given
    bool self_contact;        ///< disks that are not neighbours touch each other
    LitheArmDrive drive;
    double drive_stiffness; ///< of a position drive [N/m]
    double drive_damping;   ///< of a position drive [N s/m]
    int32_t chambers;       ///< of each section, at least 3
    double area;            ///< of a chamber [m^2]; of a pressure drive, and for drawing
    double pressure_limit;  ///< of a pressure drive [Pa]; 0: none
    bool base_plates; ///< a disk NAME/i-0 without mass at the base of each section, too: that of
                      ///< the first cannot move, the others are copies of tips
} LitheArmDef;

/// Fixed to the world at the origin, 4 disks per section, passive; lengths, masses, radii,
/// stiffness and disk_radius must be set.
LITHE_API LitheArmDef lithe_arm_def_default(void);

/// Adds the bodies, joints, actuators and ignored pairs of an arm. On failure (wrong values,
/// memory) the scene is unchanged.
LITHE_API LitheStatus lithe_scene_add_arm(LitheScene *scene, const LitheArmDef *def,
                                          LitheError *error);

#ifdef __cplusplus
}
#endif

#endif
