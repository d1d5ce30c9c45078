// SPDX-License-Identifier: Apache-2.0
// advance/equilibrium.c - the nearest equilibrium, by proximal steps
//
// Each step minimises, from the present configuration,
//     (Q1)  s/2 |u|_M^2 + E(q0 + u) - f'u + contacts, constraints and joint terms of u
// It is solved as an implicit time step, by the same Newton iterations and coupled solve, with
// a = h = 1, c = s (see LitheStepPlan) and zero velocities. s falls while steps converge easily,
// until they are Newton steps. Units that touch share the factor by which s changes.
//
// Contacts and constraints are linearised at the start of a proximal step, where their geometry is
// up to date: the forces that are out of balance there are the residual of the search (Q6).
// Numbers: docs/theory/statics.md.

#include "advance/equilibrium.h"

#include "advance/certify.h"
#include "advance/mixing.h"
#include "advance/search.h"
#include "assemble/assemble.h"
#include "base/status.h"
#include "body/constraint.h"
#include "data/part.h"
#include "data/system.h"
#include "solve/contact_model.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

#define MAX_STEPS 500
// Steps limited by the trust radius do not count while nothing has travelled farther than this
// multiple of the size of the world: a load on a rope that swings down by 180 degrees needs 4.
#define LONG_WAY 6
// fraction of the trust radius that a step aims at: at 1 half of the steps would be rejected
#define AIM 0.8
// a unit is at rest when a step moves it by less than this fraction of its length
#define STILL 1e-9
// the same fraction where contacts or constraints act: the coupled solve is less accurate
#define STILL_COUPLED 1e-7
// tolerance of all steps of a unit alone except the last, and max tolerance of a coupled solve
#define ROUGH 1e-3
// tolerance of a coupled solve, as a fraction of the forces that are out of balance at its start
#define ROUGH_FRACTION 1e-2
// min of the factor by which the tolerance of coupled solves is reduced while short steps do not
// lower the residual
#define MIN_CARE 1e-4
// min tolerance of a coupled solve, as a multiple of the tolerance of the search
#define FINE 1e-2
// min s and max s, as multiples of the square of the lowest natural frequency.
// Below the min rigid motions would make the matrix singular; a search that needs more than the max
// fails
#define MIN_FACTOR 1e-6
#define MAX_FACTOR 1e12
// min s of units that something touches, with contacts and with constraints only: the matrix lacks
// the geometric stiffness of the contacts of a rolling body, which is about its weight over its
// size
#define MIN_TOUCHING 0.3
#define MIN_TIED 1e-3
// lower bound of s after a step that overshot, as a multiple of the s of that step; max of this
// bound, as a multiple of the square of the lowest natural frequency; its rate of decay per step
#define OVERSHOOT 2
#define MAX_FLOOR 10
#define FORGET 0.3
// a coupled solve that ends above this residual is not used
#define HOPELESS 0.1
// mixed steps without progress after which s is changed; fewer where the relative forces out of
// balance are above FAR_OFF, because mixing hardly ever helps there
#define PATIENCE (2 * LITHE_MIXING_DEPTH)
#define PATIENCE_FAR 4
#define FAR_OFF 0.4
// relative forces out of balance that the noise of contact geometry may leave
#define GEOMETRY_NOISE 1e-4
// min detection margin of contacts, as a fraction of the smallest half thickness
#define MARGIN_FRACTION 0.1
// Trust radius: the max displacement of units in contact per step, over the smallest half
// thickness; its largest value. After a larger displacement the linearised contacts
// would not be valid, and the detection margin would contain far too many pairs.
#define MAX_TRUST 4
// number of contacts above which long steps cost more than they save
#define MANY_CONTACTS 300
// two successive displacements with a smaller cosine have changed direction
#define TURNS 0.2
// a unit that moves by this multiple of the size of the world is not supported: the search fails
#define FAR 100

static void copy_state(LitheState *to, const LitheState *from) {
    memcpy(to->data, from->data, (size_t)from->size * sizeof(double));
}

// --- one proximal step ---------------------------------------------------------------------------

static LitheStepPlan plan_of(const LitheSearch *s, int32_t unit) {
    double c = unit < 0 ? 1 : search_of(s, unit)->s;
    return (LitheStepPlan){
        .time = lithe_load_time(s->state), .h = 1, .a = 1, .inverse_a = 1, .c = c, .still = true};
}

static void begin_unit(int32_t unit, void *user) {
    const LitheSearch *s = user;
    LitheUnitWork *work = &s->work->units[unit];
    LitheStepPlan plan = plan_of(s, unit);
    work->iterations = work->cuts = work->corrected = 0;
    work->residual = 0;
    work->coupled = false;
    work->waits = work->converged = true;
    work->finite = lithe_unit_ops(s->model, unit)->begin(s->model, unit, s->state, &plan, s->work);
}

// out-of-balance force of a unit alone: that of the proximal term, s M u
static double unbalanced_force(const LitheSearch *s, int32_t unit) {
    LitheUnitWork *work = &s->work->units[unit];
    const LitheUnitOps *ops = lithe_unit_ops(s->model, unit);
    ops->mass(s->model, unit, s->work, work->w, work->dx);
    for (int64_t i = 0; i < work->dof_count; i++)
        work->dx[i] *= work->search.s;
    return ops->measure(s->model, unit, s->work, work->dx).residual;
}

// one proximal step of a unit that nothing touches
static void move_alone(int32_t unit, void *user) {
    const LitheSearch *s = user;
    LitheUnitWork *work = &s->work->units[unit];
    LitheUnitSearch *own = &work->search;
    const LitheTimeDef *time = &s->model->time;
    own->coupled = work->coupled;
    own->balanced = false;
    work->waits = false;
    if (work->coupled || !work->finite)
        return;
    if (own->found || work->dof_count == 0) {
        work->residual = own->residual;
        return;
    }
    // far from the equilibrium a rough minimum of (Q1) is enough
    double tolerance = own->near ? time->tolerance : fmax(time->tolerance, ROUGH);
    LitheNewtonSetting setting = {tolerance, time->max_iterations, true};
    lithe_newton(s->model, unit, &setting, s->work);
    if (!work->finite || !work->converged)
        return;
    double rest = unbalanced_force(s, unit);
    own->residual = work->goal > 0 ? rest * tolerance / work->goal : 0;
    own->balanced = rest <= work->goal && own->s <= own->omega2;
    work->residual = own->residual;
}

static void end_unit(int32_t unit, void *user) {
    const LitheSearch *s = user;
    LitheUnitWork *work = &s->work->units[unit];
    work->finite =
        work->finite && lithe_unit_ops(s->model, unit)->end(s->model, unit, s->work, s->state);
}

static bool all_finite(const LitheSearch *s) {
    for (int32_t i = 0; i < s->model->unit_count; i++)
        if (!s->work->units[i].finite)
            return false;
    return true;
}

static double margin_of(const LitheSearch *s) {
    return fmax(MARGIN_FRACTION * s->thick, 2 * fmax(s->trust, s->falls ? s->reach : 0));
}

static bool has_coupled(const LitheSearch *s) {
    return s->work->outcome.passes > 0 &&
           (s->work->system->coupling_count > 0 || s->work->system->rides);
}

// Moves the state by one proximal step. LITHE_CANNOT_GO_ON: it has no solution, or things would
// pass through each other.
static LitheStatus step(LitheSearch *s, LitheError *error) {
    const LitheModel *model = s->model;
    LitheWork *work = s->work;
    const LitheContactSolver *contact = lithe_contact_solver(model);
    LitheStepPlan plan = plan_of(s, -1);
    LitheCrossing crossing = {0};
    LitheAttempt whole = lithe_plain_attempt(1);
    whole.margin = margin_of(s);
    whole.correction = s->correction;
    whole.size = s->room;
    whole.tolerance =
        fmax(FINE * tolerance_of(s), s->care * fmin(ROUGH, ROUGH_FRACTION * s->residual));
    plan.attempt = &whole;
    LitheStatus status = contact->begin(model, s->state, &plan, work, error);
    if (status != LITHE_OK)
        return status;
    lithe_units_run(work, begin_unit, s);
    if (!all_finite(s))
        return LITHE_CANNOT_GO_ON;
    status = contact->solve(model, s->state, &plan, work, error);
    if (status != LITHE_OK)
        return status;
    lithe_units_run(work, move_alone, s);
    if (!all_finite(s))
        return LITHE_CANNOT_GO_ON;
    LitheReport part = {0};
    contact->end(model, s->state, &plan, work, &part);
    if (has_coupled(s) &&
        (!lithe_mixing_turn(model, work->mixing, work, &s->cosine) ||
         (s->mixes && !lithe_mixing_apply(model, work->mixing, s->trust, work, s->state))))
        return lithe_fail_memory(error, "the mixing of static steps");
    lithe_units_run(work, end_unit, s);
    lithe_riders_place(model, s->state);
    if (!all_finite(s))
        return LITHE_CANNOT_GO_ON;
    s->report->contacts = part.contacts;
    s->report->deepest = part.deepest;
    s->report->deepest_fraction = part.deepest_fraction;
    s->report->stiffened = part.stiffened;
    s->report->pairs_unserved = part.pairs_unserved;
    s->report->passes += part.passes;
    s->report->solve_iterations += part.solve_iterations;
    s->report->solve_residual = part.solve_residual;
    status = lithe_certify(model, work->before, s->state, &whole, work, &crossing, error);
    return status == LITHE_OK && crossing.found ? LITHE_CANNOT_GO_ON : status;
}

// --- the weights ---------------------------------------------------------------------------------

// largest s of units that something touches, over the square of their lowest frequency
static double level_of(const LitheSearch *s) {
    double max = 0;
    for (int32_t i = 0; i < s->model->unit_count; i++)
        if (s->work->units[i].coupled)
            max = fmax(max, search_of(s, i)->s / search_of(s, i)->omega2);
    return max;
}

// A step with a small s lacks the geometric stiffness of contacts and constraints and overshoots.
// After that s has a lower bound, which decays more slowly with every overshoot: otherwise a search
// can go round in circles.
static void judge_floor(LitheSearch *s) {
    if (s->turns && !s->mixes) {
        s->floor = fmax(s->floor, fmin(OVERSHOOT * level_of(s), MAX_FLOOR));
        s->overshoots++;
    } else {
        s->floor *= 1 - FORGET / (1 + s->overshoots);
    }
}

// multiplies s of the units that something touches
static void scale_coupled(const LitheSearch *s, double factor) {
    double min = fmax(s->work->contacts->count > 0 ? MIN_TOUCHING : MIN_TIED, s->floor);
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        LitheUnitSearch *own = search_of(s, i);
        if (s->work->units[i].coupled)
            own->s = fmax(min * own->omega2, own->s * factor);
    }
}

// how far a unit may move in a step
static double limit_of(const LitheSearch *s, int32_t unit) {
    return s->work->units[unit].coupled  ? s->trust
           : search_of(s, unit)->limited ? s->reach
                                         : INFINITY;
}

// Displacements of the step. Returns the largest, relative to how far units may move.
static double measure_steps(const LitheSearch *s) {
    double max = 0;
    bool touch = lithe_can_touch(s->model);
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        const LitheUnitWork *work = &s->work->units[i];
        const LitheUnitOps *ops = lithe_unit_ops(s->model, i);
        LitheUnitSearch *own = search_of(s, i);
        own->step = work->dof_count > 0 ? ops->moved(s->model, i, s->work, work->w) : 0;
        own->limited = work->coupled || (touch && !ops->certified);
        max = fmax(max, own->step / limit_of(s, i));
    }
    return max;
}

static double next_trust(const LitheSearch *s) {
    // without contacts nearby no linearised contact limits the displacement
    bool near = s->work->contacts->count > 0;
    double max = s->work->contacts->count > MANY_CONTACTS ? LITHE_START_TRUST : MAX_TRUST;
    return near ? fmin(2 * s->trust, fmax(max * s->thick, 0.5 * s->trust)) : 2 * s->trust;
}

// whether the units that touch are in balance and at rest
static void judge_rest(LitheSearch *s, double moved) {
    bool rest = s->balanced >= 2 && moved <= STILL_COUPLED * s->size;
    for (int32_t i = 0; i < s->model->unit_count; i++)
        if (s->work->units[i].coupled)
            search_of(s, i)->found = s->correction == 1 && (rest || s->stalled);
}

// after an accepted step of the units that something touches
static void judge_coupled(LitheSearch *s) {
    const LitheSystem *system = s->work->system;
    double moved = 0, before = s->residual, factor;
    s->residual = system->start_residual;
    s->balanced = s->residual <= tolerance_of(s) ? s->balanced + 1 : 0;
    for (int32_t i = 0; i < s->model->unit_count; i++)
        moved = fmax(moved, s->work->units[i].coupled ? search_of(s, i)->step : 0);
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        LitheUnitWork *work = &s->work->units[i];
        LitheUnitSearch *own = &work->search;
        if (!work->coupled)
            continue;
        own->near = false;
        own->moved = own->step;
        own->travel += own->step;
        own->residual = work->residual;
    }
    bool far = moved > 0.25 * s->trust;
    s->travel += moved;
    if (far && s->travel < LONG_WAY * s->size)
        s->free_steps++;
    s->turns = far && s->cosine < TURNS;
    s->slow = !far && s->residual > 0.3 * before ? s->slow + 1 : 0;
    if (s->mixes) {
        // no progress: change s
        bool better = s->residual < 0.7 * s->best;
        s->slow = better ? 0 : s->slow + 1;
        s->best = fmin(s->best, s->residual);
        factor = 1;
        bool worse = s->residual > 1e3 * s->best;
        // contact geometry has its own noise: below it no step helps
        s->stalled =
            s->slow > PATIENCE && s->residual <= GEOMETRY_NOISE && s->residual <= 3 * s->best;
        if (worse || s->slow > (s->best > FAR_OFF ? PATIENCE_FAR : PATIENCE)) {
            s->mixes = false;
            s->slow = 0;
            factor = worse ? 10 : 0.1;
        }
    } else if (s->slow >= 3) {
        s->mixes = true;
        s->slow = 0;
        s->best = s->residual;
        lithe_mixing_restart(s->work->mixing);
        factor = 1;
    } else if (s->turns)
        factor = 2;
    else if (s->residual > 2 * before)
        factor = 4;
    else if (s->residual > 0.5 * before)
        factor = 0.5;
    else
        factor = system->converged ? 0.1 : 0.5;
    // contacts that stick are so stiff that the error of a rough solve may be all of the residual
    s->care =
        !far && s->residual > 0.5 * before ? fmax(0.1 * s->care, MIN_CARE) : fmin(4 * s->care, 1);
    judge_floor(s);
    // the displacement grows with 1/s and must stay within the trust radius of the next step
    scale_coupled(s, fmax(factor, fmin(1, moved / (AIM * next_trust(s)))));
    judge_rest(s, moved);
    s->correction = fmin(1, 2 * s->correction);
}

// how far the next step may go; contacts are searched for up to twice that
static void judge_trust(LitheSearch *s) {
    double touching = 0, falling = 0;
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        const LitheUnitSearch *own = search_of(s, i);
        if (s->work->units[i].coupled)
            touching = fmax(touching, own->step);
        else if (own->limited)
            falling = fmax(falling, own->step);
    }
    if (s->turns)
        s->trust = fmax(0.5 * s->trust, 0.05 * s->thick);
    else if (touching > 0.5 * s->trust)
        s->trust = next_trust(s);
    else if (touching > 0 && touching < 0.1 * s->trust)
        s->trust = fmax(0.5 * s->trust, 0.05 * s->thick);
    // with few contacts, units that nothing touches fall in long steps
    bool room = s->work->contacts->count < MANY_CONTACTS;
    s->falls = falling > 0.1 * s->reach;
    if (s->falls)
        s->reach = room ? 2 * s->reach : fmax(0.5 * s->reach, s->thick);
}

// after an accepted step of the units that nothing touches
static void judge_alone(LitheSearch *s) {
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        const LitheUnitWork *work = &s->work->units[i];
        LitheUnitSearch *own = search_of(s, i);
        if (work->coupled || own->found)
            continue;
        // balanced to rounding, and at rest: a soft rod may be one without the other
        bool still =
            own->step <= STILL * lithe_search_length(s->model, i) || own->step > 0.5 * own->moved;
        own->found = own->near && own->balanced && still;
        own->moved = own->near ? own->step : INFINITY;
        own->travel += own->step;
        own->near = own->near || own->balanced;
        double factor = work->iterations <= 5 ? 0.05 : work->iterations <= 10 ? 0.3 : 1;
        if (own->limited)
            factor = fmax(factor, fmin(1, 0.5 * own->step / s->reach));
        own->s = fmax(MIN_FACTOR * own->omega2, own->s * factor);
    }
}

// after a failed step, which is repeated: increases s of the units that failed
static void increase_s(LitheSearch *s, bool solved) {
    bool blamed = false;
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        const LitheUnitWork *work = &s->work->units[i];
        LitheUnitSearch *own = search_of(s, i);
        bool failed = !work->coupled && (!work->finite || !work->converged);
        bool far = solved && !work->coupled && own->step > limit_of(s, i);
        if (failed || far)
            own->s *= failed ? 10 : fmax(2, fmin(1e3, own->step / limit_of(s, i)));
        blamed |= failed || far;
    }
    // units that touch share one factor
    double max = 0;
    for (int32_t i = 0; i < s->model->unit_count; i++)
        max = fmax(max, s->work->units[i].coupled ? search_of(s, i)->step : 0);
    bool far = solved && max > s->trust;
    // Overlaps move units by their depth, whatever s is: the trust radius was too small. It also
    // grows after a crossing, so that the contact search finds that pair.
    if (far ? s->rejections > 2 && max > 0.5 * s->rejected : !solved)
        s->trust = fmin(2 * s->trust, fmax(s->trust, MAX_TRUST * s->thick));
    s->rejected = far ? max : 0;
    s->rejections = far ? s->rejections + 1 : 0;
    if (far)
        s->correction *= fmax(1e-3, 0.9 * s->trust / max);
    if (far || !blamed)
        for (int32_t i = 0; i < s->model->unit_count; i++)
            if (s->work->units[i].coupled || (!solved && !search_of(s, i)->found))
                search_of(s, i)->s *= far ? fmax(2, fmin(1e3, max / s->trust)) : 10;
}

// --- the end of a search -------------------------------------------------------------------------

static bool all_found(const LitheSearch *s) {
    for (int32_t i = 0; i < s->model->unit_count; i++)
        if (!search_of(s, i)->found && s->work->units[i].dof_count > 0)
            return false;
    return true;
}

// constraints break at the equilibrium, not on the way to it; true when some did
static bool break_constraints(LitheSearch *s) {
    bool broke = false;
    for (int32_t i = 0; i < s->model->constraint_count; i++) {
        const LitheTie *tie = lithe_tie_of(s->state, i);
        if (tie->acts != 0 && lithe_constraint_note(s->model, s->state, i, v3_load(tie->force),
                                                    v3_load(tie->torque))) {
            s->report->constraints_broken++;
            broke = true;
        }
    }
    return broke;
}

// removes smooth residuals that are hidden by the rounding noise of single nodes
static void polish(int32_t unit, void *user) {
    const LitheSearch *s = user;
    LitheUnitWork *work = &s->work->units[unit];
    const LitheUnitOps *ops = lithe_unit_ops(s->model, unit);
    LitheNewtonSetting setting = {s->model->time.tolerance, s->model->time.max_iterations, true};
    if (work->coupled || work->dof_count == 0 || ops->free)
        return;
    work->search.s = MIN_FACTOR * work->search.omega2;
    LitheStepPlan plan = plan_of(s, unit);
    if (ops->begin(s->model, unit, s->state, &plan, s->work) &&
        lithe_newton_polish(s->model, unit, &setting, s->work))
        ops->end(s->model, unit, s->work, s->state);
}

// whether a unit has moved too far, or needs an s that is too large
static bool is_lost(const LitheSearch *s, int32_t *adrift, bool *stiff) {
    *adrift = -1;
    *stiff = false;
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        const LitheUnitSearch *own = search_of(s, i);
        if (own->travel > FAR * s->room && !own->found)
            *adrift = i;
        *stiff |= own->s > MAX_FACTOR * own->omega2;
    }
    return *adrift >= 0 || *stiff;
}

static void count_iterations(LitheSearch *s) {
    int32_t max = 0;
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        const LitheUnitWork *work = &s->work->units[i];
        max = work->iterations > max ? work->iterations : max;
        s->cuts += work->cuts;
        s->corrected += work->corrected;
    }
    s->coupled_iterations += max;
}

LitheStatus lithe_equilibrium_find(const LitheModel *model, LitheState *state, LitheWork *work,
                                   LitheReport *report, LitheError *error) {
    LitheReport own = {0};
    report = report ? report : &own;
    memset(report, 0, sizeof *report);
    if (!lithe_contact_solver(model)->regularises && lithe_can_touch(model))
        return lithe_fail(
            error, LITHE_NOT_SUPPORTED,
            "static steps and equilibria need contact.model convex, or contact.enabled "
            "false: the other models have no forces without motion");
    LitheSearch s = {.model = model, .state = state, .work = work, .report = report};
    s.residual = INFINITY;
    s.care = 1;
    lithe_search_begin(&s);
    bool found = false, stiff = false;
    int32_t steps = 0, adrift = -1;
    while (!found && steps < MAX_STEPS + s.free_steps && s.effort < work->meter.search_limit &&
           !lithe_meter_spend(&work->meter, 0) && !is_lost(&s, &adrift, &stiff)) {
        LitheError why;
        steps++;
        copy_state(work->before, state);
        LitheStatus status = step(&s, &why);
        if (lithe_meter_given_up(&work->meter))
            break;
        if (status != LITHE_OK && status != LITHE_CANNOT_GO_ON) {
            if (error)
                *error = why;
            return status;
        }
        count_iterations(&s);
        s.effort += (double)work->system->iterations * work->system->coupling_count;
        bool coupled = has_coupled(&s);
        double moved = status == LITHE_OK ? measure_steps(&s) : 0;
        bool hopeless = coupled && !work->system->converged && work->system->residual > HOPELESS;
        bool alone = true;
        for (int32_t i = 0; i < model->unit_count; i++)
            alone &= work->units[i].coupled || work->units[i].converged;
        if (status != LITHE_OK || hopeless || !alone || moved > 1) {
            copy_state(state, work->before);
            s.mixes = false;
            s.slow = 0;
            increase_s(&s, status == LITHE_OK && !hopeless);
            continue;
        }
        s.rejections = 0;
        if (coupled) {
            if (!lithe_limits_keep(work->system) || !lithe_dry_slips_add(work))
                return lithe_fail_memory(error, "the efforts and slips of joints");
            judge_coupled(&s);
        }
        judge_alone(&s);
        judge_trust(&s);
        found = all_found(&s) && !break_constraints(&s);
    }
    if (found)
        lithe_units_run(work, polish, &s);
    found = found && !lithe_meter_given_up(&work->meter);
    lithe_search_sum(&s, steps, found);
    if (found)
        return LITHE_OK;
    if (lithe_meter_given_up(&work->meter))
        return lithe_fail(error, LITHE_INTERRUPTED,
                          "stopped while the equilibrium at t = %g s was computed",
                          state->clock[0]);
    return lithe_search_fail(&s, steps, adrift, error);
}
