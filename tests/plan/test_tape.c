// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_tape.c - derivatives of recorded functions

#include "plan/tape_parts.h"

#include "base/memory.h"
#include "test.h"

// --- a function with all operations: a point on a chain of bent sections, and products
// ----------------

enum { SECTIONS = 3, INPUTS = 3 * SECTIONS + 8, OUTPUTS = 3 + 1 + 4 + 1 };

typedef struct Ops {
    LitheTape *tape;
} Ops;

static LitheTerm add(Ops o, LitheTerm a, LitheTerm b) {
    return lithe_tape_add(o.tape, a, b);
}
static LitheTerm sub(Ops o, LitheTerm a, LitheTerm b) {
    return lithe_tape_subtract(o.tape, a, b);
}
static LitheTerm mul(Ops o, LitheTerm a, LitheTerm b) {
    return lithe_tape_multiply(o.tape, a, b);
}

// sections of constant curvature in chamber coordinates (s, u, w), then a distance, bilinear rows,
// and a quotient with a parameter
static void record(LitheTape *tape) {
    Ops o = {tape};
    LitheTerm zero = lithe_tape_constant(tape, 0), one = lithe_tape_constant(tape, 1);
    LitheTerm p[3] = {zero, zero, zero},
              r[3][3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    for (int k = 0; k < SECTIONS; k++) {
        LitheTerm s = lithe_tape_input(tape, 3 * k), u = lithe_tape_input(tape, 3 * k + 1),
                  w = lithe_tape_input(tape, 3 * k + 2);
        LitheTerm sigma = add(o, mul(o, u, u), mul(o, w, w));
        LitheTerm f1 = lithe_tape_apply(tape, LITHE_TAPE_ENTIRE_1, sigma);
        LitheTerm f2 = lithe_tape_apply(tape, LITHE_TAPE_ENTIRE_2, sigma);
        LitheTerm local[3] = {mul(o, s, mul(o, u, f2)), mul(o, s, mul(o, w, f2)), mul(o, s, f1)};
        LitheTerm uw = mul(o, mul(o, u, w), f2), zero_minus = sub(o, zero, one);
        LitheTerm turn[3][3] = {
            {sub(o, one, mul(o, mul(o, u, u), f2)), mul(o, zero_minus, uw), mul(o, u, f1)},
            {mul(o, zero_minus, uw), sub(o, one, mul(o, mul(o, w, w), f2)), mul(o, w, f1)},
            {mul(o, zero_minus, mul(o, u, f1)), mul(o, zero_minus, mul(o, w, f1)),
             sub(o, one, mul(o, sigma, f2))}};
        LitheTerm next[3][3];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                p[i] = add(o, p[i], mul(o, r[i][j], local[j]));
            for (int j = 0; j < 3; j++) {
                next[i][j] = zero;
                for (int m = 0; m < 3; m++)
                    next[i][j] = add(o, next[i][j], mul(o, r[i][m], turn[m][j]));
            }
        }
        memcpy(r, next, sizeof r);
    }
    LitheTerm square = lithe_tape_constant(tape, 1e-3);
    for (int i = 0; i < 3; i++) {
        lithe_tape_output(tape, p[i]);
        square = add(o, square, mul(o, p[i], p[i]));
    }
    lithe_tape_output(tape, lithe_tape_apply(tape, LITHE_TAPE_ROOT, square));
    for (int i = 0; i < 4; i++) {
        LitheTerm a = lithe_tape_input(tape, 3 * SECTIONS + i),
                  b = lithe_tape_input(tape, 3 * SECTIONS + 4 + i);
        lithe_tape_output(tape, mul(o, a, b));
    }
    LitheTerm x = lithe_tape_input(tape, 0), y = lithe_tape_input(tape, 3 * SECTIONS);
    LitheTerm t = lithe_tape_apply(tape, LITHE_TAPE_SINE, mul(o, x, y));
    t = mul(o, t, lithe_tape_apply(tape, LITHE_TAPE_COSINE, y));
    t = mul(o, t,
            lithe_tape_apply(tape, LITHE_TAPE_RECIPROCAL,
                             add(o, lithe_tape_parameter(tape, 0), mul(o, x, x))));
    lithe_tape_output(tape, add(o, t, lithe_tape_apply(tape, LITHE_TAPE_ENTIRE_3, y)));
}

static void point(double *x) {
    for (int i = 0; i < INPUTS; i++)
        x[i] = 0.4 + 0.3 * sin(1 + 2.3 * i);
}

static const double parameter[1] = {1.7};

// dense copies of the sparse derivatives at x
static void derivatives(const LitheTape *tape, LitheTapeWork *work, const double *x,
                        const double *weights, double *y, double *jacobian, double *hessian) {
    LithePattern rows = lithe_tape_jacobian_pattern(tape), lower = lithe_tape_hessian_pattern(tape);
    double *entries = malloc(sizeof *entries * (size_t)(rows.count + lower.count));
    lithe_tape_values(tape, work, x, parameter, y);
    lithe_tape_jacobian(tape, work, entries);
    memset(jacobian, 0, sizeof *jacobian * (size_t)(rows.rows * lower.rows));
    for (int32_t i = 0; i < rows.rows; i++)
        for (int32_t e = rows.start[i]; e < rows.start[i + 1]; e++)
            jacobian[i * lower.rows + rows.column[e]] = entries[e];
    lithe_tape_hessian(tape, work, weights, entries);
    memset(hessian, 0, sizeof *hessian * (size_t)(lower.rows * lower.rows));
    for (int32_t i = 0; i < lower.rows; i++)
        for (int32_t e = lower.start[i]; e < lower.start[i + 1]; e++) {
            int32_t j = lower.column[e];
            hessian[i * lower.rows + j] = hessian[j * lower.rows + i] = entries[e];
        }
    free(entries);
}

TEST(derivatives_equal_differences_of_values_and_gradients) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTape *tape = lithe_tape_new(context, INPUTS, 1);
    record(tape);
    LitheError error = {0};
    FATAL(lithe_tape_end(tape, &error) == LITHE_OK);
    LitheTapeWork *work = lithe_tape_work_new(context, tape);
    double x[INPUTS], y[OUTPUTS], up[OUTPUTS], down[OUTPUTS], w[OUTPUTS];
    double J[OUTPUTS * INPUTS], H[INPUTS * INPUTS], Ju[OUTPUTS * INPUTS], Jd[OUTPUTS * INPUTS],
        unused[INPUTS * INPUTS];
    point(x);
    for (int i = 0; i < OUTPUTS; i++)
        w[i] = 1 + 0.5 * i;
    for (int round = 0; round < 2; round++) // the second round sees what the first left behind
        derivatives(tape, work, x, w, y, J, H);
    const double d = 1e-5;
    for (int j = 0; j < INPUTS; j++) {
        double keep = x[j];
        x[j] = keep + d;
        derivatives(tape, work, x, w, up, Ju, unused);
        x[j] = keep - d;
        derivatives(tape, work, x, w, down, Jd, unused);
        x[j] = keep;
        for (int i = 0; i < OUTPUTS; i++)
            CHECK_NEAR(J[i * INPUTS + j], (up[i] - down[i]) / (2 * d), 2e-9);
        for (int k = 0; k < INPUTS; k++) {
            double gradient = 0;
            for (int i = 0; i < OUTPUTS; i++)
                gradient += w[i] * (Ju[i * INPUTS + k] - Jd[i * INPUTS + k]) / (2 * d);
            CHECK_NEAR(H[k * INPUTS + j], gradient, 3e-8);
        }
    }
    lithe_tape_work_free(work);
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}

TEST(products_of_inputs_need_no_direction) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTape *tape = lithe_tape_new(context, 40, 0);
    for (int i = 0; i < 20; i++)
        lithe_tape_output(tape, lithe_tape_multiply(tape, lithe_tape_input(tape, i),
                                                    lithe_tape_input(tape, 20 + i)));
    FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
    int32_t terms, directions;
    lithe_tape_size(tape, &terms, &directions);
    CHECK(terms == 60 && directions == 0);
    LithePattern lower = lithe_tape_hessian_pattern(tape);
    CHECK(lower.count == 20 && lower.column[0] == 0);
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}

// values and derivatives at points k = 0 .. count - 1
static void at_points(const LitheTape *tape, const LitheTapeKernels *kernels, int32_t count,
                      double *y, double *J, double *H) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTapeWork *work = lithe_tape_work_new(context, tape);
    if (kernels != NULL)
        work->kernels = kernels;
    LithePattern rows = lithe_tape_jacobian_pattern(tape), lower = lithe_tape_hessian_pattern(tape);
    double x[LITHE_TAPE_POINTS][INPUTS], w[LITHE_TAPE_POINTS][OUTPUTS];
    const double *xs[LITHE_TAPE_POINTS], *ps[LITHE_TAPE_POINTS], *ws[LITHE_TAPE_POINTS];
    double *ys[LITHE_TAPE_POINTS], *Js[LITHE_TAPE_POINTS], *Hs[LITHE_TAPE_POINTS];
    for (int k = 0; k < count; k++) {
        point(x[k]);
        for (int i = 0; i < INPUTS; i++)
            x[k][i] += 0.01 * k * i;
        for (int i = 0; i < OUTPUTS; i++)
            w[k][i] = 1 + 0.5 * i - k;
        xs[k] = x[k], ws[k] = w[k], ps[k] = parameter;
        ys[k] = y + k * OUTPUTS, Js[k] = J + k * rows.count, Hs[k] = H + k * lower.count;
    }
    lithe_tape_values_at(tape, work, count, xs, ps, ys);
    lithe_tape_jacobian_at(tape, work, Js);
    lithe_tape_hessian_at(tape, work, ws, Hs);
    lithe_tape_work_free(work);
    lithe_context_destroy(context);
}

TEST(points_together_and_vectors_of_any_width_give_the_same_bits) {
    enum { P = LITHE_TAPE_POINTS };
    LitheContext *context = lithe_context_create(NULL);
    LitheTape *tape = lithe_tape_new(context, INPUTS, 1);
    record(tape);
    FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
    size_t nj = (size_t)lithe_tape_jacobian_pattern(tape).count,
           nh = (size_t)lithe_tape_hessian_pattern(tape).count;
    double *all = malloc(sizeof *all * 3 * P * (OUTPUTS + nj + nh));
    double *y[3], *J[3], *H[3];
    for (int i = 0; i < 3; i++) {
        y[i] = all + (size_t)i * P * (OUTPUTS + nj + nh);
        J[i] = y[i] + P * OUTPUTS;
        H[i] = J[i] + P * nj;
    }
    at_points(tape, NULL, P, y[0], J[0], H[0]);
    at_points(tape, &lithe_tape_kernels_portable, P, y[1], J[1], H[1]);
    CHECK(memcmp(y[0], y[1], sizeof(double) * P * (OUTPUTS + nj + nh)) == 0);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        at_points(tape, &lithe_tape_kernels_avx2, P, y[2], J[2], H[2]);
        CHECK(memcmp(y[0], y[2], sizeof(double) * P * (OUTPUTS + nj + nh)) == 0);
    }
#endif
    at_points(tape, NULL, 3, y[2], J[2], H[2]); // fewer points than there is room for
    CHECK(memcmp(y[0], y[2], sizeof(double) * 3 * OUTPUTS) == 0);
    CHECK(memcmp(J[0], J[2], sizeof(double) * 3 * nj) == 0);
    CHECK(memcmp(H[0], H[2], sizeof(double) * 3 * nh) == 0);
    CHECK(memcmp(H[0], H[0] + nh, sizeof(double) * nh) != 0); // the points differ
    free(all);
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}

TEST(equal_terms_are_recorded_once_and_constants_are_folded) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTape *tape = lithe_tape_new(context, 2, 0);
    LitheTerm a = lithe_tape_input(tape, 0), b = lithe_tape_input(tape, 1);
    CHECK(lithe_tape_multiply(tape, a, b) == lithe_tape_multiply(tape, b, a));
    CHECK(lithe_tape_add(tape, a, lithe_tape_constant(tape, 0)) == a);
    CHECK(lithe_tape_scale(tape, 1, b) == b);
    CHECK(lithe_tape_add(tape, lithe_tape_constant(tape, 2), lithe_tape_constant(tape, 3)) ==
          lithe_tape_constant(tape, 5));
    CHECK(lithe_tape_subtract(tape, a, b) != lithe_tape_subtract(tape, b, a));
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}

TEST(entire_functions_equal_their_closed_forms) {
    LitheContext *context = lithe_context_create(NULL);
    LitheTape *tape = lithe_tape_new(context, 1, 0);
    LitheTerm s = lithe_tape_input(tape, 0);
    for (int m = 0; m < 3; m++)
        lithe_tape_output(tape,
                          lithe_tape_apply(tape, (LitheTapeFunction)(LITHE_TAPE_ENTIRE_1 + m), s));
    FATAL(lithe_tape_end(tape, NULL) == LITHE_OK);
    LitheTapeWork *work = lithe_tape_work_new(context, tape);
    for (int i = 1; i <= 40; i++) {
        double x = i, a = sqrt(x), y[3], d[3];
        lithe_tape_values(tape, work, &x, NULL, y);
        CHECK_NEAR(y[0], sin(a) / a, 3e-15);
        CHECK_NEAR(y[1], (1 - cos(a)) / x, 3e-15);
        CHECK_NEAR(y[2], (1 - sin(a) / a) / x, 3e-15);
        lithe_tape_jacobian(tape, work, d);
        CHECK_NEAR(d[0], (cos(a) - sin(a) / a) / (2 * x), 3e-15);
    }
    double x = 0, y[3], d[3], h[1];
    lithe_tape_values(tape, work, &x, NULL, y);
    CHECK_NEAR(y[2], 1. / 6, 1e-16);
    lithe_tape_jacobian(tape, work, d);
    CHECK_NEAR(d[1], -1. / 24, 1e-16);
    const double second[3] = {0, 0, 1};
    lithe_tape_hessian(tape, work, second, h);
    CHECK_NEAR(h[0], 2. / 5040, 1e-17);
    lithe_tape_work_free(work);
    lithe_tape_free(tape);
    lithe_context_destroy(context);
}

TEST(every_failure_of_memory_is_reported_and_leaks_nothing) {
    int failures = 0;
    for (int64_t n = 1;; n++) {
        LitheContext *context = lithe_context_create(NULL);
        lithe_context_fail_at(context, n);
        LitheTape *tape = lithe_tape_new(context, INPUTS, 1);
        LitheTapeWork *work = NULL;
        bool done = false;
        if (tape != NULL) {
            record(tape);
            done = lithe_tape_end(tape, NULL) == LITHE_OK;
            work = done ? lithe_tape_work_new(context, tape) : NULL;
            done = work != NULL;
        }
        lithe_tape_work_free(work);
        lithe_tape_free(tape);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
        failures += !done;
        if (done || n > 1000)
            break;
    }
    CHECK(failures > 20 && failures < 1000);
}
