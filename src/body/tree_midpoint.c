// SPDX-License-Identifier: Apache-2.0
// body/tree_midpoint.c - midpoint step of an articulated tree in momentum form
//
// The discrete Lagrangian h L(q_m, w) with q_m = q0 (+) h w/2 gives a step that is symplectic, of
// second order, and conserves every momentum that belongs to a symmetry of the tree. With p =
// dT/dv, Q = dL/dq and the efforts, both at (q_m, w), and B the derivative of (+) (law/joint.h):
//     (30)  r(w) = 2 (p - B(-h w)' p0) - h B(-h w/2)' Q = 0
//     (31)  B(h w)' p1 = p + h/2 B(h w/2)' Q
//     (32)  q1 = q0 (+) h w,  M(q1) v1 = p1
// The effort that a given motion takes is what changes the momentum of the velocities at the ends,
//     (33)  f = ((M(q1) v1)_k - (M(q0) v0)_k)/h - Q_k   of each prescribed DoF k
// The dominant part of dr/dw is 2 M + h D + h^2/2 K.
//
// A single free body uses the rule of Simo and Wong, which also conserves energy: with the angular
// velocity W, the rotation T = h/2 (W0 + W1) and the inertia J in body axes, torque N about the
// centre,
//     (40)  J W1 = exp(-T) J W0 + h R1' N,  R1 = R0 exp(T)

#include "body/tree.h"

#include "law/joint.h"
#include "sparse/dense.h"

#include <string.h>

// --- residual ------------------------------------------------------------------------------------

typedef void JointMap(LitheJointKind kind, const double *d, const double *p, double *out);

// a map of every joint that moves, at the displacement s w
static inline void map_joints(const LitheRigidTree *tree, JointMap *map, double s, const double *w,
                              const double *x, double *out) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        int32_t at = link->v_at, count = lithe_link_dof_count(link);
        double d[LITHE_JOINT_MAX_V];
        for (int32_t k = 0; k < count; k++)
            d[k] = s * w[at + k];
        if (count > 0)
            map(link->kind, d, x + at, out + at);
    }
}

void lithe_rigid_pull(const LitheRigidTree *tree, double s, const double *w, const double *x,
                      double *out) {
    map_joints(tree, lithe_joint_pull, s, w, x, out);
}

void lithe_rigid_push(const LitheRigidTree *tree, double s, const double *w, double *x) {
    map_joints(tree, lithe_joint_push, s, w, x, x);
}

void lithe_rigid_midpoint_residual(const LitheRigidTree *tree, const LitheRigidStep *step,
                                   const double *q0, const double *v0, const double *w,
                                   LitheRigidStepWork *work, double *r) {
    (void)v0; // p0 is used instead
    int32_t n = tree->v_count;
    double h = step->h;
    lithe_rigid_advance(tree, q0, 0.5 * h, w, work->q);
    lithe_rigid_place(tree, work->q, &work->tree);
    lithe_rigid_move(tree, w, &work->tree);
    lithe_rigid_momenta(tree, step->gravity, w, &work->tree, work->bias, work->force);
    for (int32_t k = 0; k < n; k++)
        work->force[k] += step->effort ? step->effort[k] : 0;
    lithe_rigid_add_passive(tree, work->q, w, work->force);
    lithe_rigid_add_drives(tree, step, work->q, w, work->force);

    lithe_rigid_pull(tree, -h, w, work->p0, r);
    lithe_rigid_pull(tree, -0.5 * h, w, work->force, work->load);
    for (int32_t k = 0; k < n; k++)
        r[k] = 2 * (work->bias[k] - r[k]) - h * work->load[k];
}

// --- the step ------------------------------------------------------------------------------------

void lithe_rigid_midpoint_begin(const LitheRigidTree *tree, const LitheRigidStep *step,
                                const double *q, const double *v, LitheRigidStepWork *work) {
    int32_t n = tree->v_count;
    double h = step->h;
    lithe_rigid_gather(tree, step, q, work);
    lithe_rigid_place(tree, q, &work->tree);
    lithe_rigid_mass_matrix(tree, &work->tree, work->mass);
    lithe_dense_multiply(n, work->mass, v, work->p0);
    for (int32_t k = 0; k < n; k++)
        work->w[k] = work->held[k] ? work->given[k] : v[k];
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++)
        work->matrix[i] = 2 * work->mass[i];
    for (int32_t k = 0; k < n; k++) {
        double *d = &work->matrix[(ptrdiff_t)(n + 1) * k];
        *d += h * (work->damping[k] + 0.5 * h * work->stiffness[k]);
        work->diagonal[k] = *d;
    }
}

// (33); the mass matrix is that of the end
static void reactions_of(const LitheRigidTree *tree, double h, const double *v,
                         const LitheRigidStepWork *work, double *effort) {
    int32_t n = tree->v_count;
    for (int32_t k = 0; k < n; k++) {
        double p1 = 0;
        for (int32_t j = 0; work->held[k] && j < n; j++)
            p1 += work->slope[(ptrdiff_t)n * k + j] * v[j];
        if (work->held[k])
            effort[k] = (p1 - work->p0[k]) / h - work->force[k];
    }
}

// M(q1) v1 = p1 with given rates of held DoFs; v1 replaces p1, and `slope` has M
static bool velocity_of(const LitheRigidTree *tree, LitheRigidStepWork *work, double *p1) {
    int32_t n = tree->v_count;
    lithe_rigid_place(tree, work->q, &work->tree);
    lithe_rigid_mass_matrix(tree, &work->tree, work->mass);
    memcpy(work->slope, work->mass, (size_t)n * (size_t)n * sizeof(double));
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++)
            p1[i] -= work->held[j] ? work->mass[(ptrdiff_t)n * i + j] * work->rate[j] : 0;
        p1[i] = work->held[i] ? 0 : p1[i];
    }
    if (!lithe_rigid_lock_factor(n, work->held, work->mass))
        return false;
    lithe_dense_solve(n, work->mass, p1);
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        p1[i] = work->held[i] ? work->rate[i] : p1[i];
        sum += p1[i] * 0;
    }
    return sum == 0;
}

bool lithe_rigid_midpoint_end(const LitheRigidTree *tree, const LitheRigidStep *step, double *q,
                              double *v, double *effort, LitheRigidStepWork *work) {
    int32_t n = tree->v_count;
    double h = step->h, *p1 = work->dx;
    // p and Q at the solution
    lithe_rigid_midpoint_residual(tree, step, q, v, work->w, work, work->r);
    if (effort) {
        memset(effort, 0, (size_t)n * sizeof *effort);
        lithe_rigid_add_drives(tree, step, work->q, work->w, effort);
    }
    // (31), (32)
    lithe_rigid_pull(tree, 0.5 * h, work->w, work->force, p1);
    for (int32_t k = 0; k < n; k++)
        p1[k] = work->bias[k] + 0.5 * h * p1[k];
    lithe_rigid_push(tree, h, work->w, p1);
    lithe_rigid_advance(tree, q, h, work->w, work->q);
    if (!velocity_of(tree, work, p1))
        return false;
    if (effort)
        reactions_of(tree, h, p1, work, effort);
    memcpy(v, p1, (size_t)n * sizeof *v);
    memcpy(q, work->q, (size_t)tree->q_count * sizeof *q);
    return true;
}

bool lithe_rigid_is_free_body(const LitheRigidTree *tree) {
    const LitheRigidLink *link = tree->links;
    return tree->link_count == 1 && link->kind == LITHE_JOINT_FREE && link->damping == 0 &&
           link->armature == 0 && !link->driven;
}

LitheRigidOutcome lithe_rigid_step_midpoint(const LitheRigidTree *tree, const LitheRigidStep *step,
                                            double *q, double *v, double *effort,
                                            LitheRigidStepWork *work) {
    if (lithe_rigid_is_free_body(tree))
        return lithe_rigid_step_free(tree, step, q, v, effort);
    LitheRigidOutcome outcome = {0};
    lithe_rigid_midpoint_begin(tree, step, q, v, work);
    if (!lithe_rigid_lock_factor(tree->v_count, work->held, work->matrix))
        return outcome;
    lithe_rigid_newton(tree, step, q, v, lithe_rigid_midpoint_residual, 2, work, &outcome);
    outcome.made = lithe_rigid_midpoint_end(tree, step, q, v, effort, work);
    return outcome;
}

// --- one free body -------------------------------------------------------------------------------

// the body in the axes of its joint frame, forces in those of the parent's joint frame
typedef struct FreeBody {
    Mat3 J;             // inertia about the centre of mass [kg m^2]
    Vec3 centre;        // centre of mass, from the origin of the frame [m]
    Vec3 force, torque; // external force, and torque about the origin of the frame
    Quat r0;            // rotation at the start of the step
    Vec3 spin0;         // angular velocity at the start of the step, body axes [rad/s]
} FreeBody;

// torque about the centre at the middle of the rotation, times h, in body axes at the end
static Vec3 kick(const FreeBody *body, double h, Vec3 turn) {
    Quat middle = q4_mul(body->r0, q4_exp(v3_scale(0.5, turn)));
    Quat end = q4_mul(body->r0, q4_exp(turn));
    Vec3 arm = q4_rotate(middle, body->centre);
    Vec3 torque = v3_sub(body->torque, v3_cross(arm, body->force));
    return v3_scale(h, q4_rotate(q4_conj(end), torque));
}

// (40) for the rotation by Newton's method; one iteration more than the tolerance requires reduces
// the error to rounding
static Vec3 turn_of(const FreeBody *body, const LitheRigidStep *step, double h,
                    LitheRigidOutcome *outcome) {
    Vec3 momentum = m3_apply(body->J, body->spin0);
    Vec3 turn = v3_scale(h, body->spin0);
    outcome->converged = false;
    for (int32_t i = 0; i < step->max_iterations && !outcome->converged; i++) {
        Vec3 end = q4_rotate(q4_exp(v3_neg(turn)), momentum);
        Vec3 push_on = kick(body, h, turn);
        Vec3 f = m3_apply(body->J, v3_sub(v3_scale(2 / h, turn), body->spin0));
        f = v3_sub(v3_sub(f, end), push_on);
        double scale = v3_norm(momentum) + v3_norm(push_on);
        outcome->residual = scale > 0 ? v3_norm(f) / scale : 0;
        outcome->converged = outcome->residual <= step->tolerance;
        Mat3 slope =
            m3_sub(m3_scale(2 / h, body->J), m3_mul(m3_cross(end), so3_slope(v3_neg(turn))));
        turn = v3_sub(turn, m3_solve(slope, f));
        outcome->iterations++;
    }
    return turn;
}

// one step of h; false when (40) did not converge or a number is not finite
static bool move_free(const LitheRigidLink *link, const LitheRigidStep *step, double h, double *q,
                      double *v, LitheRigidOutcome *outcome) {
    Mat3 frame = q4_matrix(link->child_frame.rotation);
    FreeBody body = {.r0 = {q[3], q[4], q[5], q[6]}};
    body.J = m3_mul(m3_mul(m3_transpose(frame), link->inertia), frame);
    body.centre = pose_point(pose_inverse(link->child_frame), link->centre);
    if (step->effort) {
        body.force = v3_load(step->effort);
        body.torque = v3_load(step->effort + 3);
    }
    body.spin0 = q4_rotate(q4_conj(body.r0), v3_load(v + 3));
    Vec3 turn = turn_of(&body, step, h, outcome);

    // the rotation, and the angular velocity that conserves momentum to rounding
    Quat r1 = q4_unit(q4_mul(body.r0, q4_exp(turn)));
    Vec3 momentum = q4_rotate(q4_exp(v3_neg(turn)), m3_apply(body.J, body.spin0));
    Vec3 angular_velocity = m3_solve(body.J, v3_add(momentum, kick(&body, h, turn)));
    angular_velocity = q4_rotate(r1, angular_velocity);

    // the centre moves with the mean of its velocities
    Vec3 gravity = q4_rotate(q4_conj(link->parent_frame.rotation), step->gravity);
    Vec3 arm0 = q4_rotate(body.r0, body.centre), arm1 = q4_rotate(r1, body.centre);
    Vec3 u0 = v3_add(v3_load(v), v3_cross(v3_load(v + 3), arm0));
    Vec3 u1 = v3_axpy(h, v3_axpy(1 / link->mass, body.force, gravity), u0);
    Vec3 x = v3_axpy(0.5 * h, v3_add(u0, u1), v3_add(v3_load(q), arm0));

    v3_store(v3_sub(x, arm1), q);
    q[3] = r1.w, q[4] = r1.x, q[5] = r1.y, q[6] = r1.z;
    v3_store(v3_sub(u1, v3_cross(angular_velocity, arm1)), v);
    v3_store(angular_velocity, v + 3);
    double sum = 0;
    for (int k = 0; k < 7; k++)
        sum += 0 * (q[k] + (k < 6 ? v[k] : 0));
    return outcome->converged && sum == 0;
}

// (40) may not converge for a rotation of more than a radian: the step is then divided into at most
// this number of substeps
#define MAX_PIECES 256

LitheRigidOutcome lithe_rigid_step_free(const LitheRigidTree *tree, const LitheRigidStep *step,
                                        double *q, double *v, double *effort) {
    const LitheRigidLink *link = tree->links;
    LitheRigidOutcome outcome = {0};
    if (!(link->mass > 0 && m3_det(link->inertia) > 0))
        return outcome;
    for (int pieces = 1; !outcome.made && pieces <= MAX_PIECES; pieces *= 2) {
        double q1[7], v1[6];
        memcpy(q1, q, sizeof q1);
        memcpy(v1, v, sizeof v1);
        bool moved = true;
        for (int i = 0; i < pieces && moved; i++)
            moved = move_free(link, step, step->h / pieces, q1, v1, &outcome);
        if (!moved)
            continue;
        memcpy(q, q1, sizeof q1);
        memcpy(v, v1, sizeof v1);
        if (effort)
            memset(effort, 0, 6 * sizeof *effort);
        outcome.made = true;
    }
    return outcome;
}
