// SPDX-License-Identifier: Apache-2.0
// solve/check.h - independent check of a solution, recomputed from the data of the problem

#ifndef LITHE_SOLVE_CHECK_H
#define LITHE_SOLVE_CHECK_H

#include "data/system.h"
#include "solve/convex.h"

/// Conditions of a solution, in the order of the checks.
typedef enum LitheCheckKind {
    LITHE_CHECK_PASSED,
    LITHE_CHECK_FINITE,     // every velocity and impulse is finite
    LITHE_CHECK_HELD,       // held DoFs have their prescribed velocity
    LITHE_CHECK_VELOCITY,   // v = J w + bias
    LITHE_CHECK_LAW,        // the impulse is that of the law at v
    LITHE_CHECK_SIGN,       // normal impulses, and those of limits, are not negative
    LITHE_CHECK_CONE,       // friction is within its bound and opposes the motion
    LITHE_CHECK_COMPLEMENT, // complementarity of impulse and gap velocity
    LITHE_CHECK_BOUND,      // drives and dry friction are within their bounds
    LITHE_CHECK_BALANCE,    // (V24)
} LitheCheckKind;

/// The first check that failed, and where.
typedef struct LitheCheck {
    LitheCheckKind failed;
    int32_t coupling; // -1: none
    int32_t row;      // of the coupling; for the balance: the DoF with the largest error
    double size;      // size of the error
    double limit;     // limit that the size exceeded
    double rounding;  // part of |D gradient| that rounding of w and of the sums can explain
} LitheCheck;

/// Checks w, v and impulse of a solved system; `work` [4 dof_count]. With `stalled` the limit of
/// the balance is the error that rounding can cause, not that of (V24).
LitheCheck lithe_system_check(const LitheSystem *system, const LitheConvexSetting *setting,
                              bool stalled, double *work);

/// "friction within its bound" ..
const char *lithe_check_name(LitheCheckKind kind);

#endif
