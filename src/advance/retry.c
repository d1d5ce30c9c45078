// SPDX-License-Identifier: Apache-2.0
// advance/retry.c - lithe_step: the step, in substeps where necessary
//
// A substep is one lithe_step_once and then the certificate that nothing passed through anything. A
// substep for which the step or the certificate fails is repeated in halves: a fixed step down to
// contact.most-cuts halvings, an adaptive one down to the smallest step. Two fallbacks exist for
// the last halving: held contacts (Z6) where things would cross, stronger regularisation (V32)
// where the solve did not converge.

#include "advance/adapt.h"
#include "advance/arc.h"
#include "advance/certify.h"
#include "advance/guard.h"
#include "advance/hit.h"
#include "advance/load_step.h"
#include "advance/reach.h"
#include "advance/runaway.h"
#include "advance/step.h"
#include "base/status.h"
#include "body/constraint.h"
#include "body/unit.h"
#include "data/system.h"
#include "data/thing.h"
#include "solve/contact_model.h"
#include "solve/persistent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// a solve that ends above this residual, which is more than rounding, is repeated in halves: at
// most POOR_CUTS times
#define POOR_RESIDUAL 1e-3
#define POOR_CUTS 3
// a solve that ends above this residual is not used: the substep is halved as often as after a
// crossing, then the run stops
#define HOPELESS_RESIDUAL 0.1

// a substep that turns elements of solids inside out is repeated in halves at most this number of
// times; then they are counted, except of laws that refuse them
#define INVERTED_CUTS 3

// a substep whose energy rises is repeated in halves at most this number of times
#define GUARD_CUTS 10
// in a hit down to this fraction of the step that resolves it, before backward Euler makes it
#define RISE 8

// after this number of halted substeps in a row (T25) velocities are zero, and things still cannot
// move without a gain of energy: the step fails
#define MAX_HALTS 64

// the strongest regularisation that is tried; with the defaults a stick speed of 1e-4 m/s and beta
// 1. With more, things would visibly slide and sink in
#define SOFTEST 1e4

static void copy_state(LitheState *to, const LitheState *from) {
    memcpy(to->data, from->data, (size_t)from->size * sizeof(double));
}

// --- one substep ---------------------------------------------------------------------------------

// State of a step that is made in substeps.
typedef struct Trial {
    const LitheModel *model;
    LitheWork *work;
    LitheReport *report;  // of the step so far
    LitheError error;     // also of substeps that were repeated, which are no errors of the step
    LitheStatus status;   // of the last substep
    LitheStepLimit limit; // what was wrong with the last substep
    int32_t halts;        // substeps in a row without motion (T25)
    bool hit;             // the last one was rejected, and is too long for a hit (T31)
    bool in_substeps;     // work->start has the start of the step; else work->before has it
} Trial;

// Result of a substep.
typedef enum Verdict {
    ACCEPTED, // the state is that of its end
    REJECTED, // repeat it in halves
    STOPPED,  // it failed: trial->status and trial->error say why
} Verdict;

// How well the coupled solve of a substep converged.
typedef enum SolveQuality { SOLVED, POOR, HOPELESS } SolveQuality;

static SolveQuality quality_of(LitheStatus status, const LitheReport *substep) {
    bool poor = substep->solve_unconverged && substep->solve_residual > POOR_RESIDUAL;
    if (status != LITHE_OK || !poor)
        return SOLVED;
    return substep->solve_residual > HOPELESS_RESIDUAL ? HOPELESS : POOR;
}

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

static LitheStatus fail_crossing(Trial *trial, const LitheCrossing *crossing, double h) {
    const LitheModel *model = trial->model;
    char who[200], why[540], how[100];
    name_crossing(model, crossing, who, sizeof who);
    if (model->time.min_step > 0)
        snprintf(how, sizeof how, "with the smallest step, %g s", h);
    else
        snprintf(how, sizeof how, "with contact.most-cuts = %d", (int)model->contact.most_cuts);
    snprintf(why, sizeof why, "%s would pass through each other, even %s,%s", who, how,
             crossing->close ? " and have no contact since what lies between is shorter than the "
                               "thickness (use longer edges there),"
                             : "");
    return lithe_cannot_step(model, trial->work->before->clock[0], h, why, &trial->error);
}

static LitheStatus fail_solve(Trial *trial, double h, double residual) {
    char why[120];
    snprintf(why, sizeof why, "the contact solver did not converge (%d couplings, residual %.2g)",
             (int)trial->work->system->coupling_count, residual);
    return lithe_cannot_step(trial->model, trial->work->before->clock[0], h, why, &trial->error);
}

static LitheStatus fail_halted(Trial *trial, double h) {
    return lithe_cannot_step(trial->model, trial->work->before->clock[0], h,
                             "any motion would gain energy, even from rest,", &trial->error);
}

static LitheStatus fail_inverted(Trial *trial, LitheInverted found, int32_t unit, double h) {
    char why[240];
    snprintf(why, sizeof why,
             "element %d of solid '%s' at [%.4g, %.4g, %.4g] m would be turned inside out,",
             (int)found.first, lithe_thing_name(trial->model, trial->model->units[unit].thing),
             found.place.x, found.place.y, found.place.z);
    return lithe_cannot_step(trial->model, trial->work->before->clock[0], h, why, &trial->error);
}

// Whether the substep turns no elements inside out, or as many as cannot be avoided. STOPPED: its
// law refuses that, and it cannot be halved.
static Verdict judge_inverted(Trial *trial, const LitheState *state, double h, bool smallest,
                              int32_t halvings) {
    int32_t unit = 0;
    LitheInverted found = lithe_newly_inverted(trial->model, trial->work->before, state, &unit);
    if (found.count == 0 || (!found.refused && (smallest || halvings >= INVERTED_CUTS)))
        return ACCEPTED;
    trial->status = fail_inverted(trial, found, unit, h);
    return smallest ? STOPPED : REJECTED;
}

// One step from the start of the substep, with its certificate.
static LitheStatus step_certified(Trial *trial, LitheState *state, double h, LitheReport *substep,
                                  LitheCrossing *crossing) {
    LitheWork *work = trial->work;
    LitheStatus status = lithe_step_once(trial->model, state, h, work, substep, &trial->error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_CERTIFY);
    if (status == LITHE_OK)
        status = lithe_certify(trial->model, work->before, state, h, work, crossing, &trial->error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
    // what is left of work that was given up is no result
    return lithe_meter_spend(&work->meter, 0) ? lithe_given_up(work->before, &trial->error)
                                              : status;
}

// The fallback where contacts are too soft to keep things apart at their speed: held contacts stop
// what approaches and push nothing apart.
static LitheStatus step_held(Trial *trial, LitheState *state, double h, LitheReport *substep,
                             LitheCrossing *crossing) {
    copy_state(state, trial->work->before);
    trial->work->held = true;
    LitheStatus status = step_certified(trial, state, h, substep, crossing);
    trial->work->held = false;
    substep->held = 1;
    return status;
}

// The fallback for a solve that did not converge: couplings are regularised 10, 100 .. times more
// strongly, until it converges and nothing crosses. Without success `substep` and trial->error are
// as before, and the status is the given one, unless another error occurred.
static LitheStatus step_softened(Trial *trial, LitheState *state, double h, LitheStatus before,
                                 LitheReport *substep, bool *solved) {
    LitheError error = trial->error;
    LitheStatus status = LITHE_OK;
    *solved = false;
    for (double soften = 10; !*solved && soften <= SOFTEST; soften *= 10) {
        LitheCrossing crossing = {0};
        LitheReport report;
        copy_state(state, trial->work->before);
        trial->work->soften = soften;
        status = step_certified(trial, state, h, &report, &crossing);
        if (status != LITHE_OK && status != LITHE_CANNOT_GO_ON)
            break;
        *solved = status == LITHE_OK && !report.solve_unconverged && !crossing.found;
        if (*solved) {
            *substep = report;
            substep->softened = 1;
        }
    }
    trial->work->soften = 1;
    if (*solved || (status != LITHE_OK && status != LITHE_CANNOT_GO_ON))
        return status;
    trial->error = error;
    return before;
}

// Fallbacks for the smallest substep, which is not halved, where it failed or is poorly solved.
static LitheStatus rescue(Trial *trial, LitheState *state, double h, LitheStatus status,
                          LitheReport *substep) {
    bool solved;
    status = step_softened(trial, state, h, status, substep, &solved);
    if (solved || status != LITHE_OK)
        return status;
    // no success: take the poor solution, and report it
    copy_state(state, trial->work->before);
    return lithe_step_once(trial->model, state, h, trial->work, substep, &trial->error);
}

// TR-BDF2: the energy at the end of a substep of length `h`. REJECTED: it is too high. Energies
// that change in time, as of a gas that is pumped in, are those of the end; the clock advances
// later.
static Verdict judge_energy(Trial *trial, LitheState *state, double h, LitheReport *substep,
                            bool last) {
    if (trial->model->time.scheme != LITHE_SCHEME_TR_BDF2)
        return ACCEPTED;
    double start = state->clock[0];
    state->clock[0] = start + h;
    LitheGuarded result = lithe_guard_end(trial->model, state, trial->work, last);
    state->clock[0] = start;
    if (result == LITHE_GUARD_NO_MEMORY) {
        trial->status = lithe_fail_memory(&trial->error, "the energy of overlaps");
        return STOPPED;
    }
    substep->calmed += result == LITHE_GUARD_CORRECTED;
    substep->energy_gained += result == LITHE_GUARD_EXCEEDED;
    substep->halted += result == LITHE_GUARD_HALTED;
    trial->report->guarded += result != LITHE_GUARD_HOLDS;
    return result != LITHE_GUARD_EXCEEDED || last ? ACCEPTED : REJECTED;
}

// TR-BDF2: one substep by its stages. REJECTED, with the state of the start: it failed, something
// would cross, or the energy would rise; then the substep is made by backward Euler, or if it does
// not resolve a hit, in halves (T31).
static Verdict try_stages(Trial *trial, LitheState *state, double h, LitheReport *substep) {
    LitheError error = trial->error;
    LitheCrossing crossing = {0};
    LitheStatus status = step_certified(trial, state, h, substep, &crossing);
    trial->status = status;
    if (status == LITHE_NO_MEMORY || status == LITHE_INTERRUPTED)
        return STOPPED;
    Verdict verdict = REJECTED;
    bool solved = status == LITHE_OK && !trial->work->stopped && !crossing.found &&
                  !substep->solve_unconverged;
    if (solved && judge_inverted(trial, state, h, false, 0) == ACCEPTED)
        verdict = judge_energy(trial, state, h, substep, false);
    // an impact whose energy rises needs shorter steps than the waves after it
    double most = solved ? lithe_hit_step(trial->model, trial->work, substep) : INFINITY;
    trial->hit = h > most / RISE;
    if (verdict == ACCEPTED && h > most && lithe_hit_missed(trial->model, state, trial->work))
        verdict = REJECTED;
    if (verdict != REJECTED)
        return verdict;
    copy_state(state, trial->work->before);
    trial->error = error;
    return REJECTED;
}

// Tries one substep of length `h` of a step that was halved `halvings` times: one solve, and the
// fallbacks.
static Verdict try_solve(Trial *trial, LitheState *state, double h, bool smallest, int32_t halvings,
                         LitheReport *substep) {
    LitheCrossing crossing = {0};
    LitheStatus status = step_certified(trial, state, h, substep, &crossing);
    if (trial->work->stopped && !trial->work->euler) {
        copy_state(state, trial->work->before);
        trial->work->euler = true; // (T26), midpoint rule
        return try_solve(trial, state, h, smallest, halvings, substep);
    }
    if (crossing.found && smallest)
        status = step_held(trial, state, h, substep, &crossing);
    if (crossing.found && (status == LITHE_OK || status == LITHE_CANNOT_GO_ON)) {
        trial->limit = LITHE_LIMIT_CROSSING;
        trial->report->crossings_avoided++;
        status = fail_crossing(trial, &crossing, h);
    }
    SolveQuality quality = quality_of(status, substep);
    if (quality == HOPELESS)
        status = fail_solve(trial, h, substep->solve_residual);
    bool failed = status == LITHE_CANNOT_GO_ON;
    if (!smallest && (failed || (quality == POOR && halvings < POOR_CUTS)))
        return REJECTED;
    bool softens =
        lithe_contact_solver(trial->model)->regularises && !crossing.found && substep->held == 0;
    if (smallest && softens && (failed || quality != SOLVED))
        status = rescue(trial, state, h, status, substep);
    trial->status = status;
    if (status != LITHE_OK)
        return STOPPED;
    substep->euler = trial->work->euler;
    bool guarded = trial->model->time.scheme == LITHE_SCHEME_TR_BDF2;
    if (guarded && !trial->work->slow &&
        lithe_guard_blames_constraints(trial->model, state, trial->work)) {
        copy_state(state, trial->work->before);
        trial->work->slow = true;
        Verdict verdict = try_solve(trial, state, h, smallest, halvings, substep);
        trial->work->slow = false;
        return verdict;
    }
    bool last = smallest || halvings >= GUARD_CUTS;
    Verdict upright = judge_inverted(trial, state, h, smallest, halvings);
    if (upright != ACCEPTED)
        return upright;
    return judge_energy(trial, state, h, substep, last);
}

// Tries one substep: TR-BDF2 by its stages, and where these fail by backward Euler. Backward Euler
// also makes the substeps of TR-BDF2 and of the midpoint rule in which a limit stops a joint:
//     (T26)  it ends at its limit, and rests there in the next step
static Verdict try_substep(Trial *trial, LitheState *state, double h, bool smallest,
                           int32_t halvings, LitheReport *substep) {
    copy_state(trial->work->before, state);
    trial->limit = LITHE_LIMIT_SOLVE;
    trial->hit = false;
    bool staged = trial->model->time.scheme == LITHE_SCHEME_TR_BDF2;
    Verdict verdict = staged ? try_stages(trial, state, h, substep) : REJECTED;
    if (verdict != REJECTED || (trial->hit && !smallest && halvings < LITHE_HIT_CUTS))
        return verdict;
    trial->work->euler = staged;
    verdict = try_solve(trial, state, h, smallest, halvings, substep);
    trial->work->euler = false;
    return verdict;
}

// --- substeps of a step --------------------------------------------------------------------------

static int32_t imax(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static void add_report(LitheReport *sum, const LitheReport *substep) {
    LitheReport out = *substep;
    if (sum->pieces > 0) {
        out.newton_iterations = sum->newton_iterations + substep->newton_iterations;
        out.line_search_cuts += sum->line_search_cuts;
        out.hessians_corrected += sum->hessians_corrected;
        out.bodies_unconverged += sum->bodies_unconverged;
        out.passes += sum->passes;
        out.solve_iterations += sum->solve_iterations;
        out.constraints_broken += sum->constraints_broken;
        out.held += sum->held;
        out.calmed += sum->calmed;
        out.euler += sum->euler;
        out.energy_gained += sum->energy_gained;
        out.halted += sum->halted;
        out.softened += sum->softened;
        out.fall_backs += sum->fall_backs;
        out.contacts_returned += sum->contacts_returned;
        out.contacts_dropped = imax(out.contacts_dropped, sum->contacts_dropped);
        out.normals_condition = fmax(out.normals_condition, sum->normals_condition);
        out.weakened = imax(out.weakened, sum->weakened);
        out.solve_unconverged |= sum->solve_unconverged;
        out.friction_unsettled |= sum->friction_unsettled;
        out.friction_astray = fmax(out.friction_astray, sum->friction_astray);
        out.solve_residual = fmax(out.solve_residual, sum->solve_residual);
        out.backward_error = fmax(out.backward_error, sum->backward_error);
        out.residual = fmax(out.residual, sum->residual);
        out.joints_at_limit = imax(out.joints_at_limit, sum->joints_at_limit);
        out.contacts = imax(out.contacts, sum->contacts);
        out.active = imax(out.active, sum->active);
        out.stiffened = imax(out.stiffened, sum->stiffened);
        out.pairs_unserved = imax(out.pairs_unserved, sum->pairs_unserved);
        out.deepest = fmax(out.deepest, sum->deepest);
        out.deepest_fraction = fmax(out.deepest_fraction, sum->deepest_fraction);
    }
    out.pieces = sum->pieces + 1;
    out.crossings_avoided = sum->crossings_avoided;
    out.guarded = sum->guarded;
    out.rejected = sum->rejected;
    out.limit = sum->limit;
    *sum = out;
}

static void take_back(Trial *trial, LitheState *state) {
    copy_state(state, trial->work->before);
    trial->report->rejected++;
    trial->report->limit = trial->limit;
}

// The step in substeps of halves, quarters ..: a substep that is rejected is halved; after an
// accepted one the length doubles as soon as the next substep starts on the grid of the longer
// ones.
static LitheStatus make_pieces(Trial *trial, LitheState *state) {
    const LitheModel *model = trial->model;
    int32_t max = model->contact.most_cuts, cuts = 0;
    int64_t whole = (int64_t)1 << max, done = 0;
    double start = state->clock[0], step = model->time.step;
    while (done < whole) {
        int64_t ticks = whole >> cuts;
        LitheReport substep;
        double h = step / (double)((int64_t)1 << cuts);
        Verdict verdict = try_substep(trial, state, h, cuts == max, cuts, &substep);
        if (verdict == REJECTED) {
            take_back(trial, state);
            cuts++;
            continue;
        }
        if (verdict == STOPPED)
            return trial->status;
        add_report(trial->report, &substep);
        trial->halts = substep.halted > 0 ? trial->halts + 1 : 0;
        if (trial->halts > MAX_HALTS)
            return fail_halted(trial, h);
        if (trial->work->watch)
            trial->work->watch(trial->work->before, state, trial->work->watch_user);
        done += ticks;
        if (done < whole && !trial->in_substeps &&
            !lithe_work_keep_start(trial->work, trial->work->before))
            return lithe_fail_memory(&trial->error, "the state before the step");
        trial->in_substeps |= done < whole;
        state->clock[0] = start + step * ((double)done / (double)whole);
        while (cuts > 0 && done % (2 * (whole >> cuts)) == 0)
            cuts--;
    }
    trial->report->step = step;
    return LITHE_OK;
}

// Step-size control: the error is too large, or a constraint breaks within the step and its time is
// to be resolved.
static Verdict judge_errors(Trial *trial, const LitheStepErrors *errors,
                            const LitheReport *substep) {
    if (lithe_adapt_refuses(errors, &trial->limit))
        return REJECTED;
    if (substep->constraints_broken == 0)
        return ACCEPTED;
    trial->limit = LITHE_LIMIT_EVENT;
    return REJECTED;
}

// One step as long as errors, effort and events allow; halved as often as needed.
static LitheStatus make_adaptive(Trial *trial, LitheState *state) {
    const LitheModel *model = trial->model;
    LitheReport *report = trial->report;
    LitheStepErrors errors = {0};
    int32_t levels = lithe_adapt_levels(model);
    int32_t level = lithe_adapt_begin(model, state, &report->limit), start = level;
    for (;; level++) {
        LitheReport substep;
        double h = lithe_adapt_length(model, level);
        bool smallest = level == levels;
        Verdict verdict = try_substep(trial, state, h, smallest, level - start, &substep);
        if (verdict == STOPPED)
            return trial->status;
        if (verdict == ACCEPTED) {
            errors = lithe_adapt_measure(model, trial->work->before, state, h, trial->work);
            verdict = smallest ? ACCEPTED : judge_errors(trial, &errors, &substep);
        }
        if (verdict == REJECTED) {
            take_back(trial, state);
            continue;
        }
        add_report(report, &substep);
        if (trial->work->watch)
            trial->work->watch(trial->work->before, state, trial->work->watch_user);
        report->step = h;
        report->error = errors.motion;
        report->contact_error = errors.contact;
        break;
    }
    lithe_adapt_end(model, trial->work->before, level, &errors, report, state);
    return LITHE_OK;
}

// --- the step ------------------------------------------------------------------------------------

static LitheState *start_of(const Trial *trial) {
    return trial->in_substeps ? trial->work->start : trial->work->before;
}

// A step that ended: a constraint that cannot be met makes it fail.
static LitheStatus judge_reach(const Trial *trial, LitheState *state, LitheError *error) {
    int32_t steps = lithe_reach_doubted(trial->model, start_of(trial), state);
    if (steps == 0)
        return LITHE_OK;
    LitheMeter *meter = &trial->work->meter;
    double h = trial->report->step, time = lithe_load_time(state) + steps * h;
    LitheStatus status = lithe_reach_ahead(trial->model, state, time, time - h / 2,
                                           &trial->work->reach, meter, error);
    if (lithe_meter_given_up(meter))
        status = lithe_given_up(start_of(trial), error);
    if (status != LITHE_OK)
        copy_state(state, start_of(trial));
    return status;
}

// A step that failed, with the state of its start: a constraint that cannot be met is the better
// message.
static void blame_constraint(const LitheModel *model, const LitheState *state, LitheWork *work,
                             LitheError *error) {
    bool still = model->time.scheme == LITHE_SCHEME_STATIC;
    double h = model->time.step;
    double end = still ? (state->clock[1] + 1) * h : lithe_load_time(state) + h;
    lithe_reach_blame(model, state, end, still ? end : end - h / 2, &work->reach, &work->meter,
                      error);
}

// The step, whose work is counted.
static LitheStatus make_step(const LitheModel *model, LitheState *state, LitheWork *work,
                             LitheReport *report, LitheError *error) {
    double steps = state->clock[1] + 1;
    bool adaptive = model->time.min_step > 0;
    LitheStatus status;
    Trial trial = {.model = model, .work = work, .report = report};
    if (model->time.follow == LITHE_FOLLOW_ARC_LENGTH) {
        lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
        status = lithe_path_step(model, state, work, report, error);
    } else if (model->time.scheme == LITHE_SCHEME_STATIC) {
        lithe_stage_enter(&work->stages, LITHE_STAGE_FREE);
        status = lithe_load_step(model, state, steps * model->time.step, work, report, error);
    } else {
        status = adaptive ? make_adaptive(&trial, state) : make_pieces(&trial, state);
        if (lithe_meter_given_up(&work->meter))
            status = lithe_given_up(start_of(&trial), &trial.error);
        if (status != LITHE_OK && error)
            *error = trial.error;
    }
    // a failed step leaves the state unchanged
    if (status != LITHE_OK && model->time.scheme != LITHE_SCHEME_STATIC) {
        copy_state(state, start_of(&trial));
    } else if (status == LITHE_OK) {
        if (!adaptive)
            state->clock[0] = steps * model->time.step;
        state->clock[1] = steps;
        if (lithe_contact_solver(model)->regularises)
            report->stored = lithe_contacts_stored(work);
        lithe_report_inverted(model, state, report);
        if (model->constraint_count > 0 && model->time.scheme != LITHE_SCHEME_STATIC)
            status = judge_reach(&trial, state, error);
    }
    if (status == LITHE_CANNOT_GO_ON)
        blame_constraint(model, state, work, error);
    return status;
}

LitheStatus lithe_step(const LitheModel *model, LitheState *state, LitheWork *work,
                       LitheReport *report, LitheError *error) {
    LitheReport own;
    report = report ? report : &own;
    memset(report, 0, sizeof *report);
    int64_t limit = model->time.max_work * (model->v_count + 1);
    bool began = lithe_meter_begin(&work->meter, limit);
    lithe_stage_enter(&work->stages, LITHE_STAGE_ADVANCE);
    LitheStatus status = make_step(model, state, work, report, error);
    lithe_stage_enter(&work->stages, LITHE_STAGE_NONE);
    LitheGivenUp why = lithe_meter_given_up(&work->meter);
    lithe_meter_end(&work->meter, began);
    if (status == LITHE_INTERRUPTED && why == LITHE_WORK_EXCEEDED) {
        status = lithe_runaway_fail(model, state, work, report, error);
        blame_constraint(model, state, work, error);
    }
    return status;
}
