// SPDX-License-Identifier: Apache-2.0
// body/tree.h - articulated trees of rigid links: kinematics, dynamics and time steps
//
// Order of calls: lithe_rigid_place(q), then lithe_rigid_move(v), then functions that read them.
// Nothing here allocates. Numbers in brackets: docs/theory/rigid.md.

#ifndef LITHE_BODY_TREE_H
#define LITHE_BODY_TREE_H

#include "base/status.h"
#include "data/tree.h"
#include "law/joint.h"

#include <stddef.h>

// --- the tree (tree.c) ---------------------------------------------------------------------------

/// Checks every link and assigns each joint its place in q and v. On failure the tree is untouched
/// and the message names the link and what is wrong.
LitheStatus lithe_rigid_number(LitheRigidTree *tree, LitheError *error);

/// DoFs that belong to a link: those of its joint, none where it shares them.
static inline int32_t lithe_link_dof_count(const LitheRigidLink *link) {
    return link->shares ? 0 : lithe_joint_v_count(link->kind);
}

/// Size of the work arrays [bytes], and the arrays within `memory` of that size, which is aligned
/// for doubles.
size_t lithe_rigid_work_size(const LitheRigidTree *tree);
LitheRigidWork lithe_rigid_work_layout(const LitheRigidTree *tree, void *memory);

/// All joints at zero. `q` [q_count].
void lithe_rigid_zero(const LitheRigidTree *tree, double *q);

/// out = q (+) s v, joint by joint; `out` may be q.
void lithe_rigid_advance(const LitheRigidTree *tree, const double *q, double s, const double *v,
                         double *out);

/// d [v_count] with q0 (+) d = q1.
void lithe_rigid_difference(const LitheRigidTree *tree, const double *q0, const double *q1,
                            double *d);

// --- kinematics (tree.c) -------------------------------------------------------------------------

/// Poses, inertias and motion subspaces at q. Nothing is computed where q is that of the last call
/// with this work; the same for lithe_rigid_move and v.
void lithe_rigid_place(const LitheRigidTree *tree, const double *q, LitheRigidWork *work);

/// Velocities of the links at v, and their drift (accelerations at zero joint accelerations).
void lithe_rigid_move(const LitheRigidTree *tree, const double *v, LitheRigidWork *work);

/// Rates of the axes of the joint of link i within the frame of its parent, in the world's axes
/// (lithe_joint_axis_rates); `rates` of its DoFs.
void lithe_rigid_axis_rates(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t i,
                            Spatial *rates);

/// Velocity of the point of a link that is now at `point` (world), after lithe_rigid_move.
Vec3 lithe_rigid_point_velocity(const LitheRigidTree *tree, const LitheRigidWork *work,
                                int32_t link, Vec3 point);

/// Pose of link i; its columns of the motion subspace, in `own` [LITHE_JOINT_MAX_V] where the work
/// has none; its velocity. Links that are idle have these on demand only.
Pose lithe_rigid_pose(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t i);
const Spatial *lithe_rigid_columns(const LitheRigidTree *tree, const LitheRigidWork *work,
                                   int32_t i, Spatial *own);
Spatial lithe_rigid_velocity(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t i);

/// Velocity of the point of a link that is now at `point`, and angular velocity of the link, are
/// linear * v and angular * v. Each [3*v_count] row-major, all columns written; either may be NULL.
void lithe_rigid_point_jacobian(const LitheRigidTree *tree, const LitheRigidWork *work,
                                int32_t link, Vec3 point, double *linear, double *angular);

/// effort += J' (force, torque) for a force at `point` and a torque on the link (world axes).
void lithe_rigid_add_force(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t link,
                           Vec3 point, Vec3 force, Vec3 torque, double *effort);

/// Mass [kg] and, with `centre` not NULL, the centre of mass of the whole tree (world).
double lithe_rigid_centre(const LitheRigidTree *tree, const LitheRigidWork *work, Vec3 *centre);

/// Momentum of the links [N s] and angular momentum about `point` [N m s]; armature has none.
void lithe_rigid_momentum(const LitheRigidTree *tree, const LitheRigidWork *work, Vec3 point,
                          Vec3 *linear, Vec3 *angular);

/// Kinetic energy, armature included [J].
double lithe_rigid_kinetic_energy(const LitheRigidTree *tree, const LitheRigidWork *work,
                                  const double *v);

/// Extension of the spring of a joint from its rest: `turn` [3]; returns the number of DoFs.
int32_t lithe_link_stretch(const LitheRigidLink *link, const double *q, double *turn);

/// Energy of gravity (zero at the world's origin) and of the joints' springs [J].
double lithe_rigid_potential_energy(const LitheRigidTree *tree, const LitheRigidWork *work,
                                    Vec3 gravity, const double *q);

// --- dynamics (tree_dynamics.c) ------------------------------------------------------------------
// Equation of motion: M(q) a + b(q, v) = effort (10). Springs and dampers of joints are efforts.

/// `mass` [v_count*v_count], both triangles: composite-rigid-body algorithm, armature included.
void lithe_rigid_mass_matrix(const LitheRigidTree *tree, LitheRigidWork *work, double *mass);

/// effort = M a + b by recursive Newton-Euler; `a` NULL: zero, which gives b.
void lithe_rigid_inverse_dynamics(const LitheRigidTree *tree, Vec3 gravity, const double *a,
                                  LitheRigidWork *work, double *effort);

/// a = M\(effort - b) through the dense factor. `matrix` [v_count*v_count] scratch: the factor of
/// M afterwards. False when M is not positive definite (a is then undefined).
bool lithe_rigid_accelerate_dense(const LitheRigidTree *tree, Vec3 gravity, const double *effort,
                                  LitheRigidWork *work, double *matrix, double *a);

/// a = M\(effort - b) in linear time by the articulated-body algorithm. False when M is not
/// positive definite, and for trees with sections.
bool lithe_rigid_accelerate(const LitheRigidTree *tree, Vec3 gravity, const double *effort,
                            LitheRigidWork *work, double *a);

/// Momenta p = dT/dv = M v and forces dL/dq = dT/dq - dV/dq at constant v (V: gravity alone), both
/// in linear time; each [v_count].
void lithe_rigid_momenta(const LitheRigidTree *tree, Vec3 gravity, const double *v,
                         LitheRigidWork *work, double *p, double *force);

/// Springs and dampers of the joints: effort += -k (q - rest) - d v; `v` NULL: no damping.
void lithe_rigid_add_passive(const LitheRigidTree *tree, const double *q, const double *v,
                             double *effort);

// --- limits (tree.c) -----------------------------------------------------------------------------

enum {
    LITHE_REACHED_LOWER = 1,
    LITHE_REACHED_UPPER = 2,
    LITHE_REACHED_VELOCITY = 4,
    LITHE_REACHED_EFFORT = 8,
};

/// Which joints are at or beyond a limit: `reached` [link_count] holds the bits above; returns how
/// many links have any. `v` and `effort` may be NULL. Joints with several DoFs: only the angle of
/// a ball joint is limited, velocity and effort by their norm.
int32_t lithe_rigid_limits(const LitheRigidTree *tree, const double *q, const double *v,
                           const double *effort, unsigned char *reached);

/// Chambers of a section that its limits bound, and (X11) the elongation of one of them (from 0) at
/// the positions q.
int32_t lithe_link_chambers(const LitheRigidLink *link);
double lithe_link_chamber(const LitheRigidLink *link, const double *q, int32_t i);

// --- time steps (tree_step.c, tree_midpoint.c) ---------------------------------------------------

/// A step without gravity and drives, with a tolerance of 1e-12 and at most 30 iterations.
LitheRigidStep lithe_rigid_step_default(double h);

size_t lithe_rigid_step_work_size(const LitheRigidTree *tree);
LitheRigidStepWork lithe_rigid_step_work_layout(const LitheRigidTree *tree, void *memory);

/// The matrix of the semi-implicit Euler step (20), symmetric positive definite; springs, dampers
/// and drives implicit. Fills held, given, stiffness, damping, mass, p0 and matrix of `work`; held
/// rows are not yet eliminated.
void lithe_rigid_euler_system(const LitheRigidTree *tree, const LitheRigidStep *step,
                              const double *q, const double *v, LitheRigidStepWork *work);

/// Semi-implicit Euler: w from (20) with gyroscopic forces at the mean of old and new velocity,
/// then q <- q (+) h w, v <- w. `effort` [v_count], may be NULL: efforts of drives at the end of
/// the step, reactions of prescribed joints included.
LitheRigidOutcome lithe_rigid_step_euler(const LitheRigidTree *tree, const LitheRigidStep *step,
                                         double *q, double *v, double *effort,
                                         LitheRigidStepWork *work);

/// Midpoint in momentum form (30): second order, conserves momentum; a free body without springs
/// and dampers also conserves its energy (40). `effort` as above, at the middle of the step.
LitheRigidOutcome lithe_rigid_step_midpoint(const LitheRigidTree *tree, const LitheRigidStep *step,
                                            double *q, double *v, double *effort,
                                            LitheRigidStepWork *work);

// --- parts of the steps, for the coupled solve ---------------------------------------------------

/// Diagonals of stiffness and damping of joints and drives together, held DoFs and their
/// velocities.
void lithe_rigid_gather(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q,
                        LitheRigidStepWork *work);

/// effort += efforts of the drives at (q, v), except prescribed ones. `v` NULL: at rest.
void lithe_rigid_add_drives(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q,
                            const double *v, double *effort);

/// Locks held rows of `matrix` [n*n] and factors the matrix in place, for lithe_dense_solve with
/// right-hand sides that are zero in held rows. False when the matrix is not positive definite.
bool lithe_rigid_lock_factor(int32_t n, const unsigned char *held, double *matrix);

/// r [v_count] of a step at the velocity `w`, as an impulse; held rows keep their reactions.
/// Leaves the forces in work->force.
typedef void LitheRigidResidual(const LitheRigidTree *tree, const LitheRigidStep *step,
                                const double *q0, const double *v0, const double *w,
                                LitheRigidStepWork *work, double *r);

/// Residual of (20) with u = (v0 + w)/2, after lithe_rigid_euler_system (poses must still be those
/// of q0).
LitheRigidResidual lithe_rigid_euler_residual;

/// Applies (21) at work->w, after lithe_rigid_euler_system; false (q and v untouched) when a number
/// is not finite.
bool lithe_rigid_euler_end(const LitheRigidTree *tree, const LitheRigidStep *step, double *q,
                           double *v, double *effort, LitheRigidStepWork *work);

/// out = B(s w)' x and x = B(s w)'^-1 x, joint by joint (law/joint.h). `out` may be x.
void lithe_rigid_pull(const LitheRigidTree *tree, double s, const double *w, const double *x,
                      double *out);
void lithe_rigid_push(const LitheRigidTree *tree, double s, const double *w, double *x);

/// Residual of (30), after lithe_rigid_midpoint_begin.
LitheRigidResidual lithe_rigid_midpoint_residual;

/// Fills p0, held, given, rate, mass, matrix = 2 M + h D + h^2/2 K, its diagonal, and w = v0.
void lithe_rigid_midpoint_begin(const LitheRigidTree *tree, const LitheRigidStep *step,
                                const double *q, const double *v, LitheRigidStepWork *work);

/// Applies (31), (32) at work->w; false (q and v untouched) when M(q1) is not positive definite.
bool lithe_rigid_midpoint_end(const LitheRigidTree *tree, const LitheRigidStep *step, double *q,
                              double *v, double *effort, LitheRigidStepWork *work);

/// Newton's method on `residual` from work->w with the factor in work->matrix. `c` is the factor of
/// the momenta in the residual: 2 in (30), 1 in (20). Adds to `outcome`.
void lithe_rigid_newton(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q0,
                        const double *v0, LitheRigidResidual *residual, double c,
                        LitheRigidStepWork *work, LitheRigidOutcome *outcome);

/// Whether the tree is one free body without dampers and armature.
bool lithe_rigid_is_free_body(const LitheRigidTree *tree);

/// The midpoint of one free body (lithe_rigid_is_free_body) (40).
LitheRigidOutcome lithe_rigid_step_free(const LitheRigidTree *tree, const LitheRigidStep *step,
                                        double *q, double *v, double *effort);

#endif
