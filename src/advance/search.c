// SPDX-License-Identifier: Apache-2.0
// advance/search.c - how a search for an equilibrium begins and ends: its report, and why it found
// none

#include "advance/search.h"

#include "advance/mixing.h"
#include "data/system.h"
#include "data/thing.h"
#include "solve/newton.h"

#include <stdio.h>
#include <string.h>

// s at the start, as a multiple of the square of the lowest natural frequency
#define START_FACTOR 100

double lithe_search_length(const LitheModel *model, int32_t unit) {
    const LitheUnit *u = &model->units[unit];
    double own = u->length < INFINITY ? u->length * fmax(1, u->node_count) : 0;
    return fmax(own, u->thickness);
}

static double omega2_of(const LitheModel *model, int32_t unit) {
    double omega2 = lithe_unit_ops(model, unit)->lowest_omega2(model, unit);
    return omega2 > 0 && omega2 < INFINITY ? omega2 : 1;
}

// what is welded to a body moves with it, however stiff it is itself
static double omega2_with_carriers(const LitheModel *model, int32_t unit) {
    double omega2 = omega2_of(model, unit);
    for (int32_t k = 0; k < model->units[unit].rider_count; k++)
        omega2 = fmin(omega2, omega2_of(model, model->units[unit].riders[k].site.unit));
    return omega2;
}

double lithe_search_size(const LitheModel *model, const LitheState *state) {
    LitheSearch s = {.model = model};
    double size = 0;
    for (int32_t i = 0; i < model->unit_count; i++)
        if (model->units[i].node_count > 0)
            size = fmax(size, lithe_search_length(model, i) +
                                  v3_norm(v3_sub(place_at(&s, state, i), place_at(&s, state, 0))));
    return size > 0 ? size : 1;
}

void lithe_search_begin(LitheSearch *s) {
    const LitheModel *model = s->model;
    s->size = lithe_search_size(model, s->state);
    s->room = s->size;
    s->thick = INFINITY;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        double omega2 = omega2_with_carriers(model, i);
        s->work->units[i].search = (LitheUnitSearch){.omega2 = omega2, .s = START_FACTOR * omega2};
        s->work->units[i].search.moved = INFINITY;
        s->room = fmax(s->room, unit->extent);
        double half = unit->thickness > 0 ? unit->thickness : 0.5 * unit->length;
        s->thick = unit->node_count > 0 ? fmin(s->thick, half) : s->thick;
    }
    if (!(s->thick < INFINITY))
        s->thick = 0.01 * s->size;
    s->trust = s->reach = LITHE_START_TRUST * s->thick;
    s->correction = 1;
    lithe_mixing_restart(s->work->mixing);
    s->work->system->anchor_count = s->work->system->limit_effort_count = 0;
    s->work->system->dry_slip_count = 0;
    memset(s->state->v, 0, (size_t)model->v_count * sizeof(double));
}

// the unit that is farthest from balance
static int32_t worst_unit(const LitheSearch *s) {
    int32_t worst = 0;
    for (int32_t i = 1; i < s->model->unit_count; i++) {
        const LitheUnitSearch *a = search_of(s, i), *b = search_of(s, worst);
        if ((!a->found && b->found) || (a->found == b->found && a->residual > b->residual))
            worst = i;
    }
    return worst;
}

// the largest displacement of a material point of a unit since the start of the search
static double way_of(const LitheSearch *s, int32_t unit) {
    const LitheUnitOps *ops = lithe_unit_ops(s->model, unit);
    double *d = s->work->units[unit].dx;
    ops->difference(s->model, unit, s->work->start, s->state, d);
    return ops->moved(s->model, unit, s->work, d);
}

// whether a unit has moved by more than the size of the world and still moves
static bool is_adrift(const LitheSearch *s, int32_t unit) {
    const LitheUnitSearch *own = search_of(s, unit);
    return own->residual > tolerance_of(s) && own->moved > 1e-3 * s->thick &&
           way_of(s, unit) > s->room;
}

static LitheStatus fail_adrift(const LitheSearch *s, int32_t unit, LitheError *error) {
    const LitheUnit *own = &s->model->units[unit];
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "nothing holds %s '%s' at t = %g s: it moved by %.3g m in the search for an "
                      "equilibrium and its forces are still out of balance (holds, constraints, "
                      "contacts and joints count)",
                      lithe_thing_word(own->thing.kind), own->name, s->state->clock[0],
                      way_of(s, unit));
}

// The displacements of the search add up to many times the size of the world, but end within it.
static LitheStatus fail_wandering(const LitheSearch *s, int32_t steps, int32_t unit,
                                  LitheError *error) {
    const LitheUnit *own = &s->model->units[unit];
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "no equilibrium of %s '%s' found at t = %g s after %d proximal steps: it "
                      "moved to and fro by %.3g m in all, at last %.3g m from its start (residual "
                      "%.3g); smaller load steps may help",
                      lithe_thing_word(own->thing.kind), own->name, s->state->clock[0], (int)steps,
                      search_of(s, unit)->travel, way_of(s, unit), search_of(s, unit)->residual);
}

static LitheStatus fail_search(const LitheSearch *s, int32_t steps, LitheError *error) {
    int32_t worst = worst_unit(s);
    const LitheUnit *unit = &s->model->units[worst];
    const LitheUnitSearch *own = search_of(s, worst);
    double tolerance = s->model->time.tolerance;
    if (own->coupled)
        tolerance = tolerance_of(s);
    if (own->residual <= tolerance)
        return lithe_fail(
            error, LITHE_CANNOT_GO_ON,
            "no equilibrium of %s '%s' found at t = %g s after %d proximal steps: its "
            "forces balance, but it does not come to rest (the last step moved it by "
            "%.3g m): it may have lost its stability; smaller load steps may help",
            lithe_thing_word(unit->thing.kind), unit->name, s->state->clock[0], steps, own->step);
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "no equilibrium of %s '%s' found at t = %g s after %d proximal steps "
                      "(residual %.3g, tolerance %.3g): is it held against its loads? smaller load "
                      "steps may help",
                      lithe_thing_word(unit->thing.kind), unit->name, s->state->clock[0], steps,
                      own->residual, tolerance);
}

// the search exceeded its limit of effort: reports what is farthest from balance
static LitheStatus fail_effort(const LitheSearch *s, int32_t steps, LitheError *error) {
    enum { NAMED = 3 };
    int32_t worst[NAMED], count = 0;
    for (int32_t k = 0; k < NAMED; k++) {
        int32_t next = -1;
        for (int32_t i = 0; i < s->model->unit_count; i++) {
            bool named = false;
            for (int32_t j = 0; j < count; j++)
                named |= worst[j] == i;
            if (!named && !search_of(s, i)->found &&
                (next < 0 || search_of(s, i)->residual > search_of(s, next)->residual))
                next = i;
        }
        if (next >= 0)
            worst[count++] = next;
    }
    char text[256] = "";
    size_t at = 0;
    for (int32_t k = 0; k < count && at < sizeof text; k++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s'%.40s' %.2g", k > 0 ? ", " : "",
                               s->model->units[worst[k]].name, search_of(s, worst[k])->residual);
    int32_t found = 0;
    for (int32_t i = 0; i < s->model->unit_count; i++)
        found += search_of(s, i)->found;
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "the search for the equilibrium at t = %g s was stopped after %d proximal "
                      "steps and %.3g iterations of couplings (limit %.3g): %d couplings, residual "
                      "%.2g (tolerance %.1g), farthest from balance: %s; %d of %d things are at "
                      "rest. Let a pile settle in time steps with damping first",
                      lithe_load_time(s->state), (int)steps, s->effort, s->work->meter.search_limit,
                      (int)s->work->system->coupling_count, s->residual, tolerance_of(s), text,
                      (int)found, (int)s->model->unit_count);
}

LitheStatus lithe_search_fail(const LitheSearch *s, int32_t steps, int32_t adrift,
                              LitheError *error) {
    if (!(s->effort < s->work->meter.search_limit))
        return fail_effort(s, steps, error);
    if (adrift >= 0 && way_of(s, adrift) <= s->room)
        return fail_wandering(s, steps, adrift, error);
    if (adrift < 0 && is_adrift(s, worst_unit(s)))
        adrift = worst_unit(s);
    return adrift >= 0 ? fail_adrift(s, adrift, error) : fail_search(s, steps, error);
}

LitheStatus lithe_search_fail_work(const LitheModel *model, const LitheState *start,
                                   const LitheWork *work, const LitheReport *report,
                                   LitheError *error) {
    int32_t worst = 0;
    for (int32_t i = 1; i < model->unit_count; i++) {
        const LitheUnitSearch *a = &work->units[i].search, *b = &work->units[worst].search;
        if ((!a->found && b->found) || (a->found == b->found && a->residual > b->residual))
            worst = i;
    }
    const LitheUnitSearch *own = &work->units[worst].search;
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "the load step of %g s that starts at t = %g s takes more work than "
                      "time.max-work = %d iterations (%d parts were made, %d repeated): its last "
                      "search moved %s '%s' by %.3g m or rad in all, and %.2g of the forces on it "
                      "are still out of balance: it may have no equilibrium near by. Smaller load "
                      "steps, other loads or a larger max-work may help",
                      model->time.step, start->clock[0], (int)model->time.max_work,
                      (int)report->pieces, (int)report->rejected,
                      lithe_thing_word(model->units[worst].thing.kind), model->units[worst].name,
                      own->travel, own->residual);
}

void lithe_search_sum(LitheSearch *s, int32_t steps, bool found) {
    LitheReport sum;
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        s->work->units[i].converged = search_of(s, i)->found || s->work->units[i].dof_count == 0;
        s->work->units[i].residual = search_of(s, i)->residual;
    }
    lithe_report_sum(s->model, s->work, &sum);
    sum.newton_iterations = steps + s->coupled_iterations;
    sum.line_search_cuts = s->cuts;
    sum.hessians_corrected = s->corrected;
    sum.contacts = s->report->contacts;
    sum.deepest = s->report->deepest;
    sum.deepest_fraction = s->report->deepest_fraction;
    sum.stiffened = s->report->stiffened;
    sum.pairs_unserved = s->report->pairs_unserved;
    sum.passes = s->report->passes;
    sum.solve_iterations = s->report->solve_iterations;
    sum.solve_residual = isfinite(s->residual) ? s->residual : 0; // infinite: nothing was coupled
    sum.constraints_broken = s->report->constraints_broken;
    sum.solve_unconverged = !found;
    sum.pieces = 1;
    sum.limit = s->effort < s->work->meter.search_limit ? LITHE_LIMIT_LARGEST : LITHE_LIMIT_EFFORT;
    *s->report = sum;
}
