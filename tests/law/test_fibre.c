// SPDX-License-Identifier: Apache-2.0
// tests/law/test_fibre.c - energy of the stretch of a fibre, and its derivatives

#include "law/fibre.h"

#include "test.h"

static Vec3 random_vector(TestRandom *r) {
    return v3(test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1));
}

TEST(energy_slope_and_hessian_are_derivatives_at_second_order) {
    TestRandom r = {1};
    for (int k = 0; k < 20; k++) {
        double s = k % 2 ? test_random(&r, 0.5, 0.9) : test_random(&r, 1.1, 1.5);
        Vec3 y = v3_scale(s, v3_unit(random_vector(&r))), d = random_vector(&r), slope, after;
        Mat3 H;
        double E = lithe_fibre_energy(3, false, y, LITHE_FIBRE_WHOLE, &slope, &H), rest[2][2];
        CHECK_NEAR(E, 1.5 * (s - 1) * (s - 1), 1e-14);
        for (int level = 0; level < 2; level++) {
            double h = level ? 1e-3 : 2e-3;
            Vec3 at = v3_axpy(h, d, y);
            double energy = lithe_fibre_energy(3, false, at, LITHE_FIBRE_WHOLE, &after, NULL);
            rest[level][0] = fabs(energy - E - h * v3_dot(slope, d));
            rest[level][1] = v3_norm(v3_sub(v3_sub(after, slope), v3_scale(h, m3_apply(H, d))));
        }
        CHECK_NEAR(log2(rest[0][0] / rest[1][0]), 2, 0.02);
        CHECK_NEAR(log2(rest[0][1] / rest[1][1]), 2, 0.05);
    }
}

TEST(only_a_compressed_fibre_has_a_negative_part_which_projection_removes) {
    TestRandom r = {2};
    for (int k = 0; k < 40; k++) {
        Vec3 y = v3_scale(test_random(&r, 0.2, 1.8), v3_unit(random_vector(&r)));
        Vec3 n = v3_unit(y), t = v3_unit(v3_cross(n, v3(1, 2, 3)));
        double s = v3_norm(y);
        for (int part = 0; part < 3; part++) {
            Mat3 H;
            lithe_fibre_energy(2, false, y, (LitheFibrePart)part, NULL, &H);
            double across = part == LITHE_FIBRE_STRAIN ? 0 : 2 * (1 - 1 / s);
            if (part == LITHE_FIBRE_PROJECTED)
                across = fmax(across, 0);
            CHECK_NEAR(v3_dot(n, m3_apply(H, n)), 2, 1e-14);
            CHECK_NEAR(v3_dot(t, m3_apply(H, t)), across, 1e-14);
            CHECK_NEAR(v3_dot(t, m3_apply(H, n)), 0, 1e-14);
        }
    }
}

TEST(slack_fibres_carry_no_compression) {
    Vec3 slope;
    Mat3 H;
    CHECK(lithe_fibre_energy(2, true, v3(0, 0.9, 0), LITHE_FIBRE_WHOLE, &slope, &H) == 0);
    CHECK(v3_norm(slope) == 0);
    CHECK(H.m[1][1] == 0);
    double tight = lithe_fibre_energy(2, true, v3(0, 1.1, 0), LITHE_FIBRE_WHOLE, &slope, &H);
    CHECK_NEAR(tight, 0.01, 1e-15);
    CHECK_NEAR(slope.y, 0.2, 1e-15);
}

TEST(a_fibre_of_no_length_has_finite_numbers) {
    Vec3 slope;
    Mat3 H;
    double energy = lithe_fibre_energy(2, false, v3(0, 0, 0), LITHE_FIBRE_WHOLE, &slope, &H);
    CHECK_NEAR(energy, 1, 1e-15);
    CHECK(v3_norm(slope) == 0);
    CHECK(isfinite(H.m[0][0]));
}
