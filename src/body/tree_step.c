// SPDX-License-Identifier: Apache-2.0
// body/tree_step.c - semi-implicit Euler step of an articulated tree, and what both steps share
//
// With K and D the diagonals of stiffness and damping of springs, dampers and drives, f their
// forces at (q0, v = 0), M and b at q0:
//     (20)  (M + h D + h^2 K) w = M v0 + h (f + effort - b(q0, u))
//     (21)  q1 = q0 (+) h w,  v1 = w
// The velocity u of the gyroscopic forces is v0 at first, then (v0 + w)/2. At a fixed point of that
// a free body obeys the midpoint rule of Euler's equations, which keeps its energy.

#include "body/tree.h"

#include "law/joint.h"
#include "sparse/dense.h"

#include <string.h>

LitheRigidStep lithe_rigid_step_default(double h) {
    return (LitheRigidStep){.h = h, .tolerance = 1e-12, .max_iterations = 30};
}

// --- layout --------------------------------------------------------------------------------------

enum { MATRICES = 3, VECTORS = 13 };

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

LitheRigidStepWork lithe_rigid_step_work_lay(const LitheRigidTree *tree, void *memory) {
    LitheRigidStepWork work = {.tree = lithe_rigid_work_lay(tree, memory)};
    ptrdiff_t n = tree->v_count;
    double *at = (double *)((char *)memory + lithe_rigid_work_size(tree));
    double **matrices[MATRICES] = {&work.mass, &work.matrix, &work.slope};
    double **vectors[VECTORS] = {
        &work.stiffness, &work.damping, &work.given, &work.rate, &work.w,    &work.r,    &work.dx,
        &work.trial,     &work.trial_r, &work.p0,    &work.bias, &work.load, &work.scale};
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

void lithe_rigid_gather(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q,
                        LitheRigidStepWork *work) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        int32_t count = lithe_joint_v_count(link->kind);
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
        int32_t k = link->v_at;
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
            work->held[k] = 1;
            work->given[k] = (drive->target - q[link->q_at]) / step->h;
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
        double qi = q[link->q_at], vi = v ? v[link->v_at] : 0, own = 0;
        if (drive->kind == LITHE_ACTUATOR_FORCE)
            own = drive->target;
        if (drive->kind == LITHE_ACTUATOR_POSITION)
            own = drive->stiffness * (drive->target - qi) - drive->damping * vi;
        if (drive->kind == LITHE_ACTUATOR_VELOCITY)
            own = drive->damping * (drive->target - vi);
        effort[link->v_at] += drive->gear * own;
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

void lithe_rigid_euler_system(const LitheRigidTree *tree, const LitheRigidStep *step,
                              const double *q, const double *v, const double *v_bias,
                              LitheRigidStepWork *work) {
    int32_t n = tree->v_count;
    double h = step->h;
    lithe_rigid_gather(tree, step, q, work);
    lithe_rigid_place(tree, q, &work->tree);
    lithe_rigid_move(tree, v_bias, &work->tree);
    lithe_rigid_mass_matrix(tree, &work->tree, work->mass);
    lithe_rigid_inverse_dynamics(tree, step->gravity, NULL, &work->tree, work->bias);

    // left side of (20)
    memcpy(work->matrix, work->mass, (size_t)n * (size_t)n * sizeof *work->matrix);
    for (int32_t k = 0; k < n; k++)
        work->matrix[(ptrdiff_t)n * k + k] += h * (work->damping[k] + h * work->stiffness[k]);

    // right side
    for (int32_t k = 0; k < n; k++)
        work->load[k] = (step->effort ? step->effort[k] : 0) - work->bias[k];
    lithe_rigid_add_passive(tree, q, NULL, work->load);
    lithe_rigid_add_drives(tree, step, q, NULL, work->load);
    lithe_dense_multiply(n, work->mass, v, work->p0);
    for (int32_t k = 0; k < n; k++)
        work->load[k] = work->p0[k] + h * work->load[k];
}

// w = matrix\load with held DoFs at their velocities; the factored matrix stays in `slope`
static bool solve_locked(int32_t n, bool factored, LitheRigidStepWork *work) {
    for (int32_t i = 0; i < n; i++) {
        work->w[i] = work->held[i] ? 0 : work->load[i];
        for (int32_t j = 0; !work->held[i] && j < n; j++)
            work->w[i] -= work->held[j] ? work->matrix[(ptrdiff_t)n * i + j] * work->given[j] : 0;
    }
    if (!factored) {
        memcpy(work->slope, work->matrix, (size_t)n * (size_t)n * sizeof *work->slope);
        if (!lithe_rigid_lock_factor(n, work->held, work->slope))
            return false;
    }
    lithe_dense_solve(n, work->slope, work->w);
    for (int32_t i = 0; i < n; i++)
        work->w[i] = work->held[i] ? work->given[i] : work->w[i];
    return true;
}

// |x|_D with D = diag(matrix)^-1/2
static double scaled_norm(int32_t n, const double *matrix, const double *x) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += x[k] * x[k] / matrix[(ptrdiff_t)(n + 1) * k];
    return sqrt(sum);
}

// gyroscopic forces anew at the mean velocity: corrects load, returns the relative change
static double renew_bias(const LitheRigidTree *tree, const LitheRigidStep *step, const double *v,
                         LitheRigidStepWork *work) {
    int32_t n = tree->v_count;
    for (int32_t k = 0; k < n; k++)
        work->trial[k] = 0.5 * (v[k] + work->w[k]);
    lithe_rigid_move(tree, work->trial, &work->tree);
    lithe_rigid_inverse_dynamics(tree, step->gravity, NULL, &work->tree, work->r);
    for (int32_t k = 0; k < n; k++) {
        work->dx[k] = step->h * (work->bias[k] - work->r[k]);
        work->load[k] += work->dx[k];
        work->bias[k] = work->r[k];
        work->dx[k] = work->held[k] ? 0 : work->dx[k];
    }
    double scale = scaled_norm(n, work->matrix, work->load);
    double change = scaled_norm(n, work->matrix, work->dx);
    return scale > 0 ? change / scale : change;
}

// drives at the end of the step; reactions of prescribed joints from (20)
static void report_effort(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q,
                          LitheRigidStepWork *work, double *effort) {
    int32_t n = tree->v_count;
    memset(effort, 0, (size_t)n * sizeof *effort);
    lithe_rigid_add_drives(tree, step, q, work->w, effort);
    for (int32_t i = 0; i < n; i++) {
        if (!work->held[i])
            continue;
        double sum = -work->load[i];
        for (int32_t j = 0; j < n; j++)
            sum += work->matrix[(ptrdiff_t)n * i + j] * work->w[j];
        effort[i] = sum / step->h;
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
    lithe_rigid_euler_system(tree, step, q, v, v, work);
    if (!solve_locked(n, false, work))
        return outcome;
    for (;;) {
        outcome.residual = renew_bias(tree, step, v, work);
        outcome.converged = outcome.residual <= step->tolerance;
        if (outcome.converged || outcome.iterations >= step->max_iterations)
            break;
        outcome.iterations++;
        solve_locked(n, true, work);
    }
    if (!all_finite(work->w, n))
        return outcome;

    lithe_rigid_advance(tree, q, step->h, work->w, q);
    memcpy(v, work->w, (size_t)n * sizeof *v);
    if (effort)
        report_effort(tree, step, q, work, effort);
    outcome.made = true;
    return outcome;
}
