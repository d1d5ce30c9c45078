// SPDX-License-Identifier: Apache-2.0
// solve/lcp_lemke.c - Lemke's method in long doubles
//
// The dictionary x_B = q + D x_N starts as w = b + A z + c z0 with a positive covering vector c. z0
// enters where b is most negative; then the complement of the variable that left enters, until z0
// leaves (a solution) or nothing limits the entering variable (a ray).
//
// Contacts are degenerate: many rows tie. Harris' ratio test takes the largest pivot among the rows
// that are within a small tolerance of the smallest ratio, and z0 whenever it is among them. In
// doubles this still misses a few problems in a thousand, because the pivots of near-dependent rows
// consist of rounding errors; long doubles have room for them. At the end the values of the basic
// z are solved again from A and b, which removes the errors of the pivots.
//
// A path may still end on a ray, or at a place that is no solution. Every end is judged by its
// natural residual, and the next path is taken: with a small shift of the diagonal, by which the
// pivots of ties differ, then with other covering vectors.

#include "solve/lcp.h"

#include <math.h>
#include <string.h>

// of the scaled problem, whose entries are about 1
#define PIVOT 1e-13L  // smaller entries of a column do not limit it
#define SLACK 1e-13L  // variables may become this negative: room for Harris' choice
#define SHIFT 1e-12L  // of the diagonal on every second path: separates the pivots of ties
#define RIGHT 1e-9    // largest natural residual of a path that ends at a solution
#define MAX_PATHS 16  // two for each covering vector
#define LARGE 150     // rows from which more paths take too long
#define MAX_PIVOTS 10 // per row; a path that succeeds takes one or two

typedef struct Lemke {
    int32_t n, stride;
    long double *D;  // [n][stride]: columns of the nonbasic variables, last q
    int32_t *basic;  // [n] w_i: i, z_i: n + i, z0: 2n
    int32_t *others; // [n + 1] nonbasic variables
} Lemke;

int64_t lithe_lcp_lemke_size(int32_t n) {
    return (int64_t)n * (n + 3);
}

// exchanges the basic variable of row r with the nonbasic one of column s
static void exchange(Lemke *l, int32_t r, int32_t s) {
    long double *top = l->D + (ptrdiff_t)l->stride * r, inverse = 1 / top[s];
    for (int32_t j = 0; j < l->stride; j++)
        top[j] *= -inverse;
    top[s] = inverse;
    for (int32_t i = 0; i < l->n; i++) {
        long double *row = l->D + (ptrdiff_t)l->stride * i, f = row[s];
        if (i == r || f == 0)
            continue;
        row[s] = 0;
        for (int32_t j = 0; j < l->stride; j++)
            row[j] += f * top[j];
    }
    int32_t leaves = l->basic[r];
    l->basic[r] = l->others[s];
    l->others[s] = leaves;
}

static int32_t complement(const Lemke *l, int32_t variable) {
    return variable < l->n ? variable + l->n : variable - l->n;
}

static int32_t column_of(const Lemke *l, int32_t variable) {
    for (int32_t j = 0; j <= l->n; j++)
        if (l->others[j] == variable)
            return j;
    return -1;
}

// Harris' ratio test on column s; -1: nothing limits the entering variable
static int32_t leaving(const Lemke *l, int32_t s) {
    int32_t q = l->n + 1, best = -1;
    long double bound = INFINITY, pivot = 0;
    for (int32_t i = 0; i < l->n; i++) {
        const long double *row = l->D + (ptrdiff_t)l->stride * i;
        if (row[s] < -PIVOT)
            bound = fminl(bound, (fmaxl(row[q], 0) + SLACK) / -row[s]);
    }
    for (int32_t i = 0; i < l->n; i++) {
        const long double *row = l->D + (ptrdiff_t)l->stride * i;
        if (!(row[s] < -PIVOT) || fmaxl(row[q], 0) / -row[s] > bound)
            continue;
        if (l->basic[i] == 2 * l->n)
            return i;
        if (-row[s] > pivot) {
            best = i;
            pivot = -row[s];
        }
    }
    return best;
}

// entry i of covering vector number k: ones, then numbers without ties between 1/4 and 4. Friction
// makes the matrix copositive, but not more: a path may end on a ray where another one does not.
static long double cover(int32_t k, int32_t i) {
    double golden = 0.6180339887498949 * (k * 7919 + i + 1);
    return k == 0 ? 1 : exp2(4 * (golden - floor(golden)) - 2);
}

static void start(const LitheLcp *problem, int32_t k, long double shift, Lemke *l) {
    for (int32_t i = 0; i < l->n; i++) {
        long double *row = l->D + (ptrdiff_t)l->stride * i;
        for (int32_t j = 0; j < l->n; j++)
            row[j] = problem->A[(ptrdiff_t)l->n * i + j] + (i == j ? shift : 0);
        row[l->n] = cover(k, i);
        row[l->n + 1] = problem->b[i];
        l->basic[i] = i;
        l->others[i] = l->n + i;
    }
    l->others[l->n] = 2 * l->n;
}

static LitheLcpOutcome pivot_path(const LitheLcp *problem, int32_t k, long double shift, Lemke *l,
                                  int32_t *count) {
    int32_t n = l->n, r = -1;
    long double worst = 0;
    start(problem, k, shift, l);
    for (int32_t i = 0; i < n; i++) {
        long double ratio = problem->b[i] / cover(k, i);
        if (ratio < worst) {
            worst = ratio;
            r = i;
        }
    }
    if (r < 0)
        return LITHE_LCP_SOLVED; // b >= 0
    int32_t s = n;
    for (int32_t pivots = 0; pivots < MAX_PIVOTS * n && !lithe_meter_spend(problem->meter, n);
         pivots++) {
        int32_t left = l->basic[r];
        exchange(l, r, s);
        ++*count;
        if (left == 2 * n)
            return LITHE_LCP_SOLVED;
        s = column_of(l, complement(l, left));
        r = leaving(l, s);
        if (r < 0)
            return LITHE_LCP_RAY;
    }
    return LITHE_LCP_UNCONVERGED;
}

// Corrects the positive z such that their w are 0, by elimination with exchanges of rows; leaves z
// as it is where the rows are dependent.
static void polish(const LitheLcp *problem, Lemke *l, double *z) {
    int32_t n = l->n, count = 0, *rows = l->others;
    for (int32_t i = 0; i < n; i++)
        if (z[i] > 0)
            rows[count++] = i;
    long double *D = l->D;
    int32_t stride = count + 1;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < count; j++)
            D[(ptrdiff_t)stride * i + j] = problem->A[(ptrdiff_t)n * rows[i] + rows[j]];
        // the correction solves A dz = -(A z + b)
        long double w = problem->b[rows[i]];
        for (int32_t j = 0; j < n; j++)
            w += (long double)problem->A[(ptrdiff_t)n * rows[i] + j] * z[j];
        D[(ptrdiff_t)stride * i + count] = -w;
    }
    for (int32_t k = 0; k < count; k++) {
        if (lithe_meter_spend(problem->meter, 1))
            return;
        int32_t p = k;
        for (int32_t i = k + 1; i < count; i++)
            if (fabsl(D[(ptrdiff_t)stride * i + k]) > fabsl(D[(ptrdiff_t)stride * p + k]))
                p = i;
        long double *top = D + (ptrdiff_t)stride * k, *with = D + (ptrdiff_t)stride * p;
        if (fabsl(with[k]) < PIVOT)
            return;
        for (int32_t j = k; p != k && j < stride; j++) {
            long double x = top[j];
            top[j] = with[j];
            with[j] = x;
        }
        for (int32_t i = k + 1; i < count; i++) {
            long double *row = D + (ptrdiff_t)stride * i, f = row[k] / top[k];
            for (int32_t j = k; f != 0 && j < stride; j++)
                row[j] -= f * top[j];
        }
    }
    for (int32_t k = count - 1; k >= 0; k--) {
        long double *top = D + (ptrdiff_t)stride * k;
        for (int32_t j = k + 1; j < count; j++)
            top[count] -= top[j] * D[(ptrdiff_t)stride * j + count];
        top[count] /= top[k];
    }
    for (int32_t k = 0; k < count; k++)
        z[rows[k]] = fmax(z[rows[k]] + (double)D[(ptrdiff_t)stride * k + count], 0);
}

// the basic z, corrected; its natural residual
static double read_basis(const LitheLcp *problem, Lemke *l, double *z) {
    int32_t n = l->n;
    long double *kept = l->D + (ptrdiff_t)n * (n + 2);
    memset(z, 0, sizeof(double) * (size_t)n);
    for (int32_t i = 0; i < n; i++)
        if (l->basic[i] >= n && l->basic[i] < 2 * n)
            z[l->basic[i] - n] = fmax((double)l->D[(ptrdiff_t)l->stride * i + n + 1], 0);
    double residual = lithe_lcp_residual(problem, z);
    for (int32_t i = 0; i < n; i++)
        kept[i] = z[i];
    polish(problem, l, z);
    double polished = lithe_lcp_residual(problem, z);
    for (int32_t i = 0; !(polished <= residual) && i < n; i++)
        z[i] = (double)kept[i];
    return fmin(polished, residual);
}

LitheLcpReport lithe_lcp_lemke(const LitheLcp *problem, double *z, long double *work,
                               int32_t *basis) {
    int32_t n = problem->n;
    Lemke l = {n, n + 2, work, basis, basis + n};
    LitheLcpReport report = {.outcome = LITHE_LCP_UNCONVERGED, .residual = INFINITY};
    bool ray = false;
    for (int32_t k = 0; k < (n > LARGE ? 2 : MAX_PATHS); k++) {
        LitheLcpOutcome end = pivot_path(problem, k / 2, k % 2 ? SHIFT : 0, &l, &report.iterations);
        ray = ray || end == LITHE_LCP_RAY;
        if (end != LITHE_LCP_SOLVED)
            continue;
        // a path can end at a wrong place: its pivots were rounding errors, or the shift turned a
        // ray into impulses that cancel
        report.residual = read_basis(problem, &l, z);
        if (report.residual <= RIGHT) {
            report.outcome = LITHE_LCP_SOLVED;
            return report;
        }
    }
    if (ray)
        report.outcome = LITHE_LCP_RAY;
    memset(z, 0, sizeof(double) * (size_t)n);
    return report;
}
