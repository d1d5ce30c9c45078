// SPDX-License-Identifier: Apache-2.0
// data/profile.h - a number that changes in time: of a drive, a load or a switch

#ifndef LITHE_DATA_PROFILE_H
#define LITHE_DATA_PROFILE_H

#include "lithe/scene.h"

/// A profile with its own copy of the table.
typedef struct LitheProfile {
    LitheProfileDef def;
} LitheProfile;

#endif
