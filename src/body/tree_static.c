// SPDX-License-Identifier: Apache-2.0
// body/tree_static.c - a proximal step of a tree: springs, drives and gravity, without velocities
//
//     (Q3)  r(u) = c M u - f(q0 (+) u),   f = outer - b(q, 0) + springs + drives at rest
//     (Q4)  A = c M + K,  K the springs and the symmetric part of db/du
//     (Q5)  potential = c/2 |u|_M^2 + V(q0 (+) u) - forces . displacements - moments'u
//
// M is that of q0; `outer`, the efforts of external forces, are those of q0 (+) u. The gradient of
// (Q5) is (Q3) up to the rotation of a free or ball joint and of moments within the step, which
// vanish with u. Dampers, rates of targets and velocity drives do not act in a static step.
// Equations: docs/theory/statics.md.

#include "body/tree_body.h"

#include "body/tree.h"
#include "law/joint.h"
#include "sparse/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

// displacement of the central differences of b [rad or m]: an error of 1e-10 from curvature, and
// as much from rounding
#define DIFFERENCE 1e-5

// roundings of a sum of energies: (Q5) is a difference of two
#define ROUNDINGS 32

static const LitheTree *tree_of(const LitheModel *model, int32_t unit) {
    return &model->trees[model->units[unit].index];
}

// Weight of the links on each DoF, with the absolute values of all lever arms: the scale of the
// residual. The signed sum is no scale, because it vanishes at the equilibrium of a pendulum.
static void weigh(const LitheRigidTree *rigid, LitheTreeWork *work) {
    const LitheRigidWork *at = &work->step.tree;
    memset(work->weights, 0, (size_t)rigid->v_count * sizeof *work->weights);
    for (int32_t i = 0; i < rigid->link_count; i++) {
        const LitheRigidLink *link = &rigid->links[i];
        if (link->idle)
            continue;
        double weight = link->mass * v3_norm(work->plan.gravity);
        Vec3 x = v3_sub(pose_point(at->links[i].pose, link->centre), at->reference);
        for (int32_t j = i; j >= 0; j = rigid->links[j].parent) {
            int32_t first = rigid->links[j].v_at;
            for (int32_t k = first; k < first + lithe_joint_v_count(rigid->links[j].kind); k++) {
                Spatial s = at->columns[k - first + rigid->links[j].column_at];
                work->weights[k] += weight * v3_norm(v3_add(s.lin, v3_cross(s.ang, x)));
            }
        }
    }
}

// the same for the centre lines of sections
static void weigh_lines(const LitheRigidTree *rigid, LitheTreeWork *work) {
    const LitheRigidWork *at = &work->step.tree;
    double g = v3_norm(work->plan.gravity);
    for (int32_t i = 0; i < rigid->section_count; i++) {
        const LitheSectionWork *line = &at->sections[i];
        const LitheRigidLink *own = &rigid->links[line->link];
        for (int n = 0; n < LITHE_SECTION_NODES; n++)
            for (int32_t k = 0; k < 3; k++) {
                const double(*slope)[LITHE_SECTION_NODES] = line->slopes[k];
                double size = v3_norm(v3(slope[0][n], slope[1][n], slope[2][n]));
                work->weights[own->v_at + k] += g * line->masses[n] * size;
            }
        Vec3 x = v3_scale(1 / line->frozen.mass, line->frozen.moment);
        for (int32_t j = own->parent; j >= 0; j = rigid->links[j].parent) {
            const LitheRigidLink *link = &rigid->links[j];
            for (int32_t k = 0; k < lithe_joint_v_count(link->kind); k++) {
                Spatial s = at->columns[link->column_at + k];
                work->weights[link->v_at + k] +=
                    g * line->frozen.mass * v3_norm(v3_add(s.lin, v3_cross(s.ang, x)));
            }
        }
    }
}

// Magnitude of the energies whose difference is the potential [J]. Those of gravity depend on where
// the origin is: without this, an arm high above it would never be found to be at rest.
static double energy_scale(const LitheRigidTree *rigid, const LitheTreeWork *work) {
    const LitheRigidWork *at = &work->step.tree;
    double moment = 0;
    for (int32_t i = 0; i < rigid->link_count; i++) {
        SpatialInertia own = at->links[i].inertia;
        if (!rigid->links[i].idle)
            moment += v3_norm(v3_axpy(own.mass, at->reference, own.moment));
    }
    for (int32_t i = 0; i < rigid->section_count; i++) {
        SpatialInertia line = at->sections[i].frozen;
        moment += v3_norm(v3_axpy(line.mass, at->reference, line.moment));
    }
    return v3_norm(work->plan.gravity) * moment + fabs(work->start_energy);
}

void lithe_tree_static_begin(const LitheTree *tree, const LitheStepPlan *plan,
                             LitheTreeWork *work) {
    const LitheRigidTree *rigid = &tree->rigid;
    for (int32_t k = 0; k < tree->drive_count; k++) {
        // a velocity drive only resists motion, so that it has no force in a static step
        if (work->drives[k].kind == LITHE_ACTUATOR_VELOCITY) {
            work->drives[k].kind = LITHE_ACTUATOR_FORCE;
            work->drives[k].target = 0;
        }
    }
    work->c = plan->c;
    lithe_rigid_gather(rigid, &work->plan, work->q0, &work->step);
    lithe_tree_static_prepare(tree, work);
    weigh(rigid, work);
    weigh_lines(rigid, work);
    work->start_energy =
        lithe_rigid_potential_energy(rigid, &work->step.tree, work->plan.gravity, work->q0);
    if (work->pushed)
        work->start_energy -= lithe_tree_add_loads(tree, work);
    work->energy_rounding = ROUNDINGS * DBL_EPSILON * energy_scale(rigid, work);
}

void lithe_tree_static_prepare(const LitheTree *tree, LitheTreeWork *work) {
    LitheRigidStepWork *step = &work->step;
    memset(step->load, 0, (size_t)tree->rigid.v_count * sizeof *step->load);
    lithe_rigid_place(&tree->rigid, work->q0, &step->tree);
    lithe_rigid_move(&tree->rigid, step->load, &step->tree);
    lithe_rigid_mass_matrix(&tree->rigid, &step->tree, step->mass);
}

// b - outer at q0 (+) u, at rest. Returns the sum of force . place of external forces.
static double bias_at(const LitheTree *tree, LitheTreeWork *work, const double *u, double *bias) {
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidStepWork *step = &work->step;
    lithe_rigid_advance(rigid, work->q0, 1, u, step->q);
    lithe_rigid_place(rigid, step->q, &step->tree);
    lithe_rigid_move(rigid, step->load, &step->tree);
    lithe_rigid_inverse_dynamics(rigid, work->plan.gravity, NULL, &step->tree, bias);
    if (!work->pushed)
        return 0;
    double done = lithe_tree_add_loads(tree, work);
    for (int32_t i = 0; i < rigid->v_count; i++)
        bias[i] -= work->outer[i];
    return done;
}

// moments of external forces, on a step u: part of the potential that is no force . place
static double moments_of(const LitheTree *tree, const LitheTreeWork *work, const double *u) {
    double sum = 0;
    const LitheRigidTree *rigid = &tree->rigid;
    for (int32_t i = 0; i < rigid->link_count; i++) {
        Vec3 m = v3_load(work->wrenches + 6 * i + 3);
        for (int32_t k = 0; k < tree->load_count; k++)
            if (tree->loads[k].link == i)
                m = v3_axpy(lithe_profile_at(&tree->loads[k].profile, work->load_time),
                            tree->loads[k].moment, m);
        if (v3_norm(m) > 0)
            for (int32_t j = i; j >= 0; j = rigid->links[j].parent) {
                Spatial own[LITHE_JOINT_MAX_V];
                const Spatial *columns = lithe_rigid_columns(rigid, &work->step.tree, j, own);
                for (int32_t k = 0; k < lithe_joint_v_count(rigid->links[j].kind); k++)
                    sum += v3_dot(columns[k].ang, m) * u[rigid->links[j].v_at + k];
            }
    }
    return sum;
}

// (Q4); `project` leaves out db/du, the only term that may be indefinite
static void make_matrix(const LitheTree *tree, LitheTreeWork *work, const double *w, bool project) {
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidStepWork *step = &work->step;
    int32_t n = rigid->v_count;
    double *u = step->rate, *bias = step->diagonal; // unused in a static step
    memset(step->slope, 0, (size_t)n * (size_t)n * sizeof *step->slope);
    memcpy(u, w, (size_t)n * sizeof *u);
    for (int32_t k = 0; !project && k < n; k++)
        for (int side = -1; side <= 1; side += 2) {
            u[k] = w[k] + side * DIFFERENCE;
            bias_at(tree, work, u, bias);
            u[k] = w[k];
            for (int32_t i = 0; i < n; i++)
                step->slope[(ptrdiff_t)n * i + k] += side * bias[i] / (2 * DIFFERENCE);
        }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            ptrdiff_t ij = (ptrdiff_t)n * i + j, ji = (ptrdiff_t)n * j + i;
            step->matrix[ij] = work->c * step->mass[ij] +
                               0.5 * (step->slope[ij] + step->slope[ji]) +
                               (i == j ? step->stiffness[i] : 0);
        }
}

static double drive_energy(const LitheRigidTree *rigid, const LitheTreeWork *work, const double *q,
                           const double *w) {
    double energy = 0;
    for (int32_t k = 0; k < work->plan.drive_count; k++) {
        const LitheRigidDrive *drive = &work->drives[k];
        const LitheRigidLink *link = &rigid->links[drive->link];
        int32_t at = link->q_at + drive->dof;
        double off = q[at] - drive->target, before = work->q0[at] - drive->target;
        if (drive->kind == LITHE_ACTUATOR_POSITION)
            energy += 0.5 * drive->gear * drive->stiffness * (off - before) * (off + before);
        if (drive->kind == LITHE_ACTUATOR_FORCE)
            energy -= drive->gear * drive->target * w[link->v_at + drive->dof];
    }
    return energy;
}

double lithe_tree_static_evaluate(const LitheTree *tree, LitheTreeWork *work, const double *w,
                                  bool want_matrix, bool project, double *r) {
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidStepWork *step = &work->step;
    int32_t n = rigid->v_count;
    if (want_matrix)
        make_matrix(tree, work, w, project);
    double done = bias_at(tree, work, w, step->bias);
    double potential =
        lithe_rigid_potential_energy(rigid, &step->tree, work->plan.gravity, step->q) - done -
        work->start_energy + drive_energy(rigid, work, step->q, w);
    if (work->pushed)
        potential -= moments_of(tree, work, w);
    memset(step->force, 0, (size_t)n * sizeof *step->force);
    lithe_rigid_add_passive(rigid, step->q, NULL, step->force);
    for (int32_t i = 0; i < n; i++) // alone: drives may balance the springs
        step->p0[i] = fmax(work->weights[i], fabs(step->force[i]));
    lithe_rigid_add_drives(rigid, &work->plan, step->q, NULL, step->force);
    for (int32_t i = 0; i < n; i++) {
        double outer = work->pushed ? work->outer[i] : 0, inertia = 0;
        for (int32_t j = 0; j < n; j++)
            inertia += step->held[i] || step->held[j] ? 0 : step->mass[(ptrdiff_t)n * i + j] * w[j];
        step->p0[i] = fmax(fmax(step->p0[i], fabs(step->force[i])), fabs(outer));
        step->force[i] -= step->bias[i];
        r[i] = work->c * inertia - step->force[i];
        potential += 0.5 * work->c * inertia * w[i];
    }
    return isfinite(potential) ? potential : INFINITY;
}

LitheMeasure lithe_tree_static_measure(const LitheTree *tree, const LitheTreeWork *work,
                                       const double *r) {
    int32_t n = tree->rigid.v_count;
    double residual = 0, load = 0;
    for (int32_t k = 0; k < n; k++) {
        double d = fabs(work->step.matrix[(ptrdiff_t)(n + 1) * k]), p = work->step.p0[k];
        double weight = work->step.held[k] || d == 0 ? 0 : 1 / d;
        residual += weight * r[k] * r[k];
        load += weight * p * p;
    }
    return (LitheMeasure){sqrt(residual), sqrt(load), 0, work->energy_rounding};
}

// largest displacement of the centres of the links, and of points at their radius of gyration
double lithe_tree_static_moved(const LitheTree *tree, const double *w, LitheTreeWork *work) {
    const LitheRigidTree *rigid = &tree->rigid;
    LitheRigidWork *at = &work->step.tree;
    double max = 0;
    lithe_rigid_place(rigid, work->q0, at);
    lithe_rigid_move(rigid, w, at);
    for (int32_t i = 0; i < rigid->link_count; i++) {
        const LitheRigidLink *link = &rigid->links[i];
        if (!(link->mass > 0) && link->kind != LITHE_JOINT_SECTION)
            continue;
        Mat3 I = link->inertia;
        double moment = fmax(0.5 * (I.m[0][0] + I.m[1][1] + I.m[2][2]), 0);
        double gyration = link->mass > 0 ? sqrt(moment / link->mass) : 0;
        Vec3 centre = pose_point(lithe_rigid_pose(rigid, at, i), link->centre);
        max = fmax(max, v3_norm(lithe_rigid_point_velocity(rigid, at, i, centre)) +
                            gyration * v3_norm(lithe_rigid_velocity(rigid, at, i).ang));
    }
    return max;
}

bool lithe_tree_static_end(const LitheTree *tree, const LitheUnitWork *solve, LitheTreeWork *work,
                           LitheState *state) {
    const LitheRigidTree *rigid = &tree->rigid;
    int32_t n = rigid->v_count;
    double *q = state->q + tree->q_at, *effort = state->own + tree->effort_at, sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += solve->w[k] * 0;
    if (sum != 0)
        return false;
    lithe_rigid_advance(rigid, work->q0, 1, solve->w, q);
    memset(state->v + tree->v_at, 0, (size_t)n * sizeof(double));
    memset(effort, 0, (size_t)n * sizeof(double));
    lithe_rigid_add_drives(rigid, &work->plan, q, NULL, effort);
    for (int32_t k = 0; k < n; k++)
        effort[k] = work->step.held[k] ? solve->r[k] : effort[k];
    memcpy(state->own + tree->aim_at, work->aims, (size_t)tree->aim_count * sizeof(double));
    work->limited = lithe_rigid_limits(rigid, q, state->v + tree->v_at, effort, work->reached);
    return true;
}

// --- Newton on a tree without contacts -----------------------------------------------------------

bool lithe_tree_static_factor(const LitheModel *model, int32_t unit, LitheWork *all) {
    LitheRigidStepWork *step = &lithe_tree_work(all, unit)->step;
    int32_t n = tree_of(model, unit)->rigid.v_count;
    memcpy(step->slope, step->matrix, (size_t)n * (size_t)n * sizeof *step->slope);
    return lithe_rigid_lock_factor(n, step->held, step->slope);
}

void lithe_tree_static_solve(const LitheModel *model, int32_t unit, LitheWork *all, double *x) {
    lithe_dense_solve(tree_of(model, unit)->rigid.v_count, lithe_tree_work(all, unit)->step.slope,
                      x);
}
