// SPDX-License-Identifier: Apache-2.0
// sparse/block_kernel_solve.h - substitutions with the block factor, and the loop over its columns,
// written once on quads
//
// Included after sparse/block_kernel.h, on the same quads. Numbers in brackets:
// docs/theory/block-solver.md.

#ifndef LITHE_SPARSE_BLOCK_KERNEL_SOLVE_H
#define LITHE_SPARSE_BLOCK_KERNEL_SOLVE_H

// --- solve ---------------------------------------------------------------------------------------

BLOCK_FN void fetch_factor(const LitheBlockFactor *f, int32_t j) {
    fetch(f->value, f->value_at[f->start[j]], f->value_at[f->start[j + 1]]);
}

// y = L11\y of a block with more than six rows
BLOCK_FN void solve_wide(int n, int ld, const double *l, double *y) {
    for (int c = 0; c < n; c++, l += ld) {
        int r = c + 1, aligned = (r + 3) & ~3;
        double own = y[c];
        for (; r < n && r < aligned; r++)
            y[r] -= l[r] * own;
        for (Quad all = quad_set(own); r < n; r += 4)
            quad_store(quad_less(quad_load(y + r), quad_load(l + r), all), y + r);
    }
}

// x = L11'\x of such a block, four rows at a time from the last ones on
BLOCK_FN void solve_wide_turned(int n, int ld, const double *l, double *x) {
    for (int g = ld - 4; g >= 0; g -= 4) {
        const double *a = l + (ptrdiff_t)ld * g, *b = a + ld, *c = b + ld, *d = c + ld;
        Quad s0 = quad_zero(), s1 = s0, s2 = s0, s3 = s0;
        int width = n - g < 4 ? n - g : 4;
        for (int r = g + 4; r < ld; r += 4) { // only where all four columns exist
            Quad y = quad_load(x + r);
            s0 = quad_more(s0, quad_load(a + r), y);
            s1 = quad_more(s1, quad_load(b + r), y);
            s2 = quad_more(s2, quad_load(c + r), y);
            s3 = quad_more(s3, quad_load(d + r), y);
        }
        quad_store(quad_less(quad_load(x + g), quad_sums(s0, s1, s2, s3), quad_set(1)), x + g);
        for (int k = width - 1; k > 0; k--)
            for (int r = 0; r < k; r++)
                x[g + r] -= a[ld * r + g + k] * x[g + k];
    }
}

// x - L y of a block of four
BLOCK_FN Quad less_block(Quad x, const double *l, const double *y) {
    Quad sum = quad_less(x, quad_load(l), quad_set(y[0]));
    Quad more = quad_scale(quad_load(l + 4), quad_set(y[1]));
    sum = quad_less(sum, quad_load(l + 8), quad_set(y[2]));
    more = quad_more(more, quad_load(l + 12), quad_set(y[3]));
    return quad_less(sum, more, quad_set(1));
}

// x_j = L11\x_j, then x_i -= L_ij x_j below [9]: rows are ancestors of j, first those of its own
// subtree, then those of the top, which are collected in `aside` from `top` on
BLOCK_FN void column_down(const LitheBlockFactor *f, int n, int32_t top, double *aside, int32_t j) {
    int ld = (n + 3) & ~3;
    int32_t e = f->start[j], after = f->start[j + 1];
    const double *l = f->value + f->value_at[e];
    double *y = f->x + f->at[j];
    if (n > 6)
        solve_wide(n, ld, l, y);
    for (int c = 0; n <= 6 && c < n; c++)
        for (int r = c + 1; r < n; r++)
            y[r] -= l[ld * c + r] * y[c];
    for (e++; e < after; e++) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        double *x = i < top ? f->x + f->at[i] : aside + (f->at[i] - f->at[top]);
        l = f->value + f->value_at[e];
        if (n == 4 && rows == 4) {
            quad_store(less_block(quad_load(x), l, y), x);
            continue;
        }
        for (int32_t r = 0; r < (n == 6 && rows == 8 ? 8 : rows); r += 4) {
            Quad sum = quad_load(x + r);
            for (int c = 0; c < n; c++)
                sum = quad_less(sum, quad_load(l + (ptrdiff_t)rows * c + r), quad_set(y[c]));
            quad_store(sum, x + r);
        }
    }
}

// entries c to c + width - 1 of the sum of L_ij' x_i over all blocks below the diagonal of column j
BLOCK_FN Quad dot_columns(const LitheBlockFactor *f, int width, int c, int32_t j) {
    Quad s0 = quad_zero(), s1 = s0, s2 = s0, s3 = s0;
    for (int32_t e = f->start[j] + 1; e < f->start[j + 1]; e++) {
        int32_t i = f->row[e], rows = f->at[i + 1] - f->at[i];
        const double *x = f->x + f->at[i];
        const double *l = f->value + f->value_at[e] + (ptrdiff_t)rows * c;
        if (width == 4 && rows == 4) {
            Quad y = quad_load(x);
            s0 = quad_more(s0, quad_load(l), y);
            s1 = quad_more(s1, quad_load(l + 4), y);
            s2 = quad_more(s2, quad_load(l + 8), y);
            s3 = quad_more(s3, quad_load(l + 12), y);
            continue;
        }
        for (int32_t r = 0; r < rows; r += 4, l += 4) {
            Quad y = quad_load(x + r);
            s0 = quad_more(s0, quad_load(l), y);
            if (width > 1)
                s1 = quad_more(s1, quad_load(l + rows), y);
            if (width > 2)
                s2 = quad_more(s2, quad_load(l + 2 * rows), y);
            if (width > 3)
                s3 = quad_more(s3, quad_load(l + 3 * rows), y);
        }
    }
    return quad_sums(s0, s1, s2, s3);
}

// x_j = L11'\(D\x_j - the sum of L_ij' x_i below) [10]
BLOCK_FN void column_up(const LitheBlockFactor *f, int n, int32_t j) {
    int ld = (n + 3) & ~3;
    const double *l = f->value + f->value_at[f->start[j]];
    const double *reciprocal = f->reciprocal + f->at[j];
    double *x = f->x + f->at[j];
    for (int c = 0; c < n; c += 4) {
        // the padding has reciprocals of zero and sums of zero
        Quad z = quad_scale(quad_load(x + c), quad_load(reciprocal + c));
        Quad sums = n - c >= 4   ? dot_columns(f, 4, c, j)
                    : n - c == 3 ? dot_columns(f, 3, c, j)
                    : n - c == 2 ? dot_columns(f, 2, c, j)
                                 : dot_columns(f, 1, c, j);
        quad_store(quad_less(z, sums, quad_set(1)), x + c);
    }
    if (n > 6)
        solve_wide_turned(n, ld, l, x);
    for (int c = n - 1; n <= 6 && c >= 0; c--)
        for (int r = 0; r < c; r++)
            x[r] -= l[ld * r + c] * x[c];
}

// y = L11\y of a block of four
BLOCK_FN void solve_four(const double *l, double *y) {
    for (int c = 0; c < 4; c++)
        for (int r = c + 1; r < 4; r++)
            y[r] -= l[4 * c + r] * y[c];
}

// column_down of columns j and j + 1 of blocks of four with the same rows: x is read and written
// once
BLOCK_FN void twins_down(const LitheBlockFactor *f, int32_t top, double *aside, int32_t j) {
    const double *l = f->value + f->value_at[f->start[j]];
    const double *m = f->value + f->value_at[f->start[j + 1]];
    double *y = f->x + f->at[j], *z = f->x + f->at[j + 1];
    const int32_t *row = f->row + f->start[j + 1] + 1, *end = f->row + f->start[j + 2];
    solve_four(l, y);
    quad_store(less_block(quad_load(z), l + 16, y), z);
    solve_four(m, z);
    for (l += 32, m += 16; row < end; row++, l += 16, m += 16) {
        int32_t i = *row;
        double *x = i < top ? f->x + f->at[i] : aside + (f->at[i] - f->at[top]);
        quad_store(less_block(less_block(quad_load(x), l, y), m, z), x);
    }
}

// whether the right-hand side of a column is zero so far
BLOCK_FN bool is_zero(const LitheBlockFactor *f, int32_t j) {
    const double *x = f->x + f->at[j], *end = x + f->size[j];
    while (x < end && *x == 0)
        x++;
    return x == end;
}

// forward substitution with the columns of a task
typedef struct Descent {
    int32_t top, after; // first column of the top, and after those of the task
    double *aside;      // contributions to the rows of the top
    bool waits;         // the last column waits for its twin
} Descent;

BLOCK_FN Descent start_down(const LitheBlockFactor *f, int32_t task) {
    int32_t top = f->task_start[f->task_count], rows = f->at[f->count] - f->at[top];
    Descent d = {top, f->task_start[task + 1], f->x + f->at[top], false};
    if (task < f->task_count) {
        d.aside = f->aside + (ptrdiff_t)rows * task;
        memset(d.aside, 0, sizeof *d.aside * (size_t)rows);
    }
    return d;
}

// the next column; one whose right-hand side is zero contributes nothing, and its L is not read
BLOCK_FN void go_down(const LitheBlockFactor *f, Descent *d, int32_t j) {
    int32_t n = f->size[j];
    if (d->waits)
        twins_down(f, d->top, d->aside, j - 1);
    else if (is_zero(f, j))
        return;
    else if (f->fours[j] == LITHE_FOURS_TWIN && j + 1 < d->after) {
        d->waits = true;
        return;
    } else if (n == 4)
        column_down(f, 4, d->top, d->aside, j);
    else if (n == 6)
        column_down(f, 6, d->top, d->aside, j);
    else
        column_down(f, n, d->top, d->aside, j);
    d->waits = false;
}

BLOCK_TARGET static void kernel_down(const LitheBlockFactor *f, int32_t task) {
    Descent d = start_down(f, task);
    for (int32_t j = f->task_start[task]; j < d.after; j++) {
        if (j + AHEAD < d.after && !is_zero(f, j + AHEAD))
            fetch_factor(f, j + AHEAD);
        go_down(f, &d, j);
    }
}

// adds the contributions of the tasks in `aside` to the rows of the top, in the order of the tasks
BLOCK_TARGET static void kernel_join(const LitheBlockFactor *f) {
    int32_t top = f->task_start[f->task_count], rows = f->at[f->count] - f->at[top];
    double *x = f->x + f->at[top];
    for (int32_t task = 0; task < f->task_count; task++) {
        const double *aside = f->aside + (ptrdiff_t)rows * task;
        for (int32_t r = 0; r < rows; r += 4)
            quad_store(quad_more(quad_load(x + r), quad_load(aside + r), quad_set(1)), x + r);
    }
}

BLOCK_TARGET static void kernel_up(const LitheBlockFactor *f, int32_t task) {
    for (int32_t j = f->task_start[task + 1] - 1; j >= f->task_start[task]; j--) {
        int32_t n = f->size[j];
        if (j >= AHEAD)
            fetch_factor(f, j - AHEAD);
        if (n == 4)
            column_up(f, 4, j);
        else if (n == 6)
            column_up(f, 6, j);
        else
            column_up(f, n, j);
    }
}

// --- factor and forward substitution -------------------------------------------------------------

// prefetches the values from which a column is computed
BLOCK_FN void fetch_column(const LitheBlockFactor *f, const LitheBlockMatrix *m, int32_t j) {
    int32_t column = f->order[j];
    fetch(lithe_block_column(m, column), m->value_at[m->start[column]],
          m->value_at[m->start[column + 1]]);
}

// With `solves` each column is followed by its forward substitution, while its L is in the cache.
BLOCK_TARGET static int32_t kernel_columns(const LitheBlockFactor *whole, const LitheBlockMatrix *m,
                                           LithePivotRule rule, bool solves, int32_t task,
                                           int32_t slot) {
    LitheBlockFactor own = *whole, *f = &own; // a copy with the scratch memory of this task
    f->where += (ptrdiff_t)f->count * slot;
    f->scaled += (ptrdiff_t)block_padded(f->largest) * block_padded(f->largest) * task;
    bool any = rule == LITHE_PIVOT_ANY;
    Descent d = {.after = f->task_start[task + 1]};
    if (solves)
        d = start_down(f, task);
    for (int32_t j = f->task_start[task]; j < d.after; j++) {
        int n = f->size[j];
        if (j + AHEAD < d.after && f->redo[j + AHEAD])
            fetch_column(f, m, j + AHEAD);
        else if (solves && j + AHEAD < d.after && !is_zero(f, j + AHEAD))
            fetch_factor(f, j + AHEAD);
        int bad = !f->redo[j] ? -1
                  : n == 4    ? one_column(f, m, any, 4, j)
                  : n == 6    ? one_column(f, m, any, 6, j)
                              : one_column(f, m, any, n, j);
        if (bad != -1)
            return f->at[j] + bad;
        if (solves)
            go_down(f, &d, j);
    }
    return -1;
}

#endif
