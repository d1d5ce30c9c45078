// SPDX-License-Identifier: Apache-2.0
// advance/arc_break.c - constraints that break on a path of equilibria
//
// A step after which a constraint carries more than `breaks-at` is shortened until it carries that
// much: the load at which it breaks. The equilibrium without it under the same loads is the end of
// the step, and the path goes on from there with growing loads.

#include "advance/arc_parts.h"

#include "body/constraint.h"
#include "data/state.h"

#include <math.h>

// what the force at the break may exceed the limit by, over the limit
#define ACCURACY 1e-6
// a force that jumps cannot be met
enum { MAX_ATTEMPTS = 60 };

// the largest force of a constraint over the one at which it breaks; 0: none can break
static double overload_of(const LitheArc *arc, const LitheState *state) {
    double most = 0;
    for (int32_t i = 0; i < arc->model->constraint_count; i++) {
        double limit = arc->model->constraints[i].breaks_at;
        if (limit > 0 && lithe_tie_binds(state, i))
            most = fmax(most, v3_norm(v3_load(lithe_tie_of(state, i)->force)) / limit);
    }
    return most;
}

// Repeats the step with the share of its length at which the largest force is its limit: by
// secants, and by bisection where these do not halve the bracket.
static LitheStatus find_break(LitheArc *arc, LitheError *error) {
    double low = 0, high = arc->share, tried = high;
    double below = overload_of(arc, arc->work->start), above = overload_of(arc, arc->state);
    LitheStatus status = LITHE_OK;
    for (int k = 0; k < MAX_ATTEMPTS && status == LITHE_OK; k++) {
        if (!(above > 1 + ACCURACY) || high - low < ACCURACY * ACCURACY)
            break;
        double part = (1 + 0.5 * ACCURACY - below) / (above - below);
        tried = low + (k % 3 == 2 ? 0.5 : fmin(fmax(part, 0), 1)) * (high - low);
        if (!(tried > low && tried < high))
            break;
        status = lithe_arc_attempt(arc, tried, error);
        double load = status == LITHE_OK ? overload_of(arc, arc->state) : 0;
        *(load > 1 ? &high : &low) = tried;
        *(load > 1 ? &above : &below) = load;
    }
    if (status == LITHE_OK && tried != high)
        status = lithe_arc_attempt(arc, high, error);
    return status;
}

LitheStatus lithe_arc_break(LitheArc *arc, LitheError *error) {
    LitheState *state = arc->state;
    if (!(overload_of(arc, state) > 1))
        return LITHE_OK;
    LitheStatus status = find_break(arc, error);
    for (int32_t i = 0; status == LITHE_OK && i < arc->model->constraint_count; i++) {
        const LitheTie *tie = lithe_tie_of(state, i);
        if (lithe_tie_binds(state, i))
            arc->broken += lithe_constraint_note(arc->model, state, i, v3_load(tie->force),
                                                 v3_load(tie->torque));
    }
    if (status == LITHE_OK)
        status = lithe_arc_settle(arc, error);
    if (status == LITHE_OK) {
        lithe_arc_redirect(arc, 1);
        if (arc->adapts) // a new path
            arc->next = lithe_arc_norm(arc, arc->b) * arc->model->time.step;
        status = lithe_arc_finish(arc, error);
    }
    return status;
}
