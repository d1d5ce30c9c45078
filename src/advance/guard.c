// SPDX-License-Identifier: Apache-2.0
// advance/guard.c - the energy guard of TR-BDF2

#include "advance/guard.h"

#include "body/constraint.h"
#include "body/unit.h"
#include "solve/overlap.h"
#include "solve/persistent.h"

#include <math.h>
#include <string.h>

// rise of G above its lowest value that is allowed, as a fraction of the largest energy so far
#define TOLERANCE 5e-4
// allowed rise in addition, as a fraction of the work done in the step: the work is integrated
// numerically
#define WORK_TOLERANCE 0.02
// A rise up to this fraction of the energy of the non-rigid motion is removed from that motion.
#define MAX_CALM 0.1
// Where nothing is coupled, a rise up to MAX_SLOW of the kinetic energy without that of the centres
// of free units is removed from that motion, down to LEFT of the tolerance: if all of it were
// removed, each oscillation of G would be a loss.
#define MAX_SLOW 0.05
#define LEFT 0.9
// Max fraction of the impulses of couplings that is taken back, in a step in stages and in a
// substep by backward Euler. A substep that cannot be repeated has no limit: at worst, things that
// touch stay together.
#define MAX_BACK_STAGES 0.1
#define MAX_BACK_EULER 0.5

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
    energy.elastic += lithe_constraint_energy(model, state);
    energy.sum = energy.kinetic + energy.elastic + gravity;
    return energy;
}

static double work_of(const LitheModel *model, const LitheState *state) {
    double work = -state->took[LITHE_TOOK_DRIVES];
    for (int32_t i = 0; i < model->unit_count; i++)
        work += state->sums[2 * (int64_t)i + 1];
    return work;
}

// energy that constraints supplied in a step, by the correction of errors or as springs [J]
static double given_by_constraints(const LitheState *before, const LitheState *after) {
    return before->took[LITHE_TOOK_CONSTRAINTS] - after->took[LITHE_TOOK_CONSTRAINTS];
}

static double without_work(const LitheModel *model, const LitheState *state, const Energy *energy) {
    return energy->sum - work_of(model, state);
}

// Kinetic energy of motion that may be rounding: 1e-7 half thicknesses per step.
static double rounding_of(const LitheModel *model, double h) {
    double sum = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        double m = model->units[i].mass, r = m > 0 ? model->units[i].mass_moment / m : 0;
        sum += 0.5 * m * r * r / (h * h);
    }
    return 1e-14 * sum;
}

bool lithe_guard_begin(const LitheModel *model, LitheState *state, LitheWork *work) {
    double *guard = work->stage.guard;
    Energy energy = energy_of(model, state, work);
    memcpy(guard, state->guard, LITHE_GUARD_SIZE * sizeof *guard);
    work->stage.pulled = lithe_constraints_pull(model, state);
    work->stage.kinetic = energy.kinetic;
    work->stage.sum = energy.sum;
    if (!isfinite(energy.sum)) {
        // a unit cannot begin from here: nothing to compare the end of the step with
        guard[LITHE_GUARD_ON] = fmax(guard[LITHE_GUARD_ON], 1);
        guard[LITHE_GUARD_LOWEST] = INFINITY;
        return true;
    }
    if (guard[LITHE_GUARD_ON] == 0) {
        double overlaps = 0;
        if (!lithe_overlap_energy(model, state, work, &overlaps))
            return false;
        guard[LITHE_GUARD_ON] = 1;
        guard[LITHE_GUARD_LOWEST] = without_work(model, state, &energy) + overlaps;
        energy.elastic += overlaps;
    } else {
        guard[LITHE_GUARD_LOWEST] += energy.sum - guard[LITHE_GUARD_LAST];
    }
    guard[LITHE_GUARD_LARGEST] =
        fmax(guard[LITHE_GUARD_LARGEST], fmax(energy.kinetic, energy.elastic));
    return true;
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

// v = from - part*along, and its kinetic energy
static double kinetic_at(const LitheModel *model, LitheState *state, LitheWork *work,
                         const double *from, const double *along, double part) {
    for (int64_t k = 0; k < model->v_count; k++)
        state->v[k] = from[k] - part * along[k];
    return energy_of(model, state, work).kinetic;
}

// (T22): takes back a part of the impulses of couplings, at most `most`, so that the kinetic energy
// falls by `excess`, or as much as possible. Returns by how much it fell. Momentum and angular
// momentum stay as they would have been under smaller forces.
static double take_back(const LitheModel *model, LitheState *state, LitheWork *work, double excess,
                        double most) {
    // the velocities of the first stage stay: the error of the step needs them (AD6)
    double *along = work->stage.by, *from = work->stage.carry;
    lithe_coupling_impulses(model, work, along);
    for (int32_t i = 0; i < model->unit_count; i++) {
        double *own = along + model->units[i].v_at;
        if (work->units[i].coupled)
            lithe_unit_ops(model, i)->unmass(model, i, work, own);
        else
            memset(own, 0, (size_t)model->units[i].v_count * sizeof(double));
    }
    memcpy(from, state->v, (size_t)model->v_count * sizeof(double));
    // the kinetic energy is a quadratic function of the part: T0 + b part + c part^2
    double none = kinetic_at(model, state, work, from, along, 0);
    double all = kinetic_at(model, state, work, from, along, 1);
    double half = kinetic_at(model, state, work, from, along, 0.5);
    double b = 4 * half - 3 * none - all, c = 2 * all - 4 * half + 2 * none;
    double part = 0, root = b * b - 4 * c * excess;
    // below this change of the energy, b and c are rounding
    if (b < 0 && c > 1e-12 * none)
        part = fmin(most, root > 0 ? 2 * excess / (-b + sqrt(root)) : -0.5 * b / c);
    double removed = none - kinetic_at(model, state, work, from, along, part);
    if (removed > 0)
        return removed;
    memcpy(state->v, from, (size_t)model->v_count * sizeof(double));
    return 0;
}

// The translations of free units that nothing is coupled to, which keep their momentum, in
// stage.by; 0 for other units. Returns the kinetic energy without them, of the units that couplings
// act on, or of all.
static double energy_to_slow(const LitheModel *model, LitheState *state, LitheWork *work,
                             bool all) {
    double sum = 0;
    energy_of(model, state, work);
    for (int32_t i = 0; i < model->unit_count; i++) {
        double *drift = work->stage.by + model->units[i].v_at;
        double kinetic = work->stage.energies[3 * (int64_t)i];
        memset(drift, 0, (size_t)model->units[i].v_count * sizeof(double));
        if (work->units[i].coupled)
            sum += kinetic;
        else if (all)
            sum += fmax(0, kinetic - lithe_unit_ops(model, i)->drift(model, i, state, work, drift));
    }
    return sum;
}

// reduces the velocities of the units that couplings act on, or of all units
static double slow_units(const LitheModel *model, LitheState *state, LitheWork *work, double excess,
                         bool all) {
    double kinetic = energy_to_slow(model, state, work, all);
    double removed = fmin(excess, kinetic);
    double factor = kinetic > 0 ? sqrt(1 - removed / kinetic) : 1;
    for (int32_t i = 0; i < model->unit_count; i++) {
        double *v = state->v + model->units[i].v_at, *drift = work->stage.by + model->units[i].v_at;
        for (int64_t k = 0; (all || work->units[i].coupled) && k < model->units[i].v_count; k++)
            v[k] = drift[k] + factor * (v[k] - drift[k]);
    }
    return removed;
}

// The last resort, where impulses of several couplings are in each other's way, or a body gained
// energy as it turned: velocities are reduced. Returns by how much the kinetic energy fell.
static double slow_down(const LitheModel *model, LitheState *state, LitheWork *work,
                        double excess) {
    double removed = slow_units(model, state, work, excess, false);
    return removed < excess ? removed + slow_units(model, state, work, excess - removed, true)
                            : removed;
}

static bool is_free(const LitheModel *model, const LitheWork *work) {
    for (int32_t i = 0; i < model->unit_count; i++)
        if (work->units[i].coupled)
            return false;
    return true;
}

// removes an excess; returns what was removed
static double remove_excess(const LitheModel *model, LitheState *state, const LitheAttempt *attempt,
                            LitheWork *work, double excess, bool last) {
    // the last solve of a step in stages is a step of length d h
    double most = attempt->euler ? MAX_BACK_EULER : MAX_BACK_STAGES / LITHE_STAGE_D;
    if (last)
        most = INFINITY;
    if (calm(model, state, work, excess))
        return excess;
    double left = LEFT * TOLERANCE * work->stage.guard[LITHE_GUARD_LARGEST];
    if (is_free(model, work) && excess < MAX_SLOW * energy_to_slow(model, state, work, true))
        return slow_units(model, state, work, fmax(excess - left, 0), true); // (T23)
    return take_back(model, state, work, excess, most);
}

// The energy at the end of a step, beside what is allowed.
typedef struct Balance {
    Energy energy;
    double stored;        // in overlaps
    double now, lowest;   // (T20)
    double done;          // work of the step
    double excess, limit; // excess of this step, and what is allowed
    double owed;          // accepted in earlier steps, still to be removed
    bool known;           // false: out of memory
} Balance;

// In an adaptive step an impact can still be refused: bodies that turn enter each other by more
// than the linear law knows, and the next step would find energy that no motion gave.
static bool is_impact(const LitheModel *model, const LitheAttempt *attempt, const LitheWork *work,
                      double change, const Balance *b) {
    double small = TOLERANCE * work->stage.guard[LITHE_GUARD_LARGEST];
    return model->time.min_step > 0 && work->contacts->count > 0 &&
           (change > small || (attempt->euler && b->stored > small));
}

static Balance balance_of(const LitheModel *model, LitheState *state, const LitheAttempt *attempt,
                          LitheWork *work) {
    const double *guard = work->stage.guard;
    Balance b = {.energy = energy_of(model, state, work),
                 .stored = work->stage.stored,
                 .lowest = guard[LITHE_GUARD_LOWEST],
                 .owed = guard[LITHE_GUARD_ON] - 1,
                 .known = true};
    const Energy *energy = &b.energy;
    // The energy in overlaps is computed from the linear law of contacts. Where surfaces turn, the
    // true overlap differs: it is measured, unless the other energies hardly change.
    double small = TOLERANCE * guard[LITHE_GUARD_LARGEST];
    double change =
        fmax(fabs(energy->kinetic - work->stage.kinetic), fabs(energy->sum - work->stage.sum));
    // So is that of patches that began in the step, and that grew in a step by backward Euler,
    // whose patches are those of its start: a thing that rests on another one enters it unseen.
    bool moves = change > 0.1 * small;
    bool measures =
        b.stored > small || (attempt->euler && model->patches) || lithe_patches_unseen(model, work);
    if ((moves && measures) || is_impact(model, attempt, work, change, &b))
        b.known = lithe_overlap_energy(model, state, work, &b.stored);
    b.now = without_work(model, state, energy) + b.stored;
    b.done = work_of(model, state) - work_of(model, work->before);
    // energy that near-rigid constraints supply when they pull things together counts as work
    // so does what limits supply that bring joints back slowly (T24): no other motion could
    if (work->stage.pulled || (attempt->slow && lithe_limits_exceeded(model, work->before)))
        b.lowest += fmax(given_by_constraints(work->before, state), 0);
    b.excess = b.now - b.lowest;
    // a maximum that was reached only in this step does not raise the limit, except in the first
    // step
    double largest =
        fmax(guard[LITHE_GUARD_LARGEST], fmax(energy->kinetic, energy->elastic + b.stored));
    bool first = work->before->guard[LITHE_GUARD_ON] == 0;
    b.limit = (first ? TOLERANCE * largest : small) + WORK_TOLERANCE * fabs(b.done);
    b.limit = fmax(b.limit, 1e-12 * fabs(energy->sum) + rounding_of(model, model->time.step));
    return b;
}

bool lithe_guard_blames_constraints(const LitheModel *model, LitheState *state,
                                    const LitheAttempt *attempt, LitheWork *work) {
    if (work->stage.pulled || !(given_by_constraints(work->before, state) > 0))
        return false;
    Balance b = balance_of(model, state, attempt, work);
    return b.known && b.excess > b.limit;
}

// (T25): nothing moves in this step, and velocities are halved. The next step starts from an energy
// that is not too high.
static LitheGuarded halt(const LitheModel *model, LitheState *state, LitheWork *work) {
    const double clock[2] = {state->clock[0], state->clock[1]};
    memcpy(state->data, work->before->data, (size_t)state->size * sizeof(double));
    memcpy(state->clock, clock, sizeof clock);
    for (int64_t k = 0; k < model->v_count; k++)
        state->v[k] *= 0.5;
    Energy energy = energy_of(model, state, work);
    memcpy(state->guard, work->stage.guard, LITHE_GUARD_SIZE * sizeof(double));
    state->guard[LITHE_GUARD_LAST] = energy.sum;
    return LITHE_GUARD_HALTED;
}

LitheGuarded lithe_guard_end(const LitheModel *model, LitheState *state,
                             const LitheAttempt *attempt, LitheWork *work, bool last) {
    const double *guard = work->stage.guard;
    LitheGuarded result = LITHE_GUARD_HOLDS;
    Balance b = balance_of(model, state, attempt, work);
    if (!b.known)
        return LITHE_GUARD_NO_MEMORY;
    if (b.excess + b.owed > b.limit) {
        bool inherited = b.excess <= b.limit;
        double removed =
            remove_excess(model, state, attempt, work, b.excess + b.owed, last || inherited);
        if (b.excess - removed > b.limit && !last)
            return LITHE_GUARD_EXCEEDED;
        // energy that is stored in overlaps is not yet kinetic energy
        double moving = b.excess + b.owed - b.stored - removed;
        if (moving > b.limit && b.done == 0) {
            double slowed = slow_down(model, state, work, moving);
            if (moving - slowed > b.limit)
                return last ? halt(model, state, work) : LITHE_GUARD_EXCEEDED;
            removed += slowed;
        }
        b.excess -= removed;
        result = b.excess > b.limit ? LITHE_GUARD_EXCEEDED
                 : removed > 0      ? LITHE_GUARD_CORRECTED
                                    : LITHE_GUARD_HOLDS;
        b.energy.sum -= removed;
        b.energy.kinetic -= removed;
        b.now -= removed;
    }
    // An excess that could not be removed is stored in contacts: it is removed in the next steps,
    // when it becomes motion. Where work is done, it may be an error of that work.
    bool accepted = result == LITHE_GUARD_EXCEEDED;
    double from = accepted ? b.now : b.lowest, to = accepted ? b.now : fmin(b.lowest, b.now);
    // so is what work was allowed to miss: the next step, without work, would have to remove it
    if (result == LITHE_GUARD_HOLDS && b.excess > b.limit - WORK_TOLERANCE * fabs(b.done))
        from = to = b.now;
    double owed = b.owed + (accepted && b.done == 0 ? b.excess : 0);
    owed = fmax(0, owed - (from - to));
    // an overlap from nothing does not raise the limits
    double largest = fmax(b.energy.kinetic, b.energy.elastic + fmax(b.stored - owed, 0));
    double *out = state->guard;
    out[LITHE_GUARD_ON] = 1 + owed;
    out[LITHE_GUARD_LARGEST] = fmax(guard[LITHE_GUARD_LARGEST], largest);
    out[LITHE_GUARD_LOWEST] = to;
    out[LITHE_GUARD_LAST] = b.energy.sum;
    return result;
}
