// SPDX-License-Identifier: Apache-2.0
// body/strength.c - largest strains and stresses of a model, and their limits

#include "body/strength.h"

#include "body/rod.h"

static void raise_peak(LithePeakAt *peak, double fraction, int32_t index, int32_t node,
                       double time) {
    if (fraction > peak->fraction)
        *peak = (LithePeakAt){fraction, time, index, node};
}

void lithe_strength_raise(const LitheModel *model, const LitheState *state, LithePeakAt *strain,
                          LithePeakAt *stress) {
    double time = state->clock[0];
    for (int32_t i = 0; i < model->rod_count; i++) {
        LitheRodPeaks peaks = {.strain = strain->fraction, .stress = stress->fraction};
        lithe_rod_raise_peaks(&model->rods[i], state, &peaks);
        raise_peak(strain, peaks.strain, i, peaks.strain_node, time);
        raise_peak(stress, peaks.stress, i, peaks.stress_node, time);
    }
}

LitheStrength lithe_strength_of_strain(const LitheModel *model, const LithePeakAt *peak) {
    const LitheRod *rod = &model->rods[peak->index];
    return (LitheStrength){rod->name, "1", lithe_rod_strain_limit(rod),
                           rod->fibre.strain_limit > 0};
}

LitheStrength lithe_strength_of_stress(const LitheModel *model, const LithePeakAt *peak) {
    const LitheRod *rod = &model->rods[peak->index];
    return (LitheStrength){rod->name, rod->fibre.young > 0 ? "Pa" : "N", rod->fibre.yield, true};
}
