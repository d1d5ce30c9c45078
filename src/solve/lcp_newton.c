// SPDX-License-Identifier: Apache-2.0
// solve/lcp_newton.c - semismooth Newton on Fischer-Burmeister's function
//
//     (L7)  F_i = y_i + w_i - sqrt(y_i^2 + w_i^2),  w = A y + b,  theta = |F|^2/2
//     (L8)  H = diag(Da) + diag(Db) A,  Da = 1 - y/q,  Db = 1 - w/q,  q = sqrt(y^2 + w^2)
//     (L9)  (N + c diag(N) + 1e-12 c I) d = -H'F,  N = H'H
// H is singular wherever A is, which friction makes it: (L9) is always positive definite
// (docs/theory/lcp.md). All loops go along rows, so that they vectorise without reordering sums.

#include "solve/lcp.h"

#include <math.h>
#include <string.h>

// where q is this small, any element of the generalised derivative will do
#define KINK 1e-14
// of the parameter of Levenberg and Marquardt
#define MIN_DAMPING 1e-14
#define MAX_DAMPING 1e8
// attempts to find a step that reduces theta, per iteration
#define MAX_TRIES 12
// least ratio of actual to predicted reduction
#define MIN_RATIO 1e-4

typedef struct Newton {
    int32_t n;
    const double *A, *b;
    double *H, *N, *U; // [n*n] Jacobian, upper triangle of H'H, its factor
    double *y, *w, *F;
    double *new_y, *new_w, *new_F;
    double *g, *d;
    LitheMeter *meter;
} Newton;

int64_t lithe_lcp_newton_size(int32_t n) {
    return 3 * (int64_t)n * n + 8 * (int64_t)n;
}

// w, F and theta at y
static double evaluate(const Newton *s, const double *y, double *w, double *F) {
    double theta = 0;
    for (int32_t i = 0; i < s->n; i++) {
        const double *row = s->A + (ptrdiff_t)s->n * i;
        double sums[4] = {0};
        int32_t j = 0;
        for (; j + 4 <= s->n; j += 4)
            for (int k = 0; k < 4; k++)
                sums[k] += row[j + k] * y[j + k];
        for (; j < s->n; j++)
            sums[0] += row[j] * y[j];
        w[i] = s->b[i] + (sums[0] + sums[1]) + (sums[2] + sums[3]);
        double q = sqrt(y[i] * y[i] + w[i] * w[i]);
        // y + w - q cancels where both are positive: 2 y w/(y + w + q)
        F[i] = y[i] + w[i] > 0 ? 2 * y[i] * w[i] / (y[i] + w[i] + q) : y[i] + w[i] - q;
        theta += 0.5 * F[i] * F[i];
    }
    return theta;
}

static double largest(const double *x, int32_t n) {
    double max = 0;
    for (int32_t i = 0; i < n; i++)
        max = fmax(max, fabs(x[i]));
    return max;
}

// columns between two looks at the meter
#define SPENT_AT_ONCE 16

// (L8), the gradient g = H'F and the upper triangle of N = H'H
static void differentiate(Newton *s) {
    int32_t n = s->n;
    memset(s->N, 0, sizeof(double) * (size_t)n * (size_t)n);
    memset(s->g, 0, sizeof(double) * (size_t)n);
    for (int32_t k = 0; k < n; k++) {
        if (k % SPENT_AT_ONCE == 0 && lithe_meter_spend(s->meter, SPENT_AT_ONCE))
            return;
        double q = sqrt(s->y[k] * s->y[k] + s->w[k] * s->w[k]);
        double Da = q < KINK ? 1 - sqrt(0.5) : 1 - s->y[k] / q;
        double Db = q < KINK ? 1 - sqrt(0.5) : 1 - s->w[k] / q;
        double *h = s->H + (ptrdiff_t)n * k;
        const double *a = s->A + (ptrdiff_t)n * k;
        if (Db == 0) { // an open contact: only its own unknown
            s->N[(ptrdiff_t)n * k + k] += Da * Da;
            s->g[k] += Da * s->F[k];
            continue;
        }
        for (int32_t j = 0; j < n; j++)
            h[j] = Db * a[j];
        h[k] += Da;
        for (int32_t i = 0; i < n; i++) {
            double hi = h[i];
            if (hi == 0)
                continue;
            double *row = s->N + (ptrdiff_t)n * i;
            for (int32_t j = i; j < n; j++)
                row[j] += hi * h[j];
            s->g[i] += hi * s->F[k];
        }
    }
}

// (L9): d = -(N + c diag(N) + 1e-12 c I)\g by U'DU; false when a pivot is not positive
static bool direction(Newton *s, double c) {
    int32_t n = s->n;
    double *U = s->U, *d = s->d;
    memcpy(U, s->N, sizeof(double) * (size_t)n * (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        U[(ptrdiff_t)n * i + i] += c * U[(ptrdiff_t)n * i + i] + 1e-12 * c;
        d[i] = -s->g[i];
    }
    for (int32_t k = 0; k < n; k++) {
        const double *top = U + (ptrdiff_t)n * k;
        if (!(top[k] > 0) || (k % SPENT_AT_ONCE == 0 && lithe_meter_spend(s->meter, SPENT_AT_ONCE)))
            return false;
        double inverse = 1 / top[k];
        for (int32_t i = k + 1; i < n; i++) {
            double f = top[i] * inverse;
            if (f == 0)
                continue;
            double *row = U + (ptrdiff_t)n * i;
            for (int32_t j = i; j < n; j++)
                row[j] -= f * top[j];
            d[i] -= f * d[k];
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        const double *top = U + (ptrdiff_t)n * k;
        for (int32_t j = k + 1; j < n; j++)
            d[k] -= top[j] * d[j];
        d[k] /= top[k];
    }
    return true;
}

// reduction of theta that (L9) predicts: -g.d - d'N d/2
static double predicted(const Newton *s) {
    double sum = 0;
    for (int32_t i = 0; i < s->n; i++) {
        const double *row = s->N + (ptrdiff_t)s->n * i;
        double half = 0.5 * row[i] * s->d[i];
        for (int32_t j = i + 1; j < s->n; j++)
            half += row[j] * s->d[j];
        sum -= s->d[i] * (s->g[i] + half);
    }
    return sum;
}

// one damped step; false when no damping reduces theta
static bool step(Newton *s, double *theta, double *damping) {
    differentiate(s);
    for (int k = 0; k < MAX_TRIES; k++) {
        if (!direction(s, *damping)) {
            *damping = fmin(*damping * 10, MAX_DAMPING);
            continue;
        }
        for (int32_t i = 0; i < s->n; i++)
            s->new_y[i] = s->y[i] + s->d[i];
        double trial = evaluate(s, s->new_y, s->new_w, s->new_F);
        double ratio = (*theta - trial) / predicted(s);
        if (!(ratio > MIN_RATIO)) {
            *damping = fmin(*damping * 10, MAX_DAMPING);
            continue;
        }
        if (ratio > 0.75)
            *damping = fmax(*damping / 10, MIN_DAMPING);
        else if (ratio < 0.25)
            *damping = fmin(*damping * 4, MAX_DAMPING);
        memcpy(s->y, s->new_y, sizeof(double) * (size_t)s->n);
        memcpy(s->w, s->new_w, sizeof(double) * (size_t)s->n);
        memcpy(s->F, s->new_F, sizeof(double) * (size_t)s->n);
        *theta = trial;
        return true;
    }
    return false;
}

LitheLcpReport lithe_lcp_newton(const LitheLcp *problem, const LitheLcpSetting *setting, double *y,
                                double *work) {
    int32_t n = problem->n;
    double *vectors = work + 3 * (ptrdiff_t)n * n;
    Newton s = {.n = n,
                .A = problem->A,
                .b = problem->b,
                .meter = problem->meter,
                .H = work,
                .N = work + (ptrdiff_t)n * n,
                .U = work + 2 * (ptrdiff_t)n * n,
                .y = y,
                .w = vectors,
                .F = vectors + n,
                .new_y = vectors + 2 * (ptrdiff_t)n,
                .new_w = vectors + 3 * (ptrdiff_t)n,
                .new_F = vectors + 4 * (ptrdiff_t)n,
                .g = vectors + 5 * (ptrdiff_t)n,
                .d = vectors + 6 * (ptrdiff_t)n};
    LitheLcpReport report = {.outcome = LITHE_LCP_UNCONVERGED};
    double theta = evaluate(&s, y, s.w, s.F), damping = setting->damping;
    while (isfinite(theta)) {
        report.residual = largest(s.F, n);
        if (report.residual < setting->tolerance) {
            report.outcome = LITHE_LCP_SOLVED;
            break;
        }
        if (report.iterations >= setting->max_iterations || !step(&s, &theta, &damping))
            break;
        report.iterations++;
    }
    return report;
}
