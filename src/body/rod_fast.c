// SPDX-License-Identifier: Apache-2.0
// body/rod_fast.c - the arrays of a step for the fast kernels, and the choice between them

#include "body/rod_fast.h"

#include "body/rod_fast_kernels.h"

// the entry of one array at edge or node `i`, which may lie in the ghost part
static double *at(LitheRodWork *work, int32_t node_count, LitheFastArray array, int64_t i) {
    return work->fast + (int64_t)array * lithe_fast_stride(node_count) + LITHE_FAST_FRONT + i;
}

// ghost entries of a closed rod are periodic; those of an open one repeat the nearest edge, and
// have no effect because their stiffnesses are zero
static int32_t source(const LitheRod *rod, int64_t i) {
    if (rod->closed)
        return (int32_t)((i + 4 * (int64_t)rod->edge_count) % rod->edge_count);
    return i < 0 ? 0 : i >= rod->edge_count ? rod->edge_count - 1 : (int32_t)i;
}

static Vec3 material_director(const LitheRodWork *work, int32_t edge) {
    double gamma = work->q0[4 * (int64_t)edge + 3];
    Vec3 t = v3_load(work->t0 + 3 * (int64_t)edge), d = v3_load(work->d1 + 3 * (int64_t)edge);
    return v3_axpy(sin(gamma), v3_cross(t, d), v3_scale(cos(gamma), d));
}

// constants of the edge at `i`
static void fill_edge(const LitheRod *rod, LitheRodWork *work, int64_t i) {
    int32_t n = rod->node_count, j = (int32_t)i;
    Vec3 a = material_director(work, j);
    for (int c = 0; c < 3; c++) {
        *at(work, n, LITHE_FAST_T0X + c, i) = work->t0[3 * (int64_t)j + c];
        *at(work, n, LITHE_FAST_AX + c, i) = (&a.x)[c];
    }
    *at(work, n, LITHE_FAST_GAMMA0, i) = work->q0[4 * (int64_t)j + 3];
    *at(work, n, LITHE_FAST_REST, i) = work->rest_length[j];
    *at(work, n, LITHE_FAST_EAL, i) = rod->EA / work->rest_length[j];
}

static bool is_joint(const LitheRod *rod, int64_t i) {
    return rod->closed || (i > 0 && i < rod->node_count - 1);
}

static void fill_joint(const LitheRod *rod, LitheRodWork *work, int64_t i) {
    int32_t n = rod->node_count;
    double cosine = 1, sine = 0, tau = 0, il = 0, natural[3] = {0, 0, 0};
    if (is_joint(rod, i)) {
        int32_t f = source(rod, i), e = source(rod, i - 1);
        double twist = work->q0[4 * (int64_t)f + 3] - work->q0[4 * (int64_t)e + 3];
        double angle = twist + work->angle0[f];
        cosine = cos(angle);
        sine = sin(angle);
        tau = twist + work->tau_ref0[f];
        il = 1 / (work->voronoi[f] + lithe_rod_shift_at(rod, work->rest_length, f));
        for (int c = 0; c < 3; c++)
            natural[c] = work->natural[3 * (int64_t)f + c];
    }
    *at(work, n, LITHE_FAST_COS, i) = cosine;
    *at(work, n, LITHE_FAST_SIN, i) = sine;
    *at(work, n, LITHE_FAST_TAU0, i) = tau;
    *at(work, n, LITHE_FAST_IL, i) = il;
    *at(work, n, LITHE_FAST_K1, i) = natural[0];
    *at(work, n, LITHE_FAST_K2, i) = natural[1];
    *at(work, n, LITHE_FAST_T, i) = natural[2];
}

// the ghost edge at `i` repeats the edge `j` without its stiffness
static void repeat_edge(const LitheRod *rod, LitheRodWork *work, int64_t i, int64_t j) {
    int32_t n = rod->node_count;
    for (int array = LITHE_FAST_T0X; array <= LITHE_FAST_GAMMA0; array++)
        *at(work, n, (LitheFastArray)array, i) = *at(work, n, (LitheFastArray)array, j);
    *at(work, n, LITHE_FAST_REST, i) = *at(work, n, LITHE_FAST_REST, j);
    *at(work, n, LITHE_FAST_EAL, i) = 0;
}

void lithe_rod_fast_begin(const LitheRod *rod, LitheRodWork *work) {
    int32_t n = rod->node_count, edges = rod->edge_count;
    int64_t ghosts = rod->closed ? 0 : 1; // entries beyond the ends are needed too
    for (int64_t i = 0; i < edges; i++)
        fill_edge(rod, work, i);
    for (int64_t i = -LITHE_FAST_FRONT * ghosts; i < n + LITHE_FAST_BACK * ghosts; i++)
        fill_joint(rod, work, i);
    for (int64_t k = 1; !rod->closed && k <= LITHE_FAST_FRONT; k++)
        repeat_edge(rod, work, -k, 0);
    for (int64_t i = edges; !rod->closed && i < n + LITHE_FAST_BACK; i++)
        repeat_edge(rod, work, i, edges - 1);
    if (!rod->closed)
        return;
    for (int array = 0; array < LITHE_FAST_ARRAYS; array++) {
        double *a = at(work, n, (LitheFastArray)array, 0);
        for (int64_t k = 1; k <= LITHE_FAST_FRONT; k++)
            a[-k] = a[source(rod, -k)];
        for (int64_t k = n; k < n + LITHE_FAST_BACK; k++)
            a[k] = a[source(rod, k)];
    }
}

// ghost nodes of the iterate: a closed rod is periodic, an open one continues straight
static void fill_ghost_nodes(const LitheRod *rod, LitheRodWork *work) {
    int64_t n = rod->node_count;
    double *q = work->q;
    for (int64_t k = 1; k <= LITHE_FAST_FRONT; k++)
        for (int c = 0; c < 4; c++)
            q[-4 * k + c] = rod->closed ? q[4 * (((n - k) % n + n) % n) + c]
                            : c == 3    ? q[3]
                                        : q[c] - (double)k * (q[4 + c] - q[c]);
    for (int64_t k = 0; k < LITHE_FAST_BACK; k++)
        for (int c = 0; c < 4; c++) {
            double last = q[4 * (n - 1) + c], before = q[4 * (n - 2) + c];
            q[4 * (n + k) + c] = rod->closed ? q[4 * (k % n) + c]
                                 : c == 3    ? before
                                             : last + (double)(k + 1) * (last - before);
        }
    // the dummy twist of the last node is part of no joint, but the ghost edge there must equal the
    // edge before it
    if (!rod->closed)
        q[4 * n - 1] = q[4 * n - 5];
}

static LitheRodFastFn *kernel_in_use(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return lithe_rod_fast_avx2;
#endif
    return lithe_rod_fast_portable;
}

double lithe_rod_fast(const LitheRod *rod, LitheRodWork *work, double scale, double weight) {
    return lithe_rod_fast_with(kernel_in_use(), LITHE_HESSIAN_FULL, rod, work, scale, weight);
}

double lithe_rod_fast_gauss_newton(const LitheRod *rod, LitheRodWork *work, double scale) {
    return lithe_rod_fast_with(kernel_in_use(), LITHE_HESSIAN_GAUSS_NEWTON, rod, work, scale, 0);
}

double lithe_rod_fast_gradient(const LitheRod *rod, LitheRodWork *work) {
    return lithe_rod_fast_with(kernel_in_use(), LITHE_HESSIAN_NONE, rod, work, 0, 0);
}

double lithe_rod_fast_with(LitheRodFastFn *kernel, LitheHessianPart part, const LitheRod *rod,
                           LitheRodWork *work, double scale, double weight) {
    double dummy = work->q[4 * (int64_t)rod->node_count - 1];
    fill_ghost_nodes(rod, work);
    double energy = kernel(part, rod, work, scale, weight);
    work->q[4 * (int64_t)rod->node_count - 1] = dummy;
    return energy;
}

LitheRodFastFn *lithe_rod_fast_kernel(int32_t index) {
    LitheRodFastFn *first = kernel_in_use();
    if (index == 0)
        return first;
    return index == 1 && first != lithe_rod_fast_portable ? lithe_rod_fast_portable : NULL;
}
