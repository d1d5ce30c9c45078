// SPDX-License-Identifier: Apache-2.0
// advance/load_step.c - one step of a load path, and whether its equilibrium is stable
//
// The search (advance/equilibrium.c) descends; from an unstable equilibrium without any
// disturbance it does not move. The number of negative pivots of the stiffness (Q11) shows it. The
// count has a work of its own, so that the contacts of the step can still be read. Numbers:
// docs/theory/statics.md.

#include "advance/load_step.h"

#include "advance/equilibrium.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/system.h"
#include "data/thing.h"
#include "solve/modes_world.h"

#include <math.h>
#include <string.h>

// DoFs of units that touch or are tied above which the count would take longer than the search
#define MAX_TOUCHED 20000
// shift of the stiffness, as a fraction of the square of the slowest frequency: rounding of motions
// that cost no energy is below it, as is growth that nobody would see
#define SHIFT 1e-4

// --- stability -----------------------------------------------------------------------------------

static int64_t touched_dofs(const LitheModel *model, const LitheWork *work) {
    int64_t sum = 0;
    for (int32_t i = 0; i < model->unit_count; i++)
        sum += work->units[i].coupled ? work->units[i].dof_count : 0;
    return sum;
}

// efforts of joint limits belong to the search
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

// number of negative pivots at an equilibrium; -1: too expensive, or the count failed
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
    return status == LITHE_OK ? count : -1;
}

// what is said about an equilibrium that was found
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
    copy_state(work->start, state);
    LitheStatus status = lithe_equilibrium_find(model, state, work, report, error);
    if (status == LITHE_OK)
        judge(model, state, work, report);
    else
        copy_state(state, work->start);
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
    return lithe_equilibrium(model, state, work, report, error);
}

LitheStatus lithe_load_step(const LitheModel *model, LitheState *state, double time,
                            LitheWork *work, LitheReport *report, LitheError *error) {
    copy_state(work->start, state);
    state->clock[0] = time;
    LitheStatus status = lithe_equilibrium_find(model, state, work, report, error);
    report->step = model->time.step;
    if (status == LITHE_OK)
        judge(model, state, work, report);
    else
        copy_state(state, work->start);
    return status;
}
