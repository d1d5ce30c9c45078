// SPDX-License-Identifier: Apache-2.0
// advance/hit.c - hits of deformable things that a step does not resolve
//
//     (T29)  T = 2 s/sqrt(E/rho)          the time of a hit, s the smallest extent
//     (T30)  R = |E1 - E0 - W + Q|/Emax   the error of the energy in a step, W the work done in it,
//                                         Q all losses that are known
//     (T31)  a step in which contacts act on a thing, with h > T/12, and R > 0.01 or whose energy
//            rises, is repeated in halves
// docs/theory/time.md

#include "advance/hit.h"

#include "body/unit.h"

#include <math.h>

// (T31)
#define RESOLVED 12
#define ALLOWED 0.01

static double shortest(const LitheModel *model, const LitheWork *work) {
    double time = INFINITY;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        bool coupled = !work || work->units[i].coupled || work->units[i].coupled_first;
        if (ops->hit_time && coupled)
            time = fmin(time, ops->hit_time(model, i));
    }
    return time / RESOLVED;
}

double lithe_hit_shortest(const LitheModel *model) {
    return shortest(model, NULL);
}

double lithe_hit_step(const LitheModel *model, const LitheWork *work, const LitheReport *report) {
    bool touches = report->contacts > 0 || work->stage.touch_count > 0;
    return touches ? shortest(model, work) : INFINITY;
}

// all losses that are known, minus the work done [J]
static double booked(const LitheModel *model, const LitheState *state) {
    double sum = 0;
    for (int k = 0; k < LITHE_TOOK_SIZE; k++)
        sum += state->took[k];
    for (int32_t i = 0; i < model->unit_count; i++)
        sum += state->sums[2 * (int64_t)i] - state->sums[2 * (int64_t)i + 1];
    return sum;
}

bool lithe_hit_missed(const LitheModel *model, const LitheState *state, const LitheWork *work) {
    double change = state->guard[LITHE_GUARD_LAST] - work->stage.sum;
    double error = change + booked(model, state) - booked(model, work->before);
    return fabs(error) > ALLOWED * state->guard[LITHE_GUARD_LARGEST];
}
