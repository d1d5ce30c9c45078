// SPDX-License-Identifier: Apache-2.0
// geom/fit_kernel.h - sums of fits, written once
//
// The including file defines FOUR_AVX2 (geom/four.h) and FIT_TABLE, the name of the table.

#ifndef LITHE_GEOM_FIT_KERNEL_H
#define LITHE_GEOM_FIT_KERNEL_H

#include "geom/fit.h"
#include "geom/four.h"

enum { TERMS = LITHE_FIT_TERMS, WIDTH = LITHE_FIT_WIDTH };

#define PUT(at) (*(LooseFour *)(at))

// four of the eight values, with numbers of points and rows that the compiler knows
FOUR_FN void fit_half(const LitheFitPatch *patch, int points, int rows, const double *s,
                      double *c) {
    const double *w = patch->w;
    Four sum[TERMS] = {{0}};
    for (int32_t k = 0; k < patch->count; k++) {
        const double *own = s + (int64_t)patch->cells[k] * points * WIDTH;
        for (int32_t p = 0; p < points; p++, own += WIDTH, w += rows) {
            Four value = FOUR(own);
            for (int i = 0; i < rows; i++)
                sum[i] += w[i] * value;
        }
    }
    for (int i = 0; i < rows; i++)
        PUT(c + WIDTH * i) = sum[i];
}

FOUR_TARGET static void fit(const LitheFitPatch *patch, const double *s, double c[TERMS][WIDTH]) {
    for (int half = 0; half < WIDTH; half += 4)
        if (patch->rows == 1)
            fit_half(patch, 1, 1, s + half, c[0] + half);
        else
            fit_half(patch, patch->points, TERMS, s + half, c[0] + half);
}

FOUR_TARGET static void add_half(const double p[TERMS], double c[TERMS][WIDTH], double *out) {
    for (int half = 0; half < WIDTH; half += 4) {
        Four sum = p[0] * FOUR(c[0] + half);
        for (int i = 1; i < TERMS; i++)
            sum += p[i] * FOUR(c[i] + half);
        PUT(out + half) = FOUR(out + half) + 0.5 * sum;
    }
}

const LitheFitKernel FIT_TABLE = {.fit = fit, .add_half = add_half};

#endif
