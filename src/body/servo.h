// SPDX-License-Identifier: Apache-2.0
// body/servo.h - drives with springs on joints: periods of their oscillations

#ifndef LITHE_BODY_SERVO_H
#define LITHE_BODY_SERVO_H

#include "data/model.h"
#include "data/work.h"

typedef struct LitheServo {
    const char *kind, *name; // of the drive
    const char *joint;
    double stiffness; // N m/rad or N/m, at the joint
    double inertia;   // kg m^2 or kg: of the joint, while the others are free
    double period;    // s
} LitheServo;

/// The drive whose spring and inertia oscillate fastest, with the masses of the last step; false if
/// none has a period below `below` [s].
bool lithe_servo_fastest(const LitheModel *model, LitheWork *work, double below,
                         LitheServo *fastest);

#endif
