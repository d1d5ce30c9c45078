// SPDX-License-Identifier: Apache-2.0
// solve/lcp_sweep.c - projected Gauss-Seidel: one contact after the other
//
// The row of the sliding speed has no diagonal, so that plain sweeps over rows fail. A block is
// swept as a whole instead:
//     (L10)  f_n <- max(f_n - w_n/A_nn, 0)
//     (L11)  beta <- P(beta - w_t/trace(A_tt)),  P: nearest point of {beta >= 0, sum <= mu f_n +
//     bound}
// without the sliding speed in w_t, which then is the largest of -w_t and 0. It converges slowly
// where rows are near-dependent or masses differ much: a third opinion, not a default.

#include "solve/lcp.h"

#include <math.h>

#define SWEEPS_PER_ITERATION 20

// row i of A z + b
static double row_of(const LitheLcp *problem, int32_t i, const double *z) {
    const double *row = problem->A + (ptrdiff_t)problem->n * i;
    double w = problem->b[i];
    for (int32_t j = 0; j < problem->n; j++)
        w += row[j] * z[j];
    return w;
}

// nearest point of {x >= 0, sum x <= limit}; `sorted` [n]
static void project(int32_t n, double limit, double *x, double *sorted) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        x[i] = fmax(x[i], 0);
        sum += x[i];
    }
    if (sum <= limit)
        return;
    // x - shift with the shift such that the positive ones sum to the limit
    for (int32_t i = 0; i < n; i++) {
        int32_t k = i;
        for (; k > 0 && sorted[k - 1] < x[i]; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = x[i];
    }
    double shift = 0, partial = 0;
    for (int32_t i = 0; i < n; i++) {
        partial += sorted[i];
        double s = (partial - limit) / (i + 1);
        if (s < sorted[i])
            shift = s;
    }
    for (int32_t i = 0; i < n; i++)
        x[i] = fmax(x[i] - shift, 0);
}

static void sweep_block(const LitheLcp *problem, const LitheLcpBlock *block, double *z,
                        double *work) {
    int32_t n = problem->n, at = block->first, r = block->directions;
    if (block->normal) {
        double diagonal = problem->A[(ptrdiff_t)n * at + at];
        if (diagonal > 0)
            z[at] = fmax(z[at] - row_of(problem, at, z) / diagonal, 0);
        at++;
    }
    if (r == 0)
        return;
    double limit = (block->normal ? block->mu * z[at - 1] : 0) + block->bound, trace = 0;
    for (int32_t k = 0; k < r; k++)
        trace += problem->A[(ptrdiff_t)n * (at + k) + at + k];
    z[at + r] = 0;
    for (int32_t k = 0; k < r; k++)
        work[k] = row_of(problem, at + k, z);
    for (int32_t k = 0; trace > 0 && k < r; k++)
        z[at + k] -= work[k] / trace;
    project(r, limit, z + at, work);
    for (int32_t k = 0; k < r; k++)
        work[k] = row_of(problem, at + k, z);
    double slide = 0;
    for (int32_t k = 0; k < r; k++)
        slide = fmax(slide, -work[k]);
    z[at + r] = slide;
}

LitheLcpReport lithe_lcp_gauss_seidel(const LitheLcp *problem, const LitheLcpBlock *blocks,
                                      int32_t block_count, const LitheLcpSetting *setting,
                                      double *z, double *work) {
    LitheLcpReport report = {.outcome = LITHE_LCP_UNCONVERGED};
    int32_t limit = SWEEPS_PER_ITERATION * setting->max_iterations;
    while (report.outcome != LITHE_LCP_SOLVED && report.iterations < limit &&
           !lithe_meter_spend(problem->meter, problem->n)) {
        for (int32_t i = 0; i < block_count; i++)
            sweep_block(problem, &blocks[i], z, work);
        report.iterations++;
        report.residual = lithe_lcp_residual(problem, z);
        if (report.residual <= 0.5 * setting->accept)
            report.outcome = LITHE_LCP_SOLVED;
    }
    return report;
}
