// SPDX-License-Identifier: Apache-2.0
// data/attempt.h - how one substep is solved, and what came of it

#ifndef LITHE_DATA_ATTEMPT_H
#define LITHE_DATA_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

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
    // of a step in the search for an equilibrium
    double margin;     // of the detection of contacts [m]; 0: as the step length needs
    double tolerance;  // of the coupled solve; 0: that of the scene
    double correction; // fraction of the error of near-rigid constraints that it corrects
    double size;       // of the world, in which places are rounded [m]
} LitheAttempt;

/// An attempt of length h with nothing special.
static inline LitheAttempt lithe_plain_attempt(double h) {
    return (LitheAttempt){.h = h, .soften = 1, .correction = 1};
}

/// What an attempt leaves for the certificate and for the choice of the next one.
typedef struct LitheOutcome {
    bool stopped;   // a limit stopped a motion in a step of second order (T26)
    bool ahead;     // contacts were searched at a predicted configuration
    bool again;     // midpoint rule: the solve is repeated at the middle that it found
    bool lagging;   // bounds of friction did not converge
    int32_t passes; // linearisations of the step
    int32_t cuts;   // halvings of passes
    double margin;  // of the last detection of contacts [m]
    double strayed; // (Z12) how far shapes are at the end of the step from where contacts were
                    // detected, at most [m]; infinite: not known
} LitheOutcome;

#endif
