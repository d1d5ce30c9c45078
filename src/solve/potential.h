// SPDX-License-Identifier: Apache-2.0
// solve/potential.h - Newton on the incremental potential of units and their interaction

#ifndef LITHE_SOLVE_POTENTIAL_H
#define LITHE_SOLVE_POTENTIAL_H

#include "body/unit.h"
#include "solve/interaction.h"

typedef struct LithePotentialSetting {
    double tolerance; ///< of the momentum residual, relative to the momenta that balance in it
    int32_t max_iterations;
    int32_t plain;  ///< first iterations, without Hessians of interactions: one matrix per unit
    double settled; ///< relative change of lagged terms that counts as converged
    int32_t max_lagged_updates;
} LithePotentialSetting;

/// Outcome of a solve.
typedef struct LithePotentialOutcome {
    int32_t iterations, cuts, lagged_updates;
    int32_t corrected; ///< Hessians that were projected
    bool converged, settled;
    double residual; ///< relative, as the tolerance is
} LithePotentialOutcome;

/// Scratch; memory only grows. The symbolic factorisation is kept while the pattern stays the same.
typedef struct LithePotential LithePotential;

/// NULL when out of memory.
LithePotential *lithe_potential_create(LitheContext *context);

/// Accepts NULL.
void lithe_potential_destroy(LithePotential *potential);

/// From ops->begin of all units to their motion: w, r and impulse in their work. False when a unit
/// left its domain (its `finite` is then false); LITHE_NO_MEMORY in *status.
bool lithe_potential_solve(const LitheModel *model, const LitheInteraction *act,
                           const LithePotentialSetting *setting, LitheWork *work,
                           LithePotential *potential, LithePotentialOutcome *outcome,
                           LitheStatus *status);

#endif
