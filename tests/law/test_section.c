// SPDX-License-Identifier: Apache-2.0
// tests/law/test_section.c - constants of cross-sections

#include "law/section.h"

#include "test.h"

TEST(belt_of_20_by_2_mm_has_the_true_torsion_constant) {
    LitheSection s = lithe_section_rectangle(0.020, 0.002);
    CHECK_NEAR(s.J, 4.997e-11, 0.003e-11); // w h^3/3 (1 - 0.630 h/w)
    CHECK_NEAR(s.I1, 0.002 * pow(0.020, 3) / 12, 1e-22);
    CHECK_NEAR(s.I2, 0.020 * pow(0.002, 3) / 12, 1e-24);
    LitheSection turned = lithe_section_rectangle(0.002, 0.020);
    CHECK_NEAR(turned.J, s.J, 1e-24);
    CHECK_NEAR(turned.I1, s.I2, 1e-24);
}

TEST(square_has_the_tabulated_torsion_constant) {
    // Timoshenko and Goodier: J = 0.1406 a^4, with more digits 0.140577
    CHECK_NEAR(lithe_section_rectangle(2, 2).J, 0.1405770 * 16, 2e-6);
}

// Prandtl's stress function on a grid: lap(phi) = -2, J = 2 integral of phi
TEST(rectangle_agrees_with_prandtl_stress_function) {
    enum { N = 48 };
    static double phi[N + 1][N + 1];
    double w = 3, h = 1, dx = w / N, dy = h / N, cx = 1 / (dx * dx), cy = 1 / (dy * dy);
    memset(phi, 0, sizeof phi);
    for (int sweep = 0; sweep < 3000; sweep++)
        for (int i = 1; i < N; i++)
            for (int j = 1; j < N; j++) {
                double next = (2 + cx * (phi[i - 1][j] + phi[i + 1][j]) +
                               cy * (phi[i][j - 1] + phi[i][j + 1])) /
                              (2 * (cx + cy));
                phi[i][j] += 1.8 * (next - phi[i][j]);
            }
    double J = 0;
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            J += 2 * phi[i][j] * dx * dy;
    CHECK_NEAR(lithe_section_rectangle(w, h).J, J, 2e-3 * J);
}

TEST(circle_and_round_ellipse_agree_and_torsion_is_polar_only_there) {
    LitheSection c = lithe_section_circle(0.7), e = lithe_section_ellipse(1.4, 1.4);
    CHECK_NEAR(c.area, e.area, 1e-14);
    CHECK_NEAR(c.J, e.J, 1e-14);
    CHECK_NEAR(c.J, c.I1 + c.I2, 1e-14);
    LitheSection flat = lithe_section_ellipse(2, 0.5);
    CHECK(flat.J < 0.3 * (flat.I1 + flat.I2));
    CHECK_NEAR(flat.I1, M_PI * 0.25 / 4, 1e-14);
}
