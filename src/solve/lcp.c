// SPDX-License-Identifier: Apache-2.0
// solve/lcp.c - scaling, and the solve of one problem with restart and fall-back

#include "solve/lcp.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define SCALINGS 10       // of (L6): row and column norms are then 1 within a few percent
#define MAX_CORRECTIONS 3 // of (L14); each divides the error by about 1e8 times the smallest pivot

LitheLcpSetting lithe_lcp_setting(void) {
    return (LitheLcpSetting){
        .method = LITHE_LCP_NEWTON,
        .directions = 4,
        .rank = true,
        .scale = true,
        .regularise = true,
        .recheck = true,
        .warm = true,
        .fall_back = true,
        .rank_tolerance = 1e-6,
        .regularisation = 1e-8,
        .tolerance = 1e-10,
        .accept = 1e-7,
        .damping = 1e-6,
        .max_iterations = 60,
    };
}

void lithe_lcp_work_end(LitheLcpWork *work) {
    lithe_free(work->context, work->doubles);
    lithe_free(work->context, work->longs);
    lithe_free(work->context, work->integers);
    *work = (LitheLcpWork){.context = work->context};
}

double lithe_lcp_residual(const LitheLcp *problem, const double *z) {
    double max = 0;
    for (int32_t i = 0; i < problem->n; i++) {
        const double *row = problem->A + (ptrdiff_t)problem->n * i;
        double w = problem->b[i], terms = fabs(w), own = row[i];
        for (int32_t j = 0; j < problem->n; j++) {
            double term = row[j] * z[j];
            w += term;
            terms += fabs(term);
        }
        // (L12): a velocity counts absolutely, the bound of friction relative to its terms
        double error = own > 0 ? fabs(fmin(own * z[i], w)) / fmax(fabs(problem->b[i]), 1)
                               : fabs(fmin(z[i], w)) / fmax(terms, 1);
        if (!(error <= max))
            max = error; // NaN stays
    }
    return max;
}

// --- scaling -------------------------------------------------------------------------------------

void lithe_lcp_scale(int32_t n, double *A, double *b, double *rows, double *columns, double *work) {
    double *squares = work, *row_sums = work + (ptrdiff_t)n * n, *column_sums = row_sums + n;
    for (ptrdiff_t k = 0; k < (ptrdiff_t)n * n; k++)
        squares[k] = A[k] * A[k];
    // squares of the factors until the end
    for (int32_t i = 0; i < n; i++)
        rows[i] = columns[i] = 1;
    for (int k = 0; k < SCALINGS; k++) {
        memset(column_sums, 0, sizeof(double) * (size_t)n);
        for (int32_t i = 0; i < n; i++) {
            const double *row = squares + (ptrdiff_t)n * i;
            double sums[4] = {0}, r = rows[i];
            int32_t j = 0;
            for (; j + 4 <= n; j += 4)
                for (int m = 0; m < 4; m++)
                    sums[m] += row[j + m] * columns[j + m];
            for (; j < n; j++)
                sums[0] += row[j] * columns[j];
            row_sums[i] = r * ((sums[0] + sums[1]) + (sums[2] + sums[3]));
            for (j = 0; j < n; j++)
                column_sums[j] += r * row[j];
        }
        // (L6): the factors are the inverse roots of the norms
        for (int32_t i = 0; i < n; i++) {
            double column = columns[i] * column_sums[i];
            rows[i] *= row_sums[i] > 0 ? 1 / sqrt(row_sums[i]) : 1;
            columns[i] *= column > 0 ? 1 / sqrt(column) : 1;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        rows[i] = sqrt(rows[i]);
        columns[i] = sqrt(columns[i]);
    }
    for (int32_t i = 0; i < n; i++) {
        double *row = A + (ptrdiff_t)n * i;
        for (int32_t j = 0; j < n; j++)
            row[j] *= rows[i] * columns[j];
        b[i] *= rows[i];
    }
}

// --- one problem ---------------------------------------------------------------------------------

typedef struct Solve {
    const LitheLcp *problem;
    const LitheLcpBlock *blocks;
    int32_t block_count;
    const LitheLcpSetting *setting;
    LitheLcp scaled;
    double *rows, *columns, *y, *work;
    LitheLcpWork *memory;
    double *z; // of the caller
    LitheLcpReport *report;
} Solve;

static bool reserve(Solve *s) {
    LitheLcpWork *memory = s->memory;
    int64_t n = s->problem->n, own = n * n + 4 * n;
    int64_t newton = lithe_lcp_newton_size((int32_t)n);
    return LITHE_RESERVE(memory->context, memory->doubles, memory->double_capacity, own + newton) &&
           LITHE_RESERVE(memory->context, memory->integers, memory->integer_capacity, 2 * n + 2);
}

// stages 2 and 3
static void condition(Solve *s) {
    int32_t n = s->problem->n;
    double *A = s->memory->doubles, *b = A + (ptrdiff_t)n * n;
    s->rows = b + n;
    s->columns = s->rows + n;
    s->y = s->columns + n;
    s->work = s->y + n;
    memcpy(A, s->problem->A, sizeof(double) * (size_t)n * (size_t)n);
    memcpy(b, s->problem->b, sizeof(double) * (size_t)n);
    if (s->setting->scale)
        lithe_lcp_scale(n, A, b, s->rows, s->columns, s->work);
    for (int32_t i = 0; !s->setting->scale && i < n; i++)
        s->rows[i] = s->columns[i] = 1;
    for (int32_t i = 0; s->setting->regularise && i < s->block_count; i++)
        if (s->blocks[i].normal)
            A[(ptrdiff_t)(n + 1) * s->blocks[i].first] += s->setting->regularisation;
    s->scaled = (LitheLcp){n, A, b, s->problem->meter};
}

// z of the scaled solution; whether the problem of the caller accepts it
static bool accept(Solve *s) {
    for (int32_t i = 0; i < s->problem->n; i++)
        s->z[i] = s->columns[i] * fmax(s->y[i], 0);
    s->report->residual = lithe_lcp_residual(s->problem, s->z);
    bool ok = s->report->residual <= s->setting->accept;
    s->report->outcome = ok ? LITHE_LCP_SOLVED : LITHE_LCP_UNCONVERGED;
    return ok;
}

// Newton, and where the error of stage 3 is too large: again with the diagonal acting on the change
// of y only (L14)
static bool by_newton(Solve *s) {
    int32_t n = s->problem->n;
    double *A = s->memory->doubles, *b = A + (ptrdiff_t)n * n;
    for (int k = 0;; k++) {
        LitheLcpReport one = lithe_lcp_newton(&s->scaled, s->setting, s->y, s->work);
        s->report->iterations += one.iterations;
        bool converged = one.outcome == LITHE_LCP_SOLVED, ok = accept(s);
        if (!converged || ok || !s->setting->regularise || k == MAX_CORRECTIONS)
            return converged && ok;
        for (int32_t i = 0; i < s->block_count; i++) {
            int32_t at = s->blocks[i].first;
            if (s->blocks[i].normal)
                b[at] = s->rows[at] * s->problem->b[at] -
                        s->setting->regularisation * fmax(s->y[at], 0);
        }
    }
}

// Lemke needs no regularisation: it would turn a ray into huge impulses that cancel
static void plain(Solve *s) {
    int32_t n = s->problem->n;
    double *A = s->memory->doubles, *b = A + (ptrdiff_t)n * n;
    for (int32_t i = 0; i < n; i++) {
        A[(ptrdiff_t)(n + 1) * i] =
            s->rows[i] * s->problem->A[(ptrdiff_t)(n + 1) * i] * s->columns[i];
        b[i] = s->rows[i] * s->problem->b[i];
    }
}

static bool by_lemke(Solve *s) {
    plain(s);
    LitheLcpReport one = lithe_lcp_lemke(&s->scaled, s->y, s->memory->longs, s->memory->integers);
    s->report->iterations += one.iterations;
    bool ok = accept(s) && one.outcome == LITHE_LCP_SOLVED;
    if (!ok)
        s->report->outcome = one.outcome == LITHE_LCP_RAY ? LITHE_LCP_RAY : LITHE_LCP_UNCONVERGED;
    return ok;
}

// a start from z, or from 0
static bool by_method(Solve *s, bool warm) {
    int32_t n = s->problem->n;
    for (int32_t i = 0; i < n; i++)
        s->y[i] = warm ? fmax(s->z[i], 0) / s->columns[i] : 0;
    if (s->setting->method == LITHE_LCP_NEWTON)
        return by_newton(s);
    for (int32_t i = 0; i < n; i++)
        s->z[i] = warm ? s->z[i] : 0;
    LitheLcpReport one =
        lithe_lcp_gauss_seidel(s->problem, s->blocks, s->block_count, s->setting, s->z, s->work);
    s->report->iterations += one.iterations;
    s->report->residual = one.residual;
    s->report->outcome = one.outcome;
    return one.outcome == LITHE_LCP_SOLVED;
}

bool lithe_lcp_solve(const LitheLcp *problem, const LitheLcpBlock *blocks, int32_t block_count,
                     const LitheLcpSetting *setting, LitheLcpWork *work, double *z,
                     LitheLcpReport *report) {
    Solve s = {.problem = problem,
               .blocks = blocks,
               .block_count = block_count,
               .setting = setting,
               .memory = work,
               .z = z,
               .report = report};
    *report = (LitheLcpReport){.outcome = LITHE_LCP_SOLVED};
    if (problem->n == 0)
        return true;
    if (!reserve(&s))
        return false;
    condition(&s);
    bool lemke = setting->method == LITHE_LCP_LEMKE;
    if (!lemke) {
        if (by_method(&s, setting->warm))
            return true;
        report->restarted = setting->warm && setting->method == LITHE_LCP_NEWTON;
        if (report->restarted && by_method(&s, false))
            return true;
        if (!setting->fall_back)
            return true;
        report->fell_back = true;
    }
    // the tableau is large: reserved only when it is needed
    if (!LITHE_RESERVE(work->context, work->longs, work->long_capacity,
                       lithe_lcp_lemke_size(problem->n)))
        return false;
    by_lemke(&s);
    return true;
}
