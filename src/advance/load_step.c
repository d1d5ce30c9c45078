// SPDX-License-Identifier: Apache-2.0
// advance/load_step.c - one step of a load path, and whether its equilibrium is stable
//
// The search (advance/equilibrium.c) descends; without a disturbance it does not leave an unstable
// equilibrium. Negative pivots of the stiffness (Q11) show that one is unstable. They are counted
// with a separate LitheWork, so that the contacts of the step can still be read. Numbers:
// docs/theory/statics.md.
//
// A load step whose search fails is bisected: its parts go from equilibrium to equilibrium. So is
// one that jumps: it moves things much farther than the stiffness at its end moves them back when
// the load increment is taken away (Q17). A jump that is left in the smallest part is one of the
// structure.

#include "advance/load_step.h"

#include "advance/equilibrium.h"
#include "advance/reach.h"
#include "advance/report.h"
#include "advance/search.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/unit.h"
#include "data/system.h"
#include "data/thing.h"
#include "solve/loops.h"
#include "solve/modes_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// max DoFs of units that touch or are tied: with more, the count would take longer than the search
#define MAX_TOUCHED 20000
// shift of the stiffness, as a fraction of the square of the lowest natural frequency: large enough
// that neither rounding in motions that cost no energy nor instabilities too slow to be seen count
#define SHIFT 1e-4

// a load step that fails is divided into parts, the smallest 1/WHOLE of it
#define WHOLE 64

// --- stability -----------------------------------------------------------------------------------

static int64_t touched_dofs(const LitheModel *model, const LitheWork *work) {
    int64_t sum = 0;
    for (int32_t i = 0; i < model->unit_count; i++)
        sum += work->units[i].coupled ? work->units[i].dof_count : 0;
    return sum;
}

// the count needs the efforts of joint limits that the search has found
static bool copy_efforts(const LitheSystem *from, LitheSystem *to) {
    if (!LITHE_RESERVE(to->context, to->limit_efforts, to->limit_effort_capacity,
                       from->limit_effort_count + 1))
        return false;
    if (from->limit_effort_count > 0)
        memcpy(to->limit_efforts, from->limit_efforts,
               (size_t)from->limit_effort_count * sizeof *from->limit_efforts);
    to->limit_effort_count = from->limit_effort_count;
    return true;
}

// Where forces have no potential, as moments along rods, K is the symmetric part of the stiffness:
// positive pivots say that an equilibrium is stable, negative ones nothing.
static bool says_something(const LitheModel *model, const LitheWork *work, int32_t negative) {
    bool potential = true;
    for (int32_t i = 0; i < model->unit_count; i++)
        potential &= work->units[i].has_potential || work->units[i].dof_count == 0;
    return potential || negative == 0;
}

// number of negative pivots at an equilibrium; -1: too expensive, the count failed or says nothing
static int32_t count_unstable(const LitheModel *model, const LitheState *state, LitheWork *work) {
    LitheError ignored;
    int32_t count = -1;
    if (touched_dofs(model, work) > MAX_TOUCHED)
        return -1;
    if (!work->stability)
        work->stability = lithe_work_create(model, 1);
    if (!work->stability || !copy_efforts(work->system, work->stability->system))
        return -1;
    double shift = SHIFT * lithe_world_shift(model);
    LitheStatus status =
        lithe_world_unstable_count(model, state, work->stability, shift, &count, &ignored);
    return status == LITHE_OK && says_something(model, work->stability, count) ? count : -1;
}

// --- jumps ---------------------------------------------------------------------------------------

// A displacement is a jump if it is longer than this part of the world and than this multiple of
// what the load increment takes back.
#define LONG_WAY 0.01
#define JUMP 4

// the largest displacement of a unit between two states, and its unit
static double way_between(const LitheModel *model, const LitheState *from, const LitheState *to,
                          LitheWork *work, int32_t *unit) {
    double max = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        double *d = work->units[i].dx;
        ops->difference(model, i, from, to, d);
        double way = work->units[i].dof_count > 0 ? ops->moved(model, i, work, d) : 0;
        if (way > max) {
            max = way;
            *unit = i;
        }
    }
    return max;
}

// (Q17): the same for the displacement K\g, g the forces out of balance at `state` under the loads
// of time `from`, K the stiffness that the count of pivots has factored. INFINITY: not known.
static double way_back(const LitheModel *model, LitheState *state, LitheWork *work, double from) {
    LitheWork *own = work->stability;
    LitheSystem *s = own->system;
    LitheWorldStiffness world = {0};
    LitheError ignored;
    double time = lithe_load_time(state), impulses, max = 0;
    lithe_set_load_time(state, from);
    LitheStatus status =
        lithe_world_begin(model, state, own, lithe_world_shift(model), false, &world, &ignored);
    lithe_set_load_time(state, time);
    if (status == LITHE_OK)
        lithe_loop_gradient(s, s->r, &impulses);
    lithe_world_end(&world, own);
    // what a switch turned off since `from` changes the pattern
    if (status != LITHE_OK || !lithe_block_has_values(s->factor))
        return INFINITY;
    for (int64_t i = 0; i < model->v_count; i++)
        s->gradient[i] = s->held[i] ? 0 : s->gradient[i];
    lithe_block_solve(s->factor, s->gradient);
    for (int32_t i = 0; i < model->unit_count; i++)
        if (own->units[i].dof_count > 0)
            max = fmax(max, lithe_unit_ops(model, i)->moved(model, i, own,
                                                            s->gradient + model->units[i].v_at));
    return isfinite(max) ? max : INFINITY;
}

typedef struct Jump {
    double way; // m; 0: none
    int32_t unit;
} Jump;

// Whether the step from `before` at the load time `from` jumped; its stability was judged.
static bool is_jump(const LitheModel *model, const LitheState *before, LitheState *state,
                    LitheWork *work, double from, const LitheReport *report, Jump *jump) {
    if (report->unstable < 0)
        return false; // the stiffness is not known
    jump->way = way_between(model, before, state, work, &jump->unit);
    return jump->way > LONG_WAY * lithe_search_size(model, state) &&
           jump->way > JUMP * way_back(model, state, work, from);
}

static void warn_of_jump(const LitheModel *model, double from, double to, const Jump *jump) {
    const LitheUnit *unit = &model->units[jump->unit];
    lithe_log(
        model->context, LITHE_LOG_WARNING,
        "between the loads of %.6g s and %.6g s %s '%s' jumps by %.3g m: its equilibrium does not "
        "continue (a limit point or a bifurcation); `follow: arc-length` follows the path "
        "through limit points",
        from, to, lithe_thing_word(unit->thing.kind), unit->name, jump->way);
}

// --- slips ---------------------------------------------------------------------------------------

void lithe_note_slips(const LitheModel *model, const LitheWork *work, LitheReport *report) {
    const LitheSystem *s = work->system;
    for (int32_t i = 0; work->outcome.passes > 0 && i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT || !(c->impulse[2] > 0))
            continue;
        const LitheContact *contact = &work->contacts->contacts[c->index];
        double slip = hypot(c->v[0], c->v[1]), part = slip / lithe_contact_size(model, contact);
        if (!(contact->friction > 0) || !(part > report->slip_fraction))
            continue;
        report->slip = slip;
        report->slip_fraction = part;
        report->slip_a = contact->a.thing;
        report->slip_b = contact->b.thing;
    }
}

// --- work ----------------------------------------------------------------------------------------

// elastic energy of a unit at a state with the natural shapes and gases of a time; false: no memory
static bool elastic_at(const LitheModel *model, int32_t unit, LitheState *state, double time,
                       double *energy) {
    LitheUnitTotals sum = {0};
    double own = lithe_load_time(state);
    lithe_set_load_time(state, time);
    bool known =
        lithe_unit_ops(model, unit)->totals(model, unit, state, LITHE_TOTALS_ELASTIC, &sum);
    lithe_set_load_time(state, own);
    *energy = sum.elastic;
    return known;
}

bool lithe_book_changes(const LitheModel *model, LitheState *before, LitheState *state) {
    double from = lithe_load_time(before), to = lithe_load_time(state);
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        double old[2], now[2];
        if (!ops->changes || !ops->changes(model, i))
            continue;
        if (!elastic_at(model, i, before, from, &old[0]) ||
            !elastic_at(model, i, before, to, &old[1]) ||
            !elastic_at(model, i, state, from, &now[0]) ||
            !elastic_at(model, i, state, to, &now[1]))
            return false;
        state->sums[2 * (int64_t)i + 1] += 0.5 * (old[1] - old[0] + now[1] - now[0]); // (Q19)
    }
    return true;
}

// fills in the load time and the stability of an equilibrium that was found
static void judge(const LitheModel *model, const LitheState *state, LitheWork *work,
                  LitheReport *report) {
    report->load_time = lithe_load_time(state);
    report->unstable = count_unstable(model, state, work);
}

// --- equilibria ----------------------------------------------------------------------------------

static void copy_state(LitheState *to, const LitheState *from) {
    memcpy(to->data, from->data, (size_t)from->size * sizeof(double));
}

LitheStatus lithe_equilibrium(const LitheModel *model, LitheState *state, LitheWork *work,
                              LitheReport *report, LitheError *error) {
    LitheReport own;
    report = report ? report : &own;
    if (!lithe_work_keep_start(work, state))
        return lithe_fail_memory(error, "the state before the search");
    bool began = lithe_meter_begin(&work->meter, 0);
    LitheStatus status = lithe_equilibrium_find(model, state, work, report, error);
    double time = lithe_load_time(state);
    if (status == LITHE_CANNOT_GO_ON)
        lithe_reach_blame(model, work->start, time, time, &work->reach, &work->meter, error);
    if (status == LITHE_OK) {
        lithe_note_slips(model, work, report);
        judge(model, state, work, report);
        lithe_report_inverted(model, state, report);
        status = lithe_reach_check(model, state, &work->reach, &work->meter, error);
    }
    if (status != LITHE_OK)
        copy_state(state, work->start);
    lithe_meter_end(&work->meter, began);
    return status;
}

LitheStatus lithe_start_equilibrium(const LitheModel *model, LitheState *state, LitheWork *work,
                                    LitheReport *report, LitheError *error) {
    int32_t fastest = -1;
    double max = 0;
    for (int32_t i = 0; i < model->unit_count; i++)
        for (int64_t k = 0; k < model->units[i].v_count; k++) {
            double v = fabs(state->v[model->units[i].v_at + k]);
            fastest = v > max ? i : fastest;
            max = fmax(max, v);
        }
    if (fastest >= 0)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "start: equilibrium begins at rest: velocities at the start are ignored (%s '%s' "
                  "has %.3g m/s or rad/s)",
                  lithe_thing_word(model->units[fastest].thing.kind), model->units[fastest].name,
                  max);
    LitheStatus status = lithe_equilibrium(model, state, work, report, error);
    // the way of the search is no motion: the energy balance of a run begins at its end
    if (status == LITHE_OK) {
        memset(state->took, 0, LITHE_TOOK_SIZE * sizeof(double));
        memset(state->sums, 0, 2 * (size_t)model->unit_count * sizeof(double));
    }
    return status;
}

// --- load steps ----------------------------------------------------------------------------------

static bool is_final(LitheStatus status) {
    return status != LITHE_OK && status != LITHE_CANNOT_GO_ON;
}

// Why a load step failed: `error` of the search, and how far the loads went.
static LitheStatus fail_step(const LitheState *state, double from, double to, int32_t done,
                             LitheError *error) {
    if (!error)
        return LITHE_CANNOT_GO_ON;
    size_t at = strlen(error->text);
    if (done < 0)
        snprintf(error->text + at, sizeof error->text - at,
                 "; already under the loads at the start of the step, t = %g s", from);
    else
        snprintf(error->text + at, sizeof error->text - at,
                 "; the load step from t = %g s to %g s was divided down to 1/%d, and its "
                 "equilibria end at t = %g s",
                 from, to, WHOLE, lithe_load_time(state));
    return LITHE_CANNOT_GO_ON;
}

// Makes the load increment in parts, each from the last equilibrium; a part is 1/2^cuts of it.
static LitheStatus go_in_parts(const LitheModel *model, LitheState *state, double to,
                               LitheWork *work, LitheReport *report, LitheError *error) {
    double from = state->clock[0];
    int32_t done = 0, cuts = 1;
    LitheReport part;
    // without an equilibrium at the start no part of the increment has one
    copy_state(work->start, state);
    LitheStatus status = lithe_equilibrium_find(model, state, work, &part, error);
    if (status != LITHE_OK)
        return is_final(status) ? status : fail_step(state, from, to, -1, error);
    while (done < WHOLE) {
        int32_t ticks = WHOLE >> cuts;
        copy_state(work->start, state);
        state->clock[0] = from + (to - from) * ((double)(done + ticks) / WHOLE);
        status = lithe_equilibrium_find(model, state, work, &part, error);
        if (is_final(status))
            return status;
        double at = from + (to - from) * done / WHOLE;
        Jump jump = {0};
        bool jumps = false;
        if (status == LITHE_OK && work->system->coupling_count == 0) {
            judge(model, state, work, &part);
            jumps = is_jump(model, work->start, state, work, at, &part, &jump);
        }
        if (jumps && ticks == 1)
            warn_of_jump(model, at, state->clock[0], &jump);
        if (status != LITHE_OK || (jumps && ticks > 1)) {
            copy_state(state, work->start);
            report->rejected++;
            if (ticks == 1)
                return fail_step(state, from, to, done, error);
            cuts++;
            continue;
        }
        if (!lithe_book_changes(model, work->start, state))
            return lithe_fail_memory(error, "the work of a load step");
        lithe_note_slips(model, work, &part);
        lithe_report_add(report, &part, LITHE_PARTS_LOADS);
        done += ticks;
        while (cuts > 0 && done % (2 * (WHOLE >> cuts)) == 0)
            cuts--;
    }
    state->clock[0] = to;
    return LITHE_OK;
}

// A step that jumps is made again in parts, where nothing touches or is tied. Where the parts do
// not arrive the state of the whole step stays.
static LitheStatus refine_jump(const LitheModel *model, LitheState *state, double time,
                               LitheWork *work, LitheReport *report, LitheError *error) {
    double from = work->load->clock[0];
    Jump jump = {0};
    if (work->system->coupling_count > 0 ||
        !is_jump(model, work->load, state, work, from, report, &jump))
        return LITHE_OK;
    LitheState *whole = lithe_state_copy(state);
    if (!whole)
        return lithe_fail_memory(error, "the state after the step");
    LitheReport parts = {.rejected = 1, .limit = LITHE_LIMIT_SOLVE};
    LitheError why = {0};
    copy_state(state, work->load);
    state->clock[0] = from;
    LitheStatus status = go_in_parts(model, state, time, work, &parts, &why);
    if (status == LITHE_OK) {
        *report = parts;
        report->step = model->time.step;
        judge(model, state, work, report);
    } else if (status == LITHE_CANNOT_GO_ON) {
        warn_of_jump(model, from, time, &jump);
        copy_state(state, whole);
        status = LITHE_OK;
    } else {
        copy_state(state, work->load);
        if (error)
            *error = why;
    }
    lithe_state_destroy(whole);
    return status;
}

LitheStatus lithe_load_step(const LitheModel *model, LitheState *state, double time,
                            LitheWork *work, LitheReport *report, LitheError *error) {
    double from = state->clock[0];
    copy_state(work->load, state);
    if (!lithe_work_keep_start(work, state))
        return lithe_fail_memory(error, "the state before the step");
    state->clock[0] = time;
    LitheError why = {
        0}; // parts may succeed where a search fails: a step that is made has no error
    LitheStatus status = lithe_equilibrium_find(model, state, work, report, &why);
    if (status == LITHE_OK) {
        lithe_note_slips(model, work, report);
        if (!lithe_book_changes(model, work->load, state))
            status = lithe_fail_memory(&why, "the work of a load step");
    }
    // a search that took too long would do so in parts, too
    if (status == LITHE_CANNOT_GO_ON && report->limit != LITHE_LIMIT_EFFORT) {
        *report = (LitheReport){.rejected = 1, .limit = LITHE_LIMIT_SOLVE};
        copy_state(state, work->load);
        state->clock[0] = from;
        status = go_in_parts(model, state, time, work, report, &why);
    }
    if (status != LITHE_OK && error)
        *error = why;
    report->step = model->time.step;
    if (status != LITHE_OK) {
        copy_state(state, work->load);
        return status;
    }
    judge(model, state, work, report);
    status = refine_jump(model, state, time, work, report, error);
    if (status == LITHE_OK)
        status = lithe_reach_check(model, state, &work->reach, &work->meter, error);
    if (status != LITHE_OK)
        copy_state(state, work->load);
    return status;
}
