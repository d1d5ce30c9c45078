// SPDX-License-Identifier: Apache-2.0
// sparse/block_matrix.c - pattern by counting sorts, lookup, product and backward error

#include "sparse/block_parts.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

LitheBlockMatrix *lithe_block_matrix_create(LitheContext *context) {
    LitheBlockMatrix *m = lithe_alloc(context, sizeof *m);
    if (m)
        m->context = context;
    return m;
}

void lithe_block_matrix_destroy(LitheBlockMatrix *m) {
    if (!m)
        return;
    lithe_free(m->context, m->size);
    lithe_free(m->context, m->at);
    lithe_free(m->context, m->start);
    lithe_free(m->context, m->row);
    lithe_free(m->context, m->value_at);
    lithe_free(m->context, m->value);
    lithe_free(m->context, m->scratch);
    lithe_free(m->context, m->rank);
    lithe_free(m->context, m);
}

// --- pattern -------------------------------------------------------------------------------------

static int32_t low(LitheBlockPair p) {
    return p.a < p.b ? p.a : p.b;
}

static int32_t high(LitheBlockPair p) {
    return p.a < p.b ? p.b : p.a;
}

// the columns of all pairs in the order of their rows; row r has columns[end[r-1]] to [end[r]-1]
static void sort_by_row(int32_t count, const LitheBlockPair *pairs, int64_t pair_count,
                        int32_t *end, int32_t *columns) {
    memset(end, 0, sizeof *end * (size_t)(count + 1));
    for (int64_t p = 0; p < pair_count; p++) {
        LITHE_ASSERT(low(pairs[p]) >= 0 && high(pairs[p]) < count);
        end[high(pairs[p]) + 1]++;
    }
    for (int32_t r = 0; r < count; r++)
        end[r + 1] += end[r];
    // each row's begin becomes its end
    for (int64_t p = 0; p < pair_count; p++)
        columns[end[high(pairs[p])]++] = low(pairs[p]);
}

// Number of entries of each column into start[column + 1], without repeats. `last` [count]: the
// last row met in a column; rows come in order, so a repeat is found at once.
static void count_entries(int32_t count, const int32_t *end, const int32_t *columns, int32_t *last,
                          int32_t *start) {
    start[0] = 0;
    for (int32_t i = 0; i < count; i++) {
        start[i + 1] = 1; // the diagonal
        last[i] = i;
    }
    for (int32_t r = 0, p = 0; r < count; r++)
        for (; p < end[r]; p++)
            if (last[columns[p]] != r) {
                last[columns[p]] = r;
                start[columns[p] + 1]++;
            }
    for (int32_t i = 0; i < count; i++)
        start[i + 1] += start[i];
}

// rows come in order, so each column fills in order. `next` [count]
static void place_entries(int32_t count, const int32_t *end, const int32_t *columns, int32_t *next,
                          const int32_t *start, int32_t *row) {
    for (int32_t i = 0; i < count; i++) {
        row[start[i]] = i;
        next[i] = start[i] + 1;
    }
    for (int32_t r = 0, p = 0; r < count; r++)
        for (; p < end[r]; p++) {
            int32_t column = columns[p];
            if (row[next[column] - 1] != r)
                row[next[column]++] = r;
        }
}

static bool reserve(LitheBlockMatrix *m, int64_t count, int64_t pair_count) {
    return LITHE_RENEW(m->context, m->size, m->capacity[0], count + 1) &&
           LITHE_RENEW(m->context, m->at, m->capacity[1], count + 1) &&
           LITHE_RENEW(m->context, m->start, m->capacity[2], count + 1) &&
           LITHE_RENEW(m->context, m->scratch, m->capacity[6], 2 * count + 1 + pair_count);
}

bool lithe_block_matrix_build(LitheBlockMatrix *m, int32_t count, const int32_t *sizes,
                              const LitheBlockPair *pairs, int64_t pair_count) {
    m->count = m->rank_count = m->rank_room = 0;
    m->base = NULL;
    if (!reserve(m, count, pair_count))
        return false;
    int32_t *end = m->scratch, *work = end + count + 1, *columns = work + count;
    sort_by_row(count, pairs, pair_count, end, columns);
    count_entries(count, end, columns, work, m->start);
    int32_t entries = m->start[count];
    if (!LITHE_RENEW(m->context, m->row, m->capacity[3], (int64_t)entries + 1) ||
        !LITHE_RENEW(m->context, m->value_at, m->capacity[4], (int64_t)entries + 1))
        return false;
    place_entries(count, end, columns, work, m->start, m->row);

    // where rows and values are stored
    m->at[0] = 0;
    for (int32_t i = 0; i < count; i++) {
        LITHE_ASSERT(sizes[i] >= 1);
        m->size[i] = sizes[i];
        m->at[i + 1] = m->at[i] + sizes[i];
    }
    m->value_at[0] = 0;
    for (int32_t i = 0; i < count; i++)
        for (int32_t e = m->start[i]; e < m->start[i + 1]; e++)
            m->value_at[e + 1] = m->value_at[e] + (int64_t)sizes[m->row[e]] * sizes[i];
    if (!LITHE_RENEW(m->context, m->value, m->capacity[5], m->value_at[entries]))
        return false;
    m->count = count;
    return true;
}

int32_t lithe_block_find(const LitheBlockMatrix *m, int32_t row, int32_t column) {
    LITHE_ASSERT(column >= 0 && column <= row && row < m->count);
    int32_t first = m->start[column], after = m->start[column + 1];
    while (after - first > 1) {
        int32_t middle = first + (after - first) / 2;
        if (m->row[middle] <= row)
            first = middle;
        else
            after = middle;
    }
    return m->row[first] == row ? first : -1;
}

bool lithe_pair_list_add(LithePairList *list, int32_t a, int32_t b) {
    if (!LITHE_RESERVE(list->context, list->data, list->capacity, (int64_t)list->count + 1))
        return false;
    list->data[list->count++] = (LitheBlockPair){a, b};
    return true;
}

void lithe_block_trim(LitheBlockMatrix *m, bool keep_values) {
    lithe_free(m->context, m->scratch);
    m->scratch = NULL;
    m->capacity[6] = 0;
    if (keep_values)
        return;
    lithe_free(m->context, m->value);
    m->value = NULL;
    m->capacity[5] = 0;
}

void lithe_block_own_all(LitheBlockMatrix *m) {
    for (int32_t j = 0; m->base && j < m->count; j++) {
        int64_t at = m->value_at[m->start[j]], end = m->value_at[m->start[j + 1]];
        if (!m->own[j])
            memcpy(m->value + at, m->base + at, (size_t)(end - at) * sizeof(double));
    }
    m->base = NULL;
}

void lithe_block_clear(LitheBlockMatrix *m) {
    if (m->count > 0)
        memset(m->value, 0, sizeof *m->value * (size_t)m->value_at[m->start[m->count]]);
}

// --- product and error ---------------------------------------------------------------------------

// |A| times a vector of ones: the sums of its rows
static void add_rows(const LitheBlockMatrix *m, double *y) {
    memset(y, 0, sizeof *y * (size_t)m->at[m->count]);
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++) {
            int32_t i = m->row[e], rows = m->size[i], r0 = m->at[i], c0 = m->at[j];
            const double *v = lithe_block_values(m, e);
            for (int32_t c = 0; c < m->size[j]; c++) {
                // the lower triangle represents the whole diagonal block
                for (int32_t r = i == j ? c : 0; r < rows; r++) {
                    double a = v[(int64_t)rows * c + r];
                    y[r0 + r] += fabs(a);
                    if (r0 + r != c0 + c)
                        y[c0 + c] += fabs(a);
                }
            }
        }
    for (int32_t k = 0, n = m->at[m->count]; k < m->rank_count; k++) {
        const double *u = m->rank + (int64_t)k * n;
        double sum = 0;
        for (int32_t i = 0; i < n; i++)
            sum += fabs(u[i]);
        for (int32_t i = 0; i < n; i++)
            y[i] += fabs(u[i]) * sum;
    }
}

void lithe_block_multiply(const LitheBlockMatrix *m, const double *value, const double *x,
                          double *y) {
    lithe_block_multiply_part(m, 0, m->count, value, x, y);
}

void lithe_block_multiply_part(const LitheBlockMatrix *m, int32_t first, int32_t after,
                               const double *value, const double *x, double *y) {
    if (after > first) {
        lithe_block_kernel(0)->multiply(m, first, after, value, x, y);
        lithe_block_multiply_ranks(m, first, after, x, y);
    }
}

void lithe_block_multiply_rows(const LitheBlockMatrix *m, int32_t first, int32_t after,
                               const uint8_t *marked, const double *value, const double *x,
                               const double *rest, double *y) {
    LITHE_ASSERT(m->rank_count == 0);
    if (after > first)
        lithe_block_kernel(0)->multiply_rows(m, first, after, marked, value, x, rest, y);
}

void lithe_block_find_term(const LitheBlockMatrix *m, int32_t count, const int32_t *node,
                           int32_t *entry) {
    for (int32_t b = 0; b < count; b++)
        for (int32_t a = 0; a < count; a++)
            entry[count * b + a] = node[a] < node[b] ? -1 : lithe_block_find(m, node[a], node[b]);
}

void lithe_block_add_term(LitheBlockMatrix *m, const LitheBlockTerm *term, int32_t b,
                          double *work) {
    lithe_block_kernel(0)->term(m, term, b, work);
}

// max that propagates a NaN
static double largest(int32_t count, const double *v) {
    double size = 0;
    for (int32_t k = 0; k < count; k++)
        if (!(fabs(v[k]) <= size))
            size = fabs(v[k]);
    return size;
}

double lithe_block_backward_error(const LitheBlockMatrix *m, const double *x, const double *b,
                                  double *work) {
    if (m->count == 0)
        return 0;
    int32_t n = m->at[m->count];
    double *sums = work + n;
    lithe_block_multiply(m, m->value, x, work);
    add_rows(m, sums);
    for (int32_t k = 0; k < n; k++)
        work[k] = b[k] - work[k];
    double scale = largest(n, sums) * largest(n, x) + largest(n, b);
    return scale == 0 ? 0 : largest(n, work) / scale;
}
