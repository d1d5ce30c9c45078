// SPDX-License-Identifier: Apache-2.0
// advance/events.h - times at which loads, targets or constraints change abruptly

#ifndef LITHE_ADVANCE_EVENTS_H
#define LITHE_ADVANCE_EVENTS_H

#include "body/profile.h"

/// Whether a table of a load, target or drive has a corner or a jump within the span, a constraint
/// is switched there, or the span is too long a part of the period of an oscillation.
bool lithe_event_within(const LitheModel *model, const LitheSpan *span);

/// The event that a path of equilibria meets next.
typedef struct LitheEvent {
    bool found;
    double before, after; // the nearest times on both sides of it, in the direction of the path [s]
} LitheEvent;

/// The first corner, jump or switch after `from` on the way to `to`, which may be earlier than
/// `from`; oscillations have none.
LitheEvent lithe_event_next(const LitheModel *model, double from, double to);

#endif
