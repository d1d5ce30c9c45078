// SPDX-License-Identifier: Apache-2.0
// plan/arm_record.h - the record of an arm of sections of constant curvature: motion and forces

#ifndef LITHE_PLAN_ARM_RECORD_H
#define LITHE_PLAN_ARM_RECORD_H

#include "plan/ball_task.h"
#include "plan/tape_vector.h"

// a place of a section in the frame of the section's base: position, rotation, and their
// derivatives by (s, u, w): columns
typedef struct Local {
    Vector p;
    Matrix rotation;
    Vector linear[3], angular[3];
} Local;

typedef struct Base {
    Vector position, velocity, spin; // velocity and spin of the change of the speeds
    Matrix rotation;
    Vector real_velocity, real_spin;
} Base;

typedef struct Disk {
    Vector centre, velocity, spin;
    Matrix rotation;
} Disk;

typedef struct Arm {
    Vector y[LITHE_PLAN_SECTIONS], rate[LITHE_PLAN_SECTIONS], change[LITHE_PLAN_SECTIONS];
    Base base[LITHE_PLAN_SECTIONS + 1];
    Local end[LITHE_PLAN_SECTIONS], disk_local[LITHE_PLAN_CONTACTS];
    Disk disk[LITHE_PLAN_CONTACTS]; // those that touch
} Arm;

// what acts on a disk that touches, at a lever from its centre
typedef struct Push {
    Vector force, lever;
} Push;

/// positions and velocities of bases and of the disks that touch; `speeds`, `change`: chamber rates
/// and what the inertia resists
Arm lithe_record_arm(Tape *t, const LitheBallTask *model, int32_t lengths, const Vector *speeds,
                     const Vector *change);

/// The disk at a place of a section, with the speeds of the arm.
Disk lithe_record_disk(Tape *t, const Arm *arm, int32_t section, double place);

/// Generalised forces of inertia (mass times change), of weight over a step and of a force on each
/// disk that touches, by chamber: M dv - h sum J' m g + sum J_c' force_c. With the arm `before` the
/// step (or NULL) the inertia resists the change of the velocities of its mass points, sum J' m (J
/// v
/// - J_before v_before), which has the forces of Coriolis.
void lithe_record_forces(Tape *t, const LitheBallTask *model, const Arm *arm, const Arm *before,
                         const Push *pushes, Vector *forces);

#endif
