// SPDX-License-Identifier: Apache-2.0
// body/chain_step.c - implicit step of a chain of capsules, linear in their number
//
// Unknown: velocities w at the end of the step and impulses mu of the joints. With L the angular
// momentum in the world's axes, E the energy of bending and twisting, a the arms to the joints:
//     (50)  m (u1 - u0) - h f + sum of +-mu = 0,   L1 - L0 - h t + h dE + sum of +-a x mu = 0,
//           gap_j(q1)/h = 0,   q1 = q0 (+) h w
//     (51)  E = r' k r / 2,   exp(r) = R_before' R_after,   dE = T k r,  T = R_after J(r)^-1
// Newton's matrix, Gauss-Newton in E and with the turning of arms under load, is block tridiagonal:
// group i holds capsule i and then joint i (the one before it), 9 unknowns; group `count` has the
// last joint alone.
//     (52)  D_i = K_ii - K_i,i-1 D_i-1^-1 K_i,i-1'
// It is quasidefinite: 6 positive and 3 negative pivots a group, without exchanges. A joint comes
// after both its capsules, or a capsule between two fixed ends would be a mechanism too few.

#include "body/chain.h"
#include "math/eigen.h"
#include "sparse/dense.h"

#include <string.h>

enum { SIZE = 9, BLOCK = SIZE * SIZE };

// scratch, in groups
typedef struct Work {
    double *q, *w, *mu;             // iterate: [7 count], [6 count], [3 (count + 1)]
    double *best_w, *best_mu;       // where the search starts
    double *r;                      // [9 (count + 1)] residual, then direction
    double *dx;                     // [9 (count + 1)]
    double *L0;                     // [3 count] angular momenta at the start
    double *diagonal, *lower, *top; // [count + 1][81] D and its factor; K_i,i-1; D_i\K_i+1,i'
} Work;

size_t lithe_chain_work_size(const LitheChain *chain) {
    size_t n = (size_t)chain->count, g = n + 1;
    return 7 * n + 2 * (6 * n + 3 * g) + 2 * SIZE * g + 3 * n + 3 * BLOCK * g;
}

static Work lay(const LitheChain *chain, double *at) {
    ptrdiff_t n = chain->count, g = n + 1;
    Work work = {.q = at};
    work.w = work.q + 7 * n;
    work.mu = work.w + 6 * n;
    work.best_w = work.mu + 3 * g;
    work.best_mu = work.best_w + 6 * n;
    work.r = work.best_mu + 3 * g;
    work.dx = work.r + SIZE * g;
    work.L0 = work.dx + SIZE * g;
    work.diagonal = work.L0 + 3 * n;
    work.lower = work.diagonal + BLOCK * g;
    work.top = work.lower + BLOCK * g;
    return work;
}

LitheChainStep lithe_chain_step_default(double h) {
    return (LitheChainStep){.h = h, .tolerance = 1e-9, .max_iterations = 30};
}

// --- pieces --------------------------------------------------------------------------------------

static bool held(const LitheChain *chain, int32_t i) {
    return i < 0 || i >= chain->count || (chain->held && chain->held[i]);
}

// whether joint j ties anything that can move
static bool tied(const LitheChain *chain, int32_t j) {
    if (j == 0)
        return chain->start_pinned && !held(chain, 0);
    if (j == chain->count)
        return chain->end_pinned && !held(chain, j - 1);
    return !(held(chain, j - 1) && held(chain, j));
}

static Quat turn_of(const double *q) {
    return (Quat){q[3], q[4], q[5], q[6]};
}

static Mat3 inertia_of(const LitheChain *chain, Vec3 axis) {
    double across = chain->inertia_across;
    return m3_axpy(chain->inertia_along - across, m3_outer(axis, axis),
                   m3_diag(across, across, across));
}

static Vec3 axis_of(const double *q) {
    return q4_rotate(turn_of(q), v3(0, 0, 1));
}

static Vec3 joint_stiffness(const LitheChain *chain, Vec3 r) {
    return v3(chain->bend * r.x, chain->bend * r.y, chain->twist * r.z);
}

static void advance(const LitheChain *chain, double h, const double *q0, const double *w,
                    double *q) {
    for (int32_t i = 0; i < chain->count; i++, q0 += 7, q += 7, w += 6) {
        v3_store(v3_axpy(h, v3_load(w), v3_load(q0)), q);
        Quat turn = q4_unit(q4_mul(q4_exp(v3_scale(h, v3_load(w + 3))), turn_of(q0)));
        q[3] = turn.w, q[4] = turn.x, q[5] = turn.y, q[6] = turn.z;
    }
}

static void add(Vec3 a, double *x) {
    v3_store(v3_add(v3_load(x), a), x);
}

// --- residual (50) -------------------------------------------------------------------------------

// sizes of what balances, for the tolerance
typedef struct Size {
    double momentum; // |residual of momenta|^2, mass-weighted
    double scale;    // the same of the momenta and impulses in it
    double gap;      // |gaps|^2 [m^2]
} Size;

static double weigh(const LitheChain *chain, const double *x) {
    return v3_dot(v3_load(x), v3_load(x)) / chain->mass +
           v3_dot(v3_load(x + 3), v3_load(x + 3)) / chain->inertia_across;
}

static void capsule_residual(const LitheChain *chain, const LitheChainStep *step, int32_t i,
                             const double *v0, const Work *work, Size *size) {
    double h = step->h, *r = work->r + SIZE * i;
    const double *w = work->w + 6 * i, *q = work->q + 7 * i;
    Vec3 u = v3_load(w), spin = v3_load(w + 3);
    Vec3 p = v3_scale(chain->mass, u);
    Vec3 L = m3_apply(inertia_of(chain, axis_of(q)), spin);
    Vec3 f = v3_scale(chain->mass, step->gravity), t = {0, 0, 0};
    if (step->effort) {
        f = v3_add(f, v3_load(step->effort + 6 * i));
        t = v3_load(step->effort + 6 * i + 3);
    }
    Vec3 p0 = v3_scale(chain->mass, v3_load(v0 + 6 * i));
    double keep = 1 + h * chain->drag;
    v3_store(v3_axpy(-h, f, v3_sub(v3_scale(keep, p), p0)), r);
    v3_store(v3_axpy(-h, t, v3_sub(v3_scale(keep, L), v3_load(work->L0 + 3 * i))), r + 3);
    double all[6];
    v3_store(v3_axpy(h, f, p), all);
    v3_store(v3_axpy(h, t, L), all + 3);
    size->scale += weigh(chain, all);
}

// joint j acts on capsules j-1 and j, its gap is the last three rows of group j
static void joint_residual(const LitheChain *chain, const LitheChainStep *step, int32_t j,
                           const Work *work, Size *size) {
    double h = step->h, half = 0.5 * chain->length, *r = work->r + SIZE * j;
    v3_store(v3(0, 0, 0), r + 6);
    bool before = j > 0, after = j < chain->count;
    const double *qb = work->q + 7 * (ptrdiff_t)(j - 1), *qa = qb + 7;
    const double *wb = work->w + 6 * (ptrdiff_t)(j - 1), *wa = wb + 6;
    if (tied(chain, j)) {
        Vec3 mu = v3_load(work->mu + 3 * j);
        Vec3 gap = before ? v3(0, 0, 0) : chain->start_at;
        if (before) {
            Vec3 arm = v3_scale(half, axis_of(qb));
            gap = v3_add(v3_load(qb), arm);
            add(mu, r - SIZE);
            add(v3_cross(arm, mu), r - SIZE + 3);
        }
        if (after) {
            Vec3 arm = v3_scale(-half, axis_of(qa));
            gap = v3_sub(gap, v3_add(v3_load(qa), arm));
            add(v3_neg(mu), r);
            add(v3_neg(v3_cross(arm, mu)), r + 3);
        } else {
            gap = v3_sub(gap, chain->end_at);
        }
        v3_store(v3_scale(1 / h, gap), r + 6);
        size->gap += v3_dot(gap, gap);
        size->scale += 2 * v3_dot(mu, mu) / chain->mass;
    }
    if (before && after) {
        Vec3 turn;
        Mat3 slope;
        lithe_chain_bend(qb, qa, &turn, &slope);
        Vec3 torque = m3_apply(slope, joint_stiffness(chain, turn));
        torque = v3_axpy(chain->damping, v3_sub(v3_load(wa + 3), v3_load(wb + 3)), torque);
        add(v3_scale(h, torque), r + 3);
        add(v3_scale(-h, torque), r - SIZE + 3);
        size->scale += h * h * v3_dot(torque, torque) / chain->inertia_across;
    }
}

static Size residual(const LitheChain *chain, const LitheChainStep *step, const double *q0,
                     const double *v0, const Work *work) {
    Size size = {0};
    advance(chain, step->h, q0, work->w, work->q);
    for (int32_t i = 0; i < chain->count; i++)
        capsule_residual(chain, step, i, v0, work, &size);
    memset(work->r + SIZE * (ptrdiff_t)chain->count, 0, SIZE * sizeof(double));
    for (int32_t j = 0; j <= chain->count; j++)
        joint_residual(chain, step, j, work, &size);
    // held capsules keep their velocity, whatever the forces
    for (int32_t i = 0; i < chain->count; i++) {
        if (held(chain, i))
            memset(work->r + SIZE * i, 0, 6 * sizeof(double));
        size.momentum += weigh(chain, work->r + SIZE * i);
    }
    return size;
}

// --- matrix --------------------------------------------------------------------------------------

static void add_block(double *block, int row, int column, double s, Mat3 a) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            block[SIZE * (row + i) + column + j] += s * a.m[i][j];
}

// how the torque of mu at an arm grows as the arm turns: symmetric part of [mu][arm]
static Mat3 turning(Vec3 arm, Vec3 mu) {
    Mat3 outer = m3_outer(arm, mu);
    double d = v3_dot(arm, mu);
    return m3_sub(m3_sym(outer), m3_diag(d, d, d));
}

static void capsule_matrix(const LitheChain *chain, double h, int32_t i, bool project,
                           const Work *work) {
    double *block = work->diagonal + (ptrdiff_t)BLOCK * i;
    if (held(chain, i)) {
        for (int k = 0; k < 6; k++)
            block[(SIZE + 1) * k] = 1;
        return;
    }
    Vec3 axis = axis_of(work->q + 7 * i), arm = v3_scale(0.5 * chain->length, axis);
    double keep = 1 + h * chain->drag;
    add_block(block, 0, 0, keep * chain->mass, m3_identity());
    add_block(block, 3, 3, keep, inertia_of(chain, axis));
    // joint i at -arm pushes with -mu, joint i+1 at arm with mu
    Vec3 mu = {0, 0, 0};
    for (int32_t j = i; j <= i + 1; j++)
        mu = tied(chain, j) ? v3_add(mu, v3_load(work->mu + 3 * j)) : mu;
    Mat3 load = turning(arm, mu);
    double room[LITHE_PROJECT_WORK(3)];
    if (project)
        lithe_project_psd(3, &load.m[0][0], room);
    add_block(block, 3, 3, h, load);
}

static void joint_matrix(const LitheChain *chain, double h, int32_t j, const Work *work) {
    double *own = work->diagonal + (ptrdiff_t)BLOCK * j, *up = own - BLOCK;
    double *lower = work->lower + (ptrdiff_t)BLOCK * j, half = 0.5 * chain->length;
    bool before = !held(chain, j - 1), after = !held(chain, j);
    const double *qb = work->q + 7 * (ptrdiff_t)(j - 1), *qa = qb + 7;
    if (tied(chain, j)) {
        if (before) {
            add_block(lower, 6, 0, 1, m3_identity());
            add_block(lower, 6, 3, -half, m3_cross(axis_of(qb)));
        }
        if (after) {
            // both triangles
            Mat3 arm = m3_cross(axis_of(qa));
            add_block(own, 6, 0, -1, m3_identity());
            add_block(own, 6, 3, -half, arm);
            add_block(own, 0, 6, -1, m3_identity());
            add_block(own, 3, 6, half, arm);
        }
    } else {
        for (int k = 6; k < SIZE; k++)
            own[(SIZE + 1) * k] = -1;
    }
    if (j > 0 && j < chain->count) {
        Vec3 turn;
        Mat3 slope;
        lithe_chain_bend(qb, qa, &turn, &slope);
        Mat3 k = m3_diag(chain->bend, chain->bend, chain->twist);
        k = m3_mul(m3_mul(slope, k), m3_transpose(slope));
        k = m3_axpy(chain->damping, m3_identity(), m3_scale(h, k));
        if (before)
            add_block(up, 3, 3, h, k);
        if (after)
            add_block(own, 3, 3, h, k);
        if (before && after)
            add_block(lower, 3, 3, -h, k);
    }
}

// (52); false when a group has not 6 positive and 3 negative pivots
static bool factor(int32_t groups, const Work *work) {
    for (int32_t i = 0; i < groups; i++) {
        double *d = work->diagonal + (ptrdiff_t)BLOCK * i;
        if (i > 0) {
            const double *lower = work->lower + (ptrdiff_t)BLOCK * i;
            double *top = work->top + (ptrdiff_t)BLOCK * (i - 1);
            // rows 3.. of `lower` alone differ from zero, in columns 0..5
            for (int row = 3; row < SIZE; row++) {
                double *x = top + SIZE * row;
                memcpy(x, lower + SIZE * row, SIZE * sizeof *x);
                lithe_dense_solve(SIZE, d - BLOCK, x);
            }
            for (int row = 3; row < SIZE; row++)
                for (int column = 3; column <= row; column++)
                    for (int k = 0; k < 6; k++)
                        d[SIZE * row + column] -= lower[SIZE * row + k] * top[SIZE * column + k];
        }
        if (lithe_dense_factor(SIZE, d) >= 0 || lithe_dense_negative_count(SIZE, d) != 3)
            return false;
    }
    return true;
}

static bool build(const LitheChain *chain, double h, bool project, const Work *work) {
    int32_t groups = chain->count + 1;
    memset(work->diagonal, 0, (size_t)groups * BLOCK * sizeof(double));
    memset(work->lower, 0, (size_t)groups * BLOCK * sizeof(double));
    for (int32_t i = 0; i < chain->count; i++)
        capsule_matrix(chain, h, i, project, work);
    for (int k = 0; k < 6; k++) // the last group has no capsule
        work->diagonal[(ptrdiff_t)BLOCK * chain->count + (SIZE + 1) * k] = 1;
    for (int32_t j = 0; j < groups; j++)
        joint_matrix(chain, h, j, work);
    return factor(groups, work);
}

static void solve(int32_t groups, const Work *work, double *x) {
    for (int32_t i = 1; i < groups; i++) {
        const double *top = work->top + (ptrdiff_t)BLOCK * (i - 1);
        double *xi = x + SIZE * i;
        for (int row = 3; row < SIZE; row++)
            for (int k = 0; k < SIZE; k++)
                xi[row] -= top[SIZE * row + k] * xi[k - SIZE];
    }
    for (int32_t i = groups - 1; i >= 0; i--) {
        const double *top = work->top + (ptrdiff_t)BLOCK * i;
        double *xi = x + SIZE * i;
        lithe_dense_solve(SIZE, work->diagonal + (ptrdiff_t)BLOCK * i, xi);
        for (int row = 3; i + 1 < groups && row < SIZE; row++)
            for (int k = 0; k < SIZE; k++)
                xi[k] -= top[SIZE * row + k] * xi[SIZE + row];
    }
}

// --- the step ------------------------------------------------------------------------------------

// what Newton makes fall: momenta, and gaps as momenta
static double merit(const LitheChain *chain, double h, Size size) {
    return size.momentum + chain->mass * size.gap / (h * h);
}

static void copy_iterate(const LitheChain *chain, const double *w, const double *mu, double *to_w,
                         double *to_mu) {
    memcpy(to_w, w, (size_t)chain->count * 6 * sizeof *to_w);
    memcpy(to_mu, mu, (size_t)(chain->count + 1) * 3 * sizeof *to_mu);
}

// along dx from the best iterate, shorter while the merit grows
static Size search(const LitheChain *chain, const LitheChainStep *step, const double *q0,
                   const double *v0, const Work *work, Size size) {
    double length = 1, before = merit(chain, step->h, size);
    copy_iterate(chain, work->w, work->mu, work->best_w, work->best_mu);
    for (int cut = 0;; cut++, length *= 0.5) {
        for (int32_t i = 0; i <= chain->count; i++) {
            const double *dx = work->dx + SIZE * i;
            for (int k = 0; i < chain->count && k < 6; k++)
                work->w[6 * i + k] = work->best_w[6 * i + k] + length * dx[k];
            for (int k = 0; k < 3; k++)
                work->mu[3 * i + k] = work->best_mu[3 * i + k] + length * dx[6 + k];
        }
        size = residual(chain, step, q0, v0, work);
        // the first step from a poor guess of mu may raise it: after some halvings go on
        if (merit(chain, step->h, size) <= before || cut >= 4)
            return size;
    }
}

LitheChainOutcome lithe_chain_step(const LitheChain *chain, const LitheChainStep *step, double *q,
                                   double *v, double *impulse, double *memory) {
    LitheChainOutcome outcome = {0};
    Work work = lay(chain, memory);
    copy_iterate(chain, v, impulse, work.w, work.mu);
    for (int32_t i = 0; i < chain->count; i++) {
        Mat3 inertia = inertia_of(chain, axis_of(q + 7 * i));
        v3_store(m3_apply(inertia, v3_load(v + 6 * i + 3)), work.L0 + 3 * i);
    }
    Size size = residual(chain, step, q, v, &work);
    for (;;) {
        double scale = size.scale > 0 ? size.scale : 1;
        outcome.residual = sqrt(size.momentum / scale);
        bool closed = sqrt(size.gap) <= step->tolerance * chain->length;
        outcome.converged = closed && outcome.residual <= step->tolerance;
        if (outcome.converged || outcome.iterations >= step->max_iterations)
            break;
        outcome.iterations++;
        if (!build(chain, step->h, false, &work)) {
            outcome.corrected++;
            if (!build(chain, step->h, true, &work))
                return outcome;
        }
        for (ptrdiff_t k = 0; k < SIZE * ((ptrdiff_t)chain->count + 1); k++)
            work.dx[k] = -work.r[k];
        solve(chain->count + 1, &work, work.dx);
        size = search(chain, step, q, v, &work, size);
    }
    if (!isfinite(merit(chain, step->h, size)))
        return outcome;
    memcpy(q, work.q, (size_t)chain->count * 7 * sizeof *q);
    copy_iterate(chain, work.w, work.mu, v, impulse);
    outcome.made = true;
    return outcome;
}
