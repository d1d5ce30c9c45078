// SPDX-License-Identifier: Apache-2.0
// advance/guard.h - the energy guard of TR-BDF2
//
// No scheme keeps the energy from growing where a step does not resolve the motion. The guard
// compares the energy minus the work done, G, with its lowest value so far:
//     (T20)  G = kinetic + elastic + gravity + stored in overlaps + stored in springs of
//                constraints - work
// Losses are not added: they only let G fall. A step that ends too high is corrected (T21, T22), or
// rejected. docs/theory/time.md.

#ifndef LITHE_ADVANCE_GUARD_H
#define LITHE_ADVANCE_GUARD_H

#include "data/state.h"
#include "data/work.h"

#include <math.h>

/// Call at the start of a step, after the accelerations: stores the energy. If the caller has
/// changed the state since the last step, the lowest value changes by the same energy.
/// False when out of memory.
bool lithe_guard_begin(const LitheModel *model, LitheState *state, LitheWork *work);

/// Result of the guard for a step.
typedef enum LitheGuarded {
    LITHE_GUARD_HOLDS,     // the energy is low enough
    LITHE_GUARD_CORRECTED, // the energy was too high and has been reduced
    LITHE_GUARD_EXCEEDED,  // the energy is too high: the step must be repeated
    LITHE_GUARD_HALTED,    // the energy would be too high: things have not moved in this step
    LITHE_GUARD_NO_MEMORY, // the energy is not known
} LitheGuarded;

/// At the end of a step. `last`: the step cannot be repeated. An excess that is stored in overlaps
/// is then accepted; with one that is not, the state is that of the start with slower motion (T25).
LitheGuarded lithe_guard_end(const LitheModel *model, LitheState *state,
                             const LitheAttempt *attempt, LitheWork *work, bool last);

/// At the end of a step, before lithe_guard_end: whether the energy is too high and constraints
/// supplied energy by the correction of their errors. The step is then repeated with a slower
/// correction (T24).
bool lithe_guard_blames_constraints(const LitheModel *model, LitheState *state,
                                    const LitheAttempt *attempt, LitheWork *work);

/// The part of accepted rises of the energy that is still to be removed [J].
static inline double lithe_guard_owed(const LitheState *state) {
    return fmax(state->guard[LITHE_GUARD_ON] - 1, 0);
}

#endif
