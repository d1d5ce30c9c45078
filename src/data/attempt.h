// SPDX-License-Identifier: Apache-2.0
// data/attempt.h - how one substep is solved, and what came of it

#ifndef LITHE_DATA_ATTEMPT_H
#define LITHE_DATA_ATTEMPT_H

#include <stdbool.h>

/// How a substep is solved: const while it is made. What follows one that is not accepted is the
/// table of advance/ladder.c.
typedef struct LitheAttempt {
    double h;      // length [s]
    double soften; // regularisation of couplings by this factor, usually 1 (V32)
    bool euler;    // backward Euler in place of a scheme of second order
    bool held;     // contacts stop approach and push nothing apart (Z6)
    bool slow;     // near-rigid constraints correct their errors slowly (T24)
    bool mends;    // with `soften` > 1: of an attempt that failed, not of a poor one
    bool settles;  // takes a poor solution: nothing else helps
} LitheAttempt;

/// An attempt of length h with nothing special.
static inline LitheAttempt lithe_plain_attempt(double h) {
    return (LitheAttempt){.h = h, .soften = 1};
}

/// What an attempt leaves for the certificate and for the choice of the next one.
typedef struct LitheOutcome {
    bool stopped; // a limit stopped a motion in a step of second order (T26)
} LitheOutcome;

#endif
