// SPDX-License-Identifier: Apache-2.0
// body/section_sums_kernel.h - sums over the mass of a section, written once
//
// The including file defines SUMS_TARGET (attributes of every function) and SUMS_TABLE, the name of
// the table. The eight points of a line are two vectors of four. Equations: law/pcc.h and
// body/tree_section.c.

#ifndef LITHE_BODY_SECTION_SUMS_KERNEL_H
#define LITHE_BODY_SECTION_SUMS_KERNEL_H

#include "body/section_sums.h"

#include "law/pcc.h"

#define SUMS_FN SUMS_TARGET __attribute__((always_inline)) static inline

typedef double Four __attribute__((vector_size(32)));
typedef double Loose __attribute__((vector_size(32), aligned(8), may_alias));

enum { HALVES = LITHE_SECTION_NODES / 4 };

#define FOUR(array, half) (*(const Loose *)((array) + 4 * (half)))
#define PUT(array, half) (*(Loose *)((array) + 4 * (half)))

SUMS_FN double whole(const Four *part) {
    return ((*part)[0] + (*part)[1]) + ((*part)[2] + (*part)[3]);
}

// --- place ---------------------------------------------------------------------------------------

// (X3) and (X4) as in law/pcc.c, with as many terms for all points as the last one needs
SUMS_FN void set_functions(const Four *sigma_of, int terms, int half, LitheSectionWork *section) {
    Four sigma = *sigma_of, one = (Four){0} + 1, a = one, b = one;
    for (int i = terms; i-- > 0;) {
        a = one - a * (sigma * lithe_pcc_ratios[0][i]);
        b = one - b * (sigma * lithe_pcc_ratios[1][i]);
    }
    Four f7 = b / 5040, f6 = a / 720, f5 = 1.0 / 120 - sigma * f7, f4 = 1.0 / 24 - sigma * f6;
    Four f3 = 1.0 / 6 - sigma * f5, f2 = 0.5 - sigma * f4, f1 = one - sigma * f3;
    Four s1 = -0.5 * (f2 - f3), c1 = -0.5 * (f3 - 2 * f4), e1 = -0.5 * (f4 - 3 * f5);
    Four g1 = -0.5 * (f5 - 4 * f6); // slope of f_4
    PUT(section->f.s, half) = f1;
    PUT(section->f.c, half) = f2;
    PUT(section->f.s1, half) = s1;
    PUT(section->f.c1, half) = c1;
    PUT(section->f.s2, half) = -0.5 * (c1 - e1);
    PUT(section->f.c2, half) = -0.5 * (e1 - 2 * g1);
}

// bends beyond the series, point by point
static void set_functions_far(LitheSectionWork *section) {
    for (int n = 0; n < LITHE_SECTION_NODES; n++) {
        LithePccFunctions f = lithe_pcc_functions_at(section->y, lithe_pcc_nodes[n]);
        section->f.s[n] = f.s, section->f.c[n] = f.c;
        section->f.s1[n] = f.s1, section->f.c1[n] = f.c1;
        section->f.s2[n] = f.s2, section->f.c2[n] = f.c2;
    }
}

// (X2), its slopes by y, and (X5)
SUMS_FN void set_points(const LitheRigidLink *link, int half, LitheSectionWork *section) {
    Four xi = FOUR(lithe_pcc_nodes, half), a = xi * section->y[1], b = xi * section->y[2];
    Four s = FOUR(section->f.s, half), c = FOUR(section->f.c, half);
    Four a2 = 2 * a * FOUR(section->f.c1, half), b2 = 2 * b * FOUR(section->f.c1, half);
    Four s1 = 2 * FOUR(section->f.s1, half), scale = xi * xi * section->y[0];
    Four third = scale / (3 * link->shape.radius);
    Four side = scale / (sqrt(3) * link->shape.radius);
    Four along[3] = {xi * a * c, xi * b * c, xi * s};
    Four by_u[3] = {c + a * a2, b * a2, a * s1}, by_w[3] = {b * a2, c + b * b2, b * s1};
    PUT(section->masses, half) = link->line_mass * FOUR(lithe_pcc_weights, half);
    for (int i = 0; i < 3; i++) {
        Four l = along[i] / 3, u = third * by_u[i], w = side * by_w[i];
        PUT(section->points[i], half) = section->y[0] * along[i];
        PUT(section->slopes[0][i], half) = l - 2 * u;
        PUT(section->slopes[1][i], half) = l + u - w;
        PUT(section->slopes[2][i], half) = l + u + w;
    }
}

SUMS_TARGET static void kernel_place(const LitheRigidLink *link, LitheSectionWork *section) {
    const double *y = section->y;
    double bend = y[1] * y[1] + y[2] * y[2];
    int terms = bend <= LITHE_PCC_FEW_SIGMA ? LITHE_PCC_FEW : LITHE_PCC_MANY;
    bool near = bend <= LITHE_PCC_MANY_SIGMA;
    if (!near)
        set_functions_far(section);
    for (int half = 0; half < HALVES; half++) {
        Four xi = FOUR(lithe_pcc_nodes, half), sigma = xi * xi * bend;
        if (near)
            set_functions(&sigma, terms, half, section);
        set_points(link, half, section);
    }
}

// --- moments -------------------------------------------------------------------------------------

// the sum over the points of x y
SUMS_FN double sum_of(const double *x, const double *y) {
    Four sum = {0};
    for (int half = 0; half < HALVES; half++)
        sum += FOUR(x, half) * FOUR(y, half);
    return whole(&sum);
}

// of x y - z w: a component of a cross product
SUMS_FN double sum_across(const double *x, const double *y, const double *z, const double *w) {
    Four sum = {0};
    for (int half = 0; half < HALVES; half++)
        sum += FOUR(x, half) * FOUR(y, half) - FOUR(z, half) * FOUR(w, half);
    return whole(&sum);
}

// of the scalar products of two vectors
SUMS_FN double sum_along(const double (*x)[LITHE_SECTION_NODES],
                         const double (*y)[LITHE_SECTION_NODES]) {
    Four sum = {0};
    for (int half = 0; half < HALVES; half++)
        sum += FOUR(x[0], half) * FOUR(y[0], half) + FOUR(x[1], half) * FOUR(y[1], half) +
               FOUR(x[2], half) * FOUR(y[2], half);
    return whole(&sum);
}

SUMS_TARGET static void kernel_moments(const LitheSectionWork *section, LitheSectionMoments *out) {
    double flow[3][LITHE_SECTION_NODES]; // dm p, then dm J_k
    const double(*p)[LITHE_SECTION_NODES] = section->points;
    for (int i = 0; i < 3; i++) {
        for (int half = 0; half < HALVES; half++)
            PUT(flow[i], half) = FOUR(section->masses, half) * FOUR(p[i], half);
        out->moment[i] = sum_of(section->masses, p[i]);
        for (int j = 0; j <= i; j++)
            out->second[i][j] = sum_of(flow[i], p[j]);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            for (int half = 0; half < HALVES; half++)
                PUT(flow[i], half) =
                    FOUR(section->masses, half) * FOUR(section->slopes[k][i], half);
            out->lin[k][i] = sum_of(section->masses, section->slopes[k][i]);
        }
        out->ang[k][0] = sum_across(p[1], flow[2], p[2], flow[1]);
        out->ang[k][1] = sum_across(p[2], flow[0], p[0], flow[2]);
        out->ang[k][2] = sum_across(p[0], flow[1], p[1], flow[0]);
        for (int j = 0; j <= k; j++)
            out->own[k][j] =
                sum_along((const double(*)[LITHE_SECTION_NODES])flow, section->slopes[j]);
    }
}

// --- motion --------------------------------------------------------------------------------------

// lithe_pcc_bias
SUMS_TARGET static void kernel_bias(LitheSectionWork *section) {
    const double *y = section->y, *rate = section->y_rate;
    for (int half = 0; half < HALVES; half++) {
        Four xi = FOUR(lithe_pcc_nodes, half), a = xi * y[1], b = xi * y[2];
        Four da = xi * rate[1], db = xi * rate[2];
        Four sigma1 = 2 * (a * da + b * db), sigma2 = 2 * (da * da + db * db);
        Four fc = FOUR(section->f.c, half), fc1 = FOUR(section->f.c1, half);
        Four fs1 = FOUR(section->f.s1, half), square = sigma1 * sigma1;
        Four c1 = fc1 * sigma1, c2 = FOUR(section->f.c2, half) * square + fc1 * sigma2;
        Four s1 = fs1 * sigma1, s2 = FOUR(section->f.s2, half) * square + fs1 * sigma2;
        Four once = 2 * rate[0] * xi, twice = y[0] * xi;
        PUT(section->bias[0], half) = once * (da * fc + a * c1) + twice * (2 * da * c1 + a * c2);
        PUT(section->bias[1], half) = once * (db * fc + b * c1) + twice * (2 * db * c1 + b * c2);
        PUT(section->bias[2], half) = once * s1 + twice * s2;
    }
}

// sum of the slopes with a factor for each chamber
SUMS_FN void add_slopes(const LitheSectionWork *section, const double *by, int half, Four *out) {
    for (int i = 0; i < 3; i++)
        out[i] += by[0] * FOUR(section->slopes[0][i], half) +
                  by[1] * FOUR(section->slopes[1][i], half) +
                  by[2] * FOUR(section->slopes[2][i], half);
}

// out += a x b
SUMS_FN void add_cross(Vec3 a, const Four *b, Four *out) {
    out[0] += a.y * b[2] - a.z * b[1];
    out[1] += a.z * b[0] - a.x * b[2];
    out[2] += a.x * b[1] - a.y * b[0];
}

// (X7) of four points
SUMS_FN void accelerate(const LitheSectionWork *section, const LitheSectionMotion *motion,
                        const double *a, const Four *p, int half, Four *out) {
    const double twice[3] = {2 * section->rate[0], 2 * section->rate[1], 2 * section->rate[2]};
    Four inner[3] = {{0}};
    add_slopes(section, twice, half, inner);
    add_cross(motion->omega, p, inner);
    out[0] = motion->start.x + FOUR(section->bias[0], half);
    out[1] = motion->start.y + FOUR(section->bias[1], half);
    out[2] = motion->start.z + FOUR(section->bias[2], half);
    add_cross(motion->alpha, p, out);
    add_cross(motion->omega, inner, out);
    if (a)
        add_slopes(section, a, half, out);
}

SUMS_TARGET static void kernel_force(const LitheSectionWork *section,
                                     const LitheSectionMotion *motion, const double *a, Vec3 *force,
                                     Vec3 *torque, double *effort) {
    Four push[3] = {{0}}, turn[3] = {{0}}, own[3] = {{0}};
    for (int half = 0; half < HALVES; half++) {
        Four f[3], p[3];
        for (int i = 0; i < 3; i++)
            p[i] = FOUR(section->points[i], half);
        accelerate(section, motion, a, p, half, f);
        for (int i = 0; i < 3; i++) {
            f[i] *= FOUR(section->masses, half);
            push[i] += f[i];
        }
        turn[0] += p[1] * f[2] - p[2] * f[1];
        turn[1] += p[2] * f[0] - p[0] * f[2];
        turn[2] += p[0] * f[1] - p[1] * f[0];
        for (int k = 0; k < 3; k++)
            own[k] += FOUR(section->slopes[k][0], half) * f[0] +
                      FOUR(section->slopes[k][1], half) * f[1] +
                      FOUR(section->slopes[k][2], half) * f[2]; // (X9)
    }
    *force = v3(whole(&push[0]), whole(&push[1]), whole(&push[2]));
    *torque = v3(whole(&turn[0]), whole(&turn[1]), whole(&turn[2]));
    for (int k = 0; k < 3; k++)
        effort[k] += whole(&own[k]);
}

const LitheSectionSums SUMS_TABLE = {
    .place = kernel_place,
    .moments = kernel_moments,
    .bias = kernel_bias,
    .force = kernel_force,
};

#endif
