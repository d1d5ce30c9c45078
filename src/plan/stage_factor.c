// SPDX-License-Identifier: Apache-2.0
// plan/stage_factor.c - factors of block-tridiagonal matrices, a dense block per stage

#include "plan/stage_factor.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

bool lithe_stage_matrix_begin(LitheStageMatrix *matrix, LitheContext *context, int32_t stages,
                              int32_t size, int32_t links, const int32_t *link) {
    int64_t square = (int64_t)size * size;
    *matrix =
        (LitheStageMatrix){.context = context, .stages = stages, .size = size, .links = links};
    matrix->link = lithe_alloc_array(context, links, sizeof *matrix->link);
    matrix->diagonal = lithe_alloc_array(context, stages * square, sizeof(double));
    matrix->coupling = lithe_alloc_array(context, (int64_t)stages * size * links, sizeof(double));
    matrix->factor = lithe_alloc_array(context, stages * square, sizeof(double));
    matrix->order = lithe_alloc_array(context, (int64_t)stages * size, sizeof *matrix->order);
    matrix->pivot = lithe_alloc_array(context, (int64_t)stages * size, sizeof *matrix->pivot);
    matrix->work = lithe_alloc_array(context, (int64_t)size * (2 * links + 2), sizeof(double));
    matrix->inverse = lithe_alloc_array(context, (int64_t)links * links, sizeof(double));
    if (matrix->link == NULL || matrix->diagonal == NULL || matrix->coupling == NULL ||
        matrix->factor == NULL || matrix->order == NULL || matrix->pivot == NULL ||
        matrix->work == NULL || matrix->inverse == NULL)
        return false;
    memcpy(matrix->link, link, (size_t)links * sizeof *link);
    return true;
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

// --- one block ---------------------------------------------------------------------------------

static void swap(double *a, double *b) {
    double keep = *a;
    *a = *b;
    *b = keep;
}

// rows and columns r > k change places, the rows of L before column k with them
static void exchange(int32_t n, double *a, int32_t *order, int32_t k, int32_t r) {
    if (r == k)
        return;
    for (int32_t j = 0; j < k; j++)
        swap(&a[n * k + j], &a[n * r + j]);
    swap(&a[n * k + k], &a[n * r + r]);
    for (int32_t j = k + 1; j < r; j++)
        swap(&a[n * j + k], &a[n * r + j]);
    for (int32_t i = r + 1; i < n; i++)
        swap(&a[n * i + k], &a[n * i + r]);
    int32_t keep = order[k];
    order[k] = order[r];
    order[r] = keep;
}

// largest entry of column k below row `from`, by the lower triangle; its row
static double largest_below(int32_t n, const double *a, int32_t k, int32_t from, int32_t *row) {
    double most = 0;
    *row = from;
    for (int32_t i = from; i < n; i++) {
        double size = fabs(a[n * i + k]);
        if (size > most) {
            most = size;
            *row = i;
        }
    }
    return most;
}

// largest entry of row and column r beside the diagonal, from column k on
static double largest_across(int32_t n, const double *a, int32_t r, int32_t k) {
    double most = 0;
    for (int32_t j = k; j < r; j++)
        most = fmax(most, fabs(a[n * r + j]));
    for (int32_t i = r + 1; i < n; i++)
        most = fmax(most, fabs(a[n * i + r]));
    return most;
}

// the number of rows of the pivot at k, brought to place
static int choose_pivot(int32_t n, double *a, int32_t *order, int32_t k) {
    const double alpha = 0.6403882032022076; // (1 + sqrt(17))/8: least growth
    if (k + 1 == n)
        return 1;
    int32_t r;
    double beside = largest_below(n, a, k, k + 1, &r), own = fabs(a[n * k + k]);
    if (own >= alpha * beside)
        return 1;
    double across = largest_across(n, a, r, k);
    if (own * across >= alpha * beside * beside)
        return 1;
    if (fabs(a[n * r + r]) >= alpha * across) {
        exchange(n, a, order, k, r);
        return 1;
    }
    exchange(n, a, order, k + 1, r);
    return 2;
}

// S = P' L D L' P in place; the number of negative pivots, or -1. `column` [2*n] is scratch.
static int32_t factor_block(int32_t n, double *a, int32_t *order, int8_t *pivot, double *column) {
    int32_t negative = 0;
    double scale = 0;
    for (int32_t i = 0; i < n; i++) {
        order[i] = i;
        // a maximum for each row: gcc 12 for aarch64 cannot compile one across both loops
        double most = 0;
        for (int32_t j = 0; j <= i; j++)
            most = fmax(most, fabs(a[n * i + j]));
        scale = fmax(scale, most);
    }
    if (!(scale < INFINITY))
        return -1;
    double tiny = 1e-18 * scale;
    double *u = column, *w = column + n;
    for (int32_t k = 0, rows; k < n; k += rows) {
        rows = choose_pivot(n, a, order, k);
        pivot[k] = (int8_t)rows;
        if (rows == 1) {
            double d = a[n * k + k];
            if (!(fabs(d) > tiny))
                return -1;
            negative += d < 0;
            for (int32_t i = k + 1; i < n; i++)
                u[i] = a[n * i + k];
            for (int32_t i = k + 1; i < n; i++) {
                double l = u[i] / d, *row = a + (int64_t)n * i;
                row[k] = l;
                if (l != 0)
                    for (int32_t j = k + 1; j <= i; j++)
                        row[j] -= l * u[j];
            }
            continue;
        }
        pivot[k + 1] = 0;
        double d11 = a[n * k + k], d21 = a[n * (k + 1) + k], d22 = a[n * (k + 1) + k + 1];
        // scaled by d21, which is the largest of the three: no overflow
        double p = d11 / d21, q = d22 / d21, det = p * q - 1;
        if (!(fabs(d21) > tiny) || !(fabs(det) > 0))
            return -1;
        negative += det < 0 ? 1 : d11 < 0 ? 2 : 0;
        double over = 1 / (d21 * det);
        for (int32_t i = k + 2; i < n; i++) {
            u[i] = a[n * i + k];
            w[i] = a[n * i + k + 1];
        }
        for (int32_t i = k + 2; i < n; i++) {
            double l1 = (q * u[i] - w[i]) * over, l2 = (p * w[i] - u[i]) * over;
            double *row = a + (int64_t)n * i;
            row[k] = l1;
            row[k + 1] = l2;
            if (l1 != 0 || l2 != 0)
                for (int32_t j = k + 2; j <= i; j++)
                    row[j] -= l1 * u[j] + l2 * w[j];
        }
    }
    return negative;
}

// X = L^-1 X for X [n*count], rows in the order of the pivots
static void forward_rows(int32_t n, const double *a, const int8_t *pivot, int32_t count,
                         double *x) {
    for (int32_t i = 1; i < n; i++) {
        double *to = x + (int64_t)i * count;
        int32_t end = pivot[i] == 0 ? i - 1 : i; // the entry beside the diagonal belongs to D
        for (int32_t k = 0; k < end; k++) {
            double l = a[n * i + k];
            const double *from = x + (int64_t)k * count;
            if (l != 0)
                for (int32_t c = 0; c < count; c++)
                    to[c] -= l * from[c];
        }
    }
}

// X = D^-1 X
static void divide_rows(int32_t n, const double *a, const int8_t *pivot, int32_t count, double *x) {
    for (int32_t k = 0; k < n; k++) {
        double *first = x + (int64_t)k * count, *second = first + count;
        if (pivot[k] == 1) {
            double d = a[n * k + k];
            for (int32_t c = 0; c < count; c++)
                first[c] /= d;
        } else if (pivot[k] == 2) {
            double d21 = a[n * (k + 1) + k], p = a[n * k + k] / d21,
                   q = a[n * (k + 1) + k + 1] / d21;
            double over = 1 / (d21 * (p * q - 1));
            for (int32_t c = 0; c < count; c++) {
                double u = first[c], w = second[c];
                first[c] = (q * u - w) * over;
                second[c] = (p * w - u) * over;
            }
        }
    }
}

// X = L'^-1 X
static void back_rows(int32_t n, const double *a, const int8_t *pivot, int32_t count, double *x) {
    for (int32_t i = n - 1; i > 0; i--) {
        const double *from = x + (int64_t)i * count;
        int32_t end = pivot[i] == 0 ? i - 1 : i;
        for (int32_t k = 0; k < end; k++) {
            double l = a[n * i + k], *to = x + (int64_t)k * count;
            if (l != 0)
                for (int32_t c = 0; c < count; c++)
                    to[c] -= l * from[c];
        }
    }
}

static void solve_block(const LitheStageMatrix *matrix, int32_t stage, double *x, double *scratch) {
    int32_t n = matrix->size;
    const double *a = matrix->factor + (int64_t)stage * n * n;
    const int32_t *order = matrix->order + (int64_t)stage * n;
    const int8_t *pivot = matrix->pivot + (int64_t)stage * n;
    for (int32_t i = 0; i < n; i++)
        scratch[i] = x[order[i]];
    forward_rows(n, a, pivot, 1, scratch);
    divide_rows(n, a, pivot, 1, scratch);
    back_rows(n, a, pivot, 1, scratch);
    for (int32_t i = 0; i < n; i++)
        x[order[i]] = scratch[i];
}

// --- the chain of blocks -----------------------------------------------------------------------

// the block of S_{k-1}^-1 at the linked rows and columns: inverse [links*links] = (L^-1 E)' D^-1
// (L^-1 E)
static void linked_inverse(const LitheStageMatrix *matrix, int32_t stage, double *unit,
                           double *divided, double *inverse) {
    int32_t n = matrix->size, links = matrix->links;
    const double *a = matrix->factor + (int64_t)stage * n * n;
    const int32_t *order = matrix->order + (int64_t)stage * n;
    const int8_t *pivot = matrix->pivot + (int64_t)stage * n;
    memset(unit, 0, (size_t)n * (size_t)links * sizeof *unit);
    for (int32_t i = 0; i < n; i++)
        for (int32_t c = 0; c < links; c++)
            if (order[i] == matrix->link[c])
                unit[(int64_t)i * links + c] = 1;
    forward_rows(n, a, pivot, links, unit);
    memcpy(divided, unit, (size_t)n * (size_t)links * sizeof *unit);
    divide_rows(n, a, pivot, links, divided);
    memset(inverse, 0, (size_t)links * (size_t)links * sizeof *inverse);
    for (int32_t i = 0; i < n; i++)
        for (int32_t c = 0; c < links; c++) {
            double u = unit[(int64_t)i * links + c];
            if (u != 0)
                for (int32_t d = 0; d < links; d++)
                    inverse[c * links + d] += u * divided[(int64_t)i * links + d];
        }
}

// S_k -= B_k inverse B_k'; `product` [size*links]
static void subtract_coupled(const LitheStageMatrix *matrix, int32_t stage, const double *inverse,
                             double *product) {
    int32_t n = matrix->size, links = matrix->links;
    const double *coupling = matrix->coupling + (int64_t)stage * n * links;
    double *s = matrix->factor + (int64_t)stage * n * n;
    for (int32_t i = 0; i < n; i++) {
        double *row = product + (int64_t)i * links;
        memset(row, 0, (size_t)links * sizeof *row);
        for (int32_t c = 0; c < links; c++) {
            double b = coupling[(int64_t)i * links + c];
            if (b != 0)
                for (int32_t d = 0; d < links; d++)
                    row[d] += b * inverse[c * links + d];
        }
    }
    for (int32_t j = 0; j < n; j++) {
        const double *right = coupling + (int64_t)j * links;
        bool zero = true;
        for (int32_t d = 0; d < links && zero; d++)
            zero = right[d] == 0;
        for (int32_t i = j; i < n && !zero; i++) {
            const double *left = product + (int64_t)i * links;
            double sum = 0;
            for (int32_t d = 0; d < links; d++)
                sum += left[d] * right[d];
            s[n * i + j] -= sum;
        }
    }
}

int32_t lithe_stage_factor(LitheStageMatrix *matrix) {
    int32_t n = matrix->size, links = matrix->links, negative = 0;
    int64_t square = (int64_t)n * n;
    double *unit = matrix->work, *divided = unit + (int64_t)n * links;
    double *column = divided + (int64_t)n * links;
    memcpy(matrix->factor, matrix->diagonal, (size_t)(square * matrix->stages) * sizeof(double));
    for (int32_t k = 0; k < matrix->stages; k++) {
        if (k > 0) {
            linked_inverse(matrix, k - 1, unit, divided, matrix->inverse);
            subtract_coupled(matrix, k, matrix->inverse, unit);
        }
        int32_t found = factor_block(n, matrix->factor + square * k, matrix->order + (int64_t)n * k,
                                     matrix->pivot + (int64_t)n * k, column);
        if (found < 0)
            return -1;
        negative += found;
    }
    return negative;
}

// to_k -= B_k x at the linked rows of x
static void subtract_forward(const LitheStageMatrix *matrix, int32_t stage, const double *x,
                             double *to) {
    int32_t n = matrix->size, links = matrix->links;
    const double *coupling = matrix->coupling + (int64_t)stage * n * links;
    for (int32_t i = 0; i < n; i++) {
        double sum = 0;
        for (int32_t c = 0; c < links; c++)
            sum += coupling[(int64_t)i * links + c] * x[matrix->link[c]];
        to[i] -= sum;
    }
}

// to = B_k' x at the linked rows, zero elsewhere
static void spread_back(const LitheStageMatrix *matrix, int32_t stage, const double *x,
                        double *to) {
    int32_t n = matrix->size, links = matrix->links;
    const double *coupling = matrix->coupling + (int64_t)stage * n * links;
    memset(to, 0, (size_t)n * sizeof *to);
    for (int32_t i = 0; i < n; i++)
        for (int32_t c = 0; c < links; c++)
            to[matrix->link[c]] += coupling[(int64_t)i * links + c] * x[i];
}

void lithe_stage_solve(LitheStageMatrix *matrix, double *x) {
    int32_t n = matrix->size;
    double *scratch = matrix->work, *spread = matrix->work + n;
    for (int32_t k = 0; k < matrix->stages; k++) {
        double *own = x + (int64_t)k * n;
        if (k > 0)
            subtract_forward(matrix, k, own - n, own);
        solve_block(matrix, k, own, scratch);
    }
    for (int32_t k = matrix->stages - 2; k >= 0; k--) {
        double *own = x + (int64_t)k * n;
        spread_back(matrix, k + 1, own + n, spread);
        solve_block(matrix, k, spread, scratch);
        for (int32_t i = 0; i < n; i++)
            own[i] -= spread[i];
    }
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
