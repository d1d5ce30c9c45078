// SPDX-License-Identifier: Apache-2.0
// tests/math/test_svd3.c - singular values and polar decomposition

#include "math/svd3.h"

#include "test.h"

static double distance(Mat3 a, Mat3 b) {
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            most = fmax(most, fabs(a.m[i][j] - b.m[i][j]));
    return most;
}

static void check(const Mat3 *F, double tolerance) {
    LitheSvd3 d = lithe_svd3(F);
    Mat3 S = m3_diag(d.s.x, d.s.y, d.s.z);
    CHECK(distance(m3_mul(m3_mul(d.U, S), m3_transpose(d.V)), *F) <= tolerance * (d.s.x + 1e-300));
    CHECK(distance(m3_mul(m3_transpose(d.U), d.U), m3_identity()) < 1e-14);
    CHECK(distance(m3_mul(m3_transpose(d.V), d.V), m3_identity()) < 1e-14);
    CHECK_NEAR(m3_det(d.U), 1, 1e-14);
    CHECK_NEAR(m3_det(d.V), 1, 1e-14);
    CHECK(d.s.x >= d.s.y && d.s.y >= fabs(d.s.z) * (1 - 1e-14));
}

TEST(random_inverted_flat_and_tiny_matrices_are_decomposed) {
    TestRandom r = {1};
    for (int trial = 0; trial < 4000; trial++) {
        Mat3 F;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                F.m[i][j] = test_random(&r, -1, 1);
        if (trial % 5 == 1) // rank 2 and 1
            F = m3_mul(F, m3_diag(1, trial % 2, 0));
        if (trial % 5 == 2)
            F = m3_scale(1e-100, F);
        if (trial % 5 == 3)
            F = m3_add(m3_identity(), m3_scale(1e-12, F));
        check(&F, 2e-15);
    }
    Mat3 zero = m3_zero(), minus = m3_diag(-1, -1, -1), one = m3_identity();
    check(&zero, 0);
    check(&minus, 1e-15);
    check(&one, 0);
}

TEST(small_singular_values_keep_their_digits) {
    Mat3 Q = {{{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}};
    Mat3 F = m3_mul(Q, m3_diag(1, 1e-6, 1e-12)); // exact columns; F'F would lose 1e-12
    LitheSvd3 d = lithe_svd3(&F);
    CHECK_NEAR(d.s.y, 1e-6, 1e-20);
    CHECK_NEAR(d.s.z, 1e-12, 1e-26);
}

TEST(polar_rotation_is_that_of_the_singular_values) {
    TestRandom r = {5};
    for (int trial = 0; trial < 3000; trial++) {
        // from slightly strained to flat and inverted ones
        double strain = trial % 3 == 0 ? 0.1 : trial % 3 == 1 ? 0.5 : 1.5;
        Mat3 F;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                F.m[i][j] = (i == j) + test_random(&r, -strain, strain);
        LitheSvd3 d = lithe_svd3(&F);
        Mat3 R = lithe_polar_rotation(&F), Q = m3_mul(d.U, m3_transpose(d.V));
        // how much R changes with rounding of F
        double gap = d.s.y + d.s.z;
        CHECK(distance(m3_mul(m3_transpose(R), R), m3_identity()) < 1e-14);
        CHECK(distance(R, Q) < 1e-14 * (1 + d.s.x / fabs(gap)));
    }
}

TEST(polar_rotation_of_a_stretched_rotation_is_that_rotation) {
    TestRandom r = {2};
    for (int trial = 0; trial < 1000; trial++) {
        Mat3 A;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                A.m[i][j] = test_random(&r, -1, 1);
        Mat3 Q = lithe_polar_rotation(&A);
        Mat3 S = m3_add(m3_mul(m3_transpose(A), A), m3_scale(0.1, m3_identity()));
        Mat3 F = m3_mul(Q, S);
        CHECK(distance(lithe_polar_rotation(&F), Q) < 1e-13);
    }
}
