// SPDX-License-Identifier: Apache-2.0
// advance/events.c - times at which loads, targets or constraints change abruptly

#include "advance/events.h"

#include "body/unit.h"

#include <math.h>

static bool gate_event(const LitheConstraint *constraint, const LitheSpan *span) {
    bool before = lithe_profile_at(&constraint->gate, span->from) >= 0.5;
    bool after = lithe_profile_at(&constraint->gate, span->to) >= 0.5;
    return before != after || lithe_profile_within(&constraint->gate, span);
}

bool lithe_event_within(const LitheModel *model, const LitheSpan *span) {
    for (int32_t i = 0; i < model->drive_count; i++)
        if (lithe_profile_within(&model->drives[i].motion, span) ||
            lithe_profile_within(&model->drives[i].turn, span))
            return true;
    for (int32_t i = 0; i < model->unit_count; i++)
        if (lithe_unit_ops(model, i)->event(model, i, span))
            return true;
    for (int32_t i = 0; i < model->constraint_count; i++)
        if (gate_event(&model->constraints[i], span) ||
            lithe_profile_within(&model->constraints[i].tension, span) ||
            lithe_profile_within(&model->constraints[i].shortening, span))
            return true;
    return false;
}

// whether an event lies between two times, the second of which may be the earlier one
static bool lies_between(const LitheModel *model, double from, double to) {
    LitheSpan span = {.from = fmin(from, to), .to = fmax(from, to), .corners = true};
    return lithe_event_within(model, &span);
}

LitheEvent lithe_event_next(const LitheModel *model, double from, double to) {
    double near = from, far = to;
    if (from == to || !lies_between(model, from, to))
        return (LitheEvent){0};
    // the shortest way that contains an event, to the last bit
    for (double middle = near + (far - near) / 2; middle != near && middle != far;
         middle = near + (far - near) / 2)
        *(lies_between(model, from, middle) ? &far : &near) = middle;
    // `far` is behind it; `near` is before it or is the time of a corner itself
    return (LitheEvent){.found = true, .before = nextafter(near, from), .after = far};
}
