// SPDX-License-Identifier: Apache-2.0
// sparse/block_kernel_matrix.h - products with block matrices, written once on quads
//
// Included after sparse/block_kernel.h, on the same quads.

#ifndef LITHE_SPARSE_BLOCK_KERNEL_MATRIX_H
#define LITHE_SPARSE_BLOCK_KERNEL_MATRIX_H

// --- products with vectors -----------------------------------------------------------------------

// y_i += B x_j and the sums of B' x_i, blocks of four
BLOCK_FN void multiply_4(const double *b, const double *x, const double *other, double *y,
                         Quad sums[4]) {
    Quad yi = quad_load(y), xi = quad_load(other);
    for (int c = 0; c < 4; c++) {
        Quad column = quad_load(b + 4 * c);
        yi = quad_more(yi, column, quad_set(x[c]));
        sums[c] = quad_more(sums[c], column, xi);
    }
    quad_store(yi, y);
}

// the same for blocks of any sizes; `own` collects B' x_i
BLOCK_FN void multiply_any(int rows, int columns, const double *b, const double *x,
                           const double *other, double *y, double *own) {
    for (int c = 0; c < columns; c++, b += rows)
        for (int r = 0; r < rows; r++) {
            y[r] += b[r] * x[c];
            own[c] += b[r] * other[r];
        }
}

// the lower triangle represents the whole diagonal block
BLOCK_FN void multiply_diagonal(int n, const double *b, const double *x, double *y) {
    for (int c = 0; c < n; c++, b += n) {
        y[c] += b[c] * x[c];
        for (int r = c + 1; r < n; r++) {
            y[r] += b[r] * x[c];
            y[c] += b[r] * x[r];
        }
    }
}

// the same for more than six rows: products above the diagonal are summed in four lanes
BLOCK_FN void multiply_wide(int n, const double *b, const double *x, double *y) {
    for (int c = 0; c < n; c++, b += n) {
        int r = c + 1;
        double own = y[c] + b[c] * x[c];
        Quad sum = quad_zero(), all = quad_set(x[c]);
        for (; r + 4 <= n; r += 4) {
            Quad column = quad_load(b + r);
            quad_store(quad_more(quad_load(y + r), column, all), y + r);
            sum = quad_more(sum, column, quad_load(x + r));
        }
        for (; r < n; r++) {
            y[r] += b[r] * x[c];
            own += b[r] * x[r];
        }
        double lanes[4];
        quad_store(sum, lanes);
        y[c] = own + ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
    }
}

// The same for four rows: `own` collects the upper triangle. Numbers above the diagonal are
// ignored.
BLOCK_FN void multiply_diagonal_4(const double *b, const double *x, double *y, Quad own[3]) {
    Quad sum = quad_load(y), all = quad_load(x);
    double d[4] = {b[0], b[5], b[10], b[15]};
    sum = quad_more(sum, quad_load(d), all);
    for (int c = 0; c < 3; c++) {
        Quad column = quad_and(quad_load(b + 4 * c),
                               quad_load((const double *)(const void *)lanes_behind[c]));
        sum = quad_more(sum, column, quad_set(x[c]));
        own[c] = quad_scale(column, all);
    }
    quad_store(sum, y);
}

// A column of three. Lane r of sums[c] collects row r of column c of B' x_i, from all blocks of
// three.
BLOCK_FN void multiply_column_3(const LitheBlockMatrix *m, int32_t j, int32_t after,
                                const double *value, const double *x, double *y) {
    const double *xj = x + m->at[j], *d = value + m->value_at[m->start[j]];
    double *yj = y + m->at[j], x0 = xj[0], x1 = xj[1], x2 = xj[2];
    double own[3] = {yj[0] + d[0] * x0 + d[1] * x1 + d[2] * x2,
                     yj[1] + d[1] * x0 + d[4] * x1 + d[5] * x2,
                     yj[2] + d[2] * x0 + d[5] * x1 + d[8] * x2};
    Quad sums[3] = {quad_zero(), quad_zero(), quad_zero()};
    Quad all[3] = {quad_set(x0), quad_set(x1), quad_set(x2)};
    for (int32_t e = m->start[j] + 1; e < m->start[j + 1] && m->row[e] < after; e++) {
        int32_t i = m->row[e], at = m->at[i];
        const double *b = value + m->value_at[e];
        if (m->size[i] != 3) {
            multiply_any(m->size[i], 3, b, xj, x + at, y + at, own);
            continue;
        }
        Quad column[3] = {quad_load(b), quad_load(b + 3), quad_load_3(b + 6)};
        Quad yi = quad_load_3(y + at), xi = quad_load_3(x + at);
        for (int c = 0; c < 3; c++) {
            yi = quad_more(yi, column[c], all[c]);
            sums[c] = quad_more(sums[c], column[c], xi);
        }
        quad_store_3(yi, y + at);
    }
    Quad sum = quad_sums(sums[0], sums[1], sums[2], quad_zero());
    quad_store_3(quad_more(quad_load_3(own), sum, quad_set(1)), yj);
}

// only rows and columns first .. after - 1
BLOCK_TARGET static void kernel_multiply(const LitheBlockMatrix *m, int32_t first, int32_t after,
                                         const double *value, const double *x, double *y) {
    memset(y + m->at[first], 0, sizeof *y * (size_t)(m->at[after] - m->at[first]));
    for (int32_t j = first; j < after; j++) {
        int32_t n = m->size[j], e = m->start[j];
        const double *xj = x + m->at[j];
        double *yj = y + m->at[j];
        Quad sums[4] = {quad_zero(), quad_zero(), quad_zero(), quad_zero()};
        if (j + AHEAD < m->count)
            fetch(value, m->value_at[m->start[j + AHEAD]], m->value_at[m->start[j + AHEAD + 1]]);
        if (n == 3) {
            multiply_column_3(m, j, after, value, x, y);
            continue;
        }
        if (n == 4)
            multiply_diagonal_4(value + m->value_at[e], xj, yj, sums);
        else if (n == 6)
            multiply_diagonal(6, value + m->value_at[e], xj, yj);
        else if (n > 6)
            multiply_wide(n, value + m->value_at[e], xj, yj);
        else
            multiply_diagonal(n, value + m->value_at[e], xj, yj);
        for (e++; e < m->start[j + 1] && m->row[e] < after; e++) {
            int32_t i = m->row[e], rows = m->size[i], at = m->at[i];
            if (n == 4 && rows == 4)
                multiply_4(value + m->value_at[e], xj, x + at, y + at, sums);
            else
                multiply_any(rows, n, value + m->value_at[e], xj, x + at, y + at, yj);
        }
        if (n == 4)
            quad_store(quad_more(quad_load(yj), quad_sums(sums[0], sums[1], sums[2], sums[3]),
                                 quad_set(1)),
                       yj);
    }
}

// a column of fours; the rows of y that are not marked may get anything
BLOCK_FN void multiply_rows_4(const LitheBlockMatrix *m, int32_t j, int32_t after,
                              const uint8_t *marked, const double *value, const double *x,
                              double *y) {
    int32_t e = m->start[j];
    const double *xj = x + m->at[j];
    double *yj = y + m->at[j];
    Quad sums[4] = {quad_zero(), quad_zero(), quad_zero(), quad_zero()};
    if (marked[j])
        multiply_diagonal_4(value + m->value_at[e], xj, yj, sums);
    for (e++; e < m->start[j + 1] && m->row[e] < after; e++) {
        int32_t i = m->row[e], rows = m->size[i], at = m->at[i];
        if (!marked[j] && !marked[i])
            continue;
        if (rows == 4)
            multiply_4(value + m->value_at[e], xj, x + at, y + at, sums);
        else
            multiply_any(rows, 4, value + m->value_at[e], xj, x + at, y + at, yj);
    }
    if (marked[j])
        quad_store(
            quad_more(quad_load(yj), quad_sums(sums[0], sums[1], sums[2], sums[3]), quad_set(1)),
            yj);
}

// Rows of marked blocks only: the columns of these, and of other columns the entries in such rows.
// The other rows of y are those of -`rest`.
BLOCK_TARGET static void kernel_multiply_rows(const LitheBlockMatrix *m, int32_t first,
                                              int32_t after, const uint8_t *marked,
                                              const double *value, const double *x,
                                              const double *rest, double *y) {
    memset(y + m->at[first], 0, sizeof *y * (size_t)(m->at[after] - m->at[first]));
    for (int32_t j = first; j < after; j++) {
        int32_t n = m->size[j], e = m->start[j];
        const double *xj = x + m->at[j];
        double *yj = y + m->at[j];
        if (n == 4) {
            multiply_rows_4(m, j, after, marked, value, x, y);
            continue;
        }
        if (marked[j] && n == 3) {
            multiply_column_3(m, j, after, value, x, y);
            continue;
        }
        if (marked[j] && n > 6)
            multiply_wide(n, value + m->value_at[e], xj, yj);
        else if (marked[j])
            multiply_diagonal(n, value + m->value_at[e], xj, yj);
        for (e++; e < m->start[j + 1] && m->row[e] < after; e++) {
            int32_t i = m->row[e];
            if (marked[j] || marked[i])
                multiply_any(m->size[i], n, value + m->value_at[e], xj, x + m->at[i], y + m->at[i],
                             yj);
        }
    }
    for (int32_t j = first; j < after; j++)
        for (int32_t k = m->at[j]; !marked[j] && k < m->at[j + 1]; k++)
            y[k] = -rest[k];
}

// X = G J [rows][size]
BLOCK_FN void weigh(int rows, int size, const double *G, const double *J, double *X) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < rows; k++)
                sum += G[rows * i + k] * J[size * k + j];
            X[size * i + j] = sum;
        }
}

// block [a rows, b columns] += Ja' X
BLOCK_FN void add_block(int rows, int a, int b, const double *Ja, const double *X, double *block) {
    for (int j = 0; j < b; j++)
        for (int i = 0; i < a; i++) {
            double sum = 0;
            for (int k = 0; k < rows; k++)
                sum += Ja[a * k + i] * X[b * k + j];
            block[a * j + i] += sum;
        }
}

// the same for blocks of four
BLOCK_FN void weigh_4(int rows, const double *G, const double *J, double *X) {
    for (int i = 0; i < rows; i++) {
        Quad sum = quad_scale(quad_load(J), quad_set(G[rows * i]));
        for (int k = 1; k < rows; k++)
            sum = quad_more(sum, quad_load(J + 4 * k), quad_set(G[rows * i + k]));
        quad_store(sum, X + 4 * i);
    }
}

BLOCK_FN void add_block_4(int rows, const double *Ja, const double *X, double *block) {
    for (int j = 0; j < 4; j++) {
        Quad sum = quad_load(block + 4 * j);
        for (int k = 0; k < rows; k++)
            sum = quad_more(sum, quad_load(Ja + 4 * k), quad_set(X[4 * k + j]));
        quad_store(sum, block + 4 * j);
    }
}

// the same for one row and four columns: a node of a rod on a body with one joint
BLOCK_FN void add_row_4(int rows, const double *Ja, const double *X, double *block) {
    Quad sum = quad_load(block);
    for (int k = 0; k < rows; k++)
        sum = quad_more(sum, quad_load(X + 4 * k), quad_set(Ja[k]));
    quad_store(sum, block);
}

// the same for four columns and more than four rows: a node of a rod on a body or a robot
BLOCK_FN void add_tall_4(int rows, int a, const double *Ja, const double *X, double *block) {
    for (int j = 0; j < 4; j++, block += a) {
        int i = 0;
        for (; i + 4 <= a; i += 4) {
            Quad sum = quad_load(block + i);
            for (int k = 0; k < rows; k++)
                sum = quad_more(sum, quad_load(Ja + a * k + i), quad_set(X[4 * k + j]));
            quad_store(sum, block + i);
        }
        for (; i < a; i++)
            for (int k = 0; k < rows; k++)
                block[i] += Ja[a * k + i] * X[4 * k + j];
    }
}

BLOCK_FN void add_term(LitheBlockMatrix *m, const LitheBlockTerm *t, int rows, int32_t b,
                       double *X) {
    int32_t nb = m->size[t->node[b]];
    if (nb == 4)
        weigh_4(rows, t->G, t->J + t->J_at[b], X);
    else
        weigh(rows, nb, t->G, t->J + t->J_at[b], X);
    for (int32_t a = 0; a < t->count; a++) {
        int32_t entry = t->entry[t->count * b + a], na = m->size[t->node[a]];
        if (entry < 0)
            continue;
        double *block = lithe_block_values(m, entry);
        if (na == 4 && nb == 4)
            add_block_4(rows, t->J + t->J_at[a], X, block);
        else if (na == 1 && nb == 4)
            add_row_4(rows, t->J + t->J_at[a], X, block);
        else if (na > 4 && nb == 4)
            add_tall_4(rows, na, t->J + t->J_at[a], X, block);
        else
            add_block(rows, na, nb, t->J + t->J_at[a], X, block);
    }
}

BLOCK_TARGET static void kernel_term(LitheBlockMatrix *m, const LitheBlockTerm *term, int32_t b,
                                     double *X) {
    if (term->rows == 3)
        add_term(m, term, 3, b, X);
    else
        add_term(m, term, term->rows, b, X);
}

#endif
