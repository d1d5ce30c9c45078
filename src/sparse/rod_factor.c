// SPDX-License-Identifier: Apache-2.0
// sparse/rod_factor.c - sizes, choice of the kernel, product

#include "sparse/rod_factor.h"

#include "base/assert.h"

#include <stddef.h>
#include <string.h>

int64_t lithe_rod_factor_size(int32_t node_count, bool closed) {
    return (int64_t)rod_stride(closed) * node_count;
}

static const LitheRodKernel *kernel_in_use(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &lithe_rod_kernel_avx2;
#endif
    return &lithe_rod_kernel_portable;
}

const LitheRodKernel *lithe_rod_kernel(int32_t index) {
    const LitheRodKernel *fastest = kernel_in_use();
    if (fastest != &lithe_rod_kernel_portable && index-- == 0)
        return fastest;
    return index == 0 ? &lithe_rod_kernel_portable : index == 1 ? &lithe_rod_kernel_plain : NULL;
}

const char *lithe_rod_kernel_name(void) {
    return kernel_in_use()->name;
}

void lithe_rod_factor(const LitheRodMatrix *a, LithePivotRule rule, double *factor,
                      LitheRodPivots *pivots) {
    LITHE_ASSERT(a->node_count >= (a->closed ? LITHE_ROD_MIN_CLOSED : LITHE_ROD_MIN_OPEN));
    kernel_in_use()->factor(a, rule, factor, pivots);
}

void lithe_rod_solve(int32_t node_count, bool closed, const double *factor, double *x) {
    LITHE_ASSERT(node_count >= (closed ? LITHE_ROD_MIN_CLOSED : LITHE_ROD_MIN_OPEN));
    kernel_in_use()->solve(node_count, closed, factor, x);
}

// y_row += B x_column and y_column += B' x_row, B the first `rows` rows of a 4x4 block of a panel
static inline void multiply_block(int rows, const double *b, const double *x_column,
                                  const double *x_row, double *restrict y_row,
                                  double *restrict y_column) {
    for (int k = 0; k < 4; k++) {
        double sum = y_column[k];
        for (int j = 0; j < rows; j++)
            y_row[j] += b[12 * k + j] * x_column[k];
        for (int j = 0; j < rows; j++)
            sum += b[12 * k + j] * x_row[j];
        y_column[k] = sum;
    }
}

void lithe_rod_multiply_plain(const LitheRodMatrix *a, const double *x, double *y) {
    int32_t n = a->node_count;
    memset(y, 0, sizeof *y * 4 * (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        const double *p = a->panel + (ptrdiff_t)LITHE_ROD_PANEL * i;
        const double *xi = x + 4 * (ptrdiff_t)i;
        double *yi = y + 4 * (ptrdiff_t)i;
        // the lower triangle represents the whole diagonal block
        for (int k = 0; k < 4; k++) {
            yi[k] += p[13 * k] * xi[k];
            for (int j = k + 1; j < 4; j++) {
                yi[j] += p[12 * k + j] * xi[k];
                yi[k] += p[12 * k + j] * xi[j];
            }
        }
        if (a->closed || i + 1 < n) {
            ptrdiff_t next = 4 * (ptrdiff_t)((i + 1) % n);
            multiply_block(4, p + 4, xi, x + next, y + next, yi);
        }
        if (a->closed || i + 2 < n) {
            ptrdiff_t after = 4 * (ptrdiff_t)((i + 2) % n);
            multiply_block(3, p + 8, xi, x + after, y + after, yi);
        }
    }
}

void lithe_rod_multiply(const LitheRodMatrix *a, const double *x, double *y) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        lithe_rod_multiply_avx2(a, x, y);
        return;
    }
#endif
    lithe_rod_multiply_plain(a, x, y);
}

void lithe_rod_add_plain(LitheRodMatrix *a, double scale, const double *panel) {
    for (int64_t k = 0; k < LITHE_ROD_PANEL * (int64_t)a->node_count; k++)
        a->panel[k] += scale * panel[k];
}

void lithe_rod_add(LitheRodMatrix *a, double scale, const double *panel) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        lithe_rod_add_avx2(a, scale, panel);
        return;
    }
#endif
    lithe_rod_add_plain(a, scale, panel);
}
