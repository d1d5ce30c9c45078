// SPDX-License-Identifier: Apache-2.0
// body/rod_sums_kernel.h - sums over the DoFs of a rod, written once
//
// The including file defines SUMS_TARGET (attributes of every function) and SUMS_TABLE, the name of
// the table.

#ifndef LITHE_BODY_ROD_SUMS_KERNEL_H
#define LITHE_BODY_ROD_SUMS_KERNEL_H

#include "body/rod_sums.h"

#include <string.h>

#define SUMS_FN SUMS_TARGET __attribute__((always_inline)) static inline

// the four DoFs of a node
typedef double Four __attribute__((vector_size(32)));
typedef long long Bits __attribute__((vector_size(32)));
typedef double Loose __attribute__((vector_size(32), aligned(8), may_alias));

#define FOUR(address) (*(const Loose *)(address))

SUMS_FN double whole(const Four *part) {
    return ((*part)[0] + (*part)[1]) + ((*part)[2] + (*part)[3]);
}

SUMS_FN bool any_held(const unsigned char *held) {
    uint32_t all;
    memcpy(&all, held, sizeof all);
    return all != 0;
}

SUMS_TARGET static double kernel_inertia(const LitheRod *rod, const LitheRodWork *work,
                                         const double *w, double *r) {
    const LitheStepPlan *plan = &work->plan;
    double alpha = plan->still ? 0 : plan->h * rod->damping_mass, before = plan->still ? 0 : 1;
    Four potential = {0};
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i += 4) {
        Four m = FOUR(rod->mass + i), f = plan->h * (FOUR(work->force + i) + FOUR(work->gyro + i));
        Four x = FOUR(w + i), dv = x - before * FOUR(work->v0 + i), c = (Four){0} + plan->c;
        for (int k = 0; any_held(rod->held + i) && k < 4; k++)
            c[k] = rod->held[i + k] ? !plan->still : plan->c;
        *(Loose *)(r + i) = m * (c * dv + alpha * x) - f + plan->h * FOUR(work->gradient + i);
        potential += 0.5 * m * (c * dv * dv + alpha * x * x) - f * x;
    }
    return whole(&potential);
}

SUMS_TARGET static LitheRodSquares kernel_squares(const LitheRod *rod, const LitheRodWork *work,
                                                  const double *r) {
    Four residual = {0}, momentum = {0}, load = {0}, elastic = {0}, noise = {0};
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i += 4) {
        Four d = FOUR(work->diagonal + i);
        Four weight = (Four)((Bits)(1 / d) & (Bits)(d > 0));
        for (int k = 0; any_held(rod->held + i) && k < 4; k++)
            weight[k] = rod->held[i + k] ? 0 : weight[k];
        Four p = FOUR(rod->mass + i) * FOUR(work->v0 + i), f = FOUR(work->force + i);
        Four x = FOUR(r + i), g = FOUR(work->gradient + i);
        residual += weight * x * x;
        momentum += weight * p * p;
        load += weight * f * f;
        elastic += weight * g * g;
        noise += weight;
    }
    noise[3] = 0; // twists have none
    return (LitheRodSquares){whole(&residual), whole(&momentum), whole(&load), whole(&elastic),
                             whole(&noise)};
}

const LitheRodSums SUMS_TABLE = {kernel_inertia, kernel_squares};

#endif
