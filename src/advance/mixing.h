// SPDX-License-Identifier: Apache-2.0
// advance/mixing.h - Anderson mixing of the proximal steps of a search for an equilibrium

#ifndef LITHE_ADVANCE_MIXING_H
#define LITHE_ADVANCE_MIXING_H

#include "body/unit.h"

enum { LITHE_MIXING_DEPTH = 8 };

/// Displacements of earlier steps. Memory only grows; it belongs to the work.
typedef struct LitheMixing {
    double *block;    // [2 DEPTH + 5][v_count + 6 constraint_count]
    int32_t capacity; // doubles of it
    int32_t count;    // pairs of differences that are kept
    bool begun;       // an earlier step is stored
    double norm;      // of the last displacement
    bool turned;      // the last displacement is stored, for lithe_mixing_turn
} LitheMixing;

/// Discards earlier steps.
void lithe_mixing_restart(LitheMixing *mixing);

/// Cosine of the angle between the displacements of this step and the last one, in the norm |.|_M;
/// 1 where there is none. Call before lithe_mixing_apply. False when out of memory.
bool lithe_mixing_turn(const LitheModel *model, LitheMixing *mixing, LitheWork *work,
                       double *cosine);

/// Replaces w of the coupled units, the displacement of a proximal step from work->before, and the
/// forces of constraints in `state` by the mixed ones (Q10), which are at most `max` long [m]; call
/// before ops->end. False when out of memory.
bool lithe_mixing_apply(const LitheModel *model, LitheMixing *mixing, double max, LitheWork *work,
                        LitheState *state);

void lithe_mixing_end(LitheContext *context, LitheMixing *mixing);

#endif
