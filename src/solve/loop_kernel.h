// SPDX-License-Identifier: Apache-2.0
// solve/loop_kernel.h - the inner loops over nodes of a convex problem, written once on vectors
//
// The including file defines LOOP_TARGET (attributes of every function), LOOP_MORE(sum, a, b),
// which is sum + a b rounded once or twice, LOOP_FMA, the same of four numbers, and LOOP_KERNEL,
// the name of the table. Sums are kept in four lanes.

#ifndef LITHE_SOLVE_LOOP_KERNEL_H
#define LITHE_SOLVE_LOOP_KERNEL_H

#include "solve/loop_kernels.h"

#include <math.h>
#include <string.h>

#define LOOP_FN LOOP_TARGET __attribute__((always_inline)) static inline
// the general paths, which would take registers and time from the common ones
#define LOOP_FAR LOOP_TARGET __attribute__((noinline)) static

typedef double Four __attribute__((vector_size(32)));
typedef long long Bits __attribute__((vector_size(32)));
// four doubles with the alignment of one
typedef double Loose __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Two __attribute__((vector_size(16)));
typedef double LooseTwo __attribute__((vector_size(16), aligned(8), may_alias));

#define FOUR(address) (*(const Loose *)(address))
#define STORE_FOUR(address) (*(Loose *)(address))
#define TWO(address) (*(const LooseTwo *)(address))
#define STORE_TWO(address) (*(LooseTwo *)(address))

// the same number four times; its lower half is that number twice
#define REPEATED(x) ((Four){*(x), *(x), *(x), *(x)})
#define LOWER(four) __builtin_shufflevector(four, four, 0, 1)

enum { AHEAD = 8 }; // prefetch distance in nodes

LOOP_FN double whole(const Four *part) {
    return ((*part)[0] + (*part)[1]) + ((*part)[2] + (*part)[3]);
}

// --- from couplings to nodes ---------------------------------------------------------------------

// block k of a coupling; of held DoFs it may be NULL
LOOP_FN const double *jacobian_of(const LitheSystem *s, const LitheCoupling *c, int32_t k,
                                  bool held) {
    return held ? lithe_held_block(s->jacobian_held, c, k) : s->jacobian + c->jacobian_at[k];
}

// sum = J' x of all couplings that touch a node of four DoFs; x is the impulse, or `push`
LOOP_FN void gather_4(const LitheSystem *s, int32_t node, bool held, const double *push,
                      Four *sum) {
    Four all = {0};
    for (int32_t p = s->of_start[node]; p < s->of_start[node + 1]; p++) {
        int32_t index = s->of[p] / LITHE_COUPLED_STRIDE, k = s->of[p] % LITHE_COUPLED_STRIDE;
        const LitheCoupling *c = &s->couplings[index];
        const double *J = jacobian_of(s, c, k, held);
        if (held && !J)
            continue;
        const double *x = push ? push + LITHE_COUPLED_ROWS * (ptrdiff_t)index : c->impulse;
        for (int32_t row = 0; row < c->term.rows; row++, J += 4)
            all += FOUR(J) * x[row];
    }
    *sum = all;
}

// own[size] += J' x of one coupling with three rows, in one pass
LOOP_FN void gather_three(int32_t size, const double *J, const double *x, double *restrict own) {
    const double *K = J + size, *L = K + size;
    int32_t j = 0;
    for (; j + 4 <= size; j += 4) {
        Four sum = FOUR(own + j);
        sum += FOUR(J + j) * x[0];
        sum += FOUR(K + j) * x[1];
        sum += FOUR(L + j) * x[2];
        STORE_FOUR(own + j) = sum;
    }
    for (; j < size; j++) {
        own[j] += J[j] * x[0];
        own[j] += K[j] * x[1];
        own[j] += L[j] * x[2];
    }
}

// the same with any number of rows
LOOP_FN void gather_rows(int32_t rows, int32_t size, const double *J, const double *x,
                         double *restrict own) {
    for (int32_t row = 0; row < rows; row++, J += size)
        for (int32_t j = 0; j < size; j++)
            own[j] += J[j] * x[row];
}

#include "solve/group_kernel.h"

// as gather_4, for a free body
LOOP_FN void gather_6(const LitheSystem *s, int32_t node, bool held, const double *push,
                      double *own) {
    Four low = {0};
    Two high = {0};
    for (int32_t p = s->of_start[node]; p < s->of_start[node + 1]; p++) {
        int32_t index = s->of[p] / LITHE_COUPLED_STRIDE, k = s->of[p] % LITHE_COUPLED_STRIDE;
        const LitheCoupling *c = &s->couplings[index];
        const double *J = jacobian_of(s, c, k, held);
        if (held && !J)
            continue;
        const double *x = push ? push + LITHE_COUPLED_ROWS * (ptrdiff_t)index : c->impulse;
        if (c->term.rows == 3) {
            Four a = REPEATED(x), b = REPEATED(x + 1), d = REPEATED(x + 2);
            low += FOUR(J) * a;
            high += TWO(J + 4) * LOWER(a);
            low += FOUR(J + 6) * b;
            high += TWO(J + 10) * LOWER(b);
            low += FOUR(J + 12) * d;
            high += TWO(J + 16) * LOWER(d);
            continue;
        }
        for (int32_t row = 0; row < c->term.rows; row++, J += 6) {
            low += FOUR(J) * x[row];
            high += TWO(J + 4) * x[row];
        }
    }
    STORE_FOUR(own) = low;
    STORE_TWO(own + 4) = high;
}

// as gather_4, for a node of a solid
LOOP_FN void gather_3(const LitheSystem *s, int32_t node, bool held, const double *push,
                      double *own) {
    Two low = {0};
    double high = 0;
    for (int32_t p = s->of_start[node]; p < s->of_start[node + 1]; p++) {
        int32_t index = s->of[p] / LITHE_COUPLED_STRIDE, k = s->of[p] % LITHE_COUPLED_STRIDE;
        const LitheCoupling *c = &s->couplings[index];
        const double *J = jacobian_of(s, c, k, held);
        if (held && !J)
            continue;
        const double *x = push ? push + LITHE_COUPLED_ROWS * (ptrdiff_t)index : c->impulse;
        // most contacts of a mesh are open
        if (c->term.rows == 3 && x[0] == 0 && x[1] == 0 && x[2] == 0)
            continue;
        for (int32_t row = 0; row < c->term.rows; row++, J += 3) {
            low += TWO(J) * x[row];
            high += J[2] * x[row];
        }
    }
    STORE_TWO(own) = low;
    own[2] = high;
}

// as gather_4, for a node with any number of DoFs
LOOP_FN void gather_any(const LitheSystem *s, int32_t node, bool held, const double *push,
                        double *own) {
    int32_t size = s->node_size[node];
    if (size == 3)
        gather_3(s, node, held, push, own);
    if (size == 6)
        gather_6(s, node, held, push, own);
    if (size == 3 || size == 6)
        return;
    memset(own, 0, (size_t)size * sizeof *own);
    for (int32_t p = s->of_start[node]; p < s->of_start[node + 1]; p++) {
        int32_t index = s->of[p] / LITHE_COUPLED_STRIDE, k = s->of[p] % LITHE_COUPLED_STRIDE;
        const LitheCoupling *c = &s->couplings[index];
        const double *J = jacobian_of(s, c, k, held);
        if (held && !J)
            continue;
        const double *x = push ? push + LITHE_COUPLED_ROWS * (ptrdiff_t)index : c->impulse;
        if (c->term.rows == 3)
            gather_three(size, J, x, own);
        else
            gather_rows(c->term.rows, size, J, x, own);
    }
}

LOOP_TARGET static void kernel_spread(const LitheSystem *s, int32_t first, int32_t after, bool held,
                                      double *out) {
    for (int32_t i = first; i < after; i++) {
        double *own = out + s->node_at[i];
        if (s->node_size[i] == 4) {
            Four sum;
            gather_4(s, i, held, NULL, &sum);
            STORE_FOUR(own) = sum;
        } else
            gather_any(s, i, held, NULL, own);
        if (s->group_count > 0 && held)
            add_held_groups(s, i, own);
        else if (s->group_count > 0)
            add_groups(s, i, own);
    }
}

// out[rows] += J x of one node
LOOP_FN void velocity_rows(int32_t rows, int32_t size, const double *J, const double *x,
                           double *out) {
    for (int32_t i = 0; i < rows; i++, J += size) {
        double sum = out[i];
        for (int32_t j = 0; j < size; j++)
            sum = LOOP_MORE(sum, J[j], x[j]);
        out[i] = sum;
    }
}

// out[3] += J x of a node with a few DoFs, which are read once
LOOP_FN void velocity_few(int32_t size, const double *J, const double *x, double *out) {
    double a = out[0], b = out[1], c = out[2];
    for (int32_t j = 0; j < size; j++) {
        a = LOOP_MORE(a, J[j], x[j]);
        b = LOOP_MORE(b, J[size + j], x[j]);
        c = LOOP_MORE(c, J[2 * size + j], x[j]);
    }
    out[0] = a, out[1] = b, out[2] = c;
}

// the same of a node with any number of DoFs; sum: lanes of the rows
LOOP_FN void velocity_three(int32_t size, const double *J, const double *x, Four *sum,
                            double *out) {
    const double *K = J + size, *L = K + size;
    Four a = sum[0], b = sum[1], c = sum[2];
    int32_t j = 0;
    for (; j + 4 <= size; j += 4) {
        Four own = FOUR(x + j);
        a += FOUR(J + j) * own;
        b += FOUR(K + j) * own;
        c += FOUR(L + j) * own;
    }
    sum[0] = a, sum[1] = b, sum[2] = c;
    for (; j < size; j++) {
        out[0] = LOOP_MORE(out[0], J[j], x[j]);
        out[1] = LOOP_MORE(out[1], K[j], x[j]);
        out[2] = LOOP_MORE(out[2], L[j], x[j]);
    }
}

// whether all nodes of a coupling are single bodies or nodes of solids
LOOP_FN bool has_few(const LitheSystem *s, const LitheCoupling *c) {
    bool all = true;
    for (int32_t k = 0; k < c->node_count; k++)
        all &= s->node_size[c->node[k]] == 6 || s->node_size[c->node[k]] == 3;
    return all;
}

// out[3] += J x of such a coupling
LOOP_FN void velocity_of_few(const LitheSystem *s, const LitheCoupling *c, const double *x,
                             double *out) {
    double sum[3] = {out[0], out[1], out[2]};
    for (int32_t k = 0; k < c->node_count; k++) {
        const double *J = s->jacobian + c->jacobian_at[k], *own = x + s->node_at[c->node[k]];
        if (s->node_size[c->node[k]] == 3)
            velocity_few(3, J, own, sum);
        else
            velocity_few(6, J, own, sum);
    }
    out[0] = sum[0], out[1] = sum[1], out[2] = sum[2];
}

// rows of J x are summed over nodes first, then over lanes
LOOP_FN void velocity(const LitheSystem *s, const LitheCoupling *c, int32_t rows, const double *x,
                      double *out) {
    Four sum[LITHE_COUPLED_ROWS];
    for (int32_t i = 0; i < rows; i++)
        sum[i] = (Four){0};
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = s->node_size[c->node[k]];
        const double *J = s->jacobian + c->jacobian_at[k], *own = x + s->node_at[c->node[k]];
        if (size == 4) {
            Four node = FOUR(own);
            for (int32_t i = 0; i < rows; i++, J += 4)
                sum[i] += FOUR(J) * node;
        } else if (size == 6) {
            velocity_rows(rows, 6, J, own, out);
        } else if (rows == 3) {
            velocity_three(size, J, own, sum, out);
        } else {
            for (int32_t i = 0; i < rows; i++, J += size) {
                int32_t j = 0;
                for (; j + 4 <= size; j += 4)
                    sum[i] += FOUR(J + j) * FOUR(own + j);
                for (; j < size; j++)
                    out[i] = LOOP_MORE(out[i], J[j], own[j]);
            }
        }
    }
    for (int32_t i = 0; i < rows; i++)
        out[i] += whole(&sum[i]);
}

LOOP_FAR void velocity_of_three(const LitheSystem *s, const LitheCoupling *c, const double *x,
                                double *out) {
    velocity(s, c, 3, x, out);
}

LOOP_FAR void velocity_of_any(const LitheSystem *s, const LitheCoupling *c, const double *x,
                              double *out) {
    velocity(s, c, c->term.rows, x, out);
}

LOOP_TARGET static void kernel_velocity(const LitheSystem *s, const LitheCoupling *c,
                                        const double *x, double *out) {
    if (c->term.rows == 3 && c->node_count == 2 && s->node_size[c->node[0]] == 6 &&
        s->node_size[c->node[1]] == 6) {
        velocity_few(6, s->jacobian + c->jacobian_at[0], x + s->node_at[c->node[0]], out);
        velocity_few(6, s->jacobian + c->jacobian_at[1], x + s->node_at[c->node[1]], out);
    } else if (c->term.rows == 3 && has_few(s, c))
        velocity_of_few(s, c, x, out);
    else if (c->term.rows == 3)
        velocity_of_three(s, c, x, out);
    else
        velocity_of_any(s, c, x, out);
}

// The gradient of four DoFs, those of `moves`; sums of squares with the scales. `alone`: no
// coupling acts, `pushed` is zero and need not be read
LOOP_FN void gradient_four(LitheSystem *s, const double *from, int32_t at, bool alone,
                           const Bits *moves, Four *impulses, Four *all) {
    Four push = {0}, scale = FOUR(s->scale + at);
    if (!alone)
        push = FOUR(s->pushed + at);
    Four g = (Four)((Bits)(FOUR(from + at) - push) & *moves), a = scale * push, b = scale * g;
    STORE_FOUR(s->gradient + at) = g;
    *impulses += a * a;
    *all += b * b;
}

// the gradient of DoFs whose pushes are known
LOOP_FN void gradient_range(LitheSystem *s, const double *from, int32_t at, int32_t end,
                            Four *impulses, Four *all, double *sums) {
    Bits moves = {-1, -1, -1, -1};
    while (at < end) {
        if (at + 4 <= end && memcmp(s->held + at, "\0\0\0", 4) == 0) {
            gradient_four(s, from, at, false, &moves, impulses, all);
            at += 4;
            continue;
        }
        double a = s->scale[at] * s->pushed[at];
        s->gradient[at] = s->held[at] ? 0 : from[at] - s->pushed[at];
        double b = s->scale[at] * s->gradient[at];
        sums[0] += a * a;
        sums[1] += b * b;
        at++;
    }
}

LOOP_TARGET static void kernel_gradient(LitheSystem *s, int32_t first, int32_t after,
                                        const double *from, double *sums) {
    Four impulses = {0}, all = {0}, push;
    for (int32_t i = first; i < after; i++) {
        int32_t at = s->node_at[i], size = s->node_size[i];
        if (size == 4) {
            bool grouped = is_in_groups(s, i);
            bool alone = s->of_start[i] == s->of_start[i + 1] && !grouped;
            if (!s->has_pushed && !alone) {
                gather_4(s, i, false, NULL, &push);
                STORE_FOUR(s->pushed + at) = push;
                if (grouped)
                    add_groups(s, i, s->pushed + at);
            }
            Bits scaled = (Bits)(FOUR(s->scale + at) != 0); // held DoFs have no scale
            gradient_four(s, from, at, alone, &scaled, &impulses, &all);
            continue;
        }
        // the nodes of a mesh are few DoFs each, and many follow each other
        for (;; i++) {
            if (!s->has_pushed) {
                gather_any(s, i, false, NULL, s->pushed + s->node_at[i]);
                if (is_in_groups(s, i))
                    add_groups(s, i, s->pushed + s->node_at[i]);
            }
            if (size != 3 || i + 1 == after || s->node_size[i + 1] != 3)
                break;
        }
        gradient_range(s, from, at, s->node_at[i] + size, &impulses, &all, sums);
    }
    sums[0] += whole(&impulses);
    sums[1] += whole(&all);
}

#include "solve/loop_kernel_term.h"

#include "solve/lane_kernel.h"

// --- all DoFs of some nodes ----------------------------------------------------------------------

LOOP_TARGET static void kernel_smooth(LitheSystem *s, int32_t at, int32_t end, double *sums) {
    Four cost = {0};
    for (; at + 4 <= end; at += 4) {
        Four r = FOUR(s->r + at), a = FOUR(s->smooth + at);
        cost += FOUR(s->dw + at) * (r + 0.5 * a);
        STORE_FOUR(s->smooth + at) = a + r;
    }
    for (; at < end; at++) {
        sums[0] += s->dw[at] * (s->r[at] + 0.5 * s->smooth[at]);
        s->smooth[at] += s->r[at];
    }
    sums[0] += whole(&cost);
}

LOOP_TARGET static void kernel_along(const LitheSystem *s, int32_t at, int32_t end, double *sums) {
    Four slope = {0}, curvature = {0}, start = {0}, square = {0};
    for (; at + 4 <= end; at += 4) {
        Four dw = FOUR(s->dw + at), scale = FOUR(s->scale + at);
        Four scaled = (Four)((Bits)(dw / scale) & (Bits)(scale != 0)); // held DoFs have no scale
        square += scaled * scaled;
        slope += FOUR(s->smooth + at) * dw;
        curvature += FOUR(s->Adw + at) * dw;
        start += FOUR(s->gradient + at) * dw;
    }
    for (; at < end; at++) {
        sums[0] += s->smooth[at] * s->dw[at];
        sums[1] += s->Adw[at] * s->dw[at];
        sums[2] += s->gradient[at] * s->dw[at];
        double scaled = s->scale[at] != 0 ? s->dw[at] / s->scale[at] : 0;
        sums[3] += scaled * scaled;
    }
    sums[0] += whole(&slope);
    sums[1] += whole(&curvature);
    sums[2] += whole(&start);
    sums[3] += whole(&square);
}

LOOP_TARGET static bool kernel_move(LitheSystem *s, int32_t at, int32_t end, double length) {
    Bits moved = {0};
    bool any = false;
    for (; at + 4 <= end; at += 4) {
        Four before = FOUR(s->w + at), w = before + length * FOUR(s->dw + at);
        STORE_FOUR(s->w + at) = w;
        STORE_FOUR(s->smooth + at) = FOUR(s->smooth + at) + length * FOUR(s->Adw + at);
        moved |= (Bits)(w != before);
    }
    for (; at < end; at++) {
        double before = s->w[at];
        s->w[at] += length * s->dw[at];
        s->smooth[at] += length * s->Adw[at];
        any = any || s->w[at] != before;
    }
    return any || (moved[0] | moved[1] | moved[2] | moved[3]) != 0;
}

// --- error of a solve ----------------------------------------------------------------------------

// max that propagates a NaN
LOOP_FN void raise_max(Four *max, const Four *x) {
    Bits size = (Bits)*x & ((Bits){0} + INT64_MAX);
    Bits keep = (Bits)((Four)size <= *max) | (Bits)(*max != *max);
    *max = (Four)((keep & (Bits)*max) | (~keep & size));
}

LOOP_FN void raise_one(double *max, double x) {
    double size = fabs(x);
    *max = size <= *max || isnan(*max) ? *max : size;
}

LOOP_FN const double *diagonal_of(const LitheBlockMatrix *m, int32_t i) {
    return lithe_block_column(m, i) + m->value_at[m->start[i]];
}

LOOP_TARGET static void kernel_compare(LitheSystem *s, int32_t first, int32_t after, double *sums) {
    Four max[4] = {{0}};
    for (int32_t i = first; i < after; i++) {
        int32_t at = s->node_at[i], size = s->node_size[i];
        const double *D = diagonal_of(s->matrix, i);
        if (i + AHEAD < after && s->node_size[i + AHEAD] == 4) {
            const double *later = diagonal_of(s->matrix, i + AHEAD);
            __builtin_prefetch(later);
            __builtin_prefetch(later + 10);
        }
        if (size == 4) {
            Four g = FOUR(s->gradient + at), dw = FOUR(s->dw + at), left;
            Four d = {D[0], D[5], D[10], D[15]};
            gather_4(s, i, false, s->push, &left);
            if (is_in_groups(s, i))
                add_groups_4(s, i, &left);
            left += g + FOUR(s->Adw + at);
            raise_max(&max[0], &g);
            raise_max(&max[1], &dw);
            raise_max(&max[2], &d);
            raise_max(&max[3], &left);
            continue;
        }
        double *left = s->spare + at;
        gather_any(s, i, false, s->push, left);
        if (is_in_groups(s, i))
            add_groups(s, i, left);
        for (int32_t k = 0; k < size; k++) {
            raise_one(&sums[0], s->gradient[at + k]);
            raise_one(&sums[1], s->dw[at + k]);
            raise_one(&sums[2], D[(size + 1) * k]);
            raise_one(&sums[3], s->gradient[at + k] + s->Adw[at + k] + left[k]);
        }
    }
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 4; k++)
            raise_one(&sums[n], max[n][k]);
}

const LitheLoopKernel LOOP_KERNEL = {kernel_spread,     kernel_velocity,       kernel_gradient,
                                     kernel_smooth,     kernel_along,          kernel_move,
                                     kernel_compare,    kernel_term,           kernel_respond_four,
                                     kernel_try_four,   kernel_active_four,    kernel_slip_four,
                                     kernel_bend_four,  kernel_group_velocity, kernel_group_gather,
                                     kernel_group_term, kernel_group_blur,     kernel_lanes};

#endif
