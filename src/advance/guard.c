// SPDX-License-Identifier: Apache-2.0
// advance/guard.c - the energy guard of TR-BDF2

#include "advance/guard.h"

#include "body/unit.h"
#include "collide/collide.h"

#include <math.h>
#include <string.h>

// rise of G above its lowest value that is allowed, as a fraction of the largest energy so far
#define TOLERANCE 5e-4
// allowed rise in addition, as a fraction of the work done in the step: the work is integrated
// numerically
#define WORK_TOLERANCE 0.02
// A rise up to this fraction of the energy of the non-rigid motion is removed from that motion.
#define MAX_CALM 0.1

typedef struct Job {
    const LitheModel *model;
    LitheState *state;
    LitheWork *work;
} Job;

static void energy_of_unit(int32_t unit, void *user) {
    const Job *job = user;
    LitheUnitTotals sum = {0};
    double *out = job->work->stage.energies + 3 * (int64_t)unit;
    lithe_unit_ops(job->model, unit)->energies(job->model, unit, job->state, job->work, &sum);
    out[0] = sum.kinetic;
    out[1] = sum.elastic;
    out[2] = sum.gravity;
}

typedef struct Energy {
    double kinetic, elastic, sum; // sum: with gravity
} Energy;

static Energy energy_of(const LitheModel *model, LitheState *state, LitheWork *work) {
    Job job = {model, state, work};
    Energy energy = {0};
    double gravity = 0;
    lithe_units_run(work, energy_of_unit, &job);
    for (int32_t i = 0; i < model->unit_count; i++) {
        const double *own = work->stage.energies + 3 * (int64_t)i;
        energy.kinetic += own[0];
        energy.elastic += own[1];
        gravity += own[2];
    }
    energy.sum = energy.kinetic + energy.elastic + gravity;
    return energy;
}

static double work_of(const LitheModel *model, const LitheState *state) {
    double work = -state->took[LITHE_TOOK_DRIVES];
    for (int32_t i = 0; i < model->unit_count; i++)
        work += state->sums[2 * (int64_t)i + 1];
    return work;
}

static double without_work(const LitheModel *model, const LitheState *state, const Energy *energy) {
    return energy->sum + state->took[LITHE_TOOK_CONSTRAINTS] - work_of(model, state);
}

// Energy in the springs of contacts that overlap at the start of a run. If the search fails, so
// does the one of the step, which reports it.
static double energy_of_overlaps(const LitheModel *model, const LitheState *state,
                                 LitheWork *work) {
    double sum = 0;
    if (!lithe_can_touch(model) ||
        lithe_find_contacts(model, state, 0, work->contacts, NULL) != LITHE_OK)
        return 0;
    for (int32_t i = 0; i < work->contacts->count; i++) {
        const LitheContact *contact = &work->contacts->contacts[i];
        double depth = fmax(-contact->gap, 0);
        sum += 0.5 * contact->stiffness * depth * depth;
    }
    return sum;
}

void lithe_guard_begin(const LitheModel *model, LitheState *state, LitheWork *work) {
    double *guard = work->stage.guard;
    Energy energy = energy_of(model, state, work);
    memcpy(guard, state->guard, LITHE_GUARD_SIZE * sizeof *guard);
    if (guard[LITHE_GUARD_ON] == 0)
        guard[LITHE_GUARD_LOWEST] =
            without_work(model, state, &energy) + energy_of_overlaps(model, state, work);
    else
        guard[LITHE_GUARD_LOWEST] += energy.sum - guard[LITHE_GUARD_LAST];
    guard[LITHE_GUARD_LARGEST] =
        fmax(guard[LITHE_GUARD_LARGEST], fmax(energy.kinetic, energy.elastic));
}

// (T21): removes the energy `excess` from the non-rigid motion; false: it has too little energy
static bool calm(const LitheModel *model, LitheState *state, LitheWork *work, double excess) {
    double energy = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        energy += ops->calm ? ops->calm(model, i, work, 1, state) : 0;
    }
    if (!(excess < MAX_CALM * energy))
        return false;
    double factor = sqrt(1 - excess / energy);
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (ops->calm)
            ops->calm(model, i, work, factor, state);
    }
    return true;
}

LitheGuarded lithe_guard_end(const LitheModel *model, LitheState *state, LitheWork *work,
                             bool last) {
    const double *guard = work->stage.guard;
    LitheGuarded result = LITHE_GUARD_HOLDS;
    Energy energy = energy_of(model, state, work);
    double stored = work->stage.stored;
    double now = without_work(model, state, &energy) + stored;
    double done = work_of(model, state) - work_of(model, work->before);
    double largest =
        fmax(guard[LITHE_GUARD_LARGEST], fmax(energy.kinetic, energy.elastic + stored));
    double excess = now - guard[LITHE_GUARD_LOWEST];
    // a maximum that was reached only in this step does not raise the limit, except in the first
    // step
    bool first = guard[LITHE_GUARD_ON] == 0;
    double limit = TOLERANCE * (first ? largest : guard[LITHE_GUARD_LARGEST]);
    limit = fmax(limit + WORK_TOLERANCE * fabs(done), 1e-12 * fabs(energy.sum));
    if (excess > limit) {
        if (calm(model, state, work, excess)) {
            result = LITHE_GUARD_CORRECTED;
            energy.sum -= excess;
            energy.kinetic -= excess;
            now -= excess;
        } else if (!last) {
            return LITHE_GUARD_EXCEEDED;
        } else {
            result = LITHE_GUARD_EXCEEDED;
        }
    }
    double *out = state->guard;
    out[LITHE_GUARD_ON] = 1;
    out[LITHE_GUARD_LARGEST] = largest;
    // an excess that was accepted does not count for the next steps
    bool rebase = result == LITHE_GUARD_EXCEEDED;
    out[LITHE_GUARD_LOWEST] = rebase ? now : fmin(guard[LITHE_GUARD_LOWEST], now);
    out[LITHE_GUARD_LAST] = energy.sum;
    return result;
}
