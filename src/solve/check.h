// SPDX-License-Identifier: Apache-2.0
// solve/check.h - independent check of a solution, recomputed from the data of the problem

#ifndef LITHE_SOLVE_CHECK_H
#define LITHE_SOLVE_CHECK_H

#include "data/system.h"
#include "solve/convex.h"

/// Conditions of a solution, in the order of the checks.
typedef enum LitheCheckKind {
    LITHE_CHECK_PASSED,
    LITHE_CHECK_FINITE,     // every velocity and impulse is a number
    LITHE_CHECK_HELD,       // held DoFs have their prescribed velocity
    LITHE_CHECK_VELOCITY,   // v = J w + bias
    LITHE_CHECK_LAW,        // the impulse is the one of the law at v
    LITHE_CHECK_SIGN,       // normal impulses and limits push
    LITHE_CHECK_CONE,       // friction within its bound, and against the motion
    LITHE_CHECK_COMPLEMENT, // complementarity of impulse and gap velocity
    LITHE_CHECK_BOUND,      // drives and dry friction within theirs
    LITHE_CHECK_BALANCE,    // (V24)
} LitheCheckKind;

/// The first check that failed, and where.
typedef struct LitheCheck {
    LitheCheckKind failed;
    int32_t coupling; // -1: none
    int32_t row;      // of the coupling; of a balance the DoF with the largest part
    double size;      // what was found ..
    double limit;     // .. and its limit
    double rounding;  // part of |D gradient| that rounding of w and of the sums can explain
} LitheCheck;

/// Checks w, v and impulse of a solved system; `work` [4 dof_count]. With `stalled` the balance may
/// be off by what rounding explains, instead of (V24).
LitheCheck lithe_system_check(const LitheSystem *system, const LitheConvexSetting *setting,
                              bool stalled, double *work);

/// "friction within its bound" ..
const char *lithe_check_name(LitheCheckKind kind);

#endif
