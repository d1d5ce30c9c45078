// SPDX-License-Identifier: Apache-2.0
// body/ik.c - differential inverse kinematics by damped least squares within bounds
//
// Lengths are divided by the reach, so that e (translation and rotation to the target), the
// Jacobian J and the changes y of the joints are dimensionless. With z the posture term:
//     (90)  y = z + J' (J J' + l^2)^-1 (e - J z),  low <= y <= high
//     (91)  l^2 = m + max(0, d^2 - p),  p the smallest pivot of J J'
// A joint that would exceed a bound is set to the bound and removed from J; the rest is solved
// again. A drive of positions only has the first three rows of e and J. m is 0 unless a step did
// not reduce the error (Levenberg and Marquardt).

#include "body/ik.h"

#include "body/tree.h"
#include "sparse/dense.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 30 };

// tolerance of the error, relative to the reach and in radians; far above rounding
static const double CLOSE = 1e-10;

// --- layout --------------------------------------------------------------------------------------

// linear and angular take three rows each, the Jacobian six
size_t lithe_ik_work_size(const LitheRigidTree *tree) {
    size_t n = (size_t)tree->v_count;
    return (17 * n + (size_t)tree->q_count) * sizeof(double) + n;
}

LitheIkWork lithe_ik_work_layout(const LitheRigidTree *tree, void *memory) {
    ptrdiff_t n = tree->v_count;
    double *at = memory;
    return (LitheIkWork){.linear = at,
                         .angular = at + 3 * n,
                         .jacobian = at + 6 * n,
                         .change = at + 12 * n,
                         .pull = at + 13 * n,
                         .low = at + 14 * n,
                         .high = at + 15 * n,
                         .start = at + 16 * n,
                         .trial = at + 17 * n,
                         .stuck = (unsigned char *)(at + 17 * n + tree->q_count)};
}

double lithe_ik_reach(const LitheRigidTree *tree, const LitheIk *ik) {
    double sum = 0;
    int32_t first = ik->joints[0];
    Vec3 to = ik->frame.at; // in the frame of link i
    for (int32_t i = ik->link;; i = tree->links[i].parent) {
        sum += v3_distance(to, tree->links[i].child_frame.at);
        if (i == first)
            break;
        to = tree->links[i].parent_frame.at;
    }
    return sum > 0 ? sum : 1;
}

// --- one damped solution -------------------------------------------------------------------------

static const LitheRigidLink *joint_of(const LitheRigidTree *tree, const LitheIk *ik, int32_t k) {
    return &tree->links[ik->joints[k]];
}

// the factor from the dimensionless `change` of a joint to its position [rad or m]
static double unit_of(const LitheRigidTree *tree, const LitheIk *ik, int32_t k) {
    return joint_of(tree, ik, k)->kind == LITHE_JOINT_PRISMATIC ? ik->reach : 1;
}

static double speed_of(const LitheRigidTree *tree, const LitheIk *ik, int32_t k) {
    double limit = joint_of(tree, ik, k)->velocity_limit;
    return limit > 0 ? limit : LITHE_IK_SPEED * unit_of(tree, ik, k);
}

// translation, and rotation unless only the origin has a target
static int rows_of(const LitheIk *ik) {
    return ik->point ? 3 : 6;
}

static void fill_jacobian(const LitheRigidTree *tree, const LitheIk *ik, Vec3 point,
                          const LitheRigidWork *rigid, LitheIkWork *work) {
    int32_t n = ik->joint_count;
    lithe_rigid_point_jacobian(tree, rigid, ik->link, point, work->linear, work->angular);
    for (int32_t r = 0; r < 3; r++)
        for (int32_t k = 0; k < n; k++) {
            ptrdiff_t c = (ptrdiff_t)r * tree->v_count + joint_of(tree, ik, k)->v_at;
            double unit = unit_of(tree, ik, k);
            work->jacobian[r * n + k] = work->linear[c] * unit / ik->reach;
            work->jacobian[(r + 3) * n + k] = work->angular[c] * unit;
        }
}

// (91); `a` [rows][rows] is J J' of the free joints, lower triangle
static double damping_of(const double *a, int rows, double max) {
    double factor[36], min = INFINITY;
    memcpy(factor, a, (size_t)rows * (size_t)rows * sizeof *a);
    if (lithe_dense_factor_positive(rows, factor) >= 0)
        return max * max;
    for (int i = 0; i < rows; i++)
        min = fmin(min, factor[(rows + 1) * i]);
    return fmax(0, max * max - min);
}

// (90) for the joints that are not at a bound
static void solve_free(const LitheIk *ik, const double *e, double extra, LitheIkWork *work) {
    const int32_t n = ik->joint_count;
    const int rows = rows_of(ik);
    double a[36], x[6]; // matrix and right-hand side of (90), then its solution
    for (int i = 0; i < rows; i++) {
        const double *row = work->jacobian + (ptrdiff_t)i * n;
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int32_t k = 0; k < n; k++)
                sum += work->stuck[k] ? 0 : row[k] * work->jacobian[(ptrdiff_t)j * n + k];
            a[rows * i + j] = sum;
        }
        x[i] = e[i];
        for (int32_t k = 0; k < n; k++)
            x[i] -= row[k] * (work->stuck[k] ? work->change[k] : work->pull[k]);
    }
    double damping = damping_of(a, rows, ik->damping) + extra;
    for (int i = 0; i < rows; i++)
        a[(rows + 1) * i] += damping;
    bool solved = lithe_dense_factor_positive(rows, a) < 0;
    if (solved)
        lithe_dense_solve(rows, a, x);
    for (int32_t k = 0; k < n; k++) {
        if (work->stuck[k])
            continue;
        work->change[k] = work->pull[k];
        for (int i = 0; solved && i < rows; i++)
            work->change[k] += work->jacobian[(ptrdiff_t)i * n + k] * x[i];
    }
}

// (90) within low .. high: sets the joint that exceeds its bound most to the bound and solves
// again, until no joint exceeds its bound
static void solve_bounded(const LitheIk *ik, const double *e, double extra, LitheIkWork *work) {
    const int32_t n = ik->joint_count;
    memset(work->stuck, 0, (size_t)n);
    for (int32_t pass = 0; pass <= n; pass++) {
        solve_free(ik, e, extra, work);
        int32_t worst = -1;
        double beyond = 0;
        for (int32_t k = 0; k < n; k++) {
            double out = fmax(work->low[k] - work->change[k], work->change[k] - work->high[k]);
            if (!work->stuck[k] && out > beyond)
                worst = k, beyond = out;
        }
        if (worst < 0)
            return;
        work->stuck[worst] = 1;
        work->change[worst] =
            work->change[worst] < work->low[worst] ? work->low[worst] : work->high[worst];
    }
}

// --- positions -----------------------------------------------------------------------------------

// Bounds of the change from q: position limits, and the max speed since the start of the step.
// False when a joint cannot stay at q.
static bool set_bounds(const LitheRigidTree *tree, const LitheIk *ik, double h, const double *q,
                       LitheIkWork *work) {
    bool stay = true;
    for (int32_t k = 0; k < ik->joint_count; k++) {
        const LitheRigidLink *link = joint_of(tree, ik, k);
        double cap = h * speed_of(tree, ik, k), start = work->start[k];
        double low = start - cap, high = start + cap;
        if (link->limited) {
            // already beyond a limit: back to it, at the max speed
            low = fmin(fmax(low, link->lower), high);
            high = fmax(fmin(high, link->upper), low);
        }
        double unit = unit_of(tree, ik, k);
        work->low[k] = (low - q[link->q_at]) / unit;
        work->high[k] = (high - q[link->q_at]) / unit;
        stay = stay && work->low[k] <= 0 && work->high[k] >= 0;
    }
    return stay;
}

// the error e [6] of (90) at q; returns its norm; `point` becomes the origin of the driven frame
static double error_at(const LitheRigidTree *tree, const LitheIk *ik, Pose target, const double *q,
                       LitheRigidWork *rigid, double *e, Vec3 *point) {
    lithe_rigid_place(tree, q, rigid);
    Pose now = pose_mul(lithe_rigid_pose(tree, rigid, ik->link), ik->frame);
    Quat turn = q4_unit(q4_mul(target.rotation, q4_conj(now.rotation)));
    v3_store(v3_scale(1 / ik->reach, v3_sub(target.at, now.at)), e);
    v3_store(ik->point ? v3(0, 0, 0) : q4_log(turn), e + 3);
    *point = now.at;
    return hypot(v3_norm(v3_load(e)), v3_norm(v3_load(e + 3)));
}

static void set_trial(const LitheRigidTree *tree, const LitheIk *ik, const double *q,
                      LitheIkWork *work) {
    memcpy(work->trial, q, (size_t)tree->q_count * sizeof *q);
    for (int32_t k = 0; k < ik->joint_count; k++)
        work->trial[joint_of(tree, ik, k)->q_at] += work->change[k] * unit_of(tree, ik, k);
}

LitheIkOutcome lithe_ik_solve(const LitheRigidTree *tree, const LitheIk *ik, Pose target, double h,
                              double *q, LitheRigidWork *rigid, LitheIkWork *work) {
    int32_t n = ik->joint_count, i = 0;
    double e[6], trial_e[6], extra = 0;
    Vec3 point;
    double size = error_at(tree, ik, target, q, rigid, e, &point);
    fill_jacobian(tree, ik, point, rigid, work);

    // the posture term is applied first, for the whole step; the iterations then only reduce the
    // error
    double fraction = 1 - exp(-ik->posture * h);
    for (int32_t k = 0; k < n; k++) {
        int32_t at = joint_of(tree, ik, k)->q_at;
        work->start[k] = q[at];
        work->pull[k] = fraction * (ik->rest[at] - q[at]) / unit_of(tree, ik, k);
    }
    // the first change is always made if the posture or a limit requires it
    bool must = !set_bounds(tree, ik, h, q, work) || ik->posture > 0;
    for (; i < MAX_ITERATIONS && (must || size > CLOSE) && extra < 1e3; i++) {
        set_bounds(tree, ik, h, q, work);
        solve_bounded(ik, e, extra, work);
        set_trial(tree, ik, q, work);
        double now = error_at(tree, ik, target, work->trial, rigid, trial_e, &point);
        if (!must && !(now < size)) {
            extra = extra > 0 ? 10 * extra : 1e-4;
            continue;
        }
        bool slow = !must && extra == 0 && size - now < 1e-6 * size;
        memcpy(q, work->trial, (size_t)tree->q_count * sizeof *q);
        memcpy(e, trial_e, sizeof e);
        size = now;
        extra = extra > 1e-4 ? 0.1 * extra : 0;
        if (slow)
            break;
        fill_jacobian(tree, ik, point, rigid, work);
        memset(work->pull, 0, (size_t)n * sizeof *work->pull);
        must = false;
    }
    return (LitheIkOutcome){ik->reach * v3_norm(v3_load(e)), v3_norm(v3_load(e + 3)), i};
}

// --- velocities ----------------------------------------------------------------------------------

void lithe_ik_rate(const LitheRigidTree *tree, const LitheIk *ik, const double *q, Vec3 velocity,
                   Vec3 angular_velocity, double *rate, LitheRigidWork *rigid, LitheIkWork *work) {
    int32_t n = ik->joint_count;
    double e[6];
    lithe_rigid_place(tree, q, rigid);
    fill_jacobian(tree, ik, pose_point(lithe_rigid_pose(tree, rigid, ik->link), ik->frame.at),
                  rigid, work);
    v3_store(v3_scale(1 / ik->reach, velocity), e);
    v3_store(angular_velocity, e + 3);
    for (int32_t k = 0; k < n; k++) {
        const LitheRigidLink *link = joint_of(tree, ik, k);
        double unit = unit_of(tree, ik, k), speed = speed_of(tree, ik, k) / unit;
        double at = q[link->q_at];
        work->pull[k] = ik->posture * (ik->rest[link->q_at] - at) / unit;
        work->low[k] = link->limited && at <= link->lower ? 0 : -speed;
        work->high[k] = link->limited && at >= link->upper ? 0 : speed;
    }
    solve_bounded(ik, e, 0, work);
    for (int32_t k = 0; k < n; k++)
        rate[k] = work->change[k] * unit_of(tree, ik, k);
}
