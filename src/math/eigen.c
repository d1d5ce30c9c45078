// SPDX-License-Identifier: Apache-2.0
// math/eigen.c - Householder reflections to tridiagonal form, then QR steps with Wilkinson's shift
//
// Eigenvectors are kept as rows, so that every inner loop runs along memory.

#include "math/eigen.h"

#include "base/assert.h"
#include "math/vecn.h"

#include <float.h>
#include <math.h>
#include <string.h>

// largest absolute entry; -1 when one is not finite
static double largest_entry(int32_t count, const double *a) {
    double largest = 0;
    bool finite = true;
    for (int32_t i = 0; i < count; i++) {
        double size = fabs(a[i]);
        finite &= size <= DBL_MAX;
        largest = size > largest ? size : largest;
    }
    return finite ? largest : -1;
}

// H B H for the trailing block B, H = I - beta v v': B -= v w' + w v', w = u - (beta/2)(u.v) v with
// u = beta B v
static void reflect_block(int32_t n, int32_t first, const double *v, double beta, double *w,
                          double *a) {
    double k = 0;
    for (int32_t i = first; i < n; i++) {
        w[i] = beta * vn_dot_4(n - first, a + n * i + first, v + first);
        k += 0.5 * beta * w[i] * v[i];
    }
    for (int32_t i = first; i < n; i++)
        w[i] -= k * v[i];
    for (int32_t i = first; i < n; i++)
        for (int32_t j = first; j < n; j++)
            a[n * i + j] -= v[i] * w[j] + w[i] * v[j];
}

// A = Q T Q': T in d and e, the reflection vectors in the upper rows of a, beta on its diagonal
static void tridiagonalise(int32_t n, double *a, double *d, double *e) {
    for (int32_t k = 0; k + 2 < n; k++) {
        double *v = a + n * k;
        d[k] = v[k];
        double rest = vn_dot_4(n - k - 2, v + k + 2, v + k + 2);
        if (rest < 1e-300) {
            e[k] = v[k + 1];
            v[k] = 0;
            continue;
        }
        // v = x - alpha e1, the sign of alpha such that nothing cancels
        double alpha = -copysign(sqrt(rest + v[k + 1] * v[k + 1]), v[k + 1]);
        v[k + 1] -= alpha;
        e[k] = alpha;
        v[k] = 2 / (rest + v[k + 1] * v[k + 1]);
        // entries of d beyond k are still unused: w is stored there
        reflect_block(n, k + 1, v, v[k], d, a);
    }
    if (n > 1) {
        d[n - 2] = a[n * (n - 2) + n - 2];
        e[n - 2] = a[n * (n - 2) + n - 1];
    }
    d[n - 1] = a[n * n - 1];
}

// the reflections become Q' in place, from the last one up
static void form_rows(int32_t n, double *a) {
    for (int32_t i = n > 1 ? n - 2 : 0; i < n; i++)
        for (int32_t j = n > 1 ? n - 2 : 0; j < n; j++)
            a[n * i + j] = i == j;
    for (int32_t k = n - 3; k >= 0; k--) {
        double *v = a + n * k;
        for (int32_t i = k + 1; i < n; i++) {
            double *row = a + n * i;
            double s = v[k] * vn_dot_4(n - k - 1, row + k + 1, v + k + 1);
            for (int32_t j = k + 1; j < n; j++)
                row[j] -= s * v[j];
            row[k] = 0;
        }
        for (int32_t j = k; j < n; j++)
            v[j] = j == k;
    }
}

static bool negligible(const double *d, const double *e, int32_t k) {
    // entries are about 1 at most: below 1e-150 e is negligible, and e^2 may underflow
    return fabs(e[k]) <= 0x1p-53 * (fabs(d[k]) + fabs(d[k + 1])) || fabs(e[k]) < 1e-150;
}

// eigenvalue of the last 2x2 block that is nearer to its last entry
static double wilkinson_shift(const double *d, const double *e, int32_t high) {
    double half = 0.5 * (d[high - 1] - d[high]), b = e[high - 1];
    return d[high] - b * b / (half + copysign(sqrt(half * half + b * b), half));
}

// one implicit QR step on rows low .. high of T, its rotations applied to the rows of q
static void qr_step(int32_t n, int32_t low, int32_t high, double *d, double *e, double *q) {
    double x = d[low] - wilkinson_shift(d, e, high), z = e[low];
    for (int32_t k = low; k < high; k++) {
        double r = sqrt(x * x + z * z);
        double c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
        if (k > low)
            e[k - 1] = r;
        double t = s * (d[k + 1] - d[k]) + 2 * c * e[k];
        d[k] += s * t;
        d[k + 1] -= s * t;
        e[k] = c * t - e[k];
        // the bulge moves down one row
        if (k + 1 < high) {
            x = e[k];
            z = s * e[k + 1];
            e[k + 1] *= c;
        }
        double *upper = q + n * k, *lower = upper + n;
        for (int32_t j = 0; j < n; j++) {
            double u = upper[j], v = lower[j];
            upper[j] = c * u + s * v;
            lower[j] = c * v - s * u;
        }
    }
}

static bool diagonalise(int32_t n, double *d, double *e, double *q) {
    int32_t steps_left = 60 * n; // about 2n are needed
    for (int32_t high = n - 1; high > 0;) {
        if (negligible(d, e, high - 1)) {
            high--;
            continue;
        }
        int32_t low = high - 1;
        while (low > 0 && !negligible(d, e, low - 1))
            low--;
        if (steps_left-- == 0)
            return false;
        qr_step(n, low, high, d, e, q);
    }
    return true;
}

static void sort_ascending(int32_t n, double *values, double *rows) {
    for (int32_t i = 0; i < n; i++) {
        int32_t min = i;
        for (int32_t j = i + 1; j < n; j++)
            if (values[j] < values[min])
                min = j;
        if (min == i)
            continue;
        double value = values[i];
        values[i] = values[min];
        values[min] = value;
        for (int32_t k = 0; k < n; k++) {
            double entry = rows[n * i + k];
            rows[n * i + k] = rows[n * min + k];
            rows[n * min + k] = entry;
        }
    }
}

bool lithe_eigen_symmetric(int32_t n, double *a, double *values, double *work) {
    LITHE_ASSERT(n >= 1 && n <= LITHE_EIGEN_MAX);
    double largest = largest_entry(n * n, a);
    if (largest < 0)
        return false;
    // a power of two as scale: exact, and no square overflows
    int exponent = 0;
    frexp(largest, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent;
    double scale = ldexp(1, -exponent);
    for (int32_t i = 0; i < n * n; i++)
        a[i] *= scale;
    double *e = work;
    tridiagonalise(n, a, values, e);
    form_rows(n, a);
    if (!diagonalise(n, values, e, a))
        return false;
    sort_ascending(n, values, a);
    for (int32_t i = 0; i < n; i++)
        values[i] /= scale;
    return true;
}

// whether A + shift I has positive pivots only; `u` [n*n] is workspace, upper triangle
static bool is_positive(int32_t n, const double *a, double shift, double *u) {
    memcpy(u, a, sizeof *a * (size_t)(n * n));
    for (int32_t k = 0; k < n; k++) {
        double *row = u + n * k;
        double pivot = row[k] + shift;
        if (!(pivot > 0))
            return false;
        double reciprocal = 1 / pivot;
        for (int32_t i = k + 1; i < n; i++) {
            double s = row[i] * reciprocal, *other = u + n * i;
            for (int32_t j = i; j < n; j++)
                other[j] -= s * row[j];
        }
    }
    return true;
}

int32_t lithe_project_psd(int32_t n, double *a, double *work) {
    LITHE_ASSERT(n >= 1 && n <= LITHE_EIGEN_MAX);
    double *rows = work, *values = work + n * n;
    double largest = largest_entry(n * n, a);
    if (largest < 0)
        return -1;
    double rounding = 1e-15 * n * largest;
    if (largest == 0 || is_positive(n, a, rounding, rows))
        return 0;
    memcpy(rows, a, sizeof *a * (size_t)(n * n));
    if (!lithe_eigen_symmetric(n, rows, values, values + n))
        return -1;
    int32_t clamped = 0;
    while (clamped < n && values[clamped] < -rounding)
        clamped++;
    if (clamped == 0)
        return 0;
    // A - sum over negative values of values[k] v_k v_k', lower triangle mirrored
    for (int32_t k = 0; k < n && values[k] < 0; k++)
        for (int32_t i = 0; i < n; i++) {
            double s = values[k] * rows[n * k + i];
            for (int32_t j = 0; j <= i; j++)
                a[n * i + j] -= s * rows[n * k + j];
        }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            a[n * j + i] = a[n * i + j];
    return clamped;
}
