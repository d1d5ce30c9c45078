// SPDX-License-Identifier: Apache-2.0
// body/tendon.h - tendons at a state: their points, their lengths, the length that they may have
//
// A tendon is a constraint with points x_0 .. x_n: place a, the places `via`, place b.
//     (U1)  L = sum of l_i,  l_i = |x_(i+1) - x_i|,  u_i = (x_(i+1) - x_i)/l_i
//     (U2)  L0(t) = length - shortening(t)
// Numbers: docs/theory/tendons.md.

#ifndef LITHE_BODY_TENDON_H
#define LITHE_BODY_TENDON_H

#include "data/state.h"

static inline bool lithe_is_tendon(const LitheConstraint *constraint) {
    return constraint->places == LITHE_KEEPS_PATH;
}

static inline int32_t lithe_tendon_points(const LitheConstraint *tendon) {
    return tendon->via_count + 2;
}

/// Point k from a on.
static inline const LitheConstraintSide *lithe_tendon_side(const LitheConstraint *tendon,
                                                           int32_t k) {
    return k == 0 ? &tendon->a : k > tendon->via_count ? &tendon->b : &tendon->via[k - 1];
}

/// (U1) [m].
double lithe_tendon_path(const LitheModel *model, const LitheState *state,
                         const LitheConstraint *tendon);

/// (U2) of the constraint `index` [m]; may be negative.
double lithe_tendon_free(const LitheModel *model, const LitheState *state, int32_t index,
                         double time);

#endif
