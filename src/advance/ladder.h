// SPDX-License-Identifier: Apache-2.0
// advance/ladder.h - what follows a substep that is not accepted as it is

#ifndef LITHE_ADVANCE_LADDER_H
#define LITHE_ADVANCE_LADDER_H

#include "data/attempt.h"

#include <stdint.h>

/// What is wrong with an attempt.
typedef enum LitheReason {
    LITHE_REASON_NONE,
    LITHE_REASON_LIMIT,       // a limit stopped a joint in a step of second order (T26)
    LITHE_REASON_CROSSING,    // something passed through something
    LITHE_REASON_FAILED,      // a number is not finite, or the coupled solve is of no use
    LITHE_REASON_POOR,        // the coupled solve ended above the residual that is only rounding
    LITHE_REASON_UNCONVERGED, // it did not converge, but ended below that
    LITHE_REASON_CONSTRAINTS, // near-rigid constraints supplied energy (T24)
    LITHE_REASON_INVERTED,    // elements of solids were turned inside out
    LITHE_REASON_REFUSED,     // the same, of a law that has no such states
    LITHE_REASON_ENERGY,      // the energy rose
    LITHE_REASON_HIT,         // the step does not resolve a hit (T31)
    LITHE_REASON_ERROR,       // the error of an adaptive step is too large
    LITHE_REASON_BROKE,       // a constraint breaks within an adaptive step
} LitheReason;

/// What follows.
typedef enum LitheNext {
    LITHE_NEXT_ACCEPT, // the reason does not matter here
    LITHE_NEXT_HALVE,  // the substep is repeated in halves
    LITHE_NEXT_STOP,   // the step fails
    LITHE_NEXT_AGAIN,  // it is repeated by another attempt
} LitheNext;

/// Where an attempt stands.
typedef struct LitheRungs {
    bool staged;      // the scheme has stages (TR-BDF2)
    bool regularises; // the contact model has a regularisation that can be made stronger
    bool smallest;    // the substep is not halved
    bool hits;        // a thing is hit, in a step that may be too long for it (T31)
    int32_t halvings; // of the step so far
} LitheRungs;

/// The next attempt after one that has this reason; `next` is set for LITHE_NEXT_AGAIN only. A pure
/// function of its arguments.
LitheNext lithe_ladder_next(LitheReason reason, const LitheAttempt *attempt,
                            const LitheRungs *rungs, LitheAttempt *next);

#endif
