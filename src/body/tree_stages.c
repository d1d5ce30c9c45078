// SPDX-License-Identifier: Apache-2.0
// body/tree_stages.c - trees in the stages of TR-BDF2: accelerations, energies, displacements

#include "body/control.h"
#include "body/tree.h"
#include "body/tree_body.h"
#include "law/joint.h"
#include "sparse/dense.h"

#include <math.h>
#include <string.h>

static const LitheTree *tree_of(const LitheModel *model, int32_t unit) {
    return &model->trees[model->units[unit].index];
}

void lithe_tree_shift(const LitheModel *model, int32_t unit, const double *by, LitheWork *all,
                      LitheState *state) {
    double *q = state->q + model->units[unit].q_at;
    (void)all;
    lithe_rigid_advance(&tree_of(model, unit)->rigid, q, 1, by, q);
}

void lithe_tree_advance(const LitheModel *model, int32_t unit, const LitheState *from,
                        const double *v, double time, LitheState *to) {
    int64_t at = model->units[unit].q_at;
    lithe_rigid_advance(&tree_of(model, unit)->rigid, from->q + at, time, v, to->q + at);
}

void lithe_tree_difference(const LitheModel *model, int32_t unit, const LitheState *from,
                           const LitheState *to, double *d) {
    int64_t at = model->units[unit].q_at;
    lithe_rigid_difference(&tree_of(model, unit)->rigid, from->q + at, to->q + at, d);
}

// accelerations of prescribed joints, as differences over the step
static void prescribed_accelerations(const LitheModel *model, const LitheTree *tree,
                                     const LitheState *state, double h, double *a) {
    memset(a, 0, (size_t)tree->rigid.v_count * sizeof *a);
    for (int32_t k = 0; k < tree->actuator_count; k++) {
        const LitheActuator *actuator = &tree->actuators[k];
        if (actuator->drive.kind != LITHE_ACTUATOR_PRESCRIBED)
            continue;
        const double *command = lithe_command_of_actuator(model, state, actuator->number);
        double t = state->clock[0];
        a[tree->rigid.links[actuator->drive.link].v_at + actuator->drive.dof] =
            (lithe_command_rate(&actuator->target, command, t + 0.5 * h) -
             lithe_command_rate(&actuator->target, command, t - 0.5 * h)) /
            h;
    }
}

bool lithe_tree_accelerate(const LitheModel *model, int32_t unit, const LitheState *state,
                           const LitheStepPlan *plan, const double *force, LitheWork *all,
                           double *a, double *damping, double *power) {
    const LitheTree *tree = tree_of(model, unit);
    LitheTreeWork *work = lithe_tree_work(all, unit);
    LitheRigidStepWork *own = &work->step;
    const LitheRigidTree *rigid = &tree->rigid;
    int32_t n = rigid->v_count;
    const double *q = state->q + tree->q_at, *v = state->v + tree->v_at;
    lithe_tree_step_begin(model, tree, state, plan, all->before, work);
    lithe_rigid_gather(rigid, &work->plan, q, own);
    lithe_rigid_place(rigid, q, &own->tree);
    lithe_rigid_move(rigid, v, &own->tree);
    lithe_rigid_mass_matrix(rigid, &own->tree, own->mass);
    lithe_rigid_inverse_dynamics(rigid, model->gravity, NULL, &own->tree, own->bias);
    memset(own->load, 0, (size_t)n * sizeof *own->load);
    lithe_rigid_add_drives(rigid, &work->plan, q, v, own->load);
    for (int32_t k = 0; k < n; k++)
        own->force[k] = own->load[k] + work->outer[k] * work->pushed;
    lithe_rigid_add_passive(rigid, q, v, own->force);
    prescribed_accelerations(model, tree, state, plan->h, own->trial);
    lithe_dense_multiply(n, own->mass, own->trial, own->r);
    *power = 0;
    bool held = false;
    for (int32_t k = 0; k < n; k++) {
        double f = own->force[k] + force[k] - own->bias[k];
        a[k] = own->held[k] ? 0 : f - own->r[k];
        work->drawn[k] = own->held[k] ? -f : 0;
        if (!own->held[k])
            *power += (own->load[k] + work->outer[k] * work->pushed) * v[k];
        held |= own->held[k];
    }
    if (damping)
        memset(damping, 0, (size_t)n * sizeof *damping);
    for (int32_t i = 0; damping && i < rigid->link_count; i++) {
        const LitheRigidLink *link = &rigid->links[i];
        for (int32_t k = link->v_at; k < link->v_at + lithe_link_dof_count(link); k++)
            damping[k] = link->damping * v[k];
    }
    // (A1): the change of the energy is added at the end of the step
    if (lithe_tree_is_prescribed(tree, work)) {
        *power = 0;
        for (int32_t k = 0; k < n; k++)
            *power -= force[k] * v[k];
    }
    if (held)
        memcpy(own->slope, own->mass, (size_t)n * (size_t)n * sizeof(double));
    if (!lithe_rigid_lock_factor(n, own->held, own->mass))
        return false;
    lithe_dense_solve(n, own->mass, a);
    for (int32_t k = 0; k < n; k++)
        a[k] = own->held[k] ? own->trial[k] : a[k];
    // (A3): what the drives of prescribed DoFs do at the start, M a - f
    if (held)
        lithe_dense_multiply(n, own->slope, a, own->r);
    for (int32_t k = 0; k < n && held; k++)
        if (own->held[k])
            work->drawn[k] = LITHE_STAGE_W * plan->h *
                             (work->drawn[k] + own->r[k] + work->outer[k] * work->pushed);
    return true;
}

// uses the mass matrix of the last stage, which evaluate does not change
void lithe_tree_unmass(const LitheModel *model, int32_t unit, const LitheWork *all, double *x) {
    LitheRigidStepWork *own = &lithe_tree_work(all, unit)->step;
    int32_t n = tree_of(model, unit)->rigid.v_count;
    memcpy(own->slope, own->mass, (size_t)n * (size_t)n * sizeof(double));
    for (int32_t k = 0; k < n; k++)
        x[k] = own->held[k] ? 0 : x[k];
    if (lithe_rigid_lock_factor(n, own->held, own->slope))
        lithe_dense_solve(n, own->slope, x);
}

void lithe_tree_energies(const LitheModel *model, int32_t unit, const LitheState *state,
                         LitheWork *all, LitheUnitTotals *out) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidWork *work = &lithe_tree_work(all, unit)->step.tree;
    const double *q = state->q + tree->q_at, *v = state->v + tree->v_at;
    lithe_rigid_place(rigid, q, work);
    lithe_rigid_move(rigid, v, work);
    // the start of a step is the end of the one before
    if (!work->summed) {
        double springs = lithe_rigid_potential_energy(rigid, work, v3(0, 0, 0), q);
        work->energies[0] = lithe_rigid_kinetic_energy(rigid, work, v);
        work->energies[1] = springs;
        work->energies[2] = lithe_rigid_potential_energy(rigid, work, model->gravity, q) - springs;
        work->summed = true;
    }
    out->kinetic += work->energies[0];
    out->elastic += work->energies[1];
    out->gravity += work->energies[2];
}

// Substeps of (40) in a step of TR-BDF2. With one substep the error of the rotation would be five
// times that of the stages, with four it is a third of it.
#define FLY_PIECES 4

// One free body moves by (40) of body/tree_midpoint.c, which conserves energy and angular momentum.
// In the stages it would lose both: the faster it spins, the more.
void lithe_tree_fly(const LitheModel *model, int32_t unit, const LitheState *before, double h,
                    LitheWork *all, LitheState *state) {
    const LitheTree *tree = tree_of(model, unit);
    double q[7], v[6];
    if (!lithe_rigid_is_free_body(&tree->rigid) || lithe_tree_work(all, unit)->pushed)
        return;
    LitheRigidStep step = lithe_rigid_step_default(h / FLY_PIECES);
    step.gravity = model->gravity;
    memcpy(q, before->q + tree->q_at, sizeof q);
    memcpy(v, before->v + tree->v_at, sizeof v);
    for (int i = 0; i < FLY_PIECES; i++)
        if (!lithe_rigid_step_free(&tree->rigid, &step, q, v, NULL).made)
            return;
    memcpy(state->q + tree->q_at, q, sizeof q);
    memcpy(state->v + tree->v_at, v, sizeof v);
}

// The axis of a link with a single rotating DoF between it and the world stays.
double lithe_tree_rotation(const LitheModel *model, int32_t unit, const LitheState *state,
                           const LitheWork *all) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidWork *work = &lithe_tree_work(all, unit)->step.tree;
    double max = 0;
    lithe_rigid_place(rigid, state->q + tree->q_at, work);
    lithe_rigid_move(rigid, state->v + tree->v_at, work);
    for (int32_t i = 0; i < rigid->link_count; i++) {
        int rotating = 0;
        if (rigid->links[i].shares) // the tip of its section turns faster
            continue;
        for (int32_t k = i; k >= 0; k = rigid->links[k].parent) {
            const LitheRigidLink *link = &rigid->links[k];
            Spatial own[LITHE_JOINT_MAX_V];
            const Spatial *columns = lithe_rigid_columns(rigid, work, k, own);
            for (int32_t c = 0; c < lithe_joint_v_count(link->kind); c++)
                rotating += v3_norm(columns[c].ang) > 0;
        }
        if (rotating > 1)
            max = fmax(max, v3_norm(lithe_rigid_velocity(rigid, work, i).ang));
    }
    bool flies = all->stage.made && lithe_rigid_is_free_body(rigid) && !all->units[unit].coupled;
    return flies ? max / FLY_PIECES : max;
}

// All motion of a tree that is attached to the world is non-rigid. A free tree is not changed: a
// change of its joint velocities would change its momentum.
double lithe_tree_calm(const LitheModel *model, int32_t unit, LitheWork *all, double factor,
                       LitheState *state) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidWork *work = &lithe_tree_work(all, unit)->step.tree;
    double *v = state->v + tree->v_at;
    if (rigid->links[0].kind == LITHE_JOINT_FREE)
        return 0;
    for (int32_t k = 0; k < rigid->v_count; k++)
        v[k] *= factor;
    lithe_rigid_place(rigid, state->q + tree->q_at, work);
    lithe_rigid_move(rigid, v, work);
    return lithe_rigid_kinetic_energy(rigid, work, v);
}

// a free root moves along the columns of its three translations
double lithe_tree_drift(const LitheModel *model, int32_t unit, const LitheState *state,
                        LitheWork *all, double *v) {
    const LitheTree *tree = tree_of(model, unit);
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidWork *work = &lithe_tree_work(all, unit)->step.tree;
    Vec3 momentum, angular;
    memset(v, 0, (size_t)rigid->v_count * sizeof(double));
    if (rigid->links[0].kind != LITHE_JOINT_FREE)
        return 0;
    lithe_rigid_place(rigid, state->q + tree->q_at, work);
    lithe_rigid_move(rigid, state->v + tree->v_at, work);
    double mass = lithe_rigid_centre(rigid, work, NULL);
    lithe_rigid_momentum(rigid, work, v3(0, 0, 0), &momentum, &angular);
    for (int c = 0; c < 3; c++)
        v[rigid->links[0].v_at + c] = v3_dot(work->columns[c].lin, momentum) / mass;
    return 0.5 * v3_dot(momentum, momentum) / mass;
}
