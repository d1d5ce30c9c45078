// SPDX-License-Identifier: Apache-2.0
// body/rod_load.c - external forces on a rod: dead loads, holds, drives, and their work
//
// (L1) to (L3) are those of docs/theory/rods.md.

#include "body/control.h"
#include "body/hold.h"
#include "body/rod.h"
#include "math/quat.h"

#include <string.h>

// edge i of the iterate
static LitheRodEdge edge_at(const LitheRod *rod, const LitheRodWork *work, int32_t i) {
    LitheRodEdge edge = {0};
    lithe_rod_edge(v3_load(work->q + 4 * i), v3_load(work->q + 4 * rod->ends[i][1]),
                   work->q[4 * i + 3], v3_load(work->t0 + 3 * i), v3_load(work->d1 + 3 * i), &edge);
    return edge;
}

// time at which forces act: the evaluation point of the scheme
static double force_time(const LitheStepPlan *plan) {
    return plan->still ? plan->time : plan->time + plan->a * plan->h;
}

// time at which prescribed motion must be reached
static double end_time(const LitheStepPlan *plan) {
    return plan->still ? plan->time : plan->time + plan->h;
}

// --- targets of drives ---------------------------------------------------------------------------

static const double *command_of(const LitheRodWork *work, const LitheDrive *drive, bool turn) {
    return work->commands + LITHE_COMMAND_SIZE * (2 * (int64_t)drive->number + turn);
}

static double motion_at(const LitheRodWork *work, const LitheDrive *drive, double time) {
    return lithe_command_at(&drive->motion, command_of(work, drive, false), time);
}

static double turn_at(const LitheRodWork *work, const LitheDrive *drive, double time) {
    return lithe_command_at(&drive->turn, command_of(work, drive, true), time);
}

static Vec3 drive_point(const LitheRodWork *work, const LitheDrive *drive, double time) {
    return v3_axpy(motion_at(work, drive, time), drive->direction, drive->built_a);
}

// the pose of a driven clamp: nodes a and b, and director m1
static void clamp_pose(const LitheRodWork *work, const LitheDrive *drive, double time, Vec3 *a,
                       Vec3 *b, Vec3 *m1) {
    Quat turn = q4_axis_angle(drive->axis, turn_at(work, drive, time));
    Vec3 middle = v3_mix(drive->built_a, drive->built_b, 0.5);
    Vec3 moved = v3_axpy(motion_at(work, drive, time), drive->direction, middle);
    *a = v3_add(moved, q4_rotate(turn, v3_sub(drive->built_a, middle)));
    *b = v3_add(moved, q4_rotate(turn, v3_sub(drive->built_b, middle)));
    *m1 = q4_rotate(turn, drive->built_m1);
}

// Sets w of a driven DoF such that it reaches its target at the end of the step. In a stage the DoF
// also gets the velocity of the target.
static void aim(LitheRodWork *work, int32_t dof, double wanted, double rate) {
    if (work->plan.velocity) {
        work->target[dof] = rate;
        work->stage_base[dof] = wanted - work->plan.h * rate;
        return;
    }
    work->target[dof] = (wanted - work->q0[dof]) / work->plan.h;
}

static void aim_point(LitheRodWork *work, int32_t node, Vec3 wanted, Vec3 rate) {
    aim(work, 4 * node, wanted.x, rate.x);
    aim(work, 4 * node + 1, wanted.y, rate.y);
    aim(work, 4 * node + 2, wanted.z, rate.z);
}

static double motion_rate(const LitheRodWork *work, const LitheDrive *drive, double time) {
    return lithe_command_rate(&drive->motion, command_of(work, drive, false), time);
}

static double turn_rate(const LitheRodWork *work, const LitheDrive *drive, double time) {
    return lithe_command_rate(&drive->turn, command_of(work, drive, true), time);
}

// The twist angle that gives the clamp its director: measured from the reference director
// transported to the new tangent. Of the angles that differ by whole turns, the nearest to the old
// one plus the rotation of the drive since its angle was `before` [rad].
static void aim_clamp(const LitheRod *rod, const LitheDrive *drive, double before,
                      LitheRodWork *work) {
    Vec3 a, b, m1;
    double end = end_time(&work->plan);
    clamp_pose(work, drive, end, &a, &b, &m1);
    Vec3 speed = v3_scale(motion_rate(work, drive, end), drive->direction);
    Vec3 turning = v3_scale(turn_rate(work, drive, end), drive->axis);
    Vec3 arm = v3_scale(0.5, v3_sub(b, a));
    aim_point(work, drive->edge, a, v3_sub(speed, v3_cross(turning, arm)));
    aim_point(work, rod->ends[drive->edge][1], b, v3_add(speed, v3_cross(turning, arm)));

    Vec3 t0 = v3_load(work->t0 + 3 * drive->edge), t = v3_unit(v3_sub(b, a));
    Vec3 d1 = lithe_transport(v3_load(work->d1 + 3 * drive->edge), t0, t);
    double gamma = v3_angle_about(d1, m1, t);
    double turned = turn_at(work, drive, end) - before;
    double expected = work->q0[4 * drive->edge + 3] + turned * v3_dot(drive->axis, t);
    gamma += 2 * M_PI * nearbyint((expected - gamma) / (2 * M_PI));
    aim(work, 4 * drive->edge + 3, gamma, v3_dot(turning, t));
}

static void aim_drives(const LitheModel *model, const LitheRod *rod, LitheRodWork *work) {
    double end = end_time(&work->plan);
    for (int32_t k = 0; k < rod->drive_count; k++) {
        const LitheDrive *drive = &model->drives[rod->drives[k]];
        if (drive->stiffness > 0)
            continue;
        if (drive->kind == LITHE_DRIVE_POSITION)
            aim_point(work, drive->node, drive_point(work, drive, end),
                      v3_scale(motion_rate(work, drive, end), drive->direction));
        else if (drive->kind == LITHE_DRIVE_TWIST)
            aim(work, 4 * drive->edge + 3, drive->built_gamma + turn_at(work, drive, end),
                turn_rate(work, drive, end));
        else
            aim_clamp(rod, drive, work->drives0[4 * (int64_t)rod->drives[k] + 3], work);
    }
}

// --- loads ---------------------------------------------------------------------------------------

// adds external forces of a controller or a user
static void add_pushes(const LitheRod *rod, LitheRodWork *work) {
    work->pushed = false;
    for (int64_t i = 0; !work->pushed && i < 3 * (int64_t)rod->node_count; i++)
        work->pushed = work->pushes[i] != 0;
    for (int64_t i = 0; work->pushed && i < rod->node_count; i++)
        for (int c = 0; c < 3; c++)
            work->force[4 * i + c] += work->pushes[3 * i + c];
}

void lithe_rod_loads(const LitheModel *model, const LitheRod *rod, LitheRodWork *work) {
    double time = force_time(&work->plan);
    for (int32_t i = 0; !work->force_made && i < rod->node_count; i++) {
        double m = rod->mass[4 * i];
        v3_store(v3_scale(m, model->gravity), work->force + 4 * i);
        work->force[4 * i + 3] = 0;
    }
    add_pushes(rod, work);
    work->force_made = rod->load_count == 0 && !work->pushed;
    for (int32_t k = 0; k < rod->load_count; k++) {
        const LitheLoad *load = &rod->loads[k];
        double p = lithe_profile_at(&load->profile, time);
        double *f = work->force + 4 * load->node;
        v3_store(v3_axpy(p, load->force, v3_load(f)), f);
    }
    aim_drives(model, rod, work); // held DoFs stay: their target remains zero
}

void lithe_rod_jump(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state) {
    const LitheRod *rod = &model->rods[model->units[unit].index];
    LitheRodWork *work = lithe_rod_work(all, unit);
    size_t bytes = 4 * (size_t)rod->node_count * sizeof(double);
    double *v = state->v + rod->dof_at;
    bool exact = false;
    for (int32_t k = 0; k < rod->drive_count; k++)
        exact |= model->drives[rod->drives[k]].stiffness == 0;
    if (!exact)
        return;
    // as in a stage of length zero: the targets are velocities
    lithe_rod_anchor(rod, state, work);
    work->plan = (LitheStepPlan){.time = state->clock[0], .velocity = all->stage.velocity};
    memcpy(work->target, v, bytes);
    aim_drives(model, rod, work);
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        if (rod->held[i] && lithe_velocity_jumps(v[i], work->target[i]))
            v[i] = work->target[i];
    memset(work->target, 0, bytes);
}

// A dead moment M on an edge does work on the rotation t x de/|e| + t d(spin) of the edge, where
// the spin is the rotation about its axis:
//     (L1)  force on e: (M x t)/|e| + (M.t) zeta,   on gamma: M.t, in *twisting
static Vec3 moment_force(LitheRodEdge edge, Vec3 M, double *twisting) {
    *twisting = v3_dot(M, edge.t);
    return v3_axpy(*twisting, edge.zeta, v3_scale(edge.inverse, v3_cross(M, edge.t)));
}

// Symmetric part of the derivative of (L1) with respect to e. Where M is perpendicular to t, as in
// every plane problem, the derivative is symmetric:
//     (L2)  -[(M x t) t^T + t (M x t)^T]/|e|^2
static void add_moment_matrix(const LitheRod *rod, LitheRodWork *work, int32_t i,
                              const LitheRodEdge *edge, Vec3 M) {
    double scale = work->plan.a * work->plan.h * work->plan.h * edge->inverse * edge->inverse;
    Vec3 across = v3_cross(M, edge->t);
    const double m[3] = {across.x, across.y, across.z}, t[3] = {edge->t.x, edge->t.y, edge->t.z};
    double *own = work->matrix.panel + 48 * (int64_t)i;
    double *next = work->matrix.panel + 48 * (int64_t)rod->ends[i][1];
    for (int c = 0; c < 3; c++)
        for (int row = 0; row < 3; row++) {
            double part = scale * (m[row] * t[c] + t[row] * m[c]);
            own[12 * c + row] += part;
            own[12 * c + 4 + row] -= part;
            next[12 * c + row] += part;
        }
}

// Work of M since the anchor of the frames: exact while the edge turns in a plane or about its
// axis, and to second order otherwise. Dead moments have no potential; line searches use this
// instead.
//     (L3)  M.[rotation vector from t0 to t] + M.(t0 + t)/2 (gamma - gamma0)
static double turning_work(const LitheRodWork *work, int32_t i, Vec3 t, Vec3 M) {
    Vec3 t0 = v3_load(work->t0 + 3 * i), axis = v3_cross(t0, t);
    double sine = v3_norm(axis), angle = atan2(sine, v3_dot(t0, t));
    return sine > 0 ? v3_dot(M, axis) * (angle / sine) : 0;
}

static double moment_work(const LitheRodWork *work, int32_t i, Vec3 t, Vec3 M) {
    Vec3 t0 = v3_load(work->t0 + 3 * i);
    double twist = work->q[4 * (int64_t)i + 3] - work->q0[4 * (int64_t)i + 3];
    return turning_work(work, i, t, M) + 0.5 * v3_dot(M, v3_add(t0, t)) * twist;
}

// returns -work/a, the potential of the moments in (R3)
static double add_moments(const LitheRod *rod, LitheRodWork *work, double *residual,
                          bool want_matrix) {
    double h = work->plan.h, time = force_time(&work->plan), potential = 0;
    for (int32_t k = 0; k < rod->load_count; k++) {
        const LitheLoad *load = &rod->loads[k];
        Vec3 M = v3_scale(lithe_profile_at(&load->profile, time), load->moment);
        if (v3_dot(M, M) == 0)
            continue;
        double twisting; // M.t of (L1) [N m]
        LitheRodEdge edge = edge_at(rod, work, load->edge);
        Vec3 f = moment_force(edge, M, &twisting);
        double *a = residual + 4 * load->edge, *b = residual + 4 * rod->ends[load->edge][1];
        v3_store(v3_axpy(h, f, v3_load(a)), a);
        v3_store(v3_axpy(-h, f, v3_load(b)), b);
        a[3] -= h * twisting;
        potential -= work->plan.inverse_a * moment_work(work, load->edge, edge.t, M);
        if (want_matrix)
            add_moment_matrix(rod, work, load->edge, &edge, M);
    }
    return potential;
}

// --- PD drives -----------------------------------------------------------------------------------

// Error of a PD drive. Twist drives use only the x component.
typedef struct Gap {
    Vec3 place; // configuration minus target at the force time [m or rad]
    Vec3 speed; // w minus the rate of the target
} Gap;

static Gap gap_of(const LitheDrive *drive, const LitheRodWork *work, const double *w) {
    double time = force_time(&work->plan);
    if (drive->kind == LITHE_DRIVE_TWIST) {
        int64_t at = 4 * (int64_t)drive->edge + 3;
        double wanted = drive->built_gamma + turn_at(work, drive, time);
        double rate = turn_rate(work, drive, time);
        return (Gap){v3(work->q[at] - wanted, 0, 0), v3(w[at] - rate, 0, 0)};
    }
    int64_t at = 4 * (int64_t)drive->node;
    double rate = motion_rate(work, drive, time);
    Gap gap = {v3_sub(v3_load(work->q + at), drive_point(work, drive, time)),
               v3_axpy(-rate, drive->direction, v3_load(w + at))};
    if (drive->along_only) {
        gap.place = v3_scale(v3_dot(gap.place, drive->direction), drive->direction);
        gap.speed = v3_scale(v3_dot(gap.speed, drive->direction), drive->direction);
    }
    return gap;
}

static double damping_of(const LitheDrive *drive, const LitheStepPlan *plan) {
    return plan->still ? 0 : drive->damping;
}

// force of a PD drive
static Vec3 pd_force(const LitheDrive *drive, const LitheStepPlan *plan, Gap gap) {
    return v3_axpy(-damping_of(drive, plan), gap.speed, v3_scale(-drive->stiffness, gap.place));
}

// potential (1/a) K/2 place^2 + h D/2 speed^2, its gradient and its Hessian in w
static double pd_add(const LitheDrive *drive, LitheRodWork *work, const double *w, double *residual,
                     bool want_matrix) {
    const LitheStepPlan *plan = &work->plan;
    double h = plan->h, D = damping_of(drive, plan), K = drive->stiffness;
    double slope = plan->a * h * h * K + h * D;
    Gap gap = gap_of(drive, work, w);
    Vec3 force = pd_force(drive, plan, gap);
    double potential = 0.5 * K * plan->inverse_a * v3_dot(gap.place, gap.place) +
                       0.5 * h * D * v3_dot(gap.speed, gap.speed);
    if (drive->kind == LITHE_DRIVE_TWIST) {
        residual[4 * (int64_t)drive->edge + 3] -= h * force.x;
        if (want_matrix)
            work->matrix.panel[48 * (int64_t)drive->edge + 39] += slope;
        return potential;
    }
    double *r = residual + 4 * (int64_t)drive->node;
    v3_store(v3_axpy(-h, force, v3_load(r)), r);
    if (!want_matrix)
        return potential;
    double *panel = work->matrix.panel + 48 * (int64_t)drive->node;
    const double d[3] = {drive->direction.x, drive->direction.y, drive->direction.z};
    for (int row = 0; row < 3; row++)
        for (int c = 0; c < 3; c++)
            panel[12 * c + row] += slope * (drive->along_only ? d[row] * d[c] : row == c);
    return potential;
}

double lithe_rod_drives(const LitheModel *model, const LitheRod *rod, LitheRodWork *work,
                        const double *w, double *residual, bool want_matrix) {
    double potential = 0;
    for (int32_t k = 0; k < rod->drive_count; k++) {
        const LitheDrive *drive = &model->drives[rod->drives[k]];
        if (drive->stiffness > 0)
            potential += pd_add(drive, work, w, residual, want_matrix);
    }
    if (rod->has_moment)
        potential += add_moments(rod, work, residual, want_matrix);
    return potential;
}

// --- work ----------------------------------------------------------------------------------------

// the force of a drive or hold on a held node is the residual of that node
static Vec3 reaction(const LitheRodWork *work, const double *residual, int32_t node) {
    return v3_scale(1 / work->plan.h, v3_load(residual + 4 * node));
}

// middle of an edge of the iterate
static Vec3 middle_of(const LitheRod *rod, const LitheRodWork *work, int32_t edge) {
    return v3_mix(v3_load(work->q + 4 * edge), v3_load(work->q + 4 * rod->ends[edge][1]), 0.5);
}

// What a drive exerts, *along: force along its direction, of a twist drive the torque. A twisting
// moment g on gamma acts along tt0 (moment balance of the transported frame).
static LitheReaction drive_reaction(const LitheDrive *drive, const LitheRod *rod,
                                    const LitheRodWork *work, const double *w,
                                    const double *residual, double *along) {
    int32_t i = drive->edge, j = rod->ends[i][1];
    bool spring = drive->stiffness > 0;
    Vec3 none = v3(0, 0, 0);
    Vec3 pull = spring ? pd_force(drive, &work->plan, gap_of(drive, work, w)) : none;
    if (drive->kind == LITHE_DRIVE_POSITION) {
        Vec3 force = spring ? pull : reaction(work, residual, drive->node);
        *along = lithe_drive_along(drive, force);
        return (LitheReaction){v3_load(work->q + 4 * (int64_t)drive->node), force, none};
    }
    double g = spring ? pull.x : residual[4 * (int64_t)i + 3] / work->plan.h; // N m
    Vec3 couple = v3_scale(g, edge_at(rod, work, i).tt0);
    Vec3 middle = middle_of(rod, work, i);
    *along = g;
    if (drive->kind == LITHE_DRIVE_TWIST)
        return (LitheReaction){middle, none, couple};
    // a clamp: the forces of both nodes
    Vec3 fa = reaction(work, residual, i), fb = reaction(work, residual, j);
    Vec3 half = v3_scale(0.5, v3_sub(v3_load(work->q + 4 * j), v3_load(work->q + 4 * i)));
    Vec3 torque = v3_add(couple, v3_cross(half, v3_sub(fb, fa)));
    *along = lithe_drive_along(drive, v3_add(fa, fb));
    return (LitheReaction){middle, v3_add(fa, fb), torque};
}

// stores force, torque and position of a drive; a PD drive returns its work in the step, others 0
static double book_drive(const LitheDrive *drive, const LitheRod *rod, const LitheRodWork *work,
                         const double *w, const double *residual, double *out,
                         LitheReaction *exerted) {
    const LitheStepPlan *plan = &work->plan;
    bool twists = drive->kind == LITHE_DRIVE_TWIST;
    *exerted = drive_reaction(drive, rod, work, w, residual, &out[0]);
    out[1] = twists ? out[0] : 0;
    if (drive->kind == LITHE_DRIVE_CLAMP)
        out[1] = v3_dot(exerted->torque, drive->axis);
    out[3] = turn_at(work, drive, end_time(plan));
    out[2] = twists ? out[3] : motion_at(work, drive, end_time(plan));
    if (!(drive->stiffness > 0))
        return 0;
    if (twists)
        return plan->h * out[0] * w[4 * (int64_t)drive->edge + 3];
    return plan->h * v3_dot(exerted->force, v3_load(w + 4 * (int64_t)drive->node));
}

// adds the twisting moments of holds, and the middle of an edge that is held against twisting only
static void book_held_twists(const LitheModel *model, const LitheRod *rod, const LitheRodWork *work,
                             const double *residual, LitheReaction *reactions) {
    for (int32_t k = model->units[rod->unit].first_hold; k > 0; k = model->holds[k - 1].next) {
        const LitheHold *hold = &model->holds[k - 1];
        LitheReaction *out = &reactions[k - 1];
        LitheWrenchSum middles = {0};
        bool placed = false;
        for (int32_t n = 0; n < hold->count; n++) {
            int64_t i = hold->nodes[n];
            placed |= (hold->masks[n] & LITHE_HOLD_POSITION) != 0;
            if (!(hold->masks[n] & LITHE_HOLD_TWIST))
                continue;
            lithe_wrench_add(&middles, middle_of(rod, work, (int32_t)i), v3(0, 0, 0));
            out->torque = v3_axpy(residual[4 * i + 3] / work->plan.h,
                                  edge_at(rod, work, (int32_t)i).tt0, out->torque);
        }
        if (!placed)
            out->point = lithe_wrench_end(&middles, v3(0, 0, 0)).point;
    }
}

// work of the dead loads and pushes in the step
static double load_work(const LitheRod *rod, const LitheRodWork *work, const double *w) {
    double h = work->plan.h, done = 0;
    for (int64_t i = 0; work->pushed && i < rod->node_count; i++)
        done += h * v3_dot(v3_load(work->pushes + 3 * i), v3_load(w + 4 * i));
    for (int32_t k = 0; k < rod->load_count; k++) {
        const LitheLoad *load = &rod->loads[k];
        double p = h * lithe_profile_at(&load->profile, force_time(&work->plan));
        done += p * v3_dot(load->force, v3_load(w + 4 * load->node));
        if (v3_dot(load->moment, load->moment) == 0)
            continue;
        LitheRodEdge edge = edge_at(rod, work, load->edge);
        if (work->plan.still) { // a search turns edges far in one step
            const double *a = work->q0 + 4 * load->edge,
                         *b = work->q0 + 4 * rod->ends[load->edge][1];
            Vec3 before = v3_unit(v3_sub(v3_load(b), v3_load(a)));
            done += p * (moment_work(work, load->edge, edge.t, load->moment) -
                         turning_work(work, load->edge, before, load->moment));
            continue;
        }
        double twisting; // M.t of (L1) [N m]
        Vec3 f = moment_force(edge, load->moment, &twisting);
        int32_t i = load->edge, j = rod->ends[i][1];
        done += p * (v3_dot(f, v3_sub(v3_load(w + 4 * j), v3_load(w + 4 * i))) +
                     twisting * w[4 * i + 3]);
    }
    return done;
}

// viscous losses of the step: h w'Dw
static double losses(const LitheRod *rod, LitheRodWork *work, const double *w) {
    int64_t dofs = 4 * (int64_t)rod->node_count;
    double lost = 0;
    for (int64_t i = 0; i < dofs - (rod->closed ? 0 : 1); i++)
        lost += rod->damping_mass * rod->mass[i] * w[i] * w[i];
    if (rod->drag_normal > 0 || rod->drag_tangent > 0)
        for (int32_t i = 0; i < rod->node_count; i++) {
            const double *d = work->drag + 6 * i, *x = w + 4 * i;
            lost += d[0] * x[0] * x[0] + d[3] * x[1] * x[1] + d[5] * x[2] * x[2] +
                    2 * (d[1] * x[0] * x[1] + d[2] * x[0] * x[2] + d[4] * x[1] * x[2]);
        }
    if (work->damping_panel) {
        const double *damped = lithe_rod_damped(rod, work, w);
        for (int64_t i = 0; i < dofs; i++)
            lost += w[i] * damped[i];
    }
    return work->plan.h * lost;
}

void lithe_rod_add_damping(const LitheRod *rod, LitheRodWork *work, const double *w,
                           double *force) {
    int64_t dofs = 4 * (int64_t)rod->node_count;
    for (int64_t i = 0; i < dofs - (rod->closed ? 0 : 1); i++)
        force[i] += rod->damping_mass * rod->mass[i] * w[i];
    if (rod->drag_normal > 0 || rod->drag_tangent > 0)
        for (int64_t i = 0; i < rod->node_count; i++) {
            const double *d = work->drag + 6 * i, *x = w + 4 * i;
            force[4 * i] += d[0] * x[0] + d[1] * x[1] + d[2] * x[2];
            force[4 * i + 1] += d[1] * x[0] + d[3] * x[1] + d[4] * x[2];
            force[4 * i + 2] += d[2] * x[0] + d[4] * x[1] + d[5] * x[2];
        }
    if (work->damping_panel) {
        const double *damped = lithe_rod_damped(rod, work, w);
        for (int64_t i = 0; i < dofs; i++)
            force[i] += damped[i];
    }
}

// (A5): viscous losses of the first stage of TR-BDF2
static double stage_losses(const LitheRod *rod, LitheRodWork *work, const double *w,
                           LitheWork *all) {
    double *force = all->stage.damping + rod->dof_at;
    lithe_rod_add_damping(rod, work, w, force);
    return lithe_first_stage_losses(all, rod->dof_at, 4 * (int64_t)rod->node_count, work->plan.h,
                                    w);
}

void lithe_rod_store_results(const LitheModel *model, const LitheRod *rod, LitheRodWork *work,
                             const double *w, const double *residual, LitheWork *all,
                             LitheState *state, int32_t rod_index) {
    // A held mass m whose velocity changes from v0 to w takes the energy m (w^2 - v0^2)/2, not
    // m w (w - v0). A stage counts only the power of its reactions without this inertia: the step
    // combines the powers of its stages and adds the energy (lithe_rod_held_energy).
    double done = load_work(rod, work, w);
    bool staged = work->plan.velocity;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++) {
        double dv = work->plan.still ? 0 : w[i] - work->v0[i];
        double inertia = rod->mass[i] * dv * (staged ? w[i] : 0.5 * dv);
        if (rod->held[i])
            done += residual[i] * w[i] - inertia;
    }
    for (int32_t k = 0; k < rod->drive_count; k++) {
        int64_t drive = rod->drives[k];
        done += book_drive(&model->drives[drive], rod, work, w, residual, state->drives + 4 * drive,
                           &all->reactions[model->hold_count + drive]);
    }
    lithe_holds_book(model, rod->unit, work->q, residual, 4, work->plan.h, all);
    book_held_twists(model, rod, work, residual, all->reactions);
    double *sums = state->sums + 2 * (int64_t)rod_index;
    if (work->plan.stage == 1)
        sums[0] += stage_losses(rod, work, w, all);
    else
        sums[0] += work->plan.still ? 0 : losses(rod, work, w);
    sums[1] += done;
}

double lithe_rod_power(const LitheModel *model, const LitheRod *rod, LitheRodWork *work,
                       const double *w, const double *residual) {
    double h = work->plan.h, done = load_work(rod, work, w), spare[4] = {0};
    LitheReaction exerted;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        done += rod->held[i] ? residual[i] * w[i] : 0;
    for (int32_t k = 0; k < rod->drive_count; k++)
        done += book_drive(&model->drives[rod->drives[k]], rod, work, w, residual, spare, &exerted);
    return done / h;
}

double lithe_rod_held_energy(const LitheRod *rod, const double *v) {
    double energy = 0;
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        energy += rod->held[i] ? 0.5 * rod->mass[i] * v[i] * v[i] : 0;
    return energy;
}
