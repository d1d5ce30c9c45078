// SPDX-License-Identifier: Apache-2.0
// body/rod_step.c - one implicit step of a rod
//
//     (R1)  r(w) = c M (w - v0) + h [grad E(q) + D w - f - f_gyro],   q = base + a h w
//     (R2)  A = c M + a h^2 K(q) + h D,   D = alpha M + beta K_GN(q0) + drag
// base is q0; in a stage of TR-BDF2 it is q0 - h v with q0, v the predicted end of the stage.
//     (R3)  potential = c/2 |w - v0|_M^2 + E(q)/a + h/2 w'D w - h f'w,  whose gradient is r

#include "body/rod.h"
#include "body/rod_fast.h"
#include "body/rod_sums.h"
#include "data/state.h"
#include "sparse/rod_factor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const LitheRod *rod_of(const LitheModel *model, int32_t unit) {
    return &model->rods[model->units[unit].index];
}

// --- begin ---------------------------------------------------------------------------------------

static bool drags(const LitheRod *rod) {
    return rod->drag_normal > 0 || rod->drag_tangent > 0;
}

// tangent of an edge at the start of the step
static Vec3 tangent_of(const LitheRod *rod, const LitheRodWork *work, int32_t edge) {
    const int32_t *ends = rod->ends[edge];
    return v3_unit(v3_sub(v3_load(work->q0 + 4 * ends[1]), v3_load(work->q0 + 4 * ends[0])));
}

// viscous matrix of each node: length [c_n I + (c_t - c_n) t t^T], t at the start of the step
static void make_drag(const LitheRod *rod, LitheRodWork *work) {
    for (int32_t i = 0; i < rod->node_count; i++) {
        int32_t before = i > 0 ? i - 1 : rod->closed ? rod->edge_count - 1 : 0;
        int32_t edge = i < rod->edge_count ? i : rod->edge_count - 1;
        Vec3 t = v3_unit(v3_add(tangent_of(rod, work, before), tangent_of(rod, work, edge)));
        double cn = work->voronoi[i] * rod->drag_normal;
        double ct = work->voronoi[i] * rod->drag_tangent - cn;
        double *d = work->drag + 6 * i;
        d[0] = cn + ct * t.x * t.x;
        d[1] = ct * t.x * t.y;
        d[2] = ct * t.x * t.z;
        d[3] = cn + ct * t.y * t.y;
        d[4] = ct * t.y * t.z;
        d[5] = cn + ct * t.z * t.z;
    }
}

// Damping matrix beta K at work->q, only its positive semidefinite part, which damps strain rates
// but not the rotation of a stressed rod.
static void make_damping(const LitheRod *rod, LitheRodWork *work) {
    double *panel = work->matrix.panel;
    work->is_damped = false;
    work->matrix.panel = work->damping_panel;
    if (isnan(lithe_rod_fast_gauss_newton(rod, work, rod->damping_stiffness))) {
        size_t size = LITHE_ROD_PANEL * (size_t)rod->node_count;
        memset(work->damping_panel, 0, size * sizeof(double));
        lithe_rod_elastic(rod, work, rod->damping_stiffness, LITHE_HESSIAN_GAUSS_NEWTON, false);
    }
    work->matrix.panel = panel;
}

// The midpoint rule evaluates forces in the middle of the step: frames are anchored there too,
// first at a guess, then at the solution. Targets of clamps depend on the frames.
static bool move_anchor(const LitheModel *model, const LitheRod *rod, LitheRodWork *work,
                        double *w) {
    int64_t dofs = 4 * (int64_t)rod->node_count;
    for (int64_t i = 0; i < dofs; i++)
        work->q[i] = work->base[i] + work->plan.a * work->plan.h * w[i];
    if (!lithe_rod_anchor_at(rod, work))
        return false;
    lithe_rod_loads(model, rod, work);
    for (int64_t i = 0; i < dofs; i++)
        w[i] = rod->held[i] ? work->target[i] : w[i];
    return true;
}

// First guess of a unit at rest whose held DoFs move: the motion is interpolated between them, so
// that no single edge takes all of it. A closed rod stays where it is.
static void spread_motion(const LitheRod *rod, double *w) {
    for (int c = 0; c < 4 && !rod->closed; c++) {
        int32_t count = c == 3 ? rod->edge_count : rod->node_count, last = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!rod->held[4 * i + c])
                continue;
            double here = w[4 * i + c], there = last < 0 ? here : w[4 * last + c];
            for (int32_t k = last + 1; k < i; k++)
                w[4 * k + c] = there + (here - there) * ((double)(k - last) / (i - last));
            last = i;
        }
        for (int32_t k = last + 1; last >= 0 && k < count; k++)
            w[4 * k + c] = w[4 * last + c];
    }
}

static void begin_stage(const LitheRod *rod, LitheRodWork *work) {
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        work->stage_base[i] = work->q0[i] - work->plan.h * work->v0[i];
    work->base = work->stage_base;
    work->v0 = work->plan.velocity + rod->dof_at;
}

// the momenta of driven DoFs change at a constant rate from the start of the step on
static void drive_momenta(const LitheRod *rod, LitheRodWork *work, const LitheState *before) {
    double *v = work->plan.velocity + rod->dof_at;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        if (rod->held[i])
            v[i] =
                work->target[i] - work->plan.part * (work->target[i] - before->v[rod->dof_at + i]);
}

bool lithe_rod_step_begin(const LitheModel *model, int32_t unit, const LitheState *state,
                          const LitheStepPlan *plan, LitheWork *all) {
    const LitheRod *rod = rod_of(model, unit);
    LitheRodWork *work = lithe_rod_work(all, unit);
    const double *v = state->v + rod->dof_at;
    work->plan = *plan;
    work->bad_node = -1;
    lithe_rod_anchor(rod, state, work);
    if (plan->velocity)
        begin_stage(rod, work);
    double time = plan->still ? plan->time : plan->time + plan->a * plan->h;
    if (!work->natural_made && !lithe_rod_natural(rod, time, work))
        return false;
    work->natural_made = rod->natural_drive_count == 0;
    if (drags(rod) && !plan->still)
        make_drag(rod, work);
    lithe_rod_fast_begin(rod, work);
    bool damped = work->damping_panel && !plan->still;
    if (damped && !lithe_has_middle(plan)) {
        memcpy(work->q, work->q0, 4 * (size_t)rod->node_count * sizeof(double));
        make_damping(rod, work);
    }
    lithe_rod_gyro(rod, work, work->q0, plan->still ? NULL : v);

    // first guess: the present velocity
    double *w = all->units[unit].w;
    lithe_rod_loads(model, rod, work);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        w[i] = rod->held[i] ? work->target[i] : plan->still ? 0 : v[i];
    if (plan->velocity)
        drive_momenta(rod, work, all->before);
    if (plan->still)
        spread_motion(rod, w);
    if (lithe_has_middle(plan)) {
        bool moved = move_anchor(model, rod, work, w);
        lithe_rod_fast_begin(rod, work);
        if (damped && !moved)
            memcpy(work->q, work->q0, 4 * (size_t)rod->node_count * sizeof(double));
        // at the guess of the middle: the mean velocity of a rotation is along its chord, and at
        // the start of the step it would be a strain rate
        if (damped)
            make_damping(rod, work);
    }
    return true;
}

// --- residual and matrix -------------------------------------------------------------------------

// h drag w, and its potential
static double add_drag(const LitheRod *rod, LitheRodWork *work, const double *w, double *r) {
    double h = work->plan.h, potential = 0;
    for (int32_t i = 0; i < rod->node_count; i++) {
        const double *d = work->drag + 6 * i, *x = w + 4 * i;
        double y[3] = {d[0] * x[0] + d[1] * x[1] + d[2] * x[2],
                       d[1] * x[0] + d[3] * x[1] + d[4] * x[2],
                       d[2] * x[0] + d[4] * x[1] + d[5] * x[2]};
        for (int c = 0; c < 3; c++) {
            r[4 * i + c] += h * y[c];
            potential += 0.5 * h * y[c] * x[c];
        }
    }
    return potential;
}

// the losses of a step need the product of its last evaluation again
const double *lithe_rod_damped(const LitheRod *rod, LitheRodWork *work, const double *w) {
    size_t dofs = 4 * (size_t)rod->node_count, bytes = dofs * sizeof(double);
    double *product = work->damped + dofs;
    if (work->is_damped && memcmp(work->damped, w, bytes) == 0)
        return product;
    LitheRodMatrix damping = {rod->node_count, rod->closed, work->damping_panel};
    lithe_rod_multiply(&damping, w, product);
    memcpy(work->damped, w, bytes);
    work->is_damped = true;
    return product;
}

static double add_damping(const LitheRod *rod, LitheRodWork *work, const double *w, double *r) {
    double h = work->plan.h, potential = 0;
    const double *damped = lithe_rod_damped(rod, work, w);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++) {
        r[i] += h * damped[i];
        potential += 0.5 * h * damped[i] * w[i];
    }
    return potential;
}

// contributions of damping and drag to (R2)
static void add_viscous_matrix(const LitheRod *rod, LitheRodWork *work) {
    double h = work->plan.h, *panel = work->matrix.panel;
    if (work->damping_panel)
        lithe_rod_add(&work->matrix, h, work->damping_panel);
    for (int32_t i = 0; drags(rod) && i < rod->node_count; i++) {
        double *p = panel + LITHE_ROD_PANEL * (int64_t)i;
        const double *d = work->drag + 6 * i;
        const double full[3][3] = {{d[0], d[1], d[2]}, {d[1], d[3], d[4]}, {d[2], d[4], d[5]}};
        for (int c = 0; c < 3; c++)
            for (int row = 0; row < 3; row++)
                p[12 * c + row] += h * full[row][c];
    }
}

// sets the matrix to weight M; lithe_rod_elastic adds to it
static void start_matrix(const LitheRod *rod, double weight, LitheRodMatrix *matrix) {
    memset(matrix->panel, 0, LITHE_ROD_PANEL * (size_t)rod->node_count * sizeof(double));
    for (int32_t i = 0; i < rod->node_count; i++)
        for (int c = 0; c < 4; c++)
            matrix->panel[LITHE_ROD_PANEL * (int64_t)i + 13 * c] = weight * rod->mass[4 * i + c];
}

// Copies the diagonal of the matrix to work->diagonal. The fast kernel writes both; after other
// terms were added to the matrix, work->diagonal must be updated.
static void copy_diagonal(const LitheRod *rod, LitheRodWork *work) {
    for (int64_t i = 0; i < rod->node_count; i++)
        for (int c = 0; c < 4; c++)
            work->diagonal[4 * i + c] = work->matrix.panel[LITHE_ROD_PANEL * i + 13 * c];
}

// energy, gradient and, if requested, weight M + scale K: by the fast kernel where possible
static double elastic_part(const LitheRod *rod, LitheRodWork *work, bool want_matrix,
                           bool project) {
    const LitheStepPlan *plan = &work->plan;
    double scale = plan->a * plan->h * plan->h;
    double weight = plan->c + (plan->still ? 0 : plan->h * rod->damping_mass);
    if (!project) {
        double energy = want_matrix ? lithe_rod_fast(rod, work, scale, weight)
                                    : lithe_rod_fast_gradient(rod, work);
        if (!isnan(energy))
            return energy;
    }
    if (!want_matrix)
        return lithe_rod_elastic(rod, work, 0, LITHE_HESSIAN_NONE, false);
    start_matrix(rod, weight, &work->matrix);
    double energy = lithe_rod_elastic(rod, work, scale, LITHE_HESSIAN_FULL, project);
    copy_diagonal(rod, work);
    return energy;
}

double lithe_rod_step_evaluate(const LitheModel *model, int32_t unit, LitheWork *all,
                               const double *w, bool want_matrix, bool project, double *r) {
    const LitheRod *rod = rod_of(model, unit);
    LitheRodWork *work = lithe_rod_work(all, unit);
    const LitheStepPlan *plan = &work->plan;
    int64_t dofs = 4 * (int64_t)rod->node_count;
    for (int64_t i = 0; i < dofs; i++)
        work->q[i] = work->base[i] + plan->a * plan->h * w[i];

    // elasticity first: it checks the domain
    double elastic = work->elastic = elastic_part(rod, work, want_matrix, project);
    if (!(elastic < INFINITY))
        return elastic;
    if (want_matrix && !plan->still)
        add_viscous_matrix(rod, work);
    double potential = elastic * plan->inverse_a + lithe_rod_sums()->inertia(rod, work, w, r);
    if (!plan->still && drags(rod))
        potential += add_drag(rod, work, w, r);
    if (!plan->still && work->damping_panel)
        potential += add_damping(rod, work, w, r);
    potential += lithe_rod_drives(model, rod, work, w, r, want_matrix);
    if (want_matrix && (project || rod->drive_count > 0 || drags(rod) || work->damping_panel))
        copy_diagonal(rod, work);
    return potential;
}

// Residuals are compared with the momentum at the start, the impulse of the dead forces and the
// impulse of the elastic forces. Rounding of positions causes an error of force_scale in an elastic
// force.
LitheMeasure lithe_rod_step_measure(const LitheModel *model, int32_t unit, const LitheWork *all,
                                    const double *r) {
    const LitheRod *rod = rod_of(model, unit);
    const LitheRodWork *work = lithe_rod_work(all, unit);
    const LitheStepPlan *plan = &work->plan;
    LitheRodSquares sums = lithe_rod_sums()->squares(rod, work, r);
    double scale = plan->h * sqrt(fmax(sums.load, sums.elastic));
    if (!plan->still)
        scale = fmax(scale, plan->c * sqrt(sums.momentum));
    return (LitheMeasure){sqrt(sums.residual), scale,
                          plan->h * work->force_scale * sqrt(sums.noise), 0};
}

void lithe_rod_step_explain(const LitheModel *model, int32_t unit, const LitheWork *all, char *text,
                            size_t size) {
    const LitheRodWork *work = lithe_rod_work(all, unit);
    const LitheUnit *own = &model->units[unit];
    // only inputs of the step are checked: numbers that follow from them do not explain the cause
    const struct {
        const char *what;
        const double *x;
        int width;
    } given[] = {{"the force on", all->before->pushes + 3 * own->point_at, 3},
                 {"the velocity of", all->before->v + own->v_at, 4},
                 {"the position of", all->before->q + own->q_at, 4}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        for (int64_t k = 0; k < given[i].width * (int64_t)own->node_count; k++)
            if (!isfinite(given[i].x[k])) {
                snprintf(text, size, "rod '%s': %s node %d is %g", own->name, given[i].what,
                         (int)(k / given[i].width), given[i].x[k]);
                return;
            }
    if (work->bad_node >= 0)
        snprintf(text, size,
                 "rod '%s' folds back on itself, turns too far in one step or has an edge of "
                 "length zero at node %d",
                 model->units[unit].name, work->bad_node);
    else
        snprintf(text, size, "rod '%s' has a number that is not finite", model->units[unit].name);
}

// --- linear solve --------------------------------------------------------------------------------

void lithe_rod_lock(const LitheRod *rod, LitheRodMatrix *matrix) {
    int32_t n = rod->node_count;
    for (int32_t i = 0; i < n; i++) {
        for (int c = 0; c < 4; c++) {
            if (!rod->held[4 * i + c])
                continue;
            double *own = matrix->panel + LITHE_ROD_PANEL * (int64_t)i;
            for (int row = 0; row < 12; row++)
                own[12 * c + row] = 0;
            for (int column = 0; column < 4; column++)
                own[12 * column + c] = 0;
            own[13 * c] = 1;
            for (int32_t back = 1; back <= 2; back++) {
                int32_t j = i - back;
                if (j < 0 && !rod->closed)
                    continue;
                double *other = matrix->panel + LITHE_ROD_PANEL * (int64_t)((j + n) % n);
                for (int column = 0; column < 4; column++)
                    other[12 * column + 4 * back + c] = 0;
            }
        }
    }
}

bool lithe_rod_step_factor(const LitheModel *model, int32_t unit, LitheWork *all) {
    LitheRodWork *work = lithe_rod_work(all, unit);
    LitheRodPivots pivots;
    lithe_rod_lock(rod_of(model, unit), &work->matrix);
    lithe_rod_factor(&work->matrix, LITHE_PIVOT_POSITIVE, work->factor, &pivots);
    return pivots.first_bad < 0;
}

void lithe_rod_step_solve(const LitheModel *model, int32_t unit, LitheWork *all, double *x) {
    const LitheRod *rod = rod_of(model, unit);
    lithe_rod_solve(rod->node_count, rod->closed, lithe_rod_work(all, unit)->factor, x);
}

// --- end -----------------------------------------------------------------------------------------

// makes the frames at work->q the new reference: transports directors, continues reference twist
static void move_frames(const LitheRod *rod, LitheRodWork *work, LitheState *state) {
    for (int32_t i = 0; i < rod->edge_count; i++) {
        const int32_t *ends = rod->ends[i];
        lithe_rod_edge(v3_load(work->q + 4 * ends[0]), v3_load(work->q + 4 * ends[1]),
                       work->q[4 * i + 3], v3_load(work->t0 + 3 * i), v3_load(work->d1 + 3 * i),
                       &work->edges[i]);
    }
    for (int32_t k = 0; k < rod->corner_count; k++) {
        const LitheRodCorner *c = &rod->corners[k];
        state->own[rod->tau_at + c->node] = lithe_rod_tau_ref(work, c->node, c->before, c->after);
    }
    for (int32_t i = 0; i < rod->edge_count; i++) {
        // (F1) keeps a director perpendicular up to rounding; remove the accumulated error
        Vec3 t = work->edges[i].t, d = work->edges[i].d1;
        v3_store(v3_unit(v3_axpy(-v3_dot(d, t), t, d)), state->own + rod->d1_at + 3 * (int64_t)i);
    }
}

// Midpoint rule: updates anchor and gyroscopic forces at the solution. Backward Euler uses those of
// the start of the step, which is enough for first order. A stage has its anchor at its predicted
// end, which is accurate enough; its gyroscopic forces need the velocity at the end of the stage.
bool lithe_rod_step_refine(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheRod *rod = rod_of(model, unit);
    LitheRodWork *work = lithe_rod_work(all, unit);
    if (work->plan.velocity && work->turns) {
        lithe_rod_gyro(rod, work, work->q, all->units[unit].w);
        return true;
    }
    if (!lithe_has_middle(&work->plan))
        return false;
    move_anchor(model, rod, work, all->units[unit].w);
    lithe_rod_gyro(rod, work, work->q, all->units[unit].w);
    lithe_rod_fast_begin(rod, work);
    return true;
}

// Part of a stage over which rates are differences: profiles have corners at the ends of steps,
// which a difference must not cross.
#define SOON (1.0 / 1024)

// Work of a natural state that changes: the change of energy at the configuration work->q. A static
// step has none.
static double natural_work(const LitheRod *rod, LitheRodWork *work, double from, double to) {
    if (rod->natural_drive_count == 0 || work->plan.still)
        return 0;
    double energy[2];
    for (int k = 0; k < 2; k++) {
        if (!lithe_rod_natural(rod, k ? to : from, work))
            return 0;
        energy[k] = lithe_rod_elastic(rod, work, 0, LITHE_HESSIAN_NONE, false);
    }
    return energy[1] - energy[0];
}

bool lithe_rod_step_end(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state) {
    const LitheRod *rod = rod_of(model, unit);
    LitheRodWork *work = lithe_rod_work(all, unit);
    const LitheStepPlan *plan = &work->plan;
    const double *w = all->units[unit].w, *r = all->units[unit].r;
    bool evaluated = true;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++) {
        double q = work->base[i] + plan->a * plan->h * w[i];
        evaluated &= work->q[i] == q;
        work->q[i] = q;
    }
    if (model->time.scheme == LITHE_SCHEME_TR_BDF2 && !evaluated)
        work->elastic = elastic_part(rod, work, false, false);
    lithe_rod_store_results(model, rod, work, w, r, all, state, unit);
    // in a stage: the rate at its end, where forces are evaluated, from before it
    double finish = plan->time + plan->h, part = plan->velocity ? SOON : 1;
    double start = plan->velocity ? finish - part * plan->h : plan->time;
    // Backward Euler: at the start. Its end minimises inertia and energy at the new natural state,
    // so that the energy rises by no more than this.
    if (rod->natural_drive_count > 0 && !plan->velocity && plan->a == 1)
        memcpy(work->q, work->base, 4 * (size_t)rod->node_count * sizeof(double));
    state->sums[2 * (int64_t)unit + 1] += natural_work(rod, work, start, finish) / part;
    if (plan->stage == 2)
        state->sums[2 * (int64_t)unit + 1] +=
            lithe_rod_held_energy(rod, w) -
            lithe_rod_held_energy(rod, all->before->v + rod->dof_at);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        work->q[i] = work->base[i] + plan->h * w[i];
    // after the first stage lithe_rod_shift moves the frames, to the predicted end of the second
    if (plan->stage != 1)
        move_frames(rod, work, state);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++) {
        double v0 = state->v[rod->dof_at + i];
        // v from w = a v + (1 - a) v0. In an explicit step, and for a held DoF, v = w.
        bool as_found = rod->held[i] || plan->a == 0;
        double v = plan->still ? 0 : as_found ? w[i] : (w[i] - (1 - plan->a) * v0) / plan->a;
        state->v[rod->dof_at + i] = v;
        state->q[rod->dof_at + i] = work->q[i];
    }
    return true;
}

// --- stages --------------------------------------------------------------------------------------

void lithe_rod_shift(const LitheModel *model, int32_t unit, const double *by, LitheWork *all,
                     LitheState *state) {
    const LitheRod *rod = rod_of(model, unit);
    LitheRodWork *work = lithe_rod_work(all, unit);
    double *q = state->q + rod->dof_at;
    // the frames are transported from the anchor that `accelerate` or the first stage has set
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        work->q[i] = q[i] + by[i];
    move_frames(rod, work, state);
    memcpy(q, work->q, 4 * (size_t)rod->node_count * sizeof(double));
}

bool lithe_rod_accelerate(const LitheModel *model, int32_t unit, const LitheState *state,
                          const LitheStepPlan *plan, const double *force, LitheWork *all, double *a,
                          double *damping, double *power) {
    const LitheRod *rod = rod_of(model, unit);
    LitheRodWork *work = lithe_rod_work(all, unit);
    double *r = all->units[unit].r;
    if (!lithe_rod_step_begin(model, unit, state, plan, all) ||
        !(lithe_rod_step_evaluate(model, unit, all, work->v0, false, false, r) < INFINITY))
        return false;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        a[i] = rod->held[i] || !(rod->mass[i] > 0) ? 0 : (force[i] - r[i] / plan->h) / rod->mass[i];
    if (damping) {
        memset(damping, 0, 4 * (size_t)rod->node_count * sizeof *damping);
        lithe_rod_add_damping(rod, work, work->v0, damping);
    }
    *power = lithe_rod_power(model, rod, work, work->v0, r);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        *power -= rod->held[i] ? force[i] * work->v0[i] : 0;
    double soon = SOON * plan->h;
    *power += natural_work(rod, work, plan->time, plan->time + soon) / soon;
    return true;
}

void lithe_rod_energies(const LitheModel *model, int32_t unit, const LitheState *state,
                        LitheWork *all, LitheUnitTotals *sum) {
    lithe_rod_totals(model, rod_of(model, unit), state, LITHE_TOTALS_ENERGY, sum);
    sum->elastic += lithe_rod_work(all, unit)->elastic;
}

static LithePoints points_of(const LitheRod *rod, const LitheState *state) {
    return (LithePoints){.count = rod->node_count,
                         .stride = 4,
                         .mass = rod->mass,
                         .mass_stride = 4,
                         .q = state->q + rod->dof_at,
                         .v = state->v + rod->dof_at,
                         .held = rod->held};
}

double lithe_rod_calm(const LitheModel *model, int32_t unit, LitheWork *all, double factor,
                      LitheState *state) {
    LithePoints points = points_of(rod_of(model, unit), state);
    (void)all;
    return lithe_calm_points(&points, factor);
}

double lithe_rod_drift(const LitheModel *model, int32_t unit, const LitheState *state,
                       LitheWork *all, double *v) {
    LithePoints points = points_of(rod_of(model, unit), state);
    (void)all;
    return lithe_drift_points(&points, v);
}

void lithe_rod_unmass(const LitheModel *model, int32_t unit, const LitheWork *all, double *x) {
    const LitheRod *rod = rod_of(model, unit);
    (void)all;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        x[i] = rod->held[i] || !(rod->mass[i] > 0) ? 0 : x[i] / rod->mass[i];
}

// --- an explicit step ----------------------------------------------------------------------------

// Symplectic Euler: with w = v0 the residual is -h k(q0, v0), so v = v0 - r/M. Held DoFs are set to
// their targets; the impulse that this requires is their reaction.
bool lithe_rod_step_explicit(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheRod *rod = rod_of(model, unit);
    LitheRodWork *work = lithe_rod_work(all, unit);
    LitheUnitWork *solve = &all->units[unit];
    double potential = lithe_rod_step_evaluate(model, unit, all, work->v0, false, false, solve->r);
    if (!(potential < INFINITY))
        return false;
    for (int64_t i = 0; i < solve->dof_count; i++) {
        double v0 = work->v0[i], m = rod->mass[i];
        solve->w[i] = rod->held[i] ? work->target[i] : v0 - solve->r[i] / m;
        solve->r[i] += m * (solve->w[i] - v0);
    }
    return true;
}
