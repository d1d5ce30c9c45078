// SPDX-License-Identifier: Apache-2.0
// advance/reach.c - whether the constraints of a state can be met
//
// A near-rigid constraint that cannot be met pulls for ever, and supplies energy without limit. So
// a search by Levenberg and Marquardt looks for a configuration that meets all of them,
//
//     (V45)  minimise F(q) = sum over rows of W g(q)^2/2
//     (V46)  (J' W J + lambda D) d = -J' W g,   q <- q (+) d
//
// g are the errors of the rows of near-rigid constraints, J their Jacobian in the DoFs that are
// not held or prescribed, D the largest diagonal of J' W J so far. Limits of joints are rows, too,
// while they are exceeded. A minimum with F > 0 may be one of several: the search is repeated from
// disturbed configurations. docs/theory/contact.md.

#include "advance/reach.h"

#include "assemble/assemble.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/constraint.h"
#include "body/pose_drive.h"
#include "body/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A constraint is met to this fraction of its size, a rotation to this angle [rad].
#define MET 1e-4
// Error that raises doubt, as a fraction of the size of the constraint.
#define DOUBT 1e-3
// Energy supplied in a step that raises doubt, as a fraction of the kinetic energy at its end,
// where the error is DOUBT; where it is smaller, more energy, in proportion.
#define SUPPLIED 1e-3
// Where motion is prescribed, energy supplied in a step that raises doubt about the next ones.
#define STRAIGHTENS 2e-4
#define STEPS_AHEAD 4
// where the kinetic energy grows by this factor in the step
#define FASTER 1.1
// Where motion is prescribed an error raises doubt that grows to DOUBT, and to each power of this
// times that.
#define GROWS 10
// Weight of what must hold while one constraint yields: limits of joints, in the last search all
// other constraints, too. What is left of their errors is 1/STRICT of that of the constraint.
#define STRICT 1e6
// Max steps of a search. Where it does not end before, it does not decide.
#define MAX_STEPS 300
// Searches from disturbed configurations.
#define DISTURBED 8
// F that falls by less than this fraction of itself, this number of times in succession: a minimum.
#define SMALL_FALL 1e-8
#define SMALL_FALLS 4
// Lower bound of D, as a fraction of its largest entry.
#define LEAST_D 1e-8

typedef struct LitheReach {
    const LitheModel *model;
    LitheMeter *meter; // of the step, or NULL
    LitheWork *work;
    LitheState *now, *trial;
    int32_t alone;             // the constraint that yields; -1: all alike
    double *D, *d, *r, *p, *A; // [v_count] of (V46)
    double *block;             // all of these
    double least;              // entry of D
    double *g;                 // [row_capacity] errors of the rows, times the root of W
    double *along;             // [row_capacity] J of a direction, times the root of W
    int32_t row_capacity;
    LitheState *start, *first; // of the search; the first minimum
    bool lacks_memory;
} LitheReach, Search;

// --- rows ----------------------------------------------------------------------------------------

static bool is_relevant(const LitheModel *model, const LitheState *state, int32_t index) {
    const LitheConstraint *c = &model->constraints[index];
    bool keeps = c->places >= LITHE_KEEPS_OFFSET && c->places <= LITHE_KEEPS_PATH;
    return lithe_tie_binds(state, index) && keeps && !c->pulls && !(c->stiffness > 0);
}

// Errors of a coupling, times the root of their weight, which is returned; 0: it has no part.
static double errors_of(const Search *s, const LitheAssembly *all, const LitheCoupling *c,
                        double g[LITHE_COUPLED_ROWS]) {
    double weight = STRICT, size = 1, errors[3] = {0};
    memset(g, 0, LITHE_COUPLED_ROWS * sizeof *g);
    if (c->source == LITHE_SOURCE_CONSTRAINT) {
        if (lithe_constraint_violation(all, c, errors) == 0)
            return 0;
        weight = s->alone < 0 || s->alone == c->index ? 1 : STRICT;
        if (c->angular != lithe_no_rows) // as lengths
            lithe_constraint_error(s->model, all->state, c->index, &size);
    } else if (c->source == LITHE_SOURCE_LIMIT) {
        const LitheDofTerm *term = &s->work->system->dof_terms[c->index];
        errors[0] = fmin(term->gap, 0);
        if (term->of_velocity || errors[0] == 0)
            return 0;
    } else {
        return 0;
    }
    double root = sqrt(weight) * size;
    for (int32_t k = 0; k < c->term.rows && k < 3; k++)
        g[k] = root * errors[k];
    return root;
}

// Couplings at a state and their errors in s->g; returns F, infinite outside of a domain.
static double evaluate(Search *s, LitheState *state) {
    const LitheModel *model = s->model;
    LitheWork *work = s->work;
    LitheSystem *system = work->system;
    LitheStepPlan plan = {
        .time = lithe_load_time(state), .h = 1, .a = 1, .inverse_a = 1, .c = 1, .still = true};
    LitheAssembly all = {model, state, work->contacts, &plan, work};
    bool ok = lithe_system_begin(model, system);
    for (int32_t i = 0; ok && i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (!ops->begin(model, i, state, &plan, work))
            return INFINITY;
        if (ops->prepare)
            ops->prepare(model, i, work);
        memset(work->units[i].w, 0, (size_t)work->units[i].dof_count * sizeof(double));
    }
    ok = ok && lithe_rides_begin(&all, system) && lithe_assemble_constraints(&all, system) &&
         lithe_assemble_dofs(&all, system);
    int32_t rows = LITHE_COUPLED_ROWS * (ok ? system->coupling_count : 0),
            capacity = s->row_capacity;
    ok = ok && LITHE_RESERVE(work->context, s->g, s->row_capacity, rows) &&
         LITHE_RESERVE(work->context, s->along, capacity, rows);
    s->lacks_memory |= !ok;
    double sum = 0;
    for (int32_t i = 0; ok && i < system->coupling_count; i++) {
        double *g = s->g + (int64_t)LITHE_COUPLED_ROWS * i;
        LitheCoupling *c = &system->couplings[i];
        c->weight = errors_of(s, &all, c, g);
        for (int32_t k = 0; k < LITHE_COUPLED_ROWS; k++)
            sum += 0.5 * g[k] * g[k];
    }
    return ok ? sum : INFINITY;
}

typedef void BlockFn(const double *J, int32_t rows, int32_t size, double weight, double *x,
                     double *y);

// calls `visit` for each block of the couplings that have a part, with the DoFs of its node in x
// and the rows of its coupling in y
static void each_block(const Search *s, BlockFn *visit, double *x, double *y) {
    const LitheSystem *system = s->work->system;
    int32_t last = 0;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        for (int32_t k = 0; c->weight > 0 && k < c->node_count; k++) {
            last = lithe_system_unit(s->model, c->node[k], last);
            const LitheUnit *unit = &s->model->units[last];
            int32_t node = c->node[k] - unit->node_at;
            visit(system->jacobian + c->jacobian_at[k], c->term.rows,
                  lithe_unit_node_size(unit, node), c->weight,
                  x + unit->v_at + lithe_unit_dof(unit, node),
                  y ? y + (int64_t)LITHE_COUPLED_ROWS * i : NULL);
        }
    }
}

// y += J x
static void add_along(const double *J, int32_t rows, int32_t size, double weight, double *x,
                      double *y) {
    for (int32_t row = 0; row < rows; row++)
        for (int32_t d = 0; d < size; d++)
            y[row] += weight * J[size * row + d] * x[d];
}

// x += J' y
static void add_back(const double *J, int32_t rows, int32_t size, double weight, double *x,
                     double *y) {
    for (int32_t row = 0; row < rows; row++)
        for (int32_t d = 0; d < size; d++)
            x[d] += weight * J[size * row + d] * y[row];
}

// x += diagonal of J' W J
static void add_squares(const double *J, int32_t rows, int32_t size, double weight, double *x,
                        double *y) {
    (void)y;
    for (int32_t row = 0; row < rows; row++)
        for (int32_t d = 0; d < size; d++)
            x[d] += weight * weight * J[size * row + d] * J[size * row + d];
}

// --- the search ----------------------------------------------------------------------------------

static void raise_scales(Search *s) {
    int64_t n = s->model->v_count;
    double largest = 0;
    memset(s->A, 0, (size_t)n * sizeof *s->A);
    each_block(s, add_squares, s->A, NULL);
    for (int64_t k = 0; k < n; k++) {
        s->D[k] = fmax(s->D[k], s->A[k]);
        largest = fmax(largest, s->D[k]);
    }
    s->least = largest > 0 ? LEAST_D * largest : 1;
}

// D of (V46)
static double scale_of(const Search *s, int64_t k) {
    return fmax(s->D[k], s->least);
}

static double dot(int64_t n, const double *a, const double *b) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

// d of (V46) by conjugate gradients with D as preconditioner
static void solve(Search *s, double lambda) {
    int64_t n = s->model->v_count,
            rows = (int64_t)LITHE_COUPLED_ROWS * s->work->system->coupling_count;
    memset(s->d, 0, (size_t)n * sizeof *s->d);
    memset(s->r, 0, (size_t)n * sizeof *s->r);
    each_block(s, add_back, s->r, s->g);
    double old = 0, first = 0;
    for (int32_t k = 0; k < 2 * rows + 10 && k < 400; k++) {
        double now = 0;
        for (int64_t i = 0; i < n; i++) {
            s->r[i] = k == 0 ? -s->r[i] : s->r[i];
            now += s->r[i] * s->r[i] / scale_of(s, i);
        }
        first = k == 0 ? now : first;
        if (!(now > 1e-24 * first))
            return;
        for (int64_t i = 0; i < n; i++)
            s->p[i] = s->r[i] / scale_of(s, i) + (k == 0 ? 0 : now / old * s->p[i]);
        memset(s->along, 0, (size_t)rows * sizeof *s->along);
        memset(s->A, 0, (size_t)n * sizeof *s->A);
        each_block(s, add_along, s->p, s->along);
        each_block(s, add_back, s->A, s->along);
        for (int64_t i = 0; i < n; i++)
            s->A[i] += lambda * scale_of(s, i) * s->p[i];
        double step = now / dot(n, s->p, s->A);
        for (int64_t i = 0; i < n; i++) {
            s->d[i] += step * s->p[i];
            s->r[i] -= step * s->A[i];
        }
        old = now;
    }
}

static void copy(LitheState *to, const LitheState *from) {
    memcpy(to->data, from->data, (size_t)from->size * sizeof(double));
}

// to = from (+) d
static void move(const Search *s, const LitheState *from, const double *d, LitheState *to) {
    copy(to, from);
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        const LitheUnit *unit = &s->model->units[i];
        bool any = false;
        for (int64_t k = 0; k < unit->v_count && !any; k++)
            any = d[unit->v_at + k] != 0;
        if (any)
            lithe_unit_ops(s->model, i)->advance(s->model, i, from, d + unit->v_at, 1, to);
    }
    lithe_riders_place(s->model, to);
}

// error of a constraint relative to what counts as met; above 1: it is not met
static double miss_of(const LitheModel *model, const LitheState *state, int32_t index) {
    double size, error = lithe_constraint_error(model, state, index, &size);
    return fmax(error / (MET * size), lithe_constraint_turned(model, state, index) / MET);
}

// the constraint that misses most, and by how much; below 1: all are met
static double worst_of(const LitheModel *model, const LitheState *state, int32_t *worst) {
    double most = 0;
    for (int32_t i = 0; i < model->constraint_count; i++) {
        double miss = is_relevant(model, state, i) ? miss_of(model, state, i) : 0;
        *worst = miss > most ? i : *worst;
        most = fmax(most, miss);
    }
    return most;
}

typedef enum Outcome { IS_MET, IS_MINIMUM, IS_UNDECIDED } Outcome;

// Minimises F from s->now on, which ends at the minimum.
static Outcome minimise(Search *s) {
    double lambda = 1e-2, F = evaluate(s, s->now);
    int32_t falls = 0, worst = -1;
    for (int32_t k = 0; k < MAX_STEPS && F < INFINITY; k++) {
        if (lithe_meter_spend(s->meter, s->model->v_count))
            break;
        if (s->alone < 0 && worst_of(s->model, s->now, &worst) <= 1)
            return IS_MET;
        raise_scales(s);
        solve(s, lambda);
        move(s, s->now, s->d, s->trial);
        double after = evaluate(s, s->trial);
        if (after < F) {
            falls = F - after < SMALL_FALL * F ? falls + 1 : 0;
            F = after;
            copy(s->now, s->trial);
            lambda = fmax(lambda / 5, 1e-10);
        } else {
            if (lambda > 1e8)
                return IS_MINIMUM;
            lambda *= 8;
            evaluate(s, s->now);
        }
        if (falls >= SMALL_FALLS)
            return IS_MINIMUM;
    }
    return IS_UNDECIDED;
}

// Displaces all DoFs that (V46) can move, by up to `size`, in ways that differ by `number`.
static void disturb(Search *s, int32_t number, double size) {
    uint32_t seed = 2463534242u + 7919u * (uint32_t)number;
    double largest = 0;
    for (int64_t k = 0; k < s->model->v_count; k++)
        largest = fmax(largest, s->D[k]);
    evaluate(s, s->now);
    memset(s->p, 0, (size_t)s->model->v_count * sizeof *s->p);
    for (int64_t k = 0; k < s->model->v_count; k++) {
        seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
        double part = 2.0 * seed / UINT32_MAX - 1, scale = sqrt(fmax(s->D[k], 1e-4 * largest));
        s->p[k] = s->D[k] > LEAST_D * largest ? part * size / scale : 0;
    }
    move(s, s->now, s->p, s->trial);
    copy(s->now, s->trial);
}

// Moves what is held or prescribed to where it is at the load time.
static void follow(Search *s) {
    LitheStepPlan plan = {
        .time = lithe_load_time(s->now), .h = 1, .a = 1, .inverse_a = 1, .c = 1, .still = true};
    memset(s->d, 0, (size_t)s->model->v_count * sizeof *s->d);
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        const LitheUnitWork *work = &s->work->units[i];
        if (lithe_unit_ops(s->model, i)->begin(s->model, i, s->now, &plan, s->work))
            memcpy(s->d + s->model->units[i].v_at, work->w, (size_t)work->dof_count * sizeof *s->d);
    }
    move(s, s->now, s->d, s->trial);
    copy(s->now, s->trial);
}

// --- the outcome ---------------------------------------------------------------------------------

static LitheStatus fail_unmet(const LitheModel *model, const LitheState *state, int32_t index,
                              LitheError *error) {
    const LitheConstraint *c = &model->constraints[index];
    double now, required, size, miss = lithe_constraint_error(model, state, index, &size);
    double turned = lithe_constraint_turned(model, state, index);
    char what[200];
    if (lithe_constraint_length(model, state, index, &now, &required))
        snprintf(what, sizeof what,
                 "it requires a length of %.5g m, and the %s that can be reached is %.5g m",
                 required, now > required ? "least" : "greatest", now);
    else if (miss > MET * size)
        snprintf(what, sizeof what, "its places can come no nearer to each other than %.5g m",
                 miss);
    else
        snprintf(what, sizeof what, "its frames can turn no nearer to each other than %.5g rad",
                 turned);
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "constraint '%s' cannot be met at t = %g s: %s, given joints, holds, limits "
                      "and other constraints; change what it requires, free what stops it, or give "
                      "it a stiffness",
                      c->name, lithe_load_time(state), what);
}

// scratch of a search; NULL when out of memory
static Search *open(const LitheModel *model) {
    int64_t n = model->v_count;
    Search *s = lithe_alloc(model->context, sizeof *s);
    if (!s)
        return NULL;
    *s = (Search){.model = model,
                  .work = lithe_work_create(model, 1),
                  .now = lithe_state_create(model),
                  .trial = lithe_state_create(model),
                  .start = lithe_state_create(model),
                  .first = lithe_state_create(model),
                  .block = lithe_alloc_array(model->context, 5 * n + 1, sizeof *s->block)};
    if (!s->work || !s->now || !s->trial || !s->start || !s->first || !s->block) {
        lithe_reach_destroy(s);
        return NULL;
    }
    double **of[] = {&s->D, &s->d, &s->r, &s->p, &s->A};
    for (int64_t k = 0; k < 5; k++)
        *of[k] = s->block + k * n;
    return s;
}

void lithe_reach_destroy(LitheReach *s) {
    if (!s)
        return;
    LitheContext *context = s->model->context;
    lithe_work_destroy(s->work);
    lithe_state_destroy(s->now);
    lithe_state_destroy(s->trial);
    lithe_state_destroy(s->start);
    lithe_state_destroy(s->first);
    lithe_free(context, s->block);
    lithe_free(context, s->g);
    lithe_free(context, s->along);
    lithe_free(context, s);
}

// Searches from the state, then from disturbed ones. IS_MINIMUM: s->now is the first minimum.
static Outcome search(Search *s, const LitheState *state) {
    LitheState *first = s->first;
    int32_t worst = -1;
    Outcome outcome = minimise(s);
    copy(first, s->now);
    double size, error = 0;
    if (outcome == IS_MINIMUM && worst_of(s->model, first, &worst) > 1)
        error = fmax(lithe_constraint_error(s->model, first, worst, &size), 0.1 * size);
    for (int32_t k = 0; k < DISTURBED && outcome == IS_MINIMUM; k++) {
        static const double sizes[4] = {0.1, 0.3, 1, 3};
        copy(s->now, k % 2 ? state : first);
        disturb(s, k, sizes[k / 2] * error);
        outcome = minimise(s);
    }
    copy(s->now, first);
    return outcome;
}

// Whether the constraints can be met from s->now on, whose prescribed motion is that of its time.
static LitheStatus judge(Search *s, LitheMeter *meter, LitheError *error) {
    const LitheModel *model = s->model;
    int32_t worst = -1;
    s->meter = meter;
    s->alone = -1;
    s->lacks_memory = false;
    memset(s->block, 0, (size_t)(5 * model->v_count) * sizeof *s->block);
    copy(s->start, s->now);
    LitheStatus status = LITHE_OK;
    if (search(s, s->start) == IS_MINIMUM && worst_of(model, s->now, &worst) > 1) {
        s->alone = worst;
        minimise(s);
        status = fail_unmet(model, s->now, worst, error);
    }
    return s->lacks_memory ? lithe_fail_memory(error, "whether constraints can be met") : status;
}

LitheStatus lithe_reach_check(const LitheModel *model, const LitheState *state, LitheReach **kept,
                              LitheMeter *meter, LitheError *error) {
    int32_t worst = -1;
    if (worst_of(model, state, &worst) <= 1)
        return LITHE_OK;
    *kept = *kept ? *kept : open(model);
    if (!*kept)
        return lithe_fail_memory(error, "whether constraints can be met");
    copy((*kept)->now, state);
    return judge(*kept, meter, error);
}

LitheStatus lithe_reach_ahead(const LitheModel *model, const LitheState *state, double time,
                              double middle, LitheReach **kept, LitheMeter *meter,
                              LitheError *error) {
    *kept = *kept ? *kept : open(model);
    if (!*kept)
        return lithe_fail_memory(error, "whether constraints can be met");
    copy((*kept)->now, state);
    lithe_set_load_time((*kept)->now, time);
    lithe_constraints_begin(model, (*kept)->now, middle);
    follow(*kept);
    return judge(*kept, meter, error);
}

// A constraint that is far from what it requires, where a step failed: what is in its way may be
// the cause, such as a rigid contact.
static void name_farthest(const LitheModel *model, const LitheState *start, LitheError *error) {
    double size, miss = 0;
    int32_t far = -1;
    if (error->status == LITHE_CANNOT_GO_ON)
        miss = worst_of(model, start, &far);
    if (!(miss > DOUBT / MET) || far < 0)
        return;
    double apart = lithe_constraint_error(model, start, far, &size);
    double turned = lithe_constraint_turned(model, start, far);
    bool turns = !(apart > DOUBT * size);
    size_t at = strlen(error->text);
    snprintf(error->text + at, sizeof error->text - at,
             "; constraint '%s' is %.3g %s from what it requires then: does a contact, a limit or "
             "another constraint stop it?",
             model->constraints[far].name, turns ? turned : apart, turns ? "rad" : "m");
}

void lithe_reach_blame(const LitheModel *model, const LitheState *start, double time, double middle,
                       LitheReach **kept, LitheMeter *meter, LitheError *error) {
    LitheError found;
    if (model->constraint_count == 0 || !error)
        return;
    if (lithe_reach_ahead(model, start, time, middle, kept, meter, &found) == LITHE_CANNOT_GO_ON)
        *error = found;
    else if (!strstr(error->text, "cannot be met at"))
        name_farthest(model, start, error);
}

// --- doubt ---------------------------------------------------------------------------------------

static double kinetic_of(const LitheModel *model, const LitheState *state) {
    return lithe_energy(model, state).kinetic;
}

// how often an error has grown by the factor GROWS since it raised doubt; 0: it does not
static int level_of(double miss) {
    int level = 0;
    for (double most = DOUBT / MET; miss > most && level < 9; most *= GROWS)
        level++;
    return level;
}

int32_t lithe_reach_doubted(const LitheModel *model, const LitheState *before,
                            const LitheState *state) {
    double gave = before->took[LITHE_TOOK_CONSTRAINTS] - state->took[LITHE_TOOK_CONSTRAINTS];
    double off = 0; // of constraints that are near-rigid and have acted before
    bool first = before->clock[1] == 0, given = lithe_motion_is_prescribed(model);
    for (int32_t i = 0; i < model->constraint_count; i++) {
        bool begins = lithe_tie_binds(state, i) && (first || !lithe_tie_binds(before, i));
        if (!(begins || gave > 0 || given) || !is_relevant(model, state, i))
            continue;
        double miss = miss_of(model, state, i);
        bool grows = given && !begins && level_of(miss) > 0 &&
                     level_of(miss) > level_of(miss_of(model, before, i));
        if (grows || (begins && miss > DOUBT / MET))
            return 1;
        if (lithe_tie_of(state, i)->acts == LITHE_TIE_BINDS)
            off = fmax(off, miss);
    }
    double kinetic = gave > 0 && (given || off > 1) ? kinetic_of(model, state) : INFINITY;
    if (off > 1 && gave * off * MET > DOUBT * SUPPLIED * kinetic)
        return 1;
    bool straightens = given && gave > STRAIGHTENS * kinetic;
    return straightens && kinetic > FASTER * kinetic_of(model, before) ? STEPS_AHEAD : 0;
}
