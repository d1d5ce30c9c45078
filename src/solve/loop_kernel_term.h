// SPDX-License-Identifier: Apache-2.0
// solve/loop_kernel_term.h - columns of J' G J of couplings, written once on vectors
//
// Included by solve/loop_kernel.h, on the same vectors.

#ifndef LITHE_SOLVE_LOOP_KERNEL_TERM_H
#define LITHE_SOLVE_LOOP_KERNEL_TERM_H

// --- the matrix ----------------------------------------------------------------------------------

LOOP_FN bool is_zero_column(int32_t rows, int32_t size, const double *J, int32_t column) {
    for (int32_t k = 0; k < rows; k++)
        if (J[size * k + column] != 0)
            return false;
    return true;
}

// X = G J [rows][6], then block [6][6] += Ja' X, column by column
LOOP_FN void weigh_6(int32_t rows, const double *G, const double *J, double *X) {
    for (int32_t i = 0; i < rows; i++) {
        Four low = {0};
        Two high = {0};
        for (int32_t k = 0; k < rows; k++) {
            Four all = REPEATED(G + rows * i + k);
            low += FOUR(J + 6 * k) * all;
            high += TWO(J + 6 * k + 4) * LOWER(all);
        }
        STORE_FOUR(X + 6 * i) = low;
        STORE_TWO(X + 6 * i + 4) = high;
    }
}

LOOP_FN void add_block_6(int32_t rows, const double *J, const double *X, double *block) {
    for (int32_t j = 0; j < 6; j++, block += 6) {
        Four low = {0};
        Two high = {0};
        for (int32_t k = 0; k < rows; k++) {
            Four all = REPEATED(X + 6 * k + j);
            low += FOUR(J + 6 * k) * all;
            high += TWO(J + 6 * k + 4) * LOWER(all);
        }
        STORE_FOUR(block) = FOUR(block) + low;
        STORE_TWO(block + 4) = TWO(block + 4) + high;
    }
}

// The nine numbers of a block of nodes with three DoFs are four, four and one. X = G Jb of each row
// is repeated as the columns of the block need it.
typedef struct Three {
    Four low, middle;
    double high;
} Three;

LOOP_FN void weigh_3(int32_t rows, const double *G, const double *J, Three *X) {
    for (int32_t i = 0; i < rows; i++) {
        double x = 0, y = 0, z = 0;
        for (int32_t k = 0; k < rows; k++) {
            x += G[rows * i + k] * J[3 * k];
            y += G[rows * i + k] * J[3 * k + 1];
            z += G[rows * i + k] * J[3 * k + 2];
        }
        X[i].low = (Four){x, x, x, y};
        X[i].middle = (Four){y, y, z, z};
        X[i].high = z;
    }
}

// block [3][3] += Ja' X
LOOP_FN void add_block_3(int32_t rows, const double *J, const Three *X, double *block) {
    Four low = {0}, middle = {0};
    double high = 0;
    for (int32_t k = 0; k < rows; k++, J += 3) {
        low += (Four){J[0], J[1], J[2], J[0]} * X[k].low;
        middle += (Four){J[1], J[2], J[0], J[1]} * X[k].middle;
        high += J[2] * X[k].high;
    }
    STORE_FOUR(block) = FOUR(block) + low;
    STORE_FOUR(block + 4) = FOUR(block + 4) + middle;
    block[8] += high;
}

// Block [a rows, b columns] += Ja' G Jb, without the columns of Jb that are zero: a contact of a
// robot depends on the joints between it and the root. Of a diagonal block only the lower triangle.
LOOP_FN void add_wide(int32_t rows, const double *G, int32_t a, const double *Ja, int32_t b,
                      const double *Jb, bool diagonal, double *block) {
    int32_t last = a - 1; // the last row that is not zero
    while (last >= 0 && is_zero_column(rows, a, Ja, last))
        last--;
    for (int32_t j = 0; j < b; j++) {
        double x[LITHE_COUPLED_ROWS], *column = block + (ptrdiff_t)a * j;
        if (is_zero_column(rows, b, Jb, j))
            continue;
        for (int32_t i = 0; i < rows; i++) {
            x[i] = 0;
            for (int32_t k = 0; k < rows; k++)
                x[i] += G[rows * i + k] * Jb[b * k + j];
        }
        int32_t i = diagonal ? j : 0;
        for (; i + 4 <= a && i <= last; i += 4) {
            Four sum = {0};
            for (int32_t k = 0; k < rows; k++)
                sum += FOUR(Ja + a * k + i) * x[k];
            STORE_FOUR(column + i) = FOUR(column + i) + sum;
        }
        for (; i <= last; i++) {
            double sum = 0;
            for (int32_t k = 0; k < rows; k++)
                sum += Ja[a * k + i] * x[k];
            column[i] += sum;
        }
    }
}

LOOP_FAR void add_any(int32_t rows, const double *G, int32_t a, const double *Ja, int32_t b,
                      const double *Jb, bool diagonal, double *block) {
    if (rows == 3)
        add_wide(3, G, a, Ja, b, Jb, diagonal, block);
    else if (rows == 1)
        add_wide(1, G, a, Ja, b, Jb, diagonal, block);
    else
        add_wide(rows, G, a, Ja, b, Jb, diagonal, block);
}

LOOP_FN void term(LitheBlockMatrix *m, const LitheBlockTerm *t, int32_t rows, int32_t b) {
    const double *Jb = t->J + t->J_at[b];
    int32_t nb = m->size[t->node[b]];
    double X[6 * LITHE_COUPLED_ROWS];
    Three X3[LITHE_COUPLED_ROWS];
    if (nb == 3)
        weigh_3(rows, t->G, Jb, X3);
    else if (nb == 6)
        weigh_6(rows, t->G, Jb, X);
    for (int32_t a = 0; a < t->count; a++) {
        int32_t entry = t->entry[t->count * b + a], na = m->size[t->node[a]];
        if (entry < 0)
            continue;
        const double *Ja = t->J + t->J_at[a];
        double *block = lithe_block_values(m, entry);
        if (na == 3 && nb == 3)
            add_block_3(rows, Ja, X3, block);
        else if (na == 6 && nb == 6)
            add_block_6(rows, Ja, X, block);
        else
            add_any(rows, t->G, na, Ja, nb, Jb, a == b, block);
    }
}

LOOP_FAR void term_of_any(LitheBlockMatrix *m, const LitheBlockTerm *t, int32_t b) {
    term(m, t, t->rows, b);
}

// the column of one DoF with three rows: a contact of a body with one joint
LOOP_FN void term_of_one(LitheBlockMatrix *m, const LitheBlockTerm *t, int32_t b) {
    const double *G = t->G, *J = t->J + t->J_at[b];
    double x[3];
    for (int32_t i = 0; i < 3; i++)
        x[i] = G[3 * i] * J[0] + G[3 * i + 1] * J[1] + G[3 * i + 2] * J[2];
    for (int32_t a = 0; a < t->count; a++) {
        int32_t entry = t->entry[t->count * b + a];
        if (entry < 0)
            continue;
        int32_t na = m->size[t->node[a]];
        const double *Ja = t->J + t->J_at[a];
        double *block = lithe_block_values(m, entry);
        for (int32_t i = 0; i < na; i++)
            block[i] += Ja[i] * x[0] + Ja[na + i] * x[1] + Ja[2 * na + i] * x[2];
    }
}

LOOP_TARGET static void kernel_term(LitheBlockMatrix *m, const LitheBlockTerm *t, int32_t b) {
    if (t->rows == 3 && m->size[t->node[b]] == 1)
        term_of_one(m, t, b);
    else if (t->rows == 3)
        term(m, t, 3, b);
    else
        term_of_any(m, t, b);
}

#endif
