// SPDX-License-Identifier: Apache-2.0
// tests/math/test_eigen.c - small symmetric eigenproblems and the positive projection

#include "math/eigen.h"
#include "test.h"

enum { MAX = LITHE_EIGEN_MAX };

static void random_symmetric(TestRandom *random, int n, double *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[n * i + j] = a[n * j + i] = test_random(random, -1, 1);
}

// a -= sum of values[k] v_k v_k'; returns the largest entry of the remainder
static double misfit(int n, const double *a, const double *values, const double *rows) {
    double worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = a[n * i + j];
            for (int k = 0; k < n; k++)
                sum -= values[k] * rows[n * k + i] * rows[n * k + j];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

static double non_orthonormal(int n, const double *rows) {
    double worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = -(i == j);
            for (int k = 0; k < n; k++)
                sum += rows[n * i + k] * rows[n * j + k];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

TEST(values_and_vectors_rebuild_the_matrix_for_every_size) {
    TestRandom random = {1};
    static double a[MAX * MAX], v[MAX * MAX];
    double values[MAX], work[LITHE_EIGEN_WORK(MAX)];
    for (int n = 1; n <= MAX; n++) {
        random_symmetric(&random, n, a);
        memcpy(v, a, sizeof a);
        FATAL(lithe_eigen_symmetric(n, v, values, work));
        CHECK_NEAR(misfit(n, a, values, v), 0, 1e-15 * (10 + 2 * n));
        CHECK_NEAR(non_orthonormal(n, v), 0, 1e-15 * (10 + n));
        for (int k = 1; k < n; k++)
            CHECK(values[k - 1] <= values[k]);
    }
}

TEST(second_differences_have_their_cosine_spectrum) {
    enum { N = 40 };
    double a[N * N] = {0}, values[N], work[LITHE_EIGEN_WORK(N)];
    for (int i = 0; i < N; i++) {
        a[N * i + i] = 2;
        if (i > 0)
            a[N * i + i - 1] = a[N * (i - 1) + i] = -1;
    }
    FATAL(lithe_eigen_symmetric(N, a, values, work));
    for (int k = 0; k < N; k++)
        CHECK_NEAR(values[k], 2 - 2 * cos((k + 1) * M_PI / (N + 1)), 1e-14);
}

TEST(repeated_graded_zero_and_huge_matrices_are_no_exception) {
    enum { N = 7 };
    double a[N * N], v[N * N], values[N], work[LITHE_EIGEN_WORK(N)];
    // one matrix with a fivefold value: 3 I + u u'
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[N * i + j] = 3 * (i == j) + 0.1 * (i + 1) * (j + 1);
    memcpy(v, a, sizeof a);
    FATAL(lithe_eigen_symmetric(N, v, values, work));
    for (int k = 0; k < N - 1; k++)
        CHECK_NEAR(values[k], 3, 1e-13);
    CHECK_NEAR(values[N - 1], 17, 1e-13);
    CHECK_NEAR(non_orthonormal(N, v), 0, 1e-14);
    // scales from 1e300 down to 1e-300, diagonal blocks
    for (int power = -300; power <= 300; power += 60) {
        for (int i = 0; i < N * N; i++)
            v[i] = a[i] * pow(10, power);
        FATAL(lithe_eigen_symmetric(N, v, values, work));
        CHECK_NEAR(values[N - 1] / pow(10, power), 17, 1e-12);
    }
    memset(v, 0, sizeof v);
    for (int i = 0; i < N; i++) {
        v[N * i + i] = pow(10, -40 * i);
        if (i > 0)
            v[N * i + i - 1] = v[N * (i - 1) + i] = pow(10, -40 * i);
    }
    FATAL(lithe_eigen_symmetric(N, v, values, work));
    CHECK_NEAR(values[N - 1], 1, 1e-15);
    CHECK_NEAR(non_orthonormal(N, v), 0, 1e-14);
    memset(v, 0, sizeof v);
    FATAL(lithe_eigen_symmetric(N, v, values, work));
    for (int k = 0; k < N; k++)
        CHECK(values[k] == 0);
    CHECK_NEAR(non_orthonormal(N, v), 0, 0);
}

TEST(a_matrix_that_is_not_finite_is_refused_untouched) {
    enum { N = 5 };
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int which = 0; which < 3; which++) {
        double a[N * N], before[N * N], values[N], work[LITHE_PROJECT_WORK(N)];
        TestRandom random = {2};
        random_symmetric(&random, N, a);
        a[N * 3 + 1] = a[N * 1 + 3] = bad[which];
        memcpy(before, a, sizeof a);
        CHECK(!lithe_eigen_symmetric(N, a, values, work));
        CHECK(lithe_project_psd(N, a, work) == -1);
        CHECK(memcmp(a, before, sizeof a) == 0);
    }
}

TEST(projection_clamps_exactly_the_negative_values) {
    enum { N = 11 };
    TestRandom random = {3};
    for (int round = 0; round < 50; round++) {
        double a[N * N], v[N * N], w[N * N], before[N], after[N], work[LITHE_PROJECT_WORK(N)];
        random_symmetric(&random, N, a);
        memcpy(v, a, sizeof a);
        FATAL(lithe_eigen_symmetric(N, v, before, work));
        int negative = 0;
        for (int k = 0; k < N; k++)
            negative += before[k] < 0;
        CHECK(lithe_project_psd(N, a, work) == negative);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                CHECK(a[N * i + j] == a[N * j + i]);
        memcpy(w, a, sizeof a);
        FATAL(lithe_eigen_symmetric(N, w, after, work));
        for (int k = 0; k < N; k++)
            CHECK_NEAR(after[k], fmax(before[k], 0), 1e-14);
        // the projection is idempotent: remaining negative values are rounding
        memcpy(w, a, sizeof a);
        CHECK(lithe_project_psd(N, w, work) == 0);
        CHECK(memcmp(a, w, sizeof a) == 0);
    }
}

TEST(a_singular_positive_matrix_is_left_alone) {
    enum { N = 11, RANK = 5 };
    TestRandom random = {4};
    for (int round = 0; round < 50; round++) {
        double a[N * N] = {0}, before[N * N], work[LITHE_PROJECT_WORK(N)];
        for (int r = 0; r < RANK; r++) {
            double u[N];
            for (int i = 0; i < N; i++)
                u[i] = test_random(&random, -1, 1);
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    a[N * i + j] += pow(10, r) * u[i] * u[j];
        }
        memcpy(before, a, sizeof a);
        CHECK(lithe_project_psd(N, a, work) == 0);
        CHECK(memcmp(a, before, sizeof a) == 0);
    }
}

TEST(one_small_negative_value_beside_large_ones_is_found) {
    enum { N = 6 };
    double a[N * N] = {0}, work[LITHE_PROJECT_WORK(N)];
    for (int i = 0; i < N; i++)
        a[N * i + i] = pow(10, i);
    a[0] = -1e-7;
    CHECK(lithe_project_psd(N, a, work) == 1);
    CHECK_NEAR(a[0], 0, 1e-20);
    for (int i = 1; i < N; i++)
        CHECK_NEAR(a[N * i + i], pow(10, i), 1e-10);
}
