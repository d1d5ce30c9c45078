// SPDX-License-Identifier: Apache-2.0
// body/tree_step.c - semi-implicit Euler step of an articulated tree, and common parts of both
// steps
//
// With K and D the diagonals of stiffness and damping of springs, dampers and drives, f their
// forces at (q0, v = 0), M and b at q0:
//     (20)  (M + h D + h^2 K) w = M v0 + h (f + effort - b(q0, u))
//     (21)  q1 = q0 (+) h w,  v1 = w
// The gyroscopic forces b are evaluated at the velocity u = (v0 + w)/2: a free body then obeys the
// midpoint rule of Euler's equations, which conserves its energy. A stage of TR-BDF2
// (LitheRigidStep.velocity) has M and the forces at its predicted end, springs linear about it, and
// u = w.

#include "body/tree.h"

#include "law/joint.h"
#include "sparse/dense.h"

#include <string.h>

LitheRigidStep lithe_rigid_step_default(double h) {
    return (LitheRigidStep){.h = h, .tolerance = 1e-12, .max_iterations = 30};
}

// --- layout --------------------------------------------------------------------------------------

enum { MATRICES = 3, VECTORS = 14 };

size_t lithe_rigid_step_work_size(const LitheRigidTree *tree) {
    size_t n = (size_t)tree->v_count;
    size_t doubles = MATRICES * n * n + VECTORS * n + (size_t)tree->q_count;
    return lithe_rigid_work_size(tree) + doubles * sizeof(double) + n * sizeof(int32_t) + n;
}

static double *take(double **at, ptrdiff_t count) {
    double *own = *at;
    *at += count;
    return own;
}

LitheRigidStepWork lithe_rigid_step_work_layout(const LitheRigidTree *tree, void *memory) {
    LitheRigidStepWork work = {.tree = lithe_rigid_work_layout(tree, memory)};
    ptrdiff_t n = tree->v_count;
    double *at = (double *)((char *)memory + lithe_rigid_work_size(tree));
    double **matrices[MATRICES] = {&work.mass, &work.matrix, &work.slope};
    double **vectors[VECTORS] = {&work.stiffness, &work.damping, &work.given, &work.rate,
                                 &work.diagonal,  &work.w,       &work.r,     &work.dx,
                                 &work.trial,     &work.trial_r, &work.p0,    &work.bias,
                                 &work.force,     &work.load};
    for (int i = 0; i < MATRICES; i++)
        *matrices[i] = take(&at, n * n);
    for (int i = 0; i < VECTORS; i++)
        *vectors[i] = take(&at, n);
    work.q = take(&at, tree->q_count);
    work.order = (int32_t *)at;
    work.held = (unsigned char *)(work.order + n);
    return work;
}

// --- springs, dampers, drives --------------------------------------------------------------------

// all DoFs of a free joint, as below
static void prescribe_pose(const LitheRigidStep *step, const LitheRigidDrive *drive,
                           const double *q, int32_t k, LitheRigidStepWork *work) {
    double d[LITHE_JOINT_MAX_V];
    lithe_joint_difference(LITHE_JOINT_FREE, q, drive->pose, d);
    for (int c = 0; c < LITHE_JOINT_MAX_V; c++) {
        work->held[k + c] = 1;
        work->given[k + c] = d[c] / step->h + (step->velocity ? step->guess[k + c] : 0);
        work->rate[k + c] = drive->pose[LITHE_JOINT_MAX_Q + c];
    }
}

void lithe_rigid_gather(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q,
                        LitheRigidStepWork *work) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        int32_t count = lithe_link_dof_count(link);
        for (int32_t k = link->v_at; k < link->v_at + count; k++) {
            work->stiffness[k] = link->stiffness;
            work->damping[k] = link->damping;
            work->held[k] = 0;
            work->given[k] = work->rate[k] = 0;
        }
    }
    for (int32_t i = 0; i < step->drive_count; i++) {
        const LitheRigidDrive *drive = &step->drives[i];
        const LitheRigidLink *link = &tree->links[drive->link];
        int32_t k = link->v_at + drive->dof;
        switch (drive->kind) {
        case LITHE_ACTUATOR_FORCE:
            break;
        case LITHE_ACTUATOR_POSITION:
            work->stiffness[k] += drive->gear * drive->stiffness;
            work->damping[k] += drive->gear * drive->damping;
            break;
        case LITHE_ACTUATOR_VELOCITY:
            work->damping[k] += drive->gear * drive->damping;
            break;
        case LITHE_ACTUATOR_PRESCRIBED:
            if (drive->pose) {
                prescribe_pose(step, drive, q + link->q_at, k, work);
                break;
            }
            work->held[k] = 1;
            // velocity from q to the target. q is the start of the step; in a stage it is the
            // configuration with w = guess
            work->given[k] = (drive->target - q[link->q_at + drive->dof]) / step->h;
            if (step->velocity)
                work->given[k] = drive->by_steps ? work->given[k] + step->guess[k] : drive->rate;
            work->rate[k] = drive->rate;
            break;
        }
    }
}

void lithe_rigid_add_drives(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q,
                            const double *v, double *effort) {
    for (int32_t i = 0; i < step->drive_count; i++) {
        const LitheRigidDrive *drive = &step->drives[i];
        const LitheRigidLink *link = &tree->links[drive->link];
        int32_t k = link->v_at + drive->dof;
        double qi = q[link->q_at + drive->dof], vi = v ? v[k] : 0, own = 0;
        if (drive->kind == LITHE_ACTUATOR_FORCE)
            own = drive->target;
        if (drive->kind == LITHE_ACTUATOR_POSITION)
            own = drive->stiffness * (drive->target - qi) - drive->damping * vi;
        if (drive->kind == LITHE_ACTUATOR_VELOCITY)
            own = drive->damping * (drive->target - vi);
        effort[k] += drive->gear * own;
    }
}

// --- the linear system ---------------------------------------------------------------------------

bool lithe_rigid_lock_factor(int32_t n, const unsigned char *held, double *matrix) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++)
            if (held[i] || held[j])
                matrix[(ptrdiff_t)n * i + j] = i == j;
    return lithe_dense_factor_positive(n, matrix) < 0;
}

// y = M x; both triangles of M are stored, so that columns are rows, and the sums vectors
static void multiply(int32_t n, const double *mass, const double *x, double *restrict y) {
    memset(y, 0, (size_t)n * sizeof *y);
    for (int32_t j = 0; j < n; j++, mass += n)
        for (int32_t i = 0; i < n; i++)
            y[i] += mass[i] * x[j];
}

void lithe_rigid_euler_system(const LitheRigidTree *tree, const LitheRigidStep *step,
                              const double *q, const double *v, LitheRigidStepWork *work) {
    int32_t n = tree->v_count;
    double h = step->h;
    lithe_rigid_gather(tree, step, q, work);
    lithe_rigid_place(tree, q, &work->tree);
    lithe_rigid_mass_matrix(tree, &work->tree, work->mass);
    multiply(n, work->mass, step->velocity ? step->velocity : v, work->p0);
    memcpy(work->matrix, work->mass, (size_t)n * (size_t)n * sizeof *work->matrix);
    for (int32_t k = 0; k < n; k++)
        work->matrix[(ptrdiff_t)n * k + k] += h * (work->damping[k] + h * work->stiffness[k]);
}

// --- the step ------------------------------------------------------------------------------------

void lithe_rigid_euler_residual(const LitheRigidTree *tree, const LitheRigidStep *step,
                                const double *q0, const double *v0, const double *w,
                                LitheRigidStepWork *work, double *r) {
    int32_t n = tree->v_count;
    double h = step->h;
    // gyroscopic forces at the mean velocity, in a stage at the velocity of its end; poses are
    // still those of the start of the step, or of the predicted end of the stage
    for (int32_t k = 0; k < n; k++)
        r[k] = step->velocity ? w[k] : 0.5 * (v0[k] + w[k]);
    lithe_rigid_move(tree, r, &work->tree);
    lithe_rigid_inverse_dynamics(tree, step->gravity, NULL, &work->tree, work->bias);

    for (int32_t k = 0; k < n; k++)
        work->force[k] = (step->effort ? step->effort[k] : 0) - work->bias[k];
    lithe_rigid_add_passive(tree, q0, NULL, work->force);
    lithe_rigid_add_drives(tree, step, q0, NULL, work->force);
    multiply(n, work->mass, w, r);
    for (int32_t k = 0; k < n; k++) {
        work->force[k] -= (work->damping[k] + h * work->stiffness[k]) * w[k];
        if (step->velocity)
            work->force[k] += h * work->stiffness[k] * v0[k];
        r[k] -= work->p0[k] + h * work->force[k];
    }
}

static bool all_finite(const double *x, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += x[i] * 0;
    return sum == 0;
}

LitheRigidOutcome lithe_rigid_step_euler(const LitheRigidTree *tree, const LitheRigidStep *step,
                                         double *q, double *v, double *effort,
                                         LitheRigidStepWork *work) {
    LitheRigidOutcome outcome = {0};
    int32_t n = tree->v_count;
    lithe_rigid_euler_system(tree, step, q, v, work);
    for (int32_t k = 0; k < n; k++) {
        work->diagonal[k] = work->matrix[(ptrdiff_t)(n + 1) * k];
        work->w[k] = work->held[k] ? work->given[k] : v[k];
    }
    if (!lithe_rigid_lock_factor(n, work->held, work->matrix))
        return outcome;
    lithe_rigid_newton(tree, step, q, v, lithe_rigid_euler_residual, 1, work, &outcome);
    outcome.made = lithe_rigid_euler_end(tree, step, q, v, effort, work);
    return outcome;
}

// q (+) h (w - v) of a stage; prescribed joints are set to their targets
static void end_stage(const LitheRigidTree *tree, const LitheRigidStep *step, double *q,
                      const double *v, LitheRigidStepWork *work) {
    for (int32_t k = 0; k < tree->v_count; k++)
        work->dx[k] = work->w[k] - v[k];
    lithe_rigid_advance(tree, q, step->h, work->dx, q);
    for (int32_t i = 0; i < step->drive_count; i++)
        if (step->drives[i].pose)
            memcpy(q + tree->links[step->drives[i].link].q_at, step->drives[i].pose,
                   LITHE_JOINT_MAX_Q * sizeof *q);
        else if (step->drives[i].kind == LITHE_ACTUATOR_PRESCRIBED)
            q[tree->links[step->drives[i].link].q_at + step->drives[i].dof] =
                step->drives[i].target;
}

bool lithe_rigid_euler_end(const LitheRigidTree *tree, const LitheRigidStep *step, double *q,
                           double *v, double *effort, LitheRigidStepWork *work) {
    int32_t n = tree->v_count;
    if (!all_finite(work->w, n))
        return false;

    // drives at the end of the step; reactions of prescribed joints satisfy (20)
    bool any_held = false;
    for (int32_t k = 0; k < n; k++)
        any_held |= work->held[k];
    if (effort && any_held)
        lithe_rigid_euler_residual(tree, step, q, v, work->w, work, work->r);
    if (step->velocity)
        end_stage(tree, step, q, v, work);
    else
        lithe_rigid_advance(tree, q, step->h, work->w, q);
    memcpy(v, work->w, (size_t)n * sizeof *v);
    if (effort) {
        memset(effort, 0, (size_t)n * sizeof *effort);
        lithe_rigid_add_drives(tree, step, q, v, effort);
        for (int32_t k = 0; k < n; k++)
            effort[k] = work->held[k] ? work->r[k] / step->h : effort[k];
    }
    return true;
}
