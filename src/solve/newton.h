// SPDX-License-Identifier: Apache-2.0
// solve/newton.h - free motion of one unit: Newton on its incremental potential, with line search

#ifndef LITHE_SOLVE_NEWTON_H
#define LITHE_SOLVE_NEWTON_H

#include "body/unit.h"

typedef struct LitheNewtonSetting {
    double tolerance; ///< of the scaled residual, relative to the momenta that balance in it
    int32_t max_iterations;
    bool thorough; ///< continue within the rounding noise while the potential falls
} LitheNewtonSetting;

/// Solves r(w) = 0 from the guess in the unit's work, after ops->begin. Counts, residual and
/// convergence are stored there; w and r are the solution and its residual.
void lithe_newton(const LitheModel *model, int32_t body, const LitheNewtonSetting *setting,
                  LitheWork *work);

/// At a solution of lithe_newton, after ops->begin: full Newton steps from the guess while they
/// help. Needed where the rounding noise of the stretching hides a smooth residual, which bends a
/// soft rod. Returns false when the residual does not fall back to the noise level; the guess that
/// the steps started from is then as good as any result.
bool lithe_newton_polish(const LitheModel *model, int32_t body, const LitheNewtonSetting *setting,
                         LitheWork *work);

/// Adds up the outcomes of the units.
void lithe_report_sum(const LitheModel *model, const LitheWork *work, LitheReport *report);

#endif
