// SPDX-License-Identifier: Apache-2.0
// advance/guard.h - the energy guard of TR-BDF2
//
// No scheme keeps the energy from growing where a step does not resolve the motion. The guard
// compares the energy minus the work done, G, with its lowest value so far:
//     (T20)  G = kinetic + elastic + gravity + stored in contacts + taken by constraints - work
// Losses are not added: they only let G fall. A step that ends too high is corrected (T21), or
// rejected.

#ifndef LITHE_ADVANCE_GUARD_H
#define LITHE_ADVANCE_GUARD_H

#include "data/state.h"
#include "data/work.h"

/// At the start of a step, after the accelerations: the energy there. A change of the state from
/// outside since the last step changes the lowest value, too.
void lithe_guard_begin(const LitheModel *model, LitheState *state, LitheWork *work);

/// What became of a step.
typedef enum LitheGuarded {
    LITHE_GUARD_HOLDS,     // the energy is low enough
    LITHE_GUARD_CORRECTED, // now it is
    LITHE_GUARD_EXCEEDED,  // it is not: the step is to be repeated
} LitheGuarded;

/// At the end of a step. `last`: an excess is accepted, because the step cannot be repeated.
LitheGuarded lithe_guard_end(const LitheModel *model, LitheState *state, LitheWork *work,
                             bool last);

#endif
