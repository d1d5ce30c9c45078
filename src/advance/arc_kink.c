// SPDX-License-Identifier: Apache-2.0
// advance/arc_kink.c - kinks of a path of equilibria: where its tangent changes abruptly
//
// Two kinds. At an event of the loads (a corner of a table, a switch) the pieces of the path meet
// at a known time: a step ends there, at given loads, and the time goes on in the same direction.
// Elsewhere a coupling begins or ceases to act; the stiffness K1 before and K2 after differ by it.
// The tangents (v, 1) dt of both pieces are oriented by
//     (Q22)  sign(dt2) (-1)^n2 = sign(dt1) (-1)^n1,   n number of negative pivots of K
// and the first equilibrium of the new piece is found at given loads,
//     (Q23)  K a = -g,  u += a,  from  u = dt v1
// Numbers: docs/theory/statics.md.

#include "advance/arc_parts.h"

#include "advance/equilibrium.h"
#include "advance/load_step.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/constraint.h"
#include "data/thing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// fraction of the bound of dry friction of a joint, or of a drive, above which it is reached
#define BOUND 0.9
// part of the displacement of a step that the tangents at its ends may leave unexplained
#define NEAR 0.5
// what moves nothing by more than this fraction of the world, and changes the loads by less
// than this fraction of the time step, makes no way
#define NO_WAY 1e-6

// --- which couplings act -------------------------------------------------------------------------

// whether a coupling with a one-sided or bounded law acts, or is at its bound
static bool acts(const LitheCoupling *c) {
    double size = 0;
    for (int32_t k = 0; k < c->term.rows; k++)
        size = hypot(size, c->impulse[k]);
    switch (c->term.kind) {
    case LITHE_TERM_LIMIT:
        return c->impulse[0] > 0;
    case LITHE_TERM_HOLD:
    case LITHE_TERM_PULL:
        return false;
    case LITHE_TERM_DRIVE:
    case LITHE_TERM_DRY:
        return size > BOUND * c->term.max;
    default:
        return c->impulse[2] > 0;
    }
}

static uint64_t key_of_contact(uint64_t id) {
    return 64 * id + LITHE_SOURCE_CONTACT;
}

static uint64_t key_of(const LitheArc *arc, const LitheCoupling *c) {
    uint64_t id = (uint64_t)c->index;
    if (c->source == LITHE_SOURCE_CONTACT)
        return key_of_contact(arc->work->contacts->contacts[c->index].id);
    if (c->source != LITHE_SOURCE_CONSTRAINT) {
        const LitheDofTerm *term = &arc->work->system->dof_terms[c->index];
        id = ((uint64_t)term->unit << 32) | (uint64_t)term->dof;
    }
    return 8 * (8 * id + (uint64_t)c->side) + (uint64_t)c->source;
}

bool lithe_arc_note_acting(LitheArc *arc) {
    const LitheSystem *s = arc->work->system;
    LitheActing *now = &arc->acting;
    now->count = 0;
    if (!LITHE_RESERVE(arc->work->context, now->key, now->capacity, s->coupling_count + 1))
        return false;
    for (int32_t i = 0; i < s->coupling_count; i++)
        if (acts(&s->couplings[i]))
            now->key[now->count++] = key_of(arc, &s->couplings[i]);
    return true;
}

// what a coupling is, for a message
static const char *name_of(LitheArc *arc, const LitheCoupling *c) {
    const LitheModel *model = arc->model;
    char *text = arc->kink_text;
    size_t size = sizeof arc->kink_text;
    if (c->source == LITHE_SOURCE_CONSTRAINT) {
        snprintf(text, size, "constraint '%.60s'", model->constraints[c->index].name);
    } else if (c->source == LITHE_SOURCE_CONTACT) {
        const LitheContact *contact = &arc->work->contacts->contacts[c->index];
        snprintf(text, size, "the contact of '%.60s' and '%.60s'",
                 lithe_thing_name(model, contact->a.thing),
                 lithe_thing_name(model, contact->b.thing));
    } else {
        const LitheDofTerm *term = &arc->work->system->dof_terms[c->index];
        snprintf(text, size, "%s of a joint of '%.60s'",
                 c->source == LITHE_SOURCE_LIMIT ? "a limit"
                 : c->source == LITHE_SOURCE_DRY ? "the friction"
                                                 : "a drive",
                 model->units[term->unit].name);
    }
    return text;
}

void lithe_arc_compare_acting(LitheArc *arc) {
    const LitheSystem *s = arc->work->system;
    const LitheActing *then = &arc->acting;
    int32_t common = 0;
    arc->kink = NULL;
    for (int32_t i = 0; i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        int32_t k = 0;
        if (!acts(c))
            continue;
        while (k < then->count && then->key[k] != key_of(arc, c))
            k++;
        common += k < then->count;
        if (k == then->count && !arc->kink)
            arc->kink = name_of(arc, c);
    }
    if (!arc->kink && common < then->count)
        arc->kink = "a contact or constraint that ceases to act";
    if (!arc->kink && lithe_arc_loads_turn(arc))
        arc->kink = "loads that turn";
}

bool lithe_arc_loads_turn(const LitheArc *arc) {
    const double *scale = arc->work->system->scale;
    double sum = 0;
    for (int64_t i = 0; i < arc->model->v_count; i++)
        sum += scale[i] * arc->pull[i] * scale[i] * arc->rate[i];
    return sum < 0;
}

static bool has_potential(const LitheArc *arc) {
    bool potential = true;
    for (int32_t i = 0; i < arc->model->unit_count; i++)
        potential &= arc->work->units[i].has_potential || arc->work->units[i].dof_count == 0;
    return potential;
}

// (Q22): whether the orientation is that of the piece before; `same` direction of time
static bool is_oriented(const LitheArc *arc, bool same) {
    bool even = (arc->negative - arc->negative_before) % 2 == 0;
    return !has_potential(arc) ? same : even == same;
}

bool lithe_arc_keeps_sense(LitheArc *arc, double sense) {
    lithe_arc_multiply(arc, arc->b, arc->M);
    double along = 0;
    for (int64_t i = 0; i < arc->model->v_count; i++)
        along += arc->M[i] * arc->u[i];
    if (lithe_arc_loads_turn(arc)) {
        if (along < 0)
            lithe_arc_redirect(arc, sense);
        return true;
    }
    lithe_arc_compare_acting(arc);
    return !arc->kink || is_oriented(arc, along * sense > 0);
}

// --- steps at given loads ------------------------------------------------------------------------

// p = d b
static void predict(LitheArc *arc, double d) {
    for (int64_t i = 0; i < arc->model->v_count; i++)
        arc->p[i] = d * arc->b[i];
}

// Whether the displacement u is one along the tangent at the start while the loads change by `s d`,
// and then along that at the end up to `d`, 0 <= s <= 1: up to NEAR of its length.
static bool is_near(LitheArc *arc, double d, double end) {
    int64_t n = arc->model->v_count;
    double *rest = arc->w, *turn = arc->M, up = 0, down = 0;
    // u = end b2 + s (d b1 - d b2), in the norm of masses
    for (int64_t i = 0; i < n; i++)
        rest[i] = d * (arc->first[i] - arc->b[i]);
    lithe_arc_multiply(arc, rest, turn);
    for (int64_t i = 0; i < n; i++) {
        up += turn[i] * (arc->u[i] - end * arc->b[i]);
        down += turn[i] * rest[i];
    }
    double s = down > 0 ? fmin(fmax(up / down, 0), 1) : 0;
    for (int64_t i = 0; i < n; i++)
        rest[i] = arc->u[i] - end * arc->b[i] - s * rest[i];
    return lithe_arc_norm(arc, rest) <= NEAR * lithe_arc_norm(arc, arc->u) + NO_WAY * arc->room;
}

void lithe_arc_redirect(LitheArc *arc, double sense) {
    arc->sense = sense;
    arc->turned = true;
    for (int64_t i = 0; i < arc->model->v_count; i++)
        arc->direction[i] = sense * arc->b[i];
}

// u is the displacement since the start of the step
static void measure_way(LitheArc *arc) {
    for (int32_t i = 0; i < arc->model->unit_count; i++)
        if (arc->work->units[i].dof_count > 0)
            lithe_unit_ops(arc->model, i)
                ->difference(arc->model, i, arc->work->start, arc->state,
                             arc->u + arc->model->units[i].v_at);
}

// Contacts that closed in the step have slipped since then: not since they were found, which is
// beyond the kink.
static LitheStatus forget_slips(LitheArc *arc, LitheError *error) {
    LitheSystem *s = arc->work->system;
    int32_t kept = 0;
    for (int32_t i = 0; i < s->anchor_count; i++) {
        int32_t k = 0;
        while (k < arc->acting.count && arc->acting.key[k] != key_of_contact(s->anchors[i].id))
            k++;
        if (k < arc->acting.count)
            s->anchors[kept++] = s->anchors[i];
    }
    if (kept == s->anchor_count)
        return LITHE_OK;
    s->anchor_count = kept;
    memset(arc->p, 0, (size_t)arc->model->v_count * sizeof *arc->p);
    LitheStatus status = lithe_arc_iterate(arc, 0, true, error);
    measure_way(arc);
    return status;
}

LitheStatus lithe_arc_settle(LitheArc *arc, LitheError *error) {
    LitheReport own = {0};
    lithe_world_end(&arc->world, arc->work);
    LitheStatus status = lithe_equilibrium_find(arc->model, arc->state, arc->work, &own, error);
    arc->broken += own.constraints_broken;
    if (status == LITHE_OK)
        status = lithe_arc_begin(arc, error);
    if (status != LITHE_OK)
        return status;
    memset(arc->p, 0, (size_t)arc->model->v_count * sizeof *arc->p);
    status = lithe_arc_iterate(arc, 0, true, error);
    measure_way(arc);
    return status;
}

// across an event, after which the loads or constraints may be others
static LitheStatus cross(LitheArc *arc, double after, LitheError *error) {
    lithe_set_load_time(arc->state, after);
    lithe_constraints_begin(arc->model, arc->state, after);
    arc->difference = lithe_arc_difference(arc, after);
    memset(arc->p, 0, (size_t)arc->model->v_count * sizeof *arc->p);
    LitheStatus status = lithe_arc_iterate(arc, 0, true, error);
    if (status != LITHE_CANNOT_GO_ON)
        return status;
    lithe_set_load_time(arc->state, after);
    return lithe_arc_settle(arc, error);
}

static LitheStatus fail_far(const LitheArc *arc, LitheError *error) {
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "the equilibrium at t = %g s does not continue the path from t = %g s",
                      lithe_load_time(arc->state), lithe_load_time(arc->work->start));
}

LitheStatus lithe_arc_load(LitheArc *arc, double d, const LitheEvent *event, LitheError *error) {
    double sense = d < 0 ? -1 : 1;
    LitheStatus status = LITHE_OK;
    if (event)
        d = event->before - lithe_load_time(arc->state);
    if (d != 0) {
        predict(arc, d);
        arc->difference = event ? -fabs(arc->difference) * sense : arc->difference;
        status = lithe_arc_iterate(arc, d, true, error);
        if (status == LITHE_OK && !(is_near(arc, d, d) && (!event || is_oriented(arc, true))))
            status = fail_far(arc, error);
    }
    if (status == LITHE_OK && event)
        status = cross(arc, event->after, error);
    if (status == LITHE_OK)
        lithe_arc_redirect(arc, sense);
    return status;
}

// --- where a coupling begins or ceases to act ----------------------------------------------------

// the state at the start of the step, linearised
static LitheStatus restart(LitheArc *arc, LitheError *error) {
    memcpy(arc->state->data, arc->work->start->data, (size_t)arc->state->size * sizeof(double));
    return lithe_arc_begin(arc, error);
}

// onto the piece on which the loads change back: beyond the kink first, then at the loads d before
// the start
static LitheStatus turn_back(LitheArc *arc, double d, LitheError *error) {
    LitheStatus status = restart(arc, error);
    if (status != LITHE_OK)
        return status;
    predict(arc, d);
    memcpy(arc->w, arc->p, (size_t)arc->model->v_count * sizeof *arc->w);
    status = lithe_arc_advance(arc, d, error);
    if (status != LITHE_OK)
        return status;
    for (int64_t i = 0; i < arc->model->v_count; i++)
        arc->p[i] = arc->a[i] - 2 * d * arc->b[i];
    status = lithe_arc_iterate(arc, -2 * d, true, error);
    if (status == LITHE_OK)
        status = forget_slips(arc, error);
    measure_way(arc);
    if (status == LITHE_OK && !(is_near(arc, d, -d) && is_oriented(arc, false)))
        status = fail_far(arc, error);
    return status;
}

LitheStatus lithe_arc_turn(LitheArc *arc, double d, LitheError *error) {
    double sense = d < 0 ? -1 : 1;
    LitheStatus status = restart(arc, error);
    if (status != LITHE_OK)
        return status;
    predict(arc, d);
    status = lithe_arc_iterate(arc, d, true, error);
    if (status == LITHE_OK)
        status = forget_slips(arc, error);
    bool near = status == LITHE_OK && is_near(arc, d, d);
    if (near && is_oriented(arc, true)) {
        lithe_arc_redirect(arc, sense);
        return LITHE_OK;
    }
    if (status == LITHE_OK)
        status = fail_far(arc, error);
    if (status == LITHE_CANNOT_GO_ON && arc->kink)
        status = turn_back(arc, d, error);
    if (status == LITHE_OK)
        lithe_arc_redirect(arc, -sense);
    if (status != LITHE_CANNOT_GO_ON || arc->negative_before > 0 || !arc->kink)
        return status;
    // what descent finds, where the path was stable
    memcpy(arc->state->data, arc->work->start->data, (size_t)arc->state->size * sizeof(double));
    double before = lithe_load_time(arc->state);
    lithe_set_load_time(arc->state, before + d);
    status = lithe_arc_settle(arc, error);
    if (status == LITHE_OK && !(is_near(arc, d, d) && is_oriented(arc, true)))
        status = fail_far(arc, error);
    if (status == LITHE_OK)
        lithe_arc_redirect(arc, sense);
    return status;
}

bool lithe_arc_stands(LitheArc *arc) {
    double later = lithe_load_time(arc->state) - lithe_load_time(arc->work->start);
    return fabs(later) < NO_WAY * arc->model->time.step &&
           lithe_arc_norm(arc, arc->u) < NO_WAY * arc->room;
}
