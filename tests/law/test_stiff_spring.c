// SPDX-License-Identifier: Apache-2.0
// tests/law/test_stiff_spring.c - the spring that stiffens towards a centreline: (Z5), (Z7), (Z8)

#include "law/stiffening.h"

#include "test.h"

enum { COUNT = 2000 };

TEST(the_stiffening_spring_is_convex_and_its_slope_is_its_derivative) {
    const double k = 3e4, room = 0.02;
    double last = k;
    for (int i = 1; i < COUNT; i++) {
        double d = 1.2 * room * i / COUNT, e = 1e-6 * room;
        double slope = lithe_stiff_slope(k, room, d);
        double measured =
            (lithe_stiff_force(k, room, d + e) - lithe_stiff_force(k, room, d - e)) / (2 * e);
        bool kink = fabs(d / room - LITHE_STIFF_FROM) < 2e-6;
        CHECK(kink || fabs(measured / slope - 1) < 1e-4);
        CHECK(slope >= last);
        last = slope;
    }
    CHECK(last < 1.1e4 * k);
    CHECK(lithe_stiff_force(k, room, 0.3 * room) == k * 0.3 * room);
}

TEST(the_line_of_a_step_starts_with_the_force_of_the_spring) {
    const double k = 3e4, room = 0.02, h = 1e-3, w = 20;
    for (int i = 0; i < COUNT; i++) {
        double d0 = room * i / COUNT, v0 = -20 + 40.0 * (i % 37) / 36;
        double slope = k, gap = -d0, dissipation = 1;
        if (!lithe_stiffen(room, h, w, v0, &slope, &gap, &dissipation)) {
            CHECK(slope == k && gap == -d0);
            continue;
        }
        double f0 = lithe_stiff_force(k, room, d0);
        CHECK_NEAR(-slope * gap, f0, 1e-9 * f0);
        // chords above the spring, tangents below
        double v1 = (v0 - w * h * f0) / (1 + w * h * h * k), d1 = d0 + h * v1;
        for (int j = 1; j < 8 && d1 > d0; j++) {
            double d = d0 + (d1 - d0) * j / 8;
            CHECK(f0 + slope * (d - d0) >= lithe_stiff_force(k, room, d) * (1 - 1e-6));
        }
        for (int j = 1; j < 8 && d1 <= d0; j++) {
            double d = fmax(d0 + (d1 - d0) * j / 8, 0);
            CHECK(f0 + slope * (d - d0) <= lithe_stiff_force(k, room, d) * (1 + 1e-9));
        }
    }
}

TEST(what_starts_beyond_the_centreline_keeps_the_plain_spring) {
    double k = 3e4, gap = -0.021, d = 1;
    CHECK(!lithe_stiffen(0.02, 1e-3, 20, 5, &k, &gap, &d));
    CHECK(k == 3e4 && gap == -0.021);
    CHECK(!lithe_stiffen(INFINITY, 1e-3, 20, 5, &k, &gap, &d));
}
