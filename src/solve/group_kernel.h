// SPDX-License-Identifier: Apache-2.0
// solve/group_kernel.h - products of groups of couplings with their Jacobians, four at a time
//
// Included by solve/loop_kernel.h, on the same vectors. u: the `width` DoFs that move the points of
// a group; block: [3][width] lanes of four couplings (assemble/groups.c).

#ifndef LITHE_SOLVE_GROUP_KERNEL_H
#define LITHE_SOLVE_GROUP_KERNEL_H

// number row of the arrays a .. a + 3 stride; those beyond the last of `count` are zero
LOOP_FN void lanes_of(const double *a, ptrdiff_t stride, int32_t count, int32_t row, Four *out) {
    if (count >= 4)
        *out = (Four){a[row], a[stride + row], a[2 * stride + row], a[3 * stride + row]};
    else
        *out =
            (Four){a[row], count > 1 ? a[stride + row] : 0, count > 2 ? a[2 * stride + row] : 0, 0};
}

// DoFs of an edge of a rod on a body with one joint: loops of a known length keep sums in registers
enum { EDGE_WIDTH = 8 };

// u = x of the DoFs that move the points
LOOP_FN void gather_dofs(const LitheSystem *s, const LitheGroup *g, const double *x, double *u) {
    const LitheCoupling *c = &s->couplings[g->first];
    double all[LITHE_GROUP_WIDTH];
    for (int32_t k = 0, at = 0; k < c->node_count; k++)
        for (int32_t j = 0; j < s->node_size[c->node[k]]; j++)
            all[at++] = x[s->node_at[c->node[k]] + j];
    for (int32_t j = 0; j < g->used; j++)
        u[j] = all[g->column[j]];
}

// out [width of the nodes] = the sums of these DoFs
LOOP_FN void put_sums(const LitheGroup *g, int32_t width, const Four *sum, double *out) {
    for (int32_t j = 0; j < width; j++)
        out[g->column[j]] = whole(&sum[j]);
}

// out [width of the nodes][the same] = a symmetric matrix, whose lower triangle is `sum`
LOOP_FN void put_matrix(const LitheGroup *g, int32_t width, const Four *sum, double *out) {
    for (int32_t row = 0; row < width; row++)
        for (int32_t j = 0; j <= row; j++, sum++)
            out[g->width * g->column[row] + g->column[j]] =
                out[g->width * g->column[j] + g->column[row]] = whole(sum);
}

// out[first + 0 .. count - 1] += J x of the points; `stride` doubles from one point to the next
LOOP_FN void group_velocity(const LitheSystem *s, const LitheGroup *g, int32_t width,
                            const double *x, double *out, ptrdiff_t stride) {
    const double *J = s->group_jacobian + g->jacobian_at;
    double u[LITHE_GROUP_WIDTH];
    gather_dofs(s, g, x, u);
    for (int32_t i = 0; i < g->count; i += 4, J += (ptrdiff_t)12 * width, out += 4 * stride) {
        Four a = {0}, b = {0}, d = {0};
        for (int32_t j = 0; j < width; j++) {
            Four all = REPEATED(u + j);
            a += FOUR(J + 4 * j) * all;
            b += FOUR(J + 4 * (width + j)) * all;
            d += FOUR(J + 4 * (2 * width + j)) * all;
        }
        int32_t lanes = g->count - i < 4 ? g->count - i : 4;
        for (int32_t k = 0; k < lanes; k++) {
            double *v = out + k * stride;
            v[0] += a[k];
            v[1] += b[k];
            v[2] += d[k];
        }
    }
}

LOOP_TARGET static void kernel_group_velocity(const LitheSystem *s, const LitheGroup *g,
                                              const double *x, double *out, ptrdiff_t stride) {
    if (g->used == EDGE_WIDTH)
        group_velocity(s, g, EDGE_WIDTH, x, out, stride);
    else
        group_velocity(s, g, g->used, x, out, stride);
}

// group_sums = J' x of the points; `stride` doubles from x of one point to that of the next
LOOP_FN void group_gather(const LitheSystem *s, const LitheGroup *g, int32_t width, const double *x,
                          ptrdiff_t stride) {
    const double *J = s->group_jacobian + g->jacobian_at;
    Four sum[LITHE_GROUP_WIDTH];
    for (int32_t j = 0; j < width; j++)
        sum[j] = (Four){0};
    for (int32_t i = 0; i < g->count; i += 4, J += (ptrdiff_t)12 * width, x += 4 * stride) {
        Four a, b, d;
        lanes_of(x, stride, g->count - i, 0, &a);
        lanes_of(x, stride, g->count - i, 1, &b);
        lanes_of(x, stride, g->count - i, 2, &d);
        for (int32_t j = 0; j < width; j++)
            sum[j] += FOUR(J + 4 * j) * a + FOUR(J + 4 * (width + j)) * b +
                      FOUR(J + 4 * (2 * width + j)) * d;
    }
    put_sums(g, width, sum, s->group_sums + g->sum_at);
}

LOOP_TARGET static void kernel_group_gather(const LitheSystem *s, const LitheGroup *g,
                                            const double *x, ptrdiff_t stride) {
    if (g->used == EDGE_WIDTH)
        group_gather(s, g, EDGE_WIDTH, x, stride);
    else
        group_gather(s, g, g->used, x, stride);
}

// X = G J of four points [3][width]
LOOP_FN void weigh_lanes(int32_t width, const double *J, const double *G, int32_t count, Four *X) {
    Four g[9];
    for (int32_t k = 0; k < 9; k++)
        lanes_of(G, 9, count, k, &g[k]);
    for (int32_t j = 0; j < width; j++) {
        Four a = FOUR(J + 4 * j), b = FOUR(J + 4 * (width + j)), d = FOUR(J + 4 * (2 * width + j));
        X[j] = g[0] * a + g[1] * b + g[2] * d;
        X[width + j] = g[3] * a + g[4] * b + g[5] * d;
        X[2 * width + j] = g[6] * a + g[7] * b + g[8] * d;
    }
}

// the same where G has no entry between sliding and normal
LOOP_FN void weigh_plain(int32_t width, const double *J, const double *G, int32_t count, Four *X) {
    Four xx, xy, yx, yy, zz;
    lanes_of(G, 9, count, 0, &xx);
    lanes_of(G, 9, count, 1, &xy);
    lanes_of(G, 9, count, 3, &yx);
    lanes_of(G, 9, count, 4, &yy);
    lanes_of(G, 9, count, 8, &zz);
    for (int32_t j = 0; j < width; j++) {
        Four a = FOUR(J + 4 * j), b = FOUR(J + 4 * (width + j));
        X[j] = xx * a + xy * b;
        X[width + j] = yx * a + yy * b;
        X[2 * width + j] = zz * FOUR(J + 4 * (2 * width + j));
    }
}

// group_matrix = J' G J of the points; G [count][9]
LOOP_FN void group_term(const LitheSystem *s, const LitheGroup *g, int32_t width, bool plain,
                        const double *G) {
    const double *J = s->group_jacobian + g->jacobian_at;
    Four sum[LITHE_GROUP_WIDTH * (LITHE_GROUP_WIDTH + 1) / 2], X[3 * LITHE_GROUP_WIDTH];
    int32_t size = width * (width + 1) / 2;
    for (int32_t j = 0; j < size; j++)
        sum[j] = (Four){0};
    for (int32_t i = 0; i < g->count; i += 4, J += (ptrdiff_t)12 * width, G += 36) {
        if (plain)
            weigh_plain(width, J, G, g->count - i, X);
        else
            weigh_lanes(width, J, G, g->count - i, X);
        Four *to = sum;
        for (int32_t row = 0; row < width; row++) {
            Four a = FOUR(J + 4 * row), b = FOUR(J + 4 * (width + row));
            Four d = FOUR(J + 4 * (2 * width + row));
            for (int32_t j = 0; j <= row; j++, to++)
                *to += a * X[j] + b * X[width + j] + d * X[2 * width + j];
        }
    }
    put_matrix(g, width, sum, s->group_matrix + g->matrix_at);
}

LOOP_TARGET static void kernel_group_term(const LitheSystem *s, const LitheGroup *g,
                                          const double *G) {
    // all contacts have one law
    bool plain = s->couplings[g->first].term.kind == LITHE_TERM_LAGGED;
    if (g->used == EDGE_WIDTH && plain)
        group_term(s, g, EDGE_WIDTH, true, G);
    else
        group_term(s, g, g->used, false, G);
}

LOOP_FN void make_positive(Four *a) {
    const Bits sign = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    *a = (Four)((Bits)*a & ~sign);
}

// blur() of solve/convex.c for the points of a group: out += |J'| (|G| (|J| x + unit |bias|) +
// unit |impulse|)
LOOP_TARGET static void kernel_group_blur(const LitheSystem *s, const LitheGroup *g,
                                          const double *G, double unit, const double *x,
                                          double *out) {
    enum { STRIDE = sizeof(LitheCoupling) / sizeof(double) };
    const LitheCoupling *first = &s->couplings[g->first], *c = first;
    const double *J = s->group_jacobian + g->jacobian_at;
    Four sum[LITHE_GROUP_WIDTH] = {{0}}, J_size[3 * LITHE_GROUP_WIDTH];
    double u[LITHE_GROUP_WIDTH];
    int32_t width = g->used;
    gather_dofs(s, g, x, u);
    for (int32_t i = 0; i < g->count; i += 4, J += (ptrdiff_t)12 * width, G += 36, c += 4) {
        Four v[3], own, entry;
        for (int32_t row = 0; row < 3; row++) {
            lanes_of(c->bias, STRIDE, g->count - i, row, &v[row]);
            make_positive(&v[row]);
            v[row] *= unit;
            for (int32_t j = 0; j < width; j++) {
                Four *size = &J_size[width * row + j];
                *size = FOUR(J + 4 * (width * row + j));
                make_positive(size);
                v[row] += *size * u[j];
            }
        }
        for (int32_t row = 0; row < 3; row++) {
            lanes_of(c->impulse, STRIDE, g->count - i, row, &own);
            make_positive(&own);
            own *= unit;
            for (int32_t k = 0; k < 3; k++) {
                lanes_of(G, 9, g->count - i, 3 * row + k, &entry);
                make_positive(&entry);
                own += entry * v[k];
            }
            for (int32_t j = 0; j < width; j++)
                sum[j] += J_size[width * row + j] * own;
        }
    }
    double all[LITHE_GROUP_WIDTH] = {0};
    put_sums(g, width, sum, all);
    for (int32_t k = 0, at = 0; k < first->node_count; k++)
        for (int32_t j = 0; j < s->node_size[first->node[k]]; j++)
            out[s->node_at[first->node[k]] + j] += all[at++];
}

// own [size of a node] += J' x of the groups that touch it, after kernel_group_gather
LOOP_FAR void add_groups(const LitheSystem *s, int32_t node, double *own) {
    int32_t size = s->node_size[node];
    for (int32_t p = s->group_of_start[node]; p < s->group_of_start[node + 1]; p++) {
        const LitheGroup *g = &s->groups[s->group_of[p] / LITHE_COUPLED_STRIDE];
        const LitheCoupling *c = &s->couplings[g->first];
        const double *sum = s->group_sums + g->sum_at;
        for (int32_t k = 0; k < s->group_of[p] % LITHE_COUPLED_STRIDE; k++)
            sum += s->node_size[c->node[k]];
        for (int32_t j = 0; j < size; j++)
            own[j] += sum[j];
    }
}

LOOP_FAR void add_groups_4(const LitheSystem *s, int32_t node, Four *own) {
    double sum[4] = {0};
    add_groups(s, node, sum);
    *own += FOUR(sum);
}

// the same of held DoFs, point by point
LOOP_FAR void add_held_groups(const LitheSystem *s, int32_t node, double *own) {
    for (int32_t p = s->group_of_start[node]; p < s->group_of_start[node + 1]; p++) {
        const LitheGroup *g = &s->groups[s->group_of[p] / LITHE_COUPLED_STRIDE];
        for (int32_t i = g->first; i < g->first + g->count; i++) {
            const LitheCoupling *c = &s->couplings[i];
            const double *J = jacobian_of(s, c, s->group_of[p] % LITHE_COUPLED_STRIDE, true);
            if (J)
                gather_rows(3, s->node_size[node], J, c->impulse, own);
        }
    }
}

LOOP_FN bool is_in_groups(const LitheSystem *s, int32_t node) {
    return s->group_count > 0 && s->group_of_start[node] < s->group_of_start[node + 1];
}

#endif
