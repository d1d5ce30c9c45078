// SPDX-License-Identifier: Apache-2.0
// body/rod.c - the rod's row in the table of body operations: one implicit step
//
//     (R1)  r(w) = c M (w - v0) + h [grad E(q) + D w - f - f_gyro],   q = q0 + a h w
//     (R2)  A = c M + a h^2 K(q) + h D,   D = alpha M + beta K_GN(q0) + drag
//     (R3)  potential = c/2 |w - v0|_M^2 + E(q)/a + h/2 w'D w - h f'w,  whose gradient is r

#include "body/rod.h"

#include "base/assert.h"
#include "base/memory.h"
#include "body/body.h"
#include "body/rod_fast.h"
#include "body/rod_sums.h"

#include <stdio.h>
#include <string.h>

// --- scratch -------------------------------------------------------------------------------------

typedef struct ArraySize {
    double **array;
    int64_t count; // doubles
} ArraySize;

enum { MOST_ARRAYS = 32 };

// every array of a rod's scratch, with its size
static int list_arrays(const LitheRod *rod, LitheBodyWork *solve, LitheRodWork *work,
                       ArraySize out[MOST_ARRAYS]) {
    int64_t n = rod->node_count, e = rod->edge_count;
    const ArraySize arrays[] = {
        {&work->anchor_d1, 3 * e},
        {&work->anchor_tau_ref, n},
        {&work->t0, 3 * e},
        {&work->angle0, n},
        {&work->rest_length, e},
        {&work->voronoi, n},
        {&work->natural, 3 * n},
        {&work->force, 4 * n},
        {&work->gyro, 4 * n},
        {&work->target, 4 * n},
        {&work->drag, 6 * n},
        {&work->damping_panel, rod->damping_stiffness > 0 ? LITHE_ROD_PANEL * n : 0},
        {&work->fast, LITHE_FAST_ARRAYS * lithe_fast_stride(rod->node_count)},
        {&work->edge_S, e},
        {&work->q_block, 4 * (LITHE_FAST_FRONT + n + LITHE_FAST_BACK)},
        {&work->gradient, 4 * (n + LITHE_FAST_SPILL)},
        {&work->diagonal, 4 * (n + LITHE_FAST_SPILL)},
        {&work->matrix.panel, LITHE_ROD_PANEL * (n + LITHE_FAST_SPILL)},
        {&work->factor, lithe_rod_factor_size(rod->node_count, rod->closed)},
        {&work->scratch, 4 * n},
        {&solve->w, 4 * n},
        {&solve->r, 4 * n},
        {&solve->trial, 4 * n},
        {&solve->trial_r, 4 * n},
        {&solve->dx, 4 * n},
        {&solve->impulse, 4 * n},
    };
    int count = sizeof arrays / sizeof *arrays;
    LITHE_ASSERT(count <= MOST_ARRAYS);
    memcpy(out, arrays, sizeof arrays);
    return count;
}

// Sets the arrays of a rod one after the other from `at` on, each at a place that vectors like;
// NULL only counts. Returns how many doubles they take.
static int64_t lay_arrays(const LitheModel *model, int32_t body, LitheWork *all, double *at) {
    enum { LINE = 8 }; // doubles
    _Static_assert(sizeof(LitheRodEdge) % sizeof(double) == 0, "edges are made of doubles");
    const LitheRod *rod = &model->rods[body];
    LitheRodWork *work = &all->rods[body];
    ArraySize arrays[MOST_ARRAYS];
    int64_t edges = rod->edge_count * (int64_t)(sizeof(LitheRodEdge) / sizeof(double)), taken = 0;
    for (int k = 0, count = list_arrays(rod, &all->bodies[body], work, arrays); k < count; k++) {
        if (at && arrays[k].count > 0)
            *arrays[k].array = at + taken;
        taken += (arrays[k].count + LINE - 1) / LINE * LINE;
    }
    if (at)
        work->edges = (LitheRodEdge *)(at + taken);
    return taken + (edges + LINE - 1) / LINE * LINE;
}

// One block for all rods, which comes with the first: of many short rods it lies in few large
// pages.
static bool rod_work_begin(const LitheModel *model, int32_t body, LitheWork *all) {
    const LitheRod *rod = &model->rods[body];
    LitheBodyWork *solve = &all->bodies[body];
    LitheRodWork *work = &all->rods[body];
    int64_t total = 0;
    for (int32_t i = 0; body == 0 && i < model->rod_count; i++)
        total += lay_arrays(model, i, all, NULL);
    if (body == 0)
        all->rod_block = lithe_alloc_array(all->context, total, sizeof(double));
    if (!all->rod_block)
        return false;
    all->rod_taken += lay_arrays(model, body, all, all->rod_block + all->rod_taken);
    solve->dof_count = 4 * (int64_t)rod->node_count;
    solve->held = rod->held;
    solve->has_potential = !rod->has_moment;
    work->q = work->q_block + 4 * LITHE_FAST_FRONT;
    work->matrix.node_count = rod->node_count;
    work->matrix.closed = rod->closed;
    return true;
}

static void rod_work_end(const LitheModel *model, int32_t body, LitheWork *all) {
    (void)model;
    if (body == 0)
        lithe_free(all->context, all->rod_block);
}

// --- begin ---------------------------------------------------------------------------------------

static bool drags(const LitheRod *rod) {
    return rod->drag_normal > 0 || rod->drag_tangent > 0;
}

// viscous matrix of each node: length [c_n I + (c_t - c_n) t t^T], t at the start of the step
static void make_drag(const LitheRod *rod, LitheRodWork *work) {
    for (int32_t i = 0; i < rod->node_count; i++) {
        int32_t before = i > 0 ? i - 1 : rod->closed ? rod->edge_count - 1 : 0;
        int32_t edge = i < rod->edge_count ? i : rod->edge_count - 1;
        Vec3 t = v3_unit(v3_add(v3_load(work->t0 + 3 * before), v3_load(work->t0 + 3 * edge)));
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

// damping matrix beta K at the start, of which only the part that is never negative is kept: it
// resists strain rates and lets a stressed rod turn freely
static void make_damping(const LitheRod *rod, LitheRodWork *work) {
    int64_t size = LITHE_ROD_PANEL * (int64_t)rod->node_count;
    memset(work->damping_panel, 0, (size_t)size * sizeof(double));
    double *panel = work->matrix.panel;
    work->matrix.panel = work->damping_panel;
    memcpy(work->q, work->q0, 4 * (size_t)rod->node_count * sizeof(double));
    lithe_rod_elastic(rod, work, rod->damping_stiffness, LITHE_HESSIAN_GAUSS_NEWTON, false);
    work->matrix.panel = panel;
}

// The midpoint rule evaluates forces in the middle of the step: frames are anchored there too,
// first at a guess, then at the solution. Targets of clamps depend on the frames.
static bool is_midpoint(const LitheStepPlan *plan) {
    return !plan->still && plan->a > 0 && plan->a < 1;
}

static void move_anchor(const LitheModel *model, const LitheRod *rod, LitheRodWork *work,
                        double *w) {
    int64_t dofs = 4 * (int64_t)rod->node_count;
    for (int64_t i = 0; i < dofs; i++)
        work->q[i] = work->q0[i] + work->plan.a * work->plan.h * w[i];
    if (!lithe_rod_anchor_at(rod, work))
        return;
    lithe_rod_loads(model, rod, work);
    for (int64_t i = 0; i < dofs; i++)
        w[i] = rod->held[i] ? work->target[i] : w[i];
}

// First guess of a body at rest whose held DoFs move: what lies between them moves evenly along,
// so that no edge has to bear the whole motion. A closed rod stays where it is.
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

static bool rod_begin(const LitheModel *model, int32_t body, const LitheState *state,
                      const LitheStepPlan *plan, LitheWork *all) {
    const LitheRod *rod = &model->rods[body];
    LitheRodWork *work = &all->rods[body];
    work->plan = *plan;
    work->bad_node = -1;
    lithe_rod_anchor(rod, state, work);
    double time = plan->still ? plan->time : plan->time + plan->a * plan->h;
    if (!work->natural_made && !lithe_rod_natural(rod, time, work))
        return false;
    work->natural_made = rod->natural_drive_count == 0;
    if (drags(rod) && !plan->still)
        make_drag(rod, work);
    if (work->damping_panel && !plan->still)
        make_damping(rod, work);
    lithe_rod_gyro(rod, work, work->q0, plan->still ? NULL : work->v0);

    // first guess: go on as before
    double *w = all->bodies[body].w;
    lithe_rod_loads(model, rod, work);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        w[i] = rod->held[i] ? work->target[i] : plan->still ? 0 : work->v0[i];
    if (plan->still)
        spread_motion(rod, w);
    if (is_midpoint(plan))
        move_anchor(model, rod, work, w);
    lithe_rod_fast_begin(rod, work);
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

static double add_damping(const LitheRod *rod, LitheRodWork *work, const double *w, double *r) {
    double h = work->plan.h, potential = 0;
    LitheRodMatrix damping = {rod->node_count, rod->closed, work->damping_panel};
    lithe_rod_multiply(&damping, w, work->scratch);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++) {
        r[i] += h * work->scratch[i];
        potential += 0.5 * h * work->scratch[i] * w[i];
    }
    return potential;
}

// what damping and drag add to (R2)
static void add_viscous_matrix(const LitheRod *rod, LitheRodWork *work) {
    double h = work->plan.h, *panel = work->matrix.panel;
    size_t size = LITHE_ROD_PANEL * (size_t)rod->node_count;
    if (work->damping_panel)
        for (size_t k = 0; k < size; k++)
            panel[k] += h * work->damping_panel[k];
    for (int32_t i = 0; drags(rod) && i < rod->node_count; i++) {
        double *p = panel + LITHE_ROD_PANEL * (int64_t)i;
        const double *d = work->drag + 6 * i;
        const double full[3][3] = {{d[0], d[1], d[2]}, {d[1], d[3], d[4]}, {d[2], d[4], d[5]}};
        for (int c = 0; c < 3; c++)
            for (int row = 0; row < 3; row++)
                p[12 * c + row] += h * full[row][c];
    }
}

// weight M alone, for the reference form of the elasticity to add to
static void start_matrix(const LitheRod *rod, double weight, LitheRodMatrix *matrix) {
    memset(matrix->panel, 0, LITHE_ROD_PANEL * (size_t)rod->node_count * sizeof(double));
    for (int32_t i = 0; i < rod->node_count; i++)
        for (int c = 0; c < 4; c++)
            matrix->panel[LITHE_ROD_PANEL * (int64_t)i + 13 * c] = weight * rod->mass[4 * i + c];
}

// the fast kernel leaves the diagonal beside the matrix; whoever adds to the matrix copies it anew
static void copy_diagonal(const LitheRod *rod, LitheRodWork *work) {
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        work->diagonal[i] = work->matrix.panel[LITHE_ROD_PANEL * (i / 4) + 13 * (i % 4)];
}

// energy, gradient and, if wanted, weight M + scale K: by the fast kernel where that serves
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

static double rod_evaluate(const LitheModel *model, int32_t body, LitheWork *all, const double *w,
                           bool want_matrix, bool project, double *r) {
    const LitheRod *rod = &model->rods[body];
    LitheRodWork *work = &all->rods[body];
    const LitheStepPlan *plan = &work->plan;
    int64_t dofs = 4 * (int64_t)rod->node_count;
    for (int64_t i = 0; i < dofs; i++)
        work->q[i] = work->q0[i] + plan->a * plan->h * w[i];

    // elasticity first: it knows the domain
    double elastic = elastic_part(rod, work, want_matrix, project);
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

// Impulses are compared with the momentum at the start, with that of the dead forces and with that
// of the elastic forces. Rounding of positions alone makes force_scale of an elastic force.
static LitheMeasure rod_measure(const LitheModel *model, int32_t body, const LitheWork *all,
                                const double *r) {
    const LitheRod *rod = &model->rods[body];
    const LitheRodWork *work = &all->rods[body];
    const LitheStepPlan *plan = &work->plan;
    LitheRodSquares sums = lithe_rod_sums()->squares(rod, work, r);
    double scale = plan->h * sqrt(fmax(sums.load, sums.elastic));
    if (!plan->still)
        scale = fmax(scale, plan->c * sqrt(sums.momentum));
    return (LitheMeasure){sqrt(sums.residual), scale,
                          plan->h * work->force_scale * sqrt(sums.noise)};
}

static void rod_explain(const LitheModel *model, int32_t body, const LitheWork *all, char *text,
                        size_t size) {
    const LitheRodWork *work = &all->rods[body];
    if (work->bad_node >= 0)
        snprintf(text, size,
                 "rod '%s' folds back on itself, turns too far or has no length at node %d",
                 model->rods[body].name, work->bad_node);
    else
        snprintf(text, size, "rod '%s' has a number that is not finite", model->rods[body].name);
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

static bool rod_factor(const LitheModel *model, int32_t body, LitheWork *all) {
    LitheRodWork *work = &all->rods[body];
    LitheRodPivots pivots;
    lithe_rod_lock(&model->rods[body], &work->matrix);
    lithe_rod_factor(&work->matrix, LITHE_PIVOT_POSITIVE, work->factor, &pivots);
    return pivots.first_bad < 0;
}

static void rod_solve(const LitheModel *model, int32_t body, LitheWork *all, double *x) {
    const LitheRod *rod = &model->rods[body];
    lithe_rod_solve(rod->node_count, rod->closed, all->rods[body].factor, x);
}

// --- end -----------------------------------------------------------------------------------------

// frames at the end of the step become the new reference: directors transported, reference twist
// continued
static void move_frames(const LitheRod *rod, LitheRodWork *work, const double *w,
                        LitheState *state) {
    double h = work->plan.h;
    int32_t n = rod->node_count;
    for (int64_t i = 0; i < 4 * (int64_t)n; i++)
        work->q[i] = work->q0[i] + h * w[i];
    for (int32_t i = 0; i < rod->edge_count; i++) {
        int32_t j = i + 1 < n ? i + 1 : 0;
        lithe_rod_edge(v3_load(work->q + 4 * i), v3_load(work->q + 4 * j), work->q[4 * i + 3],
                       v3_load(work->t0 + 3 * i), v3_load(work->d1 + 3 * i), &work->edges[i]);
    }
    for (int32_t i = rod->closed ? 0 : 1; i < rod->edge_count; i++)
        state->tau_ref[rod->node_at + i] =
            lithe_rod_tau_ref(work, i, i > 0 ? i - 1 : rod->edge_count - 1, i);
    for (int32_t i = 0; i < rod->edge_count; i++) {
        // (F1) keeps a director perpendicular to rounding; remove what little creeps in
        Vec3 t = work->edges[i].t, d = work->edges[i].d1;
        v3_store(v3_unit(v3_axpy(-v3_dot(d, t), t, d)), state->d1 + 3 * (rod->edge_at + i));
    }
}

// The midpoint rule again, with anchor and gyroscopic forces at the solution. Backward Euler takes
// those of the start, which its first order allows.
static bool rod_refine(const LitheModel *model, int32_t body, LitheWork *all) {
    const LitheRod *rod = &model->rods[body];
    LitheRodWork *work = &all->rods[body];
    if (!is_midpoint(&work->plan))
        return false;
    move_anchor(model, rod, work, all->bodies[body].w);
    lithe_rod_gyro(rod, work, work->q, all->bodies[body].w);
    lithe_rod_fast_begin(rod, work);
    return true;
}

// What a changing natural state puts into the rod: the change of energy it makes at the
// configuration where forces were evaluated. A static step has no before.
static double natural_work(const LitheRod *rod, LitheRodWork *work) {
    const LitheStepPlan *plan = &work->plan;
    if (rod->natural_drive_count == 0 || plan->still)
        return 0;
    double energy[2];
    for (int k = 0; k < 2; k++) {
        if (!lithe_rod_natural(rod, plan->time + k * plan->h, work))
            return 0;
        energy[k] = lithe_rod_elastic(rod, work, 0, LITHE_HESSIAN_NONE, false);
    }
    return energy[1] - energy[0];
}

static bool rod_end(const LitheModel *model, int32_t body, LitheWork *all, LitheState *state) {
    const LitheRod *rod = &model->rods[body];
    LitheRodWork *work = &all->rods[body];
    const LitheStepPlan *plan = &work->plan;
    const double *w = all->bodies[body].w, *r = all->bodies[body].r;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        work->q[i] = work->q0[i] + plan->a * plan->h * w[i];
    lithe_rod_book(model, rod, work, w, r, state, body);
    state->sums[2 * (int64_t)body + 1] += natural_work(rod, work);
    move_frames(rod, work, w, state);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++) {
        double v0 = state->v[rod->dof_at + i];
        // w = a v + (1 - a) v0, but the explicit scheme finds v itself; a held DoF has no momentum
        // of its own to carry
        bool as_found = rod->held[i] || plan->a == 0;
        double v = plan->still ? 0 : as_found ? w[i] : (w[i] - (1 - plan->a) * v0) / plan->a;
        state->v[rod->dof_at + i] = v;
        state->q[rod->dof_at + i] = work->q[i];
    }
    return true;
}

// symplectic Euler: with w = v0 the residual is -h k(q0, v0), so v = v0 - r/M; held DoFs go where
// they must, and what that takes is their reaction
static bool rod_leap(const LitheModel *model, int32_t body, LitheWork *all) {
    const LitheRod *rod = &model->rods[body];
    LitheRodWork *work = &all->rods[body];
    LitheBodyWork *solve = &all->bodies[body];
    double potential = rod_evaluate(model, body, all, work->v0, false, false, solve->r);
    if (!(potential < INFINITY))
        return false;
    for (int64_t i = 0; i < solve->dof_count; i++) {
        double v0 = work->v0[i], m = rod->mass[i];
        solve->w[i] = rod->held[i] ? work->target[i] : v0 - solve->r[i] / m;
        solve->r[i] += m * (solve->w[i] - v0);
    }
    return true;
}

// --- in the coupled solve ------------------------------------------------------------------------

static int32_t rod_node_count(const LitheModel *model, int32_t body) {
    return model->rods[body].node_count;
}

static int32_t rod_node_size(const LitheModel *model, int32_t body) {
    (void)model, (void)body;
    return 4;
}

static int64_t rod_first_dof(const LitheModel *model, int32_t body) {
    return model->rods[body].dof_at;
}

// block k of panel i couples node i with the k-th after it; none beyond the end of an open rod
static int32_t partner(const LitheRod *rod, int32_t i, int32_t k) {
    int32_t j = i + k;
    return j < rod->node_count ? j : rod->closed ? j - rod->node_count : -1;
}

static bool rod_couple(const LitheModel *model, int32_t body, int32_t first, LitheSystem *system) {
    const LitheRod *rod = &model->rods[body];
    int64_t most = system->pair_count + 2 * (int64_t)rod->node_count;
    if (!LITHE_RESERVE(system->context, system->pairs, system->pair_capacity, most))
        return false;
    for (int32_t i = 0; i < rod->node_count; i++)
        for (int32_t k = 1; k <= 2; k++) {
            int32_t j = partner(rod, i, k);
            if (j >= 0)
                system->pairs[system->pair_count++] = (LitheBlockPair){first + i, first + j};
        }
    return true;
}

static void rod_put(const LitheModel *model, int32_t body, LitheWork *all, int32_t first,
                    LitheSystem *system) {
    const LitheRod *rod = &model->rods[body];
    LitheRodMatrix *matrix = &all->rods[body].matrix;
    lithe_rod_lock(rod, matrix);
    for (int32_t i = 0; i < rod->node_count; i++) {
        const double *panel = matrix->panel + LITHE_ROD_PANEL * (int64_t)i;
        for (int32_t k = 0; k <= 2; k++) {
            int32_t j = partner(rod, i, k);
            if (j < 0)
                continue;
            bool flipped = j < i; // round the end of a closed rod
            // the rows that follow the diagonal are those of the next nodes
            int32_t entry = flipped ? lithe_block_find(system->matrix, first + i, first + j)
                                    : system->matrix->start[first + i] + k;
            double *block = system->A + system->matrix->value_at[entry];
            for (int c = 0; k < 2 && !flipped && c < 4; c++)
                memcpy(block + 4 * c, panel + 12 * c + 4 * k, 4 * sizeof *block);
            if (k < 2 && !flipped)
                continue;
            for (int c = 0; c < 4; c++)
                for (int row = 0; row < (k == 2 ? 3 : 4); row++)
                    block[flipped ? 4 * row + c : 4 * c + row] = panel[12 * c + 4 * k + row];
        }
    }
}

const LitheBodyOps lithe_rod_ops = {
    .kind = "rod",
    .work_begin = rod_work_begin,
    .work_end = rod_work_end,
    .begin = rod_begin,
    .evaluate = rod_evaluate,
    .measure = rod_measure,
    .factor = rod_factor,
    .solve = rod_solve,
    .refine = rod_refine,
    .leap = rod_leap,
    .end = rod_end,
    .explain = rod_explain,
    .node_count = rod_node_count,
    .node_size = rod_node_size,
    .first_dof = rod_first_dof,
    .couple = rod_couple,
    .put = rod_put,
};
