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
// constraints are unknowns (solve/path_ties.c). A step ends at corners of load tables and at
// switches, goes round other kinks at given loads (advance/arc_kink.c), and ends where a constraint
// breaks (advance/arc_break.c).
//
// With `arc: auto` the length follows from the path (Riks): it grows while few iterations are
// needed and the path is nearly straight, and the loads change by at most the time step,
//     (Q18)  length <- length min(2, sqrt(6/iterations), 0.2/angle),  length <= step |v|
// with the angle between predictor and displacement. A step that turns by more than 0.5, or in
// which the loads change by more than two time steps, is halved. Numbers: docs/theory/statics.md.

#include "advance/arc.h"

#include "advance/arc_parts.h"
#include "advance/load_step.h"
#include "advance/search.h"
#include "advance/step.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "data/thing.h"
#include "math/vecn.h"
#include "solve/contact_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// halvings of a step that does not converge
enum { MAX_CUTS = 6, MAX_AUTO_CUTS = 20 };
// (Q18)
#define GROWTH 2.0
#define FEW_ITERATIONS 6.0
#define SMALL_ANGLE 0.2
#define LARGE_ANGLE 0.5
// share of a step below which the path is followed at given loads where it is not along its arc:
// friction that slides is missing in the symmetric stiffness, and with it in the tangent
#define LOADS_ALONE 0.125
// displacement at the start of a step that forces out of balance leave, over that of the step
#define LEFT_OVER 0.01

// --- one attempt ---------------------------------------------------------------------------------

// (Q18): the length of the next step; fails where the path turns too much in this step, or the
// loads change by much more than the time step. u - p is perpendicular to p, of the given length.
static LitheStatus judge_length(LitheArc *arc, double length, LitheError *error) {
    double from = lithe_load_time(arc->work->start), to = lithe_load_time(arc->state);
    if (fabs(to - from) > arc->most)
        return lithe_fail(
            error, LITHE_CANNOT_GO_ON,
            "the equilibrium that the arc-length step of %g m from t = %g s finds is at "
            "t = %g s: it is not on the path",
            length, from, to);
    if (!arc->adapts)
        return LITHE_OK;
    double u = lithe_arc_norm(arc, arc->u), angle = u > length ? acos(length / u) : 0;
    double factor = fmin(GROWTH, sqrt(FEW_ITERATIONS / arc->iterations));
    if (angle > SMALL_ANGLE / GROWTH)
        factor = fmin(factor, SMALL_ANGLE / angle);
    arc->next = length * factor;
    if (angle > LARGE_ANGLE)
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the path turns by more than %g within %g m from t = %g s", LARGE_ANGLE,
                          length, from);
    return LITHE_OK;
}

// along the arc: predictor (Q12) and corrector (Q13)
static LitheStatus go_along(LitheArc *arc, double length, LitheError *error) {
    double from = lithe_load_time(arc->state);
    for (int64_t i = 0; i < arc->model->v_count; i++)
        arc->p[i] = arc->way * arc->b[i];
    LitheStatus status = lithe_arc_iterate(arc, arc->way, false, error);
    if (status == LITHE_OK)
        status = judge_length(arc, length, error);
    double to = lithe_load_time(arc->state);
    if (status == LITHE_OK && lithe_event_next(arc->model, from, to).found)
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the loads have a corner between t = %g s and %g s", from, to);
    if (status == LITHE_OK && !lithe_arc_keeps_sense(arc, copysign(1, arc->way)))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the step of %g m from t = %g s goes back round a kink of the path",
                          length, from);
    return status;
}

// Length of this attempt: the share of that of the step, which is known after the first attempt.
static double length_of(LitheArc *arc) {
    double most = arc->speed * arc->model->time.step;
    if (!(arc->length > 0))
        arc->length = most;
    if (arc->adapts)
        arc->length = fmin(arc->length, most);
    arc->next = arc->length;
    return arc->share * arc->length;
}

// The step begins: friction starts with less than it ended with (Q21). Where what this moves is no
// small part of the step, the equilibrium under the present loads is found again.
static LitheStatus begin_in_balance(LitheArc *arc, LitheError *error) {
    LitheStatus status = lithe_arc_begin(arc, error);
    for (int k = 0; status == LITHE_OK && k < 2; k++) {
        double most =
            arc->share * (arc->speed = lithe_arc_norm(arc, arc->b)) * arc->model->time.step;
        if (arc->length > 0)
            most = fmin(most, arc->share * arc->length);
        if (k > 0 || !(lithe_arc_norm(arc, arc->a) > LEFT_OVER * most))
            break;
        memset(arc->p, 0, (size_t)arc->model->v_count * sizeof *arc->p);
        status = lithe_arc_iterate(arc, 0, true, error);
    }
    arc->speed = lithe_arc_norm(arc, arc->b); // M b is left in arc->M
    return status;
}

// One step from the present state; LITHE_CANNOT_GO_ON: it did not converge.
static LitheStatus try_step(LitheArc *arc, LitheError *error) {
    const LitheModel *model = arc->model;
    double time = lithe_load_time(arc->state), step = model->time.step, far = 1e3 * model->time.end;
    LitheStatus status = begin_in_balance(arc, error);
    if (status != LITHE_OK)
        return status;
    arc->negative_before = arc->negative;
    memcpy(arc->first, arc->b, (size_t)model->v_count * sizeof *arc->first);
    if (!(arc->speed > 0) && !lithe_event_next(model, time, time + arc->sense * far).found)
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the loads do not change at t = %g s: there is no path to follow", time);
    // where nothing moves the loads alone advance
    bool still = arc->still = arc->speed * step <= LITHE_ARC_TOLERANCE * arc->room;
    double along = vn_dot(model->v_count, arc->M, arc->direction);
    double length = still ? 0 : length_of(arc), sense = along < 0 ? -1 : 1;
    arc->way = still ? arc->sense * arc->share * step : sense * length / arc->speed;
    // a given length that the loads of the whole run do not bring about, where a limit carries them
    bool stiff = !arc->adapts && fabs(arc->way) > arc->most;
    arc->way = stiff ? sense * arc->share * step : arc->way;
    LitheEvent event = lithe_event_next(model, time, time + arc->way);
    if (still || stiff || event.found) {
        status = lithe_arc_load(arc, arc->way, event.found ? &event : NULL, error);
        double speed = lithe_arc_norm(arc, arc->b);
        if (status == LITHE_OK && arc->adapts && speed > 0)
            arc->next = speed * fabs(arc->way) / arc->share;
    } else {
        status = go_along(arc, length, error);
        arc->sense = status == LITHE_OK ? sense : arc->sense;
    }
    return status;
}

LitheStatus lithe_arc_attempt(LitheArc *arc, double share, LitheError *error) {
    double sense = arc->sense;
    memcpy(arc->state->data, arc->work->start->data, (size_t)arc->state->size * sizeof(double));
    arc->share = share;
    arc->way = 0;
    arc->turned = false;
    arc->broken = 0;
    LitheStatus status = try_step(arc, error);
    if (status == LITHE_CANNOT_GO_ON && arc->way != 0)
        lithe_arc_compare_acting(arc);
    if (status == LITHE_CANNOT_GO_ON && (arc->kink || share <= LOADS_ALONE) && arc->way != 0) {
        LitheError why = {0};
        status = lithe_arc_turn(arc, arc->way, &why);
        if (status == LITHE_OK && arc->adapts)
            arc->next = GROWTH * fabs(arc->way) * lithe_arc_norm(arc, arc->b);
        if (status != LITHE_OK && status != LITHE_CANNOT_GO_ON && error)
            *error = why;
    }
    if (status == LITHE_OK)
        status = lithe_arc_finish(arc, error);
    arc->sense = status == LITHE_OK ? arc->sense : sense;
    return status;
}

// --- the step ------------------------------------------------------------------------------------

static bool open_vectors(LitheArc *arc) {
    double **vectors[] = {&arc->g, &arc->rate, &arc->a,    &arc->b, &arc->p,
                          &arc->u, &arc->M,    &arc->pull, &arc->w, &arc->first};
    int64_t n = arc->model->v_count, count = (int64_t)(sizeof vectors / sizeof *vectors);
    double *block = lithe_alloc_array(arc->work->context, count * n + 1, sizeof *block);
    for (int64_t i = 0; block && i < count; i++)
        *vectors[i] = block + i * n;
    arc->aside = lithe_state_copy(arc->state);
    return block && arc->aside;
}

static void close_vectors(LitheArc *arc) {
    LitheContext *context = arc->work->context;
    lithe_world_end(&arc->world, arc->work);
    lithe_path_ties_release(&arc->ties, context);
    lithe_state_destroy(arc->aside);
    lithe_free(context, arc->acting.key);
    lithe_free(context, arc->g);
}

// the unit that moves most in the last displacement
static const LitheUnit *mover(LitheArc *arc) {
    const LitheModel *model = arc->model;
    int32_t most = 0;
    double best = -1;
    lithe_arc_multiply(arc, arc->u, arc->M);
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        double sum =
            vn_dot(arc->work->units[i].dof_count, arc->M + unit->v_at, arc->u + unit->v_at);
        most = sum > best ? i : most;
        best = fmax(sum, best);
    }
    return &model->units[most];
}

// why the path ends: `error` of the last attempt, and what changes there
static LitheStatus fail_stuck(LitheArc *arc, bool stands, LitheError *error) {
    if (!error)
        return LITHE_CANNOT_GO_ON;
    double time = lithe_load_time(arc->work->start);
    const LitheUnit *unit = mover(arc);
    if (stands)
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the path of %s '%.100s' stands still at t = %.9g s of the loads%s%s: %d "
                          "halvings of the step leave no way; `follow: loads` may go on",
                          lithe_thing_word(unit->thing.kind), unit->name, time,
                          arc->kink ? ", at a kink by " : "", arc->kink ? arc->kink : "",
                          (int)arc->report->rejected);
    size_t at = strlen(error->text);
    if (arc->kink && at < sizeof error->text)
        snprintf(error->text + at, sizeof error->text - at,
                 "; the path has a kink there, by %s, beyond which no equilibrium was found",
                 arc->kink);
    return LITHE_CANNOT_GO_ON;
}

static void note_step(LitheArc *arc) {
    LitheReport *report = arc->report;
    int64_t n = arc->model->v_count;
    if (!arc->turned)
        memcpy(arc->direction, arc->u, (size_t)n * sizeof *arc->direction);
    report->load_time = lithe_load_time(arc->state);
    report->unstable = arc->negative;
    report->constraints_broken = arc->broken;
    if (arc->negative != arc->negative_before)
        lithe_log(arc->model->context, LITHE_LOG_INFO,
                  "at the load time %.6g s the number of negative pivots changes from %d to %d: a "
                  "limit point if the load turns there, else a bifurcation, whose other branch is "
                  "not followed",
                  lithe_load_time(arc->state), (int)arc->negative_before, (int)arc->negative);
}

// one step of about arc->length, halved where it does not converge
static LitheStatus go(LitheArc *arc, LitheError *error) {
    LitheWork *work = arc->work;
    if (!open_vectors(arc) || !lithe_work_keep_start(work, arc->state)) {
        close_vectors(arc);
        return lithe_fail_memory(error, "the path");
    }
    for (int32_t i = 0; i < arc->model->unit_count; i++)
        arc->mass += arc->model->units[i].mass;
    arc->room = lithe_search_size(arc->model, arc->state);
    LitheStatus status = LITHE_CANNOT_GO_ON;
    int cut = 0, cuts = arc->adapts ? MAX_AUTO_CUTS : MAX_CUTS;
    double share = 1;
    for (; cut <= (arc->still ? MAX_CUTS : cuts) && share > 0 && status == LITHE_CANNOT_GO_ON;
         cut++, share *= 0.5) {
        status = lithe_arc_attempt(arc, share, error);
        if (status == LITHE_OK && (status = lithe_arc_break(arc, error)) != LITHE_OK)
            share = 0; // a shorter step ends before the break, and the next one there again
        if (lithe_meter_given_up(&work->meter))
            status = lithe_given_up(work->start, error);
    }
    arc->report->rejected = cut - 1;
    bool stands = status == LITHE_OK && cut > 1 && arc->broken == 0 && lithe_arc_stands(arc);
    if (stands || status == LITHE_CANNOT_GO_ON)
        status = fail_stuck(arc, stands, error);
    if (status == LITHE_OK && !lithe_book_changes(arc->model, work->start, arc->state))
        status = lithe_fail_memory(error, "the work of a step");
    if (status == LITHE_OK)
        note_step(arc);
    else
        memcpy(arc->state->data, work->start->data, (size_t)arc->state->size * sizeof(double));
    close_vectors(arc);
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
    LitheArc arc = {.model = model,
                    .state = state,
                    .work = work,
                    .report = report ? report : &own,
                    .sense = 1,
                    .length = length,
                    .most = INFINITY,
                    .direction = direction};
    if (!(length > 0) || !isfinite(length))
        return lithe_fail(error, LITHE_BAD_INPUT, "the arc length is %g m, must be > 0", length);
    LitheStatus status = check_contacts(model, error);
    bool began = lithe_meter_begin(&work->meter, 0);
    if (status == LITHE_OK)
        status = go(&arc, error);
    lithe_meter_end(&work->meter, began);
    return status;
}

LitheStatus lithe_path_step(const LitheModel *model, LitheState *state, LitheWork *work,
                            LitheReport *report, LitheError *error) {
    // the sign of the length is the sense in which the time of the loads went
    double *path = state->path, *length = &path[LITHE_PATH_LENGTH], given = model->time.arc,
           step = model->time.step;
    LitheArc arc = {.model = model,
                    .state = state,
                    .work = work,
                    .report = report,
                    .sense = *length < 0 ? -1 : 1,
                    .length = *length == 0 ? given : fabs(*length),
                    .adapts = !(given > 0),
                    .most = given > 0 ? fmax(model->time.end, step) : GROWTH * step,
                    .direction = path + LITHE_PATH_SIZE};
    LitheState *first = NULL;
    LitheStatus status = check_contacts(model, error);
    // a path begins at an equilibrium
    if (status == LITHE_OK && *length == 0) {
        first = lithe_state_copy(state);
        status = first ? lithe_equilibrium(model, state, work, report, error)
                       : lithe_fail_memory(error, "the start of the path");
    }
    if (status == LITHE_OK)
        status = go(&arc, error);
    if (status == LITHE_OK)
        *length = arc.sense * arc.next;
    else if (first)
        lithe_state_set(state, lithe_state_data(first));
    lithe_state_destroy(first);
    report->step = model->time.step;
    return status;
}
