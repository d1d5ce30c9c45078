// SPDX-License-Identifier: Apache-2.0
// plan/stage_factor.c - block-tridiagonal matrices of stages: memory, products, choice of the
// kernels

#include "plan/stage_factor.h"

#include "base/memory.h"

#include <string.h>

static const LitheStageKernels *kernels(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return &lithe_stage_kernels_avx2;
#endif
    return &lithe_stage_kernels_portable;
}

bool lithe_stage_matrix_begin(LitheStageMatrix *matrix, LitheContext *context, int32_t stages,
                              int32_t size, int32_t links, const int32_t *link) {
    int64_t square = (int64_t)size * size;
    *matrix = (LitheStageMatrix){
        .context = context, .stages = stages, .size = size, .links = links, .kernels = kernels()};
    matrix->link = lithe_alloc_array(context, links, sizeof *matrix->link);
    matrix->diagonal = lithe_alloc_array(context, stages * square, sizeof(double));
    matrix->coupling = lithe_alloc_array(context, (int64_t)stages * size * links, sizeof(double));
    matrix->factor = lithe_alloc_array(context, stages * square, sizeof(double));
    matrix->order = lithe_alloc_array(context, (int64_t)stages * size, sizeof *matrix->order);
    matrix->pivot = lithe_alloc_array(context, (int64_t)stages * size, sizeof *matrix->pivot);
    matrix->work =
        lithe_alloc_array(context, (int64_t)size * (2 * links + 2) + links, sizeof(double));
    matrix->inverse = lithe_alloc_array(context, (int64_t)links * links, sizeof(double));
    if (matrix->link == NULL || matrix->diagonal == NULL || matrix->coupling == NULL ||
        matrix->factor == NULL || matrix->order == NULL || matrix->pivot == NULL ||
        matrix->work == NULL || matrix->inverse == NULL)
        return false;
    memcpy(matrix->link, link, (size_t)links * sizeof *link);
    return true;
}

double lithe_stage_matrix_bytes(int32_t stages, int32_t size, int32_t links) {
    double row = sizeof(double) * (2.0 * size + links) + sizeof(int32_t) + sizeof(int8_t);
    return (double)stages * size * row;
}

void lithe_stage_matrix_end(LitheStageMatrix *matrix) {
    lithe_free(matrix->context, matrix->link);
    lithe_free(matrix->context, matrix->diagonal);
    lithe_free(matrix->context, matrix->coupling);
    lithe_free(matrix->context, matrix->factor);
    lithe_free(matrix->context, matrix->order);
    lithe_free(matrix->context, matrix->pivot);
    lithe_free(matrix->context, matrix->work);
    lithe_free(matrix->context, matrix->inverse);
    memset(matrix, 0, sizeof *matrix);
}

int32_t lithe_stage_factor(LitheStageMatrix *matrix) {
    return matrix->kernels->factor(matrix);
}

void lithe_stage_solve(LitheStageMatrix *matrix, double *x) {
    matrix->kernels->solve(matrix, x);
}

void lithe_stage_multiply(const LitheStageMatrix *matrix, const double *x, double *y) {
    int32_t n = matrix->size, links = matrix->links;
    memset(y, 0, (size_t)matrix->stages * (size_t)n * sizeof *y);
    for (int32_t k = 0; k < matrix->stages; k++) {
        const double *a = matrix->diagonal + (int64_t)k * n * n, *own = x + (int64_t)k * n;
        double *to = y + (int64_t)k * n;
        for (int32_t i = 0; i < n; i++) {
            double sum = a[n * i + i] * own[i];
            for (int32_t j = 0; j < i; j++) {
                sum += a[n * i + j] * own[j];
                to[j] += a[n * i + j] * own[i];
            }
            to[i] += sum;
        }
        const double *coupling = matrix->coupling + (int64_t)k * n * links;
        for (int32_t i = 0; i < n && k > 0; i++)
            for (int32_t c = 0; c < links; c++) {
                double b = coupling[(int64_t)i * links + c];
                to[i] += b * own[matrix->link[c] - n];
                to[matrix->link[c] - n] += b * own[i];
            }
    }
}
