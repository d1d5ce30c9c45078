// SPDX-License-Identifier: Apache-2.0
// advance/arc.c - one step along a path of equilibria by its arc length, through limit points
//
// The loads and targets of time t are the path's parameter. With g(q, t) the forces out of balance,
// contacts and constraints included, and K of (Q11), a step from an equilibrium is
//     (Q12)  predictor  K v = -dg/dt,  u = +-length v/|v|,  dt = +-length/|v|
//     (Q13)  corrector  K a = -g,  K b = -dg/dt,  d = -(p'M a)/(p'M b),  u += a + d b,  t += d
// p the predictor, in the norm |u|^2 = u'M u/mass, the root mean square of the displacement. The
// sign is that of the last step. t may decrease: the path then continues through a limit point,
// where a static step would snap through. Slips of contacts are measured from the start of the
// step, where they are those that friction ended with (Q21), and the forces of near-rigid
// constraints are unknowns (solve/path_ties.c).
//
// With `arc: auto` the length follows from the path (Riks): it grows while few iterations are
// needed and the path is nearly straight, and the loads change by at most the time step,
//     (Q18)  length <- length min(2, sqrt(6/iterations), 0.2/angle),  length <= step |v|
// with the angle between predictor and displacement. A step that turns by more than 0.5, or in
// which the loads change by more than two time steps, is halved. Numbers: docs/theory/statics.md.

#include "advance/arc.h"

#include "advance/load_step.h"
#include "advance/search.h"
#include "advance/step.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/unit.h"
#include "math/vecn.h"
#include "solve/contact_model.h"
#include "solve/coupled.h"
#include "solve/loops.h"
#include "solve/modes_world.h"
#include "solve/newton.h"
#include "solve/path_ties.h"

#include <math.h>
#include <string.h>

#define MAX_ITERATIONS 40
// relative forces out of balance at which a step has converged. With stiff couplings rounding may
// prevent this: when an iteration leaves more than the fraction STALLED of the forces before it, a
// value below contact.tolerance is accepted. Errors of near-rigid constraints relative to the size
// of the world
#define TOLERANCE 1e-9
#define STALLED 0.3
// difference of times for dg/dt, as a fraction of the time step
#define TIME_DIFFERENCE 1e-4
// halvings of a step that does not converge
#define MAX_CUTS 6
// (Q18)
#define GROWTH 2.0
#define FEW_ITERATIONS 6.0
#define SMALL_ANGLE 0.2
#define LARGE_ANGLE 0.5
#define MAX_AUTO_CUTS 20

typedef struct Arc {
    const LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheWorldStiffness world;
    LitheReport *report;
    double mass;
    LithePathTies ties;
    double size, scale;                       // of g and of the forces, for the relative residual
    int32_t negative;                         // number of negative pivots of K
    int32_t negative_before;                  // at the start of the step
    bool adapts;                              // arc: auto
    double factor;                            // of the length, for the next step
    double *g, *rate, *a, *b, *p, *u, *M, *w; // [v_count] symbols of (Q12), (Q13); rate: g at a
                                              // slightly later time, M: mass matrix times a vector,
                                              // w: displacement of an iteration
} Arc;

static void multiply(const Arc *arc, const double *x, double *y) {
    for (int32_t i = 0; i < arc->model->unit_count; i++) {
        int64_t at = arc->model->units[i].v_at;
        if (arc->work->units[i].dof_count > 0)
            lithe_unit_ops(arc->model, i)->mass(arc->model, i, arc->work, x + at, y + at);
    }
}

static LitheStepPlan plan_at(double time) {
    return (LitheStepPlan){.time = time, .h = 1, .a = 1, .inverse_a = 1, .c = 0, .still = true};
}

static double size_of(const Arc *arc, const double *g) {
    const LitheSystem *s = arc->work->system;
    double sum = 0;
    for (int64_t i = 0; i < arc->model->v_count; i++)
        sum += s->scale[i] * g[i] * s->scale[i] * g[i];
    return sqrt(sum);
}

// Forces out of balance at the present state, `g` with those of the errors of constraints; K is
// left in arc->world. First at a slightly later time (later 0), then that much earlier.
static LitheStatus balance(Arc *arc, double time, double later, double *g, LitheError *error) {
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
static bool solve(const Arc *arc, double *x) {
    for (int64_t i = 0; i < arc->model->v_count; i++)
        x[i] = arc->work->system->held[i] ? 0 : -x[i];
    lithe_block_solve(arc->work->system->factor, x);
    return isfinite(vn_dot(arc->model->v_count, x, x));
}

// moves all units by `x`
static bool move(const Arc *arc, const double *x, double time) {
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
static bool follow(Arc *arc, double time, double d) {
    LitheStepPlan plan = plan_at(time);
    LitheAssembly all = {arc->model, arc->state, arc->work->contacts, &plan, arc->work};
    return lithe_path_ties_follow(&arc->ties, &all, arc->state, arc->w, d, arc->work->system);
}

// g, K factored, a = -K\g, b = -K\(dg/dt)
static LitheStatus linearise(Arc *arc, double time, LitheError *error) {
    int64_t n = arc->model->v_count;
    double dt = TIME_DIFFERENCE * arc->model->time.step;
    LitheStatus status = balance(arc, time + dt, 0, arc->rate, error);
    if (status == LITHE_OK)
        status = balance(arc, time, dt, arc->g, error);
    if (status != LITHE_OK)
        return status;
    if (!lithe_world_factor(&arc->world, arc->work, 0, &arc->negative))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the stiffness is singular at t = %g s: is everything held?", time);
    for (int64_t i = 0; i < n; i++) {
        arc->b[i] = (arc->rate[i] - arc->g[i]) / dt;
        arc->a[i] = arc->g[i];
    }
    if (!solve(arc, arc->a) || !solve(arc, arc->b))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "a displacement is not finite at t = %g s on the path", time);
    return LITHE_OK;
}

// The state is an equilibrium: stores the forces of constraints, drives and holds in it, and fills
// the report.
static LitheStatus finish(Arc *arc, double residual, LitheError *error) {
    const LitheModel *model = arc->model;
    LitheWork *work = arc->work;
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
    work->passes = 1;
    lithe_report_sum(model, work, arc->report);
    lithe_contact_solver(model)->end(model, arc->state, &plan, work, arc->report);
    for (int32_t i = 0; i < model->unit_count; i++)
        if (!lithe_unit_ops(model, i)->end(model, i, work, arc->state))
            return lithe_fail(error, LITHE_CANNOT_GO_ON, "'%s' leaves its domain",
                              model->units[i].name);
    lithe_note_slips(model, work, arc->report);
    arc->report->pieces = 1;
    return LITHE_OK;
}

// (Q18): the factor of the next length; fails where the path turns too much in this step, or the
// loads change by much more than the time step. u - p is perpendicular to p, of the given length.
static LitheStatus judge_length(Arc *arc, double length, int iterations, LitheError *error) {
    double from = lithe_load_time(arc->work->start), to = lithe_load_time(arc->state);
    if (fabs(to - from) > GROWTH * arc->model->time.step)
        return lithe_fail(
            error, LITHE_CANNOT_GO_ON,
            "the equilibrium that the arc-length step of %g m from t = %g s finds is at "
            "t = %g s: it is not on the path",
            length, from, to);
    multiply(arc, arc->u, arc->M);
    double u = sqrt(fmax(vn_dot(arc->model->v_count, arc->M, arc->u), 0) / arc->mass);
    double angle = u > length ? acos(length / u) : 0;
    arc->factor = fmin(GROWTH, sqrt(FEW_ITERATIONS / iterations));
    if (angle > SMALL_ANGLE / GROWTH)
        arc->factor = fmin(arc->factor, SMALL_ANGLE / angle);
    if (angle > LARGE_ANGLE)
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the path turns by more than %g within %g m from t = %g s", LARGE_ANGLE,
                          length, from);
    return LITHE_OK;
}

// One step; LITHE_CANNOT_GO_ON: it did not converge. A length of 0 becomes that of a step in which
// the loads advance by the time step.
static LitheStatus try_step(Arc *arc, double *arc_length, const double *direction,
                            LitheError *error) {
    int64_t n = arc->model->v_count;
    arc->work->system->anchor_count = arc->work->system->limit_effort_count = 0;
    arc->work->system->dry_slip_count = 0;
    double time = lithe_load_time(arc->state);
    LitheStatus status = linearise(arc, time, error);
    if (status != LITHE_OK)
        return status;
    arc->negative_before = arc->negative;
    // (Q12)
    multiply(arc, arc->b, arc->M);
    double norm = sqrt(fmax(vn_dot(n, arc->M, arc->b), 0) / arc->mass);
    if (!(norm > 0))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the loads do not change at t = %g s: there is no path to follow", time);
    if (!(*arc_length > 0))
        *arc_length = norm * arc->model->time.step;
    if (arc->adapts)
        *arc_length = fmin(*arc_length, norm * arc->model->time.step);
    double along = vn_dot(n, arc->M, direction), length = *arc_length;
    double dt = (along < 0 ? -1 : 1) * length / norm;
    for (int64_t i = 0; i < n; i++)
        arc->p[i] = arc->u[i] = arc->w[i] = dt * arc->b[i];
    if (!follow(arc, time, dt))
        return lithe_fail_memory(error, "the forces of constraints");
    time += dt;
    // (Q13)
    double before = INFINITY;
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        if (lithe_meter_spend(&arc->work->meter, n))
            return lithe_given_up(arc->work->start, error);
        if (!move(arc, arc->w, time))
            return lithe_fail(error, LITHE_CANNOT_GO_ON, "a unit leaves its domain");
        lithe_set_load_time(arc->state, time);
        status = linearise(arc, time, error);
        if (status != LITHE_OK)
            return status;
        double size = arc->size;
        bool stalled = arc->work->system->coupling_count > 0 && size > STALLED * before &&
                       size <= arc->model->contact.tolerance * arc->scale;
        before = size;
        bool met = arc->ties.error <= TOLERANCE * lithe_search_size(arc->model, arc->state);
        if (met && (stalled || size <= TOLERANCE * arc->scale + arc->work->system->noise)) {
            if (arc->adapts)
                status = judge_length(arc, length, k + 1, error);
            if (status == LITHE_OK)
                status = finish(arc, arc->scale > 0 ? size / arc->scale : 0, error);
            if (status == LITHE_OK && !lithe_book_changes(arc->model, arc->work->start, arc->state))
                status = lithe_fail_memory(error, "the work of a step");
            arc->report->newton_iterations = k + 1;
            return status;
        }
        multiply(arc, arc->p, arc->M);
        double across = vn_dot(n, arc->M, arc->b);
        double d = across != 0 ? -vn_dot(n, arc->M, arc->a) / across : 0;
        for (int64_t i = 0; i < n; i++) {
            arc->w[i] = arc->a[i] + d * arc->b[i];
            arc->u[i] += arc->w[i];
        }
        if (!follow(arc, time, d))
            return lithe_fail_memory(error, "the forces of constraints");
        time += d;
        if (!(fabs(vn_dot(n, arc->M, arc->u)) < 1e12 * arc->mass * length * length))
            break;
    }
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "the arc-length step of %g m from t = %g s did not converge", length,
                      lithe_load_time(arc->work->start));
}

// one step of about `length`, halved where it does not converge
static LitheStatus go(Arc *arc, double *length, double *direction, LitheError *error) {
    const LitheModel *model = arc->model;
    LitheState *state = arc->state;
    LitheWork *work = arc->work;
    int64_t n = model->v_count;
    size_t bytes = (size_t)state->size * sizeof(double);
    double *block = lithe_alloc_array(work->context, 8 * n + 1, sizeof *block), part = *length;
    if (!block || !lithe_work_keep_start(work, state)) {
        lithe_free(work->context, block);
        return lithe_fail_memory(error, "the path");
    }
    double **vectors[] = {&arc->g, &arc->rate, &arc->a, &arc->b,
                          &arc->p, &arc->u,    &arc->M, &arc->w};
    for (int i = 0; i < 8; i++)
        *vectors[i] = block + i * n;
    for (int32_t i = 0; i < model->unit_count; i++)
        arc->mass += model->units[i].mass;
    LitheStatus status = LITHE_CANNOT_GO_ON;
    int cut = 0;
    int cuts = arc->adapts ? MAX_AUTO_CUTS : MAX_CUTS;
    for (; cut <= cuts && status == LITHE_CANNOT_GO_ON; cut++, part *= 0.5) {
        memcpy(state->data, work->start->data, bytes);
        status = try_step(arc, &part, direction, error);
        *length = cut == 0 ? part : *length;
        if (arc->adapts && status == LITHE_OK)
            *length = part * arc->factor;
        if (lithe_meter_given_up(&work->meter))
            status = lithe_given_up(work->start, error);
    }
    if (status == LITHE_OK) {
        memcpy(direction, arc->u, (size_t)n * sizeof *direction);
        arc->report->rejected = cut - 1;
        arc->report->load_time = lithe_load_time(state);
        arc->report->unstable = arc->negative;
        if (arc->negative != arc->negative_before)
            lithe_log(
                model->context, LITHE_LOG_INFO,
                "at the load time %.6g s the number of negative pivots changes from %d to %d: a "
                "limit point if the load turns there, else a bifurcation, whose other branch is "
                "not followed",
                lithe_load_time(state), (int)arc->negative_before, (int)arc->negative);
    } else {
        memcpy(state->data, work->start->data, bytes);
    }
    lithe_world_end(&arc->world, work);
    lithe_path_ties_release(&arc->ties, work->context);
    lithe_free(work->context, block);
    return status;
}

static LitheStatus check_contacts(const LitheModel *model, LitheError *error) {
    if (!lithe_contact_solver(model)->regularises && lithe_can_touch(model))
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "arc-length steps need contact.model convex, or contact.enabled false");
    return LITHE_OK;
}

LitheStatus lithe_arc_step(const LitheModel *model, LitheState *state, LitheWork *work,
                           double length, double *direction, LitheReport *report,
                           LitheError *error) {
    LitheReport own = {0};
    Arc arc = {.model = model, .state = state, .work = work, .report = report ? report : &own};
    if (!(length > 0) || !isfinite(length))
        return lithe_fail(error, LITHE_BAD_INPUT, "the arc length is %g m, must be > 0", length);
    LitheStatus status = check_contacts(model, error);
    bool began = lithe_meter_begin(&work->meter, 0);
    if (status == LITHE_OK)
        status = go(&arc, &length, direction, error);
    lithe_meter_end(&work->meter, began);
    return status;
}

LitheStatus lithe_path_step(const LitheModel *model, LitheState *state, LitheWork *work,
                            LitheReport *report, LitheError *error) {
    Arc arc = {.model = model,
               .state = state,
               .work = work,
               .report = report,
               .adapts = !(model->time.arc > 0)};
    double *path = state->path, *length = &path[LITHE_PATH_LENGTH];
    LitheState *first = NULL;
    LitheStatus status = check_contacts(model, error);
    // a path begins at an equilibrium
    if (status == LITHE_OK && *length == 0) {
        first = lithe_state_copy(state);
        status = first ? lithe_equilibrium(model, state, work, report, error)
                       : lithe_fail_memory(error, "the start of the path");
        *length = model->time.arc;
    }
    double wanted = *length;
    if (status == LITHE_OK)
        status = go(&arc, &wanted, path + LITHE_PATH_SIZE, error);
    if (status == LITHE_OK)
        *length = wanted;
    else if (first)
        lithe_state_set(state, lithe_state_data(first));
    lithe_state_destroy(first);
    report->step = model->time.step;
    return status;
}
