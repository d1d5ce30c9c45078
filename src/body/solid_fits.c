// SPDX-License-Identifier: Apache-2.0
// body/solid_fits.c - values at the nodes of a soft solid, from those at its quadrature points
//
//     (S71)  coefficients of the fit around a corner: c = sum_k w_k s_k
//     (S72)  s* = sum_a N_a s*_a;   at a midpoint the mean of the fits of its two corners

#include "body/solid.h"

#include "geom/fit.h"

#include <string.h>

enum { WIDTH = LITHE_FIT_WIDTH, TERMS = LITHE_FIT_TERMS };

void lithe_solid_fit(const LitheSolid *solid, const LitheFits *fits, const double *samples,
                     double *nodal) {
    const LitheFitKernel *kernel = lithe_fit_kernel();
    const Vec3 *X = solid->mesh.nodes;
    LitheFitPatch patch = {.points = fits->points, .rows = fits->rows};
    double c[TERMS][WIDTH], p[TERMS];
    memset(nodal, 0, (size_t)solid->mesh.node_count * WIDTH * sizeof *nodal);
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        patch.count = fits->start[i + 1] - fits->start[i];
        if (patch.count == 0) // a midpoint
            continue;
        patch.cells = fits->cells + fits->start[i];
        patch.w = fits->weights + (int64_t)fits->start[i] * fits->points * fits->rows;
        kernel->fit(&patch, samples, c);
        memcpy(nodal + WIDTH * (int64_t)i, c[0], sizeof c[0]);
        for (int32_t k = fits->spoke_start[i]; k < fits->spoke_start[i + 1]; k++) {
            const int32_t *spoke = fits->spokes + 2 * (int64_t)k;
            Vec3 edge = v3_sub(X[spoke[1]], X[i]);
            lithe_fit_monomials(v3_scale(0.5 * fits->scales[i], edge), TERMS, p);
            kernel->add_half(p, c, nodal + WIDTH * (int64_t)spoke[0]);
        }
    }
}
