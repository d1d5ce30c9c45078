// SPDX-License-Identifier: Apache-2.0
// body/tree_body.c - the tree's row in the table of kinds, and reading trees from a state

#include "body/tree_body.h"
#include "base/assert.h"
#include "base/memory.h"
#include "body/control.h"
#include "body/ik.h"
#include "body/pose_drive.h"
#include "body/tree.h"
#include "body/unit.h"
#include "data/state.h"
#include "law/joint.h"

#include <math.h>
#include <string.h>

static const LitheTree *tree_of(const LitheModel *model, int32_t unit) {
    return &model->trees[model->units[unit].index];
}

// --- the directory -------------------------------------------------------------------------------

static int32_t tree_count(const LitheModel *model) {
    return model->tree_count;
}

// radius of gyration of the smallest link that has one
static double smallest_gyration(const LitheRigidTree *tree) {
    double min = INFINITY;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        double inertia =
            0.5 * (link->inertia.m[0][0] + link->inertia.m[1][1] + link->inertia.m[2][2]);
        if (link->mass > 0 && inertia > 0)
            min = fmin(min, sqrt(inertia / link->mass));
        if (link->line_mass > 0) // of a straight line
            min = fmin(min, link->shape.length / sqrt(12));
    }
    return min;
}

// How far links reach from the first joint, with all joints straight: the longest path of distances
// from joint to joint, and the centre of mass at its end.
static double reach_of(const LitheRigidTree *tree) {
    double most = 0;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        double way = v3_norm(link->centre);
        for (int32_t k = i; k >= 0; k = tree->links[k].parent) {
            const LitheRigidLink *at = &tree->links[k];
            bool section = at->kind == LITHE_JOINT_SECTION;
            way += v3_norm(at->child_frame.at) + (section ? at->shape.length : 0) +
                   (at->parent >= 0 ? v3_norm(at->parent_frame.at) : 0);
        }
        most = fmax(most, way);
    }
    return most;
}

static void tree_describe(LitheModel *model, int32_t index, LitheUnit *unit) {
    LitheTree *tree = &model->trees[index];
    const LitheRigidTree *rigid = &tree->rigid;
    tree->unit = (int32_t)(unit - model->units);
    tree->q_at = unit->q_at;
    tree->v_at = unit->v_at;
    tree->effort_at = unit->own_at;
    tree->aim_at = tree->effort_at + rigid->v_count;
    tree->wrench_at = tree->aim_at + tree->aim_count;
    unit->name = rigid->links[0].name ? rigid->links[0].name : "?";
    unit->q_count = rigid->q_count;
    unit->v_count = rigid->v_count;
    unit->node_count = rigid->v_count > 0;
    unit->node_size = rigid->v_count;
    unit->own_count = rigid->v_count + tree->aim_count + 6 * (int64_t)rigid->link_count;
    unit->site_nodes = unit->node_count;
    unit->site_width = rigid->v_count;
    unit->length = smallest_gyration(rigid);
    unit->extent = reach_of(rigid);
    for (int32_t i = 0; i < rigid->link_count; i++) {
        const LitheRigidLink *link = &rigid->links[i];
        Mat3 I = link->inertia;
        unit->mass += link->mass + link->line_mass;
        unit->mass_moment += sqrt(fmax(link->mass * (I.m[0][0] + I.m[1][1] + I.m[2][2]), 0));
        // of a straight line the trace of the inertia is m l^2/6
        if (link->line_mass > 0)
            unit->mass_moment += link->line_mass * link->shape.length / sqrt(6);
    }
}

// --- scratch -------------------------------------------------------------------------------------

typedef struct Piece {
    void **pointer;
    int64_t doubles;
} Piece;

static int64_t tree_layout(const LitheModel *model, int32_t unit, LitheWork *all, double *at) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheRigidTree *rigid = &tree->rigid;
    LitheUnitWork none, *solve = at ? &all->units[unit] : &none;
    LitheTreeWork spare, *work = at ? (LitheTreeWork *)at : &spare;
    const Piece pieces[] = {
        {(void **)&work->memory, lithe_work_doubles(1, lithe_rigid_step_work_size(rigid))},
        {(void **)&work->ik_memory, lithe_work_doubles(1, lithe_ik_work_size(rigid))},
        {(void **)&work->drives, lithe_work_doubles(tree->drive_count, sizeof *work->drives)},
        {(void **)&work->bounded, lithe_work_doubles(tree->drive_count, sizeof *work->bounded)},
        {(void **)&work->bound, lithe_work_round(tree->drive_count)},
        {(void **)&work->aims, lithe_work_round(tree->aim_count)},
        {(void **)&work->poses, lithe_work_round(13 * (int64_t)tree->pose_drive_count)},
        {(void **)&work->missed, lithe_work_doubles(tree->pose_drive_count, sizeof *work->missed)},
        {(void **)&work->reached, lithe_work_doubles(rigid->link_count, 1)},
        {(void **)&work->q, lithe_work_round(rigid->q_count)},
        {(void **)&work->v, lithe_work_round(rigid->v_count)},
        {(void **)&work->effort, lithe_work_round(rigid->v_count)},
        {(void **)&work->push, lithe_work_round(rigid->v_count)},
        {(void **)&work->mean, lithe_work_round(rigid->v_count)},
        {(void **)&work->outer, lithe_work_round(rigid->v_count)},
        {(void **)&work->limits, lithe_work_round(rigid->v_count)},
        {(void **)&work->drawn, lithe_work_round(rigid->v_count)},
        {(void **)&work->weights, lithe_work_round(rigid->v_count)},
        {(void **)&solve->impulse, lithe_work_round(rigid->v_count)},
    };
    int64_t taken = lithe_work_doubles(1, sizeof *work);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        if (at)
            *pieces[k].pointer = at + taken;
        taken += pieces[k].doubles;
    }
    if (!at)
        return taken;
    work->ik = lithe_ik_work_layout(rigid, work->ik_memory);
    work->step = lithe_rigid_step_work_layout(rigid, work->memory);
    solve->own = work;
    solve->dof_count = rigid->v_count;
    solve->held = work->step.held;
    solve->w = work->step.w;
    solve->r = work->step.r;
    solve->trial = work->step.trial;
    solve->trial_r = work->step.trial_r;
    solve->dx = work->step.dx;
    return taken;
}

// --- the step ------------------------------------------------------------------------------------

// targets at the time of the forces; prescribed ones at the end of the step
static void aim(const LitheModel *model, const LitheTree *tree, const LitheState *state,
                const LitheStepPlan *plan, LitheRigidDrive *drives) {
    double force_time = plan->time + plan->a * plan->h, end = plan->time + plan->h;
    for (int32_t k = 0; k < tree->actuator_count; k++) {
        const LitheActuator *actuator = &tree->actuators[k];
        bool exact = actuator->drive.kind == LITHE_ACTUATOR_PRESCRIBED;
        drives[k] = actuator->drive;
        const double *command = lithe_command_of_actuator(model, state, actuator->number);
        drives[k].target = lithe_command_at(&actuator->target, command, exact ? end : force_time);
        drives[k].rate = lithe_command_rate(&actuator->target, command, end);
        if (drives[k].pulls)
            drives[k].target = fmax(drives[k].target, 0);
    }
}

double lithe_tree_add_loads(const LitheTree *tree, LitheTreeWork *work) {
    const LitheRigidTree *rigid = &tree->rigid;
    const LitheRigidWork *at = &work->step.tree;
    double done = 0;
    memset(work->outer, 0, (size_t)rigid->v_count * sizeof(double));
    for (int32_t i = 0; i < rigid->link_count; i++) {
        Vec3 x = lithe_rigid_pose(rigid, at, i).at, force = v3_load(work->wrenches + 6 * i);
        lithe_rigid_add_force(rigid, at, i, x, force, v3_load(work->wrenches + 6 * i + 3),
                              work->outer);
        done += v3_dot(force, x);
    }
    for (int32_t k = 0; k < tree->load_count; k++) {
        const LitheLinkLoad *load = &tree->loads[k];
        double factor = lithe_profile_at(&load->profile, work->load_time);
        Vec3 x = pose_point(lithe_rigid_pose(rigid, at, load->link), load->at);
        lithe_rigid_add_force(rigid, at, load->link, x, v3_scale(factor, load->force),
                              v3_scale(factor, load->moment), work->outer);
        done += factor * v3_dot(load->force, x);
    }
    return done;
}

// Efforts of external forces, at the time of the forces and with the poses of the start of the
// step.
static void push_links(const LitheTree *tree, const LitheState *state, const LitheStepPlan *plan,
                       LitheTreeWork *work) {
    const LitheRigidTree *rigid = &tree->rigid;
    const double *wrenches = state->own + tree->wrench_at;
    bool some = tree->load_count > 0;
    for (int64_t k = 0; !some && k < 6 * (int64_t)rigid->link_count; k++)
        some = wrenches[k] != 0;
    if (some || work->pushed)
        memset(work->outer, 0, (size_t)rigid->v_count * sizeof(double));
    work->pushed = some;
    if (!some)
        return;
    work->wrenches = wrenches;
    work->load_time = plan->time + plan->a * plan->h;
    lithe_rigid_place(rigid, work->q0, &work->step.tree);
    lithe_tree_add_loads(tree, work);
}

// max effort of a drive on its joint; 0: no bound
static double bound_of(const LitheTree *tree, const LitheRigidDrive *drive, int32_t k) {
    double own = k < tree->actuator_count ? tree->actuators[k].effort_limit * fabs(drive->gear) : 0;
    double joint = tree->rigid.links[drive->link].effort_limit;
    return own > 0 && joint > 0 ? fmin(own, joint) : fmax(own, joint);
}

// Bounded drives are removed from the free motion: a given effort is clamped, a spring or damper is
// left to the coupled solve (work->bounded).
static void release_drives(const LitheTree *tree, LitheTreeWork *work) {
    for (int32_t k = 0; k < tree->drive_count; k++) {
        LitheRigidDrive *drive = &work->drives[k];
        double bound = bound_of(tree, drive, k);
        work->bound[k] = 0;
        if (bound == 0 || drive->kind == LITHE_ACTUATOR_PRESCRIBED)
            continue;
        if (drive->kind == LITHE_ACTUATOR_FORCE) {
            double max = bound / fmax(fabs(drive->gear), 1e-300);
            drive->target = fmax(-max, fmin(max, drive->target));
            continue;
        }
        work->bounded[k] = *drive;
        work->bound[k] = bound;
        drive->kind = LITHE_ACTUATOR_FORCE;
        drive->target = 0;
    }
}

static LitheRigidResidual *residual_of(const LitheTreeWork *work) {
    return work->middle ? lithe_rigid_midpoint_residual : lithe_rigid_euler_residual;
}

void lithe_tree_step_begin(const LitheModel *model, const LitheTree *tree, const LitheState *state,
                           const LitheStepPlan *plan, const LitheState *start,
                           LitheTreeWork *work) {
    work->q0 = state->q + tree->q_at;
    work->v0 = state->v + tree->v_at;
    work->middle = plan->a > 0 && plan->a < 1;
    work->still = plan->still;
    // the energy of a step is accounted at its end (A1), not at that of its first stage
    work->start_energy = plan->stage == 1 ? NAN : 0;
    aim(model, tree, state, plan, work->drives);
    lithe_pose_drives_aim(tree, plan, state, plan->velocity ? start : state, work);
    push_links(tree, state, plan, work);
    release_drives(tree, work);
    work->plan = lithe_rigid_step_default(plan->h);
    work->plan.gravity = model->gravity;
    work->plan.drives = work->drives;
    work->plan.drive_count = tree->drive_count;
    work->plan.effort = work->pushed ? work->outer : NULL;
    work->plan.velocity = plan->velocity ? plan->velocity + tree->v_at : NULL;
    work->plan.guess = work->v0;
}

// For static steps, and for a tree that something touches, whose motion the coupled solve finds.
static bool tree_begin(const LitheModel *model, int32_t unit, const LitheState *state,
                       const LitheStepPlan *plan, LitheWork *all) {
    const LitheTree *tree = tree_of(model, unit);
    LitheTreeWork *work = lithe_tree_work(all, unit);
    LitheUnitWork *solve = &all->units[unit];
    if (!plan->still) {
        LITHE_ASSERT(plan->a == 1 || plan->a == 0);
        lithe_tree_step_begin(model, tree, state, plan, all->before, work);
        lithe_rigid_euler_system(&tree->rigid, &work->plan, work->q0, work->v0, &work->step);
        solve->has_potential = work->made = false;
        solve->w = work->step.w;
        solve->r = work->step.r;
        double zero = 0; // NaN if a momentum or a velocity is not finite
        for (int32_t k = 0; k < tree->rigid.v_count; k++) {
            solve->w[k] = work->step.held[k] ? work->step.given[k] : work->v0[k];
            zero += 0 * (work->step.p0[k] + solve->w[k]);
        }
        return zero == 0;
    }
    // targets at plan->time: lithe_tree_step_begin takes them at the end of its step, time + h
    LitheStepPlan shifted = *plan;
    shifted.time -= plan->h;
    lithe_tree_step_begin(model, tree, state, &shifted, state, work);
    lithe_tree_static_begin(tree, plan, work);
    solve->has_potential = true;
    // a line search may have exchanged these pointers
    solve->w = work->step.w;
    solve->r = work->step.r;
    solve->trial = work->step.trial;
    solve->trial_r = work->step.trial_r;
    for (int32_t k = 0; k < tree->rigid.v_count; k++)
        solve->w[k] = work->step.held[k] ? work->step.given[k] : 0;
    return true;
}

static void tree_free(const LitheModel *model, int32_t unit, const LitheState *state,
                      const LitheStepPlan *plan, double tolerance, int32_t max_iterations,
                      LitheWork *all) {
    const LitheTree *tree = tree_of(model, unit);
    LitheTreeWork *work = lithe_tree_work(all, unit);
    LitheUnitWork *outcome = &all->units[unit];
    const LitheRigidTree *rigid = &tree->rigid;
    lithe_tree_step_begin(model, tree, state, plan, all->before, work);
    outcome->has_potential = false;
    work->plan.tolerance = fmin(tolerance, work->plan.tolerance);
    work->plan.max_iterations = max_iterations;
    const LitheRigidStep step = work->plan;
    memcpy(work->q, work->q0, (size_t)rigid->q_count * sizeof(double));
    memcpy(work->v, work->v0, (size_t)rigid->v_count * sizeof(double));
    LitheRigidOutcome made =
        work->middle
            ? lithe_rigid_step_midpoint(rigid, &step, work->q, work->v, work->effort, &work->step)
            : lithe_rigid_step_euler(rigid, &step, work->q, work->v, work->effort, &work->step);
    work->made = made.made;
    outcome->w = work->step.w;
    outcome->r = work->step.r;
    outcome->iterations = made.iterations;
    outcome->cuts = outcome->corrected = 0;
    // it aims at less than the tolerance of the scene, as far as rounding lets it
    outcome->converged = made.converged || made.residual <= tolerance;
    outcome->residual = made.residual;
    outcome->finite = made.made;
}

// Before the coupled solve. Poses, masses and momenta at the start of the step are those of the
// free motion. The midpoint rule rebuilds them, and sets w, which the free motion of a free body
// does not compute, and the middle of the step: predicted, or that of the last solve.
static void tree_prepare(const LitheModel *model, int32_t unit, LitheWork *all) {
    const LitheRigidTree *rigid = &tree_of(model, unit)->rigid;
    LitheTreeWork *work = lithe_tree_work(all, unit);
    double *w = work->step.w;
    if (work->still) {
        lithe_tree_static_prepare(tree_of(model, unit), work);
        return;
    }
    work->plan.effort = work->pushed ? work->outer : NULL;
    if (!work->middle)
        return;
    memcpy(work->mean, w, (size_t)rigid->v_count * sizeof(double));
    lithe_rigid_midpoint_begin(rigid, &work->plan, work->q0, work->v0, &work->step);
    for (int32_t k = 0; k < rigid->v_count; k++) {
        double found = work->mean[k], start = w[k], mean = 0.5 * (work->v0[k] + work->v[k]);
        work->mean[k] = all->outcome.again ? found : start;
        w[k] = all->outcome.again ? found : work->step.held[k] ? start : mean;
    }
    lithe_rigid_advance(rigid, work->q0, 0.5 * work->plan.h, work->mean, work->step.q);
    lithe_rigid_place(rigid, work->step.q, &work->step.tree);
}

static double tree_evaluate(const LitheModel *model, int32_t unit, LitheWork *all, const double *w,
                            bool want_matrix, bool project, double *r) {
    const LitheTree *tree = tree_of(model, unit);
    LitheTreeWork *work = lithe_tree_work(all, unit);
    if (work->still)
        return lithe_tree_static_evaluate(tree, work, w, want_matrix, project, r);
    // otherwise the matrix is constant in the step
    residual_of(work)(&tree->rigid, &work->plan, work->q0, work->v0, w, &work->step, r);
    double sum = 0;
    for (int32_t k = 0; k < tree->rigid.v_count; k++)
        sum += r[k] * 0;
    return sum == 0 ? 0 : INFINITY;
}

// diagonal of the matrix of a step: c M + h D + a h^2 K
static double diagonal(const LitheTreeWork *work, int32_t n, int32_t k) {
    double h = work->plan.h, c = work->middle ? 2 : 1, a = work->middle ? 0.5 : 1;
    return c * work->step.mass[(ptrdiff_t)(n + 1) * k] +
           h * (work->step.damping[k] + a * h * work->step.stiffness[k]);
}

static LitheMeasure tree_measure(const LitheModel *model, int32_t unit, const LitheWork *all,
                                 const double *r) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheTreeWork *work = lithe_tree_work(all, unit);
    int32_t n = tree->rigid.v_count;
    if (work->still)
        return lithe_tree_static_measure(tree, work, r);
    double h = work->plan.h, residual = 0, momentum = 0, load = 0;
    for (int32_t k = 0; k < n; k++) {
        double weight = work->step.held[k] ? 0 : 1 / diagonal(work, n, k);
        double p = (work->middle ? 2 : 1) * work->step.p0[k], f = h * work->step.force[k];
        residual += weight * r[k] * r[k];
        momentum += weight * p * p;
        load += weight * f * f;
    }
    return (LitheMeasure){sqrt(residual), sqrt(fmax(momentum, load)), 0, 0};
}

static bool tree_end(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state) {
    const LitheTree *tree = tree_of(model, unit);
    LitheTreeWork *work = lithe_tree_work(all, unit);
    LitheUnitWork *solve = &all->units[unit];
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidStep *step = &work->plan;
    double *q = state->q + tree->q_at, *v = state->v + tree->v_at;
    if (work->still)
        return lithe_tree_static_end(tree, solve, work, state);
    if (solve->coupled) {
        memcpy(work->push, solve->impulse, (size_t)rigid->v_count * sizeof(double));
        if (work->middle)
            lithe_rigid_push(rigid, -0.5 * step->h, work->mean, work->push);
        for (int32_t k = 0; k < rigid->v_count; k++)
            work->push[k] = work->push[k] / step->h + work->outer[k];
        step->effort = work->push;
        memcpy(work->q, q, (size_t)rigid->q_count * sizeof(double));
        memcpy(work->v, v, (size_t)rigid->v_count * sizeof(double));
        work->made =
            work->middle
                ? lithe_rigid_midpoint_end(rigid, step, work->q, work->v, work->effort, &work->step)
                : lithe_rigid_euler_end(rigid, step, work->q, work->v, work->effort, &work->step);
        step->effort = work->pushed ? work->outer : NULL;
    }
    if (!work->made)
        return false;
    double start = lithe_tree_account(model, unit, all, state);
    memcpy(q, work->q, (size_t)rigid->q_count * sizeof(double));
    memcpy(v, work->v, (size_t)rigid->v_count * sizeof(double));
    lithe_tree_account_end(model, unit, all, start, state);
    memcpy(state->own + tree->aim_at, work->aims, (size_t)tree->aim_count * sizeof(double));
    memcpy(state->own + tree->effort_at, work->effort, (size_t)rigid->v_count * sizeof(double));
    work->limited = lithe_rigid_limits(rigid, q, v, work->effort, work->reached);
    return true;
}

// --- material points -----------------------------------------------------------------------------

Pose lithe_tree_place(const LitheModel *model, const LitheState *state, const LitheSite *site,
                      double ahead) {
    return lithe_link_place_extrapolated(model, state, model->units[site->unit].index,
                                         site->element, ahead);
}

// --- sums, events, outcomes ----------------------------------------------------------------------

static double tree_norm(const LitheModel *model, int32_t unit, const LitheWork *all,
                        const double *x) {
    const LitheTreeWork *work = lithe_tree_work(all, unit);
    int32_t n = tree_of(model, unit)->rigid.v_count;
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            sum += work->step.held[i] || work->step.held[j]
                       ? 0
                       : x[i] * work->step.mass[(int64_t)n * i + j] * x[j];
    return fmax(sum, 0);
}

static void tree_mass(const LitheModel *model, int32_t unit, const LitheWork *all, const double *x,
                      double *y) {
    const LitheTreeWork *work = lithe_tree_work(all, unit);
    int32_t n = tree_of(model, unit)->rigid.v_count;
    for (int32_t i = 0; i < n; i++) {
        y[i] = 0;
        for (int32_t j = 0; j < n; j++)
            y[i] += work->step.held[i] || work->step.held[j]
                        ? 0
                        : work->step.mass[(int64_t)n * i + j] * x[j];
    }
}

static double tree_moved(const LitheModel *model, int32_t unit, LitheWork *all, const double *w) {
    return lithe_tree_static_moved(tree_of(model, unit), w, lithe_tree_work(all, unit));
}

static double tree_lowest_omega2(const LitheModel *model, int32_t unit) {
    double length = model->units[unit].length;
    return length < INFINITY ? v3_norm(model->gravity) / length : 0;
}

static bool tree_totals(const LitheModel *model, int32_t unit, const LitheState *state,
                        LitheTotalsWanted wanted, LitheUnitTotals *out) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheRigidTree *rigid = &tree->rigid;
    const double *q = state->q + tree->q_at, *v = state->v + tree->v_at;
    void *memory = lithe_alloc(model->context, lithe_rigid_work_size(rigid));
    if (!memory)
        return false;
    LitheRigidWork work = lithe_rigid_work_layout(rigid, memory);
    (void)wanted; // one loop over the links computes all
    lithe_rigid_place(rigid, q, &work);
    lithe_rigid_move(rigid, v, &work);
    double springs = lithe_rigid_potential_energy(rigid, &work, v3(0, 0, 0), q);
    out->kinetic += lithe_rigid_kinetic_energy(rigid, &work, v);
    out->elastic += springs;
    out->gravity += lithe_rigid_potential_energy(rigid, &work, model->gravity, q) - springs;
    Vec3 linear, angular;
    lithe_rigid_momentum(rigid, &work, v3(0, 0, 0), &linear, &angular);
    out->momentum = v3_add(out->momentum, linear);
    out->angular = v3_add(out->angular, angular);
    lithe_free(model->context, memory);
    return true;
}

static bool tree_event(const LitheModel *model, int32_t unit, const LitheSpan *span) {
    const LitheTree *tree = tree_of(model, unit);
    for (int32_t i = 0; i < tree->actuator_count; i++)
        if (lithe_profile_within(&tree->actuators[i].target, span))
            return true;
    for (int32_t i = 0; i < tree->load_count; i++)
        if (lithe_profile_within(&tree->loads[i].profile, span))
            return true;
    for (int32_t i = 0; i < tree->pose_drive_count; i++)
        if (lithe_times_within(tree->pose_drives[i].times, tree->pose_drives[i].count, false, span))
            return true;
    return false;
}

static void tree_report(const LitheModel *model, int32_t unit, const LitheWork *all,
                        LitheReport *report) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheTreeWork *work = lithe_tree_work(all, unit);
    report->joints_at_limit += work->limited;
    for (int32_t k = 0; k < tree->pose_drive_count; k++) {
        const LitheIkOutcome *left = &work->missed[k];
        report->poses_missed += lithe_pose_is_missed(&tree->pose_drives[k], left);
        report->pose_distance = fmax(report->pose_distance, left->distance);
        report->pose_angle = fmax(report->pose_angle, left->angle);
    }
}

// --- in the coupled solve ------------------------------------------------------------------------

static bool tree_pattern(const LitheModel *model, int32_t unit, int32_t first,
                         LithePairList *list) {
    (void)model, (void)unit, (void)first, (void)list; // one node
    return true;
}

static void tree_scatter(const LitheModel *model, int32_t unit, LitheWork *all, int32_t first,
                         const LitheBlockMatrix *matrix, double *values) {
    const LitheTreeWork *work = lithe_tree_work(all, unit);
    int32_t n = tree_of(model, unit)->rigid.v_count;
    double *block = values + matrix->value_at[matrix->start[first]];
    const unsigned char *held = work->step.held;
    double factor = work->middle ? 2 : 1;
    for (int32_t j = 0; j < n; j++) {
        // both triangles of M are stored: a column is a row
        const double *mass = work->step.mass + (ptrdiff_t)n * j;
        double *column = block + (ptrdiff_t)n * j;
        for (int32_t i = j; i < n; i++)
            column[i] = work->still ? work->step.matrix[(ptrdiff_t)n * i + j] : factor * mass[i];
        if (!work->still)
            column[j] = diagonal(work, n, j);
    }
    if (!memchr(held, 1, (size_t)n))
        return;
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = j; i < n; i++)
            if (held[i] || held[j])
                block[(ptrdiff_t)n * j + i] = i == j;
}

const LitheUnitOps lithe_tree_ops = {
    .kind = "tree",
    .cost = 150,
    .count = tree_count,
    .describe = tree_describe,
    .layout = tree_layout,
    .free = tree_free,
    .begin = tree_begin,
    .factor = lithe_tree_static_factor,
    .solve = lithe_tree_static_solve,
    .prepare = tree_prepare,
    .evaluate = tree_evaluate,
    .measure = tree_measure,
    .end = tree_end,
    .shift = lithe_tree_shift,
    .advance = lithe_tree_advance,
    .difference = lithe_tree_difference,
    .accelerate = lithe_tree_accelerate,
    .unmass = lithe_tree_unmass,
    .energies = lithe_tree_energies,
    .energies_are_kept = true,
    .calm = lithe_tree_calm,
    .drift = lithe_tree_drift,
    .fly = lithe_tree_fly,
    .place = lithe_tree_place,
    .site = lithe_tree_site,
    .norm = tree_norm,
    .rotation = lithe_tree_rotation,
    .mass = tree_mass,
    .moved = tree_moved,
    .lowest_omega2 = tree_lowest_omega2,
    .totals = tree_totals,
    .event = tree_event,
    .report = tree_report,
    .terms = lithe_tree_terms,
    .pattern = tree_pattern,
    .scatter = tree_scatter,
    .explain = lithe_tree_explain,
};
