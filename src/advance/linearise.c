// SPDX-License-Identifier: Apache-2.0
// advance/linearise.c - the derivative of one step by the state and by the targets of actuators
//
// Steps from neighbouring states, both sides, solved far below the tolerance of the scene. A step
// is smooth only while its contacts keep their modes, so neighbours with other modes are brought
// nearer, or one side alone is taken.

#include "lithe/control.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/unit.h"
#include "lithe/contact.h"

#include <math.h>
#include <string.h>

// how far a step from a neighbour ends from that of the state, in metres and radians
#define NEAR 1e-5
// distances that are tried where modes of contacts change
#define CLOSER 4
// of the solves; the tolerances of the scene where they are smaller
#define SHARP_UNIT 1e-12
#define SHARP_CONTACT 1e-11
#define LOOSEST 1e4
// contacts solved to this are converged, whatever the scene wants
#define ENOUGH 1e-9

typedef struct Linear {
    LitheModel model; // with small tolerances
    LitheWork *work;
    LitheState *start, *end; // of the step that is linearised
    LitheState *near;
    int64_t n, states, inputs; // n velocities, 2n states
    uint64_t modes;            // of the contacts in that step
    double *ends[2];           // [states] from `end` to the end of a neighbour's step
    LitheError *error;
} Linear;

// Which contacts have a force, which of them slide, how many joints are at a limit, and whether the
// step was cut.
static uint64_t modes_of(const LitheWork *work, const LitheReport *report) {
    int32_t counts[] = {report->joints_at_limit, report->pieces};
    uint64_t hash = lithe_hash(0, counts, sizeof counts);
    for (int32_t i = 0; i < lithe_work_contact_count(work); i++) {
        LitheContactForce c = lithe_work_contact(work, i);
        if (!(c.normal > 0))
            continue;
        Vec3 along = v3_sub(c.force, v3_scale(v3_dot(c.force, c.contact.normal), c.contact.normal));
        // not by its id, which the turn of a round shape can change
        int32_t mode[] = {(int32_t)c.contact.a.thing.kind,
                          c.contact.a.thing.number,
                          c.contact.a.part,
                          (int32_t)c.contact.b.thing.kind,
                          c.contact.b.thing.number,
                          c.contact.b.part,
                          v3_norm(along) > (1 - 1e-6) * c.contact.friction * c.normal};
        hash += lithe_hash(1, mode, sizeof mode);
    }
    return hash;
}

// a step of `state`, and the modes of its contacts
static LitheStatus step(Linear *l, LitheState *state, LitheReport *report, uint64_t *modes) {
    LitheStatus status = lithe_step(&l->model, state, l->work, report, l->error);
    if (status == LITHE_OK)
        *modes = modes_of(l->work, report);
    return status;
}

// The start moved by `by` along a column: positions, velocities, then inputs.
static LitheStatus move(Linear *l, int64_t column, double by) {
    memcpy(l->near->data, l->start->data, (size_t)l->start->size * sizeof(double));
    if (column >= l->states) {
        LitheActuatorId id = {(int32_t)(column - l->states) + 1};
        LitheCommand target = lithe_actuator_command(&l->model, l->start, id);
        target.value += by;
        return lithe_state_set_actuator(&l->model, l->near, id, target, l->error);
    }
    if (column >= l->n) {
        l->near->v[column - l->n] += by;
        return LITHE_OK;
    }
    for (int32_t i = 0; i < l->model.unit_count; i++) {
        const LitheUnit *unit = &l->model.units[i];
        if (column < unit->v_at || column >= unit->v_at + unit->v_count)
            continue;
        double *direction = l->ends[0] + unit->v_at; // free until the step has been made
        memset(direction, 0, (size_t)unit->v_count * sizeof(double));
        direction[column - unit->v_at] = 1;
        lithe_unit_ops(&l->model, i)->advance(&l->model, i, l->start, direction, by, l->near);
    }
    return LITHE_OK;
}

// The end of a neighbour's step, from the end of the step.
static LitheStatus reach(Linear *l, int64_t column, double by, double *to, uint64_t *modes) {
    LitheReport report;
    LitheStatus status = move(l, column, by);
    if (status == LITHE_OK)
        status = step(l, l->near, &report, modes);
    if (status != LITHE_OK)
        return status;
    for (int32_t i = 0; i < l->model.unit_count; i++)
        lithe_unit_ops(&l->model, i)
            ->difference(&l->model, i, l->end, l->near, to + l->model.units[i].v_at);
    for (int64_t i = 0; i < l->n; i++)
        to[l->n + i] = l->near->v[i] - l->end->v[i];
    return LITHE_OK;
}

// A length of the step along an input whose effect is about NEAR.
static LitheStatus fit(Linear *l, int64_t column, double *by) {
    uint64_t modes;
    double most = 0, h = l->model.time.step;
    LitheStatus status = reach(l, column, *by, l->ends[1], &modes);
    for (int64_t i = 0; i < l->n; i++)
        most = fmax(most, fmax(fabs(l->ends[1][i]), h * fabs(l->ends[1][l->n + i])));
    if (most > 0)
        *by *= fmin(1e4, fmax(1e-4, NEAR / most));
    return status;
}

// One column; `changed` counts those in which modes change however near the neighbours are.
static LitheStatus differentiate(Linear *l, int64_t column, double *to, int32_t *changed) {
    double by = NEAR, h = l->model.time.step;
    LitheStatus status = LITHE_OK;
    if (column >= l->n)
        by = NEAR / h;
    if (column >= l->states) {
        by = 1e-3;
        status = fit(l, column, &by);
    }
    bool same[2] = {false, false};
    for (int closer = 0; closer < CLOSER && status == LITHE_OK && !(same[0] && same[1]); closer++) {
        by *= closer == 0 ? 1 : 0.1;
        for (int side = 1; side >= 0 && status == LITHE_OK; side--) {
            uint64_t modes = 0;
            status = reach(l, column, side == 0 ? by : -by, l->ends[side], &modes);
            same[side] = modes == l->modes;
        }
    }
    if (status != LITHE_OK)
        return status;
    bool both = same[0] == same[1];
    *changed += !(same[0] && same[1]);
    for (int64_t i = 0; i < l->states; i++) {
        double up = l->ends[0][i], down = l->ends[1][i];
        to[i] = both ? (up - down) / (2 * by) : same[0] ? up / by : -down / by;
    }
    return LITHE_OK;
}

static LitheStatus check(const LitheModel *model, LitheError *error) {
    LitheScheme scheme = model->time.scheme;
    if (scheme != LITHE_SCHEME_BACKWARD_EULER && scheme != LITHE_SCHEME_LINEARLY_IMPLICIT)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "only steps of backward-euler and linearly-implicit are linearised: set "
                          "time.scheme to one of them");
    if (model->time.min_step > 0)
        return lithe_fail(error, LITHE_NOT_SUPPORTED, "adaptive steps cannot be linearised");
    return LITHE_OK;
}

// the step itself; targets of actuators go on at their present rates
static LitheStatus begin(Linear *l, const LitheModel *model, const LitheState *state) {
    LitheReport report;
    LitheStatus status = LITHE_OK;
    l->start = lithe_state_copy(state);
    l->near = lithe_state_copy(state);
    l->end = lithe_state_copy(state);
    l->ends[0] = lithe_alloc_array(state->context, 2 * l->states, sizeof(double));
    if (!l->start || !l->near || !l->end || !l->ends[0])
        return lithe_fail_memory(l->error, "a linearised step");
    l->ends[1] = l->ends[0] + l->states;
    for (int32_t i = 1; i <= l->inputs && status == LITHE_OK; i++) {
        LitheActuatorId id = {i};
        status = lithe_state_set_actuator(&l->model, l->start, id,
                                          lithe_actuator_command(&l->model, state, id), l->error);
    }
    if (status != LITHE_OK)
        return status;
    // a step that fails below its tolerance is cut
    for (double by = 1; by <= LOOSEST; by *= 100) {
        l->model.time.tolerance = fmin(by * SHARP_UNIT, model->time.tolerance);
        l->model.contact.tolerance = fmin(by * SHARP_CONTACT, model->contact.tolerance);
        memcpy(l->end->data, l->start->data, (size_t)state->size * sizeof(double));
        status = step(l, l->end, &report, &l->modes);
        if (status == LITHE_OK && report.pieces == 1)
            break;
    }
    if (status != LITHE_OK)
        return status;
    if (report.residual > model->time.tolerance ||
        report.solve_residual > fmax(ENOUGH, model->contact.tolerance))
        return lithe_fail(
            l->error, LITHE_CANNOT_GO_ON,
            "the step at t = %g s did not converge and cannot be linearised: residual "
            "%.3g, of contacts %.3g",
            state->clock[0], report.residual, report.solve_residual);
    if (report.pieces > 1)
        return lithe_fail(l->error, LITHE_CANNOT_GO_ON,
                          "the step at t = %g s was cut into %d pieces and cannot be linearised",
                          state->clock[0], report.pieces);
    return status;
}

LitheStatus lithe_linearise(const LitheModel *model, const LitheState *state, LitheWork *work,
                            double *a, double *b, int32_t *changed, LitheError *error) {
    *changed = 0;
    LitheStatus status = check(model, error);
    if (status != LITHE_OK)
        return status;
    Linear l = {.model = *model, .work = work, .n = model->v_count, .error = error};
    l.states = 2 * l.n;
    l.inputs = b != NULL ? lithe_actuator_count(model) : 0;
    double *column = lithe_alloc_array(state->context, l.states, sizeof(double));
    status = column ? begin(&l, model, state) : lithe_fail_memory(error, "a linearised step");
    int64_t width = l.states;
    for (int64_t k = 0; k < l.states + l.inputs && status == LITHE_OK; k++) {
        status = differentiate(&l, k, column, changed);
        double *to = k < width ? a + k : b + (k - width);
        for (int64_t i = 0; i < l.states; i++)
            to[i * (k < width ? width : l.inputs)] = column[i];
    }
    lithe_free(state->context, column);
    lithe_free(state->context, l.ends[0]);
    lithe_state_destroy(l.start);
    lithe_state_destroy(l.near);
    lithe_state_destroy(l.end);
    return status;
}
