// SPDX-License-Identifier: Apache-2.0
// solve/convex.h - the convex problem of a step: Newton with exact line search

#ifndef LITHE_SOLVE_CONVEX_H
#define LITHE_SOLVE_CONVEX_H

#include "assemble/assemble.h"
#include "base/status.h"
#include "data/system.h"

typedef struct LitheConvexSetting {
    double
        tolerance; ///< of the norm of the gradient, relative to that of the impulses J' gamma in it
    double momentum; ///< lower bound of that norm of the impulses (V24)
    double noise;    ///< rounding error of the gradient, in the same norm
    double lag;      ///< friction bounds with a larger error are updated in the solve; 0: never
    int32_t follows; ///< max number of such updates; 0: one. Rigid: also at convergence
    bool warm_start; ///< start from the end of the last solve, with its directions of friction
    double reuse;    ///< with a residual up to this multiple of the tolerance, the last H is reused
    bool rigid;      ///< rigid bodies only: H is also reused in the solve, line searches are rough
    bool mesh;       ///< a unit is a mesh, whose H is expensive: it is reused once, at the end
    int32_t max_iterations;
    int32_t min_iterations; ///< even when the start is within the tolerance
    double steady;          ///< no iteration at all if its residual is within this fraction of it
} LitheConvexSetting;

/// Solves (V22) from system->w. Impulses are stored in the couplings, the outcome in the system.
/// False when out of memory or H is not positive definite (A was not).
bool lithe_convex_solve(LitheSystem *system, const LitheConvexSetting *setting);

/// gradient = from - J' impulse at the present impulses; returns |D gradient|, D = diag(A)^-1/2
/// over free DoFs, and in `goal` the tolerance for it (V24).
double lithe_convex_gradient_norm(LitheSystem *system, const double *from,
                                  const LitheConvexSetting *setting, double *goal);

/// |D .| of the gradient error that rounding of w can cause, through the Hessians of the couplings,
/// plus rounding of the sums.
double lithe_convex_rounding(LitheSystem *system);

/// Static steps: the same of the errors of near-rigid constraints and limits by rounding of the
/// places that they tie: forces below it are none.
double lithe_convex_place_noise(const LitheAssembly *all, LitheSystem *system);

#endif
