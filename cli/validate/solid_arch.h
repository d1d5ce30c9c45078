// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_arch.h - the stones of the masonry arch, and its hinges

#ifndef LITHE_CLI_SOLID_ARCH_H
#define LITHE_CLI_SOLID_ARCH_H

#include "cli/validate/validate.h"

enum { LITHE_ARCH_STONES = 25 };

LitheSolidId lithe_arch_stone(const LitheStand *stand, int32_t number); ///< from 1, the left foot

/// Mean of the nodes of a stone.
LitheVec3 lithe_arch_centre(const LitheStand *stand, int32_t number);

/// An arch with two open joints and two feet on edges is three rigid parts on four hinges.
typedef struct LitheArchHinges {
    int32_t left, right; ///< stones below the open joints
    double rate;         ///< at which a small lean of the crown grows [1/s]; NAN: it does not
    double lean;         ///< x of the crown where the joint that closes first has closed [m]
} LitheArchHinges;

/// From the places of the stones; the feet turn about (-foot, top) and (foot, top). `side` is that
/// of the lean: below 0 the arch leans to -x, and the left joint closes.
LitheArchHinges lithe_arch_hinges(const LitheStand *stand, double foot, double top, double side);

#endif
