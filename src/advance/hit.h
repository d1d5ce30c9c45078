// SPDX-License-Identifier: Apache-2.0
// advance/hit.h - hits of deformable things that a step does not resolve
//
// In a hit waves run through a thing and back. A step that does not resolve them loses their energy
// or gives it to another motion: what bounces leaves too slowly or too fast. (T29) to (T31) of
// docs/theory/time.md.

#ifndef LITHE_ADVANCE_HIT_H
#define LITHE_ADVANCE_HIT_H

#include "data/state.h"
#include "data/work.h"

// a step is repeated in halves at most this number of times
enum { LITHE_HIT_CUTS = 8 };

/// The longest step that resolves hits of all things [s]; INFINITY: none deforms.
double lithe_hit_shortest(const LitheModel *model);

/// The same of the things that contacts act on, after the stages of a step with this report.
double lithe_hit_step(const LitheModel *model, const LitheWork *work, const LitheReport *report);

/// After lithe_guard_end: whether the energy of the step has an error that a hit must not have.
bool lithe_hit_missed(const LitheModel *model, const LitheState *state, const LitheWork *work);

#endif
