// SPDX-License-Identifier: Apache-2.0
// body/tree_midpoint.c - midpoint step of an articulated tree in momentum form
//
// The discrete Lagrangian h L(q_m, w) with q_m = q0 (+) h w/2 makes a step that is symplectic, of
// second order, and keeps every momentum that belongs to a symmetry of the tree. With p = dT/dv,
// Q = dL/dq and the efforts, both at (q_m, w), and B the slope of (+) (law/joint.h):
//     (30)  r(w) = 2 (p - B(-h w)' p0) - h B(-h w/2)' Q = 0
//     (31)  B(h w)' p1 = p + h/2 B(h w/2)' Q
//     (32)  q1 = q0 (+) h w,  M(q1) v1 = p1
// Newton on r uses its large part 2 M + h D + h^2/2 K; where that converges slowly, the numerical
// derivative. The merit is the norm of r.
//
// A free body alone has the rule of Simo and Wong, which keeps energy as well: with the spin W, the
// turn T = h/2 (W0 + W1) and the inertia J in body axes, torque N about the centre,
//     (40)  J W1 = exp(-T) J W0 + h R1' N,  R1 = R0 exp(T)

#include "body/tree.h"

#include "law/joint.h"
#include "sparse/dense.h"

#include <string.h>

// --- dense unsymmetric solve ---------------------------------------------------------------------

// P A = L U in place with row exchanges; false when singular
static bool lu_factor(int32_t n, double *a, int32_t *order) {
    for (int32_t k = 0; k < n; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(a[(ptrdiff_t)n * i + k]) > fabs(a[(ptrdiff_t)n * best + k]))
                best = i;
        order[k] = best;
        for (int32_t j = 0; best != k && j < n; j++) {
            double swap = a[(ptrdiff_t)n * k + j];
            a[(ptrdiff_t)n * k + j] = a[(ptrdiff_t)n * best + j];
            a[(ptrdiff_t)n * best + j] = swap;
        }
        double pivot = a[(ptrdiff_t)n * k + k];
        if (!(fabs(pivot) > 0 && isfinite(pivot)))
            return false;
        for (int32_t i = k + 1; i < n; i++) {
            double *row = a + (ptrdiff_t)n * i;
            row[k] /= pivot;
            for (int32_t j = k + 1; j < n; j++)
                row[j] -= row[k] * a[(ptrdiff_t)n * k + j];
        }
    }
    return true;
}

static void lu_solve(int32_t n, const double *a, const int32_t *order, double *x) {
    for (int32_t k = 0; k < n; k++) {
        double swap = x[k];
        x[k] = x[order[k]];
        x[order[k]] = swap;
    }
    // x = L\x, then U\x
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            x[i] -= a[(ptrdiff_t)n * i + j] * x[j];
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < n; j++)
            x[i] -= a[(ptrdiff_t)n * i + j] * x[j];
        x[i] /= a[(ptrdiff_t)n * i + i];
    }
}

// --- residual ------------------------------------------------------------------------------------

// out = B(s w)' x, joint by joint
static void pull(const LitheRigidTree *tree, double s, const double *w, const double *x,
                 double *out) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        int32_t at = link->v_at, count = lithe_joint_v_count(link->kind);
        double d[LITHE_JOINT_MAX_V];
        for (int32_t k = 0; k < count; k++)
            d[k] = s * w[at + k];
        lithe_joint_pull(link->kind, d, x + at, out + at);
    }
}

static void push(const LitheRigidTree *tree, double s, const double *w, double *x) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        int32_t at = link->v_at, count = lithe_joint_v_count(link->kind);
        double d[LITHE_JOINT_MAX_V];
        for (int32_t k = 0; k < count; k++)
            d[k] = s * w[at + k];
        lithe_joint_push(link->kind, d, x + at, x + at);
    }
}

// (30); leaves p in bias and Q in load
static void residual(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q0,
                     const double *w, LitheRigidStepWork *work, double *r) {
    int32_t n = tree->v_count;
    double h = step->h;
    lithe_rigid_advance(tree, q0, 0.5 * h, w, work->q);
    lithe_rigid_place(tree, work->q, &work->tree);
    lithe_rigid_move(tree, w, &work->tree);
    lithe_rigid_momenta(tree, step->gravity, w, &work->tree, work->bias, work->load);
    for (int32_t k = 0; k < n; k++)
        work->load[k] += step->effort ? step->effort[k] : 0;
    lithe_rigid_add_passive(tree, work->q, w, work->load);
    lithe_rigid_add_drives(tree, step, work->q, w, work->load);

    pull(tree, -h, w, work->p0, r);
    pull(tree, -0.5 * h, w, work->load, work->scale);
    for (int32_t k = 0; k < n; k++)
        r[k] = 2 * (work->bias[k] - r[k]) - h * work->scale[k];
}

// the norm |x|_D with D = diag^-1/2 over free DoFs
typedef struct Norm {
    int32_t n;
    const unsigned char *held;
    const double *diagonal;
} Norm;

static double norm_of(Norm norm, double factor, const double *x) {
    double sum = 0;
    for (int32_t k = 0; k < norm.n; k++)
        sum += norm.held[k] ? 0 : x[k] * x[k] / norm.diagonal[k];
    return fabs(factor) * sqrt(sum);
}

// --- Newton --------------------------------------------------------------------------------------

// factor of 2 M + h D + h^2/2 K, and its diagonal into rate-free scratch `diagonal`
static bool factor_large_part(const LitheRigidTree *tree, const LitheRigidStep *step,
                              LitheRigidStepWork *work, double *diagonal) {
    int32_t n = tree->v_count;
    double h = step->h;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++)
        work->matrix[i] = 2 * work->mass[i];
    for (int32_t k = 0; k < n; k++) {
        double *d = &work->matrix[(ptrdiff_t)(n + 1) * k];
        *d += h * (work->damping[k] + 0.5 * h * work->stiffness[k]);
        diagonal[k] = *d;
    }
    return lithe_rigid_lock_factor(n, work->held, work->matrix);
}

// dr/dw by forward differences, factored; r must be that of w
static bool factor_slope(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q0,
                         LitheRigidStepWork *work) {
    int32_t n = tree->v_count;
    memcpy(work->trial, work->w, (size_t)n * sizeof *work->trial);
    for (int32_t j = 0; j < n; j++) {
        // half the digits: rounding and curvature then weigh alike
        double e = 1e-8 * (1 + fabs(work->w[j]));
        work->trial[j] = work->w[j] + e;
        residual(tree, step, q0, work->trial, work, work->trial_r);
        work->trial[j] = work->w[j];
        for (int32_t i = 0; i < n; i++) {
            bool locked = work->held[i] || work->held[j];
            double value = (work->trial_r[i] - work->r[i]) / e;
            work->slope[(ptrdiff_t)n * i + j] = locked ? i == j : value;
        }
    }
    return lu_factor(n, work->slope, work->order);
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

// goes along dx as far as the residual falls; false when no length helps
static bool search(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q0,
                   Norm norm, int most_cuts, LitheRigidStepWork *work, double *size) {
    double length = 1;
    for (int cut = 0; cut <= most_cuts; cut++, length *= 0.5) {
        for (int32_t k = 0; k < norm.n; k++)
            work->trial[k] = work->w[k] + length * work->dx[k];
        residual(tree, step, q0, work->trial, work, work->trial_r);
        double after = norm_of(norm, 1, work->trial_r);
        if (after <= (1 - 0.1 * length) * *size) {
            swap(&work->w, &work->trial);
            swap(&work->r, &work->trial_r);
            *size = after;
            return true;
        }
    }
    return false;
}

// a step of the large part must reduce the residual by this much, or the true derivative is used
#define SLOW 0.2

static void newton(const LitheRigidTree *tree, const LitheRigidStep *step, const double *q0,
                   Norm norm, LitheRigidStepWork *work, LitheRigidOutcome *outcome) {
    residual(tree, step, q0, work->w, work, work->r);
    double size = norm_of(norm, 1, work->r);
    double start = norm_of(norm, 2, work->p0);
    bool sloped = false;
    for (;;) {
        double scale =
            fmax(start, fmax(norm_of(norm, 2, work->bias), norm_of(norm, step->h, work->load)));
        outcome->residual = scale > 0 ? size / scale : 0;
        outcome->converged = size <= step->tolerance * scale;
        if (outcome->converged || outcome->iterations >= step->max_iterations || !isfinite(size))
            return;
        outcome->iterations++;
        if (sloped && !factor_slope(tree, step, q0, work))
            return;
        for (int32_t k = 0; k < norm.n; k++)
            work->dx[k] = work->held[k] ? 0 : -work->r[k];
        if (sloped)
            lu_solve(norm.n, work->slope, work->order, work->dx);
        else
            lithe_dense_solve(norm.n, work->matrix, work->dx);
        outcome->slopes += sloped;
        double before = size;
        bool fell = search(tree, step, q0, norm, sloped ? 20 : 0, work, &size);
        if (!fell && sloped)
            return;
        sloped = sloped || !fell || size > SLOW * before;
    }
}

// --- the step ------------------------------------------------------------------------------------

// (31), (32): q and v at the end; false when M(q1) is not positive definite
static bool finish(const LitheRigidTree *tree, const LitheRigidStep *step, double *q, double *v,
                   LitheRigidStepWork *work) {
    int32_t n = tree->v_count;
    double h = step->h, *p1 = work->dx;
    pull(tree, 0.5 * h, work->w, work->load, p1);
    for (int32_t k = 0; k < n; k++)
        p1[k] = work->bias[k] + 0.5 * h * p1[k];
    push(tree, h, work->w, p1);
    lithe_rigid_advance(tree, q, h, work->w, work->q);
    lithe_rigid_place(tree, work->q, &work->tree);
    lithe_rigid_mass_matrix(tree, &work->tree, work->mass);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            p1[i] -= work->held[j] && !work->held[i]
                         ? work->mass[(ptrdiff_t)n * i + j] * work->rate[j]
                         : 0;
    for (int32_t i = 0; i < n; i++)
        p1[i] = work->held[i] ? 0 : p1[i];
    if (!lithe_rigid_lock_factor(n, work->held, work->mass))
        return false;
    lithe_dense_solve(n, work->mass, p1);
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += p1[k] * 0;
    if (sum != 0)
        return false;
    for (int32_t k = 0; k < n; k++)
        v[k] = work->held[k] ? work->rate[k] : p1[k];
    memcpy(q, work->q, (size_t)tree->q_count * sizeof *q);
    return true;
}

static bool alone_and_free(const LitheRigidTree *tree) {
    const LitheRigidLink *link = tree->links;
    return tree->link_count == 1 && link->kind == LITHE_JOINT_FREE && link->damping == 0 &&
           link->armature == 0;
}

LitheRigidOutcome lithe_rigid_step_midpoint(const LitheRigidTree *tree, const LitheRigidStep *step,
                                            double *q, double *v, double *effort,
                                            LitheRigidStepWork *work) {
    if (alone_and_free(tree))
        return lithe_rigid_step_free(tree, step, q, v, effort, work);
    LitheRigidOutcome outcome = {0};
    int32_t n = tree->v_count;
    lithe_rigid_gather(tree, step, q, work);
    lithe_rigid_place(tree, q, &work->tree);
    lithe_rigid_mass_matrix(tree, &work->tree, work->mass);
    lithe_dense_multiply(n, work->mass, v, work->p0);
    // `given` keeps the diagonal once the iterate has its held velocities
    for (int32_t k = 0; k < n; k++)
        work->w[k] = work->held[k] ? work->given[k] : v[k];
    if (!factor_large_part(tree, step, work, work->given))
        return outcome;
    Norm norm = {n, work->held, work->given};
    newton(tree, step, q, norm, work, &outcome);

    // p and Q at the solution; efforts there, and the reactions that close (30)
    residual(tree, step, q, work->w, work, work->r);
    if (effort) {
        memset(effort, 0, (size_t)n * sizeof *effort);
        lithe_rigid_add_drives(tree, step, work->q, work->w, effort);
        for (int32_t k = 0; k < n; k++)
            effort[k] = work->held[k] ? work->r[k] / step->h : effort[k];
    }
    outcome.made = finish(tree, step, q, v, work);
    return outcome;
}

// --- one free body -------------------------------------------------------------------------------

// x = A\b by Cramer's rule; A is 2 J/h and a small rest
static Vec3 solve3(Mat3 a, Vec3 b) {
    Vec3 x = m3_column(a, 0), y = m3_column(a, 1), z = m3_column(a, 2);
    double det = v3_dot(x, v3_cross(y, z));
    return v3((v3_dot(b, v3_cross(y, z))) / det, v3_dot(x, v3_cross(b, z)) / det,
              v3_dot(x, v3_cross(y, b)) / det);
}

// the body in the axes of its joint frame, forces in those of the parent's joint frame
typedef struct FreeBody {
    Mat3 J;      // about the centre
    Vec3 centre; // from the frame's origin
    Vec3 force, torque;
    Quat r0;
    Vec3 spin0; // body axes
} FreeBody;

// torque about the centre at the middle of the turn, times h, in the body's axes at its end
static Vec3 kick(const FreeBody *body, double h, Vec3 turn) {
    Quat middle = q4_mul(body->r0, q4_exp(v3_scale(0.5, turn)));
    Quat end = q4_mul(body->r0, q4_exp(turn));
    Vec3 arm = q4_rotate(middle, body->centre);
    Vec3 torque = v3_sub(body->torque, v3_cross(arm, body->force));
    return v3_scale(h, q4_rotate(q4_conj(end), torque));
}

// (40) for the turn, by Newton
static Vec3 turn_of(const FreeBody *body, const LitheRigidStep *step, LitheRigidOutcome *outcome) {
    Vec3 momentum = m3_apply(body->J, body->spin0);
    Vec3 turn = v3_scale(step->h, body->spin0);
    for (;;) {
        Vec3 end = q4_rotate(q4_exp(v3_neg(turn)), momentum);
        Vec3 push_on = kick(body, step->h, turn);
        Vec3 mean = v3_scale(2 / step->h, turn);
        Vec3 f = m3_apply(body->J, v3_sub(mean, body->spin0));
        f = v3_sub(v3_sub(f, end), push_on);
        double scale = v3_norm(momentum) + v3_norm(push_on);
        outcome->residual = scale > 0 ? v3_norm(f) / scale : 0;
        outcome->converged = outcome->residual <= step->tolerance;
        // one more step costs little and leaves rounding alone
        if (outcome->iterations >= step->max_iterations || outcome->residual < 1e-15)
            return turn;
        Mat3 slope =
            m3_sub(m3_scale(2 / step->h, body->J), m3_mul(m3_cross(end), so3_slope(v3_neg(turn))));
        Vec3 next = v3_sub(turn, solve3(slope, f));
        if (!v3_finite(next))
            return turn;
        outcome->iterations++;
        turn = next;
        if (outcome->converged)
            return turn;
    }
}

LitheRigidOutcome lithe_rigid_step_free(const LitheRigidTree *tree, const LitheRigidStep *step,
                                        double *q, double *v, double *effort,
                                        LitheRigidStepWork *work) {
    (void)work;
    const LitheRigidLink *link = tree->links;
    LitheRigidOutcome outcome = {0};
    if (!(link->mass > 0 && m3_det(link->inertia) > 0))
        return outcome;
    double h = step->h;
    Mat3 frame = q4_matrix(link->child_frame.rotation);
    FreeBody body = {.r0 = {q[3], q[4], q[5], q[6]}};
    body.J = m3_mul(m3_mul(m3_transpose(frame), link->inertia), frame);
    body.centre = pose_point(pose_inverse(link->child_frame), link->centre);
    if (step->effort) {
        body.force = v3_load(step->effort);
        body.torque = v3_load(step->effort + 3);
    }
    body.spin0 = q4_rotate(q4_conj(body.r0), v3_load(v + 3));
    Vec3 turn = turn_of(&body, step, &outcome);

    // the turn, and the spin that keeps momentum to rounding
    Quat r1 = q4_unit(q4_mul(body.r0, q4_exp(turn)));
    Vec3 momentum = q4_rotate(q4_exp(v3_neg(turn)), m3_apply(body.J, body.spin0));
    Vec3 spin = solve3(body.J, v3_add(momentum, kick(&body, h, turn)));
    spin = q4_rotate(r1, spin);

    // the centre falls with the mean of its velocities
    Vec3 gravity = q4_rotate(q4_conj(link->parent_frame.rotation), step->gravity);
    Vec3 arm0 = q4_rotate(body.r0, body.centre), arm1 = q4_rotate(r1, body.centre);
    Vec3 u0 = v3_add(v3_load(v), v3_cross(v3_load(v + 3), arm0));
    Vec3 u1 = v3_axpy(h, v3_axpy(1 / link->mass, body.force, gravity), u0);
    Vec3 x = v3_axpy(0.5 * h, v3_add(u0, u1), v3_add(v3_load(q), arm0));
    x = v3_sub(x, arm1);
    Vec3 u = v3_sub(u1, v3_cross(spin, arm1));
    if (!(v3_finite(x) && v3_finite(u) && v3_finite(spin) && isfinite(q4_norm(r1))))
        return outcome;

    v3_store(x, q);
    q[3] = r1.w, q[4] = r1.x, q[5] = r1.y, q[6] = r1.z;
    v3_store(u, v);
    v3_store(spin, v + 3);
    if (effort)
        memset(effort, 0, 6 * sizeof *effort);
    outcome.made = true;
    return outcome;
}
