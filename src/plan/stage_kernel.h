// SPDX-License-Identifier: Apache-2.0
// plan/stage_kernel.h - factors of the blocks of stages, on vectors of STAGE_WIDTH numbers
//
// Includers define STAGE_WIDTH, STAGE_TARGET and STAGE_TABLE.

#include "plan/stage_block.h"
#include "plan/stage_factor.h"

STAGE_FN double *block_of(const LitheStageMatrix *matrix, int32_t stage) {
    return matrix->factor + (int64_t)stage * matrix->size * matrix->size;
}

STAGE_FN const double *coupling_of(const LitheStageMatrix *matrix, int32_t stage) {
    return matrix->coupling + (int64_t)stage * matrix->size * matrix->links;
}

STAGE_FN void solve_block(const LitheStageMatrix *matrix, int32_t stage, double *x,
                          double *scratch) {
    int32_t n = matrix->size;
    const int32_t *order = matrix->order + (int64_t)stage * matrix->size;
    for (int32_t i = 0; i < n; i++)
        scratch[i] = x[order[i]];
    solve_rows(n, block_of(matrix, stage), matrix->pivot + (int64_t)stage * matrix->size, scratch);
    for (int32_t i = 0; i < n; i++)
        x[order[i]] = scratch[i];
}

// --- the chain of blocks -----------------------------------------------------------------------

// the block of S_{k-1}^-1 at the linked rows and columns: inverse [links*links] = (L^-1 E)' D^-1
// (L^-1 E)
STAGE_FN void linked_inverse(const LitheStageMatrix *matrix, int32_t stage, double *unit,
                             double *divided, double *inverse) {
    int32_t n = matrix->size, links = matrix->links;
    const double *a = block_of(matrix, stage);
    const int32_t *order = matrix->order + (int64_t)stage * matrix->size;
    const int8_t *pivot = matrix->pivot + (int64_t)stage * matrix->size;
    const int32_t *link = matrix->link;
    memset(unit, 0, (size_t)n * (size_t)links * sizeof *unit);
    for (int32_t i = 0; i < n; i++)
        for (int32_t c = 0; c < links; c++)
            if (order[i] == link[c])
                unit[(int64_t)i * links + c] = 1;
    forward_rows(n, a, pivot, links, unit);
    memcpy(divided, unit, (size_t)n * (size_t)links * sizeof *unit);
    divide_rows(n, a, pivot, links, divided);
    memset(inverse, 0, (size_t)links * (size_t)links * sizeof *inverse);
    Updates updates;
    updates.count = 0;
    for (int32_t c = 0; c < links; c++) {
        double *to = inverse + (int64_t)c * links;
        for (int32_t i = 0; i < n; i++) {
            double u = unit[(int64_t)i * links + c];
            if (u != 0)
                add_update(&updates, links, -u, divided + (int64_t)i * links, to);
        }
        end_updates(&updates, links, to);
    }
}

// the rows of B_k that are not zero, in order; their number
STAGE_FN int32_t coupled_rows(int32_t n, int32_t links, const double *coupling, int32_t *rows) {
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        const double *row = coupling + (int64_t)i * links;
        int32_t c = 0;
        while (c < links && row[c] == 0)
            c++;
        if (c < links)
            rows[count++] = i;
    }
    return count;
}

// S_k -= B_k inverse B_k', at the rows and columns where B_k is not zero; `rows` [size],
// `product` [links], `own` [size] a row of S_k, `turned` [links*size] B_k' are scratch
STAGE_FN void subtract_coupled(const LitheStageMatrix *matrix, int32_t stage, const double *inverse,
                               int32_t *rows, double *product, double *own, double *turned) {
    int32_t n = matrix->size, links = matrix->links;
    const double *coupling = coupling_of(matrix, stage);
    double *s = block_of(matrix, stage);
    int32_t count = coupled_rows(n, links, coupling, rows);
    Updates updates;
    updates.count = 0;
    for (int32_t i = 0; i < count; i++)
        for (int32_t c = 0; c < links; c++)
            turned[(int64_t)c * count + i] = coupling[(int64_t)rows[i] * links + c];
    for (int32_t i = 0; i < count; i++) {
        double *to = s + (int64_t)n * rows[i];
        const double *from = coupling + (int64_t)rows[i] * links;
        memset(product, 0, (size_t)links * sizeof *product);
        for (int32_t c = 0; c < links; c++)
            if (from[c] != 0)
                add_update(&updates, links, -from[c], inverse + (int64_t)c * links, product);
        end_updates(&updates, links, product);
        for (int32_t k = 0; k <= i; k++)
            own[k] = to[rows[k]];
        for (int32_t c = 0; c < links; c++)
            if (product[c] != 0)
                add_update(&updates, i + 1, product[c], turned + (int64_t)c * count, own);
        end_updates(&updates, i + 1, own);
        for (int32_t k = 0; k <= i; k++)
            to[rows[k]] = own[k];
    }
}

STAGE_TARGET static int32_t factor(LitheStageMatrix *matrix) {
    int64_t links = matrix->links;
    int32_t size = matrix->size, negative = 0;
    memcpy(matrix->factor, matrix->diagonal,
           (size_t)size * (size_t)size * (size_t)matrix->stages * sizeof(double));
    double *unit = matrix->work, *divided = unit + size * links, *column = divided + size * links;
    for (int32_t k = 0; k < matrix->stages; k++) {
        if (lithe_meter_spend(matrix->meter, size))
            return -1;
        if (k > 0) {
            linked_inverse(matrix, k - 1, unit, divided, matrix->inverse);
            // the order of this block is found later: until then it is scratch
            subtract_coupled(matrix, k, matrix->inverse, matrix->order + size * k, divided, column,
                             unit);
        }
        int32_t found = factor_block(size, block_of(matrix, k), matrix->order + size * k,
                                     matrix->pivot + size * k, column);
        if (found < 0)
            return -1;
        negative += found;
    }
    return negative;
}

// to_k -= B_k x at the linked rows of x
STAGE_FN void subtract_forward(const LitheStageMatrix *matrix, int32_t stage, const double *x,
                               double *to) {
    int32_t n = matrix->size, links = matrix->links;
    const double *coupling = coupling_of(matrix, stage);
    const int32_t *link = matrix->link;
    for (int32_t i = 0; i < n; i++) {
        double sum = 0;
        for (int32_t c = 0; c < links; c++)
            sum += coupling[(int64_t)i * links + c] * x[link[c]];
        to[i] -= sum;
    }
}

// to = B_k' x at the linked rows, zero elsewhere; `linked` [links] is scratch
STAGE_FN void spread_back(const LitheStageMatrix *matrix, int32_t stage, const double *x,
                          double *linked, double *to) {
    int32_t n = matrix->size, links = matrix->links;
    const double *coupling = coupling_of(matrix, stage);
    memset(to, 0, (size_t)matrix->size * sizeof *to);
    memset(linked, 0, (size_t)links * sizeof *linked);
    for (int32_t i = 0; i < n; i++)
        subtract(links, -x[i], coupling + (int64_t)i * links, linked);
    const int32_t *link = matrix->link;
    for (int32_t c = 0; c < links; c++)
        to[link[c]] = linked[c];
}

STAGE_TARGET static void solve(LitheStageMatrix *matrix, double *x) {
    int32_t size = matrix->size;
    double *scratch = matrix->work, *spread = scratch + size;
    double *linked = matrix->inverse; // not used after the factor
    for (int32_t k = 0; k < matrix->stages; k++) {
        double *own = x + (int64_t)k * size;
        if (k > 0)
            subtract_forward(matrix, k, own - size, own);
        solve_block(matrix, k, own, scratch);
    }
    for (int32_t k = matrix->stages - 2; k >= 0; k--) {
        double *own = x + (int64_t)k * size;
        spread_back(matrix, k + 1, own + size, linked, spread);
        solve_block(matrix, k, spread, scratch);
        for (int32_t i = 0; i < size; i++)
            own[i] -= spread[i];
    }
}

const LitheStageKernels STAGE_TABLE = {factor, solve};
