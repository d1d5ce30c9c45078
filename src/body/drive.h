// SPDX-License-Identifier: Apache-2.0
// body/drive.h - force and torque of drives that move many points

#ifndef LITHE_BODY_DRIVE_H
#define LITHE_BODY_DRIVE_H

#include "data/work.h"

/// Whether a drive moves a group of points: then it has a force and a torque as vectors.
bool lithe_drive_has_wrench(const LitheModel *model, int32_t drive);

/// Force [N] and torque about the middle of the points [N m] that a drive of a group exerted in the
/// last step with this work, 0 before the first: out [6].
void lithe_drive_wrench(const LitheModel *model, const LitheWork *work, int32_t drive, double *out);

#endif
