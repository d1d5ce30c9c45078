// SPDX-License-Identifier: Apache-2.0
// body/strength.h - largest strains and stresses of a model, and their limits

#ifndef LITHE_BODY_STRENGTH_H
#define LITHE_BODY_STRENGTH_H

#include "data/model.h"
#include "data/monitor.h"
#include "data/state.h"

/// What a peak is compared with.
typedef struct LitheStrength {
    const char *name; // of the rod
    const char *unit; // "1", "Pa", or "N" of a tension
    double limit;
    bool given; // by the scene; false: LITHE_LARGE_STRAIN
} LitheStrength;

/// Raises the peaks to those of `state` where these are larger.
void lithe_strength_raise(const LitheModel *model, const LitheState *state, LithePeakAt *strain,
                          LithePeakAt *stress);

/// Limits of the rods of these peaks; the fraction of the peak is > 0.
LitheStrength lithe_strength_of_strain(const LitheModel *model, const LithePeakAt *peak);
LitheStrength lithe_strength_of_stress(const LitheModel *model, const LithePeakAt *peak);

#endif
