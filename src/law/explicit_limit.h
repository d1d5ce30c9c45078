// SPDX-License-Identifier: Apache-2.0
// law/explicit_limit.h - the longest step of symplectic Euler with damping

#ifndef LITHE_LAW_EXPLICIT_LIMIT_H
#define LITHE_LAW_EXPLICIT_LIMIT_H

#include <math.h>

/// (R4) The limit 2/omega of a vibration [s] with damping proportional to the stiffness by beta
/// [s],
///     h < sqrt(beta^2 + limit^2) - beta,
/// written without cancellation.
static inline double lithe_damped_limit(double limit, double beta) {
    return limit * limit / (beta + sqrt(beta * beta + limit * limit));
}

#endif
