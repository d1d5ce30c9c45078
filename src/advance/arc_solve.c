// SPDX-License-Identifier: Apache-2.0
// advance/arc_solve.c - the iteration of a step along a path of equilibria: (Q13), and (Q13) at
// given loads, d = 0

#include "advance/arc_parts.h"
#include "advance/load_step.h"
#include "advance/search.h"
#include "advance/step.h"
#include "base/status.h"
#include "math/vecn.h"
#include "solve/contact_model.h"
#include "solve/coupled.h"
#include "solve/loops.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

// Rounding may prevent LITHE_ARC_TOLERANCE with stiff couplings: when an iteration leaves more than
// the fraction STALLED of the forces before it, a value below contact.tolerance is accepted.
#define STALLED 0.3
// difference of times for dg/dt, as a fraction of the time step
#define TIME_DIFFERENCE 1e-4
enum { MAX_ITERATIONS = 40 };
// a solve that goes farther than this multiple of the step diverges
#define FAR 1e6

void lithe_arc_multiply(const LitheArc *arc, const double *x, double *y) {
    for (int32_t i = 0; i < arc->model->unit_count; i++) {
        int64_t at = arc->model->units[i].v_at;
        if (arc->work->units[i].dof_count > 0)
            lithe_unit_ops(arc->model, i)->mass(arc->model, i, arc->work, x + at, y + at);
    }
}

double lithe_arc_norm(LitheArc *arc, const double *x) {
    lithe_arc_multiply(arc, x, arc->M);
    return sqrt(fmax(vn_dot(arc->model->v_count, arc->M, x), 0) / arc->mass);
}

static LitheStepPlan plan_at(double time) {
    return (LitheStepPlan){.time = time, .h = 1, .a = 1, .inverse_a = 1, .c = 0, .still = true};
}

static double size_of(const LitheArc *arc, const double *g) {
    const LitheSystem *s = arc->work->system;
    double sum = 0;
    for (int64_t i = 0; i < arc->model->v_count; i++)
        sum += s->scale[i] * g[i] * s->scale[i] * g[i];
    return sqrt(sum);
}

// Forces out of balance at the present state, `g` with those of the errors of constraints; K is
// left in arc->world. First at a slightly later time (later 0), then that much earlier.
static LitheStatus balance(LitheArc *arc, double time, double later, double *g, LitheError *error) {
    LitheSystem *s = arc->work->system;
    double keep = lithe_load_time(arc->state);
    lithe_world_end(&arc->world, arc->work);
    lithe_set_load_time(arc->state, time);
    LitheStatus status = lithe_world_begin(arc->model, arc->state, arc->work,
                                           lithe_world_shift(arc->model), true, &arc->world, error);
    lithe_set_load_time(arc->state, keep);
    if (status != LITHE_OK)
        return status;
    double impulses;
    lithe_loop_gradient(s, s->r, &impulses);
    memcpy(g, s->gradient, (size_t)arc->model->v_count * sizeof *g);
    LitheStepPlan plan = plan_at(time);
    LitheAssembly all = {arc->model, arc->state, arc->work->contacts, &plan, arc->work};
    if (!lithe_path_ties_note(&arc->ties, s, later))
        return lithe_fail_memory(error, "the forces of constraints");
    if (later == 0)
        return LITHE_OK;
    if (lithe_path_ties_keep(&arc->ties, &all, s)) // (Q20)
        lithe_loop_gradient(s, s->r, &impulses);
    arc->size = size_of(arc, s->gradient);
    arc->scale = fmax(impulses, s->momentum);
    return LITHE_OK;
}

// x = -K\x
static bool solve(const LitheArc *arc, double *x) {
    for (int64_t i = 0; i < arc->model->v_count; i++)
        x[i] = arc->work->system->held[i] ? 0 : -x[i];
    lithe_block_solve(arc->work->system->factor, x);
    return isfinite(vn_dot(arc->model->v_count, x, x));
}

// moves all units by `x`
static bool move(const LitheArc *arc, const double *x, double time) {
    LitheStepPlan plan = plan_at(time);
    for (int32_t i = 0; i < arc->model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(arc->model, i);
        LitheUnitWork *unit = &arc->work->units[i];
        if (!ops->begin(arc->model, i, arc->state, &plan, arc->work))
            return false;
        for (int64_t k = 0; k < unit->dof_count; k++) {
            unit->w[k] = unit->held[k] ? unit->w[k] : x[arc->model->units[i].v_at + k];
            unit->r[k] = 0;
        }
        if (!ops->end(arc->model, i, arc->work, arc->state))
            return false;
    }
    lithe_riders_place(arc->model, arc->state);
    return lithe_dry_slips_add(arc->work);
}

// forces of constraints and limits after the displacement w, in which the time changes by `d`
static bool follow(LitheArc *arc, double time, double d) {
    LitheStepPlan plan = plan_at(time);
    LitheAssembly all = {arc->model, arc->state, arc->work->contacts, &plan, arc->work};
    return lithe_path_ties_follow(&arc->ties, &all, arc->state, arc->w, d, arc->work->system);
}

// Moves what is prescribed to where it is at another time, the rest not; false: nothing moves.
static bool move_held(LitheArc *arc, double time) {
    LitheStepPlan plan = plan_at(time);
    bool moves = false;
    for (int32_t i = 0; i < arc->model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(arc->model, i);
        LitheUnitWork *unit = &arc->work->units[i];
        bool own = false;
        if (!memchr(unit->held, 1, (size_t)unit->dof_count) ||
            !ops->begin(arc->model, i, arc->state, &plan, arc->work))
            continue;
        for (int64_t k = 0; k < unit->dof_count; k++) {
            unit->w[k] = unit->held[k] ? unit->w[k] : 0;
            unit->r[k] = 0;
            own |= unit->w[k] != 0;
        }
        moves |= own && ops->end(arc->model, i, arc->work, arc->state);
    }
    if (moves)
        lithe_riders_place(arc->model, arc->state);
    return moves;
}

// g at a slightly later time, when what is prescribed has moved on
static LitheStatus balance_later(LitheArc *arc, double time, LitheError *error) {
    size_t bytes = (size_t)arc->state->size * sizeof(double);
    memcpy(arc->aside->data, arc->state->data, bytes);
    bool moved = move_held(arc, time);
    LitheStatus status = balance(arc, time, 0, arc->rate, error);
    if (moved)
        memcpy(arc->state->data, arc->aside->data, bytes);
    return status;
}

// g, K factored, a = -K\g, b = -K\(dg/dt)
static LitheStatus linearise(LitheArc *arc, double time, LitheError *error) {
    int64_t n = arc->model->v_count;
    double dt = arc->difference;
    LitheStatus status = balance_later(arc, time + dt, error);
    if (status == LITHE_OK)
        status = balance(arc, time, dt, arc->g, error);
    if (status != LITHE_OK)
        return status;
    if (!lithe_world_factor(&arc->world, arc->work, 0, &arc->negative))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the stiffness is singular at t = %g s: is everything held?", time);
    for (int64_t i = 0; i < n; i++) {
        arc->b[i] = arc->rate[i] = (arc->rate[i] - arc->g[i]) / dt;
        arc->a[i] = arc->g[i];
    }
    if (!solve(arc, arc->a) || !solve(arc, arc->b))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "a displacement is not finite at t = %g s on the path", time);
    return LITHE_OK;
}

// dg/dt to later times, and where an event is that near, before it; on a path on which time falls,
// to earlier ones where an event is near
double lithe_arc_difference(const LitheArc *arc, double time) {
    double dt = TIME_DIFFERENCE * arc->model->time.step;
    LitheEvent near = lithe_event_next(arc->model, time, time + arc->sense * dt);
    if (near.found && fabs(near.before - time) > 1e-3 * dt)
        return 0.5 * (near.before - time);
    bool behind = arc->sense < 0 && lithe_event_next(arc->model, time + dt, time).found;
    return behind ? -dt : dt;
}

// whether a limit of a joint may act
static bool has_limits(const LitheArc *arc) {
    const LitheSystem *s = arc->work->system;
    for (int32_t i = 0; i < s->coupling_count; i++)
        if (s->couplings[i].source == LITHE_SOURCE_LIMIT)
            return true;
    return false;
}

LitheStatus lithe_arc_begin(LitheArc *arc, LitheError *error) {
    double time = lithe_load_time(arc->state);
    LitheSystem *system = arc->work->system;
    system->anchor_count = system->limit_effort_count = 0;
    system->dry_slip_count = 0;
    arc->difference = lithe_arc_difference(arc, time);
    LitheStatus status = linearise(arc, time, error);
    // the state does not keep the forces of limits: it is in balance with them alone
    bool limits = has_limits(arc) && arc->size > arc->model->contact.tolerance * arc->scale;
    if (status == LITHE_OK && limits) {
        memset(arc->p, 0, (size_t)arc->model->v_count * sizeof *arc->p);
        status = lithe_arc_iterate(arc, 0, true, error);
    }
    if (status == LITHE_OK)
        memcpy(arc->pull, arc->rate, (size_t)arc->model->v_count * sizeof *arc->pull);
    if (status == LITHE_OK && !lithe_arc_note_acting(arc))
        return lithe_fail_memory(error, "the contacts of a path");
    return status;
}

// whether the state is an equilibrium; `before`: forces out of balance of the last iteration
static bool is_balanced(LitheArc *arc, double before) {
    const LitheSystem *system = arc->work->system;
    bool stalled = system->coupling_count > 0 && arc->size > STALLED * before &&
                   arc->size <= arc->model->contact.tolerance * arc->scale;
    bool met = !arc->ties.loose &&
               arc->ties.error <= LITHE_ARC_TOLERANCE * lithe_search_size(arc->model, arc->state);
    return met && (stalled || arc->size <= LITHE_ARC_TOLERANCE * arc->scale + system->noise);
}

LitheStatus lithe_arc_advance(LitheArc *arc, double d, LitheError *error) {
    double time = lithe_load_time(arc->state);
    if (!follow(arc, time, d))
        return lithe_fail_memory(error, "the forces of constraints");
    if (lithe_meter_spend(&arc->work->meter, arc->model->v_count))
        return lithe_given_up(arc->work->start, error);
    if (!move(arc, arc->w, time + d))
        return lithe_fail(error, LITHE_CANNOT_GO_ON, "a unit leaves its domain");
    lithe_set_load_time(arc->state, time + d);
    return linearise(arc, time + d, error);
}

LitheStatus lithe_arc_iterate(LitheArc *arc, double d, bool fixed, LitheError *error) {
    int64_t n = arc->model->v_count;
    double before = INFINITY, length = lithe_arc_norm(arc, arc->p);
    double far = FAR * (length > 0 ? length : arc->room);
    memcpy(arc->u, arc->p, (size_t)n * sizeof *arc->u);
    memcpy(arc->w, arc->p, (size_t)n * sizeof *arc->w);
    for (int k = 0; k < MAX_ITERATIONS && lithe_arc_norm(arc, arc->u) < far; k++) {
        LitheStatus status = lithe_arc_advance(arc, d, error);
        arc->iterations = k + 1;
        if (status != LITHE_OK || is_balanced(arc, before))
            return status;
        before = arc->size;
        lithe_arc_multiply(arc, arc->p, arc->M);
        double across = vn_dot(n, arc->M, arc->b);
        d = !fixed && across != 0 ? -vn_dot(n, arc->M, arc->a) / across : 0;
        for (int64_t i = 0; i < n; i++) {
            arc->w[i] = arc->a[i] + d * arc->b[i];
            arc->u[i] += arc->w[i];
        }
    }
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "the arc-length step of %g m from t = %g s did not converge", length,
                      lithe_load_time(arc->work->start));
}

LitheStatus lithe_arc_finish(LitheArc *arc, LitheError *error) {
    const LitheModel *model = arc->model;
    LitheWork *work = arc->work;
    double residual = arc->scale > 0 ? arc->size / arc->scale : 0;
    LitheStepPlan plan = plan_at(lithe_load_time(arc->state));
    LitheAssembly all = {model, arc->state, work->contacts, &plan, work};
    lithe_coupled_hand_back(&all, work->system);
    // which constraints act was determined in the copy of the state, work->before
    memcpy(arc->state->constraints, work->before->constraints,
           (size_t)model->constraint_count * LITHE_TIE_SIZE * sizeof(double));
    for (int32_t i = 0; i < model->unit_count; i++) {
        work->units[i].converged = true;
        work->units[i].residual = residual;
    }
    work->system->converged = true;
    work->system->residual = residual;
    work->outcome.passes = 1;
    lithe_report_sum(model, work, arc->report);
    lithe_contact_solver(model)->end(model, arc->state, &plan, work, arc->report);
    for (int32_t i = 0; i < model->unit_count; i++)
        if (!lithe_unit_ops(model, i)->end(model, i, work, arc->state))
            return lithe_fail(error, LITHE_CANNOT_GO_ON, "'%s' leaves its domain",
                              model->units[i].name);
    lithe_note_slips(model, work, arc->report);
    arc->report->pieces = 1;
    arc->report->newton_iterations = arc->iterations;
    return LITHE_OK;
}
