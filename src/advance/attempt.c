// SPDX-License-Identifier: Apache-2.0
// advance/attempt.c - one substep: attempts and their judges, until one is accepted
//
// An attempt is one lithe_step_once and then the certificate that nothing passed through anything.
// The judges look at what came of it, in order; the first reason that matters (advance/ladder.c)
// leads to another attempt, to a substep of half the length, or ends the step.

#include "advance/attempt.h"

#include "advance/guard.h"
#include "advance/hit.h"
#include "advance/step.h"
#include "body/unit.h"
#include "data/system.h"
#include "data/thing.h"
#include "solve/contact_model.h"

#include <stdio.h>
#include <string.h>

// a solve that ends above this residual, which is more than rounding, is repeated
#define POOR_RESIDUAL 1e-3
// a solve that ends above this residual is not used
#define HOPELESS_RESIDUAL 0.1
// in a hit halves go down to this fraction of the step that resolves it, where the energy rises: an
// impact needs shorter steps than the waves after it
#define RISE 8

// One substep while attempts are made.
typedef struct Substep {
    LitheTrial *trial;
    LitheState *state;
    LitheAttempt attempt;
    LitheRungs rungs;
    double resolved;        // the longest step that resolves a hit (T31) [s]
    LitheStatus status;     // of the attempt
    LitheError *error;      // of the attempt
    LitheReport *report;    // of the attempt
    LitheCrossing crossing; // what crossed
    LitheInverted inverted; // elements that were turned inside out
    int32_t inverted_unit;
} Substep;

static void copy_state(LitheState *to, const LitheState *from) {
    memcpy(to->data, from->data, (size_t)from->size * sizeof(double));
}

// --- one attempt ---------------------------------------------------------------------------------

static void make_attempt(Substep *s) {
    LitheTrial *trial = s->trial;
    LitheWork *work = trial->work;
    const LitheAttempt *attempt = &s->attempt;
    if (!attempt->held) // what held contacts do not stop has crossed before
        s->crossing.found = false;
    s->status = lithe_step_once(trial->model, s->state, attempt, work, s->report, s->error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_CERTIFY);
    if (s->status == LITHE_OK)
        s->status = lithe_certify(trial->model, work->before, s->state, attempt, work, &s->crossing,
                                  s->error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
    // what is left of work that was given up is no result
    if (lithe_meter_spend(&work->meter, 0))
        s->status = lithe_given_up(work->before, s->error);
    s->report->held = attempt->held;
    s->report->softened = attempt->soften > 1;
    s->report->euler = attempt->euler;
}

// --- judges --------------------------------------------------------------------------------------

// made by the stages of TR-BDF2
static bool is_staged(const Substep *s) {
    return s->rungs.staged && !s->attempt.euler;
}

static bool is_hopeless(const LitheReport *report) {
    return report->solve_unconverged && report->solve_residual > HOPELESS_RESIDUAL;
}

static LitheReason judge_limits(Substep *s) {
    return s->trial->work->outcome.stopped ? LITHE_REASON_LIMIT : LITHE_REASON_NONE;
}

static LitheReason judge_crossing(Substep *s) {
    return s->crossing.found ? LITHE_REASON_CROSSING : LITHE_REASON_NONE;
}

// how long steps in stages may be while contacts act on things that deform
static void note_hit(Substep *s) {
    if (!is_staged(s))
        return;
    s->resolved = lithe_hit_step(s->trial->model, s->trial->work, s->report);
    s->rungs.hits = s->attempt.h > s->resolved / RISE;
}

static LitheReason judge_solve(Substep *s) {
    const LitheReport *report = s->report;
    if (s->status != LITHE_OK || is_hopeless(report))
        return LITHE_REASON_FAILED;
    if (!report->solve_unconverged) {
        note_hit(s);
        return LITHE_REASON_NONE;
    }
    return report->solve_residual > POOR_RESIDUAL ? LITHE_REASON_POOR : LITHE_REASON_UNCONVERGED;
}

// (T24): of TR-BDF2, where backward Euler makes the substep
static LitheReason judge_constraints(Substep *s) {
    LitheTrial *trial = s->trial;
    if (!s->rungs.staged || !s->attempt.euler || s->attempt.slow)
        return LITHE_REASON_NONE;
    return lithe_guard_blames_constraints(trial->model, s->state, &s->attempt, trial->work)
               ? LITHE_REASON_CONSTRAINTS
               : LITHE_REASON_NONE;
}

static LitheReason judge_inverted(Substep *s) {
    const LitheTrial *trial = s->trial;
    s->inverted =
        lithe_newly_inverted(trial->model, trial->work->before, s->state, &s->inverted_unit);
    if (s->inverted.count == 0)
        return LITHE_REASON_NONE;
    return s->inverted.refused ? LITHE_REASON_REFUSED : LITHE_REASON_INVERTED;
}

// TR-BDF2: the energy at the end. Energies that change in time, as of a gas that is pumped in, are
// those of the end; the clock advances later.
static LitheReason judge_energy(Substep *s) {
    LitheTrial *trial = s->trial;
    LitheAttempt ignored;
    if (!s->rungs.staged)
        return LITHE_REASON_NONE;
    bool last = lithe_ladder_next(LITHE_REASON_ENERGY, &s->attempt, &s->rungs, &ignored) ==
                LITHE_NEXT_ACCEPT;
    double start = s->state->clock[0];
    s->state->clock[0] = start + s->attempt.h;
    LitheGuarded result = lithe_guard_end(trial->model, s->state, &s->attempt, trial->work, last);
    s->state->clock[0] = start;
    if (result == LITHE_GUARD_NO_MEMORY) {
        s->status = lithe_fail_memory(s->error, "the energy of overlaps");
        return LITHE_REASON_NONE;
    }
    s->report->calmed += result == LITHE_GUARD_CORRECTED;
    s->report->energy_gained += result == LITHE_GUARD_EXCEEDED;
    s->report->halted += result == LITHE_GUARD_HALTED;
    trial->report->guarded += result != LITHE_GUARD_HOLDS;
    return result == LITHE_GUARD_EXCEEDED ? LITHE_REASON_ENERGY : LITHE_REASON_NONE;
}

// (T31)
static LitheReason judge_hit(Substep *s) {
    const LitheTrial *trial = s->trial;
    return is_staged(s) && s->attempt.h > s->resolved &&
                   lithe_hit_missed(trial->model, s->state, trial->work)
               ? LITHE_REASON_HIT
               : LITHE_REASON_NONE;
}

typedef LitheReason Judge(Substep *substep);

static Judge *const judges[] = {judge_limits,   judge_crossing, judge_solve, judge_constraints,
                                judge_inverted, judge_energy,   judge_hit};

// --- messages ------------------------------------------------------------------------------------

// "rod 'a' (edge 3) and body 'post'"
static void name_crossing(const LitheModel *model, const LitheCrossing *crossing, char *text,
                          size_t size) {
    const LitheContactSide *sides[2] = {&crossing->a, &crossing->b};
    size_t at = 0;
    text[0] = 0;
    for (int k = 0; k < 2 && at < size; k++) {
        LitheThing thing = sides[k]->thing;
        const char *element = lithe_thing_element(thing.kind);
        at += (size_t)snprintf(text + at, size - at, "%s%s '%s'", k == 1 ? " and " : "",
                               lithe_thing_word(thing.kind), lithe_thing_name(model, thing));
        if (element && at < size)
            at += (size_t)snprintf(text + at, size - at, " (%s %d)", element, sides[k]->part);
    }
}

static void explain_crossing(const Substep *s, char *why, size_t size) {
    const LitheModel *model = s->trial->model;
    char who[200], how[100];
    name_crossing(model, &s->crossing, who, sizeof who);
    if (model->time.min_step > 0)
        snprintf(how, sizeof how, "with the smallest step, %g s", s->attempt.h);
    else
        snprintf(how, sizeof how, "with contact.most-cuts = %d", (int)model->contact.most_cuts);
    snprintf(why, size, "%s would pass through each other, even %s,%s", who, how,
             s->crossing.close ? " and have no contact since what lies between is shorter than the "
                                 "thickness (use longer edges there),"
                               : "");
}

static void explain_inverted(const Substep *s, char *why, size_t size) {
    const LitheModel *model = s->trial->model;
    const LitheInverted *found = &s->inverted;
    snprintf(why, size,
             "element %d of solid '%s' at [%.4g, %.4g, %.4g] m would be turned inside out,",
             (int)found->first, lithe_thing_name(model, model->units[s->inverted_unit].thing),
             found->place.x, found->place.y, found->place.z);
}

static void explain_solve(const Substep *s, char *why, size_t size) {
    snprintf(why, size, "the contact solver did not converge (%d couplings, residual %.2g)",
             (int)s->trial->work->system->coupling_count, s->report->solve_residual);
}

// The status and the message of a step that fails for this reason.
static void fail(const Substep *s, LitheReason reason) {
    LitheTrial *trial = s->trial;
    char why[540];
    trial->status = LITHE_CANNOT_GO_ON;
    trial->error = *s->error;
    if (reason == LITHE_REASON_FAILED && s->status != LITHE_OK)
        return;
    if (reason == LITHE_REASON_CROSSING)
        explain_crossing(s, why, sizeof why);
    else if (reason == LITHE_REASON_REFUSED)
        explain_inverted(s, why, sizeof why);
    else
        explain_solve(s, why, sizeof why);
    lithe_cannot_step(trial->model, trial->work->before->clock[0], s->attempt.h, why,
                      &trial->error);
}

LitheStatus lithe_fail_halted(LitheTrial *trial, double h) {
    return lithe_cannot_step(trial->model, trial->work->before->clock[0], h,
                             "any motion would gain energy, even from rest,", &trial->error);
}

// --- the substep ---------------------------------------------------------------------------------

// An error that no other attempt would mend. A predicted place that is not finite is an error of
// stages alone.
static bool is_final(const Substep *s) {
    if (s->status == LITHE_OK || s->status == LITHE_CANNOT_GO_ON)
        return false;
    return !is_staged(s) || s->status == LITHE_NO_MEMORY || s->status == LITHE_INTERRUPTED;
}

// what follows the present attempt, and why; another one is put into `next`
static LitheNext judge(Substep *s, LitheReason *reason, LitheAttempt *next) {
    LitheNext step = LITHE_NEXT_ACCEPT;
    for (size_t i = 0; i < sizeof judges / sizeof *judges && step == LITHE_NEXT_ACCEPT; i++) {
        *reason = is_final(s) ? LITHE_REASON_NONE : judges[i](s);
        if (is_final(s))
            return LITHE_NEXT_STOP;
        if (*reason != LITHE_REASON_NONE)
            step = lithe_ladder_next(*reason, &s->attempt, &s->rungs, next);
    }
    return step;
}

LitheVerdict lithe_try_substep(LitheTrial *trial, LitheState *state, double h, bool smallest,
                               int32_t halvings, LitheReport *substep) {
    const LitheModel *model = trial->model;
    LitheError error; // its text is long: zeroing it all takes a percent of a small step
    error.status = LITHE_OK;
    error.line = error.column = 0;
    error.text[0] = '\0';
    Substep s = {.trial = trial,
                 .state = state,
                 .attempt = lithe_plain_attempt(h),
                 .report = substep,
                 .error = &error,
                 .rungs = {.staged = model->time.scheme == LITHE_SCHEME_TR_BDF2,
                           .regularises = lithe_contact_solver(model)->regularises,
                           .smallest = smallest,
                           .halvings = halvings}};
    copy_state(trial->work->before, state);
    trial->limit = LITHE_LIMIT_SOLVE;
    for (;;) {
        LitheReason reason = LITHE_REASON_NONE;
        LitheAttempt next;
        make_attempt(&s);
        LitheNext step = judge(&s, &reason, &next);
        bool final = is_final(&s), ends = step == LITHE_NEXT_HALVE || step == LITHE_NEXT_STOP;
        if (final) {
            trial->status = s.status;
            trial->error = error;
            return LITHE_STOPPED;
        }
        if (step == LITHE_NEXT_ACCEPT)
            return LITHE_ACCEPTED;
        if (ends && reason == LITHE_REASON_CROSSING) {
            trial->limit = LITHE_LIMIT_CROSSING;
            trial->report->crossings_avoided++;
        }
        // where stronger regularisation does not help, the message is that of the first failure
        if (step == LITHE_NEXT_AGAIN ? next.mends && !s.attempt.mends
                                     : step == LITHE_NEXT_STOP && !s.attempt.mends)
            fail(&s, reason);
        if (ends)
            return step == LITHE_NEXT_STOP ? LITHE_STOPPED : LITHE_REJECTED;
        s.attempt = next;
        copy_state(state, trial->work->before);
    }
}
