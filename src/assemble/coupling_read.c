// SPDX-License-Identifier: Apache-2.0
// assemble/coupling_read.c - figures of one coupling: scale of its matrix W, speed and motion of
// rows

#include "assemble/assemble.h"

#include "base/assert.h"

#include <math.h>

// W [3][3] of three rows
typedef struct Three {
    double aa, ab, ac, ba, bb, bc, ca, cb, cc;
} Three;

// adds the part of one DoF, s its scale
static inline void add_three(const double *J, int32_t size, double s, Three *W) {
    double a = J[0], b = J[size], c = J[2 * size];
    double ga = a * s * s, gb = b * s * s, gc = c * s * s;
    W->aa += ga * a, W->ab += ga * b, W->ac += ga * c;
    W->ba += gb * a, W->bb += gb * b, W->bc += gb * c;
    W->ca += gc * a, W->cb += gc * b, W->cc += gc * c;
}

// two doubles, with the alignment of one in memory
typedef double Two __attribute__((vector_size(16)));
typedef double LooseTwo __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t Bits __attribute__((vector_size(16)));

static inline Two two(const double *at) {
    return *(const LooseTwo *)at;
}

// add_three of all DoFs of a node, two at a time
static inline void add_node(const double *J, int32_t size, const double *scale, Three *W) {
    const double *K = J + size, *L = K + size;
    Two aa = {0}, ab = {0}, ac = {0}, bb = {0}, bc = {0}, cc = {0};
    int32_t d = 0;
    for (; d + 2 <= size; d += 2) {
        Two s = two(scale + d) * two(scale + d), a = two(J + d), b = two(K + d), c = two(L + d);
        Two ga = a * s, gb = b * s;
        aa += ga * a, ab += ga * b, ac += ga * c;
        bb += gb * b, bc += gb * c, cc += c * s * c;
    }
    W->aa += aa[0] + aa[1], W->bb += bb[0] + bb[1], W->cc += cc[0] + cc[1];
    double sums[3] = {ab[0] + ab[1], ac[0] + ac[1], bc[0] + bc[1]};
    W->ab += sums[0], W->ba += sums[0];
    W->ac += sums[1], W->ca += sums[1];
    W->bc += sums[2], W->cb += sums[2];
    for (; d < size; d++)
        add_three(J + d, size, scale[d], W);
}

// add_three of the four DoFs of a node of a rod, one after the other
static inline void add_four_dofs(const double *J, const double *scale, Two sums[4], double *cc) {
    for (int32_t d = 0; d < 4; d++) {
        double c = J[8 + d], s = scale[d], gc = c * s * s;
        Two ab = {J[d], J[4 + d]}, g = ab * s * s;
        sums[0] += g * J[d];     // aa, ba
        sums[1] += g * J[4 + d]; // ab, bb
        sums[2] += g * c;        // ac, bc
        sums[3] += gc * ab;      // ca, cb
        *cc += gc * c;
    }
}

// lithe_coupling_scale of three rows, as nearly all contacts have
__attribute__((noinline)) static double scale_of_three(const LitheSystem *system,
                                                       const LitheCoupling *c, int32_t first) {
    Three W = {0};
    Two sums[4] = {{0}}; // of nodes of rods
    double cc = 0;
    bool mixed = false; // has other nodes, too
    for (int32_t k = 0; k < c->node_count; k++)
        mixed = mixed || system->node_size[c->node[k]] != 4;
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k] + size * first;
        const double *scale = system->scale + system->node_at[c->node[k]];
        if (!mixed)
            add_four_dofs(J, scale, sums, &cc);
        else if (size == 4 && c->in_patch)
            add_node(J, 4, scale, &W);
        else if (size == 4)
            for (int32_t d = 0; d < 4; d++)
                add_three(J + d, 4, scale[d], &W);
        else if (size == 6) // a known size needs no loop
            add_node(J, 6, scale, &W);
        else if (size == 3)
            add_node(J, 3, scale, &W);
        else
            add_node(J, size, scale, &W);
    }
    const double of_rods[9] = {sums[0][0], sums[1][0], sums[2][0], sums[0][1], sums[1][1],
                               sums[2][1], sums[3][0], sums[3][1], cc};
    const double others[9] = {W.aa, W.ab, W.ac, W.ba, W.bb, W.bc, W.ca, W.cb, W.cc};
    const double *all = mixed ? others : of_rods;
    double sum = 0;
    for (int k = 0; k < 9; k++)
        sum += all[k] * all[k];
    return sqrt(sum / 3);
}

// the same of single bodies: W is symmetric, and stays in registers
static inline double scale_of_bodies(const LitheSystem *system, const LitheCoupling *c,
                                     int32_t first) {
    double aa = 0, ab = 0, ac = 0, bb = 0, bc = 0, cc = 0;
    for (int32_t k = 0; k < c->node_count; k++) {
        const double *J = system->jacobian + c->jacobian_at[k] + 6 * first;
        const double *scale = system->scale + system->node_at[c->node[k]];
        Two sums[6] = {{0}};
        for (int32_t d = 0; d < 6; d += 2) {
            Two s = two(scale + d) * two(scale + d), x = two(J + d), y = two(J + 6 + d),
                z = two(J + 12 + d);
            Two gx = x * s, gy = y * s;
            sums[0] += gx * x, sums[1] += gx * y, sums[2] += gx * z;
            sums[3] += gy * y, sums[4] += gy * z, sums[5] += z * s * z;
        }
        aa += sums[0][0] + sums[0][1], ab += sums[1][0] + sums[1][1];
        ac += sums[2][0] + sums[2][1], bb += sums[3][0] + sums[3][1];
        bc += sums[4][0] + sums[4][1], cc += sums[5][0] + sums[5][1];
    }
    double sum = aa * aa + ab * ab + ac * ac;
    sum = sum + ab * ab + bb * bb + bc * bc;
    return sqrt((sum + ac * ac + bc * bc + cc * cc) / 3);
}

static inline bool has_bodies(const LitheSystem *system, const LitheCoupling *c) {
    bool all = true;
    for (int32_t k = 0; k < c->node_count; k++)
        all = all && system->node_size[c->node[k]] == 6;
    return all;
}

static void add_rows(const double *J, int32_t size, double s, int32_t count, double *W) {
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < count; j++)
            W[count * i + j] += J[size * i] * s * s * J[size * j];
}

// and with any number of rows
__attribute__((noinline)) static double
scale_of_rows(const LitheSystem *system, const LitheCoupling *c, int32_t first, int32_t count) {
    double W[LITHE_COUPLED_ROWS * LITHE_COUPLED_ROWS] = {0}, sum = 0;
    LITHE_ASSERT(count <= LITHE_COUPLED_ROWS);
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k] + size * first;
        const double *scale = system->scale + system->node_at[c->node[k]];
        // a row alone is mostly that of one DoF
        for (int32_t d = 0; d < size; d++)
            if (count > 1 || J[d] != 0)
                add_rows(J + d, size, scale[d], count, W);
    }
    for (int32_t k = 0; k < count * count; k++)
        sum += W[k] * W[k];
    return sqrt(sum / count);
}

double lithe_coupling_scale(const LitheSystem *system, const LitheCoupling *c, int32_t first,
                            int32_t count) {
    if (count == 3 && has_bodies(system, c))
        return scale_of_bodies(system, c, first);
    return count == 3 ? scale_of_three(system, c, first) : scale_of_rows(system, c, first, count);
}

double lithe_coupling_speed(const LitheAssembly *all, const LitheSystem *system,
                            const LitheCoupling *c, int32_t row) {
    double speed = 0;
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k] + size * row;
        const double *H = lithe_held_block(system->jacobian_held, c, k);
        const double *v = all->state->v + system->state_at[c->node[k]];
        for (int32_t d = 0; H && d < size; d++)
            speed += (J[d] + H[size * row + d]) * v[d];
        if (!H && size == 6) // a known size needs no loop
            speed = speed + J[0] * v[0] + J[1] * v[1] + J[2] * v[2] + J[3] * v[3] + J[4] * v[4] +
                    J[5] * v[5];
        for (int32_t d = 0; !H && size != 6 && d < size; d++)
            speed += J[d] * v[d];
    }
    return speed;
}

// sums of |J_d v_d| of each row over the DoFs of a node, two at a time; H: of held DoFs, or NULL
static inline void add_motion(int32_t rows, int32_t size, const double *J, const double *H,
                              const double *v, double *motion) {
    const Bits size_of = {INT64_MAX, INT64_MAX};
    for (int32_t row = 0; row < rows; row++, J += size, H = H ? H + size : NULL) {
        Two sum = {0};
        int32_t d = 0;
        for (; d + 2 <= size; d += 2) {
            Two all = H ? two(J + d) + two(H + d) : two(J + d);
            sum += (Two)((Bits)(all * two(v + d)) & size_of);
        }
        for (; d < size; d++)
            sum[0] += fabs((H ? J[d] + H[d] : J[d]) * v[d]);
        motion[row] += sum[0] + sum[1];
    }
}

// the same of four DoFs, one at a time
static void add_motion_4(int32_t rows, const double *J, const double *H, const double *v,
                         double *motion) {
    for (int32_t row = 0; row < rows; row++, J += 4, H = H ? H + 4 : NULL)
        for (int32_t d = 0; d < 4; d++)
            motion[row] += fabs((H ? J[d] + H[d] : J[d]) * v[d]);
}

// the largest of three rows of single bodies without held DoFs
static inline double motion_of_bodies(const LitheAssembly *all, const LitheSystem *system,
                                      const LitheCoupling *c) {
    const Bits size_of = {INT64_MAX, INT64_MAX};
    double a = 0, b = 0, e = 0;
    for (int32_t k = 0; k < c->node_count; k++) {
        const double *J = system->jacobian + c->jacobian_at[k];
        const double *v = all->state->v + system->state_at[c->node[k]];
        Two x = {0}, y = {0}, z = {0};
        for (int32_t d = 0; d < 6; d += 2) {
            Two own = two(v + d);
            x += (Two)((Bits)(two(J + d) * own) & size_of);
            y += (Two)((Bits)(two(J + 6 + d) * own) & size_of);
            z += (Two)((Bits)(two(J + 12 + d) * own) & size_of);
        }
        a += x[0] + x[1], b += y[0] + y[1], e += z[0] + z[1];
    }
    a = a > b ? a : b;
    return a > e ? a : e;
}

// of any sites
__attribute__((noinline)) static double motion_of_any(const LitheAssembly *all,
                                                      const LitheSystem *system,
                                                      const LitheCoupling *c, int32_t rows) {
    double motion[LITHE_COUPLED_ROWS] = {0}, largest = 0;
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k];
        const double *H = lithe_held_block(system->jacobian_held, c, k);
        const double *v = all->state->v + system->state_at[c->node[k]];
        if (size == 4)
            add_motion_4(rows, J, H, v, motion);
        else if (size == 3 && rows == 3 && !H) // known sizes need no loop
            add_motion(3, 3, J, NULL, v, motion);
        else
            add_motion(rows, size, J, H, v, motion);
    }
    for (int32_t row = 0; row < rows; row++)
        largest = fmax(largest, motion[row]);
    return largest;
}

double lithe_coupling_motion(const LitheAssembly *all, const LitheSystem *system,
                             const LitheCoupling *c, int32_t rows) {
    bool bodies = rows == 3 && c->held_at < 0 && has_bodies(system, c);
    return bodies ? motion_of_bodies(all, system, c) : motion_of_any(all, system, c, rows);
}

double lithe_coupling_lead(const LitheAssembly *all, const LitheSystem *system,
                           const LitheCoupling *c, int32_t row) {
    return all->plan->velocity ? all->plan->h * lithe_coupling_speed(all, system, c, row) : 0;
}
